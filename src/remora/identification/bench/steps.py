"""Drag and inertia from steps of thrust along one axis: graphically, and by a fit of all runs.

Without an independently known force only ratios to the effective thrust are identifiable: inertia, damping and thrust
multiplied by one factor give the same motion (Proctor 2014, sec. 3.5).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import cumulative_trapezoid

from remora.equations.estimation.single_axis import axis_acceleration
from remora.files.arrays import Array
from remora.identification.bench.fitting import BenchDataError, BenchParameter, columns, fit_integrated, fit_law, rising
from remora.identification.bench.free_decay import NOISES, AxisDynamics, integrate, white_noise
from remora.identification.bench.result import BenchFit, propagated
from remora.identification.bench.towing import Drag, fit_towing_drag

_STEP = 0.1  # s, of the integration


class StepRun(NamedTuple):
    """One run from rest."""

    times: Array  # s
    speeds: Array  # m/s or rad/s, along or about the axis
    efforts: Array  # N or N m, computed thrust without losses at hull and housing


def read_steady_drag(runs: Sequence[StepRun], steady: float, known_effort: float = 0.0) -> BenchFit[Drag]:
    """Drag from the ends of the runs, where thrust and drag balance, for thrust without losses.

    Parameters
    ----------
    runs, steady, known_effort
        Steps of several levels, time at the end of each that is used, s, and additional known force, such as the net
        weight in heave, N.
    """
    ends = []
    for run in _checked(runs):
        last = run.times >= run.times[-1] - steady
        speed, effort = run.speeds[last], run.efforts[last]
        ends.append(
            (float(speed.mean()), float(effort.mean()) + known_effort, float(np.polyfit(run.times[last], speed, 1)[0]))
        )
    v, f, slope = np.array(ends).T
    rising_still = int(np.sum(np.abs(slope) * steady > 0.05 * np.abs(v)))
    warnings = [f"{rising_still} runs were not steady at their end."] if rising_still else []
    return fit_towing_drag(v, f).with_warnings(*warnings)


def read_initial_inertia(runs: Sequence[StepRun], first: float, known_effort: float = 0.0) -> BenchFit[float]:
    """Inertia from the start of the runs, where drag is small: a line of speed over impulse through zero.

    The impulse accounts for the lag of the thrusters.

    Parameters
    ----------
    runs, first, known_effort
        Steps of several levels, time at the start of each that is used, s, and additional known force, such as the net
        weight in heave, N.
    """
    gained, given = [], []
    for run in _checked(runs):
        early = run.times <= run.times[0] + first
        t = run.times[early]
        if len(t) < 3:
            raise BenchDataError(f"fewer than 3 samples in the first {first:g} s. Sample faster or read for longer.")
        impulse = cumulative_trapezoid(run.efforts[early] + known_effort, t, initial=0.0)
        gained.extend((run.speeds[early] - run.speeds[0]).tolist())
        given.extend(impulse.tolist())
    x, y = np.array(given), np.array(gained)
    start = float(x @ x) / max(abs(float(x @ y)), 1e-12)
    return fit_law(
        "inertia from the first instants",
        [BenchParameter("inertia", "kg", start, 0.0)],
        lambda values: float(values[0]),
        lambda inertia: x / inertia,
        y,
    )


def fit_steps(
    runs: Sequence[StepRun], known_effort: float = 0.0, largest_step: float = _STEP
) -> BenchFit[AxisDynamics]:
    """Inertia and damping over the effective share of thrust, from all runs from rest.

    Parameters
    ----------
    runs, largest_step
        Steps of several levels, and largest integration step, s.
    known_effort
        Additional known force, such as net weight in heave, N. It fixes the scale: the share is `known_effort` over the
        fourth parameter.
    """
    given = _checked(runs)
    numbers = _step_numbers(given, known_effort)

    together = [[i for i, run in enumerate(given) if run.times.tobytes() == stamps] for stamps in _stamps(given)]

    def predict_trials(trials: Array) -> Array:
        found: dict[int, Array] = {}
        for same in together:
            found |= zip(same, _run_speeds([given[i] for i in same], trials, largest_step), strict=True)
        return np.concatenate([found[i] for i in range(len(given))])

    fit = fit_integrated("step tests", numbers, predict_trials, np.concatenate([run.speeds for run in given]))
    found = fit.with_law(AxisDynamics(*fit.values[:3].tolist()))
    if known_effort:
        return found
    return found.with_warnings("Only ratios to the effective thrust are identifiable; a known force fixes the scale.")


def share_of_thrust(fit: BenchFit[AxisDynamics], known_effort: float) -> tuple[float, float]:
    """Effective share of thrust and its standard deviation, from a fit with a known force."""
    value, covariance = propagated(fit, lambda x: np.array([known_effort / x[3]]))
    return float(value[0]), float(np.sqrt(covariance[0, 0]))


def _stamps(runs: Sequence[StepRun]) -> list[bytes]:
    """Distinct stamps: runs with equal stamps are integrated as one batch."""
    return list(dict.fromkeys(run.times.tobytes() for run in runs))


def _run_speeds(runs: Sequence[StepRun], trials: Array, largest_step: float) -> list[Array]:
    """Speeds of runs with equal stamps, one column per trial; efforts are interpolated linearly."""
    inertia, linear, quadratic = trials[:3]
    constant = trials[3] if len(trials) > 3 else 0.0
    times, efforts = runs[0].times, np.column_stack([run.efforts for run in runs])
    slopes = np.diff(efforts, axis=0) / np.diff(times)[:, None]

    def acceleration(place: Any, speed: Any, time: float) -> Any:
        k = min(int(np.searchsorted(times, time, side="right")) - 1, len(slopes) - 1)
        effort = efforts[k] + (time - times[k]) * slopes[k]
        return axis_acceleration(inertia, linear, quadratic, speed, effort[:, None] + constant)

    still = np.zeros((len(runs), trials.shape[1]))
    speeds = integrate(acceleration, still, still, times, largest_step)[1]
    return [speeds[:, i] for i in range(len(runs))]


def _step_numbers(runs: Sequence[StepRun], known_effort: float) -> list[BenchParameter]:
    """Starting values from the graphical evaluation."""
    top = max(float(np.abs(run.speeds).max()) for run in runs)
    full = max(float(np.abs(run.efforts).max()) for run in runs)
    length = max(float(run.times[-1] - run.times[0]) for run in runs)
    drag = read_steady_drag(runs, 0.2 * length, known_effort).law if len(runs) > 2 else Drag(0.0, full / top**2)
    inertia = read_initial_inertia(runs, 0.1 * length, known_effort).law
    numbers = [
        BenchParameter("inertia", "kg", inertia, 1e-6 * inertia),
        BenchParameter("linear", "N s/m", drag.linear, 0.0, scale=full / top),
        BenchParameter("quadratic", "N s2/m2", drag.quadratic, 0.0, scale=full / top**2),
    ]
    return [*numbers, BenchParameter("known_effort", "N", known_effort)] if known_effort else numbers


def _checked(runs: Sequence[StepRun]) -> list[StepRun]:
    """Runs as arrays; a BenchDataError when there are none, one is broken, or one does not start from rest."""
    if not runs:
        raise BenchDataError("no run was given. Give steps of several levels from rest.")
    found = [StepRun(*columns(6, times=run.times, speeds=run.speeds, efforts=run.efforts)) for run in runs]
    top = max(float(np.abs(run.speeds).max()) for run in found)
    if top == 0.0 or not any(np.any(run.efforts) for run in found):
        raise BenchDataError("there is no thrust or no motion. Give steps of several levels from rest.")
    for number, run in enumerate(found):
        rising(f"times of run {number}", run.times)
        if abs(run.speeds[0]) > max(0.2 * top, NOISES * white_noise(run.speeds)):
            raise BenchDataError(f"run {number} starts at {run.speeds[0]:.3g}, not from rest. Cut it where it starts.")
    return found
