"""Prepared batches: steps of many vehicles per call, variants of a vehicle, and `Plant.step` in a Python loop."""

import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from remora.files.arrays import Array
from remora_evidence.benchmarks.timing import quickest
from remora_evidence.benchmarks.vehicle import SEED

if TYPE_CHECKING:  # the command's help must not wait for compiled code
    from remora.plant import PackedBatch
    from remora.plant.plant import Plant

VEHICLES = 4096
SCATTER = 0.05  # relative, of every quantity that varies
OFFSET = 0.002  # m, standard deviation of the centres
STEP = 0.01  # s
LARGEST_COMMAND = 10.0  # N
CALLS = 1000

Values = Mapping[str, float | str]


def measure_environment(calls: int = 20) -> Values:
    """Vehicles per second of a `BatchStepper` on one thread: new commands and a look at the mask in each call."""
    from remora.plant import BatchStepper

    plant, random = _plant(), np.random.default_rng(SEED)
    start = plant.initial_state(position=(0.0, 0.0, 5.0))
    stepper = BatchStepper(variants(plant), start, STEP, threads=1)

    def call(commands: Array) -> None:
        stepper(commands)
        if stepper.failed.any():
            raise stepper.failures[0]

    def seconds() -> float:
        commands = random.uniform(-LARGEST_COMMAND, LARGEST_COMMAND, (VEHICLES, len(plant.actuator_names)))
        began = time.process_time()
        call(commands)
        return time.process_time() - began

    seconds()
    return {"env_frames_per_second": VEHICLES / median(seconds() for _ in range(calls))}


def measure_variations(rounds: int = 20) -> Values:
    """Microseconds per variant of `Plant.variations`, with all its quantities and their checks."""
    plant = _plant()
    return {"variation_microseconds": 1e6 * quickest({"": _variation(plant)}, rounds)[""] / VEHICLES}


def measure_plant_step(rounds: int = 100) -> Values:
    """Microseconds of `Plant.step` in a loop in Python, all inputs checked in every call."""
    plant = _plant()
    start, commands = plant.initial_state(), np.full(len(plant.actuator_names), 2.0)

    def work() -> None:
        state = start
        for _ in range(CALLS):
            state = plant.step(state, commands, STEP)

    return {"plant_step_microseconds": 1e6 * quickest({"": work}, rounds)[""] / CALLS}


def variants(plant: "Plant") -> "PackedBatch":
    """Scattered variants of a vehicle."""
    return _variation(plant)()


def _plant() -> "Plant":
    from remora.plant.plant import Plant
    from remora.vehicles import load_vehicle

    return Plant(load_vehicle("bluerov2_heavy"))


def _variation(plant: "Plant") -> Callable[[], "PackedBatch"]:
    """Function that packs scattered variants; the random numbers are drawn before."""
    random, p = np.random.default_rng(SEED), plant.vehicle.parameters

    def scattered(nominal: object) -> Array:
        values = np.asarray(nominal, dtype=float)
        return values * np.exp(SCATTER * random.standard_normal((VEHICLES, *values.shape)))

    quantities = {
        "mass": scattered(p.mass),
        "displaced_mass": scattered(p.displaced_mass),
        "center_of_gravity": p.p_BG + OFFSET * random.standard_normal((VEHICLES, 3)),
        "center_of_buoyancy": p.p_BC + OFFSET * random.standard_normal((VEHICLES, 3)),
        "inertia": scattered(np.diag(p.inertia_G)),
        "added_mass": scattered(np.diag(p.added_mass)),
        "linear_damping": scattered(np.diag(p.linear_damping)),
        "quadratic_damping": scattered(np.diag(p.quadratic_damping)),
        "thrust": scattered(np.ones(len(p.thrusters))),
    }
    return lambda: plant.variations(**quantities)
