"""Vehicle parameters that a fit may change, by name.

Names follow the vehicle file: `added_mass.surge` (diagonal), `added_mass.roll_sway` (off the diagonal, both partners),
`total_inertia.surge` (rigid body and added mass together), `damping.linear.surge`, `damping.quadratic.roll_sway`,
`damping.lift.yaw_sway`, `damping.cubic_surge`, `rising_heave.added_mass`, `rising_heave.linear`,
`rising_heave.quadratic`, `body.net_buoyancy`, `body.center_of_buoyancy.x`, and for thrusters
`thrusters.effectiveness` (one for all), `thrusters.NAME.effectiveness` (both ways alike),
`thrusters.NAME.effectiveness.forward` and `.reverse`, which scale the thrust curve; likewise `thrusters.time_constant`,
`thrusters.NAME.time_constant`, `.rise` and `.fall`; `thrusters.dead_band` and `thrusters.NAME.dead_band` (half width,
in the unit of the command); `fins.time_constant` and `fins.NAME.time_constant`. Those of the list `forces` are in
`force_parameters`.

Some parameters are not part of the vehicle: `current.north`, `current.east`, `current.down` and `delay` belong to a
record and its sensors. They appear in a fit with their uncertainty, read as zero, and do not change a vehicle.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.equations.hull.forms.form import Form
from remora.equations.hull.forms.rising_heave import RISING_HEAVE
from remora.equations.hull.forms.table import BASIC_FORMS, FORMS
from remora.equations.types import Matrix6
from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.identification.force_parameters import PREFIX, force_parameters
from remora.vehicles import names as vocabulary
from remora.vehicles.drives import DIRECT, ThrusterDrive
from remora.vehicles.parameters import HeaveUp, VehicleParameters, form_records, net_buoyancy, with_form
from remora.vehicles.sections.vehicle_sections import DampingSection

ELEMENTS = {**{name: (i, i) for i, name in enumerate(vocabulary.DEGREES_OF_FREEDOM)}, **vocabulary.ELEMENTS}
_XYZ = ("x", "y", "z")
_ZERO66: Matrix6 = ((0.0,) * 6,) * 6
_UNITS = {
    "added_mass": vocabulary.ADDED_MASS_ELEMENTS,
    "total_inertia": vocabulary.ADDED_MASS_ELEMENTS,
    "damping.linear": vocabulary.LINEAR_ELEMENTS,
    "damping.quadratic": vocabulary.QUADRATIC_ELEMENTS,
    "damping.lift": vocabulary.LIFT_ELEMENTS,
}
# Forms of the section `damping` whose parameters can be fitted: those with one matrix by the prefix of the names of its
# elements, those with one number by its name.
_FITTED = {
    f"damping.{form.name}": form
    for form in FORMS
    if form.name in DampingSection.model_fields and form.fitted == tuple(field.name for field in form.section)
}
FORM_OF: dict[str, Form] = {head: form for head, form in _FITTED.items() if form.section[0].shape == (6, 6)}
SCALARS: dict[str, Form] = {name: form for name, form in _FITTED.items() if not form.section[0].shape}
# Prefix of a name -> matrix of the vehicle.
MATRICES = {
    "added_mass": "added_mass",
    "total_inertia": "added_mass",
    **{head: form.section[0].name if form in BASIC_FORMS else form.name for head, form in FORM_OF.items()},
}
RISING = {
    "added_mass": ("added_mass", "kg"),
    **{field.name.removesuffix("_damping"): (field.name, field.unit) for field in RISING_HEAVE.section},
}
# Parameters of a trajectory that are not part of a vehicle.
CURRENT = ("current.north", "current.east", "current.down")
BESIDE = {**dict.fromkeys(CURRENT, "m/s"), "delay": "s"}
# Thruster parameters with two directions: directions, fields, unit.
_SHARES = (("forward", "reverse"), ("effectiveness_forward", "effectiveness_reverse"), "1")
_LAGS = (("rise", "fall"), ("rise_time", "fall_time"), "s")


class ParameterNameError(ValueError):
    """No parameter of the vehicle has this name."""


class Parameter(NamedTuple):
    """One parameter of a vehicle: name, unit, getter and setter."""

    name: str
    unit: str
    read: Callable[[VehicleParameters], float]
    write: Callable[[VehicleParameters, float], VehicleParameters]


def parameter(name: str, vehicle: VehicleParameters) -> Parameter:
    """Parameter of a vehicle by name; a ParameterNameError with similar names for an unknown one."""
    head, _, last = name.rpartition(".")
    if head in MATRICES and last in ELEMENTS:
        return _matrix_element(name, head, *ELEMENTS[last])
    if name in SCALARS:
        return _plain(name, SCALARS[name].section[0].unit, SCALARS[name].section[0].name)
    if head == "rising_heave" and last in RISING and vehicle.heave_up is not None:
        return _rising(name, *RISING[last])
    if name.startswith(PREFIX) and (found := force_parameters(vehicle).get(name)):
        return Parameter(name, found.field.unit, found.read, found.write)
    if name == "body.net_buoyancy":
        return Parameter(name, "N", net_buoyancy, lambda p, x: p._replace(displaced_mass=p.mass + x / p.gravity))
    if head == "body.center_of_buoyancy" and last in _XYZ:
        return _center_of_buoyancy(name, _XYZ.index(last))
    if name in BESIDE:
        return Parameter(name, BESIDE[name], lambda p: 0.0, lambda p, x: p)
    actuator = _thruster_number(name, vehicle) or _dead_band(name, vehicle) or _fin_lag(name, vehicle)
    if actuator is not None:
        return actuator
    known = (*known_names(vehicle), *BESIDE)
    raise ParameterNameError(f'"{name}" is no number of this vehicle. {suggestion(name, known)}')


def known_names(vehicle: VehicleParameters) -> tuple[str, ...]:
    """All parameters of a vehicle that can be fitted, without those of `BESIDE`."""
    matrices = [f"{head}.{element}" for head in MATRICES for element in _shortest_elements()]
    rising = [f"rising_heave.{key}" for key in RISING] if vehicle.heave_up is not None else []
    body = [*SCALARS, "body.net_buoyancy", *(f"body.center_of_buoyancy.{axis}" for axis in _XYZ)]
    return (*matrices, *rising, *body, *force_parameters(vehicle), *_actuator_names(vehicle))


def _actuator_names(vehicle: VehicleParameters) -> list[str]:
    """Parameters of all thrusters or fins together, then of each."""
    names = []
    for key, ways in (("effectiveness", _SHARES[0]), ("time_constant", _LAGS[0])):
        names += [f"thrusters.{key}"] if vehicle.thrusters else []
        names += [
            f"thrusters.{own}.{key}{way}" for own in vehicle.thruster_names for way in ("", *(f".{w}" for w in ways))
        ]
    pulses = [bool(vehicle.drives) and vehicle.drives[i].law is not None for i in range(len(vehicle.thrusters))]
    names += ["thrusters.dead_band"] if vehicle.thrusters and not any(pulses) else []
    own_names = zip(vehicle.thruster_names, pulses, strict=True)
    names += [f"thrusters.{own}.dead_band" for own, pulse in own_names if not pulse]
    names += ["fins.time_constant"] if vehicle.fins else []
    return [*names, *(f"fins.{own}.time_constant" for own in vehicle.fin_names)]


def values_of(vehicle: VehicleParameters, names: Sequence[str]) -> Array:
    """Values of parameters by name."""
    return np.array([parameter(name, vehicle).read(vehicle) for name in names])


def units_of(vehicle: VehicleParameters, names: Sequence[str]) -> tuple[str, ...]:
    """Units of parameters by name."""
    return tuple(parameter(name, vehicle).unit for name in names)


def with_values(vehicle: VehicleParameters, names: Sequence[str], values: ArrayLike) -> VehicleParameters:
    """The vehicle with changed parameters.

    Parameters
    ----------
    vehicle
        The vehicle.
    names, values
        Parameters and their new values, SI.
    """
    for name, value in zip(names, np.asarray(values, dtype=float).tolist(), strict=True):
        vehicle = parameter(name, vehicle).write(vehicle, value)
    return vehicle


def current_in(names: Sequence[str], values: ArrayLike, known: Sequence[float] = (0.0, 0.0, 0.0)) -> Array:
    """Current among some parameters, m/s north, east and down; other components are as known."""
    named = dict(zip(names, np.asarray(values, dtype=float).tolist(), strict=True))
    return np.array([named.get(name, flow) for name, flow in zip(CURRENT, known, strict=True)])


def canonical(name: str) -> str:
    """Canonical name: `added_mass.surge_surge` is `added_mass.surge`; symmetric elements are written row > column."""
    head, _, last = name.rpartition(".")
    if head not in MATRICES or last not in ELEMENTS:
        return name
    i, j = ELEMENTS[last]
    if MATRICES[head] == "added_mass" and i < j:
        i, j = j, i
    dof = vocabulary.DEGREES_OF_FREEDOM
    return f"{head}.{dof[i]}" if i == j else f"{head}.{dof[i]}_{dof[j]}"


def _shortest_elements() -> list[str]:
    dof = vocabulary.DEGREES_OF_FREEDOM
    return [dof[i] if i == j else name for name, (i, j) in vocabulary.ELEMENTS.items()]


def matrix_of(vehicle: VehicleParameters, field: str) -> Matrix6 | None:
    """A matrix of a vehicle by the field of `MATRICES`; None for an optional form that the vehicle lacks."""
    form = FORM_OF.get(f"damping.{field}")
    if form is None:
        matrix: Matrix6 = getattr(vehicle, field)
        return matrix
    records = form_records(vehicle, form)
    return records[0][0] if records else None


def _with_matrix(vehicle: VehicleParameters, field: str, matrix: Matrix6) -> VehicleParameters:
    form = FORM_OF.get(f"damping.{field}")
    return _changed(vehicle, **{field: matrix}) if form is None else with_form(vehicle, form, form.record(matrix))


def _with_element(matrix: Matrix6 | None, i: int, j: int, value: float) -> Any:
    rows = [list(row) for row in (matrix or _ZERO66)]
    rows[i][j] = value
    return tuple(tuple(row) for row in rows)


def _changed(numbers: Any, **changes: Any) -> Any:
    """NamedTuple with fields changed by name."""
    return numbers._replace(**changes)


def _matrix_element(name: str, head: str, i: int, j: int) -> Parameter:
    field = MATRICES[head]
    total, symmetric = head == "total_inertia", field == "added_mass"
    dof = vocabulary.DEGREES_OF_FREEDOM
    dimension = _UNITS[head][f"{dof[i]}_{dof[j]}"].dimension

    def read(p: VehicleParameters) -> float:
        matrix = matrix_of(p, field) or _ZERO66
        return float(matrix[i][j] + (p.rigid_body_inertia[i][j] if total else 0.0))

    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        value -= p.rigid_body_inertia[i][j] if total else 0.0
        matrix = _with_element(matrix_of(p, field), i, j, value)
        return _with_matrix(p, field, _with_element(matrix, j, i, value) if symmetric else matrix)

    return Parameter(name, dimension.units[0] if dimension else "", read, write)


def _plain(name: str, unit: str, field: str) -> Parameter:
    return Parameter(name, unit, lambda p: float(getattr(p, field)), lambda p, x: _changed(p, **{field: x}))


def _rising(name: str, field: str, unit: str) -> Parameter:
    def heave(p: VehicleParameters) -> HeaveUp:
        if p.heave_up is None:
            raise ParameterNameError(f'"{name}": this vehicle has no rising_heave.')
        return p.heave_up

    return Parameter(
        name,
        unit,
        lambda p: float(getattr(heave(p), field)),
        lambda p, x: p._replace(heave_up=heave(p)._replace(**{field: x})),
    )


def _center_of_buoyancy(name: str, axis: int) -> Parameter:
    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        place = list(p.p_BC)
        place[axis] = value
        return p._replace(p_BC=(place[0], place[1], place[2]))

    return Parameter(name, "m", lambda p: float(p.p_BC[axis]), write)


def thruster_choice(name: str, vehicle: VehicleParameters) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
    """Thrusters and directions (forward, reverse) of an effectiveness."""
    return _chosen(name, vehicle, "effectiveness", _SHARES[0])


def lag_choice(name: str, vehicle: VehicleParameters) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
    """Thrusters and directions (rise, fall) of a time constant."""
    return _chosen(name, vehicle, "time_constant", _LAGS[0])


def fin_lag_choice(name: str, vehicle: VehicleParameters) -> tuple[int, ...] | None:
    """Fins of a time constant."""
    if name == "fins.time_constant" and vehicle.fins:
        return tuple(range(len(vehicle.fins)))
    own = [i for i, fin in enumerate(vehicle.fin_names) if name == f"fins.{fin}.time_constant"]
    return tuple(own) or None


def dead_band_choice(name: str, vehicle: VehicleParameters) -> tuple[int, ...] | None:
    """Thrusters of a dead band."""
    choice = _chosen(name, vehicle, "dead_band", ())
    return choice[0] if choice else None


def is_lag(name: str, vehicle: VehicleParameters) -> bool:
    """Whether a parameter is the time constant of thrusters or fins."""
    return bool(lag_choice(name, vehicle) or fin_lag_choice(name, vehicle))


def is_time(name: str, vehicle: VehicleParameters) -> bool:
    """Whether a parameter is a lag or a delay."""
    return name == "delay" or is_lag(name, vehicle)


def is_linear(name: str, vehicle: VehicleParameters) -> bool:
    """Whether the equation of motion is linear in a parameter: not in a lag, a delay, a dead band or a current."""
    return not (name in BESIDE or is_time(name, vehicle) or dead_band_choice(name, vehicle))


def _chosen(
    name: str, vehicle: VehicleParameters, key: str, ways: tuple[str, ...]
) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
    if name == f"thrusters.{key}" and vehicle.thrusters:
        return tuple(range(len(vehicle.thrusters))), ways
    for i, own in enumerate(vehicle.thruster_names):
        whole = f"thrusters.{own}.{key}"
        if name == whole:
            return (i,), ways
        if name in [f"{whole}.{way}" for way in ways]:
            return (i,), (name.rpartition(".")[2],)
    return None


def _thruster_number(name: str, vehicle: VehicleParameters) -> Parameter | None:
    share, lag = thruster_choice(name, vehicle), lag_choice(name, vehicle)
    choice, (ways, fields, unit) = share or lag, _SHARES if share else _LAGS
    if choice is None:
        return None
    which, chosen = choice[0], [field for way, field in zip(ways, fields, strict=True) if way in choice[1]]

    def read(p: VehicleParameters) -> float:
        return float(np.mean([getattr(p.thrusters[i], field) for i in which for field in chosen]))

    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        changes = dict.fromkeys(chosen, value)
        thrusters = tuple(_changed(t, **changes) if i in which else t for i, t in enumerate(p.thrusters))
        return p._replace(thrusters=thrusters)

    return Parameter(name, unit, read, write)


def _dead_band(name: str, vehicle: VehicleParameters) -> Parameter | None:
    which = dead_band_choice(name, vehicle)
    if which is None:
        return None
    pulses = [vehicle.thruster_names[i] for i in which if vehicle.drives and vehicle.drives[i].law is not None]
    if pulses:
        raise ParameterNameError(
            f'"{name}": the drive of {", ".join(pulses)} takes pulse widths, and its dead band acts before the fit. '
            "Write dead_band: N us into the drive in the vehicle file, and compare several N by the RMSE of "
            "remora validate."
        )

    def drives(p: VehicleParameters) -> tuple[ThrusterDrive, ...]:
        return p.drives or (DIRECT,) * len(p.thrusters)

    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        changed = (drive._replace(dead_band=value) if i in which else drive for i, drive in enumerate(drives(p)))
        return p._replace(drives=tuple(changed))

    unit = "1" if vehicle.mapped_commands else "N" if law_with(vehicle.thrust_law).output == FORCE_OUTPUT else "rad/s"
    return Parameter(name, unit, lambda p: float(np.mean([drives(p)[i].dead_band for i in which])), write)


def _fin_lag(name: str, vehicle: VehicleParameters) -> Parameter | None:
    which = fin_lag_choice(name, vehicle)
    if which is None:
        return None

    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        return p._replace(fins=tuple(f._replace(lag=value) if i in which else f for i, f in enumerate(p.fins)))

    return Parameter(name, "s", lambda p: float(np.mean([p.fins[i].lag for i in which])), write)
