"""Shows studies to people: a list, a line for each as it ends, a table at the end."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from remora.studies.figures import Figure, Outcome, Study


def number(value: float | None, unit: str = "") -> str:
    """A number with its unit as people read it; nothing for None."""
    return "" if value is None else f"{value:.5g}{'' if unit in ('', '1') else ' ' + unit}"


def demanded(figure: Figure) -> str:
    """What is demanded of a figure, in words."""
    if figure.relation == "reported":
        return ""
    if figure.relation == "within":
        return f"within {number(figure.bound, figure.unit)}"
    return f"{figure.relation} {number(figure.bound, figure.unit)}"


def verdict(outcome: Outcome | Figure) -> Text:
    """Whether it holds, in a word."""
    if isinstance(outcome, Figure) and outcome.relation == "reported" and outcome.holds:
        return Text("reported", "dim")
    if isinstance(outcome, Outcome) and outcome.absent:
        return Text("data absent", "yellow")
    return Text("holds", "green") if outcome.holds else Text("fails", "bold red")


def print_list(groups: Mapping[str, Sequence[Study]]) -> None:
    """All studies by group."""
    console = Console(highlight=False)
    table = Table("group", "study", "what", "source", "seeds")
    for group, studies in groups.items():
        for i, study in enumerate(studies):
            table.add_row("" if i else group, study.id, study.title, study.source, str(study.seeds))
    console.print(table)
    console.print("remora reproduce ID or GROUP ... runs them; remora reproduce all runs every one.")


class Progress:
    """Writes to the error stream which study ended, how, and how many are left."""

    def __init__(self, total: int) -> None:
        self.console = Console(stderr=True, highlight=False)
        self.total, self.ended = total, 0

    def started(self, ids: str) -> None:
        """Studies begin."""
        self.console.print(Text(f"running: {ids}", "dim"), soft_wrap=True)

    def outcome(self, outcome: Outcome) -> None:
        """A study has ended."""
        self.ended += 1
        line = Text(f"  {self.ended} of {self.total}: {outcome.id} ").append_text(verdict(outcome))
        why = outcome.error or outcome.absent
        self.console.print(line.append(f": {why}" if why else ""), soft_wrap=True)


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Every figure on the output stream, and a sentence that sums them up."""
    table = Table("study", "figure", "printed", "ours", "demanded", "")
    for outcome in outcomes:
        title = f"{outcome.id}\n{outcome.title}"
        if outcome.why:
            table.add_row(title, outcome.why, "", "", "", verdict(outcome))
        for i, figure in enumerate(outcome.figures):
            printed, ours = number(figure.printed, figure.unit), number(figure.ours, figure.unit)
            table.add_row("" if i else outcome.id, figure.name, printed, ours, demanded(figure), verdict(figure))
        table.add_section()
    console = Console(highlight=False)
    console.print(table)
    failed = [outcome.id for outcome in outcomes if outcome.fails]
    absent = [outcome.id for outcome in outcomes if outcome.absent]
    ran = len(outcomes) - len(absent)
    words = f"{len(failed)} of {ran} studies fail: {', '.join(failed)}." if failed else f"All {ran} studies hold."
    console.print(words if ran else "No study was run.", soft_wrap=True)
    if absent:
        console.print(f"Not run, their data are absent: {', '.join(absent)}.", soft_wrap=True)
