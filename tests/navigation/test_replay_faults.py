"""Replays of records with lost and frozen sensors, wrong clocks and wrong units."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from remora.interop.recorded import RecordedSensors, filter_of
from remora.messages.reading import Reading, Status
from remora.navigation.inertial.inertial_filter import Launch
from remora.navigation.inertial.input_gaps import coasting_reading, turn_rate_sigma
from remora.navigation.inertial.sensor_health import SensorHealth, after_refusal, at_time
from remora.navigation.parts.filter_options import Pause
from remora.navigation.replays import RecordedTruth, replay
from remora.report.filter_replays import _deviation_lines, replay_lines
from suite_flights import SITE, SUITE, flight, readings

SECONDS = 20.0
END = 1 << 62


@pytest.fixture(scope="module")
def recorded():
    truths = flight(SECONDS)
    rows = list(truths.values())
    truth = RecordedTruth(
        np.array(list(truths)), np.array([t.p_NB for t in rows]), np.array([t.q_NB for t in rows]),
        np.array([t.twist for t in rows]),
    )  # fmt: skip
    return RecordedSensors(SUITE, SITE, Launch(rows[0].p_NB), tuple(readings(SUITE, truths, 1)), truth)


@pytest.fixture(scope="module")
def made(recorded):
    return filter_of(recorded)


def replayed(made, recorded, seen):
    return replay(made, recorded.launch, seen, (), recorded.truth)


def without(seen, sensor, from_ns, until_ns):
    return [r for r in seen if r.sensor != sensor or not from_ns <= r.stamp_ns < until_ns]


def with_values(seen, sensor, from_ns, until_ns, values=None):
    """Readings of one sensor that gives the same values between two times, by default its first ones there."""
    held = values or next(r.values for r in seen if r.sensor == sensor and r.stamp_ns >= from_ns)
    is_held = [r.sensor == sensor and from_ns <= r.stamp_ns < until_ns for r in seen]
    return [r._replace(values=held) if held_here else r for r, held_here in zip(seen, is_held, strict=True)]


def with_status(seen, sensor, from_ns, until_ns, status):
    """Readings of one sensor without values between two times."""
    return [
        r._replace(status=status, values=(np.nan,) * len(r.values))
        if r.sensor == sensor and from_ns <= r.stamp_ns < until_ns
        else r
        for r in seen
    ]


LOST_INPUTS = {
    "ends": lambda seen: without(seen, "imu", 10e9, END),
    "frozen to the end": lambda seen: with_values(seen, "imu", 10e9, END),
    "frozen for five seconds": lambda seen: with_values(seen, "imu", 10e9, 15e9),
}


@pytest.mark.parametrize("loss", LOST_INPUTS)
def test_lost_inertial_readings_are_a_gap(made, recorded, loss):
    """Their last value is not integrated on: constant velocity with wide deviations, and errors inside these."""
    found = replayed(made, recorded, LOST_INPUTS[loss](recorded.readings))
    errors, times = found.errors, found.run.stamps_ns
    late = errors.stamps_ns > 10e9
    deviations = found.run.sigma[np.isin(times, errors.stamps_ns), :9]
    assert times[-1] > 19.5e9
    assert np.mean(np.abs(errors.errors)[late] <= 3.0 * deviations[late]) > 0.99
    assert max(one.rejected for one in found.sensors) == 0
    inside = (times > 11e9) & (times < 15e9)
    assert found.run.sigma[inside, 8].min() > 2.0 * found.run.sigma[times < 10e9, 8].min()


FAILURES = {
    "imu ends": (lambda seen: without(seen, "imu", 10e9, END), "s until the end"),
    "imu gap": (lambda seen: without(seen, "imu", 10e9, 15e9), "imu: gap for 5.0 s"),
    "imu frozen": (lambda seen: with_values(seen, "imu", 10e9, 15e9), "imu: frozen for 5.0 s"),
    "dvl frozen": (lambda seen: with_values(seen, "dvl", 10e9, 15e9), "dvl: frozen for 5.0 s"),
    "dvl frozen to the end": (lambda seen: with_values(seen, "dvl", 17.5e9, END), "s until the end"),
    "depth frozen": (lambda seen: with_values(seen, "depth", 10e9, 15e9), "depth: frozen for 5.0 s"),
    "dvl of zeros": (lambda seen: with_values(seen, "dvl", 10e9, 15e9, (0.0,) * 4), "dvl: zeros for 5."),
    "dvl off": (lambda seen: with_status(seen, "dvl", 10e9, 15e9, Status.OFF), "dvl: lost for 5."),
    "dvl dropped": (lambda seen: with_status(seen, "dvl", 10e9, 15e9, Status.DROPPED), "dvl: dropped for 5."),
    "dvl of two readings": (lambda seen: without(seen, "dvl", 0.3e9, END), "s until the end"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_sensor_that_fails_for_seconds_or_for_good_is_named(made, recorded, failure):
    change, reason = FAILURES[failure]
    found = replayed(made, recorded, change(recorded.readings))
    assert found.verdict.name == "degraded"
    assert any(reason in one and one.startswith(failure.split()[0]) for one in found.verdict.reasons)
    lines = list(replay_lines(found))
    assert any(line.startswith(f"warning     outages of {failure.split()[0]}: 1, ") for line in lines)
    assert ("health lost" in lines[1]) == (failure == "imu ends")


def test_a_short_outage_is_a_warning(made, recorded):
    found = replayed(made, recorded, with_values(recorded.readings, "dvl", 10e9, 12e9))
    assert found.verdict.name == "consistent"
    ((outage,),) = (one.outages for one in found.sensors if one.name == "dvl")
    assert (outage.cause, outage.is_last) == ("frozen", False)
    assert outage.seconds == pytest.approx(2.0, abs=0.3)


def test_a_whole_record_has_no_outage(made, recorded):
    found = replayed(made, recorded, recorded.readings)
    assert found.verdict == ("consistent", ())
    assert not any(one.outages for one in (found.inputs, *found.sensors))


def test_a_filter_that_diverges_is_called_so_with_the_likely_causes(made, recorded):
    """Gyros in degrees per second taken for rad/s."""
    seen = [
        r._replace(values=(*r.values[:3], *(57.3 * w for w in r.values[3:]))) if r.sensor == "imu" else r
        for r in recorded.readings
    ]
    found = replayed(made, recorded, seen)
    assert found.verdict.name == "diverged"
    assert any("largest innovations" in reason for reason in found.verdict.reasons)
    assert "units" in found.verdict.reasons[-1]
    assert found.verdict.reasons[-1].endswith("and imu")


def test_velocities_in_a_gap_count_the_error_of_the_turn_rate(made, recorded):
    """Right after a reading of the Doppler log, whose lever arm turns with a rate that only noisy attitudes give."""
    random = np.random.default_rng(5)
    noisy = [
        r._replace(values=tuple((np.array(r.values) + (0.0, 0.0, 0.01) * random.standard_normal(3)).tolist()))
        if r.sensor == "ahrs"
        else r
        for r in without(recorded.readings, "imu", 8e9, 18e9)
    ]
    found = replayed(made, recorded, noisy)
    errors = found.errors
    inside = (errors.stamps_ns > 8.3e9) & (errors.stamps_ns < 18e9)
    deviations = found.run.sigma[np.isin(found.run.stamps_ns, errors.stamps_ns), 3:6]
    assert np.mean(np.abs(errors.errors[inside, 3:6]) <= 3.0 * deviations[inside]) > 0.99
    assert deviations[inside].min() > 0.1 * turn_rate_sigma(made)  # m; the Doppler log alone has 5 mm/s


def test_the_error_of_the_turn_rate_acts_across_the_lever_arm(made):
    """A velocity along the lever arm has none of it, one across it the rate times its length."""
    dvl = made.suite.aiding("velocity")
    axes, sigma = np.reshape(dvl.numbers[3:12], (3, 3)), np.array(dvl.sigma)
    along = dvl._replace(numbers=(*(2.0 * axes[:, 0]).tolist(), *dvl.numbers[3:]))
    turned = replace(made, suite=made.suite._replace(aidings=(along,)))
    reading = Reading("dvl", 0, 0, Status.OK, (1.0, 0.0, 0.0, *sigma.tolist()))
    values = coasting_reading(turned, reading).values
    assert values[:4] == pytest.approx(reading.values[:4])
    assert values[4:] == pytest.approx(np.hypot(sigma[1:], 2.0 * turn_rate_sigma(turned)))


def test_statistics_that_the_verdict_tolerates_are_named():
    """As with a lever arm that is wrong by 40 cm: NIS 3.21, interval 2.92 to 3.08, not white."""
    white, coloured = SimpleNamespace(is_white=True), SimpleNamespace(is_white=False)
    dvl = SimpleNamespace(name="dvl", used=9, interval=(2.92, 3.08), mean_squared=3.21, whiteness=coloured)
    depth = SimpleNamespace(name="depth", used=9, interval=(0.96, 1.04), mean_squared=1.05, whiteness=white)
    compass = SimpleNamespace(name="compass", used=9, interval=(2.93, 3.07), mean_squared=3.0, whiteness=None)
    first, second = _deviation_lines([dvl, depth, compass])
    assert first.strip() == "NIS outside its 95 % interval, within tolerance: dvl, depth"
    assert second.strip() == "innovations not white, check lever arm and latency: dvl"
    assert not list(_deviation_lines([compass]))


def test_masked_inertial_readings_are_no_fault_but_a_gap_beside_them_is(made, recorded):
    masked = replay(made, recorded.launch, recorded.readings, [Pause("imu", 5 * 10**9, 9 * 10**9)], recorded.truth)
    assert [outage.cause for outage in masked.inputs.outages] == ["masked"]
    assert not any(reason.startswith("imu") for reason in masked.verdict.reasons)
    seen = without(recorded.readings, "imu", 6e9, 11e9)
    broken = replay(made, recorded.launch, seen, [Pause("imu", 5 * 10**9, 6 * 10**9)], recorded.truth)
    assert broken.verdict.name == "degraded"


def test_a_sensor_that_is_off_is_lost_at_once_and_a_silent_one_after_a_second_or_three_periods():
    """As the table of events in docs/navigation-filter.md says."""
    sensor, good = SimpleNamespace(period_ns=200_000_000, latency=0.1), SensorHealth("good", 10**9)
    assert after_refusal(good, "lost").status == "lost"
    assert after_refusal(good, "dropped").status == "good"
    assert at_time(good, sensor, 2_100_000_000).status == "good"
    assert at_time(good, sensor, 2_100_000_001).status == "lost"
    slow = SimpleNamespace(period_ns=10**9, latency=0.0)
    assert (at_time(good, slow, 4 * 10**9).status, at_time(good, slow, 4 * 10**9 + 1).status) == ("good", "lost")
