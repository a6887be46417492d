"""Parameters of hull force forms that a fit may change: names, values and unit records, from the form itself.

A force of the list `forces` of a vehicle file has the parameters `forces.NAME.FIELD`; in an array they end with the
element, `forces.NAME.FIELD.yaw_sway` for a 6x6 matrix and `forces.NAME.FIELD.2` otherwise.
"""

from itertools import product
from typing import Any, NamedTuple

from remora.equations.hull.forms.form import Form, FormField, HullForce
from remora.vehicles import names as vocabulary
from remora.vehicles.parameters import VehicleParameters

PREFIX = "forces."
_SHORT = {pair: name for name, pair in vocabulary.ELEMENTS.items()} | {
    (i, i): name for i, name in enumerate(vocabulary.DEGREES_OF_FREEDOM)
}


class ForceParameter(NamedTuple):
    """One number of a record of a force: position of the force, field, and place in the field."""

    position: int
    field: FormField
    place: tuple[int, ...]

    def read(self, vehicle: VehicleParameters) -> float:
        """The number in a vehicle."""
        value = getattr(vehicle.forces[self.position].records[0], self.field.name)
        for k in self.place:
            value = value[k]
        return float(value)

    def write(self, vehicle: VehicleParameters, value: float) -> VehicleParameters:
        """The vehicle with another number."""
        force = vehicle.forces[self.position]
        old = getattr(force.records[0], self.field.name)
        record = force.records[0]._replace(**{self.field.name: with_item(old, self.place, value)})
        forces = list(vehicle.forces)
        forces[self.position] = force._replace(records=(record,))
        return vehicle._replace(forces=tuple(forces))

    def unit_record(self, vehicle: VehicleParameters) -> Any:
        """The record with one unit of this number, and zero in all others in which the wrench is linear."""
        force = vehicle.forces[self.position]
        return unit_record(force.form, force.records[0], self.field, self.place)


def force_parameters(vehicle: VehicleParameters) -> dict[str, ForceParameter]:
    """All parameters of the listed forces of a vehicle, by name."""
    return {
        f"{PREFIX}{force.name}.{field.name}{element}": ForceParameter(position, field, index)
        for position, force in enumerate(vehicle.forces)
        if force.name and not isinstance(force.form.fitted, str)
        for field in _fitted_fields(force)
        for element, index in _elements(field)
    }


def unit_record(form: Form, record: Any, field: FormField, index: tuple[int, ...]) -> Any:
    """A record with one unit of a number, and zero in all others in which the wrench is linear.

    Fields in which the wrench is not linear stay as in the given record.
    """
    linear = [known for known in form.section if known.name in form.fitted]
    zero = {known.name: filled(known.shape, 0.0) for known in linear}
    unit = with_item(filled(field.shape, 0.0), index, 1.0)
    return record._replace(**{**zero, field.name: unit})


def filled(shape: tuple[int, ...], value: float) -> Any:
    """Nested tuples of one number."""
    return tuple(filled(shape[1:], value) for _ in range(shape[0])) if shape else value


def with_item(value: Any, index: tuple[int, ...], item: float) -> Any:
    """Nested tuples with one number changed."""
    if not index:
        return item
    return tuple(with_item(old, index[1:], item) if k == index[0] else old for k, old in enumerate(value))


def _fitted_fields(force: HullForce) -> list[FormField]:
    return [field for field in force.form.section if field.name in force.form.fitted]


def _elements(field: FormField) -> list[tuple[str, tuple[int, ...]]]:
    """Ending of the name and index of each number of a field."""
    if not field.shape:
        return [("", ())]
    indices = list(product(*map(range, field.shape)))
    if field.shape == (6, 6):
        return [(f".{_SHORT[(index[0], index[1])]}", index) for index in indices]
    return [("".join(f".{k}" for k in index), index) for index in indices]
