"""Cameras that measure directions of known points, and motion capture of markers."""

import math
from dataclasses import dataclass
from typing import final

from remora.equations.algebra.quaternions import from_axis_angle, product
from remora.equations.algebra.vectors import ZERO3, scale3
from remora.equations.instruments import bearing_and_elevation, direction_in_N, length3, point_in_sensor, point_position
from remora.equations.types import Vector3
from remora.files.units import LENGTH
from remora.messages.measured_quantities import Conversion, MeasuredQuantity, SelectedValues
from remora.messages.reading import SensorChannel, Values, axes3
from remora.messages.site import Site
from remora.messages.truth import Mount, Truth, make_mount
from remora.sensors.compiled_measurement import PointsMeasurement
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment, Target, place_of, surface_distance
from remora.sensors.error_ranges import ATTITUDE_ERROR, ErrorRange
from remora.sensors.errors.distortions import WrapAngles
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.noise import HiddenGroups
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.vehicles.vehicle import SensorEntry

# An obstacle hides a point when it is nearer by more than this, m; a lamp on a wall does not hide itself.
_CLEARANCE = 0.01


@final
@dataclass(frozen=True)
class Camera(PointsMeasurement):
    """Bearing and elevation of known points from the optical axis x_S; NaN for a point out of view."""

    mount: Mount
    points: tuple[Target, ...]
    half_angle: float = math.radians(30.0)  # rad, of the cone that it sees
    max_range: float = math.inf  # m

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Two angles per point."""
        return tuple(
            SensorChannel(f"{word}_{i}", "rad", "S")
            for i in range(1, len(self.points) + 1)
            for word in ("bearing", "elevation")
        )

    def read_point(self, point: Target, truth: Truth, environment: Environment) -> Values:
        """The direction of a point in sight."""
        p_NP = place_of(point, environment)
        if p_NP is None:
            return (math.nan, math.nan)
        p_SP = point_in_sensor(truth.p_NB, truth.q_NB, self.mount.p_BS, self.mount.R_BS, p_NP)
        distance = length3(p_SP)
        if p_SP[0] < distance * math.cos(self.half_angle) or not 0.0 < distance <= self.max_range:
            return (math.nan, math.nan)
        place = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        towards = direction_in_N(truth.q_NB, self.mount.R_BS, scale3(1.0 / distance, p_SP))
        if surface_distance(environment, place, towards) < distance - _CLEARANCE:
            return (math.nan, math.nan)
        return bearing_and_elevation(p_SP)


@final
@dataclass(frozen=True)
class Markers(PointsMeasurement):
    """Positions in N of markers on the body; markers on a mast are lost under water."""

    points: tuple[Vector3, ...]  # m, p_BM
    in_air: bool = False

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """Three coordinates per marker."""
        numbers = range(1, len(self.points) + 1)
        return tuple(channel for i in numbers for channel in axes3(f"marker_{i}", "m", "N"))

    def read_point(self, point: Vector3, truth: Truth, environment: Environment) -> Values:
        """The position of a marker in sight."""
        p_NM = point_position(truth.p_NB, truth.q_NB, point)
        if self.in_air and p_NM[2] > environment.surface_depth:
            return (math.nan, math.nan, math.nan)
        return p_NM


def camera(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Directions of `targets`; a camera without orientation looks ahead, turned by its `mounting_angle`."""
    targets = sheet.points("targets", named=True)
    if targets is None:
        sheet.refuse("targets", "is missing: give points in N, or names of points.")
        targets = (ZERO3,)
    placed = mounting.mount
    if sheet.has("mounting_angle"):
        turn = from_axis_angle((0.0, 0.0, 1.0), sheet.number("mounting_angle", 0.0))
        placed = make_mount(placed.p_BS, product(turn, placed.q_BS))
    elif not mounting.is_oriented:
        sheet.refuse("orientation", "is missing: give that of the sensor, or a mounting_angle.")
    half, reach = (sheet.number("half_angle", math.radians(30.0), 0.0, math.pi), sheet.number("max_range", math.inf))
    sheet.note("image_size")
    wrap = WrapAngles((True,) * (2 * len(targets)))
    return SensorComponents(
        Camera(placed, targets, half, reach), (ChannelGroup("", 2 * len(targets)),), conversions=(wrap,)
    )


def mocap_marker(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Positions of `markers` on the body, or of one at the position of the sensor."""
    places = sheet.points("markers") or (mounting.mount.p_BS,)
    hidden = sheet.number("hidden_probability", 0.0, 0.0, 1.0)
    hiding = (HiddenGroups(stream.of("hidden"), hidden, 3),) if hidden > 0.0 else ()
    return SensorComponents(
        Markers(places, sheet.flag("in_air")), (ChannelGroup("", 3 * len(places)),), conversions=hiding
    )


def _marker_position(entry: SensorEntry, site: Site) -> Conversion:
    """The position of a single marker at the place of the sensor."""
    if entry.parameters.get("markers") is not None:
        raise ValueError("it has several markers; name one that has only the one at its place.")
    return SelectedValues(0, 1, 2)


CAMERA = SensorKind("camera", camera, errors={"": ATTITUDE_ERROR}, quantities={}, max_rate=1000.0)
MOCAP_MARKER = SensorKind(
    "mocap_marker",
    mocap_marker,
    errors={"": ErrorRange(LENGTH, 1.0)},
    quantities={"position": MeasuredQuantity(_marker_position)},
    max_rate=2000.0,
)
