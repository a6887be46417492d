"""Altitude above the bed from an altimeter, an echosounder that looks down, or a DVL."""

import math
from typing import NamedTuple

from remora.equations.algebra.kinematics import down_in_body
from remora.files.did_you_mean import suggestion
from remora.messages.part import PartInput
from remora.messages.part_options import PartError, VehicleContext
from remora.vehicles.vehicle import SensorEntry

VALUE = {"altimeter": 0, "echosounder": 0, "dvl": 3}  # index of the range or altitude in a reading
RANGES = ("max_range", "max_altitude", "bottom_track_max_range")  # of data sheets, m
LARGEST_AGE_NS = 2_000_000_000  # of a reading


class Altimeter(NamedTuple):
    """A sensor that measures altitude along the down axis of the body."""

    name: str
    channel: int  # index of the altitude in its readings
    max_range: float = math.inf  # m

    def altitude(self, now: PartInput) -> float | None:
        """Altitude above a level bed, m: range times the cosine of the tilt; None without a reading of the last 2 s."""
        reading, estimate = now.readings.get(self.name), now.estimate
        if reading is None or estimate is None or now.time_ns - reading.stamp_ns > LARGEST_AGE_NS:
            return None
        height = reading.values[self.channel] * down_in_body(estimate.q_NB)[2]
        return height if math.isfinite(height) else None


def altimeter(name: str, onboard: VehicleContext) -> Altimeter:
    """The altimeter of a vehicle; PartError when it has none of that name or kind."""
    entry = onboard.sensors.get(name)
    if entry is None:
        known = [one.name for one in onboard.sensors.values() if one.kind in VALUE]
        hint = suggestion(name, known) if known else "Give the vehicle an altimeter or a DVL under sensors."
        raise PartError(f"the vehicle has no such sensor. {hint}", "altimeter")
    if entry.kind not in VALUE:
        message = (
            f'"{name}" is of the kind {entry.kind}, which gives no altitude. Name an altimeter, echosounder or DVL.'
        )
        raise PartError(message, "altimeter")
    return Altimeter(name, VALUE[entry.kind], max_range(entry))


def max_range(entry: SensorEntry) -> float:
    """Largest range or altitude that a sensor measures by its data sheet, m."""
    return min((float(entry.parameters[key]) for key in RANGES if key in entry.parameters), default=math.inf)


def check_altitude(altitude: float, sensor: Altimeter, *path: str | int) -> None:
    """PartError for an altitude in m beyond the range of its sensor."""
    if altitude > sensor.max_range:
        message = f"is beyond the range of {sensor.name}, {sensor.max_range:g} m. Give less, or another altimeter."
        raise PartError(message, *path)
