"""Solves a problem in momentum form: adaptively to twelve digits, or with the plain fourth-order method."""

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from remora.checkcases.problem import Array, Problem, Run
from remora.checkcases.reference import body as momentum
from remora.checkcases.reference.body import Body, body_of
from remora.checkcases.trajectory import Trajectory, has_thrust

# From a state over one interval of held inputs to the state at its end.
Advance: TypeAlias = Callable[[Callable[[Array], Array], Array], Array]

RELATIVE, ABSOLUTE = 1e-13, 1e-14
NO_OUTPUTS: Array = np.zeros(0)


def adaptive(interval: float, method: Literal["DOP853", "Radau"] = "DOP853") -> Advance:
    """Error per step below 1e-13; Radau, which shares nothing with the other, is for cross-checks."""

    def advance(rate: Callable[[Array], Array], state: Array) -> Array:
        solved = solve_ivp(lambda t, y: rate(y), (0.0, interval), state, method, rtol=RELATIVE, atol=ABSOLUTE)
        return np.asarray(solved.y[:, -1])

    return advance


def runge_kutta_4(interval: float, steps: int) -> Advance:
    """The classical fourth-order method with so many steps in the interval."""
    h = interval / steps

    def advance(rate: Callable[[Array], Array], state: Array) -> Array:
        for _ in range(steps):
            a = rate(state)
            b = rate(state + 0.5 * h * a)
            c = rate(state + 0.5 * h * b)
            state = state + h / 6.0 * (a + 2.0 * b + 2.0 * c + rate(state + h * c))
        return state

    return advance


def solve(problem: Problem, advance: Advance) -> list[Trajectory]:
    """All runs of a problem."""
    return [solve_run(problem, run, advance) for run in problem.runs]


def solve_run(problem: Problem, run: Run, advance: Advance) -> Trajectory:
    """One run, from output time to output time."""
    body = body_of(problem.vehicle)
    rotation = Rotation.from_quat(run.quaternion, scalar_first=True).as_matrix()
    twist = np.concatenate([run.velocity, run.rates])
    states = [momentum.start_of(body, run.water, run.position, rotation, twist)]
    for time in problem.times[:-1].tolist():
        states.append(advance(partial(momentum.rate, body, run.water, run.inputs_at(time)), states[-1]))
    return Trajectory(run.name, problem.times, np.array([_row(problem, body, run, state) for state in states]))


def _row(problem: Problem, body: Body, run: Run, state: Array) -> Array:
    """A state in the columns of a trajectory."""
    twist = momentum.twist_of(body, run.water, state)
    outputs = state[momentum.OUTPUTS] if has_thrust(problem) else NO_OUTPUTS
    return row(state[momentum.POSITION], state[momentum.ROTATION].reshape(3, 3), twist, outputs)


def row(position: Array, rotation: Array, twist: Array, outputs: Array = NO_OUTPUTS) -> Array:
    """Position, attitude, twist and outputs in the columns of a trajectory."""
    quaternion = Rotation.from_matrix(rotation).as_quat(canonical=True, scalar_first=True)
    return np.concatenate([position, quaternion, twist, outputs])
