"""Registry of fit methods by name."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from remora.files.did_you_mean import nearest
from remora.identification.data.record import Record
from remora.identification.online.adaptive_motion import fit_adaptive
from remora.identification.online.recursive_fit import fit_recursive
from remora.identification.parameter_names import default_parameters
from remora.identification.problems import RecordError
from remora.identification.regression.least_squares import RegressorNoise, fit_least_squares
from remora.identification.regression.lumped import fit_lumped, joined_axes
from remora.identification.regression.prefilter import PrefilterKind, filtered, prefilter_of
from remora.identification.regression.rows import noise_of
from remora.identification.result import Fit
from remora.identification.trajectory.output_error import fit_output_error, fit_prediction_error
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import Vehicle


class Task(NamedTuple):
    """Records, vehicle and parameters of a fit."""

    records: tuple[Record, ...]  # each at one rate
    vehicle: Vehicle
    parameters: tuple[str, ...]
    axes: tuple[str, ...]
    constrained: bool = True  # whether only physically consistent vehicles are allowed


Fitted: TypeAlias = Callable[[Task], Fit]


class FitMethod(NamedTuple):
    """A fit method."""

    summary: str
    fit: Fitted
    window: Callable[[float], float] = lambda interval: 0.0  # shortest segment, s, from the sampling interval, s
    at_input_rate: bool = False  # whether inputs keep their rate where speeds are slower


def _low_pass(interval: float) -> float:
    return filtered(interval).window


def _polynomials(interval: float) -> float:
    return prefilter_of("differentiated", interval, None, None, 3).window


def _least_squares(prefilter: PrefilterKind, errors: RegressorNoise) -> Fitted:
    def fit(task: Task) -> Fit:
        noise = _noise(task) if errors == "total" else None
        return fit_least_squares(
            task.records, task.vehicle, task.parameters, axes=task.axes, prefilter=prefilter, errors=errors,
            constrained=task.constrained, noise=noise,
        )  # fmt: skip

    return fit


def _noise(task: Task) -> dict[str, float]:
    """White noise of each speed, estimated from the records."""
    sigmas = [noise_of(record.twist, record.segments) for record in task.records]
    return {axis: float(max(s[DEGREES_OF_FREEDOM.index(axis)] for s in sigmas)) for axis in task.axes}


def _only(task: Task, method: str) -> Record:
    """The only record of a method that processes samples in sequence."""
    if len(task.records) > 1:
        raise RecordError(f"the {method} method takes one log at a time.", task.records[1].source)
    return task.records[0]


def _lumped(task: Task) -> Fit:
    record = _only(task, "lumped")
    if set(task.parameters) != set(default_parameters(task.axes)):
        raise RecordError("the lumped method fits inertia and damping of each axis and cannot be given parameters.")
    return joined_axes([fit_lumped(record, task.vehicle, axis, smooth=True).fit for axis in task.axes])


def _trajectories(estimator: Callable[..., Fit]) -> Fitted:
    def fit(task: Task) -> Fit:
        return estimator(task.records, task.vehicle, task.parameters, axes=task.axes, constrained=task.constrained)

    return fit


def _recursive(task: Task) -> Fit:
    return fit_recursive(task.records, task.vehicle, task.parameters, axes=task.axes).fit


def _adaptive(task: Task) -> Fit:
    return fit_adaptive(_only(task, "adaptive"), task.vehicle, task.parameters, axes=task.axes).fit


METHODS: dict[str, FitMethod] = {
    "instruments": FitMethod(
        "low-pass window on both sides, instruments against noise",
        _least_squares("filtered", "instruments"),
        _low_pass,
    ),
    "filtered": FitMethod("low-pass window on both sides", _least_squares("filtered", "none"), _low_pass),
    "total": FitMethod(
        "the same by total least squares, noise in all speeds", _least_squares("filtered", "total"), _low_pass
    ),
    "smoothed": FitMethod(
        "Savitzky-Golay accelerations and regressors", _least_squares("smoothed", "none"), _polynomials
    ),
    "differentiated": FitMethod(
        "Savitzky-Golay accelerations, raw regressors", _least_squares("differentiated", "none"), _polynomials
    ),
    "lumped": FitMethod("each axis separately, four lumped parameters", _lumped, _polynomials),
    "output-error": FitMethod("whole trajectories, open loop", _trajectories(fit_output_error), at_input_rate=True),
    "prediction-error": FitMethod("one sample ahead, for clean logs", _trajectories(fit_prediction_error)),
    "recursive": FitMethod("least squares row by row", _recursive, _low_pass),
    "adaptive": FitMethod("adaptive identifier, sample by sample", _adaptive),
}


def method_named(name: str) -> FitMethod:
    """Method of a name; ValueError with a suggestion and the list of methods for an unknown one."""
    if name not in METHODS:
        near = nearest(name, METHODS, most=1)
        hint = f' Did you mean "{near[0]}"?' if near else ""
        lines = (f"  {known:15}{method.summary}" for known, method in METHODS.items())
        raise ValueError("\n".join([f'there is no method "{name}".{hint} There are:', *lines]))
    return METHODS[name]
