"""Speed figures on a terminal and as plain data."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.text import Text

from remora_evidence.console import Row, print_table, verdict_text
from remora_evidence.figure import AssessedFigure

SIGNS = {"at least": ">=", "at most": "<=", "below": "<"}
SMALL = 0.005  # smaller figures are shown with a power of ten


def number(figure: AssessedFigure) -> str:
    """Value and unit."""
    if figure.reason:
        return "not measured"
    if figure.unit == "steps/s":
        return f"{figure.ours / 1e6:.2f} million steps/s"
    shown = f"{figure.ours:.2f}" if figure.ours == 0.0 or abs(figure.ours) >= SMALL else f"{figure.ours:.1e}"
    return f"{shown} {figure.unit}"


def goal(figure: AssessedFigure) -> str:
    """The goal of a figure; nothing where it is only reported."""
    return f"{SIGNS[figure.relation]} {figure.bound:g}" if figure.relation in SIGNS else ""


def verdict(figure: AssessedFigure) -> Text:
    """Whether the goal is reached."""
    return verdict_text("holds" if figure.holds else "missed") if goal(figure) else Text("reported")


def figure_line(figure: AssessedFigure) -> Text:
    """A figure as it is measured."""
    line = Text(f"  {figure.name}: {figure.reason or number(figure)}")
    return line.append(f" (goal {goal(figure)}: ").append_text(verdict(figure)).append(")") if goal(figure) else line


def print_figures(figures: Sequence[AssessedFigure]) -> None:
    """All figures on the output stream, and a sentence that sums them up."""
    rows: list[Row] = [(figure.words, number(figure), goal(figure), verdict(figure)) for figure in figures]
    reasons = dict.fromkeys(figure.reason for figure in figures if figure.reason)
    reached = all(figure.holds for figure in figures)
    end = "All goals hold." if reached else "Some goals are missed; on a busy machine, try again."
    print_table(("what", "figure", "goal", ""), [rows], [*reasons, end])


def figures_as_json(figures: Iterable[AssessedFigure]) -> dict[str, Any]:
    """The figures as plain data: name, value, unit, goal and whether it holds."""
    return {
        "figures": [
            {"name": f.name, "value": f.value, "unit": f.unit, "goal": f.bound, "holds": f.holds} for f in figures
        ]
    }
