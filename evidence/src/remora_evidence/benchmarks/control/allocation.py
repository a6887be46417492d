"""Control allocation: one bounded allocation of eight thrusters, within and beyond their limits."""

from collections.abc import Mapping

import numpy as np

from remora import load_vehicle
from remora.control.allocation.thrusters import bounded_allocation
from remora_evidence.benchmarks.timing import quickest

WRENCHES = 500
SEED = 1
BEYOND = (150.0, 150.0, 150.0, 20.0, 20.0, 20.0)  # N and N m, standard deviations; nearly all are beyond the limits
WITHIN = (10.0, 10.0, 10.0, 1.0, 1.0, 1.0)


def measure_allocation(rounds: int = 40) -> Mapping[str, float | str]:
    """CPU of one call for random wrenches."""
    allocation = bounded_allocation(load_vehicle("bluerov2_heavy").parameters)
    drawn = np.random.default_rng(SEED).normal(size=(WRENCHES, 6))

    def over(size: tuple[float, ...]) -> None:
        for wrench in drawn * size:
            allocation.allocate(wrench)

    seconds = quickest({"beyond": lambda: over(BEYOND), "within": lambda: over(WITHIN)}, rounds)
    return {
        "allocation_microseconds": 1e6 * seconds["beyond"] / WRENCHES,
        "allocation_within_microseconds": 1e6 * seconds["within"] / WRENCHES,
    }
