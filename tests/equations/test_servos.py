"""Thrusters on servos: axis, lever arm and reaction torque turn together."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from remora.equations.actuators.servos import Swivel, turned_axis, turned_thruster
from remora.equations.actuators.thrusters import advance_speed, thruster_effect
from remora.equations.algebra.quaternions import from_axis_angle, rotation_matrix
from sample_vehicles import thruster

HINGE, AXIS, PLACE = (0.0, 0.6, 0.8), (0.8, 0.0, -0.6), (0.3, -0.2, 0.1)


@given(st.floats(-7.0, 7.0))
def test_axis_turns_as_a_rotation_matrix_says(angle):
    expected = np.array(rotation_matrix(from_axis_angle(HINGE, angle))) @ AXIS
    np.testing.assert_allclose(turned_axis(AXIS, HINGE, angle), expected, rtol=0, atol=1e-14)


@given(st.floats(-7.0, 7.0))
def test_effect_is_force_and_lever_arm_of_the_turned_axis(angle):
    shares = (1.0, 0.9, 0.8, 1.0, 1.0, 0.7)
    turned = turned_thruster(thruster(PLACE, AXIS), Swivel(HINGE, 0.03, shares), angle)
    expected = np.multiply(shares, thruster_effect(PLACE, turned.axis, 0.03))
    np.testing.assert_allclose(turned.effect, expected, rtol=0, atol=1e-14)
    assert np.linalg.norm(turned.axis) == pytest.approx(1.0, abs=1e-14)
    twist = (0.5, -0.2, 0.1, 0.2, 0.3, -0.1)
    expected = np.dot(turned.axis, np.add(twist[:3], np.cross(twist[3:], PLACE)))
    assert advance_speed(turned, twist) == pytest.approx(expected, abs=1e-14)


def test_a_fixed_thruster_and_a_servo_at_zero_change_nothing():
    """Whatever the effect of a fixed thruster is, it stays; at zero a turning one is as its file says."""
    fixed = thruster(PLACE, AXIS, effect=(1.0, 2.0, 3.0, 4.0, 5.0, 6.0))
    assert turned_thruster(fixed, Swivel((0.0, 0.0, 0.0), 0.0, (0.0,) * 6), 0.0) == fixed
    plain = thruster(PLACE, AXIS)
    assert turned_thruster(plain, Swivel(HINGE, 0.0, (1.0,) * 6), 0.0) == plain
