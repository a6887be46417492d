"""Blends keep their limits, start where things are, and go on smoothly when the goal changes."""

import math

import numpy as np
import pytest
from hypothesis import assume, given

from remora.equations.algebra.quaternions import (
    conjugate,
    from_axis_angle,
    from_euler_zyx,
    from_rotation_vector,
    normalize,
    product,
    to_rotation_vector,
)
from remora.guidance.minimum_jerk import (
    PEAK_ACCELERATION,
    PEAK_RATE,
    AttitudeBlend,
    BlendLimits,
    ScalarBlend,
    ScalarMotion,
    blended,
    rest_to_rest_duration,
)
from sample_features import quaternions, reals, three

STEP = 50_000_000  # ns


def followed(part, goals, present):
    """References of a part whose goal changes in time: a list of (seconds, goal)."""
    state, found = part.initial(), []
    for k in range(int(goals[-1][0] * 20) + 1):
        goal = next(goal for until, goal in goals if k / 20.0 <= until)
        state, reference = part.step(state, k * STEP, goal, present)
        found.append(reference)
    return found


def test_shape_of_the_blend():
    for x in np.linspace(0.0, 1.0, 11):
        assert blended(ScalarMotion(0.0, 0.0, 0.0), 1.0, 4.0, 4.0 * x).value == pytest.approx(
            10 * x**3 - 15 * x**4 + 6 * x**5
        )
    path = [blended(ScalarMotion(0.0, 0.0, 0.0), 3.0, 4.0, t) for t in np.linspace(0.0, 4.0, 20_001)]
    assert max(abs(m.rate) for m in path) == pytest.approx(PEAK_RATE * 3.0 / 4.0, rel=1e-6)
    assert max(abs(m.acceleration) for m in path) == pytest.approx(PEAK_ACCELERATION * 3.0 / 16.0, rel=1e-6)
    assert (PEAK_RATE, round(PEAK_ACCELERATION, 3)) == (1.875, 5.774)


@given(reals(-5.0, 5.0), reals(-1.0, 1.0), reals(-1.0, 1.0), reals(-5.0, 5.0), reals(0.5, 20.0))
def test_derivatives_and_ends_from_a_moving_start(value, rate, acceleration, goal, duration):
    start, h = ScalarMotion(value, rate, acceleration), 1e-5 * duration
    assert blended(start, goal, duration, 0.0) == pytest.approx(start)
    assert blended(start, goal, duration, duration) == (goal, 0.0, 0.0)
    assert blended(start, goal, duration, duration - 1e-9).value == pytest.approx(goal, abs=1e-6)
    for t in (0.2 * duration, 0.7 * duration):
        before, now, after = (blended(start, goal, duration, t + d) for d in (-h, 0.0, h))
        assert (after.value - before.value) / (2 * h) == pytest.approx(now.rate, abs=1e-5)
        assert (after.rate - before.rate) / (2 * h) == pytest.approx(now.acceleration, abs=1e-4)


@given(reals(-50.0, 50.0), reals(0.05, 2.0), reals(0.05, 2.0))
def test_durations_use_the_limits_and_keep_them(distance, rate, acceleration):
    assume(abs(distance) > 1e-3)
    limits = BlendLimits(rate, acceleration)
    duration = rest_to_rest_duration(distance, limits)
    shares = (
        PEAK_RATE * abs(distance) / duration / rate,
        PEAK_ACCELERATION * abs(distance) / duration**2 / acceleration,
    )
    assert max(shares) == pytest.approx(1.0)


def test_a_changed_goal_jumps_in_nothing():
    limits = BlendLimits(rate=0.3, acceleration=0.1)
    path = followed(ScalarBlend(limits=limits), [(4.0, 2.0), (7.5, -1.0), (60.0, 0.5)], 0.2)
    values, rates, accelerations = np.array(path).T
    assert values[0] == 0.2
    assert values[-1] == 0.5
    # A start that is close to its limit and still gathers speed overshoots it a little, whatever comes next.
    assert np.abs(np.diff(rates)).max() <= 0.1 / 20 * 1.01
    assert np.abs(np.diff(accelerations)).max() < 0.03
    assert np.abs(rates).max() <= 0.3 * 1.02
    assert np.abs(accelerations).max() <= 0.1 * 1.02


def test_without_a_change_the_goal_is_kept_exactly():
    path = followed(ScalarBlend(duration=2.0), [(10.0, 0.1)], 0.7)
    assert path[-1] == (0.1, 0.0, 0.0)
    assert followed(ScalarBlend(limits=BlendLimits(1.0, 1.0)), [(1.0, 0.7)], 0.7)[-1] == (0.7, 0.0, 0.0)


def test_a_part_goes_on_from_its_saved_state():
    part = ScalarBlend(limits=BlendLimits(0.2, 0.1))
    state, whole = part.initial(), []
    for k in range(100):
        state, reference = part.step(state, k * STEP, 1.0 if k < 40 else -1.0, 0.0)
        whole.append(reference)
        if k == 60:
            saved = state
    for k in range(61, 100):
        saved, reference = part.step(saved, k * STEP, -1.0, 0.0)
        assert reference == whole[k]


@given(quaternions, quaternions)
def test_attitudes_go_the_short_way_about_one_axis(start, goal):
    start, goal = normalize(start), normalize(goal)
    path = followed(AttitudeBlend(duration=4.0), [(5.0, goal)], start)
    turn = to_rotation_vector(product(conjugate(start), goal))
    assert math.hypot(*turn) <= math.pi + 1e-12
    half = path[40]
    assert to_rotation_vector(product(conjugate(start), half.q_NR)) == pytest.approx(
        tuple(0.5 * x for x in turn), abs=1e-9
    )
    assert half.w_NR_R == pytest.approx(tuple(PEAK_RATE / 4.0 * x for x in turn))
    assert path[-1] == (goal, (0.0, 0.0, 0.0))


def test_an_attitude_that_changes_on_the_way_keeps_turning_smoothly():
    goals = [(3.0, from_euler_zyx(0.3, -0.4, 2.0)), (60.0, from_euler_zyx(-0.2, 0.1, -1.0))]
    limits = BlendLimits(rate=0.5, acceleration=0.2)
    path = followed(AttitudeBlend(limits=limits), goals, (1.0, 0.0, 0.0, 0.0))
    rates = np.array([m.w_NR_R for m in path])
    assert np.linalg.norm(rates, axis=1).max() <= 0.5 * 1.05
    assert np.linalg.norm(np.diff(rates, axis=0), axis=1).max() <= 0.2 / 20 * 1.5
    for before, after, rate in zip(path, path[2:], rates[1:], strict=False):
        moved = to_rotation_vector(product(conjugate(before.q_NR), after.q_NR))
        assert np.array(moved) * 10.0 == pytest.approx(rate, abs=6e-3)
    assert path[-1].q_NR == goals[-1][1]


@given(three(1.8))
def test_rotation_vectors_and_quaternions_are_two_names_of_one_thing(vector):
    assert to_rotation_vector(from_rotation_vector(vector)) == pytest.approx(vector, abs=1e-12)


def test_half_a_turn_is_made():
    goal = from_axis_angle((0.0, 0.0, 1.0), math.pi)
    path = followed(AttitudeBlend(duration=2.0), [(3.0, goal)], (1.0, 0.0, 0.0, 0.0))
    assert math.hypot(*path[20].w_NR_R) == pytest.approx(PEAK_RATE / 2.0 * math.pi)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ScalarBlend(),
        lambda: ScalarBlend(duration=0.0),
        lambda: AttitudeBlend(limits=BlendLimits(0.0, 1.0)),
        lambda: ScalarBlend(duration=math.nan),
    ],
)
def test_bad_input_is_refused(make):
    with pytest.raises(ValueError, match="blend"):
        make()
