"""Kinds of references from guidance to control, and their log fields."""

from collections.abc import Sequence
from math import nan
from typing import Any, NamedTuple

from remora.equations.types import Vector3, Vector4
from remora.logs.schema import Field

TUNNEL, POSE, DIVE = "speed and offsets in a tunnel", "a pose", "depth, heading and speed"
VELOCITY = "velocities in surge, sway, heave and yaw"
STABILISED = "depth and heading to hold, and forces"

TUNNEL_FIELDS = (
    Field("surge", "m/s", "B"),
    Field("surge_rate", "m/s2", "B"),
    Field("lateral", "m"),
    Field("lateral_rate", "m/s"),
    Field("vertical", "m"),
    Field("vertical_rate", "m/s"),
    *(Field(f"q_NR_{i}", "1") for i in range(4)),
    *(Field(f"w_NR_R_{axis}", "rad/s", "R") for axis in "xyz"),
)
POSE_FIELDS = (
    *(Field(f"p_NR_{axis}", "m", "N") for axis in "xyz"),
    Field("heading", "rad"),
    *(Field(f"v_NR_N_{axis}", "m/s", "N") for axis in "xyz"),
    Field("heading_rate", "rad/s"),
)
DIVE_FIELDS = (Field("depth", "m", "N"), Field("heading", "rad"), Field("speed", "m/s"))
LEG_FIELDS = (
    *(Field(f"leg_{end}_{axis}", "m", "N", optional=True) for end in ("start", "end") for axis in "xyz"),
    Field("cross_track", "m", optional=True),
    Field("on_leg", "1", kind="bool"),
)
VELOCITY_FIELDS = (
    *(Field(axis, "m/s", "B") for axis in ("surge", "sway", "heave")),
    Field("yaw", "rad/s", "B"),
    *(Field(f"p_NR_{axis}", "m", "N") for axis in "xyz"),
    Field("heading", "rad"),
    Field("waypoint", "1"),
    *LEG_FIELDS,
)
STABILISED_FIELDS = (
    Field("depth", "m", "N", optional=True),
    Field("sink_rate", "m/s", "N"),
    Field("heading", "rad", optional=True),
    Field("heading_rate", "rad/s"),
    *(Field(f"{axis}_force", "N", "B") for axis in ("surge", "sway", "heave")),
    Field("yaw_torque", "N m", "B"),
    Field("levels", "1", kind="bool"),
)
WALL_FIELDS = (
    *VELOCITY_FIELDS[:4],
    Field("depth", "m", "N"),
    Field("heading", "rad"),
    Field("distance", "m"),
    Field("measured_distance", "m", optional=True),
    Field("sees_wall", "1", kind="bool"),
)


class Leg(NamedTuple):
    """Straight leg that guidance follows; NaN where there is none."""

    start: Vector3  # m in N
    end: Vector3  # m in N
    cross_track: float  # m to starboard of it, by the estimate
    exists: bool = True


NO_LEG = Leg((nan, nan, nan), (nan, nan, nan), nan, False)


class VelocityReference(NamedTuple):
    """Reference of body velocities, with the pose to which they lead."""

    velocity: Vector4  # m/s and rad/s in surge, sway, heave and yaw
    p_NR: Vector3  # m, target
    heading: float  # rad, target
    waypoint: int  # index of the target
    leg: Leg = NO_LEG  # that leads there


class WallReference(NamedTuple):
    """Reference of body velocities along a wall. It has no position: what is followed is the measured distance."""

    velocity: Vector4  # m/s and rad/s in surge, sway, heave and yaw
    depth: float  # m
    heading: float  # rad
    distance: float  # m, horizontal distance to keep
    measured: float  # m, likewise; NaN without an echo
    sees_wall: bool


class Reference(NamedTuple):
    """Reference of depth, heading and speed."""

    depth: float  # m
    heading: float  # rad
    speed: float  # m/s over ground, ahead


class StabilisedReference(NamedTuple):
    """Reference of a vehicle that does not know its velocity: what it holds, and the forces besides.

    NaN is not held. Without `levels` nothing is held but the forces are given.
    """

    depth: float  # m
    sink_rate: float  # m/s, of the depth
    heading: float  # rad
    heading_rate: float  # rad/s, also where the heading is not held and no torque is given
    force: Vector4  # N in surge, sway and heave, N m in yaw
    levels: bool = True  # whether roll and pitch are held where the thrusters can


def flat(reference: Any) -> Sequence[float]:
    """All numbers of a reference as one flat list."""
    row: list[float] = []
    for item in reference:
        if type(item) is tuple and item and type(item[0]) is float:
            row += item  # a vector; records, which are subclasses of tuple, may be nested
        elif isinstance(item, tuple):
            row += flat(item)
        else:
            row.append(item)
    return row
