"""Compilation of the kernels before the tests start; as a script, beside other checks: all of them, or those named."""

import sys
from collections.abc import Sequence

from remora.kernels import compilation
from remora.kernels.multibody.multibody_kernels import compile_linked_bodies, piece_address

KERNELS = (
    "batch_kernel",
    "layered_kernels",
    "general_kernels",
    "general_batch_kernel",
    "tether_kernels",
    "engine_hydrodynamics_kernel",
)


def compile_kernels(names: Sequence[str] = KERNELS) -> None:
    """Compile kernels, or load them from the cache."""
    for name in names:
        getattr(compilation, name)()
    compile_linked_bodies()
    piece_address("general loads")


if __name__ == "__main__":
    compile_kernels(sys.argv[1:] or KERNELS)
