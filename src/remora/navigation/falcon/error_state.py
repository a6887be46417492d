"""Cycle of the error-state filter: every reading counts at its stamp, late ones are re-filtered."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from remora.messages.reading import Reading, Status
from remora.navigation.falcon.additive import START, CycleResult
from remora.navigation.falcon.filter_setup import THRUSTERS
from remora.navigation.falcon.presets import ModelNoise, error_state_sigma, oscillation_start
from remora.navigation.falcon.sled import SIZES, Sled
from remora.navigation.falcon.state_charts import MOTION_STATES, THRUST_STATES
from remora.navigation.filters import Belief, ErrorStateFilter


class ErrorState(NamedTuple):
    """Belief after a cycle."""

    belief: Belief


@final
@dataclass(frozen=True)
class ErrorStateFalconFilter:
    """The error-state filter, one call per cycle."""

    filter: ErrorStateFilter
    sled: Sled
    model: ModelNoise
    with_effectiveness: bool = False
    is_gated: bool = True  # whether shadowed ranges are withheld

    def initial(self, stamp_ns: int = 0, position: ArrayLike = START, speeds: ArrayLike | None = None) -> ErrorState:
        """State at the start: at rest and level at a position in N, m."""
        x = np.zeros(MOTION_STATES)
        x[:3], x[3] = np.asarray(position, dtype=float), 1.0
        x = np.append(x, np.ones(THRUST_STATES - MOTION_STATES)) if self.with_effectiveness else x
        x = x if self.model.oscillation is None else np.append(x, oscillation_start(self.model.oscillation))
        sigma = error_state_sigma(self.model, self.with_effectiveness)
        return ErrorState(self.filter.initial(x, sigma, stamp_ns, speeds))

    def step(
        self, state: ErrorState, time_ns: int, speeds: Sequence[float], readings: Sequence[Reading]
    ) -> tuple[ErrorState, CycleResult]:
        """One cycle, with the shaft speed of each thruster now, rad/s, and the readings since the last cycle."""
        taken, shadowed = self.taken(state.belief, time_ns, readings)
        taken.append(Reading(THRUSTERS, time_ns, time_ns, Status.OK, tuple(speeds)))
        belief, innovations = self.filter.step(state.belief, taken)
        return ErrorState(belief), CycleResult(innovations, shadowed)

    def taken(
        self, belief: Belief, time_ns: int, readings: Sequence[Reading]
    ) -> tuple[list[Reading], tuple[bool, ...]]:
        """Readings of the sled with the names of its kinds, without shadowed ranges; which stations are shadowed.

        Stamps after the present time are those of a wrong clock. The belief gives the shadow.
        """
        kinds = {name: kind for kind, name in self.sled.names.items()}
        taken: list[Reading] = []
        shadowed: tuple[bool, ...] = ()
        for reading in readings:
            kind = kinds.get(reading.sensor)
            if kind is None or reading.stamp_ns > time_ns:
                continue
            values = reading.values[: SIZES[kind]]
            if kind == "sbl" and self.is_gated and values:
                shadowed = self.sled.hidden(belief.state)
                values = tuple(math.nan if hides else r for hides, r in zip(shadowed, values, strict=True))
            if any(map(math.isfinite, values)):
                taken.append(reading._replace(sensor=kind, values=values))
        return taken, shadowed
