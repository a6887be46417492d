"""Samples per second that an estimator takes: one call each as on a vehicle, and a whole record at once."""

from collections.abc import Mapping

import numpy as np

from remora.evidence.benchmarks.timing import quickest
from remora.evidence.benchmarks.vehicle import SEED
from remora.identification.online.recursive import RecursiveLeastSquares

AXES, VALUES = 3, 6
SAMPLES = 1000


def measure_recursive(rounds: int = 100) -> Mapping[str, float | str]:
    """Recursive least squares in square-root form with forgetting, which is the slowest way."""
    random = np.random.default_rng(SEED)
    matrices, targets = random.normal(size=(SAMPLES, AXES, VALUES)), random.normal(size=(SAMPLES, AXES))
    estimator = RecursiveLeastSquares(VALUES, AXES, forgetting=0.999)
    start = estimator.initial()

    def one_by_one() -> None:
        state = start
        for matrix, target in zip(matrices, targets, strict=True):
            state = estimator.step(state, matrix, target)

    def at_once() -> None:
        estimator.run(start, matrices, targets)

    seconds = quickest({"calls": one_by_one, "record": at_once}, rounds)
    return {"recursive_update_rate": SAMPLES / seconds["calls"], "recursive_record_rate": SAMPLES / seconds["record"]}
