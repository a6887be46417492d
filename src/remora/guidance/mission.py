"""Missions as lists of behaviours: lift off, rotate, transit, survey, set down, return, dock, recharge.

Each behaviour is one target or several. What a target leaves open is taken from the pose at which it begins, so that a
list need not repeat positions. A target is reached when all errors have been within their tolerances for the dwell time
(Proctor 2014, chapter 5). Echoes show obstacles, and a pipeline in the profile of a downward fan.
"""

import math
import statistics
from itertools import pairwise
from typing import NamedTuple

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.vectors import ZERO3, add3
from remora.equations.guidance.keep_out import Zone
from remora.equations.types import Vector3, Vector4
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput
from remora.messages.truth import BeamGeometry

TARGET_TOLERANCE, TARGET_HEADING_TOLERANCE = 0.3, math.radians(10.0)  # m, rad
DOCK_TOLERANCE, DOCK_HEADING_TOLERANCE = 0.1, math.radians(5.0)  # m, rad
DOCK_DWELL = 3.0  # s at rest
REST_SPEED, REST_RATE = 0.05, math.radians(2.0)  # m/s and rad/s; slower counts as at rest


class MissionTarget(NamedTuple):
    """A target of a mission; None is taken from the pose at which it begins."""

    behaviour: str
    entry: int  # index in the list of the user
    north_east: tuple[float, float] | None = None  # m
    depth: float | None = None  # m
    rise: float = 0.0  # m, above the depth at which it begins
    altitude: float | None = None  # m above the bed, measured; replaces the depth
    heading: float | None = None  # rad
    is_along: bool = False  # whether the heading is the course to the target
    velocity: Vector3 = ZERO3  # m/s in N, of a moving target, from its beginning on
    is_return: bool = False  # whether the target is the pose at the start of the mission
    tolerance: float = TARGET_TOLERANCE  # m
    heading_tolerance: float = TARGET_HEADING_TOLERANCE  # rad
    dwell: float = 0.0  # s
    at_rest: bool = False  # whether the vehicle must be at rest
    pipe_from: tuple[float, float] | None = None  # m, charted start of the pipeline that leads to it
    charging_power: float = 0.0  # W, from the station while the vehicle is there
    push: Vector4 | None = None  # N and N m, forces in place of a pose
    lasts: float = 0.0  # s, of a push


class TargetPose(NamedTuple):
    """A position and a heading."""

    p_N: Vector3  # m
    heading: float  # rad


class MissionState(NamedTuple):
    """Progress of a mission."""

    home: TargetPose  # where it began
    begun: TargetPose  # target of the previous behaviour, or the home
    target: int  # index of the present target; the number of targets at the end
    begun_ns: int  # when the present target began
    inside_ns: int | None = None  # since when the errors have been within the tolerances
    depth: float = math.nan  # m, latest depth by altitude; NaN without
    altitude_ns: int | None = None  # when the altitude was measured last; None: not for this target
    shift: float = 0.0  # m to starboard, of the pipeline from where it is charted
    pipe_ns: int | None = None  # when the pipeline was seen last; None: not on this leg
    obstacles: tuple[Zone, ...] = ()  # remembered echoes


def resolved(target: MissionTarget, state: MissionState, elapsed: float) -> TargetPose:
    """Pose of a target, a time in seconds after it began; the state has the pose at which it began."""
    begun = state.home if target.is_return else state.begun
    north, east = begun.p_N[:2] if target.north_east is None else target.north_east
    if target.pipe_from is not None:
        across = starboard_of(target)
        north, east = north + state.shift * across[0], east + state.shift * across[1]
    down = (begun.p_N[2] if target.depth is None else target.depth) - target.rise
    if target.altitude is not None and math.isfinite(state.depth):
        down = state.depth
    heading = begun.heading if target.heading is None else target.heading
    way = (north - state.begun.p_N[0], east - state.begun.p_N[1])
    if target.pipe_from is not None:
        heading = charted_course(target)
    elif target.is_along and math.hypot(*way) > target.tolerance:
        heading = math.atan2(way[1], way[0])
    v = target.velocity
    return TargetPose((north + v[0] * elapsed, east + v[1] * elapsed, down + v[2] * elapsed), heading)


def leg_start(target: MissionTarget, state: MissionState, end: Vector3) -> Vector3 | None:
    """Start of the straight leg to the end of a target, m in N; None where the way is shorter than the tolerance.

    The leg along a pipeline begins where the pipeline does, others where the target before was. With an altitude to
    keep a leg has no slope: the bed gives the depth. A target that moves is approached on no leg.
    """
    if any(target.velocity):
        return None
    north, east, down = state.begun.p_N
    if target.pipe_from is not None:
        across = starboard_of(target)
        north, east = (a + state.shift * b for a, b in zip(target.pipe_from, across, strict=True))
    start = (north, east, end[2] if target.altitude is not None else down)
    return start if math.dist(start, end) > target.tolerance else None


def charted_course(target: MissionTarget) -> float:
    """Course of the charted pipeline that leads to a target, rad."""
    assert target.pipe_from is not None
    assert target.north_east is not None
    return math.atan2(target.north_east[1] - target.pipe_from[1], target.north_east[0] - target.pipe_from[0])


def starboard_of(target: MissionTarget) -> tuple[float, float]:
    """Unit vector to starboard of the charted pipeline that leads to a target, north and east."""
    course = charted_course(target)
    return -math.sin(course), math.cos(course)


def charted_offset(target: MissionTarget, p_N: Vector3) -> float:
    """Horizontal distance of a position to starboard of the charted pipeline, m."""
    assert target.pipe_from is not None
    north, east = starboard_of(target)
    return north * (p_N[0] - target.pipe_from[0]) + east * (p_N[1] - target.pipe_from[1])


def is_inside(target: MissionTarget, error: tuple[float, float, float, float], twist: tuple[float, ...]) -> bool:
    """Whether the errors, and where it must rest the speeds, are within the tolerances.

    The error is north, east, down and heading minus those of the target, m and rad.
    """
    rests = math.hypot(*twist[:3]) < REST_SPEED and abs(twist[5]) < REST_RATE
    inside = math.hypot(*error[:3]) <= target.tolerance and abs(error[3]) <= target.heading_tolerance
    return inside and (rests or not target.at_rest)


def pipeline_targets(points: tuple[Vector3, ...], entry: int) -> tuple[MissionTarget, ...]:
    """The start of a charted pipeline, then the end of each of its legs, m in N; depths are vehicle depths.

    The entry is the index of the behaviour in the list of the user.
    """
    first = MissionTarget("pipeline", entry, points[0][:2], points[0][2], is_along=True)
    legs = (first._replace(north_east=end[:2], depth=end[2], pipe_from=start[:2]) for start, end in pairwise(points))
    return (first, *legs)


def survey_targets(
    corner: Vector3, heading: float, length: float, spacing: float, lines: int, entry: int
) -> tuple[MissionTarget, ...]:
    """Parallel lines to and fro, the next one to starboard of the first: the ends of each line in turn.

    The first line begins at the corner, m in N, along the heading. The entry is the index of the behaviour in the list
    of the user.
    """
    c, s = math.cos(heading), math.sin(heading)
    ends = []
    for k in range(lines):
        for along in (0.0, length) if k % 2 == 0 else (length, 0.0):
            aside = k * spacing
            place = (corner[0] + c * along - s * aside, corner[1] + s * along + c * aside)
            ends.append(MissionTarget("survey", entry, place, corner[2], is_along=True))
    return tuple(ends)


LARGEST_AGE_NS = 1_000_000_000  # of a reading
MOST_ZONES = 40  # remembered echoes
FEWEST_ECHOES = 8  # of a profile, to find a pipeline in it
SAME_PIPE = 0.5  # of the height of the highest echo above the bed; lower echoes are not the pipeline


class Sounding(NamedTuple):
    """What ranging sensors found at one sample."""

    altitude: float | None = None  # m above the bed
    pipe_N: Vector3 | None = None  # m, point on the top of the pipeline
    obstacles_N: tuple[Vector3, ...] = ()  # m, echoes of obstacles


NO_SOUNDING = Sounding()


class RangingSensor(NamedTuple):
    """A sensor with one range per beam."""

    name: str
    geometry: BeamGeometry

    def echoes_N(self, now: PartInput, estimate: Estimate, farthest: float = math.inf) -> list[Vector3]:
        """Positions of the echoes of the last second, no farther than this from the sensor, in N, m."""
        reading = now.readings.get(self.name)
        if reading is None or now.time_ns - reading.stamp_ns > LARGEST_AGE_NS:
            return []
        ranges = tuple(one if one <= farthest else math.nan for one in reading.values)
        return [
            add3(estimate.p_NB, position_rate(estimate.q_NB, point_B)) for point_B in self.geometry.points_B(ranges)
        ]


class PipeFinder(NamedTuple):
    """Finds a pipeline in the profile of a fan that looks down."""

    sensor: RangingSensor
    height: float  # m, least height of the pipeline above the bed

    def found(self, now: PartInput, estimate: Estimate) -> Vector3 | None:
        """Middle of the echoes that stand out of the bed, m in N; None without a pipeline in the profile."""
        echoes = self.sensor.echoes_N(now, estimate)
        if len(echoes) < FEWEST_ECHOES:
            return None
        bed = statistics.median(echo[2] for echo in echoes)
        highest = bed - min(echo[2] for echo in echoes)
        if highest < self.height:
            return None
        pipe = [echo for echo in echoes if bed - echo[2] > SAME_PIPE * highest]
        north, east, down = (statistics.fmean(echo[k] for echo in pipe) for k in range(3))
        return (north, east, down)


class Avoidance(NamedTuple):
    """Obstacle avoidance by ranging sensors: every echo becomes a keep-out column, which is remembered."""

    sensors: tuple[RangingSensor, ...]
    clearance: float  # m, radius of the column around an echo
    farthest: float  # m; echoes from farther away are not obstacles

    def echoes(self, now: PartInput, estimate: Estimate) -> tuple[Vector3, ...]:
        """Echoes of all sensors in N, m."""
        return tuple(echo for one in self.sensors for echo in one.echoes_N(now, estimate, self.farthest))

    def remembered(self, zones: tuple[Zone, ...], echoes: tuple[Vector3, ...], p_N: Vector3) -> tuple[Zone, ...]:
        """The zones with those of new echoes, m in N; the oldest and those far behind the vehicle are forgotten."""
        kept = [zone for zone in zones if math.dist(zone.center[:2], p_N[:2]) < 2.0 * self.farthest]
        for echo in echoes:
            if all(math.dist(zone.center[:2], echo[:2]) > 0.5 * self.clearance for zone in kept):
                kept.append(Zone(echo, self.clearance, 0.0))
        return tuple(kept[-MOST_ZONES:])
