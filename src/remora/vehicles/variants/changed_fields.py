"""A vehicle with changed fields of its file, validated as a file is."""

from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Annotated, Any, TypeAlias, get_origin

from pydantic import BaseModel

from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError, Path, dotted
from remora.files.quantities import Is
from remora.files.structure import hint_at
from remora.files.yaml_text import changed_text, path_of, plain_data, plain_yaml
from remora.vehicles.saving import text_of
from remora.vehicles.sections.force_sections import with_references
from remora.vehicles.sections.thruster_defaults import DEFAULTS
from remora.vehicles.sections.vehicle_sections import VehicleDescription
from remora.vehicles.vehicle import SourcedValue, Vehicle
from remora.vehicles.vehicle_reader import vehicle_from_text, without_lines

Indices: TypeAlias = tuple[int, ...]

_SECTIONS = ("body", "water", "damping")  # whose fields are known by their names alone
_SHAPES = ("diagonal", "moments", "matrix")  # fields of a section for a list, and for nested lists


def with_changed_fields(vehicle: Vehicle, changes: Any, fields: Mapping[str, Any], source: str) -> Vehicle:
    """The vehicle with changed fields, by dotted field and by name; see `Vehicle.with_`.

    `source` is that of the changed numbers that state none themselves.
    """
    if not isinstance(changes, Mapping):
        fix = "Give a mapping from fields to values, or fields by name: with_(mass=14)."
        raise InputError(f"changes is {changes!r}. {fix}").about("changes", changes, fix=fix)
    known = (*VehicleDescription.model_fields, DEFAULTS)
    paths = {path_of(field, known): value for field, value in changes.items()}
    paths |= {_path_named(name): value for name, value in fields.items()}
    given = {path: plain_data(with_references(value, dotted(path)), dotted(path)) for path, value in paths.items()}
    whole, items = _items(vehicle, given)
    written = {path: _written(path, value, source) for path, value in whole.items()}
    written |= {path: _with_items(vehicle, path, changed, source) for path, changed in items.items()}
    text = changed_text(text_of(vehicle), written)
    return without_lines(lambda: vehicle_from_text(text, _label(vehicle), vehicle.find_kind))


def _label(vehicle: Vehicle) -> str:
    """Name of the changed text; in the folder of the file where it names Python files relative to it."""
    label = f"{vehicle.name}, changed"
    return str(FilePath(vehicle.file).parent / label) if ".py:" in vehicle.text else label


def _path_named(name: str) -> Path:
    """The path of a field that is known by its name alone."""
    known: dict[str, Path] = {name: (name,) for name in (*VehicleDescription.model_fields, DEFAULTS)}
    for section in _SECTIONS:
        model = hint_at(VehicleDescription, (section,))
        known = {**{name: (section, name) for name in model.model_fields if name != "source"}, **known}
    if name not in known:
        fix = f"{suggestion(name, known)} Other fields are given by their place, e.g. {{'thrusters[0].limits': ...}}."
        raise InputError(f'a vehicle has no field "{name}". {fix}').about(name, choices=known, fix=fix)
    return known[name]


def _items(vehicle: Vehicle, given: Mapping[Path, Any]) -> tuple[dict[Path, Any], dict[Path, dict[Indices, Any]]]:
    """The given values without single numbers of lists, and these by the path of their list."""
    whole: dict[Path, Any] = {}
    items: dict[Path, dict[Indices, Any]] = {}
    for path, value in given.items():
        quantity = _quantity_of(vehicle, path)
        if quantity is None:
            whole[path] = value
        else:
            items.setdefault(quantity[0], {})[quantity[1]] = value
    for path in items:
        above = next((other for other in whole if other == path[: len(other)]), None)
        if above is not None:
            fix = "Change one of both."
            raise InputError(f"{dotted(above)} is given beside one of its numbers. {fix}").about(dotted(above), fix=fix)
    return whole, items


def _quantity_of(vehicle: Vehicle, path: Path) -> tuple[Path, Indices] | None:
    """The path of a list of numbers and the indices of one of them; None where the path leads elsewhere."""
    depth = len(path)
    while depth and isinstance(path[depth - 1], int):
        depth -= 1
    field, indices = path[:depth], tuple(step for step in path[depth:] if isinstance(step, int))
    if not indices:
        return None
    for known in (field, *((*field, key) for key in _SHAPES)):
        number = _known(vehicle, known)
        if number is not None and isinstance(number.value, tuple):
            return known, indices
    return None


def _known(vehicle: Vehicle, path: Path) -> SourcedValue | None:
    """The number of a field; of a field that thrusters share, that of a thruster without its own."""
    if path[0] != DEFAULTS or len(path) == 1:
        return vehicle.provenance.get(dotted(path))
    entries = plain_yaml(text_of(vehicle)).get("thrusters", [])
    sharing = (i for i, entry in enumerate(entries) if path[1] not in entry)
    return next((vehicle.provenance.get(dotted(("thrusters", i, *path[1:]))) for i in sharing), None)


def _with_items(vehicle: Vehicle, path: Path, items: Mapping[Indices, Any], source: str) -> Any:
    """A list of numbers with some replaced; the source of each, and no standard deviation of the old ones."""
    known, field = _known(vehicle, path), dotted(path)
    assert known is not None
    numbers = plain_data(known.value, field)
    for indices, value in items.items():
        inner, *above = numbers, *indices[:-1]
        for index in above:
            inner = inner[index] if isinstance(inner, list) and index < len(inner) else None
        if not isinstance(inner, list) or indices[-1] >= len(inner) or isinstance(inner[indices[-1]], list):
            raise InputError(f"{field} is {numbers}: it has no number at {dotted(indices)}.").about(field, str(indices))
        inner[indices[-1]] = value
    places = ", ".join(dotted(indices) for indices in items)
    return {"value": numbers, "source": f"{known.source}; {places}: {source}" if known.source else source}


def _written(path: Path, value: Any, source: str) -> Any:
    """The value as it is written into the file: lists as matrices where these are meant, numbers with their source."""
    at = ("thrusters", 0, *path[1:]) if path[0] == DEFAULTS and len(path) > 1 else path
    hint = hint_at(VehicleDescription, at)
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return _section(hint, value, source)
    if get_origin(hint) is list and isinstance(value, list):
        return [_with_source(item, source) for item in value]
    is_number = get_origin(hint) is Annotated and isinstance(hint.__metadata__[0], Is)
    return _quantity(value, source) if is_number and value is not None else value


def _section(model: type[BaseModel], value: Any, source: str) -> Any:
    if isinstance(value, list):
        shape = "matrix" if value and isinstance(value[0], list) else None
        key = next((key for key in _SHAPES if key in model.model_fields and shape in (None, key)), None)
        value = value if key is None else {key: value}
    if getattr(model, "either_value", False) and value is not None and not isinstance(value, dict):
        return _quantity(value, source)
    return _with_source(value, source)


def _quantity(value: Any, source: str) -> Any:
    return _with_source(value if isinstance(value, dict) else {"value": value}, source)


def _with_source(value: Any, source: str) -> Any:
    """A mapping with a source of its own, unless it states one."""
    return {**value, "source": value.get("source", source)} if isinstance(value, dict) else value
