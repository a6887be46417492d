"""Fit of a planned experiment: each axis by its own equations, from the time in which it swings."""

from collections.abc import Sequence

import numpy as np

from remora.experiments.excitation import names_of
from remora.experiments.requirements import Wish, equation_of
from remora.experiments.scenario_text import SETTLE, starts_of
from remora.identification.data.record import Record
from remora.identification.regression.least_squares import fit_least_squares
from remora.identification.regression.lumped import joined_axes
from remora.identification.result import Fit


def swings_in(record: Record, times: Sequence[float]) -> list[Record]:
    """The parts of a record in which one axis after the other swings; it starts with the experiment."""
    parts = []
    for start, time in zip(starts_of(times), times, strict=True):
        during = np.flatnonzero((record.time >= SETTLE + start) & (record.time <= SETTLE + start + time))
        parts.append(record.rows(int(during[0]), int(during[-1]) + 1))
    return parts


def equations_of(wish: Wish, axis: str) -> tuple[str, ...]:
    """The degrees of freedom in whose equations the parameters of an axis stand."""
    return tuple(dict.fromkeys(equation_of(name) for name in names_of(wish, axis)))


def fit_swings(record: Record, wish: Wish, times: Sequence[float], constrained: bool = True) -> Fit:
    """All parameters of a wish from the record of its experiment, by least squares with instruments.

    Each axis is fitted by itself: motion in the others is there, but only noise and holding.
    """
    fits = [
        fit_least_squares(
            part, wish.vehicle, names_of(wish, axis), axes=equations_of(wish, axis), errors="instruments",
            constrained=constrained,
        )
        for axis, part in zip(wish.axes, swings_in(record, times), strict=True)
    ]  # fmt: skip
    return fits[0] if len(fits) == 1 else joined_axes(fits)
