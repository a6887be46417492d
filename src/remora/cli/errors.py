"""Errors and warnings of the library on the command line: message, exit code, and options in place of arguments."""

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

BAD_INPUT, FAILED, NOT_AS_ASKED, INTERRUPTED = 2, 1, 3, 130

# Options for the fields that errors and warnings name.
OPTIONS = {
    "axes": "--axes",
    "axes_convention": "--axes-convention",
    "channel": "--channel",
    "columns": "--columns",
    "gap": "--gap",
    "hold_out": "--hold-out",
    "inputs": "--inputs",
    "inputs_late": "--inputs-late",
    "keep_first": "--keep-first",
    "lever_arm": "--lever-arm",
    "log_vehicle": "--log-vehicle",
    "method": "--method",
    "motion": "--motion",
    "negative_damping": "--negative-damping",
    "neutral": "--neutral",
    "parameters": "--parameters",
    "rate": "--rate",
    "reader": "--reader",
    "restart": "--restart",
    "salvage": "--salvage",
    "settle": "--settle",
    "skip_nan": "--skip-nan",
    "vehicle": "--vehicle",
}


def option(field: str, value: str) -> str:
    """A field and its value as an option: `rate` and `20` as --rate 20."""
    if field == "constrained":  # only a reason lets damping add energy
        return option("negative_damping", "REASON")
    return f"{OPTIONS[field]} {value}".rstrip()


def with_options(sentences: "Iterable[str]") -> tuple[str, ...]:
    """Warnings of the library with options in place of Python arguments."""
    from remora.files.problems import Advice

    return tuple(one.worded(option) if isinstance(one, Advice) else one for one in sentences)


_NO_MEMORY = (
    "error: there is not enough memory. Raise the limit of the process (ulimit -v), or give less: a part of a table, "
    "an MCAP log instead of CSV, fewer channels or vehicles."
)
_NO_COMPILER = (
    "error: NUMBA_DISABLE_JIT is set, so that nothing is compiled, and this command needs compiled code. Unset it."
)


class ErrorExit(NamedTuple):
    """Message and exit code of a failed command."""

    message: str
    code: int


def message_and_code(error: BaseException) -> ErrorExit | None:
    """Message and exit code of an expected error; None for a bug, or an exit that click handles."""
    if isinstance(error, KeyboardInterrupt):
        return ErrorExit("stopped by Ctrl-C", INTERRUPTED)
    if isinstance(error, click.exceptions.Exit | click.exceptions.Abort):
        return None
    if os.environ.get("REMORA_TRACEBACK") == "1":
        return None
    if isinstance(error, MemoryError):
        return ErrorExit(_NO_MEMORY, FAILED)
    if isinstance(error, NotImplementedError) and os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return ErrorExit(_NO_COMPILER, BAD_INPUT)
    if _is_run_error(error):
        return ErrorExit(f"error: {error}", FAILED)
    if isinstance(error, ValueError):
        return _of_input(error)
    if isinstance(error, OSError):
        file = f"{error.filename}: " if error.filename else ""
        return ErrorExit(f"error: {file}{error.strerror or error}", BAD_INPUT)
    return None


def _of_input(error: ValueError) -> ErrorExit:
    """A refused file lists its problems, one per line; any other bad value is one line."""
    from remora.files.problems import InputError, InputFileError

    if isinstance(error, InputFileError):
        return ErrorExit(str(error), BAD_INPUT)
    if isinstance(error, InputError):
        return ErrorExit(f"error: {error.worded(option)}", BAD_INPUT)
    return ErrorExit(f"error: {error}", BAD_INPUT)


def _is_run_error(error: BaseException) -> bool:
    """Whether a run failed; kernels are not imported for the check."""
    kernels = sys.modules.get("remora.plant.failures")
    return kernels is not None and isinstance(error, kernels.RunError)
