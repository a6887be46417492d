"""What `remora bench` prints and says. How fast this machine is today is no business of a test."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli.commands.bench import bench
from remora.evidence.benchmarks import (
    Figure,
    Goal,
    Measurement,
    Wanted,
    all_hold,
    as_json,
    currents,
    estimators as estimating,
    measurements as registry,
    mujoco_baseline as rival,
    mujoco_water as engines,
    run_measurements,
    startup as starting,
    steps as speed,
    tethers,
)
from remora.evidence.benchmarks.timing import quickest
from remora.evidence.benchmarks.vehicle import COMMANDS, TWIST, full_vehicle
from remora.kernels import initial_state, pack, rollout
from remora.vehicles.parameters import total_inertia

GOALS = {
    "loop_vs_mujoco": ">= 4.5",
    "loop_vs_mujoco_rk4": ">= 18",
    "loop_steps_per_second": None,
    "falcon_steps_per_second": None,
    "call_vs_mujoco": ">= 1.5",
    "batch_vs_mujoco": ">= 9",
    "batch_core_scaling": ">= 1.7",
    "current_plant_cost": "< 30",
    "current_loop_cost": "< 30",
    "tether_50_nodes": ">= 20",
    "recursive_update_rate": ">= 20000",
    "warm_start_seconds": "< 2",
    "cold_start_seconds": None,
    "help_cpu_seconds": "< 0.4",
    "output_error_fit": "< 3",
    "output_error_miss": "< 1",
    "least_squares_hour": "< 2",
    "least_squares_hour_memory": "< 500",
}


def fake(value: float | str, goal: Goal | None = None) -> Measurement:
    return Measurement("a fake", (Wanted("speed", "a speed", "m/s", goal),), lambda: {"speed": value})


def test_the_figures_and_goals_that_were_promised_are_registered() -> None:
    wanted = [w for measurement in registry.MEASUREMENTS for w in measurement.wanted]
    goals = {w.name: str(w.goal) if w.goal else None for w in wanted}
    assert len(goals) == len(wanted)
    assert goals.items() >= GOALS.items()


@pytest.mark.parametrize(
    ("goal", "value", "holds"),
    [
        (Goal(4.5), 4.5, True),
        (Goal(4.5), 4.49, False),
        (Goal(2.0, at_least=False), 1.99, True),
        (Goal(2.0, at_least=False), 2.0, False),
        (Goal(4.5), math.nan, False),
        (Goal(2.0, at_least=False), math.nan, False),
        (None, 0.0, True),
        (Goal(4.5), "no rival", False),
        (None, "no rival", True),
    ],
)
def test_holds_follows_from_goal_and_value(goal: Goal | None, value: float | str, holds: bool) -> None:
    figures = run_measurements([fake(value, goal)])
    assert figures[0].holds is holds
    assert all_hold(figures) is holds


def test_json_has_five_keys_per_figure_and_null_for_what_is_not_known() -> None:
    figures = run_measurements([fake(3.0, Goal(2.0)), fake("no rival")])
    assert json.loads(json.dumps(as_json(figures))) == {
        "figures": [
            {"name": "speed", "value": 3.0, "unit": "m/s", "goal": 2.0, "holds": True},
            {"name": "speed", "value": None, "unit": "m/s", "goal": None, "holds": True},
        ]
    }


@pytest.mark.parametrize(("value", "code"), [(3.0, 0), (1.0, 1), ("no rival", 1)])
def test_command_prints_only_json_on_its_output_and_exits_by_the_goals(
    monkeypatch: pytest.MonkeyPatch, value: float | str, code: int
) -> None:
    monkeypatch.setattr(registry, "MEASUREMENTS", [fake(value, Goal(2.0))])
    result = CliRunner().invoke(bench, ["--json"])
    assert result.exit_code == code
    assert json.loads(result.stdout)["figures"][0]["holds"] is (code == 0)
    assert "measuring: a fake" in result.stderr
    assert "speed: " in result.stderr


def test_command_ends_with_a_table_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MEASUREMENTS", [fake(3.0, Goal(2.0)), fake("no rival", Goal(2.0))])
    result = CliRunner().invoke(bench, [])
    for words in ("a speed", "3.00 m/s", ">= 2", "holds", "missed", "not measured", "no rival", "Some goals are"):
        assert words in result.stdout


@pytest.mark.parametrize(
    "measure",
    [
        speed.measure_loop,
        speed.measure_calls,
        speed.measure_batch,
        speed.measure_cores,
        estimating.measure_recursive,
        engines.measure_water,
    ],
)
def test_speeds_are_measured_next_to_mujoco(measure: object) -> None:
    measurement = next(m for m in registry.MEASUREMENTS if m.measure is measure)
    values = measure(rounds=1)  # type: ignore[operator]
    assert set(values) == {w.name for w in measurement.wanted}
    assert all(value > 0.0 for value in values.values())


def test_the_current_that_is_timed_varies_in_depth_and_time() -> None:
    assert set(currents.measure_currents(rounds=1)) == {"current_plant_cost", "current_loop_cost"}
    world = currents.sea()
    assert world.at(0, (0.0, 0.0, 2.0)).velocity != world.at(0, (0.0, 0.0, 4.0)).velocity
    assert world.at(0, (0.0, 0.0, 2.0)).velocity != world.at(10**9, (0.0, 0.0, 2.0)).velocity


def test_a_tether_is_timed_while_it_pulls() -> None:
    assert tethers.measure_tether(rounds=1)["tether_50_nodes"] > 0.0
    before, after = tethers.towed(0), tethers.towed(50)
    assert after.vehicle[0] > before.vehicle[0]
    assert after.pull.tension > 0.0


def test_a_fresh_process_says_when_it_made_its_first_step() -> None:
    assert 0.0 < starting.measure_warm_start(runs=1)["warm_start_seconds"] < math.inf


def test_cold_start_has_a_cache_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(starting, "started_seconds", lambda environment: asked.append(environment) or 1.0)
    assert starting.measure_cold_start() == {"cold_start_seconds": 1.0}
    assert list(asked[0]) == ["REMORA_CACHE_DIR"]


def test_help_is_timed_and_its_failure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0.0 < starting.measure_help(runs=1)["help_cpu_seconds"] < math.inf
    monkeypatch.setattr(starting, "HELP", "raise SystemExit('no such thing')")
    assert starting.measure_help(runs=1) == {"help_cpu_seconds": "remora --help failed: no such thing"}


def test_quickest_window_of_each_work_counts() -> None:
    ticks = iter([0.0, 5.0, 5.0, 6.0, 6.0, 8.0, 8.0, 11.0])
    order: list[str] = []
    works = {"a": lambda: order.append("a"), "b": lambda: order.append("b")}
    assert quickest(works, 2, lambda: next(ticks)) == {"a": 2.0, "b": 1.0}
    assert "".join(order) == "ab" + "abab"


BLOCKED = """
import sys
sys.modules["mujoco"] = None
from remora.evidence.benchmarks import mujoco_water as engines
from remora.evidence.benchmarks import measurements as registry
from remora.evidence.benchmarks import steps as speed
from remora.cli.commands.bench import bench
works = (speed.measure_loop, speed.measure_calls, speed.measure_batch, engines.measure_water)
registry.MEASUREMENTS = [
    m._replace(measure=lambda work=m.measure: work(rounds=1)) for m in registry.MEASUREMENTS if m.measure in works
]
bench(["--json"])
"""


def test_without_mujoco_the_rest_is_measured_and_the_command_to_install_it_is_given() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=False)
    figures = {figure["name"]: figure for figure in json.loads(done.stdout)["figures"]}
    assert done.returncode == 1
    assert 'MuJoCo is not installed: pip install "remora[mujoco]"' in done.stderr
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


def test_rival_keeps_moving_in_every_window() -> None:
    mujoco, model, data = rival._body("RK4")
    data.qvel[:] = TWIST
    mujoco.mj_step(model, data, speed.RIVAL_RK4_STEPS)
    assert np.linalg.norm(data.qvel) > 1e-3


def test_figure_without_value_keeps_its_reason() -> None:
    assert Figure(Wanted("a", "a", "x"), None, "no rival").reason == "no rival"
