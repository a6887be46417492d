"""Elementary functions for floats, arrays and symbols.

The equations call these names. In plain Python they dispatch on the library of the argument, plain numbers first; for
compiled code `remora.plant` supplies its own version of each, without run-time cost.
"""

import math
import sys
from typing import Any

TINY = 1e-300  # keeps divisors from zero


def _library(*values: Any) -> Any:
    """The module that handles these values: `math` for numbers, else numpy or casadi, where their type is defined."""
    for value in values:
        if not isinstance(value, (float, int)):
            return sys.modules[type(value).__module__.partition(".")[0]]
    return math


def sqrt(x: Any) -> Any:
    """Square root."""
    return math.sqrt(x) if type(x) is float else _library(x).sqrt(x)


def sin(x: Any) -> Any:
    """Sine of an angle in radians."""
    return math.sin(x) if type(x) is float else _library(x).sin(x)


def cos(x: Any) -> Any:
    """Cosine of an angle in radians."""
    return math.cos(x) if type(x) is float else _library(x).cos(x)


def tan(x: Any) -> Any:
    """Tangent of an angle in radians."""
    return math.tan(x) if type(x) is float else _library(x).tan(x)


def asin(x: Any) -> Any:
    """Angle in radians whose sine is x."""
    return math.asin(x) if type(x) is float else _library(x).asin(x)


def atan2(y: Any, x: Any) -> Any:
    """Angle in radians of the point (x, y), in (-pi, pi]."""
    return math.atan2(y, x) if type(y) is type(x) is float else _library(y, x).atan2(y, x)


def exp(x: Any) -> Any:
    """Exponential."""
    return math.exp(x) if type(x) is float else _library(x).exp(x)


def log(x: Any) -> Any:
    """Natural logarithm."""
    return math.log(x) if type(x) is float else _library(x).log(x)


def tanh(x: Any) -> Any:
    """Hyperbolic tangent."""
    return math.tanh(x) if type(x) is float else _library(x).tanh(x)


def floor(x: Any) -> Any:
    """The largest whole number not above x, as a number of the same type."""
    library = _library(x)
    return float(library.floor(x)) if library is math else library.floor(x)


def select(condition: Any, a: Any, b: Any) -> Any:
    """The value a where the condition holds, else b. Both are evaluated."""
    if condition is True:  # by far the most frequent conditions, asked first
        return a
    if condition is False:
        return b
    if isinstance(condition, int):
        return a if condition else b
    library = _library(condition)
    if hasattr(library, "if_else"):
        return library.if_else(condition, a, b)
    return library.where(condition, a, b)


def both(first: Any, second: Any) -> Any:
    """Whether both conditions hold."""
    return _join(first, second, "and")


def either(first: Any, second: Any) -> Any:
    """Whether one of the conditions holds."""
    return _join(first, second, "or")


def _join(first: Any, second: Any, operation: str) -> Any:
    """Join two conditions: `logical_and` of numpy is `logic_and` of casadi."""
    if type(first) is type(second) is bool:
        return (first and second) if operation == "and" else (first or second)
    library = _library(first, second)
    if library is math:
        return (first and second) if operation == "and" else (first or second)
    prefix = "logic" if hasattr(library, "logic_and") else "logical"
    return getattr(library, f"{prefix}_{operation}")(first, second)


def maximum(a: Any, b: Any) -> Any:
    """The larger value; a where the comparison fails, so that a NaN in a is kept by every backend."""
    return select(b > a, b, a)


def minimum(a: Any, b: Any) -> Any:
    """The smaller value; a where the comparison fails, so that a NaN in a is kept by every backend."""
    return select(b < a, b, a)
