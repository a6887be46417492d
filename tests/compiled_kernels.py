"""Compilation of the kernels before the tests start; as a script, beside other checks: all of them, or those named."""

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from remora.plant import compilation
from remora.plant.batches.lane_loop import batch_kernel, general_batch_kernel
from remora.plant.kernels.engine_hydrodynamics import engine_hydrodynamics_kernel
from remora.plant.kernels.tether import tether_kernels
from remora.plant.multibody.multibody_kernels import compile_linked_bodies, piece_address

KERNELS = {
    "batch_kernel": batch_kernel,
    "layered_kernels": compilation.layered_kernels,
    "general_kernels": compilation.general_kernels,
    "general_batch_kernel": general_batch_kernel,
    "tether_kernels": tether_kernels,
    "engine_hydrodynamics_kernel": engine_hydrodynamics_kernel,
    "linked_bodies": compile_linked_bodies,
    "linked_general_bodies": partial(piece_address, "general loads"),
}


def compile_in_child(make: Callable[[], Any]) -> None:
    """Compile in a copy of this process, which loads the result from the cache: Numba keeps up to 300 MB per kernel."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads: the copy only compiles
        child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        make()  # after an error this process tries again, and shows it
    finally:
        os._exit(0)


def spare_memory() -> None:
    """Let a process of its own compile what this one needs; on Linux, since others do not fork safely."""
    if sys.platform == "linux":
        compilation.compile_ahead = compile_in_child


def compile_kernels(names: Sequence[str] = tuple(KERNELS)) -> None:
    """Compile kernels, or load them from the cache."""
    for name in names:
        KERNELS[name]()


if __name__ == "__main__":
    compile_kernels(sys.argv[1:] or tuple(KERNELS))
