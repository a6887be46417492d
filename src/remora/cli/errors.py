"""Errors that a user can do something about: what to say, and the exit code."""

import os
import sys
from typing import NamedTuple

import click

from remora.cli.option_names import option

BAD_INPUT, FAILED, NOT_AS_ASKED, INTERRUPTED = 2, 1, 3, 130


class Ending(NamedTuple):
    """How a command ends that could not go on."""

    message: str
    code: int


def message_and_code(error: BaseException) -> Ending | None:
    """The ending for an expected error; None for one that is a fault of the program, or that click ends by itself."""
    if isinstance(error, KeyboardInterrupt):
        return Ending("stopped by Ctrl-C", INTERRUPTED)
    if isinstance(error, click.exceptions.Exit | click.exceptions.Abort | BrokenPipeError):
        return None
    if os.environ.get("REMORA_TRACEBACK") == "1":
        return None
    if _is_run_error(error):
        return Ending(f"error: {error}", FAILED)
    if isinstance(error, ValueError):
        return _of_input(error)
    if isinstance(error, OSError):
        file = f"{error.filename}: " if error.filename else ""
        return Ending(f"error: {file}{error.strerror or error}", BAD_INPUT)
    return None


def _of_input(error: ValueError) -> Ending:
    """A refused file lists its problems, one per line; any other bad value is one line."""
    from remora.files.problems import InputError, InputFileError

    if isinstance(error, InputFileError):
        return Ending(str(error), BAD_INPUT)
    if isinstance(error, InputError):
        return Ending(f"error: {error.worded(option)}", BAD_INPUT)
    return Ending(f"error: {error}", BAD_INPUT)


def _is_run_error(error: BaseException) -> bool:
    """Whether a run failed; the kernels are only asked if something has loaded them."""
    kernels = sys.modules.get("remora.kernels.failures")
    return kernels is not None and isinstance(error, kernels.RunError)
