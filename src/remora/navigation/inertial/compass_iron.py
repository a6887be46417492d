"""Heading errors of a compass from iron on the vehicle, as its data sheet states it."""

import math

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import IDENTITY3, ZERO3
from remora.equations.instruments import calibrated_field, magnetic_heading, magnetometer_reading
from remora.messages.site import MAGNETIC_FIELD
from remora.messages.stated_errors import StatedErrors
from remora.vehicles.vehicle import SensorEntry

IRON_TIME = 30.0  # s, in which a vehicle turns, so that iron bends its heading otherwise; chosen
LEAST = math.radians(0.01)  # rad, of a heading error that counts
HEADINGS = 36  # over which it is averaged


def with_iron(stated: StatedErrors, entry: SensorEntry) -> StatedErrors:
    """Errors of roll, pitch and heading of a compass with those of its iron, which change as the vehicle turns."""
    deviation = iron_deviation(entry)
    if deviation < LEAST:
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
