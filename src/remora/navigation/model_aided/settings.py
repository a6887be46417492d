"""Standard deviations that model-aided navigation assumes of its sensors, of the water and of the velocity model."""

import math
from typing import NamedTuple

from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Vector3


class InertialErrors(NamedTuple):
    """Errors of an inertial unit and of its alignment at the start."""

    accelerometer_bias: float  # m/s2
    gyro_bias: float  # rad/s
    velocity_random_walk: float  # m/s per root second
    angle_random_walk: float  # rad per root second
    tilt: float  # rad
    heading: float  # rad
    deviation: float = 0.0  # rad, constant error of the compass; with one, the heading at the start comes from it


# Classes of inertial units, as used for the figures of the documentation.
INERTIAL_ERRORS = {
    "navigation": InertialErrors(5e-4, 4.85e-8, 2e-4, 8.7e-7, 8.7e-5, 1.7e-4),
    "tactical": InertialErrors(1e-2, 4.85e-6, 1e-3, 4.4e-5, 9e-4, 9e-4),
    "MEMS": InertialErrors(5e-2, 5e-5, 1e-3, 1e-4, 5e-3, 1.7e-2, 1.7e-2),
}


class WaterErrors(NamedTuple):
    """Water that moves: a steady current and gusts."""

    current: float = 0.15  # m/s, of each horizontal component before any reading
    current_walk: float = 0.0  # m/s per root second
    gust: float = 0.01  # m/s
    gust_time: float = 30.0  # s, correlation


NO_CURRENT = WaterErrors(0.0, 0.0, 0.0)  # the water is at rest, or its motion is part of a calibrated model


class ModelErrors(NamedTuple):
    """Errors of a velocity model: surge, sway and heave."""

    velocity: Vector3 = (0.02, 0.02, 0.02)  # m/s, standard deviation of its fast part
    response: Vector3 = (2.6, 3.6, 3.6)  # s, time constant of each axis
    speed: float = 0.1  # share by which the speed at a thrust differs from the model
    force: tuple[float, float] = (0.03, 0.03)  # m/s2, slow unmodelled force per mass in sway and heave
    speed_walk: float = 8e-5  # per root second
    force_walk: float = 5e-5  # m/s2 per root second

    @property
    def noise(self) -> Vector3:
        """White force per mass that gives the fast part, m/s per root second."""
        x, y, z = (std * math.sqrt(2.0 / time) for std, time in zip(self.velocity, self.response, strict=True))
        return (x, y, z)


class LeverArms(NamedTuple):
    """Positions of sensors in body axes, m."""

    dvl: Vector3 = ZERO3
    depth: Vector3 = ZERO3
    water_track: Vector3 = ZERO3
    position: Vector3 = ZERO3


class AidingErrors(NamedTuple):
    """Standard deviations of readings."""

    dvl: Vector3 = (0.0032, 0.0032, 0.0032)  # m/s
    depth: float = 0.02  # m
    compass: float = 0.01  # rad, without its deviation
    water_track: Vector3 = (0.3, 0.3, 0.3)  # m/s
    position: Vector3 = (2.0, 2.0, 5.0)  # m
    constraint: float = 1e-3  # m/s, of the velocity model against the strapdown velocity, at each comparison


class ModelAidedSettings(NamedTuple):
    """All assumptions of a model-aided filter."""

    inertial: InertialErrors
    water: WaterErrors = WaterErrors()
    model: ModelErrors = ModelErrors()
    aiding: AidingErrors = AidingErrors()
    lever_arms: LeverArms = LeverArms()
    gravity: float = 9.81  # m/s2
    gate: float = 0.9999  # probability of accepting a consistent reading
    lag: float = 1.0  # s by which readings may be late
