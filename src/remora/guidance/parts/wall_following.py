"""Wall following as a part: a distance to a wall on one side, held by an echosounder, at a speed ahead."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple, final

from remora.equations.algebra.four_axes import ZERO4
from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.control.cascades import position_velocity
from remora.equations.types import FourDof, Vector3
from remora.files.did_you_mean import suggestion
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Choice
from remora.files.units import LENGTH, SPEED
from remora.guidance.parts import GuidancePart
from remora.guidance.parts.legs import PositiveLength
from remora.guidance.parts.lyapunov import FourPositive, check_gains_and_speeds
from remora.guidance.parts.mission_soundings import LARGEST_AGE_NS, Altimeter, altimeter, check_altitude, max_range
from remora.guidance.velocity_guidance import FALCON_PROPORTIONAL, FALCON_SPEEDS, VelocityGuidance, lyapunov_law
from remora.messages.estimate import POSE_AND_MOTION, Estimate
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import Goal, PartError, PartKind, PartOptions, VehicleContext
from remora.messages.reference import VELOCITY, WALL_FIELDS, WallReference
from remora.vehicles.sections.device_sections import Angle
from remora.vehicles.vehicle import SensorEntry

MAX_DISTANCE_RATIO = 5.0  # default largest distance of a wall over the distance to hold
LEAST_SIDEWAYS = 0.5  # of the direction of an echosounder, to count as looking to a side


class WallFollowingOptions(PartOptions):
    """Echosounder, distance and speed; depth or altitude; heading along the wall."""

    choices: ClassVar = (*PartOptions.choices, Choice(("depth", "altitude"), required=False))
    sensor: str
    distance: PositiveLength
    speed: Annotated[Quantity[float], Is(SPEED)]
    depth: Annotated[Quantity[float], Is(LENGTH)] | None = None
    altitude: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    altimeter: str | None = None
    heading: Angle | None = None
    max_distance: PositiveLength | None = None
    proportional_gains: FourPositive | None = None
    max_speeds: FourPositive | None = None


class WallState(NamedTuple):
    """Depth and heading to hold, and the error of the distance to the wall."""

    depth: float  # m
    heading: float  # rad
    off: float | None  # m, distance from the wall minus the desired one; None without an echo
    sees_bed: bool = True  # whether there is an altitude, where one is held

    @property
    def sees_wall(self) -> bool:
        """Whether there is an echo of the wall."""
        return self.off is not None


@final
@dataclass(frozen=True)
class WallFollowing(GuidancePart):
    """Body velocities along a wall; the vehicle stops ahead and sideways while there is no echo."""

    sensor: str
    look_B: Vector3  # direction of the echosounder in body axes
    distance: float  # m
    speed: float  # m/s
    depth: float | None  # m; None: that of the first estimate
    heading: float | None  # rad; likewise
    altitude: float | None = None  # m above the bed, instead of a depth
    altimeter: Altimeter | None = None
    gains: FourDof = FALCON_PROPORTIONAL  # 1/s
    max_speeds: FourDof = FALCON_SPEEDS  # m/s and rad/s
    max_distance: float = math.inf  # m; an echo from farther away is not the wall
    needs = POSE_AND_MOTION
    follows_walls = True
    fields = WALL_FIELDS

    @property
    def peak_speeds(self) -> FourDof:
        """The speed limits."""
        return (abs(self.speed), *self.max_speeds[1:])

    @property
    def station_keeping(self) -> VelocityGuidance:
        """The law from position to velocity, for the linearisation of the loop."""
        return VelocityGuidance((), lyapunov_law(self.gains, ZERO4, self.max_speeds), 1.0)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The depth or the altitude, where it is given."""
        altitude = () if self.altitude is None else (Goal(("altitude",), 0.0, altitude=self.altitude),)
        return altitude if self.depth is None else (Goal(("depth",), self.depth),)

    def initial(self) -> WallState | None:
        """Before the first step."""
        return None

    def step(self, state: WallState | None, now: PartInput) -> tuple[WallState | None, WallReference | None]:
        """The reference; None while the estimate is incomplete."""
        estimate = now.estimate
        if estimate is None or not estimate.is_complete:
            return state, None
        facing = to_euler_zyx(estimate.q_NB)[2]
        if state is None:
            depth = estimate.p_NB[2] if self.depth is None else self.depth
            state = WallState(depth, facing if self.heading is None else self.heading, 0.0)
        height = None if self.altimeter is None else self.altimeter.altitude(now)
        off, depth = self.offset(now, estimate), state.depth
        if height is not None and self.altitude is not None:
            depth = estimate.p_NB[2] + height - self.altitude
        turn = math.remainder(state.heading - facing, math.tau)
        side = math.copysign(1.0, self.look_B[1])
        errors = (0.0, 0.0 if off is None else side * off, depth - estimate.p_NB[2], turn)
        moving = (0.0 if off is None else self.speed, 0.0, 0.0, 0.0)
        velocity = position_velocity(self.gains, errors, moving, self.peak_speeds)
        measured = math.nan if off is None else self.distance + off
        sees_bed = height is not None or self.altitude is None
        after = WallState(depth, state.heading, off, sees_bed)
        return after, WallReference(velocity, depth, state.heading, self.distance, measured, after.sees_wall)

    def offset(self, now: PartInput, estimate: Estimate) -> float | None:
        """Horizontal distance from the wall minus the desired one, m; None without a near echo of the last 2 s."""
        reading = now.readings.get(self.sensor)
        if reading is None or now.time_ns - reading.stamp_ns > LARGEST_AGE_NS or not math.isfinite(reading.values[0]):
            return None
        north, east, _ = position_rate(estimate.q_NB, self.look_B)
        distance = reading.values[0] * math.hypot(north, east)
        return None if distance > self.max_distance else distance - self.distance

    def lost_target(self, state: WallState | None) -> str:
        """Text while there is no wall, or no altitude to hold; empty otherwise."""
        if state is None or (state.sees_wall and state.sees_bed):
            return ""
        if state.sees_wall:
            return "no altitude; it keeps its last depth"
        within = f" within {self.max_distance:g} m" if math.isfinite(self.max_distance) else ""
        return f"no echo of the wall from {self.sensor}{within}"

    def distance_error(self, state: WallState | None) -> float | None:
        """Distance from the wall minus the desired one, m; None without an echo."""
        return None if state is None else state.off

    def reports(self, before: WallState | None, after: WallState | None) -> Iterator[PartReport]:
        """Loss and return of the wall."""
        was, sees = before is None or before.sees_wall, after is None or after.sees_wall
        if was and not sees:
            yield PartReport("warning", f"{self.lost_target(after)}: the vehicle stops", {"wall": False})
        elif sees and not was:
            yield PartReport("info", f"{self.sensor} sees the wall again", {"wall": True})


def make_wall_following(options: WallFollowingOptions, onboard: VehicleContext) -> WallFollowing:
    """Wall following of a scenario."""
    look = _look(options.sensor, onboard)
    if options.altitude is not None and options.altimeter is None:
        raise PartError("needs a measured altitude. Name a sensor of the vehicle as altimeter.", "altitude")
    speeds = options.max_speeds.value if options.max_speeds else FALCON_SPEEDS
    gains = options.proportional_gains.value if options.proportional_gains else FALCON_PROPORTIONAL
    check_gains_and_speeds(gains, speeds, onboard.period)
    if options.max_speeds and abs(options.speed.value) > speeds[0]:
        raise PartError(f"must not be above max_speeds in surge, {speeds[0]:g} m/s.", "speed")
    return WallFollowing(
        options.sensor,
        look,
        options.distance.value,
        options.speed.value,
        options.depth.value if options.depth else None,
        options.heading.value if options.heading else None,
        options.altitude.value if options.altitude else None,
        _altimeter(options, onboard),
        gains,
        speeds,
        _max_distance(options, onboard.sensors[options.sensor]),
    )


def _altimeter(options: WallFollowingOptions, onboard: VehicleContext) -> Altimeter | None:
    """The altimeter, if any; PartError where the altitude is beyond its range."""
    if options.altimeter is None:
        return None
    found = altimeter(options.altimeter, onboard)
    if options.altitude is not None:
        check_altitude(options.altitude.value, found, "altitude")
    return found


def _max_distance(options: WallFollowingOptions, sensor: SensorEntry) -> float:
    """Largest distance of a wall, m; it and the range of the sensor must exceed the distance to hold."""
    held = options.distance.value
    if (reach := max_range(sensor)) <= held:
        raise PartError(f"is not within the range of {sensor.name}, {reach:g} m.", "distance")
    most = options.max_distance.value if options.max_distance else MAX_DISTANCE_RATIO * held
    if most <= held:
        raise PartError(f"must be above the distance to hold, {held:g} m.", "max_distance")
    return most


def _look(name: str, onboard: VehicleContext) -> Vector3:
    """Direction of an echosounder in body axes; PartError unless it looks to a side."""
    entry = onboard.sensors.get(name)
    if entry is None or entry.kind not in ("echosounder", "altimeter"):
        known = [one.name for one in onboard.sensors.values() if one.kind == "echosounder"]
        hint = suggestion(name, known) if known else "Give the vehicle an echosounder under sensors."
        raise PartError(f"the vehicle has no echosounder of this name. {hint}", "sensor")
    look = position_rate(entry.q_BS or (1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0))  # x_S
    if abs(look[1]) < LEAST_SIDEWAYS:
        raise PartError("does not look to a side: name one that looks to port or starboard.", "sensor")
    return look


WALL_FOLLOWING = PartKind("wall_following", Role.GUIDANCE, WallFollowingOptions, make_wall_following, gives=VELOCITY)
