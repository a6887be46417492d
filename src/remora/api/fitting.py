"""`fit` and `validate`: identification of a vehicle from logs, and its prediction errors on logs."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from remora.api.arguments import names, several, with_arguments
from remora.api.fit_results import FitResult, FitWarning, ValidationResult
from remora.api.progress import shown_progress
from remora.api.run_log import RunLog
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.identification.data.log_files import (
    LogReadOptions,
    read_log_record,
    record_of_log,
    with_actuator_names,
)
from remora.identification.data.read_options import check_number, chosen_axes, make_read_options
from remora.identification.data.record import Record
from remora.identification.hold_out import validation_share, validation_steps
from remora.identification.methods import method_named
from remora.identification.parameter_names import selected_parameters
from remora.identification.validation import (
    Validation,
    fit_and_validate,
    make_replay_settings,
    validate_record,
)
from remora.logs.log import Log
from remora.scenarios.scenario import loaded
from remora.vehicles.vehicle import Vehicle

LogSource: TypeAlias = str | PathLike[str] | RunLog | Log | Record
_SOURCES = (str, PathLike, RunLog, Log, Record)


def fit(
    vehicle: Vehicle | str | PathLike[str],
    logs: LogSource | Sequence[LogSource],
    *,
    columns: Mapping[str, str] | str | PathLike[str] | None = None,
    parameters: str | Sequence[str] = (),
    hold: str | Sequence[str] = (),
    method: str = "instruments",
    axes: str | Sequence[str] = (),
    hold_out: float | None = None,
    validate: LogSource | Sequence[LogSource] = (),
    negative_damping: str | None = None,
    rate: float | None = None,
    restart: float | None = None,
    settle: float = 0.0,
    inputs_late: float = 0.0,
    progress: bool | None = None,
    **reading: Any,
) -> FitResult:
    """Identify parameters of a vehicle from logs, and validate the result on data that were held out.

    Parameters
    ----------
    vehicle
        Start of the fit, which also gives all other parameters: a `Vehicle`, a bundled name or a path.
    logs
        Logs or records, one or several: paths of Remora logs and CSV tables, results of `simulate`, `read_log` and
        `RunLog.record`.
    columns
        Column map of CSV tables, such as ``{"surge": "vx:m/s", "front_port": "thr2:N"}``, or its YAML file.
    parameters, hold
        Names, patterns with * or "default" of the parameters to fit, and of those to keep fixed; a list, or a text
        with commas: ``"default,thrusters.time_constant,delay"``.
    method
        Identification method; an unknown name lists them all.
    axes
        Degrees of freedom whose equations are used; all that were measured unless given.
    hold_out
        Share of each log for validation, in [0, 1); 0.3 unless given, 0 with logs in `validate`.
    validate
        Further logs, for validation only.
    negative_damping
        Reason for allowing damping that adds energy.
    rate, restart, settle, inputs_late
        As for `make_replay_settings`: rate of the records (Hz), interval between restarts of the model (s), time after
        each start that is not scored (s), delay of the stamps of the inputs (s).
    progress
        Whether the progress is shown; in a terminal or a notebook unless given.
    reading
        `inputs`, `motion`, `log_vehicle`, `axes_convention`, `lever_arm`, `gap`, `skip_nan`, `keep_first` and
        `salvage`, as for `make_read_options`.

    Returns
    -------
    FitResult
        The result. Where its values may be wrong by more than their intervals, its `verdict` and a `FitWarning` say
        so, as exit code 3 of `remora fit` does.

    Raises
    ------
    InputError
        When an argument is refused.
    RecordError, LogError
        When a log cannot be read or fitted.
    """
    settings = make_replay_settings(rate, restart, settle, inputs_late)
    how, chosen, base = _read_options(columns, reading), method_named(method), loaded(vehicle)
    records = [_record(one, base, how) for one in several("logs", logs, *_SOURCES)]
    others = [_record(one, base, how) for one in (several("validate", validate, *_SOURCES) if validate else ())]
    used = chosen_axes([*records, *others], names("axes", axes))
    share = validation_share(hold_out, bool(others))
    check_number("hold_out", share)
    wanted = selected_parameters(names("parameters", parameters), names("hold", hold), base, used)
    steps = validation_steps(len(records), len(others), share)
    with shown_progress("fit", steps, "steps", progress) as update:
        judgement = fit_and_validate(
            records, base, chosen, wanted, used, constrained=negative_damping is None, hold_out=share, others=others,
            settings=settings, step=update,
        )  # fmt: skip
    result = FitResult(_worded(judgement), negative_damping)
    if result.doubtful:
        reasons = " ".join(dict.fromkeys((*result.fit.doubts, *result.problems)))
        warnings.warn(f"{result.verdict}: {reasons}", FitWarning, stacklevel=2)
    return result


def validate(
    vehicle: Vehicle | str | PathLike[str],
    logs: LogSource | Sequence[LogSource],
    *,
    columns: Mapping[str, str] | str | PathLike[str] | None = None,
    axes: str | Sequence[str] = (),
    rate: float | None = None,
    restart: float | None = None,
    settle: float = 0.0,
    inputs_late: float = 0.0,
    **reading: Any,
) -> ValidationResult:
    """Simulate a vehicle open loop with the inputs of logs, and compare it with their motion.

    Parameters
    ----------
    vehicle, logs, columns, axes, rate, restart, settle, inputs_late, reading
        As for `fit`.

    Raises
    ------
    InputError
        When an argument is refused.
    RecordError, LogError
        When a log cannot be read or used.
    """
    settings = make_replay_settings(rate, restart, settle, inputs_late)
    how, model = _read_options(columns, reading), loaded(vehicle)
    records = [_record(one, model, how) for one in several("logs", logs, *_SOURCES)]
    used = chosen_axes(records, names("axes", axes))
    parts = (validate_record(record, model.parameters, settings) for record in records)
    result = ValidationResult(model, tuple(one._replace(assumed=with_arguments(one.assumed)) for one in parts), used)
    for problem in result.problems:
        warnings.warn(f"the model ran away: {problem}", FitWarning, stacklevel=2)
    return result


def _worded(judgement: Validation) -> Validation:
    """A judgement whose advice is written as arguments of `fit`."""
    fitted = judgement.fit
    said = replace(fitted, warnings=with_arguments(fitted.warnings), doubts=with_arguments(fitted.doubts))
    parts = tuple(part._replace(assumed=with_arguments(part.assumed)) for part in judgement.parts)
    return judgement._replace(fit=said, parts=parts)


def _read_options(columns: Any, reading: Mapping[str, Any]) -> LogReadOptions:
    if columns is not None and not isinstance(columns, Mapping | str | PathLike):
        fix = "Give a mapping such as {'surge': 'vx:m/s'}, or its YAML file."
        raise InputError(f"columns is {columns!r:.60}. {fix}").about("columns", columns, fix=fix)
    known = [name for name in signature(make_read_options).parameters if name != "columns"]
    for name in reading:
        if name not in known:
            fix = suggestion(name, known)
            raise InputError(f'there is no argument "{name}". {fix}').about(name, choices=known, fix=fix)
    return make_read_options(columns=columns, **reading)


def _record(source: LogSource, vehicle: Vehicle, how: LogReadOptions) -> Record:
    """The record of a log, as recorded."""
    if isinstance(source, Record):
        return source
    if isinstance(source, RunLog):
        return with_actuator_names(record_of_log(source.log, how, Path(source.file or "log")), vehicle)
    if isinstance(source, Log):
        return with_actuator_names(record_of_log(source, how, Path("log")), vehicle)
    return read_log_record(Path(source), vehicle, how)
