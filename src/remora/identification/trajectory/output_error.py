"""Trajectory fits by output error (multiple shooting) and by one-step prediction error.

`fit_output_error` runs the model open loop through shooting intervals of the record. Measured speeds do not enter the
model, so measurement noise causes no bias. `fit_prediction_error` restarts at every sample and predicts one step ahead;
it tolerates slow model errors, and is as sensitive to noise as a derivative.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.data import checks
from remora.identification.data.record import Record
from remora.identification.parameter_names import (
    DELAY,
    asked_names,
    canonical,
    effectiveness_places,
    linear_names,
    parsed,
    repeated_name,
)
from remora.identification.parameters import values_of, with_values
from remora.identification.problems import RecordError
from remora.identification.regression.constraints import InfeasibleError, constrained_least_squares
from remora.identification.regression.prefilter import filtered
from remora.identification.regression.problem import (
    joined_rows,
    regression_problem,
    rows_of,
    used_axes,
    with_scale_held,
)
from remora.identification.regression.solvers import triangle, weighted_least_squares
from remora.identification.replay import with_current
from remora.identification.result import Ambiguity, Fit
from remora.identification.sampling.mixed_rates import slowest_interval
from remora.identification.sampling.resampling import resampled, without_holes
from remora.identification.trajectory.gauss_newton import (
    Constraints,
    Iterate,
    base_values,
    cost_of,
    iterate_at,
    jacobian_at,
    limits_of,
    noise_of_channels,
)
from remora.identification.trajectory.report import described, with_widths
from remora.identification.trajectory.shooting_intervals import (
    Channel,
    TrajectoryData,
    measured_starts,
    trajectory_data,
)
from remora.identification.trajectory.solution import FittedDeadBand, solved
from remora.identification.uncertainty import identifiability
from remora.identification.uncertainty.priors import Prior, joined_priors, prior_of, prior_rows
from remora.plant.failures import RunError
from remora.vehicles.vehicle import Vehicle

Bounds = Mapping[str, tuple[float, float]]
Priors = Prior | Fit | Mapping[str, tuple[float, float]]
# Largest delay of sensors, s, unless bounds are given.
_LONGEST_DELAY = 0.5
# Shortest segment for a trajectory fit, s.
_SHORTEST = 2.0
# Number of rows for a regression in a first trial.
_ROUGH = 3000
# Share of thrust below which a thruster is nearly dead.
_WORKING = 0.5


class _Problem(NamedTuple):
    """Checked arguments of a fit."""

    records: tuple[Record, ...]
    vehicle: Vehicle
    axes: tuple[str, ...]
    names: tuple[str, ...]  # all parameters
    constraints: Constraints  # without dead bands, which have no derivative
    bands: tuple[FittedDeadBand, ...]
    start: "str | Mapping[str, float]"


def fit_output_error(
    records: Record | Sequence[Record],
    vehicle: Vehicle,
    parameters: Sequence[str] | None = None,
    *,
    axes: Sequence[str] | None = None,
    channels: Sequence[Channel] | None = None,
    priors: Priors | None = None,
    bounds: Bounds | None = None,
    start: str | Mapping[str, float] = "regression",
    current: Sequence[float] = (0.0, 0.0, 0.0),
    delay: float = 0.0,
    restart: float = 20.0,
    initial: str = "estimated",
    constrained: bool = True,
) -> Fit:
    """Fit parameters of a vehicle to whole trajectories by output error.

    Parameters
    ----------
    records
        One record or several, each with uniform segments.
    vehicle
        Base vehicle; parameters that are not fitted are kept.
    parameters
        Names as in `remora.identification.parameter_names`, with `current.north`, `current.east`, `current.down` and
        `delay`; added mass, linear and quadratic damping of each used degree of freedom unless given.
    axes
        Degrees of freedom whose speeds are compared; all measured ones unless given. The others move too.
    channels
        Compared quantities, of "twist", "attitude" and "position"; twist, and attitude where recorded, unless given.
    priors
        Name -> value and standard deviation, or an earlier fit.
    bounds
        Name -> lower and upper bound, in addition to physical ones.
    start
        "regression": filtered least squares, if that follows the motion better than the vehicle. "vehicle": its values.
        Or name -> value in addition to these.
    current
        Steady velocity of the water in N, m/s, in addition to the recorded one.
    delay
        Delay of all sensors relative to the inputs, s.
    restart
        Length of the shooting intervals, s.
    initial
        "estimated": initial states of the intervals are fitted. "measured": they are taken as measured.
    constrained
        Whether only physically consistent vehicles are allowed: positive inertia, dissipative damping.

    Raises
    ------
    RecordError
        When a record is too short, too quiet, has holes or wrong units, or when the model diverges from the start.
    ParameterNameError
        When a parameter is not known.
    """
    if initial not in ("estimated", "measured"):
        raise ValueError(f'initial is {initial!r}: give "estimated" or "measured"')
    if not restart > 0.0:
        raise ValueError(f"restart is {restart}: give a positive number of seconds")
    asked = _Asked(parameters, axes, priors, bounds or {}, start, current, delay, constrained)
    problem = _checked_problem(records, vehicle, asked)
    data = _trajectory_data(problem, channels, restart, initial == "estimated")
    return _fitted(problem, data, "output error")


def fit_prediction_error(
    records: Record | Sequence[Record],
    vehicle: Vehicle,
    parameters: Sequence[str] | None = None,
    *,
    axes: Sequence[str] | None = None,
    channels: Sequence[Channel] = ("twist",),
    priors: Priors | None = None,
    bounds: Bounds | None = None,
    start: str | Mapping[str, float] = "regression",
    current: Sequence[float] = (0.0, 0.0, 0.0),
    constrained: bool = True,
) -> Fit:
    """Fit parameters of a vehicle by the one-step prediction error from each measured state.

    Noise of the measured states biases this fit; use it for clean or smoothed records, and for comparison with others.

    Parameters
    ----------
    records, vehicle, parameters, axes, channels, priors, bounds, start, current, constrained
        As for `fit_output_error`.
    """
    asked = _Asked(parameters, axes, priors, bounds or {}, start, current, 0.0, constrained)
    problem = _checked_problem(records, vehicle, asked)
    return _fitted(problem, _trajectory_data(problem, channels, None, False), "one-step prediction error")


class _Asked(NamedTuple):
    """Arguments of a fit as given."""

    parameters: Sequence[str] | None
    axes: Sequence[str] | None
    priors: Priors | None
    bounds: Bounds
    start: str | Mapping[str, float]
    current: Sequence[float]
    delay: float
    constrained: bool


def _checked_problem(records: Record | Sequence[Record], vehicle: Vehicle, asked: _Asked) -> _Problem:
    given = (records,) if isinstance(records, Record) else tuple(records)
    if not given:
        raise RecordError("no record is given.")
    if not isinstance(asked.start, Mapping) and asked.start not in ("regression", "vehicle"):
        raise ValueError(f'start is {asked.start!r}: give "regression", "vehicle", or values by name')
    used = used_axes(given, asked.axes)
    names = asked_names(asked.parameters, used)
    values_of(vehicle.parameters, names)  # raises for an unknown name
    if (twice := repeated_name(names)) or not names:
        raise RecordError(f"{twice} is asked for twice." if twice else "no parameter is asked for.", given[0].source)
    flow = np.array(asked.current, dtype=float)
    if flow.shape != (3,) or not np.all(np.isfinite(flow)) or not 0.0 <= asked.delay < np.inf:
        raise ValueError(
            f"current {asked.current} and delay {asked.delay}: give three speeds in m/s and a time in seconds"
        )
    low, high = limits_of(names, vehicle.parameters, asked.constrained)
    low, high = _with_bounds(names, low, high, asked.bounds)
    prior = prior_of(asked.priors)
    values_of(vehicle.parameters, prior.names)
    for record in given:
        checks.check_record(record, used, _SHORTEST, sparse=True)
    bands = [k for k, name in enumerate(names) if parsed(name, vehicle.parameters).kind == "dead band"]
    _check_bands(given, [names[k] for k in bands], prior)
    kept = [k for k in range(len(names)) if k not in bands]
    smooth = tuple(names[k] for k in kept)
    constraints = Constraints(
        vehicle.parameters, smooth, low[kept], high[kept], asked.constrained, prior, flow, asked.delay
    )
    constraints, widths = _with_start_of_bands(constraints, [names[k] for k in bands], asked.start)
    found = tuple(FittedDeadBand(names[k], width, low[k], high[k]) for k, width in zip(bands, widths, strict=True))
    return _Problem(given, vehicle, used, names, constraints, found, asked.start)


def _check_bands(records: Sequence[Record], names: Sequence[str], prior: Prior) -> None:
    if not names:
        return
    with_prior = [name for name in names if name in prior.names]
    if with_prior:
        raise ValueError(f"a prior of {', '.join(with_prior)} is not used: give bounds instead")
    for record in records:
        if record.inputs is None or record.inputs.kind != "commands":
            raise RecordError(f"{names[0]} shows in commands only, and this record has none.", record.source)


def _with_start_of_bands(
    constraints: Constraints, names: Sequence[str], start: str | Mapping[str, float]
) -> tuple[Constraints, list[float]]:
    """Constraints with the initial dead bands, and their widths."""
    named = {canonical(name): value for name, value in start.items()} if isinstance(start, Mapping) else {}
    widths = [float(named.get(name, values_of(constraints.vehicle, [name])[0])) for name in names]
    return constraints._replace(vehicle=with_values(constraints.vehicle, names, widths)), widths


def _with_bounds(names: tuple[str, ...], low: Array, high: Array, given: Bounds) -> tuple[Array, Array]:
    known = {canonical(name): limits for name, limits in given.items()}
    unknown = [name for name in known if name not in names]
    if unknown:
        raise ValueError(f"bounds of {', '.join(unknown)}, which is not fitted")
    if DELAY in names:
        high[names.index(DELAY)] = _LONGEST_DELAY
    for name, limits in known.items():
        k = names.index(name)
        low[k], high[k] = max(low[k], limits[0]), limits[1]
        if not low[k] < high[k]:
            raise ValueError(f"bounds of {name} are {limits}: no value lies between {low[k]:g} and {high[k]:g}")
    return low, high


def _trajectory_data(
    problem: _Problem, channels: Sequence[Channel] | None, restart: float | None, free: bool
) -> TrajectoryData:
    constraints, first = problem.constraints, problem.records[0]
    usual: tuple[Channel, ...] = ("twist", "attitude") if first.quaternion is not None else ("twist",)
    kinds = usual if channels is None else tuple(channels)
    if not kinds or any(kind not in ("twist", "attitude", "position") for kind in kinds):
        raise ValueError(f'channels are {kinds}: choose from "twist", "attitude", "position"')
    longest = constraints.high[constraints.names.index(DELAY)] if DELAY in constraints.names else constraints.delay
    if longest and not free:
        raise RecordError("a delay needs fitted initial states, but initial is measured.", first.source)
    return trajectory_data(
        problem.records, problem.vehicle.parameters, problem.axes, kinds, restart, free, float(longest)
    )


def _fitted(problem: _Problem, data: TrajectoryData, method: str) -> Fit:
    """Choose a start, hold the thrust scale where it is ambiguous, minimise and report."""
    constraints = problem.constraints
    iterate = _starting_iterate(problem, data)
    constraints, iterate, scale = _with_scale_held(data, constraints, iterate)
    try:
        solution = solved(
            problem.records, data, constraints, iterate, problem.bands,
            partial(_regressed, problem, with_thrust=False), partial(_roughly_regressed, problem),
        )  # fmt: skip
    except InfeasibleError as error:
        raise RecordError(
            f"{error}. Widen the bounds, or fit with constrained=False.", problem.records[0].source
        ) from None
    except RunError as error:
        raise RecordError(_runs_away(error), problem.records[0].source) from None
    fit = described(
        problem.records, problem.vehicle, solution.data, solution.constraints, solution.found, scale, method
    )
    return with_widths(fit, solution.widths, problem.names).with_doubt(*solution.warnings)


def _runs_away(error: RunError) -> str:
    return f"the model runs away from its start ({error}). Restart it more often, or start elsewhere."


def _starting_iterate(problem: _Problem, data: TrajectoryData) -> Iterate:
    """Best start: the values of the vehicle or of a regression."""
    constraints, starts = problem.constraints, measured_starts(data)
    own = np.clip(base_values(constraints), constraints.low, constraints.high)
    guesses = [own]
    if isinstance(problem.start, Mapping):
        named = {canonical(name): value for name, value in problem.start.items()}
        guesses = [np.array([named.get(name, value) for name, value in zip(constraints.names, own, strict=True)])]
    elif problem.start == "regression":
        guesses.append(_regressed(problem, constraints, own))
    candidates = []
    for guess in guesses:
        try:
            candidates.append(iterate_at(data, constraints, guess, starts))
        except RunError as error:
            reason = error
    if not candidates:
        raise RecordError(_runs_away(reason), problem.records[0].source)
    # One noise for all, as each under its own would fit about equally well.
    noise = np.max([noise_of_channels(data, iterate, 0) for iterate in candidates], axis=0)
    return min(candidates, key=lambda iterate: cost_of(iterate, noise, constraints))


def _regressed(problem: _Problem, constraints: Constraints, values: Array, with_thrust: bool = True) -> Array:
    """The linear ones among the parameters from least squares with both sides filtered; the others as given.

    The thrust of the records is checked, unless that was done before.
    """
    names = linear_names(constraints.names, constraints.vehicle)
    if not names:
        return values
    vehicle = with_values(constraints.vehicle, constraints.names, values)
    with_flow = [with_current(_dense(record), constraints.current) for record in problem.records]
    regression = regression_problem(tuple(with_flow), vehicle, names, problem.axes, filtered, with_thrust)
    rows = joined_rows([rows_of(regression, k) for k in range(len(regression.records))])
    regression, rows, _ = with_scale_held(regression, rows)
    _, weights = weighted_least_squares(rows, weighted=True)
    change = constrained_least_squares(triangle(rows, weights), regression.vehicle, regression.names).change
    values_found = (values_of(regression.vehicle, regression.names) + change).tolist()
    found = dict(zip(regression.names, values_found, strict=True))
    started = np.array([found.get(name, value) for name, value in zip(constraints.names, values.tolist(), strict=True)])
    return np.clip(started, constraints.low, constraints.high)


def _roughly_regressed(problem: _Problem, constraints: Constraints, values: Array) -> Array:
    """The same from the middle of long records, for descents that are only screened."""
    starts = [max(0, (len(record) - _ROUGH) // 2) for record in problem.records]
    parts = tuple(record.rows(k, k + _ROUGH) for record, k in zip(problem.records, starts, strict=True))
    try:
        return _regressed(problem._replace(records=parts), constraints, values, with_thrust=False)
    except RecordError:  # a part in which something rests, or with gaps
        return _regressed(problem, constraints, values, with_thrust=False)


def _as_working(shares: Array) -> Array:
    """Shares of thrust in their ratios: dead thrusters move nothing, which does not mean that nothing fixes a scale."""
    largest = float(np.max(np.abs(shares)))
    if largest >= _WORKING:
        return shares
    return shares / largest if largest > 0.0 else np.ones_like(shares)


def _dense(record: Record) -> Record:
    """The record at the rate of its slowest speed, where it has NaN between readings."""
    slow = slowest_interval(record)
    return record if slow is None else without_holes(resampled(record, slow))


def _with_scale_held(
    data: TrajectoryData, constraints: Constraints, iterate: Iterate
) -> tuple[Constraints, Iterate, list[Ambiguity]]:
    """Hold the thrust effectiveness where inertia, damping and thrust have an ambiguous scale."""
    thrusts = effectiveness_places(constraints.names, constraints.vehicle)
    if (
        not thrusts
        or len(thrusts) == len(constraints.names)
        or any(constraints.names[k] in constraints.prior.names for k in thrusts)
    ):
        return constraints, iterate, []
    jacobian = jacobian_at(data, constraints, iterate, noise_of_channels(data, iterate, 0))
    factor = np.vstack([jacobian.factor, prior_rows(constraints.prior, constraints.names, iterate.values)])
    ambiguity = identifiability.thrust_scale(factor, constraints.names, thrusts, _as_working(iterate.values[thrusts]))
    if ambiguity is None:
        return constraints, iterate, []
    kept = [k for k in range(len(constraints.names)) if k not in thrusts]
    names = tuple(constraints.names[k] for k in kept)
    held = constraints._replace(names=names, low=constraints.low[kept], high=constraints.high[kept])
    return held, iterate_at(data, held, iterate.values[kept], iterate.starts, iterate.trial), [ambiguity]


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
    stages, vehicle
        Stages in order, and start of the first one.
    priors, bounds
        As in `fit_output_error`; each stage uses what concerns its parameters.
    estimator, options
        `fit_output_error` or `fit_prediction_error`, and its further arguments.

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
