"""Commands out of forces for thrusters with motors, four-quadrant series and servos."""

import numpy as np
import pytest
from hypothesis import given, settings

from remora.control import bounded_allocation, commands_from_forces, pseudo_inverse
from remora.control.allocation.commands import speed_in_four_quadrants
from remora.equations.actuators.motors import steady_motor_speed
from remora.equations.actuators.thrusters import advance_speed
from remora.plant import initial_state, pack, rollout
from remora.plant.pack import resting_outputs
from remora.vehicles.checks.actuation import allocation_matrix, steady_output, thrust_at, thrust_limits, thruster_at
from sample_features import reals, twists
from sample_vehicles import MOTOR, glider

GLIDER = glider()
HELD = ("surge", "sway", "heave", "roll", "pitch", "yaw")


@given(reals(-150.0, 150.0), reals(-2.0, 2.0))
def test_four_quadrant_thrust_and_back(wanted, advance):
    speed = speed_in_four_quadrants(GLIDER, 0, wanted, advance)
    assert thrust_at(GLIDER, 0, speed, advance) == pytest.approx(wanted, rel=1e-10, abs=1e-9)


def test_four_quadrant_speed_of_a_reversed_propeller():
    turned = GLIDER._replace(thrusters=(GLIDER.thrusters[0]._replace(sense=-1.0), *GLIDER.thrusters[1:]))
    for wanted, advance in ((40.0, 0.5), (-40.0, 0.5), (10.0, -1.0)):
        one, other = (speed_in_four_quadrants(p, 0, wanted, advance) for p in (GLIDER, turned))
        assert one == pytest.approx(-other, rel=1e-9)


def test_a_thrust_out_of_reach_asks_for_the_fastest():
    assert abs(speed_in_four_quadrants(GLIDER, 0, 1e12, 0.0)) >= 1e5
    commands = commands_from_forces(GLIDER, [1e12, 0.0, -1e12])
    assert commands[0] == 24.0
    assert commands[2] == -16.0


@settings(max_examples=30)
@given(twists, reals(-1.5, 1.5), reals(-1.0, 1.0))
def test_the_plant_makes_the_forces_that_were_asked_for(twist, first, second):
    """Under way and with turned pods: the steady outputs of the commands push as wanted."""
    angles, wanted = (first, second), (20.0, -8.0, 5.0)
    commands = commands_from_forces(GLIDER, wanted, twist, servo_angles=angles)
    for i, command in enumerate(commands):
        advance = advance_speed(thruster_at(GLIDER, i, angles), twist)
        output = steady_motor_speed(MOTOR, command, advance) if i != 1 else command
        limits = GLIDER.thrusters[i].command_minimum, GLIDER.thrusters[i].command_maximum
        if limits[0] < command < limits[1]:
            assert thrust_at(GLIDER, i, output, advance) == pytest.approx(wanted[i], rel=1e-8)


def test_held_still_the_compiled_plant_reaches_the_speeds():
    packed = pack(GLIDER, locked=HELD)
    commands = resting_outputs(packed)
    commands[:3] = commands_from_forces(GLIDER, [30.0, 10.0, -6.0])
    state = rollout(packed, initial_state(packed), commands, 0.1, intervals=100)[-1]
    forces = [thrust_at(GLIDER, i, state[13 + i], 0.0) for i in range(3)]
    assert forces == pytest.approx([30.0, 10.0, -6.0], rel=1e-9)
    assert state[13] == pytest.approx(steady_output(GLIDER, 0, commands[0]), rel=1e-9)


def test_limits_are_those_of_the_voltage():
    limits = thrust_limits(GLIDER)
    speeds = [steady_motor_speed(MOTOR, voltage, 0.0) for voltage in (-24.0, 24.0)]
    assert limits[0].tolist() == pytest.approx([thrust_at(GLIDER, 0, speed, 0.0) for speed in speeds])


def test_allocation_at_servo_angles():
    """Both pods turned straight up make heave and roll of them."""
    angles = (0.9, -0.6)
    matrix = allocation_matrix(GLIDER, angles)
    wrench = matrix @ [10.0, 4.0, -3.0]
    for found in (
        pseudo_inverse(GLIDER, servo_angles=angles).allocate(wrench),
        bounded_allocation(GLIDER, servo_angles=angles).allocate(wrench).forces,
    ):
        np.testing.assert_allclose(found, [10.0, 4.0, -3.0], rtol=0, atol=1e-9)


def test_the_number_of_forces_must_fit():
    with pytest.raises(ValueError, match="give 3, one per thruster"):
        commands_from_forces(GLIDER, [1.0])
