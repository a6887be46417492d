"""Hull forces of a vehicle as records of force forms, and vehicles with changed ones.

The table of forms (`equations.hull.forms.table`) is the only list of hull forces: packing, checks, other water, random
variations and dry bodies take the forces from here and treat them all alike.
"""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from remora.equations.hull.forms.form import Form, HullForce, zero_record
from remora.equations.hull.forms.rising_heave import RISING_HEAVE, HeaveDampingDifference
from remora.equations.hull.forms.table import BASIC_FORMS, records_of
from remora.equations.types import Matrix6
from remora.vehicles.parameters import HeaveUp, VehicleParameters, with_heave


class Damped(Protocol):
    """Parameters with the damping of a vehicle; further basic forms are fields of their name."""

    @property
    def linear_damping(self) -> Matrix6:
        """Linear damping, of sinking where heave depends on its direction."""

    @property
    def quadratic_damping(self) -> Matrix6:
        """Quadratic damping, of sinking where heave depends on its direction."""

    @property
    def heave_up(self) -> HeaveUp | None:
        """Heave coefficients while rising."""

    @property
    def forces(self) -> tuple[HullForce, ...]:
        """Optional forces."""


AnyDamped = TypeVar("AnyDamped", bound=Damped)


def basic_record(damped: Damped, form: Form) -> Any:
    """The record of a basic form, from the parameters of the same names."""
    return form.record(*(getattr(damped, field.name) for field in form.section))


def hull_forces(damped: Damped) -> tuple[HullForce, ...]:
    """All hull forces: basic forms, heave damping that differs with its direction, optional and user-defined forms.

    Where heave depends on its direction, the matrices hold the mean of both, and a force of their own the difference.
    """
    half = _heave_difference(damped)
    mean = damped if half is None else _with_heave_damping(damped, half, -1.0)
    basic = tuple(HullForce(form, (basic_record(mean, form),)) for form in BASIC_FORMS)
    return (*basic, *(() if half is None else (HullForce(RISING_HEAVE, (half,)),)), *damped.forces)


def with_hull_forces(vehicle: VehicleParameters, forces: Iterable[HullForce]) -> VehicleParameters:
    """The vehicle with these hull forces in place of its own; a basic form that is absent becomes zero."""
    given = tuple(forces)
    changes: dict[str, Any] = {}
    for form in BASIC_FORMS:
        records = records_of(given, form)
        changes |= (records[0] if records else zero_record(form))._asdict()
    rest = tuple(force for force in given if force.form not in (*BASIC_FORMS, RISING_HEAVE))
    mean = vehicle._replace(**changes, forces=rest)
    differences = records_of(given, RISING_HEAVE)
    if vehicle.heave_up is None or not differences:
        return mean._replace(heave_up=None)
    half: HeaveDampingDifference = differences[0]
    up = vehicle.heave_up._replace(
        linear_damping=mean.linear_damping[2][2] - half.linear_damping,
        quadratic_damping=mean.quadratic_damping[2][2] - half.quadratic_damping,
    )
    return _with_heave_damping(mean, half, 1.0)._replace(heave_up=up)


def with_changed_forces(vehicle: VehicleParameters, change: Callable[[Form, Any], Any]) -> VehicleParameters:
    """The vehicle with each record of a hull force replaced by `change(form, record)`."""
    changed = (
        force._replace(records=tuple(change(force.form, record) for record in force.records))
        for force in hull_forces(vehicle)
    )
    return with_hull_forces(vehicle, changed)


def while_rising(damped: AnyDamped) -> AnyDamped:
    """The damping with the heave coefficients of rising in both directions."""
    up = damped.heave_up
    if up is None:
        return damped
    changed: Any = damped
    made: AnyDamped = changed._replace(
        linear_damping=with_heave(damped.linear_damping, up.linear_damping),
        quadratic_damping=with_heave(damped.quadratic_damping, up.quadratic_damping),
        heave_up=None,
    )
    return made


def _heave_difference(damped: Damped) -> HeaveDampingDifference | None:
    up = damped.heave_up
    if up is None:
        return None
    return HeaveDampingDifference(
        0.5 * (damped.linear_damping[2][2] - up.linear_damping),
        0.5 * (damped.quadratic_damping[2][2] - up.quadratic_damping),
    )


def _with_heave_damping(damped: AnyDamped, half: HeaveDampingDifference, sign: float) -> AnyDamped:
    """The matrices with half the difference added to, or taken from, their heave elements."""
    given: Any = damped
    linear, quadratic = damped.linear_damping, damped.quadratic_damping
    made: AnyDamped = given._replace(
        linear_damping=with_heave(linear, linear[2][2] + sign * half.linear_damping),
        quadratic_damping=with_heave(quadratic, quadratic[2][2] + sign * half.quadratic_damping),
    )
    return made
