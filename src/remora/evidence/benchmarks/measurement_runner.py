"""Runs the measurements one after the other and says how far it is."""

from collections.abc import Callable, Iterable
from typing import Any

from remora.evidence.benchmarks.goals import Figure, Measurement


def run_measurements(
    measurements: Iterable[Measurement],
    started: Callable[[str], None] = lambda title: None,
    measured: Callable[[Figure], None] = lambda figure: None,
) -> list[Figure]:
    """All figures; `started` hears each title before its measurement begins, `measured` each figure after it."""
    figures = []
    for measurement in measurements:
        started(measurement.title)
        values = measurement.measure()
        for wanted in measurement.wanted:
            value = values[wanted.name]
            figure = Figure(wanted, None, value) if isinstance(value, str) else Figure(wanted, float(value))
            measured(figure)
            figures.append(figure)
    return figures


def all_hold(figures: Iterable[Figure]) -> bool:
    """Whether no goal was missed; one that could not be measured is missed."""
    return all(figure.holds for figure in figures)


def as_json(figures: Iterable[Figure]) -> dict[str, Any]:
    """The figures as plain data: name, value, unit, goal and whether it holds."""
    return {
        "figures": [
            {
                "name": figure.wanted.name,
                "value": figure.value,
                "unit": figure.wanted.unit,
                "goal": figure.wanted.goal.limit if figure.wanted.goal else None,
                "holds": figure.holds,
            }
            for figure in figures
        ]
    }
