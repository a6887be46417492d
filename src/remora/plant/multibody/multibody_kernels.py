"""Entry points of compiled code for linked bodies, and their compilation on first use."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numba
from numba import float64, int64, void

from remora.plant import compilation, registration
from remora.plant.multibody.solvers import link_rows, linked_actuators, loop_solver, memory, stepping, tree_solver
from remora.plant.multibody.solvers.linked_actuators import (
    advance_actuators,
    begin_actuators,
    fill_loads_basic,
    fill_loads_general,
)
from remora.plant.multibody.solvers.loop_solver import solve_loops
from remora.plant.multibody.solvers.stepping import (
    SIGNATURE,
    accelerate_bodies,
    memory_view,
    project_bodies,
    step_bodies,
)
from remora.plant.multibody.solvers.tree_solver import solve_tree

# Compiled once and called, not inlined.
APART: tuple[Callable[..., Any], ...] = (
    tree_solver.eliminate_rigid,
    tree_solver.eliminate_ball,
    tree_solver.eliminate_hinge,
    tree_solver.eliminate_slider,
    tree_solver.eliminate_distance,
    link_rows.rigid_rows,
    link_rows.ball_rows,
    link_rows.hinge_rows,
    link_rows.slider_rows,
    link_rows.distance_rows,
)


ENTRIES = ("memory_size", "step_bodies", "accelerate_bodies", "project_bodies")


class MultibodyKernels(NamedTuple):
    """The compiled entry points for linked bodies."""

    step: Any
    accelerate: Any
    project: Any


def begin_piece(integers: Any, floats: Any, start: int, number: int, elapsed: float) -> float:
    """Apply commands to all actuators."""
    return 1.0 if begin_actuators(memory_view(integers), memory_view(floats)) else 0.0


def advance_piece(integers: Any, floats: Any, start: int, number: int, elapsed: float) -> float:
    """Outputs of all actuators at the stage times of a step."""
    advance_actuators(memory_view(integers), memory_view(floats), elapsed)
    return 0.0


def basic_loads_piece(integers: Any, floats: Any, start: int, number: int, elapsed: float) -> float:
    """Loads of basic bodies in steady water; the number is the node of the step."""
    fill_loads_basic(memory_view(integers), memory_view(floats), start, number, elapsed)
    return 0.0


def general_loads_piece(integers: Any, floats: Any, start: int, number: int, elapsed: float) -> float:
    """Loads of any bodies in any water; the number is the node of the step."""
    fill_loads_general(memory_view(integers), memory_view(floats), start, number, elapsed)
    return 0.0


def tree_piece(integers: Any, floats: Any, start: int, number: int, elapsed: float) -> float:
    """Motions of bodies in trees; the number is the level."""
    solve_tree(memory_view(integers), memory_view(floats), start, number)
    return 0.0


def loops_piece(integers: Any, floats: Any, start: int, number: int, elapsed: float) -> float:
    """Motions of bodies in loops; the number is the level."""
    return solve_loops(memory_view(integers), memory_view(floats), start, number)


# Function, and its description for the announcement of its compilation.
PIECES: dict[str, tuple[Callable[..., float], str]] = {
    "begin": (begin_piece, "the actuators of linked bodies"),
    "advance": (advance_piece, "the stages of actuators of linked bodies"),
    "basic loads": (basic_loads_piece, "the loads of linked bodies"),
    "general loads": (general_loads_piece, "the loads of linked general bodies"),
    "tree": (tree_piece, "the elimination of trees of bodies"),
    "loops": (loops_piece, "the solver for loops of bodies"),
}


@lru_cache(maxsize=1)
def _register(cache: bool) -> None:
    """Make all functions of the solvers callable from compiled code."""
    names = tuple(function.__name__ for function in APART)
    for module in (memory, tree_solver, link_rows, loop_solver, linked_actuators, stepping):
        registration.register_functions(module, without=(*names, *ENTRIES))
    for function in APART:
        compiled = numba.njit(**{**compilation.OPTIONS, "cache": cache})(function)
        registration.replace_by_compiled(function, compiled)


@lru_cache(maxsize=len(PIECES))
def piece_address(name: str) -> int:
    """Address of a compiled piece, compiled on first use."""
    function, part = PIECES[name]

    def make(cached: dict[str, Any]) -> Any:
        _register(cached["cache"])
        options = {key: value for key, value in cached.items() if key != "nogil"}
        return numba.cfunc(SIGNATURE, **options)(function)

    compilation.kernels()  # registers all that they call
    return int(_made(name, part, make).address)


_held: dict[str, Any] = {}  # so that the machine code of addresses stays


def _made(name: str, part: str, make: Callable[[dict[str, Any]], Any]) -> Any:
    _held[name] = compilation.from_cache(part, make, seconds=10)
    return _held[name]


def _entry_points(cached: dict[str, Any]) -> MultibodyKernels:
    """Compile or load the entry points."""
    _register(cached["cache"])
    codes, memory = int64[::1], float64[::1]
    return MultibodyKernels(
        numba.njit(int64(codes, memory), **cached)(step_bodies),
        numba.njit(float64(codes, memory), **cached)(accelerate_bodies),
        numba.njit(void(codes, memory, int64), **cached)(project_bodies),
    )


@lru_cache(maxsize=1)
def multibody_kernels() -> MultibodyKernels:
    """The steps of linked bodies; they call pieces whose addresses are in the memory of a system."""
    compilation.kernels()
    return cast(MultibodyKernels, compilation.from_cache("the steps of linked bodies", _entry_points, seconds=10))


@lru_cache(maxsize=1)
def compile_linked_bodies() -> None:
    """Compile all that systems of basic bodies in steady water need, or find it in the cache."""
    multibody_kernels()
    for name in ("begin", "advance", "basic loads", "tree", "loops"):
        piece_address(name)
