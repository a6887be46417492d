"""Motion of the water under a sum of regular waves, compiled."""

from functools import lru_cache
from typing import Any

from numba import float64, void

from remora.equations.water.waves import RegularWave, wave_motion
from remora.files.arrays import Array
from remora.plant.strict.copies import strict_kernel

SUMS = 13  # elevation, velocity, gradient (nn, ne, nd, ee, ed), rate and head
SIGNATURE = void(float64[:, ::1], float64, float64, float64, float64, float64, float64[::1])


def sum_waves(waves: Array, water_depth: float, n: float, e: float, d: float, time: float, sums: Array) -> None:
    """Sum the motion of all waves at a point: elevation, velocity, gradient (nn, ne, nd, ee, ed), rate and head.

    Waves are rows of amplitude, frequency, wave number, direction and phase. The point is north, east, and depth below
    the still surface, m.
    """
    for i in range(sums.size):
        sums[i] = 0.0
    for k in range(waves.shape[0]):
        wave = RegularWave(waves[k, 0], waves[k, 1], waves[k, 2], waves[k, 3], waves[k, 4])
        motion = wave_motion(wave, water_depth, (n, e, d), time)
        first, second = motion.gradient[0], motion.gradient[1]
        sums[0] += motion.elevation
        for i in range(3):
            sums[1 + i] += motion.velocity[i]
            sums[4 + i] += first[i]
            sums[9 + i] += motion.rate[i]
        sums[7] += second[1]
        sums[8] += second[2]
        sums[12] += motion.head


@lru_cache(maxsize=1)
def wave_kernel() -> Any:
    """Compiled `sum_waves`."""
    return strict_kernel(sum_waves, SIGNATURE, "waves", 2)
