"""Mean errors of three simulators on one record as text."""

from collections.abc import Sequence

from remora.interop.simulator_replays import SIMULATORS, SimulatorReplays
from remora.report.fits.summary import UNITS, TextTable


def simulator_lines(found: SimulatorReplays, axes: Sequence[str]) -> list[str]:
    """A row for each degree of freedom, a column for each simulator."""
    rows = []
    for axis in axes:
        scores = [found.scores[name].get(axis) for name in SIMULATORS]
        if any(scores):
            numbers = ["ran away" if score is None else f"{score.mae:.4f}" for score in scores]
            rows.append((axis, UNITS[axis], *numbers))
    return [
        *TextTable(("MAE of three simulators", "unit", *SIMULATORS), tuple(rows)).lines(),
        *(f"warning: the {name} model ran away: {text}" for name, text in found.problems.items()),
    ]
