"""Cooperative docking in the horizontal plane: motion, camera cones, clearance and port poses. Nielsen 2018, ch. 8.

Depth, roll and pitch are held by another controller. Poses are (north, east, heading), velocities (surge, sway, yaw
rate) through the water.
"""

from typing import NamedTuple, TypeAlias

from remora.equations.algebra.elementary import atan2, cos, maximum, minimum, select, sin, sqrt
from remora.equations.types import Seconds, Vector2, Vector3

COINCIDENT = 1e-12  # m2, below which two positions have no direction

PlanarState: TypeAlias = tuple[float, float, float, float, float, float]


class PlanarModel(NamedTuple):
    """Diagonal inertia with added mass, linear drag and the current, of surge, sway and yaw."""

    inertia: Vector3  # kg, kg, kg m2
    drag: Vector3  # kg/s, kg/s, kg m2/s
    current: Vector2  # velocity of the water in N, m/s


def planar_rate(model: PlanarModel, x: PlanarState, force: Vector3) -> PlanarState:
    """Rate of pose and velocity: d(eta)/dt = J(psi) nu + current, M d(nu)/dt + D nu = force.

    `force` is surge and sway force in N and yaw moment in N m.
    """
    c, s = cos(x[2]), sin(x[2])
    return (
        c * x[3] - s * x[4] + model.current[0],
        s * x[3] + c * x[4] + model.current[1],
        x[5],
        (force[0] - model.drag[0] * x[3]) / model.inertia[0],
        (force[1] - model.drag[1] * x[4]) / model.inertia[1],
        (force[2] - model.drag[2] * x[5]) / model.inertia[2],
    )


def planar_ahead(x: PlanarState, rate: PlanarState, h: Seconds) -> PlanarState:
    """The state after a time at a constant rate."""
    return (
        x[0] + h * rate[0],
        x[1] + h * rate[1],
        x[2] + h * rate[2],
        x[3] + h * rate[3],
        x[4] + h * rate[4],
        x[5] + h * rate[5],
    )


def planar_step(model: PlanarModel, x: PlanarState, force: Vector3, h: Seconds) -> PlanarState:
    """One step of the classical Runge-Kutta method with the force held. Nielsen 2018, (7.6)-(7.8).

    `force` is as in `planar_rate`.
    """
    a = planar_rate(model, x, force)
    b = planar_rate(model, planar_ahead(x, a, 0.5 * h), force)
    c = planar_rate(model, planar_ahead(x, b, 0.5 * h), force)
    d = planar_rate(model, planar_ahead(x, c, h), force)
    x = planar_ahead(x, a, h / 6.0)
    x = planar_ahead(x, b, h / 3.0)
    x = planar_ahead(x, c, h / 3.0)
    return planar_ahead(x, d, h / 6.0)


def motion_curvature(x: PlanarState, costate: Vector2) -> Vector3:
    """Second derivatives of costate . velocity in N, by heading twice, heading and surge, heading and sway.

    All other second derivatives of the planar rate are zero.
    """
    c, s = cos(x[2]), sin(x[2])
    north, east = c * x[3] - s * x[4], s * x[3] + c * x[4]
    return (
        -costate[0] * north - costate[1] * east,
        -costate[0] * s + costate[1] * c,
        -costate[0] * c - costate[1] * s,
    )


def port_pose(port: Vector3, pose: Vector3) -> Vector3:
    """Pose of a docking port, from its position and heading in B and the pose of the vehicle."""
    c, s = cos(pose[2]), sin(pose[2])
    return (pose[0] + c * port[0] - s * port[1], pose[1] + s * port[0] + c * port[1], pose[2] + port[2])


def port_slope(port: Vector3, heading: float) -> Vector2:
    """Derivative of the position of a port by the heading; the second derivative is minus the lever arm in N."""
    c, s = cos(heading), sin(heading)
    return (-s * port[0] - c * port[1], c * port[0] - s * port[1])


def cone_values(axis: float, half_angle: float, offset: Vector2) -> Vector2:
    """Signed distances in m to the two sides of a camera cone, both at most zero inside. Nielsen 2018, (8.9)-(8.10).

    n+ e = d sin(bearing - axis - half angle) and n- e = d sin(axis - half angle - bearing): both are at most zero
    exactly where |bearing - axis| <= half angle, for half angles below 90 degrees. `axis` is the direction of the
    camera in N (heading plus mounting angle), `offset` the way from the camera to the other vehicle, north and east.
    """
    right, left = cone_normals(axis, half_angle)
    return (right[0] * offset[0] + right[1] * offset[1], left[0] * offset[0] + left[1] * offset[1])


def cone_normals(axis: float, half_angle: float) -> tuple[Vector2, Vector2]:
    """The outward normals of both sides of a camera cone."""
    right, left = axis + half_angle, axis - half_angle
    return (-sin(right), cos(right)), (sin(left), -cos(left))


def cone_slopes(axis: float, half_angle: float, offset: Vector2) -> Vector2:
    """Derivatives of `cone_values` by the axis; their second derivatives are minus `cone_values`."""
    right, left = cone_normals(axis, half_angle)
    return (-right[1] * offset[0] + right[0] * offset[1], -left[1] * offset[0] + left[0] * offset[1])


def priced_constraint(price: float, penalty: float, value: float) -> Vector3:
    """Cost of a constraint value <= 0 by its price and penalty, with first and second derivative by the value.

    Augmented Lagrangian (max(price + penalty x value, 0)^2 - price^2) / (2 penalty), which without a penalty is the
    plain price x value. Bertsekas 1982, ch. 3. Price and penalty are at least zero.
    """
    raised = price + penalty * value
    outside = price * value + 0.5 * penalty * value * value
    inside = -0.5 * price * price / maximum(penalty, 1e-12)
    return (
        select(raised > 0.0, outside, inside),
        maximum(raised, 0.0),
        select(raised > 0.0, penalty + 0.0 * value, 0.0 * value),
    )


def off_axis(axis: float, offset: Vector2) -> float:
    """Angle from the axis of a camera to the other vehicle, in (-pi, pi], rad."""
    c, s = cos(axis), sin(axis)
    return atan2(c * offset[1] - s * offset[0], c * offset[0] + s * offset[1])


def sight_margin(
    fixed: float, factor: float, heading_std: float, position_std: float, distance: float, largest: float
) -> float:
    """Margin of a camera cone in rad: a fixed part and a multiple of the standard deviation of the bearing.

    `fixed` is the margin with perfect knowledge and `factor` the number of standard deviations: of the own heading, and
    of the relative position across the line of sight. `largest` limits the margin, which leaves part of the cone at
    small distances.
    """
    across = position_std / maximum(distance, 1e-3)
    return minimum(fixed + factor * sqrt(heading_std * heading_std + across * across), largest)


def clearance_side(own: Vector2, other: Vector2, distance: float) -> Vector3:
    """Normal (north, east) and constant of the side n . p + c <= 0 of a position p that is far enough from another.

    The normal points from the own position to the other one, so that n . p + c is the distance that is missing at the
    own position, and at most zero only where it is kept. Two positions that coincide have no such side. `own` is the
    position about which the side is taken, and `distance` the smallest allowed one.
    """
    north, east = other[0] - own[0], other[1] - own[1]
    size = sqrt(maximum(north * north + east * east, COINCIDENT))
    north, east = north / size, east / size
    return (north, east, distance - north * other[0] - east * other[1])
