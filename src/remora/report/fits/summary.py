"""Text summary of fits, validations, replays by three simulators and thrust laws."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from remora.identification.bench.powered_thruster import PoweredThruster
from remora.identification.bench.result import BenchFit
from remora.identification.bench.voltage_tables import HeldOutTable
from remora.identification.replay import Score
from remora.identification.result import Fit
from remora.identification.validation import RecordValidation, Validation
from remora.interop.simulator_replays import SIMULATORS, SimulatorReplays

UNITS = {"surge": "m/s", "sway": "m/s", "heave": "m/s", "roll": "rad/s", "pitch": "rad/s", "yaw": "rad/s"}
LEVEL = 0.95
LOWEST_R2 = -9.0
MOST_OF = 0.8  # fraction of a record; below it the whole duration is printed too
_SHOWN = {
    "rest": ", the part held out",
    "all": ", the same data that were fitted",
    "nothing": ", a log that was not fitted",
}


class TextTable(NamedTuple):
    """Rows of text under their headings; the first column is left-aligned, the others right-aligned."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def lines(self) -> list[str]:
        """The table as plain text."""
        widths = [max(len(cell) for cell in column) for column in zip(self.heads, *self.rows, strict=True)]
        return [
            "  ".join(
                cell.ljust(width) if k == 0 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in (self.heads, *self.rows)
        ]


def parameter_table(fit: Fit) -> TextTable:
    """Value, 95 % interval and unit of each parameter, and whether it is identified."""
    limits = fit.intervals(LEVEL)
    rows = []
    for i, (name, unit) in enumerate(zip(fit.names, fit.units, strict=True)):
        low, high = limits[i]
        interval = f"{low:.4g} to {high:.4g}" if np.isfinite([low, high]).all() else "unknown"
        identified = "no" if not fit.identifiability.identified[i] else "could be 0" if low <= 0.0 <= high else "yes"
        rows.append((name, f"{fit.values[i]:.4g}", interval, unit, identified))
    return TextTable(("parameter", "value", "95 % interval", "unit", "identified"), tuple(rows))


def score_table(judged: RecordValidation, axes: Sequence[str]) -> TextTable:
    """Errors of the models in some degrees of freedom, before and after where there are two."""
    runs: dict[str, Mapping[str, Score]] = {"before": judged.before.scores}
    if judged.after is not None:
        runs["after"] = judged.after.scores
    names = {"before": " before", "after": " after"} if len(runs) > 1 else {"before": ""}
    heads = [f"{what}{names[key]}" for what in ("MAE", "RMSE", "R2") for key in runs]
    rows = []
    for axis in axes:
        scores = [run.get(axis) for run in runs.values()]
        if all(score is None for score in scores):
            continue
        numbers = [_number(score, k) for k in range(3) for score in scores]
        samples = next(score.samples for score in scores if score is not None)
        rows.append((axis, UNITS[axis], *numbers, str(samples)))
    return TextTable(("axis", "unit", *heads, "samples"), tuple(rows))


def _number(score: Score | None, which: int) -> str:
    if score is None:
        return "ran away"
    if which == 2:
        # Where hardly anything moves, any error is many times its spread.
        return f"{score.r2:.3f}" if score.r2 >= LOWEST_R2 else f"below {LOWEST_R2:g}"
    return f"{score[which]:.4f}"


def what_was_judged(judged: RecordValidation) -> str:
    """Record of the scores, and the part of it used in a fit."""
    part = _SHOWN[judged.shown] if judged.shown else ""
    seconds, pieces = judged.recorded.duration, len(judged.uniform.segments)
    many = f"{pieces} pieces" if pieces != 1 else "one piece"
    whole = float(judged.recorded.time[-1])
    of = f" of {whole:.4g} s" if seconds < MOST_OF * whole else ""
    return f"{judged.recorded.source}{part}: {seconds:.4g} s{of} in {many}, open loop"


def troubles(judged: RecordValidation) -> list[str]:
    """Assumptions about a record, and models that failed on it."""
    runs = [("before the fit", judged.before), ("after the fit", judged.after)]
    if judged.after is None:
        runs = [("the model ran away", judged.before)]
    return [*judged.assumed, *(f"{when}: {run.problem}" for when, run in runs if run is not None and run.problem)]


def judged_lines(judged: RecordValidation, axes: Sequence[str]) -> list[str]:
    """Scores on one record, its treatment, and problems."""
    return [
        "",
        what_was_judged(judged),
        *score_table(judged, axes).lines(),
        *(f"note: {sentence}" for sentence in judged.uniform.provenance[1:]),
        *(f"warning: {sentence}" for sentence in troubles(judged)),
    ]


def verdict(judgement: Validation) -> str:
    """Whether the fitted values can be trusted, in a sentence."""
    if judgement.doubtful:
        return "fitted, but by the warnings above values may be wrong by more than their intervals"
    return "fitted"


def judgement_lines(judgement: Validation) -> list[str]:
    """The fit as a table, warnings as sentences, and scores on what was held out."""
    fit = judgement.fit
    return [
        f"{fit.method}, fitted to {fit.data}",
        *parameter_table(fit).lines(),
        *(f"warning: {sentence}" for sentence in fit.warnings),
        *(f"note: {sentence}" for sentence in judgement.notes),
        *(line for part in judgement.parts for line in judged_lines(part, judgement.axes)),
    ]


def validation_lines(name: str, parts: Sequence[RecordValidation], axes: Sequence[str]) -> list[str]:
    """Scores of a vehicle model on records."""
    return [
        f"{name} driven by the recorded inputs",
        *(line for part in parts for line in judged_lines(part, axes)),
    ]


def simulator_lines(found: SimulatorReplays, axes: Sequence[str]) -> list[str]:
    """A row for each degree of freedom, a column for each simulator."""
    rows = []
    for axis in axes:
        scores = [found.scores[name].get(axis) for name in SIMULATORS]
        if any(scores):
            numbers = ["ran away" if score is None else f"{score.mae:.4f}" for score in scores]
            rows.append((axis, UNITS[axis], *numbers))
    return [
        *TextTable(("MAE of three simulators", "unit", *SIMULATORS), tuple(rows)).lines(),
        *(f"warning: the {name} model ran away: {text}" for name, text in found.problems.items()),
    ]


def thruster_lines(fit: BenchFit[PoweredThruster], held: Sequence[HeldOutTable]) -> list[str]:
    """Parameters of the law, then leave-one-out errors by voltage."""
    lines = fit.table().splitlines()
    for one in held:
        where = "beyond the others" if one.outside else "between the others"
        largest = 100.0 * one.largest / one.full_scale
        lines.append(
            f"{one.voltage:g} V left out, {where}: error {100.0 * one.share:.2f} % rms, {largest:.2f} % at most, "
            f"of {one.full_scale:.1f} N"
        )
    return lines
