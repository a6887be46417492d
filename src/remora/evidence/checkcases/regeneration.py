"""Writes the references again from the problem files."""

from pathlib import Path

from remora.evidence.checkcases.problem import load_problem
from remora.evidence.checkcases.reference.solutions import reference
from remora.evidence.checkcases.reference.tolerances import derived_tolerances
from remora.evidence.checkcases.trajectory import write_csv


def regenerate(case: str, folder: Path) -> dict[str, float]:
    """Write the reference trajectories of a case into a folder; its tolerances as the method's order gives them."""
    problem = load_problem(case)
    trajectories = reference(problem)
    write_csv(folder / f"{case}.csv", problem, trajectories)
    return derived_tolerances(problem, trajectories)
