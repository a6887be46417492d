"""Inputs whose range does not match the actuator limits, mostly because of a wrong or missing unit."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from remora.files.problems import Fix, listed
from remora.identification.data.checks import Limit
from remora.identification.data.record import Record, RecordedInputs
from remora.identification.problems import RecordError

# Share of the limits below which inputs are probably in another unit.
_FAINT = 0.02
# Largest share of rows with commands beyond a limit.
_OFTEN = 0.3
PERCENT = "%"


def unlikely_ranges(record: Record, limits: Mapping[str, Limit]) -> list[str]:
    """Warnings about inputs far below the limits of all actuators, or often beyond one of them."""
    inputs = record.inputs
    if inputs is None or inputs.kind == "wrench":
        return []
    known = [(name, limits[name]) for name in inputs.names if name in limits and 0.0 < limits[name].size < np.inf]
    reached = {name: _largest(inputs, name) for name, _ in known}
    if not known or max(reached.values()) == 0.0:
        return []
    name, limit = max(known, key=lambda one: reached[one[0]] / one[1].size)
    if reached[name] < _FAINT * limit.size:
        return [f"{record.source}: {_faint(inputs, name, reached[name], limit)}"]
    return [f"{record.source}: {message}" for message in _beyond(inputs, known)]


@contextmanager
def explained_by(doubts: Sequence[str]) -> Iterator[None]:
    """Add likely reasons to the message of a refused record."""
    try:
        yield
    except RecordError as error:
        own = [doubt.removeprefix(f"{error.source}: ") for doubt in doubts]
        fix = error.fix if isinstance(error.fix, Fix) else None
        raise RecordError(" ".join([error.message, *own]), error.source, error.line, fix) from None


def _faint(inputs: RecordedInputs, name: str, size: float, limit: Limit) -> str:
    most = f"{limit.size:.4g} {limit.unit}".rstrip()
    message = f"{inputs.kind} reach {size:.3g} at most ({name}), of a limit of {most}"
    if PERCENT in inputs.units:
        return (
            f"{message}: columns in % are divided by 100. Leave the unit off where the vehicle takes percent as "
            "plain numbers, or give it limits of 1."
        )
    if not limit.unit:
        return f"{message}: fractions of one, where the vehicle takes percent? Scale the columns or the limits."
    return f"{message}: another unit than {limit.unit}? Name the unit of the columns, as in {name}=COLUMN:UNIT."


def _beyond(inputs: RecordedInputs, known: Sequence[tuple[str, Limit]]) -> list[str]:
    shares = {name: float(np.mean(_sizes(inputs, name) > 1.001 * limit.size)) for name, limit in known}
    often = [name for name, share in shares.items() if share > _OFTEN]
    if not often:
        return []
    most = max(shares[name] for name in often)
    return [
        f"{inputs.kind} of {listed(often)} lie beyond their limits in up to {100.0 * most:.0f} % of the rows and "
        "are cut there: another unit, or limits of another thruster?"
    ]


def _sizes(inputs: RecordedInputs, name: str) -> np.ndarray:
    column = inputs.values[:, inputs.names.index(name)]
    return np.abs(column[np.isfinite(column)])


def _largest(inputs: RecordedInputs, name: str) -> float:
    return float(_sizes(inputs, name).max(initial=0.0))
