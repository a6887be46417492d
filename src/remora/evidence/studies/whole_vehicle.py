"""UC-10 as a study: the check-case of a whole vehicle, whose bounds are its public tolerances."""

from collections.abc import Sequence

from remora.evidence.assessment import Study
from remora.evidence.checkcases.comparison import case_study
from remora.evidence.figure import AssessedFigure


def thruster_doublets(seeds: Sequence[int]) -> list[AssessedFigure]:
    """Differences of the plant from an independent solution, for doublets of the thrusters of a BlueROV2 Heavy."""
    figures = case_study("UC-10").run(seeds)
    return [figure._replace(name=f"largest difference in {figure.name}") for figure in figures]


STUDIES = [
    Study(
        "UC-10",
        "check-case; vehicle of von Benzon et al. 2022",
        "BlueROV2 Heavy: doublets against an independent solution",
        thruster_doublets,
    )
]
