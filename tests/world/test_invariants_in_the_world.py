"""Invariants T1 to T13 in water that varies: with ten, sixteen and seventeen numbers instead of three."""

import math
from typing import Any

import numpy as np
import pytest

from other_origin import about_B, vehicle as general_vehicle
from remora.equations.algebra.quaternions import from_euler_zyx, product
from remora.equations.water.local_water import CURRENT_SIZE, FAR_ABOVE, LAYERED_SIZE, WATER_SIZE
from remora.plant import derivative, initial_state, pack, rollout
from remora.vehicles.parameters import total_inertia, with_symmetric_heave
from sample_vehicles import bluerov2, body, diagonal3, diagonal6, falcon, neutral, torpedo, undamped, vita1
from trajectories import energies, impulses, kinetic_energies, largest_change, rotations, run

SIZES = (LAYERED_SIZE, CURRENT_SIZE, WATER_SIZE)
START = {"position": (3.0, -2.0, 9.0), "quaternion": (0.8, 0.1, -0.3, 0.4), "twist": (0.5, -0.15, 0.1, 0.15, 0.2, -0.1)}
SLOPE = np.array([0.02, -0.01, 0.0])  # 1/s, of the velocity with depth: all kinds of water can carry it
G = 9.81


def water(
    size: int, velocity: Any = (0, 0, 0), slope: Any = (0, 0, 0), rate: Any = (0, 0, 0), surface: float = 0.0
) -> Any:
    """A layered current as so many numbers."""
    if size == LAYERED_SIZE:
        return np.array([*velocity, *slope, *rate, 0.0], dtype=float)
    gradient = np.zeros((3, 3))
    gradient[:, 2] = slope
    return np.array([*velocity, *gradient.ravel(), *rate, 0.0, surface][:size], dtype=float)


def ball(mass: float = 40.0, drag: float = 0.0) -> Any:
    """A sphere of 40 kg of water with half of it as added mass."""
    return body(
        mass,
        diagonal3((0.4, 0.4, 0.4)),
        displaced_mass=40.0,
        added_mass=diagonal6((20.0, 20.0, 20.0, 0.0, 0.0, 0.0)),
        linear_damping=diagonal6((drag, drag, drag, 0.1, 0.1, 0.1) if drag else (0.0,) * 6),
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", [bluerov2, falcon, torpedo])
def test_T1_a_neutral_body_at_rest_stays(make, size):
    """Ten minutes in still water of every kind, tilted, under a surface 3 m above: less than 1e-9 m and rad."""
    packed = pack(neutral(make()))
    states = run(
        packed, 600.0, 0.05, quaternion=from_euler_zyx(0.2, -0.3, 0.7), position=(1.0, 2.0, 3.0), water=water(size)
    )
    assert np.abs(states[:, :3] - [1.0, 2.0, 3.0]).max() < 1e-9
    assert np.abs(states[:, 3:7] - states[0, 3:7]).max() < 1e-9


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", [bluerov2, vita1])
def test_T2_energy_is_kept_under_a_surface(make, size):
    """Undamped and swinging, 60 s at 10 ms: 1e-7 of what moves to and fro."""
    parameters = undamped(make())._replace(displaced_mass=make().mass)
    states = run(pack(parameters), 60.0, 0.01, **START, water=water(size))
    total, moving = energies(parameters, states), kinetic_energies(parameters, states)
    assert states[:, 2].min() > 2.0  # it stays below the surface
    assert np.abs(total - total[0]).max() <= 1e-7 * moving.max()
    assert np.ptp(moving) > 1e-3 * moving.max()


def test_T2_energy_falls_with_damping_under_a_surface():
    parameters = vita1()
    total = energies(parameters, run(pack(parameters), 30.0, 0.01, **START, water=water(WATER_SIZE)))
    assert np.diff(total).max() <= 1e-12 * np.abs(total).max()
    assert total[-1] < total[0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", [bluerov2, falcon, torpedo])
def test_T3_impulse_is_conserved_far_below_a_surface(make, size):
    parameters = undamped(with_symmetric_heave(neutral(make())))._replace(fins=(), fin_names=())
    states = run(pack(parameters), 60.0, 0.01, **START, water=water(size, surface=-500.0))
    linear, angular = impulses(parameters, states)
    assert largest_change(linear) <= 1e-7
    assert largest_change(angular) <= 1e-7
    assert np.ptp(states[:, 7:13], axis=0).max() > 0.05


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("heading", [0.7, math.pi / 2, -1.1])
def test_T4_start_and_world_turned_together_turn_the_path(size, heading):
    """Driven, damped, in a sheared and rising stream: 1e-8 m after 30 s; with a whole gradient where there is one."""
    packed = pack(bluerov2())
    turn = from_euler_zyx(0.0, 0.0, heading)
    R = rotations(np.array([[0, 0, 0, *turn]]))[0]
    velocity, rate = np.array([0.2, -0.1, 0.05]), np.array([0.002, 0.001, 0.0])
    gradient = np.zeros((3, 3))
    gradient[:, 2] = SLOPE
    if size > LAYERED_SIZE:
        gradient[:2, :2] = [[0.004, 0.01], [-0.006, -0.004]]

    def numbers(M: Any) -> Any:
        if size == LAYERED_SIZE:
            return np.array([*(M @ velocity), *(M @ SLOPE), *(M @ rate), 0.0])
        return np.array([*(M @ velocity), *(M @ gradient @ M.T).ravel(), *(M @ rate), 0.0, -5.0][:size])

    attitude, place, commands = from_euler_zyx(0.1, -0.2, 0.3), np.array([1.0, 2.0, 6.0]), np.linspace(5.0, 9.0, 6)
    first = run(packed, 30.0, 0.01, commands, quaternion=attitude, position=place, water=numbers(np.eye(3)))
    second = run(packed, 30.0, 0.01, commands, quaternion=product(turn, attitude), position=R @ place, water=numbers(R))
    np.testing.assert_allclose(second[:, :3], first[:, :3] @ R.T, rtol=0, atol=1e-8)
    np.testing.assert_allclose(rotations(second), R @ rotations(first), rtol=0, atol=1e-8)
    assert np.abs(first[-1, :3] - place).max() > 0.05


@pytest.mark.parametrize("size", SIZES)
def test_T5_another_origin_gives_the_same_motion_where_the_water_is_uniform(size):
    """In water that speeds up: 1e-8 m over 20 s. A gradient is taken at B, so that it is another one at another B."""
    parameters, p_BS = general_vehicle(), (0.1, 0.15, -0.25)
    flow = water(size, (0.2, -0.1, 0.05), rate=(0.01, 0.02, -0.005), surface=-90.0)
    attitude, twist, commands = (
        from_euler_zyx(0.2, -0.1, 0.4),
        np.array([0.3, -0.2, 0.1, 0.2, 0.1, -0.2]),
        [-60.0, -40.0, 30.0],
    )
    plain = run(pack(parameters), 20.0, 0.01, commands, quaternion=attitude, twist=twist, water=flow)
    R = rotations(plain[:1])[0]
    moved = run(
        pack(about_B(parameters, p_BS, np.eye(3))), 20.0, 0.01, commands, quaternion=attitude, water=flow,
        position=-(R @ p_BS), twist=[*(twist[:3] - np.cross(twist[3:], p_BS)), *twist[3:]],
    )  # fmt: skip
    np.testing.assert_allclose(moved[:, :3] + rotations(moved) @ p_BS, plain[:, :3], rtol=0, atol=1e-8)
    assert np.abs(plain[-1, :3]).max() > 1.0


@pytest.mark.parametrize("size", SIZES)
def test_T6_a_current_that_speeds_up_evenly_is_a_frame_that_does(size):
    """Neutral and turning: relative to water with U' = a it moves as in still water, 1e-8 m over 20 s."""
    packed = pack(neutral(bluerov2()))
    U, a = np.array([0.3, -0.2, 0.1]), np.array([0.02, 0.01, -0.01])
    still = run(packed, 20.0, 0.005, **START)
    over_ground = np.array(START["twist"])
    over_ground[:3] += rotations(still[:1])[0].T @ U
    carried = []
    state = initial_state(packed, START["position"], START["quaternion"], over_ground)
    for k in range(400):  # the rate counts from the start of each call
        held = water(size, U + 0.05 * k * a, rate=a, surface=-900.0)
        state = rollout(packed, state, np.zeros(packed.actuators), 0.05, 10, water=held, intervals=1)[-1]
        carried.append(state)
    times = 0.05 * np.arange(1, 401)[:, None]
    there = np.array(carried)
    assert np.abs(there[:, :3] - still[10::10, :3] - times * U - 0.5 * times**2 * a).max() < 1e-8
    assert np.abs(rotations(there) - rotations(still[10::10])).max() < 1e-8


@pytest.mark.parametrize("size", SIZES)
def test_T7_terminal_speed_is_relative_to_the_layer(size):
    """Sinking through a shear with linear drag, a sphere lags behind the water by a constant speed.

    The water itself does not speed up, so that only the sphere's own mass has to be taken from layer to layer:
    v - U = -m (slope w) / D. Water that it drags along keeps its speed relative to the stream.
    """
    mass, drag = 44.0, 30.0
    packed = pack(ball(mass, drag))
    flow = water(size, (0.3, 0.1, 0.0), SLOPE, surface=-500.0)
    end = run(packed, 60.0, 0.01, position=(0.0, 0.0, 5.0), water=flow)[-1]
    w = (mass - 40.0) * G / drag
    around = np.array([0.3, 0.1, 0.0]) + SLOPE * end[2]
    assert end[9] == pytest.approx(w, abs=1e-3)
    lag = (end[7:9] - around[:2]) / (SLOPE[:2] * end[9])
    assert lag == pytest.approx(np.full(2, -mass / drag), rel=1e-6)


@pytest.mark.parametrize("size", SIZES)
def test_T8_a_released_sphere_starts_as_it_must(size):
    """(m - rho V) g / (m + rho V / 2), and U' (m_d + m_a) / (m + m_a) across in water that speeds up."""
    packed = pack(ball(55.0))
    rate = derivative(packed, initial_state(packed, (0.0, 0.0, 9.0)), water=water(size, rate=(0.3, 0.0, 0.0)))
    assert rate[9] == pytest.approx(15.0 * G / 75.0, abs=1e-9)
    assert rate[7] == pytest.approx(0.3 * 60.0 / 75.0, abs=1e-9)


@pytest.mark.parametrize("size", SIZES)
def test_T9_a_small_roll_has_its_period(size):
    parameters = undamped(bluerov2())._replace(displaced_mass=11.5)
    tilted = from_euler_zyx(math.radians(1.0), 0.0, 0.0)
    states = run(pack(parameters), 20.0, 0.005, quaternion=tilted, position=(0, 0, 9.0), water=water(size))
    rolls = states[:, 10]
    turns = np.flatnonzero((rolls[1:] > 0.0) & (rolls[:-1] <= 0.0))
    exact = turns - rolls[turns] / (rolls[turns + 1] - rolls[turns])
    period = np.diff(exact).mean() * 0.005
    # Sway is free, so that it rolls about a point between G and C: from the two equations of roll and sway.
    M = np.array(total_inertia(parameters))[np.ix_([1, 3], [1, 3])]
    stiffness = 11.5 * G * (parameters.p_BG[2] - parameters.p_BC[2])
    assert period == pytest.approx(2.0 * math.pi * math.sqrt(1.0 / (stiffness * np.linalg.inv(M)[1, 1])), rel=1e-3)


@pytest.mark.parametrize("size", SIZES)
def test_T10_a_free_axisymmetric_body_turns_about_its_axis(size):
    """Torque-free in vacuum: the rates across the axis turn with (A - C) / A times the spin."""
    parameters = body(20.0, diagonal3((0.8, 2.0, 2.0)), displaced_mass=20.0)
    twist = (0.0, 0.0, 0.0, 1.5, 0.2, 0.0)
    states = run(pack(parameters), 30.0, 0.005, twist=twist, position=(0, 0, 9.0), water=water(size))
    times = 0.005 * np.arange(len(states))
    turned = (0.8 - 2.0) / 2.0 * 1.5 * times
    assert np.abs(states[:, 10] - 1.5).max() < 1e-8
    assert np.abs(states[:, 11] - 0.2 * np.cos(turned)).max() < 1e-8
    assert np.abs(states[:, 12] - 0.2 * np.sin(turned)).max() < 1e-8


@pytest.mark.parametrize("size", SIZES)
def test_T11_the_error_falls_with_the_fourth_power(size):
    packed, flow = pack(ball(45.0, 20.0)), water(size, (0.3, 0.2, 0.1), (0.3, -0.2, 0.1), (0.1, 0.05, 0.02), -500.0)
    state = initial_state(packed, (0.0, 0.0, 5.0), twist=(0.5, 0.4, -0.6, 0.1, 0.2, 0.3))
    ends = [rollout(packed, state, [], 2.0, n, water=flow, intervals=1)[-1] for n in (10, 20, 640)]
    coarse, fine = (np.abs(end - ends[2]).max() for end in ends[:2])
    assert math.log2(coarse / fine) == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("size", SIZES)
def test_T12_quaternions_keep_their_length_and_have_two_signs(size):
    packed, flow = pack(vita1((0.02, 0.01, 0.03))), water(size, (0.2, 0.1, 0.0), SLOPE, (0.01, 0.0, 0.0))
    one = run(packed, 10.0, 0.01, **START, water=flow)
    other = run(packed, 10.0, 0.01, **{**START, "quaternion": tuple(-q for q in START["quaternion"])}, water=flow)
    assert np.abs(np.linalg.norm(one[:, 3:7], axis=1) - 1.0).max() < 1e-12
    np.testing.assert_allclose(other[:, 3:7], -one[:, 3:7], rtol=0, atol=1e-12)
    np.testing.assert_allclose(other[:, :3], one[:, :3], rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", SIZES)
def test_T13_the_wrench_is_found_again(size):
    """Acceleration is linear in the wrench by the inverse of the inertia, whatever the water does."""
    parameters = general_vehicle()
    packed, flow = pack(parameters), water(size, (0.2, 0.1, 0.0), SLOPE, (0.1, 0.0, -0.2))
    state = initial_state(packed, **START)
    wrench = np.array([4.0, -2.0, 1.0, 0.3, -0.2, 0.4])
    pushed, free = (derivative(packed, state, np.zeros(3), external, flow) for external in (wrench, np.zeros(6)))
    found = np.array(total_inertia(parameters)) @ (pushed - free)[7:13]
    assert found == pytest.approx(wrench, abs=1e-10)


def test_a_surface_far_above_is_none():
    """Sixteen numbers far below the surface are fifteen, to the last bit."""
    packed = pack(bluerov2())
    under, without = (water(WATER_SIZE, (0.2, 0.0, 0.0), SLOPE, surface=s) for s in (0.0, FAR_ABOVE))
    one, other = (run(packed, 5.0, 0.01, **START, water=flow) for flow in (under, without))
    assert np.array_equal(one, other)
