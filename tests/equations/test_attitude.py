"""Quaternions, Euler angles and their rates: the forms of the literature are one and the same."""

import math

import numpy as np
import pytest
from hypothesis import given

from remora.equations.algebra import quaternions as qt
from remora.equations.algebra.kinematics import euler_zyx_rate, position_rate, quaternion_rate, to_body
from remora.equations.algebra.vectors import matmul3, matvec3
from sample_features import quaternions, reals, three

DEG = math.pi / 180.0
angles = reals(-math.pi, math.pi)
pitches = reals(-1.5, 1.5)


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def same(a, b, tolerance=1e-14):
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance)


@given(quaternions)
def test_rotation_matrix_forms(q):
    """I + 2 eta S(eps) + 2 S(eps)^2 (Nielsen 2018, eq. 2.10), a proper rotation, and its own transpose backwards."""
    S = skew(q[1:])
    R = np.array(qt.rotation_matrix(q))
    same(R, np.eye(3) + 2 * q[0] * S + 2 * S @ S)
    same(R @ R.T, np.eye(3))
    assert np.linalg.det(R) == pytest.approx(1.0, abs=1e-13)
    same(qt.rotation_matrix(qt.conjugate(q)), R.T)


@given(quaternions, quaternions, three(5.0))
def test_product_composes_rotations(p, q, a):
    same(qt.rotation_matrix(qt.product(p, q)), matmul3(qt.rotation_matrix(p), qt.rotation_matrix(q)))
    same(qt.product(q, qt.conjugate(q)), (1.0, 0.0, 0.0, 0.0))
    sandwich = qt.product(qt.product(q, (0.0, *a)), qt.conjugate(q))
    same(sandwich[1:], matvec3(qt.rotation_matrix(q), a), 1e-13)
    same(position_rate(q, to_body(q, a)), a, 1e-13)


@given(angles, pitches, angles)
def test_marine_euler_angles(roll, pitch, yaw):
    """R_z R_y R_x from the quaternion, and the angles back from it (Proctor 2014, eq. 4.12 corrected)."""
    q = qt.from_euler_zyx(roll, pitch, yaw)
    rotations = matmul3(matmul3(qt.rotation_z(yaw), qt.rotation_y(pitch)), qt.rotation_x(roll))
    same(qt.rotation_matrix(q), rotations)
    found = qt.to_euler_zyx(q)
    same(np.exp(1j * np.array(found)), np.exp(1j * np.array((roll, pitch, yaw))), 1e-13)


def test_signs_of_roll_pitch_and_yaw():
    """In N: a positive yaw turns the bow east, a positive pitch lifts it, a positive roll lowers the starboard side."""
    assert qt.rotation_matrix(qt.from_euler_zyx(0.0, 0.0, 0.1))[1][0] > 0.0
    assert qt.rotation_matrix(qt.from_euler_zyx(0.0, 0.1, 0.0))[2][0] < 0.0
    assert qt.rotation_matrix(qt.from_euler_zyx(0.1, 0.0, 0.0))[2][1] > 0.0


@given(angles, pitches, angles, three(1.0))
def test_euler_rates_are_the_derivative_of_the_angles(roll, pitch, yaw, w):
    """Nielsen 2018, eq. 2.8: through the quaternion's rate and through the matrix, the same."""
    rates = np.array(euler_zyx_rate(roll, pitch, w))
    back = np.array([
        [1, 0, -math.sin(pitch)],
        [0, math.cos(roll), math.cos(pitch) * math.sin(roll)],
        [0, -math.sin(roll), math.cos(pitch) * math.cos(roll)],
    ])  # fmt: skip
    same(back @ rates, w, 1e-13 / math.cos(pitch))
    h = 1e-6
    ahead, behind = ((roll + s * h * rates[0], pitch + s * h * rates[1], yaw + s * h * rates[2]) for s in (1, -1))
    difference = np.subtract(qt.from_euler_zyx(*ahead), qt.from_euler_zyx(*behind)) / (2 * h)
    scale = max(1.0, np.abs(rates).max())
    same(quaternion_rate(qt.from_euler_zyx(roll, pitch, yaw), w), difference, 1e-9 * scale**3)


@given(quaternions, three(3.0))
def test_quaternion_rate_forms(q, w):
    """q (0, w) / 2; T_q w with T_q^T T_q = I/4; and w = 2 H q_dot in body axes (Nielsen 2018, eq. 2.13 to 2.15)."""
    rate = quaternion_rate(q, w)
    same(rate, 0.5 * np.array(qt.product(q, (0.0, *w))))
    T = 0.5 * np.vstack([-np.array(q[1:]), q[0] * np.eye(3) + skew(q[1:])])
    same(rate, T @ w)
    same(T.T @ T, np.eye(3) / 4)
    H = np.hstack([-np.array(q[1:])[:, None], q[0] * np.eye(3) - skew(q[1:])])
    same(2 * H @ rate, w, 1e-13)
    assert abs(np.dot(q, rate)) < 1e-15  # the length stays


@given(quaternions, reals(0.5, 1.5), reals(0.1, 100.0))
def test_norm_feedback_pulls_the_length_to_one(q, length, gain):
    scaled = tuple(length * x for x in q)
    pull = qt.norm_feedback(scaled, gain)
    grows = np.dot(scaled, pull)
    assert grows * (1.0 - length**2) >= 0.0
    assert grows == pytest.approx(0.5 * gain * (1.0 - length**2) * length**2, rel=1e-12, abs=1e-12 * gain)
    assert np.allclose(qt.normalize(scaled), q, rtol=0, atol=1e-15)


def test_attitude_of_the_tunnel_run():
    """Gava et al. 2022: -5, 20, 15 deg give the printed quaternion only in the order R_x R_y R_z."""
    printed = [0.9764, -0.0199, 0.1776, 0.1209]
    degrees = (-5 * DEG, 20 * DEG, 15 * DEG)
    found = qt.from_euler_xyz(*degrees)
    assert np.round(found, 4).tolist() == printed
    same(qt.rotation_matrix(found), qt.matrix_from_euler_xyz(*degrees))
    marine = qt.from_euler_zyx(*degrees)
    assert np.round(marine, 5).tolist() == [0.97446, -0.06523, 0.16639, 0.13593]
    read_as_marine = np.array(qt.to_euler_zyx(qt.normalize(tuple(printed)))) / DEG
    assert np.round(read_as_marine, 2).tolist() == [0.25, 20.59, 14.16]


def test_attitude_of_the_falcon():
    """Proctor 2014: a quaternion and its angles."""
    q = qt.normalize((0.9, 0.1, -0.05, 0.3))
    assert np.round(q, 6).tolist() == [0.942163, 0.104685, -0.052342, 0.314054]
    assert np.round(np.array(qt.to_euler_zyx(q)) / DEG, 6).tolist() == [9.593134, -9.461426, 36.074174]
