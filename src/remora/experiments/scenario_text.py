"""A planned experiment as a scenario file that `remora run` flies."""

import json
import math
from collections.abc import Sequence

from remora.experiments.excitation import INTERVAL, Swing
from remora.experiments.motion_limits import holds_tilt
from remora.experiments.requirements import Wish
from remora.files.problems import listed
from remora.guidance.excitation import AXES
from remora.vehicles.names import DEGREES_OF_FREEDOM

SETTLE, PAUSE = 10.0, 10.0  # s: before the first swing, between two swings
CONTROL_RATE = 20.0  # Hz
POSITION_GAIN, VELOCITY_GAIN = 0.5, 2.0  # 1/s
BELOW = 5.0  # m of water below the room
DVL, GYRO = "dvl", "gyro"
# Readings of these sensors are the measured speeds: channel of the vehicle, and field.
MOTION = {
    **{axis: (DVL, f"velocity_{x}") for axis, x in zip(("surge", "sway", "heave"), "xyz", strict=True)},
    **{axis: (GYRO, f"turn_rate_{x}") for axis, x in zip(("roll", "pitch", "yaw"), "xyz", strict=True)},
}


def vehicle_name(wish: Wish) -> str:
    """What the vehicle is called in the run."""
    return "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in wish.vehicle.name)


def starts_of(times: Sequence[float]) -> list[float]:
    """When each swing begins, in seconds from the end of settling."""
    return [sum(times[:k]) + k * PAUSE for k in range(len(times))]


def duration_of(times: Sequence[float]) -> float:
    """Seconds of a whole experiment with swings that last so long."""
    return float(round(SETTLE + sum(times) + len(times) * PAUSE))


def scenario_text(wish: Wish, swings: Sequence[Swing], times: Sequence[float], file: str) -> str:
    """The scenario: settle in the middle of the room, then one axis after the other swings while the others hold.

    Control knows the true state, so that it does not answer to the noise; a DVL and a gyro with the noise of the plan
    are logged for the fit.
    """
    rate = f"{1.0 / INTERVAL:g} Hz"
    speeds = [f"{2.0 * max((s.peaks[1] for s in swings if s.axis == axis), default=0.5):.4g}" for axis in
              AXES]  # fmt: skip
    gains = [f"[{', '.join([f'{gain:g}'] * 4)}]" for gain in (POSITION_GAIN, VELOCITY_GAIN)]
    held = holds_tilt(wish.vehicle.parameters)
    made = ", ".join(DEGREES_OF_FREEDOM if held else AXES)
    lines = [
        f"# Planned by remora design for {len(wish.parameters)} parameters.",
        f"name: {vehicle_name(wish)}_experiment",
        f"title: {json.dumps(f'{wish.vehicle.name} swings in {listed(wish.axes)}, for identification')}",
        f"duration: {duration_of(times):g} s",
        "step: 10 ms",
        f"log: {{rate: {CONTROL_RATE:g} Hz}}",  # every command, so that the fit knows what drove it between readings
        f"water: {{bottom_depth: {wish.top + wish.workspace[2] + BELOW:g} m}}",
        "vehicles:",
        f"  - name: {vehicle_name(wish)}",
        f"    file: {json.dumps(file)}",
        f"    position: [0, 0, {wish.middle:g} m]",
        "    sensors:",
        f"      - {{name: {DVL}, kind: dvl, position: [0, 0, 0], rate: {rate}, "
        f"parameters: {{std: {wish.speed_noise:.6g} m/s}}}}",
        f"      - {{name: {GYRO}, kind: gyro, position: [0, 0, 0], rate: {rate}, "
        f"parameters: {{std: {wish.rate_noise:.6g} rad/s}}}}",
        f"    navigation: {{part: truth, rate: {CONTROL_RATE:g} Hz}}",
        "    guidance:",
        "      part: excitation",
        f"      rate: {CONTROL_RATE:g} Hz",
        f"      position: [0, 0, {wish.middle:g} m]",
        "      heading: 0",
        f"      settle: {SETTLE:g} s",
        *(line for swing, start, time in zip(swings, starts_of(times), times, strict=True)
          for line in _swing_lines(swing, start, time)),
        "    control:",
        f"      - {{part: position, rate: {CONTROL_RATE:g} Hz, position_gains: {gains[0]}, "
        f"velocity_gains: {gains[1]}, largest_speeds: [{', '.join(speeds)}], follows_velocity: true, "
        "integral_gains: [0, 0, 0, 0], levels: false}",
        f"      - {{part: feedback_linearisation, rate: {CONTROL_RATE:g} Hz, axes: [surge, sway, heave, yaw]}}",
        *([f"      - {{part: cascade, rate: {CONTROL_RATE:g} Hz, axes: [roll, pitch]}}"] if held else []),
        f"    allocation: {{part: bounded, rate: {CONTROL_RATE:g} Hz, axes: [{made}]}}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _swing_lines(swing: Swing, start: float, time: float) -> list[str]:
    unit = "rad" if swing.axis == "yaw" else "m"
    # Half a period of the slow line: growing faster would need more thrust than swinging does.
    ramp = min(math.pi / min(swing.frequencies), 0.3 * time)
    lines = [f"      {swing.axis}:", f"        ramp: {ramp:.4g} s", f"        start: {start:g} s"]
    lines += [f"        stop: {start + time:g} s", "        lines:"]
    for a, w, phase in zip(swing.amplitudes, swing.frequencies, swing.phases, strict=True):
        lines.append(f"          - {{amplitude: {a:.5g} {unit}, frequency: {w:.5g} rad/s, phase: {phase:.5g} rad}}")
    return lines
