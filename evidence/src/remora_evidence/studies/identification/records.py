"""Records of known truth for studies of estimators: vehicles under way, with the noise of instruments on their motion.

Commands are held from sample to sample and the plant runs in four steps between them, more than a fit may take. Speeds
carry white noise and, where asked for, noise that lasts, as a filtered Doppler log gives it; attitudes carry white
noise.
"""

from typing import NamedTuple

import numpy as np
from scipy.signal import lfilter

from remora.files.arrays import Array
from remora.identification.data.record import Record, inputs_of, record_from_arrays
from remora.plant import initial_state, pack, rollout
from remora.vehicles.parameters import VehicleParameters, actuator_names
from remora_evidence.studies.sampling import normals

STEPS = 4  # of the plant per sample
WAVES = 5  # sinusoids in each command


class InstrumentNoise(NamedTuple):
    """One standard deviation of what instruments add."""

    speed: float  # m/s, white
    rate: float  # rad/s, white
    attitude: float  # rad, white
    lasting_speed: float = 0.0  # m/s, correlated
    correlation_time: float = 1.0  # s


class CommandWaves(NamedTuple):
    """Commands: sums of waves between two frequencies, mixed onto the actuators, about a mean."""

    mean: Array  # of each actuator
    mixing: Array  # actuators x sums of waves: amplitude of each wave
    slowest: float = 0.02  # Hz
    fastest: float = 0.25


def twin_record(
    truth: VehicleParameters, drive: CommandWaves, noise: InstrumentNoise, seed: int, duration: float, interval: float,
    speed: float = 0.0,
) -> Record:  # fmt: skip
    """A record of a vehicle that starts level with some forward speed; all chance comes from the seed."""
    packed, samples = pack(truth), round(duration / interval) + 1
    time = np.asarray(np.arange(samples) * interval, dtype=np.float64)
    commands = _waves(drive, seed, time)
    start = initial_state(packed, twist=(speed, 0.0, 0.0, 0.0, 0.0, 0.0), outputs=commands[0])
    states = rollout(packed, start, commands[:-1], interval, steps=STEPS)
    twist = states[:, 7:13] + np.repeat([noise.speed, noise.rate], 3) * _table(seed, "speeds", samples, 6)
    if noise.lasting_speed:
        twist[:, :3] += noise.lasting_speed * _lasting(seed, samples, interval / noise.correlation_time)
    return record_from_arrays(
        np.arange(samples) * round(interval * 1e9),
        twist,
        inputs_of("commands", commands, actuator_names(truth), ["SI"] * packed.actuators),
        quaternion=_tilted(states[:, 3:7], noise.attitude * _table(seed, "attitude", samples, 3)),
        source=f"twin, seed {seed}",
    )


def _waves(drive: CommandWaves, seed: int, time: Array) -> Array:
    """Commands as sums of sinusoids of chance frequency and phase."""
    random = np.random.default_rng(seed)
    shape = (WAVES, drive.mixing.shape[1])
    frequency, phase = random.uniform(drive.slowest, drive.fastest, shape), random.uniform(0.0, 2.0 * np.pi, shape)
    waves = np.sin(2.0 * np.pi * frequency * time[:, None, None] + phase)
    return np.asarray(drive.mean + waves.sum(axis=1) @ drive.mixing.T)


def _table(seed: int, name: str, rows: int, columns: int) -> Array:
    return normals(seed, name, rows * columns).reshape(rows, columns)


def _lasting(seed: int, rows: int, step: float) -> Array:
    """A first-order process of unit variance, one column per axis."""
    rho = np.exp(-step)
    white = _table(seed, "lasting", rows, 3)
    white[1:] *= np.sqrt(1.0 - rho**2)
    return np.asarray(lfilter([1.0], [1.0, -rho], white, axis=0))


def _tilted(quaternion: Array, turn: Array) -> Array:
    """Attitudes turned by small angles in body axes."""
    w, x, y, z = quaternion.T
    a, b, c = 0.5 * turn.T
    turned = np.column_stack([w - x * a - y * b - z * c, x + w * a + y * c - z * b,
                              y + w * b + z * a - x * c, z + w * c + x * b - y * a])  # fmt: skip
    return np.asarray(turned / np.linalg.norm(turned, axis=1)[:, None])
