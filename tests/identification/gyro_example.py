"""Data that a gyro-driven model makes itself, so that truth is known to the last digit."""

import numpy as np

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.estimation.gyro_driven import GyroDriven, velocity_rate
from remora.identification.data.record import Segment
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.free_run import free_run

CALM = GyroDriven(
    70.9,
    (0.3, -0.7, 2.5, -8.6, 22.3, -32.7, -60.0, 40.0, 0.0, 0.0, 0.0),
    (-0.1, 0.08, -1.1, -0.4, -0.02, 0.01, -0.4, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.2, -0.9, -0.2, 0.3, 0.002, -0.006, 0.0, 0.0),
    1.0,
)


def driven(model=CALM, duration=200.0, interval=0.25, heading_offset=0.0):
    """Motion of a model under slow sines in all its inputs, without noise."""
    t = np.arange(0.0, duration, interval)
    waves = [
        np.sin(w * t + p) for w, p in ((0.31, 0.1), (0.53, 1.2), (0.23, 2.0), (0.07, 0.4), (0.41, 0.9), (0.17, 0.2))
    ]
    rates = np.column_stack([0.03 * waves[0], 0.08 * waves[1], 0.15 * waves[2]])
    accelerations = np.gradient(rates, interval, axis=0)
    pitch, heading = 0.15 * waves[4], heading_offset + 0.8 * np.sin(0.11 * t)
    thrust = 45.0 + 20.0 * waves[3] + 8.0 * waves[5]
    attitude = np.column_stack(from_euler_zyx(0.0 * t, pitch, heading))
    still = np.zeros((len(t), 3))
    still[0] = (1.6, 0.0, 0.0)
    data = GyroData(
        t, still, still, rates, accelerations, attitude, thrust, model.surge_mass, np.ones(len(t), dtype=bool),
        (Segment(0, len(t)),), "a model",
    )  # fmt: skip
    return with_motion(data, model)


def with_motion(data, model):
    """The same inputs with the motion of a model."""
    velocity = free_run(model, data, 0.05).velocity
    columns = tuple(velocity.T)
    rate = velocity_rate(model, data.thrust, columns, data.rotation(model.circular_heading))
    return data._replace(velocity=velocity, velocity_rate=np.column_stack(rate))


def shaken(data, seed, velocity=0.003, acceleration=0.003):
    """Noise on speeds and their rates."""
    draws = np.random.default_rng(seed).normal(size=(2, *data.velocity.shape))
    return data._replace(
        velocity=data.velocity + velocity * draws[0], velocity_rate=data.velocity_rate + acceleration * draws[1]
    )
