"""Vehicles at the surface: every hydrodynamic force fades with the submerged fraction.

The submerged fraction s of the displaced volume scales damping, lift, added mass and its Coriolis terms. With an added
mass s(pose) A the kinetic energy of the water is s nu.A nu / 2, and Lagrange's equations add the wrench grad s (nu.A
nu) / 2 - (ds/dt) A nu (Lamb 1932, ch. 6, for the method): an undamped body keeps its energy while it enters or leaves
the water. Each thruster and each fin fades separately, at its own position.
"""

from typing import NamedTuple

from remora.equations.actuators.fins import fin_wrench
from remora.equations.actuators.propulsion import thruster_wrench
from remora.equations.algebra.elementary import maximum
from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.pose import Pose
from remora.equations.algebra.vectors import (
    ZERO3,
    ZERO6,
    add6,
    cross,
    dot3,
    dot6,
    join,
    linear,
    matvec6,
    scale6,
    subtract6,
)
from remora.equations.hull.hull_forms import added_coriolis_wrench, added_mass_at_heave, hull_forms_wrench
from remora.equations.hull.restoring import submerged_fraction, submerged_fraction_slope
from remora.equations.motion import hull_damping_wrench
from remora.equations.packed import (
    FIN_SIZE,
    THRUSTER_SIZE,
    Layout,
    buoyancy_element_at,
    buoyancy_element_start,
    fin_at,
    fins_start,
    hull_at,
    thruster_at,
    thrusters_start,
)
from remora.equations.types import Direction, Level, Outputs, RelativeTwist, Row, Twist, Vector3, Wrench
from remora.equations.water.local_water import Water, gradient_force, water_acceleration_wrench, water_rates

SMALLEST_MASS = 1e-12  # kg: a body may displace nothing
DEVICE_RADIUS = 0.05  # m: thrusters and fins fade within this distance of the surface (chosen)


class Emergence(NamedTuple):
    """Emerged part of a body."""

    dry: float  # fraction of the displaced volume above the surface
    lost_buoyancy: Wrench
    slope: Wrench  # 1/m and 1: gradient of the submerged fraction along and about the body axes


def emergence(row: Row, layout: Layout, place: Pose, surface: Level) -> Emergence:
    """Emergence of a vehicle from its buoyancy elements."""
    gravity, down_B = hull_at(row).gravity, down_in_body(place.q_NB)
    zero = 0.0 * place.p_NB[2]  # of the same kind of number as the sums
    lost, slope, dry, whole = scale6(zero, ZERO6), scale6(zero, ZERO6), zero, zero
    for i in range(layout.buoyancy_elements):
        part = buoyancy_element_at(row, buoyancy_element_start(layout, i))
        depth = place.p_NB[2] + dot3(down_B, part.position) - surface
        out = part.displaced_mass * (1.0 - submerged_fraction(part.radius, depth))
        along = join(down_B, cross(part.position, down_B))
        lost = add6(lost, scale6(out * gravity, along))
        slope = add6(slope, scale6(part.displaced_mass * submerged_fraction_slope(part.radius, depth), along))
        dry, whole = dry + out, whole + part.displaced_mass
    size = maximum(whole, SMALLEST_MASS)
    return Emergence(dry / size, lost, scale6(1.0 / size, slope))


def dry_fraction_of_device(place: Pose, down_B: Direction, position: Vector3, surface: Level) -> float:
    """Fraction of a thruster or fin above the surface.

    `position` is in body axes.
    """
    depth = place.p_NB[2] + dot3(down_B, position) - surface
    return 1.0 - submerged_fraction(DEVICE_RADIUS, depth)


def dry_devices_wrench(
    row: Row, layout: Layout, place: Pose, relative: RelativeTwist, outputs: Outputs, surface: Level
) -> Wrench:
    """Wrench that thrusters and fins lose above the surface."""
    wrench, down_B = ZERO6, down_in_body(place.q_NB)
    for i in range(layout.thrusters):
        position = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * i).position
        dry = dry_fraction_of_device(place, down_B, position, surface)
        wrench = add6(wrench, scale6(dry, thruster_wrench(row, layout, i, outputs, relative)))
    for i in range(layout.fins):
        fin = fin_at(row, fins_start(layout) + FIN_SIZE * i)
        dry = dry_fraction_of_device(place, down_B, fin.position, surface)
        wrench = add6(wrench, scale6(dry, fin_wrench(fin, outputs[layout.thrusters + i], relative)))
    return wrench


def submerged_hull_wrench(
    row: Row, layout: Layout, place: Pose, twist: Twist, relative: RelativeTwist, water: Water, velocity_N: Vector3
) -> Wrench:
    """Hydrodynamic wrench of a submerged hull, without buoyancy and the inertia of the added mass."""
    hull, changes = hull_at(row), water_rates(water, place.q_NB, twist, velocity_N)
    added = added_mass_at_heave(row, layout, relative[2])
    resisted = add6(hull_damping_wrench(hull, relative), added_coriolis_wrench(row, layout, relative))
    wrench = subtract6(hull_forms_wrench(row, layout, relative, True), resisted)
    froude_krylov = water_acceleration_wrench(changes, 0.0, ZERO3, hull.displaced_mass, hull.p_BC)
    turned = gradient_force(water, place.q_NB, linear(matvec6(added, relative)), 0.0, ZERO3, relative)
    return add6(wrench, add6(froude_krylov, join(turned, ZERO3)))


def changing_added_mass_wrench(row: Row, layout: Layout, relative: RelativeTwist, slope: Wrench) -> Wrench:
    """Wrench of an added mass that changes with the submerged fraction: grad s (nu.A nu) / 2 - (ds/dt) A nu.

    `slope` is grad s, along and about the body axes.
    """
    momentum = matvec6(added_mass_at_heave(row, layout, relative[2]), relative)
    gradient = scale6(0.5 * dot6(momentum, relative), slope)
    return subtract6(gradient, scale6(dot6(slope, relative), momentum))


def surfacing_wrench(
    row: Row,
    layout: Layout,
    place: Pose,
    twist: Twist,
    relative: RelativeTwist,
    outputs: Outputs,
    water: Water,
    velocity_N: Vector3,
) -> Wrench:
    """Difference of the wrench at the surface from that of a submerged vehicle, without its inertia."""
    out = emergence(row, layout, place, water.surface)
    lacking = submerged_hull_wrench(row, layout, place, twist, relative, water, velocity_N)
    wrench = subtract6(out.lost_buoyancy, scale6(out.dry, lacking))
    wrench = add6(wrench, changing_added_mass_wrench(row, layout, relative, out.slope))
    return subtract6(wrench, dry_devices_wrench(row, layout, place, relative, outputs, water.surface))
