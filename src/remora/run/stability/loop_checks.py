"""Checks of control loops before a run: gains with which a linearised loop is clearly unstable, and a tilt at speed.

At speeds at which the Munk moment may tip a vehicle, the moment of the water, the righting moment and the answer of the
controllers to a small tilt are compared. Integral action cannot make up for a negative sum.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from remora.control.tuning.sampled_plant import ERRORS, LoopTiming, moved_estimate
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import from_euler_zyx, product, to_euler_zyx
from remora.equations.algebra.vectors import ZERO3
from remora.equations.plant import body_rate
from remora.equations.types import FourDof, Vector3
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.files.user_code import is_user_defined
from remora.messages.estimate import Estimate
from remora.messages.part import Role
from remora.plant.pack import PackedVehicle, resting_outputs
from remora.plant.plant import Plant
from remora.run.setup import VehicleSetup
from remora.run.stability.scenario_loop import LoopOfVehicle, loop_of
from remora.vehicles.checks.munk import COURSES, TILTS, munk_speed
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


SMALL_TILT = 1e-3  # rad
WITHOUT_MUNK = {"coriolis_off", "munk_off"}


def tipping_speeds(vehicle: VehicleSetup) -> Iterator[str]:
    """Sentences on the asked speeds at which nothing holds a tilt; none for vehicles with fins, which hold it.

    Controllers that cannot be linearised at rest are not judged; those that users define count as if they held none.
    """
    parameters, asked = vehicle.nominal.parameters, _asked_speeds(vehicle)
    if asked is None or parameters.fins or WITHOUT_MUNK & {*vehicle.plant.simplifications, *parameters.simplifications}:
        return
    controllers = [one.part for one in vehicle.parts if one.role == Role.CONTROL]
    is_own = any(is_user_defined(getattr(part, "inner", part)) for part in controllers)
    try:
        loop = None if is_own else loop_of(vehicle)
    except InputError:
        return
    for course in COURSES:
        for tilt in TILTS:
            free = munk_speed(parameters, course, tilt)
            names = DEGREES_OF_FREEDOM[course], DEGREES_OF_FREEDOM[tilt]
            if course == tilt - 3 or asked[course] <= free or {*names} & {*parameters.locked, *vehicle.plant.locked}:
                continue
            held = 0.0 if loop is None else _held(loop, course, tilt, asked[course])
            if asked[course] > munk_speed(parameters, course, tilt, held):
                yield _text(names, asked[course], free, is_own)


def _text(names: tuple[str, str], asked: float, free: float, is_own: bool) -> str:
    course, tilt = names
    fix = f"Ask for less speed, or hold {tilt} by a controller"
    unless = " unless the controller holds it" if is_own else ""
    return (
        f"asks for {asked:.2g} m/s in {course}: the Munk moment exceeds the righting moment from {free:.2g} m/s on, "
        f"and the vehicle may tip over in {tilt}{unless}. {fix}"
    )


def _asked_speeds(vehicle: VehicleSetup) -> FourDof | None:
    """Largest speeds of the guidance, or else of its controllers; None where neither states them."""
    stated = [getattr(one.part, "peak_speeds", None) for one in vehicle.parts if one.role == Role.GUIDANCE]
    stated += [
        getattr(getattr(one.part, "control", None), "max_speeds", None)
        for one in vehicle.parts
        if one.role == Role.CONTROL
    ]
    found: FourDof | None = next((speeds for speeds in stated if speeds is not None), None)
    return found


def _held(loop: LoopOfVehicle, course: int, tilt: int, speed: float) -> float:
    """Moment by which thrusters answer a small tilt on a course at a speed in m/s, N m/rad."""
    moments = [_moment(loop, course, tilt, (speed, angle)) for angle in (SMALL_TILT, -SMALL_TILT)]
    return (moments[1] - moments[0]) / (2.0 * SMALL_TILT)


def _moment(loop: LoopOfVehicle, course: int, tilt: int, motion: tuple[float, float]) -> float:
    """Moment of the thrusters about the axis of a tilt at a speed, m/s, and an angle, rad."""
    speed, angle = motion
    heading = to_euler_zyx(loop.start.q_NB)[2]
    ahead = (math.cos(heading), math.sin(heading))
    ways: tuple[Vector3, ...] = ((*ahead, 0.0), (-ahead[1], ahead[0], 0.0), (0.0, 0.0, 1.0))
    north, east, down = (speed * part for part in ways[course])
    turned = from_euler_zyx(angle if tilt == TILTS[0] else 0.0, angle if tilt == TILTS[1] else 0.0, 0.0)
    q_NB = product(loop.start.q_NB, turned)
    u, v, w = to_body(q_NB, (north, east, down))
    asked: list[tuple[float, float, float, float]] = [(speed, 0, 0, 0), (0, speed, 0, 0), (0, 0, speed, 0)]
    reference = loop.chain.reference._replace(
        velocity=asked[course], v_NR_N=(north, east, down), speed=speed if course == 0 else 0.0
    )
    chain = replace(loop.chain, guidance=None, reference=reference)
    wrench = chain(chain.initial(), loop.start._replace(q_NB=q_NB, twist=(u, v, w, 0.0, 0.0, 0.0)))[1]
    thrusters: Array = loop.actuation @ np.array(wrench)
    return float(thrusters[tilt])
