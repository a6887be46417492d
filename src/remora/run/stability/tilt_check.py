"""Speeds of a scenario at which the Munk moment tips a vehicle, before the run.

The moment of the water, the righting moment and the answer of the controllers to a small tilt at the asked speed are
compared. Integral action cannot make up for a negative sum.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import from_euler_zyx, product, to_euler_zyx
from remora.equations.types import FourDof, Vector3
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.files.user_code import is_user_defined
from remora.messages.part import Role
from remora.run.setup import VehicleSetup
from remora.run.stability.scenario_loop import LoopOfVehicle, loop_of
from remora.vehicles.checks.munk import COURSES, TILTS, munk_speed
from remora.vehicles.names import DEGREES_OF_FREEDOM

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
