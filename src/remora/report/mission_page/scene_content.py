"""Environment of a run for the page: bed as a grid, surface with waves, tunnels, obstacles, zones and points."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.files.arrays import Array
from remora.logs.schema import RunHeader
from remora.report.logs.recorded_scene import scene_of
from remora.world import Tunnel
from remora.world.ground.beds import Bed
from remora.world.ground.obstacles import Ball, Box, Obstacle, Pipe

_CELLS = 48  # of the bed, along each side
_CORNERS = 32  # of a round tunnel
_TUNNEL_LENGTH = 400.0  # m, of one without an end
_MARGIN = 0.6  # of the extent of the paths, around them
_LEAST_REACH = 20.0  # m
_BELOW = 2.0  # m, of a keep-out column below the deepest path


def scene_content(header: RunHeader, paths: Array) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The scene, and remarks on entries that cannot be read.

    `paths` holds positions (north, east, down) of all vehicles; bed and surface are drawn around them.
    """
    scene, remarks = scene_of(header)
    centre, reach = _extent(paths)
    content: dict[str, Any] = {
        "tunnels": [_tunnel(tunnel) for tunnel in scene.tunnels],
        "obstacles": [*(_obstacle(one) for one in scene.obstacles), *_zones(header, paths)],
        "points": [
            {"name": name, "position": list(position)}
            for name, position in header.scene.get("points", {}).items()
        ],
    }  # fmt: skip
    if scene.bed is not None:
        content["bed"] = _bed(scene.bed, centre, reach)
    if header.scene.get("has_surface"):
        content["surface"] = _surface(header.scene, centre, reach)
    return content, remarks


def obstacle_ends(obstacle: Obstacle) -> list[tuple[float, ...]]:
    """Outermost points of an obstacle, m in N: the middles of all sides of a box, the ends of a pipe."""
    if isinstance(obstacle, Pipe):
        return [obstacle.start, obstacle.end]
    if isinstance(obstacle, Ball):
        return [obstacle.center]
    assert isinstance(obstacle, Box)
    axes = np.array(obstacle.R_NO) * obstacle.size  # columns: half sides are half of them
    return [tuple((np.array(obstacle.center) + half).tolist()) for half in (*(0.5 * axes.T), *(-0.5 * axes.T))]


def _zones(header: RunHeader, paths: Array) -> list[dict[str, Any]]:
    """Keep-out zones of all vehicles, each once: balls, and columns over the depths of the paths."""
    zones = [zone for vehicle in header.vehicles.values() for zone in vehicle.get("keep_out", ())]
    depths = paths[np.isfinite(paths).all(axis=1), 2] if len(paths) else np.zeros(1)
    top, bottom = min(0.0, float(depths.min(initial=0.0))), float(depths.max(initial=0.0)) + _BELOW
    return [_zone(zone, top, bottom) for k, zone in enumerate(zones) if zone not in zones[:k]]


def _zone(zone: Mapping[str, Any], top: float, bottom: float) -> dict[str, Any]:
    north, east, down = zone["center"]
    if zone["vertical"]:
        return {"shape": "ball", "center": [north, east, down], "radius": zone["radius"], "zone": True}
    q = from_euler_zyx(0.0, 0.5 * math.pi, 0.0)
    return {
        "shape": "cylinder", "center": [north, east, 0.5 * (top + bottom)], "radius": zone["radius"],
        "length": bottom - top, "q": list(q), "zone": True,
    }  # fmt: skip


def _extent(paths: Array) -> tuple[tuple[float, float], float]:
    """Centre (north, east) of all paths, and half the side of a square around them, m."""
    known = paths[np.isfinite(paths).all(axis=1)] if len(paths) else paths
    if not len(known):
        return (0.0, 0.0), _LEAST_REACH
    low, high = known[:, :2].min(axis=0), known[:, :2].max(axis=0)
    middle = 0.5 * (low + high)
    return (float(middle[0]), float(middle[1])), max(_LEAST_REACH, (0.5 + _MARGIN) * float((high - low).max()))


def _bed(bed: Bed, centre: tuple[float, float], reach: float) -> dict[str, Any]:
    step = 2.0 * reach / _CELLS
    north, east = centre[0] - reach, centre[1] - reach
    steps = range(_CELLS + 1)
    depths = [bed.depth_at(north + i * step, east + j * step) for i in steps for j in steps]
    return {
        "north": north,
        "east": east,
        "step": step,
        "rows": _CELLS + 1,
        "columns": _CELLS + 1,
        "depths": [None if depth is None or not math.isfinite(depth) else round(depth, 4) for depth in depths],
        "visibility": max(30.0, 1.4 * reach),
    }


def _surface(scene: Mapping[str, Any], centre: tuple[float, float], reach: float) -> dict[str, Any]:
    rows: list[list[float]] = []
    for waves in scene.get("waves", []):
        parts = waves.get("components", {})
        rows += [list(row) for row in zip(*(parts.get(key, []) for key in _WAVE_KEYS), strict=False)]
    rows.sort(key=lambda row: -abs(row[0]))
    height = max((float(waves.get("significant_height", 0.0)) for waves in scene.get("waves", [])), default=0.0)
    level = float(scene.get("surface_depth", 0.0))
    return {"size": 2.4 * reach, "center": list(centre), "level": level, "waves": rows, "height": height}


_WAVE_KEYS = ("amplitude", "frequency", "wave_number", "direction", "phase")


def _tunnel(tunnel: Tunnel) -> dict[str, Any]:
    width, height = tunnel.section.size
    kind = type(tunnel.section).__name__.lower()
    half, low = 0.5 * width, 0.5 * height
    turns = [2.0 * math.pi * k / _CORNERS for k in range(_CORNERS)]
    if kind == "round":
        outline = [(half * math.cos(turn), half * math.sin(turn)) for turn in turns]
    elif kind == "horseshoe":
        arch = [(half * math.cos(turn), half - low - half * math.sin(turn)) for turn in turns[: _CORNERS // 2 + 1]]
        outline = [(half, low), *arch, (-half, low)]
    else:
        outline = [(half, low), (half, -low), (-half, -low), (-half, low)]
    length = tunnel.length if math.isfinite(tunnel.length) else _TUNNEL_LENGTH
    q = from_euler_zyx(0.0, tunnel.slope, tunnel.heading)
    return {"outline": outline, "start": list(tunnel.start), "q": list(q), "length": length}


def _obstacle(obstacle: Obstacle) -> dict[str, Any]:
    if isinstance(obstacle, Ball):
        return {"shape": "ball", "center": list(obstacle.center), "radius": obstacle.radius}
    if isinstance(obstacle, Box):
        q = from_euler_zyx(0.0, obstacle.slope, obstacle.heading)
        return {"shape": "box", "center": list(obstacle.center), "size": list(obstacle.size), "q": list(q)}
    assert isinstance(obstacle, Pipe)
    ahead = [(b - a) / obstacle.length for a, b in zip(obstacle.start, obstacle.end, strict=True)]
    middle = [0.5 * (a + b) for a, b in zip(obstacle.start, obstacle.end, strict=True)]
    q = from_euler_zyx(0.0, math.asin(-max(-1.0, min(1.0, ahead[2]))), math.atan2(ahead[1], ahead[0]))
    return {"shape": "cylinder", "center": middle, "radius": obstacle.radius, "length": obstacle.length, "q": list(q)}
