"""End conditions of a tether: fixed, with a prescribed motion, or on a body that yields to the tension."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.vectors import ZERO3
from remora.equations.tether import cubic_motion
from remora.equations.types import Matrix3, Vector3
from remora.files.arrays import Array

RIGID: Matrix3 = (ZERO3, ZERO3, ZERO3)  # mobility of a rigid end


class TetherEnd(NamedTuple):
    """Motion of an end from the start of a step, in N."""

    position: Vector3  # m
    velocity: Vector3  # m/s
    acceleration: Vector3  # m/s2, without the tension
    jerk: Vector3  # m/s3
    mobility: Matrix3  # 1/kg: acceleration per force of the tether


def end_row(end: TetherEnd) -> Array:
    """An end as a row of numbers, in the order of its fields."""
    position, velocity, acceleration, jerk, (a, b, c) = end
    return np.array((*position, *velocity, *acceleration, *jerk, *a, *b, *c))


def end_from_row(row: Array) -> TetherEnd:
    """An end from its numbers; a ValueError when one is not finite."""
    position, velocity, acceleration, jerk, a, b, c = row.reshape(7, 3).tolist()
    return yielding_end(position, velocity, acceleration, (a, b, c))._replace(jerk=_vector("jerk of an end", jerk))


class TetherForces(NamedTuple):
    """Mean forces of the tether on its two ends over a step, newtons in N."""

    vehicle: Vector3
    far: Vector3

    @property
    def tension(self) -> float:
        """Tension at the vehicle, N."""
        return math.hypot(*self.vehicle)


def tether_forces(pulls: Array) -> TetherForces:
    """Forces on vehicle and far end from a row each."""
    (a, b, c), (x, y, z) = pulls.tolist()
    return TetherForces((a, b, c), (x, y, z))


def fixed_end(position: Iterable[float]) -> TetherEnd:
    """A fixed end: a wall, an anchor, a ship at rest."""
    return TetherEnd(_vector("position of an end", position), ZERO3, ZERO3, ZERO3, RIGID)


def moving_end(
    position: Iterable[float],
    velocity: Iterable[float],
    end_position: Iterable[float],
    end_velocity: Iterable[float],
    elapsed: float,
) -> TetherEnd:
    """An end with a prescribed motion between two positions and velocities in N, m and m/s, over a time in s."""
    if not 0.0 < elapsed < math.inf:
        raise ValueError(f"elapsed time is {elapsed}: give a positive number of seconds")
    p0, v0 = _vector("position of an end", position), _vector("velocity of an end", velocity)
    p1, v1 = _vector("end position", end_position), _vector("end velocity", end_velocity)
    acceleration, jerk = cubic_motion(p0, v0, p1, v1, elapsed)
    return TetherEnd(p0, v0, acceleration, jerk, RIGID)


def yielding_end(
    position: Iterable[float],
    velocity: Iterable[float],
    acceleration: Iterable[float],
    mobility: Iterable[Iterable[float]],
) -> TetherEnd:
    """An end on a body that yields to the tension.

    Position, velocity and acceleration in N are at the start of the step and without the tether. The mobility is the
    acceleration per force of the tether, 1/kg.
    """
    rows = [_vector("mobility", row) for row in mobility]
    if len(rows) != 3:
        raise ValueError(f"mobility has {len(rows)} rows: give 3")
    return TetherEnd(
        _vector("position of an end", position),
        _vector("velocity of an end", velocity),
        _vector("acceleration of an end", acceleration),
        ZERO3,
        (rows[0], rows[1], rows[2]),
    )


def _vector(name: str, values: Iterable[float]) -> Vector3:
    numbers = tuple(float(value) for value in values)
    if len(numbers) != 3 or not all(map(math.isfinite, numbers)):
        raise ValueError(f"{name} is {numbers}: give three finite numbers")
    return numbers
