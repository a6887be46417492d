"""Loops and redundant links: block Cholesky on the body graph with residual-corrected sweeps.

(M + rho J^T J) a = f + J^T (lambda + rho b) is factored once with 6x6 blocks. Each sweep solves for the residual of
equation of motion and constraints and adds rho times the constraint residual to the multipliers, so neither a
pseudo-inverse nor a decision on the rank is needed. The multipliers of redundant rows are those of this iteration,
started at zero: the accelerations are unique, the forces within a redundant loop are not.
"""

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.links.joint import ACCELERATION, LINK_SIZE, Gains
from remora.files.arrays import Array
from remora.plant.arrays import array_view
from remora.plant.multibody.solvers.link_rows import rows_of_link
from remora.plant.multibody.solvers.memory import (
    BLOCKS,
    BODIES,
    COUPLING,
    DIAGONAL,
    ELIMINATED,
    ERROR_GAIN,
    FIXED,
    FORCE,
    LINKS,
    LOAD_BLOCKS,
    LOAD_SIZE,
    LOADS,
    LOOP_BODIES,
    LOOP_LINKS,
    LOOP_RECORDS,
    MOTION,
    MULTIPLIERS,
    ON_FIRST,
    ON_SECOND,
    RATE_GAIN,
    RESIDUAL,
    RIGHT,
    SETTINGS,
    SLOTS,
    STARTS,
    UPDATES,
    Integers,
    LinkedPair,
    LinkRows,
)

FIRST, SECOND, LINK_KIND, SLOT, FLIPPED, ROW_COUNT, LOOP_LINK_SIZE = 0, 1, 2, 3, 4, 5, 6  # columns of a link in a loop
# A larger one takes fewer sweeps and loses more digits in the factor, which the sweeps on the residual give back.
STIFFNESS = 1e5  # rho relative to the mean inertia
MOST_SWEEPS = 12
CONVERGED = 1e-14  # residual of a row relative to its terms
SMALLEST_MOTION = 1e-6  # SI: terms of rows below this count as this, so that rounding at rest is no contradiction


def inertia_entry(load: Array, i: int, j: int) -> float:
    """One element of the 6x6 inertia of a body."""
    if i < 3:
        return float(load[LOAD_BLOCKS + 3 * i + j] if j < 3 else load[LOAD_BLOCKS + 9 + 3 * i + j - 3])
    return float(load[LOAD_BLOCKS + 9 + 3 * j + i - 3] if j < 3 else load[LOAD_BLOCKS + 18 + 3 * (i - 3) + j - 3])


def cholesky6(A: Array) -> None:
    """Lower Cholesky factor of a 6x6 matrix, in place."""
    for j in range(6):
        for k in range(j):
            for i in range(j, 6):
                A[i, j] -= A[i, k] * A[j, k]
        scale = 1.0 / np.sqrt(A[j, j])
        for i in range(j, 6):
            A[i, j] *= scale


def divide_by_factor(X: Array, L: Array) -> None:
    """X L^-T, in place."""
    for j in range(6):
        for k in range(j):
            c = L[j, k]
            for i in range(6):
                X[i, j] -= X[i, k] * c
        scale = 1.0 / L[j, j]
        for i in range(6):
            X[i, j] *= scale


def subtract_product(T: Array, X: Array, Y: Array, transposed: int) -> None:
    """T - X Y^T, or T - Y X^T, in place."""
    for i in range(6):
        for k in range(6):
            c = X[i, k]
            for j in range(6):
                if transposed == 0:
                    T[i, j] -= c * Y[j, k]
                else:
                    T[j, i] -= c * Y[j, k]


def factor(codes: Integers, memory: Array) -> None:
    """Block Cholesky factor, in place; block (later, earlier) of a pair of bodies is stored."""
    bodies = array_view(codes, codes[ELIMINATED], (codes[LOOP_BODIES], 3))
    blocks = array_view(codes, codes[BLOCKS], (codes[SLOTS], 2))
    diagonal = array_view(memory, codes[DIAGONAL], (codes[BODIES], 6, 6))
    coupling = array_view(memory, codes[COUPLING], (codes[SLOTS], 6, 6))
    # The columns of these tables are explained at `topology.FactorPlan`.
    starts = array_view(codes, codes[STARTS], (codes[LOOP_BODIES] + 1,))
    updates = array_view(codes, codes[UPDATES], (starts[codes[LOOP_BODIES]], 5))
    for step in range(codes[LOOP_BODIES]):
        body, first, count = bodies[step, 0], bodies[step, 1], bodies[step, 2]
        cholesky6(diagonal[body])
        for t in range(first, first + count):
            divide_by_factor(coupling[blocks[t, 1]], diagonal[body])
        for t in range(starts[step], starts[step + 1]):
            X, Y = coupling[updates[t, 0]], coupling[updates[t, 1]]
            if updates[t, 3] < 0:
                subtract_product(diagonal[updates[t, 2]], X, Y, updates[t, 4])
            else:
                subtract_product(coupling[updates[t, 3]], X, Y, updates[t, 4])


def substitute(codes: Integers, memory: Array) -> None:
    """Solve with the block Cholesky factor for the residual, in place."""
    bodies = array_view(codes, codes[ELIMINATED], (codes[LOOP_BODIES], 3))
    blocks = array_view(codes, codes[BLOCKS], (codes[SLOTS], 2))
    diagonal = array_view(memory, codes[DIAGONAL], (codes[BODIES], 6, 6))
    coupling = array_view(memory, codes[COUPLING], (codes[SLOTS], 6, 6))
    # L y = f from the first eliminated body to the last, then L^T x = y backwards.
    f = array_view(memory, codes[RESIDUAL], (codes[BODIES], 6))
    for step in range(codes[LOOP_BODIES]):
        body, first, count = bodies[step, 0], bodies[step, 1], bodies[step, 2]
        L = diagonal[body]
        for i in range(6):
            for k in range(i):
                f[body, i] -= L[i, k] * f[body, k]
            f[body, i] /= L[i, i]
        for t in range(first, first + count):
            other, X = blocks[t, 0], coupling[blocks[t, 1]]
            for i in range(6):
                for k in range(6):
                    f[other, i] -= X[i, k] * f[body, k]
    for step in range(codes[LOOP_BODIES] - 1, -1, -1):
        body, first, count = bodies[step, 0], bodies[step, 1], bodies[step, 2]
        L = diagonal[body]
        for t in range(first, first + count):
            other, X = blocks[t, 0], coupling[blocks[t, 1]]
            for i in range(6):
                for k in range(6):
                    f[body, k] -= X[i, k] * f[other, i]
        for i in range(5, -1, -1):
            for k in range(i + 1, 6):
                f[body, i] -= L[k, i] * f[body, k]
            f[body, i] /= L[i, i]


def fill_rows(codes: Integers, memory: Array, at_x: int, level: int) -> None:
    """Rows of all links of loops; columns of fixed bodies are zero."""
    links = array_view(codes, codes[LINKS], (codes[LOOP_LINKS], LOOP_LINK_SIZE))
    fixed = array_view(codes, codes[FIXED], (codes[BODIES],))
    loads = array_view(memory, codes[LOADS], (codes[BODIES], LOAD_SIZE))
    records = array_view(memory, codes[LOOP_RECORDS], (codes[LOOP_LINKS], LINK_SIZE))
    on_first = array_view(memory, codes[ON_FIRST], (codes[LOOP_LINKS], 6, 6))
    on_second = array_view(memory, codes[ON_SECOND], (codes[LOOP_LINKS], 6, 6))
    right = array_view(memory, codes[RIGHT], (codes[LOOP_LINKS], 6))
    multipliers = array_view(memory, codes[MULTIPLIERS], (codes[LOOP_LINKS], 6))
    x = array_view(memory, at_x, (codes[BODIES], BODY_SIZE))
    gains = Gains(memory[codes[SETTINGS] + RATE_GAIN], memory[codes[SETTINGS] + ERROR_GAIN])
    for e in range(codes[LOOP_LINKS]):
        a, b, kind = links[e, FIRST], links[e, SECOND], links[e, LINK_KIND]
        on_A, on_B = on_first[e], on_second[e]
        pair = LinkedPair(records[e], x[a], x[b], loads[a], loads[b])
        rows_of_link(kind, pair, gains, level, LinkRows(on_A, on_B, right[e]))
        for k in range(links[e, ROW_COUNT]):
            for j in range(6):
                on_A[k, j] = 0.0 if fixed[a] == 1 else on_A[k, j]
                on_B[k, j] = 0.0 if fixed[b] == 1 else on_B[k, j]
            # No warm start: forces in a redundant loop depend on it, and equal states shall give equal forces.
            multipliers[e, k] = 0.0


def mean_inertia(codes: Integers, memory: Array) -> float:
    """Mean of the diagonal elements of the inertias."""
    bodies = array_view(codes, codes[ELIMINATED], (codes[LOOP_BODIES], 3))
    loads = array_view(memory, codes[LOADS], (codes[BODIES], LOAD_SIZE))
    # Masses and moments in one mean: it scales rho, on which the speed of the sweeps depends and not their result.
    total = 0.0
    for step in range(codes[LOOP_BODIES]):
        for i in range(6):
            total += inertia_entry(loads[bodies[step, 0]], i, i)
    return total / (6.0 * codes[LOOP_BODIES])


def add_row_products(rows: int, J: Array, K: Array, rho: float, transposed: int, target: Array) -> None:
    """Add rho J^T K, or its transpose, to a block."""
    for i in range(6):
        for j in range(6):
            total = 0.0
            for k in range(rows):
                total += J[k, i] * K[k, j]
            if transposed == 0:
                target[i, j] += rho * total
            else:
                target[j, i] += rho * total


def assemble(codes: Integers, memory: Array, rho: float) -> None:
    """M + rho J^T J in blocks."""
    bodies = array_view(codes, codes[ELIMINATED], (codes[LOOP_BODIES], 3))
    links = array_view(codes, codes[LINKS], (codes[LOOP_LINKS], LOOP_LINK_SIZE))
    fixed = array_view(codes, codes[FIXED], (codes[BODIES],))
    loads = array_view(memory, codes[LOADS], (codes[BODIES], LOAD_SIZE))
    diagonal = array_view(memory, codes[DIAGONAL], (codes[BODIES], 6, 6))
    coupling = array_view(memory, codes[COUPLING], (codes[SLOTS], 6, 6))
    on_first = array_view(memory, codes[ON_FIRST], (codes[LOOP_LINKS], 6, 6))
    on_second = array_view(memory, codes[ON_SECOND], (codes[LOOP_LINKS], 6, 6))
    for step in range(codes[LOOP_BODIES]):
        body = bodies[step, 0]
        for i in range(6):
            for j in range(6):
                own = inertia_entry(loads[body], i, j)
                # A fixed body has no rows and no residual: a unit block keeps the factor regular.
                diagonal[body, i, j] = (1.0 if i == j else 0.0) if fixed[body] == 1 else own
    for slot in range(codes[SLOTS]):
        for i in range(6):
            for j in range(6):
                coupling[slot, i, j] = 0.0
    for e in range(codes[LOOP_LINKS]):
        a, b, rows = links[e, FIRST], links[e, SECOND], links[e, ROW_COUNT]
        J, K = on_first[e], on_second[e]
        add_row_products(rows, J, J, rho, 0, diagonal[a])
        add_row_products(rows, K, K, rho, 0, diagonal[b])
        # The body that is eliminated later has the rows of the block, whichever end of the link it is.
        add_row_products(rows, J, K, rho, links[e, FLIPPED], coupling[links[e, SLOT]])


def fill_residual(codes: Integers, memory: Array, rho: float, level: int) -> None:
    """Residual of the equation of motion, with the constraint residual weighted by rho."""
    bodies = array_view(codes, codes[ELIMINATED], (codes[LOOP_BODIES], 3))
    links = array_view(codes, codes[LINKS], (codes[LOOP_LINKS], LOOP_LINK_SIZE))
    fixed = array_view(codes, codes[FIXED], (codes[BODIES],))
    loads = array_view(memory, codes[LOADS], (codes[BODIES], LOAD_SIZE))
    motion = array_view(memory, codes[MOTION], (codes[BODIES], 6))
    on_first = array_view(memory, codes[ON_FIRST], (codes[LOOP_LINKS], 6, 6))
    on_second = array_view(memory, codes[ON_SECOND], (codes[LOOP_LINKS], 6, 6))
    right = array_view(memory, codes[RIGHT], (codes[LOOP_LINKS], 6))
    multipliers = array_view(memory, codes[MULTIPLIERS], (codes[LOOP_LINKS], 6))
    residual = array_view(memory, codes[RESIDUAL], (codes[BODIES], 6))
    for step in range(codes[LOOP_BODIES]):
        body = bodies[step, 0]
        for i in range(6):
            left = loads[body, FORCE + i] if level == ACCELERATION else 0.0
            for j in range(6):
                left -= inertia_entry(loads[body], i, j) * motion[body, j]
            residual[body, i] = 0.0 if fixed[body] == 1 else left
    for e in range(codes[LOOP_LINKS]):
        a, b, J, K = links[e, FIRST], links[e, SECOND], on_first[e], on_second[e]
        for k in range(links[e, ROW_COUNT]):
            open_part = right[e, k]
            for j in range(6):
                open_part -= J[k, j] * motion[a, j] + K[k, j] * motion[b, j]
            weight = multipliers[e, k] + rho * open_part
            for j in range(6):
                residual[a, j] += J[k, j] * weight
                residual[b, j] += K[k, j] * weight


def update_multipliers(codes: Integers, memory: Array, rho: float) -> float:
    """Add rho times the residual to the multipliers: the largest residual relative to the terms of the rows."""
    links = array_view(codes, codes[LINKS], (codes[LOOP_LINKS], LOOP_LINK_SIZE))
    motion = array_view(memory, codes[MOTION], (codes[BODIES], 6))
    on_first = array_view(memory, codes[ON_FIRST], (codes[LOOP_LINKS], 6, 6))
    on_second = array_view(memory, codes[ON_SECOND], (codes[LOOP_LINKS], 6, 6))
    right = array_view(memory, codes[RIGHT], (codes[LOOP_LINKS], 6))
    multipliers = array_view(memory, codes[MULTIPLIERS], (codes[LOOP_LINKS], 6))
    worst, largest = 0.0, SMALLEST_MOTION
    for e in range(codes[LOOP_LINKS]):
        a, b, J, K = links[e, FIRST], links[e, SECOND], on_first[e], on_second[e]
        for k in range(links[e, ROW_COUNT]):
            open_part, size = right[e, k], abs(right[e, k])
            for j in range(6):
                first, second = J[k, j] * motion[a, j], K[k, j] * motion[b, j]
                open_part -= first + second
                size += abs(first) + abs(second)
            multipliers[e, k] += rho * open_part
            # Relative to the largest row of all: rows of a link at rest have no size to be compared with.
            worst, largest = max(worst, abs(open_part)), max(largest, size)
    return float(worst / largest)


def add_correction(codes: Integers, memory: Array) -> None:
    """Add the solution of a sweep to the motions."""
    bodies = array_view(codes, codes[ELIMINATED], (codes[LOOP_BODIES], 3))
    motion = array_view(memory, codes[MOTION], (codes[BODIES], 6))
    residual = array_view(memory, codes[RESIDUAL], (codes[BODIES], 6))
    for step in range(codes[LOOP_BODIES]):
        for i in range(6):
            motion[bodies[step, 0], i] += residual[bodies[step, 0], i]


def clear_motions(codes: Integers, memory: Array) -> None:
    """Zero the motions of all bodies in loops."""
    bodies = array_view(codes, codes[ELIMINATED], (codes[LOOP_BODIES], 3))
    motion = array_view(memory, codes[MOTION], (codes[BODIES], 6))
    for step in range(codes[LOOP_BODIES]):
        for i in range(6):
            motion[bodies[step, 0], i] = 0.0


def solve_loops(codes: Integers, memory: Array, at_x: int, level: int) -> float:
    """Motions of all bodies in components with loops: the largest relative residual of a row that remains."""
    if codes[LOOP_BODIES] == 0:
        return 0.0
    fill_rows(codes, memory, at_x, level)
    rho = STIFFNESS * mean_inertia(codes, memory)
    assemble(codes, memory, rho)
    factor(codes, memory)
    clear_motions(codes, memory)
    left = np.inf
    for _ in range(MOST_SWEEPS):
        fill_residual(codes, memory, rho, level)
        substitute(codes, memory)
        add_correction(codes, memory)
        before, left = left, update_multipliers(codes, memory, rho)
        # Rounding, or rows that contradict each other, hold a residual that no longer halves.
        if left <= CONVERGED or left > 0.5 * before:
            break
    return float(left)
