"""Replays of records with lost and frozen sensors, wrong clocks and wrong units."""

import numpy as np
import pytest

from remora.interop.recorded import RecordedSensors, filter_of
from remora.navigation.inertial.inertial_filter import Launch
from remora.navigation.replays import RecordedTruth, replay
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
