"""Vehicle parameters for another water density and gravity than those of the file.

Volume and mass stay, so buoyancy follows the density. Added mass, quadratic drag, fins and propellers scale with the
density, hull force forms as they declare. Linear drag (skin friction) and thrusters with force commands stay unchanged.
"""

from remora.equations.actuators.thrusters import OUTPUT_IS_FORCE, ThrustCurve, Thruster
from remora.equations.algebra.vectors import scale_matrix6
from remora.equations.hull.forms.form import HullForce
from remora.vehicles.checks.invariants import violations_S5
from remora.vehicles.parameters import VehicleParameters


def in_water(parameters: VehicleParameters, density: float, gravity: float) -> VehicleParameters:
    """The vehicle in water of another density, under another gravity.

    Parameters
    ----------
    parameters
        The vehicle in the water of its file.
    density
        Of the water, kg/m3.
    gravity
        Acceleration of gravity, m/s2.

    Raises
    ------
    ValueError
        When the density changes and only the total inertia is known, so that the added mass cannot be separated, or
        when the scaled drag would add energy.
    """
    p, ratio = parameters, density / parameters.density
    if ratio == 1.0:
        return p._replace(gravity=gravity)
    if p.total_inertia_only:
        raise ValueError(
            f"only the total inertia is known, in water of {p.density:g} kg/m3, and not the share of the water in it"
        )
    up, propelled = p.heave_up, p.thrust_law != OUTPUT_IS_FORCE
    changed = p._replace(
        density=density,
        gravity=gravity,
        displaced_mass=ratio * p.displaced_mass,
        buoyancy_elements=tuple(
            part._replace(displaced_mass=ratio * part.displaced_mass) for part in p.buoyancy_elements
        ),
        added_mass=scale_matrix6(ratio, p.added_mass),
        quadratic_damping=scale_matrix6(ratio, p.quadratic_damping),
        cubic_surge=ratio * p.cubic_surge,
        forces=tuple(_at_density(ratio, force) for force in p.forces),
        heave_up=up._replace(added_mass=ratio * up.added_mass, quadratic_damping=ratio * up.quadratic_damping)
        if up
        else None,
        thrusters=tuple(_propelled(ratio, t) for t in p.thrusters) if propelled else p.thrusters,
        fins=tuple(fin._replace(dynamic_area=ratio * fin.dynamic_area) for fin in p.fins),
    )
    for violation in violations_S5(changed, changed.envelope):
        raise ValueError(f"the drag of its file holds in water of {p.density:g} kg/m3 only: {violation.text}")
    return changed


def _at_density(ratio: float, force: HullForce) -> HullForce:
    return force._replace(records=tuple(force.form.with_density(record, ratio) for record in force.records))


def _propelled(factor: float, thruster: Thruster) -> Thruster:
    def curve(given: ThrustCurve) -> ThrustCurve:
        return ThrustCurve(*(factor * x for x in given))

    return thruster._replace(positive=curve(thruster.positive), negative=curve(thruster.negative))
