"""The equation of motion as a linear regression, evaluated by the equations themselves.

The equation of motion is linear in added mass, damping, buoyancy and thrust effectiveness. The regressor of a parameter
is therefore the result of the equations for one unit of it and structural zeros for all others: the equations accept
any operand with arithmetic operators, and a structural zero removes its terms without computing them and shows which
components of a wrench a parameter affects.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.actuators.propulsion import thrust_from_output, thrusters_wrench
from remora.equations.actuators.thrusters import effective_thrust
from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.vectors import ZERO6, add6, matvec6, scale6, subtract6
from remora.equations.hull.forms.form import Form
from remora.equations.hull.forms.rising_heave import RISING_HEAVE, HeaveDampingDifference
from remora.equations.hull.forms.table import BASIC_FORMS
from remora.equations.hull.inertia import (
    HeaveAsymmetry,
    heave_asymmetry_wrench,
    heave_blend,
    heave_mass_change,
    roll_coupling_wrench,
)
from remora.equations.motion import Hull, inverse_dynamics
from remora.equations.packed import heave_asymmetry_at, hull_at
from remora.equations.plant import special_wrench
from remora.equations.water.current import current_twist
from remora.files.arrays import Array
from remora.identification.force_parameters import filled
from remora.identification.parameter_names import (
    FORM_OF,
    MATRICES,
    RISING,
    SCALARS,
    ParameterNameError,
    parsed,
)
from remora.plant.pack import PackedVehicle
from remora.vehicles.parameters import VehicleParameters


@final
class StructuralZero:
    """Exact zero: the identity of sums, absorbing in products."""

    __slots__ = ()
    __array_ufunc__ = None  # arrays defer to the operators of this class

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return -other

    def __rsub__(self, other: Any) -> Any:
        return other

    def __mul__(self, other: Any) -> "StructuralZero":
        return self

    __rmul__ = __mul__
    __truediv__ = __mul__

    def __neg__(self) -> "StructuralZero":
        return self

    def __abs__(self) -> "StructuralZero":
        return self

    def __float__(self) -> float:
        return 0.0


STRUCTURAL_ZERO: Any = StructuralZero()
STRUCTURAL_ZERO3: Any = (STRUCTURAL_ZERO,) * 3
STRUCTURAL_ZERO6: Any = (STRUCTURAL_ZERO,) * 6
STRUCTURAL_ZERO66: Any = (STRUCTURAL_ZERO6,) * 6


def unit66(i: int, j: int, value: float = 1.0) -> Any:
    """6x6 matrix with one nonzero element."""
    return tuple(
        tuple(value if (row, column) == (i, j) else STRUCTURAL_ZERO for column in range(6)) for row in range(6)
    )


_HEAVE = (2, 2)
_NO_HULL = Hull(
    inertia=STRUCTURAL_ZERO66,
    inverse_inertia=STRUCTURAL_ZERO66,
    coriolis_inertia=STRUCTURAL_ZERO66,
    damping=tuple(
        form.record(*(filled(field.shape, STRUCTURAL_ZERO) for field in form.section)) for form in BASIC_FORMS
    ),
    mass=STRUCTURAL_ZERO,
    displaced_mass=STRUCTURAL_ZERO,
    p_BG=STRUCTURAL_ZERO3,
    p_BC=STRUCTURAL_ZERO3,
    gravity=STRUCTURAL_ZERO,
)
_NO_ASYMMETRY = HeaveAsymmetry(STRUCTURAL_ZERO, STRUCTURAL_ZERO)


class MotionSamples(NamedTuple):
    """Motion and inputs over time: each number is an array over the samples."""

    twist: Any  # six, relative to the water
    down_B: Any  # three
    outputs: Any  # one per actuator, thrusters first
    external: Any  # six: wrench from outside


class Wrenches(NamedTuple):
    """Terms of the equation of motion, required less applied, separated by their prefilter."""

    inertia: Any  # 6x6, multiplies the rate of the twist
    heave_mass: Any  # array or StructuralZero, multiplies the rate of heave: mass that depends on the direction
    term: Any  # six: from the motion
    effort: Any  # six: from the inputs


def relative_twist(twist: Array, quaternion: Array | None, water: Array | None) -> Array:
    """Twist relative to the water, one row per sample; unmeasured components are zero."""
    known = np.nan_to_num(twist)
    if water is None or quaternion is None:
        return known
    six, q, flow = (tuple(table.T) for table in (known, quaternion, water))
    return np.column_stack(subtract6(six, current_twist(q, flow)))


def motion_of(twist: Array, quaternion: Array | None, outputs: Array, external: Array) -> MotionSamples:
    """Motion from tables with one row per sample, the twist relative to the water; level without a quaternion."""
    down: Any = (0.0, 0.0, 1.0)
    if quaternion is not None:
        q: Any = tuple(quaternion.T)
        down = down_in_body(q)
    return MotionSamples(tuple(twist.T), down, tuple(outputs.T), tuple(external.T))


def base_wrenches(packed: PackedVehicle, motion: MotionSamples) -> Wrenches:
    """The equation of motion with the parameters of the vehicle."""
    row, layout = packed.row, packed.layout
    twist = motion.twist
    special = special_wrench(row, layout, motion.outputs, twist, ZERO6) if layout.special else ZERO6
    hull = hull_at(row)
    change = heave_mass_change(heave_asymmetry_at(row), twist[2]) if layout.asymmetric_heave else STRUCTURAL_ZERO
    term = subtract6(inverse_dynamics(hull, twist, ZERO6, motion.down_B), special)
    return Wrenches(hull.inertia, change, term, _effort(packed, motion))


def input_wrenches(packed: PackedVehicle, motion: MotionSamples) -> Wrenches:
    """Terms of the equation of motion that depend on inputs: effort, and fins within the motion term."""
    row, layout = packed.row, packed.layout
    finned = layout.special and layout.fins
    special = special_wrench(row, layout, motion.outputs, motion.twist, ZERO6) if finned else STRUCTURAL_ZERO6
    return Wrenches(STRUCTURAL_ZERO66, STRUCTURAL_ZERO, scale6(-1.0, special), _effort(packed, motion))


def _effort(packed: PackedVehicle, motion: MotionSamples) -> Any:
    thrust = thrusters_wrench(packed.row, packed.layout, motion.outputs, motion.twist)
    return scale6(-1.0, add6(motion.external, thrust))


def unit_wrenches(name: str, vehicle: VehicleParameters, motion: MotionSamples) -> Wrenches:
    """Contribution of one unit of a parameter to the equation of motion."""
    hull = unit_hull(name, vehicle)
    if hull is not None:
        return _with_roll_coupling(_hull_unit(hull, motion), vehicle, matvec6(hull.inertia, motion.twist), motion)
    found = parsed(name, vehicle)
    if found.kind == "matrix":
        if (own := FORM_OF.get(found.head)) is not None and own not in BASIC_FORMS:
            return _from_motion(own.wrench(own.record(unit66(*found.element)), motion.twist))
        return _heave_unit(MATRICES[found.head], vehicle, motion, rising=False)
    if found.kind == "rising heave":
        return _heave_unit(RISING[found.last][0], vehicle, motion, rising=True)
    if found.kind == "center":
        return _center_unit("xyz".index(found.last), vehicle, motion)
    if found.force is not None:
        form = vehicle.forces[found.force.position].form
        wrench = form.wrench(found.force.unit_record(vehicle), motion.twist)
        return _from_motion(tuple(part if np.any(part) else STRUCTURAL_ZERO for part in wrench))
    if found.kind != "effectiveness":
        raise ParameterNameError(f'"{name}" is no number in which the equation of motion is linear.')
    return _thrust_unit(found.which, found.ways, vehicle, motion)


def _from_motion(term: Any) -> Wrenches:
    """A wrench that depends on the motion only."""
    return Wrenches(STRUCTURAL_ZERO66, STRUCTURAL_ZERO, term, STRUCTURAL_ZERO6)


def unit_hull(name: str, vehicle: VehicleParameters) -> Hull | None:
    """Hull with one unit of a parameter and nothing else; None for parameters outside the hull."""
    found = parsed(name, vehicle)
    if found.kind == "scalar":
        return _NO_HULL._replace(damping=_unit_damping(SCALARS[name], 1.0))
    if found.kind == "buoyancy":
        # One newton of buoyancy: so much more water is displaced, at the place of the centre.
        return _NO_HULL._replace(displaced_mass=1.0 / vehicle.gravity, p_BC=vehicle.p_BC, gravity=vehicle.gravity)
    form = FORM_OF.get(found.head)
    if found.kind != "matrix" or (form is not None and form not in BASIC_FORMS):
        return None
    i, j = found.element
    if (i, j) == _HEAVE and vehicle.heave_up is not None:
        return None
    unit = unit66(i, j)
    if form is not None:
        return _NO_HULL._replace(damping=_unit_damping(form, unit))
    if i != j:
        unit = tuple(tuple(a if isinstance(b, StructuralZero) else b for a, b in zip(*rows, strict=True))
                     for rows in zip(unit, unit66(j, i), strict=True))  # fmt: skip
    return _NO_HULL._replace(inertia=unit, coriolis_inertia=_carried(unit, vehicle))


def _unit_damping(form: Form, unit: Any) -> Any:
    """Records of the basic forms with one unit of a parameter of one of them."""
    return tuple(
        known.record(unit) if known == form else record
        for known, record in zip(BASIC_FORMS, _NO_HULL.damping, strict=True)
    )


def _hull_unit(hull: Hull, motion: MotionSamples, heave: HeaveAsymmetry = _NO_ASYMMETRY) -> Wrenches:
    term = inverse_dynamics(hull, motion.twist, STRUCTURAL_ZERO6, motion.down_B)
    change: Any = STRUCTURAL_ZERO
    if heave is not _NO_ASYMMETRY:
        term = add6(term, heave_asymmetry_wrench(heave, motion.twist))
        change = heave.inertia * heave_blend(motion.twist[2])
    return Wrenches(hull.inertia, change, term, STRUCTURAL_ZERO6)


def _carried(unit: Any, vehicle: VehicleParameters) -> Any:
    """Part of an added mass in the Coriolis terms, with the simplifications of the vehicle."""
    if "coriolis_off" in vehicle.simplifications:
        return STRUCTURAL_ZERO66
    if "munk_off" in vehicle.simplifications:
        return (STRUCTURAL_ZERO6, STRUCTURAL_ZERO6, STRUCTURAL_ZERO6, *unit[3:])
    return unit


def _with_roll_coupling(
    wrenches: Wrenches, vehicle: VehicleParameters, momentum: Any, motion: MotionSamples
) -> Wrenches:
    """Wrenches with the linear momentum of an added mass that `munk_off` keeps."""
    if "munk_off" not in vehicle.simplifications or "coriolis_off" in vehicle.simplifications:
        return wrenches
    _, sway, heave, roll, _, _ = roll_coupling_wrench(momentum[:3], motion.twist)
    return wrenches._replace(
        term=add6(wrenches.term, (STRUCTURAL_ZERO, sway, heave, roll, STRUCTURAL_ZERO, STRUCTURAL_ZERO))
    )


def _heave_unit(field: str, vehicle: VehicleParameters, motion: MotionSamples, rising: bool) -> Wrenches:
    """Heave element of one direction: half in the mean, half in the difference of sinking and rising."""
    unit, half = unit66(*_HEAVE, 0.5), -0.5 if rising else 0.5
    if field != "added_mass":
        form = next(known for known in BASIC_FORMS if known.section[0].name == field)
        wrenches = _hull_unit(_NO_HULL._replace(damping=_unit_damping(form, unit)), motion)
        nothing = HeaveDampingDifference(STRUCTURAL_ZERO, STRUCTURAL_ZERO)
        difference = RISING_HEAVE.wrench(nothing._replace(**{field: half}), motion.twist)
        return wrenches._replace(term=add6(wrenches.term, difference))
    carried = _carried(unit, vehicle)
    momentum = STRUCTURAL_ZERO if vehicle.simplifications else half
    hull = _NO_HULL._replace(inertia=unit, coriolis_inertia=carried)
    wrenches = _hull_unit(hull, motion, HeaveAsymmetry(half, momentum))
    heave = motion.twist[2]
    whole = (STRUCTURAL_ZERO, STRUCTURAL_ZERO, (0.5 + half * heave_blend(heave)) * heave)
    return _with_roll_coupling(wrenches, vehicle, whole, motion)


def _center_unit(axis: int, vehicle: VehicleParameters, motion: MotionSamples) -> Wrenches:
    """One metre of the centre of buoyancy: the moment of the buoyancy without its force."""
    place: Any = tuple(1.0 if k == axis else STRUCTURAL_ZERO for k in range(3))
    hull = _NO_HULL._replace(displaced_mass=vehicle.displaced_mass, gravity=vehicle.gravity)
    whole = inverse_dynamics(hull._replace(p_BC=place), motion.twist, STRUCTURAL_ZERO6, motion.down_B)
    return Wrenches(STRUCTURAL_ZERO66, STRUCTURAL_ZERO, (*STRUCTURAL_ZERO3, *whole[3:]), STRUCTURAL_ZERO6)


def _thrust_unit(
    which: Sequence[int], ways: Sequence[str], vehicle: VehicleParameters, motion: MotionSamples
) -> Wrenches:
    wrench: Any = STRUCTURAL_ZERO6
    for i in which:
        whole = vehicle.thrusters[i]._replace(
            effectiveness_forward=float("forward" in ways), effectiveness_reverse=float("reverse" in ways)
        )
        force = effective_thrust(whole, thrust_from_output(whole, vehicle.thrust_law, motion.outputs[i], motion.twist))
        effect: Any = tuple(share if share else STRUCTURAL_ZERO for share in whole.effect)
        wrench = subtract6(wrench, scale6(force, effect))
    return Wrenches(STRUCTURAL_ZERO66, STRUCTURAL_ZERO, STRUCTURAL_ZERO6, wrench)


def rate_product(wrenches: Wrenches, rate: Any) -> Any:
    """Inertia times the rate of the twist."""
    return matvec6(wrenches.inertia, rate)


def reaches(component: Any) -> bool:
    """Whether a component of a wrench is not structurally zero."""
    return not isinstance(component, StructuralZero)


def as_column(component: Any, samples: int) -> Array:
    """A component as an array over the samples."""
    return (
        np.zeros(samples)
        if isinstance(component, StructuralZero)
        else np.broadcast_to(np.asarray(component), (samples,))
    )
