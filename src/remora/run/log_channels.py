"""Channels of a run: their fields with unit and frame, and those with a row per sample of a vehicle, tether or link."""

import struct
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.logs.schema import Channel, Field, channel_name, field_name
from remora.run.setup import Setup
from remora.vehicles.checks.thruster_flags import REGIMES, ThrusterFlag
from remora.vehicles.vehicle import Vehicle

AXES = ("x", "y", "z")
POSE = (
    *(Field(f"p_NB_{axis}", "m", "N") for axis in AXES),
    *(Field(f"q_NB_{i}", "1") for i in range(4)),
    *(Field(f"v_NB_B_{axis}", "m/s", "B") for axis in AXES),
    *(Field(f"w_NB_B_{axis}", "rad/s", "B") for axis in AXES),
)
SIGMA = tuple(Field(f"sigma_p_N_{axis}", "m", "N", description="one standard deviation of p_NB") for axis in AXES)
MOTION_SIGMA = (
    *(Field(f"sigma_v_B_{axis}", "m/s", "B", description="one standard deviation of v_NB_B") for axis in AXES),
    *(Field(f"sigma_turn_B_{axis}", "rad", "B", description="one standard deviation of the attitude") for axis in AXES),
)
VALID = Field("valid", "1", kind="bool", description="whether every number is known")
WRENCH = (*(Field(axis, "N", "B") for axis in "XYZ"), *(Field(axis, "N m", "B") for axis in "KMN"))
WATER = tuple(Field(f"v_NW_{axis}", "m/s", "N") for axis in AXES)
TETHER = (
    *(Field(f"pull_{axis}", "N", "N", description="on the vehicle") for axis in AXES),
    *(Field(f"far_pull_{axis}", "N", "N", description="on the other end") for axis in AXES),
    Field("length", "m", description="paid out, without load"),
)
LINK = (
    Field("attached", "1", kind="bool"),
    *(Field(axis, "N", "B", "on the second body, in its axes") for axis in "XYZ"),
    *(Field(axis, "N m", "B", "on the second body, about the joint") for axis in "KMN"),
    Field("gap", "m", description="distance by which the link is violated"),
    Field("tilt", "rad", description="angle by which the link is violated"),
)
POWER = (Field("power", "W"), Field("voltage", "V"), Field("charge", "1"))
READING = (
    Field("status", "1", kind="int", description="0 ok, 1 partial, 2 no lock, 3 out of range, 4 dropped, 5 off"),
    Field("latency", "s", description="from measurement to arrival"),
)
_REGIME_NUMBERS = {words: int(number) for number, words in REGIMES.items()}


def flag_fields(vehicle: Vehicle) -> tuple[Field, ...]:
    """Flow regime of each thruster, and whether its law is valid at its shaft speed."""
    regime = "-1 unknown, 0 at rest, 1 equi-directional, 2 anti-directional, 3 vague-directional"
    return tuple(
        Field(f"{field_name(name)}_{what}", "1", description=words, kind="int")
        for name in vehicle.parameters.thruster_names
        for what, words in (("regime", regime), ("valid", "-1 unknown, 0 no, 1 yes"))
    )


def flag_row(flags: Sequence[ThrusterFlag]) -> tuple[int, ...]:
    """Flags of all thrusters as a row of integers."""
    return tuple(
        number
        for flag in flags
        for number in (
            -1 if flag.regime is None else _REGIME_NUMBERS[flag.regime],
            -1 if flag.is_valid is None else int(flag.is_valid),
        )
    )


if TYPE_CHECKING:
    from remora.run.loop.vehicle_run import VehicleRun

NODES_NS = 500_000_000  # shortest time between two rows of tether nodes
MOST_NODES = 100  # of one tether in the log


def table_of(rows: Sequence[Sequence[float]]) -> Array:
    """Rows of one length as a table, as `np.array` and quicker."""
    pack = struct.Struct(f"={len(rows[0])}d").pack
    return np.frombuffer(b"".join([pack(*row) for row in rows])).reshape(len(rows), -1)


class SampledChannel(NamedTuple):
    """A channel with a row per sample of a vehicle."""

    channel: Channel
    take: Callable[["VehicleRun"], Any]  # value of one sample; a run replaces its arrays and never writes into them
    table: Callable[[list[Any]], Array] = table_of  # its rows from several values, which are rows by default
    period_ns: int = 0  # shortest time between two rows; zero for every sample

    def row(self, run: "VehicleRun") -> Array:
        """The present row."""
        return self.table([self.take(run)])[0]


def tether_channels(index: int, name: str, start: Any, named: Callable[..., Channel]) -> list[SampledChannel]:
    """Pulls and length of a tether, and the positions of its nodes where its model has some."""
    forces = named(name, TETHER, "a tether: pulls on its ends, length")
    found = [SampledChannel(forces, partial(_tether_row, index))]
    positions = getattr(start, "positions", None)
    if positions is not None:
        nodes = np.unique(np.linspace(0, len(positions) - 1, MOST_NODES).round().astype(int)).tolist()
        fields = tuple(Field(f"node_{node}_{axis}", "m", "N") for node in nodes for axis in AXES)
        channel = named(f"{name}_nodes", fields, "positions along a tether, from the vehicle to its far end")
        found.append(SampledChannel(channel, partial(_node_row, index, nodes), period_ns=NODES_NS))
    return found


def _tether_row(index: int, run: "VehicleRun") -> tuple[float, ...]:
    """Forces of a tether over the last step, and its length."""
    load = run.external_loads.tethers[index]
    return (*load.pull.vehicle, *load.pull.far, load.state.length)


def _node_row(index: int, nodes: list[int], run: "VehicleRun") -> Array:
    """Positions of some nodes of a tether in N."""
    positions: Array = run.external_loads.tethers[index].state.positions
    return positions[nodes].ravel()


def link_channels(setup: Setup, vehicle: str) -> list[SampledChannel]:
    """Reaction wrench and gap of each link whose second body is this vehicle."""
    return [
        SampledChannel(Channel(channel_name(one.name), LINK, f"{one.link.kind} link"), partial(_link_row, one.name))
        for one in setup.links
        if one.link.second == vehicle
    ]


def _link_row(name: str, run: "VehicleRun") -> tuple[float, ...]:
    assert run.motion.links is not None
    return run.motion.links.link_row(name)
