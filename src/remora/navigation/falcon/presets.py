"""Noise of the Falcon filters: process noise per error coordinate, initial uncertainty, sensor noise.

The source prints a process noise with off-diagonals that is indefinite and far too large per step (Proctor 2014,
app. E.3). Two diagonal presets stand in its place: "seed-scaled", the printed diagonal times 1e-4, and "tuned".
"""

import math
from typing import NamedTuple

import numpy as np

from remora.equations.navigation.oscillating_force import MEMORY
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError

MILLI_G = 9.80665e-3  # m/s2
DEGREE = math.pi / 180.0
CYCLE = 0.05  # s, of the source
SCALE = 1e-4  # of the printed diagonal
ADDITIVE_PRESETS = ("seed-scaled", "tuned")
DEFAULT = "default"  # error states
PRESETS = (DEFAULT, *ADDITIVE_PRESETS)

# Relative standard deviation of damping and added mass: the largest error in the simulations of the source (Proctor
# 2014, chapter 6). Such errors outlast the correlation time of the noise, so that their bound counts as deviation.
COEFFICIENT_ERROR = 0.2

# Blocks of the additive state: position, quaternion, velocity, turn rate, biases of accelerometer and gyro.
_SIZES = (3, 4, 3, 3, 3, 3)
_UNITS = (1.0, 1.0, 1.0, 1.0, MILLI_G, DEGREE)
_PRINTED = (9.0, 0.25, 0.25, 0.25, 1.0, 0.01)  # variances per step; m2, 1, m2/s2, rad2/s2, mG2, deg2/s2
_TUNED = (1e-6, 1e-7, 4e-4, 4e-4, 1e-3, 1e-6)
_INITIAL = (9.0, 1.0, 1.0, 1.0, 1e4, 100.0)


class SledNoise(NamedTuple):
    """Standard deviations of the sensors under way. Proctor 2014, Tables 4.2 to 4.10."""

    accelerometer: float = 30.0 * MILLI_G  # m/s2
    gyro: float = 0.75 * DEGREE  # rad/s
    pressure: float = 25.0  # Pa
    tilt: float = 0.5 * DEGREE  # rad
    heading: float = 0.75 * DEGREE  # rad
    velocity: float = 0.04  # m/s
    range: float = math.sqrt(1.2e-3)  # m


class OscillationPrior(NamedTuple):
    """Oscillating unmodelled force of each axis before its amplitude, phase and period are estimated."""

    force: float  # N, standard deviation
    periods: tuple[float, float]  # s, shortest and longest; equally likely on a logarithmic scale
    drift: float = 0.01  # relative change of the frequency per square root of a second

    @property
    def frequency(self) -> float:
        """Geometric mean of the angular frequencies, rad/s."""
        return 2.0 * math.pi / math.sqrt(self.periods[0] * self.periods[1])

    @property
    def frequency_sigma(self) -> float:
        """Standard deviation of the logarithm of the frequency."""
        return math.log(self.periods[1] / self.periods[0]) / math.sqrt(12.0)


class ModelNoise(NamedTuple):
    """Errors of the plant as the error-state filter assumes them.

    With coefficients of the plant wrong by up to 20 %, moving slowly through the array, the missing force has 2 to 7 N
    and is correlated over about a second. Faster, it grows with drag and acceleration.
    """

    force: float = 5.0  # N, standard deviation of the unmodelled force at rest
    torque: float = 1.0  # N m, the same of the torque: this force at 0.2 m from the origin
    force_time: float = 1.0  # s, their correlation time
    # Relative standard deviation of damping and added mass. None: COEFFICIENT_ERROR, or zero with the effectiveness of
    # thrusters, which can be distinguished from errors of the hull only after minutes.
    coefficients: float | None = None
    velocity: float = 0.005  # m/s per square root of a second
    turn_rate: float = 0.1  # rad/s per square root of a second
    accelerometer_bias: float = 0.01 * MILLI_G  # m/s2 per square root of a second
    gyro_bias: float = 1e-3 * DEGREE  # rad/s per square root of a second
    effectiveness: float = 0.02  # per square root of a second
    pose: float = 1e-4  # m and rad per square root of a second
    oscillation: OscillationPrior | None = None  # besides the unmodelled force; None: none


def _diagonal(blocks: tuple[float, ...]) -> Array:
    """Variances of the additive state in SI units."""
    return np.repeat(np.array(blocks) * np.square(_UNITS), _SIZES)


def printed_process_noise() -> Array:
    """The printed covariance per step with its off-diagonals, in the units of the source: not usable."""
    Q = np.diag(np.repeat(_PRINTED, _SIZES))
    position, quaternion, velocity, rate = slice(0, 3), slice(3, 7), slice(7, 10), slice(10, 13)
    for rows, columns, value in ((position, quaternion, 0.25), (position, velocity, 0.25), (quaternion, rate, 0.09)):
        Q[rows, columns] = Q.T[rows, columns] = value
    return Q


def additive_noise(preset: str) -> Array:
    """Process noise of the additive filter per error coordinate, unit per square root of a second.

    Raises an InputError for an unknown preset, and for "printed": that matrix has a negative eigenvalue.
    """
    if preset == "printed":
        smallest = float(np.linalg.eigvalsh(printed_process_noise()).min())
        raise InputError(
            f"the printed process noise has the eigenvalue {smallest:.3f}, so it is no covariance: "
            "give seed-scaled or tuned"
        ).about("preset", preset, ADDITIVE_PRESETS)
    if preset not in ADDITIVE_PRESETS:
        hint = suggestion(preset, PRESETS)
        raise InputError(f"preset {preset!r} is unknown. {hint}").about("preset", preset, PRESETS)
    variances = SCALE * _diagonal(_PRINTED) if preset == "seed-scaled" else _diagonal(_TUNED)
    density: Array = np.sqrt(variances / CYCLE)
    return density


def additive_sigma() -> Array:
    """Initial standard deviations of the additive filter. Proctor 2014, app. E.3."""
    sigma: Array = np.sqrt(_diagonal(_INITIAL))
    return sigma


def error_state_noise(model: ModelNoise, with_effectiveness: bool) -> Array:
    """Process noise of the error-state filter per error coordinate, unit per square root of a second."""
    growth = math.sqrt(2.0 / model.force_time)
    blocks = [(model.pose, 6), (model.velocity, 3), (model.turn_rate, 3), (model.accelerometer_bias, 3)]
    blocks += [(model.gyro_bias, 3), (growth * model.force, 3), (growth * model.torque, 3)]
    blocks += [(model.effectiveness, 5)] if with_effectiveness else []
    if model.oscillation is not None:
        blocks += [(model.oscillation.force * math.sqrt(2.0 / MEMORY), 6), (model.oscillation.drift, 3)]
    return np.concatenate([np.full(size, value) for value, size in blocks])


def error_state_sigma(model: ModelNoise, with_effectiveness: bool) -> Array:
    """Initial standard deviations of the error-state filter."""
    blocks = [(1.0, 3), (0.2, 2), (math.pi / 3.0, 1), (0.3, 6)]
    blocks += [(20.0 * MILLI_G, 3), (1.0 * DEGREE, 3), (model.force, 3), (model.torque, 3)]
    blocks += [(0.1, 5)] if with_effectiveness else []
    if model.oscillation is not None:
        blocks += [(model.oscillation.force, 6), (model.oscillation.frequency_sigma, 3)]
    return np.concatenate([np.full(size, value) for value, size in blocks])


def oscillation_start(prior: OscillationPrior) -> Array:
    """Nine numbers of the oscillation at the start: no force, at the mean frequency."""
    return np.concatenate([np.zeros(6), np.full(3, prior.frequency)])
