"""CPU time of distributed docking: a sample of two vehicles, a local solve, and a ring of ten."""

import time
from collections.abc import Mapping
from typing import final

import numpy as np

from remora.control.docking.distributed import DistributedPlanner, simulate_docking
from remora.control.docking.solvers import DockingPlan, DockingProblem, RealTimeSolver
from remora.control.docking.team import NIELSEN_STARTS, NIELSEN_VEHICLE, DockingTeam, nielsen_team, ring_graph
from remora.files.arrays import Array

RING = 10


@final
class _Timed:
    """Real-time iteration with the CPU time of each call, s."""

    def __init__(self, team: DockingTeam, index: int, seconds: list[float]) -> None:
        self._solver, self._seconds = RealTimeSolver(team.horizon, index in team.targets), seconds

    def step(self, problem: DockingProblem, forces: Array) -> DockingPlan:
        begin = time.process_time()
        plan = self._solver.step(problem, forces)
        self._seconds.append(time.process_time() - begin)
        return plan


def _seconds_per_sample(planner: DistributedPlanner, starts: Array, duration: float) -> float:
    begin = time.process_time()
    run = simulate_docking(planner, starts, duration)
    return (time.process_time() - begin) / len(run.forces)


def measure_docking(duration: float = 10.0, rounds: int = 3) -> Mapping[str, float]:
    """Samples of the printed scenario with all 15 iterations, the lowest mean of several rounds."""
    team, starts = nielsen_team(stop_when_agreed=False), np.array(NIELSEN_STARTS)
    simulate_docking(DistributedPlanner(team), starts, team.step)
    found, solves = [], []
    for _ in range(rounds):
        seconds: list[float] = []
        planner = DistributedPlanner(team, solver=lambda t, i, kept=seconds: _Timed(t, i, kept))  # type: ignore[misc]
        found.append(_seconds_per_sample(planner, starts, duration))
        solves.append(float(np.median(seconds)))
    return {"docking_sample_milliseconds": 1e3 * min(found), "docking_local_solve_milliseconds": 1e3 * min(solves)}


def measure_ring(duration: float = 1.0, rounds: int = 3) -> Mapping[str, float]:
    """Ten vehicles on a ring from random poses, all 15 iterations, per sample and vehicle."""
    random, starts = np.random.default_rng(1), np.zeros((RING, 6))
    starts[:, :2], starts[:, 2] = random.uniform(-4.0, 4.0, (RING, 2)), random.uniform(-0.6, 0.6, RING)
    team = DockingTeam(ring_graph(RING), (NIELSEN_VEHICLE,) * RING, stop_when_agreed=False)
    best = min(_seconds_per_sample(DistributedPlanner(team), starts, duration) for _ in range(rounds))
    return {"docking_ring_milliseconds": 1e3 * best / RING}
