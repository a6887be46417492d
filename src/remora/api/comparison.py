"""`compare`: the first difference of two logs."""

from os import PathLike
from typing import Any

from remora.api.run_log import RunLog
from remora.files.problems import InputError
from remora.identification.data.read_options import check_number
from remora.logs import comparison
from remora.logs.comparison import Comparison
from remora.logs.log import Log


def compare(
    first: RunLog | str | PathLike[str], second: RunLog | str | PathLike[str], *, tolerance: float = 0.0
) -> Comparison:
    """Compare two logs, by default to the last bit; `same` tells the result, printing it the first difference.

    Parameters
    ----------
    first, second
        Logs or their files.
    tolerance
        Relative difference below which numbers count as equal, in [0, 1).
    """
    check_number("tolerance", tolerance, least=0.0)
    return comparison.compare(_source("first", first), _source("second", second), tolerance=tolerance)


def _source(field: str, given: Any) -> Log | str | PathLike[str]:
    if isinstance(given, RunLog):
        return given.log
    if isinstance(given, Log | str | PathLike):
        return given
    fix = "Give a log or the path of one."
    raise InputError(f"{field} is {given!r:.60}. {fix}").about(field, given, fix=fix)
