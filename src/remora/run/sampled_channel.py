"""Channels with a row per sample of a vehicle, and those of tethers and links."""

import struct
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.logs.schema import Channel, Field, channel_name
from remora.run.log_fields import AXES, LINK, TETHER
from remora.run.setup import Setup

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
