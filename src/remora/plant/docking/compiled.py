"""Compilation of prediction and condensing for cooperative docking, on demand."""

from functools import lru_cache
from typing import Any, NamedTuple, cast

import numba
from numba import float64, void

from remora.plant import registration
from remora.plant.compilation import from_cache
from remora.plant.docking import condensing, prediction

_ROW, _SHEET, _BOOK = float64[::1], float64[:, ::1], float64[:, :, ::1]
_TERMS = (_ROW, _ROW, _SHEET, _SHEET, _SHEET, _BOOK, _BOOK, _BOOK, _BOOK, _ROW)
EVALUATE = void(*_TERMS, _SHEET, _SHEET, _ROW)
CONDENSE = void(*_TERMS, _SHEET, _SHEET, _BOOK, _BOOK, _SHEET, float64, _SHEET, _ROW, _SHEET, _ROW)


class DockingKernels(NamedTuple):
    """The compiled functions of a local docking problem."""

    evaluate: Any
    condense: Any


def _entry_points(cached: dict[str, Any]) -> DockingKernels:
    registration.register_functions(prediction, without=("evaluate",))
    registration.register_functions(condensing, without=("condense",))
    cached = {**cached, "nogil": False}  # a call is too short to release the interpreter's lock
    return DockingKernels(
        numba.njit(EVALUATE, **cached)(prediction.evaluate), numba.njit(CONDENSE, **cached)(condensing.condense)
    )


@lru_cache(maxsize=1)
def docking_kernels() -> DockingKernels:
    """Prediction and condensing, compiled or from the cache."""
    return cast(DockingKernels, from_cache("the equations of docking", _entry_points))
