"""Layouts of common vehicles as types of their own: what those vehicles lack is then not even compiled."""

from collections import namedtuple
from typing import Any

from remora.equations.packed import Layout
from remora.equations.water.local_water import LAYERED, STEADY

# The fields of a layout under another name, by which Numba tells the two apart.
_named: Any = namedtuple
CommonLayout: Any = _named("CommonLayout", Layout._fields)
DriftingLayout: Any = _named("DriftingLayout", Layout._fields)


def common_layout(layout: Layout) -> Layout:
    """The same layout for a vehicle that is not uncommon, in steady water: nothing behind fins is there."""
    made: Layout = CommonLayout(
        special=layout.special,
        locked=layout.locked,
        two_heaves=layout.two_heaves,
        tensor=layout.tensor,
        lift=layout.lift,
        coriolis=layout.coriolis,
        thrust_law=layout.thrust_law,
        mapped_commands=layout.mapped_commands,
        strips=layout.strips,
        thrusters=layout.thrusters,
        fins=layout.fins,
        slewing=0,
        motors=0,
        harmonics=0,
        servos=0,
        loads=0,
        floats=0,
        water=STEADY,
    )
    return made


def drifting_layout(layout: Layout) -> Layout:
    """The same in a current that varies with depth and time."""
    made: Layout = DriftingLayout(
        special=layout.special,
        locked=layout.locked,
        two_heaves=layout.two_heaves,
        tensor=layout.tensor,
        lift=layout.lift,
        coriolis=layout.coriolis,
        thrust_law=layout.thrust_law,
        mapped_commands=layout.mapped_commands,
        strips=layout.strips,
        thrusters=layout.thrusters,
        fins=layout.fins,
        slewing=0,
        motors=0,
        harmonics=0,
        servos=0,
        loads=0,
        floats=0,
        water=LAYERED,
    )
    return made
