"""Vehicles that leave the water: nothing hydrodynamic is left in the air, and energy is kept on the way."""

import casadi
import numpy as np
import pytest

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.plant import body_rate_in_water
from remora.equations.water.local_water import CURRENT_SIZE, SURFACED, water_from
from remora.plant import derivative, initial_state, pack, rollout
from remora.plant.pack import resting_outputs
from remora.vehicles import load_vehicle
from remora.vehicles.library import preset_names
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import buoyancy_elements_of
from sample_features import everything, packed_features
from sample_vehicles import bluerov2, tail_fin, undamped, with_fins

TWIST = (1.2, 0.7, -0.4, 0.3, -0.5, 0.6)
TILTED = (0.9, 0.2, -0.1, 0.3)
RESTING = ("sphere_bare", "sphere_small", "sphere_with_thruster", "bracket")


def water_with_surface(height, current=(0.0, 0.0, 0.0)):
    """Water whose surface lies this many metres below the origin of N."""
    water = np.zeros(CURRENT_SIZE + 1)
    water[:3], water[-1] = current, height
    return water


def in_the_air(vehicle, twist=TWIST, outputs=None, height=50.0, **options):
    packed = pack(vehicle, **options)
    state = initial_state(packed, (0.0, 0.0, 0.0), TILTED, twist)
    if outputs is not None:
        state[13 : 13 + packed.actuators] = outputs
    return derivative(packed, state, np.zeros(packed.actuators), water=water_with_surface(height, (0.3, -0.2, 0.0)))


def free(packed, twist):
    """The twist without the degrees of freedom that a vehicle holds."""
    return [0.0 if name in packed.locked else speed for name, speed in zip(DEGREES_OF_FREEDOM, twist, strict=True)]


def rigid_body_alone(vehicle, twist):
    """Acceleration of the dry body under its weight: M_RB a = W - C_RB nu, written with NumPy alone."""
    M, nu = np.array(vehicle.rigid_body_inertia), np.array(twist)
    p, l = np.split(M @ nu, 2)  # noqa: E741 - the letters of the literature
    v, w = nu[:3], nu[3:]
    carried = np.concatenate([np.cross(w, p), np.cross(v, p) + np.cross(w, l)])
    force = vehicle.mass * vehicle.gravity * np.array(down_in_body(tuple(np.array(TILTED) / np.linalg.norm(TILTED))))
    weight = np.concatenate([force, np.cross(vehicle.p_BG, force)])
    return np.linalg.solve(M, weight - carried)


@pytest.mark.parametrize("name", ["remus100", "gavia", "falcon", "flatfish_gazebo", "bluerov2_heavy"])
def test_no_hydrodynamic_acceleration_fifty_metres_above_the_water(name):
    """remus100 kept its whole cross-flow drag there and gavia a third of it; now a thrown vehicle is ballistic."""
    vehicle = load_vehicle(name).parameters._replace(envelope=None)
    rate = in_the_air(vehicle, outputs=np.full(pack(vehicle).actuators, 0.2))
    np.testing.assert_allclose(rate[7:13], rigid_body_alone(vehicle, TWIST), rtol=1e-9, atol=1e-9)


def test_every_hull_force_is_gone_in_the_air():
    """A vehicle with full matrices, tensor, lift, strips, two heaves, thrusters and fins."""
    vehicle = everything()
    rate = in_the_air(vehicle, outputs=np.array([40.0, -30.0, 20.0, 0.2, -0.3]))
    np.testing.assert_allclose(rate[7:13], rigid_body_alone(vehicle, TWIST), rtol=1e-9, atol=1e-9)


def test_sway_drag_of_remus100_fades_with_the_submerged_share():
    """Deep it is whole, high up zero, in between it lies in between; each at the inertia of its share."""
    vehicle = load_vehicle("remus100").parameters._replace(envelope=None)
    packed, twist = pack(vehicle), (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    drag = []
    for height in (-50.0, 0.0, 50.0):
        state = initial_state(packed, twist=twist)
        rate = derivative(packed, state, np.zeros(packed.actuators), water=water_with_surface(height))
        drag.append(rate[8])
    assert drag[0] < -0.1
    assert drag[0] < drag[1] < 0.0
    assert abs(drag[2]) < 1e-12


def test_thrusters_and_fins_fade_at_their_own_place():
    """A tail fin and a thruster above the surface do nothing while the rest of the vehicle is under it."""
    rov = bluerov2()
    high = [t._replace(position=(*t.position[:2], -0.6)) for t in rov.thrusters]
    vehicle = with_fins(rov._replace(thrusters=tuple(high)), [tail_fin(0.3)._replace(position=(0.0, 0.0, -0.6))])
    packed = pack(vehicle)
    pushed = np.full(packed.actuators, 0.3)
    rates = []
    for outputs in (np.zeros(packed.actuators), pushed):
        state = initial_state(packed, twist=TWIST)
        state[13 : 13 + packed.actuators] = outputs
        rates.append(derivative(packed, state, outputs, water=water_with_surface(-0.45))[7:13])
    np.testing.assert_allclose(rates[0], rates[1], rtol=0.0, atol=1e-12)
    deep = [
        derivative(packed, np.concatenate([initial_state(packed, twist=TWIST)[:13], out]), out)[7:13]
        for out in (np.zeros(packed.actuators), pushed)
    ]
    assert np.abs(deep[1] - deep[0]).max() > 1e-3


def test_energy_is_kept_while_a_body_bobs_and_pitches_through_the_surface():
    """Kinetic energy with the wet share of the added mass, and the work of buoyancy along the path."""
    vehicle = undamped(load_vehicle("gavia").parameters._replace(envelope=None))
    vehicle = vehicle._replace(fins=(), fin_names=(), forces=(), cubic_surge=0.0, mass=0.8 * vehicle.mass)
    packed = pack(vehicle)
    state = initial_state(packed, (0.0, 0.0, 0.0), twist=(0.4, 0.1, -0.9, 0.0, 0.1, 0.05))
    path = rollout(packed, state, np.zeros(packed.actuators), 0.002, 1, water=water_with_surface(0.0), intervals=1000)
    total = [energy_at_surface(vehicle, row) for row in path]
    assert np.ptp(path[:, 2]) > 0.05
    shares = [wet_share(vehicle, row) for row in path]
    assert np.ptp(shares) > 0.2
    kinetic = max(0.5 * row[7:13] @ np.array(vehicle.rigid_body_inertia) @ row[7:13] for row in path)
    assert np.ptp(total) < 1e-5 * kinetic


def depths_of_floats(vehicle, row):
    down = np.array(down_in_body(tuple(row[3:7])))
    return [(part, row[2] + down @ np.array(part.position)) for part in buoyancy_elements_of(vehicle)]


def wet_share(vehicle, row):
    wet = 0.0
    for part, depth in depths_of_floats(vehicle, row):
        h = np.clip(depth + part.radius, 0.0, 2.0 * part.radius)
        wet += part.displaced_mass * h * h * (3.0 * part.radius - h) / (4.0 * part.radius**3)
    return wet / vehicle.displaced_mass


def energy_at_surface(vehicle, row):
    """Kinetic energy with the wet share of the added mass, weight, and the cap that each ball has pushed under."""
    inertia = np.array(vehicle.rigid_body_inertia) + wet_share(vehicle, row) * np.array(vehicle.added_mass)
    total = 0.5 * row[7:13] @ inertia @ row[7:13]
    down = np.array(down_in_body(tuple(row[3:7])))
    total -= vehicle.mass * vehicle.gravity * (row[2] + down @ np.array(vehicle.p_BG))
    for part, depth in depths_of_floats(vehicle, row):
        r = part.radius
        h = np.clip(depth + r, 0.0, 2.0 * r)
        sunk = max(depth - r, 0.0)
        # Integral of the share h^2 (3 r - h) / (4 r^3) over the depth.
        total += part.displaced_mass * vehicle.gravity * ((r * h**3 - 0.25 * h**4) / (4.0 * r**3) + sunk)
    return total


@pytest.mark.parametrize("name", list(packed_features()))
def test_plain_python_and_casadi_agree_with_compiled_code_at_the_surface(name):
    packed = packed_features()[name]
    random = np.random.default_rng(3)
    state = initial_state(packed, (0.1, -0.2, 0.05), TILTED, free(packed, random.normal(size=6) * 0.3))
    commands = resting_outputs(packed)  # of moving masses, so that none of them moves
    driven = packed.actuators - packed.layout.moving_masses
    commands[:driven] = random.uniform(0.0, 0.3, driven)
    state[13 : 13 + packed.actuators] = commands
    water = water_with_surface(0.0, (0.2, 0.1, 0.0))
    water[3:15] = random.normal(size=12) * 0.05
    compiled = derivative(packed, state, commands, water=water)[:13]
    around = water_from(tuple(water.tolist()), SURFACED)
    outputs, row = [*commands.tolist(), *[0.0] * (2 * packed.layout.moving_masses)], packed.row.tolist()
    plain = body_rate_in_water(row, packed.layout, tuple(state[:13].tolist()), outputs, around, 0.0, (0.0,) * 6)
    x = casadi.SX.sym("x", 13)
    symbols = tuple(x[i] for i in range(13))
    symbolic = casadi.vertcat(*body_rate_in_water(row, packed.layout, symbols, outputs, around, 0.0, (0.0,) * 6))
    from_casadi = np.array(casadi.Function("rate", [x], [symbolic])(state[:13])).ravel()
    np.testing.assert_allclose(compiled, plain, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(from_casadi, plain, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("options", [{}, {"simplifications": ("munk_off",)}, {"simplifications": ("coriolis_off",)}])
@pytest.mark.parametrize("name", [name for name in preset_names() if name not in RESTING][:6])
def test_deep_water_under_a_surface_is_plain_water(name, options):
    packed = pack(load_vehicle(name).parameters._replace(envelope=None), **options)
    state = initial_state(packed, (0.0, 0.0, 20.0), TILTED, free(packed, TWIST))
    commands = np.full(packed.actuators, 0.1)
    state[13 : 13 + packed.actuators] = commands
    deep = derivative(packed, state, commands, water=water_with_surface(0.0, (0.3, 0.1, 0.0)))
    plain = derivative(packed, state, commands, water=(0.3, 0.1, 0.0))
    np.testing.assert_allclose(deep, plain, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", ["remus100", "gavia"])
def test_the_equations_themselves_leave_nothing_in_the_air(name):
    """The same as above in plain Python, without compiled code."""
    vehicle = load_vehicle(name).parameters._replace(envelope=None)
    packed = pack(vehicle)
    q = tuple((np.array(TILTED) / np.linalg.norm(TILTED)).tolist())
    water = water_from(tuple(water_with_surface(50.0).tolist()), SURFACED)
    outputs = [0.2] * packed.actuators
    state = (0.0, 0.0, 0.0, *q, *TWIST)
    rate = body_rate_in_water(packed.row.tolist(), packed.layout, state, outputs, water, 0.0, (0.0,) * 6)
    np.testing.assert_allclose(rate[7:13], rigid_body_alone(vehicle, TWIST), rtol=1e-9, atol=1e-9)
