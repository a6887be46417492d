"""Fits to the records of the FlatFish and how they are judged, each made once for all studies that ask for it."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypeAlias

import numpy as np

from remora.equations.lumped import equivalent_damping
from remora.identification import Fit, Record, fit_least_squares, fit_lumped, replay, values_of
from remora.identification.adaptive import PRINTED_GAINS, Report, fit_adaptive_lumped
from remora.identification.record import Array
from remora.studies.flatfish_records import CALM, Part, Site, Trouble, swing_record, with_water
from remora.vehicles.names import DEGREES_OF_FREEDOM

NUMBERS = ("inertia", "linear damping", "quadratic damping", "net buoyancy")  # the last in heave only


class Judged(NamedTuple):
    """A fit to an identification record, and its mean absolute error on the validation record."""

    fit: Fit
    error: float  # m/s or rad/s


Estimator: TypeAlias = Callable[[Site, str, int | None], Judged]  # of a site, a degree of freedom and a seed


def unit_of(axis: str) -> str:
    """Unit of a speed."""
    return "m/s" if DEGREES_OF_FREEDOM.index(axis) < 3 else "rad/s"


def names_of(axis: str) -> list[str]:
    """What is fitted: inertia, linear and quadratic damping, and in heave the net buoyancy."""
    names = [f"total_inertia.{axis}", f"damping.linear.{axis}", f"damping.quadratic.{axis}"]
    return [*names, "body.net_buoyancy"] if axis == "heave" else names


def truth_of(site: Site, axis: str) -> Array:
    """The true numbers in that order."""
    return values_of(site.vehicle.parameters, names_of(axis))


def judged(
    fitted: Callable[[Record], Fit],
    site: Site,
    axis: str,
    seed: int | None,
    trouble: Trouble = CALM,
    current_known: bool = False,
) -> Judged:
    """Fit one record, replay the other."""

    def record(part: Part) -> Record:
        found = swing_record(site, axis, part, seed, trouble=trouble)
        return with_water(found, trouble.water) if current_known else found

    fit = fitted(record("identification"))
    return Judged(fit, replay(record("validation"), fit.vehicle).scores[axis].mae)


@lru_cache(maxsize=None)
def least_squares(
    site: Site,
    axis: str,
    seed: int | None,
    smooth: bool = False,
    trouble: Trouble = CALM,
    current_known: bool = False,
) -> Judged:
    """Least squares of the source: acceleration by Savitzky and Golay over 33 samples, raw or smoothed regressors."""
    return judged(
        lambda record: fit_lumped(record, site.vehicle, axis, smooth=smooth).fit,
        site, axis, seed, trouble, current_known,
    )  # fmt: skip


@lru_cache(maxsize=None)
def adaptive(site: Site, axis: str, seed: int | None, report: Report = "averaged") -> Judged:
    """The adaptive identifier of the source with its gains; its last sample, or the mean over the last period."""
    gains = PRINTED_GAINS[site.name][axis]
    return judged(
        lambda record: fit_adaptive_lumped(record, site.vehicle, axis, gains, report=report).fit, site, axis, seed
    )


last_sample: Estimator = partial(adaptive, report="last")


@lru_cache(maxsize=None)
def by_default(site: Site, axis: str, seed: int | None) -> Judged:
    """What Remora advises: both sides through a low-pass window, and instruments against the noise."""
    return judged(
        lambda record: fit_least_squares(record, site.vehicle, names_of(axis), errors="instruments"), site, axis, seed
    )


def values(estimator: Estimator, site: Site, axis: str, seeds: Sequence[int]) -> Array:
    """The numbers found, one row per seed."""
    return np.array([estimator(site, axis, seed).fit.values for seed in seeds])


def worst_inertia(estimator: Estimator, site: Site, axis: str, seeds: Sequence[int]) -> float:
    """Largest error of the inertia over all seeds, in percent."""
    return worst_share(values(estimator, site, axis, seeds)[:, 0], truth_of(site, axis)[0])


def mean_error(estimator: Estimator, site: Site, axis: str, seeds: Sequence[int]) -> float:
    """Mean absolute error on the validation record, mean over all seeds, m/s or rad/s."""
    return float(np.mean([estimator(site, axis, seed).error for seed in seeds]))


def worst_share(found: Array, truth: float | Array) -> float:
    """Largest error as a share of the truth, in percent."""
    return 100.0 * float(np.max(np.abs(found / truth - 1.0)))


def equivalent(site: Site, axis: str, numbers: Array) -> float:
    """Linear and quadratic damping as one linear value at the speed that the identification record asks for."""
    return equivalent_damping(float(numbers[1]), float(numbers[2]), site.identification[axis].speed)
