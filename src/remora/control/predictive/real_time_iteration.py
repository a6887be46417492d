"""One Gauss-Newton iteration of the predictive controller: exact sensitivities, quadratic programme, line search.

Diehl, Bock and Schloeder 2005 (real-time iteration). Forces at all stages are the only unknowns (single shooting);
limits of forces and of their increments are always kept, those of states are soft with a small safety margin.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, final

import numpy as np

from remora.control.predictive.problem import ERRORS, PredictiveProblem, StageReference
from remora.equations.algebra.pose import BODY_SIZE, TWIST
from remora.files.arrays import Array
from remora.plant.dual.linearisation import STATE, PlantJacobian
from remora.plant.failures import RunError
from remora.plant.stepper import Stepper, environment_row
from remora.quadratic import LOWER, OPTIMAL, SOFT, UPPER, solve

STATE_SHARE = 0.98  # of state limits in the optimisation: the rest is for what its linearisation neglects
PENALTY = 1e3  # of a violated state limit in the merit function, per m/s, rad/s or m, relative to the cost
STEP_SHARES = (1.0, 0.5, 0.25, 0.1, 0.03)
SUFFICIENT = 1e-4  # share of the predicted decrease that a step must reach
ROUNDS = 2  # of adding violated rows; then all are added
TOLERANCE = 1e-7
NEAR = 1e-3  # N, m/s or m


ConstraintRows: TypeAlias = tuple[Array, Array, Array, Any]  # matrix, lower and upper bounds, kinds


class PredictiveInput(NamedTuple):
    """What a solve starts from."""

    state: Array  # of the model: body state and thrust of every thruster
    before: Array  # N, forces of the previous period
    reference: StageReference
    disturbance: Array  # wrench about B in body axes, N and N m
    steady: Array  # N, forces at the reference
    water: tuple[float, float, float] = (0.0, 0.0, 0.0)  # m/s, known current in N


class Solution(NamedTuple):
    """Forces of all stages after one iteration."""

    forces: Array  # N x n
    cost: float
    step: float  # share of the Gauss-Newton step that was taken; zero where none decreased the cost
    is_solved: bool  # whether the quadratic programme was solved
    decrease: float  # predicted by the quadratic model


@final
@dataclass(frozen=True, eq=False)
class RealTimeIteration:
    """The iteration for one problem, with its prepared functions."""

    problem: PredictiveProblem
    _sensitivities: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        p = self.problem
        rows = ERRORS + p.thrusters
        object.__setattr__(self, "_sensitivities", np.zeros((p.horizon + 1, rows, p.size)))  # work space

    @cached_property
    def _jacobian(self) -> PlantJacobian:
        p = self.problem
        return PlantJacobian(p.packed, (*STATE, "commands"), p.period / p.steps, p.steps)

    @cached_property
    def _stepper(self) -> Any:
        return Stepper(self.problem.packed, self.problem.period / self.problem.steps)

    def rollout(self, given: PredictiveInput, forces: Array) -> Array:
        """States at the stages 0 to N under forces."""
        states, environment = [given.state], environment_row(given.disturbance, given.water)
        state = given.state
        for row in forces:
            for _ in range(self.problem.steps):
                state = self._stepper(state, row, environment)
            states.append(state)
        return np.array(states)

    def errors(self, states: Array, reference: StageReference) -> tuple[Array, Array]:
        """Errors of the stages 1 to N, N x 12, and the Jacobians of their rotations by the attitude, N x 3 x 3."""
        c, s = np.cos(reference.headings), np.sin(reference.headings)
        away = states[1:, :3] - reference.positions
        turned = np.empty((c.size, 4))
        half_c, half_s = np.cos(0.5 * reference.headings), np.sin(0.5 * reference.headings)
        w, x, y, z = states[1:, 3:7].T
        # Conjugate of the reference attitude, a turn about the vertical, times the attitude.
        turned[:, 0], turned[:, 3] = half_c * w + half_s * z, half_c * z - half_s * w
        turned[:, 1], turned[:, 2] = half_c * x + half_s * y, half_c * y - half_s * x
        # q and -q are one attitude: a positive scalar part makes the error the shorter turn.
        turned *= np.where(turned[:, :1] < 0.0, -1.0, 1.0)
        errors = np.empty((c.size, ERRORS))
        errors[:, 0], errors[:, 1] = c * away[:, 0] + s * away[:, 1], c * away[:, 1] - s * away[:, 0]
        errors[:, 2], errors[:, 3:6] = away[:, 2], 2.0 * turned[:, 1:]
        errors[:, 6:] = states[1:, TWIST] - reference.twists
        # Small turns in body axes change the vector part by half of this, and the error is twice the vector part.
        jacobian = np.zeros((c.size, 3, 3))
        scalar, i, j, k = turned.T
        jacobian[:, 0, 0] = jacobian[:, 1, 1] = jacobian[:, 2, 2] = scalar
        jacobian[:, 0, 1], jacobian[:, 0, 2], jacobian[:, 1, 2] = -k, j, -i
        jacobian[:, 1, 0], jacobian[:, 2, 0], jacobian[:, 2, 1] = k, -j, i
        return errors, jacobian

    def cost(self, given: PredictiveInput, forces: Array, states: Array) -> float:
        """Cost of forces and the states that they lead to, without limits."""
        p = self.problem
        errors, _ = self.errors(states, given.reference)
        last = np.concatenate([errors[-1], states[-1, BODY_SIZE:] - given.steady])
        increments = np.diff(forces, axis=0, prepend=given.before[None])
        return 0.5 * float(
            np.sum(errors[:-1] ** 2 @ p.state_weights)
            + last @ p.terminal @ last
            + np.sum((forces - given.steady) ** 2 @ p.force_weights)
            + np.sum(increments**2 @ p.increment_weights)
        )

    def violation(self, given: PredictiveInput, states: Array) -> float:
        """Sum of the violations of state limits over the stages."""
        over = 0.0
        for rows, bound in self._limited(given, states):
            over += float(np.maximum(rows - bound, 0.0).sum())
        return over

    def _limited(self, given: PredictiveInput, states: Array) -> list[tuple[Array, float]]:
        """Limited values and their bound, of all stages."""
        limits, found = self.problem.limits, []
        if limits.speed is not None:
            found.append((np.abs(states[1:, 7:10]), limits.speed))
        if limits.rate is not None:
            found.append((np.abs(states[1:, 10:BODY_SIZE]), limits.rate))
        for normal, distance in limits.walls:
            found.append((states[1:, :3] @ np.array(normal), distance))
        return found

    def solve(self, given: PredictiveInput, forces: Array) -> Solution:
        """One iteration from forces within the limits, stages x thrusters, N.

        Raises a RunError when the model leaves the valid speeds of the vehicle.
        """
        p, states = self.problem, np.empty((self.problem.horizon + 1, BODY_SIZE + self.problem.thrusters))
        self._linearise(given, forces, states)
        errors, turns = self.errors(states, given.reference)
        H, g = self._condensed(given, forces, states, errors, turns)
        step, solved = self._solved_programme(given, forces, states, H, g)
        decrease = -float(g @ step + 0.5 * step @ H @ step)
        start = self._merit(given, forces, states)
        for share in STEP_SHARES if solved else ():
            trial = forces + share * step.reshape(p.horizon, p.thrusters)
            try:
                reached = self._merit(given, trial, self.rollout(given, trial))
            except RunError:
                continue
            if reached <= start - SUFFICIENT * share * max(decrease, 0.0):
                return Solution(trial, reached, share, True, decrease)
        return Solution(forces, start, 0.0, solved, decrease)

    def _merit(self, given: PredictiveInput, forces: Array, states: Array) -> float:
        return self.cost(given, forces, states) + PENALTY * self.violation(given, states)

    def _linearise(self, given: PredictiveInput, forces: Array, states: Array) -> None:
        """States, and their sensitivities to all forces."""
        G, n = self._sensitivities, self.problem.thrusters
        jacobian, rows = self._jacobian, ERRORS + self.problem.thrusters
        rest = np.concatenate([given.disturbance, given.water])
        states[0] = given.state
        for k, row in enumerate(forces):
            value, J = jacobian(np.concatenate([states[k], row, rest]))
            states[k + 1] = value
            # Forces act from the next state on: older columns are carried on, and the block of this stage begins.
            G[k + 1, :, : n * k] = J[:, :rows] @ G[k, :, : n * k]
            G[k + 1, :, n * k : n * (k + 1)] = J[:, rows:]

    def _condensed(
        self, given: PredictiveInput, forces: Array, states: Array, errors: Array, turns: Array
    ) -> tuple[Array, Array]:
        """Gauss-Newton Hessian and gradient over all forces."""
        p, G = self.problem, self._sensitivities
        c, s = np.cos(given.reference.headings), np.sin(given.reference.headings)
        E = G[1:, :ERRORS].copy()  # sensitivities of the errors
        # Position errors are along the axes of the reference heading, as in `errors`.
        E[:, 0] = c[:, None] * G[1:, 0] + s[:, None] * G[1:, 1]
        E[:, 1] = c[:, None] * G[1:, 1] - s[:, None] * G[1:, 0]
        E[:, 3:6] = turns @ G[1:, 3:6]
        roots = np.sqrt(p.state_weights)
        inner = (E[:-1] * roots[:, None]).reshape(-1, p.size)
        last = np.vstack([E[-1], G[-1, ERRORS:]])
        end = np.concatenate([errors[-1], states[-1, BODY_SIZE:] - given.steady])
        weighted = p.terminal @ last
        H = inner.T @ inner + last.T @ weighted
        g = inner.T @ (errors[:-1] * roots).ravel() + weighted.T @ end
        self._add_forces(H, g, given, forces)
        # Rounding leaves the product slightly unsymmetric.
        return 0.5 * (H + H.T), g

    def _add_forces(self, H: Array, g: Array, given: PredictiveInput, forces: Array) -> None:
        """Cost of the forces and of their increments."""
        p, n, size = self.problem, self.problem.thrusters, self.problem.size
        increments = np.diff(forces, axis=0, prepend=given.before[None]) * p.increment_weights
        own = np.tile(p.force_weights + 2.0 * p.increment_weights, p.horizon)
        # The last forces belong to one increment only, all others to two.
        own[-n:] -= p.increment_weights
        diagonal = np.arange(size)
        H[diagonal, diagonal] += own
        H[diagonal[n:], diagonal[:-n]] -= np.tile(p.increment_weights, p.horizon - 1)
        H[diagonal[:-n], diagonal[n:]] -= np.tile(p.increment_weights, p.horizon - 1)
        g += ((forces - given.steady) * p.force_weights + increments).ravel()
        g[:-n] -= increments[1:].ravel()

    def _solved_programme(
        self, given: PredictiveInput, forces: Array, states: Array, H: Array, g: Array
    ) -> tuple[Array, bool]:
        """Step of the quadratic programme; rows are added once a solution violates them."""
        p, n = self.problem, self.problem.thrusters
        low, high = np.tile(p.lowest, p.horizon) - forces.ravel(), np.tile(p.highest, p.horizon) - forces.ravel()
        # Forces follow the ones in force after a sample, which may be shorter than a stage.
        first = given.before - forces[0]
        low[:n] = np.maximum(low[:n], first - p.first_increment)
        high[:n] = np.minimum(high[:n], first + p.first_increment)
        rows, lower, upper, sense = self._rows(given, forces, states)
        # Rows near their bound at the start are likely to be active, and so are forces at their limits.
        used = (upper < NEAR) | (lower > -NEAR)
        step, bounds, active = np.zeros(p.size), np.zeros(p.size, dtype=np.int32), np.zeros(len(rows), dtype=np.int32)
        for attempt in range(ROUNDS + 1):
            found = solve(
                H,
                g,
                np.ascontiguousarray(rows[used]),
                np.concatenate([high, upper[used]]),
                np.concatenate([low, lower[used]]),
                np.concatenate([bounds, sense[used] | active[used]]),
            )
            if found.flag < OPTIMAL:
                return step, False
            step = np.clip(found.x, low, high)
            values = rows @ step
            broken = ((values < lower - TOLERANCE) | (values > upper + TOLERANCE)) & ~used
            if not broken.any():
                return step, True
            multipliers = found.multipliers
            # The next attempt starts from the active set of this one.
            bounds = _active(multipliers[: p.size])
            active[used] = _active(multipliers[p.size :])
            used |= broken if attempt < ROUNDS - 1 else True
        return step, True

    def _rows(self, given: PredictiveInput, forces: Array, states: Array) -> ConstraintRows:
        """Rows of increments, state limits and the terminal set: matrix, lower and upper bounds, sense."""
        blocks = [*self._increment_rows(forces), *self._state_rows(states), self._terminal_rows(given, states)]
        matrix, lower, upper, sense = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return matrix, lower, upper, sense

    def _increment_rows(self, forces: Array) -> list[ConstraintRows]:
        p = self.problem
        if math.isinf(p.largest_increment):
            return []
        present = np.diff(forces, axis=0).ravel()
        most = p.largest_increment
        sense = np.zeros(present.size, dtype=np.int32)
        return [(self._differences, -most - present, most - present, sense)]

    @cached_property
    def _differences(self) -> Array:
        p, n = self.problem, self.problem.thrusters
        return np.eye(p.size)[n:] - np.eye(p.size)[:-n]

    def _state_rows(self, states: Array) -> list[ConstraintRows]:
        limits, G, found = self.problem.limits, self._sensitivities, []
        for limit, first in ((limits.speed, 6), (limits.rate, 9)):
            if limit is not None:
                present, most = states[1:, first + 1 : first + 4].ravel(), STATE_SHARE * limit
                found.append(_soft(G[1:, first : first + 3].reshape(-1, G.shape[2]), -most - present, most - present))
        for normal, distance in limits.walls:
            n = np.array(normal)
            present = states[1:, :3] @ n
            # A wall may pass through the origin, where a share of its distance would leave no margin.
            margin = (1.0 - STATE_SHARE) * max(abs(distance), 1.0)
            rows = np.einsum("i,kij->kj", n, G[1:, :3])
            found.append(_soft(rows, np.full(present.size, -np.inf), distance - margin - present))
        return found

    def _terminal_rows(self, given: PredictiveInput, states: Array) -> ConstraintRows:
        """Terminal set: states at which the terminal regulator stays within the force limits."""
        p, G = self.problem, self._sensitivities
        errors, turns = self.errors(states[-2:], StageReference(*(part[-1:] for part in given.reference)))
        c, s = math.cos(given.reference.headings[-1]), math.sin(given.reference.headings[-1])
        last = G[-1].copy()
        last[0], last[1] = c * G[-1, 0] + s * G[-1, 1], c * G[-1, 1] - s * G[-1, 0]
        last[3:6] = turns[0] @ G[-1, 3:6]
        end = np.concatenate([errors[0], states[-1, BODY_SIZE:] - given.steady])
        asked = given.steady - p.feedback @ end
        return _soft(-p.feedback @ last, p.lowest - asked, p.highest - asked)


def _active(multipliers: Array) -> Any:
    """Kinds of constraints that are active at their upper or lower bound, to start from."""
    return np.where(multipliers > 0.0, UPPER, np.where(multipliers < 0.0, LOWER, 0)).astype(np.int32)


def _soft(rows: Array, lower: Array, upper: Array) -> ConstraintRows:
    return rows, lower, upper, np.full(len(rows), SOFT, dtype=np.int32)
