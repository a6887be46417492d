"""Line-of-sight guidance: courses, switching of legs, and the integral against a current."""

import math

import pytest

from remora.guidance import LineOfSight

SQUARE = ((100.0, 0.0, 5.0), (100.0, 100.0, 6.0))


def steer(guidance, start, drift=(0.0, 0.0), seconds=200.0, speed=1.5):
    """A point that goes where it is told, carried along by a current; its places, and the courses."""
    (x, y, z), state, track = start, guidance.initial(), []
    for k in range(round(10 * seconds)):
        state, course = guidance.step(state, k * 100_000_000, (x, y, z))
        x += 0.1 * (speed * math.cos(course.heading) + drift[0])
        y += 0.1 * (speed * math.sin(course.heading) + drift[1])
        track.append((x, y, course))
    return track


def test_on_the_line_the_course_is_that_of_the_leg():
    state, course = LineOfSight(SQUARE, 1.5).step(None, 0, (0.0, 0.0, 5.0))
    assert course[:4] == (5.0, pytest.approx(0.0), 1.5, 0)
    assert course.leg == ((0.0, 0.0, 5.0), (100.0, 0.0, 5.0), 0.0, True)
    assert state.start == (0.0, 0.0)


def test_off_the_line_the_vehicle_heads_for_the_lookahead_point():
    guidance = LineOfSight(SQUARE, 1.5, lookahead=10.0)
    state, _ = guidance.step(None, 0, (0.0, 0.0, 5.0))
    _, course = guidance.step(state, 100_000_000, (20.0, 10.0, 5.0))
    assert course.heading == pytest.approx(-math.radians(45.0), abs=1e-9)


def test_legs_follow_each_other_and_the_last_course_is_kept():
    track = steer(LineOfSight(SQUARE, 1.5, lookahead=8.0, radius=3.0), (0.0, 0.0, 5.0), seconds=180.0)
    numbers = [course.waypoint for _, _, course in track]
    assert sorted(set(numbers)) == [0, 1, 2]
    assert numbers == sorted(numbers)
    first = next(place for place in track if place[2].waypoint == 1)
    assert math.hypot(first[0] - 100.0, first[1]) < 3.5
    x, y, course = track[-1]
    assert y > 130.0
    assert abs(x - 100.0) < 0.3
    assert course.heading == pytest.approx(math.radians(90.0), abs=0.02)
    assert course.depth == 6.0


@pytest.mark.parametrize("gain", [0.0, 0.3])
def test_only_an_integral_removes_the_offset_that_a_current_makes(gain):
    line = LineOfSight(((1000.0, 0.0, 5.0),), 1.5, lookahead=10.0, integral_gain=gain)
    _, offset, _ = steer(line, (0.0, 0.0, 5.0), drift=(0.0, 0.2), seconds=300.0)[-1]
    balance = 10.0 * math.tan(math.asin(0.2 / 1.5))  # the course then makes up for the drift
    assert offset == pytest.approx(balance if gain == 0.0 else 0.0, abs=0.05)


def test_a_new_leg_starts_without_the_integral_of_the_last_one():
    """A current from the side on one leg comes from ahead on the next."""
    guidance = LineOfSight(SQUARE, 1.5, integral_gain=0.3)
    state, _ = guidance.step(None, 0, (0.0, 0.0, 5.0))
    state, course = guidance.step(state._replace(integral=50.0), 100_000_000, (100.0, 0.0, 5.0))
    assert course.waypoint == 1
    assert state.integral == 0.0
    assert course.heading == pytest.approx(math.radians(90.0), abs=1e-12)


def test_a_point_that_is_missed_counts_as_reached_when_it_is_abeam():
    state, _ = LineOfSight(SQUARE, 1.5, radius=1.0).step(None, 0, (0.0, 0.0, 5.0))
    _, course = LineOfSight(SQUARE, 1.5, radius=1.0).step(state, 1, (101.0, 30.0, 5.0))
    assert course.waypoint == 1


@pytest.mark.parametrize("wrong", [{"speed": 0.0}, {"lookahead": -1.0}, {"radius": 0.0}, {"integral_gain": -0.1}])
def test_impossible_numbers_are_refused(wrong):
    with pytest.raises(ValueError, match="must be above zero"):
        LineOfSight(**{"points": SQUARE, "speed": 1.0} | wrong)


def test_no_point_is_refused():
    with pytest.raises(ValueError, match="no point"):
        LineOfSight((), 1.0)


@pytest.mark.parametrize("points", [((0.0, 40.0, 5.0),), ((0.0, 40.0, 5.0), (0.0, 40.0, 6.0))])
def test_behind_one_point_or_equal_points_the_last_course_is_kept(points):
    """The leg from a point to itself has no course; the vehicle turned north."""
    track = steer(LineOfSight(points, 1.5, radius=3.0), (0.0, 0.0, 5.0), seconds=60.0)
    _, y, course = track[-1]
    assert course.waypoint == len(points)
    assert course.heading == pytest.approx(math.radians(90.0), abs=1e-6)
    assert y > 80.0
