"""Layouts of packed vehicles in compiled code: an array of integers, and types per kind of vehicle."""

from collections import namedtuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remora.equations.hull.forms.table import OPTIONAL_FORMS
from remora.equations.packed import Layout
from remora.equations.water.local_water import LAYERED, STEADY

FORMS_AT = Layout._fields.index("forms")  # in the codes; the fields before it are one integer each
FORMS_SIZE_AT = FORMS_AT + len(OPTIONAL_FORMS)
USER_FORMS_SIZE_AT = FORMS_SIZE_AT + 1
USER_FORMS_AT = FORMS_SIZE_AT + 2
LAYOUT_SIZE = USER_FORMS_AT + 1


def form_counts_at(codes: NDArray[np.int64]) -> tuple[int, ...]:
    """Count of records of each optional form of the table; `plant.forms.unrolled_forms` has the compiled version."""
    counts: Any = tuple(codes[FORMS_AT:FORMS_SIZE_AT])
    return counts


# The fields of a layout under another name, by which Numba distinguishes the types.
_named: Any = namedtuple
BasicLayout: Any = _named("BasicLayout", Layout._fields)
LayeredLayout: Any = _named("LayeredLayout", Layout._fields)


def basic_layout(layout: Layout) -> Layout:
    """The layout of a basic vehicle in steady water: thrusters and fins with plain lags."""
    made: Layout = BasicLayout(
        special=layout.special,
        locked=layout.locked,
        asymmetric_heave=layout.asymmetric_heave,
        coriolis=layout.coriolis,
        thrust_law=layout.thrust_law,
        mapped_commands=layout.mapped_commands,
        thrusters=layout.thrusters,
        fins=layout.fins,
        slewing=0,
        motors=0,
        harmonics=0,
        servos=0,
        moving_masses=0,
        buoyancy_elements=0,
        water=STEADY,
        forms=layout.forms,
        forms_size=layout.forms_size,
        user_forms_size=layout.user_forms_size,
        user_forms=layout.user_forms,
    )
    return made


def layered_layout(layout: Layout) -> Layout:
    """The same in a layered current, which varies with depth and time."""
    made: Layout = LayeredLayout(
        special=layout.special,
        locked=layout.locked,
        asymmetric_heave=layout.asymmetric_heave,
        coriolis=layout.coriolis,
        thrust_law=layout.thrust_law,
        mapped_commands=layout.mapped_commands,
        thrusters=layout.thrusters,
        fins=layout.fins,
        slewing=0,
        motors=0,
        harmonics=0,
        servos=0,
        moving_masses=0,
        buoyancy_elements=0,
        water=LAYERED,
        forms=layout.forms,
        forms_size=layout.forms_size,
        user_forms_size=layout.user_forms_size,
        user_forms=layout.user_forms,
    )
    return made
