"""From plain data to a validated description: every wrong key, shape and unit of a file in one go."""

import re
from types import UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError

from remora.vehicles.description import VehicleDescription
from remora.vehicles.document import Document
from remora.vehicles.names import why_unknown
from remora.vehicles.problems import Finding, Path, listed, suggestion
from remora.vehicles.quantities import Entries, Is
from remora.vehicles.section import Choice, Section

_DEFAULTS = "thruster_defaults"
# What pydantic says, in the words of this package.
_WORDS = {
    "string_type": "expected a text.",
    "list_type": "expected a list.",
    "dict_type": "expected a mapping with keys and values.",
    "model_type": "expected a mapping with keys and values.",
    "bool_type": "expected true or false.",
    "int_type": "expected a whole number.",
}


def describe(document: Document) -> tuple[VehicleDescription, list[Finding]]:
    """The description in a document and all that is wrong with its form; sections with a fault are None."""
    if not isinstance(document.data, dict):
        message = "expected a mapping with keys such as name, water and body at the top of the file."
        return VehicleDescription(), [*document.findings, Finding((), message, shows_value=False)]
    data, findings = _with_thruster_defaults(document.data)
    data = _walk(VehicleDescription, data, (), findings)
    for key in VehicleDescription.required:
        if data.get(key) is None:
            findings.append(Finding((key,), f"is missing. {_example_of(key)}", shows_value=False))
    sections = {key: _validated(key, value, findings) for key, value in data.items()}
    findings = [_at_its_source(finding, document) for finding in findings]
    return VehicleDescription.model_construct(**sections), [*document.findings, *findings]


def _with_thruster_defaults(data: dict[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
    """The data with the fields of `thruster_defaults` filled into each thruster that has none of its own."""
    defaults = data.get(_DEFAULTS)
    rest = {key: value for key, value in data.items() if key != _DEFAULTS}
    if defaults is None:
        return rest, []
    if not isinstance(defaults, dict):
        return rest, [Finding((_DEFAULTS,), "expected a mapping with fields of a thruster.")]
    thrusters = rest.get("thrusters")
    if not isinstance(thrusters, list):
        return rest, [Finding((_DEFAULTS,), "there are no thrusters to use it. Remove it or add thrusters.")]
    rest["thrusters"] = [{**defaults, **item} if isinstance(item, dict) else item for item in thrusters]
    return rest, []


def sources_of_defaults(document: Document) -> dict[Path, str]:
    """The source text of `thruster_defaults`, for each field of each thruster that was filled in from there."""
    data = document.data if isinstance(document.data, dict) else {}
    defaults, thrusters = data.get(_DEFAULTS), data.get("thrusters")
    if not isinstance(defaults, dict) or not isinstance(thrusters, list) or not isinstance(defaults.get("source"), str):
        return {}
    return {
        ("thrusters", index, key): defaults["source"]
        for index, thruster in enumerate(thrusters)
        for key in defaults
        if isinstance(thruster, dict) and key not in thruster
    }


def _at_its_source(finding: Finding, document: Document) -> Finding:
    """A fault of a default is one fault, not one per thruster; other faults stand where their value does."""
    path = finding.path
    of_thruster = path[:1] == ("thrusters",) and len(path) > 2 and path[:3] not in document.positions
    if of_thruster and (_DEFAULTS, path[2]) in document.positions:
        path = (_DEFAULTS, *path[2:])
    if finding.shows_value:
        while path and path not in document.positions:
            path = path[:-1]
    return finding._replace(path=path)


def _walk(model: type[BaseModel], data: dict[str, Any], path: Path, findings: list[Finding]) -> dict[str, Any]:
    """The data without the keys that nobody knows; those and wrong choices between fields become findings."""
    hints = {key: hint for key, hint in get_type_hints(model, include_extras=True).items() if key in model.model_fields}
    kept: dict[str, Any] = {}
    for key, value in data.items():
        if key not in hints:
            findings.append(Finding((*path, key), _unknown(key, hints), shows_value=False))
        else:
            kept[key] = _walk_value(hints[key], value, (*path, key), findings)
    for choice in cast(type[Section], model).choices:
        _check_choice(choice, kept, path, findings)
    return kept


def _walk_value(hint: Any, value: Any, path: Path, findings: list[Finding]) -> Any:
    """One value, walked according to the type of its field."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _walk_value(get_args(hint)[0], value, path, findings)
    if origin is Annotated:
        return _walk_entries(hint.__metadata__[0], value, path, findings)
    if origin is list and isinstance(value, list):
        inner = get_args(hint)[0]
        return [_walk_value(inner, item, (*path, index), findings) for index, item in enumerate(value)]
    if isinstance(hint, type) and issubclass(hint, BaseModel) and isinstance(value, dict):
        is_quantity = getattr(hint, "either_value", False) and {"value", "unit"} & set(value)
        return value if is_quantity else _walk(hint, value, path, findings)
    return value


def _walk_entries(meaning: Any, value: Any, path: Path, findings: list[Finding]) -> Any:
    """A mapping of named elements, without the names that nobody knows."""
    if not isinstance(meaning, Entries) or not isinstance(value, dict):
        return value
    for key in value:
        if key not in meaning.table:
            findings.append(Finding((*path, key), _unknown(key, meaning.table), shows_value=False))
    return {key: item for key, item in value.items() if key in meaning.table}


def _unknown(key: str, known: Any) -> str:
    """What to do about an unknown key."""
    return why_unknown(key) or f"unknown key. {suggestion(key, known)}"


def _check_choice(choice: Choice, data: dict[str, Any], path: Path, findings: list[Finding]) -> None:
    """Whether one of several fields is given, and not more than one."""
    given = [field for field in choice.fields if data.get(field) is not None]
    if len(given) > 1:
        message = f"cannot be given beside {given[0]}: one follows from the other. Keep one of them."
        findings.append(Finding((*path, given[1]), message))
    required = choice.required if isinstance(choice.required, bool) else data.get(choice.required) is not None
    if required and not given:
        if len(choice.fields) == 1:
            field = (*path, choice.fields[0])
            findings.append(Finding(field, f"is missing.{_what_to_give(field)}", shows_value=False))
        else:
            message = f"needs one of {listed(choice.fields)}; found none of them."
            findings.append(Finding(path, message, shows_value=False))


def _validated(key: str, value: Any, findings: list[Finding]) -> Any:
    """A top-level section, or None with the findings that say why."""
    field = VehicleDescription.model_fields[key]
    try:
        # Validating through the whole model keeps its own validators; one section at a time keeps the others usable.
        return getattr(VehicleDescription.model_validate({key: value}), key)
    except ValidationError as error:
        findings += [_finding(dict(line)) for line in error.errors()]
        return field.get_default(call_default_factory=True)


def _finding(line: dict[str, Any]) -> Finding:
    """One line of a ValidationError in our words."""
    context = line.get("ctx") or {}
    path = tuple(step for step in line["loc"]) + tuple(context.get("path", ()))
    kind = "physics" if line["type"] == "physics" else "file"
    if "message" in context:
        missing = "is missing" in str(context["message"])
        return Finding(path, str(context["message"]), cast(Any, kind), shows_value=not missing)
    if line["type"] == "literal_error":
        words = re.findall(r"'([^']*)'", context["expected"])
        near = suggestion(str(line["input"]), words) if words else f"Expected {context['expected']}."
        return Finding(path, f"is not one of the words for this. {near}" if words else near)
    if line["type"] == "value_error":
        return Finding(path, str(context["error"]))
    if line["type"] == "missing":
        return Finding(path, f"is missing.{_what_to_give(path)}", shows_value=False)
    return Finding(path, _WORDS.get(line["type"], line["msg"]))


def _what_to_give(path: Path) -> str:
    """What a missing field takes, in words."""
    hint: Any = VehicleDescription
    for step in (step for step in path if isinstance(step, str)):
        hint = _inner(hint)
        if not (isinstance(hint, type) and issubclass(hint, BaseModel)):
            return ""
        hint = get_type_hints(hint, include_extras=True)[step]
    hint = _inner(hint, of_lists=False)
    if get_origin(hint) is Annotated and isinstance(hint.__metadata__[0], Is):
        return f" Give {hint.__metadata__[0].words}."
    return f" Give one of: {', '.join(map(str, get_args(hint)))}." if get_origin(hint) is Literal else ""


def _inner(hint: Any, of_lists: bool = True) -> Any:
    """A type without its `None`, and the type of the items of a list."""
    if get_origin(hint) in (Union, UnionType):
        hint = get_args(hint)[0]
    return get_args(hint)[0] if of_lists and get_origin(hint) is list else hint


def _example_of(key: str) -> str:
    """What a missing top-level section looks like."""
    return {
        "name": "Give a short word, e.g. name: my_vehicle.",
        "title": "Give one line that says what it is.",
        "water": "Give e.g. water: {density: 1025 kg/m3, gravity: 9.81 m/s2}.",
        "body": "Give mass, inertia and the centres of gravity and buoyancy.",
        "added_mass": "Give it, or write added_mass: none.",
        "damping": "Give it, or write damping: none.",
    }[key]
