"""The errors that every kind of sensor may have, from its figures.

Channels come in groups with a prefix each ("accelerometer_" and "gyro_", or none). With its prefix before them a group
may have the figures below, each one number or one per channel; deviations are one standard deviation, units SI.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from remora.messages.reading import Values
from remora.sensors.data_sheet import Figures
from remora.sensors.errors.distortions import (
    Bias,
    Clipping,
    CrossCoupling,
    Drift,
    Quantisation,
    ScaleFactor,
    SquareTerm,
)
from remora.sensors.errors.noise import GaussMarkov, Outliers, RandomWalk, WhiteNoise
from remora.sensors.errors.streams import Stream
from remora.sensors.sensor import Effect

CONDITIONS = ("static", "density", "dynamic")

_Read: TypeAlias = Callable[[str, int], Values | None]


class Group(NamedTuple):
    """Channels that share their figures."""

    prefix: str
    size: int
    is_vector: bool = False  # True: three components of a vector, whose axes may be skew


class Pace(NamedTuple):
    """What turns densities into deviations."""

    rate: float  # Hz
    condition: str


def _joined(groups: tuple[Group, ...], read: _Read) -> Values | None:
    """A figure of all groups in a row, zero where a group has none; None where no group has it."""
    parts = [read(group.prefix, group.size) for group in groups]
    if all(part is None for part in parts):
        return None
    row: Values = ()
    for group, part in zip(groups, parts, strict=True):
        row += part if part is not None else (0.0,) * group.size
    return row


def _plain(figures: Figures, name: str, least: float = -math.inf) -> _Read:
    """Reads one figure."""
    return lambda prefix, count: figures.numbers(prefix + name, count, least)


def _drawn(figures: Figures, stream: Stream, fixed: str, spread: str) -> _Read:
    """Reads a constant that is partly given and partly drawn once per run."""

    def read(prefix: str, count: int) -> Values | None:
        constant = figures.numbers(prefix + fixed, count)
        deviation = figures.numbers(prefix + spread, count, 0.0)
        if deviation is None:
            return constant
        chance = stream.of(prefix + spread).normals(0, count)
        start = constant if constant is not None else (0.0,) * count
        return tuple(c + d * n for c, d, n in zip(start, deviation, chance, strict=True))

    return read


def white_deviation(figures: Figures, pace: Pace, prefix: str, count: int) -> Values | None:
    """Deviation of white noise from whichever figure states it.

    `deviation` wins. Otherwise by condition: "static" takes what was measured at rest, "dynamic" what was measured
    under way, "density" the data sheet; where that is missing the others follow in the order static, density, dynamic.
    A noise density is one-sided, so its band ends at half the rate (variance = density^2 rate / 2); a random walk is
    the number of Allan's plot at one second (variance = random_walk^2 rate).
    """

    def scaled(name: str, factor: float) -> Values | None:
        values = figures.numbers(prefix + name, count, 0.0)
        return None if values is None else tuple(factor * v for v in values)

    def root(name: str) -> Values | None:
        values = figures.numbers(prefix + name, count, 0.0)
        return None if values is None else tuple(math.sqrt(max(v, 0.0)) for v in values)

    density, walk = scaled("noise_density", math.sqrt(0.5 * pace.rate)), scaled("random_walk", math.sqrt(pace.rate))
    static_deviation, static_root = scaled("static_deviation", 1.0), root("static_variance")
    dynamic_deviation, dynamic_root = scaled("dynamic_deviation", 1.0), root("dynamic_variance")
    found = {
        "static": static_deviation or static_root,
        "density": density or walk,
        "dynamic": dynamic_deviation or dynamic_root,
    }
    own = scaled("deviation", 1.0)
    return own or found[pace.condition] or found["static"] or found["density"] or found["dynamic"]


def menu_effects(figures: Figures, stream: Stream, groups: tuple[Group, ...], pace: Pace) -> tuple[Effect, ...]:
    """All effects that the figures ask for: from the sensing element out to its converter."""
    white = _joined(groups, lambda prefix, count: white_deviation(figures, pace, prefix, count))
    walk = _joined(groups, _plain(figures, "bias_walk", 0.0))
    effects: list[Effect] = [*_stretching(figures, stream, groups)]
    bias = _joined(groups, _drawn(figures, stream, "bias", "bias_deviation"))
    if bias is not None:
        effects.append(Bias(bias))
    drift = _joined(groups, _drift(figures))
    if drift is not None:
        effects.append(Drift(drift))
    effects += _wandering(figures, stream, groups)
    if walk is not None:
        effects.append(RandomWalk(stream.of("bias_walk"), walk))
    if white is not None:
        effects.append(WhiteNoise(stream.of("noise"), white))
    jumps = _joined(groups, _plain(figures, "outlier_deviation", 0.0))
    chance = figures.number("outlier_probability", 0.0, 0.0, 1.0)
    if chance > 0.0 and jumps is None:
        figures.refuse("outlier_probability", "outlier_deviation is missing: how far do outliers jump?")
    elif jumps is not None:
        effects.append(Outliers(stream.of("outliers"), chance, jumps))
    return tuple(effects)


def converter_effects(figures: Figures, groups: tuple[Group, ...]) -> tuple[Effect, ...]:
    """Limits and steps of the converter, which come last."""
    effects: list[Effect] = []
    limits = [figures.numbers(group.prefix + "limit", group.size, 0.0) for group in groups]
    if any(limits):
        endless = ((math.inf,) * group.size for group in groups)
        effects.append(Clipping(tuple(v for own, none in zip(limits, endless, strict=True) for v in own or none)))
    steps = _joined(groups, _plain(figures, "resolution", 0.0))
    if steps is not None:
        effects.append(Quantisation(steps))
    return tuple(effects)


def _drift(figures: Figures) -> _Read:
    """Drift per second, or a drift gathered over a `drift_time`."""

    def read(prefix: str, count: int) -> Values | None:
        gathered = figures.numbers(prefix + "drift", count)
        time = figures.number(prefix + "drift_time", 1.0, 1e-9)
        return None if gathered is None else tuple(g / time for g in gathered)

    return read


def _stretching(figures: Figures, stream: Stream, groups: tuple[Group, ...]) -> list[Effect]:
    """Scale errors, also those that differ by sign."""
    effects: list[Effect] = []
    scale = _joined(groups, _drawn(figures, stream, "scale_error", "scale_deviation"))
    skewness = _joined(groups, _drawn(figures, stream, "scale_difference", "scale_asymmetry"))
    if scale is not None or skewness is not None:
        nothing = (0.0,) * sum(group.size for group in groups)
        pairs = list(zip(scale or nothing, skewness or nothing, strict=True))
        effects.append(ScaleFactor(tuple(s + a for s, a in pairs), tuple(s - a for s, a in pairs)))
    square = _joined(groups, _plain(figures, "square_term"))
    if square is not None:
        effects.append(SquareTerm(square))
    return effects


def _wandering(figures: Figures, stream: Stream, groups: tuple[Group, ...]) -> list[Effect]:
    """Gauss-Markov errors: in-run bias with a time of its own per group, and stated accuracies."""
    effects: list[Effect] = []
    wander = _joined(groups, _plain(figures, "bias_wander", 0.0))
    times = [figures.number(group.prefix + "bias_wander_time", 100.0, 0.0) for group in groups]
    if wander is not None:
        spread = tuple(time for time, group in zip(times, groups, strict=True) for _ in range(group.size))
        effects.append(GaussMarkov(stream.of("bias_wander"), wander, spread))
    accuracy = _joined(groups, _plain(figures, "accuracy", 0.0))
    time = figures.number("correlation_time", 0.0, 0.0)
    if accuracy is not None:
        effects.append(GaussMarkov(stream.of("accuracy"), accuracy, (time,) * len(accuracy)))
    return effects


def axis_errors(figures: Figures, stream: Stream, groups: tuple[Group, ...]) -> tuple[Effect, ...]:
    """Misalignment and axes that are not square, drawn once per run for each vector among the groups.

    `misalignment` turns the three axes together, `nonorthogonality` bends them against each other, `cross_coupling` is
    a matrix of one's own; `gyro_force_sensitivity` lets specific force leak into the turn rate of an inertial unit.
    """
    total = sum(group.size for group in groups)
    matrix = [[0.0] * total for _ in range(total)]
    start = 0
    for group in groups:
        if group.is_vector:
            _fill_axes(figures, stream, group.prefix, matrix, start)
        start += group.size
    if [group.prefix for group in groups] == ["accelerometer_", "gyro_"]:
        leak = figures.number("gyro_force_sensitivity", 0.0, 0.0)
        chance = stream.of("gyro_force_sensitivity").normals(0, 9)
        for i in range(9):
            matrix[3 + i // 3][i % 3] += leak * chance[i]
    if not any(any(row) for row in matrix):
        return ()
    return (CrossCoupling(tuple(tuple(row) for row in matrix)),)


def _fill_axes(figures: Figures, stream: Stream, prefix: str, matrix: list[list[float]], start: int) -> None:
    """The block of one vector."""
    turn = figures.numbers(prefix + "misalignment", 3, 0.0) or (0.0,) * 3
    bend = figures.numbers(prefix + "nonorthogonality", 3, 0.0) or (0.0,) * 3
    own = figures.matrix(prefix + "cross_coupling")
    turned = [d * n for d, n in zip(turn, stream.of(prefix + "misalignment").normals(0, 3), strict=True)]
    bent = [d * n for d, n in zip(bend, stream.of(prefix + "nonorthogonality").normals(0, 3), strict=True)]
    for axis, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        matrix[start + i][start + j] += bent[axis] + turned[axis]
        matrix[start + j][start + i] += bent[axis] - turned[axis]
    for i in range(3):
        for j in range(3):
            matrix[start + i][start + j] += own[i][j] if own else 0.0
