"""Shows figures to people: a line for each as it is measured, a table at the end."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from remora.evidence.benchmarks.goals import Figure
from remora.evidence.benchmarks.measurement_runner import all_hold


def number(figure: Figure) -> str:
    """Value and unit as people read them."""
    if figure.value is None:
        return "not measured"
    if figure.wanted.unit == "steps/s":
        return f"{figure.value / 1e6:.2f} million steps/s"
    return f"{figure.value:.2f} {figure.wanted.unit}"


def verdict(figure: Figure) -> Text:
    """Whether the goal holds, in a word."""
    if figure.wanted.goal is None:
        return Text("reported")
    return Text("holds", "green") if figure.holds else Text("missed", "bold red")


class Progress:
    """Writes to the error stream what is measured now and what came out."""

    def __init__(self) -> None:
        self.console = Console(stderr=True, highlight=False)

    def started(self, title: str) -> None:
        """A measurement begins."""
        self.console.print(Text(f"measuring: {title}", "dim"))

    def measured(self, figure: Figure) -> None:
        """A figure is known, or cannot be."""
        line = Text(f"  {figure.wanted.name}: {figure.reason or number(figure)}")
        if figure.wanted.goal is not None:
            line.append(f" (goal {figure.wanted.goal}: ").append_text(verdict(figure)).append(")")
        self.console.print(line, soft_wrap=True)


def print_table(figures: Sequence[Figure]) -> None:
    """All figures in words on the output stream, and a sentence that sums them up."""
    table = Table("what", "figure", "goal", "")
    for figure in figures:
        table.add_row(figure.wanted.words, number(figure), str(figure.wanted.goal or ""), verdict(figure))
    console = Console(highlight=False)
    console.print(table)
    for reason in dict.fromkeys(figure.reason for figure in figures if figure.reason):
        console.print(Text(reason), soft_wrap=True)
    console.print("All goals hold." if all_hold(figures) else "Some goals are missed; on a busy machine, try again.")
