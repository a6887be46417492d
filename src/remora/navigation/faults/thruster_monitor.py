"""Detection and isolation of lost thrust by generalised likelihood ratios over a sliding window.

Residual accelerations of the last seconds are explained without a fault, or with one thruster that lost a share of its
thrust at some time within the window. Errors of the model and tolerances of the thrusters are learnt before the window;
what is not known of them is integrated out. A thruster is named where its hypothesis is much likelier than none and
than the hypothesis of every other thruster, and explains most of what any disturbance explains. A learnt loss beyond
any tolerance is a fault as well.

What is learnt in the first seconds may hold a fault already. Once, at the end of these, all of their residuals are
explained with and without one, without anything learnt of the model. After a thruster is named, learning begins again.

Thrusters along nearly the same line, as modules of an assembly may have them, have the same effect as long as they
share their load: a loss is then certain, and its place is not. The likeliest of them is left out for a test. If it has
lost thrust, the residuals end; if not, the residuals of the guilty one grow.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
from scipy.special import ndtr

from remora.files.arrays import Array
from remora.navigation.faults.thrust_regression import (
    AXES,
    CHANGE,
    CORRELATED,
    FIRST_THRUSTER,
    TOLERANCE_CHANGE,
    LearntErrors,
    MotionSample,
    deviations,
    inflation,
    learnt,
    learnt_current,
    learnt_losses,
    likeliest_current,
    mean_errors,
    regression_rows,
    regressors,
    residual_noise,
    split_acceleration,
    unknown_errors,
)
from remora.plant.plant import Plant

PERIOD = 0.1  # s between residuals
WINDOW = 35  # residuals
ONSETS = (3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 19, 22, 26, 30)  # residuals since which a fault may last
# Residuals since which a fault in the time of learning may last: the last number is more than there are.
EARLY_ONSETS = (*ONSETS, 36, 44, 54, 66, 80, 95, 110)
LEARNING = 100  # residuals before any verdict
LONG_LEARNING = 300  # residuals before a learnt loss is judged
SEARCHED = 4  # every fourth residual of that time is enough to search the current
REFINED = 3  # times that the residuals of that time are linearised about the current learnt from them
LEAST_SHARE = 0.3  # of lost thrust that counts as a fault
TOLERATED = 0.15  # lost share that is no fault
LIKELIER, DISTINCT = 14.0, 4.0  # log-likelihood ratios against a tolerated loss and against every other thruster
LEARNT_LIKELIER = 18.0  # log-likelihood ratio of a learnt loss against a tolerance: six standard deviations
EXPLAINED = 0.6  # share of the evidence for a disturbance in all axes that a fault must explain
CONFIRMED = 3  # residuals in a row that must name the same thruster


class MonitorState(NamedTuple):
    """State of the monitor."""

    window: Array  # residuals x axes x columns of `regression_rows`
    errors: LearntErrors  # learnt before the window
    effectiveness: Array  # share of the thrust of each thruster that is left, as far as known
    suspect: int = -1  # thruster that the last residuals singled out
    times: int = 0  # how many of them
    tested: int = -1  # thruster that is left out for a test
    early: tuple[MotionSample, ...] | None = ()  # all samples of the time of learning; None after it
    current: tuple[float, float] | None = None  # north and east, m/s, likeliest at the end of that time


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
        return MonitorState(np.zeros((0, AXES, FIRST_THRUSTER + n + 1)), unknown_errors(n), left)

    def step(self, state: MonitorState, sample: MotionSample) -> MonitorState:
        """The state after another residual; a named thruster has an effectiveness below one."""
        if state.early is not None:
            return self._early_step(state, (*state.early, sample))
        rows = self._rows((sample,), learnt_current(state.errors), state.effectiveness)
        if not np.isfinite(rows).all():
            return state
        window = np.concatenate([state.window, rows])
        if len(window) > WINDOW:
            # Learnt only as it leaves the window: a fault must not pass for an error of the model while it is judged.
            state = state._replace(errors=learnt(state.errors, window[0]))
            window = window[1:]
        state = state._replace(window=window)
        weak = _weak(state)
        if weak is not None:
            return self._from_the_start(state, weak)
        return self._relearning(state, _concluded(state, fault_evidence(state))) if len(window) >= ONSETS[0] else state

    def _early_step(self, state: MonitorState, samples: tuple[MotionSample, ...]) -> MonitorState:
        """The state after another residual of the time of learning, with a verdict at its end."""
        state = state._replace(early=samples)
        if len(samples) < LEARNING:
            return state
        state, rows = self._learnt_early(state, samples)
        evidence = early_evidence(state, rows)
        if _named(evidence, state.effectiveness) is None:
            evidence = fault_evidence(state)
        after = self._relearning(state, _concluded(state, evidence))
        # A thruster was named, and learning has begun again.
        if after.early == ():
            return after
        return after._replace(early=None) if len(samples) >= LEARNING + CONFIRMED - 1 else after

    def _learnt_early(self, state: MonitorState, samples: tuple[MotionSample, ...]) -> tuple[MonitorState, Array]:
        """The state at the end of the time of learning, and all of its residuals, linearised about one current."""
        current = state.current
        if current is None:
            some = samples[::SEARCHED]
            current = likeliest_current(lambda about: self._rows(some, about, state.effectiveness))
        state = state._replace(current=current)
        for _ in range(REFINED):
            rows, errors = self._rows(samples, current, state.effectiveness), unknown_errors(len(self.names))
            # The last ones are the window, as later on.
            for row in rows[:-WINDOW]:
                errors = learnt(errors, row)
            current = learnt_current(errors)
        return state._replace(window=rows[-WINDOW:], errors=errors), rows

    def _rows(self, samples: tuple[MotionSample, ...], current: tuple[float, float], effectiveness: Array) -> Array:
        """Residuals of samples, linearised about a current north and east, m/s: `regression_rows` of each."""
        splits = [split_acceleration(self.plant, sample, len(self.names), current) for sample in samples]
        return np.array([regression_rows(s, one, effectiveness) for s, one in zip(splits, samples, strict=True)])

    def _relearning(self, before: MonitorState, after: MonitorState) -> MonitorState:
        """The state after a verdict; where a thruster is named, the others work harder, and learning begins again."""
        if (after.effectiveness == before.effectiveness).all():
            return after
        return self._from_the_start(before, before.effectiveness - after.effectiveness)

    def _from_the_start(self, state: MonitorState, lost: Array) -> MonitorState:
        """The state that learns the errors of the model again, with further shares of lost thrust."""
        return self.initial(dict(zip(self.names, (1.0 - state.effectiveness + lost).tolist(), strict=True)))


def _weak(state: MonitorState) -> Array | None:
    """Learnt loss of a thruster that no tolerance explains: it was weak from the start, or small thrust hid the onset.

    Each loss is estimated without the prior of its tolerance, and compared with what that prior leaves of it. It takes
    a time in which disturbances average out.
    """
    if state.errors.residuals < LONG_LEARNING:
        return None
    lost, likelier = learnt_losses(state.errors, len(state.effectiveness))
    best = int(np.argmax(likelier))
    others = np.delete(likelier, best).max(initial=0.0)
    is_clear = likelier[best] > max(LEARNT_LIKELIER, others + DISTINCT) and lost[best] > LEAST_SHARE
    if not is_clear or state.effectiveness[best] < 1.0:
        return None
    return np.where(np.arange(len(lost)) == best, np.minimum(lost, 1.0), 0.0)


def _concluded(state: MonitorState, evidence: FaultEvidence) -> MonitorState:
    """The state after a verdict; a confirmed fault is in the model."""
    named = _named(evidence, state.effectiveness)
    if named is None:
        return state._replace(suspect=-1, times=0, tested=_tested(state, evidence))
    times = state.times + 1 if named == state.suspect else 1
    if times < CONFIRMED:
        return state._replace(suspect=named, times=times)
    left = state.effectiveness.copy()
    left[named] = 1.0 - float(evidence.lost[named])
    return state._replace(effectiveness=left)


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
    # Kept as long as it is possible, because a test needs time to show an effect.
    return state.tested if state.tested in candidates else best


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
    known = state.errors.information[:-1, :-1]
    weight = 1.0 / (residual_noise(rows) * np.sqrt(inflation(state.errors)))
    X = regressors(rows) * weight[..., None]
    e = rows[..., -1] * weight - X @ mean_errors(state.errors)
    since = (np.arange(len(rows))[:, None] >= len(rows) - np.array(onsets)).astype(float)
    masked = X[:, :, None, -n:] * since[:, None, :, None]
    X, Z = X.reshape(e.size, -1), masked.reshape(e.size, -1)
    changes = deviations(CHANGE, TOLERANCE_CHANGE, n)
    # What was learnt may have changed a little since; the window itself tells the rest.
    A = X.T @ X + np.linalg.inv(np.linalg.inv(known) + np.diag(changes**2))
    B = X.T @ Z
    S = np.linalg.solve(A, B)
    # What errors of the model could imitate of a signature is no evidence and is taken off.
    energy = np.sum(Z**2, axis=0) - np.sum(B * S, axis=0)
    match = e.reshape(-1) @ Z - (e.reshape(-1) @ X) @ S
    return WindowFit(X, weight, e, since, A, energy.reshape(-1, n), match.reshape(-1, n))


def early_evidence(state: MonitorState, rows: Array) -> FaultEvidence:
    """Likelihood of each single fault in the time of learning, from all of its residuals and nothing learnt.

    A fault in that time widens the residuals. Their noise is therefore what the likeliest fault leaves of them.
    """
    state = state._replace(window=rows, errors=unknown_errors(len(state.effectiveness)))
    left = _unexplained(window_fit(state, EARLY_ONSETS), len(state.effectiveness)) * math.sqrt(CORRELATED)
    spread, lagged = np.mean(left**2, axis=0), np.mean(left[1:] * left[:-1], axis=0)
    return fault_evidence(state._replace(errors=state.errors._replace(spread=spread, lagged=lagged)), EARLY_ONSETS)


def _unexplained(fit: WindowFit, thrusters: int) -> Array:
    """Weighted residuals, times x axes, that the likeliest fault and errors of the model do not explain."""
    lost, ratios = _loss(fit.energy, fit.match)
    onset, thruster = np.unravel_index(np.argmax(ratios), ratios.shape)
    signature = fit.X.reshape(*fit.e.shape, -1)[..., thruster - thrusters] * fit.since[:, onset, None]
    e = (fit.e - lost[onset, thruster] * signature).reshape(-1)
    return np.asarray(e - fit.X @ np.linalg.solve(fit.A, fit.X.T @ e), dtype=float).reshape(fit.e.shape)


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
    # A loss is beyond the tolerated one where half of the squared distance exceeds LIKELIER.
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
