"""A tether as masses on a line: tension of a segment, drag of a metre, acceleration of a node, and two cheap stand-ins.

Nodes are counted from the vehicle to the far end, and a segment points from one node to the next. Tension is never
negative: a line cannot push. All vectors are in N, z down.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import maximum, select, sqrt
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import (
    Matrix3,
    Numbers,
    Vector3,
    Wrench,
    add3,
    cross,
    dot3,
    join,
    matvec3,
    scale3,
    subtract3,
)

PI = 3.141592653589793
MIN_LENGTH = 1e-12  # m: what is shorter has no direction


class TetherProperties(NamedTuple):
    """What one metre of line is, and how it resists: all that its equations need to know."""

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
    """A round line in water. Its shortest axial wave has the damping ratio, whatever the number of its segments."""
    displaced_mass = density * PI / 4.0 * diameter * diameter
    return TetherProperties(
        mass=mass,
        displaced_mass=displaced_mass,
        added_mass=added_mass_coefficient * displaced_mass,
        stiffness=stiffness,
        damping=damping_ratio * sqrt(stiffness * mass),
        normal_drag=0.5 * density * normal_coefficient * diameter,
        tangential_drag=0.5 * density * tangential_coefficient * PI * diameter,
        gravity=gravity,
    )


def tether_at(row: Numbers) -> TetherProperties:
    """The line from the numbers of its fields."""
    return TetherProperties(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7])


def weight_in_water(tether: TetherProperties) -> float:
    """Weight less buoyancy of a metre, N/m: negative for a line that floats."""
    return (tether.mass - tether.displaced_mass) * tether.gravity


def distance_of(separation: Vector3) -> float:
    """Length of a vector."""
    return sqrt(dot3(separation, separation))


def direction_of(separation: Vector3) -> Vector3:
    """Unit vector along a vector; zero where there is none."""
    return scale3(1.0 / maximum(distance_of(separation), MIN_LENGTH), separation)


def segment_tension(tether: TetherProperties, rest_length: float, distance: float, lengthening: float) -> float:
    """Tension EA e / l + c e' of a segment that is longer than at rest by e; zero when it is slack.

    The lengthening e' is the rate of the distance less that of the rest length, which a winch may change.
    """
    stretch = distance - rest_length
    tension = tether.stiffness * stretch / rest_length + tether.damping * lengthening
    return select(stretch > 0.0, maximum(tension, 0.0), 0.0)


def segment_energy(tether: TetherProperties, rest_length: float, distance: float) -> float:
    """Elastic energy of a segment."""
    stretch = maximum(distance - rest_length, 0.0)
    return 0.5 * tether.stiffness * stretch * stretch / rest_length


def skin_friction(tangential_drag: float, flow: float) -> float:
    """Force per metre of a flow along a line, on its whole wetted surface: a flat plate. Nielsen 2018, eq. 6.15."""
    return tangential_drag * abs(flow) * flow


def tether_drag(tether: TetherProperties, direction: Vector3, flow: Vector3) -> Vector3:
    """Force per metre of a flow past a line: across it on its diameter, along it on its surface. Morison et al. 1950.

    The flow is the velocity of the water less that of the line. Where there is no direction, all of it is across.
    """
    along = dot3(flow, direction)
    across = subtract3(flow, scale3(along, direction))
    normal = scale3(tether.normal_drag * distance_of(across), across)
    return add3(normal, scale3(skin_friction(tether.tangential_drag, along), direction))


def tether_load(tether: TetherProperties, direction: Vector3, flow: Vector3) -> Vector3:
    """Weight, buoyancy and drag of a metre of line."""
    return add3(tether_drag(tether, direction, flow), (0.0, 0.0, weight_in_water(tether)))


def extent_of(separation: Vector3, rest_length: float) -> Vector3:
    """Direction of a segment, shorter than one where the segment is slack: its line is then crumpled, or in loops."""
    return scale3(1.0 / maximum(distance_of(separation), rest_length), separation)


def extent_rate(separation: Vector3, rest_length: float, parting: Vector3) -> Vector3:
    """Rate of the extent of a segment while its ends part with a velocity; that of the rest length is left out."""
    distance = distance_of(separation)
    extent = extent_of(separation, rest_length)
    turning = subtract3(parting, scale3(select(distance > rest_length, dot3(parting, extent), 0.0), extent))
    return scale3(1.0 / maximum(distance, rest_length), turning)


def turning_force(added_mass: float, extent: Vector3, rate: Vector3, velocity: Vector3) -> Vector3:
    """What the water that moves with a part of the line does to it while it turns: minus half the rate of M, times v.

    With it the kinetic energy of line and water changes by the work of all other forces, and by nothing else.
    """
    along, across = dot3(extent, velocity), dot3(rate, velocity)
    return scale3(0.5 * added_mass, add3(scale3(along, rate), scale3(across, extent)))


def node_acceleration(force: Vector3, mass: float, added: tuple[float, float], t: Vector3, u: Vector3) -> Vector3:
    """Acceleration of a node whose two halves, of extents t and u, take water along when they move across themselves.

    Solves M a = f with M = (m + a + b) 1 - a t t' - b u u' by the cross products of its rows.
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
    """Kinetic energy of a part of the line and of the water that it takes along."""
    along = dot3(velocity, extent)
    speed_squared = dot3(velocity, velocity)
    return 0.5 * (mass * speed_squared + added_mass * (speed_squared - along * along))


def end_acceleration(free: Vector3, jerk: Vector3, time: float, gain: Matrix3, force: Vector3) -> Vector3:
    """Acceleration of an end: what its body would do without the line, and what the line makes of it."""
    return add3(add3(free, scale3(time, jerk)), matvec3(gain, force))


def fastest_rate(tether: TetherProperties, rest_length: float, speed: float) -> float:
    """A bound of the rates at which a line of such segments can change, rad/s.

    Its shortest axial wave moves neighbouring nodes against each other with 2 sqrt(EA / m) / l. The linearised drag
    of the fastest node is added; with a damping ratio up to one, damping does not raise the bound.
    """
    wave = 2.0 * sqrt(tether.stiffness / tether.mass) / rest_length
    across = 2.0 * tether.normal_drag / (tether.mass + tether.added_mass)
    along = 2.0 * tether.tangential_drag / tether.mass
    return wave + maximum(across, along) * speed


def cubic_motion(p0: Vector3, v0: Vector3, p1: Vector3, v1: Vector3, elapsed: float) -> tuple[Vector3, Vector3]:
    """Acceleration at the start, and jerk, of the cubic that joins two places with given velocities (Hermite)."""
    way = scale3(1.0 / elapsed, subtract3(p1, p0))
    bend = add3(scale3(6.0, way), scale3(-2.0, add3(scale3(2.0, v0), v1)))
    turn = add3(scale3(-12.0, way), scale3(6.0, add3(v0, v1)))
    return scale3(1.0 / elapsed, bend), scale3(1.0 / (elapsed * elapsed), turn)


def point_velocity(v: Vector3, w: Vector3, p_BA: Vector3) -> Vector3:
    """Velocity of a place of a body, in body axes."""
    return add3(v, cross(w, p_BA))


def point_acceleration(v: Vector3, w: Vector3, v_rate: Vector3, w_rate: Vector3, p_BA: Vector3) -> Vector3:
    """Acceleration of a place of a body against N, in body axes; the rates are those that body axes show."""
    return add3(add3(v_rate, cross(w_rate, p_BA)), cross(w, point_velocity(v, w, p_BA)))


def pull_wrench(q_NB: Quaternion, p_BA: Vector3, force_N: Vector3) -> Wrench:
    """Wrench about B in body axes of a force at a place of the body."""
    force = to_body(q_NB, force_N)
    return join(force, cross(p_BA, force))


def spring_tension(
    stiffness: float, damping: float, stretch: float, rate: float, acceleration: float, mobility: float, elapsed: float
) -> float:
    """Mean tension over a step of a spring that cannot push, between bodies that give way; stable at any step.

    The tension T is that of the mean stretch and rate if the ends separate with the acceleration less mobility x T:
    the rule of mean acceleration (Newmark 1959), solved for T.
    """
    mean_stretch = stretch + 0.5 * elapsed * rate + 0.25 * elapsed * elapsed * acceleration
    mean_rate = rate + 0.5 * elapsed * acceleration
    giving_way = mobility * (0.25 * elapsed * elapsed * stiffness + 0.5 * elapsed * damping)
    return select(mean_stretch > 0.0, maximum(stiffness * mean_stretch + damping * mean_rate, 0.0), 0.0) / (
        1.0 + giving_way
    )


def towed_drag(coefficient: float, flow: Vector3, mobility: float, elapsed: float) -> Vector3:
    """Mean drag c |u| u over a step of a line behind a body that gives way; stable at any step.

    The size of the flow is that at the start, its direction and the other factor those in the middle of the step.
    """
    slope = coefficient * distance_of(flow)
    return scale3(slope / (1.0 + 0.5 * elapsed * mobility * slope), flow)
