"""Doppler velocity logs (DVL), as a velocity vector or beam by beam, and current meters."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.vectors import ZERO3, dot3, matvec3, scale3, transpose3
from remora.equations.instruments import (
    Beams,
    altitude_from_ranges,
    beam_directions,
    beam_disagreement,
    beam_velocities,
    cell_position,
    length3,
    missing_beam,
    point_position,
    range_from_travel,
    sensor_axes,
    velocity_from_beams,
    velocity_over_ground,
    velocity_through_water,
)
from remora.equations.types import Matrix3, Quaternion, Vector3
from remora.messages.measured_quantities import MeasuredQuantity, selected
from remora.messages.reading import SensorChannel, Status, Values, axes3
from remora.messages.truth import Mount, Truth
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.data_sheet import DataSheet, Mounting, assumed_sound_speed
from remora.sensors.environment import Environment, altitude_above_bottom, surface_distance, water_velocity_at
from remora.sensors.error_ranges import ECHO_ERROR, VELOCITY_ERROR
from remora.sensors.errors.error_model import VECTOR, ChannelGroup
from remora.sensors.errors.noise import ProportionalNoise
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.rays import timed_distance
from remora.sensors.sensor import Altered, Effect, State
from remora.vehicles.vehicle import SensorEntry

VELOCITY = axes3("velocity", "m/s", "S")
ALTITUDE = SensorChannel("altitude", "m")


@final
@dataclass(frozen=True)
class DopplerLimits:
    """Operating limits of a Doppler log."""

    min_altitude: float = 0.0  # m
    max_altitude: float = math.inf  # m
    max_tilt: float = math.pi  # rad, between z_S and the vertical
    max_speed: float = math.inf  # m/s

    def cause_of_loss(self, altitude: float, tilt_cosine: float, velocity: Vector3) -> str:
        """Which of the limits is exceeded; empty where none is."""
        if altitude == math.inf:
            return "there is no bottom below it"
        if altitude > self.max_altitude:
            return f"out of range: the bottom is more than {self.max_altitude:g} m away"
        if altitude < self.min_altitude:
            return f"out of range: the bottom is less than {self.min_altitude:g} m away"
        if tilt_cosine < 0.0:
            return "it is upside down"
        if _status(self, tilt_cosine, ZERO3) is Status.NO_LOCK:
            return f"it is tilted by more than {math.degrees(self.max_tilt):.3g} deg"
        return f"it is faster than {self.max_speed:g} m/s" if length3(velocity) > self.max_speed else ""


def _is_in_reach(limits: DopplerLimits, altitude: float) -> bool:
    """Whether there is a bottom within the altitude limits."""
    return altitude < math.inf and limits.min_altitude <= altitude <= limits.max_altitude


def _status(limits: DopplerLimits, tilt_cosine: float, velocity: Vector3) -> Status:
    """Status by tilt and speed."""
    if tilt_cosine < math.cos(limits.max_tilt):
        return Status.NO_LOCK
    return Status.OUT_OF_RANGE if length3(velocity) > limits.max_speed else Status.OK


def _tilt_cosine(truth: Truth, mount: Mount) -> float:
    """Cosine of the angle between z_S and straight down."""
    R_BS = mount.R_BS
    return dot3(down_in_body(truth.q_NB), (R_BS[0][2], R_BS[1][2], R_BS[2][2]))


def _stretched(velocity: Vector3, assumed: float | None, environment: Environment) -> Vector3:
    """Velocity measured with an assumed sound speed."""
    return scale3(_stretch(assumed, environment), velocity)


def _stretch(assumed: float | None, environment: Environment) -> float:
    """Ratio of measured to true lengths and speeds with an assumed sound speed; None: the true one."""
    if assumed is None:
        return 1.0
    return range_from_travel(1.0, environment.sound_speed, assumed)


@final
@dataclass(frozen=True)
class Janus:
    """Janus configuration: four beams inclined outwards from z_S."""

    angle: float  # rad
    turn: float  # rad, azimuth of the first beam from x_S towards y_S


JANUS = Janus(math.radians(30.0), 0.0)
FEWEST_BEAMS = 3  # that determine a velocity
TOO_FEW_BEAMS = f"fewer than {FEWEST_BEAMS} beams meet the bottom"


def has_lock(beams: Janus, q_NB: Quaternion, R_BS: Matrix3, altitude: float, max_altitude: float) -> bool:
    """Whether enough beams meet a level bottom within the maximum altitude along z_S."""
    down_S = matvec3(transpose3(R_BS), down_in_body(q_NB))
    drops = beam_velocities(down_S, beam_directions(beams.angle, beams.turn))  # metres down per metre along each beam
    nearness, count = altitude * math.cos(beams.angle), 0
    for drop in drops:
        if drop > 0.0 and nearness <= max_altitude * drop:
            count += 1
    return count >= FEWEST_BEAMS


@final
@dataclass(frozen=True)
class BottomTrack(CompiledMeasurement):
    """Bottom track: velocity over ground and altitude.

    No lock outside its limits, or where fewer than three beams meet the bottom: a log that is upside down has none.
    The bottom is taken to be level around the place below the sensor; `BeamTrack` follows each beam.
    """

    mount: Mount
    limits: DopplerLimits = DopplerLimits()
    assumed_sound_speed: float | None = None  # m/s; None: the right one
    beams: Janus = JANUS

    is_long: ClassVar[bool] = True
    channels: ClassVar = (*VELOCITY, ALTITUDE)

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Velocity and altitude with bottom lock."""
        mount, limits = self.mount, self.limits
        altitude = altitude_above_bottom(environment, point_position(truth.p_NB, truth.q_NB, mount.p_BS))
        velocity = velocity_over_ground(truth.twist, mount.p_BS, mount.R_BS)
        status = Status.NO_LOCK
        if _is_in_reach(limits, altitude) and has_lock(
            self.beams, truth.q_NB, mount.R_BS, altitude, limits.max_altitude
        ):
            status = _status(limits, _tilt_cosine(truth, mount), velocity)
        seen = _stretched(velocity, self.assumed_sound_speed, environment)
        height = timed_distance(altitude, self.assumed_sound_speed, environment)
        return status, (seen[0], seen[1], seen[2], height)

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """The limit that is exceeded, or that too few beams meet the bottom."""
        altitude = altitude_above_bottom(environment, point_position(truth.p_NB, truth.q_NB, self.mount.p_BS))
        velocity = velocity_over_ground(truth.twist, self.mount.p_BS, self.mount.R_BS)
        return self.limits.cause_of_loss(altitude, _tilt_cosine(truth, self.mount), velocity) or TOO_FEW_BEAMS


@final
@dataclass(frozen=True)
class WaterTrack(CompiledMeasurement):
    """Water track: velocity relative to a layer along z_S; no lock where the bottom is nearer, or out of the water."""

    mount: Mount
    layer: float = 0.0  # m; zero: at the vehicle
    limits: DopplerLimits = DopplerLimits()
    assumed_sound_speed: float | None = None

    channels: ClassVar = VELOCITY

    @property
    def needs_current(self) -> bool:
        """Of a layer away from the vehicle."""
        return self.layer > 0.0

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Velocity relative to the layer."""
        mount, water = self.mount, truth.water_velocity_N
        place = cell_position(truth.p_NB, truth.q_NB, mount.p_BS, mount.R_BS, self.layer)
        status = Status.NO_LOCK if place[2] <= environment.surface_depth else Status.OK
        if self.layer > 0.0 and status == Status.OK:
            if altitude_above_bottom(environment, place) < 0.0:
                status = Status.NO_LOCK
            water = water_velocity_at(environment, place)
        velocity = velocity_through_water(truth.q_NB, truth.twist, water, mount.p_BS, mount.R_BS)
        if status == Status.OK and length3(velocity) > self.limits.max_speed:
            status = Status.OUT_OF_RANGE
        return status, _stretched(velocity, self.assumed_sound_speed, environment)


@final
@dataclass(frozen=True)
class BeamTrack(CompiledMeasurement):
    """Bottom track by beam: four velocities and ranges, NaN for a beam without echo.

    Each beam is a ray of its own, so a step, a wall or a hole costs the beams that meet it and not the others.
    """

    mount: Mount
    beams: Janus
    limits: DopplerLimits = DopplerLimits()
    assumed_sound_speed: float | None = None
    fewest: int = FEWEST_BEAMS  # with an echo, else there is no lock

    is_long: ClassVar[bool] = True

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Four velocities along the beams, four ranges."""
        speeds = tuple(SensorChannel(f"beam_velocity_{i}", "m/s", "S") for i in range(1, 5))
        return speeds + tuple(SensorChannel(f"beam_range_{i}", "m", "S") for i in range(1, 5))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Beams with an echo within the altitude limits, measured along z_S."""
        velocity = velocity_over_ground(truth.twist, self.mount.p_BS, self.mount.R_BS)
        directions = beam_directions(self.beams.angle, self.beams.turn)
        along = beam_velocities(velocity, directions)
        first, ahead = _echo(self, directions[0], along[0], truth, environment)
        second, right = _echo(self, directions[1], along[1], truth, environment)
        third, behind = _echo(self, directions[2], along[2], truth, environment)
        fourth, left = _echo(self, directions[3], along[3], truth, environment)
        missing, status = 0, Status.NO_LOCK
        for distance in (ahead, right, behind, left):
            if math.isnan(distance):
                missing += 1
        if 4 - missing >= self.fewest:
            status = _status(self.limits, _tilt_cosine(truth, self.mount), velocity)
        if status == Status.OK and missing > 0:
            status = Status.PARTIAL
        ratio = _stretch(self.assumed_sound_speed, environment)
        speeds = (ratio * first, ratio * second, ratio * third, ratio * fourth)
        return status, (*speeds, ratio * ahead, ratio * right, ratio * behind, ratio * left)

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """As of `BottomTrack`."""
        whole = BottomTrack(self.mount, self.limits, self.assumed_sound_speed, self.beams)
        return whole.cause_of_loss(truth, environment)


def _echo(
    track: BeamTrack, direction_S: Vector3, speed: float, truth: Truth, environment: Environment
) -> tuple[float, float]:
    """Speed along a beam and its range; NaN without an echo within the altitude limits."""
    place = point_position(truth.p_NB, truth.q_NB, track.mount.p_BS)
    R_NS = sensor_axes(truth.q_NB, track.mount.R_BS)
    found = surface_distance(environment, place, matvec3(R_NS, direction_S))
    if _is_in_reach(track.limits, found * math.cos(track.beams.angle)):
        return (speed, found)
    return (math.nan, math.nan)


@final
@dataclass(frozen=True)
class SolveBeams(Effect):
    """Velocity, altitude and error velocity from four beams, one of which may be missing."""

    mount: Mount
    beams: Janus

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Velocity in S, altitude, and the disagreement of the beams, zero where three were left."""
        speeds = _completed((values[0], values[1], values[2], values[3]))
        inverse = _completed((1.0 / values[4], 1.0 / values[5], 1.0 / values[6], 1.0 / values[7]))
        ranges = (1.0 / inverse[0], 1.0 / inverse[1], 1.0 / inverse[2], 1.0 / inverse[3])
        angle, turn = self.beams.angle, self.beams.turn
        velocity = velocity_from_beams(speeds, angle, turn)
        altitude = altitude_from_ranges(truth.q_NB, self.mount.R_BS, ranges, angle, turn)
        return state, (*velocity, altitude, beam_disagreement(speeds, angle))


SOLVED_CHANNELS = (*VELOCITY, ALTITUDE, SensorChannel("disagreement", "m/s", "S"))


def _completed(beams: Beams) -> Beams:
    """Four beams, a missing one from the other three; all NaN where more are missing."""
    missing = [i for i in range(4) if math.isnan(beams[i])]
    if not missing:
        return beams
    filled = [missing_beam(beams, i) if i == missing[0] else beams[i] for i in range(4)]
    return (filled[0], filled[1], filled[2], filled[3])


def dvl(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Velocity over ground, or through the water with `track: water`; `by_beam` models each beam with its errors."""
    track = sheet.word("track", ("bottom", "water"), "bottom")
    limits, assumed = _limits(sheet), assumed_sound_speed(sheet)
    layer, by_beam = sheet.number("water_layer", 0.0, 0.0), sheet.flag("by_beam")
    janus = _janus(sheet)
    if sheet.whole("beams", 4) != 4:
        sheet.refuse("beams", "only logs of four beams are modelled.")
    sheet.note("frequency", "rate_range")
    floor = sheet.number("bottom_track_accuracy", 0.0, 0.0)
    share = sheet.number("bottom_track_accuracy_of_speed", 0.0, 0.0)
    if track == "water":
        return SensorComponents(WaterTrack(mounting.mount, layer, limits, assumed), (VECTOR,))
    if by_beam and (floor > 0.0 or share > 0.0):
        sheet.refuse("bottom_track_accuracy", "is of the whole velocity; by beam give a beam_std instead.")
    if by_beam:
        groups, solve = (ChannelGroup("beam_", 4), ChannelGroup("range_", 4)), SolveBeams(mounting.mount, janus)
        return SensorComponents(
            BeamTrack(mounting.mount, janus, limits, assumed), groups, (), (solve,), SOLVED_CHANNELS
        )
    specific: tuple[Effect, ...] = ()
    if floor > 0.0 or share > 0.0:
        specific = (ProportionalNoise(stream.of("accuracy of speed"), (share,) * 3 + (0.0,), (floor,) * 3 + (0.0,)),)
    return SensorComponents(
        BottomTrack(mounting.mount, limits, assumed, janus), (VECTOR, ChannelGroup("altitude_", 1)), specific
    )


def dvl_beams(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Speeds along the beams of a log and their ranges, as long as one beam meets the bottom."""
    limits, assumed = _limits(sheet), assumed_sound_speed(sheet)
    sheet.note("frequency", "rate_range")
    groups = (ChannelGroup("beam_", 4), ChannelGroup("range_", 4))
    return SensorComponents(BeamTrack(mounting.mount, _janus(sheet), limits, assumed, 1), groups)


def _janus(sheet: DataSheet) -> Janus:
    return Janus(sheet.number("beam_angle", JANUS.angle, 0.01, 1.5), sheet.number("beam_turn", JANUS.turn))


def current_meter(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Velocity through the water at the vehicle."""
    limits = DopplerLimits(max_speed=sheet.number("max_speed", math.inf, 0.0))
    return SensorComponents(WaterTrack(mounting.mount, 0.0, limits), (VECTOR,))


def _limits(sheet: DataSheet) -> DopplerLimits:
    """Operating limits of a Doppler log."""
    least, most = sheet.numbers("altitude_range", 2, 0.0) or (0.0, math.inf)
    most = sheet.number("bottom_track_max_range", most, 0.0)
    least, most = sheet.number("min_altitude", least, 0.0), sheet.number("max_altitude", most, 0.0)
    if not least < most:
        field = next(name for name in ("max_altitude", "min_altitude", "altitude_range") if sheet.has(name))
        sheet.refuse(field, f"leaves no altitude with bottom lock: from {least:g} m up to {most:g} m.")
    return DopplerLimits(
        least, most, sheet.number("max_tilt", math.pi, 0.0, math.pi), sheet.number("max_speed", math.inf, 0.0)
    )


def _tracks_bottom(entry: SensorEntry) -> bool:
    return bool(entry.parameters.get("track", "bottom") == "bottom")


DVL = SensorKind(
    "dvl",
    dvl,
    errors={
        "": VELOCITY_ERROR,
        "altitude_": ECHO_ERROR,
        "beam_": VELOCITY_ERROR,
        "range_": ECHO_ERROR,
        "bottom_track_": VELOCITY_ERROR,
    },
    quantities={"velocity": MeasuredQuantity(selected(0, 1, 2), over_ground=_tracks_bottom, needs_bottom=True)},
    max_rate=100.0,
)
DVL_BEAMS = SensorKind(
    "dvl_beams", dvl_beams, errors={"beam_": VELOCITY_ERROR, "range_": ECHO_ERROR}, quantities={}, max_rate=DVL.max_rate
)
CURRENT_METER = SensorKind(
    "current_meter",
    current_meter,
    errors={"": VELOCITY_ERROR},
    quantities={"velocity": MeasuredQuantity(selected(0, 1, 2))},
    max_rate=250.0,
)
