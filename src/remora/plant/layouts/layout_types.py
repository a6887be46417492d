"""Layouts of basic vehicles as separate types, so that code for absent features is not compiled."""

from collections import namedtuple
from typing import Any

from remora.equations.packed import Layout
from remora.equations.water.local_water import LAYERED, STEADY

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
