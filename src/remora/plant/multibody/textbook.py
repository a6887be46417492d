"""Textbook formulations of constrained dynamics with dense matrices, as checks of the compiled solvers.

All take the stacked inertia M, the stacked force f, and constraints J a = b, and return accelerations. Nielsen 2018,
ch. 3.2; Udwadia and Kalaba 1992.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.links.joint import ACCELERATION, Gains
from remora.files.arrays import Array
from remora.plant.multibody.assembly import ends_of
from remora.plant.multibody.link_table import KINDS, record_of
from remora.plant.multibody.multibody_plant import MultibodyPlant
from remora.plant.multibody.solvers.link_rows import ROWS_OF_KIND, rows_of_link
from remora.plant.multibody.solvers.loop_solver import inertia_entry
from remora.plant.multibody.solvers.memory import FORCE, LOAD_SIZE, ROTATION, LinkedPair, LinkRows

RANK_CUTOFF = 1e-9  # of a singular value relative to the largest
Solver = Callable[[Array, Array, Array, Array], Array]


class DenseSystem(NamedTuple):
    """Equation of motion M a = f + J^T lambda and constraints J a = b of all moving bodies, stacked."""

    M: Array
    f: Array
    J: Array
    b: Array


def constraint_rows(plant: MultibodyPlant, bodies: Array, level: int = ACCELERATION) -> tuple[Array, Array]:
    """Rows of all links and their right-hand sides; columns of fixed bodies are zero.

    Body states are [body, 13]; the level of the right-hand side is ACCELERATION, VELOCITY or POSITION.
    """
    n, found, right = len(plant.bodies), [], []
    loads = np.zeros((n, LOAD_SIZE))
    loads[:, ROTATION : ROTATION + 9] = [np.ravel(rotation_matrix(tuple(x[3:7].tolist()))) for x in bodies]
    gains = Gains(2.0 * plant.stabilisation[0], plant.stabilisation[1] ** 2)
    for link, (a, b) in zip(plant.links, ends_of(plant.bodies, plant.links), strict=True):
        kind = KINDS.index(link.kind)
        on_A, on_B, values, rows = np.zeros((6, 6)), np.zeros((6, 6)), np.zeros(6), ROWS_OF_KIND[kind]
        if rows:
            ends = bodies[a], bodies[b], loads[a], loads[b]
            rows_of_link(kind, LinkedPair(record_of(link), *ends), gains, level, LinkRows(on_A, on_B, values))
        whole = np.zeros((rows, n, 6))
        whole[:, a], whole[:, b] = on_A[:rows], on_B[:rows]
        whole[:, [body.fixed for body in plant.bodies]] = 0.0
        found.append(whole.reshape(rows, 6 * n))
        right.append(values[:rows])
    return np.vstack([np.zeros((0, 6 * n)), *found]), np.concatenate([np.zeros(0), *right])


def dense_system(plant: MultibodyPlant, state: Array, *inputs: Any) -> DenseSystem:
    """The stacked system of a state, with the loads of the compiled plant; inputs as in `MultibodyPlant.step`."""
    memory = plant.solved(state, *inputs)
    bodies, n = plant.body_states(state), len(plant.bodies)
    J, b = constraint_rows(plant, bodies)
    M = np.zeros((6 * n, 6 * n))
    for i, load in enumerate(memory["loads"]):
        M[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = [[inertia_entry(load, r, c) for c in range(6)] for r in range(6)]
    return DenseSystem(M, memory["loads"][:, FORCE : FORCE + 6].ravel().copy(), J, b)


def inverse_root(M: Array) -> Array:
    """M^-1/2 of a symmetric positive definite matrix."""
    values, vectors = np.linalg.eigh(M)
    root: Array = (vectors / np.sqrt(values)) @ vectors.T
    return root


def udwadia_kalaba(M: Array, f: Array, J: Array, b: Array) -> Array:
    """a = a_u + M^-1/2 (J M^-1/2)^+ (b - J a_u): redundant rows allowed. Nielsen 2018, eq. 3.50."""
    free, root = np.linalg.solve(M, f), inverse_root(M)
    a: Array = free + root @ (np.linalg.pinv(J @ root, rcond=RANK_CUTOFF) @ (b - J @ free))
    return a


def multiplier_elimination(M: Array, f: Array, J: Array, b: Array) -> Array:
    """Index-1 form with multipliers, solved as one system; J of full row rank. Nielsen 2018, eq. 3.22."""
    rows = len(b)
    system = np.block([[M, -J.T], [J, np.zeros((rows, rows))]])
    a: Array = np.linalg.solve(system, np.concatenate([f, b]))[: len(f)]
    return a


def null_space(M: Array, f: Array, J: Array, b: Array) -> Array:
    """Maggi and Kane: accelerations in a basis of the null space of the rows. Nielsen 2018, eq. 3.36."""
    _, s, vt = np.linalg.svd(J)
    rank = int((s > RANK_CUTOFF * max(s, default=0.0)).sum())
    basis, particular = vt[rank:].T, np.linalg.pinv(J, rcond=RANK_CUTOFF) @ b
    a: Array = particular + basis @ np.linalg.solve(basis.T @ M @ basis, basis.T @ (f - M @ particular))
    return a


def least_constraint(M: Array, f: Array, J: Array, b: Array) -> Array:
    """Gauss: least squares of M^1/2 (a - a_u) under J a = b, by elimination of the constrained directions with QR."""
    free = np.linalg.solve(M, f)
    L = np.linalg.cholesky(M)  # y = L^T (a - a_u), minimise |y| with J L^-T y = b - J a_u
    y = np.linalg.lstsq(np.linalg.solve(L, J.T).T, b - J @ free, rcond=RANK_CUTOFF)[0]
    return np.asarray(free + np.linalg.solve(L.T, y), dtype=float)


FORMULATIONS: dict[str, Solver] = {
    "Udwadia-Kalaba": udwadia_kalaba,
    "multiplier elimination": multiplier_elimination,
    "Kane-Maggi null space": null_space,
    "Gauss least constraint": least_constraint,
}
