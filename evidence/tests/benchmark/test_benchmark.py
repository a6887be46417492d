"""What `remora bench` prints and says. How fast this machine is today is no business of a test."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

import suite_flights
from remora.plant import initial_state, pack, rollout
from remora.plant.plant import Plant
from remora.run.loop.loop import Loop
from remora.scenarios.library import scenario_path
from remora.vehicles import load_vehicle
from remora.vehicles.parameters import total_inertia
from remora_evidence.assessment import Study
from remora_evidence.benchmarks import (
    batches,
    currents,
    estimators,
    measurements,
    startup,
    steps,
    tethers,
)
from remora_evidence.benchmarks.benchmark_table import figures_as_json, goal
from remora_evidence.benchmarks.missions.mission_speeds import scattered_setup
from remora_evidence.benchmarks.mujoco import linked_bodies, mujoco_baseline, mujoco_water
from remora_evidence.benchmarks.navigation import filters, monte_carlo
from remora_evidence.benchmarks.readings import swaying_motion
from remora_evidence.benchmarks.timing import quickest
from remora_evidence.benchmarks.vehicle import COMMANDS, TWIST, full_vehicle
from remora_evidence.commands.bench import bench
from remora_evidence.requirements import Requirement

GOALS = {
    "loop_vs_mujoco": ">= 4.5",
    "loop_vs_mujoco_rk4": ">= 18",
    "loop_steps_per_second": None,
    "falcon_steps_per_second": None,
    "pack_microseconds": "< 150",
    "call_vs_mujoco": ">= 1.5",
    "batch_vs_mujoco": ">= 9",
    "batch_core_scaling": ">= 1.7",
    "env_frames_per_second": ">= 400000",
    "variation_microseconds": "< 20",
    "plant_step_microseconds": "< 10",
    "current_plant_cost": "< 30",
    "current_loop_cost": "< 30",
    "tether_50_nodes": ">= 20",
    "recursive_update_rate": ">= 20000",
    "warm_start_seconds": "< 2",
    "cold_start_seconds": None,
    "help_cpu_seconds": "< 0.4",
    "filter_cycle_microseconds": "< 20",
    "replay_hour_seconds": "< 4",
    "replay_hour_late_seconds": "< 15",
    "monte_carlo_seconds": "<= 120",
    "filter_compile_seconds": "<= 20",
    "filter_warm_seconds": "<= 0.5",
    "falcon_filter_microseconds": "< 30",
    "step_jacobian_microseconds": "< 20",
    "rate_jacobian_microseconds": "< 3",
    "output_error_fit": "< 3",
    "output_error_miss": "< 1",
    "least_squares_hour": "< 2",
    "least_squares_hour_memory": "< 500",
    "mission_speed": ">= 250",
    "mission_log_cost": "< 25",
    "mission_vs_plant": "<= 20",
    "sensor_mission_speed": ">= 100",
    "open_sea_speed": ">= 30",
    "falcon_mission_speed": ">= 100",
    "campaign_seconds": "<= 75",
}


REGISTERED = YAML(typ="safe").load(Path(measurements.__file__).with_name("goals.yaml").read_text())["studies"]


def fake(value: float | str, **bounds: float) -> Study:
    """A measurement of one figure."""
    required = Requirement("speed", "m/s", bounds, None, None, "", "a speed", 0, False)
    return Study("fake", "", "a fake", lambda seeds: required.figures("speed", value, None, 1))


def test_the_figures_and_goals_that_were_promised_are_registered() -> None:
    figures = [figure for entry in REGISTERED.values() for figure in entry["figures"].items()]
    goals = {
        name: f">= {plain['at_least']:g}"
        if "at_least" in plain
        else f"< {plain['below']:g}"
        if "below" in plain
        else f"<= {plain['at_most']:g}"
        if "at_most" in plain
        else None
        for name, plain in figures
    }
    assert len(goals) == len(figures)
    assert goals.items() >= GOALS.items()


@pytest.mark.parametrize(
    ("bounds", "value", "holds"),
    [
        ({"at_least": 4.5}, 4.5, True),
        ({"at_least": 4.5}, 4.49, False),
        ({"below": 2.0}, 1.99, True),
        ({"below": 2.0}, 2.0, False),
        ({"at_least": 4.5}, math.nan, False),
        ({"below": 2.0}, math.nan, False),
        ({}, 0.0, True),
        ({"at_least": 4.5}, "no MuJoCo", False),
        ({}, "no MuJoCo", True),
    ],
)
def test_holds_follows_from_goal_and_value(bounds: dict[str, float], value: float | str, holds: bool) -> None:
    (figure,) = fake(value, **bounds).run((1,))
    assert figure.holds is holds


def test_a_goal_of_any_relation_is_shown() -> None:
    bounds = ({"at_least": 2.0}, {"at_most": 2.0}, {"below": 2.0}, {})
    assert [goal(fake(3.0, **bound).run((1,))[0]) for bound in bounds] == [">= 2", "<= 2", "< 2", ""]


def test_json_has_five_keys_per_figure_and_null_for_what_is_not_known() -> None:
    figures = [*fake(3.0, at_least=2.0).run((1,)), *fake("no MuJoCo").run((1,))]
    assert json.loads(json.dumps(figures_as_json(figures))) == {
        "figures": [
            {"name": "speed", "value": 3.0, "unit": "m/s", "goal": 2.0, "holds": True},
            {"name": "speed", "value": None, "unit": "m/s", "goal": None, "holds": True},
        ]
    }


@pytest.mark.parametrize(("value", "code"), [(3.0, 0), (1.0, 1), ("no MuJoCo", 1)])
def test_command_prints_only_json_on_its_output_and_exits_by_the_goals(
    monkeypatch: pytest.MonkeyPatch, value: float | str, code: int
) -> None:
    monkeypatch.setattr(measurements, "MEASUREMENTS", [fake(value, at_least=2.0)])
    result = CliRunner().invoke(bench, ["--json"])
    assert result.exit_code == code
    assert json.loads(result.stdout)["figures"][0]["holds"] is (code == 0)
    assert "measuring: a fake" in result.stderr
    assert "speed: " in result.stderr


def test_groups_are_chosen_by_name_and_long_ones_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    titles = {study.title for study in measurements.MEASUREMENTS}
    long = {title for group in measurements.LONG for title in measurements.GROUPS[group]}
    assert {study.title for study in measurements.chosen(())} == titles - long
    assert {study.title for study in measurements.chosen((), everything=True)} == titles
    assert {study.title for study in measurements.chosen(measurements.LONG)} == long
    assert {study.title for study in measurements.chosen(["control", "plant"])} == {
        *measurements.GROUPS["control"], *measurements.GROUPS["plant"]
    }  # fmt: skip
    result = CliRunner().invoke(bench, ["mission"])
    assert result.exit_code != 0
    with pytest.raises(ValueError, match='Did you mean "missions"'):
        measurements.chosen(["mission"])
    assert "exclude each other" in CliRunner().invoke(bench, ["control", "--all"]).output


def test_help_of_bench_names_every_group() -> None:
    text = CliRunner().invoke(bench, ["--help"]).output
    assert all(group in text for group in measurements.GROUPS)


def test_a_campaign_of_two_scattered_missions_is_measured() -> None:
    assert scenario_path("tunnel").read_text().count("    file: vita1\n") == 1
    setups = [scattered_setup(seed) for seed in (1, 2)]
    rows = [setup.vehicles[0].plant.packed.row for setup in setups]
    assert not np.array_equal(*rows)
    assert all(Loop(setup).vehicles[0]._chain is not None for setup in setups)


def test_command_ends_with_a_table_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "MEASUREMENTS", [fake(3.0, at_least=2.0), fake("no MuJoCo", at_least=2.0)])
    result = CliRunner().invoke(bench, [])
    for words in ("a speed", "3.00 m/s", ">= 2", "holds", "missed", "not measured", "no MuJoCo", "Some goals are"):
        assert words in result.stdout


@pytest.mark.parametrize(
    "measure",
    [
        steps.measure_loop,
        steps.measure_calls,
        steps.measure_batch,
        steps.measure_cores,
        estimators.measure_recursive,
        mujoco_water.measure_water,
    ],
)
def test_speeds_are_measured_next_to_mujoco(measure: object) -> None:
    title = next(title for title, registered in measurements.MEASURES.items() if registered is measure)
    values = measure(rounds=1)  # type: ignore[operator]
    assert set(values) == set(REGISTERED[title]["figures"])
    assert all(value > 0.0 for value in values.values())


def test_a_batch_that_is_timed_has_vehicles_of_its_own_and_none_fails() -> None:
    assert batches.measure_environment(calls=1)["env_frames_per_second"] > 0.0
    assert batches.measure_variations(rounds=1)["variation_microseconds"] > 0.0
    assert batches.measure_plant_step(rounds=1)["plant_step_microseconds"] > 0.0
    rows = batches.variants(Plant(load_vehicle("bluerov2_heavy"))).rows
    assert len(np.unique(rows, axis=0)) == len(rows) == batches.VEHICLES


def test_the_current_that_is_timed_varies_in_depth_and_time() -> None:
    assert set(currents.measure_currents(rounds=1)) == {"current_plant_cost", "current_loop_cost"}
    world = currents.sea()
    assert world.at(0, (0.0, 0.0, 2.0)).velocity != world.at(0, (0.0, 0.0, 4.0)).velocity
    assert world.at(0, (0.0, 0.0, 2.0)).velocity != world.at(10**9, (0.0, 0.0, 2.0)).velocity


@pytest.mark.timeout(600)
def test_a_filter_is_timed_only_while_it_uses_every_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(value > 0.0 for value in filters.measure_filter(rounds=1).values())  # type: ignore[operator]
    assert all(value > 0.0 for value in filters.measure_replay(duration=5.0).values())  # type: ignore[operator]
    honest = filters.turning_in_place

    def with_an_outlier(*arguments: object) -> dict[str, tuple[object, object]]:
        series = honest(*arguments)  # type: ignore[arg-type]
        series["depth"][1][-1] += 10.0
        return series  # type: ignore[return-value]

    monkeypatch.setattr(filters, "turning_in_place", with_an_outlier)
    assert filters.measure_replay(duration=5.0)["replay_hour_seconds"] == "1 readings of depth were not used"


def test_a_tether_is_timed_while_it_pulls() -> None:
    assert tethers.measure_tether(rounds=1)["tether_50_nodes"] > 0.0
    step, before = tethers.towing()
    after = before
    for _ in range(50):
        after = step(after)
    assert after.vehicle[0] > before.vehicle[0]
    assert after.pull.tension > 0.0


def test_chains_of_linked_bodies_are_timed_while_they_move() -> None:
    found = linked_bodies.measure_linked_bodies(rounds=1)
    assert all(isinstance(value, str) or value > 0.0 for value in found.values())
    plant, state = linked_bodies.chain(3)
    assert plant.body_states(plant.step(state, steps=10))[2, 0] > plant.body_states(state)[2, 0]


def test_a_fresh_process_says_when_it_made_its_first_step() -> None:
    assert 0.0 < startup.measure_warm_start(runs=1)["warm_start_seconds"] < math.inf


def test_cold_start_has_a_cache_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(startup, "started_seconds", lambda environment: asked.append(environment) or 1.0)
    assert startup.measure_cold_start() == {"cold_start_seconds": 1.0}
    assert list(asked[0]) == ["REMORA_CACHE_DIR"]


def test_help_is_timed_and_its_failure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0.0 < startup.measure_help(runs=1)["help_cpu_seconds"] < math.inf
    monkeypatch.setattr(startup, "HELP", "raise SystemExit('no such thing')")
    assert startup.measure_help(runs=1) == {"help_cpu_seconds": "remora --help failed: no such thing"}


def test_quickest_window_of_each_work_counts() -> None:
    ticks = iter([0.0, 5.0, 5.0, 6.0, 6.0, 8.0, 8.0, 11.0])
    order: list[str] = []
    works = {"a": lambda: order.append("a"), "b": lambda: order.append("b")}
    assert quickest(works, 2, lambda: next(ticks)) == {"a": 2.0, "b": 1.0}
    assert "".join(order) == "ab" + "abab"


BLOCKED = """
import sys
sys.modules["mujoco"] = None
from remora_evidence.benchmarks import measurements, steps
from remora_evidence.benchmarks.missions.mission_speeds import scattered_setup
from remora_evidence.benchmarks.mujoco import mujoco_water
from remora_evidence.commands.bench import bench
quick = (steps.measure_loop, steps.measure_calls, steps.measure_batch, mujoco_water.measure_water)
titles = [title for title, measure in measurements.MEASURES.items() if measure in quick]
for title in titles:
    measurements.MEASURES[title] = lambda measure=measurements.MEASURES[title]: measure(rounds=1)
measurements.MEASUREMENTS = [study for study in measurements.MEASUREMENTS if study.title in titles]
bench(["--json"])
"""


def test_without_mujoco_the_rest_is_measured_and_the_command_to_install_it_is_given() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=False)
    figures = {figure["name"]: figure for figure in json.loads(done.stdout)["figures"]}
    assert done.returncode == 1
    assert 'MuJoCo is not installed: pip install "remora-auv[mujoco]"' in done.stderr
    for name in ("loop_vs_mujoco", "loop_vs_mujoco_rk4", "call_vs_mujoco", "batch_vs_mujoco", "mujoco_wrench_cost"):
        assert figures[name]["value"] is None
        assert figures[name]["holds"] is False
    for name in ("loop_steps_per_second", "call_steps_per_second", "batch_steps_per_second"):
        assert figures[name]["value"] > 0.0


def test_vehicle_of_the_benchmark_is_full_and_sound() -> None:
    vehicle = full_vehicle()
    for matrix in (vehicle.added_mass, vehicle.linear_damping, vehicle.quadratic_damping):
        assert np.all(np.array(matrix) != 0.0)
        assert np.all(np.linalg.eigvalsh(np.array(matrix) + np.array(matrix).T) > 0.0)
    inertia = np.array(total_inertia(vehicle))
    np.testing.assert_allclose(inertia, inertia.T, rtol=1e-14)
    assert np.all(np.linalg.eigvalsh(inertia) > 0.0)
    assert len(vehicle.thrusters) == 6
    assert all(thruster.rise_time > 0.0 for thruster in vehicle.thrusters)


def test_vehicle_of_the_benchmark_swims_and_keeps_swimming() -> None:
    packed = pack(full_vehicle())
    end = rollout(packed, initial_state(packed, twist=TWIST), np.array(COMMANDS), 60.0, steps=6000)[-1]
    assert 0.05 < np.linalg.norm(end[7:10]) < 5.0
    np.testing.assert_allclose(end[13:], COMMANDS, rtol=1e-9)


def test_scattered_vehicles_differ_and_come_out_the_same_again() -> None:
    assert full_vehicle(0.05, 1) == full_vehicle(0.05, 1)
    assert full_vehicle(0.05, 1) != full_vehicle(0.05, 2)
    assert full_vehicle(0.05, 1).added_mass != full_vehicle().added_mass


def test_the_mujoco_baseline_keeps_moving_in_every_window() -> None:
    mujoco, model, data = mujoco_baseline._body("RK4")
    data.qvel[:] = TWIST
    mujoco.mj_step(model, data, steps.MUJOCO_RK4_STEPS)
    assert np.linalg.norm(data.qvel) > 1e-3


def test_figure_without_value_keeps_its_reason() -> None:
    assert fake("no MuJoCo").run((1,))[0].reason == "no MuJoCo"


@pytest.mark.xdist_group("suite_filter")
def test_monte_carlo_runs_count_only_with_every_reading_used(monkeypatch: pytest.MonkeyPatch) -> None:
    short = swaying_motion().rows(slice(0, 1001))
    monkeypatch.setattr(monte_carlo, "SUITE", suite_flights.SUITE)
    monkeypatch.setattr(monte_carlo, "swaying_motion", lambda: short)
    assert 0.0 < float(monte_carlo.measure_monte_carlo(sets=2)["monte_carlo_seconds"]) < math.inf
    monkeypatch.setattr(monte_carlo, "GATE", 0.5)
    assert "were not used" in str(monte_carlo.measure_monte_carlo(sets=1)["monte_carlo_seconds"])
