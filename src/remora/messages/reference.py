"""Kinds of references from guidance to control, and their log fields."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from remora.logs.schema import Field

TUNNEL, POSE, DIVE = "speed and offsets in a tunnel", "a pose", "depth, heading and speed"

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


class Reference(NamedTuple):
    """Reference of depth, heading and speed."""

    depth: float  # m
    heading: float  # rad
    speed: float  # m/s over ground, ahead


def flat(reference: Any) -> Sequence[float]:
    """All numbers of a reference as one flat list."""
    row: list[float] = []
    for item in reference:
        row += flat(item) if isinstance(item, tuple) else [item]
    return row
