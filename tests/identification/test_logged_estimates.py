"""Navigation estimates of a log as the motion of a fit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from remora.cli.option_names import with_options
from remora.identification.data.column_map import TableOptions
from remora.identification.data.log_files import LogReadOptions, record_of_log
from remora.identification.warnings import estimated_motion
from remora.logs import Channel, Field, Log, RunHeader, Series

AXES = [f"{part}_{axis}" for part in ("v_NB_B", "w_NB_B", "p_NB") for axis in "xyz"]
HOW = LogReadOptions(TableOptions({}))


def log_of(unknown=0, scenario=""):
    """A log of an estimate at 20 Hz whose first rows, or one in the middle, lack the surge speed."""
    stamps = 50_000_000 * np.arange(100)
    motion = {name: np.sin(1e-9 * stamps + k) for k, name in enumerate(AXES)}
    motion |= {f"q_NB_{i}": np.full(100, float(i == 0)) for i in range(4)}
    motion["v_NB_B_x"][:unknown] = np.nan
    tables = {"rov/estimate": motion, "rov/outputs": {"left": np.cos(1e-9 * stamps)}}
    channels = {name: Channel(name, tuple(Field(key, "1") for key in table)) for name, table in tables.items()}
    series = {name: Series(channels[name], stamps, table) for name, table in tables.items()}
    header = RunHeader(version="", seed=0, texts={"run.yaml": scenario}, notes={"scenario": "run.yaml"})
    return Log(header, channels, series, (), True)


def test_rows_before_the_first_estimate_are_left_out_with_a_note():
    """A filter has no velocity before the first reading of its Doppler log."""
    record = record_of_log(log_of(unknown=2), HOW, Path("run.mcap"))
    assert (len(record), record.time_ns[0]) == (98, 100_000_000)
    assert record.provenance[1] == "The first complete estimate is at 0.1 s; 2 rows were left out before it."
    assert np.isfinite(record.twist).all()
    assert record.inputs.values[0] == pytest.approx(np.cos(0.1))


def test_missing_estimates_later_on_and_missing_readings_are_kept():
    log = log_of()
    log["rov/estimate"].columns["v_NB_B_x"][50] = np.nan
    assert len(record_of_log(log, HOW, Path("run.mcap"))) == 100
    truth = replace(log_of(unknown=2), series={f"rov/{one}": log_of(unknown=2)[f"rov/{one}"] for one in ("outputs",)}
                    | {"rov/truth": log_of(unknown=2)["rov/estimate"]})  # fmt: skip
    assert len(record_of_log(truth, HOW._replace(motion="truth"), Path("run.mcap"))) == 100


def record_of_navigation(navigation):
    scenario = f"name: run\nduration: 5 s\nvehicles: [{{name: rov, file: falcon, navigation: {navigation}}}]\n"
    return record_of_log(log_of(scenario=scenario), HOW, Path("run.mcap"))


@pytest.mark.parametrize("navigation", ["truth", "{part: truth, rate: 20 Hz}"])
def test_an_estimate_that_is_the_simulated_truth_is_named(navigation):
    (said,) = estimated_motion(record_of_navigation(navigation).rows(10, 90))
    assert "is the simulated truth" in said
    assert "--channel surge=VEHICLE/dvl:velocity_x" in with_options([said])[0]


def test_a_log_without_a_scenario_gives_no_sentence_on_its_estimate():
    assert estimated_motion(record_of_log(log_of(), HOW, Path("run.mcap"))) == []


def test_an_estimate_of_a_filter_says_what_the_intervals_leave_out():
    (said,) = estimated_motion(record_of_navigation("filter"))
    assert said.startswith("Motion is the estimate of navigation: filter.")
    assert "the intervals count neither" in said
