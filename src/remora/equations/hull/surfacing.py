"""A vehicle that comes out of the water: every hydrodynamic force fades with what is still submerged.

The wet share s of the displaced volume scales damping, lift, added mass and its Coriolis terms. With an added mass
s(pose) A the kinetic energy of the water is s nu.A nu / 2, and Lagrange's equations add the wrench
grad s (nu.A nu) / 2 - (ds/dt) A nu (Lamb 1932, ch. 6, for the method): an undamped body then keeps its energy while it
enters or leaves the water. Each thruster and each fin fades by itself, at its own place.
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
    Numbers,
    Twist,
    Vector3,
    Wrench,
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
from remora.equations.hull.surface import submerged_fraction, submerged_fraction_slope
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
from remora.equations.water.local_water import Water, gradient_force, water_acceleration_wrench, water_rates

SMALLEST_MASS = 1e-12  # kg: a body may displace nothing
DEVICE_RADIUS = 0.05  # m: thrusters and fins fade over this distance from the surface to both sides (chosen)


class Emergence(NamedTuple):
    """How far a body is out of the water."""

    dry: float  # share of the displaced water that it has left
    lost_buoyancy: Wrench
    slope: Wrench  # 1/m and 1: increase of the wet share along and about the body axes


def emergence(row: Numbers, layout: Layout, place: Pose, surface: float) -> Emergence:
    """The emergence of a vehicle whose displaced water is a set of spheres."""
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


def dry_fraction_of_device(place: Pose, down_B: Vector3, position: Vector3, surface: float) -> float:
    """Share of a thruster or fin at a position on the body that is out of the water."""
    depth = place.p_NB[2] + dot3(down_B, position) - surface
    return 1.0 - submerged_fraction(DEVICE_RADIUS, depth)


def dry_devices_wrench(
    row: Numbers, layout: Layout, place: Pose, relative: Twist, outputs: Numbers, surface: float
) -> Wrench:
    """What thrusters and fins would add if they were not out of the water."""
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
    row: Numbers, layout: Layout, place: Pose, twist: Twist, relative: Twist, water: Water, velocity_N: Vector3
) -> Wrench:
    """All that the water does to a submerged hull, except buoyancy and the inertia of the added mass."""
    hull, changes = hull_at(row), water_rates(water, place.q_NB, twist, velocity_N)
    added = added_mass_at_heave(row, layout, relative[2])
    resisted = add6(hull_damping_wrench(hull, relative), added_coriolis_wrench(row, layout, relative))
    wrench = subtract6(hull_forms_wrench(row, layout, relative), resisted)
    pushed = water_acceleration_wrench(changes, 0.0, ZERO3, hull.displaced_mass, hull.p_BC)
    turned = gradient_force(water, place.q_NB, linear(matvec6(added, relative)), 0.0, ZERO3, relative)
    return add6(wrench, add6(pushed, join(turned, ZERO3)))


def changing_added_mass_wrench(row: Numbers, layout: Layout, relative: Twist, slope: Wrench) -> Wrench:
    """Wrench of an added mass that grows or shrinks with the wet share: grad s (nu.A nu) / 2 - (ds/dt) A nu."""
    momentum = matvec6(added_mass_at_heave(row, layout, relative[2]), relative)
    gradient = scale6(0.5 * dot6(momentum, relative), slope)
    return subtract6(gradient, scale6(dot6(slope, relative), momentum))


def surfacing_wrench(
    row: Numbers,
    layout: Layout,
    place: Pose,
    twist: Twist,
    relative: Twist,
    outputs: Numbers,
    water: Water,
    velocity_N: Vector3,
) -> Wrench:
    """What a vehicle at the surface has more, or less, than one that is submerged, besides its inertia."""
    out = emergence(row, layout, place, water.surface)
    lacking = submerged_hull_wrench(row, layout, place, twist, relative, water, velocity_N)
    wrench = subtract6(out.lost_buoyancy, scale6(out.dry, lacking))
    wrench = add6(wrench, changing_added_mass_wrench(row, layout, relative, out.slope))
    return subtract6(wrench, dry_devices_wrench(row, layout, place, relative, outputs, water.surface))
