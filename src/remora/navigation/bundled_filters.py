"""The bundled navigation filters: states, sensors, process model and documentation of each."""

from typing import NamedTuple

from remora.navigation.inertial.aiding_sensors import AIDING_KINDS


class BundledFilter(NamedTuple):
    """A navigation part that estimates with standard deviations."""

    part: str  # name in scenarios
    title: str
    states: str
    sensors: str
    process: str
    page: str  # of the documentation


BUNDLED_FILTERS = (
    BundledFilter(
        "filter",
        "error-state filter of any sensor suite",
        "10 of position, velocity and attitude, and those that stated sensor errors and options ask for",
        ", ".join(["imu", "gyro", *AIDING_KINDS]),
        "strapdown mechanisation of an imu; else constant velocity, turned by gyros",
        "docs/navigation-filter.md",
    ),
    BundledFilter(
        "falcon_filter",
        "filters of the Falcon work with the full vehicle model",
        "19: pose, velocities, sensor biases; or error states with slow forces and thruster effectiveness",
        "imu, dvl, pressure, compass, sbl; shaft_speed or commands",
        "the compiled plant of the vehicle file",
        "docs/falcon-filter.md",
    ),
    BundledFilter(
        "model_aided",
        "inertial navigation that goes on by a velocity model without bottom lock",
        "position, velocity, attitude, inertial biases, current and velocity of the model",
        "imu or accelerometer and gyro, attitude, dvl, pressure, shaft_speed, position",
        "strapdown mechanisation with the gyro-driven velocity model",
        "docs/model-aided-navigation.md",
    ),
)
