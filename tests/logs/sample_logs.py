"""A small log with every kind of field, and ways to look at it."""

import math
from pathlib import Path

import numpy as np

from remora.logs import Channel, Field, Log, LogWriter, RunHeader

POSE = Channel(
    "truth/pose",
    (Field("p_NB_x", "m", "N", "north of the origin"), Field("p_NB_y", "m", "N"), Field("heading", "rad")),
    "where the vehicle is",
)
DVL = Channel(
    "falcon/dvl",
    (
        Field("v_NS_x", "m/s", "S", optional=True),
        Field("v_NS_y", "m/s", "S", optional=True),
        Field("valid", "1", kind="bool"),
        Field("beams", "1", kind="int"),
    ),
)
WIDE = Channel("falcon/battery-1", tuple(Field(f"cell_{number}", "V") for number in range(40)))
CHANNELS = (POSE, DVL, WIDE)
HEADER = RunHeader(
    version="0.1.0",
    seed=42,
    scenario_hash="0123456789abcdef",
    vehicle_hashes={"falcon": "fedcba9876543210"},
    simplifications=("no waves", "Lärm ohne Farbe"),
    notes={"operator": "nobody"},
)
STEP_NS = 10_000_000


def pose(step: int) -> tuple[float, float, float]:
    return (math.sin(0.01 * step), -0.0 if step % 7 == 0 else 0.1 * step, step / 3)


def dvl(step: int) -> tuple[float, float, bool, int]:
    locked = step % 30 != 0
    return (0.5 + step, -1e-300, True, 4) if locked else (math.nan, math.nan, False, -step)


def fill(writer: LogWriter, steps: range) -> None:
    """Write the steps of a run: pose always, the velocity log every fifth time, the battery every hundredth."""
    for step in steps:
        time_ns = step * STEP_NS
        writer.write("truth/pose", time_ns, pose(step))
        if step % 5 == 0:
            writer.write("falcon/dvl", time_ns, dvl(step))
        if step % 100 == 0:
            writer.write("falcon/battery-1", time_ns, [3.7 + 0.001 * step] * 40)
            writer.event(
                time_ns, "falcon/battery-1", "info", f"charge at step {step}", {"step": step, "list": [1, None]}
            )


def write_sample(path: Path, steps: int = 500, chunk_bytes: int = 4096, header: RunHeader = HEADER) -> Path:
    with LogWriter(path, header, CHANNELS, chunk_bytes=chunk_bytes) as writer:
        fill(writer, range(steps))
    return path


def rows(log: Log, channel: str) -> list[tuple[object, ...]]:
    """The rows of a channel, each with its time; NaN as a word, so that rows can be compared."""
    series = log[channel]
    columns = [series.time_ns.tolist(), *(column.tolist() for column in series.columns.values())]
    return [
        tuple("NaN" if isinstance(value, float) and np.isnan(value) else repr(value) for value in row)
        for row in zip(*columns, strict=True)
    ]


def everything(log: Log) -> dict[str, list[object]]:
    """All rows and events of a log."""
    return {**{name: list(rows(log, name)) for name in log.series}, "events": [repr(event) for event in log.events]}
