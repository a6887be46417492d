"""Ray casting: distance along a ray to planes, cylinders, spheres, triangles and tunnel walls.

A ray is a point and a direction. Distances are in lengths of the direction, so metres for a unit vector. A ray without
a hit gives `NO_HIT`, which is infinite; a hit lies at zero or ahead. Surfaces are hit from both sides. A NaN in the ray
gives a NaN. `start` and `rate` are a coordinate at the start of a ray and its change per unit of distance.
"""

from remora.equations.algebra.elementary import maximum, minimum, select, sqrt
from remora.equations.algebra.vectors import cross, dot3, subtract3
from remora.equations.types import Direction, Vector3

NO_HIT = float("inf")
# Pieces of a section overlap by so much where they join, so that rounding lets no ray slip through; metres.
JOINT = 1e-9


def nearer(first: float, second: float) -> float:
    """The smaller of two distances; a NaN in the first is kept."""
    return minimum(first, second)


def ahead(distance: float) -> float:
    """The distance where it is not behind the start of the ray, else NO_HIT."""
    return select(distance < 0.0, NO_HIT, distance)


def within(distance: float, coordinate: float, lowest: float, highest: float) -> float:
    """The distance where the coordinate of the hit lies in a range, else NO_HIT."""
    return select(coordinate < lowest, NO_HIT, select(coordinate > highest, NO_HIT, distance))


def level_distance(start: float, rate: float, level: float) -> float:
    """Distance at which a coordinate reaches a level, or NO_HIT."""
    still = rate == 0.0
    passed = (level - start) / select(still, 1.0, rate)
    return select(still, select(start == start, NO_HIT, start), ahead(passed))  # a NaN differs from itself


def along(start: float, rate: float, distance: float) -> float:
    """A coordinate at a distance along the ray; that of the start for NO_HIT."""
    return start + rate * select(distance == NO_HIT, 0.0, distance)


def plane_distance(origin: Vector3, direction: Vector3, normal: Direction, offset: float) -> float:
    """Distance to the plane of all points with normal . x = offset."""
    return level_distance(dot3(normal, origin), dot3(normal, direction), offset)


def slab_distance(start: float, rate: float, half_width: float) -> float:
    """Distance to the first of two parallel walls.

    The walls are at plus and minus `half_width`.
    """
    return nearer(level_distance(start, rate, half_width), level_distance(start, rate, -half_width))


def quadratic_distances(a: float, b: float, c: float) -> tuple[float, float]:
    """Both distances t at which a t^2 + 2 b t + c = 0, the nearer first; NO_HIT for one behind or missing.

    Written without cancellation for small roots. `a` is not negative.
    """
    discriminant = b * b - a * c
    root = sqrt(maximum(discriminant, 0.0))
    q = -b - select(b > 0.0, root, -root)  # the two terms have one sign
    missing = discriminant < 0.0
    first = select(missing, NO_HIT, level_distance(0.0, a, q))
    second = select(missing, NO_HIT, level_distance(0.0, q, c))
    return (nearer(first, second), maximum(first, second))


def circle_distances(y: float, z: float, y_rate: float, z_rate: float, radius: float) -> tuple[float, float]:
    """Both distances at which a ray in a plane, from (y, z), crosses a circle about the origin."""
    a = y_rate * y_rate + z_rate * z_rate
    b = y * y_rate + z * z_rate
    return quadratic_distances(a, b, y * y + z * z - radius * radius)


def cylinder_distance(origin: Vector3, direction: Vector3, radius: float) -> float:
    """Distance to an infinite cylinder about the x axis, from inside or outside."""
    return circle_distances(origin[1], origin[2], direction[1], direction[2], radius)[0]


def sphere_distance(origin: Vector3, direction: Vector3, center: Vector3, radius: float) -> float:
    """Distance to a sphere, from inside or outside."""
    start = subtract3(origin, center)
    c = dot3(start, start) - radius * radius
    return quadratic_distances(dot3(direction, direction), dot3(start, direction), c)[0]


def triangle_distance(origin: Vector3, direction: Vector3, a: Vector3, b: Vector3, c: Vector3) -> float:
    """Distance to the triangle a, b, c. Moeller and Trumbore 1997."""
    side, other = subtract3(b, a), subtract3(c, a)
    normal = cross(direction, other)
    determinant = dot3(side, normal)
    flat = determinant == 0.0  # the ray runs in the plane of the triangle
    scale = 1.0 / select(flat, 1.0, determinant)
    start = subtract3(origin, a)
    first = scale * dot3(start, normal)
    lifted = cross(start, side)
    second = scale * dot3(direction, lifted)
    distance = ahead(scale * dot3(other, lifted))
    distance = within(within(distance, first, 0.0, 1.0), second, 0.0, 1.0)
    return select(flat, NO_HIT, within(distance, first + second, 0.0, 1.0))


def wall_distance(
    start: float, rate: float, level: float, other: float, other_rate: float, lowest: float, highest: float
) -> float:
    """Distance to a flat wall: one coordinate reaches a level while another lies in a range, widened by `JOINT`.

    The first coordinate has `start` and `rate` and reaches `level`, the other one stays between `lowest` and `highest`.
    """
    t = level_distance(start, rate, level)
    return within(t, along(other, other_rate, t), lowest - JOINT, highest + JOINT)
