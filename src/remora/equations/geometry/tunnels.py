"""Tunnels: distance along a ray to their walls, and clearance of a point of a section."""

from remora.equations.algebra.elementary import maximum, minimum, select, sqrt
from remora.equations.geometry.rays import JOINT, NO_HIT, along, circle_distances, nearer, wall_distance, within
from remora.equations.types import Vector3


def between_ends(distance: float, origin: Vector3, direction: Vector3, length: float) -> float:
    """The distance where the hit lies between the open ends of a tunnel, else NO_HIT."""
    return within(distance, along(origin[0], direction[0], distance), 0.0, length)


def rectangular_tunnel_distance(
    origin: Vector3, direction: Vector3, half_width: float, half_height: float, length: float
) -> float:
    """Distance to the walls of a rectangular tunnel along x: sides at y = +-w, roof and floor at z = -+h."""
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
    """Distance to the wall of a round tunnel about the x axis."""
    near, far = circle_distances(origin[1], origin[2], direction[1], direction[2], radius)
    return nearer(between_ends(near, origin, direction, length), between_ends(far, origin, direction, length))


def vault_distance(origin: Vector3, direction: Vector3, half_width: float, spring: float, length: float) -> float:
    """Distance to a semicircular vault along x above the springing.

    `half_width` is the radius of the vault, `spring` the z of the springing.
    """
    y, z, y_rate, z_rate = origin[1], origin[2], direction[1], direction[2]
    near, far = circle_distances(y, z - spring, y_rate, z_rate, half_width)
    near = within(near, along(z, z_rate, near), -NO_HIT, spring + JOINT)
    far = within(far, along(z, z_rate, far), -NO_HIT, spring + JOINT)
    return nearer(between_ends(near, origin, direction, length), between_ends(far, origin, direction, length))


def horseshoe_tunnel_distance(
    origin: Vector3, direction: Vector3, half_width: float, half_height: float, length: float
) -> float:
    """Distance to the walls of a horseshoe tunnel along x: a semicircular vault on vertical walls, and a flat floor.

    Floor at z = h, top of the vault at z = -h, walls at y = +-w up to the springing at z = w - h. A hit counts only on
    the part that exists there: the circle above the springing, the walls below it.
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
    """Distance from the point (y, z) of a rectangular section to its walls, m: positive inside, negative outside."""
    aside, beyond = abs(y) - half_width, abs(z) - half_height
    outside = sqrt(maximum(aside, 0.0) * maximum(aside, 0.0) + maximum(beyond, 0.0) * maximum(beyond, 0.0))
    return -(outside + minimum(maximum(aside, beyond), 0.0))


def round_clearance(y: float, z: float, radius: float) -> float:
    """Distance from the point (y, z) of a round section to its wall, m: positive inside, negative outside."""
    return radius - sqrt(y * y + z * z)


def horseshoe_clearance(y: float, z: float, half_width: float, half_height: float) -> float:
    """Distance from the point (y, z) of a horseshoe section to its outline, m: positive inside, negative outside."""
    spring = half_width - half_height
    aside, beyond = abs(y) - half_width, z - half_height
    outside = sqrt(maximum(aside, 0.0) * maximum(aside, 0.0) + maximum(beyond, 0.0) * maximum(beyond, 0.0))
    below = -(outside + minimum(maximum(aside, beyond), 0.0))
    above = minimum(round_clearance(y, z - spring, half_width), -beyond)
    return select(z > spring, below, above)
