"""Interface of the current models: what a scenario can name, and what a model is built from."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from remora.equations.geometry.earth import Geodetic
from remora.files.section import Section
from remora.vehicles.variants.scatter import RandomStream
from remora.world.water.local_water import FlowField


class CurrentContext(NamedTuple):
    """Site data available to a current when it is built."""

    level: float  # m, z of the still surface in N
    flat_bed: float | None  # m, z of a flat bed in N; None for other beds
    origin: Geodetic | None  # geodetic position of N; None where the scenario gives none
    folder: Path  # of the scenario, base of relative paths
    stream: RandomStream  # random numbers of this current alone


class CurrentKind(NamedTuple):
    """A kind of current that scenarios can name."""

    name: str
    section: type[Section]  # its keys
    make: Callable[[Any, CurrentContext], FlowField]  # from the section; ValueError where it cannot be built
