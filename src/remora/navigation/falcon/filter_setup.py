"""Assembly of the Falcon filters from a vehicle, its sled and a preset."""

import numpy as np

from remora.equations.navigation.falcon_filter import STATES, STATIONS
from remora.files.problems import InputError
from remora.kernels.compilation import kernels
from remora.kernels.pack import PackedVehicle
from remora.navigation.falcon import process_models
from remora.navigation.falcon.presets import ModelNoise, SledNoise, additive_noise, error_state_noise
from remora.navigation.falcon.sled import Sled
from remora.navigation.falcon.state_charts import ADDITIVE, MOTION, MOTION_STATES, THRUST, THRUST_STATES
from remora.navigation.filters import AidingModel, ErrorStateFilter, compile_filter
from remora.navigation.filters.models import Measure

THRUSTERS = "thrusters"  # name of the inputs: shaft speeds, rad/s
EFFECTIVENESS_THRUSTERS = 5
LAG = 1.0  # s, by which readings may be late


def aidings(imu: Measure, noise: SledNoise, gate: float) -> dict[str, AidingModel]:
    """The sensors of the sled, in the order of their updates.

    Parameters
    ----------
    imu
        Model of the IMU.
    noise
        Standard deviations.
    gate
        Probability of accepting a consistent reading.
    """
    inertial = (noise.accelerometer,) * 3 + (noise.gyro,) * 3
    return {
        "imu": AidingModel(imu, inertial),
        "pressure": AidingModel(process_models.pressure, (noise.pressure,), gate=gate),
        "compass": AidingModel(
            process_models.compass, (noise.tilt, noise.tilt, noise.heading), wrap=(True,) * 3, gate=gate
        ),
        "dvl": AidingModel(process_models.dvl, (noise.velocity,) * 3, gate=gate),
        "sbl": AidingModel(process_models.sbl, (noise.range,) * STATIONS, gate=gate),
    }


def additive_filter(packed: PackedVehicle, sled: Sled, preset: str, noise: SledNoise | None = None) -> ErrorStateFilter:
    """The additive-quaternion filter with 19 states. Proctor 2014, chapter 4 and appendix E.

    Parameters
    ----------
    packed
        The nominal vehicle.
    sled
        Its sensors.
    preset
        "tuned" or "seed-scaled".
    noise
        Standard deviations of the sensors.
    """
    kernels()  # registers the plant
    density = additive_noise(preset)
    process, imu = process_models.for_layout(
        packed.layout, process_models.additive_process, process_models.additive_imu
    )
    return compile_filter(
        ADDITIVE,
        process,
        aidings(imu, noise or SledNoise(), 1.0),
        states=STATES,
        noise=density,
        inputs=THRUSTERS,
        input_size=packed.actuators,
        parameters=np.concatenate([sled.mounts, packed.row]),
        lag=0.0,
    )


def error_state_filter(
    packed: PackedVehicle,
    sled: Sled,
    noise: SledNoise | None = None,
    model: ModelNoise | None = None,
    *,
    with_effectiveness: bool = False,
    gate: float = 0.9999,
) -> ErrorStateFilter:
    """The error-state filter with the plant, an unmodelled force and, where asked for, thruster effectiveness.

    Parameters
    ----------
    packed
        The nominal vehicle.
    sled
        Its sensors.
    noise
        Standard deviations of the sensors.
    model
        Errors of the plant.
    with_effectiveness
        Whether the effectiveness of five thrusters is estimated.
    gate
        Probability of accepting a consistent reading.
    """
    kernels()
    model = model or ModelNoise()
    chart, states = (THRUST, THRUST_STATES) if with_effectiveness else (MOTION, MOTION_STATES)
    if with_effectiveness and packed.actuators != EFFECTIVENESS_THRUSTERS:
        raise InputError(
            f"the vehicle has {packed.actuators} thrusters: their effectiveness is estimated of "
            f"{EFFECTIVENESS_THRUSTERS}"
        ).about("thrusters", packed.actuators)
    templates = (
        (process_models.thrust_process, process_models.thrust_imu)
        if with_effectiveness
        else (process_models.motion_process, process_models.motion_imu)
    )
    process, imu = process_models.for_layout(packed.layout, *templates)
    return compile_filter(
        chart,
        process,
        aidings(imu, noise or SledNoise(), gate),
        states=states,
        noise=error_state_noise(model, with_effectiveness),
        inputs=THRUSTERS,
        input_size=packed.actuators,
        parameters=np.concatenate([sled.mounts, packed.row]),
        lag=LAG,
    )
