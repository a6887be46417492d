"""Keep-out zones: a velocity that enters no zone and passes it on one side.

The distance h to a zone may shrink at no more than rate x h, so that a vehicle that follows the velocity never enters
(Ames et al. 2019, control barrier functions). The speed that this removes is given back along the edge, so that a
vehicle goes around instead of stopping in front of the zone.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import maximum, select, sqrt
from remora.equations.algebra.vectors import add3, dot3, scale3, subtract3
from remora.equations.types import Vector3

SMALLEST_DISTANCE = 1e-9  # m, in divisions
ALONG_SHARE = 1e-3  # a velocity this near to the centre of a zone is passed to starboard of the zone


class Zone(NamedTuple):
    """A sphere, or a column over the whole depth, with its margin."""

    center: Vector3  # m in N
    radius: float  # m
    vertical: float  # 1 for a sphere, 0 for a column


def zone_distance(zone: Zone, p_N: Vector3) -> tuple[float, Vector3]:
    """Distance from the edge of a zone, m, negative inside; and the unit vector away from its centre, in N."""
    away = subtract3(p_N, zone.center)
    away = (away[0], away[1], zone.vertical * away[2])
    size = sqrt(dot3(away, away))
    return size - zone.radius, scale3(1.0 / maximum(size, SMALLEST_DISTANCE), away)


def held_off(zone: Zone, p_N: Vector3, velocity_N: Vector3, rate: float) -> tuple[Vector3, float]:
    """The nearest velocity that does not approach a zone too fast, and the removed speed, m/s.

    `rate` is the largest approach speed per distance from the edge, 1/s.
    """
    distance, away = zone_distance(zone, p_N)
    removed = maximum(-rate * distance - dot3(away, velocity_N), 0.0)
    return add3(velocity_N, scale3(removed, away)), removed


def passed_by(zone: Zone, p_N: Vector3, velocity_N: Vector3, rate: float) -> Vector3:
    """As `held_off`, and the removed speed goes horizontally along the edge, to the side of the desired velocity."""
    kept, removed = held_off(zone, p_N, velocity_N, rate)
    _, away = zone_distance(zone, p_N)
    level = sqrt(away[0] * away[0] + away[1] * away[1])
    aside = (-away[1] / maximum(level, SMALLEST_DISTANCE), away[0] / maximum(level, SMALLEST_DISTANCE), 0.0)
    toward = dot3(velocity_N, aside)
    size = sqrt(dot3(velocity_N, velocity_N))
    side = select(toward < -ALONG_SHARE * size, -1.0, 1.0)
    # A vehicle already inside is pushed out, but not around.
    outward = select(dot3(velocity_N, away) < 0.0, 1.0, 0.0)
    return add3(kept, scale3(side * outward * removed, aside))
