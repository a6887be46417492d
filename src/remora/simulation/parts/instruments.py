"""Navigation without a filter: an estimate put together from the latest readings of named sensors."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, final

from remora.equations.earth import Geodetic, geodetic_to_ned
from remora.equations.instruments import depth_from_pressure, point_from_bearing, uniform_water_pressure
from remora.equations.kinematics import position_rate, to_body
from remora.equations.quaternions import (
    Quaternion,
    conjugate,
    from_axis_angle,
    from_euler_zyx,
    product,
    rotation_matrix,
)
from remora.equations.vectors import ZERO3, Twist, Vector3, add3, cross, matvec3, subtract3
from remora.navigation.estimate import Estimate
from remora.sensors.reading import Status, Values
from remora.simulation.parts.part import Duration, Onboard, PartError, PartKind, PartOptions, QuietPart
from remora.simulation.roles import Now, Role
from remora.simulation.setup import Setting
from remora.vehicles.problems import suggestion
from remora.vehicles.section import Section
from remora.vehicles.vehicle import Sensor as SensorEntry

UNKNOWN: Vector3 = (math.nan, math.nan, math.nan)
_NO_ATTITUDE: Quaternion = (math.nan, math.nan, math.nan, math.nan)
LARGEST_AGE = 1.0  # s, unless the scenario says otherwise

# From the values of a reading to three numbers: angles, rates, a velocity, a depth or a position of the sensor.
Look: TypeAlias = Callable[[Values], Vector3]


class AgeSection(Section):
    """How old a reading may be and still count."""

    attitude: Duration | None = None
    rates: Duration | None = None
    velocity: Duration | None = None
    depth: Duration | None = None
    position: Duration | None = None


class InstrumentOptions(PartOptions):
    """Which sensor tells what; what no sensor tells is unknown."""

    attitude: str | None = None
    rates: str | None = None
    velocity: str | None = None
    depth: str | None = None
    position: str | None = None
    largest_age: AgeSection | None = None


class Source(NamedTuple):
    """One quantity and the sensor that tells it."""

    slot: int  # of the sensor in the state
    look: Look
    p_BS: Vector3
    q_BS: Quaternion
    largest_age_ns: int
    in_N: bool  # of a velocity: whether it is told in N, not in the axes of the sensor


@final
@dataclass(frozen=True)
class Instruments(QuietPart):
    """The last good value of each sensor, held until it is too old; what is not known is NaN.

    Readings are taken to the origin of the body: by attitude and place of the sensor, and velocities by the rates.
    """

    sensors: tuple[str, ...]  # scoped names
    attitude: Source | None
    rates: Source | None
    velocity: Source | None
    depth: Source | None
    position: Source | None

    def initial(self) -> tuple[Any, ...]:
        """Nothing heard yet: for each sensor the stamp and the values of its last good reading."""
        return (None,) * len(self.sensors)

    def step(self, state: tuple[Any, ...], now: Now) -> tuple[tuple[Any, ...], Estimate | None]:
        """The estimate, or none while no sensor has told anything that is still good."""
        state = self._heard(state, now)
        angles = _seen(self.attitude, state, now)
        q_NB = _NO_ATTITUDE
        if self.attitude is not None and angles is not None:
            q_NB = product(from_euler_zyx(*angles), conjugate(self.attitude.q_BS))
        w = _turned(self.rates, _seen(self.rates, state, now))
        v = self._velocity(state, now, q_NB, w)
        p = self._position(state, now, q_NB)
        if all(math.isnan(number) for number in (*p, *q_NB, *v, *w)):
            return state, None
        twist: Twist = (*v, *w)
        return state, Estimate(now.time_ns, p, q_NB, twist)

    def _heard(self, state: tuple[Any, ...], now: Now) -> tuple[Any, ...]:
        """The state with the good readings that have arrived; late ones do not replace newer ones."""
        if not now.fresh:
            return state
        latest = list(state)
        for reading in now.fresh:
            if reading.status != Status.OK or reading.sensor not in self.sensors:
                continue
            slot = self.sensors.index(reading.sensor)
            if latest[slot] is None or reading.stamp_ns >= latest[slot][0]:
                latest[slot] = (reading.stamp_ns, reading.values)
        return tuple(latest)

    def _velocity(self, state: tuple[Any, ...], now: Now, q_NB: Quaternion, w: Vector3) -> Vector3:
        """Velocity of B in body axes."""
        source, told = self.velocity, _seen(self.velocity, state, now)
        if source is None or told is None:
            return UNKNOWN
        v = to_body(q_NB, told) if source.in_N else matvec3(rotation_matrix(source.q_BS), told)
        return v if source.p_BS == ZERO3 else subtract3(v, cross(w, source.p_BS))

    def _position(self, state: tuple[Any, ...], now: Now, q_NB: Quaternion) -> Vector3:
        """Position of B; the depth of its own sensor wins."""
        north, east, down = _at_B(self.position, _seen(self.position, state, now), q_NB)
        if self.depth is not None:
            down = _at_B(self.depth, _seen(self.depth, state, now), q_NB)[2]
        return (north, east, down)


def _seen(source: Source | None, state: tuple[Any, ...], now: Now) -> Vector3 | None:
    """What a source tells, unless it has told nothing or that is too old."""
    if source is None or state[source.slot] is None:
        return None
    stamp_ns, values = state[source.slot]
    return source.look(values) if now.time_ns - stamp_ns <= source.largest_age_ns else None


def _turned(source: Source | None, told: Vector3 | None) -> Vector3:
    """A vector of the sensor's axes in those of the body."""
    return UNKNOWN if source is None or told is None else matvec3(rotation_matrix(source.q_BS), told)


def _at_B(source: Source | None, told: Vector3 | None, q_NB: Quaternion) -> Vector3:
    """Position of B from that of a sensor."""
    if source is None or told is None:
        return UNKNOWN
    return told if source.p_BS == ZERO3 else subtract3(told, position_rate(q_NB, source.p_BS))


@final
@dataclass(frozen=True)
class Three:
    """Three of the values; -1 for one that the sensor does not tell."""

    first: int
    second: int
    third: int

    def __call__(self, values: Values) -> Vector3:
        """The three numbers."""
        x, y, z = (values[i] if i >= 0 else math.nan for i in (self.first, self.second, self.third))
        return (x, y, z)


@final
@dataclass(frozen=True)
class SatellitePosition:
    """Position from latitude, longitude and height."""

    origin: Geodetic

    def __call__(self, values: Values) -> Vector3:
        """Position of the antenna in N."""
        return geodetic_to_ned(Geodetic(values[0], values[1], values[2]), self.origin)


@final
@dataclass(frozen=True)
class Depth:
    """Depth from pressure, as a position of which only the last number is known."""

    surface: float  # m, z of the surface in N
    latitude: float
    pressure_per_metre: float | None  # Pa/m of water of one density; None: sea water

    def __call__(self, values: Values) -> Vector3:
        """Depth of the sensor in N."""
        per_metre, pressure = self.pressure_per_metre, values[0]
        depth = depth_from_pressure(pressure, self.latitude) if per_metre is None else pressure / per_metre
        return (math.nan, math.nan, self.surface + depth)


@final
@dataclass(frozen=True)
class StationPosition:
    """Position from range, bearing and elevation seen by an array at a station."""

    p_NA: Vector3
    q_NA: Quaternion

    def __call__(self, values: Values) -> Vector3:
        """Position of the transponder in N."""
        return add3(self.p_NA, position_rate(self.q_NA, point_from_bearing((values[0], values[1], values[2]))))


def _depth(entry: SensorEntry, setting: Setting) -> Depth:
    is_uniform = entry.figures.get("water", "sea") == "uniform"
    per_metre = uniform_water_pressure(1.0, setting.density, setting.gravity)
    return Depth(setting.surface_depth, setting.origin.latitude, per_metre if is_uniform else None)


def _station(entry: SensorEntry) -> StationPosition:
    station = entry.figures.get("station")
    if station is None:
        raise ValueError("its array is on the vehicle; a position needs one at a station.")
    x, y, z = station[0] if isinstance(station[0], (list, tuple)) else station
    heading = entry.figures.get("station_heading", 0.0)
    return StationPosition((x, y, z), from_axis_angle((0.0, 0.0, 1.0), heading))


def _look(quantity: str, entry: SensorEntry, setting: Setting) -> Look:
    """How a kind of sensor tells a quantity; ValueError where it does not."""
    kind = entry.kind
    if kind == "compass" and entry.figures.get("raw"):
        raise ValueError("it gives raw angles of its own axes.")
    if kind == "mocap_marker" and entry.figures.get("markers") is not None:
        raise ValueError("it has several markers; name one that has only the one at its place.")
    plain = {
        ("attitude", "ahrs"): (0, 1, 2),
        ("attitude", "compass"): (0, 1, 2),
        ("attitude", "ins"): (5, 6, 7),
        ("rates", "imu"): (3, 4, 5),
        ("rates", "gyro"): (0, 1, 2),
        ("velocity", "dvl"): (0, 1, 2),
        ("velocity", "current_meter"): (0, 1, 2),
        ("velocity", "ins"): (2, 3, 4),
        ("velocity", "gps"): (3, 4, 5),
        ("position", "mocap_marker"): (0, 1, 2),
        ("position", "ins"): (0, 1, -1),
    }
    if (quantity, kind) in plain:
        return Three(*plain[quantity, kind])
    if (quantity, kind) == ("position", "gps"):
        return SatellitePosition(setting.origin)
    if (quantity, kind) == ("position", "usbl"):
        return _station(entry)
    if (quantity, kind) == ("depth", "pressure"):
        return _depth(entry, setting)
    kinds = sorted({known for what, known in plain if what == quantity} | _OTHER.get(quantity, set()))
    raise ValueError(f"a sensor of the kind {kind} does not tell the {quantity}. Name one of: {', '.join(kinds)}.")


_OTHER = {"position": {"gps", "usbl"}, "depth": {"pressure"}}
QUANTITIES = ("attitude", "rates", "velocity", "depth", "position")


def make_instruments(options: InstrumentOptions, onboard: Onboard) -> Instruments:
    """The estimate from the sensors that a scenario names."""
    named = [name for quantity in QUANTITIES if (name := getattr(options, quantity)) is not None]
    if not named:
        raise PartError(f"names no sensor. Give at least one of {', '.join(QUANTITIES)}.", "part")
    sensors = tuple(dict.fromkeys(named))
    sources = {quantity: _source(quantity, options, sensors, onboard) for quantity in QUANTITIES}
    return Instruments(tuple(f"{onboard.name}/{name}" for name in sensors), **sources)


def _source(quantity: str, options: InstrumentOptions, sensors: tuple[str, ...], onboard: Onboard) -> Source | None:
    name: str | None = getattr(options, quantity)
    if name is None:
        return None
    entry = onboard.sensors.get(name)
    if entry is None:
        hint = suggestion(name, onboard.sensors) if onboard.sensors else "Give it sensors."
        raise PartError(f"the vehicle carries no such sensor in this scenario. {hint}", quantity)
    try:
        look = _look(quantity, entry, onboard.setting)
    except ValueError as error:
        raise PartError(f'"{name}": {error}', quantity) from None
    age = getattr(options.largest_age, quantity) if options.largest_age else None
    return Source(
        sensors.index(name),
        look,
        entry.position or ZERO3,
        entry.q_BS or (1.0, 0.0, 0.0, 0.0),
        round(1e9 * (age.value if age else LARGEST_AGE)),
        entry.kind in ("ins", "gps"),
    )


INSTRUMENTS = PartKind("instruments", Role.NAVIGATION, InstrumentOptions, make_instruments)
