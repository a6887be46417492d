"""One record by three simulators: single axes, the complete model, and added mass in a rigid-body engine."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from remora import load_vehicle, make_scenario, simulate
from remora.cli import main
from remora.identification import RecordError, inputs_of, record_from_arrays
from remora.identification.replay import replay
from remora.interop.simulator_replays import SIMULATORS, replay_by_simulators
from remora_evidence.studies.flatfish.records import BASIN, swing_record

COMMANDS = [
    {"at": "0 s", "set": {"front_port": "8 N", "front_starboard": "3 N", "rear_port": "-6 N"}},
    {"at": "6 s", "set": {"front_port": "-4 N", "rear_port": "6 N", "rear_starboard": "-2 N"}},
]


@pytest.fixture(scope="module")
def turns(tmp_path_factory):
    """A BlueROV2 Heavy in a current, driven by held forces."""
    scenario = make_scenario(
        name="turns",
        duration="12 s",
        water={"current": ["0.3 m/s", "0.1 m/s", "0 m/s"]},
        vehicles=[
            {"name": "rov", "file": "bluerov2_heavy", "position": [0.0, 0.0, "5 m"], "commands": COMMANDS},
        ],
    )
    return simulate(scenario, log=tmp_path_factory.mktemp("turns") / "turns.mcap")


def test_the_engine_converges_to_the_complete_model_in_a_current(turns):
    vehicle = load_vehicle("bluerov2_heavy").parameters
    record = turns.record(motion="truth")
    record = replace(record, water=np.broadcast_to((0.3, 0.1, 0.0), (len(record), 3)))
    found = [replay_by_simulators(record, record, vehicle, step=step) for step in (0.01, 0.005)]
    apart = [one.twists["engine"] - one.twists["complete"] for one in found]
    # Of first order in its step: twice the error of the half step less that of the whole is of second order.
    assert np.abs(2.0 * apart[1] - apart[0]).mean() < 0.05 * np.abs(apart[0]).mean()
    scores = found[0].scores
    assert set(scores) == set(SIMULATORS)
    assert scores["complete"]["surge"].mae < 1e-4  # outputs are averages from row to row
    assert scores["engine"]["yaw"].mae < 2e-3
    errors = {name: max(one.mae for one in some.values()) for name, some in scores.items()}
    assert errors["simple"] > 10.0 * errors["engine"]  # Coriolis efforts couple sway, surge and yaw


def test_one_measured_axis_is_the_same_for_all_three(turns):
    """What was not measured does not move; the efforts of the record act on the total inertia."""
    vehicle, record = BASIN.vehicle.parameters, swing_record(BASIN, "sway", "validation", 1)
    found = replay_by_simulators(record, record, vehicle)
    model = replay(record, vehicle).twist[:, 1]
    assert np.array_equal(found.twists["simple"][:, 1], model)
    assert np.abs(found.twists["engine"][:, 1] - model).max() < 2e-3
    assert np.nanmax(np.abs(found.twists["engine"][:, [0, 2, 3, 4, 5]])) < 1e-12


def test_a_model_that_runs_away_is_named_and_leaves_the_others():
    vehicle = load_vehicle("flatfish_basin_ls").parameters  # its quadratic damping in surge is negative
    push = np.zeros((400, 6))
    push[:, 0] = 200.0
    twist = np.full((400, 6), np.nan)
    twist[:, 0] = 0.01
    record = record_from_arrays(0.25 * np.arange(400), twist, inputs_of("wrench", push))
    found = replay_by_simulators(record, record, vehicle)
    assert set(found.problems) == set(SIMULATORS)
    assert not any(found.scores.values())
    assert "engine diverged" in found.problems["engine"]


def test_moving_masses_are_refused():
    record, vehicle = swing_record(BASIN, "sway", "validation", 1), load_vehicle("gavia").parameters
    sliding = vehicle._replace(moving_masses=(object(),))
    with pytest.raises(RecordError, match="moving masses, which a rigid-body engine lacks"):
        replay_by_simulators(record, record, sliding)


def test_validate_prints_all_three(turns):
    arguments = ["validate", "bluerov2_heavy", str(turns.file), "--motion", "truth", "--simulators"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    table = result.output.partition("MAE of three simulators")[2].splitlines()
    assert table[0].split() == ["unit", *SIMULATORS]
    assert [line.split()[0] for line in table[1:7]] == ["surge", "sway", "heave", "roll", "pitch", "yaw"]
