"""The table of check-cases."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from remora_evidence.assessment import Assessment
from remora_evidence.console import Row, print_table, verdict_text


def print_cases(cases: Sequence[Assessment]) -> None:
    """Every quantity on the output stream, and a sentence that sums them up."""
    print_table(("case", "quantity", "largest difference", "tolerance", ""), map(_rows, cases), [summary(cases)])


def case_verdict(holds: bool) -> Text:
    """A case holds or fails as a whole."""
    return verdict_text("holds" if holds else "fails")


def _rows(case: Assessment) -> Iterator[Row]:
    if case.error:
        yield case.id, case.why, "", "", case_verdict(False)
    for i, figure in enumerate(case.figures):
        apart, tolerance = f"{figure.ours:.1e} {figure.unit}", f"{figure.bound:.0e} {figure.unit}"
        yield "" if i else case.id, figure.name, apart, tolerance, case_verdict(figure.holds)


def summary(cases: Sequence[Assessment]) -> str:
    """How many hold, or which fail."""
    failed, ran = [case.id for case in cases if not case.holds], len(cases)
    return f"{len(failed)} of {ran} cases fail: {', '.join(failed)}." if failed else f"{ran} of {ran} cases hold."
