"""Pressure of waves that a filter expects on a depth sensor: from the sea state, and fading with depth."""

import math
from typing import Any

import numpy as np

from remora.equations.water.waves import jonswap, pressure_share, wave_number
from remora.messages.reading import Values
from remora.messages.site import SeaState, Site

BANDS = 40
LOWEST, HIGHEST = 0.6, 4.0  # multiples of the peak frequency, between which nearly all energy lies


class ExpectedWaves:
    """Standard deviation of the pressure of waves, Pa, at the depth that a reading shows.

    Waves pass faster than an estimate of the depth settles, so they count as noise of each reading.
    """

    def __init__(self, sea: SeaState, site: Site, sigma: float) -> None:
        self.weight, self.sigma, self.water_depth = site.density * site.gravity, sigma, sea.water_depth
        peak = 2.0 * math.pi / sea.peak_period
        frequency: Any = peak * np.linspace(LOWEST, HIGHEST, BANDS)
        energy: Any = jonswap(frequency, sea.significant_height, sea.peak_period, sea.peakedness)
        self.variances = (0.25 * sea.significant_height) ** 2 * energy / energy.sum()
        self.numbers = wave_number(frequency, sea.water_depth, site.gravity)

    def deviation(self, depth: float) -> float:
        """Standard deviation of the pressure at a depth below the still surface, m."""
        share = pressure_share(self.numbers, self.water_depth, max(depth, 0.0))
        return self.weight * math.sqrt(float(np.sum(self.variances * share * share)))

    def __call__(self, values: Values) -> Values:
        """A reading and its standard deviation, noise of the sensor included."""
        pressure = values[0]
        return (pressure, math.hypot(self.sigma, self.deviation(pressure / self.weight)))
