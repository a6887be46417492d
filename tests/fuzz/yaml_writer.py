"""Plain data as the text of a YAML file: one line per key down to some depth, so that messages have lines to name."""

import json
import math
from typing import Any

_DEPTH = 4  # levels with lines of their own


def yaml_text(data: Any) -> str:
    """The text of a file."""
    return "\n".join(_lines(data, 0)) + "\n"


def _lines(data: Any, depth: int) -> list[str]:
    if depth >= _DEPTH or not isinstance(data, (dict, list)) or not data:
        return [_flow(data)]
    lines: list[str] = []
    items = data.items() if isinstance(data, dict) else [("-", item) for item in data]
    for key, value in items:
        head = "-" if isinstance(data, list) else f"{_key(key)}:"
        inner = _lines(value, depth + 1)
        if len(inner) == 1 and not (isinstance(value, (dict, list)) and value and depth + 1 < _DEPTH):
            lines.append(f"{head} {inner[0]}")
        else:
            lines += [head, *(f"  {line}" for line in inner)]
    return lines


def _key(key: Any) -> str:
    return str(key) if str(key).isidentifier() else json.dumps(str(key))


def _flow(value: Any) -> str:
    """A value within one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0.0 else "-.inf"
    return json.dumps(value)
