"""Minimum of a strictly convex quadratic function within box bounds: a primal active-set method in machine code.

It minimises u^T H u / 2 + g^T u with lowest <= u <= highest. A step goes to the minimum over the free variables, or to
the first bound on the way, which becomes active; at a minimum the bound with the most negative multiplier is released
(Nocedal and Wright 2006, ch. 16). The free block is solved by Cholesky factors with one step of iterative refinement.

Plain Python, compiled by `box_kernel` on first use. Working memory for n variables has n + 3 rows: Cholesky factors,
right-hand side, solution and residual.
"""

import sys
from functools import lru_cache
from typing import Any

import numba
from numba import float64, int64

from remora.files.arrays import Array
from remora.plant import registration
from remora.plant.compilation import from_cache

MOST_CHANGES = 20  # of the active set per variable, before the method gives up
FREE, AT_LOWEST, AT_HIGHEST = 0, 1, 2
MULTIPLIER_TOLERANCE = 1e-12  # relative to the terms of the gradient
_ROW, _TABLE, _WHOLE = float64[::1], float64[:, ::1], int64[::1]
SIGNATURE = int64(_TABLE, _ROW, _ROW, _ROW, _ROW, _TABLE, _WHOLE, _WHOLE)


def bound_start(lowest: Array, highest: Array, u: Array, active: Any) -> bool:
    """Move the start into the bounds; whether any bound is active."""
    is_bound = False
    for i in range(u.size):
        active[i] = FREE
        if u[i] < lowest[i]:
            u[i], active[i], is_bound = lowest[i], AT_LOWEST, True
        elif u[i] > highest[i]:
            u[i], active[i], is_bound = highest[i], AT_HIGHEST, True
    return is_bound


def factorise_free(hessian: Array, memory: Array, active: Any, free: Any) -> int:
    """Cholesky factors of the block of the free variables; their number, -1 for a matrix that is not positive."""
    m = 0
    for i in range(active.size):
        if active[i] == FREE:
            free[m] = i
            m += 1
    for a in range(m):
        for b in range(a + 1):
            total = hessian[free[a], free[b]]
            for c in range(b):
                total -= memory[a, c] * memory[b, c]
            if a != b:
                memory[a, b] = total / memory[b, b]
            elif total > 0.0:
                memory[a, a] = total**0.5
            else:
                return -1
    return m


def solve_free(hessian: Array, gradient: Array, u: Array, memory: Array, active: Any, free: Any, m: int) -> None:
    """Minimum over the m free variables with the others at their bounds, refined once.

    Memory holds the Cholesky factors; the solution goes into the second row after them.
    """
    n = u.size
    for a in range(m):
        total = -gradient[free[a]]
        for i in range(n):
            if active[i] != FREE:
                total -= hessian[free[a], i] * u[i]
        memory[n, a], memory[n + 1, a], memory[n + 2, a] = total, 0.0, total
    for _ in range(2):
        for a in range(m):
            for c in range(a):
                memory[n + 2, a] -= memory[a, c] * memory[n + 2, c]
            memory[n + 2, a] /= memory[a, a]
        for a in range(m - 1, -1, -1):
            for c in range(a + 1, m):
                memory[n + 2, a] -= memory[c, a] * memory[n + 2, c]
            memory[n + 2, a] /= memory[a, a]
            memory[n + 1, a] += memory[n + 2, a]
        for a in range(m):
            memory[n + 2, a] = memory[n, a]
            for c in range(m):
                memory[n + 2, a] -= hessian[free[a], free[c]] * memory[n + 1, c]


def step_to_bound(lowest: Array, highest: Array, u: Array, memory: Array, active: Any, free: Any, m: int) -> bool:
    """Move the m free variables to their solution, or to the first bound on the way; whether a bound became active."""
    n, share, blocking, bound = u.size, 1.0, -1, FREE
    for a in range(m):
        i, end = free[a], memory[n + 1, a]
        if end < lowest[i] and (lowest[i] - u[i]) / (end - u[i]) < share:
            share, blocking, bound = (lowest[i] - u[i]) / (end - u[i]), i, AT_LOWEST
        elif end > highest[i] and (highest[i] - u[i]) / (end - u[i]) < share:
            share, blocking, bound = (highest[i] - u[i]) / (end - u[i]), i, AT_HIGHEST
    for a in range(m):
        i = free[a]
        u[i] = u[i] + share * (memory[n + 1, a] - u[i]) if blocking >= 0 else memory[n + 1, a]
    if blocking >= 0:
        # Exactly on its bound, which the step reaches but for rounding.
        u[blocking] = lowest[blocking] if bound == AT_LOWEST else highest[blocking]
        active[blocking] = bound
    return blocking >= 0


def wrongly_bound(hessian: Array, gradient: Array, lowest: Array, highest: Array, u: Array, active: Any) -> int:
    """Variable at a bound with the most negative multiplier; -1 where all are positive.

    Variables with equal bounds are never released.
    """
    worst, released = 0.0, -1
    for i in range(u.size):
        if active[i] != FREE and highest[i] > lowest[i]:
            slope, size = gradient[i], abs(gradient[i])
            for c in range(u.size):
                slope += hessian[i, c] * u[c]
                size += abs(hessian[i, c] * u[c])
            # Within rounding a multiplier has no sign: one variable could be released and bound for ever.
            inward = (-slope if active[i] == AT_LOWEST else slope) - MULTIPLIER_TOLERANCE * size
            if inward > worst:
                worst, released = inward, i
    return released


def box_minimum(
    hessian: Array, gradient: Array, lowest: Array, highest: Array, u: Array, memory: Array, active: Any, free: Any
) -> int:
    """Replace a start by the minimum; 0 where the start is within the bounds and is kept, 1 at a bound, -1 on failure.

    H is n x n and positive definite; `u` starts as the minimum without bounds. `active` and `free` are n whole numbers
    each of working memory.
    """
    if not bound_start(lowest, highest, u, active):
        return 0
    for _ in range(MOST_CHANGES * u.size):
        m = factorise_free(hessian, memory, active, free)
        if m < 0:
            return -1
        solve_free(hessian, gradient, u, memory, active, free, m)
        if step_to_bound(lowest, highest, u, memory, active, free, m):
            continue
        released = wrongly_bound(hessian, gradient, lowest, highest, u, active)
        if released < 0:
            return 1
        active[released] = FREE
    return -1


@lru_cache(maxsize=1)
def box_kernel() -> Any:
    """`box_minimum` in machine code, from the cache or compiled now."""

    def make(cached: dict[str, Any]) -> Any:
        registration.register_functions(sys.modules[__name__], without=("box_minimum", "box_kernel"))
        return numba.njit(SIGNATURE, **{**cached, "nogil": False})(box_minimum)

    return from_cache("control allocation", make, seconds=5, key="allocation")
