"""Invariants E1 to E16 of filters that other files do not take to their limits; docs/filters.md lists them all."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from pages import page
from remora.equations.geometry.earth import Geodetic, ned_to_geodetic
from remora.equations.navigation.charts import minus_heading
from remora.messages.site import Site
from remora.messages.truth import Truth
from remora.navigation.consistency import average_bounds, whiteness
from remora.navigation.filters import run, table_of_series
from remora.navigation.inertial.recorded_readings import filter_readings
from remora.navigation.inertial.state_functions import pose
from remora.navigation.inertial.suite import sensor_suite
from remora.navigation.replays.truth_errors import RecordedTruth, truth_errors
from remora.sensors.stated_errors import stated_errors
from suite_flights import SITE, SUITE, entry, error_of, flight, launch_of, readings, suite_filter

STEP_NS = 20_000_000
TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def made():
    return suite_filter()


def exact_mission(made, steps):
    """States by the process model of the filter itself under varying inputs, and exact readings of all sensors."""
    row, states = (
        made.filter.setup.parameters.tolist(),
        [(*launch_state(made), *(0.0,) * (made.suite.layout.states - 10))],
    )
    time = 1e-9 * STEP_NS * np.arange(steps)
    turning = [0.05 * np.sin(0.9 * time), 0.04 * np.cos(0.7 * time), 0.3 + 0.1 * np.sin(0.2 * time)]
    inputs = np.column_stack([0.2 * np.sin(0.5 * time), 0.3 * np.cos(0.4 * time), -9.81 + 0.1 * np.sin(time), *turning])
    for u in inputs[:-1].tolist():
        states.append(made.process(states[-1], u, 1e-9 * STEP_NS, row))
    stamps, series = STEP_NS * np.arange(steps), {}
    for sensor in made.suite.aidings:
        every, model = sensor.period_ns // STEP_NS, made.filter.aidings[sensor.name]
        given = sensor.sigma if sensor.own_sigma else ()
        rows = [(*model.measure(states[k], inputs[k].tolist(), row), *given) for k in range(0, steps, every)]
        series[sensor.name] = (stamps[::every], rows)
    return np.array(states), table_of_series({made.suite.inputs.name: (stamps, inputs), **series})


def launch_state(made):
    return (0.0, 0.0, 8.0, 1.0, 0.2, 0.0, math.cos(1.5), 0.0, 0.0, math.sin(1.5))


def test_without_noise_the_shipped_filter_has_no_error_over_a_whole_mission(made):
    """E3: a minute through more than two turns with every sensor in use, to 1e-9."""
    states, table = exact_mission(made, 3000)
    errors = made.suite.layout.states - 1
    belief = made.filter.initial(states[0], np.full(errors, 0.1), 0, tuple(table.values[0, :6].tolist()))
    found = run(made.filter, belief, table)
    assert all(series.count("used") == len(series.outcomes) for series in found.innovations.values())
    error = [sum(minus_heading(pose(x), pose(y)), ()) for x, y in zip(found.states, states, strict=True)]
    assert np.abs(error).max() < 1e-9
    assert np.abs(found.states[:, 10:]).max() < 1e-9  # biases


def straight_flight(made, truth_ns, times, north_error=0.0):
    """Errors of exact states on a straight and level flight against its truth at other times."""
    p_BI, seconds = made.suite.inputs.p_BI, 1e-9 * truth_ns
    places = np.outer(seconds, [1.0, 0.0, 0.2]) + np.array([0.0, 0.0, 5.0])
    level = np.tile([1.0, 0.0, 0.0, 0.0], (len(seconds), 1))
    twist = np.tile([1.0, 0.0, 0.2, 0.0, 0.0, 0.0], (len(seconds), 1))
    extras = [0.0] * (made.suite.layout.states - 10)
    errors = np.broadcast_to(north_error, times.shape)
    states = [
        [1e-9 * t + e + p_BI[0], p_BI[1], 5.0 + 2e-10 * t + p_BI[2], 1.0, 0.0, 0.2, 1.0, 0, 0, 0, *extras]
        for t, e in zip(times, errors, strict=True)
    ]

    class Found:
        stamps_ns = times

        @staticmethod
        def covariance(index):
            return np.eye(len(extras) + 9)

    Found.states = np.array(states)
    return truth_errors(made, Found, RecordedTruth(truth_ns, places, level, twist))


def test_a_motion_between_two_known_ones_is_interpolated(made):
    """E1: a straight flight whose truth is known each second, against states between them, to 1e-12."""
    times = np.arange(100_000_000, 3_000_000_000, 200_000_000)
    assert np.abs(straight_flight(made, 10**9 * np.arange(4), times).errors).max() < 1e-12


def test_estimates_beside_the_times_of_the_truth_are_compared_too(made):
    """As after a gap of the inertial unit: from 5 s on all estimates lie 20 ms beside the truth and are 2 m off."""
    truth_ns, on_truth = 50_000_000 * np.arange(201), 100_000_000 * np.arange(51)
    beside = 5_020_000_000 + 100_000_000 * np.arange(50)
    whole = straight_flight(made, truth_ns, 100_000_000 * np.arange(101))
    assert (len(whole.nees), whole.estimates, whole.is_interpolated) == (101, 101, False)
    error = np.where(np.arange(101) > 50, 2.0, 0.0)
    found = straight_flight(made, truth_ns, np.concatenate([on_truth, beside]), error)
    assert (len(found.nees), found.estimates, found.is_interpolated) == (101, 101, True)
    assert found.rms(0) == pytest.approx(2.0 * np.sqrt(50 / 101))


def test_innovations_are_as_large_as_predicted_and_white(made):
    """E5: mean NIS of each sensor and run in its 95 % interval, and no correlation in time, but for chance."""
    truths, random, runs = flight(40.0), np.random.default_rng(5), 10
    inside, white = {one.name: 0 for one in SUITE[1:]}, 0
    for seed in range(runs):
        found = filter_readings(made, launch_of(truths, random), readings(SUITE, truths, seed), in_order=True)
        for name, series in found.innovations.items():
            settled = series.stamps_ns > 5_000_000_000
            size = np.isfinite(series.values[settled][0]).sum()
            low, high = average_bounds(size, int(settled.sum()), 0.95)
            inside[name] += low <= float(np.mean(series.squared[settled])) <= high
            normalised = (series.values / series.deviations)[settled][:, :size]
            white += whiteness(normalised).is_white
    assert all(count >= binom.ppf(0.01, runs, 0.95) for count in inside.values()), inside
    assert white >= binom.ppf(0.01, 3 * runs, 0.99), white


def test_a_doppler_log_that_returns_moves_the_estimate_by_no_more_than_three_sigma(made):
    """E8: the step of position and velocity at its first reading after a minute, against the deviations before it."""
    truths = flight(80.0)
    for seed in (4, 5, 6):
        known = [r for r in readings(SUITE, truths, seed) if r.sensor != "dvl" or not 15.0 <= r.stamp_ns * 1e-9 < 75.0]
        found = filter_readings(made, launch_of(truths), known, in_order=True)
        rows = [i for i, t in enumerate(found.stamps_ns.tolist()) if 74.98e9 <= t <= 75e9]
        before, after = (error_of(made, truths[int(found.stamps_ns[i])], found.states[i]) for i in (rows[0], rows[-1]))
        sigma = np.sqrt(np.diag(found.covariance(rows[0])[:9, :9]))
        assert sigma[3] > 10.0 * math.sqrt(found.covariance(rows[-1])[3, 3])
        assert (np.abs(after - before) <= 3.0 * sigma).all()


def test_a_clock_that_drifts_a_little_does_no_harm_and_one_that_drifts_far_is_noticed(made):
    """E11: stamps of the Doppler log at 100 ppm, whose effect is below its noise, and at 2 %."""
    truths = flight(40.0)
    seen = readings(SUITE, truths, 1)
    for drift, limit in ((1e-4, 0.02), (0.02, 0.0)):
        given = [r._replace(stamp_ns=round(r.stamp_ns * (1.0 + drift))) if r.sensor == "dvl" else r for r in seen]
        found = filter_readings(made, launch_of(truths), given)
        series = found.innovations["dvl"]
        refused = len(series.outcomes) - series.count("used")
        assert refused <= limit * len(series.outcomes) if limit else refused > 0.5 * len(series.outcomes)
        assert np.isfinite(found.states).all()
        last = truths[int(found.stamps_ns[-1])] if int(found.stamps_ns[-1]) in truths else truths[max(truths)]
        error = error_of(made, last, found.states[-1])
        assert np.abs(error[:2]).max() < (0.2 if limit else 5.0 * max(found.sigma[-1, :2]))


def porpoising(seconds):
    """A straight flight that rises through the surface to 0.3 m above it, and sinks again."""
    found = {}
    for k in range(round(seconds * 1e9) // STEP_NS + 1):
        t, w = 1e-9 * k * STEP_NS, 0.4
        down, rate, second = 0.5 + 0.8 * math.cos(w * t), -0.8 * w * math.sin(w * t), -0.8 * w * w * math.cos(w * t)
        twist, change = (1.0, 0.0, rate, 0.0, 0.0, 0.0), (0.0, 0.0, second, 0.0, 0.0, 0.0)
        found[k * STEP_NS] = Truth(k * STEP_NS, (t, 0.0, down), (1.0, 0.0, 0.0, 0.0), twist, change)
    return found


def test_the_depth_crosses_zero_without_a_jump(made):
    """E16: the pressure of air is zero, whatever the height; errors stay small and move by millimetres at a time."""
    truths = porpoising(40.0)
    found = filter_readings(made, launch_of(truths), readings(SUITE, truths, 2), in_order=True)
    rows = [(i, t) for i, t in enumerate(found.stamps_ns.tolist()) if t in truths and t > 5e9]
    errors = np.array([error_of(made, truths[t], found.states[i])[2] for i, t in rows])
    assert np.abs(errors).max() < 0.1
    assert np.abs(np.diff(errors)).max() < 0.02


def test_positions_across_the_antimeridian_are_continuous():
    """E16: what the filter takes from a satellite receiver on either side of 180 degrees of longitude."""
    site = Site(SITE.density, SITE.gravity, 0.0, Geodetic(math.radians(-17.0), math.pi, 0.0), True)
    gps = entry("gps", "gps", (0.0, 0.0, 0.0), 1.0, 0.0, {"position_accuracy": 2.0, "velocity_accuracy": 0.05})
    entries = (*SUITE, gps)
    suite = sensor_suite(entries, {one.name: stated_errors(one) for one in entries}, site)
    (receiver,) = (one for one in suite.aidings if one.name == "gps")
    for east in (-500.0, -1e-3, 1e-3, 500.0):
        place = ned_to_geodetic((10.0, east, 2.0), site.origin)
        assert abs(abs(place.longitude) - math.pi) < 1e-4
        assert receiver.convert((*place, 0.0, 0.0, 0.0))[:3] == pytest.approx((10.0, east, 2.0), abs=1e-6)


def test_the_table_of_invariants_names_tests_that_exist():
    rows = re.findall(r"^\| (E\d+) \|(.*)$", page("filters.md"), re.MULTILINE)
    assert [name for name, _ in rows] == [f"E{k}" for k in range(1, 17)]
    for _, row in rows:
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", row)
        assert named
        for file, test in named:
            path = TESTS / file if (TESTS / file).exists() else TESTS.parent / "evidence" / "tests" / file
            assert f"def {test}(" in path.read_text(encoding="utf-8"), (file, test)
