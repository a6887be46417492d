"""Checks of numbers that describe the world, and linear interpolation on grid axes."""

import math
from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple


def check_finite(what: str, numbers: Iterable[float]) -> None:
    """Refuse numbers that are not finite."""
    numbers = tuple(numbers)
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError(f"{what} is {numbers}: give finite numbers")


def check_growing(what: str, numbers: tuple[float, ...]) -> None:
    """Refuse numbers that are not strictly increasing."""
    check_finite(what, numbers)
    for first, second in pairwise(numbers):
        if not second > first:
            raise ValueError(f"{what}: {second:g} comes after {first:g}. Give them in growing order, each once")


class Between(NamedTuple):
    """Position of a coordinate on an axis."""

    lower: int  # index of the node below
    upper: int  # index of the node above; the same where the axis has one node
    share: float  # of the way from the lower to the upper
    slope: float  # of the share, per unit of the coordinate; zero outside and where the axis has one node


def between(axis: tuple[float, ...], coordinate: float) -> Between:
    """Position of a coordinate on an increasing axis, clamped to its ends."""
    last = len(axis) - 1
    if last == 0:
        return Between(0, 0, 0.0, 0.0)
    lower = min(max(bisect_right(axis, coordinate) - 1, 0), last - 1)
    start, end = axis[lower], axis[lower + 1]
    share = (coordinate - start) / (end - start)
    if share < 0.0 or share > 1.0:
        return Between(lower, lower + 1, min(max(share, 0.0), 1.0), 0.0)
    return Between(lower, lower + 1, share, 1.0 / (end - start))
