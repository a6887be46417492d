"""Scenario of a planned experiment, and its simulation: motion without noise, and use of workspace, tilt and thrust."""

import json
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.kinematics import down_in_body
from remora.experiments.excitation import INTERVAL, AxisExcitation
from remora.experiments.requirements import Requirements, holds_tilt
from remora.files.arrays import Array
from remora.files.problems import listed
from remora.identification.data.log_record import onto, record_from_log
from remora.identification.data.record import Record
from remora.identification.sampling.resampling import resampled
from remora.logs import read_log
from remora.logs.log import Log
from remora.run.loop.loop import Loop, run_loop
from remora.run.recorder import Recorder
from remora.scenarios import scenario_from_text
from remora.vehicles.checks.actuation import command_limits
from remora.vehicles.names import DEGREES_OF_FREEDOM, FOUR_AXES

SETTLE, PAUSE = 10.0, 10.0  # s: before the first excitation, between two excitations
CONTROL_RATE = 20.0  # Hz
POSITION_GAIN, VELOCITY_GAIN = 0.5, 2.0  # 1/s
BELOW = 5.0  # m of water below the workspace
DVL, GYRO = "dvl", "gyro"
# Measured speeds: sensor of the vehicle, and field of its readings.
MOTION = {
    **{axis: (DVL, f"velocity_{x}") for axis, x in zip(("surge", "sway", "heave"), "xyz", strict=True)},
    **{axis: (GYRO, f"turn_rate_{x}") for axis, x in zip(("roll", "pitch", "yaw"), "xyz", strict=True)},
}


def vehicle_name(requirements: Requirements) -> str:
    """Name of the vehicle in the run."""
    return "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in requirements.vehicle.name)


def starts_of(times: Sequence[float]) -> list[float]:
    """Start of each excitation, s from the end of settling."""
    return [sum(times[:k]) + k * PAUSE for k in range(len(times))]


def duration_of(times: Sequence[float]) -> float:
    """Duration of a whole experiment, s, from those of its excitations."""
    return float(round(SETTLE + sum(times) + len(times) * PAUSE))


def scenario_text(
    requirements: Requirements, excitations: Sequence[AxisExcitation], times: Sequence[float], file: str
) -> str:
    """Scenario: settle at the centre of the workspace, then excite one axis after the other while the others hold.

    Each axis has an excitation and its duration, s; `file` is the path of the vehicle file as the scenario names it.
    """
    rate = f"{1.0 / INTERVAL:g} Hz"
    speeds = [f"{2.0 * max((s.peaks[1] for s in excitations if s.axis == axis), default=0.5):.4g}" for axis in
              FOUR_AXES]  # fmt: skip
    gains = [f"[{', '.join([f'{gain:g}'] * 4)}]" for gain in (POSITION_GAIN, VELOCITY_GAIN)]
    held = holds_tilt(requirements.vehicle.parameters)
    made = ", ".join(DEGREES_OF_FREEDOM if held else FOUR_AXES)
    lines = [
        f"# Planned by remora design for {len(requirements.parameters)} parameters.",
        f"name: {vehicle_name(requirements)}_experiment",
        f"title: {json.dumps(f'{requirements.vehicle.name}: excitation of {listed(requirements.axes)}')}",
        f"duration: {duration_of(times):g} s",
        "step: 10 ms",
        f"log: {{rate: {CONTROL_RATE:g} Hz}}",  # every command: the fit needs the inputs between readings
        f"water: {{bottom_depth: {requirements.top + requirements.workspace[2] + BELOW:g} m}}",
        "vehicles:",
        f"  - name: {vehicle_name(requirements)}",
        f"    file: {json.dumps(file)}",
        f"    position: [0, 0, {requirements.middle:g} m]",
        "    sensors:",
        f"      - {{name: {DVL}, kind: dvl, position: [0, 0, 0], rate: {rate}, "
        f"parameters: {{std: {requirements.speed_noise:.6g} m/s}}}}",
        f"      - {{name: {GYRO}, kind: gyro, position: [0, 0, 0], rate: {rate}, "
        f"parameters: {{std: {requirements.rate_noise:.6g} rad/s}}}}",
        f"    navigation: {{part: truth, rate: {CONTROL_RATE:g} Hz}}",
        "    guidance:",
        "      part: excitation",
        f"      rate: {CONTROL_RATE:g} Hz",
        f"      position: [0, 0, {requirements.middle:g} m]",
        "      heading: 0",
        f"      settle: {SETTLE:g} s",
        *(line for excitation, start, time in zip(excitations, starts_of(times), times, strict=True)
          for line in _excitation_lines(excitation, start, time)),
        "    control:",
        f"      - {{part: position, rate: {CONTROL_RATE:g} Hz, position_gains: {gains[0]}, "
        f"velocity_gains: {gains[1]}, max_speeds: [{', '.join(speeds)}], follows_velocity: true, "
        "integral_gains: [0, 0, 0, 0], levels: false}",
        f"      - {{part: feedback_linearisation, rate: {CONTROL_RATE:g} Hz, axes: [surge, sway, heave, yaw]}}",
        *([f"      - {{part: cascade, rate: {CONTROL_RATE:g} Hz, axes: [roll, pitch]}}"] if held else []),
        f"    allocation: {{part: bounded, rate: {CONTROL_RATE:g} Hz, axes: [{made}]}}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _excitation_lines(excitation: AxisExcitation, start: float, time: float) -> list[str]:
    unit = "rad" if excitation.axis == "yaw" else "m"
    # Half a period of the slow sinusoid: a faster ramp would need more thrust than the excitation.
    ramp = min(math.pi / min(excitation.frequencies), 0.3 * time)
    lines = [f"      {excitation.axis}:", f"        ramp: {ramp:.4g} s", f"        start: {start:g} s"]
    lines += [f"        stop: {start + time:g} s", "        lines:"]
    for a, w, phase in zip(excitation.amplitudes, excitation.frequencies, excitation.phases, strict=True):
        lines.append(f"          - {{amplitude: {a:.5g} {unit}, frequency: {w:.5g} rad/s, phase: {phase:.5g} rad}}")
    return lines


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
    i = FOUR_AXES.index(axis)
    middle = requirements.middle if axis == "heave" else 0.0
    return float(np.abs(truth.position[during, i] - middle).max() / (0.5 * requirements.workspace[i]))


def _tilt(truth: Record, during: NDArray[np.bool_]) -> float:
    assert truth.quaternion is not None
    q: Any = tuple(truth.quaternion[during].T)
    return float(np.arccos(np.clip(np.min(down_in_body(q)[2]), -1.0, 1.0)))
