"""Invariant T5: the same body described about another origin and in other axes moves the same way."""

import numpy as np
import pytest

from other_origin import about_B, vehicle
from remora.equations.algebra.kinematics import twist_at, wrench_at
from remora.equations.algebra.quaternions import conjugate, from_euler_zyx, product, rotation_matrix
from remora.equations.hull.forms.cross_flow import CROSS_FLOW
from remora.equations.hull.forms.lift import LIFT
from remora.plant import pack
from remora.vehicles.parameters import form_records, with_form
from sample_vehicles import body, torpedo, tuples
from trajectories import rotations, run

COMMANDS = np.array([-60.0, -40.0, 30.0])
PUSH = (4.0, -2.0, 1.0, 0.3, -0.2, 0.4)
WATER = (0.2, -0.1, 0.05)
ATTITUDE, TWIST = from_euler_zyx(0.2, -0.1, 0.4), (0.3, -0.2, 0.1, 0.2, 0.1, -0.2)


def paths_of_S(parameters, p_BS, q_BS, step, seconds=20.0, **left_as_they_were):
    """Where S goes, run with the numbers about S and with those about B."""
    R_BS = rotation_matrix(q_BS)
    q_SB, R_SB = conjugate(q_BS), tuples(np.array(R_BS).T)
    p_SB = tuples(-(np.array(R_SB) @ p_BS))
    plain = run(pack(parameters), seconds, step, COMMANDS, quaternion=ATTITUDE, twist=TWIST, external=PUSH, water=WATER)
    moved = run(
        pack(about_B(parameters, p_BS, R_BS)._replace(**left_as_they_were)), seconds, step, COMMANDS, water=WATER,
        position=np.array(rotation_matrix(ATTITUDE)) @ p_SB, quaternion=product(ATTITUDE, q_SB),
        twist=twist_at(TWIST, p_SB, R_SB), external=wrench_at(PUSH, p_SB, R_SB),
    )  # fmt: skip
    return plain, moved, moved[:, :3] + rotations(moved) @ p_BS, rotations(moved) @ R_BS


@pytest.mark.parametrize("p_BS", [(0.3, 0.0, 0.0), (0.0, -0.2, 0.0), (0.1, 0.15, -0.25)])
@pytest.mark.parametrize("q_BS", [(1.0, 0.0, 0.0, 0.0), from_euler_zyx(0.5, -0.3, 1.1)])
def test_same_motion(p_BS, q_BS):
    """RK4 at 10 ms for 20 s: 1e-8 m, driven, in a current and under an external wrench."""
    plain, _, path, attitude = paths_of_S(vehicle(), p_BS, q_BS, 0.01)
    np.testing.assert_allclose(path, plain[:, :3], rtol=0, atol=1e-8)
    np.testing.assert_allclose(attitude, rotations(plain), rtol=0, atol=1e-8)


def test_difference_falls_sixteenfold_per_halving():
    """So that it is the integrator's error and no term of the equations is lost."""
    errors = []
    for step in (0.08, 0.04, 0.02):
        plain, _, path, _ = paths_of_S(vehicle(), (0.1, 0.15, -0.25), from_euler_zyx(0.5, -0.3, 1.1), step)
        errors.append(np.abs(path[-1] - plain[-1, :3]).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 4.0) < 0.5)


def test_strips_of_a_hull_counted_from_another_place():
    """Cross-flow strips move along with an origin that is shifted on the axis of the hull."""
    hull = torpedo()._replace(fins=(), fin_names=(), thrusters=(), thruster_names=(), cubic_surge=0.0)
    hull = with_form(hull, LIFT)
    parameters = hull._replace(quadratic_damping=tuples(np.zeros((6, 6))))
    shift = 0.4
    moved = about_B(parameters, (shift, 0.0, 0.0), tuples(np.eye(3)))
    strips = [s._replace(x=s.x + shift) for s in form_records(parameters, CROSS_FLOW)]
    moved = with_form(moved, CROSS_FLOW, *strips)
    twist = (0.8, 0.1, -0.1, 0.0, 0.1, 0.2)
    plain = run(pack(parameters), 20.0, 0.01, twist=twist)
    other = run(pack(moved), 20.0, 0.01, position=(-shift, 0.0, 0.0), twist=twist_at(twist, (-shift, 0, 0), np.eye(3)))
    np.testing.assert_allclose(other[:, :3] + rotations(other) @ [shift, 0, 0], plain[:, :3], rtol=0, atol=1e-8)


@pytest.mark.parametrize("field", ["p_BG", "p_BC", "added_mass", "rigid_body_inertia", "linear_damping", "thrusters"])
def test_a_number_left_behind_is_seen(field):
    """Negative control: with one field still about S, the paths part by more than a millimetre."""
    parameters = vehicle()
    forgotten = {field: getattr(parameters, field)}
    plain, _, path, _ = paths_of_S(parameters, (0.1, 0.15, -0.25), from_euler_zyx(0.5, -0.3, 1.1), 0.01, **forgotten)
    assert np.abs(plain[-1, :3] - path[-1]).max() > 1e-3


def test_mass_far_from_the_origin():
    """A bare rigid body described about a point a metre away keeps its centre of mass on a straight line."""
    parameters = body(20.0, tuples(np.diag([1.0, 2.0, 2.5])), p_BG=(1.0, 0.5, -0.3), p_BC=(1.0, 0.5, -0.3))
    states = run(pack(parameters), 20.0, 0.005, twist=(0.1, 0.2, -0.1, 0.2, -0.3, 0.25))
    centre = states[:, :3] + rotations(states) @ parameters.p_BG
    velocity = np.array([0.1, 0.2, -0.1]) + np.cross([0.2, -0.3, 0.25], parameters.p_BG)
    straight = centre[0] + np.linspace(0.0, 20.0, len(states))[:, None] * velocity
    np.testing.assert_allclose(centre, straight, rtol=0, atol=1e-8)
