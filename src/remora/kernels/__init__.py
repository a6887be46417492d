"""Compiled loops and nothing else: vehicles packed into rows of numbers and run through time."""

from remora.kernels.failures import BatchError, RunError
from remora.kernels.methods import (
    ADAMS_BASHFORTH_2,
    EULER,
    HEUN,
    METHODS,
    RK4,
    SEMI_IMPLICIT_EULER,
    Method,
    dormand_prince,
    runge_kutta,
)
from remora.kernels.pack import PackedVehicle, pack
from remora.kernels.running import Stepper, batch, derivative, initial_state, rollout

__all__ = [
    "ADAMS_BASHFORTH_2",
    "EULER",
    "HEUN",
    "METHODS",
    "RK4",
    "SEMI_IMPLICIT_EULER",
    "BatchError",
    "Method",
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
    """Compile all kernels now, those for batches and tethers too, or load them, so that nothing waits later.

    The one for bodies of other engines waits for its first body.
    """
    from remora.kernels.compilation import (
        abreast_kernel,
        drifting_kernels,
        line_kernels,
        uncommon_abreast_kernel,
        uncommon_kernels,
    )

    abreast_kernel()
    drifting_kernels()
    uncommon_kernels()
    uncommon_abreast_kernel()
    line_kernels()
