"""Plant steps between two samples of the parts, with all samples of the sensors in between, in one compiled call."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.packed import outputs_count
from remora.files.arrays import Array
from remora.files.units import NEVER, SECOND
from remora.messages.reading import Reading, Status, no_values
from remora.messages.truth import Truth
from remora.plant.compilation import kernels_for
from remora.plant.stepper import Stepper
from remora.run.compiled.every_step_parts import LawInputs
from remora.run.compiled.sampled_steps_kernel import (
    CHANNELS,
    CLOCK_SIZE,
    COUNT,
    ERROR_STATE,
    ERRORS,
    ERRORS_END,
    FULL,
    IN_PYTHON,
    INDEX,
    MEASUREMENT,
    NEXT,
    NO_LAW,
    NOISE,
    NOISE_INDEX,
    NOISE_WIDTH,
    PARAMETERS,
    PERIOD,
    ROW,
    ROW_SIZE,
    SENSOR_COLUMNS,
    SLOW,
    UNKNOWN_INTERVAL,
    address_of,
    sampled_steps_kernel,
)
from remora.run.loop.actuator_chain import RunningActuators
from remora.run.loop.sensor_schedule import RunningSensor, RunningSensors, is_lost
from remora.run.plant.external_loads import WRENCH_SIZE, CalmLoads
from remora.run.plant.motion import TRUTH_SIZE, VehicleMotion
from remora.run.plant.sampled_water import age_index
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.environment import PackedEnvironment, site_row
from remora.sensors.errors.compiled_errors import PackedErrors, packed_errors
from remora.sensors.errors.streams import BLOCK
from remora.sensors.machine_code import CompiledForm, compiled_form
from remora.sensors.sensor import Instrument

_NOISE_NS = 8 * SECOND  # random numbers are drawn for this time at least
_MOST_INTERVALS = 64  # from the start of a step to samples in it, for which steps stay prepared
_SCHEDULE = slice(NEXT, INDEX + 1)  # columns of the table of sensors
_new_tuple = tuple.__new__
_STATUSES, _OK = tuple(Status), Status.OK
_NO_LAW = (np.zeros(0), np.zeros(0), np.zeros(0))


class CompiledSensor(NamedTuple):
    """A sensor whose measurement and errors have a compiled form."""

    name: str
    channels: int  # number of values
    arrival_ns: Callable[[int, int], int]  # from stamp and number of a sample
    errors: PackedErrors
    measurement: CompiledForm
    state_at: int = 0  # where the states of its errors begin among those of all sensors


class TakenSample(NamedTuple):
    """A sample in Python: state of the sensor after it, reading and why there is nothing to measure."""

    state: Any
    reading: Reading | None
    cause: str


@final
class SampledSteps:
    """Steps of one vehicle without parts in between: commands, drive and external loads are held or known ahead.

    Sensors without a compiled form are sampled in Python at the truth of their times. All results have the bits of
    single steps.

    Parameters
    ----------
    motion, actuators, sensors
        The vehicle.
    step_ns
        Step of the plant.
    place
        Environment of the sensors.
    """

    def __init__(
        self,
        motion: VehicleMotion,
        actuators: RunningActuators,
        sensors: RunningSensors,
        step_ns: int,
        place: PackedEnvironment,
    ) -> None:
        self._motion, self._actuators, self._sensors, self._step_ns = motion, actuators, sensors, step_ns
        self._kernel, self._running = sampled_steps_kernel(), sensors.running
        self._site, self._ground = np.array(site_row(place)), place.rows
        self._compiled = [compiled_sensor(one, place) for one in self._running]
        self._states: list[Any] = [None] * len(self._compiled)  # of the errors, as they are in the rows below
        self._fill_tables()
        self._noise, self._noise_until_ns = np.zeros(0), -1
        self._stepper: Stepper | None = None
        self._size = 0  # of the external inputs
        self._make_room(16)
        self._in_python_until = 0  # step
        self._changes = -1  # of the schedule of the sensors, as it is in the table
        self._clock, self._depths = np.zeros(CLOCK_SIZE, dtype=np.int64), np.zeros(2)

    def reset(self) -> None:
        """Begin again after the run was set to another time."""
        self._noise_until_ns, self._in_python_until = -1, 0

    def _fill_tables(self) -> None:
        """Tables of sensors and errors, and all their numbers in a row."""
        table, effects = np.zeros((len(self._running), SENSOR_COLUMNS), dtype=np.int64), [np.zeros((0, 4), np.int64)]
        numbers: list[Array] = [np.zeros(0)]
        lines = count = states = 0
        for i, (line, sensor, found) in enumerate(zip(table, self._running, self._compiled, strict=True)):
            line[PERIOD], line[CHANNELS] = sensor.period_ns, len(sensor.sensor.description.channels)
            if found is None:
                continue
            (function, row), errors = found.measurement, found.errors
            line[MEASUREMENT], line[ROW], line[ROW_SIZE] = address_of(function), count, row.size
            line[PARAMETERS], line[ERRORS], line[ERROR_STATE] = count + row.size, lines, states
            self._compiled[i] = found._replace(state_at=states)
            numbers += [row, errors.parameters]
            effects.append(errors.table)
            lines, states = lines + len(errors.table), states + errors.state_size
            count += row.size + errors.parameters.size
            line[ERRORS_END], line[NOISE_WIDTH] = lines, errors.noise_width
        self._table, self._effects = table, np.concatenate(effects)
        self._numbers, self._error_states = np.concatenate(numbers), np.zeros(states)
        pairs = enumerate(zip(self._running, self._compiled, strict=True))
        self._stateful = [(i, one, found) for i, (one, found) in pairs if found is not None and found.errors.state_size]
        self._packed: dict[int, list[float]] = {}  # states of the errors as numbers

    def _make_room(self, samples: int) -> None:
        """Arrays for this many samples in one call."""
        width, most = TRUTH_SIZE + self._actuators.count, int(self._table[:, CHANNELS].max())
        self._samples, self._truths = np.zeros((samples, 4), dtype=np.int64), np.zeros(samples * width)
        self._values = np.zeros((samples + 1) * most)
        self._rows, self._value_rows = self._truths.reshape(samples, width), self._values.reshape(samples + 1, most)

    def run(self, k: int, until: int, takes_last: bool, law: LawInputs | None = None, first_law: int = 0) -> int:
        """Run steps from k on; returns how many, zero where the next one has to be taken in Python.

        Parameters
        ----------
        k
            The first step.
        until
            Step at which more is due than samples and the law.
        takes_last
            Whether samples at this step are taken.
        law
            Law of the commands, whose memory goes on; without one they are held.
        first_law
            0 where the law begins with the first step, 1 where it begins with the second.
        """
        motion, loads, start_ns = self._motion, self._motion.external_loads, k * self._step_ns
        if k < self._in_python_until or motion.stepper.has_bounds:
            return 0
        loads.update(start_ns, motion.state)
        calm, inputs = loads.lasting(), self._inputs(start_ns, until - k)
        steps = len(inputs)
        if calm is None or not steps:
            return 0
        last_ns = start_ns + steps * self._step_ns
        last_ns -= 0 if takes_last else 1
        self._use_plant(motion.stepper, loads.inputs.size)
        self._depths[:] = calm.reach, calm.surface
        done = UNKNOWN_INTERVAL
        while done in (UNKNOWN_INTERVAL, FULL):
            done, state, memory = self._call((start_ns, steps, last_ns, first_law), inputs, calm, law)
        count = int(self._clock[COUNT])
        taken = self._taken_in_python(count) if done > 0 else None
        if taken is None:
            self._in_python_until = until
            self._forget()
            return 0
        motion.continue_from(state)
        loads.continue_from((k + done - 1) * self._step_ns)
        if law is not None and done > first_law:
            law.memory[:] = memory
            self._actuators.command(inputs[done - 1].copy(), (k + done - 1) * self._step_ns)
        self._deliver(count, taken)
        return done

    def _inputs(self, start_ns: int, steps: int) -> Array:
        """Actuator inputs of some steps, a row each; fewer where the drive changes them within a step."""
        actuators, step_ns = self._actuators, self._step_ns
        rows, at, from_ns = np.empty((max(steps, 0), actuators.count)), 0, start_ns
        while at < steps:
            held, due_ns = actuators.held_from(from_ns)
            end, rest = divmod(due_ns - start_ns, step_ns)
            rows[at:end] = held
            if end < steps and rest:
                return rows[:end]
            at, from_ns = end, due_ns
        return rows

    def _use_plant(self, stepper: Stepper, size: int) -> None:
        """Prepare calls of a plant with external inputs of this size."""
        if stepper is self._stepper and size == self._size:
            return
        self._stepper, self._size, packed = stepper, size, stepper.packed
        found = kernels_for(packed.layout, size - WRENCH_SIZE)
        self._addresses = address_of(found.step_once), address_of(found.rate)
        self._intervals, self._prepared = np.array([self._step_ns]), stepper.prepared[None].copy()
        self._rate_inputs = np.zeros(size + self._actuators.count)
        self._rates, self._outputs = (
            np.zeros(BODY_SIZE + packed.actuator_states),
            np.zeros(outputs_count(packed.layout)),
        )
        at = age_index(size - WRENCH_SIZE)
        self._age = -1 if at is None else WRENCH_SIZE + at

    def _call(
        self, clock: tuple[int, int, int, int], inputs: Array, calm: CalmLoads, law: LawInputs | None
    ) -> tuple[int, Array, Array]:
        """Call the compiled loop; what it returns, and state and memory of the law after it."""
        motion, table, (start_ns, steps, last_ns, first_law) = self._motion, self._table, clock
        assert self._stepper is not None
        if last_ns >= self._noise_until_ns:
            self._draw_noise(last_ns)
        if self._sensors.changes != self._changes:
            self._changes = self._sensors.changes
            table[:, _SCHEDULE] = [(one.next_ns, one.k) for one in self._running]
            self._pack_states()
        around, given, water = motion.external_loads.inputs, self._rate_inputs, WRENCH_SIZE + self._actuators.count
        given[:WRENCH_SIZE], given[WRENCH_SIZE:water] = around[:WRENCH_SIZE], self._actuators.inputs
        given[water:] = around[WRENCH_SIZE:]
        size = motion.state.size
        state = np.empty(2 * size)
        state[:size] = motion.state
        first_law = NO_LAW if law is None else first_law
        ahead = (start_ns, self._step_ns, steps, last_ns, self._age, first_law, calm.period_ns)
        self._clock[:] = (*ahead, 0, 0, -1)
        rows = _NO_LAW if law is None else (law.law, law.memory.copy(), law.held.copy())
        done = self._kernel(
            *self._addresses, self._clock, table, self._effects, self._stepper.codes, self._intervals,
            self._stepper.packed.row, self._prepared, state, around, given, self._outputs, self._rates, inputs,
            self._depths, self._numbers, self._noise, self._error_states, self._ground, self._samples, self._site,
            self._truths, self._values, *rows,
        )  # fmt: skip
        if done == UNKNOWN_INTERVAL:
            self._add_intervals(start_ns, last_ns)
        elif done == FULL:
            self._make_room(2 * len(self._samples))
        if done < 0:
            self._forget()
        return done, state[:size].copy(), rows[1]

    def _forget(self) -> None:
        """Take schedule and errors of the sensors from these again."""
        self._changes, self._states = -1, [None] * len(self._states)

    def _add_intervals(self, start_ns: int, last_ns: int) -> None:
        """Prepare steps to all samples within steps up to a time, from the start of a step on."""
        assert self._stepper is not None
        known, step_ns = self._intervals.tolist(), self._step_ns
        times = (t for one in self._running for t in range(one.next_ns, last_ns + 1, one.period_ns))
        missing = sorted({(time_ns - start_ns) % step_ns for time_ns in times} - {0, *known})
        if len(known) + len(missing) > _MOST_INTERVALS:
            self._intervals, self._prepared = self._intervals[:1], self._prepared[:1]
            if len(known) > 1:
                return  # those of this call are found missing again
        packed, method = self._stepper.packed, self._stepper.method
        made = [Stepper(packed, interval_ns / SECOND, method).prepared[None] for interval_ns in missing]
        self._intervals = np.append(self._intervals, missing)
        self._prepared = np.concatenate([self._prepared, *made])

    def _draw_noise(self, last_ns: int) -> None:
        """Random numbers of all sensors from their next samples on, up to a time and beyond."""
        rows, at, until_ns = [np.zeros(0)], 0, NEVER
        for line, sensor, found in zip(self._table, self._running, self._compiled, strict=True):
            if found is None or not found.errors.noise_width:
                continue
            first = sensor.k - sensor.k % BLOCK
            wanted = sensor.k + max(0, last_ns + _NOISE_NS - sensor.next_ns) // sensor.period_ns + 1
            count = -(-(wanted - first) // BLOCK) * BLOCK
            rows.append(found.errors.noise(first, count).ravel())
            line[NOISE], line[NOISE_INDEX], at = at, first, at + rows[-1].size
            until_ns = min(until_ns, sensor.start_ns + (first + count) * sensor.period_ns)
        self._noise, self._noise_until_ns = np.concatenate(rows), until_ns

    def _pack_states(self) -> None:
        """States of the errors as numbers, where they are not so already."""
        for i, sensor, found in self._stateful:
            if sensor.state is not self._states[i]:
                self._states[i], self._packed[i] = sensor.state, found.errors.numbers(sensor.state)
                self._error_states[found.state_at : found.state_at + found.errors.state_size] = self._packed[i]

    def _unpack_states(self) -> None:
        """States of the errors as those of the sensors, where they have changed."""
        numbers = self._error_states.tolist()
        for i, sensor, found in self._stateful:
            at = found.state_at
            row = numbers[at : at + found.errors.state_size]
            if row != self._packed[i]:
                self._packed[i] = row
                sensor.state = self._states[i] = found.errors.state(row)

    def _taken_in_python(self, count: int) -> list[TakenSample | None] | None:
        """Samples of sensors without a compiled form in their order; None where one fails.

        Nothing is logged before all are taken, so that a failing one can be repeated at its own time.
        """
        lost = {i for i, sensor in enumerate(self._running) if sensor.cause}
        if not lost and not self._clock[SLOW]:
            return [None] * count
        taken: list[TakenSample | None] = []
        states: dict[int, Any] = {}
        for m, (i, time_ns, k, status) in enumerate(self._samples[:count].tolist()):
            sensor = self._running[i]
            if status == _OK and i not in lost:
                taken.append(None)
                continue
            truth = self._truth(m, time_ns)
            try:
                if status == IN_PYTHON:
                    states[i], reading = self._sensors.sampled(sensor, states.get(i, sensor.state), truth, k)
                else:
                    reading = self._reading(i, m, time_ns, k, _STATUSES[status])
                if reading is not None and is_lost(sensor, reading):
                    lost.add(i)
                cause = self._sensors.cause_of_loss(sensor, truth) if i in lost else ""
            except Exception:
                return None
            taken.append(TakenSample(states.get(i), reading, cause))
        return taken

    def _truth(self, m: int, time_ns: int) -> Truth:
        """The truth of a sample."""
        row = self._rows[m]
        self._motion.truth_row[0] = row[:TRUTH_SIZE]
        numbers = tuple(row.tolist())
        seen = (time_ns, numbers[:3], numbers[3:7], numbers[7:13], numbers[13:19], numbers[19:22], numbers[22:])
        return _new_tuple(Truth, seen)

    def _reading(self, i: int, m: int, time_ns: int, k: int, status: Status) -> Reading:
        """The reading of a sample that compiled code has taken."""
        found = self._compiled[i]
        assert found is not None
        count = found.channels
        values = no_values(count) if status > Status.PARTIAL else tuple(self._value_rows[m, :count].tolist())
        return _new_tuple(Reading, (found.name, time_ns, found.arrival_ns(time_ns, k), status, values))

    def _deliver(self, count: int, taken: Sequence[TakenSample | None]) -> None:
        """Let the sensors go on, and queue and record their readings in the order of the samples."""
        running, compiled, sensors = self._running, self._compiled, self._sensors
        samples, values = self._samples[:count].tolist(), self._value_rows[:count].tolist()
        wait = sensors.in_transit.append
        for (i, time_ns, k, _), row, slow in zip(samples, values, taken, strict=True):
            sensor, found = running[i], compiled[i]
            if slow is None and found is not None:
                numbers = tuple(row[: found.channels])
                arrival_ns = found.arrival_ns(time_ns, k)
                reading = _new_tuple(Reading, (found.name, time_ns, arrival_ns, _OK, numbers))
                if not (sensor.deliveries or sensor.is_refused) and math.isfinite(sum(numbers)):
                    wait(reading)
                    if sensor.record is not None:
                        sensor.record(time_ns, reading)
                    continue
                slow = TakenSample(None, reading, "")
            assert slow is not None
            sensor.next_ns, sensor.k = time_ns, k
            sensor.state = slow.state if found is None else sensor.state
            if slow.reading is not None:
                sensors.deliver(sensor, slow.reading, slow.cause)
        for sensor, (next_ns, k) in zip(running, self._table[:, _SCHEDULE].tolist(), strict=True):
            sensor.next_ns, sensor.k = next_ns, k
        sensors.plan_next()
        self._changes = sensors.changes
        self._unpack_states()


def compiled_sensor(running: RunningSensor, place: PackedEnvironment) -> CompiledSensor | None:
    """The compiled form of a sensor; None where its measurement or an error has none."""
    sensor = running.sensor
    if not isinstance(sensor, Instrument) or not isinstance(sensor.measurement, CompiledMeasurement):
        return None
    if sensor.measurement.channels != sensor.label.channels:
        return None
    errors, form = packed_errors(sensor.effects, running.period_ns), compiled_form(sensor.measurement, place)
    if errors is None or form is None:
        return None
    label = sensor.label
    return CompiledSensor(label.name, len(label.channels), sensor.latency.arrival_ns, errors, form)
