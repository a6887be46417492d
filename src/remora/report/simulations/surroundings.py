"""Summary lines on what is around the vehicles of a run: pulls of tethers, docking, distances of obstacles and bed."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, final

import numpy as np
import numpy.typing as npt

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.vectors import add3
from remora.files.arrays import Array
from remora.logs import Event, RunHeader, Series
from remora.report.logs.recorded_scene import depths_below, scene_of

APART_NS = 200_000_000  # between rows whose distances are computed
MOST_OBSTACLES = 5  # the nearest ones
_PULL = ("pull_x", "pull_y", "pull_z")
_POSE = ("p_NB_x", "p_NB_y", "p_NB_z", "q_NB_0", "q_NB_1", "q_NB_2", "q_NB_3")


class _Least(NamedTuple):
    """Smallest value with its time, and the mean."""

    least: float = np.inf
    at_ns: int = 0
    total: float = 0.0
    rows: int = 0

    def after(self, stamps_ns: npt.NDArray[np.int64], values: Array) -> "_Least":
        known = np.isfinite(values)
        if not known.any():
            return self
        stamps_ns, values = stamps_ns[known], values[known]
        k = int(values.argmin())
        best = (float(values[k]), int(stamps_ns[k])) if values[k] < self.least else (self.least, self.at_ns)
        return _Least(*best, self.total + float(values.sum()), self.rows + len(values))

    @property
    def mean(self) -> float:
        return self.total / self.rows


@final
class SurroundingsTally:
    """Takes the pieces of a log and says what they show of tethers, links, obstacles and bed."""

    def __init__(self, header: RunHeader) -> None:
        scene = scene_of(header)[0]
        self._obstacles = {one.name: one for one in scene.obstacles}
        self._bed, self._tunnels = scene.bed, scene.tunnels
        self._tethers: dict[str, _Least] = {}  # of the negative pull
        self._distances: dict[tuple[str, str], _Least] = {}  # of vehicle and obstacle
        self._due: dict[str, int] = {}  # stamp of the next row to use, by vehicle
        self._links: dict[str, Mapping[str, Any]] = {one["name"]: one for one in header.scene.get("links") or ()}
        self._attached: dict[str, list[int]] = {}  # times, by link
        self._is_attached: dict[str, bool] = {}  # by link
        self._logged: set[str] = set()  # links with a channel
        self._from_the_start: set[str] = set()  # links of a vehicle of several bodies
        self._released: dict[str, Event] = {}  # the latest end of each link
        self._poses: dict[str, Array] = {}  # the latest of each vehicle

    def take(self, vehicle: str, series: Series) -> None:
        """Add a piece of a channel; `vehicle` is the first part of its name."""
        name = series.channel.name
        if name in self._links and "attached" in series.columns and name not in self._logged:
            self._logged.add(name)
            is_attached = bool(series["attached"][0])
            self._is_attached.setdefault(name, is_attached)  # events of this piece may have come first
            if is_attached:
                self._from_the_start.add(name)
        elif {*_PULL} <= set(series.columns):
            pulls = np.linalg.norm(series.table(*_PULL), axis=1)
            self._tethers[name] = self._tethers.get(name, _Least()).after(series.time_ns, -pulls)
        elif name.endswith("/truth") and {*_POSE} <= set(series.columns):
            poses = series.table(*_POSE)
            self._poses[vehicle] = poses[-1]
            self._measure(vehicle, series.time_ns, poses)

    def add(self, events: Iterable[Event]) -> None:
        """Add events; only events of links count."""
        for event in events:
            if event.source in self._links:
                if event.text.startswith("attached"):
                    self._attached.setdefault(event.source, []).append(event.time_ns)
                    self._is_attached[event.source] = True
                elif event.text in ("detached", "fails"):
                    self._is_attached[event.source] = False
                    self._released[event.source] = event

    def lines(self) -> Iterator[tuple[str, str]]:
        """The lines, with their labels."""
        for name, pulls in self._tethers.items():
            most = f"{-pulls.least:.3g} N at most (at {_s(pulls)})"
            yield "tether", f"{name}: pulls with {most}, {-pulls.mean:.3g} N on average"
        for name, link in self._links.items():
            if name in self._from_the_start and name not in self._released:
                continue
            yield "docking", f"{name}: {self._docked(name)}{self._apart(link)}"
        nearest = sorted(self._distances.items(), key=lambda item: item[1].least)
        for (vehicle, what), found in nearest[:MOST_OBSTACLES]:
            least = f"{found.least:.2f} m at the nearest (at {_s(found)})"
            yield "distance", f"{vehicle} to {what}: {least}, {found.mean:.2f} m on average"

    def _measure(self, vehicle: str, stamps_ns: npt.NDArray[np.int64], poses: Array) -> None:
        """Distances of the body origin from obstacles and bed, at rows that are far enough apart in time."""
        if not (self._obstacles or self._bed or self._tunnels):
            return
        chosen, due = [], self._due.get(vehicle, 0)
        for k, stamp in enumerate(stamps_ns.tolist()):
            if stamp >= due:
                chosen.append(k)
                due = stamp + APART_NS
        self._due[vehicle] = due
        times, places = stamps_ns[chosen], poses[chosen, :3]
        found = {
            name: np.array([one.nearest((n, e, d)).distance for n, e, d in places.tolist()])
            for name, one in self._obstacles.items()
        }
        if self._bed is not None:
            found["the bed"] = depths_below(self._bed, places[:, :2]) - places[:, 2]
        for number, tunnel in enumerate(self._tunnels, start=1):
            inside = [tunnel.clearance(p) if tunnel.is_inside(p) else np.nan for p in places.tolist()]
            found["the tunnel wall" if len(self._tunnels) == 1 else f"the wall of tunnel {number}"] = np.array(inside)
        for name, distances in found.items():
            if np.isfinite(distances).any():
                key = (vehicle, name)
                self._distances[key] = self._distances.get(key, _Least()).after(times, distances)

    def _docked(self, name: str) -> str:
        times, end = self._attached.get(name, []), self._released.get(name)
        if name in self._from_the_start and end is not None:
            how = "fails" if end.text == "fails" else "released"
            again = f", docked again at {1e-9 * times[-1]:.6g} s" if times else ""
            return f"attached from the start, {how} at {1e-9 * end.time_ns:.6g} s{again}"
        if not times:
            return "missed" if name in self._logged else "not logged"
        often = f", {len(times)} times" if len(times) > 1 else ""
        after = "" if self._is_attached[name] else ", released again"
        return f"docked at {1e-9 * times[0]:.6g} s{often}{after}"

    def _apart(self, link: Mapping[str, Any]) -> str:
        """Distance of the two joint points at the end; empty where a pose is not known."""
        ends = []
        for body, point in ((link["first"], link["point_first"]), (link["second"], link["point_second"])):
            if (pose := self._poses.get(body)) is None:
                return ""
            n, e, d, s, x, y, z = pose.tolist()
            ends.append(add3((n, e, d), position_rate((s, x, y, z), tuple(point))))
        return f"; ports {100.0 * float(math.dist(*ends)):.3g} cm apart at the end"


def _s(found: _Least) -> str:
    return f"{1e-9 * found.at_ns:.6g} s"
