"""Model-aided inertial navigation: strapdown mechanisation aided by a gyro-driven model of the vehicle in a current."""

from remora.navigation.model_aided.filter import (
    aiding_reading,
    inertial_reading,
    initial_belief,
    model_aided_filter,
    model_reading,
)
from remora.navigation.model_aided.settings import (
    INERTIAL_ERRORS,
    NO_CURRENT,
    AidingErrors,
    InertialErrors,
    LeverArms,
    ModelAidedSettings,
    ModelErrors,
    WaterErrors,
)

__all__ = [
    "INERTIAL_ERRORS",
    "NO_CURRENT",
    "AidingErrors",
    "InertialErrors",
    "LeverArms",
    "ModelAidedSettings",
    "ModelErrors",
    "WaterErrors",
    "aiding_reading",
    "inertial_reading",
    "initial_belief",
    "model_aided_filter",
    "model_reading",
]
