"""Invariant S6: the restoring wrench is minus the gradient of the potential energy."""

import numpy as np
import pytest
from hypothesis import given

from remora.equations.algebra.kinematics import down_in_body, position_rate
from remora.equations.algebra.quaternions import from_axis_angle, from_euler_zyx, product, rotation_matrix
from remora.equations.hull.restoring import potential_energy, restoring_wrench
from sample_features import general_vehicles, quaternions, reals, three

AXES = np.eye(3).tolist()


def numbers(parameters):
    return parameters.mass, parameters.displaced_mass, parameters.p_BG, parameters.p_BC, parameters.gravity


@given(general_vehicles, quaternions, reals(-50.0, 50.0))
def test_wrench_is_minus_the_gradient(parameters, q_NB, depth):
    """Finite differences along and about the three body axes; relative to the wrench of a capsized body."""
    h = 1e-4

    def energy(q, z):
        return potential_energy(*numbers(parameters), down_in_body(q), z)

    def moved(axis, step):
        return energy(q_NB, depth + position_rate(q_NB, (step * axis[0], step * axis[1], step * axis[2]))[2])

    def turned(axis, angle):
        return energy(product(q_NB, from_axis_angle(tuple(axis), angle)), depth)

    gradient = [(f(axis, h) - f(axis, -h)) / (2 * h) for f in (moved, turned) for axis in AXES]
    wrench = restoring_wrench(*numbers(parameters), down_in_body(q_NB))
    weight = parameters.mass * parameters.gravity
    np.testing.assert_allclose(wrench[:3], np.negative(gradient[:3]), rtol=0, atol=1e-6 * weight)
    np.testing.assert_allclose(wrench[3:], np.negative(gradient[3:]), rtol=0, atol=1e-6 * weight * 0.1)


@given(quaternions)
def test_down_is_the_last_row_of_the_rotation(q_NB):
    np.testing.assert_allclose(down_in_body(q_NB), rotation_matrix(q_NB)[2], rtol=0, atol=1e-15)


@pytest.mark.parametrize(("roll", "pitch"), [(0.3, 0.0), (0.0, 0.3), (-0.2, 0.4), (1.2, -0.7)])
def test_closed_form_of_a_body_with_buoyancy_above_its_weight(roll, pitch):
    """Nielsen 2018, eq. 2.26 corrected: g = (0, 0, 0, -z B cos(theta) sin(phi), -z B sin(theta), 0)."""
    weight, z = 12.0 * 9.81, -0.05
    down = down_in_body(from_euler_zyx(roll, pitch, 0.4))
    wrench = restoring_wrench(12.0, 12.0, (0.0, 0.0, 0.0), (0.0, 0.0, z), 9.81, down)
    expected = [0, 0, 0, z * weight * np.cos(pitch) * np.sin(roll), z * weight * np.sin(pitch), 0]
    np.testing.assert_allclose(wrench, expected, rtol=0, atol=1e-13)
    assert wrench[3] * roll <= 0.0  # it rights itself
    assert wrench[4] * pitch <= 0.0


@given(three(1.0), quaternions)
def test_neutral_body_with_one_centre_feels_nothing(centre, q_NB):
    wrench = restoring_wrench(7.0, 7.0, centre, centre, 9.81, down_in_body(q_NB))
    assert wrench == (0.0,) * 6


def test_heavy_body_sinks_and_light_body_rises():
    level = (0.0, 0.0, 1.0)
    assert restoring_wrench(2.0, 1.5, AXES[2], AXES[2], 9.81, level)[2] == pytest.approx(0.5 * 9.81)
    assert restoring_wrench(1.5, 2.0, AXES[2], AXES[2], 9.81, level)[2] == pytest.approx(-0.5 * 9.81)
