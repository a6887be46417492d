"""The vehicle of the benchmark: nothing about it is simple, so nothing can be skipped.

A box-shaped robot of 60 kg, a little light, with its centre of gravity off the origin in all three directions. Its
moment of inertia, added mass, linear and quadratic damping are full matrices without a single zero; inertia and added
mass are symmetric and positive definite. Six thrusters, four of them vectored in the horizontal plane and two upright,
follow their commands with a first-order lag of the shaft speed, faster when rising than when falling, and give a
thrust of C |n| n, less in reverse than ahead. There is no envelope, no fin and no command map.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from remora.equations.actuators.thrusters import THRUST_FROM_SPEED, CommandMap, ThrustCurve, Thruster, thruster_effect
from remora.equations.hull.inertia import rigid_body_inertia
from remora.equations.types import Matrix3, Vector3
from remora.vehicles.parameters import VehicleParameters

SEED = 2024
COUPLING = 0.05  # elements off the diagonal, as a share of the geometric mean of their two diagonal elements

COMMANDS = (90.0, 70.0, -60.0, 80.0, 50.0, -40.0)  # rad/s
TWIST = (0.5, 0.1, 0.2, 0.1, 0.1, 0.1)

# Place in metres and horizontal angle of thrust in degrees of the vectored thrusters, then the place of the upright.
_VECTORED = ((0.3, 0.2, 0.05, -45.0), (0.3, -0.2, 0.05, 45.0), (-0.3, 0.2, 0.05, -135.0), (-0.3, -0.2, 0.05, 135.0))
_UPRIGHT = ((0.02, 0.22, -0.03), (0.02, -0.22, -0.03))


def full_vehicle(scatter: float = 0.0, seed: int = SEED) -> VehicleParameters:
    """The vehicle of the benchmark; with a scatter, all its numbers are changed at random by about that share."""
    random = np.random.default_rng(seed)

    def some(*numbers: float) -> NDArray[np.float64]:
        return np.array(numbers) * np.exp(scatter * random.standard_normal(len(numbers)))

    mass, displaced_mass = some(60.0, 60.3).tolist()
    p_BG: Vector3 = tuple(some(0.01, -0.008, 0.03).tolist())
    inertia_G: Matrix3 = _full(some(2.2, 3.1, 3.6), random, True)
    return VehicleParameters(
        mass=mass,
        displaced_mass=displaced_mass,
        p_BG=p_BG,
        p_BC=tuple(some(0.01, -0.006, -0.04).tolist()),
        inertia_G=inertia_G,
        rigid_body_inertia=rigid_body_inertia(mass, p_BG, inertia_G),
        added_mass=_full(some(35.0, 60.0, 90.0, 2.0, 3.0, 2.5), random, True),
        linear_damping=_full(some(20.0, 30.0, 40.0, 4.0, 5.0, 4.0), random, False),
        quadratic_damping=_full(some(90.0, 160.0, 200.0, 8.0, 9.0, 8.0), random, False),
        cubic_surge=0.0,
        heave_up=None,
        gravity=9.81,
        density=1025.0,
        thrusters=_thrusters(some(*[6e-3] * 6).tolist()),
        thruster_names=tuple(f"thruster_{i}" for i in range(6)),
        thrust_law=THRUST_FROM_SPEED,
        mapped_commands=False,
        fins=(),
        fin_names=(),
        locked=(),
        simplifications=(),
        envelope=None,
        total_inertia_only=False,
    )


def _full(diagonal: NDArray[np.float64], random: np.random.Generator, symmetric: bool) -> Any:
    """A full matrix about a diagonal as tuples, positive definite because its couplings are small."""
    size = len(diagonal)
    coupling = COUPLING * random.uniform(-1.0, 1.0, (size, size))
    if symmetric:
        coupling = 0.5 * (coupling + coupling.T)
    np.fill_diagonal(coupling, 1.0)
    root = np.sqrt(diagonal)
    return tuple(map(tuple, (root[:, None] * coupling * root).tolist()))


def _thrusters(squares: list[float]) -> tuple[Thruster, ...]:
    """Four vectored thrusters and two upright ones, each with its own thrust per squared shaft speed."""
    angles = np.deg2rad([angle for *_, angle in _VECTORED])
    axes: list[Vector3] = [(float(np.cos(angle)), float(np.sin(angle)), 0.0) for angle in angles]
    axes += [(0.0, 0.0, -1.0)] * 2
    places: list[Vector3] = [(x, y, z) for x, y, z, _ in _VECTORED] + list(_UPRIGHT)
    return tuple(_thruster(place, axis, c) for place, axis, c in zip(places, axes, squares, strict=True))


def _thruster(position: Vector3, axis: Vector3, square: float) -> Thruster:
    return Thruster(
        position=position,
        axis=axis,
        effect=thruster_effect(position, axis, 0.01),
        effectiveness_forward=0.95,
        effectiveness_reverse=0.9,
        sense=1.0,
        positive=ThrustCurve(square, 0.0, 0.0),
        negative=ThrustCurve(0.8 * square, 0.0, 0.0),
        inflow_is_signed=0.0,
        wake=1.0,
        rise_time=0.15,
        fall_time=0.25,
        command_minimum=-150.0,
        command_maximum=150.0,
        command_map=CommandMap(-200.0, 200.0, 1.0, 1.0, (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
    )
