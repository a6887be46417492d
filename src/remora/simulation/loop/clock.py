"""Time of a run: whole nanoseconds, a clock that others drive, and a pace that keeps to the clock on the wall."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, TypeAlias, final

SECOND = 1_000_000_000
NEVER = 1 << 62  # ns or steps: later than any run
_TOLERANCE = 0.001  # s of wall time that no one would call late; also the shortest sleep worth asking for

# Seconds of an external clock: text and decimals are exact, floats are taken to the nearest nanosecond.
ClockValue: TypeAlias = float | int | str | Decimal


class ClockError(ValueError):
    """An external clock went back, or did not give a time."""


def nanoseconds(value: ClockValue) -> int:
    """A time in seconds as whole nanoseconds."""
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
    """Times of the run from an external clock: its first value is the base, and time never goes back.

    A clock that stands still pauses the run: it repeats its time and nothing moves.

    Raises
    ------
    ClockError
        When a value is no time or lies before the one that came before it, naming both.
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
    """How often a run could not keep its pace, and by how much."""

    missed: int  # waits that came too late
    waits: int
    worst: float  # s


@final
@dataclass(slots=True)
class Pace:
    """Holds a run back so that it goes at a multiple of real time.

    Parameters
    ----------
    speed
        Seconds of the run per second on the wall: 1 is real time.
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
        """What was missed so far."""
        return self._overruns

    def wait(self, time_ns: int) -> None:
        """Sleep until the wall has come to this time of the run; note when it is past already."""
        now = time.monotonic()
        if self._start is None:
            self._start, self._first_ns = now, time_ns
        left = self._start + (time_ns - self._first_ns) / (SECOND * self.speed) - now
        late = max(-left, 0.0)
        missed, waits, worst = self._overruns
        self._overruns = Overruns(missed + (late > _TOLERANCE), waits + 1, max(worst, late))
        if left > _TOLERANCE:
            time.sleep(left)
