"""Speed of whole missions: by truth and by sensors, on a tether in waves, with filter and adaptive control."""

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from remora.plant.rollouts import rollout
from remora.run.loop.loop import run
from remora.run.setup import Setup
from remora.scenarios import read_scenario, scenario_from_text
from remora.scenarios.library import scenario_path
from remora_evidence.benchmarks.timing import quickest
from remora_evidence.process_pool import Job, run_jobs

Values = Mapping[str, float | str]
SECOND = 1_000_000_000
FILTER = "navigation: {part: filter, rate: 100 Hz}"
INSTRUMENTS = "navigation: {part: instruments, rate: 400 Hz, attitude: ahrs, rates: gyro, velocity: dvl}"
MISSIONS, PROCESSES = 200, 2  # of the campaign
SCATTER = "scatter: {mass: 1 %, added_mass: 15 %, linear_damping: 15 %, quadratic_damping: 15 %, thrust: 5 %}"


def measure_mission(rounds: int = 6) -> Values:
    """Simulated seconds per second of CPU of the tunnel mission, what its log costs, and CPU over that of its plant."""
    setup = read_scenario("tunnel")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "mission.mcap"
        works = {
            "logged": lambda: run(setup, log),
            "silent": lambda: run(setup),
            "plant": lambda: rolled_out(setup),
        }
        seconds = quickest(works, rounds)
    return {
        "mission_speed": setup.duration_ns / SECOND / seconds["logged"],
        "mission_log_cost": 100.0 * (seconds["logged"] / seconds["silent"] - 1.0),
        "mission_vs_plant": seconds["silent"] / seconds["plant"],
    }


def rolled_out(setup: Setup) -> None:
    """All steps of the plant of a mission in one call, with resting commands."""
    vehicle, steps = setup.vehicles[0], setup.duration_ns // setup.step_ns
    packed = vehicle.plant.packed
    commands = np.zeros(packed.actuators)
    rollout(packed, vehicle.start, commands, setup.duration_ns / SECOND, steps, method=setup.method)


def measure_sensor_mission(rounds: int = 3) -> Values:
    """The tunnel mission by its sensors: the instruments as they are, and with the filter of the scenario."""
    text = scenario_path("real_tunnel").read_text(encoding="utf-8").replace(FILTER, INSTRUMENTS)
    return {
        "sensor_mission_speed": mission_speed(scenario_from_text(text), rounds),
        "filter_mission_speed": mission_speed(read_scenario("real_tunnel"), rounds),
    }


def measure_open_sea(rounds: int = 2) -> Values:
    """An ROV on its umbilical in waves."""
    return {"open_sea_speed": mission_speed(read_scenario("open_sea"), rounds)}


def measure_falcon_mission(rounds: int = 3) -> Values:
    """The Falcon by its filter, with adaptive control."""
    return {"falcon_mission_speed": mission_speed(read_scenario("falcon_adaptive"), rounds)}


def mission_speed(setup: Setup, rounds: int) -> float:
    """Simulated seconds per second of CPU of a mission with its log, compiled beforehand."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "mission.mcap"
        seconds = quickest({"mission": lambda: run(setup, log)}, rounds)
    return setup.duration_ns / SECOND / seconds["mission"]


def measure_campaign(missions: int = MISSIONS) -> Values:
    """Wall time of many tunnel missions with scattered vehicles, without logs, on two processes."""
    scattered_mission(0)  # compiles what is not in the cache
    jobs = [Job(str(seed), f"{__name__}:scattered_mission", (seed,)) for seed in range(missions)]
    start = time.perf_counter()
    failed = [done.error for done in run_jobs(jobs, PROCESSES) if done.error]
    seconds = time.perf_counter() - start
    return {"campaign_seconds": f"{len(failed)} missions failed: {failed[0]}" if failed else seconds}


def scattered_setup(seed: int) -> Setup:
    """The tunnel mission with a scattered vehicle."""
    text = scenario_path("tunnel").read_text(encoding="utf-8")
    scattered = text.replace("    file: vita1\n", f"    file: vita1\n    {SCATTER}\n")
    return scenario_from_text(scattered, changes={"seed": seed})


def scattered_mission(seed: int) -> None:
    """Run one mission of a campaign; a RuntimeError when it fails."""
    outcome = run(scattered_setup(seed))
    if outcome.stopped:
        raise RuntimeError(outcome.stopped)
