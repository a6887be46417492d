"""Lyapunov velocity guidance along a mission, with bottom following and keep-out zones; the law is compiled."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, final

import numpy as np
from numba import float64, void

from remora.equations.algebra.four_axes import ZERO4, clipped4, vector4_at
from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, dot3, scale3, subtract3, vector3_at, vector6_at
from remora.equations.guidance.keep_out import Zone, held_off, passed_by, zone_distance
from remora.equations.guidance.lyapunov import DIRECT, DIRECTED, LyapunovLaw, LyapunovState, lyapunov_velocity
from remora.equations.types import Vector3, Vector4
from remora.files.arrays import Array
from remora.files.units import SECOND
from remora.guidance.line_of_sight import leg_at
from remora.guidance.mission import (
    NO_SOUNDING,
    Avoidance,
    MissionState,
    MissionTarget,
    Sounding,
    TargetPose,
    charted_offset,
    is_inside,
    leg_start,
    resolved,
)
from remora.messages.estimate import Estimate
from remora.messages.reference import NO_LEG, VelocityReference
from remora.plant.kernels.strict import strict_kernel

_ROW = float64[::1]
SIGNATURE = void(_ROW, _ROW, float64, _ROW)
SIZE = 11  # numbers of a state and a velocity


def law_at(row: Any) -> LyapunovLaw:
    """The law of a row."""
    return LyapunovLaw(
        vector4_at(row, 0), vector4_at(row, 4), vector4_at(row, 8), vector4_at(row, 12), vector4_at(row, 16),
        vector4_at(row, 20), vector4_at(row, 24), int(row[28]), row[29], row[30], int(row[31]),
    )  # fmt: skip


def law_row(law: LyapunovLaw) -> Array:
    """A law as numbers."""
    return np.array(
        [
            *(number for four in law[:7] for number in four),
            float(law.heave),
            law.tilt_sine,
            law.largest_down,
            float(law.limits),
        ]
    )


def guide(law: Array, given: Array, period: float, out: Array) -> None:
    """Fill in state and velocity after a sample, from state, errors, rate of the target, attitude and twist."""
    state = LyapunovState(vector4_at(given, 0), vector3_at(given, 4))
    after, velocity = lyapunov_velocity(
        law_at(law),
        state,
        vector4_at(given, 7),
        vector4_at(given, 11),
        vector4_at(given, 15),
        vector6_at(given, 19),
        period,
        vector4_at(given, 25),
    )
    for i in range(4):
        out[i], out[7 + i] = after.integral[i], velocity[i]
    for i in range(3):
        out[4 + i] = after.integrates[i]


@lru_cache(maxsize=1)
def guidance_kernel() -> Any:
    """Compiled `guide`, from the cache or compiled now."""
    return strict_kernel(guide, SIGNATURE, "the guidance law", 4)


def guided_velocity(
    law: Array,
    state: LyapunovState,
    error: Vector4,
    rate: Vector4,
    now: Estimate,
    period: float,
    remaining: Vector4 = ZERO4,
) -> tuple[LyapunovState, Vector4]:
    """State and velocity of `lyapunov_velocity`, with a law from `law_row`.

    Error and rate are position and heading minus target, and velocity of the target, in N; `remaining` is the part of
    the error along the leg.
    """
    given = np.array((*state.integral, *state.integrates, *error, *rate, *now.q_NB, *now.twist, *remaining))
    out = np.empty(SIZE)
    guidance_kernel()(law, given, period, out)
    a, b, c, d, e, f, g, u, v, w, r = out.tolist()
    return LyapunovState((a, b, c, d), (e, f, g)), (u, v, w, r)


# Proctor 2014, Table 6.1.
FALCON_PROPORTIONAL: Vector4 = (0.375, 0.375, 0.375, 0.375)  # 1/s
FALCON_INTEGRAL: Vector4 = (0.001, 0.001, 0.001, 0.001)  # 1/s2
FALCON_SPEEDS: Vector4 = (0.4, 0.2, 0.1, 0.2)  # m/s and rad/s
INTEGRAL_SHARE = 0.75  # of the largest speed
FALCON_UPPER: Vector4 = (3.0, 3.0, 3.0, 0.52)  # m and rad
FALCON_LOWER: Vector4 = (2.0, 2.0, 2.0, 0.35)  # m and rad
TILT_SINE = math.sin(math.radians(10.0))
APPROACH_RATE = 0.5  # 1/s, largest speed towards a zone per distance from its edge
SHIFT_SHARE = 0.1  # of a new position of the pipeline in its mean, per sample
DEFLECTED = 1e-3  # m/s, change of a velocity by zones
PASSES = 3  # over all zones, until a velocity enters none of them


def lyapunov_law(
    proportional: Vector4 = FALCON_PROPORTIONAL,
    integral: Vector4 = FALCON_INTEGRAL,
    max_speeds: Vector4 = FALCON_SPEEDS,
    max_integral: Vector4 | None = None,
    upper: Vector4 = FALCON_UPPER,
    lower: Vector4 = FALCON_LOWER,
    heave: int = DIRECT,
    largest_down: float = math.inf,
    limits: int = DIRECTED,
) -> LyapunovLaw:
    """Gains and limits of the guidance law; the defaults are those of Proctor 2014, Table 6.1.

    Parameters
    ----------
    proportional, integral
        Gains, 1/s and 1/s2.
    max_speeds
        m/s and rad/s.
    max_integral
        Largest integral term, m/s and rad/s; default three quarters of the speeds.
    upper, lower
        Thresholds of P and PI mode, m and rad.
    heave
        ROTATED, DIRECT or PITCH_AWARE.
    largest_down
        Largest down error that turns into surge and sway of a tilted vehicle, m.
    limits
        DIRECTED, or AXIS_BY_AXIS as printed: then there are no legs either.
    """
    u, v, w, r = max_speeds
    if max_integral is None:
        max_integral = (INTEGRAL_SHARE * u, INTEGRAL_SHARE * v, INTEGRAL_SHARE * w, INTEGRAL_SHARE * r)
    lowest = (-u, -v, -w, -r)
    bounds = (lowest, max_speeds, max_integral, upper, lower)
    return LyapunovLaw(proportional, integral, *bounds, heave, TILT_SINE, largest_down, limits)


class VelocityGuidanceState(NamedTuple):
    """State of the guidance."""

    time_ns: int
    law: LyapunovState
    mission: MissionState
    p_N: Vector3 = ZERO3  # m, latest position


@final
@dataclass(frozen=True)
class VelocityGuidance:
    """Body velocities towards each target of a mission in turn; at its end the last target is held."""

    targets: tuple[MissionTarget, ...]
    law: LyapunovLaw
    period: float = 0.05  # s
    zones: tuple[Zone, ...] = ()
    approach_rate: float = APPROACH_RATE  # 1/s
    avoidance: Avoidance | None = None

    @cached_property
    def _law_row(self) -> Array:
        return law_row(self.law)

    def begun(self, time_ns: int, estimate: Estimate) -> VelocityGuidanceState:
        """State at the start of the mission, at the pose of an estimate."""
        home = TargetPose(estimate.p_NB, to_euler_zyx(estimate.q_NB)[2])
        return VelocityGuidanceState(time_ns, LyapunovState(), MissionState(home, home, 0, time_ns))

    def step(
        self, state: VelocityGuidanceState, time_ns: int, now: Estimate, sounding: Sounding = NO_SOUNDING
    ) -> tuple[VelocityGuidanceState, VelocityReference]:
        """One sample; the sounding holds altitude, pipeline and obstacles from ranging sensors."""
        # Progress first: what is sounded belongs to the target that begins.
        mission = self._sounded(self._advanced(state.mission, time_ns), time_ns, now, sounding)
        pose = self.target_pose(mission, time_ns)
        error = self.error(pose, now)
        rate: Vector4 = ZERO4
        if mission.target < len(self.targets):
            target = self.targets[mission.target]
            rate = (*target.velocity, 0.0)
            inside = is_inside(target, error, now.twist)
            since = mission.inside_ns if mission.inside_ns is not None else time_ns
            mission = mission._replace(inside_ns=since if inside else None)
        start = self._leg_start(mission, pose)
        way = ZERO4 if start is None else remaining(start, pose.p_N, now.p_NB)
        law, asked = guided_velocity(self._law_row, state.law, error, rate, now, self.period, way)
        velocity = self.kept_out(asked, now, mission.obstacles, pose.p_N)
        is_deflected = math.dist(asked, velocity) > DEFLECTED  # around a zone; the vehicle leaves its leg on purpose
        leg = NO_LEG if start is None or is_deflected else leg_at(start, pose.p_N, now.p_NB)
        index = min(mission.target, len(self.targets) - 1)
        return (
            VelocityGuidanceState(time_ns, law, mission, now.p_NB),
            VelocityReference(velocity, pose.p_N, pose.heading, index, leg),
        )

    def _leg_start(self, mission: MissionState, pose: TargetPose) -> Vector3 | None:
        """Start of the leg to the pose of the present target; None where there is no leg."""
        if self.law.limits != DIRECTED or mission.target >= len(self.targets):
            return None
        return leg_start(self.targets[mission.target], mission, pose.p_N)

    def lost_target(self, state: VelocityGuidanceState) -> str:
        """Text while the pipeline or the bed that it follows is not seen; empty otherwise."""
        mission = state.mission
        if mission.target >= len(self.targets):
            return ""
        target, lost = self.targets[mission.target], list[str]()
        if target.pipe_from is not None and not _is_recent(mission.pipe_ns, state.time_ns):
            lost.append("no pipeline in the profile of its fan; it follows the chart")
        if target.altitude is not None and not _is_recent(mission.altitude_ns, state.time_ns):
            lost.append("no altitude; it keeps its last depth")
        return ", and ".join(lost)

    def zone_text(self, state: VelocityGuidanceState) -> str:
        """Text: a keep-out zone or an obstacle between vehicle and target; empty where there is none."""
        target = self.target_pose(state.mission, state.time_ns).p_N
        known = [f"keep-out zone {number}" for number in range(1, len(self.zones) + 1)]
        known += ["an obstacle"] * len(state.mission.obstacles)
        for name, zone in zip(known, self.zones + state.mission.obstacles, strict=True):
            if _is_between(zone, state.p_N, target):
                return f", with {name} in the way,"
        return ""

    def charging_power(self, state: VelocityGuidanceState) -> float:
        """Power that a station gives while the vehicle recharges within the tolerances of its target, W."""
        mission = state.mission
        is_there = mission.target < len(self.targets) and mission.inside_ns is not None
        return self.targets[mission.target].charging_power if is_there else 0.0

    def pipeline_error(self, state: VelocityGuidanceState) -> float | None:
        """Horizontal distance of the vehicle from the pipeline that it follows, m; None where there is none."""
        mission = state.mission
        if mission.target >= len(self.targets) or self.targets[mission.target].pipe_from is None:
            return None
        return abs(charted_offset(self.targets[mission.target], state.p_N) - mission.shift)

    def target_pose(self, mission: MissionState, time_ns: int) -> TargetPose:
        """Pose of the present target; at the end that of the last one."""
        if mission.target >= len(self.targets):
            # After the last target it is the pose from which the next one would begin.
            return mission.begun
        return resolved(self.targets[mission.target], mission, (time_ns - mission.begun_ns) / SECOND)

    @staticmethod
    def error(pose: TargetPose, now: Estimate) -> Vector4:
        """North, east, down and heading minus those of a pose, m and rad; the heading is wrapped."""
        p, to = now.p_NB, pose.p_N
        turn = math.remainder(to_euler_zyx(now.q_NB)[2] - pose.heading, math.tau)
        return (p[0] - to[0], p[1] - to[1], p[2] - to[2], turn)

    def _advanced(self, mission: MissionState, time_ns: int) -> MissionState:
        """Progress on the next target, once the dwell time at the present one is over."""
        if mission.target >= len(self.targets) or mission.inside_ns is None:
            return mission
        target = self.targets[mission.target]
        if time_ns - mission.inside_ns < target.dwell * SECOND:
            return mission
        pose = self.target_pose(mission, time_ns)
        # The pose as reached, so that a target that moved or followed the bed begins the next leg where it was.
        after = MissionState(mission.home, pose, mission.target + 1, time_ns, obstacles=mission.obstacles)
        if after.target == len(self.targets) or self.targets[after.target].entry != target.entry:
            return after
        # Along the legs of one behaviour, depth and pipeline go on; without them each corner would begin unseen.
        return after._replace(
            depth=mission.depth, altitude_ns=mission.altitude_ns, shift=mission.shift, pipe_ns=mission.pipe_ns
        )

    def _sounded(self, mission: MissionState, time_ns: int, now: Estimate, sounding: Sounding) -> MissionState:
        """Progress with obstacles, the depth that gives the altitude of the target, and the measured pipeline."""
        if self.avoidance is not None:
            known = self.avoidance.remembered(mission.obstacles, sounding.obstacles_N, now.p_NB)
            mission = mission._replace(obstacles=known)
        if mission.target >= len(self.targets):
            return mission
        target = self.targets[mission.target]
        if target.altitude is not None and sounding.altitude is not None:
            mission = mission._replace(depth=now.p_NB[2] + sounding.altitude - target.altitude, altitude_ns=time_ns)
        if target.pipe_from is not None and sounding.pipe_N is not None:
            found = charted_offset(target, sounding.pipe_N)
            # The first sight is taken whole: from zero the mean would need many samples.
            share = SHIFT_SHARE if mission.pipe_ns is not None else 1.0
            mission = mission._replace(shift=mission.shift + share * (found - mission.shift), pipe_ns=time_ns)
        return mission

    def kept_out(
        self, velocity: Vector4, now: Estimate, obstacles: tuple[Zone, ...] = (), towards: Vector3 | None = None
    ) -> Vector4:
        """The velocity that enters no keep-out zone and approaches no obstacle, within the speed limits.

        Obstacles are zones besides those of the scenario. Near a zone the velocity points `towards` the target in N, so
        that the limits of single axes do not turn it back to the middle of the zone.
        """
        zones = self.zones + obstacles
        if not zones:
            return velocity
        v: Vector3 = position_rate(now.q_NB, (velocity[0], velocity[1], velocity[2]))
        if towards is not None and any(held_off(zone, now.p_NB, v, self.approach_rate)[1] > 0.0 for zone in zones):
            v = _directed(v, subtract3(towards, now.p_NB))
        # Around each first. What leads around one zone may lead into another, hence the passes that only hold off.
        for zone in zones:
            v = passed_by(zone, now.p_NB, v, self.approach_rate)
        for _ in range(PASSES):
            for zone in zones:
                v, _ = held_off(zone, now.p_NB, v, self.approach_rate)
        u, sway, w = to_body(now.q_NB, scale3(self._share(v, now, zones), v))
        return clipped4((u, sway, w, velocity[3]), self.law.lowest, self.law.highest)

    def _share(self, velocity_N: Vector3, now: Estimate, zones: tuple[Zone, ...]) -> float:
        """Share of a velocity in N, m/s, that is within the limits of all axes and enters no zone.

        A smaller velocity in the same direction enters none either. That matters between zones that overlap, where
        velocities along their edges lead into each other.
        """
        limits = zip(to_body(now.q_NB, velocity_N), self.law.lowest, self.law.highest, strict=False)
        shares = [(low if speed < 0.0 else high) / speed for speed, low, high in limits if speed]
        for zone in zones:
            distance, away = zone_distance(zone, now.p_NB)
            towards = -dot3(away, velocity_N)
            if towards > 0.0:
                shares.append(max(self.approach_rate * distance, 0.0) / towards)
        return min((1.0, *shares))


def remaining(start: Vector3, end: Vector3, p_N: Vector3) -> Vector4:
    """Part along a leg of the position minus the end of the leg, m in N; zero from its end on."""
    way = subtract3(end, start)
    share = min(dot3(subtract3(p_N, end), way) / dot3(way, way), 0.0)
    return (*scale3(share, way), 0.0)


def _is_recent(seen_ns: int | None, time_ns: int) -> bool:
    """Whether something was seen within the last second."""
    return seen_ns is not None and time_ns - seen_ns < SECOND


def _is_between(zone: Zone, p_N: Vector3, target: Vector3) -> bool:
    """Whether the straight way from a position to a target, m in N, leads through a zone."""
    way = subtract3(target, p_N)
    way = (way[0], way[1], zone.vertical * way[2])
    off = subtract3(zone.center, p_N)
    off = (off[0], off[1], zone.vertical * off[2])
    share = min(max(dot3(off, way) / max(dot3(way, way), 1e-12), 0.0), 1.0)
    return math.dist(off, scale3(share, way)) < zone.radius


def _directed(velocity: Vector3, way: Vector3) -> Vector3:
    """The velocity with its horizontal part along a way."""
    speed, length = math.hypot(velocity[0], velocity[1]), math.hypot(way[0], way[1])
    if length == 0.0:
        return velocity
    return (speed * way[0] / length, speed * way[1] / length, velocity[2])
