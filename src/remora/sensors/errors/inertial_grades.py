"""Error parameters of inertial units by grade: marine, tactical, industrial, consumer.

Parameters are one standard deviation in SI. Turn-on biases follow Groves 2013, ch. 4, for marine and tactical units and
Randeni et al. 2018 for navigation; the rest is typical of data sheets of each class and chosen here. Proctor 2014 tells
the grades by how long an unaided solution holds: marine below 2 km in 24 h, navigation below 1.5 km in an hour,
tactical minutes, industrial seconds.
"""

import math
from typing import NamedTuple

from remora.files.did_you_mean import suggestion

MICRO_G = 9.80665e-6  # m/s2
DEGREE_PER_HOUR = math.radians(1.0) / 3600.0  # rad/s
DEGREE_PER_ROOT_HOUR = math.radians(1.0) / 60.0  # rad/s per root hertz
PPM = 1.0e-6


class InertialGrade(NamedTuple):
    """Errors of an inertial unit; the fields are parameters of the kind "imu"."""

    accelerometer_bias_std: float  # m/s2, turn-on bias
    accelerometer_bias_wander: float  # m/s2, in run, Gauss-Markov
    accelerometer_bias_wander_time: float  # s
    accelerometer_random_walk: float  # m/s per root second: velocity random walk
    accelerometer_scale_std: float
    accelerometer_scale_asymmetry: float  # between positive and negative values
    accelerometer_misalignment: float  # rad
    accelerometer_nonorthogonality: float  # rad
    gyro_bias_std: float  # rad/s
    gyro_bias_wander: float  # rad/s
    gyro_bias_wander_time: float  # s
    gyro_random_walk: float  # rad per root second: angle random walk
    gyro_scale_std: float
    gyro_scale_asymmetry: float
    gyro_misalignment: float  # rad
    gyro_nonorthogonality: float  # rad
    gyro_force_sensitivity: float  # rad/s per m/s2


def _grade(
    bias: tuple[float, float], wander: tuple[float, float], walk: tuple[float, float], scale: float, axes: float,
    time: float, force: float,
) -> InertialGrade:  # fmt: skip
    """A grade from micro-g, degrees per hour and per root hour, micro-g per root hertz, ppm, rad and deg/h per g."""
    return InertialGrade(
        bias[0] * MICRO_G, wander[0] * MICRO_G, time, walk[0] * MICRO_G,
        scale * PPM, 0.1 * scale * PPM, axes, 0.5 * axes,
        bias[1] * DEGREE_PER_HOUR, wander[1] * DEGREE_PER_HOUR, time, walk[1] * DEGREE_PER_ROOT_HOUR,
        scale * PPM, 0.1 * scale * PPM, axes, 0.5 * axes,
        force * DEGREE_PER_HOUR / (1.0e6 * MICRO_G),
    )  # fmt: skip


GRADES = {
    "marine": _grade((10, 0.001), (1, 0.0002), (5, 0.0005), 5, 5e-6, 3600, 0.0),
    "navigation": _grade((50, 0.01), (10, 0.002), (20, 0.003), 50, 2e-5, 3600, 0.0),
    "tactical": _grade((1_000, 10), (100, 1), (50, 0.1), 300, 5e-4, 600, 1),
    "industrial": _grade((5_000, 360), (100, 10), (100, 0.25), 2_000, 1e-3, 300, 30),
    "consumer": _grade((30_000, 3_600), (500, 50), (300, 0.6), 10_000, 1e-2, 100, 360),
}


def inertial_grade(name: str) -> InertialGrade:
    """The grade with a name."""
    if name not in GRADES:
        raise ValueError(f'there is no inertial grade "{name}". {suggestion(name, GRADES)}')
    return GRADES[name]
