"""Reads studies from a YAML file: sources, printed values, units, bounds and notes on what differs.

A key of `figures` is the name of a figure. `{a|b}` in it stands for one figure with a and one with b; lists of numbers
then have one number for each. A name that ends in `*` fits every name that starts the same way. Keys of a figure:

- `unit`, and `printed` for the value of the source or `target` for a required value that no source prints
- `within`, `at_most`, `at_least`, `below`: the bound; `within: 5 %` is a share of the printed value or target; the word
  `measured` is a bound that the study itself measures; without any of them the figure is reported
- `from_seeds`: with fewer seeds it is only reported; `optional`: not every run gives it
- `differs`: how its set-up differs from the source, `words`: a description

Texts of `differs` may name an entry of `notes` in braces.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ruamel.yaml import YAML

from remora_evidence.assessment import Study
from remora_evidence.figure import AssessedFigure, Relation

Value: TypeAlias = tuple[str, float]  # name of a figure and our number
BoundedValue: TypeAlias = tuple[str, float, float]  # the same with a bound that is measured as well
# From seeds to values; a text in place of a number says why there is none.
StudyFunction: TypeAlias = Callable[[Sequence[int]], Iterable[tuple[str, float | str] | BoundedValue]]

RELATIONS: dict[str, Relation] = {
    "within": "within",
    "at_least": "at least",
    "at_most": "at most",
    "below": "below",
}
MEASURED = "measured"


class Requirement(NamedTuple):
    """What a file says of a figure."""

    name: str
    unit: str
    bounds: Mapping[str, float | str]  # by word of RELATIONS; empty: reported
    printed: float | None
    target: float | None
    differs: str
    words: str
    from_seeds: int
    optional: bool

    def figures(self, name: str, ours: float | str, measured: float | None, seeds: int) -> list[AssessedFigure]:
        """The figures of a value: one for each bound."""
        value, reason = (math.nan, ours) if isinstance(ours, str) else (float(ours), "")
        full = name if self.target is None else f"{name} (target {self.target:g})"
        made = partial(
            AssessedFigure, full, self.printed, value, unit=self.unit, target=self.target, differs=self.differs,
            words=self.words, reason=reason, is_measured=MEASURED in self.bounds.values(),
        )  # fmt: skip
        if not self.bounds or seeds < self.from_seeds:
            return [made(relation="reported", bound=None)]
        bounds = {word: self._bound(bound, measured) for word, bound in self.bounds.items()}
        return [made(relation=RELATIONS[word], bound=bound) for word, bound in bounds.items()]

    def _bound(self, bound: float | str, measured: float | None) -> float | None:
        if bound == MEASURED:
            return None if measured is None else float(measured)
        if isinstance(bound, str):
            center = self.target if self.printed is None else self.printed
            return float(bound.removesuffix("%")) / 100.0 * abs(center or 0.0)
        return float(bound)


def read_studies(file: Path, runs: Mapping[str, StudyFunction]) -> list[Study]:
    """The studies of a file, in its order, each with the function that gives its values.

    Raises a ValueError when the file names other studies than there are functions.
    """
    data = YAML(typ="safe").load(file.read_text(encoding="utf-8"))
    if set(data["studies"]) != set(runs):
        raise ValueError(f"{file}: studies and functions differ: {', '.join(sorted(set(data['studies']) ^ set(runs)))}")
    notes: dict[str, str] = {}
    for name, text in data.get("notes", {}).items():
        notes[name] = text.format_map(notes)
    return [_study(file, name, entry, notes, runs[name]) for name, entry in data["studies"].items()]


def study_draws(entry: Mapping[str, Any]) -> bool:
    """Whether chance enters a study: its entry says how many seeds it takes."""
    return "seeds" in entry


def _study(file: Path, name: str, entry: Mapping[str, Any], notes: Mapping[str, str], run: StudyFunction) -> Study:
    required = {one.name: one for words, plain in entry["figures"].items() for one in _expanded(words, plain, notes)}
    more = {key: entry[key] for key in ("seeds", "full_seeds", "shares") if key in entry}
    if "kernels" in entry:
        more["kernels"] = tuple(entry["kernels"])
    if study_draws(entry):
        more["scores"] = file.parent / "scores" / f"{name}.json"
    more["differs"] = entry.get("differs", "").format_map(notes)
    return Study(name, entry.get("source", ""), entry.get("title", name), partial(_figures, run, required), **more)


def _expanded(words: str, plain: Mapping[str, Any], notes: Mapping[str, str]) -> list[Requirement]:
    """A requirement for each combination of alternatives in a name."""
    parts = [part.split("|") if i % 2 else [part] for i, part in enumerate(re.split(r"\{(.*?)\}", words))]
    names = ["".join(choice) for choice in itertools.product(*parts)]

    def of(key: str, i: int, default: Any = None) -> Any:
        value = plain.get(key, default)
        return value[i] if isinstance(value, list) else value

    return [
        Requirement(
            name,
            of("unit", i, ""),
            {word: of(word, i) for word in RELATIONS if of(word, i) is not None},
            of("printed", i),
            of("target", i),
            of("differs", i, "").format_map(notes),
            of("words", i, ""),
            of("from_seeds", i, 0),
            of("optional", i, False),
        )
        for i, name in enumerate(names)
    ]


def _figures(run: StudyFunction, required: Mapping[str, Requirement], seeds: Sequence[int]) -> list[AssessedFigure]:
    """Run a study and compare its values with what the file requires; a required figure without a value is NaN."""
    figures, missing = [], {name: one for name, one in required.items() if not one.optional}
    for name, ours, *measured in run(seeds):
        requirement = required.get(name) or _by_prefix(name, required)
        missing.pop(requirement.name, None)
        figures += requirement.figures(name, ours, measured[0] if measured else None, len(seeds))
    return figures + [one for name, lost in missing.items() for one in lost.figures(name, math.nan, None, len(seeds))]


def _by_prefix(name: str, required: Mapping[str, Requirement]) -> Requirement:
    for pattern, requirement in required.items():
        if pattern.endswith("*") and name.startswith(pattern[:-1]):
            return requirement
    raise ValueError(f"nothing is written down for the figure {name!r}")
