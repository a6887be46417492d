"""Accuracy of an inertial navigation system as its data sheet states it."""

import math
from typing import NamedTuple


class InsAccuracy(NamedTuple):
    """Accuracies as in Randeni et al. 2018, Table 1; the defaults are those of its Kearfott T24."""

    heading: float = math.radians(0.010)  # rad, RMS
    pitch: float = math.radians(0.005)  # rad, RMS
    roll: float = math.radians(0.005)  # rad, RMS; chosen like pitch
    position_of_distance: float = 0.001  # circular error probable per distance travelled, bottom track or GPS
    velocity_bottom_track: float = 0.001  # m/s, RMS of each component
    velocity_gps: float = 0.05  # m/s, RMS of each component
    position_drift: float = 1852.0 / (8.0 * 3600.0)  # m/s, RMS of the position drift, water track
    velocity_water_track: float = 0.3  # m/s, RMS of each component
    correlation_time: float = 60.0  # s, of the errors of velocity and attitude; chosen
