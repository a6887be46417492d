"""Motions for sensors, and their readings one by one."""

import numpy as np

from remora.sensors import RecordedMotion, recorded_motion


def wandering_motion(count, period_ns=10_000_000, seed=1, depth=4.0, outputs=0, tumbling=True, pace=0.7):
    """A motion of random walks: tilted, upside down and now and then out of the water."""
    random, time_ns = np.random.default_rng(seed), np.arange(count) * period_ns
    q = random.normal(size=4) + np.cumsum(random.normal(scale=0.3 if tumbling else 0.01, size=(count, 4)), axis=0)
    if not tumbling:
        q = np.array([1.0, 0.0, 0.0, 0.0]) + 0.1 * random.normal(size=(count, 4))
    p = np.array([0.0, 0.0, depth]) + np.cumsum(random.normal(scale=pace, size=(count, 3)), axis=0)
    twist, rate = random.normal(size=(2, count, 6))
    return recorded_motion(
        time_ns,
        p,
        q / np.linalg.norm(q, axis=1)[:, None],
        twist,
        rate,
        random.normal(scale=0.2, size=(count, 3)),
        random.normal(scale=50.0, size=(count, outputs)),
    )


def motion_of_truths(truths):
    """The motion of a list of truths."""
    columns = [np.array(column, dtype=float) for column in zip(*(truth[1:] for truth in truths), strict=True)]
    return RecordedMotion(np.array([truth.time_ns for truth in truths]), *columns)


def stepped(sensor, samples):
    """Readings of `step`, as the loop calls it: stamps, arrivals, status and values."""
    state, found = sensor.initial(), []
    for truth, environment, k in samples:
        state, reading = sensor.step(state, truth, environment, k)
        found.append(reading[1:])
    return found


def assert_same_bits(drawn, readings):
    """Fail where a number of drawn arrays differs from that of single readings in any bit."""
    stamps, arrivals, status, values = zip(*readings, strict=True)
    np.testing.assert_array_equal(drawn.stamp_ns, stamps)
    np.testing.assert_array_equal(drawn.arrival_ns, arrivals)
    np.testing.assert_array_equal(drawn.status, status)
    one_by_one = np.array(values, dtype=float)
    assert one_by_one.shape == drawn.values.shape
    bits = [np.where(np.isnan(table), np.nan, table).view(np.int64) for table in (drawn.values, one_by_one)]
    differs = np.flatnonzero((bits[0] != bits[1]).any(axis=1))
    assert not differs.size, f"sample {differs[0]}: {drawn.values[differs[0]]} {one_by_one[differs[0]]}"
