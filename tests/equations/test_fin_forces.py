"""Fins: lift across the flow, drag along it, and deflection that steers the right way, ahead and astern."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from remora.equations.actuators.fins import drag_coefficient, fin_wrench, lift_coefficient
from remora.equations.algebra.vectors import add3, angular, cross, dot3, dot6, linear
from sample_features import reals, six, three, twists
from sample_vehicles import tail_fin

deflections = reals(-0.35, 0.35)


def local_velocity(fin, twist):
    return add3(linear(twist), cross(angular(twist), fin.position))


def flow_in_plane(fin, twist):
    """Velocity of the fin through the water without the part along its span."""
    local = local_velocity(fin, twist)
    return dot3(fin.chord, local), dot3(fin.normal, local)


def angle_of_attack(fin, deflection, twist):
    ahead, sideways = flow_in_plane(fin, twist)
    return math.copysign(1.0, ahead) * deflection - math.atan2(sideways, abs(ahead))


@given(reals(0.0, 6.28), deflections, twists)
def test_lift_does_no_work(clock, deflection, twist):
    """Lift stands across the local flow, so that without drag a fin takes no power at all."""
    fin = tail_fin(clock, drag_at_zero_lift=0.0, induced_drag=0.0)
    assume(abs(angle_of_attack(fin, deflection, twist)) < fin.stall_angle)  # past stall there is always drag
    wrench = fin_wrench(fin, deflection, twist)
    speed = math.hypot(*flow_in_plane(fin, twist))
    size = fin.dynamic_area * fin.lift_slope * fin.stall_angle * speed**3
    assert abs(dot6(wrench, twist)) <= 1e-12 * size + 1e-300


@given(reals(0.0, 6.28), deflections, twists)
def test_drag_takes_energy_and_nothing_else_does(clock, deflection, twist):
    """Power is minus drag times speed."""
    fin = tail_fin(clock)
    speed = math.hypot(*flow_in_plane(fin, twist))
    assume(flow_in_plane(fin, twist)[0] != 0.0)
    attack = angle_of_attack(fin, deflection, twist)
    coefficient = drag_coefficient(fin, attack, lift_coefficient(fin, attack))
    taken = fin.dynamic_area * coefficient * speed**3
    size = fin.dynamic_area * fin.lift_slope * speed**3
    assert dot6(fin_wrench(fin, deflection, twist), twist) == pytest.approx(-taken, rel=1e-12, abs=1e-12 * size)


@given(reals(0.1, 3.0), reals(0.01, 0.3), st.sampled_from([0.0, 1.0]))
def test_deflection_steers_ahead_and_reversed_astern(speed, deflection, feels_cross_flow):
    fin = tail_fin(0.0, feels_cross_flow=feels_cross_flow)  # starboard fin, normal down
    ahead = fin_wrench(fin, deflection, (speed, 0.0, 0.0, 0.0, 0.0, 0.0))
    astern = fin_wrench(fin, deflection, (-speed, 0.0, 0.0, 0.0, 0.0, 0.0))
    expected = fin.dynamic_area * fin.lift_slope * deflection * speed**2
    assert ahead[2] == pytest.approx(expected, rel=1e-12)
    assert astern[2] == pytest.approx(-expected, rel=1e-12)
    assert ahead[0] < 0.0 < astern[0]  # drag opposes either way
    # A tail pushed down lifts the bow when going ahead: y moment = -x Z with x < 0.
    assert ahead[4] == pytest.approx(-fin.position[0] * ahead[2] + fin.position[2] * ahead[0], rel=1e-12)
    assert ahead[4] > 0.0


@given(reals(0.2, 3.0), reals(0.001, 0.4))
def test_cross_flow_is_opposed(speed, sideways):
    """A tail that swings is held back, ahead and astern; not if the hull's own coefficients already hold that part."""
    for u in (speed, -speed):
        assert fin_wrench(tail_fin(0.0), 0.0, (u, 0.0, sideways, 0.0, 0.0, 0.0))[2] < 0.0
        blind = fin_wrench(tail_fin(0.0, feels_cross_flow=0.0), 0.0, (u, 0.0, sideways, 0.0, 0.0, 0.0))
        assert blind[2] == 0.0


@given(three(1.0), deflections, six(2.0))
def test_wrench_is_a_force_at_the_centre_of_pressure(position, deflection, twist):
    fin = tail_fin(0.4, position=position)
    wrench = fin_wrench(fin, deflection, twist)
    size = np.abs(wrench[:3]).max() + 1e-300
    np.testing.assert_allclose(wrench[3:], cross(position, wrench[:3]), rtol=0, atol=1e-14 * size)
    assert abs(dot3(wrench[:3], cross(fin.chord, fin.normal))) <= 1e-14 * size  # nothing along the span


def test_lift_fades_beyond_stall_and_drag_takes_over():
    fin = tail_fin(0.0, stall_angle=0.2)
    at_stall = fin.lift_slope * 0.2
    assert lift_coefficient(fin, 0.2) == pytest.approx(at_stall)
    assert lift_coefficient(fin, 0.6) == pytest.approx(at_stall * math.cos(0.6) / math.cos(0.2))
    assert lift_coefficient(fin, math.pi / 2) == pytest.approx(0.0, abs=1e-15)
    plate = drag_coefficient(fin, math.pi / 2, 0.0) - fin.drag_at_zero_lift
    assert plate == pytest.approx(1.17 * math.cos(0.2) ** 2)  # Hoerner's flat plate, less what the attached flow had


@given(reals(-1.0, 1.0), deflections)
def test_force_is_continuous_where_the_flow_turns_from_ahead_to_astern(sideways, deflection):
    ahead, astern = (
        np.array(fin_wrench(tail_fin(0.0), deflection, (u, 0.0, sideways, 0.0, 0.0, 0.0))) for u in (1e-9, -1e-9)
    )
    np.testing.assert_allclose(ahead, astern, atol=1e-7)


def test_a_fin_at_rest_feels_nothing():
    assert np.abs(fin_wrench(tail_fin(0.3), 0.2, (0.0,) * 6)).max() == 0.0
