"""Invariants S1, S2 and S5 of many variants of one vehicle at once.

A sufficient condition is evaluated for all variants together. Those that miss it are checked one by one with the
functions of `invariants`, so verdicts and messages are those of a vehicle file.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from remora.equations.hull.forms.form import HullForce, flat_numbers
from remora.equations.hull.forms.linear import LINEAR
from remora.equations.hull.forms.quadratic import QUADRATIC
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.vehicles.checks.invariants import (
    HEAVE,
    Violation,
    added_mass_violations,
    violations_S1,
    violations_S2,
    violations_S5,
)
from remora.vehicles.hull_forces import hull_forces
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.variants.variations import Variations, of_variant, varied

BoolArray: TypeAlias = NDArray[np.bool_]
_SMALLEST = 1e-200  # scale of a matrix of zeros


def check_variations(
    parameters: VehicleParameters,
    variations: Variations,
    bodies: VehicleParameters,
    locked: tuple[str, ...],
    asymmetry_accepted: bool,
) -> None:
    """Refuse variants that violate an invariant which the varied quantities can affect.

    `bodies` has the parameters of all variants, each number an array over them (`varied` of `over_variants`). Raises an
    InputError with the index of the first variant that violates an invariant.
    """
    v, count = variations, len(next(iter(variations.given.values())))
    rigid_body = (v.mass is not None or v.inertia is not None) and not parameters.total_inertia_only
    inertia = rigid_body or v.center_of_gravity is not None or v.added_mass is not None
    damping = v.linear_damping is not None or v.quadratic_damping is not None
    doubtful = np.zeros(count, dtype=bool)
    if rigid_body:
        doubtful |= ~_is_rigid_body(np.broadcast_to(bodies.mass, count), stacked(bodies.inertia_G, count))
    if inertia:
        doubtful |= ~_is_inertia(bodies, count, locked, asymmetry_accepted)
    if damping:
        doubtful |= ~_dissipates(bodies, count)
    for i in np.flatnonzero(doubtful).tolist():
        variant = varied(parameters, of_variant(v, i))._replace(locked=locked)
        violations = violations_S1(variant) if rigid_body else []
        violations += _inertia_violations(variant, asymmetry_accepted) if inertia else []
        violations += violations_S5(variant, variant.envelope) if damping else []
        for violation in violations:
            raise InputError(f"variant {i}: {violation.text}").about(violation.about)


def _inertia_violations(variant: VehicleParameters, asymmetry_accepted: bool) -> list[Violation]:
    """S2 of one variant."""
    if asymmetry_accepted:
        return added_mass_violations(variant.added_mass, variant.rigid_body_inertia, variant.locked, True)
    return violations_S2(variant)


def stacked(matrix: Any, count: int) -> Array:
    """A matrix of numbers, or of arrays over variants, as one array [variant, row, column]."""
    size = len(matrix)
    result = np.empty((count, size, size))
    for i in range(size):
        for j in range(size):
            result[:, i, j] = matrix[i][j]
    return result


def _is_rigid_body(mass: Array, inertia: Array) -> BoolArray:
    """Sufficient for S1: positive mass; (tr J / 2) 1 - J positive definite, which includes the triangle inequality."""
    half_trace = 0.5 * np.trace(inertia, axis1=1, axis2=2)[:, None, None]
    return (mass > 0.0) & _is_symmetric(inertia) & _is_definite(half_trace * np.eye(3) - inertia)


def _is_inertia(bodies: VehicleParameters, count: int, locked: tuple[str, ...], asymmetry_accepted: bool) -> BoolArray:
    """Sufficient for S2: added mass not negative, total inertia of the free directions positive definite."""
    added, rigid = stacked(bodies.added_mass, count), stacked(bodies.rigid_body_inertia, count)
    holds = _is_added_mass(added, rigid, locked)
    if not asymmetry_accepted:
        holds &= _is_symmetric(added)
    if bodies.heave_up is not None:
        rising = added.copy()
        rising[:, HEAVE, HEAVE] = bodies.heave_up.added_mass
        holds &= _is_added_mass(rising, rigid, locked)
    return holds


def _is_added_mass(added: Array, rigid: Array, locked: tuple[str, ...]) -> BoolArray:
    free = [i for i, name in enumerate(DEGREES_OF_FREEDOM) if name not in locked]
    total = _symmetric_part((rigid + added)[:, free][:, :, free])
    holds = _is_definite(_symmetric_part(added) + _share_of_identity(1e-9, added))
    return holds & _is_definite(total - _share_of_identity(1e-12, total)) if free else holds


def _dissipates(bodies: VehicleParameters, count: int) -> BoolArray:
    """Sufficient for S5: linear damping not negative, quadratic damping dominated by its diagonal; no other terms.

    With speeds scaled so that the diagonal is one, |w_i| |w_j|^2 <= (|w_i|^3 + 2 |w_j|^3) / 3 bounds each coupling.
    """
    if bodies.heave_up or any(any(flat_numbers(force.records)) for force in _beyond_matrices(bodies)):
        return np.zeros(count, dtype=bool)
    linear, quadratic = stacked(bodies.linear_damping, count), stacked(bodies.quadratic_damping, count)
    diagonal = np.diagonal(quadratic, axis1=1, axis2=2)
    scale = np.cbrt(1.0 / np.where(diagonal > 0.0, diagonal, 1.0))
    coupling = np.abs(quadratic) * scale[:, :, None] * scale[:, None, :] ** 2 * (1.0 - np.eye(6))
    bound = (coupling.sum(axis=2) + 2.0 * coupling.sum(axis=1)) / 3.0
    dominated = (diagonal >= 0.0) & (bound <= np.where(diagonal > 0.0, 1.0, 0.0))
    return dominated.all(axis=1) & _is_definite(_symmetric_part(linear) + _share_of_identity(1e-9, linear))


def _beyond_matrices(bodies: VehicleParameters) -> list[HullForce]:
    return [force for force in hull_forces(bodies) if force.form not in (LINEAR, QUADRATIC)]


def _symmetric_part(matrices: Array) -> Array:
    return 0.5 * (matrices + np.swapaxes(matrices, 1, 2))


def _share_of_identity(share: float, matrices: Array) -> Array:
    """The identity times a share of the largest element of each matrix."""
    size = np.maximum(np.abs(matrices).max(axis=(1, 2)), _SMALLEST)
    return share * size[:, None, None] * np.eye(matrices.shape[1])


def _is_symmetric(matrices: Array) -> BoolArray:
    difference = np.abs(matrices - np.swapaxes(matrices, 1, 2)).max(axis=(1, 2))
    return np.asarray(difference <= 1e-9 * np.abs(matrices).max(axis=(1, 2)))


def _is_definite(matrices: Array) -> BoolArray:
    """Whether each matrix, of which the lower triangle counts, is positive definite."""
    try:
        np.linalg.cholesky(matrices)
    except np.linalg.LinAlgError:  # at least one is not
        return np.asarray(np.linalg.eigvalsh(matrices)[:, 0] > 0.0)
    return np.ones(len(matrices), dtype=bool)
