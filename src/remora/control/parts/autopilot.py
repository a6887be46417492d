"""Autopilot: commands for depth, heading and speed of a vehicle with thrusters in surge, heave and yaw.

Depth and heading errors give desired speeds within limits. The velocity loop of `PositionControl` tracks them, with
drag feedforward, integral action against unknown currents, and levelling where roll and pitch are controllable. In the
bounded control allocation attitude has priority over speed.
"""

import math
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple, final

import numpy as np

from remora.control.allocation.commands import commands_from_forces
from remora.control.allocation.thrusters import ALL_AXES, HELD_AXES, BoundedAllocation, bounded_allocation
from remora.control.autopilots.position import NO_CORRECTION, PositionControl, mission_control, position_control
from remora.control.feedback.attitude import PITCH, turn_to_heading
from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.algebra.vectors import ZERO3, ZERO6, add6, linear, subtract6
from remora.equations.types import FourDof, SixDof, Vector3, Wrench
from remora.equations.water.current import current_twist
from remora.files.arrays import Array
from remora.files.quantities import Is, Quantity
from remora.files.units import SPEED
from remora.messages.estimate import DEPTH, MOTION, Estimate
from remora.messages.part import PartInput, Role
from remora.messages.part_options import PartError, PartKind, PartOptions, QuietPart, VehicleContext
from remora.messages.reference import DIVE, Reference
from remora.plant.pack import resting_outputs
from remora.plant.plant import Plant
from remora.vehicles.checks.actuation import levelled_axes
from remora.vehicles.checks.munk import munk_speed
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import total_inertia

SPEED_PER_ERROR, TURN_PER_ERROR = 0.4, 0.6  # 1/s
ACCELERATION_PER_SPEED: FourDof = (1.0, 1.0, 1.0, 3.0)  # 1/s; a current affects yaw more than surge
LARGEST_SPEEDS = (0.5, math.inf, 0.4, math.inf, math.inf, math.radians(15.0))  # m/s, rad/s
ENVELOPE_SHARE = 0.7  # of the speeds for which the parameters of a vehicle are valid
DIVERGENCE_SHARE = 0.7  # of the speed at which the Munk moment exceeds the righting moment, where pitch is not held

SURGE, NEEDED = 0, (0, 2, 5)  # surge, heave and yaw
UNIMPORTANT = 0.05  # weight of the wrench error in uncontrolled axes
ATTITUDE_IMPORTANCE = 10.0  # weight of a torque error over a force error


class Autopilot(NamedTuple):
    """Autopilot of a vehicle; `make_autopilot` builds it."""

    plant: Plant
    control: PositionControl  # its velocity loop is used; sway is not controlled
    allocation: BoundedAllocation
    max_speeds: Array  # m/s and rad/s of each degree of freedom


class AutopilotState(NamedTuple):
    """State of the autopilot."""

    turn: float = 0.0  # rad, turn of the previous step
    correction: SixDof = NO_CORRECTION  # integrals of the velocity loop
    missing: Wrench = ZERO6  # wrench that the thrusters could not produce, for anti-windup


def make_autopilot(plant: Plant, period: float = 0.1, water: Vector3 = ZERO3, speed: float = 0.0) -> Autopilot:
    """The autopilot of a vehicle.

    The assumed current is in N, m/s; the speed ahead that must be within reach in m/s. Raises a ValueError when the
    vehicle cannot be driven in surge, heave and yaw with its thrusters, or not at this speed.
    """
    parameters = plant.vehicle.parameters
    levelled = levelled_axes(parameters, plant.locked)
    allocation = autopilot_allocation(plant)
    _check_controllable(plant, out_of_reach(allocation))
    largest, slowed = _max_speeds(plant, speed, pitch_is_held=4 in levelled)
    if speed > largest[0]:
        raise ValueError(
            f"{plant.vehicle.name} is driven at up to {largest[0]:.3g} m/s only, {slowed}. Ask for less speed"
        )
    M = np.diag(total_inertia(parameters))
    plain = position_control(parameters, velocity_gains=ACCELERATION_PER_SPEED)
    plain = replace(plain, masses=(M[0], 0.0, M[2], M[5]))
    control = mission_control(plain, parameters, plant.packed, period=period, levelled=levelled, water_N=water)
    return Autopilot(plant, control, allocation, largest)


def autopilot_allocation(plant: Plant, disabled: tuple[str, ...] = ()) -> BoundedAllocation:
    """Allocation of the autopilot, without some thrusters."""
    driven = (*NEEDED, *levelled_axes(plant.vehicle.parameters, plant.locked))
    importance = [(ATTITUDE_IMPORTANCE if i > 2 else 1.0) if i in driven else UNIMPORTANT for i in ALL_AXES]
    return bounded_allocation(plant.vehicle.parameters, ALL_AXES, disabled, importance)


def out_of_reach(allocation: BoundedAllocation) -> list[int]:
    """Needed degrees of freedom that an allocation cannot control."""
    reached = np.diag(allocation.matrix @ allocation.inverse)
    return [i for i in NEEDED if abs(reached[i] - 1.0) > 0.1]


def _max_speeds(plant: Plant, speed: float, pitch_is_held: bool) -> tuple[Array, str]:
    """Speed limits, and the reason when the one ahead is below the default."""
    parameters = plant.vehicle.parameters
    envelope = ENVELOPE_SHARE * np.array(parameters.envelope or (math.inf,) * 6)
    largest, slowed = np.minimum((max(speed, LARGEST_SPEEDS[0]), *LARGEST_SPEEDS[1:]), envelope), ""
    # In a turn the speed ahead becomes sway.
    if min(envelope[0], envelope[1]) < max(speed, LARGEST_SPEEDS[0]):
        largest[0], slowed = min(envelope[0], envelope[1]), "to stay where the vehicle's numbers are valid"
    stable = DIVERGENCE_SHARE * munk_speed(parameters, SURGE, PITCH)
    if not pitch_is_held and "pitch" not in plant.locked and stable < largest[0]:
        largest[0], slowed = (
            stable,
            "because above it the Munk moment exceeds the righting moment in pitch, and no thruster holds it",
        )
    return largest, slowed


def _check_controllable(plant: Plant, unreached: list[int]) -> None:
    """Raise when one of the needed degrees of freedom is locked or not controllable."""
    locked = [DEGREES_OF_FREEDOM[i] for i in NEEDED if DEGREES_OF_FREEDOM[i] in plant.locked]
    missing = [DEGREES_OF_FREEDOM[i] for i in unreached if DEGREES_OF_FREEDOM[i] not in locked]
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


def autopilot_step(
    autopilot: Autopilot, state: AutopilotState, now: Estimate, reference: Reference, further: Wrench = ZERO6
) -> tuple[AutopilotState, Array]:
    """Next state and commands of all actuators; fins, servos and moving masses are neutral.

    The reference is depth in m, heading in rad and speed ahead in m/s; a further wrench in N and N m is added.
    """
    turn, speeds = desired_speeds(autopilot, state, now, reference)
    correction, wrench = autopilot.control.velocity_loop(state.correction, now.q_NB, now.twist, speeds, state.missing)
    allocated = autopilot.allocation.allocate(add6(wrench, further))
    commands = resting_outputs(autopilot.plant.packed)
    through_water = subtract6(now.twist, current_twist(now.q_NB, autopilot.control.water_N))
    forces = commands_from_forces(autopilot.plant.vehicle.parameters, allocated.forces.tolist(), through_water)
    commands[: len(forces)] = forces
    return AutopilotState(turn, correction, allocated.shortfall), commands


def desired_speeds(
    autopilot: Autopilot, state: AutopilotState, now: Estimate, reference: Reference
) -> tuple[float, FourDof]:
    """Turn in rad, and desired speeds in surge, sway (the present one), heave and yaw; parameters as above."""
    heading = to_euler_zyx(now.q_NB)[2]
    turn = turn_to_heading(heading, reference.heading, state.turn)
    over_ground = position_rate(now.q_NB, linear(now.twist))
    right = math.cos(heading) * over_ground[1] - math.sin(heading) * over_ground[0]
    desired = (reference.speed, right, SPEED_PER_ERROR * (reference.depth - now.p_NB[2]), TURN_PER_ERROR * turn)
    limits = autopilot.max_speeds[list(HELD_AXES)].tolist()
    u, v, w, r = (min(max(speed, -most), most) for speed, most in zip(desired, limits, strict=True))
    return turn, (u, v, w, r)


class AutopilotOptions(PartOptions):
    """Assumed current; the autopilot does not measure it."""

    current: Annotated[Quantity[Vector3], Is(SPEED, (3,))] | None = None


@final
@dataclass(frozen=True, eq=False)
class AutopilotPart(QuietPart):
    """Model-based control of depth, heading and speed; its output is commands, not a wrench."""

    autopilot: Autopilot
    disabled: tuple[str, ...] = ()
    needs = (*MOTION, DEPTH)

    def without_thrusters(self, disabled: tuple[str, ...]) -> "AutopilotPart":
        """The same autopilot without some thrusters."""
        off = (*self.disabled, *disabled)
        allocation = autopilot_allocation(self.autopilot.plant, off)
        return AutopilotPart(self.autopilot._replace(allocation=allocation), off)

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Needed degrees of freedom that cannot be controlled."""
        return tuple(DEGREES_OF_FREEDOM[i] for i in out_of_reach(self.autopilot.allocation))

    def initial(self) -> AutopilotState:
        """Zero integrals."""
        return AutopilotState()

    def step(self, state: AutopilotState, now: PartInput) -> tuple[AutopilotState, Array | None]:
        """Commands; None while the state is unknown."""
        estimate, reference = now.estimate, now.reference
        if (
            estimate is None
            or reference is None
            or not math.isfinite(estimate.p_NB[2] + sum(estimate[2]) + sum(estimate[3]))
        ):
            return state, None
        return autopilot_step(self.autopilot, state, estimate, reference, now.wrench)


def make_autopilot_part(options: AutopilotOptions, onboard: VehicleContext) -> AutopilotPart:
    """The autopilot for a vehicle."""
    try:
        water = options.current.value if options.current else ZERO3
        autopilot = make_autopilot(
            onboard.plant, onboard.period, water, onboard.asked_speeds[0] if onboard.asked_speeds else 0.0
        )
    except ValueError as error:
        raise PartError(str(error), "part") from None
    return AutopilotPart(autopilot)


AUTOPILOT = PartKind(
    "autopilot", Role.CONTROL, AutopilotOptions, make_autopilot_part, takes=(DIVE,), gives_commands=True
)
