"""Running sensors by hand: at rest or along given truths."""

import math

import numpy as np

from remora.sensors import OpenWater, Truth, make_sensor

AT_REST = Truth(0, p_NB=(0.0, 0.0, 5.0))
WATER = OpenWater(bottom_depth=20.0)


def sensor(kind, rate=10.0, seed=1, name=None, scope="", **parameters):
    """A sensor at the origin of the body."""
    fields = {"name": name or kind, "kind": kind, "position": (0.0, 0.0, 0.0), "rate": rate}
    fields.update({key: parameters.pop(key) for key in ("position", "q_BS", "latency") if key in parameters})
    return make_sensor({**fields, "parameters": parameters}, seed, scope)


def readings(made, count, truth=AT_REST, water=WATER, start=0, state=None):
    """The readings of samples start, start + 1, ... of a sensor; a function of time may stand for the truth."""
    state = made.initial() if state is None else state
    found = []
    for k in range(start, start + count):
        time_ns = made.description.start_ns + k * made.description.period_ns
        now = truth(time_ns) if callable(truth) else truth._replace(time_ns=time_ns)
        state, reading = made.step(state, now, water, k)
        found.append(reading)
    return found


def values(made, count, truth=AT_REST, water=WATER):
    return np.array([reading.values for reading in readings(made, count, truth, water)])


def allan_deviation(signal, period, cluster):
    """Overlapping Allan deviation at the averaging time cluster x period (IEEE Std 952)."""
    total = np.concatenate(([0.0], np.cumsum(signal))) * period
    second = total[2 * cluster :] - 2.0 * total[cluster:-cluster] + total[: -2 * cluster]
    time = cluster * period
    return math.sqrt(np.mean(second**2) / (2.0 * time**2))
