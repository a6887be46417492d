"""Packing of a vehicle's parameters into the flat row that compiled code, symbols and batches read."""

from typing import Any, NamedTuple

import numpy as np

from remora.equations.actuators.drives import Motor
from remora.equations.actuators.quadrants import Disc
from remora.equations.actuators.servos import Swivel
from remora.equations.actuators.slewing import UNLIMITED_RATE
from remora.equations.algebra.vectors import ZERO3, ZERO6, diagonal6
from remora.equations.hull.forms.form import Form, HullForce
from remora.equations.hull.forms.table import BASIC_FORMS, OPTIONAL_FORMS, records_of
from remora.equations.hull.inertia import HeaveAsymmetry
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
from remora.equations.types import Matrix6
from remora.equations.water.local_water import ANY_WATER
from remora.files.arrays import Array
from remora.vehicles.hull_forces import hull_forces
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, buoyancy_elements_of, total_inertia, with_heave
from remora.vehicles.variants.body_without_moving_masses import without_moving_masses

SIMPLIFICATIONS = ("coriolis_off", "munk_off")
NO_LIMIT = 1e12  # of commands, beyond any number in use
LARGEST_SPEED = 1e6  # m/s and rad/s; nothing under water reaches it: a motion beyond has diverged, and ends a run
NO_MATRIX = diagonal6(ZERO6)


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
    forces = hull_forces(parameters)
    hull, asymmetry = _hull(without_moving_masses(parameters), forces, locked, simplifications)
    coriolis, forms = _coriolis_code(simplifications), _packed_forms(forces)
    optional = parameters.heave_up or parameters.forces or parameters.fins
    elements = buoyancy_elements_of(parameters)
    layout = Layout(
        special=int(bool(optional or locked or coriolis == WITHOUT_MUNK)),
        locked=int(bool(locked)),
        asymmetric_heave=int(parameters.heave_up is not None),
        coriolis=coriolis,
        thrust_law=parameters.thrust_law,
        mapped_commands=int(parameters.mapped_commands),
        thrusters=len(parameters.thrusters),
        fins=len(parameters.fins),
        slewing=int(_needs_slewing(parameters)),
        motors=int(any(parameters.motors)),
        harmonics=_harmonics(parameters),
        servos=len(parameters.servos),
        moving_masses=len(moving_masses),
        buoyancy_elements=len(elements),
        water=ANY_WATER,
        forms=forms.counts,
        forms_size=len(forms.numbers),
        user_forms_size=len(forms.user_numbers),
        user_forms=forms.user_forms,
    )
    envelope = [min(limit, LARGEST_SPEED) for limit in parameters.envelope or [LARGEST_SPEED] * 6]
    devices = (parameters.thrusters, parameters.fins)
    general = (parameters.servos, _swivels(parameters), moving_masses, _motors(parameters), _quadrants(parameters))
    at_surface = (elements, _fading_added_mass(parameters))
    row = _flat((hull, asymmetry, envelope, forms.numbers, forms.user_numbers, devices, general, at_surface), [])
    return PackedVehicle(np.array(row, dtype=float), layout, locked, simplifications)


class _PackedForms(NamedTuple):
    """Optional hull force forms of a vehicle: counts and numbers of their records."""

    counts: tuple[int, ...]  # per optional form of the table
    numbers: list[float]
    user_forms: tuple[Form, ...]  # one per record
    user_numbers: list[float]


_NO_FORMS = _PackedForms((0,) * len(OPTIONAL_FORMS), [], (), [])


def _packed_forms(forces: tuple[HullForce, ...]) -> _PackedForms:
    """Records of the optional forms of the table in its order, and of user-defined forms in that of the vehicle."""
    if len(forces) == len(BASIC_FORMS):
        return _NO_FORMS
    records = [records_of(forces, form) for form in OPTIONAL_FORMS]
    own = [(force.form, record) for force in forces if force.form.origin is not None for record in force.records]
    return _PackedForms(
        counts=tuple(map(len, records)),
        numbers=_flat(records, []),
        user_forms=tuple(form for form, _ in own),
        user_numbers=_flat([record for _, record in own], []),
    )


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
    return [((1.0,), motor) if motor else ((0.0,), absent) for motor in parameters.motors]


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
    """Append all numbers of nested tuples and lists to a row, in order."""
    append, extend = row.append, row.extend
    for item in value:
        kind = type(item)
        if kind is float:
            append(item)
        elif (kind is tuple or kind is list) and item and type(item[0]) is float:
            extend(item)  # a vector; records, which are subclasses of tuple, may be nested
        elif isinstance(item, (tuple, list)):
            _flat(item, row)
        else:
            append(float(item))
    return row


def _hull(
    parameters: VehicleParameters,
    forces: tuple[HullForce, ...],
    locked: tuple[str, ...],
    simplifications: tuple[str, ...],
) -> tuple[Hull, HeaveAsymmetry]:
    """The hull with the mean of sinking and rising, and half the difference of their mass."""
    p, up = parameters, parameters.heave_up
    inertia, half = total_inertia(p), 0.0
    if up is not None:
        half = 0.5 * (p.added_mass[2][2] - up.added_mass)
        inertia = with_heave(inertia, inertia[2][2] - half)
    hull = Hull(
        inertia=inertia,
        inverse_inertia=_inverse_of_free_part(inertia, locked),
        coriolis_inertia=_coriolis_inertia(p, inertia, simplifications),
        damping=tuple(force.records[0] for force in forces[: len(BASIC_FORMS)]),
        mass=p.mass,
        displaced_mass=p.displaced_mass,
        p_BG=p.p_BG,
        p_BC=p.p_BC,
        gravity=p.gravity,
    )
    return hull, HeaveAsymmetry(half, 0.0 if simplifications else half)


def _fading_added_mass(parameters: VehicleParameters) -> Matrix6:
    """The added mass that vanishes above the surface; zero where only a total inertia is known."""
    added, up = parameters.added_mass, parameters.heave_up
    if parameters.total_inertia_only:
        return NO_MATRIX
    return added if up is None else with_heave(added, 0.5 * (added[2][2] + up.added_mass))


def _coriolis_code(simplifications: tuple[str, ...]) -> int:
    """The part of the momentum in the Coriolis wrench."""
    if "coriolis_off" in simplifications:
        return WITHOUT_CORIOLIS
    return WITHOUT_MUNK if "munk_off" in simplifications else FULL_CORIOLIS


def _inverse_of_free_part(inertia: Matrix6, locked: tuple[str, ...]) -> Any:
    """Inverse inertia of the free degrees of freedom; rows and columns of locked ones are zero."""
    if not locked:
        return np.linalg.inv(np.array(inertia)).tolist()
    free = [i for i, name in enumerate(DEGREES_OF_FREEDOM) if name not in locked]
    inverse = np.zeros((6, 6))
    inverse[np.ix_(free, free)] = np.linalg.inv(np.array(inertia)[np.ix_(free, free)])
    return inverse.tolist()


def _coriolis_inertia(parameters: VehicleParameters, inertia: Matrix6, simplifications: tuple[str, ...]) -> Matrix6:
    """The inertia of the Coriolis wrench: the whole inertia, unless a simplification changes it."""
    if "coriolis_off" in simplifications:
        return NO_MATRIX
    if "munk_off" in simplifications:
        # Without the water's linear momentum neither its force nor its moment appears, so still no work is done.
        # `equations.hull.inertia.roll_coupling_wrench` adds the roll-rate coupling again.
        x, y, z = parameters.rigid_body_inertia[:3]
        return (x, y, z, inertia[3], inertia[4], inertia[5])
    return inertia
