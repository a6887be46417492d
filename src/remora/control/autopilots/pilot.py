"""A simple pilot for built-in runs: holds depth, heading and speed of any vehicle whose thrusters can drive it.

An error of depth or heading asks for a speed, within limits; the velocity loop of `PositionControl` makes it, with the
resistance that the model has at the asked speeds, an integral against currents that are not known, and roll and pitch
kept level where the thrusters reach them. A bounded allocation shares the wrench out; where not all can be had, the
attitude comes before the speed.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.thrusters import ALL_AXES, HELD_AXES, BoundedAllocation, bounded_allocation
from remora.control.autopilots.mission import mission_control
from remora.control.autopilots.position import NO_CORRECTION, Four, PositionControl, Six, position_control
from remora.control.feedback.attitude import turn_to_heading
from remora.control.feedback.levelling import levelled_axes
from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, ZERO6, Vector3, Wrench, linear, subtract6
from remora.equations.water.current import current_twist
from remora.files.arrays import Array
from remora.kernels.pack import DEGREES_OF_FREEDOM, resting_outputs
from remora.kernels.plant import Plant
from remora.messages.estimate import Estimate
from remora.messages.reference import Reference
from remora.vehicles.checks.hydrostatics import righting_lever
from remora.vehicles.parameters import VehicleParameters, total_inertia

SPEED_PER_ERROR, TURN_PER_ERROR = 0.4, 0.6  # 1/s
ACCELERATION_PER_SPEED: Four = (1.0, 1.0, 1.0, 3.0)  # 1/s; a current turns a vehicle more than it pushes it
LARGEST_SPEEDS = (0.5, math.inf, 0.4, math.inf, math.inf, math.radians(15.0))  # m/s, rad/s
ENVELOPE_SHARE = 0.7  # of the speeds for which a vehicle's numbers are valid
DIVERGENCE_SHARE = 0.7  # of the speed at which a vehicle that cannot hold its pitch would lose it

NEEDED = (0, 2, 5)  # surge, heave and yaw
UNIMPORTANT = 0.05  # weight of a wrong newton in the directions that it does not drive
ATTITUDE_IMPORTANCE = 10.0  # of a wrong newton metre against a wrong newton


class Pilot(NamedTuple):
    """What the law knows of its vehicle."""

    plant: Plant
    control: PositionControl  # of which the velocity loop is used; sway is left alone
    allocation: BoundedAllocation
    largest_speeds: Array  # m/s and rad/s of each degree of freedom
    slowed: str  # why the largest speed ahead is below the usual one; empty when it is not


class PilotState(NamedTuple):
    """What the law remembers."""

    turn: float = 0.0  # rad, asked for one step before
    correction: Six = NO_CORRECTION  # integrals of the velocity loop
    missing: Wrench = ZERO6  # what the thrusters could not make


def make_pilot(plant: Plant, period: float = 0.1, water: Vector3 = ZERO3, speed: float = 0.0) -> Pilot:
    """The law for a vehicle, with seconds between its steps, what it takes the water to do, and the speed it must have.

    Raises
    ------
    ValueError
        When the vehicle cannot be driven in surge, heave and yaw with its thrusters, or not at this speed.
    """
    parameters = plant.vehicle.parameters
    levelled = levelled_axes(parameters, plant.locked)
    driven = (*NEEDED, *levelled)
    importance = [(ATTITUDE_IMPORTANCE if i > 2 else 1.0) if i in driven else UNIMPORTANT for i in ALL_AXES]
    allocation = bounded_allocation(parameters, ALL_AXES, (), importance)
    reached = np.diag(allocation.matrix @ allocation.inverse)
    _refuse_undriven(plant, [i for i in NEEDED if abs(reached[i] - 1.0) > 0.1])
    largest, slowed = _largest_speeds(plant, speed, pitch_is_held=4 in levelled)
    if speed > largest[0]:
        raise ValueError(
            f"{plant.vehicle.name} is driven at up to {largest[0]:.3g} m/s only, {slowed}. Ask for less speed"
        )
    M = np.diag(total_inertia(parameters))
    plain = position_control(parameters, velocity_gains=ACCELERATION_PER_SPEED)
    plain = replace(plain, masses=(M[0], 0.0, M[2], M[5]))
    control = mission_control(plain, parameters, plant.packed, period=period, levelled=levelled, water_N=water)
    return Pilot(plant, control, allocation, largest, slowed)


def _largest_speeds(plant: Plant, speed: float, pitch_is_held: bool) -> tuple[Array, str]:
    """The speeds that the law stays within, and why the one ahead is lower than usual."""
    parameters = plant.vehicle.parameters
    envelope = ENVELOPE_SHARE * np.array(parameters.envelope or (math.inf,) * 6)
    largest, slowed = np.minimum((max(speed, LARGEST_SPEEDS[0]), *LARGEST_SPEEDS[1:]), envelope), ""
    # A turn carries the speed ahead over into sway.
    if min(envelope[0], envelope[1]) < max(speed, LARGEST_SPEEDS[0]):
        largest[0], slowed = min(envelope[0], envelope[1]), "to stay where the vehicle's numbers are valid"
    stable = DIVERGENCE_SHARE * pitch_divergence_speed(parameters)
    if not pitch_is_held and "pitch" not in plant.locked and stable < largest[0]:
        largest[0], slowed = (
            stable,
            "because at more it would lose its pitch to the Munk moment, and no thruster holds it",
        )
    return largest, slowed


def pitch_divergence_speed(parameters: VehicleParameters) -> float:
    """The speed at constant depth above which the Munk moment in pitch outgrows the righting moment.

    At a small pitch the hull meets the water at that angle, and (m_heave - m_surge) u^2 turns it further. Drag, lift
    and pitch damping are left out. Infinite for a hull that is no heavier in heave than in surge.
    """
    inertia, stiffness = total_inertia(parameters), math.hypot(*righting_lever(parameters))
    excess = inertia[2][2] - inertia[0][0]
    return math.sqrt(stiffness / excess) if excess > 0.0 else math.inf


def _refuse_undriven(plant: Plant, out_of_reach: list[int]) -> None:
    """Say which of the driven degrees of freedom cannot be driven, if any."""
    locked = [DEGREES_OF_FREEDOM[i] for i in NEEDED if DEGREES_OF_FREEDOM[i] in plant.locked]
    missing = [DEGREES_OF_FREEDOM[i] for i in out_of_reach if DEGREES_OF_FREEDOM[i] not in locked]
    if not locked and not missing:
        return
    count = len(plant.vehicle.parameters.thrusters)
    reasons = [f"its model locks {' and '.join(locked)}"] if locked else []
    if missing:
        who = f"its {count} thruster{'s' if count > 1 else ''} cannot" if count else "it has no thrusters to"
        reasons.append(f"{who} drive it in {' and '.join(missing)}")
    raise ValueError(
        f"{plant.vehicle.name} cannot dive, drive ahead and turn: {', and '.join(reasons)}. "
        "Choose another vehicle; remora presets lists them."
    )


def piloted(pilot: Pilot, state: PilotState, now: Estimate, asked: Reference) -> tuple[PilotState, Array]:
    """The commands of all actuators for what is asked; fins and servos stay in line, moving masses neutral."""
    turn, speeds = asked_speeds(pilot, state, now, asked)
    correction, wrench = pilot.control.drive(state.correction, now.q_NB, now.twist, speeds, state.missing)
    found = pilot.allocation.allocate(wrench)
    commands = resting_outputs(pilot.plant.packed)
    through_water = subtract6(now.twist, current_twist(now.q_NB, pilot.control.water_N))
    forces = commands_from_forces(pilot.plant.vehicle.parameters, found.forces.tolist(), through_water)
    commands[: len(forces)] = forces
    return PilotState(turn, correction, found.lacking), commands


def asked_speeds(pilot: Pilot, state: PilotState, now: Estimate, asked: Reference) -> tuple[float, Four]:
    """The turn to make, and the speeds to have: ahead, right (as it is), down and of the heading."""
    heading = to_euler_zyx(now.q_NB)[2]
    turn = turn_to_heading(heading, asked.heading, state.turn)
    over_ground = position_rate(now.q_NB, linear(now.twist))
    right = math.cos(heading) * over_ground[1] - math.sin(heading) * over_ground[0]
    wanted = (asked.speed, right, SPEED_PER_ERROR * (asked.depth - now.p_NB[2]), TURN_PER_ERROR * turn)
    limits = pilot.largest_speeds[list(HELD_AXES)].tolist()
    u, v, w, r = (min(max(speed, -most), most) for speed, most in zip(wanted, limits, strict=True))
    return turn, (u, v, w, r)
