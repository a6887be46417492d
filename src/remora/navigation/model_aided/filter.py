"""The model-aided filter: compiled from its equations, with the covariance at the start and readings of its inputs."""

import math
from itertools import chain

import numpy as np

from remora.equations.algebra.kinematics import to_body
from remora.equations.estimation.gyro_driven import GyroDriven
from remora.equations.navigation import model_aided as equations
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.messages.reading import Reading, Status
from remora.navigation.filters import AidingModel, Belief, Chart, ErrorStateFilter, compile_filter
from remora.navigation.model_aided.settings import ModelAidedSettings

INERTIAL, MODEL = "inertial", "model"
HEADING, DEVIATION = 5, 25  # of the error


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
    """The belief at the start.

    Parameters
    ----------
    made
        The filter.
    settings
        Its settings.
    start
        First reading of the inputs; its stamp is the start.
    p_NB
        Position in N, m.
    q_NB
        Attitude; its heading comes from the compass where the settings give a deviation.
    v_N
        Velocity over ground in N, m/s.
    sigma
        Standard deviations of position and velocity, m and m/s.
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

    Parameters
    ----------
    stamp_ns
        Start of the interval, ns.
    rates
        Turn rates in body axes, rad/s: their mean over the interval.
    specific_force
        Specific force at the body origin in body axes, m/s2: its mean over the interval.
    turn_acceleration
        Angular acceleration in body axes, rad/s2.
    thrust
        Thrust, N.
    model
        Velocity model in use.
    """
    mass, surge, sway, heave, circular = model
    values = (*rates, *specific_force, *turn_acceleration, thrust, mass, *surge, *sway, *heave, circular)
    return aiding_reading(INERTIAL, stamp_ns, values)


def aiding_reading(sensor: str, stamp_ns: int, values: tuple[float, ...]) -> Reading:
    """A valid reading of a sensor of the filter.

    Parameters
    ----------
    sensor
        Name of the sensor in the filter.
    stamp_ns
        When it was valid, ns.
    values
        In the units of its measurement model.
    """
    return Reading(sensor, stamp_ns, stamp_ns, Status.OK, values)


def model_reading(stamp_ns: int) -> Reading:
    """A comparison of the velocity model with the strapdown velocity, whose difference is zero."""
    return aiding_reading(MODEL, stamp_ns, (0.0, 0.0, 0.0))
