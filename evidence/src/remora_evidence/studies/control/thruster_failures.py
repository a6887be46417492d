"""Station keeping through the failure of any thruster of a BlueROV2 Heavy, which its fault detector reports."""

import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.files.arrays import Array
from remora.logs.readers.registry import read_log
from remora.run.loop.loop import run
from remora.scenarios.scenario import load_scenario
from remora_evidence.requirements import StudyFunction, Value

FAILURE, SETTLING, COUNTED = 20.0, 10.0, 60.0  # s: time of the failure, time after it, time that counts
AXES = ("x", "y", "z", "heading")


class StationRun(NamedTuple):
    """A run of `bluerov_station`."""

    rms: Array  # m and rad, of each axis
    named: tuple[str, ...]  # thrusters that the detector reported
    delay: float  # s from the failure to the first report


@cache
def station(seed: int, thruster: str) -> StationRun:
    """Station keeping with a thruster that dies; without a failure where it has no name."""
    faults = [{"fault": "dead", "of": thruster, "at": f"{FAILURE} s"}] if thruster else []
    changes = {"seed": seed, "duration": f"{FAILURE + SETTLING + COUNTED} s", "vehicles[0].faults": faults}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.mcap"
        run(load_scenario("bluerov_station").with_(changes).setup, file)
        log = read_log(file)
    truth = log["rov/truth"]
    states = truth.table()[truth.time > FAILURE + SETTLING]
    headings = np.array([to_euler_zyx(tuple(q))[2] for q in states[:, 3:7]])
    errors = np.column_stack([states[:, :3] - (0.0, 0.0, 6.0), headings])
    found = [e for e in log.events if e.source == "rov/navigation" and "thruster" in e.data]
    delay = 1e-9 * found[0].time_ns - FAILURE if found else np.inf
    return StationRun(np.sqrt(np.mean(errors**2, axis=0)), tuple(e.data["thruster"] for e in found), delay)


def station_with_failures(seeds: Sequence[int]) -> Iterator[Value]:
    """Q4: errors after a failure over those without one, the worst of all; each seed takes the next thruster."""
    names = load_scenario("bluerov_station").setup.vehicles[0].plant.actuator_names
    ratios, right, wrong, delays = [], 0, 0, []
    for seed in seeds:
        thruster = names[seed % len(names)]
        healthy, failed = station(seed, ""), station(seed, thruster)
        ratios.append(failed.rms / healthy.rms)
        right += failed.named == (thruster,)
        wrong += len(healthy.named) + sum(name != thruster for name in failed.named)
        delays.append(failed.delay)
    worst = np.max(ratios, axis=0)
    yield from ((f"RMS after a failure over the healthy one, {a}", float(x)) for a, x in zip(AXES, worst, strict=True))
    yield "failures named by the detector", 100.0 * right / len(seeds)
    yield "sound thrusters named", float(wrong)
    yield "median delay", float(np.median(delays))


STUDIES: dict[str, StudyFunction] = {"Q4": station_with_failures}
