"""The control chain of the FlatFish, for any vehicle: position, velocity, buoyancy, allocation, commands, at 10 Hz.

Britto Neto 2018 names the steps and prints no gains; those here follow from the vehicle's inertia.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol, final

import numpy as np

from remora.control.allocation import HELD_AXES, Array, BoundedAllocation, bounded_allocation
from remora.control.attitude import turn_to_heading
from remora.control.commands import commands_from_forces
from remora.equations.kinematics import position_rate, to_body
from remora.equations.quaternions import Quaternion, to_euler_zyx
from remora.equations.vectors import ZERO6, Twist, Vector3, Wrench, linear
from remora.vehicles.actuation import allocation_matrix
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, net_buoyancy, total_inertia

Four = tuple[float, float, float, float]  # surge, sway, heave, yaw

POSITION_GAINS: Four = (0.4, 0.4, 0.4, 0.4)  # 1/s
VELOCITY_GAINS: Four = (1.0, 1.0, 1.0, 1.0)  # 1/s, times the inertia
LARGEST_SPEEDS: Four = (0.5, 0.3, 0.2, 0.3)  # m/s and rad/s


class PoseReferenceLike(Protocol):
    """What the chain follows."""

    @property
    def p_NR(self) -> Vector3:
        """Position in N, m."""

    @property
    def heading(self) -> float:
        """Heading, rad; any number of turns."""

    @property
    def v_NR_N(self) -> Vector3:
        """Velocity of the reference in N, m/s."""

    @property
    def heading_rate(self) -> float:
        """Rate of the heading, rad/s."""


class PositionControlState(NamedTuple):
    """What position control remembers."""

    turn: float = 0.0  # rad, the turn asked for one step before


@final
@dataclass(frozen=True)
class PositionControl:
    """Position P, velocity P and buoyancy compensation as one sampled part; its output is a wrench in body axes.

    Errors of position are seen in axes that follow the heading but stay level. The safe output for an estimate or
    a reference that is no finite number is no wrench at all.
    """

    masses: Four  # kg and kg m2
    net_weight: float  # N, weight less buoyancy
    position_gains: Four = POSITION_GAINS
    velocity_gains: Four = VELOCITY_GAINS
    largest_speeds: Four = LARGEST_SPEEDS
    follows_velocity: bool = False  # whether the velocity of the reference is added to the wanted one

    def initial(self) -> PositionControlState:
        """No turn asked for yet."""
        return PositionControlState()

    def step(
        self,
        state: PositionControlState,
        p_NB: Vector3,
        q_NB: Quaternion,
        twist: Twist,
        reference: PoseReferenceLike,
    ) -> tuple[PositionControlState, Wrench]:
        """One sample."""
        known = sum(p_NB) + sum(q_NB) + sum(twist) + sum(reference.p_NR) + reference.heading
        if not math.isfinite(known):
            return state, ZERO6
        heading = to_euler_zyx(q_NB)[2]
        turn = turn_to_heading(heading, reference.heading, state.turn)
        asked = self._asked_speeds(p_NB, heading, turn, reference)
        v = _levelled(position_rate(q_NB, linear(twist)), heading)
        actual = (v[0], v[1], v[2], twist[5])
        X, Y, Z, N = (
            mass * gain * (a - b)
            for mass, gain, a, b in zip(self.masses, self.velocity_gains, asked, actual, strict=True)
        )
        c, s = math.cos(heading), math.sin(heading)
        force = to_body(q_NB, (c * X - s * Y, s * X + c * Y, Z - self.net_weight))
        return PositionControlState(turn), (*force, 0.0, 0.0, N)

    def _asked_speeds(self, p_NB: Vector3, heading: float, turn: float, reference: PoseReferenceLike) -> Four:
        """Wanted speeds ahead, right, down and of the heading, within their limits."""
        to = reference.p_NR
        e = _levelled((to[0] - p_NB[0], to[1] - p_NB[1], to[2] - p_NB[2]), heading)
        errors = (e[0], e[1], e[2], turn)
        moving = (0.0, 0.0, 0.0, 0.0)
        if self.follows_velocity:
            moving = (*_levelled(reference.v_NR_N, heading), reference.heading_rate)
        asked = [
            min(max(gain * error + speed, -limit), limit)
            for gain, error, speed, limit in zip(self.position_gains, errors, moving, self.largest_speeds, strict=True)
        ]
        return (asked[0], asked[1], asked[2], asked[3])


def _levelled(vector_N: Vector3, heading: float) -> Vector3:
    """A vector of N in level axes that follow a heading."""
    c, s = math.cos(heading), math.sin(heading)
    return (c * vector_N[0] + s * vector_N[1], -s * vector_N[0] + c * vector_N[1], vector_N[2])


def position_control(
    parameters: VehicleParameters,
    position_gains: Four = POSITION_GAINS,
    velocity_gains: Four = VELOCITY_GAINS,
    largest_speeds: Four = LARGEST_SPEEDS,
    follows_velocity: bool = False,
) -> PositionControl:
    """Position control for a vehicle: velocity gains times its inertia, body and water; speeds within its envelope."""
    M, envelope = total_inertia(parameters), parameters.envelope or (math.inf,) * 6
    limits = [min(speed, 0.7 * envelope[i]) for speed, i in zip(largest_speeds, HELD_AXES, strict=True)]
    return PositionControl(
        masses=(M[0][0], M[1][1], M[2][2], M[5][5]),
        net_weight=-net_buoyancy(parameters),
        position_gains=position_gains,
        velocity_gains=velocity_gains,
        largest_speeds=(limits[0], limits[1], limits[2], limits[3]),
        follows_velocity=follows_velocity,
    )


class ChainOutput(NamedTuple):
    """What the chain came to, step by step."""

    commands: list[float]  # of the thrusters
    forces: Array  # N, effective
    wanted: Wrench  # about B in body axes
    missing: Array  # what the thrusters cannot make of it


@final
@dataclass(frozen=True)
class ControlChain:
    """Position control, bounded allocation and the inverse of the thrust law as one sampled part.

    `flatfish_chain` makes one for a vehicle.
    """

    parameters: VehicleParameters
    control: PositionControl
    allocation: BoundedAllocation

    @property
    def uncontrolled(self) -> tuple[str, ...]:
        """Those of surge, sway, heave and yaw that the thrusters cannot make."""
        left_out = (DEGREES_OF_FREEDOM[i] for i in HELD_AXES if i not in self.allocation.axes)
        return (*left_out, *self.allocation.uncontrollable)

    def initial(self) -> PositionControlState:
        """No turn asked for yet."""
        return self.control.initial()

    def step(
        self,
        state: PositionControlState,
        p_NB: Vector3,
        q_NB: Quaternion,
        twist: Twist,
        reference: PoseReferenceLike,
    ) -> tuple[PositionControlState, ChainOutput]:
        """One sample, usually at 10 Hz."""
        after, wanted = self.control.step(state, p_NB, q_NB, twist, reference)
        allocated = self.allocation.allocate(wanted)
        commands = commands_from_forces(self.parameters, allocated.forces.tolist())
        return after, ChainOutput(commands, allocated.forces, wanted, allocated.missing)


def flatfish_chain(
    parameters: VehicleParameters,
    control: PositionControl | None = None,
    disabled: tuple[int | str, ...] = (),
    levels_pitch: bool = False,
) -> ControlChain:
    """The chain for a vehicle; axes in which no thruster pushes are left out.

    Parameters
    ----------
    parameters
        The vehicle.
    control
        Position control with other gains; `position_control` of the vehicle unless given.
    disabled
        Thrusters that must not be used, by index or by name.
    levels_pitch
        Whether the allocation also keeps the pitching moment at zero, with low importance. Without, a heaving vehicle
        whose vertical thrusters sit unevenly is pitched by them.
    """
    matrix = allocation_matrix(parameters)
    wanted = (*HELD_AXES[:3], 4, 5) if levels_pitch else HELD_AXES
    axes = tuple(i for i in wanted if np.any(matrix[i] != 0.0))
    importance = [0.01 if i == 4 else 1.0 for i in axes]
    allocation = bounded_allocation(parameters, axes, disabled, importance)
    return ControlChain(parameters, control or position_control(parameters), allocation)
