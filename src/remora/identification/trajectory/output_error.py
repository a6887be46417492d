"""Trajectory fits: parameters for which the simulated motion follows the measured one.

`fit_output_error` runs the model open loop through stretches of the record; noise of the measurement then biases
nothing, because no measured speed enters the model. `fit_prediction_error` starts anew at every sample and looks one
step ahead; it forgives what the model leaves out for longer than a step, and is as sensitive to noise as a derivative.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.data import checks
from remora.identification.data.record import Record
from remora.identification.parameters import (
    canonical,
    dead_band_choice,
    is_linear,
    thruster_choice,
    values_of,
    with_values,
)
from remora.identification.problems import RecordError
from remora.identification.regression.constraints import InfeasibleError, constrained_least_squares
from remora.identification.regression.prefilter import filtered
from remora.identification.regression.problem import (
    default_parameters,
    joined_rows,
    made_setup,
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
    Demands,
    Point,
    base_values,
    cost_of,
    limits_of,
    noise_of_channels,
    point_at,
    slopes_at,
)
from remora.identification.trajectory.report import described, with_widths
from remora.identification.trajectory.shooting_intervals import Channel, Course, course_of, measured_starts
from remora.identification.trajectory.solution import Band, solved
from remora.identification.uncertainty import identifiability
from remora.identification.uncertainty.priors import Prior, prior_of, prior_rows
from remora.kernels.failures import RunError
from remora.vehicles.vehicle import Vehicle

Bounds = Mapping[str, tuple[float, float]]
Priors = Prior | Fit | Mapping[str, tuple[float, float]]
# Sensors that lag by more than this are not looked for, unless bounds say so.
_LONGEST_DELAY = 0.5
# Seconds of a record without a gap that a trajectory fit needs.
_SHORTEST = 2.0


class _Asked(NamedTuple):
    """What was asked for, checked."""

    records: tuple[Record, ...]
    vehicle: Vehicle
    axes: tuple[str, ...]
    names: tuple[str, ...]  # all parameters
    demands: Demands  # without dead bands, which have no derivative
    bands: tuple[Band, ...]
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
    """Fit any numbers of a vehicle to whole trajectories.

    Parameters
    ----------
    records
        One record or several, each with uniform segments.
    vehicle
        Where to start from; numbers that are not fitted are kept.
    parameters
        Names as in `remora.identification.parameters`, and `current.north`, `current.east`, `current.down`, `delay`;
        added mass, linear and quadratic damping of each used degree of freedom unless given.
    axes
        Degrees of freedom whose speeds are compared; all that were measured unless given. The others move too.
    channels
        What is compared, of "twist", "attitude" and "position"; twist, and attitude where recorded, unless given.
    priors
        Name -> value and standard deviation, or an earlier fit.
    bounds
        Name -> smallest and largest value, on top of what a vehicle may be.
    start
        "regression": least squares with both sides filtered, if that follows the motion better than the numbers of the
        vehicle. "vehicle": those numbers. Or name -> value on top of them.
    current
        Steady velocity of the water in N, besides what the records know; m/s.
    delay
        Seconds by which all sensors lag behind the inputs.
    restart
        Seconds after which the model starts anew.
    initial
        "estimated": states at the starts of stretches are fitted too. "measured": they are taken as measured.
    constrained
        Whether only vehicles that can exist are allowed: positive inertia, dissipative damping.

    Raises
    ------
    RecordError
        When a record is too short, too quiet, has holes or wrong units, or when the model runs away from the start.
    ParameterNameError
        When a parameter is not known.
    """
    if initial not in ("estimated", "measured"):
        raise ValueError(f'initial is {initial!r}: give "estimated" or "measured"')
    if not restart > 0.0:
        raise ValueError(f"restart is {restart}: give a positive number of seconds")
    asked = _asked(records, vehicle, parameters, axes, priors, bounds, start, current, delay, constrained)
    course = _course(asked, channels, restart, initial == "estimated")
    return _fitted(asked, course, "output error")


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
    """Fit numbers of a vehicle to what its motion does one sample ahead of each measured state.

    Arguments are those of `fit_output_error`. Noise of the measured states biases this fit, because they are where the
    model starts; use it on clean or smoothed records, and to compare with others that do so.
    """
    asked = _asked(records, vehicle, parameters, axes, priors, bounds, start, current, 0.0, constrained)
    return _fitted(asked, _course(asked, channels, None, False), "one-step prediction error")


def _asked(
    records: Record | Sequence[Record],
    vehicle: Vehicle,
    parameters: Sequence[str] | None,
    axes: Sequence[str] | None,
    priors: Priors | None,
    bounds: Bounds | None,
    start: str | Mapping[str, float],
    current: Sequence[float],
    delay: float,
    constrained: bool,
) -> _Asked:
    given = (records,) if isinstance(records, Record) else tuple(records)
    if not given:
        raise RecordError("no record is given.")
    if not isinstance(start, Mapping) and start not in ("regression", "vehicle"):
        raise ValueError(f'start is {start!r}: give "regression", "vehicle", or values by name')
    used = used_axes(given, axes)
    names = tuple(canonical(name) for name in (default_parameters(used) if parameters is None else parameters))
    values_of(vehicle.parameters, names)  # refuses a name that is not known
    if not names or len(set(names)) < len(names):
        twice = next((name for name in names if names.count(name) > 1), None)
        raise RecordError(f"{twice} is asked for twice." if twice else "no parameter is asked for.", given[0].source)
    flow = np.array(current, dtype=float)
    if flow.shape != (3,) or not np.all(np.isfinite(flow)) or not 0.0 <= delay < np.inf:
        raise ValueError(f"current {current} and delay {delay}: give three speeds in m/s and a time in seconds")
    low, high = limits_of(names, vehicle.parameters, constrained)
    low, high = _with_bounds(names, low, high, bounds or {})
    prior = prior_of(priors)
    values_of(vehicle.parameters, prior.names)
    for record in given:
        checks.check_record(record, used, _SHORTEST, sparse=True)
    bands = [k for k, name in enumerate(names) if dead_band_choice(name, vehicle.parameters)]
    _check_bands(given, [names[k] for k in bands], prior)
    kept = [k for k in range(len(names)) if k not in bands]
    smooth = tuple(names[k] for k in kept)
    demands = Demands(vehicle.parameters, smooth, low[kept], high[kept], constrained, prior, flow, delay)
    demands, widths = _with_start_of_bands(demands, [names[k] for k in bands], start)
    found = tuple(Band(names[k], width, low[k], high[k]) for k, width in zip(bands, widths, strict=True))
    return _Asked(given, vehicle, used, names, demands, found, start)


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
    demands: Demands, names: Sequence[str], start: str | Mapping[str, float]
) -> tuple[Demands, list[float]]:
    """The constraints with dead bands as wide as the start says, and these widths."""
    named = {canonical(name): value for name, value in start.items()} if isinstance(start, Mapping) else {}
    widths = [float(named.get(name, values_of(demands.vehicle, [name])[0])) for name in names]
    return demands._replace(vehicle=with_values(demands.vehicle, names, widths)), widths


def _with_bounds(names: tuple[str, ...], low: Array, high: Array, given: Bounds) -> tuple[Array, Array]:
    known = {canonical(name): limits for name, limits in given.items()}
    unknown = [name for name in known if name not in names]
    if unknown:
        raise ValueError(f"bounds of {', '.join(unknown)}, which is not fitted")
    if "delay" in names:
        high[names.index("delay")] = _LONGEST_DELAY
    for name, limits in known.items():
        k = names.index(name)
        low[k], high[k] = max(low[k], limits[0]), limits[1]
        if not low[k] < high[k]:
            raise ValueError(f"bounds of {name} are {limits}: no value lies between {low[k]:g} and {high[k]:g}")
    return low, high


def _course(asked: _Asked, channels: Sequence[Channel] | None, restart: float | None, free: bool) -> Course:
    demands, first = asked.demands, asked.records[0]
    usual: tuple[Channel, ...] = ("twist", "attitude") if first.quaternion is not None else ("twist",)
    kinds = usual if channels is None else tuple(channels)
    if not kinds or any(kind not in ("twist", "attitude", "position") for kind in kinds):
        raise ValueError(f'channels are {kinds}: choose from "twist", "attitude", "position"')
    longest = demands.high[demands.names.index("delay")] if "delay" in demands.names else demands.delay
    if longest and not free:
        raise RecordError("a delay needs starts of stretches that are fitted: initial is measured.", first.source)
    return course_of(asked.records, asked.vehicle.parameters, asked.axes, kinds, restart, free, float(longest))


def _fitted(asked: _Asked, course: Course, method: str) -> Fit:
    """Start, hold the scale of thrust where nothing anchors it, solve, and report."""
    demands = asked.demands
    point = _begun(asked, course)
    demands, point, scale = _with_scale_held(course, demands, point)
    try:
        solution = solved(
            asked.records, course, demands, point, asked.bands, partial(_regressed, asked, with_thrust=False)
        )
    except InfeasibleError as error:
        raise RecordError(
            f"{error}. Widen the bounds, or fit with constrained=False.", asked.records[0].source
        ) from None
    except RunError as error:
        raise RecordError(_runs_away(error), asked.records[0].source) from None
    fit = described(asked.records, asked.vehicle, solution.course, solution.demands, solution.found, scale, method)
    return with_widths(fit, solution.widths, asked.names).with_warning(*solution.warnings)


def _runs_away(error: RunError) -> str:
    return f"the model runs away from its start ({error}). Restart it more often, or start elsewhere."


def _begun(asked: _Asked, course: Course) -> Point:
    """The start that follows the motion best: the numbers of the vehicle, or those of a regression."""
    demands, starts = asked.demands, measured_starts(course)
    own = np.clip(base_values(demands), demands.low, demands.high)
    guesses = [own]
    if isinstance(asked.start, Mapping):
        named = {canonical(name): value for name, value in asked.start.items()}
        guesses = [np.array([named.get(name, value) for name, value in zip(demands.names, own, strict=True)])]
    elif asked.start == "regression":
        guesses.append(_regressed(asked, demands, own))
    points = []
    for guess in guesses:
        try:
            points.append(point_at(course, demands, guess, starts))
        except RunError as error:
            reason = error
    if not points:
        raise RecordError(_runs_away(reason), asked.records[0].source)
    noise = np.max([noise_of_channels(course, point, 0) for point in points], axis=0)
    return min(points, key=lambda point: cost_of(point, noise, demands))


def _regressed(asked: _Asked, demands: Demands, values: Array, with_thrust: bool = True) -> Array:
    """The linear ones among the parameters from least squares with both sides filtered; the others as given.

    The thrust of the records is checked, unless that was done before.
    """
    names = [name for name in demands.names if is_linear(name, demands.vehicle)]
    if not names:
        return values
    vehicle = with_values(demands.vehicle, demands.names, values)
    with_flow = [with_current(_dense(record), demands.current) for record in asked.records]
    setup = made_setup(tuple(with_flow), vehicle, names, asked.axes, filtered, with_thrust)
    rows = joined_rows([rows_of(setup, k) for k in range(len(asked.records))])
    setup, rows, _ = with_scale_held(setup, rows)
    _, weights = weighted_least_squares(rows, weighted=True)
    change = constrained_least_squares(triangle(rows, weights), setup.vehicle, setup.names).change
    found = dict(zip(setup.names, (values_of(setup.vehicle, setup.names) + change).tolist(), strict=True))
    started = np.array([found.get(name, value) for name, value in zip(demands.names, values.tolist(), strict=True)])
    return np.clip(started, demands.low, demands.high)


def _dense(record: Record) -> Record:
    """The record at the rate of its slowest speed, where it has NaN between the readings of a speed."""
    slow = slowest_interval(record)
    return record if slow is None else without_holes(resampled(record, slow))


def _with_scale_held(course: Course, demands: Demands, point: Point) -> tuple[Demands, Point, list[Ambiguity]]:
    """Hold the share of thrust where inertia, damping and thrust could all be multiplied by one number."""
    thrusts = [k for k, name in enumerate(demands.names) if thruster_choice(name, demands.vehicle)]
    if (
        not thrusts
        or len(thrusts) == len(demands.names)
        or any(demands.names[k] in demands.prior.names for k in thrusts)
    ):
        return demands, point, []
    slopes = slopes_at(course, demands, point, noise_of_channels(course, point, 0))
    factor = np.vstack([slopes.factor, prior_rows(demands.prior, demands.names, point.values)])
    ambiguity = identifiability.thrust_scale(factor, demands.names, thrusts, point.values[thrusts])
    if ambiguity is None:
        return demands, point, []
    kept = [k for k in range(len(demands.names)) if k not in thrusts]
    names = tuple(demands.names[k] for k in kept)
    held = demands._replace(names=names, low=demands.low[kept], high=demands.high[kept])
    return held, point_at(course, held, point.values[kept], point.starts, point.trial), [ambiguity]
