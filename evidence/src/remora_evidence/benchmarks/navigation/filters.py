"""CPU time of an error-state filter: one cycle of all sensors, and an hour of readings in order and as they arrive."""

import time
from collections.abc import Mapping

from remora.messages.reading import Reading, Status
from remora.navigation.filters import FilterRun, run, table_of_series
from remora_evidence.benchmarks.navigation.inertial_filter import (
    IMU_RATE,
    LATENCIES,
    RATES,
    SIGMA,
    inertial_filter,
    start_state,
    turning_in_place,
)
from remora_evidence.benchmarks.timing import quickest
from remora_evidence.benchmarks.vehicle import SEED

CYCLES, CALLS = 2500, 250  # in one run, and by calls of step
HOUR = 3600.0


def measure_filter(rounds: int = 40) -> Mapping[str, float | str]:
    """Prediction and one reading of each of four sensors: within one compiled call, and one call per cycle."""
    made, prompt = inertial_filter(), inertial_filter(lag=0.0)
    series = turning_in_place((CYCLES + 1) / IMU_RATE, dict.fromkeys(RATES, IMU_RATE), SEED)
    series["imu"] = (series["imu"][0][1:], series["imu"][1][1:])
    table, start = table_of_series(series), made.initial(start_state(), SIGMA)
    cycles = [
        [
            Reading(name, int(stamps[k]), int(stamps[k]), Status.OK, tuple(values[k].tolist()))
            for name, (stamps, values) in series.items()
        ]
        for k in range(CALLS)
    ]

    def calls() -> None:
        belief = start
        for readings in cycles:
            belief, _ = made.step(belief, readings)

    problem = refused_reading(run(prompt, start, table))
    if problem:
        return {"filter_cycle_microseconds": problem, "filter_step_microseconds": problem}
    seconds = quickest({"run": lambda: run(prompt, start, table), "calls": calls}, rounds)
    return {
        "filter_cycle_microseconds": 1e6 * seconds["run"] / CYCLES,
        "filter_step_microseconds": 1e6 * seconds["calls"] / CALLS,
    }


def measure_replay(duration: float = HOUR) -> Mapping[str, float | str]:
    """An hour of readings, sorted, and in the order of arrival with the latencies of the Falcon."""
    made, series = inertial_filter(), turning_in_place(duration, RATES, SEED)
    start, found = made.initial(start_state(), SIGMA), {}
    for name, latencies in {"replay_hour_seconds": {}, "replay_hour_late_seconds": LATENCIES}.items():
        table, begin = table_of_series(series, latencies), time.process_time()
        done = run(made, start, table)
        found[name] = refused_reading(done) or (time.process_time() - begin) * HOUR / duration
    return found


def refused_reading(done: FilterRun) -> str:
    """Why a run does not count: a rejected reading costs less. Empty if every reading was used."""
    for name, series in done.innovations.items():
        if series.count("used") != len(series.outcomes):
            return f"{len(series.outcomes) - series.count('used')} readings of {name} were not used"
    return ""
