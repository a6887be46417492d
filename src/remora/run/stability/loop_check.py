"""Check of a control loop before a run: gains with which the linearised loop is clearly unstable."""

import math
from typing import NamedTuple

import numpy as np

from remora.control.tuning.sampled_plant import ERRORS, LoopTiming, moved_estimate
from remora.equations.algebra.vectors import ZERO3
from remora.equations.plant import body_rate
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.files.user_code import is_user_defined
from remora.messages.estimate import Estimate
from remora.messages.part import Role
from remora.plant.pack import PackedVehicle, resting_outputs
from remora.plant.plant import Plant
from remora.run.setup import VehicleSetup
from remora.run.stability.scenario_loop import LoopOfVehicle, loop_of
from remora.vehicles.names import DEGREES_OF_FREEDOM

SLOWEST_GROWTH = 20.0  # s in which errors grow by e; slower growth is left to the run, drag or an integral may stop it
DIFFERENCE = 1e-6  # of central differences, in SI units; small, because quadratic drag has a kink at rest


class UnstableLoop(NamedTuple):
    """The fastest growing motion of a loop."""

    timing: LoopTiming
    radius: float  # spectral radius of the closed loop per sample
    axis: str  # degree of freedom that moves most
    stable_share: float  # largest share of the gains at which the loop is stable; zero where none is
    is_guided: bool  # whether guidance has gains of its own in the loop
    guidance_samples: int = 1  # samples for which guidance is held

    def __str__(self) -> str:
        growth, timing = self.timing.period / math.log(self.radius), self.timing
        hold = (
            f" with guidance every {self.guidance_samples * timing.period:.3g} s" if self.guidance_samples > 1 else ""
        )
        late = f" and a latency of {timing.latency:.3g} s" if timing.latency > 0.0 else ""
        change = (
            f"Multiply its gains by at most {self.stable_share:.2g}, or shorten period, lag or latency"
            if self.stable_share > 0.0
            else "No share of its gains is stable: lower integral gains, shorten lag or latency, or check the vehicle"
        )
        change += "; or lower proportional_gains and integral_gains of the guidance" if self.is_guided else ""
        return (
            f"makes the loop unstable: errors in {self.axis} grow by e in {growth:.2g} s, the largest pole is "
            f"{self.radius:.4g} per sample of {timing.period:.3g} s{hold} behind a thruster lag of {timing.lag:.3g} s"
            f"{late}. {change}"
        )


def unstable_loop(vehicle: VehicleSetup) -> UnstableLoop | None:
    """The instability of the loop of a vehicle that holds its start pose in still water; None where there is none.

    Loops that cannot be linearised at rest, and those with user-defined controllers or force models, are not judged.
    """
    controllers = [one.part for one in vehicle.parts if one.role == Role.CONTROL]
    if not controllers or any(is_user_defined(getattr(part, "inner", part)) for part in controllers):
        return None
    plant = Plant(vehicle.nominal, vehicle.plant.locked, vehicle.plant.simplifications)
    try:
        found = loop_of(vehicle)
    except InputError:
        return None
    if plant.packed.layout.user_forms:
        return None
    return _judged(found, plant.packed)


def _judged(found: LoopOfVehicle, packed: PackedVehicle) -> UnstableLoop | None:
    """The instability of a loop, with the state of its software after the first sample."""
    held, _ = found.chain(found.chain.initial(), found.start)
    loop = found.sampled(held, found.start)
    A, B = plain_linear_plant(packed, found.start)
    radius, motion = loop.growing_motion(A, B)
    if radius < math.exp(found.timing.period / SLOWEST_GROWTH):
        return None
    axis = DEGREES_OF_FREEDOM[int(np.argmax(np.abs(motion[6:ERRORS])))]
    is_guided, samples = found.chain.guidance is not None, found.chain.guidance_samples
    return UnstableLoop(found.timing, radius, axis, loop.stable_share(A, B), is_guided, samples)


def plain_linear_plant(packed: PackedVehicle, at: Estimate) -> tuple[Array, Array]:
    """Rate of pose and twist errors about a pose at rest in still water, by differences of the plain equations.

    No compiled code is loaded.
    """
    row, outputs = packed.row.tolist(), resting_outputs(packed).tolist()

    def rate(errors: Array, wrench: Array) -> Array:
        state = moved_estimate(at, errors)
        X, Y, Z, K, M, N = wrench.tolist()
        p, q, twist = state.p_NB, state.q_NB, state.twist
        found = body_rate(row, packed.layout, (*p, *q, *twist), outputs, ZERO3, (X, Y, Z, K, M, N))
        return np.array([*found[:3], *twist[3:], *found[7:]])

    zero, columns = np.zeros(6), []
    for k in range(ERRORS + 6):
        step = np.zeros(ERRORS + 6)
        step[k] = DIFFERENCE
        high, low = rate(step[:ERRORS], zero + step[ERRORS:]), rate(-step[:ERRORS], zero - step[ERRORS:])
        columns.append((high - low) / (2.0 * DIFFERENCE))
    J = np.array(columns).T
    return J[:, :ERRORS], J[:, ERRORS:]
