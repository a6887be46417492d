"""Cycles of the Falcon filters at 20 Hz, from the readings of the sled and the shaft speeds.

The additive filter runs as in the source: every reading counts at the cycle in which it arrives, with the mean of the
IMU readings. Only the residual of the SBL ranges is formed with the predicted state of their time; Jacobian, covariance
and gain belong to the present. Proctor 2014, section 4.2.3. In the error-state filter every reading counts at its
stamp, and late ones are re-filtered.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.messages.reading import Reading, Status
from remora.navigation.falcon.filter_setup import THRUSTERS
from remora.navigation.falcon.models import MOTION_STATES, THRUST_STATES
from remora.navigation.falcon.presets import ModelNoise, additive_sigma, error_state_sigma, oscillation_start
from remora.navigation.falcon.sled import KINDS, SIZES, Sled
from remora.navigation.filters import Belief, ErrorStateFilter, Innovation

START = (0.0, 0.0, 0.92)  # m, afloat at the site of the source
MEMORY_NS = 1_000_000_000  # of predicted states


class AdditiveState(NamedTuple):
    """Belief, and the predicted states of the last second."""

    belief: Belief
    stamps: tuple[int, ...]  # ns
    predicted: tuple[tuple[float, ...], ...]


class CycleResult(NamedTuple):
    """Results of the readings of a cycle."""

    innovations: tuple[Innovation, ...]
    shadowed: tuple[bool, ...]  # stations whose range was withheld; empty without ranges


@final
@dataclass(frozen=True)
class AdditiveFalconFilter:
    """The additive filter, one call per cycle."""

    filter: ErrorStateFilter
    sled: Sled
    compensated: tuple[str, ...] = ("sbl",)  # kinds whose residual is formed with the state of their time
    is_gated: bool = True  # whether shadowed ranges are withheld

    def initial(self, stamp_ns: int = 0, position: ArrayLike = START, speeds: ArrayLike | None = None) -> AdditiveState:
        """State at the start: at rest and level at a position in N, m."""
        x = np.concatenate([np.asarray(position, dtype=float), [1.0], np.zeros(15)])
        return AdditiveState(self.filter.initial(x, additive_sigma(), stamp_ns, speeds), (), ())

    def step(
        self, state: AdditiveState, time_ns: int, speeds: Sequence[float], readings: Sequence[Reading]
    ) -> tuple[AdditiveState, CycleResult]:
        """One cycle, with the shaft speed of each thruster now, rad/s, and the readings since the last cycle."""
        belief, _ = self.filter.step(state.belief, [_at(THRUSTERS, time_ns, tuple(speeds))])
        state = _remembered(state, belief)
        results: list[Innovation] = []
        shadowed: tuple[bool, ...] = ()
        for kind in KINDS:
            latest = _latest(kind, self.sled.names[kind], readings, time_ns)
            if latest is None:
                continue
            stamp_ns, numbers = latest
            past = _state_at(state, stamp_ns) if kind in self.compensated else belief.state
            if kind == "sbl" and self.is_gated:
                shadowed = self.sled.hidden(past)
                numbers = tuple(math.nan if hides else r for hides, r in zip(shadowed, numbers, strict=True))
            if kind in self.compensated:
                numbers = self._moved(kind, numbers, past, belief.state)
            belief, found = self.filter.step(belief, [_at(kind, time_ns, numbers)])
            results += found
        return state._replace(belief=belief), CycleResult(tuple(results), shadowed)

    def _moved(self, kind: str, numbers: tuple[float, ...], past: Array, now: Array) -> tuple[float, ...]:
        """A late reading plus the change of its prediction since: its residual now equals the one at its time."""
        measure, row = self.filter.aidings[kind].measure, self.filter.setup.parameters
        before, after = measure(past.tolist(), (), row), measure(now.tolist(), (), row)
        return tuple(z + b - a for z, a, b in zip(numbers, before, after, strict=True))


def _at(kind: str, time_ns: int, values: tuple[float, ...]) -> Reading:
    return Reading(kind, time_ns, time_ns, Status.OK, values)


def _latest(kind: str, name: str, readings: Sequence[Reading], time_ns: int) -> tuple[int, tuple[float, ...]] | None:
    """Stamp and values of the latest reading of a sensor that has numbers; the mean of them of an IMU."""
    own = [(one.stamp_ns, one.values[: SIZES[kind]]) for one in readings if one.sensor == name]
    own = [one for one in own if one[0] <= time_ns and any(map(math.isfinite, one[1]))]
    if not own:
        return None
    stamp_ns, values = own[-1]
    return stamp_ns, tuple(np.mean([one[1] for one in own], axis=0).tolist()) if kind == "imu" else values


def _remembered(state: AdditiveState, belief: Belief) -> AdditiveState:
    """The state with the prediction of this cycle, without those that are too old."""
    first = bisect_left(state.stamps, belief.stamp_ns - MEMORY_NS)
    stamps = (*state.stamps[first:], belief.stamp_ns)
    return AdditiveState(belief, stamps, (*state.predicted[first:], tuple(belief.state.tolist())))


def _state_at(state: AdditiveState, stamp_ns: int) -> Array:
    """The predicted state nearest to a time."""
    nearest = min(range(len(state.stamps)), key=lambda i: abs(state.stamps[i] - stamp_ns))
    return np.array(state.predicted[nearest])


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

        Stamps after the present time come from a wrong clock. The belief gives the shadow.
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
