"""Moment of inertia by a bifilar pendulum (Proctor 2014, sec. 3.4)."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.elementary import sqrt
from remora.equations.estimation.pendulums import (
    bifilar_stiffness,
    damped_oscillation,
    damping_ratio_from_decrement,
    inertia_from_frequency,
)
from remora.files.arrays import Array
from remora.identification.bench.data import columns, positive, rising
from remora.identification.bench.fitting import BenchParameter, fit_numbers
from remora.identification.bench.oscillation.free_oscillation import decrements, turning_points, undamped
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
    mass, gravity
        Mass of the body, kg, and gravity, m/s2.
    spacing, length
        Distance and length of the wires, m.
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
