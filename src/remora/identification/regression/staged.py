"""Staged fits: single axes first with all other parameters fixed, then couplings."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from remora.identification.data.record import Record
from remora.identification.parameters import canonical
from remora.identification.result import Fit
from remora.identification.trajectory.output_error import Bounds, Priors, fit_output_error
from remora.identification.uncertainty.priors import joined_priors, prior_of
from remora.vehicles.vehicle import Vehicle


class Stage(NamedTuple):
    """Parameters and records of one stage; all measured axes are compared unless given."""

    parameters: Sequence[str]
    records: Record | Sequence[Record]
    axes: Sequence[str] | None = None


def fit_staged(
    stages: Sequence[Stage],
    vehicle: Vehicle,
    *,
    priors: Priors | None = None,
    bounds: Bounds | None = None,
    estimator: Callable[..., Fit] = fit_output_error,
    **options: Any,
) -> list[Fit]:
    """Fit stage by stage; the result of each stage is start and prior of the next.

    A parameter that no later stage fits keeps its value. One that is fitted again has its earlier value and covariance
    as a prior, so that the last fit uses the data of all stages. Each stage needs its own records, or data count twice.

    Parameters
    ----------
    stages
        In order.
    vehicle
        Start of the first stage.
    priors, bounds
        As in `fit_output_error`; each stage uses those of its parameters.
    estimator
        `fit_output_error` or `fit_prediction_error`.
    options
        Further arguments of the estimator.

    Returns
    -------
    list of Fit
        One per stage; the base of each is the vehicle with the results of the earlier stages.
    """
    if not stages:
        raise ValueError("no stage is given")
    known, fits = prior_of(priors), []
    limits = {canonical(name): between for name, between in (bounds or {}).items()}
    for stage in stages:
        names = [canonical(name) for name in stage.parameters]
        own = {name: between for name, between in limits.items() if name in names}
        fit = estimator(stage.records, vehicle, names, axes=stage.axes, priors=known, bounds=own, **options)
        known = joined_priors(known, prior_of(fit))
        vehicle = replace(vehicle, parameters=fit.vehicle)
        fits.append(fit)
    return fits
