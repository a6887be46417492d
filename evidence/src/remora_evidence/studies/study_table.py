"""Tables of studies: a list of all, and the figures of those that ran."""

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from remora_evidence.assessment import Assessment, Study
from remora_evidence.console import STYLES, Row, print_table, verdict_of, verdict_text
from remora_evidence.figure import AssessedFigure


def number(value: float | None, unit: str = "") -> str:
    """A number with its unit; nothing for None."""
    return "" if value is None else f"{value:.5g}{'' if unit in ('', '1') else ' ' + unit}"


def requirement(figure: AssessedFigure) -> str:
    """The relation and bound of a figure; nothing where it is only reported."""
    return "" if figure.relation == "reported" else f"{figure.relation} {number(figure.bound, figure.unit)}"


def spread(figure: AssessedFigure) -> str:
    """Mean, standard deviation and range of the scores of single seeds."""
    if figure.spread is None:
        return ""
    mean, deviation, least, largest = figure.spread
    return f"{mean:.4g} ± {deviation:.2g}, {least:.4g} to {largest:.4g}"


def print_list(groups: Mapping[str, Sequence[Study]], other_ids: Mapping[str, Sequence[str]]) -> None:
    """All studies by group, and ids that point to other studies."""
    rows = [_listed("" if i else group, study) for group, studies in groups.items() for i, study in enumerate(studies)]
    hint = "remora reproduce ID or GROUP ... runs them; remora reproduce all runs every one."
    others = "; ".join(f"{other} is {', '.join(names)}" for other, names in other_ids.items())
    print_table(("group", "study", "what", "source", "seeds"), [rows], [f"{others}.", hint])


def _listed(group: str, study: Study) -> Row:
    seeds = "" if study.scores is None else f"{study.seeds} (--full: {study.all_seeds})"
    return group, study.id, study.title, study.source, seeds


def print_assessments(assessments: Sequence[Assessment]) -> None:
    """Every figure on the output stream, then the verdicts and the figures that do not hold."""
    drawn = any(figure.spread for one in assessments for figure in one.figures)
    headers = ("study", "figure", "printed", "ours", "demanded", *(["over seeds"] if drawn else []), "verdict")
    print_table(headers, (_rows(one, drawn) for one in assessments), summary(assessments))


def _rows(assessment: Assessment, drawn: bool) -> Iterator[Row]:
    """A row for the study with its verdict and what differs from its source, and one for each of its figures."""
    notes = list(dict.fromkeys(figure.differs for figure in assessment.figures if figure.differs))
    title = Text(assessment.why or assessment.title, "bold")
    for i, note in enumerate(notes):
        title.append(f"\n({i + 1}) differs: {note}", "not bold dim")
    yield assessment.id, title, "", "", "", *([""] if drawn else []), verdict_of(assessment)
    for figure in assessment.figures:
        mark = f" ({notes.index(figure.differs) + 1})" if figure.differs else ""
        printed, ours = number(figure.printed, figure.unit), number(figure.ours, figure.unit)
        share = "" if figure.probability is None else f"{figure.probability:.1%}"
        word = ("holds" if figure.is_required else "reported") if figure.holds else "fails"
        scatter = [spread(figure)] if drawn else []
        verdict = verdict_text(word, f" {share}".rstrip())
        yield "", Text(figure.name + mark), printed, ours, requirement(figure), *scatter, verdict


def _partly(assessment: Assessment) -> str:
    """Which required figures of a study hold, and which do not."""
    held, missed = ("; ".join(figure.name for figure in part) for part in (assessment.held, assessment.missed))
    count = f"{len(assessment.held)} of {len(assessment.held) + len(assessment.missed)}"
    if not missed and assessment.run:
        share = f"{assessment.run.probability:.1%} of the sets of {assessment.run.set_size}"
        return f"{assessment.id}: each demanded figure holds, all of them together in {share}."
    return f"{assessment.id}: {count} demanded figures hold. Holds: {held}. Fails: {missed}."


def summary(assessments: Sequence[Assessment]) -> list[str]:
    """How many studies hold, and which do not, by verdict."""
    ids = {word: [one.id for one in assessments if one.verdict == word] for word in STYLES}
    ran = len(assessments) - len(ids["data absent"])
    if not ran:
        lines = ["No study was run."]
    elif len(ids["holds"]) == ran:
        lines = [f"All {ran} studies hold."]
    else:
        lines = [f"{len(ids['holds'])} of {ran} studies hold."]
        lines += [f"{len(ids['fails'])} of {ran} studies fail: {', '.join(ids['fails'])}."] if ids["fails"] else []
        lines += [f"{len(ids['partly'])} of {ran} hold in part:"] if ids["partly"] else []
        lines += [f"  {_partly(one)}" for one in assessments if one.verdict == "partly"]
    lines += [f"Undecided: {', '.join(ids['undecided'])}."] if ids["undecided"] else []
    lines += [f"Not run, their data are absent: {', '.join(ids['data absent'])}."] if ids["data absent"] else []
    return lines
