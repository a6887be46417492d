"""Samples of a sensor along a recorded motion: their indices, times, truths and environments."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array, Integers
from remora.messages.truth import Truth
from remora.sensors.environment import Environment
from remora.sensors.recorded.motion import RecordedMotion

# The environment of all samples, or one for each truth.
EnvironmentSource: TypeAlias = Environment | Callable[[Truth], Environment]


class ErrorFree(Protocol):
    """A measurement without errors."""

    def sample_all(self, samples: "Samples") -> tuple[Integers, Array]:
        """Status and values of many samples."""


@final
class Samples:
    """Samples with the truth at their times. What a measurement gives for them is kept, for draws with other seeds.

    Parameters
    ----------
    index
        Numbers of the samples, which select their random numbers.
    motion
        Truth at each sample.
    environment
        Environment of all samples, or a function of the truth.
    """

    def __init__(self, index: Integers, motion: RecordedMotion, environment: Any) -> None:
        self.index, self.motion, self.environment = index, motion, environment
        self._truths: list[Truth] | None = None
        self._measured: tuple[Any, tuple[Integers, Array]] | None = None

    @property
    def time_ns(self) -> Integers:
        """Times of the samples."""
        return self.motion.time_ns

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[tuple[Truth, Environment, int]]:
        """Truth, environment and number of each sample."""
        if self._truths is None:
            self._truths = list(self.motion.truths())
        varies = callable(self.environment)
        for truth, k in zip(self._truths, self.index.tolist(), strict=True):
            yield truth, self.environment(truth) if varies else self.environment, k

    def where(self, chosen: NDArray[np.bool_]) -> "Samples":
        """Some of the samples."""
        if chosen.all():
            return self
        return Samples(self.index[chosen], self.motion.rows(chosen), self.environment)

    def measured(self, measurement: ErrorFree) -> tuple[Integers, Array]:
        """Status and values without errors; those of an equal measurement are computed once."""
        if self._measured is None or self._measured[0] != measurement:
            self._measured = (measurement, measurement.sample_all(self))
        return self._measured[1]
