"""Components of a sensor, and parameters that several kinds share."""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from remora.equations.algebra.quaternions import from_axis_angle, product
from remora.messages.reading import SensorChannel
from remora.messages.truth import Mount, mount
from remora.sensors.data_sheet import DataSheet
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.sensor import BeamGeometry, Effect, Measurement

_DOWN = from_axis_angle((0.0, 1.0, 0.0), -0.5 * math.pi)  # turns x_S straight down


class Place(NamedTuple):
    """Mount of a sensor, and whether its orientation was given."""

    mount: Mount
    is_oriented: bool


class SensorComponents(NamedTuple):
    """Measurement and effects of a sensor."""

    measurement: Measurement
    groups: tuple[ChannelGroup, ...]  # of the measured channels
    own: tuple[Effect, ...] = ()  # errors specific to the kind, before the common error model
    last: tuple[Effect, ...] = ()  # conversions at the end
    channels: tuple[SensorChannel, ...] | None = None  # where conversions change them
    geometry: BeamGeometry | None = None  # of ranging sensors


Maker: TypeAlias = Callable[[DataSheet, Place, Stream], SensorComponents]


def assumed_sound_speed(sheet: DataSheet) -> float | None:
    """Sound speed set in the instrument, m/s; None: the true one."""
    return sheet.number("assumed_sound_speed", 1500.0, 1.0) if sheet.has("assumed_sound_speed") else None


def down_unless_oriented(place: Place) -> Mount:
    """Straight down, y_S to starboard, unless the file says otherwise."""
    return place.mount if place.is_oriented else mount(place.mount.p_BS, product(place.mount.q_BS, _DOWN))


def require_orientation(sheet: DataSheet, place: Place) -> None:
    """Refuse a sensor without an orientation."""
    if not place.is_oriented:
        sheet.refuse("orientation", "is missing: which way does it look? Give the orientation whose x axis does.")
