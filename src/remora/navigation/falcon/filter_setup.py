"""Assembly of the Falcon filters from a vehicle, its sled and a preset."""

from typing import NamedTuple

import numpy as np

from remora.equations.navigation.falcon_filter import FORCE_ERROR_AT, STATES, STATIONS, TORQUE_ERROR_AT
from remora.files.problems import InputError
from remora.navigation.falcon import models
from remora.navigation.falcon.models import (
    ADDITIVE,
    MOTION,
    MOTION_STATES,
    OSCILLATING,
    OSCILLATING_STATES,
    THRUST,
    THRUST_STATES,
    LayoutModels,
)
from remora.navigation.falcon.presets import COEFFICIENT_ERROR, ModelNoise, SledNoise, additive_noise, error_state_noise
from remora.navigation.falcon.sled import Sled
from remora.navigation.filters import AidingModel, ErrorStateFilter, compile_filter
from remora.navigation.filters.models import Chart, Measure
from remora.plant.compilation import kernels
from remora.plant.pack import PackedVehicle


class FilterVariant(NamedTuple):
    """Model of an error-state filter, as a template without the layout of a vehicle."""

    chart: Chart
    states: int
    models: LayoutModels


ADDITIVE_MODELS = LayoutModels(models.additive_process, models.additive_imu)
PLAIN = FilterVariant(
    MOTION, MOTION_STATES, LayoutModels(models.motion_process, models.motion_imu, models.motion_scale)
)
WITH_EFFECTIVENESS = FilterVariant(
    THRUST, THRUST_STATES, LayoutModels(models.thrust_process, models.thrust_imu, models.thrust_scale)
)
WITH_OSCILLATION = FilterVariant(
    OSCILLATING,
    OSCILLATING_STATES,
    LayoutModels(models.oscillating_process, models.oscillating_imu, models.oscillating_scale),
)
THRUSTERS = "thrusters"  # name of the inputs: shaft speeds, rad/s
EFFECTIVENESS_THRUSTERS = 5
LAG = 1.0  # s, by which readings may be late
# s of rejections after which a sensor is trusted more than the estimate: chosen. Ranges are the only measurement of the
# horizontal position, one set a second, and three consistent ones are never all beyond the gate.
RANGE_RECOVERY, RECOVERY = 3.0, 10.0


def aidings(imu: Measure, noise: SledNoise, gate: float) -> dict[str, AidingModel]:
    """The sensors of the sled, in the order of their updates.

    The gate is the probability of accepting a consistent reading.
    """
    inertial = (noise.accelerometer,) * 3 + (noise.gyro,) * 3
    return {
        "imu": AidingModel(imu, inertial),
        "pressure": AidingModel(models.pressure, (noise.pressure,), gate=gate, recovery=RECOVERY),
        "compass": AidingModel(
            models.compass, (noise.tilt, noise.tilt, noise.heading), wrap=(True,) * 3, gate=gate, recovery=RECOVERY
        ),
        "dvl": AidingModel(models.dvl, (noise.velocity,) * 3, gate=gate, recovery=RECOVERY),
        "sbl": AidingModel(models.sbl, (noise.range,) * STATIONS, gate=gate, recovery=RANGE_RECOVERY),
    }


def additive_filter(packed: PackedVehicle, sled: Sled, preset: str, noise: SledNoise | None = None) -> ErrorStateFilter:
    """The additive-quaternion filter with 19 states. Proctor 2014, chapter 4 and appendix E.

    The preset is "tuned" or "seed-scaled".
    """
    kernels()  # registers the plant
    density = additive_noise(preset)
    made = models.for_layout(packed.layout, ADDITIVE_MODELS)
    return compile_filter(
        ADDITIVE,
        made.process,
        aidings(made.imu, noise or SledNoise(), 1.0),
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
    """The error-state filter with the plant, an unmodelled force and, where asked for, one of two additions.

    These are an oscillating force, where the model has one, and the effectiveness of the thrusters. The gate is the
    probability of accepting a consistent reading.
    """
    kernels()
    model = model or ModelNoise()
    variant = _variant(model, with_effectiveness)
    if with_effectiveness and packed.actuators != EFFECTIVENESS_THRUSTERS:
        raise InputError(
            f"the vehicle has {packed.actuators} thrusters: their effectiveness is estimated of "
            f"{EFFECTIVENESS_THRUSTERS}"
        ).about("thrusters", packed.actuators)
    made = models.for_layout(packed.layout, variant.models)
    mounts = sled.mounts.copy()
    usual = 0.0 if with_effectiveness else COEFFICIENT_ERROR
    relative = usual if model.coefficients is None else model.coefficients
    mounts[FORCE_ERROR_AT], mounts[TORQUE_ERROR_AT] = relative / model.force, relative / model.torque
    return compile_filter(
        variant.chart,
        made.process,
        aidings(made.imu, noise or SledNoise(), gate),
        states=variant.states,
        noise=error_state_noise(model, with_effectiveness),
        noise_scale=made.scale,
        inputs=THRUSTERS,
        input_size=packed.actuators,
        parameters=np.concatenate([mounts, packed.row]),
        lag=LAG,
    )


def _variant(model: ModelNoise, with_effectiveness: bool) -> FilterVariant:
    """Model of the filter; InputError for both additions at once."""
    if with_effectiveness and model.oscillation is not None:
        raise InputError("an oscillating force and the effectiveness of thrusters are not estimated together").about(
            "oscillating_force", model.oscillation.force
        )
    if model.oscillation is not None:
        return WITH_OSCILLATION
    return WITH_EFFECTIVENESS if with_effectiveness else PLAIN
