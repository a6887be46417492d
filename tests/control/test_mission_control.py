"""Position control with integral, resistance at the asked speeds and levelling."""

import math
from dataclasses import replace

import numpy as np
import pytest

from remora.control import bounded_allocation, commands_from_forces, position_control
from remora.control.autopilots.position import mission_control
from remora.control.feedback.attitude import tilt_error
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import from_euler_zyx, from_rotation_vector, product
from remora.guidance import PoseReference
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle
from remora.vehicles.checks.actuation import levelled_axes
from remora.vehicles.parameters import net_buoyancy

LEVEL = (1.0, 0.0, 0.0, 0.0)
STILL = (0.0,) * 6


def control_of(name, **options):
    parameters = load_vehicle(name).parameters
    options = {"levelled": levelled_axes(parameters), **options}
    return mission_control(position_control(parameters, follows_velocity=True), parameters, pack(parameters), **options)


def scattered(parameters, factor):
    """The plant with inertia and damping off by a factor, while the controller keeps nominal values."""

    def by(matrix):
        return tuple(tuple(factor * x for x in row) for row in matrix)

    return parameters._replace(
        added_mass=by(parameters.added_mass),
        linear_damping=by(parameters.linear_damping),
        quadratic_damping=by(parameters.quadratic_damping),
    )


@pytest.mark.parametrize("factor", [0.7, 1.0, 1.3])
@pytest.mark.parametrize("name", ["bluerov2_heavy", "bluerov", "flatfish_basin_adaptive", "falcon"])
def test_the_loop_is_stable_with_parameters_off_by_thirty_percent(name, factor):
    """C7: from two metres away and tilted, in a current, to its place and level."""
    parameters = load_vehicle(name).parameters
    packed, control = pack(scattered(parameters, factor)), control_of(name)
    allocation = bounded_allocation(parameters, importance=[1.0, 1.0, 1.0, 10.0, 10.0, 10.0])
    state = control.initial()
    x = initial_state(packed, (-2.0, 1.0, 3.0), from_euler_zyx(0.2, -0.2, 1.0))
    reference, missing = PoseReference((0.0, 0.0, 4.0), 0.0, (0.0, 0.0, 0.0), 0.0), STILL
    commands, places = np.zeros(packed.actuators), []
    for _ in range(1500):
        body = x[:13].tolist()
        p, q, twist = tuple(body[:3]), tuple(body[3:7]), tuple(body[7:])
        state, wrench = control.step(state, p, q, twist, reference, missing)
        found = allocation.allocate(wrench)
        missing, given = tuple(found.missing.tolist()), commands_from_forces(parameters, found.forces.tolist())
        commands[: len(given)] = given
        places.append([*p, *tilt_error(q)])
        x = rollout(packed, x, commands, 0.1, 5, water=(0.08, -0.06, 0.0), intervals=1)[-1]
    late = np.array(places[-100:])
    assert np.abs(late[:, :3] - [0.0, 0.0, 4.0]).max() < 0.1
    assert np.abs(late[:, 3:]).max() < 0.1


def test_no_error_asks_for_no_more_than_buoyancy():
    """C1."""
    control = control_of("bluerov2_heavy")
    at = PoseReference((1.0, 2.0, 3.0), 0.0, (0.0, 0.0, 0.0), 0.0)
    state, wrench = control.step(control.initial(), (1.0, 2.0, 3.0), LEVEL, STILL, at)
    lift = net_buoyancy(load_vehicle("bluerov2_heavy").parameters)
    assert wrench == pytest.approx((0.0, 0.0, lift, 0.0, 0.0, 0.0), abs=1e-9)
    assert state == control.initial()


@pytest.mark.parametrize("axis", [0, 1, 2, 5])
def test_an_integral_rests_while_the_allocation_cannot_follow_and_leads_back_at_once(axis):
    """C3."""
    control, k = control_of("bluerov2_heavy"), (0, 1, 2, 3)[(0, 1, 2, 5).index(axis)]
    asked = tuple(0.3 if i == k else 0.0 for i in range(4))
    back = tuple(-speed for speed in asked)
    shortfall = tuple(4.0 if i == axis else 0.0 for i in range(6))
    free, _ = control.velocity_loop((0.0,) * 6, LEVEL, STILL, asked)
    blocked, _ = control.velocity_loop((0.0,) * 6, LEVEL, STILL, asked, shortfall)
    leading, _ = control.velocity_loop(free, LEVEL, STILL, back, shortfall)
    assert free[k] > 0.0
    assert blocked == (0.0,) * 6
    assert leading[k] == pytest.approx(0.0, abs=1e-12)


def test_an_integral_against_a_current_stays_in_the_world_while_the_vehicle_turns():
    """Learned while heading north, it pushes north after a turn to the east: to port."""
    control = control_of("bluerov2_heavy", integral_gains=(0.2,) * 4)
    learned = (0.0,) * 6
    for _ in range(5):
        learned, _ = control.velocity_loop(learned, LEVEL, STILL, (0.3, 0.0, 0.0, 0.0))
    east = from_euler_zyx(0.0, 0.0, 0.5 * math.pi)
    kept, wrench = control.velocity_loop(learned, east, STILL, (0.0, 0.0, 0.0, 0.0))
    assert learned[0] > 0.0
    assert kept == pytest.approx(learned, abs=1e-12)
    assert wrench[1] < -0.5
    assert abs(wrench[0]) < 1e-9


def test_an_integral_is_limited_by_what_the_thrusters_can_make():
    control = control_of("bluerov2_heavy")
    correction = (0.0,) * 6
    for _ in range(1000):
        correction, wrench = control.velocity_loop(correction, LEVEL, STILL, (0.5, 0.0, 0.0, 0.0))
    assert correction[0] == control.largest_corrections[0]
    assert 0.5 < correction[0] < 1.0
    assert wrench[0] < 250.0


def test_resistance_is_that_of_the_asked_speed_and_not_of_the_measured_one():
    """Cancelling the drag at the measured speed drove vehicles faster and faster in a current."""
    control = replace(control_of("bluerov2_heavy", integral_gains=(0.0,) * 4), masses=(1e-9, 1e-9, 1e-9, 1e-9))
    slow = control.velocity_loop((0.0,) * 6, LEVEL, (0.1, 0.0, 0.0, 0.0, 0.0, 0.0), (0.5, 0.0, 0.0, 0.0))[1]
    fast = control.velocity_loop((0.0,) * 6, LEVEL, (0.9, 0.0, 0.0, 0.0, 0.0, 0.0), (0.5, 0.0, 0.0, 0.0))[1]
    assert slow[0] == pytest.approx(fast[0], rel=1e-6)
    assert slow[0] > 10.0


@pytest.mark.parametrize(
    ("roll", "pitch", "yaw"),
    [(0.01, 0.0, 1.0), (0.0, -0.02, 2.0), (0.3, 0.4, -2.0), (3.0, 0.0, 0.0), (0.0, 1.5707, 0.0)],
)
def test_the_tilt_error_turns_a_vehicle_level(roll, pitch, yaw):
    q = from_euler_zyx(roll, pitch, yaw)
    x, y = tilt_error(q)
    assert tilt_error(product(q, from_rotation_vector((x, y, 0.0)))) == pytest.approx((0.0, 0.0), abs=1e-7)
    if abs(roll) + abs(pitch) < 0.1:
        assert (x, y) == pytest.approx((-roll, -pitch), abs=1e-3)


def test_only_axes_that_the_thrusters_hold_alone_are_levelled():
    found = {
        name: levelled_axes(load_vehicle(name).parameters) for name in ("bluerov2_heavy", "bluerov2", "falcon", "gavia")
    }
    assert found == {"bluerov2_heavy": (3, 4), "bluerov2": (3,), "falcon": (), "gavia": ()}
    assert levelled_axes(load_vehicle("bluerov2_heavy").parameters, ("roll",)) == (4,)


def test_thrust_that_was_not_produced_is_no_sign_of_a_current():
    """A vehicle at rest in still water, whose thrusters make none of the push that it asks for."""
    control, missing = control_of("bluerov2_heavy"), STILL
    state, target = control.initial(), PoseReference((2.0, 1.0, 3.0), 0.0, (0.0, 0.0, 0.0), 0.0)
    for _ in range(100):
        state, wrench = control.step(state, (0.0, 0.0, 3.0), LEVEL, STILL, target, missing)
        missing = (wrench[0], wrench[1], 0.0, 0.0, 0.0, 0.0)
    assert wrench[0] > 5.0
    assert state.current == pytest.approx((0.0, 0.0), abs=1e-9)


def test_an_integral_of_a_tilted_vehicle_rests_in_the_axis_of_the_world_that_lacks_force():
    """Pitched up by 70 degrees it lacks an upward force, which is mostly ahead in its own axes."""
    control, tilted = control_of("bluerov2_heavy"), from_euler_zyx(0.0, 1.2, 0.5)
    lacking = (*to_body(tilted, (0.0, 0.0, -4.0)), 0.0, 0.0, 0.0)
    learned, _ = control.velocity_loop((0.0,) * 6, tilted, STILL, (0.3, 0.0, -0.3, 0.0), lacking)
    assert math.hypot(learned[0], learned[1]) > 0.0
    assert learned[2] == 0.0


def test_a_vehicle_that_lies_upside_down_is_rolled_back():
    """There every direction is as short; it must not count as level."""
    roll, pitch = tilt_error((0.0, 1.0, 0.0, 0.0))
    assert math.hypot(roll, pitch) == pytest.approx(math.pi)
    assert tilt_error(LEVEL) == (0.0, 0.0)
