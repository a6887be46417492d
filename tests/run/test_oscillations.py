"""A vehicle that swings about its setpoint is noticed although it comes closer again and again."""

import math

import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.messages.reference import Reference
from remora.run.monitoring.deviations import MOST_SWINGS, Bounds, Oscillation, setpoints, swung

BOUNDS = Bounds(None, None, None, math.radians(20.0), None, None)


def _swings(degrees: list[float], setpoint: list[float] | None = None, seconds: float = 0.5) -> int:
    """Swings of a heading history, degrees, at checks some seconds apart."""
    old: Oscillation | None = None
    most = 0
    for k, angle in enumerate(degrees):
        asked = setpoint[k] if setpoint else 0.0
        body = (0.0, 0.0, 5.0, *from_euler_zyx(0.0, 0.0, math.radians(angle)), 0.0, 0.0, 0.0)
        reference = Reference(heading=math.radians(asked), depth=5.0, speed=0.0)
        (now,) = setpoints(reference, body, BOUNDS)
        old = swung(old, now, round(1e9 * seconds * k))
        most = max(most, old.swings)
    return most


@pytest.mark.parametrize("period", [6.0, 35.0])
def test_a_hold_that_swings_for_ever_is_noticed(period: float) -> None:
    assert _swings([16.0 * math.sin(math.pi * k / period) for k in range(400)]) > MOST_SWINGS


def test_a_vehicle_that_spins_is_noticed() -> None:
    assert _swings([20.0 * k for k in range(120)]) > MOST_SWINGS


def test_an_overshooting_turn_and_small_swings_are_not() -> None:
    assert _swings([120.0 * math.exp(-0.1 * k) * math.cos(0.3 * k) for k in range(400)]) <= MOST_SWINGS
    assert _swings([8.0 * math.sin(0.2 * k) for k in range(400)]) == 0


def test_a_setpoint_that_moves_is_no_oscillation() -> None:
    steps = [30.0 * (-1.0) ** (k // 20) for k in range(400)]
    assert _swings([30.0 * math.sin(math.pi * k / 20.0) for k in range(400)], steps) <= MOST_SWINGS
