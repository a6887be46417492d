"""Echoes for guidance: positions of obstacles, and a pipeline found in the profile of a downward fan."""

import math
import statistics
from typing import NamedTuple

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.vectors import add3
from remora.equations.guidance.keep_out import Zone
from remora.equations.types import Vector3
from remora.messages.beam_geometry import BeamGeometry
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput

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
