"""The body of a problem file as arrays."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from reference.problem import Array


class Body(NamedTuple):
    """The numbers of a problem file as arrays."""

    mass: float
    displaced_mass: float
    gravity: float
    p_BG: Array
    p_BC: Array
    rigid: Array  # 6x6 about B
    added: Array
    inverse: Array  # of both together
    linear: Array
    quadratic: Array
    lift: Array
    strips: Array  # rows of x, sideways, vertical
    effects: Array  # 6 x thrusters: wrench per newton
    square: Array  # thrust per squared output, or NaN where the output is the thrust
    lags: Array  # s, of thrusters
    limits: Array  # of thruster commands, rows of lowest and highest
    fins: tuple[Mapping[str, Any], ...]


def skew(a: Array) -> Array:
    """S(a) b = a x b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def cross(a: Array, b: Array) -> Array:
    """a x b for two vectors; the one of NumPy takes most of the time of a solution."""
    return skew(a) @ b


def matrix6(numbers: Any) -> Array:
    """A 6x6 matrix from its rows, or from its diagonal."""
    array = np.array(numbers, dtype=float)
    return np.diag(array) if array.ndim == 1 else array


def body_of(vehicle: Mapping[str, Any]) -> Body:
    """The body of a problem file."""
    p_BG = np.array(vehicle["center_of_gravity"], dtype=float)
    mass, lever = float(vehicle["mass"]), skew(p_BG)
    inertia_B = np.diag(np.array(vehicle["inertia_about_center_of_gravity"], dtype=float)) - mass * lever @ lever
    rigid = np.block([[mass * np.eye(3), -mass * lever], [mass * lever, inertia_B]])
    added = matrix6(vehicle["added_mass"])
    thrusters = vehicle.get("thrusters", [])
    return Body(
        mass=mass,
        displaced_mass=float(vehicle["displaced_mass"]),
        gravity=float(vehicle["gravity"]),
        p_BG=p_BG,
        p_BC=np.array(vehicle["center_of_buoyancy"], dtype=float),
        rigid=rigid,
        added=added,
        inverse=np.asarray(np.linalg.inv(rigid + added), dtype=float),
        linear=matrix6(vehicle["linear_damping"]),
        quadratic=matrix6(vehicle["quadratic_damping"]),
        lift=matrix6(vehicle.get("lift", np.zeros(6))),
        strips=np.array(vehicle.get("strips", []), dtype=float).reshape(-1, 3),
        effects=np.array([_effect(thruster) for thruster in thrusters]).reshape(-1, 6).T,
        square=np.array([thruster.get("thrust_per_squared_speed", np.nan) for thruster in thrusters], dtype=float),
        lags=np.array([thruster["time_constant"] for thruster in thrusters], dtype=float),
        limits=np.array([thruster["limits"] for thruster in thrusters], dtype=float).reshape(-1, 2),
        fins=tuple(vehicle.get("fins", ())),
    )


def _effect(thruster: Mapping[str, Any]) -> Array:
    """Wrench about B per newton of thrust, with the reaction torque of the propeller."""
    axis = np.array(thruster["direction"], dtype=float)
    axis = axis / np.linalg.norm(axis)
    moment = cross(np.array(thruster["position"], dtype=float), axis) + thruster.get("reaction", 0.0) * axis
    return np.concatenate([axis, moment])
