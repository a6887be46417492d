"""Shows studies to people: a list, a line for each as it ends, a table at the end."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from remora.evidence.figure import Figure, Outcome, Study


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


STYLES = {"holds": "green", "partly": "yellow", "fails": "bold red", "data absent": "yellow", "reported": "dim"}


def verdict(outcome: Outcome | Figure) -> Text:
    """The verdict of a study, with how many seeds it stands on where that is not all; or that of a figure."""
    if isinstance(outcome, Outcome):
        few = outcome.seeds < outcome.all_seeds and not outcome.absent
        seeds = f" ({outcome.seeds} of {outcome.all_seeds} seeds)" if few else ""
        return Text(outcome.verdict + seeds, STYLES[outcome.verdict])
    word = ("holds" if outcome.is_demanded else "reported") if outcome.holds else "fails"
    return Text(word, STYLES[word])


def partly(outcome: Outcome) -> str:
    """Which demanded figures of a study hold, and which do not."""
    held, missed = ("; ".join(figure.name for figure in part) for part in (outcome.held, outcome.missed))
    demanded = len(outcome.held) + len(outcome.missed)
    return f"{outcome.id}: {len(outcome.held)} of {demanded} demanded figures hold. Holds: {held}. Fails: {missed}."


def print_list(groups: Mapping[str, Sequence[Study]]) -> None:
    """All studies by group."""
    console = Console(highlight=False)
    table = Table("group", "study", "what", "source", "seeds")
    for group, studies in groups.items():
        for i, study in enumerate(studies):
            seeds = f"{study.seeds} (--full: {study.all_seeds})" if study.all_seeds > study.seeds else str(study.seeds)
            table.add_row("" if i else group, study.id, study.title, study.source, seeds)
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
        line.append(f", {outcome.seconds:.0f} s of CPU time" if outcome.seconds >= 1.0 else "")
        why = outcome.error or outcome.absent
        self.console.print(line.append(f": {why}" if why else ""), soft_wrap=True)


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Every figure on the output stream, then what the verdicts are and which figures do not hold."""
    table = Table("study", "figure", "printed", "ours", "demanded", "verdict")
    for outcome in outcomes:
        _add_outcome(table, outcome)
    console = Console(highlight=False)
    console.print(table)
    for line in summary(outcomes):
        console.print(line, soft_wrap=True)


def _add_outcome(table: Table, outcome: Outcome) -> None:
    """A row for the study with its verdict and what differs from its source, and one for each of its figures."""
    notes = list(dict.fromkeys(figure.differs for figure in outcome.figures if figure.differs))
    title = Text(outcome.why or outcome.title, "bold")
    for i, note in enumerate(notes):
        title.append(f"\n({i + 1}) differs: {note}", "not bold dim")
    table.add_row(outcome.id, title, "", "", "", verdict(outcome))
    for figure in outcome.figures:
        mark = f" ({notes.index(figure.differs) + 1})" if figure.differs else ""
        printed, ours = number(figure.printed, figure.unit), number(figure.ours, figure.unit)
        table.add_row("", Text(figure.name + mark), printed, ours, demanded(figure), verdict(figure))
    table.add_section()


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """How many studies hold, and which do not, by verdict."""
    ids = {word: [one.id for one in outcomes if one.verdict == word] for word in STYLES}
    ran = len(outcomes) - len(ids["data absent"])
    if not ran:
        lines = ["No study was run."]
    elif len(ids["holds"]) == ran:
        lines = [f"All {ran} studies hold."]
    else:
        lines = [f"{len(ids['holds'])} of {ran} studies hold."]
        lines += [f"{len(ids['fails'])} of {ran} studies fail: {', '.join(ids['fails'])}."] if ids["fails"] else []
        lines += [f"{len(ids['partly'])} of {ran} hold in part:"] if ids["partly"] else []
        lines += [f"  {partly(outcome)}" for outcome in outcomes if outcome.verdict == "partly"]
    few = [one.id for one in outcomes if one.seeds < one.all_seeds and not one.absent]
    lines += [f"On fewer seeds than --full takes: {', '.join(few)}."] if few else []
    lines += [f"Not run, their data are absent: {', '.join(ids['data absent'])}."] if ids["data absent"] else []
    return lines
