"""Pendulum tests: bifilar suspension (Proctor 2014, sec. 3.4), hydrostatic decay of two modules (Nielsen 2018)."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.elementary import atan2, sqrt
from remora.equations.estimation.pendulums import (
    HydrostaticPair,
    bifilar_stiffness,
    damped_oscillation,
    damping_ratio_from_decrement,
    inertia_from_frequency,
    pair_acceleration,
    pair_lever,
)
from remora.files.arrays import Array
from remora.identification.bench.fitting import BenchParameter, columns, fit_integrated, fit_numbers, positive, rising
from remora.identification.bench.free_decay import decrements, integrate, turning_points, undamped
from remora.identification.bench.result import BenchFit

_LARGE = 0.35  # rad: beyond it the restoring torque of the wires is no longer linear to a percent


class Bifilar(NamedTuple):
    """Parameters of a bifilar pendulum."""

    inertia: float  # kg m2, about the vertical through G
    natural_frequency: float  # rad/s
    ratio: float  # share of critical damping


def fit_bifilar(
    times: ArrayLike,
    angles: ArrayLike,
    mass: float,
    gravity: float,
    spacing: float,
    length: float,
    stiffness_share: float = 0.0,
) -> BenchFit[Bifilar]:
    """Moment of inertia from the recorded angle of a bifilar pendulum.

    Period and logarithmic decrement of the turning points are the start of a least-squares fit of the whole record.

    Parameters
    ----------
    times, angles
        Stamps, s, and angle about the vertical, rad.
    mass, gravity, spacing, length
        Mass of the body, kg, gravity, m/s2, and distance and length of the wires, m.
    stiffness_share
        Relative standard deviation of the stiffness m g D^2 / (4 h), part of the interval of the inertia.
    """
    t, angle = columns(12, times=times, angles=angles)
    rising("times", t)
    positive(mass=mass, gravity=gravity, spacing=spacing, length=length)
    stiffness = bifilar_stiffness(mass, gravity, spacing, length)
    t = t - t[0]
    numbers = _numbers(t, angle, stiffness)

    def law_of(x: Array) -> Bifilar:
        return Bifilar(float(x[0]), float(sqrt(stiffness / float(x[0]))), float(x[1]))

    def predict(x: Array) -> Array:
        law = law_of(x)
        return np.asarray(damped_oscillation(t, law.natural_frequency, law.ratio, x[2], x[3]) + x[4])

    fit = fit_numbers("bifilar pendulum", numbers, predict, angle)
    covariance = fit.covariance.copy()
    covariance[0, 0] += (stiffness_share * fit.values[0]) ** 2
    largest = float(np.abs(angle - fit.values[4]).max())
    warnings = (
        [f"The amplitude is {largest:.2f} rad; the torque of the wires is linear to {_LARGE} rad only."]
        if largest > _LARGE
        else []
    )
    return replace(fit.with_law(law_of(fit.values)), covariance=covariance).with_warnings(*warnings)


def _numbers(t: Any, angle: Array, stiffness: float) -> list[BenchParameter]:
    swing = turning_points(t, angle)
    ratio = float(np.clip(damping_ratio_from_decrement(2.0 * float(np.mean(decrements(swing)))), 1e-5, 0.9))
    natural = undamped(swing.frequency, ratio)
    starts = ((1.0, 0.0), (0.0, 1.0))
    basis = np.array([damped_oscillation(t, natural, ratio, cosine, sine) for cosine, sine in starts]).T
    cosine, sine = np.linalg.lstsq(basis, angle - swing.rest, rcond=None)[0].tolist()
    size = float(np.hypot(cosine, sine)) or 1.0
    return [
        BenchParameter("inertia", "kg m2", inertia_from_frequency(stiffness, natural), 0.0),
        BenchParameter("ratio", "", ratio, 0.0, 0.95, scale=max(ratio, 1e-3)),
        BenchParameter("cosine", "rad", cosine, scale=size),
        BenchParameter("sine", "rad", sine, scale=size),
        BenchParameter("rest", "rad", swing.rest, scale=size),
    ]


_LEVER = 0.01  # m, typical


def rest_angle(pair: HydrostaticPair) -> float:
    """Roll at rest, rad: buoyancy vertically above the middle."""
    y, z = pair_lever(pair)
    return float(atan2(-y, -z))


def fit_hydrostatic_pair(
    times: ArrayLike, rolls: ArrayLike, guess: HydrostaticPair, start: float = 0.0, largest_step: float = 0.1
) -> BenchFit[HydrostaticPair]:
    """Centre of buoyancy of the second module and drag of both, from the roll of the pair after its release.

    Parameters
    ----------
    times, rolls
        Stamps, s, and roll, rad, from the release on.
    guess
        Known values of the pair, and starting values of the four parameters.
    start, largest_step
        Roll at the release, rad, from rest; largest integration step, s.
    """
    t, roll = columns(20, times=times, rolls=rolls)
    rising("times", t)
    t = t - t[0]
    numbers = [
        BenchParameter("second.y", "m", guess.second[1], scale=_LEVER),
        BenchParameter("second.z", "m", guess.second[2], scale=_LEVER),
        BenchParameter("quadratic", "kg/m", guess.quadratic, 0.0),
        BenchParameter("linear", "kg/s", guess.linear, 0.0),
    ]

    def law_of(values: Any) -> HydrostaticPair:
        y, z, quadratic, linear = values
        return guess._replace(second=(guess.second[0], y, z), quadratic=quadratic, linear=linear)

    def predict_trials(trials: Array) -> Array:
        pair = law_of(trials)
        begin = np.full(trials.shape[1], start)
        return integrate(lambda x, v, time: pair_acceleration(pair, x, v), begin, 0.0 * begin, t, largest_step)[0]

    fit = fit_integrated("hydrostatic decay of two modules", numbers, predict_trials, roll)
    return fit.with_law(law_of(fit.values.tolist()))
