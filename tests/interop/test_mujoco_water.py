"""Water inside MuJoCo is the water of our plant: accelerations, energy, paths, contacts, arms and several bodies."""

import mujoco
import numpy as np
import pytest
from mujoco_runs import (
    DEFAULT,
    full,
    get_rate,
    get_state,
    load_vehicle,
    mode,
    scene,
    set_state,
    some_state,
    spheroid,
    walk,
)

from remora import Plant
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.hull.inertia import kinetic_energy
from remora.interop.mujoco import model as frames
from remora.interop.mujoco.hydrodynamics import Hydrodynamics, submerged
from remora.interop.mujoco.mjcf import body_xml, model_xml
from remora.plant import derivative, initial_state, pack
from remora.vehicles.assembly.shapes import spheroid_coefficients
from remora.vehicles.parameters import total_inertia

MODES = ("apply", "submerged")
WORLDS = [
    ("north-west-up", "forward-left-up"),
    ("east-north-up", "forward-left-up"),
    ("east-north-up", "forward-right-down"),
    ("north-east-down", "forward-right-down"),
]
TUMBLING = np.array([0.5, 0.2, -0.1, 0.3, 0.2, -0.25])


@pytest.mark.parametrize("way", MODES)
@pytest.mark.parametrize(("world", "axes"), WORLDS)
@pytest.mark.parametrize("vehicle", [full(), load_vehicle("falcon"), load_vehicle("remus100")], ids=lambda v: v.name)
def test_accelerations_are_those_of_the_plant(vehicle, world, axes, way):
    """Any attitude and motion, in a current, with thrust: full matrices, two heave masses, fins and lift."""
    model, data, water = scene(vehicle, world=world, axes=axes)
    packed = pack(vehicle.parameters)
    for seed in range(3):
        state = some_state(packed, seed)
        set_state(data, state, world, axes)
        current_N = np.array([0.3, -0.2, 0.1])
        water.set_current(water._R_NE.T @ current_N)
        water.reset()
        data.time = 0.0
        commands = np.full(packed.actuators, 0.2)
        water.command(data, commands)
        data.time = 1.0 - (0.5 * model.opt.timestep if way == "apply" else 0.0)
        if way == "apply":
            water.apply(data)
        with mode(way, water):
            mujoco.mj_forward(model, data)
        data.time = 1.0
        outputs = water.outputs(data)
        expected = derivative(packed, np.concatenate([state[:13], outputs]), commands, water=current_N)[7:13]
        np.testing.assert_allclose(get_rate(data, world, axes), expected, rtol=1e-9, atol=1e-9)
        data.qfrc_applied[:] = 0.0


@pytest.mark.parametrize("way", MODES)
@pytest.mark.parametrize("axis", range(6))
def test_a_spheroid_pushed_from_rest_meets_body_and_water(axis, way):
    """Sway 1 / 1.949 and yaw 1 / 1.851 of what the rigid body alone would do."""
    vehicle = spheroid()
    model, data, water = scene(vehicle, "Euler")
    push = np.eye(6)[axis]
    data.xfrc_applied[1] = push * (1, -1, -1, 1, -1, -1)
    walk(model, data, water, way, 1)
    exact = push[axis] / np.array(total_inertia(vehicle.parameters))[axis, axis]
    assert get_state(data)[7 + axis] / model.opt.timestep == pytest.approx(exact, rel=1e-9)
    alone = push[axis] / np.array(vehicle.parameters.rigid_body_inertia)[axis, axis]
    k = spheroid_coefficients(1.6, 0.19)
    assert (k.axial, k.transverse, k.rotational) == pytest.approx((0.027, 0.949, 0.851), abs=5e-4)
    ratio = (k.axial, k.transverse, k.transverse, 0.0, k.rotational, k.rotational)[axis]
    assert alone / exact == pytest.approx(1.0 + ratio, rel=1e-9)


def ideal_run(integrator, way, seconds=20.0):
    """Relative change of the kinetic energy, and distance from our plant, of a tumbling spheroid."""
    vehicle = spheroid()
    plant = Plant(vehicle)
    model, data, water = scene(vehicle, integrator)
    set_state(data, plant.initial_state(twist=TUMBLING))
    count = round(seconds / model.opt.timestep)
    walk(model, data, water, way, count)
    M, end = total_inertia(vehicle.parameters), get_state(data)
    energy = kinetic_energy(M, tuple(end[7:])) / kinetic_energy(M, tuple(TUMBLING)) - 1.0
    there = plant.rollout(plant.initial_state(twist=TUMBLING), [], seconds, count)[-1]
    return energy, np.linalg.norm(end[:3] - there[:3])


def test_rk4_keeps_the_energy_of_the_ideal_fluid_and_the_path_of_the_plant():
    energy, distance = ideal_run("RK4", "submerged")
    assert abs(energy) < 1e-9
    assert distance < 1e-8


@pytest.mark.parametrize("way", MODES)
def test_one_evaluation_per_step_keeps_the_energy_within_a_percent(way):
    energy, distance = ideal_run("Euler", way)
    assert abs(energy) < 0.01
    assert distance < 0.02


OWN_FLUID = """
<mujoco>
  <option timestep="0.001" integrator="RK4" density="1000" viscosity="0" gravity="0 0 0"/>
  <worldbody>
    <body>
      <freejoint/>
      <geom type="ellipsoid" size="0.8 0.095 0.095" density="1000" fluidshape="ellipsoid" fluidcoef="0 0 0 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""


def test_the_fluid_of_mujoco_has_no_inertia():
    """Why all this is needed: sway 95 % too large, and the energy of an ideal fluid not kept."""
    model = mujoco.MjModel.from_xml_string(OWN_FLUID)
    data = mujoco.MjData(model)
    data.xfrc_applied[1, 1] = 1.0
    mujoco.mj_forward(model, data)
    M = np.array(total_inertia(spheroid().parameters))
    assert data.qacc[1] * M[1, 1] == pytest.approx(1.95, abs=0.01)
    data.xfrc_applied[:] = 0.0
    set_state(data, Plant(spheroid()).initial_state(twist=TUMBLING))
    energies = []
    for _ in range(20):
        mujoco.mj_step(model, data, 1000)
        twist = get_state(data)[7:]
        energies.append(twist @ M @ twist / (TUMBLING @ M @ TUMBLING))
    assert max(energies) > 1.5


@pytest.mark.parametrize(("way", "bound"), [("apply", 5e-3), ("submerged", 1e-7)])
def test_a_driven_vehicle_swims_the_path_of_the_plant(way, bound):
    """BlueROV2 Heavy for 20 s on lagged thrusters in a current, commands changed on the way."""
    vehicle = load_vehicle("bluerov2_heavy")
    plant = Plant(vehicle)
    model, data, water = scene(vehicle, "RK4" if way == "submerged" else "Euler", current=(0.1, 0.05, 0.0))
    state = plant.initial_state()
    for commands in ([5.0, 4.0, -3.0, -6.0, 1.0, 2.0, 2.0, 1.5], [-5.0, 2.0, 3.0, -1.0, -1.0, 0.0, 1.0, 0.5]):
        water.command(data, commands)
        walk(model, data, water, way, 10_000)
        state = plant.rollout(state, commands, 10.0, 10_000, water=(0.1, -0.05, 0.0))[-1]
    assert np.linalg.norm(state[:3]) > 1.0
    np.testing.assert_allclose(get_state(data)[:3], state[:3], atol=bound)
    np.testing.assert_allclose(water.outputs(data), state[13:], atol=1e-9)


MOTOR = "<actuator><motor site='bow' gear='0 1 0 0 0 0'/></actuator></mujoco>"


@pytest.mark.parametrize(("way", "inertia"), [("apply", 1.0), ("submerged", 1.0 + 0.949)])
def test_forces_made_inside_mujoco_meet_the_water_only_when_it_is_inside_too(way, inertia):
    """A motor of the model at the centre of the spheroid: the limit of the direct method, and its cure."""
    vehicle = spheroid()
    text = model_xml(vehicle).replace("<freejoint/>", "<freejoint/><site name='bow'/>").replace("</mujoco>", MOTOR)
    model = mujoco.MjModel.from_xml_string(text)
    data, water = mujoco.MjData(model), Hydrodynamics(model, "spheroid", vehicle)
    data.ctrl[:] = 2.0
    walk(model, data, water, way, 1)
    assert data.qvel[1] / 0.001 * vehicle.parameters.mass / 2.0 == pytest.approx(1.0 / inertia, rel=1e-3)


def test_a_vehicle_that_rests_on_the_ground_presses_with_its_weight_in_water():
    """And a push along slick ground meets body and water together."""
    vehicle = load_vehicle("bluerov2_heavy")
    floor = "<worldbody><geom type='plane' size='9 9 1' pos='0 0 -0.1475' friction='0 0 0'/>"
    text = model_xml(vehicle, integrator="Euler").replace("<worldbody>", floor)
    text = text.replace('contype="0" conaffinity="0"', "friction='0 0 0' condim='1'")
    model = mujoco.MjModel.from_xml_string(text)
    data, water = mujoco.MjData(model), Hydrodynamics(model, vehicle.name, vehicle)
    walk(model, data, water, "submerged", 3000)
    force = np.zeros(6)
    with submerged(water):
        mujoco.mj_forward(model, data)
        assert data.ncon == 1
        mujoco.mj_contactForce(model, data, 0, force)
        assert force[0] == pytest.approx(0.1 * vehicle.parameters.gravity, rel=1e-3)
        assert np.abs(data.qacc).max() < 1e-6
        data.xfrc_applied[1, 0] = 1.0
        mujoco.mj_forward(model, data)
    expected = np.linalg.inv(total_inertia(vehicle.parameters))[0, 0]
    assert data.qacc[0] == pytest.approx(expected, rel=1e-4)


ARM = (
    "<body pos='0.9 0 0'><joint name='elbow' type='hinge' axis='0 1 0'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .5 .1 0' mass='4' contype='0' conaffinity='0'/></body></body>"
)


def test_an_arm_on_the_body_keeps_the_energy_of_the_whole():
    """Ideal fluid, no weight: energy of body, arm and water stays, although the arm swings."""
    vehicle = spheroid()
    text = model_xml(vehicle).replace("</body>", ARM)
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.gravity[:] = 0.0
    data, water = mujoco.MjData(model), Hydrodynamics(model, "spheroid", vehicle)
    data.qvel[:] = [0.3, 0.2, 0.1, 0.2, 0.3, -0.2, 1.5]

    def energy():
        """Of MuJoCo's bodies, and of the water, which moves with the spheroid."""
        mujoco.mj_forward(model, data)
        moved = np.empty(model.nv)
        mujoco.mj_mulM(model, data, moved, data.qvel)
        return 0.5 * data.qvel @ moved + kinetic_energy(vehicle.parameters.added_mass, tuple(get_state(data)[7:13]))

    first = energy()
    walk(model, data, water, "submerged", 4000)
    assert abs(data.qpos[7]) > 0.5
    assert energy() == pytest.approx(first, rel=1e-9)
    with pytest.raises(ValueError, match="by a joint"):
        water.apply(data)


def test_two_bodies_swim_in_one_model_and_other_models_stay_dry():
    first, second = spheroid(), load_vehicle("bluerov2_heavy")
    text = model_xml(first).replace("</worldbody>", body_xml(second, position=(0, 3, 0)) + "</worldbody>")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    waters = [Hydrodynamics(model, vehicle.name, vehicle) for vehicle in (first, second)]
    waters[1].command(data, np.full(8, 3.0))
    data.qvel[:6] = TUMBLING * (1, -1, -1, 1, -1, -1)
    alone, alone_data, alone_water = scene(first)
    alone_data.qvel[:] = data.qvel[:6]
    with submerged(*waters):
        mujoco.mj_step(model, data, 500)
        dry = mujoco.MjData(alone)
        mujoco.mj_step(alone, dry, 100)
    walk(alone, alone_data, alone_water, "submerged", 500)
    assert mujoco.get_mjcb_passive() is None
    np.testing.assert_allclose(data.qpos[:7], alone_data.qpos, atol=1e-12)
    plant = Plant(second)
    there = plant.rollout(plant.initial_state(), np.full(8, 3.0), 0.5, 500)[-1]
    np.testing.assert_allclose(data.qpos[7:10] - (0, 3, 0), there[:3] * (1, -1, -1), atol=1e-9)
    assert dry.qpos[2] == pytest.approx(-0.5 * 9.81 * 0.1**2, rel=1e-6)


def test_a_callback_that_was_there_goes_on():
    model, data, water = scene(spheroid())
    calls = []

    def push(model, data):
        calls.append(data.time)
        data.qfrc_passive[0] += 1.0

    mujoco.set_mjcb_passive(push)
    try:
        walk(model, data, water, "submerged", 1)
        assert mujoco.get_mjcb_passive() is push
    finally:
        mujoco.set_mjcb_passive(None)
    assert calls == [0.0, 0.0005, 0.0005, 0.001]
    expected = 0.001 / total_inertia(spheroid().parameters)[0][0]
    assert data.qvel[0] == pytest.approx(expected, rel=1e-9)


def test_added_mass_enters_once_when_mujoco_evaluates_again():
    """Its finite differences skip the stage that makes the inertia anew."""
    model, data, water = scene(full(), "Euler", step=0.01)
    set_state(data, some_state(pack(full().parameters), 1))
    size = 2 * model.nv
    A, expected = np.zeros((size, size)), np.zeros((size, 6))
    epsilon = 1e-6
    with submerged(water):
        mujoco.mjd_transitionFD(model, data, epsilon, True, A, None, None, None)
        start = data.qpos.copy(), data.qvel.copy()
        for i in range(6):
            ends = []
            for sign in (1.0, -1.0):
                data.qpos[:], data.qvel[:] = start
                data.qvel[i] += sign * epsilon
                mujoco.mj_step(model, data)
                ends.append((data.qpos.copy(), data.qvel.copy()))
            moved = np.empty(6)
            mujoco.mj_differentiatePos(model, moved, 1.0, ends[1][0], ends[0][0])
            expected[:, i] = np.concatenate([moved, ends[0][1] - ends[1][1]]) / (2.0 * epsilon)
    np.testing.assert_allclose(A[:, 6:], expected, atol=1e-6)


@pytest.mark.parametrize("way", ["apply", "submerged"])
def test_a_force_on_a_body_acts_at_its_centre_of_gravity(way):
    """`xfrc_applied` acts at the centre of mass, which is not the origin of this vehicle: the plant gets its moment."""
    vehicle = full()
    p_BG = np.array(vehicle.parameters.p_BG)
    assert np.abs(p_BG).max() > 0.01
    model, data, water = scene(vehicle)
    packed = pack(vehicle.parameters)
    state = initial_state(packed, (0.0, 0.0, 0.0))
    set_state(data, state)
    force_B = np.array([3.0, -5.0, 7.0])
    R_NE = np.array(rotation_matrix(frames.WORLDS[DEFAULT[0]]))
    data.xfrc_applied[1, :3] = R_NE.T @ force_B
    with mode(way, water):
        if way == "apply":
            water.apply(data)
        mujoco.mj_forward(model, data)
    wrench = np.concatenate([force_B, np.cross(p_BG, force_B)])
    expected = derivative(packed, state, np.zeros(packed.actuators), external=wrench)[7:13]
    assert get_rate(data) == pytest.approx(expected, rel=1e-6, abs=1e-6)
