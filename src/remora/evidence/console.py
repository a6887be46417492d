"""Verdicts, progress and tables of evidence on a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from remora.evidence.assessment import Assessment

STYLES = {
    "holds": "green", "partly": "yellow", "fails": "bold red", "missed": "bold red", "data absent": "yellow",
    "reported": "dim",
}  # fmt: skip

Row = Sequence[str | Text]


def verdict_text(word: str, more: str = "") -> Text:
    """A verdict in its colour."""
    return Text(word + more, STYLES[word])


def verdict_of(assessment: Assessment) -> Text:
    """The verdict of a study, with the number of seeds it rests on where that is not all."""
    few = assessment.seeds < assessment.all_seeds and not assessment.absent
    seeds = f" ({assessment.seeds} of {assessment.all_seeds} seeds)" if few else ""
    return verdict_text(assessment.verdict, seeds)


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
    table = Table(*headers)
    for rows in sections:
        for row in rows:
            table.add_row(*row)
        table.add_section()
    console = Console(highlight=False)
    console.print(table)
    for line in summary:
        console.print(line, soft_wrap=True, markup=False)
