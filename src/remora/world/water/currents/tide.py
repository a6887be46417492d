"""Tidal streams: a sum of harmonic constituents with elliptic velocity."""

import math
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, final

import numpy as np

from remora.equations.algebra.vectors import ZERO3, add3
from remora.equations.types import Vector3
from remora.equations.water.current import tidal_ellipse
from remora.files.arrays import Array
from remora.files.quantities import Is, Quantity, not_negative
from remora.files.section import Choice, Section
from remora.files.units import SPEED
from remora.messages.part_options import Duration
from remora.vehicles.sections.device_sections import Angle
from remora.world.number_checks import check_finite
from remora.world.water.local_water import NO_GRADIENT, CurrentContext, CurrentKind, FlowField, LocalWater, Variation

# Periods of the main constituents, s.
PERIODS = {
    "M2": 12.4206012 * 3600.0,
    "S2": 12.0 * 3600.0,
    "N2": 12.65834751 * 3600.0,
    "K1": 23.93447213 * 3600.0,
    "O1": 25.81933871 * 3600.0,
}


class Constituent(NamedTuple):
    """One harmonic of a tidal stream."""

    amplitude: float  # m/s, half the long axis of the ellipse
    period: float  # s
    direction: float = 0.0  # rad from north to east, of the long axis
    phase: float = 0.0  # rad: the stream runs along the direction when 2 pi t / period = phase
    minor: float = 0.0  # m/s, half the short axis; positive turns the stream to the right, negative to the left


@final
@dataclass(frozen=True)
class Tide(FlowField):
    """Spatially uniform tidal stream; a ValueError when a period is not positive or a number is not finite."""

    constituents: tuple[Constituent, ...]
    variation: ClassVar = Variation.LAYERED
    _latest: list[Any] = field(default_factory=lambda: [None, None], init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for constituent in self.constituents:
            check_finite("a constituent of the tide", constituent)
            if not constituent.period > 0.0:
                raise ValueError(f"period of the tide is {constituent.period}: give a positive number of seconds")

    def at(self, time_ns: int, p_N: Vector3) -> LocalWater:
        """See `FlowField`; the stream of the latest time is kept, for other places."""
        if self._latest[0] != time_ns:
            self._latest[:] = (time_ns, self._at(time_ns))
        water: LocalWater = self._latest[1]
        return water

    def velocities_at(self, time_ns: int, places_N: Array) -> Array:
        """See `FlowField`."""
        return np.array([self.at(time_ns, ZERO3).velocity])

    def _at(self, time_ns: int) -> LocalWater:
        velocity, rate = ZERO3, ZERO3
        for amplitude, period, direction, phase, minor in self.constituents:
            frequency = 2.0 * math.pi / period
            more, faster = tidal_ellipse(amplitude, minor, direction, frequency, phase, 1e-9 * time_ns)
            velocity, rate = add3(velocity, more), add3(rate, faster)
        return LocalWater(velocity, NO_GRADIENT, rate)


class TideSection(Section):
    """One constituent of a tidal stream."""

    choices: ClassVar = (Choice(("period", "constituent")),)
    kind: Literal["tide"]
    amplitude: Annotated[Quantity[float], Is(SPEED, rule=not_negative)]
    minor: Annotated[Quantity[float], Is(SPEED)] | None = None
    period: Duration | None = None
    constituent: Literal["M2", "S2", "N2", "K1", "O1"] | None = None
    direction: Angle | None = None
    phase: Angle | None = None


def _tide(section: TideSection, context: CurrentContext) -> Tide:
    period = section.period.value if section.period else PERIODS[section.constituent or "M2"]
    direction = section.direction.value if section.direction else 0.0
    phase = section.phase.value if section.phase else 0.0
    minor = section.minor.value if section.minor else 0.0
    return Tide((Constituent(section.amplitude.value, period, direction, phase, minor),))


TIDE = CurrentKind("tide", TideSection, _tide)
