"""R6 to R15 and R18: numbers of the FlatFish from records of single degrees of freedom, Britto Neto 2018.

Effort is averaged around each stamp of the speed. Besides the two estimators of the source each study tells what the
one that Remora advises makes of the same records.
"""

from collections.abc import Sequence

import numpy as np

from remora.evidence.figure import Figure, Study, at_most, reported, within
from remora.evidence.studies.flatfish.fits import (
    NUMBERS,
    Estimator,
    adaptive,
    by_default,
    equivalent,
    last_sample,
    least_squares,
    mean_error,
    truth_of,
    unit_of,
    values,
    worst_inertia,
    worst_share,
)
from remora.evidence.studies.flatfish.records import AXES, BASIN, BAY, NOISY, SIMULATED, SITES, Site
from remora.evidence.studies.kernel_parts import KernelPart

SOURCE = "Britto Neto 2018"
LINEAR_AXES = AXES[:3]
# Largest errors without noise, in percent, in the order of the numbers.
CLEAN = (0.5, 1.0, 5.0, 0.5)
# Tables 8 and 12: mean absolute errors on the validation records, m/s and rad/s.
PRINTED_LEAST_SQUARES = {
    "basin": (0.0123, 0.0097, 0.0176, 0.0164),
    "bay": (0.0163, 0.0316, 0.0094, 0.0316),
}
PRINTED_ADAPTIVE = {
    "basin": (0.0116, 0.0141, 0.0156, 0.0089),
    "bay": (0.0205, 0.0225, 0.0201, 0.0225),
}
# Inertia that has not converged puts an independent program at 0.0092 rad/s, a little above the printed figure.
BASIN_YAW_ADAPTIVE = 0.010
# Records for a mean of quadratic damping, whose scatter is as large as its bias; and for a mean error of replays, as
# the last sample of the adaptive identifier may lie on a ripple.
FEWEST, FEWEST_REPLAYS = 60, 8


def clean_recovery(site: Site) -> list[Figure]:
    """Without noise least squares finds the truth."""
    return [
        at_most(f"{site.name}, {axis}: error of {word} without noise", worst_share(found, truth), bound, "%")
        for axis in AXES
        for word, bound, found, truth in zip(
            NUMBERS, CLEAN, least_squares(site, axis, None).values, truth_of(site, axis), strict=False
        )
    ]


def inertias(
    word: str, estimator: Estimator, site: Site, seeds: Sequence[int], bounds: Sequence[float] = ()
) -> list[Figure]:
    """Errors of the inertias, worst of all seeds; without bounds they are only told."""
    names = [f"{site.name}, {axis}: error of inertia, {word}" for axis in AXES]
    errors = [worst_inertia(estimator, site, axis, seeds) for axis in AXES]
    if not bounds:
        return [reported(name, error, "%") for name, error in zip(names, errors, strict=True)]
    return [at_most(name, error, bound, "%") for name, error, bound in zip(names, errors, bounds, strict=True)]


def basin_clean(seeds: Sequence[int]) -> list[Figure]:
    """R6: the basin without noise."""
    return clean_recovery(BASIN)


def basin_adaptive(seeds: Sequence[int]) -> list[Figure]:
    """R7: inertia by the adaptive identifier in the basin; that of yaw does not arrive within the record."""
    return [
        *inertias("adaptive, averaged", adaptive, BASIN, seeds, (5.0, 5.0, 5.0, 20.0)),
        *inertias("adaptive, last sample", last_sample, BASIN, seeds),
        *inertias("by default", by_default, BASIN, seeds),
    ]


def methods_agree(seeds: Sequence[int]) -> list[Figure]:
    """R8: inertias of both methods on the same record, worst of all seeds."""
    return [
        at_most(
            f"basin, {axis}: inertia, least squares and adaptive apart",
            worst_share(values(least_squares, BASIN, axis, seeds)[:, 0], values(adaptive, BASIN, axis, seeds)[:, 0]),
            5.0,
            "%",
        )
        for axis in LINEAR_AXES
    ]


def replay_errors(site: Site, seeds: Sequence[int], yaw_adaptive: float) -> list[Figure]:
    """Both methods of the source on the validation record, against noisy speeds, mean of at least eight seeds."""
    figures, many = [], range(1, max(FEWEST_REPLAYS, len(seeds)) + 1)
    for k, axis in enumerate(AXES):
        squares, adapting = (t[site.name][k] for t in (PRINTED_LEAST_SQUARES, PRINTED_ADAPTIVE))
        bound = yaw_adaptive if axis == "yaw" else adapting
        name, unit = f"{site.name}, {axis}: mean error of the replay", unit_of(axis)
        figures += [
            at_most(f"{name}, least squares", mean_error(least_squares, site, axis, many), squares, unit, squares),
            at_most(
                f"{name}, adaptive", mean_error(last_sample, site, axis, many), bound, unit, adapting,
                differs="" if bound == adapting else YAW_BOUND,
            ),
            reported(f"{name}, adaptive, averaged", mean_error(adaptive, site, axis, many), unit),
            reported(f"{name}, by default", mean_error(by_default, site, axis, seeds), unit),
        ]  # fmt: skip
    return figures


def basin_replay(seeds: Sequence[int]) -> list[Figure]:
    """R9."""
    return replay_errors(BASIN, seeds, BASIN_YAW_ADAPTIVE)


def bay_replay(seeds: Sequence[int]) -> list[Figure]:
    """R15."""
    return replay_errors(BAY, seeds, PRINTED_ADAPTIVE["bay"][3])


def furthest(found: Sequence[float], truth: float) -> float:
    """The value that is furthest from the truth."""
    return max(found, key=lambda value: abs(value - truth))


def buoyancies(site: Site, estimator: Estimator, seeds: Sequence[int]) -> list[float]:
    """Net buoyancies from heave, N."""
    return [float(value) for value in values(estimator, site, "heave", seeds)[:, 3]]


def basin_buoyancy(seeds: Sequence[int]) -> list[Figure]:
    """R10: net buoyancy of the basin's vehicle, the furthest of all seeds."""
    printed = 15.59
    return [
        within(f"net buoyancy, {word}", furthest(buoyancies(BASIN, estimator, seeds), printed), printed, 1.0, "N")
        for word, estimator in (("least squares", least_squares), ("adaptive, averaged", adaptive))
    ]


def both_buoyancies(seeds: Sequence[int]) -> list[Figure]:
    """R18: the vehicles of both sites are trimmed differently, and the records tell."""
    basin, bay = (buoyancies(site, least_squares, seeds) for site in SITES)
    return [
        within("basin, net buoyancy", furthest(basin, 15.59), 15.59, 1.0, "N"),
        within("bay, net buoyancy", furthest(bay, 33.98), 33.98, 2.0, "N"),
        reported("bay over basin", float(np.mean(bay) / np.mean(basin)), "1", printed=2.0),
    ]


def damping_together(seeds: Sequence[int]) -> list[Figure]:
    """R11: linear and quadratic damping as one value, which slow swings can tell."""
    return [
        at_most(
            f"{site.name}, {axis}: error of equivalent damping, {word}",
            _damping(estimator, site, axis, seeds),
            10.0,
            "%",
        )
        for word, estimator in (("least squares", least_squares), ("adaptive, averaged", adaptive))
        for site in SITES
        for axis in AXES
    ]


def _damping(estimator: Estimator, site: Site, axis: str, seeds: Sequence[int]) -> float:
    found = [equivalent(site, axis, row) for row in values(estimator, site, axis, seeds)]
    return worst_share(np.array(found), equivalent(site, axis, truth_of(site, axis)))


def smooth_regressors(seeds: Sequence[int]) -> list[Figure]:
    """R12: noise in the regressors makes quadratic damping too small, and smoothing takes most of that away."""
    many = range(1, max(FEWEST, len(seeds)) + 1)
    figures = []
    for site, axis in ((BASIN, "surge"), (BASIN, "sway"), (BASIN, "heave"), (BAY, "heave")):
        truth, name = truth_of(site, axis)[2], f"{site.name}, {axis}: mean error of quadratic damping"
        raw = values(least_squares, site, axis, many)[:, 2]
        smooth = np.array([least_squares(site, axis, seed, True).values[2] for seed in many])
        advised = values(by_default, site, axis, seeds)[:, 2]
        unit = "N s2/m2"
        figures += [
            at_most(f"{name}, smooth over raw", abs(smooth.mean() - truth) / abs(raw.mean() - truth), 0.5, "1"),
            reported(f"{name}, raw", raw.mean() - truth, unit),
            reported(f"{name}, smooth", smooth.mean() - truth, unit),
            reported(f"{name}, by default", advised.mean() - truth, unit),
            reported(f"{site.name}, {axis}: share of raw values below zero", float(np.mean(raw < 0.0)), "1"),
        ]
    return figures


def bay_least_squares(seeds: Sequence[int]) -> list[Figure]:
    """R13: the bay without noise, and inertia with it."""
    return [
        *clean_recovery(BAY),
        *inertias("least squares", least_squares, BAY, seeds, (3.0,) * 4),
        *inertias("by default", by_default, BAY, seeds),
    ]


def bay_adaptive(seeds: Sequence[int]) -> list[Figure]:
    """R14: inertia by the adaptive identifier in the bay, where larger efforts make it ripple."""
    return [
        *inertias("adaptive, averaged", adaptive, BAY, seeds, (5.0, 7.0, 13.0, 2.0)),
        *inertias("adaptive, last sample", last_sample, BAY, seeds),
    ]


_SHARED = "flatfish records"
ADAPTING: tuple[KernelPart, ...] = ("equations", "adaptive")
REPLAYING: tuple[KernelPart, ...] = ("equations", "batches", "adaptive")
YAW_BOUND = (
    f"{NOISY}; bound of 0.010 rad/s where 0.0089 is printed, because the inertia has not converged in the record"
)
STUDIES = [
    Study(
        "R6", f"{SOURCE}, Table 8", "Basin: least squares without noise", basin_clean, 1, _SHARED,
        differs=f"{SIMULATED}; without noise",
        kernels=("equations",),
    ),
    Study(
        "R7", f"{SOURCE}, Tables 7 and 8", "Basin: inertia by the adaptive identifier", basin_adaptive, 30, _SHARED,
        differs=f"{NOISY}; the identifier is averaged over the last period where the source takes its last value",
        kernels=REPLAYING,
    ),
    Study(
        "R8", f"{SOURCE}, section 6.1", "Basin: inertias of both methods", methods_agree, 30, _SHARED,
        differs=f"{NOISY}; the identifier is averaged over the last period",
        kernels=ADAPTING,
    ),
    Study(
        "R9", f"{SOURCE}, Table 8", "Basin: errors on other records", basin_replay, 30, _SHARED,
        differs=f"{NOISY}; mean of all seeds",
        kernels=REPLAYING,
    ),
    Study(
        "R10", f"{SOURCE}, Table 8", "Basin: net buoyancy", basin_buoyancy, 30, _SHARED,
        differs=NOISY,
        kernels=ADAPTING,
    ),
    Study(
        "R11", f"{SOURCE}, Tables 8 and 12", "Damping as one value", damping_together, 30, _SHARED,
        differs=f"{NOISY}; linear and quadratic damping as one value at the amplitude of the record",
        kernels=ADAPTING,
    ),
    Study(
        "R12", f"{SOURCE}, section 6.1, and beyond", "Smooth regressors", smooth_regressors, FEWEST, _SHARED,
        differs=f"{NOISY}; smoothing is not in the source",
        kernels=("equations", "batches"),
    ),
    Study(
        "R13", f"{SOURCE}, Table 12", "Bay: least squares", bay_least_squares, 60, _SHARED,
        differs=NOISY,
        kernels=("equations", "batches"),
    ),
    Study(
        "R14", f"{SOURCE}, Tables 11 and 12", "Bay: inertia by the adaptive identifier", bay_adaptive, 30, _SHARED,
        differs=f"{NOISY}; the identifier is averaged over the last period where the source takes its last value",
        kernels=ADAPTING,
    ),
    Study(
        "R15", f"{SOURCE}, Table 12", "Bay: errors on other records", bay_replay, 30, _SHARED,
        differs=f"{NOISY}; without waves, tide and jumps of command; mean of all seeds",
        kernels=REPLAYING,
    ),
    Study(
        "R18", f"{SOURCE}, section 6.2", "Net buoyancy in basin and bay", both_buoyancies, 60, _SHARED,
        differs=NOISY,
        kernels=("equations",),
    ),
]  # fmt: skip
