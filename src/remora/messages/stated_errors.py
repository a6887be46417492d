"""Errors and accuracies that the data sheets of sensors state, for filters that must expect them."""

import math
from typing import NamedTuple

from remora.messages.reading import Values


class StatedErrors(NamedTuple):
    """Errors of a group of channels, one number per channel and one standard deviation each, SI."""

    white: Values  # independent from reading to reading, quantisation included
    constant: Values  # bias that stays during a run: turn-on bias, and a bias given as a number
    wander: Values  # stationary deviation of a first-order Gauss-Markov bias
    wander_time: float  # s, its correlation time; zero without one
    walk: Values  # random walk of the bias, per root second
    scale: Values  # scale factor
    misalignment: float = 0.0  # rad, of a vector: common rotation of its axes
    nonorthogonality: float = 0.0  # rad, of a vector: axes against each other
    drift: Values = ()  # of the bias, per second; empty without one
    force_sensitivity: float = 0.0  # of gyros: specific force that leaks into each turn rate, rad/s per m/s2

    @property
    def bias(self) -> Values:
        """Deviation of the whole bias at the start."""
        return tuple(math.hypot(c, w) for c, w in zip(self.constant, self.wander, strict=True))


class InsAccuracy(NamedTuple):
    """Accuracies as in Randeni et al. 2018, Table 1; the defaults belong to its Kearfott T24."""

    heading: float = math.radians(0.010)  # rad, RMS
    pitch: float = math.radians(0.005)  # rad, RMS
    roll: float = math.radians(0.005)  # rad, RMS; chosen like pitch
    position_of_distance: float = 0.001  # circular error probable per distance travelled, bottom track or GPS
    velocity_bottom_track: float = 0.001  # m/s, RMS of each component
    velocity_gps: float = 0.05  # m/s, RMS of each component
    position_drift: float = 1852.0 / (8.0 * 3600.0)  # m/s, RMS of the position drift, water track
    velocity_water_track: float = 0.3  # m/s, RMS of each component
    correlation_time: float = 60.0  # s, of the errors of velocity and attitude; chosen
