"""Errors of records, and fixes that several of them share."""

from collections.abc import Iterable
from os import PathLike, fspath

from remora.files.problems import Fix, InputError


class RecordError(InputError):
    """A record was refused: the message names the finding, the fix what to give instead."""

    def __init__(
        self,
        message: str,
        source: str | PathLike[str] = "",
        line: int | None = None,
        fix: Fix | None = None,
        *,
        field: str = "",
        found: str = "",
        choices: Iterable[str] = (),
    ) -> None:
        self.source = fspath(source)
        self.line = line
        place = f"{self.source}:{line}" if line is not None else self.source
        text = message if fix is None else f"{message} {fix}".replace(" \n", "\n")
        super().__init__(f"{place}: {text}" if place else text)
        self.message = message
        self.about(field, found, choices, fix or "")


def resampling_fix(sentence: str, interval: float) -> Fix:
    """A fix by resampling: `{rate}` in the sentence, and the interval in s."""
    text = f"{interval:.3g}"
    return Fix(sentence, {"rate": f"{1.0 / float(text):.3g}"}, {"rate": f"`resampled(record, {text})`"})


def axes_fix(sentence: str) -> Fix:
    """A fix by fitting fewer degrees of freedom: `{axes}` in the sentence."""
    return Fix(sentence, {"axes": ""}, {"axes": "`axes`"})
