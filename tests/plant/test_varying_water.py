"""Water that varies: a frame that speeds up, a body that goes with the stream, spheres in shear, and the surface."""

import math
from typing import Any

import casadi
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from remora.equations.plant import body_rate_in_water
from remora.equations.water.local_water import FAR_ABOVE, SURFACED, water_from
from remora.plant import batch, derivative, initial_state, pack, rollout
from remora.plant.stepper import Stepper
from remora.vehicles import load_vehicle

RNG = np.random.default_rng(7)
DIVE = FAR_ABOVE


def sphere(mass: float = 40.0, damped: bool = False) -> Any:
    """A sphere of 40 kg displaced water with half of it as added mass; its centres coincide."""
    parameters = load_vehicle("bluerov2_heavy").parameters
    zero = tuple((0.0,) * 6 for _ in range(6))
    inertia = tuple(tuple(0.4 if i == j else 0.0 for j in range(3)) for i in range(3))
    rigid = np.diag([mass] * 3 + [0.4] * 3)
    drag = np.diag([20.0] * 3 + [1.0] * 3) if damped else np.zeros((6, 6))
    return parameters._replace(
        mass=mass,
        displaced_mass=40.0,
        p_BG=(0.0, 0.0, 0.0),
        p_BC=(0.0, 0.0, 0.0),
        inertia_G=inertia,
        rigid_body_inertia=tuple(map(tuple, rigid.tolist())),
        added_mass=tuple(map(tuple, np.diag([20.0] * 3 + [0.0] * 3).tolist())),
        linear_damping=tuple(map(tuple, drag.tolist())),
        quadratic_damping=zero,
        gravity=9.81,
        density=1000.0,
        thrusters=(),
        thruster_names=(),
        drives=(),
    )


def waters(
    velocity: Any = (0, 0, 0), gradient: Any = ((0,) * 3,) * 3, rate: Any = (0, 0, 0), surface: float = DIVE
) -> Any:
    return np.array([*velocity, *np.ravel(gradient), *rate, 0.0, surface], dtype=float)


def random_water(scale: float = 0.1) -> Any:
    return waters(RNG.normal(size=3) * scale, RNG.normal(size=(3, 3)) * scale, RNG.normal(size=3) * scale)


@pytest.mark.parametrize("name", ["bluerov2_heavy", "falcon", "remus100", "gavia"])
def test_seventeen_numbers_of_a_steady_current_are_three(name: str) -> None:
    packed = pack(load_vehicle(name).parameters)
    state = initial_state(packed, (1.0, 2.0, 3.0), (0.9, 0.1, -0.2, 0.3), RNG.normal(size=6) * 0.2)
    commands = np.full(packed.actuators, 0.1)
    steady = rollout(packed, state, commands, 0.1, 10, water=(0.2, -0.1, 0.05), intervals=20)
    varied = rollout(packed, state, commands, 0.1, 10, water=waters((0.2, -0.1, 0.05)), intervals=20)
    assert np.abs(steady - varied).max() < 1e-12


@pytest.mark.parametrize("name", ["bluerov2_heavy", "falcon", "remus100", "gavia"])
def test_ten_numbers_of_a_layered_current_are_seventeen(name: str) -> None:
    """The kernel that knows only slopes with depth against the general one, and against its own rate."""
    packed = pack(load_vehicle(name).parameters)
    state = initial_state(packed, (1.0, 2.0, 3.0), (0.9, 0.1, -0.2, 0.3), RNG.normal(size=6) * 0.2)
    commands, (U, slope, rate) = np.full(packed.actuators, 0.1), RNG.normal(size=(3, 3)) * 0.1
    layered, gradient = np.concatenate([U, slope, rate, [0.0]]), np.zeros((3, 3))
    gradient[:, 2] = slope
    few = rollout(packed, state, commands, 0.1, 10, water=layered, intervals=20)
    for many in (waters(U, gradient, rate), waters(U, gradient, rate)[:16]):
        assert np.abs(few - rollout(packed, state, commands, 0.1, 10, water=many, intervals=20)).max() < 1e-12
        rates = derivative(packed, state, commands, water=layered) - derivative(packed, state, commands, water=many)
        assert np.abs(rates).max() < 1e-12


def test_the_age_of_the_numbers_is_made_up_for() -> None:
    """Numbers of two seconds ago are those of now with the velocity that the water has now."""
    packed = pack(load_vehicle("falcon").parameters)
    state = initial_state(packed, (1.0, 2.0, 3.0), (0.9, 0.1, -0.2, 0.3), RNG.normal(size=6) * 0.2)
    old = random_water()
    now, old[15] = old.copy(), 2.0
    now[:3] += 2.0 * old[12:15]
    layered = [0, 1, 2, 5, 8, 11, 12, 13, 14, 15]
    for numbers in (range(17), range(16), layered):
        a, b = (rollout(packed, state, [1.0] * 5, 0.1, water=water[list(numbers)]) for water in (old, now))
        assert np.abs(a - b).max() < 1e-12


def test_a_neutral_undamped_body_goes_with_the_water() -> None:
    """In any stream that is linear in place and time: released with the water, it follows a drop of it."""
    packed = pack(sphere())
    water = random_water()
    U, G, r = water[:3], water[3:12].reshape(3, 3), water[12:15]
    p = np.array([1.0, -2.0, 3.0])
    drop = solve_ivp(lambda t, x: U + G @ x + r * t, (0.0, 5.0), p, rtol=1e-12, atol=1e-12).y[:, -1]
    state = initial_state(packed, p, (1.0, 0.0, 0.0, 0.0), [*(U + G @ p), 0.0, 0.0, 0.0])
    end = rollout(packed, state, [], 5.0, 500, water=water, intervals=1)[-1]
    assert np.linalg.norm(drop - p) > 0.5
    assert np.abs(end[:3] - drop).max() < 1e-9
    assert np.abs(end[10:13]).max() < 1e-12


def test_the_added_mass_of_a_heavy_body_follows_the_water_by_the_known_share() -> None:
    """v' = (m_displaced + m_added) / (m + m_added) U' for a body at rest in water that speeds up."""
    packed = pack(sphere(60.0)._replace(gravity=0.0))
    state = initial_state(packed, (0.0, 0.0, 0.0), (0.6, 0.0, 0.8, 0.0))
    rate = derivative(packed, state, water=waters(rate=(0.0, 0.3, 0.0)))
    assert rate[8] == pytest.approx(0.3 * (40.0 + 20.0) / (60.0 + 20.0), rel=1e-14)


def test_a_sphere_in_strain_obeys_the_law_of_inviscid_flow() -> None:
    """Auton, Hunt and Prud'homme 1988: m v' = m_d DU/Dt + m_a (DU/Dt - v') in irrotational flow."""
    packed = pack(sphere(55.0)._replace(gravity=0.0))
    G = RNG.normal(size=(3, 3))
    G = 0.2 * (G + G.T)
    G -= np.eye(3) * np.trace(G) / 3.0
    U, r, p, v = RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=3)
    acceleration = r + G @ (U + G @ p)
    rate = derivative(packed, initial_state(packed, p, twist=[*v, 0, 0, 0]), water=waters(U, G, r))
    assert rate[7:10] == pytest.approx((40.0 + 20.0) * acceleration / (55.0 + 20.0), rel=1e-12)


def test_a_frame_that_speeds_up_evenly_changes_nothing_but_gravity() -> None:
    """Uniform water with U' = a: relative to it a body moves as in still water with gravity g - a."""
    vehicle = load_vehicle("falcon").parameters
    a = np.array([0.02, -0.01, 0.03])
    twist = np.array([0.3, -0.1, 0.05, 0.02, -0.03, 0.1])
    moving, still = pack(vehicle), pack(vehicle._replace(gravity=vehicle.gravity - a[2]))
    upward = waters((0.0, 0.0, 0.0), rate=(0.0, 0.0, a[2]))
    state = initial_state(moving, (0.0, 0.0, 5.0), (1.0, 0.0, 0.0, 0.0), twist)
    there = rollout(moving, state, np.zeros(moving.actuators), 10.0, 2000, water=upward, intervals=1)[-1]
    here = rollout(still, state, np.zeros(still.actuators), 10.0, 2000, intervals=1)[-1]
    assert there[:2] == pytest.approx(here[:2], abs=1e-9)
    assert there[2] - 0.5 * a[2] * 100.0 == pytest.approx(here[2], abs=1e-9)
    assert there[3:7] == pytest.approx(here[3:7], abs=1e-9)


@pytest.mark.parametrize("name", ["bluerov2_heavy", "falcon", "remus100"])
def test_casadi_and_plain_python_agree_with_compiled_code(name: str) -> None:
    packed = pack(load_vehicle(name).parameters)
    water = random_water()
    water[15:] = 0.1
    state = initial_state(packed, (0.5, -0.3, 0.2), (0.9, 0.2, -0.1, 0.3), RNG.normal(size=6) * 0.3)
    outputs = np.full(packed.actuators, 2.0)
    state[13:] = outputs
    compiled = derivative(packed, state, np.zeros(packed.actuators), water=water)[:13]
    around = water_from(tuple(water.tolist()), SURFACED)
    body = tuple(state[:13].tolist())
    plain = body_rate_in_water(packed.row.tolist(), packed.layout, body, outputs.tolist(), around, 0.0, (0.0,) * 6)
    symbols = casadi.SX.sym("x", 13)
    expression = body_rate_in_water(
        packed.row.tolist(),
        packed.layout,
        tuple(symbols[i] for i in range(13)),
        outputs.tolist(),
        around,
        0.0,
        (0.0,) * 6,
    )
    function = casadi.Function("rate", [symbols], [casadi.vertcat(*expression)])
    scale = np.abs(compiled).max()
    assert np.abs(compiled - plain).max() < 1e-12 * max(scale, 1.0)
    assert np.abs(np.array(function(state[:13])).ravel() - plain).max() < 1e-12 * max(scale, 1.0)


@pytest.mark.parametrize("size", [10, 16, 17])
def test_all_doors_agree_in_water_that_varies(size: int) -> None:
    packed = pack(load_vehicle("bluerov2_heavy").parameters)
    states = np.array([initial_state(packed, (i, 0.0, 2.0), twist=RNG.normal(size=6) * 0.2) for i in range(5)])
    water = np.array([random_water()[:size] for _ in range(6)])
    commands = np.full(packed.actuators, 3.0)
    together = batch([packed] * 5, states, [commands], 0.05, 5, water=[water])
    stepper = Stepper(packed, 0.05)
    for i, state in enumerate(states):
        alone = rollout(packed, state, commands, 0.05, 5, water=water)
        assert np.abs(together[i] - alone).max() < 1e-12
        stepped = stepper(state, commands, np.concatenate([np.zeros(6), water[0]]))
        once = rollout(packed, state, commands, 0.05, 1, water=water[:1])[-1]
        assert np.array_equal(stepped, once)


def test_the_order_of_the_method_holds_in_water_that_varies() -> None:
    packed, water = pack(sphere(45.0, damped=True)), random_water(0.3)
    state = initial_state(packed, (0.0, 0.0, 5.0), twist=(0.5, 0.4, -0.6, 0.1, 0.2, 0.3))
    ends = [rollout(packed, state, [], 2.0, n, water=water, intervals=1)[-1] for n in (10, 20, 640)]
    coarse, fine = (np.abs(end - ends[2]).max() for end in ends[:2])
    assert math.log2(coarse / fine) == pytest.approx(4.0, abs=0.3)


def test_a_neutral_vehicle_at_rest_under_a_surface_stays_at_rest() -> None:
    packed = pack(sphere(40.0, damped=True))
    state = initial_state(packed, (0.0, 0.0, 3.0))
    end = rollout(packed, state, [], 60.0, 6000, water=waters(surface=0.0), intervals=1)[-1]
    assert np.array_equal(end[:13], state[:13])


def test_a_light_sphere_floats_at_the_depth_where_its_weight_is_displaced() -> None:
    mass = 25.0
    packed = pack(sphere(mass, damped=True))
    end = rollout(
        packed, initial_state(packed, (0.0, 0.0, 2.0)), [], 120.0, 24_000, water=waters(surface=0.4), intervals=1
    )[-1]
    radius = (0.75 * 0.04 / math.pi) ** (1.0 / 3.0)
    h = end[2] - 0.4 + radius  # height of the cap under water
    share = h * h * (3.0 * radius - h) / (4.0 * radius**3)
    assert abs(end[9]) < 1e-4
    assert share == pytest.approx(mass / 40.0, abs=1e-4)


def test_bobbing_conserves_energy_without_damping() -> None:
    """Potential energy of the cap against the work of its buoyancy, by quadrature."""
    packed = pack(sphere(20.0))
    states = rollout(
        packed, initial_state(packed, (0.0, 0.0, 0.05)), [], 0.01, 10, water=waters(surface=0.0), intervals=400
    )
    depths = np.linspace(-1.0, 1.0, 200_001)
    radius = (0.75 * 0.04 / math.pi) ** (1.0 / 3.0)
    h = np.clip(depths + radius, 0.0, 2.0 * radius)
    force = (20.0 - 40.0 * h * h * (3.0 * radius - h) / (4.0 * radius**3)) * 9.81
    work = np.concatenate([[0.0], np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(depths))])
    h = np.clip(states[:, 2] + radius, 0.0, 2.0 * radius)
    added = 20.0 * h * h * (3.0 * radius - h) / (4.0 * radius**3)  # of the submerged share only
    kinetic = 0.5 * (20.0 + added) * states[:, 9] ** 2
    energy = kinetic - np.interp(states[:, 2], depths, work)
    assert np.ptp(states[:, 2]) > 0.09
    assert np.ptp(energy) < 1e-4 * np.ptp(kinetic)
