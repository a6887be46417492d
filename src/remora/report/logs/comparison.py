"""Comparison of two logs as text and as data."""

from typing import Any

from remora.logs import Comparison, Difference, Event

MOST_LISTED = 10
LONGEST = 80  # letters of a value


def comparison_lines(result: Comparison, names: tuple[str, str], values_only: bool = False) -> list[str]:
    """Differences, most important first; one line when there are none.

    Parameters
    ----------
    result
        Of the comparison.
    names
        Of the two logs.
    values_only
        Whether differences of the headers are notes.
    """
    if result.same:
        return ["identical"]
    lines = []
    if result.same_values:
        lines.append("identical values; the headers differ")
    elif not any(result._replace(header=(), problems=())):
        lines.append("identical as far as they can be read")
    elif result.difference is not None:
        lines += [f"first difference: {result.difference.channel} at {1e-9 * result.difference.time_ns:.9g} s"]
        lines += _both(result.difference, names)
    if others := result.differing[1:]:
        lines.append(f"{len(result.differing)} channels differ, also: {_listed([d.channel for d in others])}")
    for name, only in zip(names, (result.only_in_first, result.only_in_second), strict=True):
        lines += [f"only in {name}: {_listed(only)}"] if only else []
    lines += [f"other fields, units or frames: {_listed(result.redefined)}"] if result.redefined else []
    header = "note: header" if values_only else "header"
    lines += [f"{header}: {word} is {_short(first)} and {_short(second)}" for word, first, second in result.header]
    return lines + [f"damaged: {_named(text, names)}" for text in result.problems]


def _named(problem: str, names: tuple[str, str]) -> str:
    """A problem under the name of its log."""
    for name, side in zip(names, ("first log: ", "second log: "), strict=True):
        problem = f"{name}: {problem.removeprefix(side)}" if problem.startswith(side) else problem
    return problem


def _both(difference: Difference, names: tuple[str, str]) -> list[str]:
    """The value of each log."""
    what = {"": "only here: ", "event": ""}.get(difference.field, f"{difference.field} ")
    return [
        f"  {name}: {'nothing' if value is None else f'{what}{_short(value)}'}"
        for name, value in zip(names, (difference.first, difference.second), strict=True)
    ]


def _short(value: Any) -> str:
    """A value, or the start of a long row of them."""
    if isinstance(value, Event):
        return f"{value.source} says {value.text!r} ({value.level})"
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _listed(names: tuple[str, ...] | list[str]) -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"{', '.join(names[:MOST_LISTED])}{more}"


def comparison_data(result: Comparison) -> dict[str, Any]:
    """The same for programs; JSON has no NaN, so that one is null."""
    return {
        "same": result.same,
        "same_values": result.same_values,
        "differing": [_data(difference) for difference in result.differing],
        "header": [{"entry": word, "first": first, "second": second} for word, first, second in result.header],
        "only_in_first": list(result.only_in_first),
        "only_in_second": list(result.only_in_second),
        "redefined": list(result.redefined),
        "problems": list(result.problems),
    }


def _data(difference: Difference) -> dict[str, Any]:
    plain = difference._asdict()
    return {**plain, "first": _value(difference.first), "second": _value(difference.second)}


def _value(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_value(each) for each in value]
    return None if value != value else value
