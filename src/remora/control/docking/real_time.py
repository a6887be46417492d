"""Real-time iteration for docking: one step of sequential quadratic programming with a line search per call.

Prediction, sensitivities and condensing are compiled; the quadratic programme has soft target rows.
Diehl, Bock and Schlöder 2005.
"""

from typing import final

import numpy as np

from remora.control.docking.local_problem import DockingPlan, DockingProblem
from remora.files.arrays import Array
from remora.plant.docking import docking_kernels
from remora.quadratic import OPTIMAL, SOFT, solve

SUFFICIENT = 1e-4  # share of the predicted decrease that a step must reach (Armijo)
SHORTEST = 1.0 / 64.0  # of a full step
CURVATURES = (1.0, 0.5, 0.0)  # shares of the second derivatives of motion and cones, tried until convex


@final
class RealTimeSolver:
    """Local solver with the work space of a horizon; one for each vehicle."""

    def __init__(self, horizon: int, with_target: bool) -> None:
        n = 3 * horizon
        rows = n if with_target else 0
        self._kernels = docking_kernels()
        self._slopes, self._sensitivities = np.zeros((horizon, 6, 8)), np.zeros((horizon + 1, 6, n))
        self._work, self._hessian, self._gradient = np.zeros((15, max(n, 6))), np.zeros((n, n)), np.zeros(n)
        self._rows, self._upper = np.zeros((rows, n)), np.zeros(rows)
        self._unbounded = np.full(rows, -1e30)
        self._sense = np.concatenate([np.zeros(n, np.int32), np.full(rows, SOFT, np.int32)])

    def step(self, problem: DockingProblem, forces: Array) -> DockingPlan:
        """Improve forces by one step; the cost of the plan never rises above that of the given forces."""
        states = np.empty((problem.horizon + 1, 6))
        states[0] = problem.start
        for curved in CURVATURES:
            change, multipliers = self._quadratic_step(problem, forces, states, curved)
            if change is not None:
                return self._searched(problem, forces, states, change, multipliers)
        cost, _, worst = self._evaluated(problem, forces, states)
        return DockingPlan(forces, states, cost, worst, 0)

    def solve(self, problem: DockingProblem, forces: Array, steps: int) -> DockingPlan:
        """Several steps on the same problem."""
        plan = self.step(problem, forces)
        for _ in range(steps - 1):
            plan = self.step(problem, plan.forces)
        return plan._replace(steps=steps)

    def _quadratic_step(
        self, problem: DockingProblem, forces: Array, states: Array, curved: float
    ) -> tuple[Array | None, Array]:
        """Step of the quadratic programme and multipliers of the target rows; None where it is not convex."""
        self._kernels.condense(
            *problem.terms, forces, states, self._slopes, self._sensitivities, self._work, curved,
            self._hessian, self._gradient, self._rows, self._upper,
        )  # fmt: skip
        limits, now = np.tile(problem.force_limits, problem.horizon), forces.ravel()
        upper = np.concatenate([limits - now, self._upper])
        lower = np.concatenate([-limits - now, self._unbounded])
        found, flag, multipliers = solve(self._hessian, self._gradient, self._rows, upper, lower, self._sense)
        if flag < OPTIMAL or not np.isfinite(found).all():
            return None, np.zeros(0)
        return np.clip(found, lower[: now.size], upper[: now.size]), multipliers[now.size :]

    def _searched(
        self, problem: DockingProblem, forces: Array, states: Array, change: Array, multipliers: Array
    ) -> DockingPlan:
        """Halve the step until cost plus weighted violation of the target decreases enough."""
        weight = 2.0 * float(np.abs(multipliers).max(initial=0.0))
        cost, total, worst = self._evaluated(problem, forces, states)
        slope = float(self._gradient @ change) - weight * total
        before, step, size = cost + weight * total, change.reshape(forces.shape), 1.0
        trial_states = states.copy()
        while size >= SHORTEST:
            trial = forces + size * step
            trial_cost, trial_total, trial_worst = self._evaluated(problem, trial, trial_states)
            if trial_cost + weight * trial_total <= before + SUFFICIENT * size * min(slope, 0.0):
                return DockingPlan(trial, trial_states, trial_cost, trial_worst, 1)
            size *= 0.5
        return DockingPlan(forces, states, cost, worst, 1)

    def _evaluated(self, problem: DockingProblem, forces: Array, states: Array) -> tuple[float, float, float]:
        found = np.empty(3)
        self._kernels.evaluate(*problem.terms, forces, states, found)
        return float(found[0]), float(found[1]), float(found[2])
