"""The control chain of the FlatFish, for any vehicle: position, velocity, buoyancy, allocation, commands, at 10 Hz.

Britto Neto 2018 names the steps and prints no gains; those here follow from the vehicle's inertia. What is added for
missions is off unless asked for: an integral against currents, the drag at the asked speeds, and levelling.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol, final

import numpy as np

from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.thrusters import HELD_AXES, BoundedAllocation, bounded_allocation
from remora.control.feedback.attitude import turn_to_heading
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.feedback.flow import FlowFromPush
from remora.control.feedback.levelling import PITCH, ROLL, tilt_error
from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import Quaternion, to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, ZERO6, Twist, Vector3, Wrench, add3, add6, linear, subtract3
from remora.files.arrays import Array
from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, net_buoyancy, total_inertia

Two = tuple[float, float]
Four = tuple[float, float, float, float]  # surge, sway, heave, yaw
Six = tuple[float, float, float, float, float, float]

POSITION_GAINS: Four = (0.4, 0.4, 0.4, 0.4)  # 1/s
VELOCITY_GAINS: Four = (1.0, 1.0, 1.0, 1.0)  # 1/s, times the inertia
LARGEST_SPEEDS: Four = (0.5, 0.3, 0.2, 0.3)  # m/s and rad/s
NONE: Four = (0.0, 0.0, 0.0, 0.0)
UNLIMITED: Four = (math.inf, math.inf, math.inf, math.inf)
NO_CORRECTION: Six = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
TILT_GAINS: Vector3 = (1.5, 3.0, 0.75)  # 1/s, of tilt, rate (times the inertia) and integral
LARGEST_TILT_CORRECTION = 2.0  # rad/s
ENVELOPE_SHARE = 0.7  # of the speeds for which a vehicle's numbers are valid
LEAST_MISSING = 1e-6  # N and N m; less than this is rounding and blocks no integral
CURRENT_TIME = 2.0  # s, over which the current is averaged that push and motion tell


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
    correction: Six = (
        NO_CORRECTION  # m/s north, east, down, rad/s in yaw, roll, pitch: integrals, added to asked speeds
    )
    push: Vector3 = ZERO3  # N, against the water, asked for one step before, in body axes
    current: Two = (0.0, 0.0)  # m/s, north and east, as the push tells it, averaged


@final
@dataclass(frozen=True)
class PositionControl:
    """Position P, velocity P or PI and buoyancy compensation as one sampled part; its output is a wrench in body axes.

    Errors of position are seen in axes that follow the heading but stay level. The integral corrects the asked speeds.
    It is kept in N, where a current pushes, and does not wind up: it changes only in the direction that leads back
    while the allocation says that something is `missing`, and it is limited. With a `model`, what drag and Coriolis
    forces need at the corrected speeds is added: at the asked ones and not at the measured ones, because cancelling
    the drag that a vehicle is believed to have drives it faster and faster in a current that is not known. Its moments
    are those of the flow that the vehicle has been pushing against (`FlowFromPush`), which is there whatever was asked.

    The safe output for an estimate or a reference that is no finite number is no wrench at all; the integral is kept.
    """

    masses: Four  # kg and kg m2
    net_weight: float  # N, weight less buoyancy
    position_gains: Four = POSITION_GAINS
    velocity_gains: Four = VELOCITY_GAINS
    largest_speeds: Four = LARGEST_SPEEDS
    follows_velocity: bool = False  # whether the velocity of the reference is added to the wanted one
    integral_gains: Four = NONE  # 1/s
    largest_corrections: Four = UNLIMITED  # m/s and rad/s
    period: float = 0.1  # s, between steps
    model: FeedbackLinearisation | None = None
    flow: FlowFromPush | None = None
    water_N: Vector3 = ZERO3  # m/s, what the model takes the water to do
    levelled: tuple[int, ...] = ()  # those of roll and pitch that are kept level, by index
    tilt_inertias: tuple[float, float] = (0.0, 0.0)  # kg m2, in roll and pitch
    tilt_gains: Vector3 = TILT_GAINS

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
        missing: Wrench = ZERO6,
    ) -> tuple[PositionControlState, Wrench]:
        """One sample; `missing` is what the allocation could not make of the last wrench."""
        known = sum(p_NB) + sum(q_NB) + sum(twist) + sum(reference.p_NR) + reference.heading
        if not math.isfinite(known):
            return state, ZERO6
        heading = to_euler_zyx(q_NB)[2]
        turn = turn_to_heading(heading, reference.heading, state.turn)
        asked = self._asked_speeds(p_NB, heading, turn, reference)
        current = self._averaged_current(state, q_NB, twist, missing)
        through = subtract3(linear(twist), to_body(q_NB, (*current, 0.0))) if self.flow is not None else None
        correction, wrench = self.drive(state.correction, q_NB, twist, asked, missing, through)
        push = add3(linear(wrench), to_body(q_NB, (0.0, 0.0, self.net_weight)))
        return PositionControlState(turn, correction, push, current), wrench

    def _averaged_current(self, state: PositionControlState, q_NB: Quaternion, twist: Twist, missing: Wrench) -> Two:
        """The current, north and east, in which the vehicle would move as it does with what its thrusters push."""
        if self.flow is None:
            return state.current
        through = self.flow.velocity(subtract3(state.push, linear(missing)))
        north, east, _ = position_rate(q_NB, subtract3(linear(twist), through))
        share, (old_north, old_east) = -math.expm1(-self.period / CURRENT_TIME), state.current
        return (old_north + share * (north - old_north), old_east + share * (east - old_east))

    def drive(
        self,
        correction: Six,
        q_NB: Quaternion,
        twist: Twist,
        asked: Four,
        missing: Wrench = ZERO6,
        through: Vector3 | None = None,
    ) -> tuple[Six, Wrench]:
        """The velocity loop: the integrals and the wrench for speeds ahead, right, down and of the heading.

        `through` is the velocity through the water in body axes whose moments are cancelled; those of the corrected
        speeds unless given.
        """
        heading = to_euler_zyx(q_NB)[2]
        v = _levelled(position_rate(q_NB, linear(twist)), heading)
        actual = (v[0], v[1], v[2], twist[5])
        wrong = (asked[0] - actual[0], asked[1] - actual[1], asked[2] - actual[2], asked[3] - actual[3])
        more = self._corrected(correction, q_NB, wrong, missing)
        X, Y, Z, N = (
            mass * gain * error + mass * gain * extra
            for mass, gain, error, extra in zip(self.masses, self.velocity_gains, wrong, more, strict=True)
        )
        c, s = math.cos(heading), math.sin(heading)
        force = to_body(q_NB, (c * X - s * Y, s * X + c * Y, Z - self.net_weight))
        tilt, torques = self._levelling(correction[4:], q_NB, twist, missing)
        kept: Six = (c * more[0] - s * more[1], s * more[0] + c * more[1], more[2], more[3], *tilt)
        wrench: Wrench = (*force, *torques, N)
        if self.model is None:
            return kept, wrench
        a = (asked[0] + more[0], asked[1] + more[1], asked[2] + more[2], asked[3] + more[3])
        v_N = (c * a[0] - s * a[1] - self.water_N[0], s * a[0] + c * a[1] - self.water_N[1], a[2] - self.water_N[2])
        needed = self.resistance(self.model, q_NB, to_body(q_NB, v_N), a[3])
        if through is not None:
            needed = (*needed[:5], self.resistance(self.model, q_NB, through, a[3])[5])
        return kept, add6(wrench, needed)

    def _corrected(self, correction: Six, q_NB: Quaternion, wrong: Four, missing: Wrench) -> Four:
        """The integral in level axes with the present error, but for axes in which more cannot be had."""
        heading = to_euler_zyx(q_NB)[2]
        old = (*_levelled((correction[0], correction[1], correction[2]), heading), correction[3])
        blocked = (*_levelled(position_rate(q_NB, linear(missing)), heading), missing[5])
        new = [
            _summed(before, self.period * gain * push, more, most)
            for before, push, more, gain, most in zip(
                old, wrong, blocked, self.integral_gains, self.largest_corrections, strict=True
            )
        ]
        return (new[0], new[1], new[2], new[3])

    def _levelling(
        self, correction: tuple[float, ...], q_NB: Quaternion, twist: Twist, missing: Wrench
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Integrals, and torques about the forward and the right axis that make the vehicle level."""
        (gain, rate_gain, integral_gain), summed, torques = self.tilt_gains, [0.0, 0.0], [0.0, 0.0]
        for i, (axis, tilt) in enumerate(zip((ROLL, PITCH), tilt_error(q_NB), strict=True)):
            if axis in self.levelled:
                wrong = gain * tilt - twist[axis]
                growth = self.period * integral_gain * wrong
                summed[i] = _summed(correction[i], growth, missing[axis], LARGEST_TILT_CORRECTION)
                torques[i] = self.tilt_inertias[i] * rate_gain * (wrong + summed[i])
        return (summed[0], summed[1]), (torques[0], torques[1])

    def resistance(self, model: FeedbackLinearisation, q_NB: Quaternion, v: Vector3, turning: float) -> Wrench:
        """What drag and Coriolis forces need at a velocity through the water, in the axes that are controlled."""
        under_way = model.wrench(np.array([0.0, 0.0, 0.0, *q_NB, *v, 0.0, 0.0, turning]))
        at_rest = model.wrench(np.array([0.0, 0.0, 0.0, *q_NB, *ZERO6]))
        X, Y, Z, K, M, N = (under_way - at_rest).tolist()
        x, y, z, n = (1.0 if mass > 0.0 else 0.0 for mass in self.masses)
        k, m = (1.0 if axis in self.levelled else 0.0 for axis in (ROLL, PITCH))
        return (x * X, y * Y, z * Z, k * K, m * M, n * N)

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


def _summed(before: float, growth: float, missing: float, most: float) -> float:
    """An integral with its growth, within limits; as before where it would grow towards what cannot be had."""
    if growth * missing > 0.0 and abs(missing) > LEAST_MISSING:
        return before
    return min(max(before + growth, -most), most)


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
    M = total_inertia(parameters)
    limits = [min(speed, most) for speed, most in zip(largest_speeds, valid_speeds(parameters), strict=True)]
    return PositionControl(
        masses=(M[0][0], M[1][1], M[2][2], M[5][5]),
        net_weight=-net_buoyancy(parameters),
        position_gains=position_gains,
        velocity_gains=velocity_gains,
        largest_speeds=(limits[0], limits[1], limits[2], limits[3]),
        follows_velocity=follows_velocity,
    )


def valid_speeds(parameters: VehicleParameters) -> Four:
    """Speeds within which the numbers of a vehicle hold with a margin; infinite where its file states none."""
    envelope = parameters.envelope or (math.inf,) * 6
    u, v, w, r = (ENVELOPE_SHARE * envelope[i] for i in HELD_AXES)
    return (u, v, w, r)


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
