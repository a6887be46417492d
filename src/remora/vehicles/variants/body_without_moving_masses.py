"""The rigid body of a vehicle without its moving masses."""

from remora.equations.actuators.moving_mass import (
    MovingMass,
    instantaneous_mass,
    instantaneous_position,
    moving_mass_inertia,
)
from remora.equations.algebra.vectors import add_matrix6, angular, scale3, scale6, subtract3
from remora.equations.hull.inertia import inertia_about_G
from remora.equations.types import Vector3
from remora.vehicles.parameters import VehicleParameters


def moving_mass_unit(moving_mass: MovingMass) -> str:
    """Unit of the output of a moving mass: displacement, mass or volume."""
    return "kg" if moving_mass.filling else "m3" if moving_mass.displacing else "m"


def without_moving_masses(parameters: VehicleParameters) -> VehicleParameters:
    """The vehicle without its moving masses: neither in the rigid body nor in the displacement, at neutral outputs.

    Raises a ValueError when no mass or displacement would remain.
    """
    body = parameters._replace(moving_masses=(), moving_mass_names=())
    for moving_mass in parameters.moving_masses:
        mass, place = (
            instantaneous_mass(moving_mass, moving_mass.neutral),
            instantaneous_position(moving_mass, moving_mass.neutral),
        )
        displaced = moving_mass.displacing * moving_mass.neutral
        if not (body.mass > mass and body.displaced_mass > displaced):
            raise ValueError(
                f"moving masses weigh and displace {mass:g} and {displaced:g} kg at their neutral outputs, "
                f"the rest of the vehicle {body.mass:g} and {body.displaced_mass:g} kg: give masses of parts of it"
            )
        a, b, c, d, e, f = (scale6(-1.0, row) for row in moving_mass_inertia(moving_mass, moving_mass.neutral))
        inertia = add_matrix6(body.rigid_body_inertia, (a, b, c, d, e, f))
        p_BG = _without(body.mass, body.p_BG, mass, place)
        inertia_B = (angular(inertia[3]), angular(inertia[4]), angular(inertia[5]))
        body = body._replace(
            mass=body.mass - mass,
            p_BG=p_BG,
            inertia_G=inertia_about_G(body.mass - mass, p_BG, inertia_B),
            rigid_body_inertia=inertia,
            displaced_mass=body.displaced_mass - displaced,
            p_BC=_without(body.displaced_mass, body.p_BC, displaced, place),
        )
    return body


def _without(mass: float, centre: Vector3, part: float, place: Vector3) -> Vector3:
    """Centre of the remainder of a mass after removing a part at a position."""
    return scale3(1.0 / (mass - part), subtract3(scale3(mass, centre), scale3(part, place))) if part else centre
