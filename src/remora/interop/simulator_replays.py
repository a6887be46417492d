"""A record replayed by three simulators: single axes, the complete model, and added mass in a rigid-body engine.

Britto Neto 2018, section 6.3. Simple: each degree of freedom alone, with the diagonal numbers of the vehicle. Complete:
all of them with Coriolis efforts. Engine: a plain rigid-body engine to which the direct method gives the rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.pose import TWIST
from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.problems import RecordError
from remora.identification.regression.rows import actuator_outputs
from remora.identification.replay import (
    ReplaySpan,
    Score,
    over_intervals,
    replay,
    replay_spans,
    score_at_stamps,
    without_actuator_lags,
)
from remora.identification.sampling.resampling import uniform_interval
from remora.interop.added_mass_schemes import DirectCompensation, excess
from remora.interop.simple_engine import DIVERGENCE_LIMIT, CompensatedEngine
from remora.plant import RunError, initial_state
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

SIMULATORS = ("simple", "complete", "engine")
ENGINE_STEP = 0.01  # s, the longest
_ORIGIN = (0.0, 0.0, 0.0)


class SimulatorReplays(NamedTuple):
    """Twists and scores by simulator."""

    twists: Mapping[str, Array]  # n x 6 at the stamps of the uniform record; NaN where not simulated
    scores: Mapping[str, Mapping[str, Score]]  # then by degree of freedom; empty where the simulator diverged
    problems: Mapping[str, str]  # of simulators that diverged


def replay_by_simulators(
    recorded: Record,
    uniform: Record,
    vehicle: VehicleParameters,
    restart: float | None = None,
    settle: float = 0.0,
    step: float = ENGINE_STEP,
) -> SimulatorReplays:
    """Replay a record open loop by three simulators, from the same inputs and the same measured starts.

    Degrees of freedom that were not measured do not move. The simple model holds all but one of them at a time, so that
    a vehicle without couplings has the diagonal model of single-axis identification.

    Parameters
    ----------
    recorded, uniform
        Record as recorded, and at one rate: the first is scored, the second replayed.
    vehicle
        The model.
    restart
        Interval at which the models restart from the measured state, s; only at gaps unless given.
    settle
        Time after each start that is excluded from the scores, s.
    step
        Longest step of the engine, s; its error is proportional to it.

    Raises
    ------
    RecordError
        When the vehicle has moving masses, which a rigid-body engine does not have.
    """
    if vehicle.moving_masses:
        raise RecordError("has a vehicle with moving masses, which a rigid-body engine lacks.", recorded.source)
    runs: dict[str, Callable[[], Array]] = {
        "simple": lambda: _simple(uniform, vehicle, restart),
        "complete": lambda: replay(uniform, vehicle, restart).twist,
        "engine": lambda: _engine(uniform, vehicle, restart, step),
    }
    twists, scores, problems = {}, {}, {}
    for name, run in runs.items():
        try:
            twists[name] = run()
            scores[name] = score_at_stamps(recorded, uniform, twists[name], restart, settle)
        except RunError as error:
            twists[name], scores[name], problems[name] = np.full((len(uniform), 6), np.nan), {}, str(error)
    return SimulatorReplays(twists, scores, problems)


def _simple(record: Record, vehicle: VehicleParameters, restart: float | None) -> Array:
    """Each measured degree of freedom by itself, as if nothing else had been measured."""
    twist = np.full((len(record), 6), np.nan)
    for axis in record.measured:
        i = DEGREES_OF_FREEDOM.index(axis)
        alone = replace(record, twist=np.where(np.arange(6) == i, record.twist, np.nan))
        twist[:, i] = replay(alone, vehicle, restart).twist[:, i]
    return twist


def _engine(record: Record, vehicle: VehicleParameters, restart: float | None, step: float) -> Array:
    """The engine with the direct method over all spans of a record."""
    outputs, wrench = actuator_outputs(record, vehicle)
    water = np.zeros((len(record), 3)) if record.water is None else record.water
    held = record.inputs is not None and record.inputs.held and record.inputs.kind != "commands"
    ideal, resting = without_actuator_lags(vehicle), tuple(a for a in DEGREES_OF_FREEDOM if a not in record.measured)
    interval = uniform_interval(record)
    substeps = int(np.ceil(interval / step - 1e-9))
    twist = np.full((len(record), 6), np.nan)
    for span in replay_spans(record, restart):
        engine = CompensatedEngine(
            ideal, DirectCompensation(excess(ideal)), interval / substeps, _ORIGIN, locked=resting
        )
        engine.state = _start(engine, record, span)
        driven, around = (
            over_intervals(table[span.start : span.stop], held) for table in (outputs, np.hstack([wrench, water]))
        )
        twist[span.start] = engine.state[TWIST]
        for k, (inputs, environment) in enumerate(zip(driven, around, strict=True), span.start + 1):
            _advance(engine, inputs, environment, substeps, float(record.time[k]))
            twist[k] = engine.state[TWIST]
    return twist


def _start(engine: CompensatedEngine, record: Record, span: ReplaySpan) -> Array:
    """The measured state at the start of a span."""
    attitude = (1.0, 0.0, 0.0, 0.0) if record.quaternion is None else record.quaternion[span.start]
    return initial_state(engine.wet, quaternion=attitude, twist=np.nan_to_num(record.twist[span.start]))[:13]


def _advance(engine: CompensatedEngine, inputs: Array, environment: Array, substeps: int, time: float) -> None:
    """The engine from one row to the next; a RunError where it diverges."""
    try:
        for _ in range(substeps):
            engine.advance(inputs, environment=environment)
    except (RunError, ValueError):  # no longer numbers
        raise RunError("the engine diverged", time) from None
    if not np.abs(engine.state[TWIST]).max() < DIVERGENCE_LIMIT:
        raise RunError("the engine diverged", time)
