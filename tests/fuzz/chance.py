"""What random trials are drawn with."""

import random
from collections.abc import Sequence
from typing import Any, TypeVar, final

T = TypeVar("T")


@final
class Chance:
    """Random choices of one trial, repeatable by its seed and number."""

    def __init__(self, seed: int, number: int, subject: str = "scenario") -> None:
        self._random = random.Random(f"{subject} {number} of seed {seed}")

    def one(self, things: Sequence[T]) -> T:
        """One of several."""
        return self._random.choice(things)

    def some(self, things: Sequence[T], most: int) -> list[T]:
        """Up to so many of several, each at most once."""
        return self._random.sample(list(things), self._random.randint(0, min(most, len(things))))

    def happens(self, probability: float) -> bool:
        """Whether something happens."""
        return self._random.random() < probability

    def number(self, low: float, high: float) -> float:
        """A number with few digits."""
        return float(f"{self._random.uniform(low, high):.3g}")

    def whole(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return self._random.randint(low, high)

    def three(self, size: float, unit: str = "") -> list[Any]:
        """Three numbers with a unit, as a file has them."""
        numbers = [self.number(-size, size) for _ in range(3)]
        return [f"{number} {unit}" for number in numbers] if unit else list(numbers)
