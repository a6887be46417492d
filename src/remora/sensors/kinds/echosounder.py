"""Echosounders and altimeters."""

import math
from dataclasses import dataclass
from typing import ClassVar, final

from remora.equations.algebra.vectors import matvec3
from remora.equations.instruments import point_position, sensor_axes
from remora.equations.types import Vector3
from remora.messages.reading import SensorChannel, Status, Values
from remora.messages.truth import Mount, Truth
from remora.sensors.compiled_measurement import CompiledMeasurement
from remora.sensors.data_sheet import (
    DataSheet,
    Mounting,
    assumed_sound_speed,
    down_unless_oriented,
    require_orientation,
)
from remora.sensors.environment import Environment, surface_distance
from remora.sensors.error_ranges import ECHO_ERROR
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.rays import cone, timed_distance


@final
@dataclass(frozen=True)
class Echosounder(CompiledMeasurement):
    """Distance along x_S: of a single ray, or the nearest echo in a cone of rays."""

    mount: Mount
    min_range: float = 0.0  # m
    max_range: float = math.inf  # m
    directions: tuple[Vector3, ...] = ((1.0, 0.0, 0.0),)  # unit vectors in S
    assumed_sound_speed: float | None = None

    is_long: ClassVar[bool] = True
    channels: ClassVar = (SensorChannel("distance", "m"),)

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The nearest echo: out of range where it is too near or too far, no lock where there is none."""
        place = point_position(truth.p_NB, truth.q_NB, self.mount.p_BS)
        nearest, R_NS = math.inf, sensor_axes(truth.q_NB, self.mount.R_BS)
        for direction in self.directions:
            found = surface_distance(environment, place, matvec3(R_NS, direction))
            if not found >= nearest:
                nearest = found
        status = Status.OK
        if nearest == math.inf:
            status = Status.NO_LOCK
        elif nearest < self.min_range or nearest > self.max_range:
            status = Status.OUT_OF_RANGE
        return status, (timed_distance(nearest, self.assumed_sound_speed, environment),)


def echosounder(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Distance along x_S; a `beam_width` makes it the nearest echo in a cone."""
    require_orientation(sheet, mounting)
    return _echosounder(sheet, mounting.mount)


def altimeter(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """An echosounder, by default pointing straight down."""
    return _echosounder(sheet, down_unless_oriented(mounting))


def _echosounder(sheet: DataSheet, placed: Mount) -> SensorComponents:
    width = sheet.number("beam_width", 0.0, 0.0, math.pi)
    rings = sheet.whole("rings", 2)
    fan = sheet.flag("cone", default=width > 0.0)
    sheet.note("frequency")
    least, most = sheet.limits("min_range", "max_range")
    rays: tuple[Vector3, ...] = cone(0.5 * width, rings) if fan else ((1.0, 0.0, 0.0),)
    measurement = Echosounder(placed, least, most, rays, assumed_sound_speed(sheet))
    return SensorComponents(measurement, (ChannelGroup("", 1),))


ECHOSOUNDER = SensorKind("echosounder", echosounder, errors={"": ECHO_ERROR}, quantities={}, max_rate=200.0)
ALTIMETER = SensorKind("altimeter", altimeter, errors={"": ECHO_ERROR}, quantities={}, max_rate=200.0)
