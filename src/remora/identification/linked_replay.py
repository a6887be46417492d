"""Replay of recorded inputs on the linked bodies of a morphology, and scores of each module.

A log of linked bodies has the channels of every module, such as pair/lead/truth, and whether each link is attached.
Every run starts from the measured poses; a rigid link holds the relative pose of that time, as it was welded.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.problems import Fix, listed
from remora.identification.data.log_files import (
    LogReadOptions,
    at_one_rate,
    is_table,
    record_of_log,
    with_actuator_names,
)
from remora.identification.data.log_record import POSITION, QUATERNION, TWIST
from remora.identification.data.read_options import MOTIONS
from remora.identification.data.record import Record, Times, record_from_arrays
from remora.identification.problems import RecordError
from remora.identification.regression.rows import actuator_outputs
from remora.identification.replay import (
    ReplaySpan,
    over_intervals,
    replay_spans,
    score_at_stamps,
    without_actuator_lags,
)
from remora.identification.sampling.resampling import uniform_interval
from remora.identification.validation import RecordValidation, ReplaySettings, ScoredReplay
from remora.logs import Log, read_log
from remora.plant.failures import RunError
from remora.plant.multibody import BodyModel, Link, MultibodyPlant, fitted
from remora.plant.multibody.link_table import body_link
from remora.plant.pack import pack
from remora.plant.rollouts import initial_state
from remora.vehicles.morphologies.morphology import Module, Morphology
from remora.vehicles.parameters import actuator_names

LONGEST_STEP = 0.01  # s, of the plant

Flags: TypeAlias = NDArray[np.bool_]
Attachment: TypeAlias = tuple[Times, Flags]


class LinkedRecord(NamedTuple):
    """Motion and inputs of all modules of a robot, and its links."""

    modules: tuple[Record, ...]  # in the order of the morphology
    attached: Mapping[str, Attachment]  # link -> stamps in ns, and whether it is attached
    notes: tuple[str, ...]


def robots_in(log: Log, morphology: Morphology) -> list[str]:
    """Names of robots in a log that have all modules of a morphology."""
    scopes = dict.fromkeys(channel.partition("/")[0] for channel in log.channels)
    return [scope for scope in scopes if all(_motion_of(log, scope, one, "estimate") for one in morphology.modules)]


def has_modules_apart(path: str | PathLike[str], morphology: Morphology) -> bool:
    """Whether a log has channels for each module of a morphology, and is no table of another program."""
    file = Path(path)
    return file.exists() and not is_table(path) and bool(robots_in(read_log(path), morphology))


def _motion_of(log: Log, scope: str, module: Module, asked: str) -> str | None:
    """The kind of motion that a log has of a module, the asked one first; None without any."""
    order = (asked, *(kind for kind in MOTIONS if kind != asked))
    return next((kind for kind in order if f"{scope}/{module.name}/{kind}" in log.channels), None)


def read_linked_record(path: str | PathLike[str], morphology: Morphology, how: LogReadOptions) -> LinkedRecord:
    """Records of all modules of a morphology in a log; the name among its options is that of the robot.

    Raises a RecordError or LogError with the file and the fix, when it cannot be read or used.
    """
    file, log = Path(path), read_log(path)
    if not isinstance(how.motion, str):
        raise RecordError("motion of sensors is that of one vehicle; give estimate or truth.", file)
    scope = _robot(log, morphology, how.name, file)
    records, notes = [], []
    for module in morphology.modules:
        motion = _motion_of(log, scope, module, how.motion) or how.motion
        if motion != how.motion:
            notes.append(f"{module.name} has no {how.motion}: its {motion} is used.")
        record = _module_record(log, f"{scope}/{module.name}", module, how._replace(motion=motion), file)
        records.append(replace(record, source=f"{path}, {module.name}"))
    attached = {
        link.name: (np.asarray(series.time_ns), np.asarray(series["attached"], dtype=bool))
        for link in morphology.links
        if (series := log.series.get(f"{scope}/{link.name}")) is not None and len(series)
    }
    return LinkedRecord(tuple(records), attached, tuple(notes))


def _robot(log: Log, morphology: Morphology, name: str | None, path: Path) -> str:
    """Name of the robot in a log."""
    known = robots_in(log, morphology)
    if name is not None and name not in known:
        hint = (
            suggestion(name, known)
            if known
            else f"It needs channels such as {name}/{morphology.modules[0].name}/truth."
        )
        raise RecordError(f'has no robot "{name}" with the modules of {morphology.name}. {hint}', path)
    if name is None and len(known) != 1:
        needed = listed([f"ROBOT/{module.name}/truth" for module in morphology.modules])
        if not known:
            raise RecordError(f"has no robot with the modules of {morphology.name}: channels {needed}.", path)
        fix = Fix("Choose one with {log_vehicle}.", {"log_vehicle": ""}, {"log_vehicle": "`name`"})
        raise RecordError(f"has the robots {listed(known)} with these modules.", path, fix=fix, field="log_vehicle")
    return name or known[0]


def _module_record(log: Log, name: str, module: Module, how: LogReadOptions, path: Path) -> Record:
    """The record of a module; a passive one has no inputs."""
    if actuator_names(module.vehicle.parameters):
        return with_actuator_names(record_of_log(log, how._replace(name=name), path), module.vehicle)
    series = log[f"{name}/{how.motion}"]
    return record_from_arrays(
        series.time_ns, series.table(*TWIST), None, position=series.table(*POSITION),
        quaternion=series.table(*QUATERNION), gap=how.table.gap, source=str(path),
    )  # fmt: skip


def validate_linked(record: LinkedRecord, morphology: Morphology, settings: ReplaySettings) -> list[RecordValidation]:
    """Replay of all modules, and the scores of each."""
    uniform = [at_one_rate(one, settings.rate, inputs_late=settings.inputs_late) for one in record.modules]
    _check_alike(uniform)
    uniform = [one.with_note(" ".join([*record.notes, "Simulated in still water."])) for one in uniform]
    try:
        twists = linked_replay(uniform, morphology, record.attached, settings.restart)
        scores = [
            ScoredReplay(twist, score_at_stamps(own, even, twist, settings.restart, settings.settle))
            for own, even, twist in zip(record.modules, uniform, twists, strict=True)
        ]
    except RunError as error:
        scores = [ScoredReplay(np.full((len(even), 6), np.nan), {}, str(error)) for even in uniform]
    return [
        RecordValidation(own, even, scored, None, None)
        for own, even, scored in zip(record.modules, uniform, scores, strict=True)
    ]


def _check_alike(records: Sequence[Record]) -> None:
    """Refuse modules with different stamps, or without a pose."""
    for one in records:
        if not np.array_equal(one.time_ns, records[0].time_ns):
            fix = Fix("Bring them to one with {rate}.", {"rate": "20"})
            raise RecordError("its modules have different stamps.", records[0].source, fix=fix, field="rate")
        if one.position is None or one.quaternion is None or np.isnan(one.position).any():
            raise RecordError("has no position and attitude in all rows, which a linked body needs.", one.source)


def linked_replay(
    records: Sequence[Record],
    morphology: Morphology,
    attached: Mapping[str, Attachment],
    restart: float | None = None,
) -> list[Array]:
    """Twists of all modules, n x 6 each, driven by their recorded inputs; NaN where not simulated.

    The records have equal and uniform stamps, in the order of the modules. `attached` gives the stamps in ns of a link,
    and whether it is attached; a link that is not given is. Restarts are those of `replay`. Raises a RunError when the
    model diverges.
    """
    interval = uniform_interval(records[0])
    steps = max(1, math.ceil(interval / LONGEST_STEP - 1e-9))
    models = [without_actuator_lags(module.vehicle.parameters) for module in morphology.modules]
    bodies = tuple(BodyModel(one.name, pack(model)) for one, model in zip(morphology.modules, models, strict=True))
    free = MultibodyPlant(bodies, (), interval / steps)
    driven = [actuator_outputs(one, m.vehicle.parameters) for one, m in zip(records, morphology.modules, strict=True)]
    joined = _attached_links(records[0], morphology, attached)
    twists = [np.full((len(records[0]), 6), np.nan) for _ in records]
    for span in _constant(replay_spans(records[0], restart), joined):
        links = [body_link(link) for link, on in zip(morphology.links, joined[span.start], strict=True) if on]
        for twist, rows in zip(twists, _run(free, links, records, driven, span, steps), strict=True):
            twist[span.start : span.stop] = rows
    return twists


def _attached_links(record: Record, morphology: Morphology, attached: Mapping[str, Attachment]) -> Flags:
    """Whether each link is attached at each row, rows x links."""
    found = np.ones((len(record), len(morphology.links)), dtype=bool)
    for k, link in enumerate(morphology.links):
        if link.name in attached:
            stamps, values = attached[link.name]
            found[:, k] = values[np.clip(np.searchsorted(stamps, record.time_ns, side="right") - 1, 0, None)]
    return found


def _constant(spans: Sequence[ReplaySpan], joined: Flags) -> list[ReplaySpan]:
    """The spans, split where a link attaches or ends."""
    changes = np.flatnonzero((joined[1:] != joined[:-1]).any(axis=1)) + 1
    found = []
    for span in spans:
        edges = [span.start, *(int(k) for k in changes if span.start < k < span.stop), span.stop]
        found += [ReplaySpan(a, b) for a, b in pairwise(edges) if b - a > 1]
    return found


def _run(
    free: MultibodyPlant,
    links: Sequence[Link],
    records: Sequence[Record],
    driven: Sequence[tuple[Array, Array]],
    span: ReplaySpan,
    steps: int,
) -> list[Array]:
    """Twists of all modules over a span."""
    plant, state = _started(free, links, records, driven, span)
    found, rows = [plant.body_states(state)[:, 7:]], slice(span.start, span.stop)
    commands, external = (
        [over_intervals(tables[k][rows], _is_held(one)) for tables, one in zip(driven, records, strict=True)]
        for k in (0, 1)
    )
    for row in range(span.stop - span.start - 1):
        inputs = np.concatenate([one[row] for one in commands])
        try:
            state = plant.step(state, inputs, np.array([one[row] for one in external]), steps=steps)
        except RunError as error:
            begun = float(records[0].time[span.start + row])
            raise RunError(f"{free.bodies[error.vehicle].name}: {error.what}", begun + error.time) from None
        found.append(plant.body_states(state)[:, 7:])
    return list(np.moveaxis(np.array(found), 1, 0))


def _started(
    free: MultibodyPlant,
    links: Sequence[Link],
    records: Sequence[Record],
    driven: Sequence[tuple[Array, Array]],
    span: ReplaySpan,
) -> tuple[MultibodyPlant, Array]:
    """The linked bodies at the measured state at the start of a span."""
    starts = {}
    for body, one, (outputs, _) in zip(free.bodies, records, driven, strict=True):
        twist = np.nan_to_num(one.twist[span.start])
        pose = _first(one.position, span), _first(one.quaternion, span)
        starts[body.name] = initial_state(body.packed, *pose, twist, outputs[span.start])
    held = [fitted(one, starts[one.first], starts[one.second]) if one.kind == "rigid" else one for one in links]
    plant = free.with_links(held)
    return plant, plant.project(plant.state_of([*starts.values()]))


def _first(table: Array | None, span: ReplaySpan) -> Array:
    assert table is not None  # checked before
    return np.asarray(table[span.start], dtype=float)


def _is_held(record: Record) -> bool:
    """Whether outputs of a record act from each row to the next; commands have passed the lags."""
    return record.inputs is not None and record.inputs.held and record.inputs.kind != "commands"
