"""Inertia of one body of a linked system, as the plant uses it at this instant."""

from remora.equations.actuators.moving_mass_dynamics import inertia_with_moving_masses
from remora.equations.algebra.pose import pose_of
from remora.equations.algebra.vectors import add_matrix6, scale_matrix6
from remora.equations.hull.hull_forms import added_mass_at_heave
from remora.equations.hull.surfacing import emergence
from remora.equations.packed import Layout, hull_at
from remora.equations.types import BodyState, Matrix6, Numbers
from remora.equations.water.current import current_twist
from remora.equations.water.local_water import SURFACED, Water, water_velocity


def body_inertia(row: Numbers, layout: Layout, x: BodyState, outputs: Numbers, water: Water, elapsed: float) -> Matrix6:
    """Rigid-body inertia plus added mass about B: heave asymmetry, moving masses and emergence included.

    Parameters
    ----------
    row, layout
        Packed vehicle, and layout of its row.
    x
        Body state in N.
    outputs
        Outputs of all actuators, with the speeds and accelerations of moving masses.
    water, elapsed
        Water around the vehicle, and time since its reference time, s.
    """
    place = pose_of(x)
    heave = x[9] - current_twist(place.q_NB, water_velocity(water, place.p_NB, elapsed))[2]
    inertia = inertia_with_moving_masses(row, layout, hull_at(row), outputs, heave)
    if water.kind == SURFACED:
        dry = emergence(row, layout, place, water.surface).dry
        inertia = add_matrix6(inertia, scale_matrix6(-dry, added_mass_at_heave(row, layout, heave)))
    return inertia
