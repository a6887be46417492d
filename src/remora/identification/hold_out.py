"""Hold-out split of records: one part for the fit, the other for its validation."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from remora.files.problems import Fix, InputError
from remora.identification.data.record import Record
from remora.identification.problems import RecordError
from remora.identification.sampling.resampling import without

DEFAULT_SHARE = 0.3  # of each record, held out for validation
FEWEST_ROWS = 10  # of a fitted or validated part
QUIET = 0.2  # of the RMS motion in the whole record, below which an axis is too quiet in a part
ROUND = 30.0  # s, of which a share is held out where the end of the record is unsuitable


class RecordSplit(NamedTuple):
    """Records split for fit and validation."""

    fitted: tuple[Record, ...]
    validated: tuple[Record, ...]
    note: str = ""  # where not the last part is held out


def validation_share(hold_out: float | None, others: bool) -> float:
    """The share of each record that is held out: as given, otherwise none beside validation records."""
    return (0.0 if others else DEFAULT_SHARE) if hold_out is None else hold_out


def validation_steps(records: int, others: int, share: float) -> int:
    """Number of progress steps of a fit and its validation."""
    return 1 + others + (records if share or not others else 0)


def split_records(records: Sequence[Record], hold_out: float, axes: Sequence[str] = ()) -> RecordSplit:
    """Split records for fit and validation; the same records twice where none is held out.

    `hold_out` is the share of each record for validation, in [0, 1); the axes must move in both parts.
    """
    if not 0.0 <= hold_out < 1.0:
        fix = Fix("{hold_out}: give a share in [0, 1).", {"hold_out": f"{hold_out:g}"})
        raise InputError(fix).about("hold_out", f"{hold_out:g}", fix=fix)
    if hold_out == 0.0:
        return RecordSplit(tuple(records), tuple(records))
    cut, note = [record.split(1.0 - hold_out) for record in records], ""
    for k, record in enumerate(records):
        if min(hold_out, 1.0 - hold_out) * len(record) < FEWEST_ROWS:
            raise RecordError(f"is too short to hold out {hold_out:g} of it: {len(record)} rows.", record.source)
        if reason := _quiet(record, cut[k], hold_out, axes):
            cut[k] = _pieces(record, hold_out)
            note = f"{reason}; pieces from all over it were held out instead of the end."
    return RecordSplit(tuple(first for first, _ in cut), tuple(rest for _, rest in cut), note)


def _quiet(record: Record, halves: tuple[Record, Record], hold_out: float, axes: Sequence[str]) -> str:
    """Reason why one of the two parts is unsuitable; empty where both are suitable."""
    names = (f"the first {1.0 - hold_out:.3g}", f"the last {hold_out:.3g}")
    for half, name in zip(halves, names, strict=True):
        if len(half) < FEWEST_ROWS:
            return f"{name} of the time of {record.source} is too quiet: it has {len(half)} rows"
        still = [axis for axis in axes if _rms_motion(half, axis) < QUIET * _rms_motion(record, axis)]
        if still:
            return f"{name} of the time of {record.source} is too quiet: {', '.join(still)} hardly moved there"
    return ""


def _rms_motion(record: Record, axis: str) -> float:
    """RMS of the speed of an axis about its mean, m/s or rad/s."""
    speeds = record.speed(axis)
    return float(np.nanstd(speeds)) if np.isfinite(speeds).any() else 0.0


def _pieces(record: Record, hold_out: float) -> tuple[Record, Record]:
    """Split of each period of half a minute, or a sixth of the record, with its last share held out."""
    elapsed = 1e-9 * (record.time_ns - record.time_ns[0])
    held = (elapsed / min(ROUND, elapsed[-1] / 6.0)) % 1.0 >= 1.0 - hold_out
    if (rows := min(int(held.sum()), int((~held).sum()))) < FEWEST_ROWS:
        few = "short" if rows > 0.5 * min(hold_out, 1.0 - hold_out) * len(record) else "quiet"
        found = f"is too {few} to hold out {hold_out:g} of it: {rows} of its {len(record)} rows lie there"
        raise RecordError(f"{found}. Hold out more, or nothing, and judge by another log.", record.source)
    parts = without(record, held), without(record, ~held)
    return replace(parts[0], provenance=record.provenance), replace(parts[1], provenance=record.provenance)
