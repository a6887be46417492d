"""Whether the step of a run is stable for the damping, turning and righting of a vehicle at a state.

An explicit method multiplies a motion exp(lambda t) by its growth at h lambda in each step h; a motion that decays in
the water, but grows in the simulation, gains energy from the method alone. Hairer and Wanner 1996, IV.2.
"""

import numpy as np

from remora.equations.algebra.quaternions import product
from remora.files.arrays import Array
from remora.kernels.failures import RunError
from remora.kernels.loops import BODY_SIZE
from remora.kernels.methods import ADAMS_BASHFORTH, ADAPTIVE, IntegrationMethod
from remora.kernels.plant import Plant
from remora.vehicles.names import DEGREES_OF_FREEDOM

SMALL = 1e-5  # rad, m/s and rad/s: differences of the linearisation
NEUTRAL = 1e-4  # real over absolute part of an eigenvalue above which it does not decay
GROWTH = 1.001  # of a decaying motion per step, above which the step is unstable
SHORTER = 0.9  # ratio of one step to the next that is tried
MOST_TRIALS = 100


def longest_step(plant: Plant, state: Array, current: Array, interval: float, method: IntegrationMethod) -> float:
    """The interval in s, or a shorter one that is stable at a state where it is not.

    Parameters
    ----------
    plant
        The vehicle.
    state
        A row of its states; actuators that it does not give are at rest.
    current
        Velocity of the water in N, m/s.
    interval
        Step, s.
    method
        Integration method; an adaptive one is always stable.
    """
    if method.rule == ADAPTIVE:
        return interval
    try:
        rates = np.linalg.eigvals(linearised(plant, state, current))
    except RunError:  # outside its envelope, where a run ends
        return interval
    decaying = rates[rates.real < -NEUTRAL * np.abs(rates)]
    for _ in range(MOST_TRIALS):
        if not _growth(method, interval * decaying).max(initial=0.0) > GROWTH:
            break
        interval *= SHORTER
    return interval


def whole_row(plant: Plant, state: Array) -> Array:
    """A state of the plant from a row that may lack actuators, which are at rest then, or have a history."""
    row = plant.initial_state()
    size = min(row.size, state.size)
    row[:size] = state[:size]
    return row


def linearised(plant: Plant, state: Array, current: Array) -> Array:
    """Slopes of the rates of attitude and twist by small rotations and twists, 9x9, by central differences."""
    row = whole_row(plant, state)
    columns = []
    for j in range(9):
        if DEGREES_OF_FREEDOM[j - 3 if j > 2 else j + 3] in plant.locked:  # locked rotations turn nothing either
            columns.append(np.zeros(9))
            continue
        one, other = (_rates(plant, _moved(row, j, sign * SMALL), current) for sign in (1.0, -1.0))
        columns.append((one - other) / (2.0 * SMALL))
    slopes: Array = np.array(columns).T
    w = row[10:BODY_SIZE]
    slopes[:3, :3] = [[0.0, w[2], -w[1]], [-w[2], 0.0, w[0]], [w[1], -w[0], 0.0]]  # -w x turn
    slopes[:3, 3:6], slopes[:3, 6:] = 0.0, np.eye(3)
    return slopes


def _moved(row: Array, j: int, by: float) -> Array:
    """A state turned about a body axis, or with another velocity or rate."""
    found = row.copy()
    if j < 3:
        x, y, z = (0.5 * by * (i == j) for i in range(3))
        q_NB = (row[3], row[4], row[5], row[6])
        found[3:7] = product(q_NB, (1.0, x, y, z))
        found[3:7] /= np.linalg.norm(found[3:7])
    else:
        found[4 + j] += by
    return found


def _rates(plant: Plant, row: Array, current: Array) -> Array:
    """Three places for the rate of the attitude, and the rate of the twist; locked axes do not accelerate."""
    rate = plant.derivative(row, np.zeros(plant.packed.actuators), water=current)
    return np.concatenate([np.zeros(3), rate[7:BODY_SIZE]])


def _growth(method: IntegrationMethod, z: Array) -> Array:
    """Factor by which a step multiplies motions of these rates times the step."""
    if method.rule == ADAMS_BASHFORTH:
        sums, products = 1.0 + 1.5 * z, 0.5 * z
        root = np.sqrt(sums**2 - 4.0 * products)
        return np.maximum(np.abs(sums + root), np.abs(sums - root)) / 2.0
    stages, ends = method.weights[: method.stages], np.ones((1, z.size), dtype=complex)
    for a in stages[1:]:
        ends = np.vstack([ends, 1.0 + z * (a[: len(ends)] @ ends)])
    found: Array = np.abs(1.0 + z * (method.weights[method.stages] @ ends))
    return found
