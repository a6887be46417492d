"""Model-aided inertial navigation: strapdown mechanisation aided by a gyro-driven model of the vehicle in a current.

Standard deviations that it assumes of its sensors, of the water and of the velocity model; the filter, compiled from
its equations; the covariance at the start and readings of its inputs.
"""

import math
from itertools import chain
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import ZERO3
from remora.equations.estimation.gyro_driven import GyroDriven
from remora.equations.navigation import model_aided as equations
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.messages.reading import Reading, Status
from remora.navigation.filters import AidingModel, Belief, Chart, ErrorStateFilter, compile_filter

INERTIAL, MODEL = "inertial", "model"
HEADING, DEVIATION = 5, 25  # of the error


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


def model_aided_filter(settings: ModelAidedSettings) -> ErrorStateFilter:
    """The filter of some settings; one compilation serves all of them.

    Its sensors are `dvl`, `depth`, `compass`, `water_track`, `position` and `model`, its inputs `inertial`.
    """
    errors, gate = settings.aiding, settings.gate
    constraint = (errors.constraint,) * 3
    aidings = {
        "dvl": AidingModel(equations.bottom_track, errors.dvl, gate=gate),
        "depth": AidingModel(equations.depth, (errors.depth,), gate=gate),
        "compass": AidingModel(equations.compass_heading, (errors.compass,), (True,), gate=gate),
        "water_track": AidingModel(equations.water_track, errors.water_track, gate=gate),
        "position": AidingModel(equations.position, errors.position, gate=gate),
        MODEL: AidingModel(equations.model_constraint, constraint),
    }
    return compile_filter(
        Chart(equations.plus, equations.minus), equations.process, aidings, states=equations.STATES,
        noise=_noise(settings), inputs=INERTIAL, input_size=equations.INPUTS, parameters=_parameters(settings),
        lag=settings.lag,
    )  # fmt: skip


def _parameters(settings: ModelAidedSettings) -> tuple[float, ...]:
    return (settings.gravity, settings.water.gust_time, *chain(*settings.lever_arms))


def _noise(settings: ModelAidedSettings) -> tuple[float, ...]:
    """Process noise of each error coordinate, unit per root second."""
    inertial, water, model, _, _, _, _, _ = settings
    gust = water.gust * math.sqrt(2.0 / water.gust_time)
    return (
        *(0.0,) * 3, *(inertial.angle_random_walk,) * 3, *(inertial.velocity_random_walk,) * 3, *(0.0,) * 6,
        *model.noise, *(water.current_walk,) * 2, gust, gust, model.speed_walk,
        *(model.force_walk,) * 2, 0.0,
    )  # fmt: skip


def initial_belief(
    made: ErrorStateFilter,
    settings: ModelAidedSettings,
    start: Reading,
    p_NB: Vector3,
    q_NB: Quaternion,
    v_N: Vector3,
    sigma: tuple[float, float] = (0.1, 0.3),
) -> Belief:
    """The belief at a first reading of the inputs, whose stamp is the start.

    Position in N, m, velocity over ground in N, m/s, and their standard deviations. The heading comes from the compass
    where the settings give it a deviation.
    """
    s = to_body(q_NB, v_N)
    state = (*p_NB, *q_NB, *v_N, *(0.0,) * 6, *s, *(0.0,) * 8)
    return made.initial(state, _covariance(settings, sigma), start.stamp_ns, start.values)


def _covariance(settings: ModelAidedSettings, sigma: tuple[float, float]) -> Array:
    """Covariance at the start, with a modelled velocity from that over ground and a heading from the compass."""
    inertial, water, model = settings.inertial, settings.water, settings.model
    std = (
        *(sigma[0],) * 3, inertial.tilt, inertial.tilt, inertial.heading, *(sigma[1],) * 3, *(inertial.gyro_bias,) * 3,
        *(inertial.accelerometer_bias,) * 3, *model.velocity, *(water.current,) * 2, *(water.gust,) * 2,
        model.speed, *model.force, inertial.deviation,
    )  # fmt: skip
    covariance = np.diag(np.square(std))
    # The modelled velocity starts from the velocity over ground, which has a current in it.
    spread = sigma[1] + water.current
    covariance[15:18, 15:18] += np.eye(3) * spread**2
    if inertial.deviation > 0.0:
        covariance[HEADING, DEVIATION] = covariance[DEVIATION, HEADING] = -(inertial.deviation**2)
        covariance[HEADING, HEADING] = inertial.deviation**2 + settings.aiding.compass**2
    return covariance


def inertial_reading(
    stamp_ns: int, rates: Vector3, specific_force: Vector3, turn_acceleration: Vector3, thrust: float, model: GyroDriven
) -> Reading:
    """Inputs of the filter from a time on, until the next ones.

    Turn rates, rad/s, and specific force at the body origin, m/s2, are means over the interval in body axes. The thrust
    is in N; the velocity model in use is a part of the inputs.
    """
    mass, surge, sway, heave, circular = model
    values = (*rates, *specific_force, *turn_acceleration, thrust, mass, *surge, *sway, *heave, circular)
    return aiding_reading(INERTIAL, stamp_ns, values)


def aiding_reading(sensor: str, stamp_ns: int, values: tuple[float, ...]) -> Reading:
    """A valid reading of a sensor of the filter, with values in the units of its measurement model."""
    return Reading(sensor, stamp_ns, stamp_ns, Status.OK, values)


def model_reading(stamp_ns: int) -> Reading:
    """A comparison of the velocity model with the strapdown velocity, whose difference is zero."""
    return aiding_reading(MODEL, stamp_ns, (0.0, 0.0, 0.0))
