"""Scenarios read and flown one after the other in one process leave nothing behind."""

import gc
import warnings

import pytest

import remora

RUNS = 3
STRAY = 100  # objects of caches that may still fill; a filter that is loaded again leaves thousands


def objects_after_runs(scenario: str) -> int:
    """Objects alive after some short runs, each of them read anew."""
    for _ in range(RUNS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            remora.simulate(scenario, duration=0.5)
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.parametrize("scenario", ["bluerov_square", "docking_pair"])
def test_objects_in_memory_do_not_grow_with_the_number_of_runs(scenario: str) -> None:
    first = objects_after_runs(scenario)
    assert objects_after_runs(scenario) - first < STRAY
