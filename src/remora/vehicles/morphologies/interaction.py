"""Hydrodynamic interaction of a module with its neighbours, as stated factors on its added mass and damping."""

from remora.equations.algebra.vectors import scale_matrix6
from remora.vehicles.hull_forces import with_changed_forces
from remora.vehicles.morphologies.sections import InteractionSection
from remora.vehicles.parameters import VehicleParameters


def with_interaction(parameters: VehicleParameters, section: InteractionSection) -> VehicleParameters:
    """The parameters with factors on added mass and on damping, in all degrees of freedom.

    Raises a ValueError for a factor on the added mass where only the total inertia is known.
    """
    added, damping = (one.value if one else 1.0 for one in (section.added_mass, section.damping))
    if parameters.total_inertia_only and added != 1.0:
        raise ValueError("only the total inertia of this vehicle is known, so that its added mass has no factor")
    up, six = parameters.heave_up, (damping, damping, damping, damping, damping, damping)
    changed = parameters._replace(
        added_mass=scale_matrix6(added, parameters.added_mass),
        heave_up=up._replace(added_mass=added * up.added_mass) if up else None,
    )
    return with_changed_forces(changed, lambda form, record: form.scaled(record, six, six))
