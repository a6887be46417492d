"""Models and vehicles that do not fit are refused in words; what fits goes through unchanged."""

import subprocess
import sys
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from mujoco_runs import full, get_state, scene, set_state, some_state

from remora.equations.algebra.quaternions import rotation_matrix
from remora.interop.mujoco.hydrodynamics import Hydrodynamics, submerged
from remora.interop.mujoco.mjcf import body_xml, inertial_xml, model_xml
from remora.interop.mujoco.model import rigid_inertia
from remora.plant import pack
from remora.vehicles import load_vehicle, preset_names
from remora_evidence.spheroid import spheroid

ROV = load_vehicle("bluerov2_heavy")
DRY = [name for name in preset_names() if not load_vehicle(name).parameters.total_inertia_only]
FLIPPED = np.diag([1.0, -1.0, -1.0])


def model_of(text):
    return mujoco.MjModel.from_xml_string(text)


@pytest.mark.parametrize("axes", ["forward-left-up", "forward-right-down"])
@pytest.mark.parametrize("vehicle", [full(), *map(load_vehicle, DRY)], ids=lambda vehicle: vehicle.name)
def test_mujoco_reads_back_the_rigid_body_that_was_written(vehicle, axes):
    """Also on top of a welded part that carries a share of it; and the inertia has room for couplings."""
    model = model_of(model_xml(vehicle, axes))
    assert model.nM == 21
    turn = np.eye(3) if axes == "forward-right-down" else FLIPPED
    found = rigid_inertia(mujoco, model, 1, turn)
    scale = np.abs(vehicle.parameters.rigid_body_inertia).max()
    np.testing.assert_allclose(found, vehicle.parameters.rigid_body_inertia, atol=1e-9 * scale)


def test_welded_parts_count_to_the_body():
    part = '<body pos="0.1 -0.2 0.3"><inertial pos="0 0 0.1" mass="2" diaginertia="0.1 0.2 0.15"/></body></body>'
    text = model_xml(ROV).replace('mass="13.5"', 'mass="11.5"').replace("</body>", part)
    model = model_of(text)
    M = rigid_inertia(mujoco, model, 1, np.eye(3))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    expected = np.zeros((6, 6))
    mujoco.mj_fullM(model, data, expected)
    np.testing.assert_allclose(M, expected, atol=1e-12)
    Hydrodynamics(model, ROV.name, ROV).apply(data)


@pytest.mark.parametrize(
    ("world", "axes"), [("north-west-up", "forward-left-up"), ("east-north-up", "forward-right-down")]
)
def test_states_go_in_and_come_out(world, axes):
    _, data, water = scene(ROV, world=world, axes=axes)
    state = some_state(pack(ROV.parameters), 3)
    water.place(data, state)
    np.testing.assert_allclose(get_state(data, world, axes), state[:13], atol=1e-12)
    data.qpos[:], data.qvel[:] = 0.0, 0.0
    set_state(data, state, world, axes)
    found = water.state(data)
    np.testing.assert_allclose(found, state[:13], atol=1e-12)
    R = np.array(rotation_matrix(tuple(found[3:7])))
    assert pytest.approx(np.eye(3), abs=1e-12) == R @ R.T


def test_neutral_means_neutral():
    """At rest nothing moves, in any world, while the weight of the model is on."""
    for world, axes in (("north-west-up", "forward-left-up"), ("north-east-down", "forward-right-down")):
        model, data, water = scene(spheroid(), world=world, axes=axes)
        with submerged(water):
            mujoco.mj_step(model, data, 1000)
        assert np.abs(data.qvel).max() < 1e-12


def test_outputs_start_anew_after_a_reset():
    model, data, water = scene(ROV)
    water.command(data, np.full(8, 10.0))
    with submerged(water):
        mujoco.mj_step(model, data, 100)
    first = data.qpos.copy()
    mujoco.mj_resetData(model, data)
    assert np.all(water.outputs(data) <= 10.0)
    water.reset()
    assert np.all(water.outputs(data) == 0.0)
    water.command(data, np.full(8, 10.0))
    with submerged(water):
        mujoco.mj_step(model, data, 100)
    np.testing.assert_array_equal(data.qpos, first)


def changed(old, new):
    return model_xml(ROV).replace(old, new)


NO_JOINT = changed("<freejoint/>", "")
OWN_FLUID = changed("<option ", '<option density="1000" ')
SIDEWAYS = changed('gravity="0 0 -9.81"', 'gravity="0 9.81 0"')
HEAVY = changed('mass="13.5"', 'mass="15"')


@pytest.mark.parametrize(
    ("text", "body", "options", "words"),
    [
        (model_xml(ROV), "bluerov2_havy", {}, "no body 'bluerov2_havy': did you mean 'bluerov2_heavy'"),
        (NO_JOINT, ROV.name, {}, "write <freejoint/>"),
        (OWN_FLUID, ROV.name, {}, 'would count twice: write <option density="0" viscosity="0"/>'),
        (SIDEWAYS, ROV.name, {}, "does not point down"),
        (model_xml(ROV), ROV.name, {"world": "north-east-down"}, "does not point down"),
        (HEAVY, ROV.name, {}, "15 kg in the model and 13.5 kg in bluerov2_heavy"),
        (model_xml(ROV), ROV.name, {"world": "east-nord-up"}, "did you mean 'east-north-up'"),
        (model_xml(ROV), ROV.name, {"axes": "sideways"}, "choose from 'forward-left-up', 'forward-right-down'"),
        (model_xml(ROV), ROV.name, {"current": (0.1, 0.0)}, r"current has shape \(2,\)"),
        (model_xml(ROV), ROV.name, {"current": (0.1, 0.0, np.nan)}, "finite"),
    ],
)
def test_models_that_do_not_fit_are_refused(text, body, options, words):
    with pytest.raises(ValueError, match=words):
        Hydrodynamics(model_of(text), body, ROV, **options)


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"locked": ("roll",)}, "holds roll"), ({"total_inertia_only": True}, "only its total inertia")],
)
def test_vehicles_that_do_not_fit_are_refused(changes, words):
    vehicle = replace(ROV, parameters=ROV.parameters._replace(**changes))
    with pytest.raises(ValueError, match=words):
        Hydrodynamics(model_of(model_xml(ROV)), ROV.name, vehicle)


PRINCIPAL = changed(inertial_xml(ROV), '<inertial pos="0 0 0" mass="13.5" diaginertia="0.26 0.23 0.37"/>')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PRINCIPAL, "only the diagonal .* quat="),
        (changed("<option ", '<option solver="PGS" '), 'solver="Newton"'),
        (changed("<worldbody>", '<option><flag spring="disable" damper="disable"/></option><worldbody>'), "damper="),
    ],
)
def test_a_model_without_room_for_water_inside_is_refused_and_takes_a_wrench(text, words):
    model = model_of(text)
    data, water = mujoco.MjData(model), Hydrodynamics(model, ROV.name, ROV)
    with pytest.raises(ValueError, match=words), submerged(water):
        pass
    assert mujoco.get_mjcb_passive() is None
    data.qvel[1] = 0.1
    water.apply(data)
    assert data.qfrc_applied[1] < 0.0


def test_a_wrong_number_of_commands_and_foreign_data_are_refused():
    _, data, water = scene(ROV)
    with pytest.raises(ValueError, match="commands has shape"):
        water.command(data, [1.0])
    two = model_of(model_xml(ROV).replace("</worldbody>", body_xml(spheroid()) + "</worldbody>"))
    with pytest.raises(ValueError, match="another model"):
        water.apply(mujoco.MjData(two))


BLOCKED = """
import sys
sys.modules["mujoco"] = None
import remora.interop.mujoco.mjcf
from remora.interop.mujoco.hydrodynamics import Hydrodynamics
from remora.vehicles import load_vehicle
remora.interop.mujoco.mjcf.model_xml(load_vehicle("falcon"))
try:
    Hydrodynamics(None, "falcon", load_vehicle("falcon"))
except ImportError as error:
    print(error)
"""


def test_without_mujoco_the_command_to_install_it_is_given():
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == 'MuJoCo is not installed: pip install "remora-auv[mujoco]"'
