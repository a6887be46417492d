"""Compiled simulation loops over packed vehicles: rates, steps, rollouts and batches."""

from remora.plant.batches.batch_stepper import BatchStepper
from remora.plant.batches.packed_batch import PackedBatch
from remora.plant.failures import BatchError, RunError
from remora.plant.methods import (
    ADAMS_BASHFORTH_2,
    EULER,
    HEUN,
    METHODS,
    RK4,
    SEMI_IMPLICIT_EULER,
    IntegrationMethod,
    dormand_prince,
    runge_kutta,
)
from remora.plant.pack import PackedVehicle, pack
from remora.plant.rollouts import batch, derivative, initial_state, rollout
from remora.plant.stepper import Stepper

__all__ = [
    "ADAMS_BASHFORTH_2",
    "EULER",
    "HEUN",
    "METHODS",
    "RK4",
    "SEMI_IMPLICIT_EULER",
    "BatchError",
    "BatchStepper",
    "IntegrationMethod",
    "PackedBatch",
    "PackedVehicle",
    "RunError",
    "Stepper",
    "batch",
    "derivative",
    "dormand_prince",
    "initial_state",
    "pack",
    "rollout",
    "runge_kutta",
    "warm_up",
]


def warm_up() -> None:
    """Compile all kernels, or load them from the cache; the one for rigid-body engines waits for its first body."""
    from remora.plant.batches.lane_loop import batch_kernel, general_batch_kernel
    from remora.plant.compilation import general_kernels, layered_kernels
    from remora.plant.tether import tether_kernels

    batch_kernel()
    layered_kernels()
    general_kernels()
    general_batch_kernel()
    tether_kernels()
