"""Checks of numbers that describe the world."""

import math
from collections.abc import Iterable
from itertools import pairwise


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
