"""Comparison of an added-mass scheme in an engine with the reference model, on the same thruster commands.

The control chain acts on the engine's vehicle; the reference, RK4 on the complete model, receives the same commands.
"""

from typing import NamedTuple

import numpy as np

from remora.control import flatfish_chain
from remora.control.autopilots.position import PoseReferenceLike
from remora.equations.algebra.vectors import ZERO6, add6, matvec6, subtract6
from remora.equations.types import Matrix6, Twist, Vector3, Wrench
from remora.files.arrays import Array
from remora.interop.added_mass_schemes import Efforts, Scheme
from remora.interop.simple_engine import Engine
from remora.plant import EULER, PackedVehicle, RunError, Stepper, initial_state, pack
from remora.plant.stepper import STILL_ENVIRONMENT
from remora.vehicles.parameters import VehicleParameters, total_inertia

CONTROL_PERIOD = 0.1  # s
DIVERGENCE_LIMIT = 1e3  # m/s or rad/s


class SchemeComparison(NamedTuple):
    """Twists of engine and reference at the end of each step, until divergence."""

    engine: Array
    reference: Array
    diverged_after: int | None  # steps

    @property
    def mean_errors(self) -> Array:
        """Mean absolute difference per degree of freedom; infinite when the engine diverged."""
        if self.diverged_after is not None:
            return np.full(6, np.inf)
        return np.abs(self.engine - self.reference).mean(axis=0)


class CompensatedEngine:
    """An engine with a compensation scheme and their states; locked degrees of freedom do not move in the water."""

    def __init__(
        self,
        parameters: VehicleParameters,
        scheme: Scheme,
        step: float,
        position: Vector3,
        locked: tuple[str, ...] = (),
    ) -> None:
        self.engine, self.scheme = Engine(parameters, step), scheme
        self.wet: PackedVehicle = pack(parameters, locked)
        self._euler = Stepper(self.wet, step, EULER)
        self.inertia: Matrix6 = total_inertia(parameters)
        self.state, self.scheme_state = self.engine.initial(position), scheme.initial()
        self.last_rate: Twist = ZERO6

    def efforts(self, outputs: Array, environment: Array = STILL_ENVIRONMENT) -> Wrench:
        """F: the sum of all efforts of the complete model at the engine's state."""
        # An Euler step gives the rate faster than `derivative`, which checks its input.
        after = self._euler(np.concatenate([self.state, outputs]), outputs, environment)
        return matvec6(self.inertia, tuple(((after[7:13] - self.state[7:13]) / self.engine.step).tolist()))

    def advance(
        self,
        outputs: Array,
        contact: Wrench = ZERO6,
        hook: bool = False,
        environment: Array = STILL_ENVIRONMENT,
    ) -> None:
        """One step of the engine with thruster outputs and a contact wrench of the engine.

        With the hook the contact wrench is compensated too; without, it acts on the rigid body alone. The environment
        is a wrench of the complete model, and the velocity of the water.
        """
        total = self.efforts(outputs, environment)
        carried, weight = self.engine.native(self.state.tolist())
        seen = add6(total, contact) if hook else total
        self.scheme_state, compensation = self.scheme.step(self.scheme_state, Efforts(seen, carried, self.last_rate))
        given = subtract6(add6(total, compensation), add6(carried, weight))
        after = self.engine.advance(self.state, add6(given, contact))
        self.last_rate = tuple(((after[7:13] - self.state[7:13]) / self.engine.step).tolist())
        self.state = after


def compare_with_reference(
    parameters: VehicleParameters,
    scheme: Scheme,
    reference: PoseReferenceLike,
    seconds: float,
    step: float = 0.001,
    start: Vector3 = (0.0, 0.0, 3.0),
) -> SchemeComparison:
    """Drive engine and reference to a pose with the FlatFish control chain at 10 Hz, from rest, heading north.

    Duration and time step are in s, poses in N.
    """
    chain, vehicle = flatfish_chain(parameters), CompensatedEngine(parameters, scheme, step, start)
    model, stepper = initial_state(vehicle.wet, start), Stepper(vehicle.wet, step)
    controlled, commands = chain.initial(), np.zeros(vehicle.wet.actuators)
    count, per_sample = round(seconds / step), round(CONTROL_PERIOD / step)
    twists = np.empty((2, count, 6))
    for k in range(count):
        if k % per_sample == 0:
            body = vehicle.state.tolist()
            estimate = (tuple(body[:3]), tuple(body[3:7]), tuple(body[7:13]))
            controlled, output = chain.step(controlled, *estimate, reference)
            commands[: len(output.commands)] = output.commands
        model = stepper(model, commands)
        try:
            vehicle.advance(model[13:])
        except (RunError, ValueError):  # no longer numbers
            return SchemeComparison(twists[0, :k], twists[1, :k], k)
        twists[0, k], twists[1, k] = vehicle.state[7:13], model[7:13]
        if np.abs(vehicle.state[7:13]).max() > DIVERGENCE_LIMIT:
            return SchemeComparison(twists[0, : k + 1], twists[1, : k + 1], k + 1)
    return SchemeComparison(twists[0], twists[1], None)
