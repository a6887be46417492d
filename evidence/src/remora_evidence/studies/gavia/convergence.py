"""gavia-5.4: recursive estimates have settled at the end of a run.

The source says that all numbers were within 5 % of their means. Its printed terms of sway and heave know nothing of the
surge speed, which the staircase at the end of each run changes: with them the numbers of sway and heave never settle.
Demanded is the figure with the products of surge, on a plant whose lift is nothing but such products; all else is
reported.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.vectors import diagonal6
from remora.equations.hull.forms import lift as hull_lift
from remora.equations.types import Matrix6
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.fit import BASELINE, EXTENDED, Active, GyroFit, fit_gyro_driven
from remora.identification.gyro_driven.free_run import AXES
from remora.vehicles import Vehicle
from remora.vehicles.parameters import with_form
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.gavia import records
from remora_evidence.studies.gavia.calm_water import PROGRAMS, gavia, significant, truth

RUNS = ("ID1", "ID2")
CROSS_FLOW = 150.0  # kg/m, sway and heave
LIFT, LIFT_OF_TURN = 30.0, 6.0  # kg/m and kg: forces of u v and u w, and of u r and u q


def lifted() -> Vehicle:
    """The Gavia without fins; lift of the hull instead, and half of its cross-flow drag."""
    p = gavia().parameters
    lift: Matrix6 = (
        (0.0,) * 6,
        (0.0, LIFT, 0.0, 0.0, 0.0, -LIFT_OF_TURN),
        (0.0, 0.0, LIFT, 0.0, LIFT_OF_TURN, 0.0),
        *((0.0,) * 6,) * 3,
    )
    drag = diagonal6((p.quadratic_damping[0][0], CROSS_FLOW, CROSS_FLOW, 0.0, 0.0, 0.0))
    changed = with_form(p._replace(quadratic_damping=drag, fins=(), fin_names=()), hull_lift.LIFT, hull_lift.Lift(lift))
    return replace(gavia(), parameters=changed)


@cache
def lifted_truth(run: str) -> records.TrueRun:
    """What that plant does in a program in calm water."""
    return records.follow(lifted(), records.program(PROGRAMS[run]))


class LoggedCase(NamedTuple):
    """A log and the terms that are fitted to it."""

    has_fins: bool = False  # the preset in place of the plant whose lift is nothing but products
    is_coarse: bool = False  # coarser noise
    terms: Active = EXTENDED

    def log(self, seed: int, run: str) -> GyroData:
        """What is logged of a run; the law of thrust is that of the preset for both plants."""
        made = truth("matched", run) if self.has_fins else lifted_truth(run)
        return records.logged(gavia(), made, seed, run, records.CHECKED if self.is_coarse else records.NAVIGATION_GRADE)


JUDGED = LoggedCase()
BESIDE = {
    "printed terms": LoggedCase(terms=BASELINE),
    "coarser noise": LoggedCase(is_coarse=True),
    "with fins": LoggedCase(has_fins=True),
    "with fins, printed terms": LoggedCase(has_fins=True, terms=BASELINE),
}


@cache
def strayed(case: LoggedCase, seed: int, run: str) -> list[float]:
    """How far the significant numbers of each axis are from their means over the last tenth of a log, at most, in %."""
    log = case.log(seed, run)
    fit = fit_gyro_driven(log, active=case.terms)
    return [_furthest(log, fit, axis, case.terms) for axis in AXES]


def _furthest(log: GyroData, fit: GyroFit, axis: str, active: Active) -> float:
    history = fit.history[axis][:, significant(log, fit, axis, active)]
    last = history[-len(history) // 10 :]
    return 100.0 * float(np.max(np.abs(last / last.mean(axis=0) - 1.0), initial=0.0))


def worst_of(case: LoggedCase, seeds: Sequence[int], runs: Sequence[str]) -> list[float]:
    """Per axis, over several logs."""
    return [float(worst) for worst in np.max([strayed(case, seed, run) for run in runs for seed in seeds], axis=0)]


def convergence(seeds: Sequence[int]) -> list[Value]:
    """How far significant numbers stray from their mean over the last tenth of the samples, worst seed."""
    figures = []
    for run in RUNS:
        worst = worst_of(JUDGED, seeds, [run])
        for axis, furthest in zip(AXES, worst, strict=True):
            figures.append((f"{run}, {axis}: furthest from its mean", furthest))
    return figures + _beside(seeds)


def _beside(seeds: Sequence[int]) -> list[Value]:
    """The same with the printed terms, with coarser noise, and with fins; worst run and seed."""
    return [
        (f"{name}, {axis}: furthest from its mean", furthest)
        for name, case in BESIDE.items()
        for axis, furthest in zip(AXES, worst_of(case, seeds, RUNS), strict=True)
    ]


STUDIES: dict[str, StudyFunction] = {
    "gavia-5.4": convergence,
}
