"""flatfish-real: a recorded mission of the FlatFish, fitted on its first part and predicted on the rest.

The mission (2024, package `mystery` of the repository MichalTesnar/flatfish, Apache-2.0) holds surge, sway and yaw rate
and the speeds of four thrusters, at 11 Hz in bursts. Our fit is that of `remora fit`. The baseline is what one would
write in an afternoon: each axis by itself, finite differences, thrust as the square of the speed.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.column_map import TableOptions, read_table
from remora.identification.data.log_files import at_one_rate
from remora.identification.data.record import Record, Segment
from remora.identification.hold_out import split_records
from remora.identification.methods import METHODS, Task
from remora.identification.parameter_names import selected_parameters
from remora.identification.regression.least_squares import unconstrained_values
from remora.identification.regression.rows import means_beside_stamps
from remora.identification.replay import Score, score_at_stamps
from remora.identification.result import Fit
from remora.identification.validation import ReplaySettings, ScoredReplay, scored_replay
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.vehicle import Vehicle
from remora_evidence.requirements import BoundedValue, StudyFunction, Value
from remora_evidence.studies.recorded_data import recorded_data

FILE = "flatfish/mission_a.csv"
THRUSTERS = ("surge_port", "surge_starboard", "sway_front", "sway_rear")
COLUMNS = {
    "surge": "linear_x:m/s",
    "sway": "linear_y:m/s",
    "yaw": "angular_z:rad/s",
    "surge_port": "thruster_surge_left:rad/s",
    "surge_starboard": "thruster_surge_right:rad/s",
    "sway_front": "thruster_sway_front:rad/s",
    "sway_rear": "thruster_sway_rear:rad/s",
}
AXES = ("surge", "sway", "yaw")
HELD_OUT, GAP = 0.4, 1.5  # share of the time, s
HOW = ReplaySettings(rate=10.0, settle=1.0)
# What may be fitted besides inertia and damping. Where thrust is fitted, the scale hangs on the inertia in surge.
LIFT = ("damping.lift.sway", "damping.lift.yaw", "damping.lift.yaw_sway", "damping.lift.sway_yaw")
WANTED = ("default", "thrusters.s*.effectiveness.*", *LIFT)
CANDIDATES = {
    "default": ("default",),
    "lift": ("default", *LIFT),
    "shares of thrust": ("default", "thrusters.s*.effectiveness"),
    "shares and lift": ("default", "thrusters.s*.effectiveness", *LIFT),
    "shares both ways and lift": WANTED,
}
FOLDS = 5  # of the cross-validation within the first part
KNOWN = ("added_mass.surge",)
DRAWS = 100  # of the bootstrap per seed: the widest of twenty is asked for, and a deviation from few draws scatters
SHORTEST = 2.5  # s of a segment that takes part in the bootstrap: the window of the fit and a little


class MissionParts(NamedTuple):
    """The mission in two parts, as recorded and at one rate."""

    first: Record
    first_recorded: Record
    rest: Record
    rest_recorded: Record


def parts_of_the_mission() -> MissionParts:
    """The recorded mission, cut at gaps, its first 60 % apart from the rest."""
    vehicle = load_vehicle("flatfish_multidof")
    record = read_table(recorded_data(FILE), vehicle, TableOptions(COLUMNS, axes="forward-left-up", gap=GAP))
    (first,), (rest,), _ = split_records([record], HELD_OUT)
    return MissionParts(at_one_rate(first, HOW.rate), first, at_one_rate(rest, HOW.rate), rest)


def fit_of(records: Sequence[Record], vehicle: Vehicle, wanted: Sequence[str] = WANTED) -> Fit:
    """What `remora fit` makes of records."""
    held = KNOWN if any(word.startswith("thrusters.") for word in wanted) else ()
    names = selected_parameters(wanted, held, vehicle, AXES)
    return METHODS["instruments"].fit(Task(tuple(records), vehicle, names, AXES))


def cost_across_folds(first: Record, vehicle: Vehicle, wanted: Sequence[str]) -> float:
    """Cross-validation cost of a choice of parameters: each fifth of a record is predicted from the others.

    Twice the negative logarithm of the likelihood per sample, up to a constant, with noise of unknown size per axis.
    """
    cuts = np.searchsorted(first.time, np.linspace(0.0, first.time[-1], FOLDS + 1)).tolist()
    squares, samples = np.zeros(len(AXES)), 0
    for start, stop in pairwise([*cuts[:-1], len(first)]):
        others = [part for part in (first.rows(0, start), first.rows(stop, len(first))) if len(part)]
        fit = fit_of([at_one_rate(part, HOW.rate) for part in others], vehicle, wanted)
        left_out = first.rows(start, stop)
        scores = scored_replay(left_out, at_one_rate(left_out, HOW.rate), fit.vehicle, HOW).scores
        squares += [scores[axis].rmse ** 2 * scores[axis].samples for axis in AXES]
        samples += scores[AXES[0]].samples
    return float(np.sum(np.log(squares / samples)))


def _thrust_columns(record: Record) -> dict[str, Array]:
    """Signed squares of shaft speeds that may move each axis, one column per thruster."""
    assert record.inputs is not None
    values = means_beside_stamps(record, record.inputs.values)  # a record at one rate holds its inputs
    values = values[:, [record.inputs.names.index(name) for name in THRUSTERS]]
    squares = values * np.abs(values)
    return {"surge": squares[:, :2], "sway": squares[:, 2:], "yaw": squares}


def baseline_fit(record: Record) -> dict[str, Array]:
    """Each axis by itself: v' = sum of c_i n_i |n_i| + a v + b v |v|, by least squares on finite differences."""
    thrust, interval = _thrust_columns(record), 1.0 / (HOW.rate or 1.0)
    found = {}
    for axis in AXES:
        rows = []
        for s in record.segments:
            if s.stop - s.start > 2:
                cut = slice(s.start, s.stop)
                v = record.speed(axis)[cut]
                rows.append(np.column_stack([thrust[axis][cut], v, v * np.abs(v), np.gradient(v, interval)]))
        table = np.concatenate(rows)
        found[axis] = np.linalg.lstsq(table[:, :-1], table[:, -1], rcond=None)[0]
    return found


def baseline_run(numbers: dict[str, Array], parts: MissionParts, substeps: int = 5) -> ScoredReplay:
    """The baseline driven through the rest of the mission, in the same way as our model."""
    record, interval = parts.rest, 1.0 / (HOW.rate or 1.0)
    thrust = _thrust_columns(record)
    twist = np.full((len(record), 6), np.nan)
    for axis, number in numbers.items():
        push = thrust[axis] @ number[:-2]
        column = twist[:, DEGREES_OF_FREEDOM.index(axis)]
        for s in record.segments:
            v = column[s.start] = record.speed(axis)[s.start]
            for k in range(s.start, s.stop - 1):
                for _ in range(substeps):
                    rate = 0.5 * (push[k] + push[k + 1]) + number[-2] * v + number[-1] * v * abs(v)
                    v += interval / substeps * rate
                column[k + 1] = v
    return ScoredReplay(twist, score_at_stamps(parts.rest_recorded, record, twist, HOW.restart, HOW.settle))


def joined(record: Record, segments: Sequence[Segment]) -> Record:
    """Chosen segments of a record one after the other, each again as long as it is there again."""
    assert record.inputs is not None
    rows = np.concatenate([np.arange(s.start, s.stop) for s in segments])
    lengths = [s.stop - s.start for s in segments]
    ends = np.cumsum(lengths)
    step = round(1e9 / (HOW.rate or 1.0))
    # Ten samples of nothing between segments, so that none of them touch.
    stamps = (np.arange(len(rows)) + 10 * np.repeat(np.arange(len(segments)), lengths)) * step
    return record.with_note(
        "Segments drawn with replacement.",
        time_ns=stamps.astype(np.int64),
        twist=record.twist[rows],
        inputs=record.inputs._replace(values=record.inputs.values[rows]),
        segments=tuple(Segment(int(b - n), int(b)) for b, n in zip(ends, lengths, strict=True)),
    )


def bootstrap(record: Record, vehicle: Vehicle, seeds: Sequence[int]) -> Array:
    """Half the interval that holds 95 % of each parameter over fits to segments drawn with replacement.

    From ranks: now and then a draw misses what a parameter needs, and its fit is far off.
    """
    usable = [s for s in record.segments if record.time[s.stop - 1] - record.time[s.start] > SHORTEST]
    values, names = [], selected_parameters(WANTED, KNOWN, vehicle, AXES)
    for seed in seeds:
        generator = np.random.default_rng(seed)
        for _ in range(DRAWS):
            drawn = [usable[i] for i in generator.integers(0, len(usable), len(usable))]
            values.append(unconstrained_values(joined(record, drawn), vehicle, names, AXES))
    low, high = np.percentile(values, (2.5, 97.5), axis=0)
    return np.asarray(0.5 * (high - low))


def _score_figures(
    ours: Mapping[str, Score], baseline: Mapping[str, Score], before: Mapping[str, Score]
) -> list[Value | BoundedValue]:
    figures: list[Value | BoundedValue] = []
    for axis in AXES:
        mine, naive = ours[axis], baseline[axis]
        figures += [
            (f"{axis}: R2 of the vehicle before the fit", before[axis].r2),
            (f"{axis}: R2 of the baseline", naive.r2),
            (f"{axis}: R2, at least that of the baseline", mine.r2, naive.r2),
            (f"{axis}: MAE, at most that of the baseline", mine.mae, naive.mae),
        ]
    return figures


def _physical_figures(fit: Fit) -> list[Value]:
    """Thrust over inertia and levers next to earlier figures of this vehicle; "comparable" means a factor of two."""
    parameters = fit.vehicle
    names = [f"thrusters.{name}.effectiveness.{way}" for name in THRUSTERS for way in ("forward", "reverse")]
    shares = [fit.value(name) for name in names]
    coefficient = parameters.thrusters[0].positive.square
    figures = []
    for axis, own in (("surge", shares[:4]), ("sway", shares[4:])):
        i = DEGREES_OF_FREEDOM.index(axis)
        inertia = parameters.added_mass[i][i] + parameters.rigid_body_inertia[i][i]
        ratio = 1e6 * coefficient * float(np.mean(own)) / inertia
        figures.append((f"{axis}: thrust over inertia", ratio))
    places = dict(zip(parameters.thruster_names, parameters.thrusters, strict=True))
    front, rear = (abs(places[name].position[0]) for name in ("sway_front", "sway_rear"))
    lever = rear * sum(shares[6:]) / (front * sum(shares[4:6]))
    lowest = float(fit.intervals()[[fit.names.index(name) for name in names], 0].min())
    return [
        *figures,
        ("least share of thrust, lower end: levers have the signs of Table 2", lowest),
        ("yaw torque of the rear sway thruster over that of the front one", lever),
    ]


def _candidate_figures(parts: MissionParts, vehicle: Vehicle, baseline: Mapping[str, Score]) -> list[Value]:
    """How other choices of parameters do: within the first part, and on the rest."""
    figures = []
    for words, wanted in CANDIDATES.items():
        model = fit_of([parts.first], vehicle, wanted).vehicle
        scores = scored_replay(parts.rest_recorded, parts.rest, model, HOW).scores
        better = sum(scores[a].r2 > baseline[a].r2 for a in AXES) + sum(scores[a].mae < baseline[a].mae for a in AXES)
        figures += [
            (f"{words}: cost across folds", cost_across_folds(parts.first_recorded, vehicle, wanted)),
            (f"{words}: figures better than the baseline's, of six", better),
        ]
    return figures


def predicted_mission(seeds: Sequence[int]) -> list[Value | BoundedValue]:
    """Fit, scores against the baseline, intervals against a bootstrap, numbers against earlier ones.

    With more than one seed also how other choices of parameters would have done.
    """
    parts, vehicle = parts_of_the_mission(), load_vehicle("flatfish_multidof")
    fit = fit_of([parts.first], vehicle)
    ours, before = (
        scored_replay(parts.rest_recorded, parts.rest, p, HOW).scores for p in (fit.vehicle, vehicle.parameters)
    )
    baseline = baseline_run(baseline_fit(parts.first), parts).scores
    widths = (fit.intervals()[:, 1] - fit.values) / bootstrap(parts.first, vehicle, seeds)
    return [
        *_score_figures(ours, baseline, before),
        ("width of an interval over that of a bootstrap, least", float(widths.min())),
        ("width of an interval over that of a bootstrap, most", float(widths.max())),
        *_physical_figures(fit),
        *(_candidate_figures(parts, vehicle, baseline) if len(seeds) > 1 else []),
    ]


STUDIES: dict[str, StudyFunction] = {
    "flatfish-real": predicted_mission,
}
