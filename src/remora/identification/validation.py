"""A fit judged by what it was not shown: models before and after, driven open loop through the part held out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import Fix, InputError, listed
from remora.identification.data.checks import check_replayable, moves
from remora.identification.data.log_files import at_input_rate, at_one_rate
from remora.identification.data.record import Record
from remora.identification.diagnostics.cross_log_consistency import cross_log_inconsistencies
from remora.identification.diagnostics.exchanged_columns import exchange_warning, exchanged_columns
from remora.identification.diagnostics.excitation import ExcitationReport, excitation
from remora.identification.diagnostics.input_ranges import explained_by, unlikely_ranges
from remora.identification.diagnostics.steady_current import current_findings
from remora.identification.diagnostics.thruster_health import thruster_findings
from remora.identification.diagnostics.unused_rows import unused_rows
from remora.identification.diagnostics.worse_axes import worse_axes, worse_axes_warning
from remora.identification.methods import FitMethod, Task
from remora.identification.parameters import current_in, is_linear
from remora.identification.problems import RecordError
from remora.identification.regression.problem import default_parameters, input_limits
from remora.identification.replay import PredictionBand, Score, prediction_band, replay, score_at_stamps, with_current
from remora.identification.result import Fit
from remora.identification.sampling.resampling import with_inputs_moved, without
from remora.identification.warnings import assumptions
from remora.kernels.failures import RunError
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import Vehicle

DRAWS = 60  # of the parameters, for the band
FEWEST = 10  # rows of a part that is fitted or judged
QUIET = 0.2  # of its motion in the whole record: an axis that moves less in a part says little there
ROUND = 30.0  # s, of which a share is held out where the end of the record will not do
SEED = 1  # of these draws
_OVERFITTED = "It learned what holds only for the part that it was shown: fit fewer numbers, or record more motion."
_ANOTHER = (
    "Fitted alone, this log gives other numbers: the vehicle (load, ballast, thrusters), the water or the columns "
    "differ. Fit each state of the vehicle by itself."
)


class ReplaySettings(NamedTuple):
    """How a model is driven through a record."""

    rate: float | None = None  # Hz to which records are brought; as recorded where None
    restart: float | None = None  # s after which the model starts anew from the measured state; only at gaps where None
    settle: float = 0.0  # s after each start that do not count
    inputs_late: float = 0.0  # s by which stamps of inputs are late against those of sensors
    at_input_rate: bool = False  # whether inputs keep their rate where a speed is slower


AS_RECORDED = ReplaySettings()


class ScoredReplay(NamedTuple):
    """A model driven through one record."""

    twist: Array  # of the model, at the stamps of the uniform record
    scores: Mapping[str, Score]
    problem: str = ""  # why it could not be driven


# What a fit was shown of a record: its other part, all of it, or nothing of that log.
Shown: TypeAlias = Literal["rest", "all", "nothing"]


class RecordValidation(NamedTuple):
    """One record, what the models made of it, and where the fitted one may lie."""

    recorded: Record
    uniform: Record
    before: ScoredReplay
    after: ScoredReplay | None
    band: PredictionBand | None
    assumed: tuple[str, ...] = ()  # what was not recorded, in words; a fit tells it itself
    shown: Shown | None = None  # what the fit was shown of it; None without a fit


class Validation(NamedTuple):
    """A fit and what it is worth."""

    fit: Fit
    parts: tuple[RecordValidation, ...]
    held_out: bool  # False: there was nothing left but what it was fitted to, or other logs
    axes: tuple[str, ...]
    excited: tuple[ExcitationReport, ...] = ()  # what each record that was fitted excites


class RecordSplit(NamedTuple):
    """Records cut in two: what is fitted, and what the fit is judged by."""

    fitted: tuple[Record, ...]
    validated: tuple[Record, ...]
    note: str = ""  # where it is not the last part that was held out


def split_records(records: Sequence[Record], hold_out: float, axes: Sequence[str] = ()) -> RecordSplit:
    """The first part of each record to fit, and the rest to judge it by; the same records twice where none is held.

    Where one of the axes hardly moves in one of the two, as in an experiment that swings one axis after the other,
    pieces from all over the record are held out instead.
    """
    if not 0.0 <= hold_out < 1.0:
        fix = Fix("{hold_out}: give a share in [0, 1).", {"hold_out": f"{hold_out:g}"})
        raise InputError(fix).about("hold_out", f"{hold_out:g}", fix=fix)
    if hold_out == 0.0:
        return RecordSplit(tuple(records), tuple(records))
    cut, note = [record.split(1.0 - hold_out) for record in records], ""
    for k, record in enumerate(records):
        if min(hold_out, 1.0 - hold_out) * len(record) < FEWEST:
            raise RecordError(f"is too short to hold out {hold_out:g} of it: {len(record)} rows.", record.source)
        if reason := _quiet(record, cut[k], hold_out, axes):
            cut[k] = _pieces(record, hold_out)
            note = f"{reason}; pieces from all over it were held out instead of the end."
    return RecordSplit(tuple(first for first, _ in cut), tuple(rest for _, rest in cut), note)


def _quiet(record: Record, halves: tuple[Record, Record], hold_out: float, axes: Sequence[str]) -> str:
    """Why the end of a record will not do to judge by, or its beginning to fit; empty where both will."""
    names = (f"the first {1.0 - hold_out:.3g}", f"the last {hold_out:.3g}")
    for half, name in zip(halves, names, strict=True):
        if len(half) < FEWEST:
            return f"{name} of the time of {record.source} is too quiet: it has {len(half)} rows"
        still = [axis for axis in axes if _rms_motion(half, axis) < QUIET * _rms_motion(record, axis)]
        if still:
            return f"{name} of the time of {record.source} is too quiet: {', '.join(still)} hardly moved there"
    return ""


def _rms_motion(record: Record, axis: str) -> float:
    """How much an axis moves."""
    speeds = record.speed(axis)
    return float(np.nanstd(speeds)) if np.isfinite(speeds).any() else 0.0


def _pieces(record: Record, hold_out: float) -> tuple[Record, Record]:
    """The record in rounds of half a minute or a sixth of it, the last share of each held out."""
    elapsed = 1e-9 * (record.time_ns - record.time_ns[0])
    held = (elapsed / min(ROUND, elapsed[-1] / 6.0)) % 1.0 >= 1.0 - hold_out
    if (rows := min(int(held.sum()), int((~held).sum()))) < FEWEST:
        few = "short" if rows > 0.5 * min(hold_out, 1.0 - hold_out) * len(record) else "quiet"
        found = f"is too {few} to hold out {hold_out:g} of it: {rows} of its {len(record)} rows lie there"
        raise RecordError(f"{found}. Hold out more, or nothing, and judge by another log.", record.source)
    parts = without(record, held), without(record, ~held)
    return replace(parts[0], provenance=record.provenance), replace(parts[1], provenance=record.provenance)


def scored_replay(
    recorded: Record, uniform: Record, model: VehicleParameters, settings: ReplaySettings
) -> ScoredReplay:
    """A model through a record, scored at the stamps that were recorded and not at those in between."""
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
    """One record through a vehicle, and through the fitted one where there is a fit, in detail with its band."""
    uniform = _uniform(recorded, settings)
    if len(uniform) < FEWEST:
        raise RecordError(f"has {len(uniform)} rows: too few to judge a model by.", recorded.source)
    limits = input_limits(vehicle, uniform)
    check_replayable(uniform, limits)
    before = scored_replay(recorded, uniform, vehicle, settings)
    if fit is None:
        axes = [axis for axis in uniform.measured if moves(uniform, axis)]
        shown = _shown([uniform], vehicle, default_parameters(axes), axes) if axes else []
        assumed = (*assumptions(uniform, vehicle), *unlikely_ranges(uniform, limits), *shown)
        return RecordValidation(recorded, uniform, before, None, None, assumed)
    late = _as_late_as(fit, uniform)
    after = scored_replay(recorded, with_current(late, current_in(fit.names, fit.values)), fit.vehicle, settings)
    band = None
    if in_detail and not after.problem:
        band = prediction_band(fit, late, np.random.default_rng(SEED), draws=DRAWS, restart=settings.restart)
    return RecordValidation(recorded, uniform, before, after, band)


def _uniform(record: Record, settings: ReplaySettings, sparse: bool = False) -> Record:
    """The record at one rate; sparse speeds are NaN between their readings where inputs keep their rate."""
    if settings.at_input_rate:
        return at_input_rate(record, settings.rate, settings.inputs_late, sparse)
    return at_one_rate(record, settings.rate, inputs_late=settings.inputs_late)


def _for_regression(records: Sequence[Record], settings: ReplaySettings) -> list[Record]:
    """The records at the rate of their slowest speed, which a regression needs in every row."""
    return [_uniform(record, settings._replace(at_input_rate=False)) for record in records]


def _as_late_as(fit: Fit, record: Record) -> Record:
    """The record with inputs as late as the fit found its sensors to be, so that the model moves when they say so."""
    late = fit.value("delay") if "delay" in fit.names else 0.0
    return with_inputs_moved(record, -late, cut=False) if late and record.inputs is not None else record


def fit_and_validate(
    records: Sequence[Record],
    vehicle: Vehicle,
    method: FitMethod,
    parameters: Sequence[str],
    axes: Sequence[str],
    *,
    constrained: bool = True,
    hold_out: float = 0.3,
    others: Sequence[Record] = (),
    settings: ReplaySettings = AS_RECORDED,
    in_detail: bool = True,
    step: Callable[[int], None] = lambda done: None,
) -> Validation:
    """Fit the first part of each record and judge the fit by the rest, or by other records.

    Parameters
    ----------
    records
        As recorded.
    vehicle
        Where the fit starts from, and the model before it.
    method
        One of `METHODS`.
    parameters, axes
        What is fitted, and the degrees of freedom whose equations are used.
    constrained
        Whether only vehicles that can exist are allowed.
    hold_out
        Share of each record that the fit is not shown; see `split_records`.
    others
        Records of which the fit is shown nothing, to judge it by as well; with a hold-out of zero, by nothing else.
    how
        How the models are driven.
    in_detail
        Whether to find also what only pictures and pages show and takes long: bands of the model, and excitation.
    step
        Hears how many of the steps (one for the fit, one for each record that it is judged by) are done.

    Raises
    ------
    RecordError
        When a record cannot be fitted, or says nothing about any of the parameters.
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
    notes = [*doubts, *([parts.note] if parts.note else []), *_findings(parts, task, fit, method, settings)]
    held = next((one.band.held for one in verdicts if one.band), ())
    notes += [f"The band shows nothing of {listed(held)}, of which the data say nothing."] if held else []
    notes += _worse(verdicts, task, method, settings)
    return Validation(
        fit.with_warning(*dict.fromkeys(notes)),
        tuple(verdicts),
        hold_out > 0.0,
        tuple(axes),
        _excited(task, parts, settings) if in_detail else (),
    )


def _findings(parts: RecordSplit, task: Task, fit: Fit, method: FitMethod, settings: ReplaySettings) -> list[str]:
    """Sentences: what of the records was not used, and what they show that was not fitted."""
    pairs = zip(parts.fitted, task.records, strict=True)
    unused = [one for part, uniform in pairs for one in unused_rows(part, uniform, method.window(uniform.interval))]
    flow = current_in(fit.names, fit.values)
    flowing = [with_current(_as_late_as(fit, record), flow) for record in _for_regression(parts.fitted, settings)]
    return [*unused, *cross_log_inconsistencies(task, method), *_shown(flowing, fit.vehicle, fit.names, task.axes)]


def _shown(
    records: Sequence[Record], vehicle: VehicleParameters, names: Sequence[str], axes: Sequence[str]
) -> list[str]:
    """Sentences about thrusters and currents that the records show; these parameters are free."""
    exchanged = exchanged_columns(records, vehicle, names, axes)
    if exchanged:
        return [exchange_warning(exchanged)]
    thrust = thruster_findings(records, vehicle, names, axes)
    return [*thrust.sentences, *current_findings(records, vehicle, names, axes, thrust.explained)]


def _worse(parts: Sequence[RecordValidation], task: Task, method: FitMethod, settings: ReplaySettings) -> list[str]:
    """Sentences about axes in which the fitted model misses by more than the one before, and the likely reason."""
    sentences = []
    for part in parts:
        worse = worse_axes(part.before.scores, part.after.scores if part.after else {}, task.axes)
        if not worse:
            continue
        apart = []
        if part.shown == "nothing":
            apart = cross_log_inconsistencies(
                task._replace(records=(*task.records, _uniform(part.recorded, settings, sparse=True))), method
            )
        sentences += [worse_axes_warning(part.recorded.source, worse, _ANOTHER if apart else _OVERFITTED), *apart]
    return sentences


def _excited(task: Task, parts: RecordSplit, settings: ReplaySettings) -> tuple[ExcitationReport, ...]:
    """What the records excite, as far as the equation of motion is linear in what was fitted."""
    vehicle = task.vehicle.parameters
    names = [name for name in task.parameters if is_linear(name, vehicle)]
    try:
        records = _for_regression(parts.fitted, settings)
        return tuple(excitation(record, vehicle, names, task.axes) for record in records) if names else ()
    except RecordError:  # too short for the window of a regression, which not every method needs
        return ()
