"""Currents on a grid in space and time, as ocean models write them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Key

from remora.equations.geometry.earth import Geodetic
from remora.equations.types import Vector3
from remora.files.section import Section
from remora.messages.part_options import Moment
from remora.world.number_checks import between, check_growing
from remora.world.water.local_water import CurrentContext, CurrentKind, FlowField, LocalWater
from remora.world.water.netcdf import GridFileError, VelocitiesInFile, read_velocities

_AXES = ("times", "depths", "norths", "easts")


@final
@dataclass(frozen=True, eq=False)
class Gridded(FlowField):
    """A current on a grid, linear along each axis in between (multilinear); its gradient and rate are exact.

    Outside the grid the value at its edge holds, in space as in time, so there is no slope across the edge. An axis
    with one node does not matter. Where velocities are NaN, as on land, the water stands still. Raises a ValueError
    when an axis does not grow or the shape does not fit.
    """

    times: tuple[float, ...]  # s of the run
    depths: tuple[float, ...]  # m below the still surface
    norths: tuple[float, ...]  # m in N
    easts: tuple[float, ...]  # m in N
    # m/s in N: times, depths, norths, easts, 3
    velocities: NDArray[np.float64] | VelocitiesInFile = field(repr=False)
    level: float = 0.0  # z of the still surface in N, m

    def __post_init__(self) -> None:
        for name in _AXES:
            axis = tuple(float(number) for number in getattr(self, name))
            if not axis:
                raise ValueError(f"{name} of the grid are missing: give at least one")
            check_growing(f"{name} of the grid", axis)
            object.__setattr__(self, name, axis)
        if isinstance(self.velocities, VelocitiesInFile):
            return
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


def read_current(
    file: str | PathLike[str],
    origin: Geodetic | None = None,
    *,
    level: float = 0.0,
    start: float = 0.0,
    names: Mapping[str, str] | None = None,
) -> Gridded:
    """A current from a NetCDF file; arguments as for `read_velocities`, and z of the still surface in N, m.

    Raises a GridFileError with what is missing and what the file has instead.
    """
    grid = read_velocities(file, origin, start=start, names=names)
    try:
        return Gridded(*grid, level)
    except ValueError as error:
        raise GridFileError(f"{file}: {error}") from None


class CurrentFileSection(Section):
    """A current on a grid, from a file."""

    kind: Literal["grid"]
    file: str
    start: Moment | None = None
    names: dict[str, str] = Key(default_factory=dict)


def _gridded(section: CurrentFileSection, context: CurrentContext) -> Gridded:
    start = section.start.value if section.start else 0.0
    file = context.folder / section.file
    return read_current(file, context.origin, level=context.level, start=start, names=section.names)


GRID = CurrentKind("grid", CurrentFileSection, _gridded)
