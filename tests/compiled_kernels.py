"""Compilation of the kernels before the tests start; as a script, beside other checks: all of them, or those named."""

import sys
from collections.abc import Sequence
from functools import partial

from remora.plant import compilation
from remora.plant.batches.lane_loop import batch_kernel, general_batch_kernel
from remora.plant.engine_hydrodynamics import engine_hydrodynamics_kernel
from remora.plant.multibody.multibody_kernels import compile_linked_bodies, piece_address
from remora.plant.tether import tether_kernels

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


def compile_kernels(names: Sequence[str] = tuple(KERNELS)) -> None:
    """Compile kernels, or load them from the cache."""
    for name in names:
        KERNELS[name]()


if __name__ == "__main__":
    compile_kernels(sys.argv[1:] or tuple(KERNELS))
