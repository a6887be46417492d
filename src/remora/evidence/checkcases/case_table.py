"""Shows check-cases to people: a line for each as it ends, a table at the end."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from remora.evidence.checkcases.comparison import Outcome
from remora.evidence.checkcases.trajectory import UNITS


def verdict(holds: bool) -> Text:
    """Whether it holds, in a word."""
    return Text("holds", "green") if holds else Text("fails", "bold red")


class Progress:
    """Writes to the error stream which case runs, and how it ended."""

    def __init__(self, total: int) -> None:
        self.console = Console(stderr=True, highlight=False)
        self.total, self.ended = total, 0

    def outcome(self, outcome: Outcome) -> None:
        """A case has ended."""
        self.ended += 1
        line = Text(f"  {self.ended} of {self.total}: {outcome.id} ")
        line.append_text(verdict(not outcome.fails))
        self.console.print(line, soft_wrap=True)

    def solved(self, case: str, tolerances: Mapping[str, float]) -> None:
        """A reference was written; its tolerances as derived from the order and the step."""
        self.ended += 1
        words = ", ".join(f"{name} {value:.0e} {UNITS[name]}" for name, value in tolerances.items())
        self.console.print(f"  {self.ended} of {self.total}: {case}, tolerances {words}", soft_wrap=True)


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Every quantity on the output stream, and a sentence that sums them up."""
    table = Table("case", "quantity", "largest difference", "tolerance", "")
    for outcome in outcomes:
        if outcome.error:
            table.add_row(outcome.id, f"did not finish: {outcome.error}", "", "", verdict(False))
        for i, check in enumerate(outcome.checks):
            unit = UNITS[check.quantity]
            apart, tolerance = f"{check.difference:.1e} {unit}", f"{check.tolerance:.0e} {unit}"
            table.add_row("" if i else outcome.id, check.quantity, apart, tolerance, verdict(check.holds))
        table.add_section()
    console = Console(highlight=False)
    console.print(table)
    console.print(summary(outcomes), soft_wrap=True)


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many hold, or which fail."""
    failed, ran = [outcome.id for outcome in outcomes if outcome.fails], len(outcomes)
    return f"{len(failed)} of {ran} cases fail: {', '.join(failed)}." if failed else f"{ran} of {ran} cases hold."
