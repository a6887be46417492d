"""Solves a problem in momentum form: adaptively to twelve digits, or with the plain fourth-order method."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from reference.body import Body, body_of
from reference.forces import dragging
from reference.motion import (
    OUTPUTS,
    POSITION,
    ROTATION,
    Motion,
    flows_of,
    rate,
    start_of,
    twists_of,
)
from reference.problem import Array, Problem, Run
from reference.trajectory import Trajectory, has_thrust

# From a state over one interval of held inputs to the state at its end.
Advance: TypeAlias = Callable[[Motion, Array], Array]

RELATIVE, ABSOLUTE = 1e-13, 1e-14
NO_OUTPUTS: Array = np.zeros(0)
# |v| v has a kink at v = 0, which no error estimate sees well, so the integration stops there and starts anew.
AHEAD = 1e-7  # s: so far ahead is looked to know which way a flow goes that starts at zero
NOTHING = 1e-12  # m/s, rad/s or s: what is smaller counts as zero
FROM_ZERO = 0.01  # s: a flow that starts at zero cannot be watched yet, so it is looked at again this soon


def adaptive(interval: float, method: Literal["DOP853", "Radau"] = "DOP853") -> Advance:
    """Error per step below 1e-13; Radau, which shares nothing with the other, is for cross-checks."""

    def advance(motion: Motion, state: Array) -> Array:
        left = interval
        while left > NOTHING:
            state, passed = _to_kink(motion, state, left, method)
            left -= passed
        return state

    return advance


def _to_kink(motion: Motion, state: Array, seconds: float, method: str) -> tuple[Array, float]:
    """The state where the next flow changes its sign, or at the latest after some time, and the time that passed."""
    soon = flows_of(motion, state + AHEAD * rate(motion, state))
    signs = np.where(np.abs(soon) > NOTHING, np.sign(soon), 0.0)
    drag = dragging(motion.body)
    watched = drag & (signs * flows_of(motion, state) > NOTHING)
    if not watched[drag].all():
        seconds = min(seconds, FROM_ZERO)

    def smallest(t: float, y: Array) -> float:
        return float(np.min((signs * flows_of(motion, y))[watched], initial=1.0))

    kink: Any = smallest
    kink.terminal, kink.direction = True, -1.0
    solved = solve_ivp(
        lambda t, y: rate(motion, y, signs), (0.0, seconds), state, method, rtol=RELATIVE, atol=ABSOLUTE, events=kink
    )
    return np.asarray(solved.y[:, -1]), float(solved.t[-1])


def runge_kutta_4(interval: float, steps: int) -> Advance:
    """The classical fourth-order method with so many steps in the interval."""
    h = interval / steps

    def advance(motion: Motion, state: Array) -> Array:
        for _ in range(steps):
            a = rate(motion, state)
            b = rate(motion, state + 0.5 * h * a)
            c = rate(motion, state + 0.5 * h * b)
            state = state + h / 6.0 * (a + 2.0 * b + 2.0 * c + rate(motion, state + h * c))
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
    states = [start_of(body, run.water, run.position, rotation, twist)]
    for time in problem.times[:-1].tolist():
        states.append(advance(Motion(body, run.water, run.inputs_at(time)), states[-1]))
    return Trajectory(run.name, problem.times, np.array([_row(problem, body, run, state) for state in states]))


def _row(problem: Problem, body: Body, run: Run, state: Array) -> Array:
    """A state in the columns of a trajectory."""
    twist, _ = twists_of(body, run.water, state)
    outputs = state[OUTPUTS] if has_thrust(problem) else NO_OUTPUTS
    return row(state[POSITION], state[ROTATION].reshape(3, 3), twist, outputs)


def row(position: Array, rotation: Array, twist: Array, outputs: Array = NO_OUTPUTS) -> Array:
    """Position, attitude, twist and outputs in the columns of a trajectory."""
    quaternion = Rotation.from_matrix(rotation).as_quat(canonical=True, scalar_first=True)
    return np.concatenate([position, quaternion, twist, outputs])
