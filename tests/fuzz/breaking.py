"""Scenarios broken on purpose: keys, types, units, numbers and names that are wrong, and text that is no YAML."""

import copy
import math
from collections.abc import Callable
from typing import Any, TypeAlias

from fuzz.chance import Chance
from fuzz.yaml_writer import yaml_text

Place: TypeAlias = tuple[Any, Any]  # a mapping or list, and a key or index of it

_WRONG_VALUES: tuple[Any, ...] = (
    *(math.nan, math.inf, -math.inf, 1e300, -1e300, 1e15, 1e11, 0, -1, 0.0, 1e-300, 10**30),
    *("", "nonsense", "nan", "3 kg", "5 parsec", "-2 s", "1e400 m", "0 Hz", "333 Hz", "1 Hz", "all", "x" * 400),
    *("\u00e4\u00f6\u00fc \U0001f41f", "my_part.py:Part", "../../etc/passwd", True, None),
    *([], {}, [1, 2], [[1]], {"value": 3, "unit": "kg"}, {"part": "truth"}),
)
_STRAYS = (
    *("\t", "{", "]", ": ", "\x07", "\x00", "'", '"', "%", "@", "&a ", "!!python/object:x ", "\n", "- ", "#"),
    *("\ufeff", "\u2028", "|", "? "),
)


def broken_text(scenario: dict[str, Any], chance: Chance) -> str:
    """The text of a file with one to three mistakes in it."""
    data = copy.deepcopy(scenario)
    for _ in range(chance.whole(1, 3)):
        if chance.happens(0.85):
            chance.one(_BREAKS)(data, chance)
    text = yaml_text(data)
    return chance.one(_TEXT_BREAKS)(text, chance) if chance.happens(0.25) else text


def _places(data: Any) -> list[Place]:
    """Every key and index in nested data."""
    found: list[Place] = []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found.append((data, key))
        found += _places(value)
    return found


def _place(data: Any, chance: Chance) -> Place | None:
    found = _places(data)
    return chance.one(found) if found else None


def _delete(data: Any, chance: Chance) -> None:
    if (place := _place(data, chance)) is not None:
        del place[0][place[1]]


def _rename(data: Any, chance: Chance) -> None:
    keys = [(inside, key) for inside, key in _places(data) if isinstance(inside, dict)]
    if keys:
        inside, key = chance.one(keys)
        inside[chance.one((f"{key}s", key[:-1] or "x", key.upper(), "unknown", "7"))] = inside.pop(key)


def _wrong_value(data: Any, chance: Chance) -> None:
    if (place := _place(data, chance)) is not None:
        place[0][place[1]] = copy.deepcopy(chance.one(_WRONG_VALUES))


def _wrong_word(data: Any, chance: Chance) -> None:
    """A word with a slip of the pen."""
    words = [(i, k) for i, k in _places(data) if isinstance(i[k], str) and i[k]]
    if words:
        inside, key = chance.one(words)
        word = inside[key]
        inside[key] = chance.one((word[:-1], word + "x", word.swapcase(), word[::-1], word.replace(" ", "")))


def _huge_number(data: Any, chance: Chance) -> None:
    """A number that is readable and far beyond anything."""
    numbers = [(i, k) for i, k in _places(data) if isinstance(i[k], float)]
    if numbers:
        inside, key = chance.one(numbers)
        inside[key] = chance.one((1e3, -1e3, 1e6, -1e9, 9e11, 1e-12)) * (inside[key] or 1.0)


def _repeat(data: Any, chance: Chance) -> None:
    """An item of a list twice: two sensors, parts or vehicles of one name."""
    lists = [(i, k) for i, k in _places(data) if isinstance(i, list)]
    if lists:
        inside, key = chance.one(lists)
        inside.append(copy.deepcopy(inside[key]))


_BREAKS: tuple[Callable[[Any, Chance], None], ...] = (
    _delete, _rename, _wrong_value, _wrong_value, _wrong_value, _wrong_word, _huge_number, _repeat,
)  # fmt: skip


def _cut(text: str, chance: Chance) -> str:
    return text[: chance.whole(0, len(text))]


def _stray(text: str, chance: Chance) -> str:
    """A character where none belongs."""
    at = chance.whole(0, len(text))
    return text[:at] + chance.one(_STRAYS) + text[at:]


def _key_twice(text: str, chance: Chance) -> str:
    lines = text.splitlines()
    at = chance.whole(0, len(lines) - 1)
    return "\n".join([*lines[: at + 1], lines[at], *lines[at + 1 :]]) + "\n"


def _laughs(text: str, chance: Chance) -> str:
    """Ten levels of ten aliases each."""
    levels = ["a0: &a0 [x, x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10))]
    return text + "\n".join(levels) + "\n"


def _swollen(text: str, chance: Chance) -> str:
    return text + "# " + "x" * 300_000


def _deep(text: str, chance: Chance) -> str:
    return text + "notes: " + "[" * 3000 + "]" * 3000 + "\n"


_TEXT_BREAKS: tuple[Callable[[str, Chance], str], ...] = (_cut, _stray, _stray, _key_twice, _laughs, _swollen, _deep)
