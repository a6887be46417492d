"""Notes on the fitted log are shown although another log, or its end, is validated."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from remora.identification.data.record import Record, gap_note, record_from_arrays
from remora.identification.validation import _fitted_notes


def _record(time: np.ndarray, source: str) -> Record:
    return record_from_arrays(time, np.zeros((len(time), 6)), source=source)


def _judged(record: Record) -> Any:
    return cast(Any, SimpleNamespace(recorded=record, uniform=record))


def test_a_clock_jump_in_the_fitted_part_is_mentioned() -> None:
    time = np.concatenate([np.arange(0.0, 10.0, 0.1), np.arange(40.0, 60.0, 0.1)])
    whole = _record(time, "jump.csv")
    assert gap_note(whole) == ["A gap of 30.1 s at 9.9 s; nothing is integrated across a gap."]
    first, rest = whole.split(0.7)
    (note,) = _fitted_notes([whole], [first], [_judged(rest)])
    assert note.startswith("jump.csv, fitted: A gap of 30.1 s")


def test_notes_of_the_fitted_log_stay_with_a_validation_log() -> None:
    fitted = _record(np.arange(0.0, 9.0, 0.1), "a.csv").with_note("3 lines that cannot be read were left out.")
    other = _record(np.arange(0.0, 9.0, 0.1), "b.csv").with_note("3 lines that cannot be read were left out.")
    assert _fitted_notes([fitted], [fitted], [_judged(other)]) == (
        "a.csv, fitted: 3 lines that cannot be read were left out.",
    )
    assert _fitted_notes([fitted], [fitted], [_judged(fitted)]) == ()
