"""Overrides of packed vehicles: allocation matrix, limits and thrust factors; checked results of user functions.

The compiled plant reads these numbers from the packed row. Each function returns a new vehicle with a changed copy.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.actuators.fins import Fin
from remora.equations.actuators.slewing import Slew
from remora.equations.actuators.thrusters import Thruster
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.vectors import subtract6
from remora.equations.packed import (
    FIN_SIZE,
    SERVO_SIZE,
    THRUSTER_SIZE,
    Layout,
    fin_at,
    fins_start,
    packed_size,
    servos_start,
    slew_at,
    thruster_at,
    thrusters_start,
)
from remora.equations.types import Quaternion
from remora.equations.water.current import current_twist
from remora.files.arrays import Array
from remora.plant.inputs import numbers
from remora.plant.pack import PackedVehicle

# Wrench about B in body axes from actuator outputs, velocity relative to the water (6) and time in s.
WrenchFunction: TypeAlias = Callable[[Array, Array, float], ArrayLike]
# Allocation matrix (6 x actuators) from actuator outputs.
MatrixFunction: TypeAlias = Callable[[Array], ArrayLike]


def with_effects(packed: PackedVehicle, matrix: Array) -> PackedVehicle:
    """The vehicle with another allocation matrix; column i is the wrench about B per newton of thruster i."""
    row = packed.row.copy()
    for i, places in enumerate(_thruster_places(packed.layout)):
        row[[_index(place) for place in places.effect]] = matrix[:, i]
    return packed._replace(row=row)


def without_limits(packed: PackedVehicle) -> PackedVehicle:
    """The vehicle without limits of thrusters, fins and servos; moving masses keep their end stops."""
    row = packed.row.copy()
    for places in _thruster_places(packed.layout):
        row[_index(places.command_minimum)], row[_index(places.command_maximum)] = -math.inf, math.inf
    for fin in _fin_places(packed.layout):
        row[_index(fin.deflection_limit)] = math.inf
    for servo in _servo_places(packed.layout):
        row[_index(servo.lowest)], row[_index(servo.highest)] = -math.inf, math.inf
    return packed._replace(row=row)


def with_thrust_factors(packed: PackedVehicle, thrust_factors: Sequence[float]) -> PackedVehicle:
    """The vehicle with the thrust of each thruster multiplied by a factor."""
    row = packed.row.copy()
    for places, factor in zip(_thruster_places(packed.layout), thrust_factors, strict=True):
        row[_index(places.effectiveness_forward)] *= factor
        row[_index(places.effectiveness_reverse)] *= factor
    return packed._replace(row=row)


def with_shares(packed: PackedVehicle, shares: Sequence[float]) -> PackedVehicle:
    """The vehicle with reduced effectiveness of its actuators: thrusters, then fins, one share each."""
    thrusters = packed.layout.thrusters
    row = with_thrust_factors(packed, shares[:thrusters]).row
    for fin, share in zip(_fin_places(packed.layout), shares[thrusters:], strict=True):
        row[_index(fin.dynamic_area)] *= share
    return packed._replace(row=row)


@lru_cache
def _thruster_places(layout: Layout) -> list[Thruster]:
    """Indices of all numbers of each thruster in the row, as thruster records."""
    indices: Any = range(packed_size(layout))
    start = thrusters_start(layout)
    return [thruster_at(indices, start + THRUSTER_SIZE * i) for i in range(layout.thrusters)]


@lru_cache
def _fin_places(layout: Layout) -> list[Fin]:
    """Indices of all numbers of each fin in the row."""
    indices: Any = range(packed_size(layout))
    return [fin_at(indices, fins_start(layout) + FIN_SIZE * i) for i in range(layout.fins)]


def _servo_places(layout: Layout) -> list[Slew]:
    """Indices of all numbers of each servo in the row."""
    indices: Any = range(packed_size(layout))
    return [slew_at(indices, servos_start(layout) + SERVO_SIZE * i) for i in range(layout.servos)]


def _index(place: float) -> int:
    """An index of the row from a field of an index record."""
    return int(place)


def checked_matrix(name: str, function: MatrixFunction, outputs: Array) -> Array:
    """Checked allocation matrix of a user function of the outputs, N or rad/s; its name is for messages."""
    return numbers(name, function(outputs.copy()), (6, outputs.size))


def checked_wrench(
    name: str, function: WrenchFunction, state: Array, actuators: int, water: Array, time: float
) -> Array:
    """Checked wrench about B in body axes of a user function, for a state and a current in N."""
    outputs = state[BODY_SIZE : BODY_SIZE + actuators].copy()  # handed to a function that may write into it
    return numbers(name, function(outputs, relative_twist(state, water), time), (6,))


def relative_twist(state: Array, water: Array) -> Array:
    """Velocity relative to the water in body axes, from a state and the current in N."""
    current = current_twist(quaternion_in(state), tuple(water.tolist()))
    return np.array(subtract6(tuple(state[7:BODY_SIZE].tolist()), current))


def quaternion_in(state: Array) -> Quaternion:
    """q_NB of a state of the plant."""
    q0, q1, q2, q3 = state[3:7].tolist()
    return (q0, q1, q2, q3)
