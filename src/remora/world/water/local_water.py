"""Linear model of the water at one point and time, to which every flow field is reduced over a step.

A field is a pure function of time and place. Over a step it is taken as linear in both,
U(p, t) = velocity + gradient (p - place) + rate (t - time), which is all that the compiled plant reads.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from remora.equations.algebra.vectors import ZERO3, add3, add_matrix3, matvec3, subtract3
from remora.equations.geometry.earth import Geodetic
from remora.equations.types import Matrix3, Vector3
from remora.equations.water.local_water import CURRENT_SIZE, FAR_ABOVE, LAYERED_SIZE, STEADY_SIZE, WATER_SIZE
from remora.files.arrays import Array
from remora.files.section import Section
from remora.messages.site import SeaState
from remora.vehicles.variants.scatter import RandomStream

NO_GRADIENT: Matrix3 = (ZERO3, ZERO3, ZERO3)
NO_SURFACE = FAR_ABOVE
_new_tuple = tuple.__new__


class LocalWater(NamedTuple):
    """Water at a point and time, in N."""

    velocity: Vector3  # m/s
    gradient: Matrix3 = NO_GRADIENT  # 1/s: row i holds the slopes of component i along north, east and down
    rate: Vector3 = ZERO3  # m/s2, at the fixed point
    surface: float = 0.0  # m, z of the surface above the point; of a single field: its elevation
    head: float = 0.0  # m of water: pressure of waves over density and gravity


class Variation(IntEnum):
    """What a flow field depends on; each includes those before it."""

    STEADY = 0  # nothing
    LAYERED = 1  # depth and time
    SPATIAL = 2  # any coordinate and time


class FlowField(ABC):
    """A current, tide, gust or wave field: a pure function of time and place."""

    variation: ClassVar[Variation] = Variation.SPATIAL  # a smaller one needs fewer numbers and samples in a run

    @property
    def node_spacing_ns(self) -> int | None:
        """Interval of times at which the rate jumps; None where there are none."""
        return None

    @property
    def sea_state(self) -> SeaState | None:
        """Statistics of waves; None where there are none."""
        return None

    @property
    def may_have_head(self) -> bool:
        """Whether the pressure may differ from that of still water."""
        return self.sea_state is not None

    @abstractmethod
    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """Water at a point of N and a time of the run."""

    def velocities_at(self, time_ns: int, places_N: Array) -> Array:
        """Velocity at many points, a row each, m/s in N; one row where it is the same everywhere."""
        return np.array([self.at(time_ns, (n, e, d)).velocity for n, e, d in places_N.tolist()])


def gradient_over_depth(slope: Vector3) -> Matrix3:
    """Velocity gradient of a current that depends on depth only; the slope is its derivative along z in N, 1/s."""
    return ((0.0, 0.0, slope[0]), (0.0, 0.0, slope[1]), (0.0, 0.0, slope[2]))


def plant_row(water: LocalWater, p_N: Vector3, size: int = WATER_SIZE) -> tuple[float, ...]:
    """The water as numbers for a plant, see `equations.water.local_water`; the velocity is that at the origin of N.

    The linear model is about `p_N` in N, m. The size is the number of values: steady, layered or full.
    """
    velocity, gradient, rate, surface, _ = water
    if size == STEADY_SIZE:
        return velocity
    if gradient is not NO_GRADIENT:
        velocity = subtract3(velocity, matvec3(gradient, p_N))
    if size == LAYERED_SIZE:
        return (*velocity, gradient[0][2], gradient[1][2], gradient[2][2], *rate, 0.0)
    current = (*velocity, *gradient[0], *gradient[1], *gradient[2], *rate, 0.0)
    return current if size == CURRENT_SIZE else (*current, surface)


@final
@dataclass(frozen=True)
class CompositeCurrent(FlowField):
    """Sum of several flow fields under a still surface: velocities, gradients, rates and heights of waves add up."""

    fields: tuple[FlowField, ...]
    level: float = NO_SURFACE  # z of the still surface in N, m; `NO_SURFACE` for water without one

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        velocity, gradient, rate, surface, head = ZERO3, NO_GRADIENT, ZERO3, self.level, 0.0
        for field in self.fields:
            its_velocity, its_gradient, its_rate, lift, its_head = field.at(time_ns, p_N)
            # Most fields have neither gradient nor rate: a check is cheaper than adding zeros.
            velocity = its_velocity if velocity is ZERO3 else add3(velocity, its_velocity)
            if its_gradient is not NO_GRADIENT:
                gradient = its_gradient if gradient is NO_GRADIENT else add_matrix3(gradient, its_gradient)
            if its_rate is not ZERO3:
                rate = its_rate if rate is ZERO3 else add3(rate, its_rate)
            surface += lift
            head += its_head
        return _new_tuple(LocalWater, (velocity, gradient, rate, surface, head))

    def velocities_at(self, time_ns: int, places_N: Array) -> Array:
        """See `FlowField`; a row for each point."""
        total = np.zeros((len(places_N), 3))
        for field in self.fields:
            total += field.velocities_at(time_ns, places_N)
        return total


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
