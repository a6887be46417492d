"""Vehicle parameters for another water density and gravity than in the file.

Volume and mass stay, so buoyancy follows the density. Added mass and fins scale with the density, hull force forms
and thruster laws as they declare.
"""

from remora.equations.actuators.laws.table import law_with
from remora.equations.algebra.vectors import scale_matrix6
from remora.vehicles.checks.invariants import violations_S5
from remora.vehicles.hull_forces import with_changed_forces
from remora.vehicles.parameters import QuadrantSeries, VehicleParameters


def in_water(parameters: VehicleParameters, density: float, gravity: float) -> VehicleParameters:
    """The vehicle in water of another density, kg/m3, under another gravity, m/s2.

    Raises a ValueError when the density changes and only the total inertia is known, so that the added mass cannot be
    separated, or when the scaled drag would add energy.
    """
    p, ratio = parameters, density / parameters.density
    if ratio == 1.0:
        return p._replace(gravity=gravity)
    if p.total_inertia_only:
        raise ValueError(
            f"only the total inertia is known, in water of {p.density:g} kg/m3, and not the share of the water in it"
        )
    up, law = p.heave_up, law_with(p.thrust_law)
    changed = p._replace(
        density=density,
        gravity=gravity,
        displaced_mass=ratio * p.displaced_mass,
        buoyancy_elements=tuple(
            part._replace(displaced_mass=ratio * part.displaced_mass) for part in p.buoyancy_elements
        ),
        added_mass=scale_matrix6(ratio, p.added_mass),
        heave_up=up._replace(added_mass=ratio * up.added_mass) if up else None,
        thrusters=tuple(law.with_density(thruster, ratio) for thruster in p.thrusters),
        quadrants=tuple(_series_at_density(series, ratio) for series in p.quadrants),
        fins=tuple(fin._replace(dynamic_area=ratio * fin.dynamic_area) for fin in p.fins),
    )
    changed = with_changed_forces(changed, lambda form, record: form.with_density(record, ratio))
    for violation in violations_S5(changed, changed.envelope):
        raise ValueError(f"the drag of its file holds in water of {p.density:g} kg/m3 only: {violation.text}")
    return changed


def _series_at_density(series: QuadrantSeries | None, ratio: float) -> QuadrantSeries | None:
    return series and series._replace(disc=series.disc._replace(dynamic_area=ratio * series.disc.dynamic_area))
