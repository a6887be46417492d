"""Packed vehicles with other effects, limits and strengths of their actuators, and functions that push at run time.

The compiled plant reads all this from the packed row, so a change of the row is all it takes. Rows are never written
into; a new vehicle comes back.
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
from remora.equations.algebra.quaternions import Quaternion
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
from remora.equations.water.current import current_twist
from remora.files.arrays import Array
from remora.kernels.inputs import numbers
from remora.kernels.loops import BODY_SIZE
from remora.kernels.pack import PackedVehicle

# A wrench about B in body axes from actuator outputs, velocity relative to the water (6) and time in seconds.
WrenchFunction: TypeAlias = Callable[[Array, Array, float], ArrayLike]
# An allocation matrix from actuator outputs.
MatrixFunction: TypeAlias = Callable[[Array], ArrayLike]


def with_effects(packed: PackedVehicle, matrix: Array) -> PackedVehicle:
    """The vehicle with another allocation matrix: column i is the wrench about B per newton of thruster i."""
    row = packed.row.copy()
    for i, places in enumerate(_thruster_places(packed.layout)):
        row[[_index(place) for place in places.effect]] = matrix[:, i]
    return packed._replace(row=row)


def without_limits(packed: PackedVehicle) -> PackedVehicle:
    """The vehicle whose thrusters, fins and servos take any command; moving masses keep their limits."""
    row = packed.row.copy()
    for places in _thruster_places(packed.layout):
        row[_index(places.command_minimum)], row[_index(places.command_maximum)] = -math.inf, math.inf
    for fin in _fin_places(packed.layout):
        row[_index(fin.deflection_limit)] = math.inf
    for servo in _servo_places(packed.layout):
        row[_index(servo.lowest)], row[_index(servo.highest)] = -math.inf, math.inf
    return packed._replace(row=row)


def with_strengths(packed: PackedVehicle, strengths: Sequence[float]) -> PackedVehicle:
    """The vehicle whose thrusters push so many times as hard as they should; works with any matrix of effects."""
    row = packed.row.copy()
    for places, strength in zip(_thruster_places(packed.layout), strengths, strict=True):
        row[_index(places.effectiveness_forward)] *= strength
        row[_index(places.effectiveness_reverse)] *= strength
    return packed._replace(row=row)


def with_shares(packed: PackedVehicle, shares: Sequence[float]) -> PackedVehicle:
    """The vehicle whose actuators, thrusters and then fins, push only these shares as hard as they would."""
    thrusters = packed.layout.thrusters
    row = with_strengths(packed, shares[:thrusters]).row
    for fin, share in zip(_fin_places(packed.layout), shares[thrusters:], strict=True):
        row[_index(fin.dynamic_area)] *= share
    return packed._replace(row=row)


@lru_cache
def _thruster_places(layout: Layout) -> list[Thruster]:
    """Where in the row each number of each thruster is: the thruster as read from a row of indices."""
    indices: Any = range(packed_size(layout))
    start = thrusters_start(layout)
    return [thruster_at(indices, start + THRUSTER_SIZE * i) for i in range(layout.thrusters)]


@lru_cache
def _fin_places(layout: Layout) -> list[Fin]:
    """Where in the row each number of each fin is."""
    indices: Any = range(packed_size(layout))
    return [fin_at(indices, fins_start(layout) + FIN_SIZE * i) for i in range(layout.fins)]


def _servo_places(layout: Layout) -> list[Slew]:
    """Where in the row each number of each servo is."""
    indices: Any = range(packed_size(layout))
    return [slew_at(indices, servos_start(layout) + SERVO_SIZE * i) for i in range(layout.servos)]


def _index(place: float) -> int:
    """A place in the row, which stands where a number of the record would."""
    return int(place)


def asked_matrix(name: str, function: MatrixFunction, outputs: Array) -> Array:
    """The allocation matrix that a function gives for these outputs, checked."""
    return numbers(name, function(outputs.copy()), (6, outputs.size))


def asked_wrench(name: str, function: WrenchFunction, state: Array, actuators: int, water: Array, time: float) -> Array:
    """The wrench that a function gives in a state of the plant and a current in N, checked."""
    outputs = state[BODY_SIZE : BODY_SIZE + actuators].copy()  # handed to a function that may write into it
    return numbers(name, function(outputs, relative_twist(state, water), time), (6,))


def relative_twist(state: Array, water: Array) -> Array:
    """The velocity relative to the water in a state of the plant, in body axes."""
    current = current_twist(quaternion_in(state), tuple(water.tolist()))
    return np.array(subtract6(tuple(state[7:BODY_SIZE].tolist()), current))


def quaternion_in(state: Array) -> Quaternion:
    """q_NB of a state."""
    q0, q1, q2, q3 = state[3:7].tolist()
    return (q0, q1, q2, q3)
