"""Masses that move inside a vehicle, tanks and bladders: momentum, energy, trim, and nothing at all while they rest."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from remora.equations.actuators.moving_mass import (
    MovingMass,
    instantaneous_mass,
    instantaneous_position,
    moving_mass_inertia,
    moving_mass_momentum,
)
from remora.equations.actuators.slewing import UNLIMITED_RATE, Slew
from remora.equations.algebra.vectors import ZERO3, diagonal6
from remora.plant import METHODS, Stepper, batch, derivative, dormand_prince, initial_state, pack, rollout
from remora.vehicles.parameters import total_inertia
from remora.vehicles.variants.body_without_moving_masses import without_moving_masses
from sample_features import quaternions, reals, twists
from sample_vehicles import bluerov2, falcon, glider, torpedo, trim_mass, undamped, vita1, with_moving_masses
from trajectories import largest_change, rotations, run

MASS = trim_mass(3.0, (0.1, -0.05, 0.04), (0.8, 0.0, 0.6), lag=0.3, rate_limit=UNLIMITED_RATE)
SLOW = trim_mass(2.0, (0.05, 0.02, -0.1), (0.0, 1.0, 0.0))
TANK = MovingMass((0.2, 0.0, 0.05), ZERO3, 0.0, 1.0, 0.0, 1.0, 0.5, Slew(0.5, 0.4, 0.0, 3.0))
BLADDER = MovingMass((-0.2, 0.0, 0.0), ZERO3, 0.0, 0.0, 1000.0, 1.0, 0.0, Slew(0.5, 1e-4, -1e-3, 1e-3))
START = {"position": (3.0, -2.0, 1.0), "quaternion": (0.8, 0.1, -0.3, 0.4), "twist": (0.5, -0.15, 0.1, 0.15, 0.2, -0.1)}


def weightless(parameters):
    return undamped(parameters)._replace(gravity=0.0)


def bare(*moving_masses):
    """An ROV without thrusters, with moving masses."""
    rov = bluerov2()._replace(thrusters=(), thruster_names=())
    return with_moving_masses(rov, *moving_masses)


def momenta(parameters, states):
    """Linear and angular momentum in N, about its origin: body, water and moving masses, from first principles."""
    count, body = len(parameters.moving_masses), np.array(total_inertia(without_moving_masses(parameters)))
    outputs, speeds = states[:, -2 * count : -count], states[:, -count:]
    linear, angular = [], []
    for state, output, speed, R in zip(states, outputs, speeds, rotations(states), strict=True):
        twist = state[7:13]
        p, l = np.split(body @ twist, 2)  # noqa: E741 - the letters of the literature
        for moving_mass, y, s in zip(parameters.moving_masses, output, speed, strict=True):
            r = np.array(instantaneous_position(moving_mass, y))
            carried = instantaneous_mass(moving_mass, y) * (
                twist[:3] + np.cross(twist[3:], r) + s * np.array(moving_mass.direction)
            )
            p, l = p + carried, l + np.cross(r, carried)  # noqa: E741
        linear.append(R @ p)
        angular.append(R @ l + np.cross(state[:3], R @ p))
    return np.array(linear), np.array(angular)


@pytest.mark.parametrize("method", ["rk4", "heun", "dormand_prince"])
def test_momentum_is_kept_while_a_mass_moves(method):
    """Tumbling without weight, with a new command every half second: the reaction to every start and stop is there."""
    parameters = weightless(bare(MASS))
    packed, step = pack(parameters), 5e-4 if method == "heun" else 0.005
    commands = np.repeat([[0.2], [-0.2], [0.1], [0.0], [0.15], [-0.1]], 10, axis=0)
    start = initial_state(packed, method=METHODS[method], **START)
    states = rollout(packed, start, commands, 0.05, round(0.05 / step), method=METHODS[method])
    linear, angular = momenta(parameters, states[:, : 13 + packed.actuator_states])
    limit = 1e-6 if method == "heun" else 1e-8
    assert largest_change(linear) < limit
    assert largest_change(angular) < limit
    assert np.ptp(states[:, 13]) > 0.2


def test_momentum_with_a_largest_rate():
    """The acceleration jumps where a ramp ends, within a step: there methods with fixed steps are of first order."""
    parameters = weightless(bare(MASS, SLOW))
    packed = pack(parameters)
    commands = np.repeat([[0.2, 0.2], [-0.2, 0.1], [0.1, -0.15]], 10, axis=0)
    for method, limit in (("rk4", 1e-4), ("dormand_prince", 1e-6)):
        start = initial_state(packed, method=METHODS[method], **START)
        states = rollout(packed, start, commands, 0.5, 100, method=METHODS[method])
        for momentum in momenta(parameters, states):
            assert largest_change(momentum) < limit


def test_a_body_at_rest_moves_back_and_comes_to_rest():
    """Without water: the centre of mass of all stays where it is, and everything is at rest in the end."""
    parameters = weightless(bare(MASS))._replace(added_mass=diagonal6((0.0,) * 6))
    packed = pack(parameters)
    states = rollout(packed, initial_state(packed), [0.2], 0.01, intervals=800)
    body = 8.5 * np.array(without_moving_masses(parameters).p_BG)
    centres = [
        states[k, :3] + R @ ((body + 3.0 * np.array(instantaneous_position(MASS, states[k, 13]))) / 11.5)
        for k, R in enumerate(rotations(states))
    ]  # fmt: skip
    np.testing.assert_allclose(centres, np.tile(centres[0], (801, 1)), rtol=0, atol=1e-9)
    assert np.abs(states[-1, 7:13]).max() < 1e-8
    assert np.linalg.norm(states[-1, :3]) == pytest.approx(0.2 * 3.0 / 11.5, rel=0.3)


@settings(max_examples=50)
@given(quaternions, twists, reals(-0.2, 0.2), reals(-0.2, 0.2))
def test_energy_changes_by_the_work_of_the_drive(quaternion, twist, output, command):
    """Kinetic and potential energy rise by the force of the drive on the mass times its speed along the way."""
    parameters = undamped(bare(MASS))._replace(displaced_mass=11.5, p_BC=ZERO3)
    packed = pack(parameters)
    rate = derivative(packed, initial_state(packed, quaternion=quaternion, twist=twist, outputs=[output]), [command])
    body, r = without_moving_masses(parameters), np.array(instantaneous_position(MASS, output))
    v, w, a, alpha = np.array(twist[:3]), np.array(twist[3:]), rate[7:10], rate[10:13]
    e, speed, acceleration = np.array(MASS.direction), rate[13], rate[14]
    own = v + np.cross(w, r) + speed * e
    gain = a + np.cross(alpha, r) + np.cross(w, speed * e) + acceleration * e
    down = rotations(np.array([[0, 0, 0, *quaternion]]))[0][2]
    fall = [down @ (v + np.cross(w, p)) for p in (body.p_BG, body.p_BC)]
    potential = 9.81 * (body.displaced_mass * fall[1] - body.mass * fall[0] - 3.0 * down @ own)
    kinetic = np.array(twist) @ np.array(total_inertia(body)) @ rate[7:13] + 3.0 * own @ gain
    drive = 3.0 * e @ (gain + np.cross(w, own) - 9.81 * down)
    size = 60.0 * (1.0 + np.abs(twist).max() ** 3)
    assert kinetic + potential == pytest.approx(drive * speed, abs=1e-11 * size)


def test_energy_is_kept_while_the_mass_rests_off_its_neutral_place():
    parameters = undamped(bare(MASS))._replace(displaced_mass=11.5)
    packed = pack(parameters)
    states = run(packed, 30.0, 0.005, [0.15], outputs=[0.15], **START)
    body, twist = without_moving_masses(parameters), states[:, 7:13]
    inertia = np.array(total_inertia(body)) + np.array(moving_mass_inertia(MASS, 0.15))
    R = rotations(states)
    depth = {
        p: states[:, 2] + (R @ np.array(p))[:, 2] for p in (body.p_BG, body.p_BC, instantaneous_position(MASS, 0.15))
    }
    potential = 11.5 * depth[body.p_BC] - body.mass * depth[body.p_BG] - 3.0 * depth[instantaneous_position(MASS, 0.15)]
    kinetic = 0.5 * np.einsum("ti,ij,tj->t", twist, inertia, twist)
    total = kinetic + 9.81 * potential
    assert np.abs(total - total[0]).max() < 1e-7 * kinetic.max()
    assert np.ptp(kinetic) > 1e-3 * kinetic.max()


@pytest.mark.parametrize("way", [-0.2, 0.05, 0.2])
def test_trim_angle_in_closed_form(way):
    """A mass forward by s turns the nose down until weight hangs below buoyancy: tan pitch = -m s / (M z_G)."""
    moving_mass = trim_mass(3.0, ZERO3, (1.0, 0.0, 0.0))
    calm = bare(moving_mass)._replace(displaced_mass=11.5, linear_damping=diagonal6((9.0, 9.0, 9.0, 1.5, 1.5, 1.5)))
    packed = pack(calm)
    state = rollout(packed, initial_state(packed), [way], 1.0, 100, intervals=120)[-1]
    R = rotations(state[None])[0]
    pitch = math.atan2(-R[2, 0], R[2, 2])
    assert math.tan(pitch) == pytest.approx(-3.0 * way / (11.5 * 0.02), rel=1e-8)
    assert np.abs(state[7:13]).max() < 1e-8


VEHICLES = {
    "rov": bare(MASS, SLOW, TANK, BLADDER),
    "two heaves": with_moving_masses(falcon(), MASS, TANK),
    "all": glider(),
}


@pytest.mark.parametrize("simplification", [(), ("coriolis_off",), ("munk_off",)])
@pytest.mark.parametrize("locked", [(), ("heave", "pitch"), ("surge",)])
@pytest.mark.parametrize("name", VEHICLES)
def test_while_they_rest_the_vehicle_is_rigid(name, locked, simplification):
    """At their neutral outputs the numbers of the file hold: the same acceleration as without them, to 1e-12."""
    parameters = VEHICLES[name]
    rigid = parameters._replace(moving_masses=(), moving_mass_names=())
    ours, others = pack(parameters, locked, simplification), pack(rigid, locked, simplification)
    random, count = np.random.default_rng(3), len(parameters.moving_masses)
    for _ in range(20):
        twist = np.where([d in locked for d in ("surge", "sway", "heave", "roll", "pitch", "yaw")], 0.0,
                         random.uniform(-1.5, 1.5, 6))  # fmt: skip
        state = initial_state(ours, quaternion=random.normal(size=4), twist=twist)
        commands, external, water = state[13 : 13 + ours.actuators], random.normal(size=6), random.uniform(-1, 1, 3)
        found = derivative(ours, state, commands, external, water)[:13]
        expected = derivative(others, state[: -2 * count], commands[:-count], external, water)[:13]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * max(1.0, np.abs(expected).max()))


def test_water_taken_in_is_brought_to_speed_and_water_let_out_takes_its_speed_along():
    """A drifting body that fills keeps its momentum; one that empties keeps its speed."""
    parameters = weightless(with_moving_masses(vita1(), TANK._replace(position=ZERO3)))
    packed = pack(parameters)
    start = initial_state(packed, twist=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    full = rollout(packed, start, [2.5], 0.01, intervals=1500)
    mass = total_inertia(parameters)[0][0] - 0.5
    np.testing.assert_allclose((mass + full[:, 13]) * full[:, 7], (mass + 0.5) * 1.0, rtol=1e-8)
    assert full[-1, 13] == pytest.approx(2.5, rel=1e-6)
    empty = rollout(packed, full[-1], [0.0], 0.01, intervals=1500)
    np.testing.assert_allclose(empty[:, 7], full[-1, 7], rtol=1e-12)


def test_a_bladder_changes_buoyancy_and_nothing_else():
    packed = pack(bare(BLADDER))
    rest, swollen = (derivative(packed, initial_state(packed, outputs=[y]), [y])[7:13] for y in (0.0, 4e-4))
    inertia = np.array(total_inertia(bluerov2()))
    wrench = inertia @ (swollen - rest)
    lift = 1000.0 * 4e-4 * 9.81
    np.testing.assert_allclose(wrench, [0.0, 0.0, -lift, 0.0, -0.2 * lift, 0.0], rtol=0, atol=1e-12)


def test_the_method_of_stepping_does_not_matter():
    """A manoeuvre with everything moving: RK4 at 2 ms against the adaptive method."""
    packed = pack(VEHICLES["rov"])
    commands = np.repeat([[0.1, 0.1, 1.0, 2e-4], [-0.1, 0.05, 0.2, -2e-4]], 4, axis=0)
    start = initial_state(packed, **START)
    fixed = rollout(packed, start, commands, 0.25, 125)
    free = rollout(packed, start, commands, 0.25, method=dormand_prince(1e-10, 1e-10))
    np.testing.assert_allclose(fixed, free, rtol=0, atol=2e-6)


def test_batches_and_single_steps_give_the_same_impulses():
    packed = pack(VEHICLES["rov"])
    commands = np.random.default_rng(6).uniform([-0.2, -0.2, 0.0, -1e-3], [0.2, 0.2, 3.0, 1e-3], (30, 4))
    start = initial_state(packed, **START)
    whole = rollout(packed, start, commands, 0.02)
    together = batch([packed] * 5, [start] * 5, [commands], 0.02)
    np.testing.assert_allclose(together, np.tile(whole, (5, 1, 1)), rtol=0, atol=1e-12)
    states, step = [start], Stepper(packed, 0.02)
    for held_index in commands:
        states.append(step(states[-1], held_index))
    np.testing.assert_array_equal(states, whole)


def test_a_load_heavier_than_the_vehicle_is_refused():
    with pytest.raises(ValueError, match="moving masses weigh"):
        pack(with_moving_masses(torpedo(), trim_mass(70.0, ZERO3, (1.0, 0.0, 0.0))))


def test_momentum_of_its_way_is_that_of_a_point():
    r, e = np.array(instantaneous_position(MASS, 0.1)), np.array(MASS.direction)
    found = moving_mass_momentum(MASS, 0.1, 0.7)
    np.testing.assert_allclose(found, np.concatenate([2.1 * e, np.cross(r, 2.1 * e)]), atol=1e-14)


@given(st.sampled_from(sorted(VEHICLES)))
def test_the_body_without_its_loads_and_the_loads_are_the_whole(name):
    parameters = VEHICLES[name]
    body = without_moving_masses(parameters)
    inertia = np.array(body.rigid_body_inertia)
    inertia = inertia + np.sum(
        [moving_mass_inertia(moving_mass, moving_mass.neutral) for moving_mass in parameters.moving_masses], axis=0
    )
    np.testing.assert_allclose(inertia, parameters.rigid_body_inertia, rtol=0, atol=1e-12 * np.abs(inertia).max())
