"""Equations of docking: backends, exact cones, prices, margins and the curvature used by the condensed Hessian."""

import math

import casadi
import numba
import numpy as np
import pytest
from hypothesis import given, strategies as st

import remora.plant  # noqa: F401  registers the equations with Numba
from remora.equations.control.docking import (
    PlanarModel,
    clearance_side,
    cone_slopes,
    cone_values,
    motion_curvature,
    off_axis,
    planar_rate,
    planar_step,
    port_pose,
    port_slope,
    priced_constraint,
    sight_margin,
)

MODEL = PlanarModel((10.0, 12.0, 1.5), (30.0, 25.0, 1.2), (0.1, -0.2))
POINT = (0.4, -0.3, 0.7, 0.2, -0.1, 0.3)


def moved(x):
    state = (x[0], x[1], x[2], x[3], x[4], x[5])
    return planar_step(MODEL, state, (3.0 * x[0], -2.0, x[5]), 0.05), motion_curvature(state, (x[4], 2.0))


def seen(x):
    offset = (x[0] + 2.0, x[1])
    return (
        cone_values(x[2], 0.4, offset), cone_slopes(x[2], 0.4, offset), off_axis(x[2], offset),
        port_pose((0.3, 0.1, 0.2), (x[0], x[1], x[2])), port_slope((0.3, 0.1, 0.2), x[2]),
    )  # fmt: skip


def priced(x):
    return (
        priced_constraint(x[3], 5.0, x[4]), sight_margin(0.01, 2.0, x[3], 0.1, x[2] + 3.0, 0.3),
        clearance_side((x[0], x[1]), (x[2], x[3]), 0.5),
    )  # fmt: skip


def flat(values):
    return [number for value in values for number in (flat(value) if isinstance(value, tuple) else [value])]


@pytest.mark.parametrize("function", [moved, seen, priced])
def test_backends_agree(function) -> None:
    expected = flat(function(POINT))
    arrays = flat(function([np.full(3, value) for value in POINT]))
    assert np.allclose([np.broadcast_to(a, 3)[0] for a in arrays], expected, rtol=1e-14, atol=1e-15)
    symbol = casadi.SX.sym("x", 6)
    symbolic = casadi.Function("f", [symbol], [casadi.vertcat(*flat(function([symbol[i] for i in range(6)])))])
    assert np.allclose(symbolic(POINT).full().ravel(), expected, rtol=1e-13, atol=1e-15)
    assert np.allclose(flat(numba.njit(function)(POINT)), expected, rtol=1e-13, atol=1e-15)


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(0.1, 2.0))
def test_the_side_of_a_clearance_is_the_distance_that_is_missing(north, east, distance) -> None:
    """At the own position it is exact; elsewhere it never calls a position far enough that is not."""
    other = (0.3, -0.2)
    n, e, constant = clearance_side((north, east), other, distance)
    apart = math.hypot(other[0] - north, other[1] - east)
    if apart > 1e-6:
        assert n * north + e * east + constant == pytest.approx(distance - apart, abs=1e-9)
        for angle in np.linspace(0.0, 6.0, 7):
            at = (other[0] + 0.99 * distance * math.cos(angle), other[1] + 0.99 * distance * math.sin(angle))
            assert n * at[0] + e * at[1] + constant > 0.0


@given(
    st.floats(-7, 7), st.floats(0.01, 0.5 * math.pi - 0.01), st.floats(-math.pi, math.pi), st.floats(0.01, 50.0)
)  # fmt: skip
def test_both_sides_hold_exactly_inside_the_cone(axis, half_angle, away, distance) -> None:
    bearing = axis + away
    values = cone_values(axis, half_angle, (distance * math.cos(bearing), distance * math.sin(bearing)))
    if abs(abs(away) - half_angle) > 1e-9:
        assert (max(values) <= 0.0) == (abs(away) <= half_angle)
    assert values[0] == pytest.approx(distance * math.sin(away - half_angle), abs=1e-12 * distance)
    assert values[1] == pytest.approx(distance * math.sin(-away - half_angle), abs=1e-12 * distance)


def test_second_derivatives_of_motion_are_those_of_casadi() -> None:
    x, p = casadi.SX.sym("x", 6), casadi.SX.sym("p", 2)
    rate = planar_rate(MODEL, tuple(x[i] for i in range(6)), (1.0, 2.0, 3.0))
    hessian = casadi.Function("h", [x, p], [casadi.hessian(p[0] * rate[0] + p[1] * rate[1], x)[0]])
    expected = np.array(hessian(POINT, [0.7, -1.3]))
    turning, surge, sway = motion_curvature(POINT, (0.7, -1.3))
    found = np.zeros((6, 6))
    found[2, 2], found[2, 3], found[2, 4] = turning, surge, sway
    found[3, 2], found[4, 2] = surge, sway
    assert np.allclose(found, expected, atol=1e-14)


def test_a_penalised_price_is_smooth_and_flat_inside() -> None:
    for value in (-1.0, -0.4, -0.39, 0.2):
        cost, slope, stiffness = priced_constraint(2.0, 5.0, value)
        ahead = priced_constraint(2.0, 5.0, value + 1e-6)
        assert (ahead[0] - cost) / 1e-6 == pytest.approx(slope, abs=1e-5)
        assert slope >= 0.0
        assert stiffness in (0.0, 5.0)
    assert priced_constraint(2.0, 5.0, -1.0)[1:] == (0.0, 0.0)
    assert priced_constraint(2.0, 0.0, -1.0) == (-2.0, 2.0, 0.0)


def test_the_margin_grows_with_uncertainty_and_at_short_range() -> None:
    fixed = sight_margin(0.02, 2.0, 0.0, 0.0, 3.0, 0.3)
    unsure = sight_margin(0.02, 2.0, 0.01, 0.05, 3.0, 0.3)
    assert fixed == 0.02
    assert fixed < unsure < sight_margin(0.02, 2.0, 0.01, 0.05, 1.0, 0.3) < 0.3
    assert unsure == pytest.approx(0.02 + 2.0 * math.hypot(0.01, 0.05 / 3.0))
    assert sight_margin(0.02, 2.0, 0.01, 0.05, 0.0, 0.3) == 0.3
