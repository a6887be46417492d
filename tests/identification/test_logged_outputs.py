"""Outputs of a Remora log between its stamps: they bend where commands step, and a fit must know that."""

import numpy as np
import pytest
from pool_simulator import AXES, LAG, NAMES, THRUSTERS, TRUTH, VEHICLE, flights, measured

from remora.identification.data.log_record import commands_change_between, outputs_at, record_from_log
from remora.identification.methods import METHODS, Task
from remora.identification.warnings import assumptions
from remora.logs import Channel, Field, Log, RunHeader, Series
from remora.vehicles import vehicle_from_text

EVERY = 5  # rows of a flight for one of its log, at which commands change: 0.1 s


def log_of(flight, noise=1.0, every=EVERY):
    """A log of every n-th row of a flight at 50 Hz."""
    rows = slice(None, None, every)
    stamps = np.rint(flight.time[rows] * 1e9).astype(np.int64)
    speeds = measured(flight, 0, noise)[rows]
    motion = {f"{part}_{axis}": np.zeros(len(stamps)) for part in ("v_NB_B", "w_NB_B", "p_NB") for axis in "xyz"}
    motion |= dict(zip(("v_NB_B_x", "v_NB_B_y", "v_NB_B_z", "w_NB_B_z"), speeds.T, strict=True))
    motion |= {f"q_NB_{i}": np.full(len(stamps), np.nan) for i in range(4)}
    tables = {
        "rov/estimate": motion,
        "rov/limited": dict(zip(THRUSTERS, flight.commands[rows].T, strict=True)),
        "rov/outputs": dict(zip(THRUSTERS, flight.outputs[rows].T, strict=True)),
    }
    channels = {name: Channel(name, tuple(Field(key, "N") for key in table)) for name, table in tables.items()}
    series = {name: Series(channels[name], stamps, table) for name, table in tables.items()}
    return Log(RunHeader(version="", seed=0), channels, series, (), True)


@pytest.mark.xdist_group("pool")
def test_outputs_that_bend_between_stamps_are_no_time_shift_and_no_bias():
    """Straight lines between outputs are late by a twelfth of the interval squared over the lag: here by 7 ms."""
    record = record_from_log(log_of(flights(range(1), 90.0, hold=EVERY)[0]), "rov")
    fit = METHODS["instruments"].fit(Task((record,), vehicle_from_text(VEHICLE), NAMES, AXES))
    assert not [words for words in fit.warnings if words.startswith("Inputs act")]
    low, high = fit.intervals().T
    assert np.sum((low <= TRUTH) & (high >= TRUTH)) >= len(TRUTH) - 1


@pytest.mark.xdist_group("pool")
def test_intervals_of_a_record_without_noise_are_no_narrower_than_the_errors_of_the_method():
    record = record_from_log(log_of(flights(range(1), 90.0, hold=EVERY)[0], noise=0.0), "rov")
    fit = METHODS["instruments"].fit(Task((record,), vehicle_from_text(VEHICLE), NAMES, AXES))
    low, high = fit.intervals().T
    assert np.all((low <= TRUTH) & (high >= TRUTH))


def test_outputs_at_stamps_are_means_of_the_curve_behind_the_lag():
    """Of held commands: the mean of the exponential around each stamp, sharpened again."""
    flight = flights(range(1), 20.0, hold=EVERY)[0]
    rows, fine = slice(None, None, EVERY), 400
    record = record_from_log(log_of(flight, 0.0), "rov")
    values, targets = flight.outputs[rows], flight.commands[rows]
    fading = np.exp(-0.1 * (np.arange(fine) + 0.5)[:, None, None] / fine / LAG)
    curve = np.swapaxes(targets + (values - targets) * fading, 0, 1).reshape(-1, len(THRUSTERS))
    means = curve[fine // 2 :][: fine * (len(values) - 2)].reshape(-1, fine, len(THRUSTERS)).mean(axis=1)
    sharp = means[1:-1] - np.diff(means, 2, axis=0) / 24.0
    assert np.allclose(record.inputs.values[2:-2], sharp[: len(values) - 4], atol=1e-4)


@pytest.mark.parametrize(("hold", "every", "is_slow"), [(EVERY, EVERY, False), (2, EVERY, True), (2, 1, False)])
def test_outputs_logged_more_slowly_than_they_change_are_named(hold, every, is_slow):
    """A 10 Hz log of commands at 25 Hz biased inertias by several standard deviations without a warning."""
    record = record_from_log(log_of(flights(range(1), 60.0, hold=hold)[0], every=every), "rov")
    said = assumptions(record, vehicle_from_text(VEHICLE).parameters)
    assert any("commands changed in between" in words for words in said) == is_slow


def test_a_thruster_that_rises_and_falls_with_other_lags_is_not_called_slow():
    log = log_of(flights(range(1), 60.0, hold=EVERY)[0])
    targets = log["rov/limited"].table()
    values = np.zeros_like(targets)
    for k in range(1, len(values)):
        left = np.where(np.abs(targets[k - 1]) > np.abs(values[k - 1]), 0.4, 0.6)
        values[k] = targets[k - 1] + left * (values[k - 1] - targets[k - 1])
    outputs = log["rov/outputs"]
    changed = Series(outputs.channel, outputs.time_ns, dict(zip(THRUSTERS, values.T, strict=True)))
    assert not commands_change_between(log, "rov", changed)
    assert outputs_at(log, "rov", changed, outputs.time_ns) is None
