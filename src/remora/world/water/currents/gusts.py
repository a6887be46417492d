"""Gusts of a current: a Gauss-Markov process along each axis, evaluated by time.

The process is exact on nodes that lie a fiftieth of the shortest correlation time apart, and linear in between, so that
it has a rate; that takes 0.7 % of the variance away between the nodes. Its value at a node follows from the random
numbers up to that node alone: asked again, later, or in another order, it is the same to the last bit.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, final

import numpy as np

from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.files.quantities import Is, Quantity
from remora.files.section import Section
from remora.files.units import SPEED, TIME
from remora.vehicles.variants.scatter import RandomStream
from remora.world.water.local_water import NO_GRADIENT, CurrentContext, CurrentKind, FlowField, LocalWater, Variation

NODES_PER_CORRELATION_TIME = 50
BLOCK = 64  # nodes computed together; only the value at the start of each block is kept
_new_tuple = tuple.__new__


@final
@dataclass(frozen=True, eq=False)
class Gusts(FlowField):
    """Spatially uniform gusts.

    Raises a ValueError when a standard deviation is negative or a correlation time is not positive.
    """

    std: Vector3  # m/s, along north, east and down
    correlation_time: Vector3  # s, along each axis, after which the correlation has fallen to 1/e
    chance: RandomStream  # random numbers, such as a `Stream` of the sensors
    variation: ClassVar = Variation.LAYERED
    spacing_ns: int = field(init=False)
    _kept: Vector3 = field(init=False, repr=False)
    _fresh: Vector3 = field(init=False, repr=False)
    # Values at the starts of past blocks, and the latest block.
    _starts: list[Vector3] = field(init=False, repr=False)
    _block: list[Any] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not all(0.0 <= number < math.inf for number in self.std):
            raise ValueError(f"std of gusts is {self.std}: give numbers that are not negative")
        if not all(1e-6 < number < math.inf for number in self.correlation_time):
            raise ValueError(f"correlation time of gusts is {self.correlation_time}: give positive numbers of seconds")
        spacing = min(self.correlation_time) / NODES_PER_CORRELATION_TIME
        a, b, c = (math.exp(-spacing / time) for time in self.correlation_time)
        x, y, z = (s * math.sqrt(1.0 - k * k) for s, k in zip(self.std, (a, b, c), strict=True))
        first = [s * n for s, n in zip(self.std, self.chance.normals(0, 3), strict=True)]
        # Derived from the parameters, set once.
        object.__setattr__(self, "spacing_ns", round(1e9 * spacing))
        object.__setattr__(self, "_kept", (a, b, c))
        object.__setattr__(self, "_fresh", (x, y, z))
        object.__setattr__(self, "_starts", [(first[0], first[1], first[2])])
        object.__setattr__(self, "_block", [1 << 62, ()])

    @property
    def node_spacing_ns(self) -> int:
        """See `FlowField`."""
        return self.spacing_ns

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`."""
        node = time_ns // self.spacing_ns
        first, pieces = self._block
        if not first <= node < first + BLOCK:
            first, pieces = self._worked_out(node // BLOCK)
        (u, v, w), rate = pieces[node - first]
        t = 1e-9 * (time_ns - node * self.spacing_ns)
        a, b, c = rate
        return _new_tuple(LocalWater, ((u + a * t, v + b * t, w + c * t), NO_GRADIENT, rate, 0.0, 0.0))

    def velocities_at(self, time_ns: int, places_N: Array) -> Array:
        """See `FlowField`."""
        return np.array([self.at(time_ns, ZERO3).velocity])

    def _worked_out(self, block: int) -> list[Any]:
        """Number of the first node of a block, and value at each of its nodes with the rate from there on."""
        if block < 0:
            raise ValueError("gusts begin with the run: give a time that is not negative")
        while len(self._starts) <= block + 1:
            *_, end = self._walk(len(self._starts) - 1)
            self._starts.append(end)
        nodes = list(self._walk(block))
        seconds = 1e-9 * self.spacing_ns
        pieces = tuple(
            (p, ((q[0] - p[0]) / seconds, (q[1] - p[1]) / seconds, (q[2] - p[2]) / seconds)) for p, q in pairwise(nodes)
        )
        self._block[:] = (block * BLOCK, pieces)
        return self._block

    def _walk(self, block: int) -> Iterator[Vector3]:
        """The values at the nodes of a block and at the first node of the next."""
        a, b, c = self._kept
        x, y, z = self._fresh
        u, v, w = self._starts[block]
        yield (u, v, w)
        for k in range(block * BLOCK + 1, (block + 1) * BLOCK + 1):
            n = self.chance.normals(k, 3)
            u, v, w = a * u + x * n[0], b * v + y * n[1], c * w + z * n[2]
            yield (u, v, w)


def _one_or_three(value: Any) -> str | None:
    fits = isinstance(value, float) or (len(value) == 3 and all(isinstance(number, float) for number in value))
    return None if fits else "expected one number for all axes, or three: north, east and down."


class GustsSection(Section):
    """Gauss-Markov gusts."""

    kind: Literal["gusts"]
    std: Annotated[Quantity[Any], Is(SPEED, None, rule=_one_or_three)]
    correlation_time: Annotated[Quantity[Any], Is(TIME, None, rule=_one_or_three)]


def _gusts(section: GustsSection, context: CurrentContext) -> Gusts:
    return Gusts(_three(section.std.value), _three(section.correlation_time.value), context.stream)


def _three(value: Any) -> Vector3:
    if isinstance(value, float):
        return (value, value, value)
    a, b, c = value
    return (a, b, c)


GUSTS = CurrentKind("gusts", GustsSection, _gusts)
