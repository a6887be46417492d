"""CPU time of estimators and of exact Jacobians: one call each as on a vehicle, and a whole record at once."""

from collections.abc import Mapping

import numpy as np

from remora.identification.online.recursive import RecursiveLeastSquares
from remora.plant import initial_state, pack
from remora.plant.dual.linearisation import STATE, PlantJacobian
from remora.vehicles import load_vehicle
from remora_evidence.benchmarks.timing import quickest
from remora_evidence.benchmarks.vehicle import SEED

AXES, VALUES = 3, 6
SAMPLES = 1000
JACOBIANS = 200  # per window
STEP = 0.05  # s


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


def measure_derivatives(rounds: int = 200) -> Mapping[str, float | str]:
    """Jacobian of an RK4 step by state and commands, and of the rate by attitude, twist and current."""
    random, packed = np.random.default_rng(SEED), pack(load_vehicle("falcon").parameters)
    outputs, commands = random.uniform(20.0, 60.0, (2, packed.actuators))
    state = initial_state(packed, quaternion=random.normal(size=4), twist=(0.5, -0.2, 0.15, 0.1, -0.15, 0.3))
    state[13:] = outputs
    step = PlantJacobian(packed, (*STATE, "commands"), STEP)
    rate = PlantJacobian(packed, ("rotation", "twist", "current"))
    inputs = step.inputs(state, commands, water=(0.1, -0.05, 0.02))

    def steps() -> None:
        for _ in range(JACOBIANS):
            step(inputs)

    def rates() -> None:
        for _ in range(JACOBIANS):
            rate(inputs)

    seconds = quickest({"step": steps, "rate": rates}, rounds)
    return {
        "step_jacobian_microseconds": 1e6 * seconds["step"] / JACOBIANS,
        "rate_jacobian_microseconds": 1e6 * seconds["rate"] / JACOBIANS,
    }
