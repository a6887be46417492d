"""Navigation without a filter: an estimate put together from the latest readings of named sensors."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, final

from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import (
    Quaternion,
    conjugate,
    from_euler_zyx,
    product,
    rotation_matrix,
)
from remora.equations.algebra.vectors import ZERO3, Vector3, cross, matvec3, subtract3
from remora.equations.instruments import uniform_water_pressure
from remora.files.did_you_mean import suggestion
from remora.files.quantities import Is, Quantity, not_negative
from remora.files.section import Length3, Section
from remora.files.units import LENGTH
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import Duration, PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.messages.reading import Status, Values
from remora.navigation.dead_reckoning import LAUNCH_SIGMA, ReckonedState
from remora.navigation.parts.dead_reckoning import Reckoning, depth_sigma, is_over_ground, make_reckoning
from remora.navigation.parts.missing_quantities import unknown_quantities
from remora.navigation.parts.sensor_quantities import Look, look_for
from remora.vehicles.vehicle import SensorEntry

UNKNOWN: Vector3 = (math.nan, math.nan, math.nan)
_NO_ATTITUDE: Quaternion = (math.nan, math.nan, math.nan, math.nan)
LARGEST_AGE = 1.0  # s, unless the scenario says otherwise

QUANTITIES = ("attitude", "rates", "velocity", "depth", "position")


class AgeSection(Section):
    """How old a reading may be and still count."""

    attitude: Duration | None = None
    rates: Duration | None = None
    velocity: Duration | None = None
    depth: Duration | None = None
    position: Duration | None = None


class LaunchSection(Section):
    """Where the vehicle is put into the water, as far as navigation knows."""

    position: Length3 | None = None
    std: Annotated[Quantity[float], Is(LENGTH, rule=not_negative)] | None = None


class InstrumentOptions(PartOptions):
    """Which sensor tells what; what no sensor tells is unknown."""

    attitude: str | None = None
    rates: str | None = None
    velocity: str | None = None
    depth: str | None = None
    position: str | None = None
    largest_age: AgeSection | None = None
    launch: LaunchSection | None = None


class Source(NamedTuple):
    """One quantity and the sensor that tells it."""

    slot: int  # of the sensor in the state
    look: Look
    p_BS: Vector3
    q_BS: Quaternion
    largest_age_ns: int
    in_N: bool  # of a velocity: whether it is told in N, not in the axes of the sensor


class InstrumentState(NamedTuple):
    """What has been heard: of each sensor the stamp and the values of its last good reading, and what follows."""

    heard: tuple[Any, ...]
    reckoned: ReckonedState | None = None


@final
@dataclass(frozen=True)
class Instruments(QuietPart):
    """The last good value of each sensor, held until it is too old; what is not known is NaN.

    Readings are taken to the origin of the body: by attitude and place of the sensor, and velocities by the rates.
    Where velocity over ground and attitude are known, the position is dead-reckoned from the launch position, and from
    fix to fix where there is a source of position.
    """

    sensors: tuple[str, ...]  # scoped names
    attitude: Source | None
    rates: Source | None
    velocity: Source | None
    depth: Source | None
    position: Source | None
    reckoning: Reckoning | None = None
    depth_sigma: float = math.nan  # m
    unknown: Mapping[str, str] = field(default_factory=dict)  # quantities that it never tells, and why

    @property
    def gives_sigma(self) -> bool:
        """Whether its estimates state how good their positions are."""
        return self.reckoning is not None

    def initial(self) -> InstrumentState:
        """Nothing heard yet."""
        return InstrumentState((None,) * len(self.sensors))

    def step(self, state: InstrumentState, now: PartInput) -> tuple[InstrumentState, Estimate | None]:
        """The estimate, or none while no sensor has told anything that is still good."""
        before, heard = state.heard, self._heard(state.heard, now)
        angles = _seen(self.attitude, heard, now)
        q_NB = _NO_ATTITUDE
        if self.attitude is not None and angles is not None:
            q_NB = product(from_euler_zyx(*angles), conjugate(self.attitude.q_BS))
        w = _turned(self.rates, _seen(self.rates, heard, now))
        v = self._velocity(heard, now, q_NB, w)
        reckoned = self._reckoned(state, before, heard, now, q_NB, v)
        p, sigma = self._position(heard, now, q_NB, reckoned)
        state = InstrumentState(heard, reckoned)
        if all(math.isnan(number) for number in (*p, *q_NB, *v, *w)):
            return state, None
        return state, Estimate(now.time_ns, p, q_NB, (*v, *w), sigma)

    def _heard(self, state: tuple[Any, ...], now: PartInput) -> tuple[Any, ...]:
        """The state with the good readings that have arrived; late ones do not replace newer ones.

        A stamp that is still to come is that of a clock that jumped, and is not believed.
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
        source, told = self.velocity, _seen(self.velocity, state, now)
        if source is None or told is None:
            return UNKNOWN
        v = to_body(q_NB, told) if source.in_N else matvec3(rotation_matrix(source.q_BS), told)
        return v if source.p_BS == ZERO3 else subtract3(v, cross(w, source.p_BS))

    def _reckoned(
        self,
        state: InstrumentState,
        before: tuple[Any, ...],
        heard: tuple[Any, ...],
        now: PartInput,
        q_NB: Quaternion,
        v: Vector3,
    ) -> ReckonedState | None:
        """Dead reckoning with the velocity and the position fix that have arrived, if any."""
        if self.reckoning is None:
            return None
        law, launch, launch_sigma, fix = self.reckoning
        reckoned = state.reckoned or law.launched(now.time_ns, launch, launch_sigma)
        if (told := _fresh(self.velocity, before, heard)) is not None:
            reckoned = law.moved(reckoned, told[0], position_rate(q_NB, v))
        if self.position is not None and (told := _fresh(self.position, before, heard)) is not None:
            place = _at_B(self.position, self.position.look(told[1]), q_NB)
            reckoned = law.fixed(reckoned, told[0], place, fix.sigma(told[1]))
        return reckoned

    def _position(
        self, heard: tuple[Any, ...], now: PartInput, q_NB: Quaternion, reckoned: ReckonedState | None
    ) -> tuple[Vector3, Vector3]:
        """Position of B, and its standard deviation where one is stated; the depth of its own sensor wins."""
        sigma = UNKNOWN
        if self.reckoning is not None and reckoned is not None:
            (north, east, down), deviation = self.reckoning.law.now(reckoned, now.time_ns)
            sigma = (deviation, deviation, deviation)
        else:
            north, east, down = _at_B(self.position, _seen(self.position, heard, now), q_NB)
        if self.depth is not None:
            down = _at_B(self.depth, _seen(self.depth, heard, now), q_NB)[2]
            sigma = (sigma[0], sigma[1], self.depth_sigma)
        return (north, east, down), sigma


def _fresh(source: Source | None, before: tuple[Any, ...], heard: tuple[Any, ...]) -> tuple[int, Values] | None:
    """Stamp and values of a reading that has just arrived."""
    if source is None or heard[source.slot] is before[source.slot]:
        return None
    told: tuple[int, Values] = heard[source.slot]
    return told


def _seen(source: Source | None, state: tuple[Any, ...], now: PartInput) -> Vector3 | None:
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


def make_instruments(options: InstrumentOptions, onboard: VehicleContext) -> Instruments:
    """The estimate from the sensors that a scenario names."""
    named = [name for quantity in QUANTITIES if (name := getattr(options, quantity)) is not None]
    if not named:
        raise PartError(f"names no sensor. Give at least one of {', '.join(QUANTITIES)}.", "part")
    sensors = tuple(dict.fromkeys(named))
    sources = {quantity: _source(quantity, options, sensors, onboard) for quantity in QUANTITIES}
    entries = {quantity: onboard.sensors[name] for quantity in QUANTITIES if (name := getattr(options, quantity))}
    reckoning = _reckoning(options, sources, entries, onboard)
    sigma = math.nan
    if "depth" in entries:
        site = onboard.site
        sigma = depth_sigma(entries["depth"], uniform_water_pressure(1.0, site.density, site.gravity))
    return Instruments(
        tuple(f"{onboard.name}/{name}" for name in sensors),
        **sources,
        reckoning=reckoning,
        depth_sigma=sigma,
        unknown=unknown_quantities(entries, onboard.site, reckoning is not None),
    )


def _reckoning(
    options: InstrumentOptions,
    sources: Mapping[str, Source | None],
    entries: Mapping[str, SensorEntry],
    onboard: VehicleContext,
) -> Reckoning | None:
    """Dead reckoning, where the sensors tell velocity over ground and attitude."""
    velocity, attitude, source = entries.get("velocity"), entries.get("attitude"), sources["velocity"]
    if source is None or velocity is None or attitude is None or not is_over_ground(velocity):
        if options.launch is not None:
            raise PartError(
                "needs velocity over ground and attitude for dead reckoning. Name both, or remove it.", "launch"
            )
        return None
    launch = options.launch or LaunchSection()
    return make_reckoning(
        velocity,
        attitude,
        entries.get("position"),
        source.largest_age_ns,
        launch.position.value if launch.position else onboard.launch,
        launch.std.value if launch.std else LAUNCH_SIGMA,
    )


def _source(
    quantity: str, options: InstrumentOptions, sensors: tuple[str, ...], onboard: VehicleContext
) -> Source | None:
    name: str | None = getattr(options, quantity)
    if name is None:
        return None
    entry = onboard.sensors.get(name)
    if entry is None:
        hint = suggestion(name, onboard.sensors) if onboard.sensors else "Give it sensors."
        raise PartError(f"the vehicle carries no such sensor in this scenario. {hint}", quantity)
    try:
        look = look_for(quantity, entry, onboard.site)
    except ValueError as error:
        raise PartError(f'"{name}": {error}', quantity) from None
    return Source(
        sensors.index(name),
        look,
        entry.position or ZERO3,
        entry.q_BS or (1.0, 0.0, 0.0, 0.0),
        _largest_age_ns(quantity, options, entry),
        entry.kind in ("ins", "gps"),
    )


def _largest_age_ns(quantity: str, options: InstrumentOptions, entry: SensorEntry) -> int:
    """How old a reading may be; PartError where even the newest one would be too old before the next arrives."""
    period, latency = 1.0 / entry.rate if entry.rate else 0.0, entry.latency or 0.0
    given = getattr(options.largest_age, quantity) if options.largest_age else None
    if given is not None and given.value < period + latency:
        raise PartError(
            f'is shorter than the {period + latency:.3g} s from a reading of "{entry.name}" until the next arrives, '
            f"so that the {quantity} would be unknown in between. Give at least {period + latency:.3g} s.",
            "largest_age",
            quantity,
        )
    return round(1e9 * (given.value if given else max(LARGEST_AGE, 3.0 * period + latency)))


INSTRUMENTS = PartKind("instruments", Role.NAVIGATION, InstrumentOptions, make_instruments)
