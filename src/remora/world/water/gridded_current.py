"""Currents given on a grid in space and time, as ocean models write them."""

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import Vector3
from remora.world.water.currents import check_growing
from remora.world.water.grid_axes import between
from remora.world.water.local_water import LocalWater

_AXES = ("times", "depths", "norths", "easts")


@final
@dataclass(frozen=True, eq=False)
class Gridded:
    """A current on a grid, linear along each axis in between (multilinear); its gradient and rate are exact.

    Outside the grid the value at its edge holds, in space as in time, so there is no slope across the edge. An axis
    with one node does not matter. Where velocities are NaN, as on land, the water stands still.

    Parameters
    ----------
    times
        s of the run.
    depths
        m below the still surface.
    norths, easts
        m in N.
    velocities
        m/s in N, of shape (times, depths, norths, easts, 3).
    level
        z of the still surface in N, m.

    Raises
    ------
    ValueError
        When an axis does not grow or the shape does not fit.
    """

    times: tuple[float, ...]
    depths: tuple[float, ...]
    norths: tuple[float, ...]
    easts: tuple[float, ...]
    velocities: NDArray[np.float64] = field(repr=False)
    level: float = 0.0

    def __post_init__(self) -> None:
        for name in _AXES:
            axis = tuple(float(number) for number in getattr(self, name))
            if not axis:
                raise ValueError(f"{name} of the grid are missing: give at least one")
            check_growing(f"{name} of the grid", axis)
            object.__setattr__(self, name, axis)
        values = np.nan_to_num(np.array(self.velocities, dtype=float), nan=0.0, posinf=np.nan, neginf=np.nan)
        wanted = (*(len(getattr(self, name)) for name in _AXES), 3)
        if values.shape != wanted:
            raise ValueError(f"velocities of the grid have the shape {values.shape}: give {wanted}")
        if not np.isfinite(values).all():
            raise ValueError("velocities of the grid are infinite somewhere: give finite numbers, or NaN for land")
        values.setflags(write=False)
        object.__setattr__(self, "velocities", values)

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        places = (
            between(self.times, 1e-9 * time_ns),
            between(self.depths, p_N[2] - self.level),
            between(self.norths, p_N[0]),
            between(self.easts, p_N[1]),
        )
        weights: Any = np.ones((5, 1))
        for axis, (lower, upper, share, slope) in enumerate(places):
            # Row 0 gives the value, row 1 + axis the slope along that axis.
            own = np.array([(1.0 - share, share)] * 5)
            own[1 + axis] = (-slope, slope)
            weights = (weights[:, :, None] * own[:, None, : upper - lower + 1]).reshape(5, -1)
        t, d, n, e = (slice(place.lower, place.upper + 1) for place in places)
        value, rate, down, north, east = (weights @ self.velocities[t, d, n, e].reshape(-1, 3)).tolist()
        return LocalWater(
            (value[0], value[1], value[2]),
            (
                (north[0], east[0], down[0]),
                (north[1], east[1], down[1]),
                (north[2], east[2], down[2]),
            ),
            (rate[0], rate[1], rate[2]),
        )
