"""Fixes of an ultra-short baseline array are as uncertain above it as beside it, and the filter knows."""

import math

import numpy as np
import pytest

from remora.navigation.consistency import consistency
from remora.navigation.inertial.inertial_filter import Launch
from remora.navigation.inertial.reading_noise import array_fix
from remora.navigation.inertial.recorded_readings import filter_arrays
from remora.navigation.inertial.suite import sensor_suite
from remora.sensors import OpenWater, RecordedSuite, make_sensor, recorded_motion
from remora.sensors.recorded_motion import Samples
from remora.sensors.registry import find_kind
from remora.sensors.stated_errors import stated_errors
from suite_flights import SITE, SUITE, entry, error_of, flight, suite_filter

RANGE, ANGLE = 0.1, math.radians(1.5)
# Place of the array relative to the vehicle, which hovers about the origin 40 m deep.
PLACES = {
    "below": (0.0, 0.0, -30.0),
    "beside": (30.0, 0.0, 0.0),
    "above": (0.0, 0.0, 30.0),
    "aslant": (15.0, -10.0, -20.0),
}
WATER = OpenWater(bottom_depth=80.0)
DEPTH = 40.0


def array(place, **parameters):
    station = (place[0], place[1], DEPTH + place[2])
    given = {"station": station, "range_std": RANGE, "angle_std": ANGLE, **parameters}
    return entry("usbl", "usbl", (0.0, 0.0, 0.0), 1.0, 0.0, given)


def hovering(seconds):
    """Truths on a circle of 10 cm."""
    return {
        time: truth._replace(p_NB=(truth.p_NB[0], truth.p_NB[1], truth.p_NB[2] + DEPTH - 8.0))
        for time, truth in flight(seconds, speed=0.03).items()
    }


def motion_of(truths):
    columns = zip(*(truth[1:5] for truth in truths.values()), strict=True)
    return recorded_motion(np.array(list(truths)), *(np.array(column) for column in columns))


def fixes(place, count=4000, **parameters):
    """Positions from many fixes of a vehicle at rest, less the true one."""
    one = array(place, **parameters)
    still = recorded_motion(
        np.arange(count) * 1_000_000_000, [(0.0, 0.0, DEPTH)] * count, [(1.0, 0.0, 0.0, 0.0)] * count,
        np.zeros((count, 6)),
    )  # fmt: skip
    drawn = make_sensor(one, 3).draw(Samples(np.arange(count), still, WATER))
    convert = find_kind("usbl").measured["position"].conversion(one, SITE)
    return np.array([convert(tuple(row)) for row in drawn.values.tolist()]) - (0.0, 0.0, DEPTH)


@pytest.mark.parametrize("name", PLACES)
def test_fixes_err_by_the_angle_across_their_direction_wherever_the_vehicle_is(name):
    """1.5 deg at 30 m is 0.79 m in both directions across, also straight above the array."""
    off, towards = fixes(PLACES[name]), np.array(PLACES[name]) / np.linalg.norm(PLACES[name])
    spread = np.sqrt(np.linalg.eigvalsh(np.cov(off.T)))
    distance = np.linalg.norm(PLACES[name])
    np.testing.assert_allclose(spread, [RANGE, distance * ANGLE, distance * ANGLE], rtol=0.05)
    assert np.std(off @ towards) == pytest.approx(RANGE, rel=0.05)


def test_a_constant_error_of_a_cosine_displaces_fixes_by_that_share_of_the_range():
    off = fixes(PLACES["below"], 3, range_std=0.0, angle_std=0.0, angle_bias=(0.01, 0.0, 0.0)).mean(axis=0)
    assert off[:2] == pytest.approx((0.3, 0.0), abs=1e-4)


@pytest.mark.parametrize("name", PLACES)
def test_the_position_of_twenty_runs_is_as_uncertain_as_the_filter_states(name):
    """NEES of three coordinates inside the two-sided 99 % interval for 95 % of the times."""
    truths, runs, seconds = hovering(30.0), 20, 30
    entries = (*SUITE, array(PLACES[name]))
    made, random = suite_filter(entries), np.random.default_rng(5)
    recorded, errors, covariances = RecordedSuite(entries, motion_of(truths), WATER, "rov"), [], []
    for seed in range(runs):
        launch = Launch(tuple((truths[0].p_NB + random.standard_normal(3)).tolist()), 1.0)
        found = filter_arrays(made, launch, recorded.draw(seed), apart=1.0, in_order=True)
        rows = [i for i, time in enumerate(found.stamps_ns.tolist()) if time in truths][:seconds]
        states = ((truths[int(found.stamps_ns[i])], found.states[i]) for i in rows)
        errors.append([error_of(made, truth, state)[:3] for truth, state in states])
        covariances.append([found.covariance(i)[:3, :3] for i in rows])
        assert found.innovations["usbl"].count("rejected") == 0
    report = consistency(np.array(errors), np.array(covariances))
    assert report.verdict == "consistent", str(report)
    across = float(np.sqrt(np.trace(covariances[-1][-1])))
    assert 0.05 < across < 0.5  # an estimate of metres that 30 fixes have narrowed, not millimetres


def test_unequal_errors_of_three_cosines_are_turned_into_two_independent_ones():
    sigma = (0.01, 0.02, 0.04)
    for bearing, elevation in ((0.3, -1.2), (2.0, 0.4), (0.0, math.pi / 2), (-1.0, 0.0)):
        numbers = array_fix((0.1,), sigma, (30.0, bearing, elevation))
        assert numbers[:4] == (30.0, 0.0, 0.0, 0.1)
        across = np.array([numbers[6:9], numbers[9:12]])
        spread = across @ np.diag(np.square(sigma)) @ across.T
        np.testing.assert_allclose(spread, np.diag(np.square(numbers[4:6])), atol=1e-15)
        np.testing.assert_allclose(across @ across.T, np.eye(2), atol=1e-14)


def test_stated_errors_and_the_filter_have_the_same_numbers():
    one = array(PLACES["below"], angle_resolution=0.02)
    errors = stated_errors(one)
    expected = math.hypot(ANGLE, 0.02 / math.sqrt(12.0))
    assert errors["angle_"].white == pytest.approx((expected,) * 3)
    fitted = (*SUITE, one)
    suite = sensor_suite(fitted, {e.name: stated_errors(e) for e in fitted}, SITE)
    assert suite.aidings[-1].convert((30.0, 0.0, 1.5))[3:6] == pytest.approx((RANGE, expected, expected))


def test_a_reading_without_lock_stays_without_values():
    one = make_sensor(array(PLACES["below"], max_range=20.0), 1)
    _, reading = one.step(one.initial(), next(iter(hovering(0.1).values())), WATER, 0)
    assert reading.status.name == "OUT_OF_RANGE"
    assert len(reading.values) == 3
