"""Compilation of a filter from plain functions on tuples, with a cache keyed by their sources."""

import hashlib
import inspect
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numba
from numba import float64, int64
from numba.extending import register_jitable

from remora.navigation.filters import models
from remora.navigation.filters.loops import arrivals, event_loop, jacobians, ud_factors, unscented
from remora.navigation.filters.loops.ud_factors import padded_size
from remora.navigation.filters.models import Chart, Measure, NoiseInput, NoiseScale, Process
from remora.plant import registration
from remora.plant.arrays import array_view
from remora.plant.compilation import from_cache
from remora.plant.dual.dual_functions import SLOPES
from remora.plant.forms.user_functions import compiled_from, own_functions, register_user_function

_row, _integers, _matrix, _integer_matrix = float64[::1], int64[::1], float64[:, ::1], int64[:, ::1]
SIGNATURE = int64(
    _row, _integers, _integers, _row, _row, _row, _integers, _matrix, _matrix, _integers, _integers, _integers, _matrix,
    _integer_matrix, _integers, _matrix, _matrix, _integers, _matrix, _integers, _matrix, _integers, _integer_matrix,
    _integers, _integers, _matrix, _integer_matrix, _integers, _matrix, _matrix, _matrix, _row, _matrix, _row, _row,
    _matrix, _integers,
)  # fmt: skip
COMPILATION_SECONDS = 15
MOST_LOOPS = 64

_loops: dict[str, Any] = {}  # event loops of this process by the key of their sources


class FilterModels(NamedTuple):
    """The functions of a filter."""

    chart: Chart
    process: Process
    measures: tuple[Measure, ...]
    noise_input: NoiseInput | None = None
    noise_scale: NoiseScale | None = None


class FilterSizes(NamedTuple):
    """Lengths of the rows that the functions of a filter take and return."""

    states: int
    errors: int
    inputs: int
    noises: int  # white noise inputs of the process
    parameters: int
    measured: tuple[int, ...]  # values of each aiding sensor
    unscented: bool = False


def filled_in(template: Any, key: str, **names: Any) -> Any:
    """A copy of a template with these global names, callable from compiled code but not inlined.

    The key of the filter is part of its name. Numba distinguishes copies by a count of this process, which functions
    from the caches of two processes may share: the linker would then take the code of one filter for another.
    """
    made = FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__)
    made.__qualname__ = f"{template.__name__}_{key}"
    register_jitable(**{**registration.OPTIONS, "forceinline": False})(made)
    return made


def sources_key(functions: Sequence[Any], sizes: Sequence[Any]) -> str:
    """Hash of the sources of a filter; empty when one has no source, as in an interactive session."""
    digest = hashlib.sha256(repr(tuple(sizes)).encode())
    for module in (arrivals, event_loop, jacobians, ud_factors, models, unscented):
        digest.update(Path(str(module.__file__)).read_bytes() + b"\0")
    digest.update(Path(__file__).read_bytes())
    try:
        for function in functions:
            for one in own_functions(function):
                cells = zip(one.__code__.co_freevars, one.__closure__ or (), strict=True)
                known = one.__globals__ | {name: cell.cell_contents for name, cell in cells}
                used = (*one.__code__.co_names, *one.__code__.co_freevars)
                constants = {name: known[name] for name in used if name in known and _is_constant(known[name])}
                name = f"{one.__module__}.{one.__qualname__}"  # cached code imports the module of its functions
                digest.update(f"{name}\0{inspect.getsource(one)}\0{sorted(constants.items())!r}".encode())
    except (OSError, TypeError):
        return ""
    return digest.hexdigest()[:24]


def _is_constant(value: Any) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, tuple) and all(map(_is_constant, value)))


def filter_sizes(sizes: FilterSizes) -> dict[str, int]:
    """Sizes by their names in the templates."""
    padded = padded_size(sizes.errors)
    factors = sizes.states + padded
    return {
        "STATES": sizes.states, "ERRORS": sizes.errors, "INPUTS": sizes.inputs, "NOISES": sizes.noises,
        "ROW": sizes.parameters, "PADDED": padded, "WIDTH": -(-sizes.errors // SLOPES) * SLOPES,
        "FACTORS": factors, "HELD": factors + sizes.errors * padded, "GAINS": sizes.errors * sizes.noises,
    }  # fmt: skip


def linearised_functions(functions: FilterModels, sizes: FilterSizes, key: str) -> dict[str, Any]:
    """The functions that the event loop calls, with their Jacobians; the key of the filter is part of their names."""
    for function in model_functions(functions):
        register_user_function(function)
    names = {"plus": functions.chart.plus, "minus": functions.chart.minus, **filter_sizes(sizes)}
    chain = filled_in(jacobians.no_measure_jacobian, key)
    for index, (measure, measured) in reversed(list(enumerate(zip(functions.measures, sizes.measured, strict=True)))):
        this = filled_in(jacobians.measure_jacobian, key, measure=measure, MEASURED=measured, **names)
        chosen = {"INDEX": index, "this_measure_jacobian": this, "other_measure_jacobian": chain}
        chain = filled_in(jacobians.chosen_measure_jacobian, key, **chosen)
    points = point_functions(functions, sizes, names, key) if sizes.unscented else {}
    return {
        "process_jacobian": filled_in(jacobians.process_jacobian, key, process=functions.process, **names),
        "measure_jacobian": chain,
        "reset_jacobian": filled_in(jacobians.reset_jacobian, key, **names),
        "noise_gains": _noise_gains(functions, names, key),
        **points,
    }


def _noise_gains(functions: FilterModels, names: dict[str, Any], key: str) -> Any:
    """The function that writes the gains of the process noise."""
    if functions.noise_input is not None:
        return filled_in(jacobians.noise_gains, key, noise_input=functions.noise_input, **names)
    if functions.noise_scale is not None:
        return filled_in(jacobians.scaled_noise_gains, key, noise_scale=functions.noise_scale, **names)
    return filled_in(jacobians.unit_noise_gains, key, **names)


def point_functions(functions: FilterModels, sizes: FilterSizes, names: dict[str, Any], key: str) -> dict[str, Any]:
    """The functions of sigma points, without derivatives; `names` are the global names of the templates."""
    chain = filled_in(jacobians.no_measured, key)
    for index, (measure, measured) in reversed(list(enumerate(zip(functions.measures, sizes.measured, strict=True)))):
        this = filled_in(jacobians.measured, key, measure=measure, MEASURED=measured, **names)
        chain = filled_in(jacobians.chosen_measured, key, INDEX=index, this_measured=this, other_measured=chain)
    return {
        "moved": filled_in(jacobians.moved, key, **names),
        "difference": filled_in(jacobians.difference, key, **names),
        "processed": filled_in(jacobians.processed, key, process=functions.process, **names),
        "measured": chain,
    }


# In the order in which they call each other.
TEMPLATES = (
    *(ud_factors.eliminate, ud_factors.orthogonalise, ud_factors.changed_columns, ud_factors.transform),
    ud_factors.projected,
    *(ud_factors.measured_variance, ud_factors.update_factors, ud_factors.variances),
    *(event_loop.are_finite, event_loop.append_noise, event_loop.predict, event_loop.innovate, event_loop.correct),
    *(event_loop.copied_factors, event_loop.reset, event_loop.update, event_loop.nearest, event_loop.remember),
    *(event_loop.measurement_event, event_loop.process_event),
    *(arrivals.comes_before, arrivals.is_same, arrivals.place_of, arrivals.refusal, arrivals.insert),
    *(arrivals.drop_old, arrivals.repeats, arrivals.take_in, arrivals.recall, arrivals.refilter),
    arrivals.write_output,
)


def unscented_templates() -> list[Any]:
    """The templates with prediction and update by sigma points."""
    points = [unscented.point_deviation, unscented.chart_mean]
    correction = [unscented.condition, unscented.spread, unscented.unscented_correction]
    replaced = {event_loop.predict: [*points, unscented.predict], event_loop.update: [*correction, unscented.update]}
    return [one for template in TEMPLATES for one in replaced.get(template, [template])]


def event_loop_of(functions: dict[str, Any], sizes: FilterSizes, key: str | None) -> Any:
    """`run_arrivals` with the functions of a filter: for the compiler with a key, else to run as plain Python."""
    names = {**functions, **filter_sizes(sizes)} | ({} if key is None else {"array_view": array_view})
    for template in unscented_templates() if sizes.unscented else TEMPLATES:
        made = _copied(template, **names) if key is None else filled_in(template, key, **names)
        names[template.__name__] = made
    return _copied(arrivals.run_arrivals, **names)


def _copied(template: Any, **names: Any) -> Any:
    return FunctionType(template.__code__, {**template.__globals__, **names}, template.__name__)


def model_functions(functions: FilterModels) -> tuple[Any, ...]:
    """The functions that a user has written."""
    noise = [one for one in (functions.noise_input, functions.noise_scale) if one is not None]
    return (*functions.chart, functions.process, *functions.measures, *noise)


def compiled_event_loop(functions: FilterModels, sizes: FilterSizes) -> Any:
    """The event loop of a filter in machine code: of this process or from the cache when its sources have not changed.

    Numba never frees what it has compiled or loaded, so equal sources share one loop.
    """

    def make(cached: dict[str, Any]) -> Any:
        loop = event_loop_of(linearised_functions(functions, sizes, key), sizes, key)
        return numba.njit(SIGNATURE, **cached)(loop)

    mine = model_functions(functions)
    key = sources_key(mine, sizes)
    if key in _loops:
        return _loops[key]
    made = compiled_from(
        mine,
        "the filter",
        "filter",
        lambda: from_cache("a navigation filter", make, seconds=COMPILATION_SECONDS, key=key),
    )
    if key:
        _loops[key] = made
        if len(_loops) > MOST_LOOPS:
            del _loops[next(iter(_loops))]
    return made
