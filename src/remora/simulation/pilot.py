"""A simple pilot for built-in runs: holds depth, heading and speed of any vehicle whose thrusters can drive it.

It knows the true state and the model: it asks the plant how the vehicle would move without thrust, and pushes by what
is missing. A least-squares allocation shares the push out among the thrusters.
"""

import math
from typing import NamedTuple

import numpy as np

from remora.control.commands import commands_from_forces
from remora.equations.current import current_twist
from remora.equations.kinematics import position_rate
from remora.equations.quaternions import Quaternion, to_euler_zyx
from remora.equations.vectors import Twist, Vector3, linear, subtract6
from remora.kernels.loops import Array
from remora.kernels.pack import DEGREES_OF_FREEDOM, resting_outputs
from remora.simulation.plant import Plant
from remora.vehicles.hydrostatics import righting_lever
from remora.vehicles.parameters import VehicleParameters, total_inertia

# The law: an error asks for a speed, within limits; a wrong speed asks for an acceleration.
SPEED_PER_ERROR, ACCELERATION_PER_SPEED = 0.4, 1.0  # 1/s
LARGEST_SPEEDS = (0.5, math.inf, 0.4, math.inf, math.inf, math.radians(15.0))  # m/s, rad/s
ENVELOPE_SHARE = 0.7  # of the speeds for which a vehicle's numbers are valid
DIVERGENCE_SHARE = 0.7  # of the speed at which a vehicle that cannot hold its pitch would lose it

NEEDED, LEVELLED = (0, 2, 5), (3, 4)  # surge, heave and yaw; roll and pitch where the thrusters reach them
UNIMPORTANT = 0.05  # weight of a wrong newton in the other directions


class Reference(NamedTuple):
    """What the vehicle is asked to do."""

    depth: float  # m
    heading: float  # rad
    speed: float  # m/s over ground, ahead


class Pilot(NamedTuple):
    """What the law knows of its vehicle."""

    plant: Plant
    driven: list[int]  # degrees of freedom that the law holds
    masses: Array  # kg and kg m2 of each degree of freedom, water included
    largest_speeds: Array  # m/s and rad/s of each degree of freedom
    slowed: str  # why the largest speed ahead is below the usual one; empty when it is not
    shares: Array  # newtons of each thruster per newton and newton metre of wanted wrench


def make_pilot(plant: Plant) -> Pilot:
    """The law for a vehicle.

    Raises
    ------
    ValueError
        When the vehicle cannot be driven in surge, heave and yaw with its thrusters.
    """
    parameters = plant.vehicle.parameters
    effects = np.array([thruster.effect for thruster in parameters.thrusters]).reshape(-1, 6).T
    alone = np.diag(effects @ np.linalg.pinv(effects, rcond=0.05))
    levelled = [i for i in LEVELLED if alone[i] > 0.95 and DEGREES_OF_FREEDOM[i] not in plant.locked]
    driven = [*NEEDED, *levelled]
    importance = np.full(6, UNIMPORTANT)
    importance[driven] = 1.0
    shares = np.linalg.pinv(importance[:, None] * effects, rcond=1e-3) * importance
    reached = np.diag(effects @ shares)
    _refuse_undriven(plant, [i for i in NEEDED if abs(reached[i] - 1.0) > 0.1])
    largest, slowed = _largest_speeds(plant, pitch_is_held=4 in levelled)
    return Pilot(plant, driven, np.diag(total_inertia(parameters)), largest, slowed, shares)


def _largest_speeds(plant: Plant, pitch_is_held: bool) -> tuple[Array, str]:
    """The speeds that the law stays within, and why the one ahead is lower than usual."""
    parameters = plant.vehicle.parameters
    envelope = ENVELOPE_SHARE * np.array(parameters.envelope or (math.inf,) * 6)
    largest, slowed = np.minimum(LARGEST_SPEEDS, envelope), ""
    # A turn carries the speed ahead over into sway.
    if min(envelope[0], envelope[1]) < LARGEST_SPEEDS[0]:
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


def commands_for(pilot: Pilot, state: Array, asked: Reference, water: Vector3) -> Array:
    """The commands of all actuators for what is asked; fins and servos stay in line, loads neutral."""
    parameters = pilot.plant.vehicle.parameters
    through_water = subtract6(twist_of(state), current_twist(quaternion_of(state), water))
    forces = (pilot.shares @ wanted_wrench(pilot, state, asked, water)).tolist()
    commands = resting_outputs(pilot.plant.packed)
    commands[: len(forces)] = commands_from_forces(parameters, forces, through_water)
    return commands


def wanted_wrench(pilot: Pilot, state: Array, asked: Reference, water: Vector3) -> Array:
    """Forces and torques that turn the free motion into the wanted one; nothing where the pilot does not drive."""
    q_NB, twist = quaternion_of(state), twist_of(state)
    still = resting_outputs(pilot.plant.packed)
    at_rest = np.zeros(pilot.plant.packed.carried - still.size)  # loads
    free = pilot.plant.derivative(np.concatenate([state[:13], still, at_rest]), still, water=water)[7:13]
    roll, pitch, heading = to_euler_zyx(q_NB)
    errors = np.array([0.0, 0.0, asked.depth - state[2], -roll, -pitch, shortest_turn(heading, asked.heading)])
    wanted = SPEED_PER_ERROR * errors
    wanted[0] = asked.speed
    sinking = position_rate(q_NB, linear(twist))[2]
    actual = np.array([twist[0], twist[1], sinking, twist[3], twist[4], twist[5]])
    wrong = np.clip(wanted, -pilot.largest_speeds, pilot.largest_speeds) - actual
    wrench = np.zeros(6)
    push = pilot.masses * (ACCELERATION_PER_SPEED * wrong - free)
    wrench[pilot.driven] = push[pilot.driven]
    return wrench


def shortest_turn(heading: float, wanted: float) -> float:
    """The angle from one heading to another, between -pi and pi."""
    return math.remainder(wanted - heading, 2.0 * math.pi)


def quaternion_of(state: Array) -> Quaternion:
    """q_NB of a state."""
    q0, q1, q2, q3 = state[3:7].tolist()
    return (q0, q1, q2, q3)


def twist_of(state: Array) -> Twist:
    """The twist of a state."""
    u, v, w, p, q, r = state[7:13].tolist()
    return (u, v, w, p, q, r)
