"""Input arrays of surveys: converted and checked once."""

from typing import Any

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import InputError


class SurveyError(InputError):
    """Data from which a survey cannot be computed."""


def table(given: Any, name: str, columns: int) -> Array:
    """Rows of numbers with this many columns; NaN marks a missing value, the name of the argument is for messages."""
    try:
        rows = np.atleast_2d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise SurveyError(f"{name}: not a table of numbers ({error})").about(name) from None
    if rows.ndim != 2 or rows.shape[1] != columns:
        found = " x ".join(map(str, np.shape(given)))
        fix = f"give rows of {columns} numbers"
        raise SurveyError(f"{name}: found an array of {found or 'one number'}; {fix}.").about(name, found, fix=fix)
    if np.isinf(rows).any():
        raise SurveyError(f"{name}: contains an infinite value").about(name)
    return rows


def column(given: Any, name: str, length: int) -> Array:
    """One number for each row of another argument."""
    rows = table(np.reshape(np.asarray(given, dtype=object), (-1, 1)), name, 1)[:, 0]
    if len(rows) != length:
        fix = f"give {length} values, one for each row"
        raise SurveyError(f"{name}: found {len(rows)} values; {fix}.").about(name, len(rows), fix=fix)
    return rows


def positive(value: float, name: str) -> float:
    """A positive, finite number."""
    if not (isinstance(value, (int, float)) and 0.0 < value < float("inf")):
        raise SurveyError(f"{name}: found {value!r}; give a positive number.").about(name, value)
    return float(value)
