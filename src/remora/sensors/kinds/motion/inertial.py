"""Accelerometers, gyros, and the inertial measurement unit (IMU)."""

from dataclasses import dataclass
from typing import ClassVar, final

from remora.equations.algebra.vectors import ZERO3, add3
from remora.equations.instruments import earth_rate_in_body, specific_force, turn_rate
from remora.equations.types import Matrix3, Vector3
from remora.messages.measured_quantities import MeasuredQuantity, selected
from remora.messages.reading import Status, Values, axes3
from remora.messages.truth import Mount, Truth
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.data_sheet import DataSheet
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import ACCELERATION_ERROR, TURN_RATE_ERROR
from remora.sensors.errors.error_model import VECTOR, ChannelGroup
from remora.sensors.errors.inertial_grades import inertial_grade
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.mounting import Mounting

FORCE = axes3("specific_force", "m/s2", "S")
RATE = axes3("turn_rate", "rad/s", "S")


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
