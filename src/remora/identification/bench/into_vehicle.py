"""Results of a bench test as parameters of a vehicle, for its file or as a prior."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from remora.identification.bench.data import BenchDataError
from remora.identification.bench.result import BenchFit
from remora.identification.parameters import canonical, units_of
from remora.identification.result import Fit, Identifiability
from remora.vehicles.vehicle import Vehicle


def as_fit(bench: BenchFit[Any], vehicle: Vehicle, names: Mapping[str, str], data: str) -> Fit:
    """Result of a bench test as a fit of a vehicle.

    `to_yaml` of the result writes the vehicle file, `joined_axes` combines several tests, and a trajectory fit accepts
    the result as `priors`.

    Parameters
    ----------
    bench
        The test.
    vehicle
        Source of all other parameters.
    names
        Parameter of the test -> parameter of the vehicle: {"linear": "damping.linear.surge"}. Others are omitted.
    data
        Place and date of the measurement, for the source text of each value.

    Raises
    ------
    BenchDataError
        When the test has no such parameter.
    ParameterNameError
        When the vehicle has no such parameter.
    """
    missing = [name for name in names if name not in bench.names]
    if missing or not names:
        found = ", ".join(missing) or "nothing"
        raise BenchDataError(f"{found} is asked of the {bench.method}, which gives {', '.join(bench.names)}.")
    own = [bench.names.index(name) for name in names]
    parameters = tuple(canonical(name) for name in names.values())
    covariance = bench.covariance[np.ix_(own, own)]
    channel = f"{bench.method} of {parameters[0]}"
    known = tuple(np.isfinite(np.diag(covariance)).tolist())
    return Fit(
        method=bench.method,
        names=parameters,
        units=units_of(vehicle.parameters, parameters),
        values=bench.values[own],
        covariance=covariance,
        degrees_of_freedom=bench.degrees_of_freedom,
        residuals={channel: bench.residuals},
        noise={channel: bench.noise},
        identifiability=Identifiability(float("nan"), {}, (), known),
        warnings=bench.warnings,
        base=vehicle,
        data=data,
    )
