"""Environment as numbers for compiled measurements."""

from typing import NamedTuple, Protocol, runtime_checkable

from remora.equations.geometry.earth import Geodetic
from remora.equations.types import Vector3
from remora.files.arrays import Array


class PackedEnvironment(NamedTuple):
    """Uniform water over a packed ground; the same names as in `Environment`."""

    density: float  # kg/m3
    gravity: float  # m/s2
    sound_speed: float  # m/s
    surface_depth: float  # m, z in N
    latitude: float  # rad
    origin: Geodetic
    magnetic_field: Vector3  # T, in N
    current: Vector3  # m/s, in N; NaN where it varies
    rows: Array  # the ground, see `kernels.strict.ground`
    has_waves: bool = False  # their pressure has no compiled form


@runtime_checkable
class Packable(Protocol):
    """Environment that compiled code can use."""

    def packed(self) -> PackedEnvironment | None:
        """The environment as numbers; None where a part of it has no compiled form."""


def site_row(packed: PackedEnvironment) -> tuple[float, ...]:
    """The numbers of an environment, without the ground."""
    plain = (packed.density, packed.gravity, packed.sound_speed, packed.surface_depth)
    return (*plain, *packed.origin, *packed.magnetic_field, *packed.current)
