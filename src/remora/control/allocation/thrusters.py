"""Control allocation: thruster forces for a desired wrench, by pseudo-inverse or by bounded quadratic programming.

Forces are effective forces along the axis of each thruster, after losses to the hull. `commands_from_forces` converts
them into commands.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, final

import numpy as np
import scipy.linalg
from numba import float64, void
from numpy.typing import ArrayLike

from remora import quadratic
from remora.control.allocation.box_minimum import box_kernel
from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.plant.kernels.strict import strict_kernel
from remora.vehicles.checks.actuation import RANK_TOLERANCE, allocation_matrix, thrust_limits
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

SIGNATURE = void(float64[:, ::1], float64[::1], float64[::1])


def least_forces(inverse: Array, wrench: Array, forces: Array) -> None:
    """Fill in the forces of n thrusters for a wrench, row by row and without fused multiply-add; `inverse` is n x 6."""
    for i in range(forces.size):
        total = 0.0
        for j in range(6):
            total += inverse[i, j] * wrench[j]
        forces[i] = total


@lru_cache(maxsize=1)
def least_forces_kernel() -> Any:
    """Compiled `least_forces`."""
    return strict_kernel(least_forces, SIGNATURE, "the pseudo-inverse", 1)


# Weight of the wrench error over that of thrust, both normalised by the capability of the vehicle.
SLACK_RATIO = 1e6
# At a limit the finite weight of the slack leaves a few millionths of the wrench in every axis. Below this fraction of
# the largest component a missing wrench is numerical, not a lack of thrust.
NUMERICAL_SHARE = 1e-4


def right_inverse(matrix: Array) -> Array:
    """H^T (H H^T)^-1 where the rows are independent, else the pseudo-inverse by singular values."""
    rows, columns = matrix.shape
    singular = np.linalg.svd(matrix, compute_uv=False)
    smallest = _smallest(matrix)
    if rows <= columns and singular.size and singular.min() > smallest:
        # By QR of the transpose: H^T (H H^T)^-1 without squaring the condition number.
        Q, R = np.linalg.qr(matrix.T)
        return np.ascontiguousarray(Q @ np.linalg.inv(R).T)
    cut = smallest / singular.max() if singular.size and singular.max() > 0.0 else 0.0
    return np.ascontiguousarray(np.linalg.pinv(matrix, rcond=cut))


def uncontrollable_axes(rows: Array, axes: Sequence[int]) -> tuple[str, ...]:
    """Names of the uncontrollable axes, as many as the rank deficiency of the allocation matrix.

    An uncontrollable direction is seldom along one axis only; it is named after its main axis.
    """
    left, singular, _ = np.linalg.svd(rows)
    rank = int(np.sum(singular > _smallest(rows)))
    lost = left[:, rank:]
    if not lost.shape[1]:
        return ()
    pivots = scipy.linalg.qr(lost.T, mode="r", pivoting=True)[1][: lost.shape[1]]
    return tuple(DEGREES_OF_FREEDOM[axes[i]] for i in sorted(pivots))


def _smallest(matrix: Array) -> float:
    """Singular value below which a direction counts as uncontrollable."""
    return float(RANK_TOLERANCE * max(1.0, np.abs(matrix).max(initial=0.0)))


@final
@dataclass(frozen=True, eq=False)
class PseudoInverse:
    """Least-squares forces for a wrench, without limits: u = H^+ tau. Gava et al. 2022, eq. 36.

    `pseudo_inverse` builds it for a vehicle.
    """

    axes: tuple[int, ...]  # controlled rows of the wrench
    matrix: Array  # 6 x n
    inverse: Array  # n x 6, zero in the columns of uncontrolled axes
    uncontrollable: tuple[str, ...]  # requested axes that the thrusters cannot control

    def allocate(self, wrench: Array) -> Array:
        """Forces for a wrench of six numbers; zero forces for one that is not finite."""
        forces = np.empty(len(self.inverse))
        least_forces_kernel()(self.inverse, np.asarray(wrench, dtype=float), forces)
        # One product finds every number that is not finite; a test of each would cost more than the allocation.
        if math.isfinite(forces.dot(forces)):
            return forces
        return np.zeros(forces.size)


ALL_AXES = (0, 1, 2, 3, 4, 5)
HELD_AXES = (0, 1, 2, 5)  # surge, sway, heave and yaw
LARGEST_COST = 5.0  # factor of forces from which on roll or pitch is not held; 1 to 2.4 and 67 for bundled vehicles


def independent_axes(parameters: VehicleParameters, disabled: Iterable[int | str] = ()) -> tuple[int, ...]:
    """Axes that the thrusters can control independently; forces and yaw take precedence over roll and pitch.

    Where thrust ahead always pitches the vehicle, controlling both would trade thrust for torque. The same holds for
    thrusters with a short lever: with roll, 1 N of sway costs 40 N of a thruster of the Falcon in place of 0.6 N; or
    for a torque that the thrusters left can only make against each other, compared with all thrusters. All six where
    no thruster is left.
    """
    intact = allocation_matrix(parameters)
    matrix = intact.copy()
    matrix[:, _indices(parameters, disabled)] = 0.0
    made: list[int] = []
    # In order of precedence: an axis is kept if it goes together with the axes before it.
    for axis in (*HELD_AXES, 3, 4):
        rows = matrix[[*made, axis]]
        if np.sum(np.linalg.svd(rows, compute_uv=False) > _smallest(rows)) < len(rows):
            continue
        costs = _largest_forces(rows)
        over_others = (costs[:-1] / _largest_forces(matrix[made])).max(initial=0.0)
        over_intact = (costs / _largest_forces(intact[[*made, axis]])).max()
        if axis in HELD_AXES or max(over_others, over_intact) < LARGEST_COST:
            made.append(axis)
    return tuple(sorted(made)) or ALL_AXES


def _largest_forces(rows: Array) -> Array:
    """Largest force of a thruster for a unit wrench in each of some axes, with none in the others."""
    return np.asarray(np.abs(np.linalg.pinv(rows)).max(axis=0), dtype=float)


def pseudo_inverse(
    parameters: VehicleParameters,
    axes: tuple[int, ...] = ALL_AXES,
    disabled: Iterable[int | str] = (),
    servo_angles: Sequence[float] = (),
) -> PseudoInverse:
    """Control allocation by pseudo-inverse for a vehicle.

    Parameters
    ----------
    parameters
        The vehicle.
    axes
        Controlled degrees of freedom by index: surge 0, sway 1, heave 2, roll 3, pitch 4, yaw 5.
    disabled
        Thrusters not to use, by index or name.
    servo_angles
        Angles of the servos, rad; default zero.
    """
    matrix = allocation_matrix(parameters, servo_angles)
    matrix[:, _indices(parameters, disabled)] = 0.0
    rows = matrix[list(axes)]
    inverse = np.ascontiguousarray(_all_columns(right_inverse(rows), axes))
    return PseudoInverse(tuple(axes), matrix, inverse, uncontrollable_axes(rows, axes))


class AllocatedForces(NamedTuple):
    """Forces found by an allocation, and the wrench that is missing."""

    forces: Array  # N, effective, one per thruster
    wrench: Array  # total wrench of the thrusters, six numbers
    missing: Array  # desired minus achieved wrench, six numbers; zero in uncontrolled axes
    limited: bool  # whether a thruster is at its limit

    @property
    def shortfall(self) -> Wrench:
        """Missing wrench due to thruster limits, for anti-windup: `missing` without its numerical part."""
        least = NUMERICAL_SHARE * float(np.abs(self.wrench + self.missing).max())
        X, Y, Z, K, M, N = (value if abs(value) > least else 0.0 for value in self.missing.tolist())
        return (X, Y, Z, K, M, N)


@final
@dataclass(frozen=True, eq=False)
class BoundedAllocation:
    """Least forces within limits that come closest to a wrench.

    It minimises u^T Q u + s^T S s with B u = tau + s and lowest <= u <= highest, the slack s weighing a million times
    more than the forces, as in the control chain of Britto Neto 2018. Within the limits the solution equals the
    pseudo-inverse to rounding and needs no solver; otherwise an active-set method finds the exact optimum.
    Disabled thrusters have limits of zero.

    `bounded_allocation` builds it for a vehicle.
    """

    axes: tuple[int, ...]
    matrix: Array  # 6 x n
    lowest: Array
    highest: Array
    controlled: Array  # six numbers: one for a controlled axis, else zero
    inverse: Array  # n x 6, weighted pseudo-inverse
    hessian: Array  # n x n
    gradient: Array  # n x 6: linear term per desired wrench, negative
    uncontrollable: tuple[str, ...]  # requested axes that the thrusters cannot control
    memory: tuple[Array, Any, Any]  # of `box_minimum`

    def allocate(self, wrench: ArrayLike, reach: tuple[Array, Array] | None = None) -> AllocatedForces:
        """Forces for a wrench of six numbers; zero forces for one that is not finite.

        `reach` narrows the limits, lowest and highest forces in N: what the thrusters can reach within one period.
        """
        desired = np.asarray(wrench, dtype=float)
        forces: Array = self.inverse.dot(desired)
        if not math.isfinite(forces.dot(forces)):
            return AllocatedForces(np.zeros(forces.size), np.zeros(6), np.zeros(6), False)
        lowest, highest = (self.lowest, self.highest) if reach is None else reach
        # In place: the unbounded optimum is the start, and stays where it lies within the limits.
        found = box_kernel()(self.hessian, self.gradient.dot(desired), lowest, highest, forces, *self.memory)
        if found < 0:
            forces = self.by_programme(desired, lowest, highest)
        achieved = self.matrix.dot(forces)
        return AllocatedForces(forces, achieved, self.controlled * (desired - achieved), found != 0)

    def by_programme(self, desired: Array, lowest: Array, highest: Array) -> Array:
        """The bounded optimum as a quadratic programme; if it fails, the unbounded one scaled to the limits."""
        forces = self.inverse.dot(desired)
        empty, kinds = np.zeros((0, forces.size)), np.zeros(forces.size, dtype=np.int32)
        found, flag, _ = quadratic.solve(self.hessian, self.gradient @ desired, empty, highest, lowest, kinds, 1e-9)
        if flag != quadratic.OPTIMAL or not np.all(np.isfinite(found)):
            usable = highest > lowest
            room = np.where(forces > 0.0, highest, lowest)
            # One factor for all thrusters keeps the direction of the wrench.
            excess = forces[usable & (room != 0.0)] / room[usable & (room != 0.0)]
            found = np.where(usable, forces, 0.0) / excess.max(initial=1.0)
        return np.clip(found, lowest, highest)


def bounded_allocation(
    parameters: VehicleParameters,
    axes: tuple[int, ...] = ALL_AXES,
    disabled: Iterable[int | str] = (),
    importance: ArrayLike | None = None,
    effort: ArrayLike | None = None,
    servo_angles: Sequence[float] = (),
) -> BoundedAllocation:
    """Control allocation within thrust limits for a vehicle.

    Parameters
    ----------
    parameters
        The vehicle; its limits are those of `thrust_limits`, at rest in still water.
    axes
        Controlled degrees of freedom by index: surge 0, sway 1, heave 2, roll 3, pitch 4, yaw 5.
    disabled
        Thrusters not to use, by index or name.
    importance
        Weight of each axis for wrenches beyond the limits; default ones, where an error of one newton weighs as much as
        one of a newton metre. Small vehicles keep their attitude better with larger weights on torques.
    effort
        Cost of a newton of each thruster; default ones.
    servo_angles
        Angles of the servos, rad; default zero.

    Raises
    ------
    ValueError
        When a thruster is not known, or a weight is not positive.
    """
    matrix, limits = allocation_matrix(parameters, servo_angles), thrust_limits(parameters)
    off = _indices(parameters, disabled)
    matrix[:, off], limits[off] = 0.0, 0.0
    B = matrix[list(axes)]
    count = B.shape[1]
    span = np.where(np.isfinite(limits), np.abs(limits), 1.0).max(axis=1, initial=0.0)
    scale = span.max(initial=0.0) or 1.0
    # One scale for all axes: without limits the solution is the plain pseudo-inverse, of any rank.
    weight = _positive("importance", importance, len(axes)) / ((np.abs(B) @ span).max(initial=0.0) or 1.0)
    cost = np.sqrt(_positive("effort", effort, len(span))) / scale
    inverse = right_inverse((weight[:, None] * B) / cost) * weight / cost[:, None]
    weighted = SLACK_RATIO * B.T * weight**2
    box_kernel()  # compiled now, if ever, and not within a run
    # The effort is measured from the unbounded optimum: no bias, and the same optimum on feasible wrenches.
    return BoundedAllocation(
        axes=tuple(axes),
        matrix=matrix,
        lowest=np.ascontiguousarray(limits[:, 0]),
        highest=np.ascontiguousarray(limits[:, 1]),
        controlled=np.isin(np.arange(6), axes).astype(float),
        inverse=_all_columns(inverse, axes),
        hessian=np.ascontiguousarray(scale**2 * (weighted @ B + np.diag(cost**2))),
        gradient=_all_columns(-(scale**2) * (weighted + cost[:, None] ** 2 * inverse), axes),
        uncontrollable=uncontrollable_axes(B, axes),
        memory=(np.zeros((count + 3, count)), np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)),
    )


def _all_columns(columns: Array, axes: Sequence[int]) -> Array:
    """A matrix with a column for each of six axes, zero for uncontrolled ones."""
    full = np.zeros((len(columns), 6))
    full[:, list(axes)] = columns
    return full


def _indices(parameters: VehicleParameters, disabled: Iterable[int | str]) -> list[int]:
    """Thrusters by index or name, as indices."""
    names = parameters.thruster_names
    found = []
    for thruster in disabled:
        index = names.index(thruster) if thruster in names else thruster
        if not isinstance(index, int) or not 0 <= index < len(names):
            raise ValueError(f"unknown thruster {thruster!r}: choose from {', '.join(names)}, or an index from 0")
        found.append(index)
    return found


def _positive(name: str, values: ArrayLike | None, count: int) -> Array:
    array = np.ones(count) if values is None else np.asarray(values, dtype=float)
    if array.shape != (count,) or not np.all((array > 0.0) & np.isfinite(array)):
        raise ValueError(f"{name} is {values!r}: give {count} positive numbers")
    return array
