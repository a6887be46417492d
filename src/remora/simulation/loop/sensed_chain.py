"""Compiled chain of sensors, navigation, attitude cascade, allocation and plant, between samples of slower parts."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, final

import numpy as np

from remora.control.parts.allocation import LeastForces
from remora.control.parts.controllers import AttitudeCascade, reference_attitude
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.control.attitude_cascade import AxisMemory, PidMemory
from remora.files.arrays import Array
from remora.kernels.control.sensed_loop import ChannelErrors, LoopMemory, SensedLaw, SensedLoop, SensedSteps
from remora.messages.measured_quantities import SelectedValues
from remora.messages.part import Lifecycle
from remora.messages.reading import Reading, Status
from remora.navigation.parts.instruments import Instruments, InstrumentState, Source
from remora.sensors.errors.distortions import Bias, WrapAngles
from remora.sensors.errors.noise import GaussMarkov, WhiteNoise
from remora.sensors.errors.streams import BLOCK, Stream
from remora.sensors.kinds.motion.attitude import Ahrs
from remora.sensors.kinds.motion.inertial import Gyro
from remora.sensors.sensor import Effect, Instrument, Latency
from remora.simulation.loop.actuator_chain import RunningActuators
from remora.simulation.loop.clock import NEVER
from remora.simulation.loop.part_schedule import RunningParts
from remora.simulation.loop.running_part import RunningPart
from remora.simulation.loop.sensor_schedule import RunningSensor, RunningSensors
from remora.simulation.plant.motion import VehicleMotion

_EFFECTS = (Bias, GaussMarkov, WhiteNoise, WrapAngles)  # with a compiled form, in this order
_SPAN = 16 * BLOCK  # samples whose random numbers are drawn at once
_new_tuple = tuple.__new__
_OK = Status.OK


class ChainedSensor(NamedTuple):
    """A sensor with a compiled form that samples at every step."""

    running: RunningSensor
    instrument: Instrument
    errors: tuple[ChannelErrors, ...]
    walk: int | None  # place of the Gauss-Markov bias among its effects

    def bias(self, time_ns: int) -> tuple[float, ...] | None:
        """The Gauss-Markov bias of the latest sample; None unless that was at this time."""
        if self.walk is None:
            return (0.0,) * len(self.errors)
        before, bias = self.running.state[self.walk]
        return bias if before == time_ns else None

    def advance(self, samples: int, time_ns: int, bias: tuple[float, ...]) -> None:
        """Go on by some samples, the last of which was at a time."""
        sensor = self.running
        if self.walk is not None:
            sensor.state = (*sensor.state[: self.walk], (time_ns, bias), *sensor.state[self.walk + 1 :])
        sensor.go_to(sensor.k + samples)

    @property
    def streams(self) -> tuple[Stream | None, Stream | None]:
        """Random numbers of the Gauss-Markov bias and of the white noise."""
        found = {type(effect): effect.stream for effect in self.instrument.effects if hasattr(effect, "stream")}
        return found.get(GaussMarkov), found.get(WhiteNoise)


class ChainedParts(NamedTuple):
    """The parts of the chain."""

    navigation: Instruments
    control: AttitudeCascade
    allocation: LeastForces


@final
class _NoiseTable:
    """Standard normal numbers of consecutive samples: for each stream three columns."""

    def __init__(self, streams: Sequence[Stream | None]) -> None:
        self._streams, self._first, self._rows = streams, 0, np.zeros((0, 3 * len(streams)))

    def rows(self, first: int, count: int) -> Array:
        """Rows of some samples."""
        at = first - self._first
        if at < 0 or at + count > len(self._rows):
            self._first, at = first - first % BLOCK, first % BLOCK
            samples = np.arange(self._first, self._first + max(_SPAN, at + count))
            still = np.zeros((len(samples), 3))
            self._rows = np.hstack([still if one is None else one.normal_rows(samples, 3) for one in self._streams])
        return self._rows[at : at + count]


@final
class SensedChain:
    """Attitude and rate sensor, navigation by instruments, cascade and pseudo-inverse at every step.

    All other controllers, the reference and the velocity of navigation are held. Which steps run in the chain follows
    from the schedule of all other parts and sensors alone, so that a resumed run has the same bits.
    """

    def __init__(
        self,
        motion: VehicleMotion,
        actuators: RunningActuators,
        parts: RunningParts,
        sensors: RunningSensors,
        step_ns: int,
        roles: ChainedParts,
        chained: tuple[ChainedSensor, ChainedSensor],
    ) -> None:
        self._motion, self._actuators, self._parts, self._sensors = motion, actuators, parts, sensors
        self._step_ns, self._chained = step_ns, chained
        self._each_step = [part for part in parts.parts if part.period == 1]
        self._loop, self._roles = SensedLoop(motion.stepper, _law(roles, chained)), roles
        (first, second), (third, fourth) = (one.streams for one in chained)
        self._noise = _NoiseTable((first, third, second, fourth))
        self._others = [one for one in sensors.running if all(one is not sensor.running for sensor in chained)]
        self._latest: tuple[int, SensedSteps] | None = None  # the latest step and its result, if it ran in the chain

    def next_event(self) -> int:
        """First step at which another sensor samples, a reading arrives or the velocity is too old."""
        sampled = min((sensor.next_ns for sensor in self._others), default=NEVER) // self._step_ns
        arrives = min((reading.arrival_ns for reading in self._sensors.in_transit), default=NEVER)
        source, latest = self._velocity()
        expires = 0 if latest is None else (latest[0] + source.max_age_ns) // self._step_ns + 1
        return min(sampled, -(-arrives // self._step_ns), expires)

    def run(self, k: int, until: int, last: int) -> int:
        """Run from step k until more is due than the chain, or to the last step; returns the step that was reached.

        A step that fails is left to the parts in Python, which report it.
        """
        self._latest = None
        memory = self._memory(k) if until > k and self._motion.external_loads.is_held else None
        reference = self._parts.reference
        if memory is None or reference is None:
            return k
        motion, held = self._motion, self._parts.wrench(without=self._each_step[1])
        done = self._loop.run(
            motion.state,
            motion.external_loads.inputs,
            held,
            reference_attitude(reference),
            memory,
            self._noise.rows(self._chained[0].running.k, until - k),
        )
        if done.steps:
            self._apply(k, done)
            self._latest = (k + done.steps - 1, done) if k + done.steps == last else None
        return k + done.steps

    def _memory(self, k: int) -> LoopMemory | None:
        """Biases and cascade before step k; None where the parts or the sensors have to run in Python first."""
        control = self._each_step[1]
        if any(part.life is not Lifecycle.ACTIVE for part in self._each_step):
            return None
        if any(not one.is_chainable(k * self._step_ns) for one in (sensor.running for sensor in self._chained)):
            return None
        angles, rates = (sensor.bias((k - 1) * self._step_ns) for sensor in self._chained)
        axes = [_axis_memory(axis) for axis in control.state]
        if angles is None or rates is None or any(axis is None for axis in axes) or not self._knows_velocity():
            return None
        return LoopMemory((*angles, *rates), tuple(axis for axis in axes if axis is not None))

    def _apply(self, k: int, done: SensedSteps) -> None:
        """Let motion, actuators, sensors and parts go on after some steps."""
        steps, time_ns = done.steps, (k + done.steps - 1) * self._step_ns
        self._motion.continue_from(done.state)
        self._actuators.command(done.commands, k * self._step_ns)
        biases = done.memory.biases
        self._chained[0].advance(steps, time_ns, biases[:3])
        self._chained[1].advance(steps, time_ns, biases[3:])
        self._sensors.plan_next()
        times = range(k * self._step_ns, time_ns + 1, self._step_ns)
        columns = [
            self._sensors.deliver_block(sensor.running, times, done.readings[:, 3 * i : 3 * i + 3])
            for i, sensor in enumerate(self._chained)
        ]
        fresh = [reading for pair in zip(*columns, strict=True) for reading in pair]
        navigation, control, allocation = self._each_step
        navigation.state = _updated(navigation.state, self._roles.navigation, fresh[-2:])
        control.state = self._roles.control.control.continued(done.memory.axes)
        for part in self._parts.parts:
            if part.period > 1:
                part.new_readings += fresh
        for part in (navigation, control, allocation):
            part.next = k + steps

    def _velocity(self) -> tuple[Source, tuple[int, tuple[float, ...]] | None]:
        """Source of the velocity, and stamp and values of its latest reading."""
        source = self._roles.navigation.velocity
        assert source is not None
        return source, self._each_step[0].state.latest[source.slot]

    def _knows_velocity(self) -> bool:
        source, latest = self._velocity()
        return latest is not None and math.isfinite(sum(source.convert(latest[1])))

    def update_outputs(self) -> None:
        """Compute the outputs of navigation and cascade of the latest step, for log and checkpoint."""
        if self._latest is None:
            return
        k, done = self._latest
        navigation, control, _ = self._each_step
        self._parts.update_output(navigation, k * self._step_ns)
        control.output = (0.0, 0.0, 0.0, *done.torque)
        self._latest = None


def sensed_chain(
    motion: VehicleMotion, actuators: RunningActuators, parts: RunningParts, sensors: RunningSensors, step_ns: int
) -> SensedChain | None:
    """The compiled chain of a vehicle, or None where its sensors, its parts or its plant have no compiled form.

    Parameters
    ----------
    motion, actuators, parts, sensors
        The running vehicle, without faults, drive, battery and external wrenches.
    step_ns
        Step of the plant, ns.
    """
    roles = _roles([part for part in parts.parts if part.period == 1])
    if roles is None or not roles.allocation.commands_are_forces:
        return None
    navigation = roles.navigation
    chosen = [
        _chained(sensors, navigation, source, kind, step_ns)
        for source, kind in ((navigation.attitude, Ahrs), (navigation.rates, Gyro))
    ]
    attitude, rates = chosen
    if attitude is None or rates is None or navigation.velocity is None:
        return None
    if sensors.running.index(attitude.running) > sensors.running.index(rates.running):
        return None  # readings that arrive together are in the order of the sensors
    return SensedChain(motion, actuators, parts, sensors, step_ns, roles, (attitude, rates))


def _roles(each_step: Sequence[RunningPart]) -> ChainedParts | None:
    """The parts that run at every step; None for others than those of the chain."""
    found = [part.scheduled.part for part in each_step]
    if len(found) != len(ChainedParts._fields):
        return None
    navigation, control, allocation = found
    if not isinstance(navigation, Instruments) or not isinstance(control, AttitudeCascade):
        return None
    return ChainedParts(navigation, control, allocation) if isinstance(allocation, LeastForces) else None


def _chained(
    sensors: RunningSensors, navigation: Instruments, source: Source | None, kind: type, step_ns: int
) -> ChainedSensor | None:
    """The sensor of a quantity; None where it has no compiled form or does not sample at every step."""
    if source is None or source.convert != SelectedValues(0, 1, 2):
        return None
    name = navigation.sensors[source.slot]
    running = next((one for one in sensors.running if one.sensor.description.name == name), None)
    found = None if running is None else running.sensor
    if running is None or not isinstance(found, Instrument) or type(found.measurement) is not kind:
        return None
    label, measurement = found.label, found.measurement
    if (label.start_ns, label.period_ns) != (0, step_ns) or found.latency != Latency():
        return None
    errors = _channel_errors(found.effects, step_ns)
    if errors is None or getattr(measurement, "measures_earth_rate", False):
        return None
    walk = next((i for i, effect in enumerate(found.effects) if isinstance(effect, GaussMarkov)), None)
    return ChainedSensor(running, found, errors, walk)


def _channel_errors(effects: tuple[Effect, ...], step_ns: int) -> tuple[ChannelErrors, ...] | None:
    """Errors of three channels; None for effects without a compiled form."""
    kinds = [type(effect) for effect in effects]
    if kinds != [kind for kind in _EFFECTS if kind in kinds]:
        return None
    zero = (0.0, 0.0, 0.0)
    columns: dict[Any, Any] = {Bias: (zero,), GaussMarkov: (zero, zero), WhiteNoise: (zero,)}
    for effect in effects:
        if isinstance(effect, Bias):
            columns[Bias] = (effect.offset,)
        elif isinstance(effect, GaussMarkov):
            columns[GaussMarkov] = effect.recursion(step_ns)
        elif isinstance(effect, WhiteNoise):
            columns[WhiteNoise] = (effect.std,)
    rows = zip(*columns[Bias], *columns[GaussMarkov], *columns[WhiteNoise], strict=True)
    return tuple(ChannelErrors(*row) for row in rows)


def _law(roles: ChainedParts, chained: Sequence[ChainedSensor]) -> SensedLaw:
    """Numbers of the chain."""
    attitude, rates = (sensor.instrument.measurement for sensor in chained)
    sources = (roles.navigation.attitude, roles.navigation.rates)
    assert isinstance(attitude, Ahrs)
    assert isinstance(rates, Gyro)
    assert sources[0] is not None
    assert sources[1] is not None
    return SensedLaw(
        attitude.mount.q_BS,
        rates.mount.R_BS,
        sources[0].q_BS,
        rotation_matrix(sources[1].q_BS),
        tuple(errors for sensor in chained for errors in sensor.errors),
        roles.control.control.gains,
        roles.control.acts[3:],
        roles.allocation.allocation.inverse,
    )


def _updated(state: InstrumentState, navigation: Instruments, newest: Sequence[Reading]) -> InstrumentState:
    """State of navigation after the latest readings of the chained sensors."""
    latest, names = list(state.latest), navigation.sensors
    for reading in newest:
        latest[names.index(reading.sensor)] = (reading.stamp_ns, reading.values)
    return state._replace(latest=tuple(latest))


def _axis_memory(axis: Any) -> AxisMemory | None:
    """What the cascade keeps for one axis; None before its first sample and after a gap."""
    if axis.error is None or axis.rate.previous is None:
        return None
    return AxisMemory(axis.error, PidMemory(*axis.rate))
