"""Verdicts, progress and tables of evidence on a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from remora_evidence.assessment import Assessment
from remora_evidence.seed_sets import ENOUGH_SEEDS

STYLES = {
    "holds": "green", "partly": "yellow", "fails": "bold red", "missed": "bold red", "undecided": "yellow",
    "data absent": "yellow",
    "reported": "dim",
}  # fmt: skip

Row = Sequence[str | Text]


def verdict_text(word: str, more: str = "") -> Text:
    """A verdict in its colour."""
    return Text(word + more, STYLES[word])


def verdict_of(assessment: Assessment) -> Text:
    """The verdict of a study, and where chance enters, the share of the sets of seeds that hold."""
    return verdict_text(assessment.verdict, f" ({words})" if (words := _odds(assessment)) else "")


def _odds(assessment: Assessment) -> str:
    run = assessment.run
    if not assessment.is_drawn:
        return ""
    if run is None:
        return "no run with all seeds is kept"
    if assessment.unlike:
        return f"the run with all seeds is out of date: {assessment.unlike}"
    if run.seeds < ENOUGH_SEEDS:
        low, high = run.bounds
        return f"{run.seeds} seeds so far: at least {low:.0%} and at most {high:.0%} of the sets of {run.set_size} hold"
    return f"{run.probability:.1%} of the sets of {run.set_size}, {run.seeds} seeds"


class ProgressLines:
    """Lines on the error stream: what has started, and what came of it."""

    def __init__(self, total: int = 0, word: str = "running") -> None:
        self.console = Console(stderr=True, highlight=False)
        self.total, self.word, self.ended = total, word, 0

    def started(self, what: str) -> None:
        """Something begins."""
        self.console.print(Text(f"{self.word}: {what}", "dim"), soft_wrap=True)

    def line(self, text: Text) -> None:
        """A result."""
        self.console.print(text, soft_wrap=True)

    def assessed(self, assessment: Assessment, verdict: Text | None = None) -> None:
        """A study has ended, with its own verdict or another one."""
        self.ended += 1
        line = Text(f"  {self.ended} of {self.total}: {assessment.id} ")
        line.append_text(verdict or verdict_of(assessment))
        line.append(f", {assessment.seconds:.0f} s of CPU time" if assessment.seconds >= 1.0 else "")
        why = assessment.error or assessment.absent
        self.line(line.append(f": {why}" if why else ""))


def print_table(headers: Sequence[str], sections: Iterable[Iterable[Row]], summary: Iterable[str]) -> None:
    """A table in sections on the output stream, then a few lines that sum it up."""
    # An id that is cut cannot be asked for.
    table = Table(*(Column(header, no_wrap=header == "study") for header in headers))
    for rows in sections:
        for row in rows:
            table.add_row(*row)
        table.add_section()
    console = Console(highlight=False)
    console.print(table)
    for line in summary:
        console.print(line, soft_wrap=True, markup=False)
