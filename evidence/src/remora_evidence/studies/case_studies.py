"""Check-cases that are also studies: UC-10, a whole vehicle, and UC-12, a navigation filter."""

from collections.abc import Sequence

import numpy as np

from remora.navigation.consistency import average_bounds
from remora_evidence.assessment import Study
from remora_evidence.checkcases.box_navigation import NEES_APART, our_navigation
from remora_evidence.checkcases.comparison import case_study, figures_of
from remora_evidence.checkcases.problem_file import load_problem
from remora_evidence.figure import AssessedFigure

ERRORS = 9  # position, velocity, attitude
REQUIRED = 95.0  # % of the times


def thruster_doublets(seeds: Sequence[int]) -> list[AssessedFigure]:
    """Differences of the plant from an independent solution, for doublets of the thrusters of a BlueROV2 Heavy."""
    return _named(case_study("UC-10").run(seeds))


def dropout_of_the_doppler_log(seeds: Sequence[int]) -> list[AssessedFigure]:
    """Differences of the filter from an independent one, and its NEES each second over the runs of the case."""
    problem = load_problem("UC-12")
    ours = our_navigation(problem, NEES_APART)
    rows = np.rint(problem.times / NEES_APART).astype(int)
    figures = _named(
        figures_of(problem, [one._replace(times=one.times[rows], states=one.states[rows]) for one in ours])
    )
    average = np.mean([one.states[:, -1] for one in ours], axis=0)
    low, high = average_bounds(ERRORS, len(ours))
    inside = 100.0 * float(np.mean((average >= low) & (average <= high)))
    return [
        *figures,
        AssessedFigure("times with NEES inside its 99 % interval", None, inside, "at least", REQUIRED, "%", REQUIRED),
        AssessedFigure("mean NEES of 9", None, float(average.mean()), "reported", None, "1"),
    ]


def _named(figures: Sequence[AssessedFigure]) -> list[AssessedFigure]:
    return [figure._replace(name=f"largest difference in {figure.name}") for figure in figures]


STUDIES = [
    Study(
        "UC-10",
        "check-case; vehicle of von Benzon et al. 2022",
        "BlueROV2 Heavy: doublets against an independent solution",
        thruster_doublets,
    ),
    Study(
        "UC-12",
        "check-case; NEES as in Bar-Shalom, Li and Kirubarajan 2001, ch. 5",
        "DVL-INS box with a dropout: filter against an independent one, and its NEES",
        dropout_of_the_doppler_log,
        kernels=(),
    ),
]
