"""Comparison of an added-mass scheme in an engine with the reference model, on the same thruster commands.

The control chain acts on the engine's vehicle; the reference, RK4 on the complete model, receives the same commands.
"""

from typing import NamedTuple

import numpy as np

from remora.control import flatfish_chain
from remora.control.autopilots.position import PoseReferenceLike
from remora.equations.algebra.pose import ATTITUDE, TWIST
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.interop.added_mass_schemes import Scheme
from remora.interop.simple_engine import DIVERGENCE_LIMIT, CompensatedEngine
from remora.plant import RunError, Stepper, initial_state
from remora.vehicles.parameters import VehicleParameters

CONTROL_PERIOD = 0.1  # s


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
            estimate = (tuple(body[:3]), tuple(body[ATTITUDE]), tuple(body[TWIST]))
            controlled, output = chain.step(controlled, *estimate, reference)
            commands[: len(output.commands)] = output.commands
        model = stepper(model, commands)
        try:
            vehicle.advance(model[13:])
        except (RunError, ValueError):  # no longer numbers
            return SchemeComparison(twists[0, :k], twists[1, :k], k)
        twists[0, k], twists[1, k] = vehicle.state[TWIST], model[TWIST]
        if np.abs(vehicle.state[TWIST]).max() > DIVERGENCE_LIMIT:
            return SchemeComparison(twists[0, : k + 1], twists[1, : k + 1], k + 1)
    return SchemeComparison(twists[0], twists[1], None)
