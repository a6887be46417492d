"""Accelerometers, gyros, and the inertial measurement unit (IMU), with the errors of its grades.

Grades are marine, navigation, tactical, industrial and consumer. Their parameters are one standard deviation in SI.
Turn-on biases follow Groves 2013, ch. 4, for marine and tactical units and Randeni et al. 2018 for navigation; the rest
is typical of data sheets of each class and chosen here. Proctor 2014 tells the grades by how long an unaided solution
holds: marine below 2 km in 24 h, navigation below 1.5 km in an hour, tactical minutes, industrial seconds.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, final

from remora.equations.algebra.vectors import ZERO3, add3
from remora.equations.instruments import earth_rate_in_body, specific_force, turn_rate
from remora.equations.types import Matrix3, Vector3
from remora.files.did_you_mean import suggestion
from remora.messages.measured_quantities import MeasuredQuantity, selected
from remora.messages.reading import Status, Values, axes3
from remora.messages.truth import Mount, Truth
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import ACCELERATION_ERROR, TURN_RATE_ERROR
from remora.sensors.errors.error_model import VECTOR, ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind

MICRO_G = 9.80665e-6  # m/s2
DEGREE_PER_HOUR = math.radians(1.0) / 3600.0  # rad/s
DEGREE_PER_ROOT_HOUR = math.radians(1.0) / 60.0  # rad/s per root hertz
PPM = 1.0e-6
FORCE = axes3("specific_force", "m/s2", "S")
RATE = axes3("turn_rate", "rad/s", "S")


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


@final
@dataclass(frozen=True)
class Accelerometer(CompiledMeasurement):
    """Specific force: one g upwards at rest.

    The three axes may sit at points of their own (size effect): row i of `axis_places` is where axis i senses, from the
    place of the sensor and in body axes.
    """

    mount: Mount
    measures_earth_rate: bool = False
    axis_places: Matrix3 | None = None  # m

    channels: ClassVar = FORCE

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        return Status.OK, _force(self, self.axis_places, truth, environment)


@final
@dataclass(frozen=True)
class Gyro(CompiledMeasurement):
    """Angular velocity."""

    mount: Mount
    measures_earth_rate: bool = False

    channels: ClassVar = RATE

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        return Status.OK, _rate(self, truth, environment)


@final
@dataclass(frozen=True)
class Imu(CompiledMeasurement):
    """Specific force and angular velocity."""

    accelerometer: Accelerometer
    gyro: Gyro

    is_long: ClassVar[bool] = True
    channels: ClassVar = FORCE + RATE

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        force = _force(self.accelerometer, self.accelerometer.axis_places, truth, environment)
        return Status.OK, force + _rate(self.gyro, truth, environment)


def _earth_rate(is_measured: bool, truth: Truth, environment: Environment) -> Vector3:
    """Rotation rate of the Earth in body axes, rad/s; zero where it is not measured."""
    return earth_rate_in_body(truth.q_NB, environment.latitude) if is_measured else ZERO3


def _force(sensor: Accelerometer, places: Matrix3 | None, truth: Truth, environment: Environment) -> Vector3:
    """Specific force in the axes of the sensor, m/s2."""
    if places is None:
        return _force_at(sensor, sensor.mount.p_BS, truth, environment)
    p_BS = sensor.mount.p_BS
    first = _force_at(sensor, add3(p_BS, places[0]), truth, environment)
    second = _force_at(sensor, add3(p_BS, places[1]), truth, environment)
    third = _force_at(sensor, add3(p_BS, places[2]), truth, environment)
    return (first[0], second[1], third[2])


def _force_at(sensor: Accelerometer, p_BS: Vector3, truth: Truth, environment: Environment) -> Vector3:
    """Specific force at a point of the body, in the axes of the sensor, m/s2."""
    earth = _earth_rate(sensor.measures_earth_rate, truth, environment)
    R_BS, gravity = sensor.mount.R_BS, environment.gravity
    return specific_force(truth.q_NB, truth.twist, truth.twist_rate, gravity, p_BS, R_BS, earth)


def _rate(sensor: Gyro, truth: Truth, environment: Environment) -> Vector3:
    """Angular velocity in the axes of the sensor, rad/s."""
    return turn_rate(truth.twist, sensor.mount.R_BS, _earth_rate(sensor.measures_earth_rate, truth, environment))


def imu(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Accelerometers and gyros; `grade` names a set of errors, which single parameters override."""
    if sheet.has("grade"):
        try:
            sheet.fill(inertial_grade(str(sheet.value("grade")))._asdict())
        except ValueError as error:
            sheet.refuse("grade", str(error))
    measurement = Imu(_accelerometer(sheet, mounting), Gyro(mounting.mount, sheet.flag("measures_earth_rate")))
    return SensorComponents(measurement, _INERTIAL)


def accelerometer(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Accelerometers."""
    return SensorComponents(_accelerometer(sheet, mounting), (VECTOR,))


def gyro(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Gyros."""
    return SensorComponents(Gyro(mounting.mount, sheet.flag("measures_earth_rate")), (VECTOR,))


def _accelerometer(sheet: DataSheet, mounting: Mounting) -> Accelerometer:
    places = sheet.matrix("axis_places")
    return Accelerometer(mounting.mount, sheet.flag("measures_earth_rate"), places)


_INERTIAL = (ChannelGroup("accelerometer_", 3, is_vector=True), ChannelGroup("gyro_", 3, is_vector=True))
IMU = SensorKind(
    "imu",
    imu,
    errors={"accelerometer_": ACCELERATION_ERROR, "gyro_": TURN_RATE_ERROR},
    quantities={"rates": MeasuredQuantity(selected(3, 4, 5), prefix="gyro_")},
    max_rate=20_000.0,
)
ACCELEROMETER = SensorKind(
    "accelerometer", accelerometer, errors={"": ACCELERATION_ERROR}, quantities={}, max_rate=20_000.0
)
GYRO = SensorKind(
    "gyro",
    gyro,
    errors={"": TURN_RATE_ERROR},
    quantities={"rates": MeasuredQuantity(selected(0, 1, 2))},
    max_rate=20_000.0,
)
