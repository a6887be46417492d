"""Fits to the records of the FlatFish and how they are judged, each made once for all studies that ask for it."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np

from remora.equations.estimation.single_axis import equivalent_damping
from remora.files.arrays import Array
from remora.identification import Fit, Record, fit_least_squares, fit_lumped, replay, values_of
from remora.identification.online.adaptive_axis import PRINTED_GAINS, Report, fit_adaptive_lumped
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora_evidence.studies.flatfish.records import CALM, Part, TrialSite, Trouble, swing_record, with_water

NUMBERS = ("inertia", "linear damping", "quadratic damping", "net buoyancy")  # the last in heave only


Estimator: TypeAlias = Callable[[TrialSite, str, int | None], Fit]  # of a site, a degree of freedom and a seed


def unit_of(axis: str) -> str:
    """Unit of a speed."""
    return "m/s" if DEGREES_OF_FREEDOM.index(axis) < 3 else "rad/s"


def names_of(axis: str) -> list[str]:
    """What is fitted: inertia, linear and quadratic damping, and in heave the net buoyancy."""
    names = [f"total_inertia.{axis}", f"damping.linear.{axis}", f"damping.quadratic.{axis}"]
    return [*names, "body.net_buoyancy"] if axis == "heave" else names


def truth_of(site: TrialSite, axis: str) -> Array:
    """The true numbers in that order."""
    return values_of(site.vehicle.parameters, names_of(axis))


def record_of_part(
    part: Part, site: TrialSite, axis: str, seed: int | None, trouble: Trouble = CALM, current_known: bool = False
) -> Record:
    """A record, with the current supplied where it is known."""
    record = swing_record(site, axis, part, seed, trouble=trouble)
    return with_water(record, trouble.water) if current_known else record


@cache
def least_squares(
    site: TrialSite,
    axis: str,
    seed: int | None,
    smooth: bool = False,
    trouble: Trouble = CALM,
    current_known: bool = False,
) -> Fit:
    """Least squares of the source: acceleration by Savitzky and Golay over 33 samples, raw or smoothed regressors."""
    record = record_of_part("identification", site, axis, seed, trouble, current_known)
    return fit_lumped(record, site.vehicle, axis, smooth=smooth).fit


@cache
def adaptive(site: TrialSite, axis: str, seed: int | None, report: Report = "averaged") -> Fit:
    """The adaptive identifier of the source with its gains; its last sample, or the mean over the last period."""
    record = record_of_part("identification", site, axis, seed)
    return fit_adaptive_lumped(record, site.vehicle, axis, PRINTED_GAINS[site.name][axis], report=report).fit


def last_sample(site: TrialSite, axis: str, seed: int | None) -> Fit:
    """The rule of the source."""
    return adaptive(site, axis, seed, "last")


@cache
def by_default(site: TrialSite, axis: str, seed: int | None) -> Fit:
    """What Remora advises: both sides through a low-pass window, and instruments against the noise."""
    record = record_of_part("identification", site, axis, seed)
    return fit_least_squares(record, site.vehicle, names_of(axis), errors="instruments")


def replay_error(
    fit: Fit, site: TrialSite, axis: str, seed: int | None, trouble: Trouble = CALM, current_known: bool = False
) -> float:
    """Mean absolute error of a fit on the validation record, m/s or rad/s."""
    record = record_of_part("validation", site, axis, seed, trouble, current_known)
    return replay(record, fit.vehicle).scores[axis].mae


def values(estimator: Estimator, site: TrialSite, axis: str, seeds: Sequence[int]) -> Array:
    """The numbers found, one row per seed."""
    return np.array([estimator(site, axis, seed).values for seed in seeds])


def worst_inertia(estimator: Estimator, site: TrialSite, axis: str, seeds: Sequence[int]) -> float:
    """Largest error of the inertia over all seeds, in percent."""
    return worst_share(values(estimator, site, axis, seeds)[:, 0], truth_of(site, axis)[0])


@cache
def error_of(estimator: Estimator, site: TrialSite, axis: str, seed: int) -> float:
    """Mean absolute error on the validation record of the same seed, m/s or rad/s."""
    return replay_error(estimator(site, axis, seed), site, axis, seed)


def mean_error(estimator: Estimator, site: TrialSite, axis: str, seeds: Sequence[int]) -> float:
    """Mean over all seeds."""
    return float(np.mean([error_of(estimator, site, axis, seed) for seed in seeds]))


def worst_share(found: Array, truth: float | Array) -> float:
    """Largest error as a share of the truth, in percent."""
    return 100.0 * float(np.max(np.abs(found / truth - 1.0)))


def equivalent(site: TrialSite, axis: str, numbers: Array) -> float:
    """Linear and quadratic damping as one linear value at the speed that the identification record asks for."""
    return equivalent_damping(float(numbers[1]), float(numbers[2]), site.identification[axis].speed)
