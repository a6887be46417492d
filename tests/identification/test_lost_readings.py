"""Frozen speeds and lost readings written as zero are named; healthy and slow speeds are not."""

import numpy as np
import pytest
from pool_simulator import VEHICLE, flights
from test_interval_coverage import plain_record

from remora.identification.warnings import assumptions
from remora.vehicles import vehicle_from_text

SWAY = 1


def said(change):
    record = plain_record(flights(range(1), 60.0)[0], 0, "outputs")
    twist = record.twist.copy()
    change(twist[:, SWAY])
    changed = record.with_note("Changed.", twist=twist)
    words = assumptions(changed, vehicle_from_text(VEHICLE).parameters)
    return [one for one in words if one.startswith("sway is exactly")]


def freeze(speed, rows=500):
    speed[1000 : 1000 + rows] = speed[1000] + 0.2 * (rows > 100)


def go_silent(speed):
    speed[1500:] = 0.0


def lose(speed):
    speed[::7] = 0.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (freeze, "for 10 s from 20 s on"),
        (go_silent, "exactly 0 for 30 s from 30 s on"),
        (lose, "single rows between other"),
    ],
)
def test_frozen_and_lost_readings_are_named(change, words):
    (found,) = said(change)
    assert words in found


@pytest.mark.parametrize("change", [lambda speed: None, lambda speed: freeze(speed, 10), lambda speed: speed.fill(0.0)])
def test_healthy_speeds_single_repeats_and_locked_axes_are_not(change):
    assert not said(change)


def test_a_speed_that_is_read_every_tenth_row_is_not_frozen():
    def hold(speed):
        speed[:] = np.repeat(speed[::10], 10)[: len(speed)]

    assert not said(hold)


def test_a_vehicle_at_rest_in_a_simulation_is_not_frozen():
    """Exactly zero without noise until its axis is excited, slowly at first."""

    def excite_later(speed):
        time = 0.02 * np.arange(len(speed))
        speed[:] = np.where(time < 20.0, 0.0, 0.3 * (1.0 - np.cos(0.5 * (time - 20.0))))

    assert not said(excite_later)
