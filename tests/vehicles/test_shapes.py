"""Estimates from shapes: printed figures, limits, symmetry, positivity and clear refusals."""

import doctest
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from remora.equations.algebra.vectors import diagonal6
from remora.vehicles.assembly import shapes

sizes = st.floats(0.01, 10.0)
densities = st.floats(900.0, 1100.0)
slender = st.tuples(st.floats(0.05, 1.0), st.floats(1.0, 50.0)).map(lambda t: (t[0] * t[1], t[0]))


# Printed figures


@pytest.mark.parametrize(
    ("length", "diameter", "expected", "tolerance"),
    [(2.7, 0.2, (0.012873, 0.974901, 0.925900), 5e-7), (1.6, 0.19, (0.027, 0.949, 0.851), 5e-4)],
)
def test_lambs_coefficients(length, diameter, expected, tolerance):
    assert shapes.spheroid_coefficients(length, diameter) == pytest.approx(expected, rel=0, abs=tolerance)


def test_gavia_hull():
    """A torpedo of 2.7 x 0.2 m and 70 kg: added mass, inertia and cross-flow drag."""
    inertia = shapes.cylinder_inertia(70.0, 2.7, 0.2)
    assert inertia == pytest.approx((0.35, 42.7, 42.7), abs=0.005)
    added = shapes.slender_hull_added_mass(2.7, 0.2, 70.0, inertia[1])
    assert added == pytest.approx((0.90, 68.2, 68.2, 0.0, 39.5, 39.5), abs=0.05)
    assert added[0] == pytest.approx(0.90, abs=0.005)
    sway, yaw = shapes.cross_flow_drag(1.1, 2.7, 0.2, 1000.0)
    assert sway == pytest.approx(297.0, abs=0.5)
    assert yaw == pytest.approx(183.0, abs=0.5)


def test_remus():
    """Drag as strip theory has it; added mass below the published 0.93, 35.5 and 4.88, which include fins."""
    inertia = shapes.cylinder_inertia(30.48, 1.33, 0.191)
    added = shapes.slender_hull_added_mass(1.33, 0.191, 30.48, inertia[1])
    assert (added[0], added[1], added[4]) == pytest.approx((1.10, 28.4, 3.67), abs=0.05)
    assert shapes.cross_flow_drag(1.1, 1.33, 0.191, 1030.0)[0] == pytest.approx(144.0, abs=0.5)


def test_spherical_module():
    """Diameter 0.30 m in fresh water, 14.3 kg: Nielsen 2018, tables 4.1 and 4.2."""
    assert shapes.sphere_added_mass(0.30, 1000.0) == pytest.approx((7.07, 7.07, 7.07, 0.0, 0.0, 0.0), abs=0.005)
    assert shapes.sphere_added_mass(0.25, 1000.0)[0] == pytest.approx(4.09, abs=0.005)
    assert shapes.sphere_inertia(14.3, 0.30)[0] == pytest.approx(0.129, abs=0.0005)


def test_bluerov_frame_as_a_box():
    """The closed box takes far more water along than the open frame, for which Nielsen 2018 has 2.6, 18.5 and 13.3."""
    added = shapes.box_added_mass(0.483, 0.330, 0.254, 1000.0)
    assert added[:3] == pytest.approx((16.8, 26.7, 38.8), abs=0.05)
    assert shapes.box_inertia(8.0, 0.483, 0.330, 0.254) == pytest.approx((0.116, 0.199, 0.228), abs=0.0005)


@pytest.mark.parametrize(
    ("quadratic", "linear"),
    # Nielsen 2018, table 4.1 (spheres) and table 5.3 (BlueROV, flow computation).
    [(3.8, 0.61), (18.9, 3.0), (12.1, 1.9), (16.41, 2.63), (46.49, 7.43), (37.63, 6.02)],
)
def test_linear_drag_is_a_sixth_of_the_quadratic(quadratic, linear):
    assert shapes.linear_from_quadratic(quadratic) == pytest.approx(linear, rel=0.02)


def test_linear_rotational_damping_of_a_module():
    """With the tabulated data the rule gives 0.018, not the 0.05 and 0.0353 that the same table lists."""
    stiffness = 0.0114 * 14.3 * 9.81
    roll = shapes.linear_rotational_damping(0.02, 0.13, 0.0074, stiffness)
    pitch = shapes.linear_rotational_damping(0.02, 0.16, 0.0317, stiffness)
    assert (roll, pitch) == pytest.approx((0.018, 0.018), abs=0.0005)
    assert shapes.linear_rotational_damping(0.02, 0.16, 0.0, 0.0) == 0.0


def test_linear_yaw_from_the_ratio_of_roll_or_pitch():
    assert shapes.linear_by_ratio(0.014, 0.164, 0.97) == pytest.approx(0.083, abs=0.0005)
    assert shapes.linear_by_ratio(0.0353, 0.05, 0.108) == pytest.approx(0.0762, abs=0.00005)


def test_unmeasured_axes_of_the_bluerov():
    """Nielsen 2018, table 5.2; its roll and yaw quadratics do not follow from its own pitch, 0.084 and 0.43."""
    added = (2.6, 18.5, 13.3, 0.054, 0.0173, 0.28)
    linear = shapes.extrapolated_damping(added, surge=0.0, heave=0.19, pitch=0.287)
    assert linear == pytest.approx((0.0, 0.264, 0.19, 0.896, 0.287, 4.645), abs=0.0005)
    quadratic = shapes.extrapolated_damping(added, surge=34.96, heave=74.23, pitch=0.028)
    assert quadratic == pytest.approx((34.96, 103.25, 74.23, 0.0874, 0.028, 0.453), abs=0.005)
    assert quadratic[3] == pytest.approx(0.0874, abs=0.00005)


def test_morison_drag():
    assert shapes.morison_drag(1.1, 0.54, 1000.0) == pytest.approx(297.0)


# DNV-RP-H103 (2011), appendix A, table A-2


@pytest.mark.parametrize(("slenderness", "coefficient"), [(1.2, 0.62), (2.5, 0.78), (5.0, 0.90), (9.0, 0.96)])
def test_cylinder_against_the_table(slenderness, coefficient):
    across = shapes.cylinder_added_mass(slenderness, 1.0, 1.0)[1]
    assert across == pytest.approx(coefficient * math.pi / 4.0 * slenderness, rel=0.04)


@pytest.mark.parametrize(
    ("aspect", "coefficient"),
    [(1.0, 0.579), (1.25, 0.642), (1.5, 0.690), (2.0, 0.757), (3.0, 0.830), (5.0, 0.897), (8.0, 0.934), (10.0, 0.947)],
)
def test_rectangular_plate_against_the_table(aspect, coefficient):
    plate = shapes.box_added_mass(aspect, 1.0, 1e-9, 1.0)[2]
    assert plate == pytest.approx(coefficient * math.pi / 4.0 * aspect, rel=0.042)


@pytest.mark.parametrize(
    ("aspect", "coefficient"),
    [(1.0, 0.68), (2.0, 0.36), (3.0, 0.24), (4.0, 0.19), (5.0, 0.15), (6.0, 0.13), (7.0, 0.11), (10.0, 0.08)],
)
def test_square_prism_against_the_table(aspect, coefficient):
    along = shapes.box_added_mass(aspect, 1.0, 1.0, 1.0)[0]
    assert along == pytest.approx(coefficient * aspect, rel=0.035)


# Limits


def test_spheroid_tends_to_the_sphere():
    sphere = shapes.sphere_added_mass(0.3, 1000.0)
    assert shapes.spheroid_added_mass(0.3, 0.3, 1000.0) == pytest.approx(sphere, rel=1e-15, abs=1e-15)
    assert shapes.spheroid_inertia(5.0, 0.3, 0.3) == pytest.approx(shapes.sphere_inertia(5.0, 0.3))
    for excess in (1e-12, 1e-9, 1e-6, 1e-3):
        near = shapes.spheroid_coefficients(1.0 + excess, 1.0)
        assert near[:2] == pytest.approx((0.5, 0.5), abs=excess)
        assert near.rotational == pytest.approx((2.0 * excess) ** 2 / 6.0, rel=0.01 + 1e-16 / excess * 10)


def test_spheroid_series_meets_the_closed_form():
    length = 1.0 / math.sqrt(0.9)  # e^2 = 0.1, where the way of computing changes
    below = shapes.spheroid_coefficients(length * (1.0 - 1e-14), 1.0)
    above = shapes.spheroid_coefficients(length * (1.0 + 1e-14), 1.0)
    assert below == pytest.approx(above, rel=1e-11)


def test_needle_takes_its_own_mass_sideways_and_none_along():
    needle = shapes.spheroid_coefficients(1000.0, 1.0)
    assert needle == pytest.approx((0.0, 1.0, 1.0), abs=1e-4)


def test_long_cylinder_is_strip_theory():
    added = shapes.cylinder_added_mass(1e4, 1.0, 1.0)
    strip = math.pi / 4.0 * 1e4
    assert added[1] == pytest.approx(strip, rel=1e-4)
    assert added[4] == pytest.approx(strip * 1e8 / 12.0, rel=3e-4)


def test_short_cylinder_is_lambs_disc():
    added = shapes.cylinder_added_mass(1e-9, 2.0, 1.0)
    assert (added[0], added[4]) == pytest.approx((8.0 / 3.0, 16.0 / 45.0), rel=1e-8)


def test_wide_thin_box_is_lambs_flat_plate():
    """Per length, pi/4 density s^2 across and pi/128 density s^4 about the long axis."""
    added = shapes.box_added_mass(1e5, 1.0, 1e-9, 1.0)
    assert added[2] == pytest.approx(math.pi / 4.0 * 1e5, rel=1e-4)
    assert added[3] == pytest.approx(math.pi / 128.0 * 1e5, rel=1e-4)


# Properties


@given(slender, densities)
def test_bodies_of_revolution_are_symmetric_and_positive(size, density):
    length, diameter = size
    for estimate in (shapes.spheroid_added_mass, shapes.cylinder_added_mass):
        surge, sway, heave, roll, pitch, yaw = estimate(length, diameter, density)
        assert sway == heave
        assert pitch == yaw
        assert roll == 0.0
        assert min(surge, sway) > 0.0
        assert pitch >= 0.0
        assert np.linalg.eigvalsh(diagonal6(estimate(length, diameter, density))).min() >= 0.0


@given(slender)
def test_spheroid_coefficients_lie_between_sphere_and_needle(size):
    k = shapes.spheroid_coefficients(*size)
    assert 0.0 < k.axial <= 0.5 + 1e-12
    assert 0.5 - 1e-12 <= k.transverse < 1.0
    assert 0.0 <= k.rotational < 1.0


@given(sizes, sizes, sizes, densities)
def test_box_does_not_know_the_names_of_its_axes(a, b, c, density):
    first = shapes.box_added_mass(a, b, c, density)
    assert min(first) > 0.0
    turned = shapes.box_added_mass(b, c, a, density)
    assert turned == pytest.approx((first[1], first[2], first[0], first[4], first[5], first[3]), rel=1e-12)
    mirrored = shapes.box_added_mass(a, c, b, density)
    assert mirrored == pytest.approx((first[0], first[2], first[1], first[3], first[5], first[4]), rel=1e-12)


@given(slender, st.floats(0.1, 10.0), densities)
def test_added_mass_scales_with_volume_and_added_inertia_with_its_size_squared(size, factor, density):
    length, diameter = size
    scales = np.array([factor**3] * 3 + [factor**5] * 3)
    for estimate, small in (
        (shapes.spheroid_added_mass, (length, diameter)),
        (shapes.cylinder_added_mass, (length, diameter)),
        (shapes.box_added_mass, (length, diameter, 0.5 * diameter)),
    ):
        large = estimate(*(factor * x for x in small), density)
        assert large == pytest.approx(scales * estimate(*small, density), rel=1e-6)
        assert estimate(*small, 2.0 * density) == pytest.approx(2.0 * np.array(estimate(*small, density)))


@given(sizes, sizes, sizes, st.floats(0.1, 1000.0))
def test_inertia_is_physical(a, b, c, mass):
    """Each moment is positive and at most the sum of the two others."""
    moments = [
        shapes.sphere_inertia(mass, a),
        shapes.spheroid_inertia(mass, a, b),
        shapes.cylinder_inertia(mass, a, b),
        shapes.box_inertia(mass, a, b, c),
    ]
    for x, y, z in moments:
        assert min(x, y, z) > 0.0
        assert 2.0 * max(x, y, z) <= (x + y + z) * (1.0 + 1e-12)


@given(st.floats(0.1, 2.0), sizes, sizes, densities)
def test_cross_flow_drag_is_the_sum_of_its_strips(coefficient, length, width, density):
    translation, rotation = shapes.cross_flow_drag(coefficient, length, width, density)
    assert translation == shapes.morison_drag(coefficient, length * width, density)
    x = (np.arange(2000) + 0.5) / 2000 * length - 0.5 * length
    assert rotation == pytest.approx(translation * np.mean(np.abs(x) ** 3), rel=1e-5)


@given(st.tuples(*[st.floats(0.01, 100.0)] * 6), *[st.floats(0.0, 100.0)] * 3)
def test_extrapolation_keeps_what_was_measured(added, surge, heave, pitch):
    damping = shapes.extrapolated_damping(added, surge, heave, pitch)
    assert (damping[0], damping[2], damping[4]) == (surge, heave, pitch)
    assert min(damping) >= 0.0


# Refusals


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize(
    ("estimate", "arguments"),
    [
        (shapes.sphere_inertia, 2),
        (shapes.spheroid_inertia, 3),
        (shapes.cylinder_inertia, 3),
        (shapes.box_inertia, 4),
        (shapes.sphere_added_mass, 2),
        (shapes.spheroid_coefficients, 2),
        (shapes.spheroid_added_mass, 3),
        (shapes.slender_hull_added_mass, 4),
        (shapes.cylinder_added_mass, 3),
        (shapes.box_added_mass, 4),
        (shapes.morison_drag, 3),
        (shapes.cross_flow_drag, 4),
    ],
)
def test_sizes_must_be_positive(estimate, arguments, wrong):
    for position in range(arguments):
        values = [1.0] * arguments
        values[position] = wrong
        with pytest.raises(ValueError, match=rf"\w+ = {wrong}: must be a finite number above zero"):
            estimate(*values)


def test_refusals_name_what_is_wrong():
    with pytest.raises(ValueError, match=r"length = 0.2 is below diameter = 2.7: the spheroid must be prolate"):
        shapes.spheroid_coefficients(0.2, 2.7)
    with pytest.raises(ValueError, match=r"quadratic = -1.0"):
        shapes.linear_from_quadratic(-1.0)
    with pytest.raises(ValueError, match=r"stiffness = -1.0"):
        shapes.linear_rotational_damping(0.02, 0.1, 0.0, -1.0)
    with pytest.raises(ValueError, match=r"inertia = 0.0"):
        shapes.linear_rotational_damping(0.02, 0.0, 0.0, 1.0)
    with pytest.raises(ValueError, match=r"known_quadratic = 0.0"):
        shapes.linear_by_ratio(1.0, 0.0, 1.0)
    with pytest.raises(ValueError, match=r"pitch_added_inertia = 0.0"):
        shapes.extrapolated_damping(shapes.sphere_added_mass(0.3, 1000.0), 1.0, 1.0, 1.0)


def test_the_example_of_the_documentation():
    page = Path(__file__).parents[2] / "docs" / "theory-shapes.md"
    blocks = re.findall(r"```pycon\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert blocks
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    assert doctest.DocTestRunner().run(example).failed == 0
