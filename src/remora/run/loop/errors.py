"""Errors that stop a run, with vehicle, part and time, and the checks of outputs of parts that raise them."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from remora.equations.types import Wrench
from remora.files.problems import InputError
from remora.files.user_code import is_user_defined, source_file, user_line
from remora.logs.problems import seconds
from remora.logs.schema import LEVELS
from remora.messages.estimate import Estimate
from remora.messages.part import PartReport
from remora.plant.failures import RunError


class LoopError(RuntimeError):
    """A vehicle or one of its parts failed at a time."""

    def __init__(self, what: str, time_ns: int) -> None:
        super().__init__(f"{what}, at {seconds(time_ns)}")
        self.time_ns = time_ns


def vehicle_failure(vehicle: str, error: Exception, time_ns: int) -> LoopError:
    """LoopError for a failure of the plant of a vehicle or of its external loads."""
    what = error.what if isinstance(error, RunError) else str(error)
    return LoopError(f'"{vehicle}": {what}', time_ns)


RAISED_AT = ", raised at "  # before file and line
UNIT = 1e-3  # within which the squared length of an estimated quaternion is one


def failure_text(error: Exception) -> str:
    """What a part raised, with file and line of user code."""
    line = user_line(error)
    kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "  # words for users name no class
    return f"failed: {kind}{error}" + (f"{RAISED_AT}{line}" if line else "")


def origin_text(part: Any) -> str:
    """File of a user-defined part in brackets; empty for a bundled one."""
    inner = getattr(part, "inner", part)
    file = source_file(type(inner)) if is_user_defined(inner) else None
    return f" ({file}, {type(inner).__name__})" if file else ""


def state_and_output(result: Any) -> tuple[Any, Any]:
    """The pair that `step` returns; ValueError otherwise."""
    if isinstance(result, tuple | list) and len(result) == 2:
        return result[0], result[1]
    hint = "Write return state, output, also where there is no state (None, output) or no output (state, None)"
    raise ValueError(f"step returned {shown(result)}, not a pair of state and output. {hint}")


def checked_wrench(output: Any) -> Wrench:
    """The wrench of a controller; ValueError unless it has six finite numbers."""
    plain = output.tolist() if isinstance(output, np.ndarray) else output
    try:
        if len(plain) == 6 and math.isfinite(sum(plain)):
            wrench: Wrench = plain
            return wrench
    except (TypeError, ValueError):
        pass
    raise ValueError(f"gave {shown(plain)}, not a wrench of six finite numbers (N and N m, about B in body axes)")


def checked_estimate(output: Any) -> Estimate:
    """The estimate of navigation; ValueError otherwise."""
    if not isinstance(output, Estimate):
        raise ValueError(f"gave {shown(output)}, not an Estimate, as remora.Estimate")
    if not _is_shaped(output):
        raise ValueError(_shape_fault(output))
    return output


def checked_report(report: Any) -> PartReport:
    """A message of a part; ValueError unless it has a level, a text and data."""
    if isinstance(report, tuple | list) and len(report) == 3:
        level, text, data = report
        if level in LEVELS and isinstance(text, str) and isinstance(data, Mapping):
            return PartReport(level, text, data)
    raise ValueError(f"reports gave {shown(report)}, not a level ({', '.join(LEVELS)}), a text and a mapping of data")


def _is_shaped(estimate: Estimate) -> bool:
    """Whether an estimate has its numbers, and a unit quaternion or an unknown one."""
    try:
        _, p, q, twist, *vectors = estimate
        if (len(p), len(q), len(twist)) != (3, 4, 6) or any(len(one) != 3 for one in vectors):
            return False
        a, b, c, d = q
        sum(p) + sum(twist)
        return not abs(a * a + b * b + c * c + d * d - 1.0) > UNIT
    except (TypeError, ValueError):
        return False


def _shape_fault(estimate: Estimate) -> str:
    """What is wrong with the numbers of an estimate."""
    for name, value in zip(estimate._fields[1:], estimate[1:], strict=True):
        size = {"q_NB": 4, "twist": 6}.get(name, 3)
        try:
            numbers = [float(number) for number in value]
        except (TypeError, ValueError):
            numbers = []
        if len(numbers) != size:
            return f"gave an Estimate whose {name} is {shown(value)}, not {size} numbers"
    return f"gave an Estimate whose q_NB is {shown(estimate.q_NB)}, not a unit quaternion with the scalar part first"


def shown(value: Any) -> str:
    """A short text of a value."""
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist()
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return f"[{_shortened(_numbers(value))}]"
    return _shortened(f"{type(value).__name__} {value!r}") if value is not None else "None"


def _numbers(values: Iterable[Any]) -> str:
    return ", ".join(f"{value:.6g}" if isinstance(value, float) else str(value) for value in values)


def _shortened(text: str) -> str:
    return text if len(text) < 80 else text[:77] + "..."
