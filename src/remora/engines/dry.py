"""A vehicle as a rigid-body engine knows it: mass, moments of inertia and weight, and no water."""

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.inertia import inertia_about_G
from remora.equations.vectors import ZERO6, Matrix6, diagonal6
from remora.vehicles.parameters import VehicleParameters

NOTHING = diagonal6(ZERO6)


def dry(parameters: VehicleParameters) -> VehicleParameters:
    """The same body out of the water and without actuators; its weight stays."""
    return parameters._replace(
        displaced_mass=0.0,
        added_mass=NOTHING,
        linear_damping=NOTHING,
        quadratic_damping=NOTHING,
        tensor_damping=None,
        lift=None,
        cubic_surge=0.0,
        strips=(),
        heave_up=None,
        thrusters=(),
        thruster_names=(),
        mapped_commands=False,
        fins=(),
        fin_names=(),
        locked=(),
        simplifications=(),
        envelope=None,
    )


def with_rigid_body(parameters: VehicleParameters, inertia: ArrayLike, gravity: float) -> VehicleParameters:
    """The vehicle in the same water with the rigid body of an engine: its 6x6 inertia about B, its gravity."""
    M = np.asarray(inertia, dtype=float)
    mass = float(M[0, 0])
    p_BG = (float(M[5, 1] / mass), float(M[3, 2] / mass), float(M[4, 0] / mass))
    rigid: Matrix6 = tuple(tuple(row) for row in M.tolist())
    moments = tuple(tuple(row) for row in M[3:, 3:].tolist())
    return parameters._replace(
        mass=mass,
        p_BG=p_BG,
        inertia_G=inertia_about_G(mass, p_BG, moments),  # type: ignore[arg-type]
        rigid_body_inertia=rigid,
        gravity=gravity,
    )
