"""Fit of a planned experiment: each axis separately, from the time in which it is excited."""

from collections.abc import Sequence

import numpy as np

from remora.experiments.excitation import names_of
from remora.experiments.requirements import Requirements, equation_of
from remora.experiments.scenario_text import SETTLE, starts_of
from remora.identification.data.record import Record
from remora.identification.regression.least_squares import fit_least_squares
from remora.identification.regression.lumped import joined_axes
from remora.identification.result import Fit


def axis_records(record: Record, times: Sequence[float]) -> list[Record]:
    """Part of the record for each axis in turn; the record starts with the experiment."""
    parts = []
    for start, time in zip(starts_of(times), times, strict=True):
        during = np.flatnonzero((record.time >= SETTLE + start) & (record.time <= SETTLE + start + time))
        parts.append(record.rows(int(during[0]), int(during[-1]) + 1))
    return parts


def equations_of(requirements: Requirements, axis: str) -> tuple[str, ...]:
    """Degrees of freedom whose equations contain the parameters of an axis."""
    return tuple(
        dict.fromkeys(equation_of(name, requirements.vehicle.parameters) for name in names_of(requirements, axis))
    )


def fit_excited_axes(
    record: Record, requirements: Requirements, times: Sequence[float], constrained: bool = True
) -> Fit:
    """Fit all required parameters to the record of an experiment, by least squares with instrumental variables.

    Axes are fitted separately: while one is excited, the others only hold their position.

    Parameters
    ----------
    record
        Record of the experiment, from its start.
    requirements
        Parameters and vehicle of the plan.
    times
        Duration of each excitation, s, as in the plan.
    constrained
        Whether only physically consistent vehicles are allowed: positive inertia, dissipative damping.
    """
    fits = [
        fit_least_squares(
            part, requirements.vehicle, names_of(requirements, axis), axes=equations_of(requirements, axis),
            errors="instruments", constrained=constrained,
        )
        for axis, part in zip(requirements.axes, axis_records(record, times), strict=True)
    ]  # fmt: skip
    return fits[0] if len(fits) == 1 else joined_axes(fits)
