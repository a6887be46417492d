"""Frozen speeds are named in every axis, whatever their value, and mislead no other diagnosis."""

import numpy as np
import pool_simulator
import pytest
from pool_simulator import AXES, EFFECT, EVERY, STEP, THRUSTERS, VEHICLE, flights, measured, wide_table
from test_fit_diagnoses import LOCKED, remora, warnings_of, written

from remora.identification import record_from_arrays
from remora.identification.data.log_files import at_one_rate
from remora.identification.diagnostics.lost_readings import lost_reading_warnings
from remora.identification.replay import Score
from remora.identification.validation import worse_axes

DVL = AXES[:3]


@pytest.fixture(scope="module")
def flight():
    return flights(range(1), 120.0, hold=10)[0]


def named(time, speeds, rate=None):
    """Warnings of a record of surge, sway and heave."""
    twist = np.full((len(time), 6), np.nan)
    twist[:, :3] = speeds
    return lost_reading_warnings(at_one_rate(record_from_arrays(time, twist), rate))


def frozen_dvl(flight, start, seconds, value=None):
    """Readings of a DVL at 5 Hz to four decimals that repeat the last one, or a value."""
    time, speeds = flight.time[::10], np.round(measured(flight, 0)[::10, :3], 4)
    rows = (time >= start - 1e-9) & (time < start + seconds - 1e-9)
    speeds[rows] = speeds[rows][0] if value is None else value
    return time, speeds


@pytest.mark.parametrize("rate", [None, 4.0, 20.0])
@pytest.mark.parametrize("value", [None, 0.0, 0.0885])
@pytest.mark.parametrize("seconds", [6.0, 30.0])
def test_a_dvl_that_freezes_during_a_manoeuvre_is_named_in_every_axis(flight, seconds, value, rate):
    """The motion between two readings is larger than their noise."""
    found = named(*frozen_dvl(flight, 40.0, seconds, value), rate)
    assert [one.split()[0] for one in found] == list(DVL)
    assert all(f"for {seconds:g} s from 40 s on" in one for one in found)


def test_all_stretches_of_a_record_are_named(flight):
    time, speeds = frozen_dvl(flight, 40.0, 10.0)
    speeds[(time >= 80.0) & (time < 86.0)] = 0.0
    for one in named(time, speeds):
        assert "for 10 s from 40 s on and 0 for 6 s from 80 s on" in one


@pytest.mark.parametrize("rate", [None, 20.0, 33.0])
@pytest.mark.parametrize("every", [1, 5, 10])
@pytest.mark.parametrize("decimals", [None, 4, 3, 2])
def test_a_simulation_without_noise_at_rest_and_at_a_steady_speed_is_not_frozen(flight, decimals, every, rate):
    """Rest, commands in steps, coasting to a steady speed; all as recorded, rounded and brought to another rate."""
    last = flight.speeds[-1, :3]
    coasting = 0.2 + (last - 0.2) * np.exp(-0.02 * np.arange(2000) / 0.5)[:, None]
    speeds = np.concatenate([np.zeros((1000, 3)), flight.speeds[:, :3], coasting, np.full((1000, 3), 0.2)])[::every]
    time = 0.02 * every * np.arange(len(speeds))
    assert not named(time, speeds if decimals is None else np.round(speeds, decimals), rate)


def test_a_step_response_after_rest_is_not_frozen():
    """Its first change is far larger than the usual one, but not than the next."""
    time = 0.2 * np.arange(600)
    speed = np.where(time < 20.0, 0.0, 1.0 - np.exp(-np.maximum(time - 20.0, 0.0) / 2.0))
    assert not named(time, np.column_stack([speed, 0.5 * speed, -speed]))


def allocated(generator, duration):
    """Commands of a pilot in each axis, allocated to the thrusters, which differ by a few newtons besides."""
    time = STEP * EVERY * np.arange(round(duration / (STEP * EVERY)))

    def waves():
        rates, phases = generator.uniform(0.02, 0.3, (7, 1)), generator.uniform(0.0, 6.28, (7, 1))
        return np.sin(2.0 * np.pi * rates * time + phases).sum(axis=0) / 2.6

    demands, own = np.array([waves() for _ in AXES]), np.array([waves() for _ in THRUSTERS])
    return (10.0 * np.sign(EFFECT).T @ demands + 2.5 * own).T


@pytest.fixture(scope="module")
def piloted():
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(pool_simulator, "commands_of", allocated)
        return flights(range(1), 120.0, hold=5)[0]


def frozen_files(flight, folder, start, seconds):
    table = wide_table(flight, 0)
    for axis in DVL:
        rows = np.flatnonzero(np.isfinite(table[axis]) & (flight.time >= start) & (flight.time < start + seconds))
        table[axis][rows] = table[axis][rows[0]]
    return written(folder, table, VEHICLE + LOCKED)


@pytest.mark.parametrize("command", ["fit", "validate"])
def test_a_frozen_dvl_calls_no_healthy_thruster_reversed(command, piloted, tmp_path):
    done = remora(command, *frozen_files(piloted, tmp_path, 40.0, 30.0), "--inputs", "commands")
    said = warnings_of(done, 3 if command == "fit" else 0)
    assert any(line.startswith("warning: heave is exactly") for line in said)
    assert not any("thruster" in line for line in said)


def test_a_dvl_that_freezes_in_the_part_held_out_is_named_with_the_time_of_the_log(flight, tmp_path):
    said = warnings_of(remora("fit", *frozen_files(flight, tmp_path, 100.0, 10.0), "--inputs", "commands"))
    found = [line for line in said if "sensor was frozen" in line]
    assert len(found) == len(DVL)
    assert all("the part held out: " in line and "for 10 s from 100" in line for line in found)


@pytest.mark.parametrize(
    ("after", "is_worse"),
    [
        (Score(0.0357, 0.0429, 0.970, 359), True),
        (Score(0.0300, 0.0344, 0.979, 359), True),  # in its mean absolute error only
        (Score(0.0270, 0.0350, 0.9795, 359), False),  # by 3 %
        (Score(0.0200, 0.0250, 0.990, 359), False),
    ],
)
def test_an_error_that_rises_by_more_than_five_percent_is_named(after, is_worse):
    before = Score(0.0263, 0.0342, 0.981, 359)
    assert [one.axis for one in worse_axes({"surge": before}, {"surge": after}, ["surge"])] == ["surge"] * is_worse


def test_two_nearly_exact_models_are_not_compared():
    before, after = Score(1e-4, 1e-4, 0.99999, 100), Score(2e-4, 2e-4, 0.99996, 100)
    assert not worse_axes({"surge": before}, {"surge": after}, ["surge"])
