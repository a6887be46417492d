"""N2 and N3: stamps are measurement times, streams know nothing of each other, and a run can be taken up anywhere."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sensor_runs import AT_REST, WATER, readings, sensor, values

from remora.sensors import Status, Stream, WithFreeze, WithOutage, make_sensors
from remora.sensors.errors.streams import BLOCK

NOISY = {
    "imu": {"grade": "consumer"},
    "dvl": {"std": 0.01, "bias_wander": 0.01, "altitude_std": 0.1, "dropout": 0.1},
    "pressure": {
        "std": 10.0,
        "bias_walk": 1.0,
        "drift": 0.1,
        "outlier_probability": 0.1,
        "outlier_std": 1e3,
    },
    "ins": {},
}


def entries():
    place = {"position": (0.1, 0.0, 0.0), "rate": 10.0}
    return tuple({"name": kind, "kind": kind, **place, "parameters": parameters} for kind, parameters in NOISY.items())


def by_name(sensors, count=200):
    return {made.description.name: readings(made, count) for made in sensors}


def same(first, second):
    """Equal bit by bit, a NaN being equal to a NaN."""
    return repr(first) == repr(second)


def test_stamp_is_the_time_of_measurement_and_latency_comes_on_top():
    found = readings(sensor("gyro", 8.0, latency=0.35), 5)
    assert [reading.stamp_ns for reading in found] == [k * 125_000_000 for k in range(5)]
    assert all(reading.arrival_ns - reading.stamp_ns == 350_000_000 for reading in found)


def test_arrival_may_be_in_another_order_but_never_before_the_measurement():
    found = readings(sensor("gyro", 100.0, latency=0.02, latency_jitter=0.02), 2000)
    arrivals = [reading.arrival_ns for reading in found]
    assert arrivals != sorted(arrivals)
    assert all(reading.arrival_ns >= reading.stamp_ns for reading in found)
    late = np.array([1e-9 * (reading.arrival_ns - reading.stamp_ns) for reading in found])
    # A normal number of mean and deviation one that is cut at zero has the mean 1.0833.
    assert late.mean() == pytest.approx(0.02 * 1.0833, rel=0.05)


def test_periods_are_free():
    assert sensor("gyro", 0.87).description.period_ns == 1_149_425_287
    assert sensor("gyro", 3.0).description.period_ns == 333_333_333


def test_nothing_is_read_before_the_start():
    made = sensor("gyro", start=2.0)
    state, reading = made.step(made.initial(), AT_REST._replace(time_ns=1_999_999_999), WATER, 0)
    assert reading is None
    assert made.step(state, AT_REST._replace(time_ns=2 * 10**9), WATER, 0)[1].status == Status.OK


def test_adding_removing_and_reordering_sensors_changes_no_other_noise():
    all_of_them = by_name(make_sensors(entries(), 7, "rov"))
    backwards = by_name(make_sensors(tuple(reversed(entries())), 7, "rov"))
    assert all(same(all_of_them[name], backwards[name]) for name in all_of_them)
    for entry in entries():
        alone = by_name(make_sensors((entry,), 7, "rov"))
        assert all(same(all_of_them[name], found) for name, found in alone.items())


def test_streams_of_other_names_scopes_and_seeds_are_independent():
    columns = [
        values(sensor("gyro", seed=seed, scope=scope, name=name, std=1.0), 4000)[:, 0]
        for seed, scope, name in ((1, "a", "gyro"), (2, "a", "gyro"), (1, "b", "gyro"), (1, "a", "gyro_2"))
    ]
    correlation = np.corrcoef(columns)[np.triu_indices(4, 1)]
    assert np.abs(correlation).max() < 4.0 / math.sqrt(4000)


def test_another_error_of_the_same_sensor_leaves_its_noise_alone():
    plain = values(sensor("gyro", std=0.1), 100)
    biased = values(sensor("gyro", std=0.1, bias=1.0, outlier_probability=0.0, outlier_std=1.0), 100)
    np.testing.assert_allclose(biased - 1.0, plain, atol=1e-15)


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry["kind"])
@pytest.mark.parametrize("cut", [1, BLOCK - 1, BLOCK, BLOCK + 37])
def test_a_run_that_is_saved_and_taken_up_goes_on_bit_by_bit(entry, cut):
    (made,) = make_sensors((entry,), 3)
    whole = readings(made, 200)
    state = made.initial()
    for k in range(cut):
        state, _ = made.step(state, AT_REST._replace(time_ns=k * made.description.period_ns), WATER, k)
    fresh, saved = pickle.loads(pickle.dumps((made, state)))
    assert same(whole[cut:], readings(fresh, 200 - cut, start=cut, state=saved))
    assert same(whole, readings(made, 200)), "a second run differs"


@given(k=st.integers(0, 10**9), count=st.integers(1, 8))
def test_a_sample_of_a_stream_is_the_same_whenever_it_is_asked_for(k, count):
    stream = Stream(5, "rov/imu")
    first = stream.normals(k, count), stream.uniforms(k, count)
    stream.normals(k + 10 * BLOCK, count)
    assert (stream.normals(k, count), stream.uniforms(k, count)) == first
    assert (Stream(5, "rov/imu").normals(k, count)) == first[0]


def test_streams_compare_by_seed_and_name():
    assert Stream(1, "a") == pickle.loads(pickle.dumps(Stream(1, "a"))) != Stream(1, "b")
    assert Stream(1, "a").of("b") == Stream(1, "a/b")
    assert len({Stream(1, "a"), Stream(1, "a"), Stream(2, "a")}) == 2
    with pytest.raises(ValueError, match="not negative"):
        Stream(-1, "a")


def test_the_first_numbers_of_a_stream_stay_what_they_are():
    """Logs of old runs can only be repeated while this holds."""
    assert Stream(1, "rov/imu").normals(0, 2) == (-0.18070139866958587, 0.24186808635600945)


def test_an_outage_takes_the_values_and_a_freeze_repeats_them():
    inner = sensor("gyro", 1.0, std=0.1)
    plain = readings(inner, 10)
    out = readings(WithOutage(inner, 3 * 10**9, 6 * 10**9), 10)
    assert [reading.status for reading in out] == [Status.OK] * 3 + [Status.OFF] * 3 + [Status.OK] * 4
    assert np.isnan([reading.values for reading in out[3:6]]).all()
    assert out[6:] == plain[6:]
    frozen = readings(WithFreeze(inner, 3 * 10**9, 6 * 10**9), 10)
    assert [reading.values for reading in frozen[3:6]] == [plain[2].values] * 3
    assert [reading.stamp_ns for reading in frozen] == [reading.stamp_ns for reading in plain]
    assert frozen[6:] == plain[6:]
