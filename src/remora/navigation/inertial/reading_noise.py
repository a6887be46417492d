"""Errors of readings that depend on what was measured: acoustic fixes, waves on a depth sensor, iron at a compass."""

import math
from typing import Any

import numpy as np

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import IDENTITY3, ZERO3, add3, scale3, subtract3
from remora.equations.instruments import across_bearing, calibrated_field, magnetic_heading, magnetometer_reading
from remora.equations.water.waves import jonswap, pressure_share, wave_number
from remora.messages.reading import Values
from remora.messages.site import MAGNETIC_FIELD, SeaState, Site
from remora.messages.stated_errors import StatedErrors
from remora.vehicles.vehicle import SensorEntry

BANDS = 40
LOWEST, HIGHEST = 0.6, 4.0  # multiples of the peak frequency, between which nearly all energy lies
IRON_TIME = 30.0  # s, in which a vehicle turns, so that iron bends its heading otherwise; chosen
LEAST_DEVIATION = math.radians(0.01)  # rad, of a heading error that counts
HEADINGS = 36  # over which it is averaged


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


def array_fix(distance: Values, cosines: Values, values: Values) -> Values:
    """Range and no deviation from the measured direction; then standard deviations and two unit vectors across it.

    Values are range, bearing and elevation of a fix, m and rad, with the standard deviations of the range, m, and of
    the three direction cosines of the array. These have independent errors, of which those across the direction count:
    two degrees of freedom. They are independent along the vectors.
    """
    first, second = across_bearing(values[1], values[2])
    squares = [sigma * sigma for sigma in cosines]
    a, b, c = (
        sum(s * one * other for s, one, other in zip(squares, *pair, strict=True))
        for pair in ((first, first), (second, second), (first, second))
    )
    turn = 0.5 * math.atan2(2.0 * c, a - b)
    mean, half = 0.5 * (a + b), math.hypot(0.5 * (a - b), c)
    along = add3(scale3(math.cos(turn), first), scale3(math.sin(turn), second))
    beside = subtract3(scale3(math.cos(turn), second), scale3(math.sin(turn), first))
    return (values[0], 0.0, 0.0, *distance, math.sqrt(mean + half), math.sqrt(mean - half), *along, *beside)


def with_iron(stated: StatedErrors, entry: SensorEntry) -> StatedErrors:
    """Errors of roll, pitch and heading of a compass with the errors by its iron, which change as the vehicle turns."""
    deviation = iron_deviation(entry)
    if deviation < LEAST_DEVIATION:
        return stated
    wander = (*stated.wander[:2], math.hypot(stated.wander[2], deviation))
    return stated._replace(wander=wander, wander_time=stated.wander_time or IRON_TIME)


def iron_deviation(entry: SensorEntry) -> float:
    """RMS of the heading error that the stated iron of a compass causes on a level vehicle, less its calibration, rad.

    In the field of middle latitudes; it changes with the heading.
    """
    given = entry.parameters
    soft, correction = (given.get(name) or IDENTITY3 for name in ("soft_iron", "calibration_matrix"))
    hard, offset = (given.get(name) or ZERO3 for name in ("hard_iron", "calibration_offset"))
    squares = []
    for k in range(HEADINGS):
        heading = 2.0 * math.pi * k / HEADINGS
        raw = magnetometer_reading(from_euler_zyx(0.0, 0.0, heading), MAGNETIC_FIELD, IDENTITY3, soft, hard)
        error = magnetic_heading(calibrated_field(raw, correction, offset), 0.0, 0.0) - heading
        squares.append(math.remainder(error, 2.0 * math.pi) ** 2)
    return math.sqrt(sum(squares) / HEADINGS)
