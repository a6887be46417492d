"""Which solution each case has: a closed form where there is one, else adaptive integration."""

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

from reference import closed_forms
from reference.box_filter import solve_box
from reference.docking import precise, solve_docking
from reference.integration import adaptive, solve_run
from reference.problem import Problem, Run, Water
from reference.trajectory import Trajectory


def integrated(problem: Problem, run: Run) -> Trajectory:
    """The run in momentum form, to twelve digits."""
    return solve_run(problem, run, adaptive(problem.interval))


def carried(problem: Problem, run: Run) -> Trajectory:
    """A run in a uniform current: solved in still water, then seen from an observer whom the water passes."""
    current = run.water.velocity
    start = Rotation.from_quat(run.quaternion, scalar_first=True)
    still = Water(np.zeros(3), np.zeros((3, 3)))
    seen = integrated(problem, run._replace(water=still, velocity=run.velocity - start.inv().apply(current)))
    states = seen.states.copy()
    states[:, :3] += np.outer(problem.times, current)
    turned = Rotation.from_quat(states[:, 3:7], scalar_first=True)
    states[:, 7:10] += turned.inv().apply(current)
    return seen._replace(states=states)


SOLUTIONS: dict[str, Callable[[Problem, Run], Trajectory]] = {
    "UC-01": closed_forms.at_rest,
    "UC-02": closed_forms.sinking_sphere,
    "UC-03": closed_forms.surge,
    "UC-04": closed_forms.free_rotation,
    "UC-05": integrated,
    "UC-06": closed_forms.roll,
    "UC-07": carried,
    "UC-08": integrated,
    "UC-09": integrated,
    "UC-10": integrated,
}


def solved(problem: Problem) -> list[Trajectory]:
    """The reference trajectories of a problem, one per run."""
    if problem.docking is not None:
        return solve_docking(problem, precise(problem.interval))
    if problem.is_navigation:
        return solve_box(problem)
    return list(map(partial(SOLUTIONS[problem.id], problem), problem.runs))
