"""Validation of plain data against section models: all wrong keys, shapes and units of a file at once."""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError

from remora.files.did_you_mean import suggestion
from remora.files.file_kinds import FileKind
from remora.files.problems import Finding, Path, listed
from remora.files.quantities import Entries, Is
from remora.files.section import Choice, Section

M = TypeVar("M", bound=BaseModel)

# Messages for the errors of pydantic.
_WORDS = {
    "string_type": "expected a text.",
    "list_type": "expected a list.",
    "dict_type": "expected a mapping with keys and values.",
    "model_type": "expected a mapping with keys and values.",
    "bool_type": "expected true or false.",
    "int_type": "expected a whole number.",
}


def described(
    model: type[M],
    data: dict[str, Any],
    kind: FileKind,
    findings: list[Finding],
    path: Path = (),
    examples: Mapping[str, str] | None = None,
) -> M:
    """A section whose keys are validated separately; a faulty key keeps its default.

    A fault in one key does not hide faults of others; all go to the findings, with the path of the section in the file.
    The keys of the examples, each with a hint, are required; the examples of the kind of file if None.
    """
    found: list[Finding] = []
    kept = _walk(model, data, (), kind, found)
    for key, example in (kind.examples if examples is None else examples).items():
        if kept.get(key) is None:
            found.append(Finding((key,), f"is missing. {example}", shows_value=False))
    sections = {key: _validated(model, key, value, found) for key, value in kept.items()}
    findings += [finding._replace(path=(*path, *finding.path)) for finding in found]
    return model.model_construct(**sections)


def section_at(model: type[M], data: Any, path: Path, kind: FileKind, findings: list[Finding]) -> M | None:
    """The section at a path of a file; None, with findings, if it is invalid."""
    if not isinstance(data, dict):
        findings.append(Finding(path, _WORDS["dict_type"]))
        return None
    found: list[Finding] = []
    kept = _walk(model, data, (), kind, found)
    made = None
    try:
        made = model.model_validate(kept)
    except ValidationError as error:
        found += [_finding(model, dict(line)) for line in error.errors()]
    findings += [finding._replace(path=(*path, *finding.path)) for finding in found]
    return None if found else made


@lru_cache(maxsize=256)
def _hints(model: type[BaseModel]) -> dict[str, Any]:
    """Type of each field of a model, by its key in a file."""
    hints = get_type_hints(model, include_extras=True)
    return {field.alias or name: hints[name] for name, field in model.model_fields.items()}


def _walk(
    model: type[BaseModel], data: dict[str, Any], path: Path, kind: FileKind, findings: list[Finding]
) -> dict[str, Any]:
    """The data without unknown keys; these and conflicting fields become findings."""
    hints = _hints(model)
    kept: dict[str, Any] = {}
    for key, value in data.items():
        if key not in hints:
            findings.append(Finding((*path, key), _unknown(key, hints, kind), shows_value=False))
        else:
            kept[key] = _walk_value(hints[key], value, (*path, key), kind, findings)
    for choice in cast(type[Section], model).choices:
        _check_choice(model, choice, kept, path, findings)
    return kept


def _walk_value(hint: Any, value: Any, path: Path, kind: FileKind, findings: list[Finding]) -> Any:
    """One value, walked according to the type of its field."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _walk_value(get_args(hint)[0], value, path, kind, findings)
    if origin is Annotated:
        return _walk_entries(hint.__metadata__[0], value, path, kind, findings)
    if origin is list and isinstance(value, list):
        inner = get_args(hint)[0]
        return [_walk_value(inner, item, (*path, index), kind, findings) for index, item in enumerate(value)]
    if isinstance(hint, type) and issubclass(hint, BaseModel) and isinstance(value, dict):
        is_quantity = getattr(hint, "either_value", False) and {"value", "unit"} & set(value)
        return value if is_quantity else _walk(hint, value, path, kind, findings)
    return value


def _walk_entries(meaning: Any, value: Any, path: Path, kind: FileKind, findings: list[Finding]) -> Any:
    """A mapping of named elements without unknown names."""
    if not isinstance(meaning, Entries) or not isinstance(value, dict):
        return value
    for key in value:
        if key not in meaning.table:
            findings.append(Finding((*path, key), _unknown(key, meaning.table, kind), shows_value=False))
    return {key: item for key, item in value.items() if key in meaning.table}


def _unknown(key: str, known: Any, kind: FileKind) -> str:
    """Message for an unknown key."""
    return kind.why_unknown(key) or f"unknown key. {suggestion(key, known)}"


def _check_choice(
    model: type[BaseModel], choice: Choice, data: dict[str, Any], path: Path, findings: list[Finding]
) -> None:
    """Check that one of several exclusive fields is given."""
    given = [field for field in choice.fields if data.get(field) is not None]
    if len(given) > 1:
        message = f"cannot be given beside {given[0]}: one follows from the other. Keep one of them."
        findings.append(Finding((*path, given[1]), message))
    required = choice.required if isinstance(choice.required, bool) else data.get(choice.required) is not None
    if required and not given:
        if len(choice.fields) == 1:
            field = choice.fields[0]
            words = f"is missing.{_what_to_give(model, (field,))}"
            findings.append(Finding((*path, field), words, shows_value=False))
        else:
            message = f"needs one of {listed(choice.fields)}; found none of them."
            findings.append(Finding(path, message, shows_value=False))


def _validated(model: type[BaseModel], key: str, value: Any, findings: list[Finding]) -> Any:
    """A top-level section, or its default with findings."""
    field = model.model_fields[key]
    try:
        # The whole model runs its own validators; one section at a time keeps the others usable.
        return getattr(model.model_validate({key: value}), key)
    except ValidationError as error:
        findings += [_finding(model, dict(line)) for line in error.errors()]
        return field.get_default(call_default_factory=True)


def _finding(model: type[BaseModel], line: dict[str, Any]) -> Finding:
    """Finding for an error of pydantic."""
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
        return Finding(path, f"is missing.{_what_to_give(model, path)}", shows_value=False)
    return Finding(path, _WORDS.get(line["type"], line["msg"]))


def _what_to_give(model: type[BaseModel], path: Path) -> str:
    """Hint for a missing field."""
    hint = hint_at(model, path)
    if get_origin(hint) is Annotated and isinstance(hint.__metadata__[0], Is):
        return f" Give {hint.__metadata__[0].words}."
    return f" Give one of: {', '.join(map(str, get_args(hint)))}." if get_origin(hint) is Literal else ""


def hint_at(model: type[BaseModel], path: Path) -> Any:
    """Type of the field at a path below a section, without its `None`; None where there is no such field."""
    hint: Any = model
    for step in (step for step in path if isinstance(step, str)):
        hint = _inner(hint)
        if not (isinstance(hint, type) and issubclass(hint, BaseModel)) or step not in _hints(hint):
            return None
        hint = _hints(hint)[step]
    return _inner(hint, of_lists=bool(path) and isinstance(path[-1], int))


def _inner(hint: Any, of_lists: bool = True) -> Any:
    """A type without its `None`, and the type of the items of a list."""
    if get_origin(hint) in (Union, UnionType):
        hint = get_args(hint)[0]
    return get_args(hint)[0] if of_lists and get_origin(hint) is list else hint
