"""modular-14.6-pitch: drag of pitch from 25 runs at seven rates, some of them spoiled. Nielsen 2018, chapter 5.

The moments of the source were not normal, so that it did not fuse runs but picked points by hand. Here the median of
the runs at each rate takes the place of the hand.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from remora.equations.estimation.single_axis import axis_damping
from remora.files.arrays import Array
from remora.identification.bench import BenchFit, Drag, extrapolated_damping, fit_towing_drag, fuse_by_median
from remora.vehicles import load_vehicle
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.sampling import normals

RATES = np.linspace(0.15, 1.0, 7)  # rad/s
RUNS = (4, 4, 4, 4, 3, 3, 3)  # 25 in all, at each of these rates
LEVER = 0.3  # m, of the load cells about the pitch axis; chosen
RUN_BIAS = 0.1 * LEVER  # N m from run to run: that of towed runs, on this lever
SAMPLE_NOISE = 1.0 * LEVER / math.sqrt(2000.0)  # N m, of the mean of 10 s at 200 Hz
SPOILED, SPOILED_BIAS = 0.15, 10.0  # share of spoiled runs, and how much larger their bias is; chosen


@cache
def true_drag() -> Drag:
    """Table 5.2."""
    p = load_vehicle("bluerov").parameters
    return Drag(p.linear_damping[4][4], p.quadratic_damping[4][4])


def moments(seed: int) -> tuple[Array, Array]:
    """Rates and mean moments of the runs of one campaign."""
    rates: Any = np.repeat(RATES, RUNS)
    chance = normals(seed, "pitch runs", 3 * len(rates)).reshape(3, -1)
    is_spoiled = chance[0] > _quantile(1.0 - SPOILED)
    bias = RUN_BIAS * np.where(is_spoiled, SPOILED_BIAS, 1.0) * chance[1]
    drag = true_drag()
    return rates, np.asarray(axis_damping(drag.linear, drag.quadratic, rates)) + bias + SAMPLE_NOISE * chance[2]


def _quantile(share: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(share))


@cache
def campaign(seed: int, by_median: bool) -> BenchFit[Drag]:
    """Drag from the runs of one campaign, by the median or by the mean of each rate."""
    rates, found = moments(seed)
    fused = [fuse_by_median(found[rates == rate]).mean if by_median else found[rates == rate].mean() for rate in RATES]
    return fit_towing_drag(RATES, np.array(fused))


@cache
def held(seed: int) -> Array:
    """Whether the 95 % intervals of a campaign hold the linear and the quadratic drag."""
    return np.asarray(campaign(seed, by_median=True).covers(true_drag()))


@cache
def extrapolated(seed: int) -> Array:
    """Linear drag of roll and of yaw by the ratio of added mass, over the printed one, less one, in percent."""
    p, fit = load_vehicle("bluerov").parameters, campaign(seed, by_median=True)
    errors = []
    for other, i in (("roll", 3), ("yaw", 5)):
        law = extrapolated_damping(fit, "pitch", other, p.added_mass[4][4], p.added_mass[i][i]).law
        errors.append(100.0 * abs(law.linear / p.linear_damping[i][i] - 1.0))
    return np.array(errors)


def pitch_campaigns(seeds: Sequence[int]) -> list[Value]:
    """Drag of pitch, its intervals, and what the median gains over the mean."""
    fits = [campaign(seed, by_median=True) for seed in seeds]
    errors, of_means = (_top_errors(seeds, by_median) for by_median in (True, False))
    covered = 100.0 * np.mean([held(seed) for seed in seeds], axis=0)
    shares = [fit.law.linear / (fit.law.linear + fit.law.quadratic * RATES[-1]) for fit in fits]
    roll, yaw = np.median([extrapolated(seed) for seed in seeds], axis=0)
    return [
        ("campaigns whose interval holds the linear drag", covered[0]),
        ("campaigns whose interval holds the quadratic drag", covered[1]),
        ("share of the linear term at 1 rad/s, median", 100.0 * float(np.median(shares))),
        ("moment at 1 rad/s, median of the runs over their mean: error, RMS", _rms(errors) / _rms(of_means)),
        ("linear drag, median of all campaigns", float(np.median([fit.law.linear for fit in fits]))),
        ("quadratic drag, median of all campaigns", float(np.median([fit.law.quadratic for fit in fits]))),
        ("moment at 1 rad/s: error, worst campaign", 100.0 * float(np.abs(errors).max())),
        ("roll from pitch, linear drag: error, median", roll),
        ("yaw from pitch, linear drag: error, median", yaw),
    ]


def _top_errors(seeds: Sequence[int], by_median: bool) -> Array:
    """Relative error of the moment at the highest rate, which is 1 rad/s, in each campaign."""
    laws = [true_drag(), *(campaign(seed, by_median).law for seed in seeds)]
    moments = np.array([law.linear + law.quadratic for law in laws])
    return np.asarray(moments[1:] / moments[0] - 1.0)


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))


STUDIES: dict[str, StudyFunction] = {"modular-14.6-pitch": pitch_campaigns}
