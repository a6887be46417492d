"""Model-aided inertial navigation as a part: goes on without bottom lock by a velocity model of the vehicle."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, final

import numpy as np

from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import ZERO3, add3, cross, scale3, subtract3
from remora.equations.estimation.gyro_driven import GyroDriven
from remora.equations.navigation.model_aided import process
from remora.equations.types import Vector3
from remora.files.quantities import Is, Quantity, not_negative
from remora.files.section import Section
from remora.files.units import SPEED
from remora.identification.gyro_driven.calibration import RealTimeCalibration
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, PartReport, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.messages.reading import Reading, Status
from remora.navigation.dead_reckoning import LAUNCH_SIGMA
from remora.navigation.filters import Belief, ErrorStateFilter, Innovation
from remora.navigation.model_aided import (
    ModelAidedSettings,
    aiding_reading,
    inertial_reading,
    initial_belief,
    model_aided_filter,
    model_reading,
)
from remora.navigation.parts.model_aided_sensors import MountedSensors, mounted_sensors
from remora.navigation.velocity_model import (
    INTERVAL_NS,
    calibration_of,
    gyro_driven_model,
    is_dissipative,
    restored,
    sample_of,
    stored,
    thrust_ahead,
)
from remora.plant.pack import pack

MODEL_EVERY_NS, SLOW_EVERY_NS = 500_000_000, 1_000_000_000
LOCK_LOST_NS = 2_000_000_000  # without a valid DVL reading

Mode = Literal["baseline", "calibrated", "learning"]
Std = Annotated[Quantity[float], Is(SPEED, rule=not_negative)]
# Mean normalised innovation squared of a sensor: readings of its memory and before a verdict, and its limit as a
# multiple of the value in a consistent filter.
MEMORY, FEWEST, LIMIT = 50.0, 20, 3.0


class CoefficientSection(Section):
    """A calibrated velocity model: lumped coefficients per axis."""

    surge: list[float]
    sway: list[float]
    heave: list[float]


class ModelAidedOptions(PartOptions):
    """Sensors by their use, and the velocity model."""

    rates: str
    specific_force: str
    attitude: str
    velocity: str
    shaft: str
    depth: str | None = None
    position: str | None = None
    mode: Mode = "baseline"
    without_lock: Literal["frozen", "followed"] = "frozen"
    coefficients: CoefficientSection | None = None
    current_std: Std | None = None
    gust_std: Std | None = None


class SensorConsistency(NamedTuple):
    """Running mean of the normalised innovation squared of a sensor, over its number of values."""

    sensor: str
    readings: int
    mean: float

    @property
    def is_degraded(self) -> bool:
        """Whether the innovations are larger than the filter expects."""
        return self.readings >= FEWEST and self.mean > LIMIT


def updated_health(
    health: tuple[SensorConsistency, ...], innovations: Iterable[Innovation]
) -> tuple[SensorConsistency, ...]:
    """Health after further innovations, rejected ones included; sensors without a value stay as they are."""
    known = {one.sensor: one for one in health}
    for innovation in innovations:
        if innovation.outcome not in ("used", "rejected") or not innovation.values:
            continue
        before = known.get(innovation.sensor, SensorConsistency(innovation.sensor, 0, 1.0))
        share = innovation.squared / len(innovation.values)
        mean = before.mean + (share - before.mean) / MEMORY
        known[innovation.sensor] = SensorConsistency(innovation.sensor, before.readings + 1, mean)
    return tuple(known.values())


def degraded_sensors(health: Iterable[SensorConsistency]) -> tuple[str, ...]:
    """Sensors, or the velocity model, that do not fit the estimate."""
    return tuple(one.sensor for one in health if one.is_degraded)


class Held(NamedTuple):
    """Latest readings that the inputs of the filter need."""

    force: Vector3 | None = None  # m/s2, at the sensor, in body axes
    rates: Vector3 | None = None  # rad/s
    rates_ns: int = 0
    shaft: float | None = None  # rad/s
    angles: Vector3 | None = None  # roll, pitch, yaw


class ModelAidedState(NamedTuple):
    """State of the part: the belief of the filter and what it needs until the next readings."""

    held: Held = Held()
    begun_ns: int | None = None  # first step, when the vehicle was at its launch position
    belief: Belief | None = None
    model_ns: int = 0  # latest comparison with the model
    compass_ns: int = 0  # latest heading
    depth_ns: int = 0  # latest depth
    lock_ns: int = 0  # latest DVL reading
    health: tuple[SensorConsistency, ...] = ()
    calibration: tuple[Any, ...] = ()  # memories of the estimators; empty unless learning
    learnt_ns: int = 0
    model: GyroDriven | None = None  # in use

    @property
    def is_locked(self) -> bool:
        """Whether the DVL has given a valid reading lately."""
        return self.belief is not None and self.belief.stamp_ns - self.lock_ns < LOCK_LOST_NS


@final
@dataclass(frozen=True)
class ModelAided(QuietPart):
    """Strapdown inertial navigation with DVL, depth and compass, and a velocity model that holds without the DVL.

    It starts at the first DVL reading, from the launch position of the vehicle and the way since then. Its standard
    deviations grow while there is no bottom lock.
    """

    sensors: MountedSensors
    settings: ModelAidedSettings
    made: ErrorStateFilter
    baseline: GyroDriven
    calibration: RealTimeCalibration | None
    follows: bool  # keeps on learning without lock
    launch: Vector3
    packed: Any
    actuators: int
    gives_sigma: bool = True
    unknown: Mapping[str, str] = field(default_factory=dict)

    def initial(self) -> ModelAidedState:
        """No readings yet."""
        memories = stored(self.calibration.initial()) if self.calibration else ()
        return ModelAidedState(calibration=memories, model=self.baseline)

    def step(self, state: ModelAidedState, now: PartInput) -> tuple[ModelAidedState, Estimate | None]:
        """The estimate; None before the first DVL reading."""
        if state.begun_ns is None:
            state = state._replace(begun_ns=now.time_ns)
        fresh = [one for one in now.new_readings if one.status == Status.OK and one.stamp_ns <= now.time_ns]
        batch: list[Reading] = []
        for reading in sorted(fresh, key=lambda one: (one.stamp_ns, self.sensors.order(one.sensor))):
            state = self._taken(state, reading, batch)
        if state.belief is not None and batch:
            belief, innovations = self.made.step(state.belief, batch)
            state = state._replace(belief=belief, health=updated_health(state.health, innovations))
            state = self._learnt(state)
        return state, self._estimate(state, now.time_ns)

    def _taken(self, state: ModelAidedState, reading: Reading, batch: list[Reading]) -> ModelAidedState:
        """The state after one reading; readings for the filter are appended to the batch."""
        use, held = self.sensors.use(reading.sensor), state.held
        if use is None:
            return state
        if use == "rates":
            return self._with_rates(state, reading, batch)
        value = self.sensors.value(use, reading)
        if use == "shaft":
            return state._replace(held=held._replace(shaft=value[0]))
        if use == "specific_force":
            return state._replace(held=held._replace(force=value))
        if use == "attitude":
            return self._with_attitude(state, reading, value, batch)
        if use == "velocity":
            started = state if state.belief is not None else self._started(state, reading, value)
            batch.append(aiding_reading("dvl", reading.stamp_ns, value))
            return started._replace(lock_ns=max(reading.stamp_ns, state.lock_ns))
        if use == "position":
            batch.append(aiding_reading(use, reading.stamp_ns, value))
        elif reading.stamp_ns - state.depth_ns >= SLOW_EVERY_NS:
            batch.append(aiding_reading(use, reading.stamp_ns, (value[2],)))
            return state._replace(depth_ns=reading.stamp_ns)
        return state

    def _with_rates(self, state: ModelAidedState, reading: Reading, batch: list[Reading]) -> ModelAidedState:
        """Inputs of the filter; a reading stands for the interval around its stamp."""
        held, w = state.held, self.sensors.value("rates", reading)
        now = held._replace(rates=w, rates_ns=reading.stamp_ns)
        if held.rates is None or held.force is None or held.shaft is None or reading.stamp_ns <= held.rates_ns:
            return state._replace(held=now)
        elapsed = reading.stamp_ns - held.rates_ns
        turning = scale3(1e9 / elapsed, subtract3(w, held.rates))
        arm = self.sensors.arm("specific_force")
        force = subtract3(held.force, tuple(np.add(cross(turning, arm), cross(w, cross(w, arm))).tolist()))
        outputs = (held.shaft, *(0.0,) * (self.actuators - 1))
        thrust = thrust_ahead(self.packed, outputs, (1.0, 0.0, 0.0))
        stamp = reading.stamp_ns - elapsed // 2
        batch.append(inertial_reading(stamp, w, force, turning, thrust, state.model or self.baseline))
        if stamp - state.model_ns >= MODEL_EVERY_NS:
            batch.append(model_reading(stamp))
            return state._replace(held=now, model_ns=stamp)
        return state._replace(held=now)

    def _with_attitude(
        self, state: ModelAidedState, reading: Reading, angles: Vector3, batch: list[Reading]
    ) -> ModelAidedState:
        """Attitude for the start, heading once a second."""
        state = state._replace(held=state.held._replace(angles=angles))
        if reading.stamp_ns - state.compass_ns < SLOW_EVERY_NS:
            return state
        batch.append(aiding_reading("compass", reading.stamp_ns, (angles[2],)))
        return state._replace(compass_ns=reading.stamp_ns)

    def _started(self, state: ModelAidedState, reading: Reading, value: Vector3) -> ModelAidedState:
        """The belief at the first DVL reading, once all inputs are known."""
        held = state.held
        if held.angles is None or held.rates is None or held.force is None or held.shaft is None:
            return state
        q = from_euler_zyx(*held.angles)
        v_B = subtract3(value, cross(held.rates, self.sensors.arm("velocity")))
        v_N = position_rate(q, v_B)
        elapsed = 1e-9 * (reading.stamp_ns - (state.begun_ns or 0))
        place = add3(self.launch, scale3(elapsed, v_N))
        thrust = thrust_ahead(self.packed, (held.shaft, *(0.0,) * (self.actuators - 1)), v_B)
        start = inertial_reading(reading.stamp_ns, held.rates, held.force, ZERO3, thrust, self.baseline)
        return state._replace(
            belief=initial_belief(self.made, self.settings, start, place, q, v_N, (LAUNCH_SIGMA, 0.05))
        )

    def _learnt(self, state: ModelAidedState) -> ModelAidedState:
        """The model after a sample of the calibration, where it is due and allowed."""
        belief = state.belief
        if self.calibration is None or belief is None or belief.stamp_ns - state.learnt_ns < INTERVAL_NS:
            return state
        if not (self.follows or state.is_locked):
            return state
        sample = sample_of(belief.state, belief.inputs, self.baseline.circular_heading, self.settings.gravity)
        before = restored(self.calibration, state.calibration)
        after, model = self.calibration.step(before, sample)
        model = model if is_dissipative(model, sample.velocity[0]) else state.model or self.baseline
        return state._replace(calibration=stored(after), model=model, learnt_ns=belief.stamp_ns)

    def _estimate(self, state: ModelAidedState, time_ns: int) -> Estimate | None:
        """Estimate at the present time, ahead of the belief by less than the latest readings are late."""
        if state.belief is None:
            return None
        ahead = 1e-9 * (time_ns - state.belief.stamp_ns)
        inputs = tuple(state.belief.inputs.tolist())
        x = tuple(state.belief.state.tolist())
        x = process(x, inputs, ahead, tuple(self.made.setup.parameters.tolist())) if ahead > 0.0 else x
        q = (x[3], x[4], x[5], x[6])
        v, w = to_body(q, (x[7], x[8], x[9])), (inputs[0] - x[10], inputs[1] - x[11], inputs[2] - x[12])
        variances = np.diag(state.belief.covariance)[:3].tolist()
        sigma = (math.sqrt(variances[0]), math.sqrt(variances[1]), math.sqrt(variances[2]))
        return Estimate(time_ns, (x[0], x[1], x[2]), q, (*v, *w), sigma)

    def reports(self, before: ModelAidedState, after: ModelAidedState) -> Iterator[PartReport]:
        """Loss and return of bottom lock, and sensors or a model that stop to fit the estimate."""
        if before.belief is not None and before.is_locked != after.is_locked:
            text = "bottom lock again" if after.is_locked else "no bottom lock: aided by the velocity model"
            yield PartReport("info" if after.is_locked else "warning", text, {})
        for sensor in set(degraded_sensors(after.health)) - set(degraded_sensors(before.health)):
            text = f"degraded: innovations of {sensor} are larger than their standard deviations"
            yield PartReport("warning", text, {"sensor": sensor})


def make_model_aided(options: ModelAidedOptions, onboard: VehicleContext) -> ModelAided:
    """The part from its options."""
    sensors, settings = mounted_sensors(options, onboard)
    water = settings.water
    water = water._replace(
        current=options.current_std.value if options.current_std else water.current,
        gust=options.gust_std.value if options.gust_std else water.gust,
    )
    settings = settings._replace(water=water)
    baseline = _model(options, onboard)
    return ModelAided(
        sensors,
        settings,
        model_aided_filter(settings),
        baseline,
        calibration_of(baseline) if options.mode == "learning" else None,
        options.without_lock == "followed",
        onboard.launch,
        packed := pack(onboard.vehicle.parameters),
        packed.actuators,
    )


def _model(options: ModelAidedOptions, onboard: VehicleContext) -> GyroDriven:
    """The velocity model: of the vehicle file, or with given coefficients."""
    model, given = gyro_driven_model(onboard.vehicle), options.coefficients
    if (options.mode == "calibrated") != (given is not None):
        raise PartError("give coefficients with the mode calibrated, and only with it.", "coefficients")
    if given is None:
        return model
    for axis in ("surge", "sway", "heave"):
        expected, found = len(getattr(model, axis)), len(getattr(given, axis))
        if expected != found:
            raise PartError(f"has {found} numbers. Give {expected}.", "coefficients", axis)
    return model._replace(surge=tuple(given.surge), sway=tuple(given.sway), heave=tuple(given.heave))


MODEL_AIDED = PartKind("model_aided", Role.NAVIGATION, ModelAidedOptions, make_model_aided)
