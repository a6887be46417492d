"""Selection of runs for a fit by criteria fixed in advance, and validation on all runs."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from remora.identification.data.record import Record
from remora.identification.replay import Score, replay
from remora.plant.failures import RunError
from remora.vehicles.parameters import VehicleParameters


class Criterion(NamedTuple):
    """A criterion on a run: a measure and its limits."""

    description: str  # e.g. "seconds without a gap"
    measure: Callable[[Record], float]
    lowest: float = -np.inf
    highest: float = np.inf

    def fault(self, record: Record) -> str | None:
        """Reason for rejecting a run; None where the criterion is met."""
        value = self.measure(record)
        if self.lowest <= value <= self.highest:
            return None
        if np.isnan(value):
            return f"{self.description}: not known"
        limit = f"below {self.lowest:g}" if value < self.lowest else f"above {self.highest:g}"
        return f"{self.description}: {value:.4g}, {limit}"


def long_enough(seconds: float) -> Criterion:
    """Shortest time inside segments, s."""
    return Criterion("seconds without a gap", lambda record: record.duration, lowest=seconds)


def moves(axis: str, rms: float) -> Criterion:
    """Smallest RMS speed of a degree of freedom, m/s or rad/s."""
    return Criterion(f"rms speed of {axis}", lambda record: _rms(record, axis), lowest=rms)


def rests(axis: str, rms: float) -> Criterion:
    """Largest RMS speed of a degree of freedom, m/s or rad/s: no disturbance."""
    return Criterion(f"rms speed of {axis}", lambda record: _rms(record, axis), highest=rms)


def few_gaps(share: float) -> Criterion:
    """Largest share of the time in gaps."""
    return Criterion("share of gaps", lambda record: 1.0 - record.duration / float(record.time[-1]), highest=share)


def _rms(record: Record, axis: str) -> float:
    speeds = record.speed(axis)
    known = speeds[np.isfinite(speeds)]
    return float(np.sqrt(np.mean(known**2))) if len(known) else float("nan")


class Rejected(NamedTuple):
    """A rejected run and the reasons."""

    record: Record
    reasons: tuple[str, ...]


class Selection(NamedTuple):
    """Runs that meet all criteria, and rejected ones."""

    kept: tuple[Record, ...]
    rejected: tuple[Rejected, ...]
    criteria: tuple[str, ...]


def select_runs(records: Sequence[Record], criteria: Sequence[Criterion]) -> Selection:
    """Select runs by common criteria."""
    kept, rejected = [], []
    for record in records:
        reasons = tuple(fault for fault in (criterion.fault(record) for criterion in criteria) if fault)
        if reasons:
            rejected.append(Rejected(record, reasons))
        else:
            kept.append(record)
    return Selection(tuple(kept), tuple(rejected), tuple(criterion.description for criterion in criteria))


class RunScore(NamedTuple):
    """Scores of a model on one run."""

    source: str
    used: bool  # whether the run was selected
    scores: Mapping[str, Score]
    problem: str = ""  # why it could not be scored


def validate_runs(
    selection: Selection, vehicle: VehicleParameters, restart: float | None = None, settle: float = 0.0
) -> list[RunScore]:
    """Replay all runs, including rejected ones, so that the selection cannot hide errors of a model.

    Parameters
    ----------
    selection, vehicle, restart, settle
        Selected and rejected runs, the model, and times as for `replay`, s.
    """
    runs = [*((record, True) for record in selection.kept), *((r.record, False) for r in selection.rejected)]
    results = []
    for record, used in runs:
        try:
            results.append(RunScore(record.source, used, replay(record, vehicle, restart, settle).scores))
        except (RunError, ValueError) as error:
            results.append(RunScore(record.source, used, {}, str(error)))
    return results
