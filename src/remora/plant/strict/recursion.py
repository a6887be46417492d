"""Linear recursion over the rows of a table, for the random processes of sensor errors.

Compiled without fused multiply-add, so that it rounds as plain Python does.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, void

from remora.files.arrays import Array
from remora.plant.strict.copies import strict_kernel

_table = float64[:, ::1]
SIGNATURE = void(_table, _table, _table)


def recursion(kept: Array, increments: Array, values: Array) -> None:
    """Fill values with x[k] = kept[k] x[k - 1] + increments[k], from zero."""
    for i in range(values.shape[1]):
        value = 0.0
        for k in range(values.shape[0]):
            value = kept[k, i] * value + increments[k, i]
            values[k, i] = value


def accumulate(kept: Array, increments: Array) -> Array:
    """Rows of x[k] = kept[k] x[k - 1] + increments[k], from zero."""
    values = np.empty_like(increments)
    _compiled()(np.ascontiguousarray(kept), np.ascontiguousarray(increments), values)
    return values


@lru_cache(maxsize=1)
def _compiled() -> Any:
    return strict_kernel(recursion, SIGNATURE, "a recursion", 1)
