"""Errors of records, and fixes that several of them share."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from remora.files.problems import Fix
from remora.logs.readers.tables import TableError


class RecordError(TableError):
    """A record was refused: the message names the finding, the fix what to give instead."""


def resampling_fix(sentence: str, interval: float) -> Fix:
    """A fix by resampling: `{rate}` in the sentence, and the interval in s."""
    text = f"{interval:.3g}"
    return Fix(sentence, {"rate": f"{1.0 / float(text):.3g}"}, {"rate": f"`resampled(record, {text})`"})


def axes_fix(sentence: str) -> Fix:
    """A fix by fitting fewer degrees of freedom: `{axes}` in the sentence."""
    return Fix(sentence, {"axes": ""}, {"axes": "`axes`"})


@contextmanager
def explained_by(doubts: Sequence[str]) -> Iterator[None]:
    """Add likely reasons to the message of a refused record."""
    try:
        yield
    except RecordError as error:
        own = [doubt.removeprefix(f"{error.source}: ") for doubt in doubts]
        fix = error.fix if isinstance(error.fix, Fix) else None
        raise RecordError(" ".join([error.message, *own]), error.source, error.line, fix) from None
