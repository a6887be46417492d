"""Dead reckoning by itself: exact without errors, honest about its own with them."""

import math

import numpy as np
import pytest

from remora.navigation import DeadReckoning, VelocityErrors

SECOND = 1_000_000_000


def ns(seconds):
    return round(seconds * SECOND)


def test_a_velocity_that_changes_linearly_is_integrated_exactly():
    law = DeadReckoning(VelocityErrors())
    state = law.initial(0, (1.0, 2.0, 3.0), 0.0)
    for k in range(51):
        t = 0.2 * k
        state = law.propagate(state, ns(t), (0.3 * t, 1.0, -0.1 * t))
    place, sigma = law.position_at(state, ns(10.0))
    assert place == pytest.approx((1.0 + 0.15 * 100.0, 12.0, 3.0 - 0.05 * 100.0), abs=1e-9)
    assert sigma == 0.0
    assert law.position_at(state, ns(10.5))[0] == pytest.approx((16.0 + 1.5, 12.5, -2.0 - 0.5), abs=1e-9)


def test_without_a_fix_sigma_never_shrinks_and_grows_with_time_and_distance():
    """E7: also on the way back to the place of launch."""
    law = DeadReckoning(VelocityErrors(noise=0.01, bias=0.002, scale=0.005, heading=0.01))
    state, sigmas = law.initial(0, (0.0, 0.0, 0.0), 0.1), []
    for k in range(1, 1001):
        state = law.propagate(state, ns(0.2 * k), (1.0 if k <= 500 else -1.0, 0.0, 0.0))
        sigmas.append(law.position_at(state, ns(0.2 * k))[1])
    assert min(np.diff(sigmas)) > 0.0
    assert sigmas[0] == pytest.approx(0.1, abs=1e-3)
    lasting = math.hypot(199.8 * math.hypot(0.005, 0.01), 200.0 * 0.002)  # the step of the turn covers no distance
    assert sigmas[-1] == pytest.approx(math.sqrt(0.01 + 1000 * 0.002**2 + lasting**2), rel=1e-6)


def test_sigma_is_that_of_many_runs():
    """One hundred vehicles with drawn errors: the error over its sigma has a mean square of one, within its spread."""
    errors, rng = VelocityErrors(noise=0.02, bias=0.005, scale=0.01, heading=0.02), np.random.default_rng(3)
    law, squares = DeadReckoning(errors), []
    for _ in range(100):
        bias, scale, heading = rng.normal(0.0, (0.005, 0.01, 0.02))
        start = rng.normal(0.0, 0.1, 2)
        state = law.initial(0, (*start.tolist(), 0.0), 0.1)
        c, s = math.cos(heading), math.sin(heading)
        for k in range(1, 301):
            ahead, right = 0.8 * (1.0 + scale) + bias + rng.normal(0.0, 0.02), rng.normal(0.0, 0.02)
            state = law.propagate(state, ns(0.2 * k), (c * ahead - s * right, s * ahead + c * right, 0.0))
        place, sigma = law.position_at(state, ns(60.0))
        squares.append(((place[0] - 0.8 * 60.0) ** 2 + place[1] ** 2) / (2.0 * sigma**2))
    # Bias, scale and heading each act in one direction only, and sigma takes them in both: at most one.
    assert 0.3 < float(np.mean(squares)) < 1.2


def test_late_fixes_correct_the_place_where_they_were_measured():
    law = DeadReckoning(VelocityErrors(noise=0.01), latest_fix_ns=ns(1.0))
    state = law.initial(0, (5.0, -5.0, 0.0), 10.0)
    for k in range(1, 51):
        state = law.propagate(state, ns(0.2 * k), (1.0, 0.5, 0.0))
    state = law.correct(state, ns(9.3), (9.3, 4.65, 0.0), 0.0)  # arrives 0.7 s late, and is exact
    place, sigma = law.position_at(state, ns(10.0))
    assert place == pytest.approx((10.0, 5.0, 0.0), abs=1e-9)
    assert sigma < 0.1


def test_noisy_fixes_are_weighed_against_dead_reckoning():
    rng = np.random.default_rng(1)
    law = DeadReckoning(VelocityErrors(noise=0.01))
    state = law.initial(0, (0.0, 0.0, 0.0), 0.5)
    for k in range(1, 601):
        state = law.propagate(state, ns(0.2 * k), (0.3 + rng.normal(0.0, 0.01), 0.0, 0.0))
        if k % 5 == 0:
            fix = (0.06 * k + rng.normal(0.0, 0.5), rng.normal(0.0, 0.5), math.nan)
            state = law.correct(state, ns(0.2 * k), fix, 0.5)
    place, sigma = law.position_at(state, ns(120.0))
    error = math.hypot(place[0] - 36.0, place[1])
    assert sigma < 0.1
    assert error < 3.0 * math.sqrt(2.0) * sigma
    assert place[2] == 0.0


def test_a_lost_velocity_widens_sigma_until_the_next_fix():
    """E8: the gap is bridged by the mean of the velocities around it, and counts as badly known."""
    law = DeadReckoning(VelocityErrors(noise=0.01))
    state = law.propagate(
        law.propagate(law.initial(0, (0.0, 0.0, 0.0), 0.1), 0, (1.0, 0.0, 0.0)), ns(0.2), (1.0, 0.0, 0.0)
    )
    before, during = law.position_at(state, ns(0.5))[1], law.position_at(state, ns(20.2))
    assert before < 0.11
    assert during[0][0] == pytest.approx(20.2)
    assert during[1] == pytest.approx(10.0, rel=1e-3)
    after = law.propagate(state, ns(20.2), (0.0, 0.0, 0.0))
    assert law.position_at(after, ns(20.2)) == (pytest.approx((10.2, 0.0, 0.0)), pytest.approx(10.0, rel=1e-3))
    found = law.correct(state, ns(20.2), (11.0, 1.0, 0.0), 0.5)
    place, sigma = law.position_at(found, ns(20.2))
    assert place == pytest.approx((11.0, 1.0, 0.0), abs=0.03)
    assert sigma == pytest.approx(0.5, rel=2e-3)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_no_nan_reaches_the_position(bad):
    law = DeadReckoning(VelocityErrors(noise=0.01))
    state = law.propagate(law.initial(0, (0.0, 0.0, 0.0)), ns(0.2), (1.0, 0.0, 0.0))
    assert law.propagate(state, ns(0.4), (bad, 0.0, 0.0)) == state
    assert law.correct(state, ns(0.4), (bad, 0.0, 0.0), 0.1) == state
    assert law.propagate(state, ns(0.1), (9.0, 0.0, 0.0)) == state  # late, and ignored


def going_north(seconds):
    """A metre per second for some seconds, with fixes up to 10 s late."""
    errors = VelocityErrors(noise=0.1, bias=0.01, scale=0.02)
    law = DeadReckoning(errors, latest_fix_ns=10 * SECOND)
    state = law.initial(0, (0.0, 0.0, 5.0))
    for k in range(seconds + 1):
        state = law.propagate(state, k * SECOND, (1.0, 0.0, 0.0))
    return law, state


def test_a_second_late_fix_does_not_correct_the_error_of_the_first_again():
    law, state = going_north(10)
    state = law.correct(state, 4 * SECOND, (5.0, 2.0, 5.0), 0.0)  # a metre farther north and two to the east
    assert state.p_NB == pytest.approx((11.0, 2.0, 5.0))
    state = law.correct(state, 6 * SECOND, (7.0, 2.0, 5.0), 0.0)  # on the corrected path
    assert state.p_NB == pytest.approx((11.0, 2.0, 5.0))


def test_a_fix_takes_its_share_of_the_systematic_errors():
    law, state = going_north(10)
    _, sigma = law.position_at(state, 10 * SECOND)
    after = law.correct(state, 10 * SECOND, (10.0, 0.0, 5.0), sigma)  # as certain as the position: half of it
    assert after.distance == pytest.approx(5.0)
    assert after.duration == pytest.approx(5.0)
    exact = law.correct(state, 10 * SECOND, (10.0, 0.0, 5.0), 0.0)
    assert law.position_at(exact, 10 * SECOND)[1] == 0.0
