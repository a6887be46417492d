"""`fit` and `validate`: identification of a vehicle from logs, and its prediction errors on logs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any, final

from remora.api.arguments import SOURCES, output_file, several
from remora.api.plot import Plot
from remora.api.progress import shown_progress
from remora.api.run_log import RunLog
from remora.files.arrays import Array
from remora.files.catalogue import html_table
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.files.writing import write_together
from remora.identification.data.log_files import LogReadOptions, read_log_record, record_of_log
from remora.identification.data.read_options import check_number, chosen_axes, make_read_options
from remora.identification.data.record import Record
from remora.identification.methods import method_named
from remora.identification.parameter_selection import selected_parameters
from remora.identification.replay import Score
from remora.identification.result import Fit
from remora.identification.validation import (
    RecordValidation,
    Validation,
    fit_and_validate,
    make_replay_settings,
    validate_record,
)
from remora.logs.log import Log
from remora.report.fits.figure import fit_figure
from remora.report.fits.page import fit_page, validation_page
from remora.report.fits.summary import (
    judgement_lines,
    parameter_table,
    score_table,
    validation_lines,
    what_was_judged,
)
from remora.simulation.scenarios.scenario import loaded
from remora.vehicles.vehicle import Vehicle
from remora.vehicles.vehicle_reader import vehicle_from_text

LogSource = str | PathLike[str] | RunLog | Log | Record
HOLD_OUT = 0.3  # share of each log, unless there are validation logs


@final
@dataclass(frozen=True, eq=False, repr=False)
class FitResult:
    """Parameters of a vehicle from logs, with uncertainty and validation; prints as the tables of `remora fit`."""

    validation: Validation
    negative_damping: str | None = None  # reason for damping that adds energy

    @property
    def fit(self) -> Fit:
        """Values, covariance, residuals and identifiability."""
        return self.validation.fit

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the fitted parameters."""
        return self.fit.names

    @property
    def values(self) -> Array:
        """Values, in SI."""
        return self.fit.values

    @property
    def sigma(self) -> Array:
        """One standard deviation of each value."""
        return self.fit.sigma

    @property
    def warnings(self) -> tuple[str, ...]:
        """Doubts about data and result, one sentence each."""
        return self.fit.warnings

    @cached_property
    def vehicle(self) -> Vehicle:
        """The fitted vehicle; each fitted number has its standard deviation and the logs as its source.

        Raises
        ------
        NegativeDampingError, VehicleFileError
            When the fitted numbers violate an invariant of vehicle files.
        """
        text = "# Fitted by remora.fit.\n" + self.fit.to_yaml(negative_damping=self.negative_damping)
        assert self.fit.base is not None
        return vehicle_from_text(text, f"{self.fit.base.name}, fitted")

    def plot(self, log: int = 0) -> Plot:
        """Measured motion and the model before and after the fit, on the validated part of one log, by its number."""
        return _plot(self.validation.parts, self.validation.axes, log, f"{self._name} before and after the fit")

    def report(self, path: str | PathLike[str]) -> Path:
        """Write an HTML page with parameters, scores, pictures and warnings."""
        place = output_file(path, ".html")
        plots = [self.plot(k).figure for k in range(len(self.validation.parts))]
        page = fit_page(self.validation, plots, f"{self._name} before and after the fit")
        write_together({place: page.encode()})
        return place

    @property
    def _name(self) -> str:
        return self.fit.base.name if self.fit.base else ""

    def __repr__(self) -> str:
        return "\n".join(judgement_lines(self.validation))

    def _repr_html_(self) -> str:
        table = parameter_table(self.fit)
        pieces = [html_table(table.heads, table.rows), _html_list(self.warnings)]
        return "".join([*pieces, *_html_scores(self.validation.parts, self.validation.axes)])


@final
@dataclass(frozen=True, eq=False, repr=False)
class ValidationResult:
    """Prediction errors of a vehicle on logs; prints as the tables of `remora validate`."""

    vehicle: Vehicle
    parts: tuple[RecordValidation, ...]  # one for each log
    axes: tuple[str, ...]

    @property
    def scores(self) -> tuple[Mapping[str, Score], ...]:
        """For each log: degree of freedom -> MAE, RMSE and R2; empty where the model diverged."""
        return tuple(
            {axis: part.before.scores[axis] for axis in self.axes if axis in part.before.scores} for part in self.parts
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Doubts about the data, and models that diverged."""
        found = [(*part.assumed, *([part.before.problem] if part.before.problem else [])) for part in self.parts]
        return tuple(dict.fromkeys(sentence for sentences in found for sentence in sentences))

    def plot(self, log: int = 0) -> Plot:
        """Measured and predicted motion on one log, by its number."""
        return _plot(self.parts, self.axes, log, self.vehicle.name)

    def report(self, path: str | PathLike[str]) -> Path:
        """Write an HTML page with scores and pictures."""
        place = output_file(path, ".html")
        plots = [self.plot(k).figure for k in range(len(self.parts))]
        page = validation_page(self.parts, self.axes, plots, f"{self.vehicle.name} against recorded motion")
        write_together({place: page.encode()})
        return place

    def __repr__(self) -> str:
        return "\n".join(validation_lines(self.vehicle.name, self.parts, self.axes))

    def _repr_html_(self) -> str:
        return "".join([*_html_scores(self.parts, self.axes), _html_list(self.warnings)])


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
        Names, patterns with * or "default" of the parameters to fit, and of those to keep fixed.
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
        `inputs`, `motion`, `log_vehicle`, `axes_convention`, `gap`, `skip_nan`, `keep_first` and `salvage`, as for
        `make_read_options`.

    Raises
    ------
    InputError
        When an argument is refused.
    RecordError, LogError
        When a log cannot be read or fitted.
    """
    settings = make_replay_settings(rate, restart, settle, inputs_late)
    how, chosen, base = _read_options(columns, reading), method_named(method), loaded(vehicle)
    records = [_record(one, base, how) for one in several("logs", logs, *SOURCES, RunLog)]
    others = [_record(one, base, how) for one in (several("validate", validate, *SOURCES, RunLog) if validate else ())]
    used = chosen_axes([*records, *others], several("axes", axes, str))
    share = (0.0 if others else HOLD_OUT) if hold_out is None else hold_out
    check_number("hold_out", share)
    wanted = selected_parameters(several("parameters", parameters, str), several("hold", hold, str), base, used)
    steps = 1 + len(others) + (len(records) if share or not others else 0)
    with shown_progress("fit", steps, "steps", progress) as update:
        judgement = fit_and_validate(
            records, base, chosen, wanted, used, constrained=negative_damping is None, hold_out=share, others=others,
            settings=settings, step=update,
        )  # fmt: skip
    return FitResult(judgement, negative_damping)


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
    records = [_record(one, model, how) for one in several("logs", logs, *SOURCES, RunLog)]
    used = chosen_axes(records, several("axes", axes, str))
    parts = tuple(validate_record(record, model.parameters, settings) for record in records)
    return ValidationResult(model, parts, used)


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
        return record_of_log(source.log, how, Path(source.file or "log"))
    if isinstance(source, Log):
        return record_of_log(source, how, Path("log"))
    return read_log_record(Path(source), vehicle, how)


def _plot(parts: Sequence[RecordValidation], axes: Sequence[str], log: int, title: str) -> Plot:
    if isinstance(log, bool) or not isinstance(log, int) or not 0 <= log < len(parts):
        fix = f"Give a number from 0 to {len(parts) - 1}."
        raise InputError(f"log is {log!r}. {fix}").about("log", log, fix=fix)
    return Plot(fit_figure(parts[log], axes, f"{title}: {Path(parts[log].recorded.source).name}"))


def _html_scores(parts: Sequence[RecordValidation], axes: Sequence[str]) -> list[str]:
    tables = [(what_was_judged(part), score_table(part, axes)) for part in parts]
    return [piece for title, table in tables for piece in (_html_list([title]), html_table(table.heads, table.rows))]


def _html_list(sentences: Sequence[str]) -> str:
    return html_table((), ([sentence] for sentence in sentences)) if sentences else ""
