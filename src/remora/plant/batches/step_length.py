"""Steps that are too long for their method: unstable for the vehicle at rest, or at the speeds that it reaches."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.packed import outputs_count
from remora.files.arrays import Array
from remora.plant.batches.packed_batch import PackedBatch
from remora.plant.compilation import kernels_for
from remora.plant.failures import RunError
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import STILL_WATER, check_interval, writable
from remora.plant.loops import held_index
from remora.plant.methods import ADAPTIVE, CHAINED_RUNGE_KUTTA, RUNGE_KUTTA, IntegrationMethod
from remora.plant.pack import PackedVehicle, resting_outputs

SHORT = 0.02  # s; steps of a plant up to this length are not looked at, so that usual ones cost nothing
SMALL = 1e-6  # change of attitude and speeds for differences; at rest quadratic drag is then negligible
ATTITUDE, TWIST = slice(4, 7), slice(7, BODY_SIZE)  # vector part of the quaternion, and speeds, in a state


def is_long(interval: float, steps: int, method: IntegrationMethod) -> bool:
    """Whether a step is long enough to be looked at."""
    check_interval(interval, steps)
    return method.rule != ADAPTIVE and interval / steps > SHORT


def longest_step(
    packed: PackedVehicle,
    step: float,
    method: IntegrationMethod,
    state: Array | None = None,
    water: Array = STILL_WATER,
) -> float:
    """The step, s, or the longest one with which a method damps a motion that fades.

    Small motions are judged about a state, at rest unless given. The water is as in `rollout`, one row.
    """
    if method.rule == ADAPTIVE:
        return step
    rates = _rates_at_rest(packed.row.tobytes(), packed.layout) if state is None else _rates(packed, state, water)
    if _is_stable(method, rates, step):
        return step
    low, high = 0.0, step
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _is_stable(method, rates, middle) else (low, middle)
    return low


def step_fault(
    packed: PackedVehicle,
    interval: float,
    steps: int,
    method: IntegrationMethod,
    state: Array | None = None,
    water: Array = STILL_WATER,
) -> str:
    """Message on steps that are too long, with arguments as in `longest_step`; empty where they are not."""
    if not is_long(interval, steps, method):
        return ""
    step = interval / steps
    longest = longest_step(packed, step, method, state, water)
    if longest >= step:
        return ""
    where = "at rest" if state is None else f"at the speeds reached (up to {np.abs(state[TWIST]).max():.3g})"
    fix = f"give steps={math.ceil(interval / (0.5 * longest))} or more for each interval"
    return f"a step of {step:.4g} s is too long: {where} {method.name} is unstable above {longest:.2g} s ({fix})"


def refused_steps(vehicles: PackedBatch, interval: float, steps: int, method: IntegrationMethod) -> list[RunError]:
    """Errors of the vehicles for which a step is too long at rest; none if it is short enough for the first.

    Vehicles of a batch are variants of one another, so the first tells whether the others are worth the time.
    """
    if not step_fault(vehicles[0], interval, steps, method):
        return []
    faults = ((i, step_fault(vehicles[i], interval, steps, method)) for i in range(len(vehicles)))
    return [RunError(fault, 0.0, i) for i, fault in faults if fault]


def too_fast(
    vehicles: PackedBatch, interval: float, steps: int, method: IntegrationMethod, states: Array, waters: Array
) -> list[RunError]:
    """Errors of the vehicles that reach speeds at which a step is too long; none if it is not for the fastest.

    States are [vehicle, row, number], NaN where a vehicle has failed, and waters [vehicle or one for all, interval or
    one for all, number].
    """
    if not is_long(interval, steps, method):
        return []
    speeds = np.nan_to_num(np.abs(states[:, :, TWIST]).max(axis=2), nan=-1.0)
    rows, found = speeds.argmax(axis=1), []
    for i in np.argsort(-speeds.max(axis=1)).tolist():
        if speeds[i, rows[i]] < 0.0:
            break
        sheet = waters[held_index(waters, i)]
        water = sheet[held_index(sheet, max(int(rows[i]) - 1, 0))]
        fault = step_fault(vehicles[i], interval, steps, method, states[i, rows[i]], water)
        if not fault:
            break
        found.append(RunError(fault, float(rows[i] * interval), i))
    return sorted(found, key=lambda one: one.vehicle)


def _is_stable(method: IntegrationMethod, rates: NDArray[np.complex128], step: float) -> bool:
    """Whether a method damps all motions with these rates; slow ones, which any method follows, are left out."""
    z = rates[np.abs(rates) * step > 1.0] * step
    return bool(np.all(_growth(method, z) <= 1.0 + 1e-9))


def _growth(method: IntegrationMethod, z: NDArray[np.complex128]) -> Array:
    """Factor of one step for motions of rate times step z."""
    if method.rule not in (RUNGE_KUTTA, CHAINED_RUNGE_KUTTA):
        return np.abs(1.0 + z)  # of Euler; the two-step method bears less
    a, b = method.weights[: method.stages], method.weights[method.stages]
    ones = np.ones(method.stages)
    return np.array([abs(1.0 + one * b @ np.linalg.solve(np.eye(len(b)) - one * a, ones)) for one in z])


@lru_cache(maxsize=64)
def _rates_at_rest(content: bytes, layout: object) -> NDArray[np.complex128]:
    """Eigenvalues of fading small motions about rest, level and in still water, for the content of a row."""
    packed = PackedVehicle(np.frombuffer(content), layout, (), ())  # type: ignore[arg-type]
    outputs = resting_outputs(packed)
    state = np.zeros(BODY_SIZE + packed.actuator_states)
    state[3], state[BODY_SIZE : BODY_SIZE + outputs.size] = 1.0, outputs
    return _rates(packed, state, STILL_WATER)


def _rates(packed: PackedVehicle, state: Array, water: Array) -> NDArray[np.complex128]:
    """Eigenvalues of fading small motions about a state, 1/s; the outputs of the actuators are held."""
    inputs = np.concatenate([np.zeros(6), resting_outputs(packed), water])
    row, codes, size = writable("row", packed.row), codes_of(packed.layout), BODY_SIZE + packed.actuator_states
    outputs, rate = np.empty(outputs_count(packed.layout)), kernels_for(packed.layout, water.size).rate
    columns = []
    for place in (*range(ATTITUDE.start, ATTITUDE.stop), *range(TWIST.start, TWIST.stop)):
        ends = []
        for sign in (-SMALL, SMALL):
            moved, result = state[:size].copy(), np.empty(size)
            moved[place] += sign
            rate(row, codes, moved, inputs, outputs, result)
            ends.append(np.concatenate([result[ATTITUDE], result[TWIST]]))
        columns.append((ends[1] - ends[0]) / (2.0 * SMALL))
    table = np.transpose(columns)
    found = np.linalg.eigvals(table) if np.isfinite(table).all() else np.zeros(0, dtype=complex)
    return np.asarray(found[found.real <= 0.0])
