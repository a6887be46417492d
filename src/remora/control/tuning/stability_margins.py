"""Gain, phase and delay margins of one loop from the frequency response of its open loop."""

import math
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array

TINY = 1e-300  # keeps the logarithm of a gain of zero finite


class StabilityMargins(NamedTuple):
    """Margins of a stable loop; infinite where nothing is crossed."""

    gain: float  # factor by which the gain may rise
    gain_reduction: float  # factor by which it may fall, as a number above 1
    phase: float  # rad
    delay: float  # s, additional latency
    crossover: float  # rad/s, highest frequency of gain one; 0 where the gain stays below one
    sensitivity: float  # largest |1 / (1 + L)|


def stability_margins(frequencies: Array, response: Array) -> StabilityMargins:
    """Margins of a loop with negative feedback: ascending frequencies, rad/s, and the complex open loop L at each."""
    size, phase = np.log(np.maximum(np.abs(response), TINY)), np.unwrap(np.angle(response))
    crossed = [(_between(frequencies, k, share), _between(phase, k, share)) for k, share in _crossings(size)]
    turns = [_between(size, k, share) for level in _odd_turns(phase) for k, share in _crossings(phase - level)]
    beyond = [(w, (p - math.pi) % (2.0 * math.pi)) for w, p in crossed]  # rad, ahead of -180 degrees
    return StabilityMargins(
        gain=min((math.exp(-s) for s in turns if s < 0.0), default=math.inf),
        gain_reduction=min((math.exp(s) for s in turns if s > 0.0), default=math.inf),
        phase=min((min(angle, 2.0 * math.pi - angle) for _, angle in beyond), default=math.inf),
        delay=min((angle / w for w, angle in beyond), default=math.inf),
        crossover=max((w for w, _ in crossed), default=0.0),
        sensitivity=float(np.max(1.0 / np.abs(1.0 + response))),
    )


def _crossings(values: Array) -> list[tuple[int, float]]:
    """Places where a sampled curve crosses zero: index before, and share of the interval."""
    before, after = values[:-1], values[1:]
    places = np.flatnonzero(np.signbit(before) != np.signbit(after))
    return [(int(k), float(before[k] / (before[k] - after[k]))) for k in places]


def _between(values: Array, k: int, share: float) -> float:
    return float(values[k] + share * (values[k + 1] - values[k]))


def _odd_turns(phase: Array) -> list[float]:
    """Odd multiples of pi within the range of a phase, rad."""
    low, high = float(np.min(phase)), float(np.max(phase))
    first = math.ceil((low / math.pi - 1.0) / 2.0)
    last = math.floor((high / math.pi - 1.0) / 2.0)
    return [(2 * k + 1) * math.pi for k in range(first, last + 1)]


def margin_text(gain: float) -> str:
    """A gain margin in decibels."""
    return "any" if math.isinf(gain) else f"{20.0 * math.log10(gain):.3g} dB"
