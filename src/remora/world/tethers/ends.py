"""The ends of a tether: fixed, moving as told, or on a body that gives way to the pull of the line."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from remora.equations.algebra.vectors import ZERO3, Matrix3, Vector3
from remora.equations.tether_ends import cubic_motion

RIGID: Matrix3 = (ZERO3, ZERO3, ZERO3)  # mobility of what does not give way


class TetherEnd(NamedTuple):
    """Where an end is at the start of a step, and how it will move; all in N."""

    position: Vector3  # m
    velocity: Vector3  # m/s
    acceleration: Vector3  # m/s2, without the pull of the line
    jerk: Vector3  # m/s3
    mobility: Matrix3  # 1/kg: acceleration per force of the line


class TetherForces(NamedTuple):
    """The force of a line on what its ends are made fast to, in N, newtons: the mean over a step."""

    vehicle: Vector3
    far: Vector3

    @property
    def tension(self) -> float:
        """Size of the pull at the vehicle."""
        return math.hypot(*self.vehicle)


def fixed_end(position: Iterable[float]) -> TetherEnd:
    """An end on a wall, an anchor, a ship that lies still."""
    return TetherEnd(_vector("position of an end", position), ZERO3, ZERO3, ZERO3, RIGID)


def moving_end(
    position: Iterable[float],
    velocity: Iterable[float],
    end_position: Iterable[float],
    end_velocity: Iterable[float],
    elapsed: float,
) -> TetherEnd:
    """An end that moves from one place and velocity to another within a step, whatever the line does to it."""
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
    """An end on a body that gives way: its acceleration without the line, and what each newton of pull adds to it."""
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
