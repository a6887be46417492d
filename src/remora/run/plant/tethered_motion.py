"""Coupled steps of a vehicle and its tether with exchange of the mean tether force.

Explicit exchange of motion and force is unstable for a stiff tether on a light vehicle. Here the tether receives the
free acceleration of its attachment and the compliance of the vehicle (acceleration per newton). It integrates its end
with the inertia of the vehicle in short sub-steps, and the mean force over the step acts on the vehicle.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import ZERO3, add3, matvec3
from remora.equations.packed import outputs_count
from remora.equations.tether_ends import point_velocity, pull_wrench
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.plant.compilation import kernels_for
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import STILL_WATER, ZERO_WRENCH, numbers, writable
from remora.plant.loops import BODY_SIZE
from remora.plant.methods import RK4, IntegrationMethod
from remora.plant.plant import Plant
from remora.run.plant.vehicle_end_kernel import WRENCHES, end_kernel, wrench_kernel
from remora.world.tethers.ends import TetherEnd, TetherForces, end_from_row
from remora.world.tethers.models import AnyTether
from remora.world.tethers.step_kernel import END_SIZE


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
    """Steps a vehicle and its tether by one fixed interval per call.

    Parameters
    ----------
    plant
        The vehicle.
    tether
        `Tether`, `SlackSpring` or `FlatPlate`.
    p_BA
        Attachment on the body in body axes, m.
    step
        Length of a step, s.
    method
        Integration method of the vehicle.
    """

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
