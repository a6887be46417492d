"""Acoustic positioning: short, long and ultra-short baseline (SBL, LBL, USBL)."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from remora.equations.algebra.quaternions import from_axis_angle, to_euler_zyx
from remora.equations.algebra.vectors import IDENTITY3, ZERO3, subtract3
from remora.equations.instruments import (
    bearing_and_elevation,
    length3,
    point_in_sensor,
    point_position,
    range_and_cosines,
)
from remora.equations.instruments.bearing import is_shadowed
from remora.equations.types import Quaternion, Vector3
from remora.messages.measured_quantities import MeasuredQuantity, station_position
from remora.messages.reading import SensorChannel, Status, Values
from remora.messages.truth import Mount, Truth, make_mount
from remora.sensors.compiled_measurement import CompiledMeasurement, PointsMeasurement
from remora.sensors.data_sheet import DataSheet, Mounting, assumed_sound_speed
from remora.sensors.environment import Environment, Target, place_of
from remora.sensors.error_ranges import ATTITUDE_ERROR, FIX_ERROR
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.rays import timed_distance
from remora.sensors.sensor import Altered, Effect, State


@final
@dataclass(frozen=True)
class Shadow:
    """Sector shadowed by the hull, in bearings from the heading of the body, rad.

    It hides nothing while the transducer is below the other end. Proctor 2014, ch. 4: from -112.5 degrees to 0.
    """

    start: float = math.radians(-112.5)
    end: float = 0.0


def _is_hidden(shadow: Shadow | None, p_NS: Vector3, q_NB: Quaternion, p_NP: Vector3) -> bool:
    """Whether a point is shadowed."""
    if shadow is None:
        return False
    return is_shadowed(p_NS, to_euler_zyx(q_NB)[2], p_NP, shadow.start, shadow.end)


@final
@dataclass(frozen=True)
class Ranges(PointsMeasurement):
    """Ranges from a transducer to stations (short or long baseline); NaN for a station without reply."""

    mount: Mount
    points: tuple[Target, ...]  # the stations
    max_range: float = math.inf  # m
    shadow: Shadow | None = None
    assumed_sound_speed: float | None = None  # m/s; None: the right one

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """One range per station."""
        return tuple(SensorChannel(f"range_{i}", "m") for i in range(1, len(self.points) + 1))

    def read_point(self, point: Target, truth: Truth, environment: Environment) -> Values:
        """The range of a station with a reply; none out of the water."""
        p_NS = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        p_NP = place_of(point, environment)
        if p_NP is None or p_NS[2] <= environment.surface_depth:
            return (math.nan,)
        distance = length3(subtract3(p_NS, p_NP))
        if not distance <= self.max_range or _is_hidden(self.shadow, p_NS, truth.q_NB, p_NP):
            return (math.nan,)
        return (timed_distance(distance, self.assumed_sound_speed, environment),)


@final
@dataclass(frozen=True)
class Usbl(CompiledMeasurement):
    """Range and direction cosines from an ultra-short baseline array.

    Without a station the array is on the vehicle and tells where the target is, in the sensor's axes. With a station
    (position in N and orientation, of a ship or a pier) the array is there and tells where the transponder of the
    vehicle is, in the axes of the station.
    """

    mount: Mount
    target: Target | None = None
    station: Mount | None = None  # p_NS, q_NS and R_NS of a fixed array
    max_range: float = math.inf  # m
    assumed_sound_speed: float | None = None

    channels: ClassVar = (SensorChannel("range", "m"), *(SensorChannel(f"cosine_{axis}", "1", "S") for axis in "xyz"))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Range and direction of the other end, if it exists, is in range and under water."""
        p_NS = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        is_known, p_SP = _seen(self.mount, self.target, self.station, truth, environment)
        status, distance, x, y, z = Status.NO_LOCK, math.nan, math.nan, math.nan, math.nan
        if is_known and not p_NS[2] <= environment.surface_depth:
            distance, x, y, z = range_and_cosines(p_SP)
            status = Status.OUT_OF_RANGE if distance > self.max_range else Status.OK
        return status, (timed_distance(distance, self.assumed_sound_speed, environment), x, y, z)


@final
@dataclass(frozen=True)
class BearingFromCosines(Effect):
    """Bearing and elevation from direction cosines, in place of the last three values.

    Phases have errors, not angles: straight above its array, where every bearing is the same point, a fix is as
    uncertain as beside it.
    """

    channels: ClassVar = (
        SensorChannel("range", "m"),
        SensorChannel("bearing", "rad", "S"),
        SensorChannel("elevation", "rad", "S"),
    )

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Range, bearing and elevation."""
        return state, (values[0], *bearing_and_elevation((values[1], values[2], values[3])))


def _seen(
    transponder: Mount, target: Target | None, station: Mount | None, truth: Truth, environment: Environment
) -> tuple[bool, Vector3]:
    """Whether the other end is known, and where it is in the axes of the array."""
    p_BS = transponder.p_BS
    if station is not None:
        p_NS = point_position(truth.p_NB, truth.q_NB, p_BS)
        return True, point_in_sensor(station.p_BS, station.q_BS, ZERO3, IDENTITY3, p_NS)
    if target is None:
        return False, ZERO3
    p_NP = place_of(target, environment)
    if p_NP is None:
        return False, ZERO3
    return True, point_in_sensor(truth.p_NB, truth.q_NB, p_BS, transponder.R_BS, p_NP)


def sbl(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Ranges to stations; `shadow` is the sector hidden by the hull, two bearings from the bow."""
    sector = sheet.numbers("shadow", 2)
    shadow = Shadow(*sector) if sector else None
    stations = sheet.points("stations", named=True)
    if stations is None:
        sheet.refuse("stations", "is missing: give points in N, or names of points.")
        stations = (ZERO3,)
    assumed = assumed_sound_speed(sheet)
    reach = sheet.number("max_range", math.inf, 0.0)
    return SensorComponents(
        Ranges(mounting.mount, stations, reach, shadow, assumed), (ChannelGroup("", len(stations)),)
    )


def usbl(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Range and direction of a `target`, or of the vehicle from a `station` (a point; `station_heading` turns it)."""
    targets, stations = sheet.points("target", named=True), sheet.points("station")
    turn = from_axis_angle((0.0, 0.0, 1.0), sheet.number("station_heading", 0.0))
    if (targets is None) == (stations is None):
        sheet.refuse("target", "give either a target (array on the vehicle) or a station (array elsewhere).")
    measurement = Usbl(
        mounting.mount,
        targets[0] if targets else None,
        make_mount(stations[0], turn) if stations else None,
        sheet.number("max_range", math.inf, 0.0),
        assumed_sound_speed(sheet),
    )
    groups = (ChannelGroup("range_", 1), ChannelGroup("angle_", 3))
    return SensorComponents(measurement, groups, (), (BearingFromCosines(),), BearingFromCosines.channels)


SBL = SensorKind("sbl", sbl, errors={"": FIX_ERROR}, quantities={}, max_rate=50.0)
LBL = SensorKind("lbl", sbl, errors={"": FIX_ERROR}, quantities={}, max_rate=20.0)
USBL = SensorKind(
    "usbl",
    usbl,
    errors={"range_": FIX_ERROR, "angle_": ATTITUDE_ERROR},
    quantities={"position": MeasuredQuantity(station_position, prefix="range_")},
    max_rate=50.0,
)
