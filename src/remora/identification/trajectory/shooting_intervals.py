"""Multiple shooting: records cut into intervals that a model runs through open loop, and its output errors.

Each shooting interval has its own initial state, so that an unstable or drifting pose has no time to diverge. All
intervals of one length, with all trial parameters, run as one batch of the compiled plant.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.interpolate import CubicSpline

from remora.equations.algebra.pose import ATTITUDE, BODY_SIZE
from remora.equations.algebra.quaternions import IDENTITY, conjugate, product
from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.problems import RecordError
from remora.identification.regression.rows import (
    actuator_outputs,
    actuator_table,
    dead_bands,
    lagged_outputs,
    outside_dead_bands,
)
from remora.identification.replay import without_actuator_lags
from remora.identification.sampling.mixed_rates import slowest_interval
from remora.identification.sampling.resampling import uniform_interval
from remora.plant.pack import PackedVehicle, pack
from remora.plant.rollouts import batch
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

Channel: TypeAlias = Literal["twist", "attitude", "position"]
_NAMES: dict[Channel, tuple[str, ...]] = {
    "position": ("north", "east", "down"),
    "attitude": ("attitude.x", "attitude.y", "attitude.z"),
    "twist": DEGREES_OF_FREEDOM,
}
_PLACES = {name: i for i, name in enumerate((*_NAMES["position"], "", *_NAMES["attitude"], *_NAMES["twist"]))}
# Longest integration step, s. `TrajectoryData.steps` requests more steps where a lag is shorter.
_LONGEST_STEP = 0.05
# Largest number of values in one batch; longer problems run in several.
_MOST_NUMBERS = 20_000_000


class TrialModel(NamedTuple):
    """Trial parameters: a vehicle, a steady current in addition to the recorded one, and a delay."""

    packed: PackedVehicle
    lags: Any  # of all actuators
    dead_bands: tuple[float, ...]  # of all actuators; empty where there are none
    outputs: tuple[Array, ...]  # of the actuators at the start of the intervals of each group
    current: Array  # m/s, north, east, down
    delay: float  # s


class IntervalGroup(NamedTuple):
    """Shooting intervals of equal length of one record; all arrays are [interval, sample, ...]."""

    record: Record
    interval: float
    rows: Any  # which rows of the record
    driven: Array  # commands, or outputs of actuators without lag, from each sample to the next
    external: Array
    water: Array | None
    measured: Array  # position, quaternion and twist; zero where unknown, level where no attitude is known
    counted: Any  # [interval, sample, channel]: whether it is compared


class TrajectoryData(NamedTuple):
    """Data of a trajectory fit: groups of shooting intervals, and the channels that are compared."""

    groups: tuple[IntervalGroup, ...]
    channels: tuple[str, ...]
    kinds: tuple[Channel, ...]
    through_lags: bool  # inputs are commands and pass the actuator lags of the model
    locked: tuple[str, ...]
    free_starts: bool  # whether initial states are fitted
    steps: int = 1  # of the integration, at least this many per sample

    @property
    def columns(self) -> list[int]:
        """State components that are compared."""
        compared = [_PLACES[channel] for channel in self.channels if kind_of(channel) != "attitude"]
        return compared + [3, 4, 5, 6] * ("attitude" in self.kinds)

    @property
    def start_columns(self) -> tuple[int, ...]:
        """Free components of an initial state: 0 to 2 position, 3 to 5 small rotation, 6 to 11 twist."""
        if not self.free_starts:
            return ()
        columns = [i for i in range(3) if "position" in self.kinds]
        columns += [3 + i for i in range(3) if "attitude" in self.kinds]
        return (*columns, *(6 + i for i, axis in enumerate(DEGREES_OF_FREEDOM) if axis not in self.locked))


def kind_of(channel: str) -> Channel:
    """Kind of measurement of a channel."""
    return next(kind for kind, names in _NAMES.items() if channel in names)


def trajectory_data(
    records: Sequence[Record],
    vehicle: VehicleParameters,
    axes: Sequence[str],
    kinds: Sequence[Channel],
    restart: float | None,
    free_starts: bool,
    longest_delay: float,
) -> TrajectoryData:
    """Cut records with uniform segments into shooting intervals.

    Degrees of freedom and kinds of measurement are those that are compared. The longest interval (`restart`) and the
    largest delay of the sensors are in s; None gives intervals of two samples, for one-step prediction.
    """
    _check_kinds(records, kinds)
    ordered = tuple(kind for kind in _NAMES if kind in kinds)
    names = [name for kind in ordered for name in (axes if kind == "twist" else _NAMES[kind])]
    locked = tuple(axis for axis in DEGREES_OF_FREEDOM if axis not in records[0].measured)
    through_lags = records[0].inputs is not None and records[0].inputs.kind == "commands"
    data = TrajectoryData((), tuple(names), ordered, through_lags, locked, free_starts)
    # More readings than an initial state has unknowns: else an interval would tell nothing of the parameters.
    fewest = 2 + math.ceil(len(data.start_columns) / len(names)) if free_starts else 2
    groups: list[IntervalGroup] = []
    for record in records:
        alike: dict[int, list[int]] = defaultdict(list)
        interval = uniform_interval(record)
        lost = math.ceil(longest_delay / interval)
        apart = math.ceil((slowest_interval(record) or interval) / interval - 0.5)  # rows from reading to reading
        for start, stop in _interval_rows(record, None if restart is None else max(2, round(restart / interval))):
            if stop - start >= fewest * apart + lost:
                alike[stop - start].append(start)
        for length, starts in alike.items():
            groups.append(_group(record, vehicle, data, np.array(starts)[:, None] + np.arange(length), lost))
    if not groups:
        raise RecordError(f"has no {fewest} samples without a gap between them.", records[0].source)
    return data._replace(groups=tuple(groups))


def _check_kinds(records: Sequence[Record], kinds: Sequence[Channel]) -> None:
    first = records[0]
    for record in records:
        for kind, table in (("attitude", record.quaternion), ("position", record.position)):
            if kind in kinds and table is None:
                raise RecordError(
                    f"has no {kind}, which is to be compared. Leave it out of the channels.", record.source
                )
        commands = [r.inputs is not None and r.inputs.kind == "commands" for r in (first, record)]
        if record.measured != first.measured or commands[0] != commands[1]:
            what = "measures other degrees of freedom or has inputs of another kind than the first record"
            raise RecordError(f"{what}. Fit them apart.", record.source)


def _interval_rows(record: Record, samples: int | None) -> list[tuple[int, int]]:
    """First and last rows of the intervals: segments in equal parts, or every pair of neighbours."""
    cuts = []
    for s in record.segments:
        if samples is None:
            cuts += [(k, k + 2) for k in range(s.start, s.stop - 1)]
            continue
        parts = max(1, math.ceil((s.stop - s.start) / samples))
        edges = np.linspace(s.start, s.stop, parts + 1).astype(int)
        cuts += list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    return cuts


def _group(record: Record, vehicle: VehicleParameters, data: TrajectoryData, rows: Any, lost: int) -> IntervalGroup:
    measured = np.full((len(record), BODY_SIZE), np.nan)
    if record.position is not None:
        measured[:, :3] = record.position
    if record.quaternion is not None:
        measured[:, ATTITUDE] = record.quaternion
    measured[:, 7:] = record.twist
    outputs, external = actuator_outputs(record, vehicle)
    table = actuator_table(record, vehicle) if data.through_lags else outputs
    held = record.inputs is not None and record.inputs.held

    def over_intervals(values: Array, steps: bool) -> Array:
        cut = values[rows]
        # An input acts from its sample to the next: a held one as it is, a sampled one by the mean of both ends.
        return np.ascontiguousarray(cut[:, :-1] if steps else 0.5 * (cut[:, :-1] + cut[:, 1:]))

    # Before holes are filled, as interpolated values start a model and are never compared.
    counted = np.isfinite(measured[rows][..., [_PLACES[channel] for channel in data.channels]])
    # The first samples of a late sensor show motion from before the interval; a measured start has no error at its own.
    counted[:, : max(lost, 0 if data.free_starts else 1)] = False
    _fill_between_readings(record, measured[:, 3:])
    measured[np.isnan(measured[:, ATTITUDE]).any(axis=1), ATTITUDE] = IDENTITY
    return IntervalGroup(
        record,
        uniform_interval(record),
        rows,
        over_intervals(table, data.through_lags or held),
        over_intervals(external, held) if external.any() else np.zeros((1, 1, 6)),
        None if record.water is None else over_intervals(record.water, False),
        np.nan_to_num(measured[rows]),
        counted,
    )


def _fill_between_readings(record: Record, motion: Array) -> None:
    """Interpolate attitude and speeds where there is no reading, for intervals that start there."""
    for column in (column for column in motion.T if np.isnan(column).any() and np.isfinite(column).any()):
        known = np.isfinite(column)
        column[~known] = np.interp(record.time[~known], record.time[known], column[known])
    motion[:, :4] /= np.linalg.norm(motion[:, :4], axis=1)[:, None]


def measured_starts(data: TrajectoryData) -> list[Array]:
    """Measured initial states of the intervals of each group."""
    return [group.measured[:, 0].copy() for group in data.groups]


def thinned(data: TrajectoryData, most: int) -> tuple[TrajectoryData, int]:
    """Every n-th interval of each group, which leaves about `most` samples; and n."""
    every = max(1, sum(group.rows.size for group in data.groups) // most)
    if every == 1:
        return data, 1
    return data._replace(groups=tuple(_every(group, every) for group in data.groups)), every


def _every(group: IntervalGroup, n: int) -> IntervalGroup:
    steady = group.external.shape[0] == 1
    return group._replace(
        rows=group.rows[::n],
        driven=group.driven[::n],
        external=group.external if steady else group.external[::n],
        water=None if group.water is None else group.water[::n],
        measured=group.measured[::n],
        counted=group.counted[::n],
    )


def trial_model(
    data: TrajectoryData, vehicle: VehicleParameters, current: Array, delay: float, like: TrialModel | None
) -> TrialModel:
    """Trial model of a vehicle; outputs behind the lags are copied from `like` where the lags are equal."""
    # Recorded outputs bypass the actuators, commands pass them.
    model = vehicle._replace(envelope=None) if data.through_lags else without_actuator_lags(vehicle)
    lags = (tuple((t.rise_time, t.fall_time) for t in model.thrusters), tuple(f.lag for f in model.fins))
    bands = dead_bands(vehicle) if data.through_lags else ()
    # Outputs at the starts depend on these two alone, which most trials do not change.
    alike = like is not None and (like.lags, like.dead_bands) == (lags, bands)
    outputs = like.outputs if like is not None and alike else _start_outputs(data, vehicle)
    return TrialModel(pack(model, locked=data.locked), lags, bands, outputs, current, delay)


def _start_outputs(data: TrajectoryData, vehicle: VehicleParameters) -> tuple[Array, ...]:
    """Actuator outputs at the start of the intervals, [interval, actuator] for each group."""
    if not data.through_lags:
        return tuple(group.driven[:, 0] for group in data.groups)
    tables: dict[int, Array] = {}
    # Through whole segments: at the start of an interval a lag still holds commands from before it.
    for record in {id(group.record): group.record for group in data.groups}.values():
        table = outside_dead_bands(actuator_table(record, vehicle), dead_bands(vehicle))
        for s, run in zip(record.segments, lagged_outputs(record, vehicle, table), strict=True):
            table[s.start : s.stop] = run
        tables[id(record)] = table
    return tuple(tables[id(group.record)][group.rows[:, 0]] for group in data.groups)


def moved_starts(starts: Array, column: int, step: float | Array) -> Array:
    """Initial states changed in one free component."""
    moved = starts.copy()
    if column < 3:
        moved[..., column] += step
    elif column < 6:
        turn: Any = [0.0, 0.0, 0.0]
        turn[column - 3] = 0.5 * step
        turned: Any = product(tuple(np.moveaxis(starts[..., 3:7], -1, 0)), (1.0, turn[0], turn[1], turn[2]))
        quaternion = np.stack(turned, axis=-1)
        moved[..., 3:7] = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    else:
        moved[..., column + 1] += step
    return moved


def errors_of(data: TrajectoryData, k: int, trials: Sequence[TrialModel], starts: Array) -> Array:
    """Output errors of group k, model less measurement, [trial, interval, sample, channel]; zero where not compared.

    Initial states are [trial, interval, 13]. Raises RunError when a model diverges.
    """
    group = data.groups[k]
    count, length = group.rows.shape
    steps = max(data.steps, math.ceil(group.interval / _LONGEST_STEP))
    # A delay samples the motion between stamps, where its slope changes with every command: all steps are kept.
    kept = steps if any(trial.delay for trial in trials) else 1
    most = max(1, _MOST_NUMBERS // (len(trials) * length * kept * (BODY_SIZE + group.driven.shape[2])))
    found = np.empty((len(trials), count, length, len(data.channels)))
    states = np.concatenate([starts, np.stack([trial.outputs[k] for trial in trials])], axis=2)
    for first in range(0, count, most):
        some = slice(first, min(first + most, count))
        runs = _run(group, trials, states[:, some], some, steps, kept)
        for trial, run, place in zip(trials, runs, found, strict=True):
            seen = _delayed(run, kept * trial.delay / group.interval, kept, data.columns)
            _put_differences(data, group.measured[some], seen, place[some])
    found *= group.counted
    return found


def _run(
    group: IntervalGroup, trials: Sequence[TrialModel], starts: Array, some: slice, steps: int, kept: int
) -> Array:
    """States [trial, interval, time, 13] of some intervals, `kept` states per sample."""
    count, many, length = some.stop - some.start, len(trials), group.rows.shape[1]
    external = [_repeated(one, kept) for one in (group.external[some] if len(group.external) > 1 else group.external)]
    inputs = {
        bands: [_repeated(one, kept) for one in outside_dead_bands(group.driven[some], bands)]
        for bands in {trial.dead_bands for trial in trials}
    }
    alike = len(inputs) == 1 and count == 1
    driven = next(iter(inputs.values())) if alike else [one for trial in trials for one in inputs[trial.dead_bands]]
    flows = [_repeated(trial.current[None, :] + (0.0 if group.water is None else group.water[k]), kept)
             for trial in trials for k in range(some.start, some.stop)]  # fmt: skip
    runs = batch(
        [trial.packed for trial in trials for _ in range(count)],
        starts.reshape(many * count, -1),
        driven,
        group.interval / kept,
        steps // kept,
        external=external * many if len(external) > 1 else external,
        water=flows if any(np.any(flow) for flow in flows) else [np.zeros(3)],
        intervals=(length - 1) * kept,
    )
    return runs[..., :BODY_SIZE].reshape(many, count, (length - 1) * kept + 1, BODY_SIZE)


def _repeated(values: Array, times: int) -> Array:
    """Rows repeated for the steps of each sample; a single row applies to all."""
    return np.repeat(values, times, axis=0) if times > 1 and len(values) > 1 else values


def _delayed(states: Array, earlier: float, kept: int, columns: Sequence[int]) -> Array:
    """States at the samples, delayed by a number of grid steps; the first state is repeated before the start.

    The grid is the one of the states, `kept` steps per sample, with cubic splines in between. Only compared columns are
    delayed.
    """
    if earlier == 0.0:
        return states[:, ::kept]
    grid = np.arange(states.shape[1], dtype=float)
    seen = states[:, ::kept].copy()
    times = np.maximum(grid[::kept] - earlier, 0.0)
    seen[..., columns] = CubicSpline(grid, states[..., columns], axis=1)(times)
    return seen


def _put_differences(data: TrajectoryData, measured: Array, states: Array, found: Array) -> None:
    """Model less measurement of each channel; attitude errors are small rotation vectors in body axes."""
    for k, channel in enumerate(data.channels):
        if channel == "attitude.x":
            was: Any = tuple(np.moveaxis(measured[..., 3:7], -1, 0))
            now: Any = tuple(np.moveaxis(states[..., 3:7], -1, 0))
            turn: Any = product(conjugate(was), now)
            # q and -q are one attitude: the shorter of both rotations counts.
            sign = np.where(turn[0] < 0.0, -2.0, 2.0)
            for i in range(3):
                np.multiply(sign, turn[1 + i], out=found[..., k + i])
        elif kind_of(channel) != "attitude":
            i = _PLACES[channel]
            np.subtract(states[..., i], measured[..., i], out=found[..., k])
