"""Simplified tethers: a spring that can go slack, and skin friction alone.

They are stepped like `Tether`, without a shape: no weight, no sag, no waves.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.vectors import ZERO3, add3, dot3, matvec3, scale3, subtract3
from remora.equations.tether import (
    TetherProperties,
    direction_of,
    distance_of,
    round_tether,
    spring_tension,
    towed_drag,
)
from remora.equations.types import Matrix3, Vector3
from remora.plant.inputs import numbers
from remora.world.tethers.ends import TetherEnd, TetherForces
from remora.world.tethers.tether import GRAVITY, SEA_WATER, check_number, check_winch


class PaidOut(NamedTuple):
    """State of a tether without shape."""

    length: float  # m


@final
@dataclass(frozen=True)
class SlackSpring:
    """A spring that pulls when the distance exceeds the paid-out length, with the drag of a loop across the flow."""

    length: float  # m, paid out at the start
    stiffness: float  # EA: newtons per strain
    diameter: float  # m
    damping: float = 0.0  # N s/m, tension per speed at which a taut line lengthens
    normal_drag: float = 1.2  # coefficient of the loop on its diameter; half of the loop belongs to each end
    density: float = SEA_WATER  # kg/m3, of the water

    def __post_init__(self) -> None:
        for name in ("length", "stiffness", "diameter", "density"):
            check_number(name, getattr(self, name), above_zero=True)
        for name in ("damping", "normal_drag"):
            check_number(name, getattr(self, name))

    def initial(self, vehicle: Iterable[float], far: Iterable[float], water: ArrayLike = ZERO3) -> PaidOut:
        """The initial state."""
        return PaidOut(self.length)

    def step(
        self,
        state: PaidOut,
        vehicle_end: TetherEnd,
        far_end: TetherEnd,
        water: ArrayLike = ZERO3,
        length_rate: float = 0.0,
        elapsed: float = 0.01,
    ) -> tuple[PaidOut, TetherForces]:
        """State after a step, and mean forces on the two ends; see `Tether.step`."""
        end = _paid_out(state, length_rate, elapsed)
        separation = subtract3(far_end.position, vehicle_end.position)
        ahead = direction_of(separation)
        mobility = dot3(ahead, matvec3(vehicle_end.mobility, ahead)) + dot3(ahead, matvec3(far_end.mobility, ahead))
        tension = spring_tension(
            self.stiffness / state.length,
            self.damping,
            distance_of(separation) - state.length,
            dot3(ahead, subtract3(far_end.velocity, vehicle_end.velocity)) - length_rate,
            dot3(ahead, subtract3(_mean_acceleration(far_end, elapsed), _mean_acceleration(vehicle_end, elapsed))),
            mobility,
            elapsed,
        )
        half = 0.5 * state.length * _line(self.diameter, self.normal_drag, 0.0, self.density).normal_drag
        near = add3(scale3(tension, ahead), _drag(half, vehicle_end, water, elapsed))
        return end, TetherForces(near, add3(scale3(-tension, ahead), _drag(half, far_end, water, elapsed)))


@final
@dataclass(frozen=True)
class FlatPlate:
    """A trailing tether with skin friction only. Nielsen 2018, eq. 6.15."""

    length: float  # m, in the water at the start
    diameter: float  # m
    tangential_drag: float = 0.01  # coefficient on the whole surface
    density: float = SEA_WATER  # kg/m3, of the water

    def __post_init__(self) -> None:
        for name in ("length", "diameter", "density"):
            check_number(name, getattr(self, name), above_zero=True)
        check_number("tangential_drag", self.tangential_drag)

    def initial(self, vehicle: Iterable[float], far: Iterable[float], water: ArrayLike = ZERO3) -> PaidOut:
        """The initial state."""
        return PaidOut(self.length)

    def step(
        self,
        state: PaidOut,
        vehicle_end: TetherEnd,
        far_end: TetherEnd,
        water: ArrayLike = ZERO3,
        length_rate: float = 0.0,
        elapsed: float = 0.01,
    ) -> tuple[PaidOut, TetherForces]:
        """State after a step, and mean force on the vehicle; none on the far end."""
        end = _paid_out(state, length_rate, elapsed)
        whole = state.length * _line(self.diameter, 0.0, self.tangential_drag, self.density).tangential_drag
        return end, TetherForces(_drag(whole, vehicle_end, water, elapsed), ZERO3)


def _line(diameter: float, normal: float, tangential: float, density: float) -> TetherProperties:
    """A tether line for its drag only."""
    return round_tether(diameter, 0.0, 0.0, 0.0, normal, tangential, 0.0, density, GRAVITY)


def _mean_acceleration(end: TetherEnd, elapsed: float) -> Vector3:
    return add3(end.acceleration, scale3(0.5 * elapsed, end.jerk))


def _drag(coefficient: float, end: TetherEnd, water: ArrayLike, elapsed: float) -> Vector3:
    """Drag on an end, from the water at the first node if there are several."""
    u, v, w = numbers("water velocity", np.atleast_2d(np.asarray(water, dtype=float))[0], (3,)).tolist()
    return towed_drag(coefficient, subtract3((u, v, w), end.velocity), _mean_mobility(end.mobility), elapsed)


def _mean_mobility(mobility: Matrix3) -> float:
    return (mobility[0][0] + mobility[1][1] + mobility[2][2]) / 3.0


def _paid_out(state: PaidOut, length_rate: float, elapsed: float) -> PaidOut:
    check_winch(state.length, length_rate, elapsed)
    return PaidOut(state.length + length_rate * elapsed)
