"""Monitor of one vehicle: warns once per episode where a run deviates from its scenario.

Twice a second the true state, the reference and the commands are compared with the bounds of a `Watch`. A quantity
beyond its bound for longer than its hold time is a warning. A decreasing error is being corrected and does not count;
a jump of the reference starts a new episode. An error that returns on alternating sides of a setpoint is an
oscillation and is reported too. The state of the monitor is part of a checkpoint.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple, final

from remora.control.parts.command_schedule import CommandSchedule
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.guidance.keep_out import zone_distance
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.files.units import NEVER, SECOND
from remora.messages.part import Role
from remora.run.loop.part_schedule import RunningParts
from remora.run.loop.running_part import ActuatorChain
from remora.run.monitoring.causes import (
    IDLE,
    Caused,
    Causes,
    HeldBack,
    Key,
    battery_text,
    limit_text,
    overlap_text,
    zone_text,
)
from remora.run.monitoring.command_limits import AT_LIMIT, reached_limits
from remora.run.monitoring.detectors import Overlaps, StepStability, TautTethers
from remora.run.monitoring.deviations import (
    MOST_SWINGS,
    Deviation,
    Oscillation,
    bounds_of,
    deviations,
    distance_error,
    estimate_error,
    implies_level,
    is_at_rest,
    leg_error,
    off_leg,
    offset_at_rest,
    setpoints,
    swing_text,
    swung,
    tilted,
)
from remora.run.monitoring.limits import WATCH_NONE, WatchWarning
from remora.run.plant.external_loads import ExternalLoads
from remora.run.recorder import Recorder
from remora.run.setup import Setup, VehicleSetup
from remora.vehicles.parameters import buoyancy_elements_of
from remora.world.ground.beds import Bed

CHECK_NS = SECOND // 2
USUAL_HOLD_NS = SECOND
AT_ONCE = ("at_limit", "overlap", "keep_out", "battery", "step")
OTHER_HOLDS_NS = {"tilt": 10 * SECOND, "tether": 5 * SECOND}
OWN_HOLDS = ("waiting", "lost_target")  # watches whose bound is a time
LONGEST_HOLD_NS, SHORTEST_HOLD_NS = 20 * SECOND, 10 * SECOND  # of errors that a controller reduces
# A vehicle that tumbles slowly is beyond its bound for a second; one that tumbles faster, or rolls to and fro, is so
# again within this time.
TUMBLE_NS = 5 * SECOND // 2
TUMBLES = ("upside_down", "tilt")
SEVERE_TILT = 2.0  # times the bound; a vehicle that tips so far does not merely lean into a manoeuvre
CLOSING = (
    "tracking",
    "offset",
    "distance",
    "cross_track",
    "heading",
    "speed",
    "drift",
)  # errors that a controller reduces
HELD_FROM_OUTSIDE = (*CLOSING, "at_limit", "tilt", "upside_down", "lost_target")  # a hold may be the cause
CLOSED_BY = 0.25  # share of the bound; a smaller decrease within the hold time is no correction
FASTEST = {
    "tracking": 10.0,
    "offset": 10.0,
    "distance": 10.0,
    "cross_track": 10.0,
    "heading": math.pi,
    "speed": 2.0,
    "drift": 5.0,
}  # m/s, m/s, m/s, m/s, rad/s, 1/s and m/s2; faster growth is a jump of the reference
LIMIT_SECONDS = 10.0  # time at a limit that causes a warning
HIGHEST_WAVE = 30.0  # m
MOST_EPISODES = 10  # of one kind in the log; later ones are only counted


class Episode(NamedTuple):
    """An uninterrupted time beyond a bound."""

    since_ns: int
    last_ns: int  # latest check beyond the bound
    is_warned: bool
    best: float  # smallest ratio to the bound
    before: float  # ratio at the latest check


@final
class VehicleMonitor:
    """The monitor of one vehicle. `check` is due at step `next`; `warned` lists the warnings."""

    def __init__(
        self,
        setup: Setup,
        vehicle: VehicleSetup,
        parts: RunningParts,
        actuators: ActuatorChain,
        external_loads: ExternalLoads,
        recorder: Recorder | None,
    ) -> None:
        self._watch, self._name = vehicle.watch, vehicle.name
        self._load_warnings = vehicle.load_warnings
        self._parts, self._actuators, self._recorder = parts, actuators, recorder
        self._period = max(1, CHECK_NS // setup.step_ns)
        self._seconds = 1e-9 * self._period * setup.step_ns
        self.next = NEVER if vehicle.watch == WATCH_NONE else 0
        self._bounds = bounds_of(vehicle.watch, vehicle.plant.vehicle.parameters)
        # An error that lasts for the last third of a short run is found too.
        self._closing_ns = min(max(setup.duration_ns // 3, SHORTEST_HOLD_NS), LONGEST_HOLD_NS)
        self.overlaps = Overlaps(setup, vehicle, self._seconds)
        self._step = StepStability(setup, vehicle, actuators, external_loads)
        self._zones = tuple(zone for part in vehicle.parts for zone in getattr(part.part, "zones", ()))
        elements = buoyancy_elements_of(vehicle.plant.vehicle.parameters)
        self._reach = max((math.hypot(*part.position) + part.radius for part in elements), default=0.0)
        self._names = vehicle.plant.actuator_names
        # A command schedule may command a limit; only inputs beyond it count.
        is_schedule = any(isinstance(part.part, CommandSchedule) for part in vehicle.parts)
        limits = reached_limits(vehicle, -AT_LIMIT if is_schedule else AT_LIMIT).tolist()
        self._limits = [] if vehicle.watch.at_limit is None else limits
        self._near_limit = (0.0,) * len(self._names)  # s, leaky: see `_at_limits`
        self._episodes: dict[Key, Episode] = {}
        self._warned: dict[Key, WatchWarning] = {}
        self._oscillations: dict[str, Oscillation] = {}  # by watch
        self._causes = Causes(parts)
        self._judged = 0  # number of the latest waypoint whose reaching was judged
        self._tethers = TautTethers(vehicle, external_loads)
        self._held_back = HeldBack(vehicle, external_loads, self._tethers)
        is_controlled = any(part.role == Role.CONTROL for part in vehicle.parts)
        has_fins = bool(vehicle.plant.vehicle.parameters.fins)
        self._levels = partial(implies_level, is_controlled=is_controlled, has_fins=has_fins)
        self._least_upright = -2.0 if vehicle.watch.upside_down is None else math.cos(vehicle.watch.upside_down)
        self._world, self._bed = setup.environment, setup.environment.scene.bed
        # A tunnel under water has no surface above it, wherever it lies in N.
        is_open = self._world.has_surface or not self._world.scene.tunnels
        self._has_air = is_open and vehicle.watch.above_surface is not None
        self._highest = setup.environment.surface_depth + (HIGHEST_WAVE if self._world.has_surface else 0.0)

    @property
    def warned(self) -> tuple[WatchWarning, ...]:
        """All warnings in the order of occurrence."""
        return tuple(self._warned.values())

    def check(self, k: int, time_ns: int, state: Array) -> None:
        """Compare the vehicle with all bounds."""
        self.next = k + self._period
        self._causes.follow()
        body = state[:BODY_SIZE].tolist()
        found = self._found(time_ns, body)
        if self._step.is_needed:
            found += self._step.found(state)
        if found or self._episodes:
            self._compare(found, time_ns, body)
        self._follow_swings(time_ns, body)
        if self._watch.estimate:
            self._judge_reached(time_ns, body)

    def _judge_reached(self, time_ns: int, body: Sequence[float]) -> None:
        """Warn of a waypoint that only the estimate has reached, once for each."""
        reached, estimate = self._parts.latest_reached(), self._parts.estimate
        if reached is None or estimate is None or reached.number == self._judged:
            return
        self._judged = reached.number
        if words := estimate_error(estimate, body[:3], reached):
            self._warn(("estimate", ""), words, {"waypoint": reached.number}, time_ns)

    def _follow_swings(self, time_ns: int, body: Sequence[float]) -> None:
        """Warn once of a vehicle that oscillates about its setpoint, however often it comes closer."""
        for one in setpoints(self._parts.reference, body, self._bounds):
            now = self._oscillations[one.watch] = swung(self._oscillations.get(one.watch), one, time_ns)
            known = self._warned.keys() | self._causes.followed.keys()
            if now.swings > MOST_SWINGS and not {(one.watch, ""), (one.watch, "swings")} & known:
                data = {"ratio": now.largest / one.bound}
                holds = self._held_back.text(time_ns, body)
                words = swing_text(one.watch, now.largest) + (f"; {holds}" if holds else "")
                self._warn((one.watch, "swings"), words, data, time_ns)

    def _compare(self, found: list[Deviation], time_ns: int, body: Sequence[float]) -> None:
        """Begin, continue and end episodes."""
        keys = {(one.watch, one.subject) for one in found}
        for key in [key for key in self._episodes if key not in keys]:
            self._pause(key, time_ns)
        for one in found:
            self._continue((one.watch, one.subject), one, time_ns, body)

    def end(self, time_ns: int) -> None:
        """Warn of unfinished guidance at the end of a run, and of deviations known before it."""
        if self._watch.waiting is not None and (idle := self._causes.idle_text()):
            self._warn(IDLE, idle, {}, time_ns)
        words = (self._parts.unfinished() or self._far_text()) if self._watch.unfinished else ""
        if words:
            taut = [subject for watch, subject in self._episodes if watch == "tether"]
            holds = self._held_back.until_the_end(time_ns, taut)
            why = f"; {holds}" if holds else ""
            self._warn(("unfinished", ""), f"{words} when the run ended{why}", {}, time_ns)
        for one in self._load_warnings:
            self._warn((one.watch, one.field), one.text, {}, time_ns)

    def _far_text(self) -> str:
        """Distance from a pose at rest that the vehicle is still on its way to; empty where it is there."""
        episode, bound = self._episodes.get(("tracking", "")), self._bounds.tracking
        if episode is None or episode.is_warned or bound is None or episode.before < 1.0 + CLOSED_BY:
            return ""
        if not is_at_rest(self._parts.reference):
            return ""
        return f"{episode.before * bound:.2g} m from the position that it is to hold"

    def _found(self, time_ns: int, body: list[float]) -> list[Deviation]:
        """All quantities beyond their bounds; optimised for the common case of none."""
        watch, found, x, y = self._watch, list[Deviation](), body[4], body[5]
        if watch.upside_down is not None and 1.0 - 2.0 * (x * x + y * y) < self._least_upright:
            lean = math.degrees(math.acos(max(-1.0, 1.0 - 2.0 * (x * x + y * y))))
            found.append(Deviation("upside_down", "", 2.0, lambda: f"upside down, its z axis {lean:.0f} deg from down"))
        if self._has_air and body[2] - self._reach < self._highest:
            found += self._in_air(time_ns, (body[0], body[1], body[2]))
        if self._bed is not None and watch.below_bed is not None:
            found += self._below_bed(self._bed, watch.below_bed, body)
        if self.overlaps.is_needed:
            found += self._overlapping(time_ns, body)
        if self._zones and watch.keep_out is not None:
            found += self._inside_zones(watch.keep_out, (body[0], body[1], body[2]))
        reference = self._parts.reference
        if reference is not None:
            found += deviations(reference, body, self._bounds)
            if (estimate := self._parts.estimate) is not None and not any(one.watch == "tracking" for one in found):
                found += offset_at_rest(reference, estimate.p_NB, self._bounds.offset)
            found += distance_error(self._parts.distance_error(), self._bounds.distance)
            known = None if estimate is None else estimate.p_NB
            if (off := leg_error(reference, known)) is not None:
                found += off_leg(off[1], self._bounds.cross_track)
        if watch.tilt is not None and ("upside_down", "") not in self._warned:
            found += tilted(reference, (x, y), watch.tilt, self._levels)
        if self._tethers.is_needed:
            found += self._tethers.found(time_ns, body)
        if watch.battery is not None and (left := self._actuators.charge) is not None and left <= watch.battery:
            found.append(Deviation("battery", "", 2.0, partial(battery_text, left)))
        if self._limits:
            found += self._at_limits()
        if watch.waiting is not None and (name := self._parts.waiting()):
            found.append(Deviation("waiting", name, 2.0, self._parts.waiting_text))
        if watch.lost_target is not None and (lost := self._parts.lost_target()):
            found.append(Deviation("lost_target", "", 2.0, lambda: lost))
        return found

    def _in_air(self, time_ns: int, p_NB: Vector3) -> list[Deviation]:
        """Whether the whole vehicle is above the surface."""
        bound, surface = self._watch.above_surface, self._world.surface_depth
        if self._world.has_surface:
            surface = self._world.at(time_ns, p_NB).surface
        air = surface - p_NB[2] - self._reach
        if bound is None or air <= bound:
            return []
        return [Deviation("above_surface", "", 2.0, lambda: self._air_text(air))]

    def _below_bed(self, bed: Bed, bound: float, body: Sequence[float]) -> list[Deviation]:
        """Whether the body origin is below the bed."""
        depth = bed.depth_at(body[0], body[1])
        if depth is None or body[2] - depth <= bound:
            return []
        below = body[2] - depth
        return [Deviation("below_bed", "", 2.0, lambda: f"{below:.2g} m below the bed")]

    def _overlapping(self, time_ns: int, body: list[float]) -> list[Deviation]:
        """Vehicles and obstacles that overlap the hull."""
        bound = self._watch.overlap or 0.0
        return [
            Deviation("overlap", name, 2.0, partial(overlap_text, name, depth, self.overlaps.has_contact))
            for name, depth in self.overlaps.found(time_ns, body)
            if depth > bound
        ]

    def _inside_zones(self, bound: float, p_NB: Vector3) -> list[Deviation]:
        """Keep-out zones that the body origin is inside of."""
        depths = ((number, -zone_distance(zone, p_NB)[0]) for number, zone in enumerate(self._zones, start=1))
        return [
            Deviation("keep_out", f"zone {number}", 2.0, partial(zone_text, number, depth))
            for number, depth in depths
            if depth > bound
        ]

    def _air_text(self, air: float) -> str:
        words = f"above the surface, with {air:.2g} m of air below it"
        return words if self._world.has_surface else f"{words}; give water a surface_depth to keep it in the water"

    def _at_limits(self) -> list[Deviation]:
        """Actuators at their limit for too large a share of time; faulty ones do not count."""
        given, faulty = self._actuators.inputs.tolist(), self._actuators.faulty
        beyond = [
            (x <= low or x >= high) and name not in faulty
            for x, (low, high), name in zip(given, self._limits, self._names, strict=True)
        ]
        if True not in beyond and not any(self._near_limit):
            return []
        # Leaky integrator that grows while the share of time at the limit exceeds the bound.
        share = self._watch.at_limit or 0.0
        full, more, less = (1.0 - share) * LIMIT_SECONDS, (1.0 - share) * self._seconds, share * self._seconds
        self._near_limit = tuple(
            min(full, seconds + more) if at else max(0.0, seconds - less)
            for seconds, at in zip(self._near_limit, beyond, strict=True)
        )
        return [
            Deviation("at_limit", name, 2.0, partial(limit_text, name))
            for name, seconds in zip(self._names, self._near_limit, strict=True)
            if seconds >= full or (seconds > 0.0 and ("at_limit", name) in self._episodes)
        ]

    def _continue(self, key: Key, found: Deviation, time_ns: int, body: Sequence[float]) -> None:
        """Continue or begin an episode; warn after its hold time."""
        old, ratio, watch = self._episodes.get(key), found.ratio, found.watch
        if old is None or (watch in CLOSING and not old.is_warned and ratio > old.before + self._jump(watch)):
            old = Episode(time_ns, time_ns, False, ratio, ratio)
        elif watch in CLOSING and not old.is_warned and ratio < old.best - CLOSED_BY:
            old = old._replace(since_ns=time_ns, best=ratio)
        hold_ns = USUAL_HOLD_NS if watch == "tilt" and ratio >= SEVERE_TILT else self._hold(watch)
        lasts = time_ns - old.since_ns
        if not old.is_warned and lasts >= hold_ns:
            for_time = f", for {1e-9 * lasts:.3g} s" if hold_ns else ""
            why = self._cause_text(watch, time_ns, body)
            self._warn(key, f"{found.text()}{for_time}{why}", {"ratio": ratio}, time_ns)
            old = old._replace(is_warned=True)
        self._episodes[key] = old._replace(last_ns=time_ns, before=ratio)

    def _hold(self, watch: str) -> int:
        """Hold time of a watch, ns."""
        if watch in AT_ONCE:
            return 0
        if watch in CLOSING:
            return self._closing_ns
        if watch in OTHER_HOLDS_NS:
            return OTHER_HOLDS_NS[watch]
        own = getattr(self._watch, watch) if watch in OWN_HOLDS else None
        return USUAL_HOLD_NS if own is None else round(1e9 * own)

    def _jump(self, watch: str) -> float:
        """Growth of the ratio between two checks that no vehicle motion can cause."""
        return FASTEST[watch] * self._seconds / float(getattr(self._bounds, watch))

    def _pause(self, key: Key, time_ns: int) -> None:
        """End an episode; after a warning, or for a tumbling vehicle, only after a pause."""
        old = self._episodes[key]
        needed = TUMBLE_NS if key[0] in TUMBLES else self._hold(key[0]) if old.is_warned else 0
        if time_ns - old.last_ns < needed:
            return
        del self._episodes[key]
        known = self._warned.get(key)
        if old.is_warned and self._recorder is not None and known is not None and known.times <= MOST_EPISODES:
            what = f"{key[0].replace('_', ' ')} {key[1]}".strip()
            text = f"{what}: over after {1e-9 * (old.last_ns - old.since_ns):.3g} s"
            data = {"watch": key[0], "subject": key[1], "begins": False}
            self._recorder.event(time_ns, f"{self._name}/watch", "info", text, data)

    def _warn(self, key: Key, text: str, data: dict[str, Any], time_ns: int) -> None:
        if self._watch.waiting is not None:
            waits = any(one[0] == "waiting" for one in self._episodes)
            cause = self._causes.of(key, text, time_ns, tuple(self._warned), waits)
            if cause.is_known:
                return self._follows(key, cause, data, time_ns)
            key, text = cause.key, cause.text
        old = self._warned.get(key)
        times = 1 if old is None else old.times + 1
        self._warned[key] = (
            WatchWarning(time_ns, self._name, key[0], text, 1) if old is None else old._replace(times=times)
        )
        if self._recorder is not None and times <= MOST_EPISODES:
            data = {"watch": key[0], "subject": key[1], "begins": True, **data}
            self._recorder.event(time_ns, f"{self._name}/watch", "warning", text, data)

    def _follows(self, key: Key, cause: Caused, data: dict[str, Any], time_ns: int) -> None:
        """Record a symptom whose cause was warned of."""
        if self._recorder is None or self._causes.followed.get(key, 0) > MOST_EPISODES:
            return
        data = {"watch": key[0], "subject": key[1], "follows": cause.key[0], **data}
        self._recorder.event(time_ns, f"{self._name}/watch", "info", f"{cause.text}; as warned before", data)

    def _cause_text(self, watch: str, time_ns: int, body: Sequence[float]) -> str:
        """Text: what holds the vehicle from outside, else what its software has to do with it."""
        if watch in HELD_FROM_OUTSIDE and (holds := self._held_back.text(time_ns, body)):
            return f"; {holds}"
        if watch == "offset":
            return "; its controller leaves this offset"
        return self._estimate_text(watch, body)

    def _estimate_text(self, watch: str, body: Sequence[float]) -> str:
        """Text: error of the estimate, for tracking warnings; that of the depth where the reference has no position."""
        estimate = self._parts.estimate
        if watch != "tracking" or estimate is None:
            return ""
        what, wrong = "position", math.dist(estimate.p_NB, body[:3])
        if not hasattr(self._parts.reference, "p_NR"):
            what, wrong = "depth", abs(estimate.p_NB[2] - body[2])
        return f"; its {what} estimate is {wrong:.2g} m off{self._parts.loss_text()}" if wrong > 0.1 else ""

    def snapshot(self) -> Any:
        """State for a checkpoint."""
        episodes, warned = tuple(self._episodes.items()), tuple(self._warned.items())
        swings, causes = tuple(self._oscillations.items()), self._causes.snapshot()
        return self.next, self._near_limit, episodes, warned, swings, self._judged, causes

    def restore(self, snapshot: Any) -> None:
        """Continue from a snapshot."""
        self.next, self._near_limit, episodes, warned, oscillations, self._judged, causes = snapshot
        self._episodes, self._warned, self._oscillations = dict(episodes), dict(warned), dict(oscillations)
        self._causes.restore(causes)
