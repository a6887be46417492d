"""Errors of sensors as numbers, and the function on arrays that compiled code applies them with.

Each effect becomes a line of a table: its kind, and where its parameters, random numbers and state begin. Compiled
without fused multiply-add, `apply_errors` rounds as the effects do in Python.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, final

import numpy as np

from remora.files.arrays import Array, Integers
from remora.sensors.errors.distortions import (
    Bias,
    Clipping,
    CrossCoupling,
    Drift,
    Quantisation,
    ScaleFactor,
    SquareTerm,
    WrapAngles,
)
from remora.sensors.errors.noise import GaussMarkov, ProportionalNoise, RandomWalk, WhiteNoise
from remora.sensors.errors.streams import Stream
from remora.sensors.sensor import Effect

KIND, PARAMETERS, NOISE, STATE = 0, 1, 2, 3  # columns of the table
BIAS, DRIFT, SCALE, SQUARE, COUPLING, WANDER, WALK, WHITE, PROPORTIONAL, CLIP, ROUND, WRAP = range(12)
NO_TIME = -1.0  # before the first sample
NOT_ROUNDED = 0.0  # step of a channel that is not rounded


class PackedErrors(NamedTuple):
    """Effects of a sensor as numbers."""

    kinds: tuple[tuple[int, int], ...]  # of each effect, and the size of its state
    table: Integers  # a line for each effect
    parameters: Array
    streams: tuple[tuple[Stream, int], ...]  # of standard normal numbers, and how many of each per sample
    state_size: int

    @property
    def noise_width(self) -> int:
        """Random numbers per sample."""
        return sum(count for _, count in self.streams)

    def noise(self, first: int, count: int) -> Array:
        """Random numbers of some samples, a row each."""
        samples = np.arange(first, first + count)
        drawn = [stream.normal_rows(samples, width) for stream, width in self.streams]
        return np.hstack(drawn) if drawn else np.zeros((count, 0))

    def numbers(self, state: tuple[Any, ...]) -> list[float]:
        """State of the effects as a row."""
        row: list[float] = []
        for (kind, _), own in zip(self.kinds, state, strict=True):
            if kind == DRIFT:
                row.append(NO_TIME if own is None else own)
            elif kind in (WANDER, WALK):
                row += (NO_TIME if own[0] is None else own[0], *own[1])
        return row

    def state(self, row: Sequence[float]) -> tuple[Any, ...]:
        """The inverse of `numbers`."""
        states: list[Any] = []
        at = 0
        for kind, size in self.kinds:
            if kind == DRIFT:
                states.append(_time(row[at]))
            elif kind in (WANDER, WALK):
                states.append((_time(row[at]), tuple(row[at + 1 : at + size])))
            else:
                states.append(())
            at += size
        return tuple(states)


def _time(number: float) -> int | None:
    return None if number == NO_TIME else int(number)


@final
class _Packing:
    """Lines of a table, collected effect by effect."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, int, int, int]] = []
        self.parameters: list[float] = []
        self.streams: list[tuple[Stream, int]] = []
        self.kinds: list[tuple[int, int]] = []
        self.noises = self.state_size = 0

    def add(self, kind: int, *rows: Sequence[float], stream: Stream | None = None, state: int = 0) -> None:
        """Add an effect."""
        self.lines.append((kind, len(self.parameters), self.noises, self.state_size))
        for row in rows:
            self.parameters += row
        if stream is not None:
            self.streams.append((stream, len(rows[0])))
            self.noises += len(rows[0])
        self.kinds.append((kind, state))
        self.state_size += state


def packed_errors(effects: tuple[Effect, ...], period_ns: int) -> PackedErrors | None:
    """Effects of a sensor with this period as numbers; None where one has no compiled form."""
    packing = _Packing()
    for effect in effects:
        if not _add(packing, effect, period_ns):
            return None
    table = np.array(packing.lines, dtype=np.int64).reshape(-1, 4)
    streams = tuple(packing.streams)
    return PackedErrors(tuple(packing.kinds), table, np.array(packing.parameters), streams, packing.state_size)


def _add(packing: _Packing, effect: Effect, period_ns: int) -> bool:
    """Add an effect; False where it has no compiled form."""
    match effect:
        case Bias():
            packing.add(BIAS, effect.offset)
        case Drift():
            packing.add(DRIFT, effect.rate, state=1)
        case ScaleFactor():
            packing.add(SCALE, effect.positive, effect.negative)
        case SquareTerm():
            packing.add(SQUARE, effect.coefficient)
        case CrossCoupling():
            packing.add(COUPLING, *effect.matrix)
        case GaussMarkov():
            usual = effect.recursion(period_ns)
            rows = (effect.std, effect.time_constant, *usual, (float(period_ns),))
            packing.add(WANDER, *rows, stream=effect.stream, state=1 + len(effect.std))
        case RandomWalk():
            packing.add(WALK, effect.density, stream=effect.stream, state=1 + len(effect.density))
        case WhiteNoise():
            packing.add(WHITE, effect.std, stream=effect.stream)
        case ProportionalNoise():
            packing.add(PROPORTIONAL, effect.share, effect.floor, stream=effect.stream)
        case Clipping():
            packing.add(CLIP, effect.limit)
        case Quantisation():
            packing.add(ROUND, effect.steps)
        case WrapAngles():
            packing.add(WRAP, tuple(float(one) for one in effect.is_angle))
        case _:
            return False
    return True


def apply_errors(
    table: Integers,
    first: int,
    last: int,
    p: Array,
    start: int,
    values: Array,
    time_ns: int,
    noise: Array,
    state: Array,
    before: Array,
) -> None:
    """Alter the values of one sample by the effects in some lines of a table, in place; their states advance.

    The table and the parameters `p` hold the effects of all sensors: this one has the lines from the first to before
    the last, and its parameters from `start` on. Noise holds the standard normal numbers of the sample; `before` is
    work space of the length of the values.
    """
    n = values.size
    for line in range(first, last):
        kind, a, z, s = table[line, KIND], start + table[line, PARAMETERS], table[line, NOISE], table[line, STATE]
        if kind == WANDER:
            wander(p, a, n, time_ns, noise, z, state, s)
        elif kind == WALK:
            walk(p, a, n, time_ns, noise, z, state, s)
        elif kind == DRIFT and state[s] == NO_TIME:
            state[s] = time_ns
        elif kind == COUPLING:
            for i in range(n):
                before[i] = values[i]
        for i in range(n):
            v = values[i]
            if kind == BIAS:
                values[i] = v + p[a + i]
            elif kind == DRIFT:
                values[i] = v + 1e-9 * (time_ns - state[s]) * p[a + i]
            elif kind == SCALE:
                values[i] = v + v * (p[a + i] if v > 0.0 else p[a + n + i])
            elif kind == SQUARE:
                values[i] = v + p[a + i] * v * v
            elif kind == COUPLING:
                total = 0.0
                for j in range(n):
                    total += p[a + n * i + j] * before[j]
                values[i] = v + total
            elif kind in (WANDER, WALK):
                values[i] = v + state[s + 1 + i]
            elif kind == WHITE:
                values[i] = v + p[a + i] * noise[z + i]
            elif kind == PROPORTIONAL:
                values[i] = v + max(p[a + n + i], p[a + i] * abs(v)) * noise[z + i]
            elif kind == CLIP:
                values[i] = math.copysign(p[a + i], v) if abs(v) > p[a + i] else v
            elif kind == ROUND:
                values[i] = v - remainder(v, p[a + i]) if p[a + i] > NOT_ROUNDED else v
            elif kind == WRAP:
                values[i] = remainder(v, math.tau) if p[a + i] > 0.0 and not -math.pi < v <= math.pi else v


def wander(p: Array, a: int, n: int, time_ns: int, noise: Array, z: int, state: Array, s: int) -> None:
    """Advance a Gauss-Markov bias of n channels; see `GaussMarkov.apply`.

    From index a on the parameters are standard deviations, time constants in s, shares kept and increments over the
    sampling period, and this period in ns. Random numbers begin at z; from s on the state is the time of the last
    sample in ns and the biases.
    """
    elapsed, is_first = time_ns - state[s], state[s] == NO_TIME
    for i in range(n):
        kept, fresh = p[a + 2 * n + i], p[a + 3 * n + i]
        if is_first or elapsed != p[a + 4 * n]:
            kept = 0.0
            if not is_first and p[a + n + i] > 0.0:
                kept = math.exp(-1e-9 * elapsed / p[a + n + i])
            fresh = p[a + i] * math.sqrt(1.0 - kept * kept)
        state[s + 1 + i] = kept * state[s + 1 + i] + fresh * noise[z + i]
    state[s] = time_ns


def walk(p: Array, a: int, n: int, time_ns: int, noise: Array, z: int, state: Array, s: int) -> None:
    """Advance a random walk of n channels; see `RandomWalk.apply`.

    From index a on the parameters are densities, units per square root of s; random numbers and state as in `wander`.
    """
    if state[s] != NO_TIME:
        root = math.sqrt((time_ns - state[s]) * 1e-9)
        for i in range(n):
            state[s + 1 + i] = state[s + 1 + i] + root * p[a + i] * noise[z + i]
    state[s] = time_ns


def remainder(value: float, step: float) -> float:
    """As `math.remainder`; see `nearest_remainder`."""
    size, half = abs(np.fmod(value, 2.0 * step)), 0.5 * step
    if size > half:
        size -= step
        if size >= half:
            size -= step
    return math.copysign(1.0, value) * size
