"""YAML texts from data, and changes of such texts that keep comments and layout."""

import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ruamel.yaml import YAML

from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError, Path

_WIDTH = 118
_STEP = re.compile(r"([^.\[\]]+)((?:\[\d+\])*)")


def yaml_text(data: Mapping[str, Any]) -> str:
    """Plain data as a YAML text; collections of plain values stand in one line."""
    return _dumped(_yaml(), data)


def changed_text(text: str, changes: Mapping[Path, Any]) -> str:
    """The text of a mapping with some values replaced, by path; None removes a field or an item of a list.

    Missing sections are added.

    Raises an InputError when a path leads through a value or to an item that a list does not have.
    """
    yaml = _yaml()
    yaml.indent(mapping=2, sequence=4, offset=2)
    data = yaml.load(text)
    removed = [path for path, value in changes.items() if value is None and isinstance(path[-1], int)]
    for path, value in changes.items():
        if path not in removed:
            _put(data, path, value)
    for path in sorted(removed, key=lambda path: path[-1], reverse=True):  # from the end, so that places stay
        _put(data, path, None)
    return _dumped(yaml, data)


def plain_yaml(text: str) -> Any:
    """The data of a YAML text that was read before, without comments and places."""
    return YAML(typ="safe").load(text)


def path_of(field: str, known: Iterable[str]) -> Path:
    """The path of a dotted field, thrusters[4].direction, whose first key is one of those known."""
    parts = [_STEP.fullmatch(part) for part in field.split(".")]
    if not field or None in parts:
        fix = "Write keys with dots and items with brackets, e.g. thrusters[4].direction."
        raise InputError(f'"{field}" is no field. {fix}').about("field", field, fix=fix)
    steps: list[str | int] = []
    for part in parts:
        assert part is not None
        steps += [part[1], *(int(digits) for digits in re.findall(r"\d+", part[2]))]
    if steps[0] not in (sections := list(known)):
        fix = suggestion(str(steps[0]), sections)
        raise InputError(f'"{field}": there is no field "{steps[0]}" at the top of the file. {fix}').about(
            field, steps[0], sections, fix
        )
    return tuple(steps)


def plain_data(value: Any, field: str = "") -> Any:
    """Python values as data of a YAML file: arrays and tuples become lists, NumPy numbers plain ones.

    Raises an InputError, which names the field, for an object that no file can hold.
    """
    if hasattr(value, "tolist") and callable(value.tolist):  # NumPy arrays and numbers
        value = value.tolist()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain_data(item, f"{field}.{key}".lstrip(".")) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(item, f"{field}[{i}]") for i, item in enumerate(value)]
    fix = "Give a number, a text such as 13.5 kg, a list, an array or a mapping."
    found = f"{field} is {repr(value)[:60]}, which no file can hold"
    raise InputError(f"{found}. {fix}").about(field, type(value).__name__, fix=fix)


def _put(data: Any, path: Path, value: Any) -> None:
    """Replace or remove the value at a path."""
    for depth, step in enumerate(path[:-1]):
        if isinstance(data, dict) and data.get(step) is None:
            data[step] = {}
        data = _inside(data, path[: depth + 1])[step]
    last = path[-1]
    if isinstance(data, dict) and value is None:
        data.pop(last, None)
    elif value is None:
        del _inside(data, path)[last]
    else:
        _inside(data, path)[last] = value


def _inside(data: Any, path: Path) -> Any:
    """The mapping or list that has, or may get, the last step of a path."""
    step = path[-1]
    if isinstance(data, dict) and isinstance(step, str):
        return data
    if isinstance(data, list) and isinstance(step, int) and step < len(data):
        return data
    what = f"a list of {len(data)}" if isinstance(data, list) else "no mapping" if isinstance(step, str) else "no list"
    place = ".".join(map(str, path[:-1])) or "the file"
    raise InputError(f'{place} is {what}: it has no "{step}".').about(place, step)


def _yaml() -> YAML:
    yaml = YAML()
    yaml.default_flow_style = None
    yaml.width = _WIDTH
    yaml.preserve_quotes = True
    yaml.representer.ignore_aliases = lambda data: True  # input files take no aliases
    return yaml


def _dumped(yaml: YAML, data: Any) -> str:
    stream = io.StringIO()
    yaml.dump(data, stream)
    return stream.getvalue()
