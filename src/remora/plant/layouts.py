"""Layouts of packed vehicles in compiled code: an array of integers, and types per kind of vehicle.

`Layout` has the only list of fields. The functions here have one expression per field, which is generated from that
list, because compiled code can make a layout in no other way.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remora.equations.hull.forms.table import OPTIONAL_FORMS
from remora.equations.packed import Layout
from remora.equations.water.local_water import LAYERED, STEADY

# Integers of a layout: one per field, except one per optional form for their counts.
LAYOUT_SIZE = len(Layout._fields) - 1 + len(OPTIONAL_FORMS)
# Numbers that are zero for basic vehicles, whose thrusters and fins have plain lags.
GENERAL_FIELDS = ("slewing", "motors", "harmonics", "servos", "moving_masses", "buoyancy_elements")

# The fields of a layout under another name, by which Numba distinguishes the types.
_named: Any = namedtuple
BasicLayout: Any = _named("BasicLayout", Layout._fields)
LayeredLayout: Any = _named("LayeredLayout", Layout._fields)


def integers_of(layout: Layout, user_forms: int) -> NDArray[np.int64]:
    """A layout as integers, with the address of the compiled function of its user-defined forms."""
    values = layout._replace(user_forms=user_forms)
    integers = [number for value in values for number in (value if isinstance(value, tuple) else (value,))]
    return np.array(integers, dtype=np.int64)


def _maker(name: str, argument: str, made: Any, fields: Mapping[str, object]) -> Callable[[Any], Layout]:
    """The function `name(argument)` that makes a layout from an expression for each field."""
    expressions = ", ".join(f"{field}={fields[field]}" for field in Layout._fields)
    namespace: dict[str, Any] = {"made": made, "__name__": __name__}
    exec(f"def {name}({argument}):\n    return made({expressions})", namespace)
    function: Callable[[Any], Layout] = namespace[name]
    return function


_at = count()
_in_codes = {field: f"codes[{next(_at)}]" for field in Layout._fields[: Layout._fields.index("forms")]}
_in_codes["forms"] = f"({''.join(f'codes[{next(_at)}], ' for _ in OPTIONAL_FORMS)})"
_in_codes |= {field: f"codes[{next(_at)}]" for field in Layout._fields if field not in _in_codes}
_in_layout = {field: f"layout.{field}" for field in Layout._fields} | dict.fromkeys(GENERAL_FIELDS, "0")

layout_at = _maker("layout_at", "codes", Layout, _in_codes)
"""The layout from an array of its integers."""
basic_layout = _maker("basic_layout", "layout", BasicLayout, _in_layout | {"water": STEADY})
"""The layout of a basic vehicle in steady water."""
layered_layout = _maker("layered_layout", "layout", LayeredLayout, _in_layout | {"water": LAYERED})
"""The layout of a basic vehicle in a layered current, which varies with depth and time."""


def general_layout(layout: Layout) -> Layout:
    """The layout of any vehicle in any water: as it is."""
    return layout
