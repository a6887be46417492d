"""Attitude sensors: AHRS, inclinometer, magnetometer and compass."""

from dataclasses import dataclass
from typing import ClassVar, final

from remora.equations.algebra.vectors import IDENTITY3, ZERO3
from remora.equations.instruments import (
    CompassOffsets,
    attitude_angles,
    calibrated_field,
    compass_angles,
    magnetic_declination,
    magnetic_heading,
    magnetometer_reading,
    specific_force,
    tilt_from_specific_force,
    wrapped,
)
from remora.equations.types import Matrix3, Vector3
from remora.files.units import MAGNETIC_FIELD
from remora.messages.measured_quantities import Conversion, MeasuredQuantity, SelectedValues, selected
from remora.messages.reading import SensorChannel, Status, Values, axes3
from remora.messages.site import Site
from remora.messages.truth import Mount, Truth
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import ATTITUDE_ERROR, ErrorRange
from remora.sensors.errors.distortions import WrapAngles
from remora.sensors.errors.error_model import VECTOR, ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.vehicles.vehicle import SensorEntry

ROLL, PITCH = SensorChannel("roll", "rad"), SensorChannel("pitch", "rad")
HEADING = SensorChannel("heading", "rad")


@final
@dataclass(frozen=True)
class Ahrs(CompiledMeasurement):
    """Roll, pitch and true heading of the sensor axes, filtered in the instrument."""

    mount: Mount

    is_long: ClassVar[bool] = True
    channels: ClassVar = (ROLL, PITCH, HEADING)

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        return Status.OK, attitude_angles(truth.q_NB, self.mount.q_BS)


@final
@dataclass(frozen=True)
class Inclinometer(CompiledMeasurement):
    """Roll and pitch from the specific force: accelerations appear as tilt."""

    mount: Mount

    channels: ClassVar = (ROLL, PITCH)

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        place, axes = self.mount.p_BS, self.mount.R_BS
        f_S = specific_force(truth.q_NB, truth.twist, truth.twist_rate, environment.gravity, place, axes)
        return Status.OK, tilt_from_specific_force(f_S)


@final
@dataclass(frozen=True)
class Magnetometer(CompiledMeasurement):
    """Magnetic field in the sensor axes, with hard and soft iron of the vehicle, and a calibration against them."""

    mount: Mount
    soft_iron: Matrix3 = IDENTITY3
    hard_iron: Vector3 = ZERO3  # T, in the sensor's axes
    calibration_matrix: Matrix3 = IDENTITY3  # result of a survey: arguments of `calibrated_field`
    calibration_offset: Vector3 = ZERO3  # T

    channels: ClassVar = axes3("field", "T", "S")

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        return Status.OK, _measured_field(self, truth, environment)


def _measured_field(sensor: Magnetometer, truth: Truth, environment: Environment) -> Vector3:
    """Calibrated field in the axes of a magnetometer, T."""
    field = environment.magnetic_field
    raw = magnetometer_reading(truth.q_NB, field, sensor.mount.R_BS, sensor.soft_iron, sensor.hard_iron)
    return calibrated_field(raw, sensor.calibration_matrix, sensor.calibration_offset)


@final
@dataclass(frozen=True)
class Compass(CompiledMeasurement):
    """Roll, pitch and heading from gravity and the magnetic field.

    Iron bends the heading by an amount that depends on it. `declination` is what the compass adds to make the heading a
    true one: None takes the right value, zero leaves it magnetic. With `offsets` the raw angles of a compass mounted
    port, aft, up come out, to be undone by `instruments.attitude_from_compass` with the same numbers.
    """

    magnetometer: Magnetometer
    tilt_from_force: bool = False  # True: accelerations disturb roll and pitch, and through them the heading
    declination: float | None = None  # rad
    offsets: CompassOffsets | None = None

    is_long: ClassVar[bool] = True
    channels: ClassVar = (ROLL, PITCH, HEADING)

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Always available."""
        roll, pitch = _tilt(self, truth, environment)
        magnetic = magnetic_heading(_measured_field(self.magnetometer, truth, environment), roll, pitch)
        return Status.OK, _reported((roll, pitch, magnetic), self.declination, self.offsets, environment)


def _tilt(compass: Compass, truth: Truth, environment: Environment) -> tuple[float, float]:
    """Roll and pitch as a compass takes them, rad."""
    mount = compass.magnetometer.mount
    if not compass.tilt_from_force:
        roll, pitch, _ = attitude_angles(truth.q_NB, mount.q_BS)
        return roll, pitch
    f_S = specific_force(truth.q_NB, truth.twist, truth.twist_rate, environment.gravity, mount.p_BS, mount.R_BS)
    return tilt_from_specific_force(f_S)


def _reported(
    angles: Vector3, declination: float | None, offsets: CompassOffsets | None, environment: Environment
) -> Vector3:
    """Angles of a compass from roll, pitch and magnetic heading."""
    if offsets is not None:
        return compass_angles(angles, 0.0, offsets)
    roll, pitch, magnetic = angles
    return (roll, pitch, wrapped(magnetic + _added(declination, environment)))


def _added(declination: float | None, environment: Environment) -> float:
    """Declination that a compass adds, rad; None: the true one."""
    if declination is None:
        return magnetic_declination(environment.magnetic_field)
    return declination


def ahrs(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Roll, pitch and heading with stated accuracies."""
    groups = (ChannelGroup("roll_", 1), ChannelGroup("pitch_", 1), ChannelGroup("heading_", 1))
    return SensorComponents(Ahrs(mounting.mount), groups, conversions=(WrapAngles((True,) * 3),))


def inclinometer(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Roll and pitch from gravity."""
    return SensorComponents(
        Inclinometer(mounting.mount), (ChannelGroup("", 2),), conversions=(WrapAngles((True,) * 2),)
    )


def magnetometer(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """The magnetic field."""
    return SensorComponents(_magnetometer(sheet, mounting), (VECTOR,))


def compass(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Roll, pitch and heading; `raw` gives the angles of a compass mounted port, aft, up with its offsets."""
    names = ("roll_offset", "pitch_offset", "heading_offset")
    offsets = CompassOffsets(*(sheet.number(name, 0.0) for name in names))
    declination = sheet.number("declination", 0.0) if sheet.has("declination") else None
    tilted, raw = sheet.flag("tilt_from_force"), sheet.flag("raw")
    measurement = Compass(_magnetometer(sheet, mounting), tilted, declination, offsets if raw else None)
    groups = (ChannelGroup("tilt_", 2), ChannelGroup("heading_", 1))
    return SensorComponents(measurement, groups, conversions=(WrapAngles((True,) * 3),))


def _magnetometer(sheet: DataSheet, mounting: Mounting) -> Magnetometer:
    soft, correction = sheet.matrix("soft_iron"), sheet.matrix("calibration_matrix")
    hard, offset = (sheet.numbers(name, 3) or ZERO3 for name in ("hard_iron", "calibration_offset"))
    iron, calibrated = (hard[0], hard[1], hard[2]), (offset[0], offset[1], offset[2])
    return Magnetometer(mounting.mount, soft or IDENTITY3, iron, correction or IDENTITY3, calibrated)


def _compass_attitude(entry: SensorEntry, site: Site) -> Conversion:
    """The three angles of a compass that corrects them."""
    if entry.parameters.get("raw"):
        raise ValueError("it gives raw angles in its own axes.")
    return SelectedValues(0, 1, 2)


AHRS = SensorKind(
    "ahrs",
    ahrs,
    errors={"roll_": ATTITUDE_ERROR, "pitch_": ATTITUDE_ERROR, "heading_": ATTITUDE_ERROR},
    quantities={"attitude": MeasuredQuantity(selected(0, 1, 2), prefix="heading_")},
    max_rate=2000.0,
)
INCLINOMETER = SensorKind("inclinometer", inclinometer, errors={"": ATTITUDE_ERROR}, quantities={}, max_rate=1000.0)
MAGNETOMETER = SensorKind(
    "magnetometer", magnetometer, errors={"": ErrorRange(MAGNETIC_FIELD, 2e-5)}, quantities={}, max_rate=2000.0
)
COMPASS = SensorKind(
    "compass",
    compass,
    errors={"tilt_": ATTITUDE_ERROR, "heading_": ATTITUDE_ERROR},
    quantities={"attitude": MeasuredQuantity(_compass_attitude, prefix="heading_")},
    max_rate=1000.0,
)
