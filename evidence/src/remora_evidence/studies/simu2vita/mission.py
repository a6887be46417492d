"""Runs of vita1 in a tunnel, Gava et al. 2022: bundled scenarios through the loop, and what their logs hold."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import add3, matvec3, scale3
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array, Integers
from remora.logs import Log, read_log
from remora.report.simulations.mission_figure import SIDES
from remora.run.loop.loop import run
from remora.scenarios import read_scenario
from remora.world import Tunnel

Echoes: TypeAlias = tuple[float | None, ...]

VEHICLE = "vita1"
LOOKS: tuple[Vector3, ...] = ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (0.0, 0.0, 1.0))
FACE = 0.3  # m, half the cube on whose faces the echosounders sit


class Mission(NamedTuple):
    """What the log of a run holds; times in seconds, one row per time."""

    times: Array
    states: Array  # 13 numbers of the body
    commands: Array
    outputs: Array  # N, of the thrusters
    reading_times: Array
    readings: Array  # m, in the order of SIDES, NaN where there is no echo
    asked: Array  # m, lateral and vertical difference of readings, at the times of readings; NaN before the first


def fly(scenario: str, changes: Mapping[str, Any] | None = None) -> Mission:
    """Run a bundled scenario to its end and take the mission out of its log."""
    setup = read_scenario(scenario, changes)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "run.mcap"
        outcome = run(setup, file)
        if outcome.stopped:
            raise RuntimeError(f"{scenario} stopped at {outcome.time_ns * 1e-9:g} s: {outcome.stopped}")
        return mission_of(read_log(file))


def mission_of(log: Log) -> Mission:
    """The mission that a log holds."""
    truth, reference = log.series[f"{VEHICLE}/truth"], log.series[f"{VEHICLE}/reference"]
    sounders = [log.series[f"{VEHICLE}/echo_{side}"] for side in SIDES]
    return Mission(
        times=truth.time,
        states=truth.table(),
        commands=log.series[f"{VEHICLE}/commands"].table(),
        outputs=log.series[f"{VEHICLE}/outputs"].table(),
        reading_times=sounders[0].time,
        readings=np.column_stack([sounder["distance"] for sounder in sounders]),
        asked=_held(reference.time_ns, reference.table("lateral", "vertical"), sounders[0].time_ns),
    )


def _held(known_ns: Integers, rows: Array, times_ns: Integers) -> Array:
    """Rows that hold at some times, NaN before the first: guidance waits for the velocity of a filter."""
    at = np.searchsorted(known_ns, times_ns, side="right") - 1
    return np.where((at < 0)[:, None], np.nan, rows[np.maximum(at, 0)])


def echoes(tunnel: Tunnel, position: Vector3, quaternion: Quaternion) -> Echoes:
    """What the four echosounders would read without noise, in the order of SIDES; None for no wall."""
    R = rotation_matrix(quaternion)
    rays = [matvec3(R, look) for look in LOOKS]
    return tuple(tunnel.distance(add3(position, scale3(FACE, ray)), ray) for ray in rays)


def settling_time(times: Array, errors: Array, band: float) -> float:
    """The first sample after which all errors stay inside a band."""
    outside = np.flatnonzero(np.abs(errors).reshape(len(errors), -1).max(axis=1) > band)
    if not outside.size:
        return float(times[0])
    return float(times[outside[-1] + 1]) if outside[-1] + 1 < len(times) else float("inf")
