"""A vehicle as a rigid-body engine knows it: mass, moments of inertia and weight, and no water."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remora.equations.algebra.vectors import ZERO6, diagonal6
from remora.equations.hull.inertia import inertia_about_G
from remora.vehicles.parameters import VehicleParameters

NOTHING = diagonal6(ZERO6)


def tuples(matrix: NDArray[np.float64]) -> Any:
    """A matrix as a tuple of rows."""
    return tuple(map(tuple, matrix.tolist()))


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
    return parameters._replace(
        mass=mass,
        p_BG=p_BG,
        inertia_G=inertia_about_G(mass, p_BG, tuples(M[3:, 3:])),
        rigid_body_inertia=tuples(M),
        gravity=gravity,
    )
