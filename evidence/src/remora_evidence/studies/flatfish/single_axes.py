"""R6 to R15 and R18: numbers of the FlatFish from records of single degrees of freedom, Britto Neto 2018.

Effort is averaged around each stamp of the speed. Besides the two estimators of the source each study tells what the
one that Remora advises makes of the same records.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.flatfish.fits import (
    NUMBERS,
    Estimator,
    adaptive,
    by_default,
    equivalent,
    last_sample,
    least_squares,
    mean_error,
    truth_of,
    values,
    worst_inertia,
    worst_share,
)
from remora_evidence.studies.flatfish.records import AXES, BASIN, BAY, SITES, TrialSite

LINEAR_AXES = AXES[:3]


def clean_recovery(site: TrialSite) -> list[Value]:
    """Without noise least squares finds the truth."""
    return [
        (f"{site.name}, {axis}: error of {word} without noise", worst_share(found, truth))
        for axis in AXES
        for word, found, truth in zip(
            NUMBERS, least_squares(site, axis, None).values, truth_of(site, axis), strict=False
        )
    ]


def inertias(word: str, estimator: Estimator, site: TrialSite, seeds: Sequence[int]) -> list[Value]:
    """Errors of the inertias, worst of all seeds."""
    return [
        (f"{site.name}, {axis}: error of inertia, {word}", worst_inertia(estimator, site, axis, seeds)) for axis in AXES
    ]


def basin_clean(seeds: Sequence[int]) -> list[Value]:
    """R6: the basin without noise."""
    return clean_recovery(BASIN)


def basin_adaptive(seeds: Sequence[int]) -> list[Value]:
    """R7: inertia by the adaptive identifier in the basin; that of yaw does not arrive within the record."""
    return [
        *inertias("adaptive, averaged", adaptive, BASIN, seeds),
        *inertias("adaptive, last sample", last_sample, BASIN, seeds),
        *inertias("by default", by_default, BASIN, seeds),
    ]


def methods_agree(seeds: Sequence[int]) -> list[Value]:
    """R8: inertias of both methods on the same record, worst of all seeds."""
    return [
        (
            f"basin, {axis}: inertia, least squares and adaptive apart",
            worst_share(values(least_squares, BASIN, axis, seeds)[:, 0], values(adaptive, BASIN, axis, seeds)[:, 0]),
        )
        for axis in LINEAR_AXES
    ]


def replay_errors(site: TrialSite, seeds: Sequence[int]) -> list[Value]:
    """R9 and R15: both methods of the source on noisy validation records, mean of all seeds.

    The last sample of the adaptive identifier may lie on a ripple, so that a single seed says little.
    """
    figures = []
    for axis in AXES:
        name = f"{site.name}, {axis}: mean error of the replay"
        figures += [
            (f"{name}, least squares", mean_error(least_squares, site, axis, seeds)),
            (f"{name}, adaptive", mean_error(last_sample, site, axis, seeds)),
            (f"{name}, adaptive, averaged", mean_error(adaptive, site, axis, seeds)),
            (f"{name}, by default", mean_error(by_default, site, axis, seeds)),
        ]
    return figures


def furthest(found: Sequence[float], truth: float) -> float:
    """The value that is furthest from the truth."""
    return max(found, key=lambda value: abs(value - truth))


def buoyancies(site: TrialSite, estimator: Estimator, seeds: Sequence[int]) -> list[float]:
    """Net buoyancies from heave, N."""
    return [float(value) for value in values(estimator, site, "heave", seeds)[:, 3]]


def basin_buoyancy(seeds: Sequence[int]) -> list[Value]:
    """R10: net buoyancy of the basin's vehicle, the furthest of all seeds."""
    printed = 15.59
    return [
        (f"net buoyancy, {word}", furthest(buoyancies(BASIN, estimator, seeds), printed))
        for word, estimator in (("least squares", least_squares), ("adaptive, averaged", adaptive))
    ]


def both_buoyancies(seeds: Sequence[int]) -> list[Value]:
    """R18: the vehicles of both sites are trimmed differently, and the records tell."""
    basin, bay = (buoyancies(site, least_squares, seeds) for site in SITES)
    return [
        ("basin, net buoyancy", furthest(basin, 15.59)),
        ("bay, net buoyancy", furthest(bay, 33.98)),
        ("bay over basin", float(np.mean(bay) / np.mean(basin))),
    ]


def damping_together(seeds: Sequence[int]) -> list[Value]:
    """R11: linear and quadratic damping as one value, which slow swings can tell."""
    return [
        (f"{site.name}, {axis}: error of equivalent damping, {word}", _damping(estimator, site, axis, seeds))
        for word, estimator in (("least squares", least_squares), ("adaptive, averaged", adaptive))
        for site in SITES
        for axis in AXES
    ]


def _damping(estimator: Estimator, site: TrialSite, axis: str, seeds: Sequence[int]) -> float:
    found = [equivalent(site, axis, row) for row in values(estimator, site, axis, seeds)]
    return worst_share(np.array(found), equivalent(site, axis, truth_of(site, axis)))


def smooth_regressors(seeds: Sequence[int]) -> list[Value]:
    """R12: noise in the regressors makes quadratic damping too small, and smoothing takes most of that away.

    The scatter of single seeds is as large as that bias.
    """
    figures = []
    for site, axis in ((BASIN, "surge"), (BASIN, "sway"), (BASIN, "heave"), (BAY, "heave")):
        truth, name = truth_of(site, axis)[2], f"{site.name}, {axis}: mean error of quadratic damping"
        raw = values(least_squares, site, axis, seeds)[:, 2]
        smooth = np.array([least_squares(site, axis, seed, True).values[2] for seed in seeds])
        advised = values(by_default, site, axis, seeds)[:, 2]
        figures += [
            (f"{name}, smooth over raw", abs(smooth.mean() - truth) / abs(raw.mean() - truth)),
            (f"{name}, raw", raw.mean() - truth),
            (f"{name}, smooth", smooth.mean() - truth),
            (f"{name}, by default", advised.mean() - truth),
            (f"{site.name}, {axis}: share of raw values below zero", float(np.mean(raw < 0.0))),
        ]
    return figures


def bay_least_squares(seeds: Sequence[int]) -> list[Value]:
    """R13: the bay without noise, and inertia with it."""
    return [
        *clean_recovery(BAY),
        *inertias("least squares", least_squares, BAY, seeds),
        *inertias("by default", by_default, BAY, seeds),
    ]


def bay_adaptive(seeds: Sequence[int]) -> list[Value]:
    """R14: inertia by the adaptive identifier in the bay, where larger efforts make it ripple."""
    return [
        *inertias("adaptive, averaged", adaptive, BAY, seeds),
        *inertias("adaptive, last sample", last_sample, BAY, seeds),
    ]


STUDIES: dict[str, StudyFunction] = {
    "R6": basin_clean,
    "R7": basin_adaptive,
    "R8": methods_agree,
    "R9": partial(replay_errors, BASIN),
    "R10": basin_buoyancy,
    "R11": damping_together,
    "R12": smooth_regressors,
    "R13": bay_least_squares,
    "R14": bay_adaptive,
    "R15": partial(replay_errors, BAY),
    "R18": both_buoyancies,
}
