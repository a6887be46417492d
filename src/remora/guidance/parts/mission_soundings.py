"""Ranging sensors of a mission as options: altimeter, pipeline finder and obstacle avoidance."""

import math
from typing import NamedTuple

from remora.equations.algebra.kinematics import down_in_body, position_rate
from remora.equations.types import Vector3
from remora.files.did_you_mean import suggestion
from remora.files.section import Section
from remora.guidance.mission import Avoidance, MissionTarget, PipeFinder, RangingSensor, Sounding
from remora.guidance.parts.mission_sections import PositiveLength
from remora.messages.part import PartInput
from remora.messages.part_options import PartError, VehicleContext
from remora.messages.truth import BeamGeometry
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


PIPE_HEIGHT = 0.1  # m above the bed
LARGEST_LOOK = 45.0  # deg from down, of a fan that looks for a pipeline
FARTHEST_RATIO = 4.0  # default largest distance of an obstacle over the clearance


class PipeFinderSection(Section):
    """Fan that looks down, and the least height of the pipeline above the bed."""

    sensor: str
    height: PositiveLength | None = None


class AvoidanceSection(Section):
    """Ranging sensors and the distance to keep from their echoes."""

    sensors: list[str]
    clearance: PositiveLength
    max_distance: PositiveLength | None = None


class MissionSensors(NamedTuple):
    """Ranging sensors of a mission; None where there is none."""

    altimeter: Altimeter | None = None
    pipe: PipeFinder | None = None
    avoidance: Avoidance | None = None

    def sounding(self, now: PartInput) -> Sounding:
        """What they found."""
        estimate = now.estimate
        if estimate is None:
            return Sounding()
        return Sounding(
            None if self.altimeter is None else self.altimeter.altitude(now),
            None if self.pipe is None else self.pipe.found(now, estimate),
            () if self.avoidance is None else self.avoidance.echoes(now, estimate),
        )


def mission_sensors(
    altimeter_name: str | None,
    pipe: PipeFinderSection | None,
    avoid: AvoidanceSection | None,
    targets: tuple[MissionTarget, ...],
    onboard: VehicleContext,
) -> MissionSensors:
    """The sensors of a mission; PartError where one is missing that its behaviours need."""
    needs_altitude = next((target.entry for target in targets if target.altitude is not None), None)
    if needs_altitude is not None and altimeter_name is None:
        message = "needs a measured altitude. Name an altimeter, echosounder or DVL of the vehicle as altimeter."
        raise PartError(message, "mission", needs_altitude, "altitude")
    needs_pipe = next((target.entry for target in targets if target.pipe_from is not None), None)
    if needs_pipe is not None and pipe is None:
        message = "needs a fan that looks down to see the pipeline. Name one under pipe, e.g. pipe: {sensor: profiler}."
        raise PartError(message, "mission", needs_pipe, "do")
    above = None if altimeter_name is None else altimeter(altimeter_name, onboard)
    for target in targets:
        if target.altitude is not None and above is not None:
            check_altitude(target.altitude, above, "mission", target.entry, "altitude")
    return MissionSensors(
        above,
        None if pipe is None else _pipe_finder(pipe, onboard),
        None if avoid is None else _avoidance(avoid, onboard),
    )


def _pipe_finder(section: PipeFinderSection, onboard: VehicleContext) -> PipeFinder:
    sensor = _ranging_sensor(section.sensor, onboard, "pipe", "sensor")
    if len(sensor.geometry.angles) < 2:
        raise PartError("has one beam only. Name a multibeam echosounder or a laser line.", "pipe", "sensor")
    angle = math.degrees(math.acos(max(-1.0, min(1.0, _middle_beam(sensor.geometry)[2]))))
    if angle > LARGEST_LOOK:
        message = f"does not look down: its middle beam is {angle:.0f} deg from down. Name a fan that does."
        raise PartError(message, "pipe", "sensor")
    return PipeFinder(sensor, section.height.value if section.height else PIPE_HEIGHT)


def _avoidance(section: AvoidanceSection, onboard: VehicleContext) -> Avoidance:
    if not section.sensors:
        raise PartError("names no sensor. Name echosounders or fans that look ahead.", "avoid", "sensors")
    sensors = tuple(_ranging_sensor(name, onboard, "avoid", "sensors", i) for i, name in enumerate(section.sensors))
    clearance = section.clearance.value
    farthest = section.max_distance.value if section.max_distance else FARTHEST_RATIO * clearance
    if farthest <= clearance:
        message = f"must be above the clearance of {clearance:g} m: obstacles would be seen too late."
        raise PartError(message, "avoid", "max_distance")
    for i, sensor in enumerate(sensors):
        if (reach := max_range(onboard.sensors[sensor.name])) <= clearance:
            message = f"sees {reach:g} m far, not beyond the clearance of {clearance:g} m: too late to avoid anything."
            raise PartError(message, "avoid", "sensors", i)
    return Avoidance(sensors, clearance, farthest)


def _middle_beam(geometry: BeamGeometry) -> Vector3:
    """Direction of the middle of a fan in body axes."""
    angle = 0.5 * (geometry.angles[0] + geometry.angles[-1])
    return position_rate(geometry.q_BS, (math.cos(angle), math.sin(angle), 0.0))


def _ranging_sensor(name: str, onboard: VehicleContext, *path: str | int) -> RangingSensor:
    """A sensor with one range per beam; PartError when the vehicle has none of that name."""
    if name in onboard.beams:
        return RangingSensor(name, onboard.beams[name])
    known = list(onboard.beams)
    hint = suggestion(name, known) if known else "Give the vehicle an echosounder with an orientation, or a multibeam."
    what = "gives no ranges of known directions" if name in onboard.sensors else "the vehicle has no such sensor"
    raise PartError(f"{what}. {hint}", *path)
