"""Traces of a channel: the fields that hold position, attitude and velocity of a vehicle."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.files.arrays import Array
from remora.logs import Channel, Field

ANGLES = ("roll", "pitch", "heading")
SPEEDS = ("surge", "sway", "heave")
CROSS_TRACK = "cross-track"
QUANTITIES = ("depth", CROSS_TRACK, *ANGLES, *SPEEDS)  # each a curve over time; besides these there is the path
UNIT_OF = {"depth": "m", CROSS_TRACK: "m", **dict.fromkeys(ANGLES, "deg"), **dict.fromkeys(SPEEDS, "m/s")}

# Field names by preference. R is the frame of a reference.
_PATHS = (("p_NB_x", "p_NB_y"), ("p_NR_x", "p_NR_y"), ("position_north", "position_east"), ("north", "east"))
_QUATERNIONS = tuple(tuple(f"{name}_{i}" for i in range(4)) for name in ("q_NB", "q_NR"))
_SINGLE: Mapping[str, tuple[tuple[str, ...], str]] = {
    "depth": (("p_NB_z", "p_NR_z", "depth", "position_down", "down"), "m"),
    CROSS_TRACK: (("cross_track",), "m"),
    "roll": (("roll",), "rad"),
    "pitch": (("pitch",), "rad"),
    "heading": (("heading", "yaw"), "rad"),
    "surge": (("v_NB_B_x", "v_NR_R_x", "surge"), "m/s"),
    "sway": (("v_NB_B_y", "v_NR_R_y", "sway"), "m/s"),
    "heave": (("v_NB_B_z", "v_NR_R_z", "heave"), "m/s"),
}


class Trace(NamedTuple):
    """Fields of a channel and their conversion into the columns of a curve."""

    channel: str
    fields: tuple[str, ...]
    convert: Callable[[Array], Array] | None = None  # columns to columns
    angle: bool = False  # in rad, unwrapped and drawn in deg


def plain(channel: Channel, field: Field) -> Trace:
    """A field without conversion; angles in deg."""
    return Trace(channel.name, (field.name,), angle=field.unit == "rad")


def shown_unit(unit: str) -> str:
    """The unit in which a field is drawn."""
    return "deg" if unit == "rad" else unit


def motion(channel: Channel) -> dict[str, Trace]:
    """The path (north and east) and the QUANTITIES that a channel holds."""
    units = {field.name: field.unit for field in channel.fields}
    found: dict[str, Trace] = {}
    for pair in _PATHS:
        if "path" not in found and all(units.get(name) == "m" for name in pair):
            found["path"] = Trace(channel.name, pair)
    for names in _QUATERNIONS:
        if all(name in units for name in names):
            for place, word in enumerate(ANGLES):
                found.setdefault(word, Trace(channel.name, names, _euler(place), angle=True))
    for word, (candidates, unit) in _SINGLE.items():
        for name in candidates:
            if units.get(name) == unit:
                found.setdefault(word, Trace(channel.name, (name,), angle=unit == "rad"))
    return found


_DEVIATIONS = {
    "depth": ("p_NB_z", "sigma_p_N_z"), "surge": ("v_NB_B_x", "sigma_v_B_x"), "sway": ("v_NB_B_y", "sigma_v_B_y"),
    "heave": ("v_NB_B_z", "sigma_v_B_z"),
}  # fmt: skip
BOUND = 3.0  # standard deviations drawn around an estimate


def deviation_bounds(channel: Channel) -> dict[str, tuple[Trace, Trace]]:
    """Estimate less and plus three standard deviations, for the QUANTITIES whose deviation a channel holds."""
    names = {field.name for field in channel.fields}
    return {
        word: (Trace(channel.name, fields, _bound(-BOUND)), Trace(channel.name, fields, _bound(BOUND)))
        for word, fields in _DEVIATIONS.items()
        if names.issuperset(fields)
    }


@cache
def _bound(factor: float) -> Callable[[Array], Array]:
    def bound(columns: Array) -> Array:
        return (columns[:, 0] + factor * columns[:, 1])[:, None]

    return bound


@cache  # equal traces must be the same trace
def _euler(place: int) -> Callable[[Array], Array]:
    def angle(columns: Array) -> Array:
        q0, q1, q2, q3 = columns.T
        return np.asarray(to_euler_zyx((q0, q1, q2, q3))[place])[:, None]

    return angle
