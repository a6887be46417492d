"""Compilation of a filter from plain functions on tuples, with a cache keyed by their sources."""

import hashlib
import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba import float64, int64
from numba.core.errors import NumbaError
from numba.extending import register_jitable

from remora.files.problems import InputError
from remora.kernels import registration
from remora.kernels.compilation import from_cache
from remora.kernels.dual.dual_intrinsics import SLOPES
from remora.navigation.filters import event_loop, jacobians, ud_factors
from remora.navigation.filters.models import AidingModel, Chart, Process

_row, _integers, _matrix = float64[::1], int64[::1], float64[:, ::1]
SIGNATURE = int64(
    _row, _matrix, _row, _row, _integers, _row, _row, _matrix, _matrix, _matrix, _integers, _integers, _integers,
    _matrix, _matrix, _matrix, _row, _integers, _matrix, _matrix, _matrix, _matrix, _matrix,
)  # fmt: skip
COMPILATION_SECONDS = 15

_registered: set[Any] = set()


def own_functions(function: Any) -> Iterator[FunctionType]:
    """A function and those it calls by name, without the equations, which are registered already."""
    pending, seen = [function], set()
    while pending:
        one = pending.pop()
        module = getattr(one, "__module__", None) or ""
        if not isinstance(one, FunctionType) or one in seen or module.startswith("remora.equations"):
            continue
        seen.add(one)
        yield one
        cells = [cell.cell_contents for cell in one.__closure__ or ()]
        pending += [*cells, *(one.__globals__.get(name) for name in one.__code__.co_names)]


def _register(function: Any) -> None:
    """Let compiled code call a function of a user, and those that it calls."""
    for one in own_functions(function):
        if one not in _registered:
            _registered.add(one)
            register_jitable(**registration.OPTIONS)(one)


def filled_in(template: Any, **names: Any) -> Any:
    """A copy of a template with these global names, callable from compiled code but not inlined."""
    made = FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__)
    register_jitable(**{**registration.OPTIONS, "forceinline": False})(made)
    return made


def sources_key(functions: Sequence[Any], sizes: Sequence[int]) -> str:
    """Hash of the sources of a filter; empty when one has no source, as in an interactive session."""
    digest = hashlib.sha256(repr(tuple(sizes)).encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes() + b"\0")
    try:
        for function in functions:
            for one in own_functions(function):
                constants = {n: v for n, v in one.__globals__.items() if n in one.__code__.co_names and _is_constant(v)}
                digest.update(f"{one.__qualname__}\0{inspect.getsource(one)}\0{sorted(constants.items())!r}".encode())
    except (OSError, TypeError):
        return ""
    return digest.hexdigest()[:24]


def _is_constant(value: Any) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, tuple) and all(map(_is_constant, value)))


def linearised_functions(
    chart: Chart, process: Process, aidings: Sequence[AidingModel], states: int, errors: int
) -> dict[str, Any]:
    """The functions that the event loop calls, with their Jacobians.

    Parameters
    ----------
    chart
        Chart of the state.
    process
        Process model.
    aidings
        Sensors, in their order.
    states
        Numbers of a state.
    errors
        Numbers of an error.
    """
    for function in (*chart, process, *(aiding.measure for aiding in aidings)):
        _register(function)
    width = -(-errors // SLOPES) * SLOPES
    names = {"plus": chart.plus, "minus": chart.minus, "STATES": states, "ERRORS": errors, "WIDTH": width}
    chain = filled_in(jacobians.no_measure_jacobian)
    for index, aiding in reversed(list(enumerate(aidings))):
        this = filled_in(jacobians.measure_jacobian, measure=aiding.measure, MEASURED=len(aiding.sigma), **names)
        chain = filled_in(
            jacobians.chosen_measure_jacobian, INDEX=index, this_measure_jacobian=this, other_measure_jacobian=chain
        )
    return {
        "process_jacobian": filled_in(jacobians.process_jacobian, process=process, **names),
        "measure_jacobian": chain,
        "reset_jacobian": filled_in(jacobians.reset_jacobian, **names),
    }


def event_loop_of(functions: dict[str, Any], compiled: bool) -> Any:
    """`run_events` with the functions of a filter: for the compiler, or to run as plain Python."""
    fill = filled_in if compiled else _copied
    names = dict(functions)
    for template in (
        event_loop.are_finite,
        event_loop.innovate,
        event_loop.correct,
        event_loop.predict,
        event_loop.update,
    ):
        names[template.__name__] = fill(template, **names)
    return _copied(event_loop.run_events, **names)


def _copied(template: Any, **names: Any) -> Any:
    return FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__)


def compiled_event_loop(
    chart: Chart, process: Process, aidings: dict[str, AidingModel], states: int, errors: int
) -> Any:
    """The event loop of a filter in machine code: from the cache when its sources have not changed.

    Parameters
    ----------
    chart
        Chart of the state.
    process
        Process model.
    aidings
        Sensors by name.
    states
        Numbers of a state.
    errors
        Numbers of an error.
    """
    measures = [aiding.measure for aiding in aidings.values()]
    functions: tuple[Any, ...] = (*chart, process, *measures)
    _register_factors()

    def make(cached: dict[str, Any]) -> Any:
        loop = event_loop_of(linearised_functions(chart, process, tuple(aidings.values()), states, errors), True)
        return numba.njit(SIGNATURE, **cached)(loop)

    key = sources_key(functions, (states, errors, *(len(aiding.sigma) for aiding in aidings.values())))
    try:
        return from_cache("a navigation filter", make, seconds=COMPILATION_SECONDS, key=key)
    except NumbaError as error:
        message = f"a function of the filter does not compile; run it as plain Python first.\n{error}"
        raise InputError(message).about("filter") from error


def _register_factors() -> None:
    if ud_factors not in _registered:
        _registered.add(ud_factors)
        registration.register_functions(ud_factors, without=("covariance_of", "factors_of"))
