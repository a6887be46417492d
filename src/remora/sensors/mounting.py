"""Mounting of a sensor on a vehicle, and orientations that kinds assume or require."""

import math
from typing import NamedTuple

from remora.equations.algebra.quaternions import from_axis_angle, product
from remora.messages.truth import Mount, make_mount
from remora.sensors.data_sheet import DataSheet

_DOWN = from_axis_angle((0.0, 1.0, 0.0), -0.5 * math.pi)  # turns x_S straight down


class Mounting(NamedTuple):
    """Mount of a sensor, and whether its orientation was given."""

    mount: Mount
    is_oriented: bool


def down_unless_oriented(mounting: Mounting) -> Mount:
    """Straight down, y_S to starboard, unless the file says otherwise."""
    placed = mounting.mount
    return placed if mounting.is_oriented else make_mount(placed.p_BS, product(placed.q_BS, _DOWN))


def require_orientation(sheet: DataSheet, mounting: Mounting) -> None:
    """Refuse a sensor without an orientation."""
    if not mounting.is_oriented:
        sheet.refuse("orientation", "is missing: give that of the sensor, whose x axis is the viewing direction.")
