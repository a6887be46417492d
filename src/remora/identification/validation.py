"""Hold-out validation of a fit: models before and after, replayed open loop on data that were not fitted.

Reports axes in which the fit increased the error, and parameters that differ when each log is fitted separately.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import listed
from remora.identification.data.checks import check_replayable, moves
from remora.identification.data.log_files import at_input_rate, at_one_rate
from remora.identification.data.read_options import check_number
from remora.identification.data.record import Record, gap_note
from remora.identification.diagnostics.exchanged_columns import exchange_warning, exchanged_columns
from remora.identification.diagnostics.excitation import ExcitationReport, excitation
from remora.identification.diagnostics.kinematic_consistency import kinematic_contradictions
from remora.identification.diagnostics.lost_readings import (
    frozen_rows,
    lost_reading_warnings,
    mixed_stretches,
    unused_rows,
    without_frozen_rows,
)
from remora.identification.diagnostics.recorded_inputs import unlikely_ranges
from remora.identification.diagnostics.steady_current import current_findings
from remora.identification.diagnostics.thruster_health import constant_force_notes, thruster_findings
from remora.identification.hold_out import DEFAULT_SHARE, FEWEST_ROWS, RecordSplit, split_records
from remora.identification.methods import FitMethod, Task
from remora.identification.parameter_names import DELAY, default_parameters, linear_names
from remora.identification.parameters import current_in
from remora.identification.problems import RecordError, explained_by
from remora.identification.regression.problem import input_limits
from remora.identification.replay import PredictionBand, Score, prediction_band, replay, score_at_stamps, with_current
from remora.identification.result import Fit
from remora.identification.sampling.resampling import with_inputs_moved
from remora.identification.warnings import assumptions, doubtful_data, unlikely_added_mass
from remora.plant.failures import RunError
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import Vehicle

DRAWS = 60  # of the parameters, for the prediction band
SEED = 1  # of these draws
_OVERFITTED = "It is overfitted to the part that it was shown: fit fewer parameters, or record more motion."
_FROZEN = "The data of the fit have frozen speeds: leave these rows out and fit again."
_ANOTHER = (
    "Fitted alone, this log gives other numbers: the vehicle (load, ballast, thrusters), the water or the columns "
    "differ. Fit each state of the vehicle separately."
)


class ReplaySettings(NamedTuple):
    """Settings of replays."""

    rate: float | None = None  # Hz of the records; as recorded where None
    restart: float | None = None  # s between restarts from the measured state; only at gaps where None
    settle: float = 0.0  # s after each start that are not scored
    inputs_late: float = 0.0  # s by which stamps of inputs are later than those of sensors
    at_input_rate: bool = False  # whether inputs keep their rate where a speed is slower


AS_RECORDED = ReplaySettings()


def make_replay_settings(
    rate: float | None = None, restart: float | None = None, settle: float = 0.0, inputs_late: float = 0.0
) -> ReplaySettings:
    """Checked settings of replays.

    The rate of the records is in Hz; the interval between restarts from the measured state, the time after each start
    that is not scored, and the delay of the stamps of inputs against those of sensors in s. By default records are
    replayed as recorded and restarted only at gaps.
    """
    for name, value in (("rate", rate), ("restart", restart)):
        if value is not None:
            check_number(name, value, above=0.0)
    check_number("settle", settle, least=0.0)
    check_number("inputs_late", inputs_late)
    return ReplaySettings(rate, restart, settle, inputs_late)


class ScoredReplay(NamedTuple):
    """Replay of one record with its scores."""

    twist: Array  # of the model, at the stamps of the uniform record
    scores: Mapping[str, Score]
    problem: str = ""  # why the replay failed


# Part of a record that a fit has used: its other part, all of it, or nothing of that log.
Shown: TypeAlias = Literal["rest", "all", "nothing"]


class RecordValidation(NamedTuple):
    """Validation on one record: replays before and after the fit, and the prediction band."""

    recorded: Record
    uniform: Record
    before: ScoredReplay
    after: ScoredReplay | None
    band: PredictionBand | None
    assumed: tuple[str, ...] = ()  # sentences on assumptions; part of the warnings of a fit
    shown: Shown | None = None  # part used by the fit; None without a fit


class Validation(NamedTuple):
    """A fit and its validation."""

    fit: Fit
    parts: tuple[RecordValidation, ...]
    held_out: bool  # False: validated on the fitted data or on other logs
    axes: tuple[str, ...]
    excited: tuple[ExcitationReport, ...] = ()  # of each fitted record
    notes: tuple[str, ...] = ()  # treatment of the fitted data where it differs from that of the validated ones

    @property
    def doubtful(self) -> bool:
        """Whether values may be wrong by more than their intervals, or the fitted model fails in a replay."""
        return bool(self.fit.doubts) or any(part.after is not None and part.after.problem for part in self.parts)


class Unfitted(NamedTuple):
    """Sentences on effects in the data that the model does not have."""

    doubts: list[str]  # they bias the fitted values
    notes: list[str]


def scored_replay(
    recorded: Record, uniform: Record, model: VehicleParameters, settings: ReplaySettings
) -> ScoredReplay:
    """Replay of a record, scored at the recorded stamps."""
    try:
        twist = replay(uniform, model, settings.restart, settings.settle).twist
    except RunError as error:
        return ScoredReplay(np.full((len(uniform), 6), np.nan), {}, str(error))
    return ScoredReplay(twist, score_at_stamps(recorded, uniform, twist, settings.restart, settings.settle))


def validate_record(
    recorded: Record,
    vehicle: VehicleParameters,
    settings: ReplaySettings,
    fit: Fit | None = None,
    in_detail: bool = True,
) -> RecordValidation:
    """Replay of a record with a vehicle and, where given, with the fitted one, in detail with its prediction band."""
    uniform = _uniform(recorded, settings)
    if len(uniform) < FEWEST_ROWS:
        raise RecordError(f"has {len(uniform)} rows: too few to judge a model by.", recorded.source)
    limits = input_limits(vehicle, uniform)
    check_replayable(uniform, limits)
    before = scored_replay(recorded, uniform, vehicle, settings)
    if fit is None:
        axes = [axis for axis in uniform.measured if moves(uniform, axis)]
        found = _not_fitted([uniform], vehicle, default_parameters(axes), axes) if axes else Unfitted([], [])
        notes = found.notes
        if axes and not found.doubts and uniform.water is None:
            notes = [*notes, *constant_force_notes([uniform], vehicle, default_parameters(axes), axes)]
        assumed = (*assumptions(uniform, vehicle), *unlikely_ranges(uniform, limits), *found.doubts, *notes)
        return RecordValidation(recorded, uniform, before, None, None, assumed)
    late = _as_late_as(fit, uniform)
    after = scored_replay(recorded, with_current(late, current_in(fit.names, fit.values)), fit.vehicle, settings)
    band = None
    if in_detail and not after.problem:
        band = prediction_band(fit, late, np.random.default_rng(SEED), draws=DRAWS, restart=settings.restart)
    return RecordValidation(recorded, uniform, before, after, band)


def _uniform(record: Record, settings: ReplaySettings, sparse: bool = False) -> Record:
    """The record at one rate; sparse speeds are NaN between readings where inputs keep their rate."""
    if settings.at_input_rate:
        return at_input_rate(record, settings.rate, settings.inputs_late, sparse)
    return at_one_rate(record, settings.rate, inputs_late=settings.inputs_late)


def _for_regression(records: Sequence[Record], settings: ReplaySettings) -> list[Record]:
    """The records at the rate of their slowest speed, as a regression needs."""
    return [_uniform(record, settings._replace(at_input_rate=False)) for record in records]


def _as_late_as(fit: Fit, record: Record) -> Record:
    """The record with inputs delayed by the fitted delay of the sensors."""
    late = fit.value(DELAY) if DELAY in fit.names else 0.0
    return with_inputs_moved(record, -late, cut=False) if late and record.inputs is not None else record


def fit_and_validate(
    records: Sequence[Record],
    vehicle: Vehicle,
    method: FitMethod,
    parameters: Sequence[str],
    axes: Sequence[str],
    *,
    constrained: bool = True,
    hold_out: float = DEFAULT_SHARE,
    others: Sequence[Record] = (),
    settings: ReplaySettings = AS_RECORDED,
    in_detail: bool = True,
    step: Callable[[int], None] = lambda done: None,
) -> Validation:
    """Fit the first part of each record and validate on the rest, or on other records.

    Parameters
    ----------
    records, vehicle, method
        Records as recorded; start of the fit, and the model before it; one of `METHODS`.
    parameters, axes
        Fitted parameters, and degrees of freedom whose equations are used.
    constrained, in_detail, settings
        Whether only physically consistent vehicles are allowed, whether prediction bands and excitation are computed as
        well, and settings of the replays.
    hold_out
        Share of each record for validation; see `split_records`.
    others
        Further records for validation; the only ones with a hold-out of zero.
    step
        Progress callback with the number of finished steps: the fit, then each validated record.

    Raises
    ------
    RecordError
        When a record cannot be fitted, or determines none of the parameters.
    """
    parts = split_records(records, hold_out, axes)
    settings = settings._replace(at_input_rate=method.at_input_rate)
    fitted = tuple(_uniform(part, settings, sparse=True) for part in parts.fitted)
    task = Task(fitted, vehicle, tuple(parameters), tuple(axes), constrained)
    doubts = [doubt for record in fitted for doubt in unlikely_ranges(record, input_limits(vehicle.parameters, record))]
    with explained_by(doubts):
        fit = method.fit(task)
    if not any(fit.identifiability.identified):
        raise RecordError(f"tells nothing about {', '.join(fit.names)}. {' '.join(fit.warnings)}", records[0].source)
    step(1)
    verdicts: list[RecordValidation] = []
    own: Shown = "rest" if hold_out > 0.0 else "all"
    judges: list[tuple[Record, Shown]] = [] if others and hold_out == 0.0 else [(part, own) for part in parts.validated]
    for part, shown in (*judges, *((other, "nothing") for other in others)):
        verdicts.append(validate_record(part, vehicle.parameters, settings, fit, in_detail)._replace(shown=shown))
        step(1 + len(verdicts))
    found = _findings(parts, task, fit, settings)
    notes = [*([parts.note] if parts.note else []), *_unused(parts, task, method), *found.notes]
    held = next((one.band.held for one in verdicts if one.band), ())
    notes += [f"The band shows nothing of {listed(held)}, of which the data say nothing."] if held else []
    notes += _lost_elsewhere(verdicts, records)
    doubts += [*cross_log_inconsistencies(task, method), *found.doubts, *_worse(verdicts, task, method, settings)]
    doubts += [sentence for part in parts.fitted for sentence in mixed_stretches(part)]
    doubts += unlikely_added_mass(fit.names, fit.values, vehicle.parameters)
    return Validation(
        _with_data_doubts(fit, task).with_warning(*dict.fromkeys(notes)).with_doubt(*dict.fromkeys(doubts)),
        tuple(verdicts),
        hold_out > 0.0,
        tuple(axes),
        _excited(task, parts, settings) if in_detail else (),
        _fitted_notes(records, fitted, verdicts),
    )


def _fitted_notes(
    records: Sequence[Record], fitted: Sequence[Record], verdicts: Sequence[RecordValidation]
) -> tuple[str, ...]:
    """Sentences on gaps and on the treatment of fitted parts that those of validated parts do not say already."""
    shown = {(part.recorded.source, sentence) for part in verdicts for sentence in part.uniform.provenance}
    return tuple(
        f"{record.source}, fitted: {sentence}"
        for record, used in zip(records, fitted, strict=True)
        for sentence in (*used.provenance[1:], *gap_note(record))
        if (record.source, sentence) not in shown
    )


def _with_data_doubts(fit: Fit, task: Task) -> Fit:
    """The fit with its warnings about recorded inputs and speeds as doubts."""
    found = [doubt for record in task.records for doubt in doubtful_data(record, task.vehicle.parameters)]
    return replace(fit, doubts=(*fit.doubts, *dict.fromkeys(found)))


def _unused(parts: RecordSplit, task: Task, method: FitMethod) -> list[str]:
    """Sentences on recorded data that were not used."""
    pairs = zip(parts.fitted, task.records, strict=True)
    return [one for part, uniform in pairs for one in unused_rows(part, uniform, method.window(uniform.interval))]


def _findings(parts: RecordSplit, task: Task, fit: Fit, settings: ReplaySettings) -> Unfitted:
    """Sentences on effects that were not fitted."""
    flow = current_in(fit.names, fit.values)
    flowing = [with_current(_as_late_as(fit, record), flow) for record in _for_regression(parts.fitted, settings)]
    return _not_fitted(flowing, fit.vehicle, fit.names, task.axes)


def _not_fitted(
    records: Sequence[Record], vehicle: VehicleParameters, names: Sequence[str], axes: Sequence[str]
) -> Unfitted:
    """Sentences on columns, thrusters and currents, of rows without frozen speeds; these parameters are free."""
    records = [without_frozen_rows(record) for record in records]
    contradictions = [sentence for record in records for sentence in kinematic_contradictions(record)]
    exchanged = exchanged_columns(records, vehicle, names, axes)
    if exchanged:
        return Unfitted([exchange_warning(exchanged), *contradictions], [])
    thrust = thruster_findings(records, vehicle, names, axes)
    current = current_findings(records, vehicle, names, axes, thrust.explained)
    return Unfitted([*contradictions, *thrust.deviating, *current], thrust.inseparable)


def _lost_elsewhere(parts: Sequence[RecordValidation], records: Sequence[Record]) -> list[str]:
    """Sentences on frozen and lost speeds in data that were not fitted; times are those of the whole record."""
    starts, sentences = {record.source: int(record.time_ns[0]) for record in records}, []
    for part in parts:
        if part.shown == "all":
            continue
        where, start = part.recorded.source, None
        if part.shown == "rest":
            where, start = f"{where}, the part held out", starts[where]
        sentences += [f"{where}: {sentence}" for sentence in lost_reading_warnings(part.uniform, start)]
    return sentences


def _worse(parts: Sequence[RecordValidation], task: Task, method: FitMethod, settings: ReplaySettings) -> list[str]:
    """Sentences on axes with a larger error after the fit, and the likely reason."""
    sentences = []
    usual = _FROZEN if any(frozen_rows(record).any() for record in task.records) else _OVERFITTED
    for part in parts:
        worse = worse_axes(part.before.scores, part.after.scores if part.after else {}, task.axes)
        if not worse:
            continue
        apart = []
        if part.shown == "nothing":
            apart = cross_log_inconsistencies(
                task._replace(records=(*task.records, _uniform(part.recorded, settings, sparse=True))), method
            )
        sentences += [worse_axes_warning(part.recorded.source, worse, _ANOTHER if apart else usual), *apart]
    return sentences


def _excited(task: Task, parts: RecordSplit, settings: ReplaySettings) -> tuple[ExcitationReport, ...]:
    """Excitation of the records for the fitted linear parameters."""
    vehicle = task.vehicle.parameters
    names = linear_names(task.parameters, vehicle)
    try:
        records = _for_regression(parts.fitted, settings)
        return tuple(excitation(record, vehicle, names, task.axes) for record in records) if names else ()
    except RecordError:  # too short for the window of a regression
        return ()


# Factor on the mean absolute or RMS error before for an increase, which also has to be this share of the variance of
# the speed: the remaining errors of two nearly exact models differ by more.
_WORSE, _OF_VARIANCE = 1.05, 0.001


class AxisErrors(NamedTuple):
    """Errors of an axis before and after a fit."""

    axis: str
    before: Score
    after: Score


def worse_axes(before: Mapping[str, Score], after: Mapping[str, Score], axes: Sequence[str]) -> list[AxisErrors]:
    """Axes with an increased error."""
    known = [AxisErrors(axis, before[axis], after[axis]) for axis in axes if axis in before and axis in after]
    return [one for one in known if _is_worse(one.before, one.after)]


def _is_worse(before: Score, after: Score) -> bool:
    is_larger = after.rmse > _WORSE * before.rmse or after.mae > _WORSE * before.mae
    return is_larger and before.r2 - after.r2 > _OF_VARIANCE


def worse_axes_warning(source: str, worse: Sequence[AxisErrors], reason: str) -> str:
    """Warning with the axes, their errors and the reason."""
    return f"{source}: the fitted model is farther off than the one before in {listed(map(_figures, worse))}. {reason}"


def _figures(errors: AxisErrors) -> str:
    unit = "m/s" if errors.axis in DEGREES_OF_FREEDOM[:3] else "rad/s"
    before, after = errors.before.rmse, errors.after.rmse
    more = f"{after / before - 1.0:+.0%}" if before > 0.0 else "from none"
    return f"{errors.axis} (RMSE {before:.3g} to {after:.3g} {unit}, {more})"


# Smallest difference of inconsistent values, in standard deviations and as a share of the value.
_SIGMAS, _SHARE = 5.0, 0.1


def cross_log_inconsistencies(task: Task, method: FitMethod) -> list[str]:
    """A sentence for each parameter in which records disagree."""
    if len(task.records) < 2:
        return []
    alone = []
    for record in task.records:
        try:
            alone.append((record.source, method.fit(task._replace(records=(record,)))))
        except ValueError:  # too short for a separate fit
            continue
    sentences = []
    for (one, a), (other, b) in combinations(alone, 2):
        for name in sorted(set(a.names) & set(b.names), key=a.names.index):
            i, k = a.names.index(name), b.names.index(name)
            apart, unsure = abs(a.values[i] - b.values[k]), float(np.hypot(a.sigma[i], b.sigma[k]))
            if apart > max(_SIGMAS * unsure, _SHARE * max(abs(a.values[i]), abs(b.values[k]))):
                sentences.append(
                    f"{name}: {one} alone says {a.values[i]:.4g} +- {a.sigma[i]:.2g}, {other} alone "
                    f"{b.values[k]:.4g} +- {b.sigma[k]:.2g} (one sigma): they contradict each other."
                )
    return sentences
