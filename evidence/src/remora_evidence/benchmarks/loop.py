"""Runs through the loop without a mission: a bare loop, and memory over an hour."""

import tempfile
import tracemalloc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from remora.logs.schema import Field
from remora.messages.part import PartInput, Role
from remora.plant.plant import Plant
from remora.run.loop.loop import run
from remora.run.setup import ScheduledPart, Setup, VehicleSetup
from remora.vehicles import load_vehicle
from remora_evidence.benchmarks.timing import quickest

Values = Mapping[str, float | str]
SECOND = 1_000_000_000
BARE_SECONDS = 20  # of a bare run, so that it lasts a few milliseconds
SHORT_RUN, LONG_RUN = 600, 3600  # s, between whose peaks of memory the difference is taken
MEGABYTE = 1e6
DEPTH = 100.0  # m: so deep that a bare run, which drives upwards, stays under water


@dataclass(frozen=True)
class SmallController:
    """Drives a number towards another and gives it to all actuators: about what a loop in Python does at least."""

    count: int
    fields: tuple[Field, ...] = ()

    def initial(self) -> float:
        """Nothing summed yet."""
        return 0.0

    def step(self, state: float, now: PartInput) -> tuple[float, list[float]]:
        """An integral and a share of what is left."""
        left = 5.0 - state
        return state + 0.01 * left, [2.0 * left] * self.count

    def row(self, output: Any) -> Sequence[float]:
        """Nothing to log."""
        return ()


def bare_setup(seconds: int) -> Setup:
    """One vehicle with one plant step of 10 ms and one small controller each step."""
    vehicle = load_vehicle("bluerov2_heavy")
    plant = Plant(vehicle)
    control = ScheduledPart(Role.CONTROL, "small", SmallController(plant.packed.actuators), 10_000_000)
    start = np.asarray(plant.initial_state((0.0, 0.0, DEPTH)))
    return Setup((VehicleSetup("rov", plant, vehicle, start, parts=(control,)),), seconds * SECOND)


def measure_bare_loop(rounds: int = 200) -> Values:
    """Simulated seconds per second of CPU of a bare loop."""
    setup = bare_setup(BARE_SECONDS)
    return {"bare_loop_speed": BARE_SECONDS / quickest({"bare": lambda: run(setup)}, rounds)["bare"]}


def measure_memory() -> Values:
    """How much more memory an hour takes at its peak than ten minutes, with a log."""
    return {"hour_memory_growth": (peak_memory(LONG_RUN) - peak_memory(SHORT_RUN)) / MEGABYTE}


def peak_memory(seconds: int) -> float:
    """Peak of the memory that Python holds during a logged run, bytes."""
    setup = replace(bare_setup(seconds), log_period_ns=100_000_000)
    with tempfile.TemporaryDirectory() as folder:
        run(bare_setup(1), Path(folder) / "first.mcap")  # what is loaded once does not count
        tracemalloc.start()
        try:
            run(setup, Path(folder) / "run.mcap")
            return float(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
