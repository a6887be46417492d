"""Invariant S9: twists, wrenches and inertias seen from another frame of the same body."""

import numpy as np
from hypothesis import given

from remora.equations.algebra.kinematics import inertia_about_B, twist_at, twist_transform, wrench_at
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import (
    add3,
    dot6,
    matmul3,
    matmul6,
    matvec3,
    matvec6,
    scale3,
    transpose3,
    transpose6,
)
from remora.equations.hull.inertia import kinetic_energy, rigid_body_inertia
from remora.vehicles.parameters import total_inertia
from sample_features import general_vehicles, quaternions, six, three

LIMIT = 1e-12
places = three(3.0)
rotations = quaternions.map(rotation_matrix)


def assert_same(a, b, scale):
    np.testing.assert_allclose(a, b, rtol=0, atol=LIMIT * max(scale, 1e-300))


def largest(*values):
    return max(np.abs(v).max() for v in values)


@given(six(2.0), six(50.0), places, rotations)
def test_round_trip(twist, wrench, p_BS, R_BS):
    """From B to S and back again."""
    R_SB = transpose3(R_BS)
    p_SB = scale3(-1.0, matvec3(R_SB, p_BS))
    assert_same(twist_at(twist_at(twist, p_BS, R_BS), p_SB, R_SB), twist, 10.0 * largest(twist))
    assert_same(wrench_at(wrench_at(wrench, p_BS, R_BS), p_SB, R_SB), wrench, 10.0 * largest(wrench))


@given(six(2.0), six(50.0), places, rotations, places, rotations)
def test_composition(twist, wrench, p_BS, R_BS, p_ST, R_ST):
    """B to S to T is B to T."""
    p_BT, R_BT = add3(p_BS, matvec3(R_BS, p_ST)), matmul3(R_BS, R_ST)
    two_moves = twist_at(twist_at(twist, p_BS, R_BS), p_ST, R_ST)
    assert_same(two_moves, twist_at(twist, p_BT, R_BT), 10.0 * largest(twist))
    two_moves = wrench_at(wrench_at(wrench, p_BS, R_BS), p_ST, R_ST)
    assert_same(two_moves, wrench_at(wrench, p_BT, R_BT), 10.0 * largest(wrench))
    product = matmul6(twist_transform(p_ST, R_ST), twist_transform(p_BS, R_BS))
    assert_same(product, twist_transform(p_BT, R_BT), 10.0)


@given(six(2.0), six(50.0), places, rotations)
def test_power_is_the_same_in_any_frame(twist, wrench, p_BS, R_BS):
    power = dot6(twist, wrench)
    moved = dot6(twist_at(twist, p_BS, R_BS), wrench_at(wrench, p_BS, R_BS))
    assert_same(moved, power, 100.0 * largest(twist) * largest(wrench))


@given(six(2.0), six(50.0), places, rotations)
def test_the_matrix_does_what_the_functions_do(twist, wrench, p_BS, R_BS):
    X = twist_transform(p_BS, R_BS)
    assert_same(matvec6(X, twist), twist_at(twist, p_BS, R_BS), 10.0 * largest(twist))
    assert_same(matvec6(transpose6(X), wrench_at(wrench, p_BS, R_BS)), wrench, 10.0 * largest(wrench))


@given(general_vehicles, six(2.0), places, rotations)
def test_kinetic_energy_is_the_same_in_any_frame(parameters, twist_B, p_BS, R_BS):
    inertia_S = total_inertia(parameters)
    inertia_B = inertia_about_B(inertia_S, p_BS, R_BS)
    twist_S = twist_at(twist_B, p_BS, R_BS)
    scale = np.abs(inertia_S).max() * 100.0 * largest(twist_B) ** 2
    assert_same(kinetic_energy(inertia_B, twist_B), kinetic_energy(inertia_S, twist_S), scale)


@given(general_vehicles, places)
def test_moving_the_origin_is_the_parallel_axes_rule(parameters, p_BS):
    """A rigid body moved by the 6x6 transform equals one built about the other origin from mass, place and inertia."""
    mass, inertia_G = parameters.mass, parameters.inertia_G
    about_S = rigid_body_inertia(mass, parameters.p_BG, inertia_G)
    moved = inertia_about_B(about_S, p_BS, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    built = rigid_body_inertia(mass, add3(p_BS, parameters.p_BG), inertia_G)
    assert_same(moved, built, largest(moved))
