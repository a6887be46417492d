"""Compilation of the derivatives of the plant, on demand."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numba
from numba import float64, int64

from remora.equations.packed import Layout, is_general
from remora.equations.water.local_water import STEADY_SIZE
from remora.plant import registration
from remora.plant.compilation import from_cache, kernels
from remora.plant.dual import plant_derivatives

SIGNATURE = int64(float64[::1], int64[::1], float64[::1], float64[::1])


@lru_cache(maxsize=1)
def _register() -> None:
    names = ("memory_size", "differentiate", "differentiate_general")
    registration.register_functions(plant_derivatives, without=names)


def _entry_point(function: Callable[..., Any], cached: dict[str, Any]) -> Any:
    """Compile or load an entry point; a call is too short to release the interpreter's lock."""
    _register()
    return numba.njit(SIGNATURE, **{**cached, "nogil": False})(function)


@lru_cache(maxsize=1)
def _basic() -> Any:
    kernels()  # registers all it calls
    return from_cache(
        "the derivatives of the equations", lambda cached: _entry_point(plant_derivatives.differentiate, cached)
    )


@lru_cache(maxsize=1)
def _general() -> Any:
    kernels()
    return from_cache(
        "the derivatives of the equations for general actuators and water",
        lambda cached: _entry_point(plant_derivatives.differentiate_general, cached),
        seconds=60,
    )


def derivative_kernel(layout: Layout, water: int = STEADY_SIZE) -> Any:
    """The compiled derivatives for a layout, in water of this many numbers."""
    return _general() if is_general(layout) or water > STEADY_SIZE else _basic()
