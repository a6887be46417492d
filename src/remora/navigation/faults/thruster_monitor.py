"""Detection and isolation of lost thrust by generalised likelihood ratios over a sliding window.

Residual accelerations of the last seconds are explained without a fault, by errors of the model that were learnt before
the window, or with one thruster that lost a share of its thrust. A thruster is named where its hypothesis is much
likelier than none and than that of every other thruster. Residuals are weighted by their own spread.
"""

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from remora.files.arrays import Array
from remora.kernels.plant import Plant
from remora.navigation.faults.thrust_regression import AXES, NUISANCES, SplitAcceleration, regression_rows

PERIOD = 0.1  # s between residuals
WINDOW = 25  # residuals: 2.5 s
ONSETS = (6, 10, 15, 20, 25)  # residuals since which a fault may last
MEMORY = 600.0  # residuals over which errors of the model are learnt
LEARNING = 100  # residuals before any verdict
SPREAD_MEMORY = 100.0  # residuals over which the spread is averaged
LEAST_SHARE = 0.3  # of lost thrust that counts as a fault
# Log-likelihood ratios against no fault and against every other thruster; chosen on runs that no study uses.
LIKELIER, DISTINCT = 10.0, 4.0
CONFIRMED = 8  # residuals in a row that must name the same thruster
CORRELATED = 4.0  # residuals in a row that count as one: model errors are correlated in time
# Standard deviations of gain and drag errors and of slow accelerations (m/s2, rad/s2) before any reading, and by how
# much they may differ between a window and the time before it.
PRIOR = np.repeat([0.3, 0.5, 0.3], AXES)
CHANGE = np.repeat([0.05, 0.2, 0.1], AXES)
LEAST_SPREAD = np.repeat([0.005, 0.01], 3)  # m/s2, rad/s2


class MonitorState(NamedTuple):
    """State of the monitor."""

    window: Array  # residuals x axes x columns
    information: Array  # of what is known about errors of the model: normal matrix, residuals in the last column
    spread: Array  # m/s2 and rad/s2, root mean square of the residuals of each axis, squared
    residuals: int  # so far
    effectiveness: Array  # share of the thrust of each thruster that is left, as far as known
    suspect: int = -1  # thruster that the last residuals singled out
    times: int = 0  # how many of them


class FaultVerdict(NamedTuple):
    """Evidence for each thruster at one time."""

    lost: Array  # estimated share of lost thrust
    likelier: Array  # log-likelihood ratio against no fault
    named: int | None


@final
@dataclass(frozen=True)
class ThrusterMonitor:
    """Monitor of the thrusters of a vehicle."""

    plant: Plant
    names: tuple[str, ...]

    def initial(self) -> MonitorState:
        """Nothing known but the prior."""
        n = len(self.names)
        prior = np.zeros((NUISANCES + 1, NUISANCES + 1))
        prior[:NUISANCES, :NUISANCES] = np.diag(PRIOR**-2.0)
        rows = np.zeros((0, AXES, NUISANCES + n + 1))
        return MonitorState(rows, prior, 100.0 * LEAST_SPREAD**2, 0, np.ones(n))

    def step(self, state: MonitorState, split: SplitAcceleration, acceleration: Array) -> MonitorState:
        """The state after another residual; a named thruster has an effectiveness below one.

        Parameters
        ----------
        state
            Before.
        split
            Predicted acceleration of B, mean over the interval.
        acceleration
            Measured one in body axes, m/s2 and rad/s2.
        """
        rows = regression_rows(split, acceleration, state.effectiveness)
        window = np.concatenate([state.window, rows[None]])
        if len(window) > WINDOW:
            state = _learnt(state, window[0])
            window = window[1:]
        state = state._replace(window=window, residuals=state.residuals + 1)
        return _concluded(state, _verdict(state))


def _concluded(state: MonitorState, verdict: FaultVerdict) -> MonitorState:
    """The state after a verdict; a confirmed fault is in the model, and the window begins again."""
    if verdict.named is None:
        return state._replace(suspect=-1, times=0)
    times = state.times + 1 if verdict.named == state.suspect else 1
    if times < CONFIRMED:
        return state._replace(suspect=verdict.named, times=times)
    left = state.effectiveness.copy()
    left[verdict.named] = 1.0 - float(verdict.lost[verdict.named])
    return state._replace(effectiveness=left, window=state.window[:0], suspect=-1, times=0)


def _learnt(state: MonitorState, rows: Array) -> MonitorState:
    """The state after residuals that leave the window: errors of the model and spread."""
    seen = np.hstack([rows[:, :NUISANCES], rows[:, -1:]])
    known = state.information[:NUISANCES, :NUISANCES]
    theta = np.asarray(np.linalg.solve(known, state.information[:NUISANCES, -1]), dtype=float)
    residual = rows[:, -1] - rows[:, :NUISANCES] @ theta
    spread = state.spread + (residual**2 - state.spread) / min(SPREAD_MEMORY, 1.0 + state.residuals - WINDOW)
    weighted = seen / np.sqrt(np.maximum(spread, LEAST_SPREAD**2) * CORRELATED)[:, None]
    kept = state.information * (1.0 - 1.0 / MEMORY)
    kept[:NUISANCES, :NUISANCES] += np.diag(PRIOR**-2.0) / MEMORY
    return state._replace(information=kept + weighted.T @ weighted, spread=spread)


def _verdict(state: MonitorState) -> FaultVerdict:
    """Likelihood of each single fault, the best over the times since which it may last."""
    n = len(state.effectiveness)
    none = FaultVerdict(np.zeros(n), np.zeros(n), None)
    if state.residuals < LEARNING:
        return none
    known = state.information[:NUISANCES, :NUISANCES]
    theta = np.asarray(np.linalg.solve(known, state.information[:NUISANCES, -1]), dtype=float)
    prior = np.linalg.inv(np.linalg.inv(known) + np.diag(CHANGE**2))
    weight = 1.0 / np.sqrt(np.maximum(state.spread, LEAST_SPREAD**2) * CORRELATED)
    rows = state.window * weight[:, None]
    ratios = [_fault_ratios(np.concatenate(rows[-length:]), theta, prior) for length in ONSETS if length <= len(rows)]
    if not ratios:
        return none
    shares, likelier = np.array([one[0] for one in ratios]), np.array([one[1] for one in ratios])
    onset = np.argmax(likelier, axis=0)
    lost, best = shares[onset, np.arange(n)], likelier[onset, np.arange(n)]
    return FaultVerdict(lost, best, _named(lost, best, state.effectiveness))


def _fault_ratios(rows: Array, theta: Array, prior: Array) -> tuple[Array, Array]:
    """Lost share of each thruster and its log-likelihood ratio, errors of the model integrated out.

    Parameters
    ----------
    rows
        Weighted rows of `regression_rows`.
    theta, prior
        Mean and information of the errors of the model.
    """
    X, thrust = rows[:, :NUISANCES], rows[:, NUISANCES:-1]
    e, n = rows[:, -1] - X @ theta, thrust.shape[1]
    both = np.column_stack([thrust, e])
    clean = both - X @ np.linalg.solve(X.T @ X + prior, X.T @ both)
    energy = np.maximum(np.sum(thrust * clean[:, :n], axis=0), 1e-12)
    match = thrust.T @ clean[:, -1]
    lost = np.clip(match / energy, 0.0, 1.0)
    return lost, lost * match - 0.5 * lost**2 * energy


def _named(lost: Array, likelier: Array, effectiveness: Array) -> int | None:
    """The thruster that lost thrust, where the evidence singles one out."""
    order = np.argsort(likelier)
    best = int(order[-1])
    second = float(likelier[order[-2]]) if len(order) > 1 else 0.0
    is_clear = likelier[best] > LIKELIER and likelier[best] - second > DISTINCT
    is_fault = lost[best] > LEAST_SHARE and effectiveness[best] == 1.0
    return best if is_clear and is_fault else None
