"""Lumped-mass tether: tension of a segment, drag per metre, acceleration of a node, and two simplified models.

Nodes count from the vehicle to the far end, and a segment points from one node to the next. Tension is never negative.
All vectors are in N, z down.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import maximum, select, sqrt
from remora.equations.algebra.vectors import add3, cross, dot3, matvec3, scale3, subtract3
from remora.equations.types import Matrix3, Numbers, Vector3

PI = 3.141592653589793
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

    Parameters
    ----------
    diameter
        Diameter, m.
    mass
        Mass per metre, kg/m.
    stiffness
        Axial stiffness EA, N.
    damping_ratio
        Damping ratio of the shortest axial wave.
    normal_coefficient, tangential_coefficient
        Drag coefficients across and along.
    added_mass_coefficient
        Added mass per displaced mass, across.
    density
        Density of the water, kg/m3.
    gravity
        Gravity, m/s2.
    """
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

    Parameters
    ----------
    tether
        Properties of the tether.
    rest_length, distance
        Rest length of the segment, and distance of its ends, m.
    lengthening
        Rate of the distance less that of the rest length, which a winch may change, m/s.
    """
    stretch = distance - rest_length
    tension = tether.stiffness * stretch / rest_length + tether.damping * lengthening
    return select(stretch > 0.0, maximum(tension, 0.0), 0.0)


def segment_energy(tether: TetherProperties, rest_length: float, distance: float) -> float:
    """Elastic energy of a segment, J.

    Parameters
    ----------
    tether
        Properties of the tether.
    rest_length, distance
        Rest length of the segment, and distance of its ends, m.
    """
    stretch = maximum(distance - rest_length, 0.0)
    return 0.5 * tether.stiffness * stretch * stretch / rest_length


def skin_friction(tangential_drag: float, flow: float) -> float:
    """Force per metre of a flow along a tether, on its whole wetted surface: a flat plate. Nielsen 2018, eq. 6.15."""
    return tangential_drag * abs(flow) * flow


def tether_drag(tether: TetherProperties, direction: Vector3, flow: Vector3) -> Vector3:
    """Drag per metre: across on the diameter, along on the surface, N/m. Morison et al. 1950.

    Without a direction all of the flow counts as across.

    Parameters
    ----------
    tether
        Properties of the tether.
    direction
        Unit vector along the tether.
    flow
        Velocity of the water less that of the tether, m/s.
    """
    along = dot3(flow, direction)
    across = subtract3(flow, scale3(along, direction))
    normal = scale3(tether.normal_drag * distance_of(across), across)
    return add3(normal, scale3(skin_friction(tether.tangential_drag, along), direction))


def tether_load(tether: TetherProperties, direction: Vector3, flow: Vector3) -> Vector3:
    """Weight, buoyancy and drag per metre of tether, N/m.

    Parameters
    ----------
    tether
        Properties of the tether.
    direction
        Unit vector along the tether.
    flow
        Velocity of the water less that of the tether, m/s.
    """
    return add3(tether_drag(tether, direction, flow), (0.0, 0.0, weight_in_water(tether)))


def extent_of(separation: Vector3, rest_length: float) -> Vector3:
    """Direction of a segment, shorter than one where the segment is slack and its line is crumpled."""
    return scale3(1.0 / maximum(distance_of(separation), rest_length), separation)


def extent_rate(separation: Vector3, rest_length: float, parting: Vector3) -> Vector3:
    """Rate of the extent of a segment, 1/s; the rate of the rest length is neglected.

    Parameters
    ----------
    separation
        Vector between the ends, m.
    rest_length
        Rest length of the segment, m.
    parting
        Rate of the separation, m/s.
    """
    distance = distance_of(separation)
    extent = extent_of(separation, rest_length)
    turning = subtract3(parting, scale3(select(distance > rest_length, dot3(parting, extent), 0.0), extent))
    return scale3(1.0 / maximum(distance, rest_length), turning)


def turning_force(added_mass: float, extent: Vector3, rate: Vector3, velocity: Vector3) -> Vector3:
    """Force of the added mass of a turning segment: minus half the rate of M, times v, N.

    With it the kinetic energy of tether and added mass changes by the work of all other forces only.

    Parameters
    ----------
    added_mass
        Added mass of the part, kg.
    extent, rate
        Extent of the segment, and its rate, 1/s.
    velocity
        Velocity of the node, m/s.
    """
    along, across = dot3(extent, velocity), dot3(rate, velocity)
    return scale3(0.5 * added_mass, add3(scale3(along, rate), scale3(across, extent)))


def node_acceleration(force: Vector3, mass: float, added: tuple[float, float], t: Vector3, u: Vector3) -> Vector3:
    """Acceleration of a node with the added mass of its two half segments, m/s2.

    Solves M a = f with M = (m + a + b) 1 - a t t' - b u u' by the cross products of its rows.

    Parameters
    ----------
    force
        Force on the node, N.
    mass
        Mass of the node, kg.
    added
        Added masses a and b of the two halves, kg.
    t
        Extent of the segment before the node.
    u
        Extent of the segment after it.
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

    Parameters
    ----------
    velocity
        Velocity, m/s.
    mass
        Mass, kg.
    added_mass
        Added mass across, kg.
    extent
        Extent of the segment.
    """
    along = dot3(velocity, extent)
    speed_squared = dot3(velocity, velocity)
    return 0.5 * (mass * speed_squared + added_mass * (speed_squared - along * along))


def end_acceleration(free: Vector3, jerk: Vector3, time: float, gain: Matrix3, force: Vector3) -> Vector3:
    """Acceleration of an end: that of its body without the tether, and the response to the tether force, m/s2.

    Parameters
    ----------
    free
        Acceleration without the tether at the start of the step, m/s2.
    jerk
        Its rate, m/s3.
    time
        Time within the step, s.
    gain
        Acceleration per force, 1/kg.
    force
        Force of the tether, N.
    """
    return add3(add3(free, scale3(time, jerk)), matvec3(gain, force))


def fastest_rate(tether: TetherProperties, rest_length: float, speed: float) -> float:
    """Upper bound of the rates of a tether of such segments, rad/s.

    The shortest axial wave moves neighbouring nodes against each other with 2 sqrt(EA / m) / l. The linearised drag of
    the fastest node is added; a damping ratio up to one does not raise the bound.

    Parameters
    ----------
    tether
        Properties of the tether.
    rest_length
        Rest length of the segment, m.
    speed
        Largest flow past a node, m/s.
    """
    wave = 2.0 * sqrt(tether.stiffness / tether.mass) / rest_length
    across = 2.0 * tether.normal_drag / (tether.mass + tether.added_mass)
    along = 2.0 * tether.tangential_drag / tether.mass
    return wave + maximum(across, along) * speed


def spring_tension(
    stiffness: float, damping: float, stretch: float, rate: float, acceleration: float, mobility: float, elapsed: float
) -> float:
    """Mean tension over a step of a spring that cannot push, between two bodies, N; stable at any step.

    The tension T follows from the mean stretch and rate if the ends separate with the acceleration less mobility x T:
    average-acceleration rule (Newmark 1959), solved for T.

    Parameters
    ----------
    stiffness, damping
        Stiffness, N/m, and damping, N s/m.
    stretch, rate
        Stretch at the start, m, and its rate, m/s.
    acceleration
        Acceleration of the separation without tension, m/s2.
    mobility
        Acceleration per tension of both bodies, 1/kg.
    elapsed
        Step, s.
    """
    mean_stretch = stretch + 0.5 * elapsed * rate + 0.25 * elapsed * elapsed * acceleration
    mean_rate = rate + 0.5 * elapsed * acceleration
    giving_way = mobility * (0.25 * elapsed * elapsed * stiffness + 0.5 * elapsed * damping)
    return select(mean_stretch > 0.0, maximum(stiffness * mean_stretch + damping * mean_rate, 0.0), 0.0) / (
        1.0 + giving_way
    )


def towed_drag(coefficient: float, flow: Vector3, mobility: float, elapsed: float) -> Vector3:
    """Mean drag c |u| u over a step of a tether towed by a body, N; stable at any step.

    The magnitude of the flow is that at the start, its direction and the other factor those at mid-step.

    Parameters
    ----------
    coefficient
        Drag coefficient c, kg/m.
    flow
        Velocity of the water less that of the tether, m/s.
    mobility
        Acceleration per force of the body, 1/kg.
    elapsed
        Step, s.
    """
    slope = coefficient * distance_of(flow)
    return scale3(slope / (1.0 + 0.5 * elapsed * mobility * slope), flow)
