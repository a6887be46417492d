"""Simulation time in integer nanoseconds, external clocks, and pacing to real time."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, TypeAlias, final

from remora.files.units import SECOND

_TOLERANCE = 0.001  # s; smaller delays do not count as missed, shorter sleeps are skipped

# Seconds of an external clock: text and decimals are exact, floats are rounded to the nearest nanosecond.
ClockValue: TypeAlias = float | int | str | Decimal


class ClockError(ValueError):
    """An external clock that runs backwards or gives no time."""


def nanoseconds(value: ClockValue) -> int:
    """A time in seconds as integer nanoseconds."""
    try:
        number = Decimal(value) if isinstance(value, (int, str, Decimal)) else Decimal(repr(float(value)))
        if not number.is_finite():
            raise ClockError(f"the clock gave {value!r}: give seconds as a finite number")
    except (InvalidOperation, TypeError, ValueError) as error:
        if isinstance(error, ClockError):
            raise
        raise ClockError(f"the clock gave {value!r}: give seconds as a number") from None
    return round(number * SECOND)


def external_times(values: Iterable[ClockValue]) -> Iterator[int]:
    """Simulation times in ns from an external clock, relative to its first value.

    A clock that repeats its time pauses the run.

    Raises
    ------
    ClockError
        When a value is not a time or is smaller than the previous one.
    """
    base = last = None
    for value in values:
        now = nanoseconds(value)
        if base is None:
            base = last = now
        if last is not None and now < last:
            raise ClockError(f"the clock went back from {last / SECOND:.9f} s to {now / SECOND:.9f} s")
        last = now
        yield now - base


class Overruns(NamedTuple):
    """Missed deadlines of a paced run."""

    missed: int  # deadlines that had passed
    waits: int
    worst: float  # s


@final
@dataclass(slots=True)
class RealTimePacer:
    """Slows a run down to a multiple of real time.

    Parameters
    ----------
    speed
        Simulated seconds per second; 1 is real time.
    """

    speed: float
    _start: float | None = None
    _first_ns: int = 0
    _overruns: Overruns = field(default=Overruns(0, 0, 0.0))

    def __post_init__(self) -> None:
        if not 0.0 < self.speed < float("inf"):
            raise ValueError(f"speed is {self.speed}: give a positive number, 1 for real time")

    @property
    def overruns(self) -> Overruns:
        """Missed deadlines so far."""
        return self._overruns

    def wait(self, time_ns: int) -> None:
        """Sleep until the deadline of this simulation time; count it as missed when it has passed."""
        now = time.monotonic()
        if self._start is None:
            self._start, self._first_ns = now, time_ns
        left = self._start + (time_ns - self._first_ns) / (SECOND * self.speed) - now
        late = max(-left, 0.0)
        missed, waits, worst = self._overruns
        self._overruns = Overruns(missed + (late > _TOLERANCE), waits + 1, max(worst, late))
        if left > _TOLERANCE:
            time.sleep(left)
