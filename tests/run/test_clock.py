"""Time of a run: external clocks and pacing."""

from decimal import Decimal

import pytest

from remora.run.loop import clock
from remora.run.loop.clock import ClockError, RealTimePacer, external_times, nanoseconds


def test_seconds_become_whole_nanoseconds_exactly() -> None:
    assert nanoseconds("0.1") == 100_000_000
    assert nanoseconds(0.1) == 100_000_000
    assert nanoseconds(Decimal("1700000000.123456789")) == 1_700_000_000_123_456_789
    assert nanoseconds(3) == 3_000_000_000


def test_the_first_value_of_an_external_clock_is_its_base() -> None:
    assert list(external_times(["1700000000", "1700000000.5", "1700000000.5", "1700000002"])) == [
        0, 500_000_000, 500_000_000, 2_000_000_000,
    ]  # fmt: skip


def test_a_clock_that_goes_back_is_refused_with_both_values() -> None:
    with pytest.raises(ClockError, match=r"from 5\.0+ s to 4\.9"):
        list(external_times([5.0, 4.9]))


@pytest.mark.parametrize("value", ["soon", "nan", float("inf"), None, [1.0]])
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(ClockError, match="the clock gave"):
        list(external_times([value]))  # type: ignore[list-item]


class _Wall:
    """A clock on the wall that only moves when someone sleeps, or when it is pushed."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_a_pace_holds_the_run_back_and_counts_what_came_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = _Wall()
    monkeypatch.setattr(clock, "time", wall)
    pace = RealTimePacer(2.0)
    pace.wait(0)
    pace.wait(1_000_000_000)
    assert wall.now == pytest.approx(100.5)
    wall.now += 0.8  # the work of the next second takes too long
    pace.wait(2_000_000_000)
    assert pace.overruns.missed == 1
    assert pace.overruns.waits == 3
    assert pace.overruns.worst == pytest.approx(0.3)
    pace.wait(3_000_000_000)  # it catches up instead of staying late for ever
    assert wall.now == pytest.approx(101.5)


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan"), float("inf")])
def test_a_pace_needs_a_positive_speed(speed: float) -> None:
    with pytest.raises(ValueError, match="speed is"):
        RealTimePacer(speed)
