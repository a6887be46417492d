"""Two bodies that are welded together for a while, in momentum form: apart, and as one body with the summed inertia."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from reference import forces
from reference.body import Body, body_of, cross, skew
from reference.motion import MOMENTUM, POSITION, ROTATION, SPIN, Motion, rate, start_of, twists_of
from reference.problem import Array, Held, Problem, Water
from reference.trajectory import Trajectory

RELATIVE, ABSOLUTE = 1e-13, 1e-14
Rate: TypeAlias = Callable[[Array], Array]
# From the rate of a state and the state to the state an interval later.
Integrate: TypeAlias = Callable[[Rate, Array], Array]


class Pair(NamedTuple):
    """Two welded bodies: inertia about the origin of the first, and the place of the second in it."""

    body: Body
    inverse: Array
    place: Array
    turn: Array  # R_12


def precise(interval: float) -> Integrate:
    """Error per step below 1e-13."""

    def integrate(slope: Rate, state: Array) -> Array:
        solved = solve_ivp(lambda t, y: slope(y), (0.0, interval), state, "DOP853", rtol=RELATIVE, atol=ABSOLUTE)
        return np.asarray(solved.y[:, -1])

    return integrate


def fourth_order(interval: float, steps: int) -> Integrate:
    """The classical fourth-order method."""
    h = interval / steps

    def integrate(slope: Rate, state: Array) -> Array:
        for _ in range(steps):
            a = slope(state)
            b = slope(state + 0.5 * h * a)
            c = slope(state + 0.5 * h * b)
            state = state + h / 6.0 * (a + 2.0 * b + 2.0 * c + slope(state + h * c))
        return state

    return integrate


def carried_twist(pair: Pair, twist: Array) -> Array:
    """Twist of the second body from that of the first."""
    v, w = twist[:3] + cross(twist[3:], pair.place), twist[3:]
    return np.concatenate([pair.turn.T @ v, pair.turn.T @ w])


def joined(body: Body, first: Array, second: Array) -> tuple[Pair, Array]:
    """The pair, and its state: pose of the first, momenta of both together about its origin."""
    R1, R2 = first[ROTATION].reshape(3, 3), second[ROTATION].reshape(3, 3)
    place, turn = R1.T @ (second[POSITION] - first[POSITION]), R1.T @ R2
    lever = np.block([[turn.T, -turn.T @ skew(place)], [np.zeros((3, 3)), turn.T]])
    inertia = body.rigid + body.added
    pair = Pair(body, np.asarray(np.linalg.inv(inertia + lever.T @ inertia @ lever)), place, turn)
    momentum = first[MOMENTUM] + second[MOMENTUM]
    spin = first[SPIN] + second[SPIN] + cross(second[POSITION] - first[POSITION], second[MOMENTUM])
    return pair, np.concatenate([first[POSITION], first[ROTATION], momentum, spin])


def twist_of_pair(pair: Pair, state: Array) -> Array:
    """Twist of the first body."""
    R = state[ROTATION].reshape(3, 3)
    return np.asarray(pair.inverse @ np.concatenate([R.T @ state[MOMENTUM], R.T @ state[SPIN]]))


def rate_of_pair(pair: Pair, held: tuple[Held, Held], state: Array) -> Array:
    """Rate of the state of two welded bodies; each has its own drag, weight and buoyancy."""
    R, twist = state[ROTATION].reshape(3, 3), twist_of_pair(pair, state)
    other, R2 = carried_twist(pair, twist), R @ pair.turn
    one = held[0].wrench + forces.restoring(pair.body, R) - forces.damping(pair.body, twist)
    two = held[1].wrench + forces.restoring(pair.body, R2) - forces.damping(pair.body, other)
    force_two = R2 @ two[:3]
    force = R @ one[:3] + force_two
    torque = R @ one[3:] + R2 @ two[3:] + cross(R @ pair.place, force_two)
    velocity = R @ twist[:3]
    spin = torque - cross(velocity, state[MOMENTUM])
    return np.concatenate([velocity, (R @ skew(twist[3:])).ravel(), force, spin])


def parted(pair: Pair, state: Array) -> tuple[Array, Array]:
    """The states of both bodies, with the momenta that they have in the pair."""
    R, twist = state[ROTATION].reshape(3, 3), twist_of_pair(pair, state)
    poses = ((state[POSITION], R, twist), (state[POSITION] + R @ pair.place, R @ pair.turn, carried_twist(pair, twist)))
    inertia, states = pair.body.rigid + pair.body.added, []
    for position, rotation, own in poses:
        momenta = inertia @ own
        states.append(np.concatenate([position, rotation.ravel(), rotation @ momenta[:3], rotation @ momenta[3:]]))
    return states[0], states[1]


def solve_docking(problem: Problem, integrate: Integrate) -> list[Trajectory]:
    """Both bodies of a problem with docking, from output time to output time."""
    assert problem.docking is not None
    body, (begin, end) = body_of(problem.vehicle), problem.docking
    states = []
    for run in problem.runs:
        R = Rotation.from_quat(run.quaternion, scalar_first=True).as_matrix()
        states.append(start_of(body, run.water, run.position, R, np.concatenate([run.velocity, run.rates])))
    rows: list[list[Array]] = [[_row(body, state)] for state in states]
    pair, both = joined(body, states[0], states[1])
    for time in problem.times[:-1].tolist():
        held = problem.runs[0].inputs_at(time), problem.runs[1].inputs_at(time)
        if abs(time - begin) < 1e-9:
            pair, both = joined(body, states[0], states[1])
        if begin - 1e-9 <= time < end - 1e-9:
            both = integrate(lambda y, p=pair, h=held: rate_of_pair(p, h, y), both)  # type: ignore[misc]
            states = list(parted(pair, both))
        else:
            motions = [Motion(body, run.water, one) for run, one in zip(problem.runs, held, strict=True)]
            states = [
                integrate(lambda y, m=motion: rate(m, y), state)  # type: ignore[misc]
                for motion, state in zip(motions, states, strict=True)
            ]
        for kept, state in zip(rows, states, strict=True):
            kept.append(_row(body, state))
    return [Trajectory(run.name, problem.times, np.array(kept)) for run, kept in zip(problem.runs, rows, strict=True)]


def _row(body: Body, state: Array) -> Array:
    """A state in the columns of a trajectory; the water is at rest."""
    still = Water(np.zeros(3), np.zeros((3, 3)))
    quaternion = Rotation.from_matrix(state[ROTATION].reshape(3, 3)).as_quat(canonical=True, scalar_first=True)
    return np.concatenate([state[POSITION], quaternion, twists_of(body, still, state)[0]])
