"""Detection and isolation of lost thrust by generalised likelihood ratios over a sliding window.

Residual accelerations of the last seconds are explained without a fault, or with one thruster that lost a share of its
thrust at some time within the window. Errors of the model and tolerances of the thrusters are learnt before the window;
what is not known of them is integrated out. A thruster is named where its hypothesis is much likelier than none and
than that of every other thruster, and explains most of what any disturbance explains. A learnt loss beyond any
tolerance is a fault as well.

What is learnt in the first seconds may hold a fault already. Once, at the end of these, all of their residuals are
explained with and without one, without anything learnt of the model.

Thrusters along nearly the same line, as modules of an assembly may have them, have the same effect as long as they
share their load: a loss is then certain, and its place is not. The likeliest of them is left out for a test. If it has
lost thrust, the residuals end; if not, those of the guilty one grow.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
from scipy.special import ndtr

from remora.files.arrays import Array
from remora.kernels.plant import Plant
from remora.navigation.faults.thrust_regression import (
    AXES,
    CURRENT,
    CURRENT_ERRORS,
    FIRST_THRUSTER,
    MOTION,
    THRUST,
    SplitAcceleration,
    regression_rows,
)

PERIOD = 0.1  # s between residuals
WINDOW = 35  # residuals
ONSETS = (3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 19, 22, 26, 30)  # residuals since which a fault may last
# Residuals since which a fault in the time of learning may last.
EARLY_ONSETS = (*ONSETS, 36, 44, 54, 66, 80, 95)
MEMORY = 600.0  # residuals over which errors of the model are learnt
LEARNING = 100  # residuals before any verdict
SPREAD_MEMORY = 100.0  # residuals over which the spread is averaged
LEAST_SHARE = 0.3  # of lost thrust that counts as a fault
TOLERATED = 0.15  # lost share that is no fault
LIKELIER, DISTINCT = 14.0, 4.0  # log-likelihood ratios against a tolerated loss and against every other thruster
EXPLAINED = 0.6  # share of the evidence for a disturbance in all axes that a fault must explain
CONFIRMED = 3  # residuals in a row that must name the same thruster
CORRELATED = 2.0  # residuals in a row that count as one: model errors are correlated in time
# Standard deviations of gain and drag errors, of slow accelerations (m/s2, rad/s2) and of currents (m/s) before any
# reading, and by how much they may differ between a window and the time before it.
PRIOR = np.array([0.3, 0.5, 0.3] * AXES + [0.3, 0.3])
CHANGE = np.array([0.05, 0.2, 0.1] * AXES + [0.05, 0.05])
SLOW = slice(2, 3 * AXES, 3)  # slow accelerations among them
TOLERANCE, TOLERANCE_CHANGE = 0.05, 0.01  # the same of the effectiveness of a sound thruster
LEAST_SPREAD = np.repeat([0.01, 0.03], 3)  # m/s2, rad/s2
MODEL_NOISE = 0.01  # standard deviation of residuals per predicted acceleration


class MonitorState(NamedTuple):
    """State of the monitor."""

    window: Array  # residuals x axes x columns of `regression_rows`
    information: Array  # of errors of the model: normal matrix, residuals in the last column
    spread: Array  # mean of the squared innovations of each axis over their predicted variance
    residuals: int  # so far
    effectiveness: Array  # share of the thrust of each thruster that is left, as far as known
    suspect: int = -1  # thruster that the last residuals singled out
    times: int = 0  # how many of them
    tested: int = -1  # thruster that is left out for a test
    early: Array | None = None  # all residuals of the time of learning, as those of the window; None after it


class FaultEvidence(NamedTuple):
    """Evidence for each thruster at one time, the best over the onsets."""

    lost: Array  # estimated share of lost thrust
    likelier: Array  # log-likelihood ratio against no loss
    beyond: Array  # log-likelihood ratio against a tolerated loss
    explained: Array  # that ratio over the one of a disturbance in all axes since the same time


@final
@dataclass(frozen=True)
class ThrusterMonitor:
    """Monitor of the thrusters of a vehicle."""

    plant: Plant
    names: tuple[str, ...]

    def initial(self, lost: Mapping[str, float] | None = None) -> MonitorState:
        """Nothing known but the prior, and the lost share of the thrust of some thrusters."""
        n = len(self.names)
        left = np.array([1.0 - (lost or {}).get(name, 0.0) for name in self.names])
        prior = np.diag([*_deviations(PRIOR, TOLERANCE, n) ** -2.0, 0.0])
        none = np.zeros((0, AXES, FIRST_THRUSTER + n + 1))
        return MonitorState(none, prior, np.ones(AXES), 0, left, early=none)

    def step(self, state: MonitorState, split: SplitAcceleration, acceleration: Array) -> MonitorState:
        """The state after another residual; a named thruster has an effectiveness below one.

        Accelerations of B, predicted as a mean over the interval and measured, are in body axes, m/s2 and rad/s2.
        """
        rows = regression_rows(split, acceleration, state.effectiveness)
        window = np.concatenate([state.window, rows[None]])
        if len(window) > WINDOW:
            state = _learnt(state, window[0])
            window = window[1:]
        early = None if state.early is None else np.concatenate([state.early, rows[None]])
        state = state._replace(window=window, residuals=state.residuals + 1, early=early)
        if state.residuals < LEARNING or len(window) < ONSETS[0]:
            return state
        weak = _weak(state)
        if weak is not None:
            return self._from_the_start(state, weak)
        if state.early is not None:
            return self._concluded_early(state)
        return _concluded(state, fault_evidence(state))

    def _from_the_start(self, state: MonitorState, lost: Array) -> MonitorState:
        """The state that learns the errors of the model again, with further shares of lost thrust."""
        return self.initial(dict(zip(self.names, (1.0 - state.effectiveness + lost).tolist(), strict=True)))

    def _concluded_early(self, state: MonitorState) -> MonitorState:
        """The state after a verdict at the end of the time of learning."""
        evidence = early_evidence(state)
        if _named(evidence, state.effectiveness) is None:
            evidence = fault_evidence(state)
        after = _concluded(state, evidence)
        if (after.effectiveness != state.effectiveness).any():
            return self._from_the_start(state, state.effectiveness - after.effectiveness)
        return after._replace(early=None) if state.residuals >= LEARNING + CONFIRMED - 1 else after


def learnt_current(state: MonitorState) -> tuple[float, float]:
    """Velocity of the water north and east that was learnt, m/s."""
    north, east = _model_errors(state)[0][CURRENT_ERRORS].tolist()
    return (north, east)


def _weak(state: MonitorState) -> Array | None:
    """Learnt loss of a thruster that no tolerance explains: it was weak from the start, or lost thrust by and by."""
    learnt = _model_errors(state)[0][-len(state.effectiveness) :]
    shares = np.where(state.effectiveness == 1.0, np.minimum(learnt, 1.0), 0.0)
    return np.where(shares == shares.max(), shares, 0.0) if shares.max() > LEAST_SHARE else None


def _concluded(state: MonitorState, evidence: FaultEvidence) -> MonitorState:
    """The state after a verdict; a confirmed fault is in the model, and the window begins again."""
    named = _named(evidence, state.effectiveness)
    if named is None:
        return state._replace(suspect=-1, times=0, tested=_tested(state, evidence))
    times = state.times + 1 if named == state.suspect else 1
    if times < CONFIRMED:
        return state._replace(suspect=named, times=times)
    left = state.effectiveness.copy()
    left[named] = 1.0 - float(evidence.lost[named])
    return state._replace(effectiveness=left, window=state.window[:0], suspect=-1, times=0, tested=-1)


def _named(evidence: FaultEvidence, effectiveness: Array) -> int | None:
    """The thruster that lost thrust, where the evidence singles one out."""
    candidates = _candidates(evidence)
    best = int(np.argmax(evidence.likelier))
    return best if len(candidates) == 1 and _is_fault(best, evidence, effectiveness) else None


def _candidates(evidence: FaultEvidence) -> list[int]:
    """Thrusters that the evidence does not rule out against the likeliest one."""
    likelier = evidence.likelier
    return [int(i) for i in np.flatnonzero(likelier >= likelier.max() - DISTINCT)]


def _is_fault(i: int, evidence: FaultEvidence, effectiveness: Array) -> bool:
    """Whether some thruster must have lost thrust, if it is this one."""
    lost, _, beyond, explained = evidence
    is_clear = beyond[i] > LIKELIER and explained[i] > EXPLAINED
    return bool(is_clear and lost[i] > LEAST_SHARE and effectiveness[i] == 1.0)


def _tested(state: MonitorState, evidence: FaultEvidence) -> int:
    """The thruster to leave out, where a loss is certain and its place is not; -1 for none."""
    best, candidates = int(np.argmax(evidence.likelier)), _candidates(evidence)
    if not _is_fault(best, evidence, state.effectiveness):
        return -1
    return state.tested if state.tested in candidates else best


def _deviations(errors: Array, tolerance: float, n: int) -> Array:
    """Standard deviations of the errors of the model, and of the tolerances of the thrusters."""
    return np.concatenate([errors, np.full(n, tolerance)])


def _regressors(rows: Array) -> Array:
    """Regressors in the last dimension: errors of the model of each axis, current and tolerances of the thrusters."""
    thrust, motion = rows[..., THRUST], rows[..., MOTION]
    own = np.stack([thrust, motion, np.ones_like(thrust)], axis=-1)
    by_axis = (own[..., None, :] * np.eye(AXES)[..., None]).reshape(*thrust.shape, -1)
    return np.concatenate([by_axis, rows[..., CURRENT], -rows[..., FIRST_THRUSTER:-1]], axis=-1)


def _noise(rows: Array) -> Array:
    """Standard deviation of residuals: sensors, and a share of the predicted accelerations."""
    parts = rows[..., MOTION:-1]
    return np.sqrt(LEAST_SPREAD**2 + MODEL_NOISE**2 * np.sum(parts**2, axis=-1))


def _model_errors(state: MonitorState) -> tuple[Array, Array]:
    """Mean of the errors of the model, and its information."""
    known, seen = state.information[:-1, :-1], state.information[:-1, -1]
    return np.asarray(np.linalg.solve(known, seen), dtype=float), known


def _learnt(state: MonitorState, rows: Array) -> MonitorState:
    """The state after residuals that leave the window: errors of the model and spread."""
    theta, known = _model_errors(state)
    X, noise = _regressors(rows), _noise(rows)
    predicted = noise**2 + np.sum(X * np.linalg.solve(known, X.T).T, axis=-1)
    normalised = (rows[:, -1] - X @ theta) ** 2 / predicted
    spread = state.spread + (normalised - state.spread) / min(SPREAD_MEMORY, 1.0 + state.residuals - WINDOW)
    weighted = np.column_stack([X, rows[:, -1]]) / (noise * np.sqrt(np.maximum(spread, 1.0) * CORRELATED))[:, None]
    prior = np.diag([*_deviations(PRIOR, TOLERANCE, len(state.effectiveness)) ** -2.0, 0.0])
    kept = state.information * (1.0 - 1.0 / MEMORY) + prior / MEMORY
    return state._replace(information=_wandered(kept + weighted.T @ weighted), spread=spread)


def _wandered(information: Array) -> Array:
    """Information on the errors of the model after slow accelerations have wandered for a residual."""
    known, seen = information[:-1, :-1], information[:-1, -1]
    walk = np.zeros(len(known))
    walk[SLOW] = CHANGE[SLOW] ** 2 / MEMORY
    after = information.copy()
    after[:-1, :-1] = np.linalg.inv(np.linalg.inv(known) + np.diag(walk))
    after[:-1, -1] = after[-1, :-1] = after[:-1, :-1] @ np.linalg.solve(known, seen)
    return after


class WindowFit(NamedTuple):
    """Weighted residuals of a window, and what errors of the model leave of the signatures of faults."""

    X: Array  # regressors of the errors of the model, (residuals x axes) x regressors
    weight: Array  # of each residual, residuals x axes
    e: Array  # residuals without known errors of the model, residuals x axes
    since: Array  # residuals x onsets: one after the onset, else zero
    A: Array  # information of the errors of the model with the window
    energy: Array  # onsets x thrusters: square of the signature of a full loss
    match: Array  # product of that signature with the residuals


def window_fit(state: MonitorState, onsets: tuple[int, ...] = ONSETS) -> WindowFit:
    """Signatures of the loss of each thruster since each onset, against the residuals of the window."""
    rows, n = state.window, len(state.effectiveness)
    theta, known = _model_errors(state)
    weight = 1.0 / (_noise(rows) * np.sqrt(np.maximum(state.spread, 1.0) * CORRELATED))
    X = _regressors(rows) * weight[..., None]
    e = rows[..., -1] * weight - X @ theta
    since = (np.arange(len(rows))[:, None] >= len(rows) - np.array(onsets)).astype(float)
    masked = X[:, :, None, -n:] * since[:, None, :, None]
    X, Z = X.reshape(e.size, -1), masked.reshape(e.size, -1)
    changes = _deviations(CHANGE, TOLERANCE_CHANGE, n)
    A = X.T @ X + np.linalg.inv(np.linalg.inv(known) + np.diag(changes**2))
    B = X.T @ Z
    S = np.linalg.solve(A, B)
    energy = np.sum(Z**2, axis=0) - np.sum(B * S, axis=0)
    match = e.reshape(-1) @ Z - (e.reshape(-1) @ X) @ S
    return WindowFit(X, weight, e, since, A, energy.reshape(-1, n), match.reshape(-1, n))


def early_evidence(state: MonitorState) -> FaultEvidence:
    """Likelihood of each single fault in the time of learning, without what was learnt in it."""
    assert state.early is not None
    prior = np.diag([*_deviations(PRIOR, TOLERANCE, len(state.effectiveness)) ** -2.0, 0.0])
    return fault_evidence(state._replace(window=state.early, information=prior), EARLY_ONSETS)


def fault_evidence(state: MonitorState, onsets: tuple[int, ...] = ONSETS) -> FaultEvidence:
    """Likelihood of each single fault, the best over the times since which it may last, in residuals."""
    fit = window_fit(state, onsets)
    lost, ratios = _loss(fit.energy, fit.match)
    tolerated = np.minimum(lost, TOLERATED)
    beyond = ratios - (tolerated * fit.match - 0.5 * tolerated**2 * fit.energy)
    explained = ratios / np.maximum(_disturbance_ratios(fit), 1e-12)[:, None]
    onset = np.argmax(ratios, axis=0), np.arange(len(state.effectiveness))
    return FaultEvidence(lost[onset], ratios[onset], beyond[onset], explained[onset])


def best_detection(state: MonitorState, lost: float) -> Array:
    """Probability that the best test finds the loss of a share of the thrust that began with the window, by thruster.

    The likelihood ratio of a known thruster and a known onset is the most powerful test for its rate of false alarms
    (Neyman and Pearson 1933), so that no detector on the same residuals and tolerances finds more.
    """
    energy = window_fit(state).energy[-1]
    distance = (lost - TOLERATED) * np.sqrt(np.maximum(energy, 0.0))
    return np.asarray(ndtr(distance - math.sqrt(2.0 * LIKELIER)), dtype=float)


def _loss(energy: Array, match: Array) -> tuple[Array, Array]:
    """Likeliest share of lost thrust, and its log-likelihood ratio."""
    lost = np.clip(match / np.maximum(energy, 1e-12), 0.0, 1.0)
    return lost, lost * match - 0.5 * lost**2 * energy


def _disturbance_ratios(fit: WindowFit) -> Array:
    """Log-likelihood ratio of a constant acceleration in every axis since each onset."""
    pushes = (fit.since.T[:, :, None] * fit.weight)[..., None] * np.eye(AXES)
    Z = pushes.reshape(fit.since.shape[1], fit.e.size, AXES)
    B = fit.X.T @ Z
    S = np.linalg.solve(fit.A, B)
    information = Z.transpose(0, 2, 1) @ Z - B.transpose(0, 2, 1) @ S
    e = fit.e.reshape(-1)
    product = e @ Z - (e @ fit.X) @ S
    push = np.linalg.solve(information + 1e-12 * np.eye(AXES), product[..., None])[..., 0]
    return np.asarray(0.5 * np.sum(product * push, axis=-1), dtype=float)
