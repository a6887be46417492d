"""Open-loop replay of a record by a model, scores against the measured motion, and prediction bands."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remora.equations.algebra.pose import ATTITUDE, BODY_SIZE, TWIST
from remora.equations.algebra.quaternions import IDENTITY
from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.parameters import current_in, with_values
from remora.identification.problems import RecordError
from remora.identification.regression.rows import actuator_outputs
from remora.identification.result import Fit
from remora.identification.sampling.resampling import uniform_interval
from remora.plant.failures import BatchError, RunError
from remora.plant.pack import NO_LIMIT, PackedVehicle, pack
from remora.plant.rollouts import batch, initial_state
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

_PIECE = 8192  # samples per evaluation of the band


class Score(NamedTuple):
    """Errors of a replay in one degree of freedom."""

    mae: float  # mean of the absolute error, m/s or rad/s
    rmse: float
    r2: float  # explained share of the variance; negative where a constant would be better
    samples: int


class Replay(NamedTuple):
    """A model driven by the inputs of a record."""

    twist: Array  # n x 6, NaN where not simulated
    quaternion: Array  # n x 4
    scores: Mapping[str, Score]


class ReplaySpan(NamedTuple):
    """Rows simulated in one run from their first measured state."""

    start: int
    stop: int


def without_actuator_lags(vehicle: VehicleParameters) -> VehicleParameters:
    """The vehicle with ideal actuators, for recorded outputs."""
    thrusters = tuple(
        t._replace(rise_time=0.0, fall_time=0.0, command_minimum=-NO_LIMIT, command_maximum=NO_LIMIT)
        for t in vehicle.thrusters
    )
    fins = tuple(fin._replace(lag=0.0, deflection_limit=NO_LIMIT) for fin in vehicle.fins)
    return vehicle._replace(thrusters=thrusters, fins=fins, mapped_commands=False, envelope=None)


def replay(record: Record, vehicle: VehicleParameters, restart: float | None = None, settle: float = 0.0) -> Replay:
    """Simulate a record open loop and score it.

    Parameters
    ----------
    record
        Record with uniform segments; each starts from its measured state. Unmeasured degrees of freedom are at rest.
    vehicle
        The model.
    restart
        Interval at which the model restarts from the measured state, s; only at gaps unless given.
    settle
        Time after each start that is excluded from the scores, s.

    Raises
    ------
    RunError
        When the model diverges.
    """
    spans = replay_spans(record, restart)
    packed = pack(without_actuator_lags(vehicle), locked=_resting(record))
    states = _simulated(record, vehicle, [packed], spans)[0]
    twist, quaternion = states[:, TWIST], states[:, ATTITUDE]
    return Replay(twist, quaternion, _scores(record, twist, spans, settle))


def with_current(record: Record, current: ArrayLike) -> Record:
    """The record with a steady current added, m/s north, east and down."""
    flow = np.asarray(current, dtype=float)
    if not flow.any():
        return record
    water = np.zeros((len(record), 3)) if record.water is None else record.water
    return record.with_note("A steady current was added.", water=water + flow)


def _resting(record: Record) -> tuple[str, ...]:
    return tuple(name for name in DEGREES_OF_FREEDOM if name not in record.measured)


def replay_spans(record: Record, restart: float | None) -> list[ReplaySpan]:
    """Rows of each run: a segment, or a part of it as long as the interval between restarts, s."""
    most = len(record) if restart is None else max(2, round(restart / uniform_interval(record)))
    spans = []
    for s in record.segments:
        starts = range(s.start, s.stop, most)
        spans += [ReplaySpan(a, min(a + most, s.stop)) for a in starts if min(a + most, s.stop) - a > 1]
    if not spans:
        raise RecordError("has no two samples without a gap between them.", record.source)
    return spans


def _simulated(
    record: Record, vehicle: VehicleParameters, models: Sequence[PackedVehicle], spans: Sequence[ReplaySpan]
) -> Array:
    """States [model, row, component] of all models over all spans; NaN between them."""
    interval = uniform_interval(record)
    outputs, external = actuator_outputs(record, vehicle)
    water = np.zeros((len(record), 3)) if record.water is None else record.water
    held = record.inputs is not None and record.inputs.held and record.inputs.kind != "commands"
    states = np.full((len(models), len(record), BODY_SIZE), np.nan)
    alike: dict[int, list[ReplaySpan]] = defaultdict(list)
    for span in spans:
        alike[span.stop - span.start].append(span)
    for group in alike.values():
        starts = [_start(record, models[0], span, outputs) for span in group]
        driven = [[over_intervals(t[s.start : s.stop], held) for s in group] for t in (outputs, external, water)]
        many = [model for model in models for _ in group]
        try:
            runs = batch(
                many, np.array(starts * len(models)), driven[0] * len(models), interval,
                external=driven[1] * len(models), water=driven[2] * len(models),
            )  # fmt: skip
        except BatchError as error:
            raise _in_time_of_record(error, record, group) from None
        for i, run in enumerate(runs):
            span = group[i % len(group)]
            states[i // len(group), span.start : span.stop] = run[:, :BODY_SIZE]
    return states


def _in_time_of_record(error: BatchError, record: Record, spans: Sequence[ReplaySpan]) -> RunError:
    """First failure of a batch with its time in the record."""
    failures = [(float(record.time[spans[one.vehicle % len(spans)].start]), one) for one in error.failures]
    begun, first = min(failures, key=lambda one: one[0] + one[1].time)
    what = first.what.partition(" (")[0]  # the step is that of the record: advice about it would not help
    after = f", {first.time:.3g} s after a start" if begun > 0.0 else ""
    return RunError(f"{what}{after}", begun + first.time)


def _start(record: Record, packed: PackedVehicle, span: ReplaySpan, outputs: Array) -> Array:
    twist = np.nan_to_num(record.twist[span.start])
    attitude = IDENTITY if record.quaternion is None else record.quaternion[span.start]
    return initial_state(packed, quaternion=attitude, twist=twist, outputs=outputs[span.start])


def over_intervals(table: Array, held: bool) -> Array:
    """Inputs from each row to the next."""
    return table[:-1] if held else 0.5 * (table[:-1] + table[1:])


def _scores(record: Record, twist: Array, spans: Sequence[ReplaySpan], settle: float) -> dict[str, Score]:
    time = record.time
    counted = np.zeros(len(record), dtype=bool)
    for s in spans:
        rows = np.arange(s.start + 1, s.stop)
        counted[rows[time[rows] - time[s.start] >= settle]] = True
    scores = {}
    for axis in record.measured:
        i = DEGREES_OF_FREEDOM.index(axis)
        good = counted & np.isfinite(record.twist[:, i]) & np.isfinite(twist[:, i])
        if good.any():
            scores[axis] = score(twist[good, i], record.twist[good, i])
    return scores


def score(model: Array, measured: Array) -> Score:
    """Errors of a model against measurements."""
    error = model - measured
    spread = float(np.sum((measured - measured.mean()) ** 2))
    r2 = 1.0 - float(np.sum(error**2)) / spread if spread > 0.0 else float("nan")
    return Score(float(np.mean(np.abs(error))), float(np.sqrt(np.mean(error**2))), r2, len(error))


def score_at_stamps(
    recorded: Record, uniform: Record, twist: Array, restart: float | None = None, settle: float = 0.0
) -> dict[str, Score]:
    """Scores of a replay at the recorded stamps, without resampled ones.

    Parameters
    ----------
    recorded, uniform, twist
        Record at any stamps, the same at one rate, and the replay of this, n x 6, m/s and rad/s in body axes.
    restart, settle
        As for `replay`.
    """
    pieces = []
    for s in replay_spans(uniform, restart):
        stamps = uniform.time_ns[s.start : s.stop]
        first, last = np.searchsorted(recorded.time_ns, [stamps[0] + max(1, round(settle * 1e9)), stamps[-1] + 1])
        at = (recorded.time_ns[first:last] - stamps[0]) * 1e-9
        known = (stamps - stamps[0]) * 1e-9
        model = [np.interp(at, known, column) for column in twist[s.start : s.stop].T]
        pieces.append((np.column_stack(model), recorded.twist[first:last]))
    model_rows, measured = (np.concatenate(rows) for rows in zip(*pieces, strict=True))
    scores = {}
    for axis in recorded.measured:
        i = DEGREES_OF_FREEDOM.index(axis)
        good = np.isfinite(model_rows[:, i]) & np.isfinite(measured[:, i])
        if good.any():
            scores[axis] = score(model_rows[good, i], measured[good, i])
    return scores


class PredictionBand(NamedTuple):
    """Prediction band of the motion from the uncertainty of the parameters."""

    low: Array  # n x 6
    middle: Array
    high: Array
    lost: int  # draws with a diverging or inconsistent model
    held: tuple[str, ...] = ()  # parameters with unknown variance, held at their values


def prediction_band(
    fit: Fit,
    record: Record,
    generator: np.random.Generator,
    level: float = 0.95,
    draws: int = 100,
    restart: float | None = None,
) -> PredictionBand:
    """Prediction band by replays with parameters drawn from the covariance of a fit.

    The band shows the effect of parameter uncertainty without measurement noise. A fitted current is drawn with the
    other parameters; a fitted delay is ignored.

    Parameters
    ----------
    fit, record, generator
        The fit, a record with uniform segments, and the source of the draws.
    level, draws, restart
        Share of the runs within the band, number of draws, and time as for `replay`.
    """
    if fit.base is None:
        raise ValueError("a band needs a fit with a vehicle")
    spans, resting = replay_spans(record, restart), _resting(record)
    known = np.isfinite(fit.sigma)
    spread = np.where(np.outer(known, known), fit.covariance, 0.0)
    runs: list[NDArray[np.float32]] = []  # memory: single precision is enough for a band
    lost = 0
    for values in generator.multivariate_normal(fit.values, spread, size=draws, method="eigh"):
        drawn = with_values(fit.base.parameters, fit.names, values)
        flowing = with_current(record, current_in(fit.names, values))
        try:
            packed = pack(without_actuator_lags(drawn), locked=resting)
            runs.append(_simulated(flowing, drawn, [packed], spans)[0][:, TWIST].astype(np.float32))
        except (RunError, np.linalg.LinAlgError):
            lost += 1
    if not runs:
        raise RecordError(f"all {draws} draws of the parameters ran away.", record.source)
    tail = 50.0 * (1.0 - level)
    pieces = [
        np.percentile([run[start : start + _PIECE] for run in runs], [tail, 50.0, 100.0 - tail], axis=0)
        for start in range(0, len(record), _PIECE)
    ]
    low, middle, high = np.concatenate(pieces, axis=1)
    held = tuple(name for name, is_known in zip(fit.names, known.tolist(), strict=True) if not is_known)
    return PredictionBand(low, middle, high, lost, held)
