"""Inertia of bodies about any origin, of several parts together, and with a heave mass that changes."""

import numpy as np
from hypothesis import given

from remora.equations.algebra.vectors import add_matrix6
from remora.equations.hull.inertia import (
    inertia_about_G,
    point_mass_inertia,
    rigid_body_inertia,
    solve_with_heave_change,
)
from remora.vehicles.parameters import total_inertia
from sample_features import general_vehicles, reals, six, three
from sample_vehicles import tuples

masses = reals(0.1, 100.0)


@given(general_vehicles)
def test_rigid_body_inertia_is_that_of_its_points(parameters):
    """Six point masses with the same mass, centre and inertia: the sum over them is the 6x6 matrix."""
    moments, axes = np.linalg.eigh(np.array(parameters.inertia_G))
    second = (moments.sum() / 2 - moments) / parameters.mass  # mean square distance along each principal axis
    total = np.zeros((6, 6))
    for length, axis in zip(np.sqrt(3 * second), axes.T, strict=True):
        for sign in (1, -1):
            place = np.array(parameters.p_BG) + sign * length * axis
            total += rigid_body_inertia(parameters.mass / 6, tuples(place), tuples(np.zeros((3, 3))))
    built = rigid_body_inertia(parameters.mass, parameters.p_BG, parameters.inertia_G)
    np.testing.assert_allclose(total, built, rtol=0, atol=1e-12 * np.abs(built).max())


@given(masses, three(2.0), masses, three(2.0))
def test_parts_add_up(m1, p1, m2, p2):
    """Two masses summed about B are one body: total mass, common centre, symmetric and positive."""
    nothing = tuples(np.zeros((3, 3)))
    total = np.array(add_matrix6(rigid_body_inertia(m1, p1, nothing), rigid_body_inertia(m2, p2, nothing)))
    centre = (m1 * np.array(p1) + m2 * np.array(p2)) / (m1 + m2)
    size = np.abs(total).max()
    np.testing.assert_allclose(total[:3, :3], (m1 + m2) * np.eye(3), rtol=1e-15, atol=0)
    lever = [total[5, 1], total[3, 2], total[4, 0]]  # m x, m y, m z
    np.testing.assert_allclose(lever, (m1 + m2) * centre, rtol=0, atol=1e-14 * size)
    np.testing.assert_allclose(total, total.T, rtol=0, atol=1e-15 * size)
    assert np.linalg.eigvalsh(total).min() > -1e-12 * size


@given(general_vehicles, three(1.0))
def test_to_B_and_back_to_G(parameters, p_BG):
    about_B = np.add(parameters.inertia_G, point_mass_inertia(parameters.mass, p_BG))
    back = inertia_about_G(parameters.mass, p_BG, tuples(about_B))
    np.testing.assert_allclose(back, parameters.inertia_G, rtol=0, atol=1e-14 * np.abs(about_B).max())


@given(general_vehicles, reals(-0.4, 3.0), six(100.0))
def test_heave_change_is_a_solve_with_the_changed_matrix(parameters, share, wrench):
    inertia = np.array(total_inertia(parameters))
    change = share * parameters.added_mass[2][2] * 0.5
    changed = inertia.copy()
    changed[2, 2] += change
    if np.linalg.eigvalsh(changed).min() < 1e-3 * np.linalg.eigvalsh(inertia).min():
        return
    found = solve_with_heave_change(tuples(np.linalg.inv(inertia)), change, wrench)
    error = changed @ np.array(found) - wrench
    np.testing.assert_allclose(error, 0.0, atol=1e-9 * (np.abs(wrench).max() + 1e-300))
