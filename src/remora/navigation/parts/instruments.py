"""Navigation without a filter: an estimate from the latest readings of named sensors, and dead reckoning."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, final

from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import conjugate, from_euler_zyx, product, rotation_matrix
from remora.equations.algebra.vectors import ZERO3, cross, matvec3, subtract3
from remora.equations.instruments import uniform_water_pressure
from remora.equations.types import Quaternion, Vector3
from remora.files.quantities import Is, Quantity, not_negative
from remora.files.section import Length3, Section
from remora.files.units import LENGTH
from remora.messages.estimate import POSITION, Estimate
from remora.messages.measured_quantities import Conversion, DepthFromPressure
from remora.messages.part import PartInput, Role
from remora.messages.part_options import Duration, PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.messages.reading import Status, Values
from remora.messages.site import Site
from remora.navigation.dead_reckoning import LAUNCH_SIGMA, DeadReckoningState
from remora.navigation.named_sensors import (
    DeadReckoningSetup,
    QuantitySensor,
    carried_sensor,
    dead_reckoning_setup,
    depth_sigma,
    is_over_ground,
    unknown_quantities,
)
from remora.vehicles.vehicle import SensorEntry

UNKNOWN: Vector3 = (math.nan, math.nan, math.nan)
_NO_ATTITUDE: Quaternion = (math.nan, math.nan, math.nan, math.nan)
MAX_AGE = 1.0  # s, default

QUANTITIES = ("attitude", "rates", "velocity", "depth", "position")


class AgeSection(Section):
    """Largest age at which a reading is still used."""

    attitude: Duration | None = None
    rates: Duration | None = None
    velocity: Duration | None = None
    depth: Duration | None = None
    position: Duration | None = None


class LaunchSection(Section):
    """Launch position as navigation knows it."""

    position: Length3 | None = None
    std: Annotated[Quantity[float], Is(LENGTH, rule=not_negative)] | None = None


class InstrumentOptions(PartOptions):
    """The sensor of each quantity; a quantity without a sensor is unknown."""

    attitude: str | None = None
    rates: str | None = None
    velocity: str | None = None
    depth: str | None = None
    position: str | None = None
    max_age: AgeSection | None = None
    launch: LaunchSection | None = None


class Source(NamedTuple):
    """The sensor of one quantity."""

    slot: int  # of the sensor in the state
    convert: Conversion
    p_BS: Vector3
    q_BS: Quaternion
    max_age_ns: int
    in_N: bool  # of a velocity: whether it is measured in N, not in the axes of the sensor
    latency: float  # s, with half of the period of the sensor


class InstrumentState(NamedTuple):
    """Stamp and values of the latest valid reading of each sensor, and the state of dead reckoning."""

    latest: tuple[Any, ...]
    reckoned: DeadReckoningState | None = None
    time_ns: int = 0


@final
@dataclass(frozen=True)
class Instruments(QuietPart):
    """Zero-order hold of the latest valid reading of each sensor until it is too old; unknown numbers are NaN.

    Readings are corrected for the lever arm to the body origin, by attitude and turn rates. With velocity over ground
    and attitude, the position is dead-reckoned from the launch position, and between fixes where there are any.
    """

    sensors: tuple[str, ...]  # scoped names
    attitude: Source | None
    rates: Source | None
    velocity: Source | None
    depth: Source | None
    position: Source | None
    reckoning: DeadReckoningSetup | None = None
    depth_sigma: float = math.nan  # m
    unknown: Mapping[str, str] = field(default_factory=dict)  # quantities that it never estimates, and why

    @property
    def gives_sigma(self) -> bool:
        """Whether its estimates have a standard deviation of the position."""
        return self.reckoning is not None

    @property
    def latency(self) -> float:
        """Mean age of the oldest part of an estimate, s: latency of a sensor and half of its period."""
        return max(self.motion_latency, self.turn_latency)

    @property
    def motion_latency(self) -> float:
        """Of velocity and depth, s."""
        return _oldest(self.velocity, self.depth)

    @property
    def turn_latency(self) -> float:
        """Of attitude and rates, s."""
        return _oldest(self.attitude, self.rates)

    def initial(self) -> InstrumentState:
        """No readings yet."""
        return InstrumentState((None,) * len(self.sensors))

    def step(self, state: InstrumentState, now: PartInput) -> tuple[InstrumentState, Estimate | None]:
        """The estimate; None while no sensor has a valid reading."""
        before, latest = state.latest, self._updated(state.latest, now)
        angles = _valid_value(self.attitude, latest, now)
        q_NB = _NO_ATTITUDE
        if self.attitude is not None and angles is not None:
            q_NB = product(from_euler_zyx(*angles), conjugate(self.attitude.q_BS))
        w = _in_body_axes(self.rates, _valid_value(self.rates, latest, now))
        v = self._velocity(latest, now, q_NB, w)
        reckoned = self._reckoned(state, before, latest, now, q_NB, v)
        p, sigma = self._position(latest, now, q_NB, reckoned)
        state = InstrumentState(latest, reckoned, now.time_ns)
        if all(math.isnan(number) for number in (*p, *q_NB, *v, *w)):
            return state, None
        return state, Estimate(now.time_ns, p, q_NB, (*v, *w), sigma)

    def unmeasured(self, state: InstrumentState) -> dict[str, str]:
        """Quantities without a sensor, and those whose latest reading is too old."""
        found = {}
        for quantity, source in zip(QUANTITIES, self._sources, strict=True):
            if source is None:
                found[quantity] = f"no sensor measures the {quantity}"
            elif (value := state.latest[source.slot]) is None or state.time_ns - value[0] > source.max_age_ns:
                found[quantity] = f"{self.sensors[source.slot].partition('/')[2]} gives no usable reading"
        if self.reckoning is not None and POSITION in found:
            found.pop(POSITION)
        return found

    @property
    def _sources(self) -> tuple[Source | None, ...]:
        return self.attitude, self.rates, self.velocity, self.depth, self.position

    def _updated(self, state: tuple[Any, ...], now: PartInput) -> tuple[Any, ...]:
        """The latest valid readings; a delayed one does not replace a newer one.

        A stamp in the future comes from a clock jump, and the reading is discarded.
        """
        if not now.new_readings:
            return state
        latest = list(state)
        for reading in now.new_readings:
            if reading.status != Status.OK or reading.sensor not in self.sensors or reading.stamp_ns > now.time_ns:
                continue
            slot = self.sensors.index(reading.sensor)
            if latest[slot] is None or reading.stamp_ns >= latest[slot][0]:
                latest[slot] = (reading.stamp_ns, reading.values)
        return tuple(latest)

    def _velocity(self, state: tuple[Any, ...], now: PartInput, q_NB: Quaternion, w: Vector3) -> Vector3:
        """Velocity of B in body axes."""
        source, value = self.velocity, _valid_value(self.velocity, state, now)
        if source is None or value is None:
            return UNKNOWN
        v = to_body(q_NB, value) if source.in_N else matvec3(rotation_matrix(source.q_BS), value)
        return v if source.p_BS == ZERO3 else subtract3(v, cross(w, source.p_BS))

    def _reckoned(
        self,
        state: InstrumentState,
        before: tuple[Any, ...],
        latest: tuple[Any, ...],
        now: PartInput,
        q_NB: Quaternion,
        v: Vector3,
    ) -> DeadReckoningState | None:
        """Dead reckoning with the velocity and the position fix that have just arrived, if any."""
        if self.reckoning is None:
            return None
        law, launch, launch_sigma, fix = self.reckoning
        reckoned = state.reckoned or law.initial(now.time_ns, launch, launch_sigma)
        if (value := _new_reading(self.velocity, before, latest)) is not None:
            reckoned = law.propagate(reckoned, value[0], position_rate(q_NB, v))
        if self.position is not None and (value := _new_reading(self.position, before, latest)) is not None:
            place = _body_position(self.position, self.position.convert(value[1]), q_NB)
            reckoned = law.correct(reckoned, value[0], place, fix.sigma(value[1]))
        return reckoned

    def _position(
        self, latest: tuple[Any, ...], now: PartInput, q_NB: Quaternion, reckoned: DeadReckoningState | None
    ) -> tuple[Vector3, Vector3]:
        """Position of B and its standard deviation, NaN where unknown; a depth sensor takes precedence."""
        sigma = UNKNOWN
        if self.reckoning is not None and reckoned is not None:
            (north, east, down), deviation = self.reckoning.law.position_at(reckoned, now.time_ns)
            sigma = (deviation, deviation, deviation)
        else:
            north, east, down = _body_position(self.position, _valid_value(self.position, latest, now), q_NB)
        if self.depth is not None:
            down = _body_position(self.depth, _valid_value(self.depth, latest, now), q_NB)[2]
            sigma = (sigma[0], sigma[1], self.depth_sigma)
        return (north, east, down), sigma


def _new_reading(source: Source | None, before: tuple[Any, ...], latest: tuple[Any, ...]) -> tuple[int, Values] | None:
    """Stamp and values of a reading that has just arrived, else None."""
    if source is None or latest[source.slot] is before[source.slot]:
        return None
    value: tuple[int, Values] = latest[source.slot]
    return value


def _valid_value(source: Source | None, state: tuple[Any, ...], now: PartInput) -> Vector3 | None:
    """The quantity of a source; None without a reading or when it is too old."""
    if source is None or state[source.slot] is None:
        return None
    stamp_ns, values = state[source.slot]
    return source.convert(values) if now.time_ns - stamp_ns <= source.max_age_ns else None


def _in_body_axes(source: Source | None, value: Vector3 | None) -> Vector3:
    """A vector in sensor axes, rotated into body axes."""
    return UNKNOWN if source is None or value is None else matvec3(rotation_matrix(source.q_BS), value)


def _oldest(*sources: Source | None) -> float:
    """Largest mean age of readings, s."""
    return max((source.latency for source in sources if source is not None), default=0.0)


def _body_position(source: Source | None, value: Vector3 | None, q_NB: Quaternion) -> Vector3:
    """Position of B from the position of a sensor, by its lever arm."""
    if source is None or value is None:
        return UNKNOWN
    return value if source.p_BS == ZERO3 else subtract3(value, position_rate(q_NB, source.p_BS))


def make_instruments(options: InstrumentOptions, onboard: VehicleContext) -> Instruments:
    """The estimate from the sensors named in the options."""
    named = [name for quantity in QUANTITIES if (name := getattr(options, quantity)) is not None]
    if not named:
        raise PartError(f"names no sensor. Give at least one of {', '.join(QUANTITIES)}.", "part")
    sensors = tuple(dict.fromkeys(named))
    chosen = {quantity: found for quantity in QUANTITIES if (found := _sensor(quantity, options, onboard)) is not None}
    sources: dict[str, Source | None] = {
        quantity: _source(quantity, chosen[quantity], options, sensors, onboard.site) if quantity in chosen else None
        for quantity in QUANTITIES
    }
    reckoning = _reckoning(options, sources, chosen, onboard)
    depth, site = sources["depth"], onboard.site
    is_pressure = depth is not None and isinstance(depth.convert, DepthFromPressure)
    per_metre = uniform_water_pressure(1.0, site.density, site.gravity) if is_pressure else 1.0
    return Instruments(
        tuple(f"{onboard.name}/{name}" for name in sensors),
        **sources,
        reckoning=reckoning,
        depth_sigma=depth_sigma(chosen["depth"], per_metre) if "depth" in chosen else math.nan,
        unknown=unknown_quantities(chosen, onboard.site, reckoning is not None),
    )


def _reckoning(
    options: InstrumentOptions,
    sources: Mapping[str, Source | None],
    chosen: Mapping[str, QuantitySensor],
    onboard: VehicleContext,
) -> DeadReckoningSetup | None:
    """Dead reckoning, where the sensors measure velocity over ground and attitude."""
    velocity, attitude, source = chosen.get("velocity"), chosen.get("attitude"), sources["velocity"]
    if source is None or velocity is None or attitude is None or not is_over_ground(velocity):
        if options.launch is not None:
            raise PartError(
                "needs velocity over ground and attitude for dead reckoning. Name both, or remove it.", "launch"
            )
        return None
    launch = options.launch or LaunchSection()
    return dead_reckoning_setup(
        velocity,
        attitude,
        chosen.get("position"),
        source.max_age_ns,
        launch.position.value if launch.position else onboard.launch,
        launch.std.value if launch.std else LAUNCH_SIGMA,
    )


def _sensor(quantity: str, options: InstrumentOptions, onboard: VehicleContext) -> QuantitySensor | None:
    """The sensor that the options name for a quantity; PartError where it is missing or does not measure it."""
    name: str | None = getattr(options, quantity)
    if name is None:
        return None
    entry = carried_sensor(name, onboard, quantity)
    measured = onboard.measured.get(entry.kind_key, {}).get(quantity)
    if measured is None:
        kinds = ", ".join(sorted(kind for kind, known in onboard.measured.items() if quantity in known)) or "none"
        message = f'"{name}": a sensor of the kind {entry.kind} does not measure the {quantity}.'
        raise PartError(f"{message} Name one of: {kinds}.", quantity)
    return QuantitySensor(entry, measured)


def _source(
    quantity: str, sensor: QuantitySensor, options: InstrumentOptions, sensors: tuple[str, ...], site: Site
) -> Source:
    """The source of a quantity; PartError where the parameters of its sensor do not allow it."""
    entry, measured = sensor
    try:
        convert = measured.conversion(entry, site)
    except ValueError as error:
        raise PartError(f'"{entry.name}": {error}', quantity) from None
    return Source(
        sensors.index(entry.name),
        convert,
        entry.position or ZERO3,
        entry.q_BS or (1.0, 0.0, 0.0, 0.0),
        _max_age_ns(quantity, options, entry),
        measured.in_N,
        (entry.latency or 0.0) + (0.5 / entry.rate if entry.rate else 0.0),
    )


def _max_age_ns(quantity: str, options: InstrumentOptions, entry: SensorEntry) -> int:
    """Largest age of a reading; PartError where it is shorter than the interval between readings."""
    period, latency = 1.0 / entry.rate if entry.rate else 0.0, entry.latency or 0.0
    given = getattr(options.max_age, quantity) if options.max_age else None
    if given is not None and given.value < period + latency:
        raise PartError(
            f'is shorter than the {period + latency:.3g} s from a reading of "{entry.name}" until the next arrives, '
            f"so that the {quantity} would be unknown in between. Give at least {period + latency:.3g} s.",
            "max_age",
            quantity,
        )
    return round(1e9 * (given.value if given else max(MAX_AGE, 3.0 * period + latency)))


INSTRUMENTS = PartKind("instruments", Role.NAVIGATION, InstrumentOptions, make_instruments)
