"""Closed loops of the shaft speeds around an allocation, in place of trusting the map from command to speed.

A map that was measured in still water errs under way, as the inflow relieves or loads the propeller, and from unit to
unit (Proctor 2014, sections 3.1 and 6.2). Each loop corrects the commanded speed by the measured one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, final

from remora.control.allocation.commands import ThrusterInverse, thruster_inverses
from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.equations.actuators.motors import steady_motor_speed, voltage_for_speed
from remora.equations.actuators.thrusters import (
    advance_speed,
    command_from_speed,
    effective_thrust,
    saturate,
    speed_from_command,
)
from remora.equations.algebra.vectors import ZERO6, add6, scale6
from remora.equations.types import Twist, Wrench
from remora.messages.part import AllocationResult, FaultTolerantAllocation, PartInput
from remora.messages.part_options import PartError, QuietPart, VehicleContext
from remora.messages.reading import Reading
from remora.vehicles.checks.actuation import thrust_at
from remora.vehicles.drives import input_from_command
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import SensorEntry


@final
@dataclass(frozen=True)
class ShaftFeedback:
    """Wrench of all thrusters from the latest reading of a shaft-speed sensor on each."""

    parameters: VehicleParameters
    sensors: tuple[str, ...]  # name of the sensor of each thruster

    def wrench(self, readings: Mapping[str, Reading], twist: Twist) -> Wrench | None:
        """Wrench about B at a twist in m/s and rad/s; None while a speed is unknown."""
        speeds = [readings[name].values[0] if name in readings else math.nan for name in self.sensors]
        return thrusters_wrench(self.parameters, speeds, twist) if math.isfinite(sum(speeds)) else None


def thrusters_wrench(parameters: VehicleParameters, outputs: list[float], twist: Twist) -> Wrench:
    """Wrench of the thrusters about B in body axes, N and N m.

    Outputs are shaft speeds in rad/s or forces in N; the twist is the velocity through the water in body axes.
    """
    total = ZERO6
    for i, (thruster, output) in enumerate(zip(parameters.thrusters, outputs, strict=True)):
        force = effective_thrust(thruster, thrust_at(parameters, i, output, advance_speed(thruster, twist)))
        total = add6(total, scale6(force, thruster.effect))
    return total


def shaft_feedback(parameters: VehicleParameters, sensors: Mapping[str, SensorEntry]) -> ShaftFeedback | None:
    """Feedback of all shaft speeds; None unless each thruster has a sensor of its own that gives the sign."""
    by_thruster = {
        int(entry.parameters.get("thruster", 0)): name
        for name, entry in sensors.items()
        if entry.kind == "shaft_speed" and entry.parameters.get("signed")
    }
    count = len(parameters.thrusters)
    if law_with(parameters.thrust_law).output == FORCE_OUTPUT or not count or set(by_thruster) != set(range(count)):
        return None
    return ShaftFeedback(parameters, tuple(by_thruster[i] for i in range(count)))


class SpeedGains(NamedTuple):
    """Gains on the error of a shaft speed."""

    proportional: float
    integral: float  # 1/s


class ShaftLoopState(NamedTuple):
    """Integrals of the errors of all shafts, rad/s, and the state of the allocation."""

    integrals: tuple[float, ...]
    inner: Any


@final
@dataclass(frozen=True, eq=False)
class ShaftSpeedLoop(QuietPart):
    """An allocation whose commands are corrected until the measured shaft speeds are those it asked for."""

    allocation: FaultTolerantAllocation
    feedback: ShaftFeedback
    gains: SpeedGains
    period: float  # s
    uses_advance: bool  # whether the allocation makes up for the inflow

    def without_thrusters(self, disabled: tuple[str, ...]) -> "ShaftSpeedLoop":
        """The same allocation without some thrusters."""
        return replace(self, allocation=self.allocation.without_thrusters(disabled))

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Requested degrees of freedom that cannot be controlled."""
        return self.allocation.uncontrollable

    def initial(self) -> ShaftLoopState:
        """No correction yet."""
        return ShaftLoopState((0.0,) * len(self.feedback.sensors), self.allocation.initial())

    def step(self, state: ShaftLoopState, now: PartInput) -> tuple[ShaftLoopState, AllocationResult]:
        """Corrected commands, and the missing wrench of the allocation."""
        inner, output = self.allocation.step(state.inner, now)
        given, missing = (output.commands, output.missing) if isinstance(output, AllocationResult) else (output, ZERO6)
        twist = now.estimate.twist if self.uses_advance and now.estimate is not None else ZERO6
        twist = twist if math.isfinite(sum(twist)) else ZERO6
        commands, integrals = [float(one) for one in given], []
        for i, inverse in enumerate(self._inverses):
            speed = measured_speed(now.readings, self.feedback.sensors[i])
            commands[i], integral = self._corrected(inverse, commands[i], speed, state.integrals[i], twist)
            integrals.append(integral)
        return ShaftLoopState(tuple(integrals), inner), AllocationResult(commands, missing)

    def _corrected(
        self, inverse: ThrusterInverse, command: float, speed: float, integral: float, twist: Twist
    ) -> tuple[float, float]:
        """The command of one thruster and the integral of its error; both as they were without a measured speed."""
        target = speed_of(inverse, command, twist)
        if not math.isfinite(speed):
            return command, integral
        if target == 0.0:  # a propeller at rest is left alone, and forgets
            return command, 0.0
        error = target - speed
        grown = integral + self.gains.integral * self.period * error
        asked = input_for(inverse, target + self.gains.proportional * error + grown, twist)
        allowed = saturate(asked, *inverse.limits)
        if (asked - allowed) * error > 0.0:  # inputs grow with the speed: against a limit an integral would wind up
            grown = integral
        return inverse.command_of(allowed), grown

    @cached_property
    def _inverses(self) -> list[ThrusterInverse]:
        return thruster_inverses(self.feedback.parameters)


def measured_speed(readings: Mapping[str, Reading], sensor: str) -> float:
    """Latest speed of a shaft, rad/s; NaN where there is none."""
    return float(readings[sensor].values[0]) if sensor in readings else math.nan


def speed_of(inverse: ThrusterInverse, command: float, twist: Twist) -> float:
    """Steady shaft speed of a command at a twist, by the numbers of the file, rad/s."""
    parameters, given = inverse.parameters, input_from_command(inverse.drive, command, inverse.voltage)
    if parameters.mapped_commands:
        return speed_from_command(inverse.thruster.command_map, given)
    motor = parameters.motors[inverse.number] if parameters.motors else None
    return given if motor is None else steady_motor_speed(motor, given, advance_speed(inverse.thruster, twist))


def input_for(inverse: ThrusterInverse, speed: float, twist: Twist) -> float:
    """Input of the plant that holds a shaft speed at a twist, by the numbers of the file."""
    parameters = inverse.parameters
    if parameters.mapped_commands:
        return command_from_speed(inverse.thruster.command_map, speed)
    motor = parameters.motors[inverse.number] if parameters.motors else None
    return speed if motor is None else voltage_for_speed(motor, speed, advance_speed(inverse.thruster, twist))


def shaft_speed_loop(
    allocation: FaultTolerantAllocation, gains: SpeedGains, uses_advance: bool, onboard: VehicleContext
) -> ShaftSpeedLoop:
    """The loop of a vehicle; a PartError without a signed sensor of each shaft."""
    feedback = shaft_feedback(onboard.vehicle.parameters, onboard.sensors)
    if feedback is None:
        raise PartError(
            "needs a shaft speed and a signed shaft_speed sensor of every thruster: {kind: shaft_speed, parameters: "
            "{thruster: 0, signed: true}} for the first.",
            "shaft_loop",
        )
    if gains.integral * onboard.period >= 1.0:
        raise PartError(f"must be below {1.0 / onboard.period:.3g} 1/s, the rate of the allocation.", "shaft_loop")
    return ShaftSpeedLoop(allocation, feedback, gains, onboard.period, uses_advance)
