"""Hydrostatic decay of two submerged modules on a rod: centre of buoyancy and drag (Nielsen 2018)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.elementary import atan2
from remora.equations.estimation.pendulums import HydrostaticPair, pair_acceleration, pair_lever
from remora.files.arrays import Array
from remora.identification.bench.data import columns, rising
from remora.identification.bench.fitting import BenchParameter, fit_integrated
from remora.identification.bench.oscillation.free_oscillation import integrate
from remora.identification.bench.result import BenchFit

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
    start
        Roll at the release, rad; the pair starts at rest.
    largest_step
        Largest integration step, s.
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
