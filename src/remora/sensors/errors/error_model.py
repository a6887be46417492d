"""Error model common to all kinds of sensors, built from the parameters of the data sheet.

Channels come in groups with a prefix each ("accelerometer_" and "gyro_", or none). With its prefix before them a group
may have the parameters below, each one number or one per channel; deviations are one standard deviation, units SI.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from remora.messages.reading import Values
from remora.sensors.data_sheet import DataSheet
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
# The name of a stream is part of its key, so these keep their first names: the same seed draws the same errors.
_STREAMS = {"bias_std": "bias_deviation", "scale_std": "scale_deviation"}

_Read: TypeAlias = Callable[[str, int], Values | None]


class ChannelGroup(NamedTuple):
    """Channels with common error parameters."""

    prefix: str
    size: int
    is_vector: bool = False  # True: three components of a vector, with misalignment


VECTOR = ChannelGroup("", 3, is_vector=True)


class NoiseConditions(NamedTuple):
    """Sampling rate and condition, which select and scale the white noise."""

    rate: float  # Hz
    condition: str


def _joined(groups: tuple[ChannelGroup, ...], read: _Read) -> Values | None:
    """A parameter for all channels, zero for groups without it; None if no group has it."""
    parts = [read(group.prefix, group.size) for group in groups]
    if all(part is None for part in parts):
        return None
    row: Values = ()
    for group, part in zip(groups, parts, strict=True):
        row += part if part is not None else (0.0,) * group.size
    return row


def _plain(sheet: DataSheet, name: str, least: float = -math.inf) -> _Read:
    """Reads one parameter."""
    return lambda prefix, count: sheet.numbers(prefix + name, count, least)


def _drawn(sheet: DataSheet, stream: Stream, fixed: str, spread: str) -> _Read:
    """Reads a constant error: a given part plus one that is drawn once per run."""

    def read(prefix: str, count: int) -> Values | None:
        constant = sheet.numbers(prefix + fixed, count)
        std = sheet.numbers(prefix + spread, count, 0.0)
        if std is None:
            return constant
        chance = stream.of(prefix + _STREAMS.get(spread, spread)).normals(0, count)
        start = constant if constant is not None else (0.0,) * count
        return tuple(c + d * n for c, d, n in zip(start, std, chance, strict=True))

    return read


def white_std(sheet: DataSheet, pace: NoiseConditions, prefix: str, count: int) -> Values | None:
    """Standard deviation of white noise from whichever parameter states it.

    `std` has precedence. Otherwise by condition: "static" takes what was measured at rest, "dynamic" what was measured
    under way, "density" the data sheet; where that is missing the others follow in the order static, density, dynamic.
    A noise density is one-sided, so its band ends at half the rate (variance = density^2 rate / 2); a random walk is
    the number of Allan's plot at one second (variance = random_walk^2 rate).
    """

    def scaled(name: str, factor: float) -> Values | None:
        values = sheet.numbers(prefix + name, count, 0.0)
        return None if values is None else tuple(factor * v for v in values)

    def root(name: str) -> Values | None:
        values = sheet.numbers(prefix + name, count, 0.0)
        return None if values is None else tuple(math.sqrt(max(v, 0.0)) for v in values)

    density, walk = scaled("noise_density", math.sqrt(0.5 * pace.rate)), scaled("random_walk", math.sqrt(pace.rate))
    static_std, static_root = scaled("static_std", 1.0), root("static_variance")
    dynamic_std, dynamic_root = scaled("dynamic_std", 1.0), root("dynamic_variance")
    found = {"static": static_std or static_root, "density": density or walk, "dynamic": dynamic_std or dynamic_root}
    own = scaled("std", 1.0)
    return own or found[pace.condition] or found["static"] or found["density"] or found["dynamic"]


def error_effects(
    sheet: DataSheet, stream: Stream, groups: tuple[ChannelGroup, ...], pace: NoiseConditions
) -> tuple[Effect, ...]:
    """Effects of the error model, from the sensing element to the converter."""
    white = _joined(groups, lambda prefix, count: white_std(sheet, pace, prefix, count))
    walk = _joined(groups, _plain(sheet, "bias_walk", 0.0))
    effects: list[Effect] = [*_stretching(sheet, stream, groups)]
    bias = _joined(groups, _drawn(sheet, stream, "bias", "bias_std"))
    if bias is not None:
        effects.append(Bias(bias))
    drift = _joined(groups, _drift(sheet))
    if drift is not None:
        effects.append(Drift(drift))
    effects += _wandering(sheet, stream, groups)
    if walk is not None:
        effects.append(RandomWalk(stream.of("bias_walk"), walk))
    if white is not None:
        effects.append(WhiteNoise(stream.of("noise"), white))
    jumps = _joined(groups, _plain(sheet, "outlier_std", 0.0))
    chance = sheet.number("outlier_probability", 0.0, 0.0, 1.0)
    if chance > 0.0 and jumps is None:
        sheet.refuse("outlier_probability", "outlier_std is missing: how far do outliers jump?")
    elif jumps is not None:
        effects.append(Outliers(stream.of("outliers"), chance, jumps))
    return tuple(effects)


def converter_effects(sheet: DataSheet, groups: tuple[ChannelGroup, ...]) -> tuple[Effect, ...]:
    """Clipping and quantisation, applied last."""
    effects: list[Effect] = []
    limits = [sheet.numbers(group.prefix + "limit", group.size, 0.0) for group in groups]
    if any(limits):
        endless = ((math.inf,) * group.size for group in groups)
        effects.append(Clipping(tuple(v for own, none in zip(limits, endless, strict=True) for v in own or none)))
    steps = _joined(groups, _plain(sheet, "resolution", 0.0))
    if steps is not None:
        effects.append(Quantisation(steps))
    return tuple(effects)


def _drift(sheet: DataSheet) -> _Read:
    """Drift per second, or the drift over a `drift_time`."""

    def read(prefix: str, count: int) -> Values | None:
        gathered = sheet.numbers(prefix + "drift", count)
        time = sheet.number(prefix + "drift_time", 1.0, 1e-9)
        return None if gathered is None else tuple(g / time for g in gathered)

    return read


def _stretching(sheet: DataSheet, stream: Stream, groups: tuple[ChannelGroup, ...]) -> list[Effect]:
    """Scale factor errors, also asymmetric ones."""
    effects: list[Effect] = []
    scale = _joined(groups, _drawn(sheet, stream, "scale_error", "scale_std"))
    skewness = _joined(groups, _drawn(sheet, stream, "scale_difference", "scale_asymmetry"))
    if scale is not None or skewness is not None:
        nothing = (0.0,) * sum(group.size for group in groups)
        pairs = list(zip(scale or nothing, skewness or nothing, strict=True))
        effects.append(ScaleFactor(tuple(s + a for s, a in pairs), tuple(s - a for s, a in pairs)))
    square = _joined(groups, _plain(sheet, "square_term"))
    if square is not None:
        effects.append(SquareTerm(square))
    return effects


def _wandering(sheet: DataSheet, stream: Stream, groups: tuple[ChannelGroup, ...]) -> list[Effect]:
    """Gauss-Markov errors: in-run bias with one correlation time per group, and stated accuracies."""
    effects: list[Effect] = []
    wander = _joined(groups, _plain(sheet, "bias_wander", 0.0))
    times = [sheet.number(group.prefix + "bias_wander_time", 100.0, 0.0) for group in groups]
    if wander is not None:
        spread = tuple(time for time, group in zip(times, groups, strict=True) for _ in range(group.size))
        effects.append(GaussMarkov(stream.of("bias_wander"), wander, spread))
    accuracy = _joined(groups, _plain(sheet, "accuracy", 0.0))
    time = sheet.number("correlation_time", 0.0, 0.0)
    if accuracy is not None:
        effects.append(GaussMarkov(stream.of("accuracy"), accuracy, (time,) * len(accuracy)))
    return effects


def axis_errors(sheet: DataSheet, stream: Stream, groups: tuple[ChannelGroup, ...]) -> tuple[Effect, ...]:
    """Misalignment and non-orthogonality, drawn once per run for each vector among the groups.

    `misalignment` turns the three axes together, `nonorthogonality` bends them against each other, `cross_coupling` is
    a matrix of one's own; `gyro_force_sensitivity` lets specific force leak into the turn rate of an inertial unit.
    """
    total = sum(group.size for group in groups)
    matrix = [[0.0] * total for _ in range(total)]
    start = 0
    for group in groups:
        if group.is_vector:
            _fill_axes(sheet, stream, group.prefix, matrix, start)
        start += group.size
    if [group.prefix for group in groups] == ["accelerometer_", "gyro_"]:
        leak = sheet.number("gyro_force_sensitivity", 0.0, 0.0)
        chance = stream.of("gyro_force_sensitivity").normals(0, 9)
        for i in range(9):
            matrix[3 + i // 3][i % 3] += leak * chance[i]
    if not any(any(row) for row in matrix):
        return ()
    return (CrossCoupling(tuple(tuple(row) for row in matrix)),)


def _fill_axes(sheet: DataSheet, stream: Stream, prefix: str, matrix: list[list[float]], start: int) -> None:
    """The block of one vector."""
    turn = sheet.numbers(prefix + "misalignment", 3, 0.0) or (0.0,) * 3
    bend = sheet.numbers(prefix + "nonorthogonality", 3, 0.0) or (0.0,) * 3
    own = sheet.matrix(prefix + "cross_coupling")
    turned = [d * n for d, n in zip(turn, stream.of(prefix + "misalignment").normals(0, 3), strict=True)]
    bent = [d * n for d, n in zip(bend, stream.of(prefix + "nonorthogonality").normals(0, 3), strict=True)]
    for axis, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        matrix[start + i][start + j] += bent[axis] + turned[axis]
        matrix[start + j][start + i] += bent[axis] - turned[axis]
    for i in range(3):
        for j in range(3):
            matrix[start + i][start + j] += own[i][j] if own else 0.0
