"""Steps per second: in a loop, one call at a time, and for many vehicles at once."""

import hashlib
import os
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from remora.plant import PackedVehicle, Stepper, batch, initial_state, pack, rollout
from remora_evidence.benchmarks.mujoco import mujoco_baseline
from remora_evidence.benchmarks.timing import Work, quickest
from remora_evidence.benchmarks.vehicle import COMMANDS, SEED, TWIST, full_vehicle

SCATTER = 0.05  # by which the vehicles of a batch differ
VEHICLES = 64
# Steps in a window, so that it lasts a few milliseconds.
LOOP_STEPS, MUJOCO_STEPS, MUJOCO_RK4_STEPS = 5000, 1000, 300
CALLS = 1000
BATCH_STEPS = 100
SHARED_STEPS = 3000  # of each vehicle, so that starting the threads does not matter

_BYTES = bytes(5_000_000)

Values = Mapping[str, float | str]


def measure_loop(rounds: int = 400) -> Values:
    """Our loop over held inputs against MuJoCo's loop in C, with Euler and with RK4."""
    works: dict[str, Work] = {"loop": _loop(pack(full_vehicle()), COMMANDS)}
    falcon = _falcon()
    if falcon is not None:
        works["falcon"] = _loop(falcon, np.full(falcon.actuators, 0.3))
    if mujoco_baseline.is_present():
        works["euler"] = mujoco_baseline.steps_in_c("Euler", MUJOCO_STEPS)
        works["rk4"] = mujoco_baseline.steps_in_c("RK4", MUJOCO_RK4_STEPS)
    seconds = quickest(works, rounds)
    ours = LOOP_STEPS / seconds["loop"]
    return {
        "loop_steps_per_second": ours,
        "falcon_steps_per_second": LOOP_STEPS / seconds["falcon"] if falcon else "the falcon preset cannot be loaded",
        "loop_vs_mujoco": ours * seconds["euler"] / MUJOCO_STEPS if "euler" in seconds else mujoco_baseline.MISSING,
        "loop_vs_mujoco_rk4": ours * seconds["rk4"] / MUJOCO_RK4_STEPS if "rk4" in seconds else mujoco_baseline.MISSING,
    }


def measure_calls(rounds: int = 400) -> Values:
    """One call of ours per step from Python against one call of MuJoCo's Euler step."""
    packed = pack(full_vehicle())
    step, start, commands = (
        Stepper(packed, mujoco_baseline.STEP),
        initial_state(packed, twist=TWIST),
        np.array(COMMANDS),
    )

    def work() -> None:
        state = start
        for _ in range(CALLS):
            state = step(state, commands)

    works: dict[str, Work] = {"ours": work}
    if mujoco_baseline.is_present():
        works["mujoco"] = mujoco_baseline.steps_from_python(CALLS)
    seconds = quickest(works, rounds)
    return {
        "call_steps_per_second": CALLS / seconds["ours"],
        "call_vs_mujoco": seconds["mujoco"] / seconds["ours"] if "mujoco" in seconds else mujoco_baseline.MISSING,
    }


def measure_packing(repeats: int = 2000) -> Values:
    """Time to pack the parameters of one vehicle for compiled code, as the median of single calls."""
    parameters, seconds = full_vehicle(), np.empty(repeats)
    for k in range(repeats):
        start = time.perf_counter()
        pack(parameters)
        seconds[k] = time.perf_counter() - start
    return {"pack_microseconds": 1e6 * float(np.median(seconds))}


def measure_batch(rounds: int = 120) -> Values:
    """Vehicles with their own parameters on one thread against MuJoCo's `rollout`; both keep every state."""
    works: dict[str, Work] = {"ours": _batch(BATCH_STEPS, threads=1)}
    if mujoco_baseline.is_present():
        works["mujoco"] = mujoco_baseline.rollouts(VEHICLES, BATCH_STEPS)
    seconds = quickest(works, rounds)
    return {
        "batch_steps_per_second": VEHICLES * BATCH_STEPS / seconds["ours"],
        "batch_vs_mujoco": seconds["mujoco"] / seconds["ours"] if "mujoco" in seconds else mujoco_baseline.MISSING,
    }


def measure_cores(rounds: int = 60) -> Values:
    """A batch on one, on two and on all cores, by wall time; only the ends of the runs are kept.

    Beside it two bare loops: where these gain nothing either, the other core is not free.
    """
    cores = os.cpu_count() or 1
    works: dict[str | int, Work] = {
        threads: _batch(SHARED_STEPS, threads, only_end=True) for threads in sorted({1, min(2, cores), cores})
    }
    works |= {"bare, in turn": _bare_in_turn, "bare, at once": _bare_at_once}
    seconds = quickest(works, rounds, time.perf_counter)
    return {
        "batch_core_scaling": seconds[1] / seconds[2] if cores > 1 else "this machine has one core only",
        "batch_all_cores_scaling": seconds[1] / seconds[cores],
        "batch_all_cores_steps_per_second": VEHICLES * SHARED_STEPS / seconds[cores],
        "bare_core_scaling": seconds["bare, in turn"] / seconds["bare, at once"],
    }


def _bare() -> None:
    """A few milliseconds of work that shares nothing and leaves the interpreter's lock to others."""
    hashlib.sha256(_BYTES)


def _bare_in_turn() -> None:
    _bare()
    _bare()


def _bare_at_once() -> None:
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(_bare)
        _bare()
        other.result()


def _loop(packed: PackedVehicle, commands: NDArray[np.float64] | tuple[float, ...]) -> Work:
    """One interval of held commands, walked in RK4 steps of 10 ms."""
    start, held = initial_state(packed, twist=TWIST), np.array(commands)[None]
    return lambda: rollout(packed, start, held, LOOP_STEPS * mujoco_baseline.STEP, steps=LOOP_STEPS)


def _batch(steps: int, threads: int, only_end: bool = False) -> Work:
    """Scattered vehicles under one set of held commands, in RK4 steps of 10 ms."""
    vehicles = [pack(full_vehicle(SCATTER, SEED + i)) for i in range(VEHICLES)]
    starts = np.stack([initial_state(vehicle, twist=TWIST) for vehicle in vehicles])
    commands = [np.array(COMMANDS)]
    return lambda: batch(
        vehicles, starts, commands, mujoco_baseline.STEP, intervals=steps, only_end=only_end, threads=threads
    )


def _falcon() -> PackedVehicle | None:
    """The Falcon preset, or None while it cannot be read."""
    from remora.vehicles import VehicleFileError, load_vehicle

    try:
        return pack(load_vehicle("falcon").parameters)
    except VehicleFileError:
        return None
