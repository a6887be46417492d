"""Chatter of commands: one figure for studies, summaries and logs, whatever the rate of the log."""

import math

import numpy as np
import pytest

from remora import make_scenario, read_log, simulate
from remora.control.allocation.commands import command_chatter, total_variation
from remora.report.simulations.chatter_tally import ChatterTally

PERIOD = 0.05  # s


def test_chatter_is_the_mean_change_from_sample_to_sample_in_percent_of_a_full_command():
    rows = np.cumsum(np.random.default_rng(1).normal(0.0, 3.0, (200, 2)), axis=0)
    expected = 100.0 * np.mean(np.abs(np.diff(rows, axis=0)).mean(axis=0) / [100.0, 40.0])
    seconds = PERIOD * 199
    assert command_chatter(seconds, total_variation(rows), (100.0, 40.0), PERIOD) == pytest.approx(expected, rel=1e-12)
    held = np.repeat(rows, 5, axis=0)  # logged five times as often: the changes are the same
    assert np.array_equal(total_variation(held), total_variation(rows))
    alone = command_chatter(seconds, total_variation(rows), (100.0, math.inf), PERIOD)
    assert alone == pytest.approx(np.abs(np.diff(rows[:, 0])).mean(), rel=1e-12)
    assert math.isnan(command_chatter(seconds, total_variation(rows), (math.inf, math.inf), PERIOD))


def holding(rate, actuators=None):
    """A BlueROV2 Heavy that goes to its place and holds it, by its true state."""
    return make_scenario(
        name="holding",
        duration="6 s",
        seed=4,
        log={"rate": rate},
        vehicles=[
            {
                "name": "rov",
                "file": "bluerov2_heavy",
                "position": [0.2, -0.1, "2 m"],
                **({} if actuators is None else {"actuators": actuators}),
                "navigation": {"part": "truth", "rate": "20 Hz"},
                "guidance": {"part": "hold", "rate": "20 Hz", "position": [0, 0, "2 m"], "heading": 0},
                "control": {"part": "position", "rate": "20 Hz"},
                "allocation": {"part": "bounded", "rate": "20 Hz"},
            }
        ],
    )


@pytest.fixture(scope="module")
def runs():
    return {rate: simulate(holding(rate)) for rate in ("20 Hz", "100 Hz", "5 Hz")}


def test_the_rate_of_the_log_does_not_change_the_chatter(runs):
    often, rare = runs["100 Hz"].chatter(), runs["20 Hz"].chatter()
    assert often > 0.0
    assert rare == pytest.approx(often, rel=0.02)  # without the change at the first sample
    commands = runs["20 Hz"]["rov/commands"].table()
    full = list(runs["20 Hz"].header.vehicles["rov"]["commands"]["full"].values())
    assert rare == pytest.approx(100.0 * np.mean(np.abs(np.diff(commands, axis=0)).mean(axis=0) / full), rel=1e-9)
    late = runs["20 Hz"].chatter(start=4.0)
    assert late < 0.5 * rare  # it has arrived
    text = runs["20 Hz"].summary()
    assert f"commands change by {rare:.3g} % of a full one per sample of 50 ms" in text
    assert "change by at least" in runs["5 Hz"].summary()


def test_the_chatter_of_a_saved_log_is_that_of_the_run(runs, tmp_path):
    file = tmp_path / "run.mcap"
    runs["20 Hz"].save(file)
    assert read_log(file).chatter() == runs["20 Hz"].chatter()


def test_pulses_count_in_percent_of_their_range():
    run = simulate(holding("20 Hz", actuators={"commands": "pulses"}))
    full = run.header.vehicles["rov"]["commands"]["full"]
    assert set(full.values()) == {full["front_port"]}
    assert 300.0 < full["front_port"] < 450.0  # us
    assert 0.0 < run.chatter() < 20.0


def test_pieces_of_a_log_give_the_chatter_of_the_whole(runs):
    series, described = runs["100 Hz"]["rov/commands"], runs["100 Hz"].header.vehicles["rov"]
    whole, half, pieces = ChatterTally(described), ChatterTally(described, 0.0, 3.0), ChatterTally(described)
    whole.take(series)
    half.take(series)
    for part in np.array_split(np.arange(len(series)), 7):
        pieces.take(_rows(series, part))
    assert pieces.percent == pytest.approx(whole.percent, rel=1e-12)
    assert half.percent > whole.percent
    assert math.isnan(ChatterTally({}).percent)


def _rows(series, part):
    return type(series)(series.channel, series.time_ns[part], {name: one[part] for name, one in series.columns.items()})
