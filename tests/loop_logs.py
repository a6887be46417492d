"""Logs as the loop writes them: two vehicles with truth, estimates, references, actuators, sensors, power, events."""

import json
import math
from pathlib import Path

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.logs import Channel, Field, LogWriter, RunHeader

STEP_NS = 50_000_000
THRUSTERS = ("front_port", "front_starboard", "aft_port", "aft_starboard")
TUNNEL = {
    "section": "rectangle",
    "width": 8.0,
    "height": 8.0,
    "length": 40.0,
    "heading": 0.0,
    "start": [-2.0, 0.0, 5.0],
}
AXES = ("x", "y", "z")
POSE = (
    *(Field(f"p_NB_{axis}", "m", "N") for axis in AXES),
    *(Field(f"q_NB_{i}", "1") for i in range(4)),
    *(Field(f"v_NB_B_{axis}", "m/s", "B") for axis in AXES),
    *(Field(f"w_NB_B_{axis}", "rad/s", "B") for axis in AXES),
)
FORCES = (*(Field(name, "N", "B") for name in "XYZ"), *(Field(name, "N m", "B") for name in "KMN"))
STATE = (Field("status", "1", kind="int"), Field("latency", "s"))


def header(**changes: object) -> RunHeader:
    return RunHeader("0.1.0", 7, "abc", {"alpha": "11", "beta": "22"}, notes={"tunnel": json.dumps(TUNNEL)})._replace(
        **changes
    )


def channels_of(vehicle: str) -> tuple[Channel, ...]:
    maybe = tuple(field._replace(optional=True) for field in POSE)
    speeds = tuple(Field(f"velocity_{axis}", "m/s", "S", optional=True) for axis in AXES)
    angles = tuple(Field(name, "rad", optional=True) for name in ("roll", "pitch", "heading"))
    forces = tuple(Field(name, "N") for name in THRUSTERS)
    fields = {
        "truth": POSE,
        "estimate": (*maybe, Field("valid", "1", kind="bool")),
        "reference": (Field("depth", "m"), Field("heading", "rad"), Field("surge", "m/s")),
        "wrench": FORCES,
        **dict.fromkeys(("commands", "limited", "outputs"), forces),
        "power": (Field("power", "W"), Field("voltage", "V"), Field("charge", "1")),
        "dvl": (*speeds, Field("altitude", "m", optional=True), *STATE),
        "compass": (*angles, *STATE),
        **dict.fromkeys(("echo_port", "echo_starboard"), (Field("distance", "m", optional=True), *STATE)),
    }
    return tuple(Channel(f"{vehicle}/{name}", some) for name, some in fields.items())


CHANNELS = (*channels_of("alpha"), *channels_of("beta"))


def truth_at(vehicle: str, t: float) -> tuple[float, ...]:
    """Along the tunnel, weaving, while the heading goes round more than once."""
    side, turn = (1.0, 0.4) if vehicle == "alpha" else (-1.5, -0.1)
    angles = (0.05 * math.sin(t), 0.1 * math.sin(0.5 * t), turn * t)
    p = (0.5 * t, side * math.cos(0.3 * t), 5.0 + 0.05 * t + 0.2 * math.sin(0.7 * t))
    v = (0.5, -0.3 * side * math.sin(0.3 * t), 0.05)
    return (*p, *from_euler_zyx(*angles), *v, 0.0, 0.0, turn)


def noise(k: int, number: int) -> float:
    """Something between -1 and 1 that looks like noise and repeats."""
    return math.sin(12.9898 * k + 78.233 * number)


def write_step(writer: LogWriter, vehicle: str, k: int) -> None:
    time_ns, t = k * STEP_NS, k * STEP_NS * 1e-9
    truth = truth_at(vehicle, t)
    writer.write(f"{vehicle}/truth", time_ns, truth)
    known = k >= 10
    near = tuple(x + 0.02 * noise(k // 20, i) for i, x in enumerate(truth))
    writer.write(f"{vehicle}/estimate", time_ns, (*(near if known else [math.nan] * 13), known))
    writer.write(f"{vehicle}/reference", time_ns, (5.0 + 0.05 * t, truth_heading(vehicle, t), 0.5))
    writer.write(f"{vehicle}/wrench", time_ns, (10.0, 5.0 * math.sin(t), 0.0, 0.0, 0.1, 1.0))
    asked = [30.0 * math.sin(0.2 * t + 0.1 * i) for i in range(4)]
    limited = [max(-25.0, min(25.0, x)) for x in asked]
    writer.write(f"{vehicle}/commands", time_ns, asked)
    writer.write(f"{vehicle}/limited", time_ns, limited)
    writer.write(f"{vehicle}/outputs", time_ns, [0.9 * x for x in limited])
    writer.write(f"{vehicle}/power", time_ns, (120.0 + 10.0 * math.sin(t), 16.0 - 0.01 * t, 1.0 - 0.001 * t))
    if k % 4 == 0:
        write_readings(writer, vehicle, k)


def write_readings(writer: LogWriter, vehicle: str, k: int) -> None:
    time_ns, t = k * STEP_NS, k * STEP_NS * 1e-9
    truth = truth_at(vehicle, t)
    lost = k % 40 == 0
    bottom = [math.nan] * 4 if lost else [*(x + 0.03 * noise(k, i) for i, x in enumerate(truth[7:10])), 12.0 - 0.05 * t]
    writer.write(f"{vehicle}/dvl", time_ns, (*bottom, 2 if lost else 0, 0.1))
    heading = (truth_heading(vehicle, t) + 0.03 * noise(k, 5)) % (2.0 * math.pi)
    writer.write(f"{vehicle}/compass", time_ns, (0.05 * math.sin(t), 0.1 * math.sin(0.5 * t), heading, 0, 0.02))
    writer.write(f"{vehicle}/echo_port", time_ns, (4.0 + truth[1] + 0.05 * noise(k, 6), 0, 0.01))
    writer.write(f"{vehicle}/echo_starboard", time_ns, (4.0 - truth[1] + 0.05 * noise(k, 7), 0, 0.01))


def truth_heading(vehicle: str, t: float) -> float:
    return (0.4 if vehicle == "alpha" else -0.1) * t


def write_run(
    path: Path,
    steps: int = 800,
    chunk_bytes: int = 16_000,
    vehicles: tuple[str, ...] = ("alpha", "beta"),
    **changes: object,
) -> Path:
    """A run of 40 s unless told otherwise."""
    channels = [channel for channel in CHANNELS if channel.name.split("/")[0] in vehicles]
    with LogWriter(path, header(**changes), channels, chunk_bytes=chunk_bytes) as writer:
        writer.event(0, vehicles[0], "info", "active")
        for k in range(steps):
            for vehicle in vehicles:
                write_step(writer, vehicle, k)
            if k % 40 == 0:
                writer.event(k * STEP_NS, f"{vehicles[0]}/dvl", "warning", "no bottom")
            if k == 500:
                writer.event(k * STEP_NS, f"{vehicles[-1]}/front_port", "error", "thruster stuck", {"at": 3.0})
    return path
