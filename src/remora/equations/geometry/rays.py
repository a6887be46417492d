"""How far a ray runs until it meets a surface.

A ray is a point and a direction. Distances are counted in lengths of the direction, so they are metres when it has unit
length. A ray that meets nothing gives `NO_HIT`, which is infinite; a hit lies at zero or ahead, never behind. Surfaces
are met from both sides. A NaN in the ray gives a NaN.
"""

from remora.equations.algebra.elementary import maximum, minimum, select, sqrt
from remora.equations.algebra.vectors import Vector3, cross, dot3, subtract3

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
    """The distance where the hit's coordinate lies between two limits, else NO_HIT."""
    return select(coordinate < lowest, NO_HIT, select(coordinate > highest, NO_HIT, distance))


def level_distance(start: float, rate: float, level: float) -> float:
    """Where a coordinate that starts here and changes at this rate passes a level; NO_HIT when it never does."""
    still = rate == 0.0
    passed = (level - start) / select(still, 1.0, rate)
    return select(still, select(start == start, NO_HIT, start), ahead(passed))  # a NaN differs from itself


def along(start: float, rate: float, distance: float) -> float:
    """A coordinate at a distance along the ray; where the ray ends nowhere, it is the one at the start."""
    return start + rate * select(distance == NO_HIT, 0.0, distance)


def plane_distance(origin: Vector3, direction: Vector3, normal: Vector3, offset: float) -> float:
    """Distance to the plane of all points with normal . x = offset."""
    return level_distance(dot3(normal, origin), dot3(normal, direction), offset)


def slab_distance(start: float, rate: float, half_width: float) -> float:
    """Distance to the nearer met of two parallel walls, at plus and minus the half width along one coordinate."""
    return nearer(level_distance(start, rate, half_width), level_distance(start, rate, -half_width))


def quadratic_distances(a: float, b: float, c: float) -> tuple[float, float]:
    """Both distances t at which a t^2 + 2 b t + c = 0, the nearer first; NO_HIT for one behind or missing.

    The coefficient a is not negative. Written so that no digits are lost when a root is small.
    """
    discriminant = b * b - a * c
    root = sqrt(maximum(discriminant, 0.0))
    q = -b - select(b > 0.0, root, -root)  # the two terms have one sign
    missing = discriminant < 0.0
    first = select(missing, NO_HIT, level_distance(0.0, a, q))
    second = select(missing, NO_HIT, level_distance(0.0, q, c))
    return (nearer(first, second), maximum(first, second))


def circle_distances(y: float, z: float, y_rate: float, z_rate: float, radius: float) -> tuple[float, float]:
    """Both distances at which a point of a plane, moving straight, crosses a circle about the origin."""
    a = y_rate * y_rate + z_rate * z_rate
    b = y * y_rate + z * z_rate
    return quadratic_distances(a, b, y * y + z * z - radius * radius)


def cylinder_distance(origin: Vector3, direction: Vector3, radius: float) -> float:
    """Distance to an endless cylinder about the x axis, from inside or from outside."""
    return circle_distances(origin[1], origin[2], direction[1], direction[2], radius)[0]


def sphere_distance(origin: Vector3, direction: Vector3, center: Vector3, radius: float) -> float:
    """Distance to a sphere, from inside or from outside."""
    start = subtract3(origin, center)
    c = dot3(start, start) - radius * radius
    return quadratic_distances(dot3(direction, direction), dot3(start, direction), c)[0]


def triangle_distance(origin: Vector3, direction: Vector3, a: Vector3, b: Vector3, c: Vector3) -> float:
    """Distance to a triangle with three corners. Moeller and Trumbore 1997."""
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
    """Distance to a flat wall: one coordinate reaches a level while another lies in a range, widened by `JOINT`."""
    t = level_distance(start, rate, level)
    return within(t, along(other, other_rate, t), lowest - JOINT, highest + JOINT)


def between_ends(distance: float, origin: Vector3, direction: Vector3, length: float) -> float:
    """The distance where the hit lies along x between 0 and a length, else NO_HIT: tunnels have open ends."""
    return within(distance, along(origin[0], direction[0], distance), 0.0, length)


def rectangular_tunnel_distance(
    origin: Vector3, direction: Vector3, half_width: float, half_height: float, length: float
) -> float:
    """Distance to the walls of a tunnel along x from 0 to a length: sides at y = +-w, roof and floor at z = -+h."""
    y, z, y_rate, z_rate = origin[1], origin[2], direction[1], direction[2]
    starboard = wall_distance(y, y_rate, half_width, z, z_rate, -half_height, half_height)
    port = wall_distance(y, y_rate, -half_width, z, z_rate, -half_height, half_height)
    floor = wall_distance(z, z_rate, half_height, y, y_rate, -half_width, half_width)
    roof = wall_distance(z, z_rate, -half_height, y, y_rate, -half_width, half_width)
    sides = nearer(
        between_ends(starboard, origin, direction, length),
        between_ends(port, origin, direction, length),
    )
    flats = nearer(between_ends(floor, origin, direction, length), between_ends(roof, origin, direction, length))
    return nearer(sides, flats)


def round_tunnel_distance(origin: Vector3, direction: Vector3, radius: float, length: float) -> float:
    """Distance to the wall of a round tunnel about the x axis, from 0 to a length."""
    near, far = circle_distances(origin[1], origin[2], direction[1], direction[2], radius)
    return nearer(between_ends(near, origin, direction, length), between_ends(far, origin, direction, length))


def vault_distance(origin: Vector3, direction: Vector3, half_width: float, spring: float, length: float) -> float:
    """Distance to half a circle of this half width over the springing at z = spring, along x from 0 to a length."""
    y, z, y_rate, z_rate = origin[1], origin[2], direction[1], direction[2]
    near, far = circle_distances(y, z - spring, y_rate, z_rate, half_width)
    near = within(near, along(z, z_rate, near), -NO_HIT, spring + JOINT)
    far = within(far, along(z, z_rate, far), -NO_HIT, spring + JOINT)
    return nearer(between_ends(near, origin, direction, length), between_ends(far, origin, direction, length))


def horseshoe_tunnel_distance(
    origin: Vector3, direction: Vector3, half_width: float, half_height: float, length: float
) -> float:
    """Distance to the walls of a tunnel along x whose vault is half a circle on vertical walls, above a flat floor.

    Floor at z = h, top of the vault at z = -h, walls at y = +-w up to the springing at z = w - h. A hit on a piece
    counts only where that piece is: the circle above the springing, the walls below it.
    """
    y, z, y_rate, z_rate = origin[1], origin[2], direction[1], direction[2]
    spring = half_width - half_height
    starboard = wall_distance(y, y_rate, half_width, z, z_rate, spring, half_height)
    port = wall_distance(y, y_rate, -half_width, z, z_rate, spring, half_height)
    floor = wall_distance(z, z_rate, half_height, y, y_rate, -half_width, half_width)
    sides = nearer(
        between_ends(starboard, origin, direction, length),
        between_ends(port, origin, direction, length),
    )
    vault = vault_distance(origin, direction, half_width, spring, length)
    return nearer(nearer(sides, between_ends(floor, origin, direction, length)), vault)


def rectangle_clearance(y: float, z: float, half_width: float, half_height: float) -> float:
    """Distance from a point of a section to its four walls: positive inside, negative outside."""
    aside, beyond = abs(y) - half_width, abs(z) - half_height
    outside = sqrt(maximum(aside, 0.0) * maximum(aside, 0.0) + maximum(beyond, 0.0) * maximum(beyond, 0.0))
    return -(outside + minimum(maximum(aside, beyond), 0.0))


def round_clearance(y: float, z: float, radius: float) -> float:
    """Distance from a point of a round section to its wall: positive inside, negative outside."""
    return radius - sqrt(y * y + z * z)


def horseshoe_clearance(y: float, z: float, half_width: float, half_height: float) -> float:
    """Distance from a point of a horseshoe section to its outline: positive inside, negative outside."""
    spring = half_width - half_height
    aside, beyond = abs(y) - half_width, z - half_height
    outside = sqrt(maximum(aside, 0.0) * maximum(aside, 0.0) + maximum(beyond, 0.0) * maximum(beyond, 0.0))
    below = -(outside + minimum(maximum(aside, beyond), 0.0))
    above = minimum(round_clearance(y, z - spring, half_width), -beyond)
    return select(z > spring, below, above)
