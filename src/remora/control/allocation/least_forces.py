"""Forces of a pseudo-inverse as machine code that rounds as plain Python does, so that compiled loops give its bits."""

from functools import lru_cache
from typing import Any

from numba import float64, void

from remora.files.arrays import Array
from remora.plant.strict import strict_kernel

SIGNATURE = void(float64[:, ::1], float64[::1], float64[::1])


def least_forces(inverse: Array, wrench: Array, forces: Array) -> None:
    """Forces of n thrusters for a wrench, row by row and without fused multiply-add.

    Parameters
    ----------
    inverse
        Right inverse of the allocation matrix, n x 6.
    wrench
        Demanded wrench about B in body axes, N and N m.
    forces
        Filled with the forces, N.
    """
    for i in range(forces.size):
        total = 0.0
        for j in range(6):
            total += inverse[i, j] * wrench[j]
        forces[i] = total


@lru_cache(maxsize=1)
def least_forces_kernel() -> Any:
    """Compiled `least_forces`."""
    return strict_kernel(least_forces, SIGNATURE, "the pseudo-inverse", 1)
