"""Steps that are too long for the damping of a vehicle: refused at the start, noted before the run, warned of in it."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from remora import Plant, load_scenario, load_vehicle
from remora.equations.algebra.vectors import diagonal6
from remora.plant.batches.step_length import longest_step
from remora.plant.methods import EULER, HEUN, METHODS, RK4
from remora.run.loop.loop import run
from remora.scenarios.load_context import ScenarioError


def kinetic_energy(plant, state):
    twist = state[7:13]
    return 0.5 * twist @ plant.packed.row[:36].reshape(6, 6) @ twist


def test_a_body_that_spins_too_fast_for_the_step_gains_energy_and_needs_a_shorter_step():
    """The radius of stability of RK4 on the imaginary axis is 2.83: 290 rad/s need less than 9.8 ms."""
    plant = Plant(load_vehicle("modular_case_body"))
    gains = {}
    for rate in (150.0, 290.0):
        state = plant.initial_state(twist=(1.0, 0.3, 0.0, 0.0, 0.0, rate))
        longest = longest_step(plant.packed, 0.01, RK4, state)
        after = plant.step(state, (), 0.01)
        gains[rate] = longest, kinetic_energy(plant, after) - kinetic_energy(plant, state)
    assert gains[150.0][0] == 0.01
    assert gains[150.0][1] < 0.0
    assert gains[290.0][0] == pytest.approx(2.0 * math.sqrt(2.0) / 290.0, rel=0.01)
    assert gains[290.0][1] > 0.0


@pytest.mark.parametrize(
    ("method", "limit"),
    [(RK4, 2.785), (EULER, 2.0), (HEUN, 2.0)],
    ids=lambda one: getattr(one, "name", ""),
)
def test_the_longest_step_is_the_real_limit_of_the_method(method, limit):
    """Linear drag of 100 1/s in surge, less in other directions; Hairer and Wanner 1996, IV.2."""
    vehicle = load_vehicle("modular_case_body")
    drag = diagonal6((2250.0, 5.0, 5.0, 0.001, 0.001, 0.001))
    plant = Plant(replace(vehicle, parameters=vehicle.parameters._replace(linear_damping=drag, p_BC=(0.0, 0.0, 0.0))))
    state = plant.initial_state()
    assert longest_step(plant.packed, 0.005, METHODS["dormand_prince"], state) == 0.005
    stable = limit / 100.0
    found = longest_step(plant.packed, 1.02 * stable, method, state)
    assert found == pytest.approx(stable, rel=1e-3)
    assert longest_step(plant.packed, 0.98 * stable, method, state) == 0.98 * stable


def written(tmp_path, start, step, extra=""):
    path = tmp_path / "s.yaml"
    path.write_text(
        f"name: fast\nduration: 2 s\nstep: {step}\nvehicles:\n- name: body\n  file: bluerov2_heavy\n"
        f"  position: [0, 0, 5]\n  velocity: {start}\n{extra}"
    )
    return path


def test_a_start_for_which_the_step_is_unstable_is_refused(tmp_path: Path):
    load_scenario(written(tmp_path, "[1, 0, 0]", "10 ms"))
    with pytest.raises(ScenarioError, match=r"starts with a motion too fast: the step of 0\.05 s is unstable"):
        load_scenario(written(tmp_path, "[8, 0, 0]", "50 ms"))


def test_a_step_that_is_unstable_at_rest_is_refused(tmp_path: Path):
    with pytest.raises(ScenarioError, match=r"at rest: the step of 2 s is unstable"):
        load_scenario(written(tmp_path, "[0, 0, 0]", "2 s", "log: {period: 2 s}\n"))


def test_the_current_counts_at_the_start(tmp_path: Path):
    scenario = written(tmp_path, "[0, 0, 0]", "50 ms", "water: {current: [8 m/s, 0 m/s, 0 m/s]}\n")
    with pytest.raises(ScenarioError, match="starts with a motion"):
        load_scenario(scenario)


def test_a_run_that_becomes_too_fast_for_its_step_warns_of_it(tmp_path: Path):
    push = (
        "  locked: [sway, heave, roll, pitch, yaw]\n"
        "  disturbances:\n  - {kind: constant, force: [6000 N, 0, 0], from: 0.5 s}\n"
    )
    setup = load_scenario(written(tmp_path, "[0, 0, 0]", "40 ms", push)).setup
    warnings = run(setup).warnings
    assert any(one.watch == "step" and "needs a step of at most" in one.text for one in warnings)
    slow = load_scenario(written(tmp_path, "[0, 0, 0]", "4 ms", push)).setup
    assert not any(one.watch == "step" for one in run(slow).warnings)
