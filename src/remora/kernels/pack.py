"""Packing of a vehicle's parameters into the flat row that compiled code, symbols and batches read."""

import math
from typing import Any, NamedTuple

import numpy as np

from remora.equations.actuators.drives import Motor
from remora.equations.actuators.quadrants import Disc
from remora.equations.actuators.servos import Swivel
from remora.equations.actuators.slewing import UNLIMITED_RATE
from remora.equations.algebra.vectors import ZERO3, ZERO6
from remora.equations.hull.heave import HeaveAsymmetry
from remora.equations.hull.surface import BuoyancyElement
from remora.equations.motion import Hull
from remora.equations.packed import (
    FULL_CORIOLIS,
    WITHOUT_CORIOLIS,
    WITHOUT_MUNK,
    Layout,
    actuator_count,
    actuator_state_count,
    moving_mass_at,
    moving_mass_start,
)
from remora.equations.water.local_water import ANY_WATER
from remora.files.arrays import Array
from remora.vehicles.parameters import VehicleParameters, total_inertia
from remora.vehicles.variants.body_without_moving_masses import without_moving_masses

DEGREES_OF_FREEDOM = ("surge", "sway", "heave", "roll", "pitch", "yaw")
SIMPLIFICATIONS = ("coriolis_off", "munk_off")
# A speed that no vehicle reaches: a run ends beyond it, or at a NaN.
NO_LIMIT = 1e12
SMALLEST_RADIUS = 1e-6  # m, of a buoyancy element: a body may displace nothing


class PackedVehicle(NamedTuple):
    """One vehicle ready to run: its row, the layout of the row, locked degrees of freedom and simplifications."""

    row: Array
    layout: Layout
    locked: tuple[str, ...]
    simplifications: tuple[str, ...]

    @property
    def actuators(self) -> int:
        """Number of thrusters, fins, servos and moving masses, in this order."""
        return actuator_count(self.layout)

    @property
    def actuator_states(self) -> int:
        """Size of the actuator part of a state: outputs of the actuators, then speeds of moving masses."""
        return actuator_state_count(self.layout)


def resting_outputs(packed: PackedVehicle) -> Array:
    """Outputs of actuators at rest: zero, and the neutral outputs of moving masses."""
    outputs = np.zeros(packed.actuators)
    for i in range(packed.layout.moving_masses):
        outputs[packed.actuators - packed.layout.moving_masses + i] = moving_mass_at(
            packed.row, moving_mass_start(packed.layout, i)
        ).neutral
    return outputs


def pack(
    parameters: VehicleParameters, locked: tuple[str, ...] | str = (), simplifications: tuple[str, ...] | str = ()
) -> PackedVehicle:
    """Pack a vehicle, with locked degrees of freedom and simplifications in addition to those of its file.

    Parameters
    ----------
    parameters
        Parameters of the vehicle, in SI and body axes.
    locked
        Degrees of freedom that do not move: surge, sway, heave, roll, pitch, yaw.
    simplifications
        ``coriolis_off`` leaves out all Coriolis and centripetal terms; ``munk_off`` leaves out the coupling of the
        water's linear momentum with pitch and yaw, force and moment together, and keeps that with roll.
    """
    locked = _chosen("degree of freedom", DEGREES_OF_FREEDOM, parameters.locked, locked)
    simplifications = _chosen("simplification", SIMPLIFICATIONS, parameters.simplifications, simplifications)
    moving_masses = [
        moving_mass._replace(coriolis_factor=0.0 if "coriolis_off" in simplifications else 1.0)
        for moving_mass in parameters.moving_masses
    ]
    hull, asymmetry = _hull(without_moving_masses(parameters), locked, simplifications)
    asymmetric_heave, coriolis = parameters.heave_up is not None, _coriolis_code(simplifications)
    tensor, lift = parameters.tensor_damping is not None, parameters.lift is not None
    forms = asymmetric_heave or tensor or lift or parameters.strips or coriolis == WITHOUT_MUNK
    layout = Layout(
        special=int(bool(forms or parameters.fins or locked)),
        locked=int(bool(locked)),
        asymmetric_heave=int(asymmetric_heave),
        tensor=int(tensor),
        lift=int(lift),
        coriolis=coriolis,
        thrust_law=parameters.thrust_law,
        mapped_commands=int(parameters.mapped_commands),
        strips=len(parameters.strips),
        thrusters=len(parameters.thrusters),
        fins=len(parameters.fins),
        slewing=int(_needs_slewing(parameters)),
        motors=int(any(parameters.motors)),
        harmonics=_harmonics(parameters),
        servos=len(parameters.servos),
        moving_masses=len(moving_masses),
        buoyancy_elements=len(buoyancy_elements_of(parameters)),
        water=ANY_WATER,
    )
    envelope = parameters.envelope or (NO_LIMIT,) * 6
    parts = (hull, asymmetry, [min(limit, NO_LIMIT) for limit in envelope], parameters.tensor_damping or ())
    devices = (parameters.lift or (), parameters.strips, parameters.thrusters, parameters.fins)
    general = (parameters.servos, _swivels(parameters), moving_masses, _motors(parameters), _quadrants(parameters))
    at_surface = (buoyancy_elements_of(parameters), _fading_added_mass(parameters))
    row = np.array(_flat((parts, devices, general, at_surface), []), dtype=float)
    return PackedVehicle(row, layout, locked, simplifications)


def _needs_slewing(parameters: VehicleParameters) -> bool:
    """Whether an output has a rate limit, or its rate enters the dynamics."""
    limited = any(fin.rate_limit < UNLIMITED_RATE for fin in parameters.fins)
    return limited or bool(parameters.servos or parameters.moving_masses)


def _swivels(parameters: VehicleParameters) -> list[Any]:
    """Swivel of each thruster, and the factor of each servo in its angle."""
    if not parameters.servos:
        return []
    count, fixed = len(parameters.servos), Swivel(ZERO3, 0.0, ZERO6)
    pairs = zip(parameters.swivels, parameters.thruster_servos, strict=True)
    return [(swivel or fixed, [float(j == own) for j in range(count)]) for swivel, own in pairs]


def _motors(parameters: VehicleParameters) -> list[Any]:
    """The motor of each thruster after a flag; an absent one has numbers that are safe to divide by."""
    if not any(parameters.motors):
        return []
    absent = Motor(1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    return [(1.0, motor) if motor else (0.0, absent) for motor in parameters.motors]


def _harmonics(parameters: VehicleParameters) -> int:
    """Highest order of any four-quadrant series, at least one; 0 without a series."""
    orders = [max(len(series.cosines), len(series.sines)) - 1 for series in parameters.quadrants if series]
    return max(1, *orders) if orders else 0


def _quadrants(parameters: VehicleParameters) -> list[Any]:
    """The four-quadrant series of each thruster, all of one order."""
    order = _harmonics(parameters)
    if not order:
        return []
    absent = (Disc(0.0, 0.0), [0.0] * (2 * (order + 1)))
    return [(s.disc, _padded(s.cosines, order), _padded(s.sines, order)) if s else absent for s in parameters.quadrants]


def buoyancy_elements_of(parameters: VehicleParameters) -> tuple[BuoyancyElement, ...]:
    """The buoyancy elements of a vehicle; without any, one sphere of its whole volume."""
    if parameters.buoyancy_elements:
        return parameters.buoyancy_elements
    radius = sphere_radius(parameters.displaced_mass / parameters.density)
    return (BuoyancyElement(parameters.p_BC, radius, parameters.displaced_mass),)


def sphere_radius(volume: float) -> float:
    """Radius of a sphere of a volume in m3; not zero, because a body may displace nothing."""
    return max((0.75 * volume / math.pi) ** (1.0 / 3.0), SMALLEST_RADIUS)


def _padded(coefficients: tuple[float, ...], order: int) -> list[float]:
    return [*coefficients, *[0.0] * (order + 1 - len(coefficients))]


def _chosen(
    kind: str, known: tuple[str, ...], of_file: tuple[str, ...], asked: tuple[str, ...] | str
) -> tuple[str, ...]:
    """The named options in their usual order, each once; a single name may be given as a string."""
    names = (*of_file, *((asked,) if isinstance(asked, str) else asked))
    for name in names:
        if name not in known:
            raise ValueError(f"unknown {kind} {name!r}: choose from {', '.join(known)}")
    return tuple(name for name in known if name in names)


def _flat(value: Any, row: list[float]) -> list[float]:
    """Append all numbers of nested tuples to a row, in order."""
    for item in value:
        if isinstance(item, tuple | list):
            _flat(item, row)
        else:
            row.append(float(item))
    return row


def _hull(
    parameters: VehicleParameters, locked: tuple[str, ...], simplifications: tuple[str, ...]
) -> tuple[Hull, HeaveAsymmetry]:
    """The hull with the mean of sinking and rising, and half their difference."""
    inertia = np.array(total_inertia(parameters))
    linear, quadratic = np.array(parameters.linear_damping), np.array(parameters.quadratic_damping)
    half = np.zeros(3)
    if parameters.heave_up is not None:
        up = parameters.heave_up
        half = 0.5 * np.array([
            parameters.added_mass[2][2] - up.added_mass, linear[2, 2] - up.linear_damping,
            quadratic[2, 2] - up.quadratic_damping,
        ])  # fmt: skip
        inertia[2, 2], linear[2, 2], quadratic[2, 2] = (
            inertia[2, 2] - half[0],
            linear[2, 2] - half[1],
            quadratic[2, 2] - half[2],
        )
    momentum = 0.0 if simplifications else half[0]
    hull = Hull(
        inertia=_tuples(inertia),
        inverse_inertia=_tuples(_inverse_of_free_part(inertia, locked)),
        coriolis_inertia=_tuples(_coriolis_inertia(parameters, inertia, simplifications)),
        linear_damping=_tuples(linear),
        quadratic_damping=_tuples(quadratic),
        cubic_surge=parameters.cubic_surge,
        mass=parameters.mass,
        displaced_mass=parameters.displaced_mass,
        p_BG=parameters.p_BG,
        p_BC=parameters.p_BC,
        gravity=parameters.gravity,
    )
    return hull, HeaveAsymmetry(half[0], momentum, half[1], half[2])


def _fading_added_mass(parameters: VehicleParameters) -> Any:
    """The added mass that vanishes above the surface; zero where only a total inertia is known."""
    if parameters.total_inertia_only:
        return [0.0] * 36
    added = np.array(parameters.added_mass)
    if parameters.heave_up is not None:
        added[2, 2] = 0.5 * (added[2, 2] + parameters.heave_up.added_mass)
    return _tuples(added)


def _coriolis_code(simplifications: tuple[str, ...]) -> int:
    """The part of the momentum in the Coriolis wrench."""
    if "coriolis_off" in simplifications:
        return WITHOUT_CORIOLIS
    return WITHOUT_MUNK if "munk_off" in simplifications else FULL_CORIOLIS


def _tuples(matrix: Array) -> Any:
    return tuple(tuple(row) for row in matrix.tolist())


def _inverse_of_free_part(inertia: Array, locked: tuple[str, ...]) -> Array:
    """Inverse inertia of the free degrees of freedom; rows and columns of locked ones are zero."""
    free = [i for i, name in enumerate(DEGREES_OF_FREEDOM) if name not in locked]
    inverse = np.zeros((6, 6))
    inverse[np.ix_(free, free)] = np.linalg.inv(inertia[np.ix_(free, free)])
    return inverse


def _coriolis_inertia(parameters: VehicleParameters, inertia: Array, simplifications: tuple[str, ...]) -> Array:
    """The inertia of the Coriolis wrench: the whole inertia, unless a simplification changes it."""
    if "coriolis_off" in simplifications:
        return np.zeros((6, 6))
    if "munk_off" in simplifications:
        # Without the water's linear momentum neither its force nor its moment appears, so still no work is done.
        # `equations.hull.coriolis.roll_coupling_wrench` adds the roll-rate coupling again.
        without = inertia.copy()
        without[:3] = np.array(parameters.rigid_body_inertia)[:3]
        return without
    return inertia
