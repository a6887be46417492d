"""Groups of compiled kernels, and their compilation before studies run."""

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias, get_args

KernelPart: TypeAlias = Literal[
    "equations",
    "uncommon",
    "sheared",
    "batches",
    "uncommon batches",
    "tethers",
    "engines",
    "adaptive",
    "recursive",
    "docking",
    "linked",
]


def makers() -> dict[KernelPart, Callable[[], Any]]:
    """What compiles or loads each part; imported when asked for, because Numba takes a second to load."""
    from remora.plant import compilation
    from remora.plant.adaptive import adaptive_kernels
    from remora.plant.batches.lane_loop import batch_kernel, general_batch_kernel
    from remora.plant.docking import docking_kernels
    from remora.plant.engine_hydrodynamics import engine_hydrodynamics_kernel
    from remora.plant.multibody.multibody_kernels import compile_linked_bodies
    from remora.plant.recursive_least_squares import recursive_kernels
    from remora.plant.tether import tether_kernels

    return {
        "equations": compilation.kernels,
        "uncommon": compilation.general_kernels,
        "sheared": compilation.layered_kernels,
        "batches": batch_kernel,
        "uncommon batches": general_batch_kernel,
        "tethers": tether_kernels,
        "engines": engine_hydrodynamics_kernel,
        "adaptive": adaptive_kernels,
        "recursive": recursive_kernels,
        "docking": docking_kernels,
        "linked": compile_linked_bodies,
    }


def compile_parts(parts: Iterable[KernelPart]) -> None:
    """Compile these parts now, each once, or find them in the cache; each that is compiled is announced."""
    wanted = set(parts)
    if not wanted:
        return
    by_name = makers()
    for part in get_args(KernelPart):
        if part in wanted:
            by_name[part]()
