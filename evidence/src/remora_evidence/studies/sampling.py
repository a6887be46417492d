"""Sensor readings and random numbers for studies."""

import numpy as np
from numpy.typing import NDArray

from remora.sensors import Environment, Reading, Sensor, Stream, Truth

BLOCK = 64  # numbers drawn at once


def readings(sensor: Sensor, count: int, truth: Truth, water: Environment) -> list[Reading]:
    """A number of readings on a vehicle with constant position and velocity."""
    state, found = sensor.initial(), []
    for k in range(count):
        now = truth._replace(time_ns=sensor.description.start_ns + k * sensor.description.period_ns)
        state, reading = sensor.step(state, now, water, k)
        if reading is not None:
            found.append(reading)
    return found


def normals(seed: int, name: str, count: int) -> NDArray[np.float64]:
    """Standard normal numbers of a named stream."""
    stream = Stream(seed, name)
    return np.concatenate([stream.normals(k, BLOCK) for k in range(-(-count // BLOCK))])[:count]
