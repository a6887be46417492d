"""Vehicles of a log for the page: solids, thrusters, rays of ranging sensors, tethers and links."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from remora.equations.algebra.kinematics import position_rate
from remora.logs.log import Log
from remora.logs.schema import channel_name, field_name

# Where a log describes no vehicle, as logs of other programs.
_UNKNOWN = ({"shape": "box", "colour": "#1e88c7", "position": (0.0, 0.0, 0.0), "size": (0.5, 0.4, 0.3)},)
_AHEAD = (1.0, 0.0, 0.0)
_LEVEL = [1.0, 0.0, 0.0, 0.0]
_MOST_RAYS = 16  # of one sensor


def vehicle_contents(log: Log, begins: bool = False) -> list[dict[str, Any]]:
    """All vehicles whose pose is in the log, in its order; of a run that begins, those whose pose will be."""
    known = {name: series for name, series in log.series.items() if begins or len(series)}
    truths = [name for name, series in known.items() if name.endswith("/truth") and "p_NB_x" in series.columns]
    described = {channel_name(name): (name, data) for name, data in log.vehicles.items()}
    found = []
    for channel in (name.removesuffix("/truth") for name in truths):
        name, data = described.get(channel, (channel, {}))
        found.append(_vehicle(log, channel, name, data))
    return found


def link_contents(log: Log) -> list[dict[str, Any]]:
    """Links between vehicles, with the channel that tells when each is attached."""
    return [
        {
            "first": link["first"],
            "second": link["second"],
            "points": [link["point_first"], link["point_second"]],
            "channel": channel_name(link["name"]),
        }
        for link in log.scene.get("links", [])
        if _has(log, channel_name(link["name"]), "attached")
    ]


def _vehicle(log: Log, channel: str, name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    looks = data.get("looks") or _UNKNOWN
    thrusters = [
        {"field": field_name(name), "position": one["position"], "axis": one["axis"]}
        for name, one in data.get("thrusters", {}).items()
    ]
    return {
        "name": name,
        "channel": channel,
        "looks": looks,
        "scale": max(map(_size, looks)),
        "thrusters": [one for one in thrusters if _has(log, f"{channel}/outputs", one["field"])],
        "rays": [
            ray for sensor, mount in data.get("sensors", {}).items() for ray in _rays(log, channel, sensor, mount)
        ],
        "tethers": _tethers(log, channel, data),
        "current": _steady_current(log),
    }


def _has(log: Log, channel: str, field: str) -> bool:
    return channel in log and field in log[channel].columns


def _size(solid: Mapping[str, Any]) -> float:
    """Largest extent of a solid, m; the unit of cameras and plumes."""
    if "triangles" in solid:
        return float(np.ptp(np.array(solid["triangles"]).reshape(-1, 3), axis=0).max())
    return float(max([*solid.get("size", ()), solid.get("length", 0.0), solid.get("diameter", 0.0)]))


def _rays(log: Log, vehicle: str, sensor: str, mount: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rays of a ranging sensor: one for an echosounder, the altitude of a DVL, some of a fan of beams."""
    channel = channel_name(vehicle, sensor)
    q_BS, position = mount.get("q_BS", _LEVEL), mount.get("position", (0.0, 0.0, 0.0))
    ray = {"channel": channel, "kind": mount.get("kind", ""), "position": position}
    if _has(log, channel, "distance"):
        return [{**ray, "field": "distance", "direction": position_rate(tuple(q_BS), _AHEAD)}]
    if _has(log, channel, "altitude") and mount.get("kind") == "dvl":
        return [{**ray, "field": "altitude", "direction": (0.0, 0.0, 1.0)}]
    return _fan(log, channel, ray, tuple(q_BS))


def _fan(log: Log, channel: str, ray: dict[str, Any], q_BS: Any) -> list[dict[str, Any]]:
    note = log.header.notes.get(f"beams {channel}")
    if note is None or channel not in log:
        return []
    angles = json.loads(note).get("angles", [])
    fields = [field.name for field in log[channel].channel.fields][: len(angles)]
    every = max(1, math.ceil(len(angles) / _MOST_RAYS))
    return [
        {**ray, "field": field, "direction": position_rate(q_BS, (math.cos(angle), math.sin(angle), 0.0))}
        for field, angle in list(zip(fields, angles, strict=False))[::every]
    ]


def _tethers(log: Log, vehicle: str, data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Tethers whose nodes are in the log."""
    found = []
    for name in data.get("tethers", {}):
        channel = channel_name(vehicle, f"{name}_nodes")
        if channel in log:
            nodes = dict.fromkeys(field.removesuffix("_x") for field in log[channel].columns if field.endswith("_x"))
            found.append({"channel": channel, "nodes": list(nodes)})
    return found


def _steady_current(log: Log) -> list[float] | None:
    """Velocity of a uniform current that is the only one, m/s in N."""
    currents = log.scene.get("currents", [])
    velocity = currents[0].get("velocity") if len(currents) == 1 else None
    return velocity if isinstance(velocity, list) and len(velocity) == 3 else None
