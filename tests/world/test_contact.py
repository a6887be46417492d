"""Contact: bounces, rest, sliding and collisions of vehicles in the compiled plant."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import dot3
from remora.equations.geometry.contact import ContactLaw, contact_force, joint_law, restitution_residual, spring_energy
from remora.equations.hull.inertia import kinetic_energy
from remora.plant.pack import pack
from remora.plant.stepper import Stepper
from remora.vehicles.library import preset_names
from remora.vehicles.parameters import net_buoyancy, total_inertia
from remora.vehicles.vehicle_reader import load_vehicle
from remora.world import Rectangle, Tunnel
from remora.world.contact import (
    Contact,
    ContactChange,
    ContactSphere,
    changes,
    contact_body,
    default_body,
    size_from_parameters,
    spheres_from_size,
)
from remora.world.ground.beds import FlatBed, ProfileBed
from remora.world.ground.obstacles import Ball
from remora.world.scene import Scene
from sample_features import reals, three
from sample_vehicles import bluerov2, body

STEPS = (0.01, 0.005, 0.0025)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
TURNING = ("roll", "pitch", "yaw")


def crate(mass=20.0, excess=0.0, size=(0.6, 0.4, 0.3), **others):
    """A box without water around it, but for its buoyancy: that much heavier than the water it displaces, kg."""
    a, b, c = (side * side * mass / 12.0 for side in size)
    inertia = ((b + c, 0.0, 0.0), (0.0, a + c, 0.0), (0.0, 0.0, a + b))
    return body(mass, inertia, displaced_mass=mass - excess, **others)


def state_of(place, velocity=(0.0, 0.0, 0.0), rates=(0.0, 0.0, 0.0), q=UPRIGHT):
    return np.array([*place, *(np.array(q) / np.linalg.norm(q)), *velocity, *rates], dtype=float)


def run(vehicles, scene, step, duration, locked=()):
    """States over time of vehicles {name: (parameters, contact body, start)}, and what the first touched when."""
    bodies = {name: made[1] for name, made in vehicles.items()}
    contacts = {name: Contact(name, bodies, scene, step) for name in vehicles}
    steppers = {name: Stepper(pack(made[0], locked=locked), step) for name, made in vehicles.items()}
    states = {name: made[2] for name, made in vehicles.items()}
    history, touched = [states], []
    for k in range(round(duration / step)):
        wrenches = {name: contacts[name].wrench(k, states[name], states) for name in vehicles}
        touched.append(wrenches[next(iter(vehicles))][1])
        states = {
            name: steppers[name](states[name], np.zeros(0), np.array([*wrenches[name][0], 0.0, 0.0, 0.0]))
            for name in vehicles
        }
        history.append(states)
    return {name: np.array([states[name] for states in history]) for name in vehicles}, touched


def one_ball(parameters, **others):
    return contact_body(total_inertia(parameters), (ContactSphere((0.0, 0.0, 0.0), 0.15),), **others)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("restitution", [1.0, 0.5, 0.2])
@pytest.mark.parametrize("mass", [5.0, 80.0])
def test_a_bounce_leaves_the_stated_share_of_the_speed(mass, restitution, step):
    """At 1 m/s, whatever the mass; within 1 % of the speed at any step, and never more than it should be."""
    vehicle = crate(mass)
    hull = one_ball(vehicle, restitution=restitution)
    history, touched = run(
        {"a": (vehicle, hull, state_of((0, 0, 4.5), (0, 0, 1.0)))}, Scene(bed=FlatBed(5.0)), step, 0.8
    )
    speed = -history["a"][-1, 9]
    assert speed == pytest.approx(restitution, abs=0.01)
    assert speed <= restitution + 1e-4
    lasted = step * sum(bool(names) for names in touched)
    assert 0.095 <= lasted <= 0.15  # the contact time, longer where much energy is lost


@pytest.mark.parametrize(("restitution", "speed"), [(0.1, 1.0), (0.5, 0.3), (0.5, 3.0), (0.95, 1.0)])
def test_the_relation_of_damping_and_restitution_is_exact(restitution, speed):
    """Against m d'' = -k d (1 + c d') solved by another method."""
    damping = brentq(restitution_residual, 1e-6, (1.0 - 1e-12) / restitution, (restitution,)) / speed

    def rate(t, y):
        return (y[1], -1e3 * y[0] * (1.0 + damping * y[1]))

    def leaves(t, y):
        return y[0]

    leaves.terminal, leaves.direction = True, -1.0
    end = solve_ivp(rate, (0.0, 5.0), (0.0, speed), events=leaves, rtol=1e-10, atol=1e-12).y[1, -1]
    assert -end == pytest.approx(restitution * speed, rel=1e-7)


def test_a_dropped_body_rests_with_the_penetration_of_its_weight():
    """Weight / (spheres x stiffness): below 2 mm here; it lies still and in trim."""
    vehicle = crate(excess=4.0, linear_damping=tuple(tuple(10.0 * (i == j) for j in range(6)) for i in range(6)))
    hull = contact_body(total_inertia(vehicle), spheres_from_size((0.6, 0.4, 0.3)))
    start = state_of((0.0, 0.0, 4.0), q=(math.cos(0.1), 0.06, 0.08, 0.0))
    history, touched = run({"a": (vehicle, hull, start)}, Scene(bed=FlatBed(5.0)), 0.01, 20.0)
    end = history["a"][-1]
    expected = 4.0 * 9.81 / (len(hull.spheres) * hull.law.stiffness)
    assert expected < 0.002
    assert end[2] + 0.15 - 5.0 == pytest.approx(expected, abs=2e-5)
    assert np.abs(end[7:13]).max() < 1e-3
    assert touched[-1] == ("bed",)


def energy(vehicle, hull, state, level):
    """Kinetic and potential energy, and what the springs hold."""
    R = rotation_matrix(tuple(state[3:7]))
    depths = [state[2] + dot3(R[2], place) + radius - level for place, radius in hull.spheres]
    springs = sum(spring_energy(hull.law, depth) for depth in depths)
    kinetic = kinetic_energy(total_inertia(vehicle), tuple(state[7:13]))
    return kinetic + net_buoyancy(vehicle) * (state[2] - level) + springs


@pytest.mark.parametrize("step", STEPS)
def test_a_tumbling_body_never_gains_energy(step):
    """Falling at an angle with a spin, without any water: over 10 s of bounces the energy only goes down.

    The spring of a contact stores energy in steps, so the sum may swing by a hundredth of what was there at first.
    """
    vehicle = crate(excess=4.0)
    hull = contact_body(total_inertia(vehicle), spheres_from_size((0.6, 0.4, 0.3)), restitution=0.9, friction=0.3)
    start = state_of((0.0, 0.0, 4.2), (0.5, 0.2, 0.3), (1.0, -0.7, 0.4), (0.9, 0.3, 0.3, math.sqrt(0.01)))
    history, _ = run({"a": (vehicle, hull, start)}, Scene(bed=FlatBed(5.0)), step, 10.0)
    energies = np.array([energy(vehicle, hull, state, 5.0) for state in history["a"]])
    energies -= 0.15 * -net_buoyancy(vehicle)  # zero at rest on the bed
    lowest = np.minimum.accumulate(energies)
    assert np.max(energies - lowest) < 0.01 * energies[0]
    assert energies[-1] < 0.7 * energies[0]


@pytest.mark.parametrize("step", STEPS)
def test_friction_stops_what_slides_after_the_distance_of_coulomb(step):
    """v^2 / (2 mu g'), g' the net weight per mass; held upright, so that it does not roll."""
    vehicle = crate(excess=5.0)
    hull = one_ball(vehicle, friction=0.4)
    sunk = 5.0 * 9.81 / hull.law.stiffness
    start = state_of((0.0, 0.0, 4.85 + sunk), (1.5, 0.0, 0.0))
    history, _ = run({"a": (vehicle, hull, start)}, Scene(bed=FlatBed(5.0)), step, 6.0, TURNING)
    braking = 0.4 * 9.81 * 5.0 / 20.0
    moving = history["a"][round(1.0 / step)]
    assert moving[7] == pytest.approx(1.5 - braking * 1.0, rel=0.01)
    assert history["a"][-1, 0] == pytest.approx(1.5**2 / (2.0 * braking), rel=0.03)
    assert abs(history["a"][-1, 7]) < 1e-3


def test_what_friction_holds_on_a_slope_creeps_by_force_over_grip():
    slope = 0.2  # rise of the bed per metre: less than the coefficient of friction
    vehicle = crate(excess=5.0)
    hull = one_ball(vehicle, friction=0.4)
    bed = ProfileBed((-100.0, 100.0), (25.0, -15.0))
    start = state_of((0.0, 0.0, 5.0 - 0.15 * math.sqrt(1.0 + slope**2)))
    history, _ = run({"a": (vehicle, hull, start)}, Scene(bed=bed), 0.01, 6.0, TURNING)
    pull = 5.0 * 9.81 * slope / math.sqrt(1.0 + slope**2)
    creep = np.linalg.norm(history["a"][-1, 7:10])
    press = 5.0 * 9.81 / math.sqrt(1.0 + slope**2)
    # pull = limit v / sqrt(v^2 + (limit / grip)^2)
    limit = 0.4 * press
    expected = limit / hull.law.grip * pull / math.sqrt(limit**2 - pull**2)
    assert creep == pytest.approx(expected, rel=0.02)
    assert creep < 0.02


def test_a_real_vehicle_lands_alike_at_any_step():
    """A tilted vehicle sinks onto a slope and comes to rest: within 2 mm and 1 degree for 10, 5 and 2.5 ms."""
    vehicle = bluerov2()._replace(thrusters=(), thruster_names=(), fins=(), fin_names=())
    vehicle = vehicle._replace(displaced_mass=vehicle.mass - 0.8)
    hull = contact_body(total_inertia(vehicle), spheres_from_size((0.46, 0.58, 0.25)))
    bed = ProfileBed((-50.0, 50.0), (6.0, 4.0))
    start = state_of((0.0, 0.0, 4.0), (0.2, 0.1, 0.1), q=(math.cos(0.1), 0.06, 0.0797, 0.0))
    ends = [run({"a": (vehicle, hull, start)}, Scene(bed=bed), step, 8.0)[0]["a"] for step in STEPS]
    lowest = bed.depth_at(ends[0][-1][0], 0.0)
    assert ends[0][-1][2] == pytest.approx(lowest - 0.125, abs=0.02)
    for other in ends[1:]:
        assert ends[0][-1][:3] == pytest.approx(other[-1][:3], abs=0.002)
        assert ends[0][-1][3:7] == pytest.approx(other[-1][3:7], abs=0.0087)


def momentum(vehicles, states):
    """Linear and angular momentum about the origin of N, of bodies without water."""
    total = np.zeros(6)
    for name, (parameters, *_) in vehicles.items():
        state = states[name]
        R = np.array(rotation_matrix(tuple(state[3:7])))
        p = parameters.mass * R @ state[7:10]
        total += (*p, *(np.cross(state[:3], p) + R @ np.array(parameters.inertia_G) @ state[10:13]))
    return total


@pytest.mark.parametrize("step", STEPS)
def test_two_vehicles_that_collide_keep_their_momentum(step):
    """Off centre, with friction: to 1e-3 of what they exchange at 10 ms, because a wrench is held in turning axes."""
    first, second = crate(20.0), crate(35.0, size=(0.5, 0.5, 0.5))
    vehicles = {
        "a": (first, default_body(first, (0.6, 0.4, 0.3)), state_of((0.0, 0.0, 0.0), (0.8, 0.0, 0.0))),
        "b": (second, default_body(second, (0.5, 0.5, 0.5)), state_of((1.0, 0.25, 0.05), (-0.3, 0.0, 0.0))),
    }
    history, touched = run(vehicles, Scene(), step, 2.0)
    before, after = (momentum(vehicles, {n: history[n][k] for n in vehicles}) for k in (0, -1))
    exchanged = 20.0 * np.linalg.norm(history["a"][-1, 7:10] - history["a"][0, 7:10])
    assert exchanged > 5.0
    assert after == pytest.approx(before, abs=1e-3 * exchanged)
    assert ("b",) in touched
    assert touched[-1] == ()


@given(three(0.2), three(1.0), three(1.0), three(1.0), three(1.0))
@settings(max_examples=40, deadline=None)
def test_forces_between_two_vehicles_are_opposite(apart, v, w, other_v, other_w):
    first, second = crate(20.0), crate(35.0)
    bodies = {"a": default_body(first, (0.6, 0.4, 0.3)), "b": default_body(second, (0.5, 0.5, 0.4))}
    a, b = state_of((0, 0, 0), v, w), state_of((0.3 + apart[0], apart[1], apart[2]), other_v, other_w)
    one, _ = Contact("a", bodies, Scene(), 1e-13).wrench(0, a, {"b": b})
    other, _ = Contact("b", bodies, Scene(), 1e-13).wrench(0, b, {"a": a})
    assert one[:3] == pytest.approx([-x for x in other[:3]], abs=1e-6)
    about_a = np.array(other[3:]) + np.cross(b[:3], other[:3])
    assert one[3:] == pytest.approx(-about_a, abs=1e-5)


def test_forces_between_vehicles_at_one_place_are_opposite():
    body, state = default_body(crate(20.0), (0.5, 0.5, 0.5)), state_of((0, 0, 0))
    bodies = {"a": body, "b": body}
    one, _ = Contact("a", bodies, Scene(), 1e-13).wrench(0, state, {"b": state})
    other, _ = Contact("b", bodies, Scene(), 1e-13).wrench(0, state, {"a": state})
    assert one[2] < -1.0
    assert one == pytest.approx([-x for x in other], abs=1e-6)


def test_a_vehicle_slides_along_a_corner_of_a_tunnel():
    """Floor and wall push at the same time, and both are one thing to the log."""
    vehicle = crate(excess=2.0)
    hull = one_ball(vehicle, friction=0.0)
    scene = Scene((Tunnel(Rectangle(2.0, 2.0), length=50.0),))
    start = state_of((5.0, 0.5, 0.5), (0.5, 0.4, 0.2))
    history, touched = run({"a": (vehicle, hull, start)}, scene, 0.01, 10.0)
    path = history["a"]
    assert np.max(np.abs(path[:, 1])) < 0.87
    assert np.max(path[:, 2]) < 0.87
    assert path[-1, 7] == pytest.approx(0.5)
    assert set(touched) == {(), ("tunnel",)}


def test_contacts_begin_and_end():
    assert changes((), ("bed", "pipe")) == (ContactChange("bed", True), ContactChange("pipe", True))
    assert changes(("bed", "pipe"), ("pipe",)) == (ContactChange("bed", False),)
    assert changes(("bed",), ("bed",)) == ()
    assert [change.words for change in changes(("bed",), ("pipe",))] == ["is free of bed", "touches pipe"]


def test_what_is_touched_is_named():
    vehicle = crate()
    hull = one_ball(vehicle)
    scene = Scene(bed=FlatBed(5.0), obstacles=(Ball("rock", (0.0, 0.0, 5.0), 0.4), Ball("far", (9.0, 0.0, 0.0), 1.0)))
    contact = Contact("a", {"a": hull, "b": hull}, scene, 0.01)
    wrench, names = contact.wrench(0, state_of((0.3, 0.0, 4.86)), {"b": state_of((0.35, 0.1, 4.7))})
    assert names == ("b", "bed", "rock")
    assert wrench[2] < 0.0
    assert contact.wrench(0, state_of((0.0, 0.0, 1.0)), {})[0] == (0.0,) * 6


def test_a_force_never_pulls_and_never_drives():
    law = ContactLaw(1e4, 2.0, 0.5, 100.0)

    @given(reals(-0.1, 0.1), three(3.0))
    def holds(depth, velocity):
        force = contact_force(law, depth, (0.0, 0.0, -1.0), velocity)
        assert force[2] <= 0.0
        slipping = dot3((force[0], force[1], 0.0), velocity)
        assert slipping <= 0.0
        assert math.hypot(force[0], force[1]) <= 0.5 * -force[2] + 1e-9

    holds()
    assert joint_law(law, law) == ContactLaw(5e3, 2.0, 0.5, 50.0)


@pytest.mark.parametrize("name", sorted(preset_names()))
def test_every_preset_has_a_default_body(name):
    parameters = load_vehicle(name).parameters
    size = size_from_parameters(parameters)
    assert math.prod(size) == pytest.approx(parameters.displaced_mass / parameters.density)
    hull = default_body(parameters)
    assert 0.1 < 2.0 * hull.reach < 10.0
    assert len(hull.spheres) < 60


def test_balls_fill_the_box_they_are_made_for():
    spheres = spheres_from_size((1.6, 0.2, 0.2), (0.1, 0.0, 0.0))
    assert {radius for _, radius in spheres} == {0.1}
    assert min(place[0] - radius for place, radius in spheres) == pytest.approx(-0.7)
    assert max(place[0] + radius for place, radius in spheres) == pytest.approx(0.9)
    assert np.max(np.diff(sorted(place[0] for place, _ in spheres))) <= 0.2 + 1e-9
    assert spheres_from_size((0.3, 0.3, 0.3)) == (ContactSphere((0.0, 0.0, 0.0), 0.15),)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: contact_body(total_inertia(crate()), ()), "at least one point"),
        (lambda: contact_body(total_inertia(crate()), (ContactSphere((0.0, 0.0, 0.0), 0.0),)), "radius"),
        (lambda: one_ball(crate(), contact_time=0.0), "contact time"),
        (lambda: one_ball(crate(), restitution=0.0), "restitution"),
        (lambda: one_ball(crate(), friction=-1.0), "friction"),
        (lambda: spheres_from_size((1.0, 0.0, 1.0)), "size of the hull"),
        (lambda: Contact("a", {}, Scene(), 0.01), "no body"),
        (lambda: Contact("a", {"a": one_ball(crate())}, Scene(), 0.05), "at most 0.02 s"),
    ],
)
def test_bad_contacts_are_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize("scene", [Scene(bed=FlatBed(1.0)), Scene(obstacles=(Ball("rock", (0.0, 0.0, 1.2), 0.2),))])
def test_the_force_of_a_contact_acts_at_the_foot_of_a_ball(scene):
    """A ball that slides over a bed: friction at its foot turns it, with a lever of its radius."""
    hull = contact_body(total_inertia(crate()), (ContactSphere((0.0, 0.0, 0.0), 0.3),))
    contact = Contact("crate", {"crate": hull}, scene, 1e-4)
    wrench, touched = contact.wrench(0, state_of((0.0, 0.0, 0.71), velocity=(0.5, 0.0, 0.0)), {})
    assert len(touched) == 1
    assert wrench[0] < -1.0
    assert wrench[4] == pytest.approx(0.3 * wrench[0], rel=1e-3)  # r x F = (0, 0, r) x (F, 0, N)


def test_the_forces_between_two_hulls_act_between_their_surfaces():
    """Two balls that slide past each other: friction turns both the same way, with the lever of the touching place."""
    hull = contact_body(total_inertia(crate()), (ContactSphere((0.0, 0.0, 0.0), 0.3),))
    contact = Contact("upper", {"upper": hull, "lower": hull}, Scene(), 1e-4)
    states = {"upper": state_of((0.0, 0.0, 0.0), velocity=(0.5, 0.0, 0.0)), "lower": state_of((0.0, 0.0, 0.59))}
    wrench, _ = contact.wrench(0, states["upper"], {"lower": states["lower"]})
    assert wrench[0] < -1.0
    assert wrench[4] == pytest.approx(0.295 * wrench[0], rel=1e-3)
