"""Ranging sensors: profiling sonar, multibeam echosounder, laser line, camera footprint.

Fans and scanning heads lie in the plane of x_S and y_S; angles count from x_S towards y_S.
"""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, final

import numpy as np

from remora.equations.algebra.quaternions import rotation_z
from remora.equations.algebra.vectors import matmul3
from remora.equations.instruments import (
    pinhole_direction,
    point_position,
    range_from_travel,
    sensor_axes,
    sight_path,
    triangulation_std,
)
from remora.equations.types import Matrix3, Vector3
from remora.files.arrays import Array
from remora.messages.reading import SensorChannel, Status, Values, axes3, no_values, partial_status
from remora.messages.truth import BeamGeometry, Mount, Truth
from remora.sensors.data_sheet import (
    DataSheet,
    Mounting,
    assumed_sound_speed,
    down_unless_oriented,
    require_orientation,
)
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import ATTITUDE_ERROR, ECHO_ERROR
from remora.sensors.errors.distortions import WrapAngles
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.rays import Fan, ScanningHead, fan_angles, fits_a_reading, ray_distances, scanning_head
from remora.sensors.sensor import Altered, Effect, Measurement, State


class RangeLimits(NamedTuple):
    """Minimum and maximum range, m."""

    minimum: float = 0.0
    maximum: float = math.inf

    def within(self, distances: Array) -> Array:
        """Distances within the limits; NaN for the others."""
        inside = (distances >= self.minimum) & (distances <= self.maximum) & (distances < math.inf)
        return np.where(inside, distances, math.nan)


EVERYWHERE = RangeLimits()


def stance(truth: Truth, mount: Mount) -> tuple[Vector3, Matrix3]:
    """Position p_NS and orientation R_NS of a sensor."""
    return point_position(truth.p_NB, truth.q_NB, mount.p_BS), sensor_axes(truth.q_NB, mount.R_BS)


def _status_and_values(distances: Array, values: Values) -> tuple[Status, Values]:
    """Status and values of several distances; missing ones are NaN."""
    if np.isnan(distances).any():  # the truth is NaN: with status OK the instrument refuses it
        return Status.OK, no_values(len(values))
    return partial_status(values, Status.OUT_OF_RANGE if np.isfinite(distances).any() else Status.NO_LOCK), values


@final
@dataclass(frozen=True)
class FanRanges(Measurement):
    """A distance per beam of a fan: multibeam echosounder and laser line. A beam without echo is NaN."""

    mount: Mount
    fan: Fan
    reach: RangeLimits = EVERYWHERE
    assumed_sound_speed: float | None = None  # m/s; None: the right one, or light

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """One distance per beam, from the negative edge of the fan to the positive one."""
        return tuple(SensorChannel(f"range_{i}", "m") for i in range(1, len(self.fan.angles) + 1))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """Distances within the range limits."""
        found = self.fan.distances(environment, *stance(truth, self.mount))
        ranges: Any = self.reach.within(found)
        if self.assumed_sound_speed is not None:
            ranges = range_from_travel(ranges, environment.sound_speed, self.assumed_sound_speed)
        return _status_and_values(found, tuple(ranges.tolist()))


@final
@dataclass(frozen=True)
class TurningBeam(Measurement):
    """Profiling sonar: the distance along one scanning beam."""

    mount: Mount
    beam: Fan  # of one beam, along x_S
    head: ScanningHead
    reach: RangeLimits = EVERYWHERE
    assumed_sound_speed: float | None = None

    channels: ClassVar = (SensorChannel("angle", "rad", "S"), SensorChannel("distance", "m"))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The first ping."""
        return self.sample(truth, environment, 0)

    def sample(self, truth: Truth, environment: Environment, k: int) -> tuple[Status, Values]:
        """Angle of ping k, and the distance; NaN without echo within the range limits."""
        angle = self.head.angle(k)
        p_NS, R_NS = stance(truth, self.mount)
        (found,) = self.beam.distances(environment, p_NS, matmul3(R_NS, rotation_z(angle))).tolist()
        if math.isnan(found):  # the truth is NaN: with status OK the instrument refuses it
            return Status.OK, (angle, math.nan)
        if not self.reach.minimum <= found <= self.reach.maximum or math.isinf(found):
            return Status.PARTIAL, (angle, math.nan)
        if self.assumed_sound_speed is not None:
            found = range_from_travel(found, environment.sound_speed, self.assumed_sound_speed)
        return Status.OK, (angle, found)


class View(NamedTuple):
    """Field of view of a pinhole camera along x_S: full angles, rad, and the grid of its rays."""

    horizontal_angle: float
    vertical_angle: float
    columns: int = 2
    rows: int = 2

    def directions(self) -> tuple[Vector3, ...]:
        """Unit vectors in S through the points of an even grid on the image, row by row from its upper left corner."""
        across, down = math.tan(0.5 * self.horizontal_angle), math.tan(0.5 * self.vertical_angle)
        return tuple(
            pinhole_direction(across * (2.0 * i / (self.columns - 1) - 1.0), down * (2.0 * j / (self.rows - 1) - 1.0))
            for j in range(self.rows)
            for i in range(self.columns)
        )


@final
@dataclass(frozen=True)
class CameraFootprint(Measurement):
    """Camera footprint: points where rays of the image meet a surface; NaN for rays that meet none in range."""

    mount: Mount
    view: View
    reach: RangeLimits = EVERYWHERE
    rays_S: Array = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Derived from the view, set once.
        object.__setattr__(self, "rays_S", np.array(self.view.directions()))

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Three coordinates per point, in the axes of the camera."""
        count = self.view.columns * self.view.rows
        return tuple(channel for i in range(1, count + 1) for channel in axes3(f"point_{i}", "m", "S"))

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The points in sight."""
        p_NS, R_NS = stance(truth, self.mount)
        found = ray_distances(environment, p_NS, self.rays_S @ np.array(R_NS).T)
        points = self.reach.within(found)[:, None] * self.rays_S
        return _status_and_values(found, tuple(points.ravel().tolist()))


@final
@dataclass(frozen=True)
class TriangulationNoise(Effect):
    """White noise of triangulated ranges, proportional to the square of the distance."""

    stream: Stream
    baseline: float  # m, between laser and camera
    angle: float  # rad, standard deviation of the peak position in the image

    def apply(self, state: State, values: Values, truth: Truth, environment: Environment, k: int) -> Altered:
        """Ranges with noise."""
        drawn = self.stream.normals(k, len(values))
        spoiled = [v + triangulation_std(v, self.baseline, self.angle) * n for v, n in zip(values, drawn, strict=True)]
        return state, tuple(spoiled)


def profiling_sonar(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """One beam that scans by `step_angle` per ping, continuously or over a `fan_angle`."""
    placed = down_unless_oriented(mounting)
    sheet.note("frequency")
    beam = Fan((0.0,), *_beam(sheet))
    measurement = TurningBeam(placed, beam, scanning_head(sheet), _reach(sheet), assumed_sound_speed(sheet))
    groups, wrap = (ChannelGroup("angle_", 1), ChannelGroup("", 1)), WrapAngles((True, False))
    return SensorComponents(measurement, groups, conversions=(wrap,), geometry=BeamGeometry(placed.p_BS, placed.q_BS))


def multibeam(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Many beams at once, by default across the track."""
    placed = down_unless_oriented(mounting)
    sheet.note("frequency")
    fan = Fan(_angles(sheet, 128, math.radians(120.0)), *_beam(sheet))
    measurement = FanRanges(placed, fan, _reach(sheet), assumed_sound_speed(sheet))
    return SensorComponents(
        measurement, (ChannelGroup("", len(fan.angles)),), geometry=BeamGeometry(placed.p_BS, placed.q_BS, fan.angles)
    )


def laser_line(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """A laser fan observed by a camera, with a range limited by the `attenuation` of the water."""
    require_orientation(sheet, mounting)
    sheet.note("power", "wavelength")
    fan = Fan(_angles(sheet, 64, math.radians(45.0)))
    baseline, angle = sheet.number("baseline", 0.3, 1e-6), sheet.number("peak_std", 0.0, 0.0)
    specific: tuple[Effect, ...] = (TriangulationNoise(stream.of("peak"), baseline, angle),) if angle > 0.0 else ()
    reach = _in_sight(sheet, _reach(sheet), 2.0)
    measurement = FanRanges(mounting.mount, fan, reach)
    geometry = BeamGeometry(mounting.mount.p_BS, mounting.mount.q_BS, fan.angles)
    return SensorComponents(measurement, (ChannelGroup("", len(fan.angles)),), specific, geometry=geometry)


def camera_footprint(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Footprint of a pinhole camera: its corners, or a grid of `columns` and `rows`."""
    require_orientation(sheet, mounting)
    sheet.note("image_size")
    widest = math.radians(170.0)
    view = View(
        sheet.number("horizontal_angle", math.radians(60.0), 1e-3, widest),
        sheet.number("vertical_angle", math.radians(45.0), 1e-3, widest),
        sheet.whole("columns", 2, 2),
        sheet.whole("rows", 2, 2),
    )
    if not fits_a_reading(sheet, "columns", 3 * view.columns * view.rows, "coordinates"):
        view = View(view.horizontal_angle, view.vertical_angle)
    reach = _in_sight(sheet, _reach(sheet), 1.0)
    geometry = BeamGeometry(mounting.mount.p_BS, mounting.mount.q_BS)
    return SensorComponents(
        CameraFootprint(mounting.mount, view, reach),
        (ChannelGroup("", 3 * view.columns * view.rows),),
        geometry=geometry,
    )


def _beam(sheet: DataSheet) -> tuple[float, int]:
    """Width of the beam and rings of rays that fill it."""
    return sheet.number("beam_width", 0.0, 0.0, math.pi), sheet.whole("rings", 2)


def _angles(sheet: DataSheet, beams: int, fan_angle: float) -> tuple[float, ...]:
    """Angles of the beams of a fan."""
    count = sheet.whole("beams", beams)
    angle = sheet.number("fan_angle", fan_angle, 0.0, math.tau)
    return fan_angles(count if fits_a_reading(sheet, "beams", count, "ranges") else 1, angle)


def _reach(sheet: DataSheet) -> RangeLimits:
    return RangeLimits(*sheet.limits("min_range", "max_range"))


def _in_sight(sheet: DataSheet, reach: RangeLimits, ways: float) -> RangeLimits:
    """Range limits reduced by the attenuation of light over one way or two."""
    attenuation = sheet.number("attenuation", 0.0, 0.0)
    faintest = sheet.number("faintest", 0.02, 1e-9, 1.0)
    if attenuation == 0.0:
        return reach
    return RangeLimits(reach.minimum, min(reach.maximum, sight_path(attenuation, faintest) / ways))


PROFILING_SONAR = SensorKind(
    "profiling_sonar", profiling_sonar, errors={"": ECHO_ERROR, "angle_": ATTITUDE_ERROR}, quantities={}, max_rate=200.0
)
MULTIBEAM = SensorKind("multibeam", multibeam, errors={"": ECHO_ERROR}, quantities={}, max_rate=100.0)
LASER_LINE = SensorKind("laser_line", laser_line, errors={"": ECHO_ERROR}, quantities={}, max_rate=10_000.0)
CAMERA_FOOTPRINT = SensorKind(
    "camera_footprint", camera_footprint, errors={"": ECHO_ERROR}, quantities={}, max_rate=1000.0
)
