"""Values of the parameters that a fit may change: read from a vehicle and written into one, by `parameter_names`."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.equations.types import Matrix6
from remora.files.arrays import Array
from remora.identification.parameter_names import (
    BESIDE,
    CURRENT,
    FORM_OF,
    LAGS,
    MATRICES,
    RISING,
    SCALARS,
    WAYS,
    ParameterName,
    ParameterNameError,
    parsed,
)
from remora.vehicles import names as vocabulary
from remora.vehicles.drives import DIRECT, ThrusterDrive
from remora.vehicles.parameters import HeaveUp, VehicleParameters, form_records, net_buoyancy, with_form

_ZERO66: Matrix6 = ((0.0,) * 6,) * 6
_UNITS = {
    "added_mass": vocabulary.ADDED_MASS_ELEMENTS,
    "total_inertia": vocabulary.ADDED_MASS_ELEMENTS,
    "damping.linear": vocabulary.LINEAR_ELEMENTS,
    "damping.quadratic": vocabulary.QUADRATIC_ELEMENTS,
    "damping.lift": vocabulary.LIFT_ELEMENTS,
}
# Field of a thruster by direction.
THRUSTER_FIELDS = {
    **{way: f"effectiveness_{way}" for way in WAYS},
    **{way: f"{way}_time" for way in LAGS},
}


class Parameter(NamedTuple):
    """One parameter of a vehicle: name, unit, getter and setter."""

    name: str
    unit: str
    read: Callable[[VehicleParameters], float]
    write: Callable[[VehicleParameters, float], VehicleParameters]


def parameter(name: str, vehicle: VehicleParameters) -> Parameter:
    """Parameter of a vehicle by name; a ParameterNameError with similar names for an unknown one."""
    found = parsed(name, vehicle)
    match found.kind:
        case "matrix":
            return _matrix_element(found)
        case "scalar":
            field = SCALARS[name].section[0]
            return Parameter(name, field.unit, *_plain(field.name))
        case "rising heave":
            field_name, unit = RISING[found.last]
            return Parameter(name, unit, *_of_rising_heave(name, field_name))
        case "force":
            assert found.force is not None
            return Parameter(name, found.force.field.unit, found.force.read, found.force.write)
        case "buoyancy":
            return Parameter(name, "N", net_buoyancy, lambda p, x: p._replace(displaced_mass=p.mass + x / p.gravity))
        case "center":
            return _center_of_buoyancy(name, "xyz".index(found.last))
        case "current" | "delay":
            return Parameter(name, BESIDE[name], lambda p: 0.0, lambda p, x: p)
        case "effectiveness":
            return Parameter(name, "1", *_of_thrusters(found))
        case "time constant":
            return Parameter(name, "s", *_of_thrusters(found))
        case "dead band":
            return _dead_band(found, vehicle)
        case "fin lag":
            return _fin_lag(found)


Access = tuple[Callable[[VehicleParameters], float], Callable[[VehicleParameters, float], VehicleParameters]]


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
    vehicle, names, values
        The vehicle, parameters and their new values, SI.
    """
    for name, value in zip(names, np.asarray(values, dtype=float).tolist(), strict=True):
        vehicle = parameter(name, vehicle).write(vehicle, value)
    return vehicle


def current_in(names: Sequence[str], values: ArrayLike, known: Sequence[float] = (0.0, 0.0, 0.0)) -> Array:
    """Current among some parameters, m/s north, east and down; other components are as known."""
    named = dict(zip(names, np.asarray(values, dtype=float).tolist(), strict=True))
    return np.array([named.get(name, flow) for name, flow in zip(CURRENT, known, strict=True)])


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


def _matrix_element(name: ParameterName) -> Parameter:
    (i, j), field = name.element, MATRICES[name.head]
    total, symmetric = name.head == "total_inertia", field == "added_mass"
    dof = vocabulary.DEGREES_OF_FREEDOM
    dimension = _UNITS[name.head][f"{dof[i]}_{dof[j]}"].dimension

    def read(p: VehicleParameters) -> float:
        matrix = matrix_of(p, field) or _ZERO66
        return float(matrix[i][j] + (p.rigid_body_inertia[i][j] if total else 0.0))

    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        value -= p.rigid_body_inertia[i][j] if total else 0.0
        matrix = _with_element(matrix_of(p, field), i, j, value)
        return _with_matrix(p, field, _with_element(matrix, j, i, value) if symmetric else matrix)

    return Parameter(name.text, dimension.units[0] if dimension else "", read, write)


def _plain(field: str) -> Access:
    return lambda p: float(getattr(p, field)), lambda p, x: _changed(p, **{field: x})


def _of_rising_heave(name: str, field: str) -> Access:
    def heave(p: VehicleParameters) -> HeaveUp:
        if p.heave_up is None:
            raise ParameterNameError(f'"{name}": this vehicle has no rising_heave.')
        return p.heave_up

    return (
        lambda p: float(getattr(heave(p), field)),
        lambda p, x: p._replace(heave_up=heave(p)._replace(**{field: x})),
    )


def _center_of_buoyancy(name: str, axis: int) -> Parameter:
    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        place = list(p.p_BC)
        place[axis] = value
        return p._replace(p_BC=(place[0], place[1], place[2]))

    return Parameter(name, "m", lambda p: float(p.p_BC[axis]), write)


def _of_thrusters(name: ParameterName) -> Access:
    """Mean of the fields of some thrusters, and all of them set to one value."""
    fields = [THRUSTER_FIELDS[way] for way in name.ways]

    def read(p: VehicleParameters) -> float:
        return float(np.mean([getattr(p.thrusters[i], field) for i in name.which for field in fields]))

    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        changes = dict.fromkeys(fields, value)
        thrusters = tuple(_changed(t, **changes) if i in name.which else t for i, t in enumerate(p.thrusters))
        return p._replace(thrusters=thrusters)

    return read, write


def _dead_band(name: ParameterName, vehicle: VehicleParameters) -> Parameter:
    def drives(p: VehicleParameters) -> tuple[ThrusterDrive, ...]:
        return p.drives or (DIRECT,) * len(p.thrusters)

    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        changed = (drive._replace(dead_band=value) if i in name.which else drive for i, drive in enumerate(drives(p)))
        return p._replace(drives=tuple(changed))

    unit = "1" if vehicle.mapped_commands else "N" if law_with(vehicle.thrust_law).output == FORCE_OUTPUT else "rad/s"
    return Parameter(name.text, unit, lambda p: float(np.mean([drives(p)[i].dead_band for i in name.which])), write)


def _fin_lag(name: ParameterName) -> Parameter:
    def write(p: VehicleParameters, value: float) -> VehicleParameters:
        return p._replace(fins=tuple(f._replace(lag=value) if i in name.which else f for i, f in enumerate(p.fins)))

    return Parameter(name.text, "s", lambda p: float(np.mean([p.fins[i].lag for i in name.which])), write)
