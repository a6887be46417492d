"""Position control and station keeping: the control chain of the FlatFish for any vehicle, at 10 Hz.

Position P loop, velocity PI loop, buoyancy compensation, control allocation, inverse thrust law. Britto Neto 2018 names
these steps and prints no gains; here they follow from the inertia of the vehicle. Integral action against currents
(with anti-windup by conditional integration), drag feedforward and levelling are additions, off by default;
`mission_control` has them, for missions in a current.
"""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, final

import numpy as np

from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.thrusters import HELD_AXES, BoundedAllocation, bounded_allocation
from remora.control.feedback.attitude import (
    LAG_SHARE,
    PITCH,
    ROLL,
    TILT_GAINS,
    slowest_rise_time,
    tilt_error,
    tilt_gains,
    turn_to_heading,
)
from remora.control.feedback.dynamic_inversion import CurrentFromThrust, FlowFromThrust, flow_from_thrust
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import IDENTITY, to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, ZERO6, add3, add6, linear, subtract3, subtract6
from remora.equations.control.cascades import compensated_force, level_axes, position_velocity
from remora.equations.types import FourDof, Quaternion, SixDof, Twist, Vector2, Vector3, Wrench
from remora.files.arrays import Array
from remora.plant.pack import PackedVehicle
from remora.vehicles.checks.actuation import allocation_matrix, thrust_limits
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, net_buoyancy, total_inertia

POSITION_GAINS: FourDof = (0.4, 0.4, 0.4, 0.4)  # 1/s
VELOCITY_GAINS: FourDof = (1.0, 1.0, 1.0, 1.0)  # 1/s, times the inertia
LARGEST_SPEEDS: FourDof = (0.5, 0.3, 0.2, 0.3)  # m/s and rad/s
NONE: FourDof = (0.0, 0.0, 0.0, 0.0)
UNLIMITED: FourDof = (math.inf, math.inf, math.inf, math.inf)
NO_CORRECTION: SixDof = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
LARGEST_TILT_CORRECTION = 2.0  # rad/s
ENVELOPE_SHARE = 0.7  # of the speeds for which the parameters of a vehicle are valid
LEAST_MISSING = 1e-6  # N and N m; a smaller missing wrench is rounding


class PoseReferenceLike(Protocol):
    """Reference of position control."""

    @property
    def p_NR(self) -> Vector3:
        """Position in N, m."""

    @property
    def heading(self) -> float:
        """Heading, rad, wrapped or not."""

    @property
    def v_NR_N(self) -> Vector3:
        """Velocity of the reference in N, m/s."""

    @property
    def heading_rate(self) -> float:
        """Rate of the heading, rad/s."""


class PositionControlState(NamedTuple):
    """State of position control."""

    turn: float = 0.0  # rad, turn of the previous step
    correction: SixDof = NO_CORRECTION  # integrals: m/s north, east, down, rad/s in yaw, roll, pitch
    thrust: Vector3 = ZERO3  # N, against the water, of the previous step, in body axes
    current: Vector2 = (0.0, 0.0)  # m/s, north and east, estimated from thrust and motion


@final
@dataclass(frozen=True)
class PositionControl:
    """Position P, velocity P or PI and buoyancy compensation; the output is a wrench about B in body axes.

    Position errors are in level axes along the heading. The integral corrects the desired speeds. It is kept in N, the
    frame of the current, and is limited. Anti-windup is conditional integration: with a `missing` wrench of the
    allocation the integral changes only in the direction that leads back. With a `model`, drag and Coriolis forces at
    the corrected desired speeds are added; those at the measured speeds would be unstable in an unknown current. Its
    moments are those of the flow estimated from the thrust (`FlowFromThrust`).

    With an estimate or reference that is not finite the wrench is zero and the integral is kept.
    """

    masses: FourDof  # kg and kg m2
    net_weight: float  # N, weight minus buoyancy
    position_gains: FourDof = POSITION_GAINS
    velocity_gains: FourDof = VELOCITY_GAINS
    max_speeds: FourDof = LARGEST_SPEEDS
    follows_velocity: bool = False  # whether the velocity of the reference is fed forward
    integral_gains: FourDof = NONE  # 1/s
    largest_corrections: FourDof = UNLIMITED  # m/s and rad/s
    period: float = 0.1  # s, between steps
    model: FeedbackLinearisation | None = None
    flow: FlowFromThrust | None = None
    water_N: Vector3 = ZERO3  # m/s, assumed current in N
    levelled: tuple[int, ...] = ()  # levelled axes: roll 3, pitch 4
    tilt_inertias: tuple[float, float] = (0.0, 0.0)  # kg m2, in roll and pitch
    tilt_gains: Vector3 = TILT_GAINS

    def initial(self) -> PositionControlState:
        """Zero integrals."""
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
        """One sample; `missing` is the part of the previous wrench that the allocation could not produce."""
        known = sum(p_NB) + sum(q_NB) + sum(twist) + sum(reference.p_NR) + reference.heading
        moving = sum(reference.v_NR_N) + reference.heading_rate if self.follows_velocity else 0.0
        if not math.isfinite(known + moving):
            return state, ZERO6
        heading = to_euler_zyx(q_NB)[2]
        turn = turn_to_heading(heading, reference.heading, state.turn)
        desired = self._desired_speeds(p_NB, heading, turn, reference)
        current = self._averaged_current(state, q_NB, twist, missing)
        through = subtract3(linear(twist), to_body(q_NB, (*current, 0.0))) if self.flow is not None else None
        correction, wrench = self.velocity_loop(state.correction, q_NB, twist, desired, missing, through)
        thrust = add3(linear(wrench), to_body(q_NB, (0.0, 0.0, self.net_weight)))
        return PositionControlState(turn, correction, thrust, current), wrench

    def _averaged_current(
        self, state: PositionControlState, q_NB: Quaternion, twist: Twist, missing: Wrench
    ) -> Vector2:
        """Current estimate, north and east: velocity over ground minus the flow that balances the thrust, filtered."""
        if self.flow is None:
            return state.current
        applied = subtract6((*state.thrust, 0.0, 0.0, 0.0), missing)
        # The thrust against the water holds the net weight already.
        return CurrentFromThrust(self.flow, 0.0, self.period).averaged(state.current, q_NB, twist, applied)

    def velocity_loop(
        self,
        correction: SixDof,
        q_NB: Quaternion,
        twist: Twist,
        desired: FourDof,
        missing: Wrench = ZERO6,
        through: Vector3 | None = None,
    ) -> tuple[SixDof, Wrench]:
        """Velocity loop: integrals and wrench for desired speeds in surge, sway, heave and yaw.

        `through` is the velocity through the water in body axes for the moments of the model; default that of the
        corrected desired speeds.
        """
        heading = to_euler_zyx(q_NB)[2]
        v = level_axes(position_rate(q_NB, linear(twist)), heading)
        actual = (v[0], v[1], v[2], twist[5])
        wrong = (desired[0] - actual[0], desired[1] - actual[1], desired[2] - actual[2], desired[3] - actual[3])
        more = self._corrected(correction, q_NB, wrong, missing)
        X, Y, Z, N = (
            mass * gain * error + mass * gain * extra
            for mass, gain, error, extra in zip(self.masses, self.velocity_gains, wrong, more, strict=True)
        )
        c, s = math.cos(heading), math.sin(heading)
        force = compensated_force((X, Y, Z), heading, q_NB, self.net_weight)
        tilt, torques = self._levelling(correction[4:], q_NB, twist, missing)
        kept: SixDof = (c * more[0] - s * more[1], s * more[0] + c * more[1], more[2], more[3], *tilt)
        wrench: Wrench = (*force, *torques, N)
        if self.model is None:
            return kept, wrench
        a = (desired[0] + more[0], desired[1] + more[1], desired[2] + more[2], desired[3] + more[3])
        v_N = (c * a[0] - s * a[1] - self.water_N[0], s * a[0] + c * a[1] - self.water_N[1], a[2] - self.water_N[2])
        needed = self.resistance(self.model, q_NB, to_body(q_NB, v_N), a[3])
        if through is not None:
            needed = (*needed[:5], self.resistance(self.model, q_NB, through, a[3])[5])
        return kept, add6(wrench, needed)

    def _corrected(self, correction: SixDof, q_NB: Quaternion, wrong: FourDof, missing: Wrench) -> FourDof:
        """Integrals in level axes after this step, with anti-windup."""
        heading = to_euler_zyx(q_NB)[2]
        old = (*level_axes((correction[0], correction[1], correction[2]), heading), correction[3])
        blocked = (*level_axes(position_rate(q_NB, linear(missing)), heading), missing[5])
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
        """Integrals and torques of levelling, about the forward and the right axis."""
        (gain, rate_gain, integral_gain), summed, torques = self.tilt_gains, [0.0, 0.0], [0.0, 0.0]
        for i, (axis, tilt) in enumerate(zip((ROLL, PITCH), tilt_error(q_NB), strict=True)):
            if axis in self.levelled:
                wrong = gain * tilt - twist[axis]
                growth = self.period * integral_gain * wrong
                summed[i] = _summed(correction[i], growth, missing[axis], LARGEST_TILT_CORRECTION)
                torques[i] = self.tilt_inertias[i] * rate_gain * (wrong + summed[i])
        return (summed[0], summed[1]), (torques[0], torques[1])

    def resistance(self, model: FeedbackLinearisation, q_NB: Quaternion, v: Vector3, turning: float) -> Wrench:
        """Wrench that balances drag and Coriolis forces at a velocity through the water, in the controlled axes."""
        under_way = model.wrench(np.array([0.0, 0.0, 0.0, *q_NB, *v, 0.0, 0.0, turning]))
        at_rest = model.wrench(np.array([0.0, 0.0, 0.0, *q_NB, *ZERO6]))
        X, Y, Z, K, M, N = (under_way - at_rest).tolist()
        x, y, z, n = (1.0 if mass > 0.0 else 0.0 for mass in self.masses)
        k, m = (1.0 if axis in self.levelled else 0.0 for axis in (ROLL, PITCH))
        return (x * X, y * Y, z * Z, k * K, m * M, n * N)

    def _desired_speeds(self, p_NB: Vector3, heading: float, turn: float, reference: PoseReferenceLike) -> FourDof:
        """Desired speeds in surge, sway, heave and yaw, within their limits."""
        to = reference.p_NR
        e = level_axes((to[0] - p_NB[0], to[1] - p_NB[1], to[2] - p_NB[2]), heading)
        moving = NONE
        if self.follows_velocity:
            moving = (*level_axes(reference.v_NR_N, heading), reference.heading_rate)
        return position_velocity(self.position_gains, (*e, turn), moving, self.max_speeds)


def _summed(before: float, growth: float, missing: float, most: float) -> float:
    """One step of an integral within limits; frozen where it would grow with a missing wrench (anti-windup)."""
    if growth * missing > 0.0 and abs(missing) > LEAST_MISSING:
        return before
    return min(max(before + growth, -most), most)


def position_control(
    parameters: VehicleParameters,
    position_gains: FourDof = POSITION_GAINS,
    velocity_gains: FourDof = VELOCITY_GAINS,
    max_speeds: FourDof = LARGEST_SPEEDS,
    follows_velocity: bool = False,
) -> PositionControl:
    """Position control for a vehicle, without integral action.

    Parameters
    ----------
    parameters
        The vehicle; its inertia with added mass scales the velocity gains.
    position_gains, velocity_gains
        1/s, for surge, sway, heave and yaw.
    max_speeds
        m/s and rad/s; limited to the valid speeds of the vehicle.
    follows_velocity
        Whether the velocity of the reference is fed forward.
    """
    M = total_inertia(parameters)
    limits = [min(speed, most) for speed, most in zip(max_speeds, valid_speeds(parameters), strict=True)]
    return PositionControl(
        masses=(M[0][0], M[1][1], M[2][2], M[5][5]),
        net_weight=-net_buoyancy(parameters),
        position_gains=position_gains,
        velocity_gains=velocity_gains,
        max_speeds=(limits[0], limits[1], limits[2], limits[3]),
        follows_velocity=follows_velocity,
    )


def valid_speeds(parameters: VehicleParameters) -> FourDof:
    """Speeds within which the parameters of a vehicle are valid, with a margin; infinite where its file states none."""
    envelope = parameters.envelope or (math.inf,) * 6
    u, v, w, r = (ENVELOPE_SHARE * envelope[i] for i in HELD_AXES)
    return (u, v, w, r)


class ChainOutput(NamedTuple):
    """Output of the control chain."""

    commands: list[float]  # of the thrusters
    forces: Array  # N, effective
    wrench: Wrench  # about B in body axes
    missing: Array  # part of it that the thrusters cannot produce


@final
@dataclass(frozen=True)
class ControlChain:
    """Position control, bounded allocation and inverse thrust law. `flatfish_chain` builds it for a vehicle."""

    parameters: VehicleParameters
    control: PositionControl
    allocation: BoundedAllocation

    @property
    def uncontrolled(self) -> tuple[str, ...]:
        """Uncontrollable axes among surge, sway, heave and yaw."""
        left_out = (DEGREES_OF_FREEDOM[i] for i in HELD_AXES if i not in self.allocation.axes)
        return (*left_out, *self.allocation.uncontrollable)

    def initial(self) -> PositionControlState:
        """Zero integrals."""
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
        after, wrench = self.control.step(state, p_NB, q_NB, twist, reference)
        allocated = self.allocation.allocate(wrench)
        commands = commands_from_forces(self.parameters, allocated.forces.tolist())
        return after, ChainOutput(commands, allocated.forces, wrench, allocated.missing)


def flatfish_chain(
    parameters: VehicleParameters,
    control: PositionControl | None = None,
    disabled: tuple[int | str, ...] = (),
    levels_pitch: bool = False,
) -> ControlChain:
    """Control chain for a vehicle; axes without thrust are left out.

    Parameters
    ----------
    parameters
        The vehicle.
    control
        Position control; default `position_control` of the vehicle.
    disabled
        Thrusters not to use, by index or name.
    levels_pitch
        Whether the allocation also keeps the pitching moment at zero, with low weight. Otherwise unevenly placed
        vertical thrusters pitch the vehicle when it heaves.
    """
    matrix = allocation_matrix(parameters)
    held = (*HELD_AXES[:3], 4, 5) if levels_pitch else HELD_AXES
    axes = tuple(i for i in held if np.any(matrix[i] != 0.0))
    importance = [0.01 if i == 4 else 1.0 for i in axes]
    allocation = bounded_allocation(parameters, axes, disabled, importance)
    return ControlChain(parameters, control or position_control(parameters), allocation)


INTEGRAL_GAINS: FourDof = (0.2, 0.2, 0.2, 0.2)  # 1/s
MISSION_VELOCITY_GAINS: FourDof = (1.0, 1.0, 1.0, 3.0)  # 1/s; a current turns a vehicle more than it pushes it
CORRECTION_SHARE = 0.8  # largest fraction of the thrust in an axis for a speed correction
LARGEST_CORRECTION = 2.0  # m/s and rad/s


def mission_velocity_gains(parameters: VehicleParameters, period: float = 0.1) -> FourDof:
    """Velocity gains for missions; that of yaw is lower, down to 1, with slow thrusters or a long period (s)."""
    u, v, w, r = MISSION_VELOCITY_GAINS
    return (u, v, w, min(r, max(LAG_SHARE / (slowest_rise_time(parameters) + 0.5 * period), 1.0)))


def mission_control(
    plain: PositionControl,
    parameters: VehicleParameters,
    packed: PackedVehicle,
    integral_gains: FourDof = INTEGRAL_GAINS,
    period: float = 0.1,
    levelled: tuple[int, ...] = (),
    feedforward: bool = True,
    water_N: Vector3 = ZERO3,
) -> PositionControl:
    """Position control with integral action, and optionally with feedforward and levelling.

    Parameters
    ----------
    plain
        `position_control` of the vehicle.
    parameters, packed
        The vehicle.
    integral_gains
        1/s, for surge, sway, heave and yaw.
    period
        Seconds between steps.
    levelled
        Levelled axes, from `levelled_axes`.
    feedforward
        Whether drag and Coriolis forces at the desired speeds are added.
    water_N
        Assumed current in N, m/s; the integral compensates the rest.
    """
    M = total_inertia(parameters)
    ready = replace(
        plain,
        integral_gains=integral_gains,
        period=period,
        model=FeedbackLinearisation(packed) if feedforward else None,
        water_N=water_N,
        levelled=levelled,
        tilt_inertias=(M[3][3], M[4][4]),
        tilt_gains=tilt_gains(parameters),
    )
    return replace(ready, largest_corrections=_largest_corrections(ready, parameters), flow=_flow(ready, parameters))


def _flow(control: PositionControl, parameters: VehicleParameters) -> FlowFromThrust | None:
    """Flow from thrust, where there is a model."""
    model, speeds = control.model, valid_speeds(parameters)
    if model is None:
        return None
    return flow_from_thrust(lambda v: control.resistance(model, IDENTITY, v, 0.0), (speeds[0], speeds[1], speeds[2]))


def _largest_corrections(control: PositionControl, parameters: VehicleParameters) -> FourDof:
    """Limits of the integral, as speeds that a fraction of the thrust can hold, by bisection."""
    forces = np.abs(thrust_limits(parameters)).min(axis=1, initial=math.inf).tolist()
    rows = np.abs(allocation_matrix(parameters))[list(HELD_AXES)].tolist()
    most = []
    for k, (row, valid) in enumerate(zip(rows, valid_speeds(parameters), strict=True)):
        reach = CORRECTION_SHARE * sum(a * force for a, force in zip(row, forces, strict=True) if a > 0.0)
        low, high = 0.0, min(LARGEST_CORRECTION, valid)
        for _ in range(30):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if _cost(control, k, middle) <= reach else (low, middle)
        most.append(low)
    return (most[0], most[1], most[2], most[3])


def _cost(control: PositionControl, k: int, speed: float) -> float:
    """Wrench that a speed correction adds in its axis, on a level vehicle."""
    u, v, w, r = (speed if i == k else 0.0 for i in range(4))
    plain = control.masses[k] * control.velocity_gains[k] * speed
    if control.model is None:
        return plain
    return plain + control.resistance(control.model, IDENTITY, (u, v, w), r)[HELD_AXES[k]]
