"""Constrained least squares over physically consistent vehicles: positive inertia, dissipative damping.

Both are infinitely many linear constraints: v . M v >= 0 for every v, and dissipated power >= 0 at every twist. A
cutting-plane method adds the violated ones and solves the quadratic programme again until none is violated. The problem
is convex, so the result is the global optimum.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from remora import quadratic
from remora.equations.algebra.vectors import dot6
from remora.files.arrays import Array
from remora.files.problems import listed
from remora.identification.parameter_names import parsed
from remora.identification.parameters import (
    parameter,
    values_of,
    with_values,
)
from remora.vehicles.checks.invariants import damping_terms, damping_wrench, random_twists
from remora.vehicles.hull_forces import while_rising
from remora.vehicles.parameters import VehicleParameters, total_inertia

_ROUNDS = 200
# Relative margin of constraints against rounding.
_MARGIN = 1e-7
_FREE = 1e30
_DISSIPATIVE = "a dissipative damping"


class InfeasibleError(ValueError):
    """No parameter values satisfy all constraints."""


class LinearConstraint(NamedTuple):
    """A linear function of the vehicle parameters that must not be below a limit."""

    function: Callable[[VehicleParameters], float]
    limit: float
    description: str  # of the constraint, for messages


class ConstrainedSolution(NamedTuple):
    """A solution that satisfies all constraints."""

    change: Array
    held: tuple[str, ...]  # parameters on their bound
    cuts: int  # number of cutting planes


def bounds(vehicle: VehicleParameters, names: Sequence[str]) -> tuple[Array, Array]:
    """Lower and upper bound of each parameter."""
    low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    for k, name in enumerate(names):
        one = parsed(name, vehicle)
        if one.is_diagonal and one.head == "total_inertia":
            given = parameter(name, vehicle)
            low[k] = given.read(vehicle) - parameter(f"added_mass.{one.last}", vehicle).read(vehicle)
        elif (
            (one.is_diagonal and one.head in ("added_mass", "damping.linear", "damping.quadratic"))
            or one.kind in ("rising heave", "effectiveness")
            or not one.may_be_negative
        ):
            low[k] = 0.0
    return low, high


def constrained_least_squares(
    factor: Array, vehicle: VehicleParameters, names: Sequence[str], limits: tuple[Array, Array] | None = None
) -> ConstrainedSolution:
    """Best-fitting change of the parameters that gives a physically consistent vehicle.

    `factor` is the triangular factor of the rows [matrix, target], whose columns are the parameters; `limits` bound the
    change of each from below and above, as `bounds` does unless given.
    """
    base = values_of(vehicle, names)
    matrix, target = factor[:, :-1], factor[:, -1]
    scale = np.linalg.norm(matrix, axis=0)
    scale[scale == 0.0] = 1.0
    scaled = matrix / scale
    hessian = scaled.T @ scaled + 1e-12 * np.eye(len(names))
    length = float(np.linalg.norm(target)) or 1.0  # scale: the solver has absolute tolerances
    scale /= length
    gradient = -scaled.T @ target / length
    if limits is None:
        low, high = bounds(vehicle, names)
        limits = low - base, high - base
    box = (limits[0] * scale, limits[1] * scale)
    cuts: list[Array] = []
    floors: list[float] = []
    constraints: list[str] = []
    for _ in range(_ROUNDS):
        try:
            change = _programme(hessian, gradient, cuts, floors, box) / scale
        except InfeasibleError:
            raise InfeasibleError(_infeasible_text(names, constraints)) from None
        held = [at_limit(change * scale, box[0]), at_limit(-change * scale, -box[1])]
        change = np.where(held[0], limits[0], np.where(held[1], limits[1], change))
        found = with_values(vehicle, names, base + change)
        violated = violated_constraints(found)
        new = [cut for cut in (_cut(constraint, vehicle, names, base, scale) for constraint in violated) if cut]
        constraints += [constraint.description for constraint in violated]
        if not new:
            resting = tuple(name for name, *at_bound in zip(names, *held, strict=True) if any(at_bound))
            return ConstrainedSolution(change, resting, len(cuts))
        cuts += [cut[0] for cut in new]
        floors += [cut[1] for cut in new]
    raise InfeasibleError(_infeasible_text(names, constraints))


def _infeasible_text(names: Sequence[str], constraints: Sequence[str]) -> str:
    """Message: constraints that conflict with the fixed parameters."""
    asked = listed(dict.fromkeys(constraints)) or "the bounds of each number"
    return f"no values of {listed(names)} satisfy {asked} with all other parameters as in the vehicle"


def at_limit(values: Array, lowest: Array) -> Any:
    """Mask of values on their lower limit, up to rounding."""
    return values <= lowest + 1e-9 * (1.0 + np.abs(np.where(np.isfinite(lowest), lowest, 0.0)))


def _programme(
    hessian: Array, gradient: Array, cuts: list[Array], limits: list[float], box: tuple[Array, Array]
) -> Array:
    """Minimum of the quadratic function within the box and above all cuts."""
    size = len(gradient)
    rows = np.array(cuts).reshape(len(cuts), size)
    upper = np.concatenate([np.minimum(box[1], _FREE), np.full(len(cuts), _FREE)])
    lower = np.concatenate([np.maximum(box[0], -_FREE), limits])
    kinds = np.zeros(len(upper), dtype=np.int32)
    found, flag, _ = quadratic.solve(hessian, gradient, rows, upper, lower, kinds, 1e-10)
    if flag != quadratic.OPTIMAL:
        raise InfeasibleError(f"the quadratic programme ended with code {flag}")
    return found


def _cut(
    constraint: LinearConstraint, vehicle: VehicleParameters, names: Sequence[str], base: Array, scale: Array
) -> tuple[Array, float] | None:
    """Constraint as a row and a limit for the scaled change; None where no fitted parameter affects it."""
    now = constraint.function(vehicle)
    row = np.array([
        constraint.function(with_values(vehicle, [name], [base[k] + 1.0])) - now for k, name in enumerate(names)
    ]) / scale  # fmt: skip
    size = float(np.linalg.norm(row))
    if size == 0.0:
        return None
    return row / size, (constraint.limit - now) / size


def violated_constraints(vehicle: VehicleParameters) -> list[LinearConstraint]:
    """Constraints on inertia and damping that a vehicle violates, at the worst point of each."""
    violated = [
        *_violated_by_matrix(lambda p: np.array(p.added_mass), vehicle, "a positive added mass"),
        *_violated_by_matrix(lambda p: np.array(total_inertia(p)), vehicle, "a positive inertia"),
        *_violated_by_matrix(lambda p: np.array(p.linear_damping), vehicle, _DISSIPATIVE),
    ]
    return violated or _violated_by_power(vehicle)


def _violated_by_matrix(
    matrix_of: Callable[[VehicleParameters], Any], vehicle: VehicleParameters, description: str
) -> list[LinearConstraint]:
    matrix = matrix_of(vehicle)
    scale = float(np.abs(matrix).max())
    values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    constraints = []
    for value, vector in zip(values, vectors.T, strict=True):
        if value < -0.01 * _MARGIN * scale:

            def power(p: VehicleParameters, v: Array = vector) -> float:
                return float(v @ matrix_of(p) @ v)

            constraints.append(LinearConstraint(power, _MARGIN * scale, description))
    return constraints


def _violated_by_power(vehicle: VehicleParameters) -> list[LinearConstraint]:
    """Twists at which damping adds energy: the worst of a sample for sinking and for rising."""
    twists: Any = random_twists((np.inf,) * 6)
    constraints = []
    for rising in (False, True) if vehicle.heave_up else (False,):
        heave = -abs(twists[2]) if rising else abs(twists[2]) if vehicle.heave_up else twists[2]
        moving = np.array([*twists[:2], heave, *twists[3:]])
        terms = while_rising(damping_terms(vehicle)) if rising else damping_terms(vehicle)
        parts = moving * np.array(damping_wrench(terms, tuple(moving)))
        size = np.abs(parts).sum(axis=0)
        share = parts.sum(axis=0) / np.where(size > 0.0, size, 1.0)
        worst = int(share.argmin())
        if share[worst] < -1e-12:
            constraints.append(_power_constraint(tuple(moving[:, worst].tolist()), rising, float(size[worst])))
    return constraints


def _power_constraint(twist: Any, rising: bool, size: float) -> LinearConstraint:
    def power(p: VehicleParameters) -> float:
        terms = while_rising(damping_terms(p)) if rising else damping_terms(p)
        return float(dot6(twist, damping_wrench(terms, twist)))

    return LinearConstraint(power, _MARGIN * size, _DISSIPATIVE)
