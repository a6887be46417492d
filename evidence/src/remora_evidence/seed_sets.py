"""What a study shows over all its seeds: the score of each seed, and how often a set of its size holds.

Figures of a study are those of a set of seeds: the worst, the mean, a share. The score of a seed is what the study
gives for that seed alone. Sets of the size of the study are drawn from the seeds with replacement, and the study itself
judges each of them, so that its own statistic is resampled, whatever it is.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from remora_evidence.figure import NEEDED, AssessedFigure, SeedSpread

ENOUGH_SEEDS = 30  # for a verdict
SETS = 1000  # resampled; at 95 % their share scatters by 0.7 %
DIGITS = 10  # of a stored score
ROUNDING = 1e-6  # by which a score may differ on another machine, of the score or its bound


class SeededFigure(NamedTuple):
    """A figure over all seeds."""

    name: str
    relation: str
    bound: float | None
    ours: float | None  # of the first set: seeds 1, 2, ...
    probability: float | None  # share of the sets in which it holds; None where nothing is demanded
    scores: tuple[float | None, ...]  # of each seed; None where there is none

    @property
    def key(self) -> tuple[str, str]:
        """A figure may have a bound on either side."""
        return self.name, self.relation


class SeedRun(NamedTuple):
    """A run with all seeds from 1 on."""

    seeds: int
    set_size: int
    probability: float  # share of the sets in which all that is demanded holds
    figures: tuple[SeededFigure, ...]

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and largest share that thirty seeds can give, with those that have not been run as bad or as good."""
        known = min(1.0, self.seeds / ENOUGH_SEEDS) ** self.set_size
        return known * self.probability, 1.0 - known * (1.0 - self.probability)


Judged = Sequence[AssessedFigure]
Judge = Any  # from a set of seeds to figures: `Study.run`


def run_of_seeds(run: Judge, seeds: int, set_size: int) -> SeedRun:
    """Scores of seeds 1, 2, ... and the shares of the sets of some size that hold."""
    singles = [run([seed]) for seed in range(1, seeds + 1)]
    first: Judged = run(list(range(1, set_size + 1)))
    held: dict[tuple[str, str], list[bool]] = {}
    together = []
    for judged in singles if set_size == 1 else map(run, drawn_sets(seeds, set_size)):
        required = [figure for figure in judged if figure.is_required]
        together.append(bool(required) and all(figure.holds for figure in required))
        for figure in required:
            held.setdefault(figure.key, []).append(figure.holds)
    scores = scores_by_name(singles)
    figures = tuple(
        SeededFigure(
            one.name,
            one.relation,
            one.bound,
            _short(one.ours),
            float(np.mean(held[one.key])) if one.key in held else None,
            tuple(map(_short, scores.get(one.name, ()))),
        )
        for one in first
    )
    return SeedRun(seeds, set_size, float(np.mean(together)), figures)


def drawn_sets(seeds: int, set_size: int) -> list[list[int]]:
    """Sets of seeds drawn with replacement from 1, 2, ..., always the same."""
    drawn: list[list[int]] = np.random.default_rng(0).integers(1, seeds + 1, (SETS, set_size)).tolist()
    return drawn


def scores_by_name(singles: Iterable[Judged]) -> dict[str, list[float | None]]:
    """The score of each seed by the name of its figure; figures of sets only have none."""
    rows: list[Mapping[str, float]] = [{figure.name: figure.ours for figure in one} for one in singles]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _short(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(f"{float(value):.{DIGITS}g}")


def disagreement(stored: SeedRun, run: Judge, figures: Judged, seeds: int) -> str:
    """How the first seeds, and the figures of all of them, differ from the stored ones; empty where they do not."""
    count = min(seeds, stored.seeds)
    singles = [figures] if seeds == 1 else [run([seed]) for seed in range(1, count + 1)]
    scores = scores_by_name(singles)
    for one in stored.figures:
        for seed, (ours, known) in enumerate(zip_longest(scores.get(one.name, ()), one.scores[: len(singles)]), 1):
            if not _agree(ours, known, one.bound):
                return f"seed {seed}: {one.name} is {ours}, and {known} in the stored run"
    return changed_bound(stored, figures)


def changed_bound(stored: SeedRun, figures: Judged) -> str:
    """Which requirement is not that of the stored run; bounds that are measured have no business here."""
    known = {one.key: one for one in stored.figures}
    for figure in figures:
        if figure.is_required and figure.relation != "reported" and figure.key not in known:
            return f"{figure.name}: {figure.relation} {figure.bound} is not demanded in the stored run"
        if figure.key in known and not _agree(figure.bound, known[figure.key].bound, None) and not figure.is_measured:
            return f"{figure.name}: the bound is {figure.bound}, and {known[figure.key].bound} in the stored run"
    return ""


def _agree(ours: float | None, known: float | None, bound: float | None) -> bool:
    a, b = _short(ours), _short(known)
    if a is None or b is None:
        return a is b
    return abs(a - b) <= ROUNDING * max(abs(b), abs(bound or 0.0), 1e-9)


def with_odds(figures: Judged, run: SeedRun) -> tuple[AssessedFigure, ...]:
    """Figures of a run with few seeds, each with its spread and share over all seeds, which decide."""
    ours = {figure.name: figure for figure in figures}
    known = {one.name for one in run.figures}
    made = []
    for one in run.figures:
        here = ours.get(one.name)
        value = here.ours if here else math.nan if one.ours is None else one.ours
        base = here or AssessedFigure(one.name, None, value, "reported", None, "")
        fields: dict[str, Any] = {"relation": one.relation, "bound": one.bound, "spread": SeedSpread.of(one.scores)}
        made.append(base._replace(probability=one.probability, **fields))
    return (*made, *(figure for figure in figures if figure.name not in known))


def decided(run: SeedRun) -> bool:
    """Whether there are enough seeds, or no further seed can lift the share of the sets to what is needed."""
    return run.seeds >= ENOUGH_SEEDS or run.bounds[1] < NEEDED


def write_run(file: Path, run: SeedRun) -> None:
    """Keep a run: a line for each figure."""
    head = {"seeds": run.seeds, "set_size": run.set_size, "probability": run.probability}
    lines = ",\n".join(f"  {json.dumps(one._asdict(), allow_nan=False)}" for one in run.figures)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'{json.dumps(head)[:-1]}, "figures": [\n{lines}\n]}}\n', encoding="utf-8")


def stored_run(file: Path | None) -> SeedRun | None:
    """The run that a file keeps; None where there is none."""
    if file is None or not file.exists():
        return None
    data = json.loads(file.read_text(encoding="utf-8"))
    figures = tuple(SeededFigure(**{**one, "scores": tuple(one["scores"])}) for one in data.pop("figures"))
    return SeedRun(**data, figures=figures)
