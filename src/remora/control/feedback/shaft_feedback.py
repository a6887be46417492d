"""Wrench of the thrusters from measured shaft speeds, for pseudo-control hedging."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from remora.equations.actuators.laws.law import FORCE_OUTPUT
from remora.equations.actuators.laws.table import law_with
from remora.equations.actuators.thrusters import advance_speed, effective_thrust
from remora.equations.algebra.vectors import ZERO6, add6, scale6
from remora.equations.types import Twist, Wrench
from remora.messages.reading import Reading
from remora.vehicles.checks.actuation import thrust_at
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
