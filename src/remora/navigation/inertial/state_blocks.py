"""Layout of the state of a navigation filter: position, velocity, attitude, and blocks of sensor errors.

State: p_NI (3), velocity of I in N (3), q_NB (4), then the blocks. Error: nine numbers of the chart, then the blocks,
whose errors are plain differences. I is the place of the inertial unit, or B without one.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from remora.messages.reading import Values
from remora.messages.stated_errors import StatedErrors

POSE_STATES, POSE_ERRORS = 10, 9
MEAN_VELOCITY = "mean_velocity"  # name of the block
# Correlation time of the velocity about its mean, s: inertia over the slope of the drag, of small vehicles at some
# 0.1 m/s. Time in which the mean wanders by its standard deviation, s; chosen.
DRAG_TIME, MEAN_TIME = 5.0, 60.0


class ErrorBlock(NamedTuple):
    """Further states: sensor errors, water current, bottom depth. One number or a multiple of three."""

    name: str
    sigma: Values  # initial standard deviation of each
    noise: Values  # random walk of each, per root second
    rate: float = 0.0  # 1/s, inverse correlation time of a Gauss-Markov process
    mean: float = 0.0  # initial value of each
    correlation: float = 0.0  # of a 3x3 block: between an element and its transpose


class StateLayout(NamedTuple):
    """Blocks of a state in order."""

    blocks: tuple[ErrorBlock, ...]

    @property
    def states(self) -> int:
        """Numbers of a state."""
        return POSE_STATES + sum(len(block.sigma) for block in self.blocks)

    def has(self, name: str) -> bool:
        """Whether there is a block with a name."""
        return any(block.name == name for block in self.blocks)

    def start(self, name: str) -> int:
        """Index of the first state of a block."""
        at = POSE_STATES
        for block in self.blocks:
            if block.name == name:
                return at
            at += len(block.sigma)
        raise KeyError(name)


def bias_block(name: str, errors: StatedErrors, mean: float = 0.0) -> ErrorBlock | None:
    """The bias of a group of channels; None where its data sheet states none.

    A bias that only wanders is a Gauss-Markov process. A constant bias that also wanders is a random walk with the same
    growth in a short time, which needs half the states of the sum of both.
    """
    if not any((*errors.constant, *errors.wander, *errors.walk, *errors.drift)):
        return None
    growth = math.sqrt(2.0 / errors.wander_time) if errors.wander_time else 0.0
    noise = tuple(math.hypot(growth * w, walk) for w, walk in zip(errors.wander, errors.walk, strict=True))
    is_stationary = errors.wander_time > 0.0 and not any((*errors.constant, *errors.walk, *errors.drift))
    return ErrorBlock(name, errors.bias, noise, 1.0 / errors.wander_time if is_stationary else 0.0, mean)


def drift_block(name: str, errors: StatedErrors) -> ErrorBlock | None:
    """Constant rate of the bias in the block before it; None where none is stated."""
    return ErrorBlock(name, errors.drift, (0.0,) * len(errors.drift)) if errors.drift else None


def coupling_block(name: str, errors: StatedErrors) -> ErrorBlock | None:
    """Scale errors and misalignments of a vector as a 3x3 matrix, row by row; None where none are stated."""
    turn, bend, scale = errors.misalignment, errors.nonorthogonality, errors.scale
    if not any((turn, bend, *scale)):
        return None
    off = math.hypot(turn, bend)
    sigma = tuple(scale[i] if i == j else off for i in range(3) for j in range(3))
    correlation = (bend * bend - turn * turn) / (off * off) if off else 0.0
    return ErrorBlock(name, sigma, (0.0,) * 9, correlation=correlation)


def leakage_block(name: str, errors: StatedErrors, gravity: float) -> ErrorBlock | None:
    """Leakage of specific force into gyros as a 3x3 matrix, row by row; None where the bias covers it.

    A tilt of 30 degrees changes the leakage by half its value under gravity. A bias that wanders by more covers this.
    """
    if 0.5 * errors.force_sensitivity * gravity <= max(errors.wander):
        return None
    return ErrorBlock(name, (errors.force_sensitivity,) * 9, (0.0,) * 9)


def of_known(blocks: Sequence[ErrorBlock | None]) -> StateLayout:
    """The layout of the blocks that there are."""
    return StateLayout(tuple(block for block in blocks if block is not None))
