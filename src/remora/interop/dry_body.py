"""Dry vehicle for a rigid-body engine: mass, moments of inertia and weight, without hydrodynamics."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remora.equations.algebra.vectors import ZERO6, diagonal6
from remora.equations.hull.inertia import inertia_about_G
from remora.vehicles.hull_forces import with_hull_forces
from remora.vehicles.parameters import VehicleParameters

ZERO_MATRIX = diagonal6(ZERO6)


def tuples(matrix: NDArray[np.float64]) -> Any:
    """A matrix as a tuple of rows."""
    return tuple(map(tuple, matrix.tolist()))


def dry(parameters: VehicleParameters) -> VehicleParameters:
    """The rigid body with its weight, without water and actuators."""
    return with_hull_forces(parameters, ())._replace(
        displaced_mass=0.0,
        added_mass=ZERO_MATRIX,
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
    """The vehicle with rigid body (6x6 about B in body axes, kg, kg m, kg m2) and gravity (m/s2) of an engine."""
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
