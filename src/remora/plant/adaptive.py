"""Adaptive identifiers run over a record, sample by sample.

Plain Python, compiled by `adaptive_kernels` on first use.
"""

import sys
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numba
from numba import float64, int64

from remora.equations.algebra.elementary import maximum
from remora.equations.algebra.vectors import (
    add6,
    matrix6_at,
    matvec6,
    multiply6,
    scale6,
    subtract6,
    vector3_at,
    vector6_at,
)
from remora.equations.estimation.adaptive import (
    AdaptiveGains,
    adaptive_parameter_rates,
    adaptive_rate,
    adaptive_speed_rate,
    adaptive_twist_rate,
    model_twist_rate,
)
from remora.equations.estimation.single_axis import Lumped
from remora.equations.motion import inverse_dynamics
from remora.equations.packed import HULL_SIZE, hull_at
from remora.files.arrays import Array
from remora.plant import registration
from remora.plant.arrays import array_view
from remora.plant.compilation import from_cache

_ROW, _SHEET = float64[::1], float64[:, ::1]
PARTS = 5  # numbers in the state of one degree of freedom: the estimated speed, then alpha, beta, mu, nu
# A pivot of the inertia below this fraction of its diagonal is too close to a singular inertia.
_SMALLEST_PIVOT = 1e-3


class AdaptiveKernels(NamedTuple):
    """The compiled identifiers."""

    axis: Any
    twist: Any


def adapt_axis(
    state: Array, gains: Array, least: float, steps: Array, efforts: Array, speeds: Array, history: Array
) -> int:
    """Run the identifier of one degree of freedom; the number of samples at which alpha was held at its minimum.

    The state is updated in place: estimated speed, alpha, beta, mu, nu. A negative step marks the start of a record, or
    the end of a gap: the estimated speed is reset to the measured one. Rows of the history are states after samples.
    """
    held = 0
    gain = AdaptiveGains(gains[0], gains[1], gains[2], gains[3], gains[4])
    speed = state[0]
    lumped = Lumped(state[1], state[2], state[3], state[4])
    for k in range(len(steps)):
        h, effort, measured = abs(steps[k]), efforts[k], speeds[k]
        if steps[k] < 0.0:
            speed = measured
        change = adaptive_parameter_rates(gain, effort, speed, measured)
        speed += h * adaptive_speed_rate(lumped, gain.pull, effort, speed, measured)
        alpha = lumped.alpha + h * change.alpha
        held += alpha < least
        lumped = Lumped(
            maximum(alpha, least), lumped.beta + h * change.beta, lumped.mu + h * change.mu, lumped.nu + h * change.nu
        )
        history[k, 0], history[k, 1], history[k, 2] = speed, lumped.alpha, lumped.beta
        history[k, 3], history[k, 4] = lumped.mu, lumped.nu
    state[0], state[1], state[2], state[3], state[4] = speed, lumped.alpha, lumped.beta, lumped.mu, lumped.nu
    return held


def has_small_pivot(inertia: Array, work: Array) -> bool:
    """Whether Gaussian elimination meets a pivot that is not well above zero: the inertia is not positive definite."""
    for i in range(6):
        for j in range(6):
            work[6 * i + j] = inertia[6 * i + j]
    for i in range(6):
        pivot = work[6 * i + i]
        if not pivot > _SMALLEST_PIVOT * abs(inertia[6 * i + i]) or not pivot > 0.0:
            return True
        for j in range(i + 1, 6):
            factor = work[6 * j + i] / pivot
            for k in range(i + 1, 6):
                work[6 * j + k] -= factor * work[6 * i + k]
    return False


def inertia_of(base: Array, units: Array, change: Array, count: int, result: Array) -> None:
    """Inertia of the base hull plus `change` times each unit hull, row by row."""
    for place in range(36):
        result[place] = base[place]
        for j in range(count):
            result[place] += change[j] * units[j * HULL_SIZE + place]


def adapt_twist(
    base: Array,
    units: Array,
    free_axes: Array,
    pull: float,
    gains: Array,
    change: Array,
    twist: Array,
    steps: Array,
    samples: Array,
    wrenches: Array,
    inertia: Array,
    history: Array,
    twists: Array,
) -> int:
    """Run the identifier of a whole hull; the number of samples at which its inertia was held.

    `base` is the reference hull, `units` holds one hull per parameter with one unit of that parameter only. `free_axes`
    is one for estimated degrees of freedom, else zero. A row of the samples holds measured twist, rate of the locked
    degrees of freedom, downward direction and applied wrench. `change` and `twist` are updated in place; `wrenches` and
    `inertia` are work space. A negative step is as in `adapt_axis`.
    """
    count, held = len(gains), 0
    free = vector6_at(free_axes, 0)
    fixed = subtract6((1.0, 1.0, 1.0, 1.0, 1.0, 1.0), free)
    work = array_view(inertia, 36, (36,))
    for k in range(len(steps)):
        row = array_view(samples, 21 * k, (21,))
        measured, rate, down_B, applied = (
            vector6_at(row, 0),
            vector6_at(row, 6),
            vector3_at(row, 12),
            vector6_at(row, 15),
        )
        nu = add6(multiply6(free, vector6_at(twist, 0)), multiply6(fixed, measured))
        if steps[k] < 0.0:
            nu = measured
        error = subtract6(nu, measured)
        required = inverse_dynamics(hull_at(array_view(base, 0, (HULL_SIZE,))), nu, rate, down_B)
        for j in range(count):
            one = inverse_dynamics(hull_at(array_view(units, j * HULL_SIZE, (HULL_SIZE,))), nu, rate, down_B)
            required = add6(required, scale6(change[j], one))
            for i in range(6):
                wrenches[6 * j + i] = one[i]
        inertia_of(base, units, change, count, inertia)
        faster = model_twist_rate(matrix6_at(inertia, 0), free, applied, required)
        for j in range(count):
            whole = add6(vector6_at(wrenches, 6 * j), matvec6(matrix6_at(units, j * HULL_SIZE), faster))
            wrenches[6 * j] = change[j]
            change[j] += abs(steps[k]) * adaptive_rate(gains[j], whole, error)
        inertia_of(base, units, change, count, inertia)
        if has_small_pivot(inertia, work):
            held += 1
            for j in range(count):
                change[j] = wrenches[6 * j]
        nu = add6(nu, scale6(abs(steps[k]), adaptive_twist_rate(faster, pull, error)))
        for i in range(6):
            twist[i] = nu[i]
            twists[k, i] = nu[i]
        for j in range(count):
            history[k, j] = change[j]
    return held


def _entry_points(cached: dict[str, Any]) -> AdaptiveKernels:
    registration.register_functions(sys.modules[__name__], without=("adapt_axis", "adapt_twist", "_entry_points"))
    axis = int64(_ROW, _ROW, float64, _ROW, _ROW, _ROW, _SHEET)
    twist = int64(_ROW, _ROW, _ROW, float64, _ROW, _ROW, _ROW, _ROW, _ROW, _ROW, _ROW, _SHEET, _SHEET)
    return AdaptiveKernels(numba.njit(axis, **cached)(adapt_axis), numba.njit(twist, **cached)(adapt_twist))


@lru_cache(maxsize=1)
def adaptive_kernels() -> AdaptiveKernels:
    """The adaptive identifiers, compiled or from the cache."""
    return cast(AdaptiveKernels, from_cache("the adaptive identifiers", _entry_points))
