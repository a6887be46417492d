"""Turning: the quaternion law, headings across the wrap, the cascade, echosounder offsets."""

import math

import pytest
from hypothesis import given

from remora.control import AttitudeGains, ardusub_cascade, attitude_torque, echo_offsets, turn_to_heading
from remora.control.autopilots.cascade import CascadeAxis, CascadeControl
from remora.control.feedback.attitude import HALF_TURN_MARGIN, attitude_error
from remora.control.feedback.pid import Pid
from remora.equations.algebra.quaternions import from_axis_angle, from_euler_zyx, normalize, product
from remora.vehicles import load_vehicle
from sample_features import quaternions, reals, three

GAINS = AttitudeGains((4.0, 4.0, 6.0), (1.5, 1.5, 2.0))
STILL = (0.0, 0.0, 0.0)


@given(quaternions)
def test_no_error_no_torque(q):
    """C1, for both signs of the quaternion."""
    q = normalize(q)
    opposite = tuple(-x for x in q)
    assert attitude_torque(GAINS, q, q, STILL) == pytest.approx(STILL, abs=1e-12)
    assert attitude_torque(GAINS, q, opposite, STILL) == pytest.approx(STILL, abs=1e-12)


@given(quaternions, three(0.2))
def test_the_error_is_in_body_axes(q, small):
    """Half of a small turn about body axes, wherever the body points."""
    q = normalize(q)
    turned = product(q, normalize((1.0, *(0.5 * x for x in small))))
    size = math.hypot(*small)
    assert attitude_error(q, turned) == pytest.approx(tuple(0.5 * x for x in small), abs=size**3 + 1e-12)


@given(reals(-4.0, 4.0), reals(-4.0, 4.0))
def test_the_short_way_round(first, second):
    """C2: the torque about the vertical has the sign of the short turn."""
    turn = math.remainder(second - first, 2.0 * math.pi)
    if min(abs(turn), math.pi - abs(turn)) < 1e-6:
        return
    q, wanted = (from_euler_zyx(0.0, 0.0, heading) for heading in (first, second))
    assert attitude_torque(GAINS, q, wanted, STILL)[2] * turn > 0.0
    assert turn_to_heading(first, second) * turn > 0.0


def test_damping_acts_against_the_rate_or_its_difference():
    q = (1.0, 0.0, 0.0, 0.0)
    assert attitude_torque(GAINS, q, q, (0.1, 0.2, 0.3)) == pytest.approx((-0.15, -0.3, -0.6))
    assert attitude_torque(GAINS, q, q, (0.1, 0.2, 0.3), (0.1, 0.2, 0.3)) == (0.0, 0.0, 0.0)


@given(reals(-20.0, 20.0), reals(-20.0, 20.0))
def test_a_turn_leads_to_the_heading(heading, wanted):
    turn = turn_to_heading(heading, wanted)
    assert math.remainder(heading + turn - wanted, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)
    assert abs(turn) <= math.pi + 1e-9


def test_exactly_half_a_turn_goes_to_starboard():
    for heading in (0.0, math.pi, -math.pi, 0.5 * math.pi, -3.0 * math.pi):
        assert turn_to_heading(heading, heading + math.pi) == pytest.approx(math.pi)
        assert turn_to_heading(heading, heading - math.pi) == pytest.approx(math.pi)


def test_close_to_half_a_turn_the_direction_is_kept():
    """C2: noise about half a turn does not send the vehicle to and fro."""
    last, error = 0.0, []
    for k in range(40):
        last = turn_to_heading(0.02 * (-1) ** k, math.pi, last)
        error.append(last)
    assert all(turn > 0.0 for turn in error) or all(turn < 0.0 for turn in error)
    assert turn_to_heading(0.0, math.pi - 2.0 * HALF_TURN_MARGIN, -3.0) > 0.0  # far enough from it, the short way


def test_offsets_of_echosounders():
    """e_sw = d_2 - d_1 and e_he = d_3 - d_4, twice the metres from the middle."""
    assert echo_offsets(2.7, 4.7, 2.7, 4.7) == pytest.approx((2.0, -2.0))
    assert echo_offsets(None, 4.7, 2.7, 4.7) == (None, pytest.approx(-2.0))
    assert echo_offsets(2.7, 4.7, math.nan, 4.7) == (pytest.approx(2.0), None)
    assert echo_offsets(3.7, 3.7, 3.7, 3.7) == (0.0, 0.0)


@pytest.fixture(scope="module")
def cascade():
    return ardusub_cascade(load_vehicle("vita1").parameters)


REST = (0.0,) * 6
LEVEL = (1.0, 0.0, 0.0, 0.0)


def test_cascade_at_rest_on_its_reference_does_nothing(cascade):
    """C1."""
    state = cascade.initial()
    for _ in range(100):
        state, torque = cascade.step(state, LEVEL, REST, LEVEL)
        assert torque == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_cascade_turns_each_axis_by_itself(cascade, axis):
    wanted = from_axis_angle(tuple(float(i == axis) for i in range(3)), 0.2)
    _, torque = cascade.step(cascade.initial(), LEVEL, REST, wanted)
    assert torque[axis] > 0.0
    assert [torque[i] for i in range(3) if i != axis] == [0.0, 0.0]


def test_cascade_takes_the_short_way_and_keeps_its_limits(cascade):
    """C2 and C3."""
    start, goal = from_euler_zyx(0.0, 0.0, 3.0), from_euler_zyx(0.0, 0.0, -3.0)
    state, torque = cascade.step(cascade.initial(), start, REST, goal)
    assert torque[2] > 0.0
    for _ in range(40_000):
        state, torque = cascade.step(state, LEVEL, REST, from_euler_zyx(0.0, 0.0, 2.0))
    assert torque[2] == pytest.approx(cascade.yaw.rate.highest, rel=1e-3)
    state, torque = cascade.step(state, LEVEL, (0.0, 0.0, 0.0, 0.0, 0.0, 3.0), from_euler_zyx(0.0, 0.0, 2.0))
    for _ in range(60):  # the filter of the rate error takes 32 ms
        state, torque = cascade.step(state, LEVEL, (0.0, 0.0, 0.0, 0.0, 0.0, 3.0), from_euler_zyx(0.0, 0.0, 2.0))
    assert torque[2] < 0.9 * cascade.yaw.rate.highest


@pytest.mark.parametrize("way", [-1.0, 1.0])
def test_cascade_never_asks_for_more_than_its_largest_turn_rate(way):
    """At that rate a far-off heading gives no torque; it brakes above it."""
    axis = CascadeAxis(angle_gain=6.0, largest_rate=0.5, rate=Pid(0.0025, proportional=3.0), error_filter_time=0.0)
    control, far = CascadeControl(axis, axis, axis), from_euler_zyx(0.0, 0.0, way * 2.5)
    for rate, torque in ((0.0, 1.5), (0.5, 0.0), (0.8, -0.9)):
        _, found = control.step(control.initial(), LEVEL, (0.0, 0.0, 0.0, 0.0, 0.0, way * rate), far)
        assert found == pytest.approx((0.0, 0.0, way * torque), abs=1e-12)


def test_cascade_without_an_attitude_gives_no_torque(cascade):
    """C8."""
    state, _ = cascade.step(cascade.initial(), LEVEL, REST, from_euler_zyx(0.1, 0.1, 0.1))
    after, torque = cascade.step(state, (math.nan,) * 4, REST, LEVEL)
    assert torque == (0.0, 0.0, 0.0)
    assert after.roll.rate.integral == state.roll.rate.integral
    after, torque = cascade.step(state, LEVEL, (0.0, 0.0, 0.0, math.inf, 0.0, 0.0), LEVEL)
    assert torque == (0.0, 0.0, 0.0)


def test_a_cascade_begins_without_a_kick_of_the_derivative():
    """At its first sample, and at the first one after a gap, an error has no rate."""
    axis = CascadeAxis(6.0, 0.5, Pid(0.0025, proportional=3.0, derivative=0.1), error_filter_time=0.0)
    control, wanted = CascadeControl(axis, axis, axis), from_euler_zyx(0.0, 0.0, 0.05)
    state, first = control.step(control.initial(), LEVEL, REST, wanted)
    state, second = control.step(state, LEVEL, REST, wanted)
    gap, _ = control.step(state, (math.nan,) * 4, REST, wanted)
    _, third = control.step(gap, LEVEL, REST, wanted)
    assert first == pytest.approx((0.0, 0.0, 3.0 * 6.0 * 0.05))
    assert first == second == third


def test_the_filter_of_the_rate_error_settles_with_its_time_constant():
    axis = CascadeAxis(6.0, 5.0, Pid(0.0025, proportional=3.0), error_filter_time=0.25)
    control = CascadeControl(axis, axis, axis)
    state, _ = control.step(control.initial(), LEVEL, REST, LEVEL)
    for _ in range(100):
        state, torque = control.step(state, LEVEL, (0.0, 0.0, 0.0, 0.0, 0.0, -0.2), LEVEL)
    assert torque[2] == pytest.approx(3.0 * 0.2 * (1.0 - math.exp(-1.0)), rel=0.01)
