"""Scenario file of a planned experiment."""

import json
import math
from collections.abc import Sequence

from remora.experiments.excitation import INTERVAL, AxisExcitation
from remora.experiments.motion_limits import holds_tilt
from remora.experiments.requirements import Requirements
from remora.files.problems import listed
from remora.guidance.signals import AXES
from remora.vehicles.names import DEGREES_OF_FREEDOM

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
              AXES]  # fmt: skip
    gains = [f"[{', '.join([f'{gain:g}'] * 4)}]" for gain in (POSITION_GAIN, VELOCITY_GAIN)]
    held = holds_tilt(requirements.vehicle.parameters)
    made = ", ".join(DEGREES_OF_FREEDOM if held else AXES)
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
