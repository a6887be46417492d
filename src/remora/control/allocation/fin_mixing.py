"""Control allocation to fins: deflections from roll, pitch and yaw moments, and back.

Only position and normal of each fin matter, so a cross tail, an X tail or any other arrangement works. The lift along
the normal is half density x area x slope x deflection x speed squared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from remora.equations.actuators.fins import Fin
from remora.equations.algebra.vectors import cross
from remora.files.arrays import Array
from remora.vehicles.checks.actuation import RANK_TOLERANCE
from remora.vehicles.parameters import VehicleParameters

AXES = ("roll", "pitch", "yaw")


@final
@dataclass(frozen=True, eq=False)
class FinMixing:
    """The fins of a vehicle as one control surface per axis; `fin_mixing` builds it.

    The deflection of an axis is that of its most deflected fin, positive for a positive moment: roll to starboard,
    pitch bow up, yaw to starboard.
    """

    effect: Array  # 3 x n: moment about B per radian at 1 m/s ahead, N m
    shares: Array  # n x 3: deflection of each fin per deflection of an axis
    gains: Array  # 3: moment per deflection of an axis at 1 m/s, N m/rad
    limits: Array  # n: largest deflection of each fin, rad
    uncontrollable: tuple[str, ...]  # axes without an independent moment

    def fins_from_axes(self, deflections: Sequence[float]) -> Array:
        """Deflections of the fins for deflections of roll, pitch and yaw, rad."""
        return self._within_limits(self.shares @ np.asarray(deflections, dtype=float))

    def axes_from_fins(self, deflections: Sequence[float]) -> Array:
        """Deflections of roll, pitch and yaw with the same moments as these fin deflections, rad."""
        moments = self.effect @ np.asarray(deflections, dtype=float)
        return np.divide(moments, self.gains, out=np.zeros(3), where=self.gains > 0.0)

    def fins_from_moments(self, moments: Sequence[float], speed: float) -> Array:
        """Least-squares fin deflections for moments about B (N m) at a speed ahead through the water (m/s).

        Without flow the deflections are zero.
        """
        per_radian = self.gains * speed * abs(speed)  # astern the lift is reversed
        demand = np.asarray(moments, dtype=float)
        axes = np.divide(demand, per_radian, out=np.zeros(3), where=per_radian != 0.0)
        return self._within_limits(self.shares @ axes)

    def moments_from_fins(self, deflections: Sequence[float], speed: float) -> Array:
        """Moments about B of these deflections at a speed ahead, N m, before stall."""
        return np.asarray(self.effect @ np.asarray(deflections, dtype=float) * speed * abs(speed))

    def _within_limits(self, deflections: Array) -> Array:
        """All deflections scaled to the limits; the moment keeps its direction."""
        beyond = float(np.max(np.abs(deflections) / self.limits, initial=1.0))
        return deflections / beyond


def fin_mixing(parameters: VehicleParameters) -> FinMixing:
    """Fin mixing of a vehicle, from positions, normals, areas and lift slopes.

    Raises a ValueError when the vehicle has no fins.
    """
    if not parameters.fins:
        raise ValueError("the vehicle has no fins to mix: allocate to its thrusters instead")
    effect = np.array([_moment(fin) for fin in parameters.fins]).T
    # Directions much weaker than the strongest count as uncontrollable.
    inverse = np.linalg.pinv(effect, rcond=RANK_TOLERANCE)
    # The diagonal of a projector on the moments that fins can make: one for an axis that they make alone.
    reached = np.diag(effect @ inverse)
    controlled = reached > 1.0 - 1e-6
    largest = np.abs(inverse).max(axis=0)
    gains = np.divide(1.0, largest, out=np.zeros(3), where=controlled & (largest > 0.0))
    uncontrollable = tuple(axis for axis, good in zip(AXES, controlled, strict=True) if not good)
    limits = np.array([fin.deflection_limit for fin in parameters.fins])
    return FinMixing(effect, inverse * gains, gains, limits, uncontrollable)


def _moment(fin: Fin) -> tuple[float, float, float]:
    """Moment about B per radian at 1 m/s."""
    x, y, z = cross(fin.position, fin.normal)
    k = fin.dynamic_area * fin.lift_slope
    return (k * x, k * y, k * z)
