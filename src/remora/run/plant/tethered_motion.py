"""Tethers of a vehicle in a run: their setup, and coupled steps with exchange of the mean tether force.

Explicit exchange of motion and force is unstable for a stiff tether on a light vehicle. Here the tether receives the
free acceleration of its attachment and the compliance of the vehicle (acceleration per newton). It integrates its end
with the inertia of the vehicle in short sub-steps, and the mean force over the step acts on the vehicle. The end of the
tether is compiled to the same bits as plain Python.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, final

import numpy as np
from numba import float64, void
from numpy.typing import ArrayLike

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import ZERO3, add3, cross, matvec3, scale3, subtract3
from remora.equations.packed import outputs_count
from remora.equations.tether import point_acceleration, point_velocity, pull_wrench
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.plant.compilation import kernels_for
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import STILL_WATER, ZERO_WRENCH, numbers, writable
from remora.plant.methods import RK4, IntegrationMethod
from remora.plant.plant import Plant
from remora.plant.strict import strict_kernel
from remora.world.tethers.ends import RIGID, TetherEnd, TetherForces, end_from_row, fixed_end
from remora.world.tethers.models import AnyTether
from remora.world.tethers.tether import END_SIZE
from remora.world.world import World

WRENCHES = 4  # none, and one newton along each axis of N
TWIST = BODY_SIZE - 6  # index of the twist in a state, and of its rate
ROW, TABLE = float64[::1], float64[:, ::1]


def unit_wrenches(state: Array, p_BA: Array, wrenches: Array) -> None:
    """Fill wrenches about B in body axes: zero, then of one newton at A along each axis of N, a row of R_NB.

    The attachment p_BA is in body axes, m.
    """
    R_NB, place = rotation_matrix((state[3], state[4], state[5], state[6])), (p_BA[0], p_BA[1], p_BA[2])
    first, second, third = R_NB
    turns = (cross(place, first), cross(place, second), cross(place, third))
    for j in range(3):
        wrenches[0, j] = wrenches[0, 3 + j] = 0.0
        for i in range(3):
            wrenches[1 + i, j], wrenches[1 + i, 3 + j] = R_NB[i][j], turns[i][j]


def fill_end(state: Array, p_BA: Array, rates: Array, end: Array) -> None:
    """Fill in position, velocity and free acceleration of A in N, and its mobility: acceleration per newton.

    The attachment p_BA is in body axes, m; `rates` are those of the state under the wrenches of `unit_wrenches`, a row
    each. The end is that of a `Tether`, with a jerk of zero.
    """
    R_NB, place = rotation_matrix((state[3], state[4], state[5], state[6])), (p_BA[0], p_BA[1], p_BA[2])
    v, w = (state[7], state[8], state[9]), (state[10], state[11], state[12])
    position = add3((state[0], state[1], state[2]), matvec3(R_NB, place))
    velocity = matvec3(R_NB, point_velocity(v, w, place))
    free = matvec3(R_NB, _acceleration(v, w, rates, 0, place))
    for j in range(3):
        end[j], end[3 + j], end[6 + j], end[9 + j] = position[j], velocity[j], free[j], 0.0
    for i in range(1, WRENCHES):
        column = subtract3(matvec3(R_NB, _acceleration(v, w, rates, i, place)), free)
        for j in range(3):
            end[12 + 3 * j + i - 1] = column[j]


def _acceleration(v: Vector3, w: Vector3, rates: Array, i: int, place: Vector3) -> Vector3:
    """Acceleration of a point of the body in body axes under one of the wrenches."""
    k = TWIST
    v_rate, w_rate = (
        (rates[i, k], rates[i, k + 1], rates[i, k + 2]),
        (rates[i, k + 3], rates[i, k + 4], rates[i, k + 5]),
    )
    return point_acceleration(v, w, v_rate, w_rate, place)


@lru_cache(maxsize=1)
def wrench_kernel() -> Any:
    """Compiled `unit_wrenches`."""
    return strict_kernel(unit_wrenches, void(ROW, ROW, TABLE), "forces at a tether", 2)


@lru_cache(maxsize=1)
def end_kernel() -> Any:
    """Compiled `fill_end`."""
    return strict_kernel(fill_end, void(ROW, ROW, TABLE, ROW), "ends of tethers", 3)


class Tethered(NamedTuple):
    """State of a vehicle and its tether, and the mean tether force over the last step."""

    vehicle: Array  # state of the plant
    line: Any  # state of the tether
    pull: TetherForces


def attachment(state: Array, p_BA: Vector3) -> tuple[Vector3, Vector3]:
    """Position and velocity in N of a point of the body."""
    n, e, d, q0, q1, q2, q3, u, v, w, p, q, r = state[:BODY_SIZE].tolist()
    R_NB = rotation_matrix((q0, q1, q2, q3))
    return add3((n, e, d), matvec3(R_NB, p_BA)), matvec3(R_NB, point_velocity((u, v, w), (p, q, r), p_BA))


def vehicle_end(rate: Callable[[Array], Array], state: Array, p_BA: Vector3) -> TetherEnd:
    """A point p_BA (body axes, m) of a vehicle as the end of a tether.

    `rate` is the rate of the state under an additional wrench about B in body axes.
    """
    return end_from_row(vehicle_end_row(rate, state, np.array(p_BA)))


def vehicle_end_row(rate: Callable[[Array], Array], state: Array, p_BA: Array) -> Array:
    """A point p_BA (body axes, m) of a vehicle as the end of a tether, as a row of numbers.

    `rate` is that of the state under an additional wrench about B in body axes.
    """
    wrenches, rates, end = np.empty((WRENCHES, 6)), np.empty((WRENCHES, BODY_SIZE)), np.empty(END_SIZE)
    # Acceleration is linear in the wrench: one newton along each axis of N gives the compliance matrix.
    wrench_kernel()(state, p_BA, wrenches)
    for wrench, found in zip(wrenches, rates, strict=True):
        found[:] = rate(wrench)[:BODY_SIZE]
    end_kernel()(state, p_BA, rates, end)
    return end


@final
class TetheredPlant:
    """Steps a vehicle and its tether, attached at A, by one fixed interval per call; `step` in s."""

    def __init__(
        self,
        plant: Plant,
        tether: AnyTether,
        p_BA: Vector3 = ZERO3,
        step: float = 0.01,
        method: IntegrationMethod = RK4,
    ) -> None:
        self.plant, self.tether, self.p_BA = plant, tether, p_BA
        self.elapsed = step
        self._stepper = plant.stepper(step, method)
        self._rate, self._row = kernels_for(plant.packed.layout).rate, writable("row", plant.packed.row)
        self._codes = codes_of(plant.packed.layout)

    def initial(self, vehicle: Array, far: Vector3, water: ArrayLike = STILL_WATER) -> Tethered:
        """The tether in equilibrium between a vehicle in this state and a far end in N."""
        near, _ = attachment(vehicle, self.p_BA)
        return Tethered(vehicle, self.tether.initial(near, far, water), TetherForces(ZERO3, ZERO3))

    def step(
        self,
        now: Tethered,
        commands: ArrayLike,
        far_end: TetherEnd,
        water: ArrayLike = STILL_WATER,
        water_along: ArrayLike | None = None,
        external: ArrayLike = ZERO_WRENCH,
        length_rate: float = 0.0,
    ) -> Tethered:
        """Vehicle and tether after one step of held inputs.

        Water is the velocity at the vehicle and along the tether, in one vector or one per node, m/s in N; the far end
        is one of `fixed_end`, `moving_end` and `yielding_end`. The external wrench is about B in body axes; the winch
        pays out at a rate in m/s.
        """
        state, held = now.vehicle, numbers("commands", commands, (self.plant.packed.actuators,))
        others = numbers("external wrench", external, (6,))
        water_velocity = numbers("water velocity", water, (3,))

        result, outputs = (
            np.empty(BODY_SIZE + self.plant.packed.actuator_states),
            np.empty(outputs_count(self.plant.packed.layout)),
        )
        body = state[: result.size].copy()

        def rate(wrench: Array) -> Array:
            inputs = np.concatenate([others + wrench, held, water_velocity])
            self._rate(self._row, self._codes, body, inputs, outputs, result)
            return result

        along = water if water_along is None else water_along
        end = vehicle_end(rate, state, self.p_BA)
        line, pull = self.tether.step(now.line, end, far_end, along, length_rate, self.elapsed)
        q0, q1, q2, q3 = state[3:7].tolist()
        wrench = others + pull_wrench((q0, q1, q2, q3), self.p_BA, pull.vehicle)
        external_inputs = np.concatenate([wrench, water_velocity])
        return Tethered(self._stepper(state, held, external_inputs), line, pull)


@final
@dataclass(frozen=True, eq=False)
class TetherSetup:
    """A tether between a vehicle and a fixed point or a ship at constant velocity."""

    name: str
    tether: AnyTether
    start: Any  # initial state of the tether, from `resting`
    p_BA: Vector3 = ZERO3  # m, attachment on the body, in body axes
    far: Vector3 = ZERO3  # m, initial position of the far end in N
    far_velocity: Vector3 = ZERO3  # m/s, in N
    winch_rate: float = 0.0  # m/s paid out at the far end; negative to reel in
    winch_from_ns: int = 0
    winch_until_ns: int | None = None

    def far_end(self, time_ns: int) -> TetherEnd:
        """Motion of the far end over the step that begins at a time: steady."""
        if self.far_velocity == ZERO3:
            return fixed_end(self.far)
        here = add3(self.far, scale3(1e-9 * time_ns, self.far_velocity))
        return TetherEnd(here, self.far_velocity, ZERO3, ZERO3, RIGID)

    def length_rate(self, time_ns: int) -> float:
        """Winch speed over the step that begins at a time, m/s."""
        turns = self.winch_from_ns <= time_ns and (self.winch_until_ns is None or time_ns < self.winch_until_ns)
        return self.winch_rate if turns else 0.0


def resting(tether: AnyTether, state: Array, p_BA: Vector3, far: Vector3, world: World) -> Any:
    """Equilibrium state of a tether from p_BA (body axes, m) to its far end (m in N) at the start of a run.

    The current is that at the middle of the tether. Raises a ValueError when the ends coincide, or no equilibrium is
    found.
    """
    place, _ = attachment(state, p_BA)
    middle = scale3(0.5, add3(place, far))
    return tether.initial(place, far, world.at(0, middle).velocity)
