"""Convex solids: distance along a ray, and nearest surface of a point.

A ray is inside a convex solid over one interval of distances; the first end of that interval ahead of the start is the
hit. A nearest surface is a signed distance, positive outside, with the outward unit normal.
`start` and `rate` are a coordinate at the start of a ray and its change per unit of distance.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import TINY, both, maximum, minimum, select, sqrt
from remora.equations.algebra.vectors import add3, cross, dot3, scale3, subtract3
from remora.equations.geometry.rays import NO_HIT
from remora.equations.types import Vector3

_NEEDLE = 1e-14  # square of the sine of the smallest angle at which two sides still span a plane


class Interval(NamedTuple):
    """Interval of distances along a ray; empty when it ends before it begins."""

    enter: float
    leave: float


class Nearest(NamedTuple):
    """The nearest surface of a point."""

    distance: float  # m, negative inside the solid
    normal: Vector3  # unit vector out of the solid


def slab_interval(start: float, rate: float, lowest: float, highest: float) -> Interval:
    """Distances at which a coordinate lies in a range."""
    still = rate == 0.0
    scale = select(still, 1.0, rate)
    first, second = (lowest - start) / scale, (highest - start) / scale
    within = both(start >= lowest, start <= highest)
    return Interval(
        select(still, select(within, -NO_HIT, NO_HIT), minimum(first, second)),
        select(still, select(within, NO_HIT, -NO_HIT), maximum(first, second)),
    )


def quadratic_interval(a: float, b: float, c: float) -> Interval:
    """Distances at which a t^2 + 2 b t + c <= 0; without cancellation for small roots.

    `a` is not negative.
    """
    still = a == 0.0
    discriminant = b * b - a * c
    root = sqrt(maximum(discriminant, 0.0))
    q = -b - select(b > 0.0, root, -root)
    first = q / select(still, 1.0, a)
    second = select(q == 0.0, first, c / select(q == 0.0, 1.0, q))
    missed = discriminant < 0.0
    inside = c <= 0.0
    return Interval(
        select(still, select(inside, -NO_HIT, NO_HIT), select(missed, NO_HIT, minimum(first, second))),
        select(still, select(inside, NO_HIT, -NO_HIT), select(missed, -NO_HIT, maximum(first, second))),
    )


def overlap(first: Interval, second: Interval) -> Interval:
    """Intersection of two intervals."""
    return Interval(maximum(first.enter, second.enter), minimum(first.leave, second.leave))


def first_end(interval: Interval) -> float:
    """The first end of the interval ahead of the start, or NO_HIT."""
    ahead = select(interval.enter < 0.0, interval.leave, interval.enter)
    gone = select(interval.leave < 0.0, True, interval.enter > interval.leave)
    return select(gone, NO_HIT, ahead)


def box_distance(origin: Vector3, direction: Vector3, half: Vector3) -> float:
    """Distance along a ray to a box centred at the origin.

    `half` is half the edge lengths.
    """
    x = slab_interval(origin[0], direction[0], -half[0], half[0])
    y = slab_interval(origin[1], direction[1], -half[1], half[1])
    z = slab_interval(origin[2], direction[2], -half[2], half[2])
    return first_end(overlap(overlap(x, y), z))


def rod_distance(origin: Vector3, direction: Vector3, radius: float, length: float) -> float:
    """Distance along a ray to a cylinder about the x axis with flat ends at 0 and `length`."""
    y, z, dy, dz = origin[1], origin[2], direction[1], direction[2]
    side = quadratic_interval(dy * dy + dz * dz, y * dy + z * dz, y * y + z * z - radius * radius)
    return first_end(overlap(side, slab_interval(origin[0], direction[0], 0.0, length)))


def ball_distance(origin: Vector3, direction: Vector3, radius: float) -> float:
    """Distance along a ray to a sphere about the origin."""
    c = dot3(origin, origin) - radius * radius
    return first_end(quadratic_interval(dot3(direction, direction), dot3(origin, direction), c))


def box_nearest(point: Vector3, half: Vector3) -> Nearest:
    """Nearest surface of a box; inside it is the nearest face."""
    x, y, z = abs(point[0]) - half[0], abs(point[1]) - half[1], abs(point[2]) - half[2]
    sx, sy, sz = _sign(point[0]), _sign(point[1]), _sign(point[2])
    a, b, c = maximum(x, 0.0), maximum(y, 0.0), maximum(z, 0.0)
    outside = sqrt(a * a + b * b + c * c)
    depth = maximum(maximum(x, y), z)
    is_x = both(x >= y, x >= z)
    is_y = both(y > x, y >= z)
    face = (select(is_x, 1.0, 0.0), select(is_y, 1.0, 0.0), select(is_x, 0.0, select(is_y, 0.0, 1.0)))
    is_out = outside > 0.0
    scale = 1.0 / select(is_out, outside, 1.0)
    normal = (
        sx * select(is_out, a * scale, face[0]),
        sy * select(is_out, b * scale, face[1]),
        sz * select(is_out, c * scale, face[2]),
    )
    return Nearest(select(is_out, outside, depth), normal)


def rod_nearest(point: Vector3, radius: float, length: float) -> Nearest:
    """Nearest surface of a cylinder about the x axis with flat ends at 0 and `length`."""
    middle = 0.5 * length
    from_axis = sqrt(point[1] * point[1] + point[2] * point[2])
    # In the half plane through the axis and the point, the cylinder is a box.
    distance, flat = box_nearest((point[0] - middle, from_axis, 0.0), (middle, radius, NO_HIT))
    on_axis = from_axis == 0.0
    scale = 1.0 / select(on_axis, 1.0, from_axis)
    across = (select(on_axis, 1.0, point[1] * scale), select(on_axis, 0.0, point[2] * scale))
    return Nearest(distance, (flat[0], flat[1] * across[0], flat[1] * across[1]))


def ball_nearest(point: Vector3, radius: float) -> Nearest:
    """Nearest surface of a sphere about the origin; at its centre the normal is arbitrary."""
    length = sqrt(dot3(point, point))
    at_center = length == 0.0
    scale = 1.0 / select(at_center, 1.0, length)
    normal = (point[0] * scale, point[1] * scale, select(at_center, -1.0, point[2] * scale))
    return Nearest(length - radius, normal)


def _sign(x: float) -> float:
    """Minus one for negative numbers, else one."""
    sign: float = select(x < 0.0, -1.0, 1.0)
    return sign


def segment_point(point: Vector3, a: Vector3, b: Vector3) -> Vector3:
    """The point of the line segment from a to b nearest to a point, m."""
    along = subtract3(b, a)
    share = dot3(subtract3(point, a), along) / maximum(dot3(along, along), TINY)
    return add3(a, scale3(minimum(maximum(share, 0.0), 1.0), along))


def triangle_point(point: Vector3, a: Vector3, b: Vector3, c: Vector3) -> Vector3:
    """The point of the triangle a, b, c nearest to a point, m: its projection on the plane, or a point of the edges."""
    side, other = subtract3(b, a), subtract3(c, a)
    normal = cross(side, other)
    square = maximum(dot3(normal, normal), TINY)
    # A needle has no plane to stand on, but its sides are all there is of it.
    wide = dot3(normal, normal) > _NEEDLE * dot3(side, side) * dot3(other, other)
    foot = subtract3(point, scale3(dot3(subtract3(point, a), normal) / square, normal))
    first = dot3(cross(subtract3(b, a), subtract3(foot, a)), normal)
    second = dot3(cross(subtract3(c, b), subtract3(foot, b)), normal)
    third = dot3(cross(subtract3(a, c), subtract3(foot, c)), normal)
    inside = both(wide, minimum(minimum(first, second), third) >= 0.0)
    edge = _nearer_point(point, segment_point(point, a, b), segment_point(point, b, c))
    edge = _nearer_point(point, edge, segment_point(point, c, a))
    return (
        select(inside, foot[0], edge[0]),
        select(inside, foot[1], edge[1]),
        select(inside, foot[2], edge[2]),
    )


def cell_height(a: float, b: float, corners: tuple[float, float, float, float]) -> float:
    """Height in a unit cell of two triangles, cut along the diagonal from (0, 0) to (1, 1).

    `a` and `b` are from 0 to 1; the corners are at (0, 0), (1, 0), (0, 1) and (1, 1).
    """
    first, ahead, aside, far = corners
    height: float = select(
        a >= b,
        first + a * (ahead - first) + b * (far - ahead),
        first + b * (aside - first) + a * (far - aside),
    )
    return height


def _nearer_point(point: Vector3, first: Vector3, second: Vector3) -> Vector3:
    """Of two points the one nearer to a third."""
    one, other = subtract3(first, point), subtract3(second, point)
    nearer = dot3(one, one) <= dot3(other, other)
    return (
        select(nearer, first[0], second[0]),
        select(nearer, first[1], second[1]),
        select(nearer, first[2], second[2]),
    )
