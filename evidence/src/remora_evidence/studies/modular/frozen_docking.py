"""Local docking problems drawn from the closed loop, and the real-time iteration on them against the optimum."""

from collections.abc import Iterator
from typing import NamedTuple, final

import numpy as np

from remora.control.docking.distributed import DistributedPlanner, simulate_docking
from remora.control.docking.solvers import ConvergedSolver, DockingPlan, DockingProblem, RealTimeSolver
from remora.control.docking.team import NIELSEN_STARTS, SUBGRADIENT_PRICES, DockingTeam, nielsen_team
from remora.files.arrays import Array

STEPS = 5  # of the real-time iteration on a frozen problem
ADMM_DRAWS, SUBGRADIENT_DRAWS = (40.0, 31), (4.0, 157)  # s of the loop, local solves between two drawn problems


class FrozenProblem(NamedTuple):
    """A local problem and the forces from which the loop started on it."""

    problem: DockingProblem
    forces: Array


@final
class _Recorder:
    """Local solver that keeps some of its problems."""

    def __init__(self, team: DockingTeam, index: int, every: int, kept: list[FrozenProblem]) -> None:
        self._solver = RealTimeSolver(team.horizon, index in team.targets)
        self._every, self._kept, self._count = every, kept, 0

    def step(self, problem: DockingProblem, forces: Array) -> DockingPlan:
        if self._count % self._every == self._every // 2:
            self._kept.append(FrozenProblem(problem, forces))
        self._count += 1
        return self._solver.step(problem, forces)


def drawn_problems(team: DockingTeam, duration: float, every: int) -> list[FrozenProblem]:
    """Problems of a team of two that starts as printed, over a duration in s: one in `every` local solves."""
    kept: list[FrozenProblem] = []
    planner = DistributedPlanner(team, None, lambda t, i: _Recorder(t, i, every, kept))
    simulate_docking(planner, NIELSEN_STARTS, duration)
    return kept


def excess_costs(frozen: FrozenProblem, converged: ConvergedSolver) -> Array:
    """Cost after each step of the real-time iteration over the converged cost, less one."""
    problem, forces = frozen
    best = converged.step(problem, forces).cost
    solver, found = RealTimeSolver(problem.horizon, bool(problem.target.size)), []
    for _ in range(STEPS):
        plan = solver.step(problem, forces)
        forces = plan.forces
        found.append((plan.cost - best) / abs(best))
    return np.array(found)


def frozen_figures() -> Iterator[tuple[str, float | str]]:
    """Number of problems, and the largest distance of their costs to the converged ones."""
    problems = drawn_problems(nielsen_team(), *ADMM_DRAWS)
    problems += drawn_problems(nielsen_team(prices=SUBGRADIENT_PRICES), *SUBGRADIENT_DRAWS)
    yield "frozen problems", float(len(problems))
    try:
        converged = ConvergedSolver()
    except ImportError as missing:
        yield "frozen problems: cost after five steps, farthest from the converged one", str(missing)
        return
    excess = np.abs([excess_costs(frozen, converged) for frozen in problems])
    yield "frozen problems: cost after five steps, farthest from the converged one", float(excess[:, -1].max())
    first = np.array([int(np.argmax(row < 1e-4)) + 1 if (row < 1e-4).any() else STEPS + 1 for row in excess])
    yield "frozen problems: steps to the converged cost, worst", float(first.max())
