"""Guidance laws: Lyapunov decrease, limits, line of sight against a current, minimum snap, keep-out zones."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from remora.equations.algebra.quaternions import from_euler_zyx, rotation_matrix
from remora.equations.guidance import keep_out, line_of_sight as los, lyapunov
from remora.equations.guidance.minimum_snap import SnapMotion, minimum_snap, minimum_snap_duration

UNLIMITED = (1e9, 1e9, 1e9, 1e9)
NO_LIMITS = (-1e9, -1e9, -1e9, -1e9)
LAW = lyapunov.LyapunovLaw(
    proportional=(0.375, 0.3, 0.2, 0.4), integral=(0.0,) * 4, lowest=NO_LIMITS, highest=UNLIMITED,
    largest_integral=(0.3, 0.15, 0.075, 0.15), upper=(3.0, 3.0, 3.0, 0.52), lower=(2.0, 2.0, 2.0, 0.35),
    heave=lyapunov.ROTATED, tilt_sine=0.3,
)  # fmt: skip
STILL = (0.0,) * 6
LEVEL = (1.0, 0.0, 0.0, 0.0)
reals = st.floats(-5.0, 5.0)
tilts = st.floats(-0.6, 0.6)


def velocity(law, error, q=LEVEL, twist=STILL, rate=(0.0,) * 4, state=None, period=0.05, remaining=(0.0,) * 4):
    given = state or lyapunov.LyapunovState()
    return lyapunov.lyapunov_velocity(law, given, error, rate, q, twist, period, remaining)


@given(st.tuples(reals, reals, reals, st.floats(-3.0, 3.0)), tilts, tilts, st.floats(-3.0, 3.0))
@settings(max_examples=60)
def test_the_p_law_makes_the_squared_error_decrease(error, roll, pitch, yaw):
    """V = e.e / 2 with e' = L^-1 zeta has the rate -e.(lambda e): equal gains, any attitude short of 90 degrees."""
    q, law = from_euler_zyx(roll, pitch, yaw), LAW._replace(proportional=(0.375,) * 4)
    _, zeta = velocity(law, error, q)
    rate = lyapunov.from_task_axes(rotation_matrix(q), zeta, law.heave)
    power = sum(a * b for a, b in zip(error, rate, strict=True))
    assert power == pytest.approx(-0.375 * sum(a * a for a in error), rel=1e-9, abs=1e-12)


@given(st.tuples(reals, reals, reals, reals), tilts, tilts, st.sampled_from((lyapunov.ROTATED, lyapunov.DIRECT)))
@settings(max_examples=60)
def test_task_axes_and_back(vector, roll, pitch, heave):
    R = rotation_matrix(from_euler_zyx(roll, pitch, 0.7))
    back = lyapunov.from_task_axes(R, lyapunov.task_axes(R, vector, heave), heave)
    assert back == pytest.approx(vector, abs=1e-9)


def test_a_pitched_vehicle_far_from_its_target_still_dives_with_the_heave_exception():
    """2 m too high and 10 m short of the target, 15 degrees bow up: rotated, heave has the wrong sign."""
    q, error = from_euler_zyx(0.0, math.radians(15.0), 0.0), (-10.0, 0.0, -2.0, 0.0)
    _, rotated = velocity(LAW, error, q)
    _, direct = velocity(LAW._replace(heave=lyapunov.DIRECT), error, q)
    assert direct[2] == pytest.approx(0.2 * 2.0)
    assert rotated[2] > direct[2]
    _, down = velocity(LAW, error, from_euler_zyx(0.0, math.radians(-15.0), 0.0))
    assert down[2] < 0.0


@pytest.mark.parametrize("pitch", [-0.15, 0.0, 0.2])
def test_the_pitch_aware_heave_descends_at_the_desired_rate(pitch):
    q, twist = from_euler_zyx(0.1, pitch, 0.3), (0.4, -0.1, 0.0, 0.0, 0.0, 0.0)
    law = LAW._replace(heave=lyapunov.PITCH_AWARE)
    _, (_, _, w, _) = velocity(law, (0.0, 0.0, -0.5, 0.0), q, twist)
    down = rotation_matrix(q)[2]
    assert down[0] * twist[0] + down[1] * twist[1] + down[2] * w == pytest.approx(0.2 * 0.5, abs=1e-12)


def test_the_pitch_aware_heave_is_the_direct_one_at_twice_the_tilt():
    q, twist = from_euler_zyx(0.0, math.asin(0.6), 0.0), (0.4, 0.0, 0.0, 0.0, 0.0, 0.0)
    _, aware = velocity(LAW._replace(heave=lyapunov.PITCH_AWARE), (0.0, 0.0, -0.5, 0.0), q, twist)
    _, direct = velocity(LAW._replace(heave=lyapunov.DIRECT), (0.0, 0.0, -0.5, 0.0), q, twist)
    assert aware == pytest.approx(direct)


def test_no_error_gives_no_velocity():
    state, zeta = velocity(LAW._replace(integral=(0.1,) * 4), (0.0,) * 4)
    assert zeta == (0.0,) * 4
    assert state.integral == (0.0,) * 4


def test_modes_switch_with_hysteresis_and_the_horizontal_axes_together():
    state, modes = lyapunov.LyapunovState(), []
    for x, y in ((1.0, 0.0), (2.5, 0.0), (2.5, 2.5), (2.0, 1.2), (1.3, 1.3), (2.9, 0.0)):
        state, _ = velocity(LAW, (x, y, 0.0, 0.0), state=state)
        modes.append(state.integrates[0])
    assert modes == [1.0, 1.0, 0.0, 0.0, 1.0, 1.0]


@pytest.mark.parametrize("axis", [0, 1, 2, 3])
def test_large_errors_of_either_sign_are_not_integrated(axis):
    for size in (5.0, -5.0):
        error = tuple(size if k == axis else 0.0 for k in range(4))
        state, _ = velocity(LAW._replace(integral=(0.1,) * 4), error)
        assert state.integral == (0.0,) * 4
        assert state.integrates == tuple(0.0 if k == max(axis - 1, 0) else 1.0 for k in range(3))


@pytest.mark.parametrize("heave", [lyapunov.ROTATED, lyapunov.DIRECT])
def test_the_integral_term_stays_within_its_limit_and_leaves_it_at_once(heave):
    """The stored integral is the one that gives the limit: no wind-up, in any attitude (C3)."""
    law = LAW._replace(integral=(0.1,) * 4, proportional=(0.0,) * 4, heave=heave)
    q, state = from_euler_zyx(0.2, -0.3, 1.0), lyapunov.LyapunovState()
    error = (1.0, -0.8, 0.9, 0.3)
    for _ in range(2000):
        state, zeta = velocity(law, error, q, state=state)
        assert all(abs(a) <= b + 1e-9 for a, b in zip(zeta, law.largest_integral, strict=True))
    assert [abs(a) for a in zeta] == pytest.approx(law.largest_integral)
    state, after = velocity(law, tuple(-a for a in error), q, state=state)
    assert sum(abs(a) for a in after) < sum(abs(a) for a in zeta)


def test_p_mode_forgets_the_integral():
    law, state = LAW._replace(integral=(0.1,) * 4), lyapunov.LyapunovState((0.5, 0.5, 0.5, 0.1))
    state, _ = velocity(law, (5.0, 0.0, 0.0, 0.0), state=state, period=0.0)
    assert state.integral[:2] == (0.0, 0.0)
    assert state.integral[2:] == (0.5, 0.1)


TIGHT = LAW._replace(lowest=(-0.1, -0.2, -0.05, -0.2), highest=(0.4, 0.2, 0.1, 0.3))
errors = st.tuples(reals, reals, reals, st.floats(-3.0, 3.0))


def test_the_printed_law_clips_each_axis_alone():
    """Proctor 2014, eq. 5.8, with limits of either sign."""
    law = TIGHT._replace(limits=lyapunov.AXIS_BY_AXIS)
    assert velocity(law, (-9.0, -9.0, -9.0, -3.0))[1] == (0.4, 0.2, 0.1, 0.3)
    assert velocity(law, (9.0, 9.0, 9.0, 3.0))[1] == (-0.1, -0.2, -0.05, -0.2)


@given(errors, errors, tilts, tilts, st.floats(-3.0, 3.0))
@settings(max_examples=60)
def test_a_directed_velocity_keeps_all_limits(error, remaining, roll, pitch, yaw):
    q, law = from_euler_zyx(roll, pitch, yaw), TIGHT._replace(integral=(0.05,) * 4)
    state = lyapunov.LyapunovState((1.0, -2.0, 1.0, 0.5))
    _, zeta = velocity(law, error, q, state=state, remaining=(*remaining[:3], 0.0))
    for one, low, high in zip(zeta, law.lowest, law.highest, strict=True):
        assert low - 1e-12 <= one <= high + 1e-12


@given(st.floats(-3.0, 3.0), st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi))
@settings(max_examples=60)
def test_far_from_a_target_the_direction_of_the_velocity_is_that_to_the_target(distance, bearing, heading):
    """At any heading: limits of single body axes do not turn it. With equal gains."""
    law, far = TIGHT._replace(proportional=(0.375,) * 4), 20.0 + distance
    error = (-far * math.cos(bearing), -far * math.sin(bearing), 0.0, 0.0)
    _, (u, v, _, _) = velocity(law, error, from_euler_zyx(0.0, 0.0, heading))
    assert math.hypot(u, v) > 0.09  # a limit is reached
    assert math.remainder(math.atan2(v, u) + heading - bearing, math.tau) == pytest.approx(0.0, abs=1e-9)


@given(st.floats(-5.0, 5.0), st.floats(-math.pi, math.pi))
@settings(max_examples=60)
def test_on_a_leg_the_cross_track_error_decreases_whatever_remains_of_it(across, heading):
    """Far from the end of a leg to the north, the velocity leads back at half the speed of the P law at least."""
    law = TIGHT._replace(proportional=(0.375,) * 4)
    way = (-200.0, 0.0, 0.0, 0.0)
    _, (u, v, _, _) = velocity(law, (-200.0, across, 0.0, 0.0), from_euler_zyx(0.0, 0.0, heading), remaining=way)
    east = u * math.sin(heading) + v * math.cos(heading)
    north = u * math.cos(heading) - v * math.sin(heading)
    assert -east * math.copysign(1.0, across) >= 0.5 * min(0.375 * abs(across), 0.1) - 1e-12
    assert north > 0.0


def test_an_integral_does_not_wind_up_while_its_velocity_is_limited():
    """C3: on the way nothing is summed, neither along a leg nor towards a point; across the leg it is."""
    law = TIGHT._replace(integral=(0.01,) * 4, upper=(1e9,) * 4, lower=(1e8,) * 4)
    state, _ = velocity(law, (-8.0, 1.0, -4.0, -2.0))
    assert state.integral == (0.0,) * 4
    state, _ = velocity(law, (-8.0, 0.2, 0.0, 0.0), remaining=(-8.0, 0.0, 0.0, 0.0))
    assert state.integral == pytest.approx((0.0, 0.05 * 0.2, 0.0, 0.0))
    state, _ = velocity(law, (-0.2, 0.2, 0.1, 0.1), remaining=(-0.2, 0.0, 0.0, 0.0))
    assert state.integral == pytest.approx((-0.05 * 0.2, 0.05 * 0.2, 0.05 * 0.1, 0.05 * 0.1))


def test_a_moving_target_is_followed_without_lag():
    """With the velocity of the target the error obeys e' = -lambda e: exact to the period."""
    position, period = [3.0, -2.0, 1.0, 0.5], 0.01
    rate = (0.2, -0.1, 0.05, 0.03)
    target = [0.0] * 4
    for _ in range(1000):
        error = tuple(a - b for a, b in zip(position, target, strict=True))
        q = from_euler_zyx(0.0, 0.0, position[3])
        _, zeta = velocity(LAW, error, q, rate=rate, period=period)
        moved = lyapunov.from_task_axes(rotation_matrix(q), zeta, LAW.heave)
        position = [a + period * b for a, b in zip(position, moved, strict=True)]
        target = [a + period * b for a, b in zip(target, rate, strict=True)]
    left = np.array(position) - target
    assert left[2] == pytest.approx(1.0 * math.exp(-0.2 * 10.0), rel=0.02)
    assert left[3] == pytest.approx(0.5 * math.exp(-0.4 * 10.0), rel=0.03)
    assert math.hypot(left[0], left[1]) < math.hypot(3.0, 2.0) * math.exp(-0.3 * 10.0)


# Line of sight


def sailed(law, gain, sideslip=0.15, attack=0.1, seconds=400.0):
    """A point whose course and climb differ from heading and pitch by constant angles: last errors."""
    start, end, p, memory = (0.0, 0.0, 10.0), (100.0, 50.0, 30.0), (0.0, 8.0, 4.0), (0.0, 0.0)
    path = los.path_angles(start, end)
    for _ in range(round(10 * seconds)):
        errors = los.path_errors(start, *path, p)
        (heading, pitch), rates = los.line_of_sight_3d(law, path, errors, memory, (10.0, 10.0), (gain, gain))
        memory = (memory[0] + 0.1 * rates[0], memory[1] + 0.1 * rates[1])
        course, climb = heading + sideslip, pitch - attack
        v = (math.cos(climb) * math.cos(course), math.cos(climb) * math.sin(course), -math.sin(climb))
        p = tuple(a + 0.1 * b for a, b in zip(p, v, strict=True))
    return los.path_errors(start, *path, p), memory


def test_plain_line_of_sight_keeps_the_offset_that_sideslip_and_angle_of_attack_make():
    errors, _ = sailed(los.PROPORTIONAL, 0.0)
    assert errors.across == pytest.approx(10.0 * math.tan(0.15), rel=0.05)
    assert errors.above == pytest.approx(-10.0 * math.tan(0.1), rel=0.05)
    assert errors.along > 350.0


@pytest.mark.parametrize(("law", "gain"), [(los.INTEGRAL, 0.3), (los.ADAPTIVE, 0.002)])
def test_integral_and_adaptive_line_of_sight_come_onto_the_path(law, gain):
    errors, memory = sailed(law, gain)
    assert errors.across == pytest.approx(0.0, abs=0.05)
    assert errors.above == pytest.approx(0.0, abs=0.05)
    if law == los.ADAPTIVE:  # finds sideslip and minus the angle of attack, up to the coupling of the planes
        assert memory == pytest.approx((0.15, -0.1), abs=0.01)


@given(st.floats(-200.0, 200.0), st.floats(-1000.0, 1000.0))
def test_the_integral_of_line_of_sight_hardly_grows_while_it_steers_for_the_path(error, memory):
    """It grows with the error and with the squared cosine of the angle between course and path: no wind-up."""
    heading, growth = los.line_of_sight(los.INTEGRAL, 0.0, error, memory, 10.0, 0.3)
    assert growth == pytest.approx(error / 10.0 * math.cos(heading) ** 2, rel=1e-6, abs=1e-9)


def test_path_errors_of_a_sloping_path():
    start, end = (1.0, 2.0, 3.0), (4.0, 2.0, 7.0)  # 3-4-5, downwards
    course, climb = los.path_angles(start, end)
    assert (course, climb) == pytest.approx((0.0, -math.atan2(4.0, 3.0)))
    assert los.path_errors(start, course, climb, end) == pytest.approx((5.0, 0.0, 0.0), abs=1e-12)
    assert los.path_errors(start, course, climb, (1.0, 4.0, 3.0)).across == pytest.approx(2.0)
    assert los.path_errors(start, course, climb, (1.0, 2.0, 2.0)).above == pytest.approx(0.6)


# Minimum snap


@given(st.tuples(reals, reals, reals, reals), reals, st.floats(0.5, 20.0))
@settings(max_examples=60)
def test_minimum_snap_starts_as_given_and_ends_at_rest(start, goal, duration):
    begun = minimum_snap(SnapMotion(*start), goal, duration, 0.0)
    assert begun == pytest.approx(start, rel=1e-9, abs=1e-9)
    assert minimum_snap(SnapMotion(*start), goal, duration, duration) == pytest.approx((goal, 0.0, 0.0, 0.0))
    assert minimum_snap(SnapMotion(*start), goal, duration, 3.0 * duration) == pytest.approx((goal, 0.0, 0.0, 0.0))


def test_derivatives_of_minimum_snap_are_those_of_its_value():
    start, h = SnapMotion(0.3, -0.2, 0.1, 0.4), 1e-5
    for t in (0.4, 1.9, 3.3):
        before, here, after = (minimum_snap(start, 2.0, 4.0, t + k * h) for k in (-1, 0, 1))
        for i in range(3):
            assert (after[i] - before[i]) / (2.0 * h) == pytest.approx(here[i + 1], rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("limits", [(0.5, 10.0, 10.0), (10.0, 0.2, 10.0), (10.0, 10.0, 0.1)])
def test_the_duration_of_minimum_snap_just_keeps_the_tightest_limit(limits):
    duration = minimum_snap_duration(-3.0, *limits)
    motion = [minimum_snap(SnapMotion(0.0, 0.0, 0.0, 0.0), -3.0, duration, k / 2000 * duration) for k in range(2001)]
    peaks = [max(abs(sample[i]) for sample in motion) / limits[i - 1] for i in (1, 2, 3)]
    assert max(peaks) == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize("scale", [-5.0, 0.5, 5.0])
def test_every_other_motion_between_the_same_ends_has_more_snap(scale):
    """Mean square of the fourth derivative; x^4 (1 - x)^4 changes value and three derivatives at neither end."""
    x = np.linspace(0.0, 1.0, 20001)
    jerk = np.array([minimum_snap(SnapMotion(0.0, 0.0, 0.0, 0.0), 1.0, 1.0, t).jerk for t in x])
    change = np.polynomial.Polynomial([0.0, 0.0, 0.0, 0.0, 1.0, -4.0, 6.0, -4.0, 1.0]).deriv(3)(x)

    def snap(jerk):
        return float(np.mean(np.gradient(jerk, x) ** 2))

    assert snap(jerk) < snap(jerk + scale * change)


# Keep-out zones


ZONE = keep_out.Zone((10.0, 0.0, 5.0), 3.0, 1.0)


def driven(zone, start, target, seconds=120.0, speed=0.5):
    p, closest = start, math.inf
    for _ in range(round(20 * seconds)):
        to = [b - a for a, b in zip(p, target, strict=True)]
        size = max(math.hypot(*to), 1e-9)
        wanted = tuple(min(speed, 0.4 * size) * a / size for a in to)
        v = keep_out.passed_by(zone, p, wanted, 1.0)
        p = tuple(a + 0.05 * b for a, b in zip(p, v, strict=True))
        closest = min(closest, keep_out.zone_distance(zone, p)[0])
    return p, closest


@pytest.mark.parametrize("east", [0.0, 0.5, -0.5, 2.9, 3.5])
@pytest.mark.parametrize("vertical", [0.0, 1.0])
def test_a_vehicle_goes_around_a_zone_and_arrives(east, vertical):
    p, closest = driven(ZONE._replace(vertical=vertical), (0.0, east, 5.0), (20.0, 0.0, 5.0))
    assert closest > -1e-6
    assert p == pytest.approx((20.0, 0.0, 5.0), abs=0.05)


def test_a_velocity_away_from_a_zone_or_far_from_it_is_unchanged():
    assert keep_out.passed_by(ZONE, (6.0, 0.0, 5.0), (-0.5, 0.1, 0.0), 1.0) == (-0.5, 0.1, 0.0)
    assert keep_out.passed_by(ZONE, (0.0, 0.0, 5.0), (0.5, 0.1, 0.0), 1.0) == (0.5, 0.1, 0.0)


def test_a_vehicle_inside_a_zone_is_sent_out():
    v = keep_out.passed_by(ZONE, (9.0, 0.0, 5.0), (0.0, 0.0, 0.0), 0.5)
    assert v == pytest.approx((-1.0, 0.0, 0.0))


def test_a_column_is_passed_at_every_depth():
    column = ZONE._replace(vertical=0.0)
    assert keep_out.zone_distance(column, (10.0, 4.0, 80.0))[0] == pytest.approx(1.0)
    assert keep_out.zone_distance(ZONE, (10.0, 0.0, 1.0))[0] == pytest.approx(1.0)
