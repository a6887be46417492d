"""Simulation of a planned experiment: motion without noise, and use of workspace, tilt and thrust."""

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.kinematics import down_in_body
from remora.experiments.excitation import INTERVAL
from remora.experiments.requirements import Requirements
from remora.experiments.scenario_text import MOTION, starts_of, vehicle_name
from remora.files.arrays import Array
from remora.guidance.signals import AXES
from remora.identification.data.record import Record
from remora.identification.data.record_reader import onto, record_from_log
from remora.identification.sampling.resampling import resampled
from remora.logs import read_log
from remora.logs.log import Log
from remora.run.loop.loop import Loop, run_loop
from remora.run.recorder import Recorder
from remora.scenarios import scenario_from_text
from remora.vehicles.checks.actuation import command_limits

AT_LIMIT = 1e-3  # share of the command range within which a command counts as saturated


class SimulatedRun(NamedTuple):
    """Result of a simulated experiment."""

    truth: Record  # motion without noise, at the stamps of the sensors
    measured: Record  # as the sensors saw it
    reach: dict[str, float]  # axis -> share of its workspace that was used
    tilt: dict[str, float]  # axis -> largest tilt while it is excited, rad
    saturated: dict[str, float]  # axis -> share of its time with a saturated thruster


def simulate_plan(requirements: Requirements, text: str, times: tuple[float, ...], settle: float) -> SimulatedRun:
    """Run the scenario of a plan and evaluate it; durations of excitations, and of the settling before, are in s."""
    vehicle = requirements.vehicle
    setup = scenario_from_text(text, "plan", vehicles={vehicle.file: vehicle})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.mcap"
        loop = Loop(setup, Recorder.open(setup, path))
        assert loop.recorder is not None
        try:
            outcome = run_loop(loop)
        finally:
            loop.recorder.close()
        if outcome.stopped:
            raise RuntimeError(f"the planned run failed: {outcome.stopped}")
        log = read_log(path)
    name = vehicle_name(requirements)
    truth = record_from_log(log, name, "truth", source="plan")
    limited = _limited(log, name, requirements)
    reach, tilt, saturated = {}, {}, {}
    seconds = truth.time - settle
    for axis, start, time in zip(requirements.axes, starts_of(times), times, strict=True):
        during = (seconds >= start) & (seconds <= start + time)
        reach[axis] = _workspace_used(requirements, axis, truth, during)
        tilt[axis] = _tilt(truth, during)
        saturated[axis] = float(np.mean(limited[during]))
    return SimulatedRun(resampled(truth, INTERVAL), measured_record(log, name), reach, tilt, saturated)


def measured_record(log: Log, name: str) -> Record:
    """Record of a planned run from its sensors: speeds with noise, attitude and inputs as logged."""
    motion = {axis: (f"{name}/{sensor}", field) for axis, (sensor, field) in MOTION.items()}
    record = record_from_log(log, name, motion, source="plan")
    truth = log[f"{name}/truth"]
    attitude = onto(truth.time_ns, truth.table(*(f"q_NB_{i}" for i in range(4))), record.time_ns, held=False)
    return record.with_note("Attitude is that of the simulation.", quaternion=attitude)


def _limited(log: Log, name: str, requirements: Requirements) -> Array:
    """One where any command is at an end of its range, else zero; one value per row."""
    commands = log[f"{name}/commands"].table()
    limits = command_limits(requirements.vehicle.parameters)[: commands.shape[1]]
    near = AT_LIMIT * (limits[:, 1] - limits[:, 0])
    used = commands[:, : len(limits)]
    return np.asarray(((used <= limits[:, 0] + near) | (used >= limits[:, 1] - near)).any(axis=1), dtype=float)


def _workspace_used(requirements: Requirements, axis: str, truth: Record, during: NDArray[np.bool_]) -> float:
    """Largest excursion over half of the workspace; zero for yaw, which is not limited."""
    assert truth.position is not None
    if axis == "yaw":
        return 0.0
    i = AXES.index(axis)
    middle = requirements.middle if axis == "heave" else 0.0
    return float(np.abs(truth.position[during, i] - middle).max() / (0.5 * requirements.workspace[i]))


def _tilt(truth: Record, during: NDArray[np.bool_]) -> float:
    assert truth.quaternion is not None
    q: Any = tuple(truth.quaternion[during].T)
    return float(np.arccos(np.clip(np.min(down_in_body(q)[2]), -1.0, 1.0)))
