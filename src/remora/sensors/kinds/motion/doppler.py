"""Doppler velocity logs (DVL), as a velocity vector or beam by beam, and current meters."""

import math
from dataclasses import dataclass
from typing import final

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import ZERO3, Matrix3, Vector3, dot3, matvec3, scale3, transpose3
from remora.equations.instruments import (
    BeamDirections,
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
from remora.messages.measured_quantities import MeasuredQuantity, selected
from remora.messages.reading import SensorChannel, Status, Values, axes3
from remora.messages.truth import Mount, Truth
from remora.sensors.data_sheet import DataSheet, assumed_sound_speed
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import ECHO_ERROR, VELOCITY_ERROR
from remora.sensors.errors.error_model import VECTOR, ChannelGroup
from remora.sensors.errors.noise import ProportionalNoise
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.mounting import Mounting
from remora.sensors.sensor import Effect, Measurement, State
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

    def reach(self, altitude: float | None) -> bool:
        """Whether the altitude is within the limits."""
        return altitude is not None and self.min_altitude <= altitude <= self.max_altitude

    def status(self, tilt_cosine: float, velocity: Vector3) -> Status:
        """Status by tilt and speed."""
        if tilt_cosine < math.cos(self.max_tilt):
            return Status.NO_LOCK
        return Status.OUT_OF_RANGE if length3(velocity) > self.max_speed else Status.OK

    def cause_of_loss(self, altitude: float | None, tilt_cosine: float, velocity: Vector3) -> str:
        """Which of the limits is exceeded; empty where none is."""
        if altitude is None:
            return "there is no bottom below it"
        if altitude > self.max_altitude:
            return f"out of range: the bottom is more than {self.max_altitude:g} m away"
        if altitude < self.min_altitude:
            return f"out of range: the bottom is less than {self.min_altitude:g} m away"
        if tilt_cosine < 0.0:
            return "it is upside down"
        if self.status(tilt_cosine, ZERO3) is Status.NO_LOCK:
            return f"it is tilted by more than {math.degrees(self.max_tilt):.3g} deg"
        return f"it is faster than {self.max_speed:g} m/s" if length3(velocity) > self.max_speed else ""


def _tilt_cosine(truth: Truth, mount: Mount) -> float:
    """Cosine of the angle between z_S and straight down."""
    R_BS = mount.R_BS
    return dot3(down_in_body(truth.q_NB), (R_BS[0][2], R_BS[1][2], R_BS[2][2]))


def _stretched(velocity: Vector3, assumed: float | None, environment: Environment) -> Vector3:
    """Velocity measured with an assumed sound speed."""
    if assumed is None:
        return velocity
    return scale3(range_from_travel(1.0, environment.sound_speed, assumed), velocity)


@final
@dataclass(frozen=True)
class Janus:
    """Janus configuration: four beams inclined outwards from z_S."""

    angle: float  # rad
    turn: float  # rad, azimuth of the first beam from x_S towards y_S

    @property
    def directions(self) -> BeamDirections:
        """Unit vectors in S."""
        return beam_directions(self.angle, self.turn)


JANUS = Janus(math.radians(30.0), 0.0)
FEWEST_BEAMS = 3  # that determine a velocity
TOO_FEW_BEAMS = f"fewer than {FEWEST_BEAMS} beams meet the bottom"


def has_lock(beams: Janus, q_NB: Quaternion, R_BS: Matrix3, altitude: float, max_altitude: float) -> bool:
    """Whether enough beams meet a level bottom within the maximum altitude along z_S."""
    down_S = matvec3(transpose3(R_BS), down_in_body(q_NB))
    drops = beam_velocities(down_S, beams.directions)  # metres down per metre along each beam
    nearness = altitude * math.cos(beams.angle)
    return sum(drop > 0.0 and nearness <= max_altitude * drop for drop in drops) >= FEWEST_BEAMS


@final
@dataclass(frozen=True)
class BottomTrack(Measurement):
    """Bottom track: velocity over ground and altitude.

    No lock outside its limits, or where fewer than three beams meet the bottom: a log that is upside down has none.
    The bottom is taken to be level around the place below the sensor; `BeamTrack` follows each beam.
    """

    mount: Mount
    limits: DopplerLimits = DopplerLimits()
    assumed_sound_speed: float | None = None  # m/s; None: the right one
    beams: Janus = JANUS

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Velocity in the sensor's axes, and altitude."""
        return (*VELOCITY, ALTITUDE)

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Velocity and altitude with bottom lock."""
        altitude = environment.altitude(point_position(truth.p_NB, truth.q_NB, self.mount.p_BS))
        velocity = velocity_over_ground(truth.twist, self.mount.p_BS, self.mount.R_BS)
        if altitude is None or not self.limits.reach(altitude):
            return Status.NO_LOCK, ()
        if not has_lock(self.beams, truth.q_NB, self.mount.R_BS, altitude, self.limits.max_altitude):
            return Status.NO_LOCK, ()
        status = self.limits.status(_tilt_cosine(truth, self.mount), velocity)
        seen = _stretched(velocity, self.assumed_sound_speed, environment)
        height = altitude
        if self.assumed_sound_speed is not None:
            height = range_from_travel(altitude, environment.sound_speed, self.assumed_sound_speed)
        return status, (*seen, height)

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """The limit that is exceeded, or that too few beams meet the bottom."""
        altitude = environment.altitude(point_position(truth.p_NB, truth.q_NB, self.mount.p_BS))
        velocity = velocity_over_ground(truth.twist, self.mount.p_BS, self.mount.R_BS)
        return self.limits.cause_of_loss(altitude, _tilt_cosine(truth, self.mount), velocity) or TOO_FEW_BEAMS


@final
@dataclass(frozen=True)
class WaterTrack(Measurement):
    """Water track: velocity relative to a layer along z_S; no lock where the bottom is nearer, or out of the water."""

    mount: Mount
    layer: float = 0.0  # m; zero: at the vehicle
    limits: DopplerLimits = DopplerLimits()
    assumed_sound_speed: float | None = None

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Velocity in the sensor's axes."""
        return VELOCITY

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Velocity relative to the layer."""
        mount, water = self.mount, truth.water_velocity_N
        place = cell_position(truth.p_NB, truth.q_NB, mount.p_BS, mount.R_BS, self.layer)
        if place[2] <= environment.surface_depth:
            return Status.NO_LOCK, ()
        if self.layer > 0.0:
            altitude = environment.altitude(place)
            if altitude is not None and altitude < 0.0:
                return Status.NO_LOCK, ()
            water = environment.water_velocity(place)
        velocity = velocity_through_water(truth.q_NB, truth.twist, water, mount.p_BS, mount.R_BS)
        if length3(velocity) > self.limits.max_speed:
            return Status.OUT_OF_RANGE, ()
        return Status.OK, _stretched(velocity, self.assumed_sound_speed, environment)


@final
@dataclass(frozen=True)
class BeamTrack(Measurement):
    """Bottom track by beam: four velocities and ranges, NaN for a beam without echo.

    Each beam is a ray of its own, so a step, a wall or a hole costs the beams that meet it and not the others.
    """

    mount: Mount
    beams: Janus
    limits: DopplerLimits = DopplerLimits()
    assumed_sound_speed: float | None = None

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Four velocities along the beams, four ranges."""
        speeds = tuple(SensorChannel(f"beam_velocity_{i}", "m/s", "S") for i in range(1, 5))
        return speeds + tuple(SensorChannel(f"beam_range_{i}", "m", "S") for i in range(1, 5))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Beams with an echo within the altitude limits, measured along z_S."""
        velocity = velocity_over_ground(truth.twist, self.mount.p_BS, self.mount.R_BS)
        directions, axial = self.beams.directions, math.cos(self.beams.angle)
        speeds, ranges = list(beam_velocities(velocity, directions)), [math.nan] * 4
        place = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        R_NS = sensor_axes(truth.q_NB, self.mount.R_BS)
        for i, direction in enumerate(directions):
            found = environment.distance(place, matvec3(R_NS, direction))
            if found is not None and self.limits.reach(found * axial):
                ranges[i] = found
            else:
                speeds[i] = math.nan
        missing = sum(map(math.isnan, ranges))
        status = (
            Status.NO_LOCK
            if 4 - missing < FEWEST_BEAMS
            else self.limits.status(_tilt_cosine(truth, self.mount), velocity)
        )
        if status is Status.OK and missing:
            status = Status.PARTIAL
        if self.assumed_sound_speed is None:
            return status, (*speeds, *ranges)
        ratio = range_from_travel(1.0, environment.sound_speed, self.assumed_sound_speed)
        return status, tuple([ratio * value for value in (*speeds, *ranges)])

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """As of `BottomTrack`."""
        whole = BottomTrack(self.mount, self.limits, self.assumed_sound_speed, self.beams)
        return whole.cause_of_loss(truth, environment)


@final
@dataclass(frozen=True)
class SolveBeams(Effect):
    """Velocity, altitude and error velocity from four beams, one of which may be missing."""

    mount: Mount
    beams: Janus

    def initial(self) -> State:
        """No state."""
        return ()

    def apply(
        self, state: State, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[State, Values]:
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
    janus = Janus(sheet.number("beam_angle", JANUS.angle, 0.01, 1.5), sheet.number("beam_turn", JANUS.turn))
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


def current_meter(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Velocity through the water at the vehicle."""
    limits = DopplerLimits(max_speed=sheet.number("max_speed", math.inf, 0.0))
    return SensorComponents(WaterTrack(mounting.mount, 0.0, limits), (VECTOR,))


def _limits(sheet: DataSheet) -> DopplerLimits:
    """Operating limits of a Doppler log."""
    least, most = sheet.numbers("altitude_range", 2, 0.0) or (0.0, math.inf)
    most = sheet.number("bottom_track_max_range", most, 0.0)
    return DopplerLimits(
        sheet.number("min_altitude", least, 0.0),
        sheet.number("max_altitude", most, 0.0),
        sheet.number("max_tilt", math.pi, 0.0, math.pi),
        sheet.number("max_speed", math.inf, 0.0),
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
)
CURRENT_METER = SensorKind(
    "current_meter",
    current_meter,
    errors={"": VELOCITY_ERROR},
    quantities={"velocity": MeasuredQuantity(selected(0, 1, 2))},
)
