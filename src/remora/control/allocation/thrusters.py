"""Allocation: which thruster pushes how much so that together they make a wanted wrench.

Forces here are effective ones, along the axis of each thruster and after losses to the hull. `commands_from_forces`
turns them into commands.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import daqp
import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike

from remora.equations.algebra.vectors import Wrench
from remora.files.arrays import Array
from remora.vehicles.checks.actuation import RANK_TOLERANCE, allocation_matrix, thrust_limits
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

# A wrong newton weighs so much more than a newton of thrust, both as shares of what the vehicle can do.
SLACK_RATIO = 1e6
SOLVED = 1  # what the solver calls an optimum
# At a limit the finite weight of the slack leaves a few millionths of the wrench unmade in every axis. What is below
# this share of the largest component is that, and no lack of thrust.
TRACE = 1e-4


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
    """Names of the axes that the thrusters cannot make, as many as the rank of their matrix falls short.

    A wrench that no thrusters make is seldom along one axis only; it is named after the axis it is mainly in.
    """
    left, singular, _ = np.linalg.svd(rows)
    rank = int(np.sum(singular > _smallest(rows)))
    lost = left[:, rank:]
    if not lost.shape[1]:
        return ()
    pivots = scipy.linalg.qr(lost.T, mode="r", pivoting=True)[1][: lost.shape[1]]
    return tuple(DEGREES_OF_FREEDOM[axes[i]] for i in sorted(pivots))


def _smallest(matrix: Array) -> float:
    """The singular value below which a direction counts as not there."""
    return float(RANK_TOLERANCE * max(1.0, np.abs(matrix).max(initial=0.0)))


@final
@dataclass(frozen=True, eq=False)
class PseudoInverse:
    """The least forces that make a wrench, limits left aside: u = H^+ tau. Gava et al. 2022, eq. 36.

    `pseudo_inverse` makes one for a vehicle.
    """

    axes: tuple[int, ...]  # rows of the wrench that are made; the others are left to chance
    matrix: Array  # 6 x n
    inverse: Array  # n x 6, zero in the columns nobody asks for
    uncontrollable: tuple[str, ...]  # asked for, but beyond these thrusters

    def allocate(self, wrench: Array) -> Array:
        """Forces for a wrench of six numbers; no force at all for one that is no finite number."""
        forces: Array = self.inverse.dot(wrench)  # quicker than @ for so few numbers
        if math.isfinite(forces.dot(forces)):
            return forces
        return np.zeros(forces.size)


ALL_AXES = (0, 1, 2, 3, 4, 5)
HELD_AXES = (0, 1, 2, 5)  # surge, sway, heave and yaw


def independent_axes(parameters: VehicleParameters, disabled: Iterable[int | str] = ()) -> tuple[int, ...]:
    """Axes that the thrusters can make apart from each other; forces and yaw go before roll and pitch.

    Where a push ahead always pitches the vehicle, both asked for together would give up thrust for torque. All six
    where no thruster is left.
    """
    matrix = allocation_matrix(parameters)
    matrix[:, _indices(parameters, disabled)] = 0.0
    made: list[int] = []
    for axis in (*HELD_AXES, 3, 4):
        rows = matrix[[*made, axis]]
        if np.sum(np.linalg.svd(rows, compute_uv=False) > _smallest(rows)) == len(rows):
            made.append(axis)
    return tuple(sorted(made)) or ALL_AXES


def pseudo_inverse(
    parameters: VehicleParameters,
    axes: tuple[int, ...] = ALL_AXES,
    disabled: Iterable[int | str] = (),
    servo_angles: Sequence[float] = (),
) -> PseudoInverse:
    """The pseudo-inverse for a vehicle at the angles of its servos, without its disabled thrusters by index or name."""
    matrix = allocation_matrix(parameters, servo_angles)
    matrix[:, _indices(parameters, disabled)] = 0.0
    rows = matrix[list(axes)]
    inverse = _all_columns(right_inverse(rows), axes)
    return PseudoInverse(tuple(axes), matrix, inverse, uncontrollable_axes(rows, axes))


class AllocatedForces(NamedTuple):
    """What an allocation came to."""

    forces: Array  # N, effective, one per thruster
    wrench: Array  # what they make together, six numbers
    missing: Array  # what was wanted and is not made, six numbers; zero in the axes nobody asked for
    limited: bool  # some thruster is at its limit

    @property
    def shortfall(self) -> Wrench:
        """What the thrusters cannot make: `missing` without the trace that the solution leaves at a limit."""
        least = TRACE * float(np.abs(self.wrench + self.missing).max())
        X, Y, Z, K, M, N = (value if abs(value) > least else 0.0 for value in self.missing.tolist())
        return (X, Y, Z, K, M, N)


@final
@dataclass(frozen=True, eq=False)
class BoundedAllocation:
    """The least forces within limits that come closest to a wrench.

    It minimises u^T Q u + s^T S s with B u = tau + s and lowest <= u <= highest, the slack s weighing a million times
    more than the forces, as in the control chain of Britto Neto 2018. Inside the limits the answer is that of the
    pseudo-inverse, to the last digit, and is found without the solver; otherwise an active-set solver finds it exactly.
    Disabled thrusters have limits of zero.

    `bounded_allocation` makes one for a vehicle.
    """

    axes: tuple[int, ...]
    matrix: Array  # 6 x n
    lowest: Array
    highest: Array
    asked: Array  # six numbers: one for an axis that is asked for, else zero
    inverse: Array  # n x 6, weighted pseudo-inverse
    hessian: Array  # n x n
    gradient: Array  # n x 6: linear term per wanted wrench, negative
    uncontrollable: tuple[str, ...]  # asked for, but beyond these thrusters

    def allocate(self, wrench: ArrayLike) -> AllocatedForces:
        """Forces for a wrench of six numbers; no force at all for one that is no finite number."""
        wanted = np.asarray(wrench, dtype=float)
        forces: Array = self.inverse @ wanted
        if not math.isfinite(forces.dot(forces)):
            return AllocatedForces(np.zeros(forces.size), np.zeros(6), np.zeros(6), False)
        limited = bool((forces < self.lowest).any() or (forces > self.highest).any())
        if limited:
            forces = self._within_limits(forces, wanted)
        made = self.matrix @ forces
        return AllocatedForces(forces, made, self.asked * (wanted - made), limited)

    def _within_limits(self, forces: Array, wanted: Array) -> Array:
        """The bounded optimum; should the solver ever fail, the free one scaled down until it fits."""
        empty, kinds = np.zeros((0, forces.size)), np.zeros(forces.size, dtype=np.int32)
        found, _, flag, _ = daqp.solve(
            self.hessian, self.gradient @ wanted, empty, self.highest, self.lowest, kinds, primal_tol=1e-9
        )
        if flag != SOLVED or not np.all(np.isfinite(found)):
            usable = self.highest > self.lowest
            room = np.where(forces > 0.0, self.highest, self.lowest)
            excess = forces[usable & (room != 0.0)] / room[usable & (room != 0.0)]
            found = np.where(usable, forces, 0.0) / excess.max(initial=1.0)
        return np.clip(found, self.lowest, self.highest)


def bounded_allocation(
    parameters: VehicleParameters,
    axes: tuple[int, ...] = ALL_AXES,
    disabled: Iterable[int | str] = (),
    importance: ArrayLike | None = None,
    effort: ArrayLike | None = None,
    servo_angles: Sequence[float] = (),
) -> BoundedAllocation:
    """The bounded allocation for a vehicle.

    Parameters
    ----------
    parameters
        The vehicle; its limits are those of `thrust_limits`, at rest in still water.
    axes
        Degrees of freedom to make, by index: surge 0, sway 1, heave 2, roll 3, pitch 4, yaw 5.
    disabled
        Thrusters that must not be used, by index or by name.
    importance
        How much the axes count against each other where not all can be had; with ones, unless given, a wrong newton
        weighs as much as a wrong newton metre. A small vehicle keeps its attitude better with torques that count more.
    effort
        How much a newton of each thruster costs. Ones unless given.
    servo_angles
        Where the servos stand, rad; at zero unless given.

    Raises
    ------
    ValueError
        When a thruster is not known, or a weight is not positive.
    """
    matrix, limits = allocation_matrix(parameters, servo_angles), thrust_limits(parameters)
    off = _indices(parameters, disabled)
    matrix[:, off], limits[off] = 0.0, 0.0
    B = matrix[list(axes)]
    span = np.where(np.isfinite(limits), np.abs(limits), 1.0).max(axis=1, initial=0.0)
    scale = span.max(initial=0.0) or 1.0
    # One scale for all axes, so that without limits the answer is the plain pseudo-inverse, of any rank.
    weight = _positive("importance", importance, len(axes)) / ((np.abs(B) @ span).max(initial=0.0) or 1.0)
    cost = np.sqrt(_positive("effort", effort, len(span))) / scale
    inverse = right_inverse((weight[:, None] * B) / cost) * weight / cost[:, None]
    pull = SLACK_RATIO * B.T * weight**2
    # Measured from the free optimum, the effort is zero there: no bias, and on feasible wrenches the same optimum.
    return BoundedAllocation(
        axes=tuple(axes),
        matrix=matrix,
        lowest=np.ascontiguousarray(limits[:, 0]),
        highest=np.ascontiguousarray(limits[:, 1]),
        asked=np.isin(np.arange(6), axes).astype(float),
        inverse=_all_columns(inverse, axes),
        hessian=np.ascontiguousarray(scale**2 * (pull @ B + np.diag(cost**2))),
        gradient=_all_columns(-(scale**2) * (pull + cost[:, None] ** 2 * inverse), axes),
        uncontrollable=uncontrollable_axes(B, axes),
    )


def _all_columns(columns: Array, axes: Sequence[int]) -> Array:
    """A matrix with a column for each of six axes, zero where none was asked for."""
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
