"""Prediction of the state over known delays, by the model and the forces that were sent.

An estimate behind sensors with a latency describes the past, and drives with a delay act late. The model is run from
the time of the measurement to the time from which on new forces act. Motion (position and velocity) and turn (attitude
and rates) may be of different age.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.files.arrays import Array
from remora.plant.pack import PackedVehicle
from remora.plant.stepper import Stepper

LEAST_TIME = 1e-9  # s; shorter segments are rounding
LONGEST_STEP = 0.05  # s
MOTION = [0, 1, 2, 7, 8, 9]
TURN = [3, 4, 5, 6, 10, 11, 12]


class Delays(NamedTuple):
    """Ages of an estimate, and the delay of the drives, s."""

    motion: float = 0.0
    turn: float = 0.0
    drive: float = 0.0


NO_DELAYS = Delays()


class ForceSegment(NamedTuple):
    """A time over which the same forces act."""

    sent: int  # samples ago at which its forces were sent; 0 for those of this sample
    stepper: Any
    steps: int


@final
@dataclass(frozen=True, eq=False)
class DelayCompensation:
    """Runs of the model between the ages of an estimate and the time at which new forces act."""

    packed: PackedVehicle
    period: float  # s, between samples
    delays: Delays

    @property
    def samples(self) -> int:
        """Number of past samples whose forces still matter."""
        return math.ceil((max(self.delays.motion, self.delays.turn) + self.delays.drive) / self.period - LEAST_TIME)

    def segments(self, oldest: float, newest: float) -> tuple[ForceSegment, ...]:
        """Segments between two ages in s, which are negative for the time after this sample.

        The forces that were sent j samples ago act from the age j T - d on, d the delay of the drives.
        """
        found = []
        for sent in range(self.samples, -1, -1):
            begins = min(sent * self.period - self.delays.drive, oldest)
            ends = max((sent - 1) * self.period - self.delays.drive, newest)
            if begins - ends > LEAST_TIME:
                steps = math.ceil((begins - ends) / LONGEST_STEP - LEAST_TIME)
                found.append(ForceSegment(sent, Stepper(self.packed, (begins - ends) / steps), steps))
        return tuple(found)

    @cached_property
    def _plan(self) -> tuple[tuple[ForceSegment, ...], ...]:
        """Segments of the alignment, of the prediction, and of one period for the older and for both parts."""
        older, younger = max(self.delays[:2]), min(self.delays[:2])
        return (
            self.segments(older, younger),
            self.segments(younger, -self.delays.drive),
            self.segments(older, older - self.period),
            self.segments(younger, younger - self.period),
        )

    def aligned(self, measured: Array, sent: Array, environment: Array) -> Array:
        """State in which motion and turn have the age of the younger of both.

        The measured state has the thrusts at the time of its older part. Forces of the past samples come newest last,
        N; the environment is the external wrench about B in body axes, then the current in N.
        """
        state = _run(self._plan[0], measured, sent, environment)
        younger = TURN if self.delays.motion >= self.delays.turn else MOTION
        state[younger] = measured[younger]
        return state

    def present(self, aligned: Array, sent: Array, environment: Array) -> Array:
        """State from which on new forces act; parameters as of `aligned`, which gives the first."""
        return _run(self._plan[1], aligned, sent, environment)

    def next_measured(self, measured: Array, aligned: Array, sent: Array, environment: Array) -> Array:
        """Twist that the next estimate is expected to have, and the thrusts at the time of its older part.

        `sent` ends with the forces of this sample; other parameters as of `aligned`.
        """
        older = _run(self._plan[2], measured, sent, environment, newest=0)
        younger = _run(self._plan[3], aligned, sent, environment, newest=0)
        late = MOTION if self.delays.motion >= self.delays.turn else TURN
        younger[late], younger[BODY_SIZE:] = older[late], older[BODY_SIZE:]
        return younger


def _run(segments: tuple[ForceSegment, ...], state: Array, sent: Array, environment: Array, newest: int = 1) -> Array:
    """The state after segments; the last row of `sent` was sent `newest` samples ago."""
    state = np.array(state)
    for segment in segments:
        forces = sent[len(sent) - 1 - (segment.sent - newest)]
        for _ in range(segment.steps):
            state = segment.stepper(state, forces, environment)
    return state
