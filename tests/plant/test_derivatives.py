"""Derivatives of the plant by dual numbers agree with CasADi to 1e-12; a kink has the slope of the branch taken."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pages import code_blocks, page, printed_by
from remora import Plant, load_vehicle
from remora.equations.hull.forms.form import HullForce
from remora.equations.hull.forms.user_form import load_form
from remora.files.problems import InputError
from remora.plant import dormand_prince, pack
from remora.plant.dual.linearisation import PlantJacobian
from remora.plant.dual.plant_derivatives import turned
from remora.plant.failures import RunError
from remora.vehicles.library import preset_names
from sample_features import with_bulbs
from symbolic_derivatives import STEP, assert_agree, random_inputs, vector_part

pytestmark = [pytest.mark.xdist_group("derivatives"), pytest.mark.timeout(600)]  # one compilation for all

COUNT = 100


@cache
def packed_preset(name):
    return pack(load_vehicle(name).parameters)


@pytest.mark.parametrize("name", preset_names())
def test_rate_derivatives_of_every_bundled_vehicle(name):
    assert_agree(packed_preset(name), 0.0, COUNT, 1)


@pytest.mark.parametrize("name", preset_names())
def test_step_derivatives_of_every_bundled_vehicle(name):
    assert_agree(packed_preset(name), STEP, COUNT, 2)


@pytest.fixture(scope="module")
def falcon():
    return Plant(load_vehicle("falcon"))


def moved(state, coordinate, size):
    """A state moved along one error coordinate."""
    if 3 <= coordinate < 6:
        rotation = np.zeros(3)
        rotation[coordinate - 3] = size
        q = np.array(turned(tuple(state[3:7]), rotation))
        return np.concatenate([state[:3], q / np.linalg.norm(q), state[7:]])
    new = state.copy()
    new[coordinate if coordinate < 3 else coordinate + 1] += size
    return new


def difference(after, before):
    """Error coordinates from one state to another."""
    rotation = vector_part(before[3:7], after[3:7, None])[:, 0]
    return np.concatenate([after[:3] - before[:3], rotation, after[7:] - before[7:]])


def test_step_jacobian_is_the_limit_of_differences_of_steps(falcon):
    """By `Plant.step` alone: central differences, whose error is of the order of the squared increment."""
    inputs = random_inputs(falcon.packed, np.random.default_rng(5))
    state, commands, water = inputs[:18], inputs[18:23], (0.2, -0.1, 0.05)
    found = falcon.jacobian(state, commands, 0.1, steps=2, water=water)
    np.testing.assert_allclose(found.state, falcon.step(state, commands, 0.1, steps=2, water=water), rtol=1e-13)
    h = 1e-5
    for k in range(17):
        ends = [falcon.step(moved(state, k, s), commands, 0.1, steps=2, water=water) for s in (h, -h)]
        np.testing.assert_allclose(found.A[:, k], difference(*ends) / (2 * h), atol=1e-7)
    for k in range(5):
        push = h * np.eye(5)[k]
        ends = [falcon.step(state, commands + s * push, 0.1, steps=2, water=water) for s in (1, -1)]
        np.testing.assert_allclose(found.B[:, k], difference(*ends) / (2 * h), atol=1e-7)


def test_linearisation_is_the_limit_of_short_steps(falcon):
    """A short step has the Jacobian I + h A to first order, attitude errors in the turning body included."""
    inputs = random_inputs(falcon.packed, np.random.default_rng(6))
    found = falcon.linearise(inputs[:18], inputs[18:23])
    np.testing.assert_allclose(found.rate, falcon.derivative(inputs[:18], inputs[18:23]), rtol=1e-12, atol=1e-13)
    misses = []
    for h in (1e-3, 1e-4):
        step = falcon.jacobian(inputs[:18], inputs[18:23], h)
        misses.append(np.abs((step.A - np.eye(17)) / h - found.A).max())
    assert misses[1] < 0.11 * misses[0]


def test_a_vehicle_at_rest_has_a_finite_linearisation():
    """Lengths and products with |v| have no slope at rest that could be infinite."""
    for name in preset_names():
        plant = Plant(load_vehicle(name))
        found = plant.linearise(plant.initial_state(), np.zeros(plant.packed.actuators))
        assert np.isfinite(found.A).all()
        assert np.isfinite(found.B).all()


def test_at_a_limit_the_slope_is_that_of_the_branch_taken():
    """A command beyond its limit moves nothing; on the limit the value kept is the command, with its slope."""
    plant = Plant(load_vehicle("bluerov2_heavy"))
    limit = plant.vehicle.parameters.thrusters[0].command_maximum
    for command, slope in ((0.5 * limit, 1.0), (limit, 1.0), (limit * (1.0 + 1e-12), 0.0)):
        commands = np.zeros(8)
        commands[0] = command
        found = plant.linearise(plant.initial_state(), commands)
        inside = plant.linearise(plant.initial_state(), 0.5 * np.sign(command) * commands)
        np.testing.assert_allclose(found.B[:, 0], slope * inside.B[:, 0], rtol=1e-12)
        assert np.abs(inside.B[:, 0]).max() > 0.0


def test_an_actuator_without_lag_acts_at_once():
    """Its output is that of its command, so the twist rate depends on the command and not on the state."""
    parameters = load_vehicle("bluerov2_heavy").parameters
    quick = pack(
        parameters._replace(thrusters=tuple(t._replace(rise_time=0.0, fall_time=0.0) for t in parameters.thrusters))
    )
    random, prepared = np.random.default_rng(7), PlantJacobian(quick, ("actuators", "commands"))
    inputs = random_inputs(quick, random)
    inputs[21:29] *= 0.1  # commands within their limits
    _, jacobian = prepared(inputs)
    assert (jacobian[:, :8] == 0.0).all()
    assert np.linalg.matrix_rank(jacobian[6:12, 8:]) == 6
    assert_agree(quick, 0.0, 5, 7)


@pytest.mark.parametrize("step", [0.0, STEP])
def test_derivatives_with_user_defined_forces(step):
    """Force models of a file are compiled with dual numbers and agree with CasADi, which runs their plain functions."""
    assert_agree(pack(with_bulbs(load_vehicle("falcon").parameters)), step, 20, 11)


def test_a_force_model_that_does_not_compile_with_dual_numbers_is_named(tmp_path):
    text = Path(__file__).parents[1].joinpath("sample_form.py").read_text()
    old = "a, b, c = bulb.drag[0] * tanh(u)"
    assert text.count(old) == 1
    (tmp_path / "powers.py").write_text(text.replace(old, "u = (u * u) ** 0.5 * u\n    " + old))
    bulb = load_form(str(tmp_path / "powers.py"), "BULB")
    force = HullForce(bulb, (bulb.read((0.1, 0.0, 0.0, 1.0, 1.0, 1.0), 0),), "bulb")
    vehicle = load_vehicle("bluerov2_heavy").parameters._replace(forces=(force,))
    plant = Plant(replace(load_vehicle("bluerov2_heavy"), parameters=vehicle))
    with pytest.raises(InputError, match=r"cannot compile the derivatives of the force model bulb: .*elementary"):
        plant.linearise(plant.initial_state(), np.zeros(8))


def test_refused_input(falcon):
    rest, zero = falcon.initial_state(), np.zeros(5)
    with pytest.raises(ValueError, match=r"commands has shape \(3,\): give \(5,\)"):
        falcon.linearise(rest, np.zeros(3))
    with pytest.raises(ValueError, match=r"state\[2\] is nan"):
        falcon.linearise(np.where(np.arange(18) == 2, np.nan, rest), zero)
    with pytest.raises(ValueError, match="quaternion of the state has length 2"):
        falcon.jacobian(np.where(np.arange(18) == 3, 2.0, rest), zero, 0.1)
    with pytest.raises(ValueError, match=r"time step is -0\.1"):
        falcon.jacobian(rest, zero, -0.1)
    with pytest.raises(ValueError, match="dormand_prince has no Jacobian here: give a Runge-Kutta method"):
        falcon.jacobian(rest, zero, 0.1, method=dormand_prince())
    with pytest.raises(ValueError, match="'depth' is unknown: give some of position, rotation"):
        PlantJacobian(falcon.packed, ("depth",))
    with pytest.raises(ValueError, match="give each once"):
        PlantJacobian(falcon.packed, ("twist", "twist"))
    with pytest.raises(ValueError, match="31 inputs: make the row with `inputs`"):
        PlantJacobian(falcon.packed)(np.zeros(31))
    fast = falcon.initial_state(twist=(500.0, 0, 0, 0, 0, 0))
    with pytest.raises(RunError):
        falcon.jacobian(fast, zero, 10.0)


def test_the_example_of_the_documentation_runs(tmp_path):
    (code,) = [block for block in code_blocks(page("theory.md")) if "linearise" in block]
    assert (
        printed_by(code + "print(A.shape, B.shape, Phi.shape, Gamma.shape)", tmp_path)
        == "(17, 17) (17, 5) (17, 17) (17, 5)\n"
    )
