"""Steps of a plant with all samples of its sensors in between, in one compiled loop.

The loop calls the compiled step and rate of the plant and the compiled measurements by their addresses, so that one
loop serves all vehicles and sensors, and gives the bits of single calls from Python.
"""

# Numba's internals are untyped.
# mypy: disable-error-code="untyped-decorator, no-untyped-call"

from functools import lru_cache
from typing import Any

import numba.extending
from numba import float64, int64, types
from numba.core import cgutils

from remora.control.allocation.thrusters import least_forces
from remora.equations.algebra.pose import BODY_SIZE
from remora.files.arrays import Array, Integers
from remora.messages.reading import Status, partial_status
from remora.plant.arrays import array_view
from remora.plant.compilation import SIGNATURES
from remora.plant.loops import FINISHED
from remora.plant.strict import strict_kernel
from remora.run.compiled.cascade_law import observe, steer
from remora.run.plant.motion import TRUTH_SIZE
from remora.sensors.errors.compiled_errors import apply_errors
from remora.sensors.machine_code import SIGNATURE as MEASURE

# Columns of the table of sensors.
NEXT, INDEX, PERIOD = 0, 1, 2  # time of the next sample in ns and its number; period in ns
MEASUREMENT, ROW, ROW_SIZE = 3, 4, 5  # address of the compiled measurement, zero for none; its numbers
CHANNELS, ERRORS, ERRORS_END, PARAMETERS = 6, 7, 8, 9  # channels; lines of the errors, and where their parameters begin
NOISE, NOISE_INDEX, NOISE_WIDTH = 10, 11, 12  # random numbers; sample of the first of them; how many per sample
ERROR_STATE = 13  # where the states of the errors begin
SENSOR_COLUMNS = 14
# Numbers of the clock.
START, STEP, STEPS, LAST = 0, 1, 2, 3  # time of the first step and its length in ns; steps; time of the last sample, ns
AGE = 4  # place of the age among the external inputs, -1 for none
FIRST_LAW = 5  # first step with a law
CALM_PERIOD = 6  # ns, at which the vehicle may leave the depths in which the external inputs last
COUNT, SLOW = 7, 8  # filled: number of samples, and of those that are not OK or left to Python
KNOWN = 9  # filled: time of the latest truth, ns
CLOCK_SIZE = 10
SENSOR, TIME, SAMPLE, STATUS = range(4)  # columns of the samples
IN_PYTHON = -1  # status of a sample that is left to Python
FAILED = -1  # a step or a measurement: Python takes it and reports
UNKNOWN_INTERVAL = -2  # there is no prepared step to a sample
FULL = -3  # more samples than there is room for
NO_LAW = 1 << 62  # in place of the first step with a law

_intrinsic: Any = numba.extending.intrinsic
_row, _table, _integers, _integer_table = float64[::1], float64[:, ::1], int64[::1], int64[:, ::1]
_SIGNATURE = int64(
    int64, int64, _integers, _integer_table, _integer_table, _integers, _integers, _row, _table, _row, _row, _row, _row,
    _row, _table, _row, _row, _row, _row, _table, _integer_table, _row, _row, _row, _row, _row, _row,
)  # fmt: skip


def _by_address(signature: Any) -> Any:
    """Code of a call of a compiled function by its address, the first argument."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        convention, result, kinds = context.call_conv, signature.return_type, signature.args
        pointer = convention.get_function_type(result, kinds).as_pointer()
        function = builder.inttoptr(args[0], pointer)
        status, value = convention.call_function(builder, function, result, kinds, args[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return value

    return lower


@_intrinsic
def call_step(typingctx: Any, address: Any, prepared: Any, codes: Any, state: Any, commands: Any, around: Any) -> Any:
    """Call `step_once` of a plant."""
    kind = SIGNATURES["step_once"]
    return kind.return_type(types.int64, *kind.args), _by_address(kind)


@_intrinsic
def call_rate(
    typingctx: Any, address: Any, row: Any, codes: Any, state: Any, inputs: Any, outputs: Any, result: Any
) -> Any:
    """Call `rate` of a plant."""
    return types.void(types.int64, *SIGNATURES["rate"].args), _by_address(SIGNATURES["rate"])


@_intrinsic
def call_measurement(
    typingctx: Any, address: Any, row: Any, motion: Any, site: Any, ground: Any, status: Any, values: Any
) -> Any:
    """Call a compiled measurement."""
    return types.void(types.int64, *MEASURE.args), _by_address(MEASURE)


def address_of(function: Any) -> int:
    """Address of a compiled function with one signature."""
    (made,) = function.overloads.values()
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def earliest(sensors: Integers) -> int:
    """The sensor with the next sample, the first of those with one at the same time."""
    found = 0
    for i in range(1, sensors.shape[0]):
        if sensors[i, NEXT] < sensors[found, NEXT]:
            found = i
    return found


def interval_index(intervals: Integers, interval: int) -> int:
    """Place of an interval; -1 where it is unknown."""
    for i in range(intervals.size):
        if intervals[i] == interval:
            return i
    return -1


def store_truth(state: Array, rate: Array, water: Array, truth: Array) -> None:
    """Truth of a sample: state of the body, rate of its twist, velocity of the water, outputs of the actuators.

    Parameters
    ----------
    state, rate
        State of the plant and its rate.
    water
        External inputs: wrench, then the velocity of the water in N, m/s.
    truth
        Filled with the row.
    """
    for i in range(BODY_SIZE):
        truth[i] = state[i]
    for i in range(6):
        truth[BODY_SIZE + i] = rate[BODY_SIZE - 6 + i]
    for i in range(3):
        truth[BODY_SIZE + 6 + i] = water[6 + i]
    for i in range(truth.size - TRUTH_SIZE):
        truth[TRUTH_SIZE + i] = state[BODY_SIZE + i]


def measured(
    sensor: Integers, effects: Integers, numbers: Array, noise: Array, error_states: Array, time_ns: int, truth: Array,
    site: Array, ground: Array, status: Integers, values: Array, spare: Array,
) -> bool:  # fmt: skip
    """Take a sample of a sensor with its errors; False where what it measures is not a number.

    Parameters
    ----------
    sensor
        Line of the table of sensors.
    effects, numbers, noise, error_states, site, ground
        As for `sampled_steps`.
    time_ns
        Time of the sample.
    truth
        Row of `store_truth`.
    status
        Line of the samples, whose status is set.
    values
        Filled with the values.
    spare
        Work space of the same length.
    """
    count = sensor[CHANNELS]
    row = array_view(numbers, sensor[ROW], (sensor[ROW_SIZE],))
    motion, found = array_view(truth, 0, (1, TRUTH_SIZE)), array_view(status, STATUS, (1,))
    call_measurement(sensor[MEASUREMENT], row, motion, site, ground, found, array_view(values, 0, (1, count)))
    if found[0] > Status.PARTIAL:
        return True
    if found[0] == Status.OK and is_nan(values, count):
        return False
    at = sensor[NOISE] + (sensor[INDEX] - sensor[NOISE_INDEX]) * sensor[NOISE_WIDTH]
    kept = array_view(error_states, sensor[ERROR_STATE], (error_states.size - sensor[ERROR_STATE],))
    apply_errors(
        effects, sensor[ERRORS], sensor[ERRORS_END], numbers, sensor[PARAMETERS], array_view(values, 0, (count,)),
        time_ns, array_view(noise, at, (sensor[NOISE_WIDTH],)), kept, spare,
    )  # fmt: skip
    missing = 0
    for i in range(count):
        missing += values[i] != values[i]
    if missing:
        found[0] = Status.NO_LOCK if missing == count else Status.PARTIAL
    return True


def is_nan(values: Array, count: int) -> bool:
    """Whether the sum of some values is not a number."""
    total = 0.0
    for i in range(count):
        total += values[i]
    return bool(total != total)


def take_samples(
    limit: int, grid: int, step: int, rate: int, clock: Integers, sensors: Integers, effects: Integers, codes: Integers,
    intervals: Integers, packed: Array, prepared: Array, body: Array, there: Array, around: Array, rate_inputs: Array,
    rate_outputs: Array, rates: Array, inputs: Array, numbers: Array, noise: Array, error_states: Array, ground: Array,
    samples: Integers, site: Array, truths: Array, values: Array, law: Array, held: Array,
) -> int:  # fmt: skip
    """Take all samples up to a time within a step; FINISHED, or why not.

    Parameters
    ----------
    limit
        Latest time of a sample, ns.
    grid
        Time at which the step begins, ns.
    body, there
        State of the plant at the beginning of the step, and work space for that of a sample.
    inputs
        Actuator inputs of the step.
    step, rate, clock, sensors, effects, codes, intervals, packed, prepared, around, rate_inputs, rate_outputs, rates
        As for `sampled_steps`, as are all others.
    numbers, noise, error_states, ground, samples, site, truths, values, law, held
        See there.
    """
    width, most, age = truths.size // samples.shape[0], values.size // (samples.shape[0] + 1), clock[AGE]
    spare = array_view(values, most * samples.shape[0], (most,))
    s = earliest(sensors)
    while sensors[s, NEXT] <= limit:
        time_ns, count = sensors[s, NEXT], clock[COUNT]
        if count == samples.shape[0]:
            return FULL
        truth = array_view(truths, count * width, (width,))
        if time_ns == clock[KNOWN]:
            for i in range(width):
                truth[i] = truths[(count - 1) * width + i]
        else:
            at = body
            if time_ns != grid:
                place, at = interval_index(intervals, time_ns - grid), there
                if place < 0:
                    return UNKNOWN_INTERVAL
                for i in range(body.size):
                    there[i] = body[i]
                if call_step(step, prepared[place], codes, there, inputs, around) != FINISHED:
                    return FAILED
            if age >= 0:
                elapsed = (time_ns - grid) / 1_000_000_000
                rate_inputs[age + inputs.size] = around[age] + elapsed if elapsed else around[age]
            call_rate(rate, packed, codes, array_view(at, 0, (rates.size,)), rate_inputs, rate_outputs, rates)
            store_truth(at, rates, around, truth)
            clock[KNOWN] = time_ns
        samples[count, SENSOR], samples[count, TIME] = s, time_ns
        samples[count, SAMPLE], samples[count, STATUS] = sensors[s, INDEX], IN_PYTHON
        if sensors[s, MEASUREMENT] and not measured(
            sensors[s], effects, numbers, noise, error_states, time_ns, truth, site, ground, samples[count],
            array_view(values, count * most, (most,)), spare,
        ):  # fmt: skip
            return FAILED
        observe(law, held, s, array_view(values, count * most, (most,)))
        clock[COUNT] += 1
        clock[SLOW] += samples[count, STATUS] != Status.OK
        sensors[s, NEXT] += sensors[s, PERIOD]
        sensors[s, INDEX] += 1
        s = earliest(sensors)
    return FINISHED


def sampled_steps(
    step: int,
    rate: int,
    clock: Integers,
    sensors: Integers,
    effects: Integers,
    codes: Integers,
    intervals: Integers,
    packed: Array,
    prepared: Array,
    state: Array,
    around: Array,
    rate_inputs: Array,
    rate_outputs: Array,
    rates: Array,
    inputs: Array,
    calm: Array,
    numbers: Array,
    noise: Array,
    error_states: Array,
    ground: Array,
    samples: Integers,
    site: Array,
    truths: Array,
    values: Array,
    law: Array,
    memory: Array,
    held: Array,
) -> int:
    """Step the plant and sample its sensors, in place; returns the number of steps, or why there are none.

    Parameters
    ----------
    step, rate
        Addresses of the compiled step and rate of the plant.
    clock
        Times and numbers of steps, and what is counted; see `START` and the following.
    sensors, effects
        Tables of the sensors, see `NEXT` and the following, and of their errors, see `PackedErrors`.
    codes, packed
        Numbers of the plant.
    intervals, prepared
        Times from the beginning of a step to samples in it, ns, that of a whole step first; prepared numbers of a
        `Stepper` for each of them.
    state
        State of the plant, followed by work space of the same length.
    around
        External inputs: wrench about B in body axes, then the water.
    rate_inputs, rate_outputs, rates
        Arguments of the rate of the plant: wrench, actuator inputs and water; work space; rate of the state.
    inputs
        Actuator inputs, a row for each step. A law fills them; without one they are given.
    calm
        Reach of the vehicle upwards and z of the surface in N, m: the external inputs last while z - reach < surface
        does not change.
    numbers, noise, error_states
        Parameters of measurements and errors, standard normal numbers, and states of the errors, of all sensors.
    ground, site
        Packed environment of the measurements.
    samples, truths, values
        Filled with a row for each sample: see `SENSOR` and the following, `store_truth`, and the values of the sensor.
    law, memory, held
        Numbers of a `CascadeLaw`, its memory and what it holds; none where commands are held.
    """
    size, steps = state.size // 2, clock[STEPS]
    body, there = array_view(state, 0, (size,)), array_view(state, size, (size,))
    is_near = body[2] - calm[0] < calm[1]
    for k in range(steps + 1):
        grid, row = clock[START] + k * clock[STEP], inputs[min(k, steps - 1)]
        if grid % clock[CALM_PERIOD] == 0 and (body[2] - calm[0] < calm[1]) != is_near:
            return k
        for half in range(2):  # samples at the beginning of the step, law, samples within the step
            if half == 1 and k >= clock[FIRST_LAW]:
                if not steer(law, memory, held, row):
                    return FAILED
                for i in range(row.size):
                    rate_inputs[6 + i] = row[i]
            done = take_samples(
                grid + half * (clock[STEP] - 1) if k < steps else clock[LAST], grid, step, rate, clock, sensors,
                effects, codes, intervals, packed, prepared, body, there, around, rate_inputs, rate_outputs, rates, row,
                numbers, noise, error_states, ground, samples, site, truths, values, law, held,
            )  # fmt: skip
            if done != FINISHED:
                return done
            if k == steps:
                return k
        if call_step(step, prepared[0], codes, body, row, around) != FINISHED:
            return FAILED
    return int(steps)


@lru_cache(maxsize=1)
def sampled_steps_kernel() -> Any:
    """Compiled `sampled_steps`."""
    return strict_kernel(
        sampled_steps, _SIGNATURE, "sampled steps", 5, apply_errors, partial_status, steer, least_forces
    )
