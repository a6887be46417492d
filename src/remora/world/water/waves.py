"""Irregular surface waves and their orbital motion: a sum of regular waves from a spectrum and a seed."""

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, final

import numpy as np
from numba import float64, void
from numpy.typing import NDArray

from remora.equations.types import Vector3
from remora.equations.water.waves import RegularWave, jonswap, wave_number
from remora.files.arrays import Array
from remora.messages.site import SeaState
from remora.plant.strict import SUMS, strict_kernel, sum_waves, wave_kernel
from remora.vehicles.variants.scatter import RandomStream
from remora.world.water.local_water import FlowField, LocalWater

COMPONENTS = 40
# The spectrum is cut at these multiples of its peak frequency; 99 % of the energy of any peakedness lies between.
LOWEST, HIGHEST = 0.6, 4.0


def fill_velocities(
    waves: Array, water_depth: float, level: float, places: Array, time: float, sums: Array, velocities: Array
) -> None:
    """Fill the velocity of the water at many points, a row each, m and m/s in N.

    Waves are rows as of `sum_waves`; the level is the z of the still surface in N; `sums` is work space of SUMS
    numbers.
    """
    for i in range(places.shape[0]):
        depth = places[i, 2] - level
        sum_waves(waves, water_depth, places[i, 0], places[i, 1], max(depth, 0.0), time, sums)
        nn, nd, ee, ed, above = sums[4], sums[6], sums[7], sums[8], min(depth, 0.0)
        velocities[i, 0] = sums[1] + nd * above
        velocities[i, 1] = sums[2] + ed * above
        velocities[i, 2] = sums[3] - (nn + ee) * above


@lru_cache(maxsize=1)
def velocity_kernel() -> Any:
    """Compiled `fill_velocities`."""
    table, row = float64[:, ::1], float64[::1]
    signature = void(table, float64, float64, table, float64, row, table)
    return strict_kernel(fill_velocities, signature, "waves at many points", 2)


@final
@dataclass(frozen=True, eq=False)
class Waves(FlowField):
    """Irregular linear waves.

    The spectrum is cut into bands, with one regular wave at a random frequency in each, so that they never repeat.
    Amplitudes follow from the spectrum and are scaled so that the significant height is exactly four standard
    deviations of the elevation. Above the still surface the motion is carried on linearly from there; linear theory
    knows nothing of crests. Raises a ValueError when a number is out of its range.
    """

    significant_height: float  # m
    peak_period: float  # s
    chance: RandomStream  # for phases, frequencies and directions, such as a `Stream` of the sensors
    direction: float = 0.0  # rad from north to east, where the waves run to
    peakedness: float = 3.3  # of the JONSWAP spectrum, 1 to 7; one is that of Pierson and Moskowitz
    spreading: float | None = None  # exponent n of cos^n around the direction; None for waves that all run one way
    water_depth: float = math.inf  # m; infinite for deep water
    level: float = 0.0  # z of the still surface in N, m
    gravity: float = 9.81  # m/s2
    components: RegularWave = field(init=False, repr=False)  # arrays: one number for each regular wave
    _rows: Array = field(init=False, repr=False)  # a row for each of them

    def __post_init__(self) -> None:
        _check(self)
        object.__setattr__(self, "components", _components(self))
        object.__setattr__(self, "_rows", np.ascontiguousarray(np.array(self.components).T))

    @property
    def sea_state(self) -> SeaState:
        """See `FlowField`."""
        return SeaState(self.significant_height, self.peak_period, self.peakedness, self.water_depth)

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        (lift, u, v, w, nn, ne, nd, ee, ed, a, b, c, head), above = self._sums(time_ns, p_N)
        return LocalWater(
            (u + nd * above, v + ed * above, w - (nn + ee) * above),
            ((nn, ne, nd), (ne, ee, ed), (nd, ed, -(nn + ee))),  # symmetric and traceless
            (a, b, c),
            -lift,
            head,
        )

    def velocities_at(self, time_ns: int, places_N: Array) -> Array:
        """See `FlowField`."""
        found = np.empty((len(places_N), 3))
        places = np.ascontiguousarray(places_N, dtype=float)
        velocity_kernel()(self._rows, self.water_depth, self.level, places, 1e-9 * time_ns, np.empty(SUMS), found)
        return found

    def _sums(self, time_ns: int, p_N: Vector3) -> tuple[list[float], float]:
        """Sums over all waves at a point, or at the still surface below it, and its depth where it is above, m."""
        (n, e, d), sums = p_N, np.empty(SUMS)
        depth = d - self.level
        wave_kernel()(self._rows, self.water_depth, n, e, max(depth, 0.0), 1e-9 * time_ns, sums)
        return sums.tolist(), min(depth, 0.0)


def _components(waves: Waves) -> RegularWave:
    """The regular waves, as arrays."""
    uniforms = np.array([waves.chance.of("waves").normals(k, 3) for k in range(COMPONENTS)])
    shift, phase, place = _uniform(uniforms).T
    peak = 2.0 * math.pi / waves.peak_period
    width = (HIGHEST - LOWEST) * peak / COMPONENTS
    middle: Any = LOWEST * peak + width * (np.arange(COMPONENTS) + 0.5)
    frequency = middle + width * (shift - 0.5)
    energy: Any = jonswap(middle, waves.significant_height, waves.peak_period, waves.peakedness)
    variance = (0.25 * waves.significant_height) ** 2
    amplitude = np.sqrt(2.0 * variance * energy / energy.sum())
    direction: Any = waves.direction + _away(waves.spreading, place)
    number = wave_number(frequency, waves.water_depth, waves.gravity)
    return RegularWave(amplitude, frequency, number, direction, 2.0 * math.pi * phase)


def _uniform(normals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Uniform numbers in [0, 1] from standard normal ones."""
    share: NDArray[np.float64] = 0.5 * (1.0 + np.vectorize(math.erf)(normals / math.sqrt(2.0)))
    return share


def _away(spreading: float | None, place: NDArray[np.float64]) -> NDArray[np.float64]:
    """Angles from the main direction at places in [0, 1] of the distribution cos^n."""
    if spreading is None:
        return np.zeros_like(place)
    angles = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 2001)
    density = np.cos(angles) ** spreading
    below = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]))])
    return np.interp(place, below / below[-1], angles)


def _check(waves: Waves) -> None:
    for name in ("significant_height", "peak_period", "gravity", "water_depth"):
        value = getattr(waves, name)
        if not value > 0.0 or (value == math.inf and name != "water_depth"):
            raise ValueError(f"{name} of the waves is {value}: give a positive number")
    if not 1.0 <= waves.peakedness <= 7.0:
        raise ValueError(f"peakedness of the waves is {waves.peakedness}: give 1 (Pierson-Moskowitz) to 7")
    if waves.spreading is not None and not 0.0 <= waves.spreading <= 1000.0:
        raise ValueError(f"spreading of the waves is {waves.spreading}: give an exponent between 0 and 1000")
    if not (math.isfinite(waves.direction) and math.isfinite(waves.level)):
        raise ValueError(f"waves run to {waves.direction} at a level of {waves.level}: give finite numbers")
