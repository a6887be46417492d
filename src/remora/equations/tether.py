"""Lumped-mass tether: tension of a segment, drag per metre, acceleration of a node, its ends, two simplified models.

Nodes count from the vehicle to the far end, and a segment points from one node to the next. Tension is never negative.
All vectors are in N, z down, other than at an attachment point: there they are in the axes of its body.
"""

from math import pi
from typing import NamedTuple

from remora.equations.algebra.elementary import maximum, select, sqrt
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.vectors import add3, cross, dot3, join, matvec3, scale3, subtract3
from remora.equations.types import AngularVelocity, Direction, Matrix3, Numbers, Quaternion, Seconds, Vector3, Wrench

MIN_LENGTH = 1e-12  # m: what is shorter has no direction


class TetherProperties(NamedTuple):
    """Properties of a tether per metre: mass, stiffness, damping and drag."""

    mass: float  # kg/m
    displaced_mass: float  # kg/m: of the water in its place
    added_mass: float  # kg/m: of the water that moves with it when it moves across itself
    stiffness: float  # N: force per strain, EA
    damping: float  # N s/m: tension per speed at which a segment lengthens
    normal_drag: float  # kg/m2: half density x coefficient x diameter
    tangential_drag: float  # kg/m2: half density x coefficient x circumference
    gravity: float  # m/s2


def round_tether(
    diameter: float,
    mass: float,
    stiffness: float,
    damping_ratio: float,
    normal_coefficient: float,
    tangential_coefficient: float,
    added_mass_coefficient: float,
    density: float,
    gravity: float,
) -> TetherProperties:
    """Properties of a round tether. Its shortest axial wave has the damping ratio for any number of segments.

    Mass in kg/m, axial stiffness EA in N; the added mass coefficient is per displaced mass, across.
    """
    displaced_mass = density * pi / 4.0 * diameter * diameter
    return TetherProperties(
        mass=mass,
        displaced_mass=displaced_mass,
        added_mass=added_mass_coefficient * displaced_mass,
        stiffness=stiffness,
        damping=damping_ratio * sqrt(stiffness * mass),
        normal_drag=0.5 * density * normal_coefficient * diameter,
        tangential_drag=0.5 * density * tangential_coefficient * pi * diameter,
        gravity=gravity,
    )


def tether_at(row: Numbers) -> TetherProperties:
    """The properties from the numbers of their fields."""
    return TetherProperties(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7])


def weight_in_water(tether: TetherProperties) -> float:
    """Weight less buoyancy per metre, N/m; negative for a buoyant tether."""
    return (tether.mass - tether.displaced_mass) * tether.gravity


def distance_of(separation: Vector3) -> float:
    """Length of a vector."""
    return sqrt(dot3(separation, separation))


def direction_of(separation: Vector3) -> Vector3:
    """Unit vector along a vector; zero for a zero vector."""
    return scale3(1.0 / maximum(distance_of(separation), MIN_LENGTH), separation)


def segment_tension(tether: TetherProperties, rest_length: float, distance: float, lengthening: float) -> float:
    """Tension EA e / l + c e' of a segment stretched by e, N; zero when it is slack.

    `lengthening` is the rate of the distance less the rate of the rest length, which a winch may change.
    """
    stretch = distance - rest_length
    tension = tether.stiffness * stretch / rest_length + tether.damping * lengthening
    return select(stretch > 0.0, maximum(tension, 0.0), 0.0)


def segment_energy(tether: TetherProperties, rest_length: float, distance: float) -> float:
    """Elastic energy of a segment, J."""
    stretch = maximum(distance - rest_length, 0.0)
    return 0.5 * tether.stiffness * stretch * stretch / rest_length


def skin_friction(tangential_drag: float, flow: float) -> float:
    """Force per metre of a flow along a tether, on its whole wetted surface: a flat plate. Nielsen 2018, eq. 6.15."""
    return tangential_drag * abs(flow) * flow


def tether_drag(tether: TetherProperties, direction: Direction, flow: Vector3) -> Vector3:
    """Drag per metre: across on the diameter, along on the surface, N/m. Morison et al. 1950.

    Without a direction all of the flow counts as across. `flow` is the velocity of the water less the velocity of the
    tether.
    """
    along = dot3(flow, direction)
    across = subtract3(flow, scale3(along, direction))
    normal = scale3(tether.normal_drag * distance_of(across), across)
    return add3(normal, scale3(skin_friction(tether.tangential_drag, along), direction))


def tether_load(tether: TetherProperties, direction: Direction, flow: Vector3) -> Vector3:
    """Weight, buoyancy and drag per metre of tether, N/m.

    `flow` is as in `tether_drag`.
    """
    return add3(tether_drag(tether, direction, flow), (0.0, 0.0, weight_in_water(tether)))


def extent_of(separation: Vector3, rest_length: float) -> Vector3:
    """Direction of a segment, shorter than one where the segment is slack and its line is crumpled."""
    return scale3(1.0 / maximum(distance_of(separation), rest_length), separation)


def extent_rate(separation: Vector3, rest_length: float, parting: Vector3) -> Vector3:
    """Rate of the extent of a segment, 1/s; the rate of the rest length is neglected.

    `separation` is the vector between the ends, `parting` its rate.
    """
    distance = distance_of(separation)
    extent = extent_of(separation, rest_length)
    turning = subtract3(parting, scale3(select(distance > rest_length, dot3(parting, extent), 0.0), extent))
    return scale3(1.0 / maximum(distance, rest_length), turning)


def turning_force(added_mass: float, extent: Vector3, rate: Vector3, velocity: Vector3) -> Vector3:
    """Force of the added mass of a turning segment: minus half the rate of M, times v, N.

    With it the kinetic energy of tether and added mass changes by the work of all other forces only. `velocity` is the
    velocity of the node, `rate` the rate of the extent.
    """
    along, across = dot3(extent, velocity), dot3(rate, velocity)
    return scale3(0.5 * added_mass, add3(scale3(along, rate), scale3(across, extent)))


def node_acceleration(force: Vector3, mass: float, added: tuple[float, float], t: Vector3, u: Vector3) -> Vector3:
    """Acceleration of a node with the added mass of its two half segments, m/s2.

    Solves M a = f with M = (m + a + b) 1 - a t t' - b u u' by the cross products of its rows. `added` is a and b, the
    added masses of the two halves; t and u are the extents of the segments before and after the node.
    """
    a, b = added
    most = mass + a + b
    xx, xy = most - a * t[0] * t[0] - b * u[0] * u[0], -a * t[0] * t[1] - b * u[0] * u[1]
    yy, yz = most - a * t[1] * t[1] - b * u[1] * u[1], -a * t[1] * t[2] - b * u[1] * u[2]
    zz, zx = most - a * t[2] * t[2] - b * u[2] * u[2], -a * t[2] * t[0] - b * u[2] * u[0]
    x, y, z = (xx, xy, zx), (xy, yy, yz), (zx, yz, zz)
    first, second, third = cross(y, z), cross(z, x), cross(x, y)
    total = add3(scale3(force[0], first), add3(scale3(force[1], second), scale3(force[2], third)))
    return scale3(1.0 / dot3(x, first), total)


def kinetic_energy(velocity: Vector3, mass: float, added_mass: float, extent: Vector3) -> float:
    """Kinetic energy of a part of the tether and its added mass, J.

    The added mass acts across.
    """
    along = dot3(velocity, extent)
    speed_squared = dot3(velocity, velocity)
    return 0.5 * (mass * speed_squared + added_mass * (speed_squared - along * along))


def end_acceleration(free: Vector3, jerk: Vector3, time: Seconds, gain: Matrix3, force: Vector3) -> Vector3:
    """Acceleration of an end: that of its body without the tether, and the response to the tether force, m/s2.

    `free` is the acceleration without the tether at the start of the step, `jerk` its rate, `time` counts from there;
    `gain` is acceleration per force.
    """
    return add3(add3(free, scale3(time, jerk)), matvec3(gain, force))


def fastest_rate(tether: TetherProperties, rest_length: float, speed: float) -> float:
    """Upper bound of the rates of a tether of such segments, rad/s.

    The shortest axial wave moves neighbouring nodes against each other with 2 sqrt(EA / m) / l. The linearised drag of
    the fastest node is added; a damping ratio up to one does not raise the bound. `speed` is the largest flow past a
    node.
    """
    wave = 2.0 * sqrt(tether.stiffness / tether.mass) / rest_length
    across = 2.0 * tether.normal_drag / (tether.mass + tether.added_mass)
    along = 2.0 * tether.tangential_drag / tether.mass
    return wave + maximum(across, along) * speed


def spring_tension(
    stiffness: float,
    damping: float,
    stretch: float,
    rate: float,
    acceleration: float,
    mobility: float,
    elapsed: Seconds,
) -> float:
    """Mean tension over a step of a spring that cannot push, between two bodies, N; stable at any step.

    The tension T follows from the mean stretch and rate if the ends separate with the acceleration less mobility x T:
    average-acceleration rule (Newmark 1959), solved for T. `acceleration` is the acceleration of the separation without
    tension, `mobility` the acceleration per tension of both bodies, 1/kg; stretch and rate are the ones at the start.
    """
    mean_stretch = stretch + 0.5 * elapsed * rate + 0.25 * elapsed * elapsed * acceleration
    mean_rate = rate + 0.5 * elapsed * acceleration
    giving_way = mobility * (0.25 * elapsed * elapsed * stiffness + 0.5 * elapsed * damping)
    return select(mean_stretch > 0.0, maximum(stiffness * mean_stretch + damping * mean_rate, 0.0), 0.0) / (
        1.0 + giving_way
    )


def towed_drag(coefficient: float, flow: Vector3, mobility: float, elapsed: Seconds) -> Vector3:
    """Mean drag c |u| u over a step of a tether towed by a body, N; stable at any step.

    The magnitude of the flow is that at the start, its direction and the other factor those at mid-step. `mobility` is
    the acceleration per force of the body, 1/kg; `coefficient` is c, kg/m, and `flow` is as in `tether_drag`.
    """
    slope = coefficient * distance_of(flow)
    return scale3(slope / (1.0 + 0.5 * elapsed * mobility * slope), flow)


def cubic_motion(p0: Vector3, v0: Vector3, p1: Vector3, v1: Vector3, elapsed: Seconds) -> tuple[Vector3, Vector3]:
    """Initial acceleration and jerk of the cubic Hermite motion from p0 and v0 to p1 and v1."""
    way = scale3(1.0 / elapsed, subtract3(p1, p0))
    bend = add3(scale3(6.0, way), scale3(-2.0, add3(scale3(2.0, v0), v1)))
    turn = add3(scale3(-12.0, way), scale3(6.0, add3(v0, v1)))
    return scale3(1.0 / elapsed, bend), scale3(1.0 / (elapsed * elapsed), turn)


def point_velocity(v: Vector3, w: AngularVelocity, p_BA: Vector3) -> Vector3:
    """Velocity of a point of a body, in body axes, m/s.

    `v` and `w` are velocity of B and angular velocity, in body axes.
    """
    return add3(v, cross(w, p_BA))


def point_acceleration(v: Vector3, w: AngularVelocity, v_rate: Vector3, w_rate: Vector3, p_BA: Vector3) -> Vector3:
    """Acceleration of a point of a body relative to N, in body axes, m/s2.

    `v` and `w` are as in `point_velocity`; the rates are rates of their components.
    """
    return add3(add3(v_rate, cross(w_rate, p_BA)), cross(w, point_velocity(v, w, p_BA)))


def pull_wrench(q_NB: Quaternion, p_BA: Vector3, force_N: Vector3) -> Wrench:
    """Wrench about B in body axes of a force at a point of the body."""
    force = to_body(q_NB, force_N)
    return join(force, cross(p_BA, force))
