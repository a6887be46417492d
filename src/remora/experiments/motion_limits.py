"""Limits of travel, speed and thrust of each axis of an experiment."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from remora.control.allocation.thrusters import bounded_allocation
from remora.control.feedback.attitude import PITCH
from remora.control.parts.autopilot import DIVERGENCE_SHARE, SURGE
from remora.guidance.signals import AXES
from remora.vehicles.checks.actuation import reachable_wrench
from remora.vehicles.checks.munk import munk_speed
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, net_buoyancy

# Shares of thrust, workspace and valid speed that a plan uses; the rest is for the controller and tracking errors.
THRUST_SHARE, WORKSPACE_SHARE, SPEED_SHARE = 0.7, 0.9, 0.7
LARGEST_TURN = 1.5  # rad to either side


class AxisLimits(NamedTuple):
    """Limits of one axis."""

    travel: float  # m or rad to either side
    speed: float  # m/s or rad/s
    thrust: float  # N or N m either way; zero where the thrusters cannot push along this axis alone
    speed_reason: str = ""  # why the vehicle limits the speed


def holds_tilt(vehicle: VehicleParameters) -> bool:
    """Whether the thrusters control roll and pitch as well."""
    return not bounded_allocation(vehicle).uncontrollable


def axis_limits(
    vehicle: VehicleParameters, workspace: tuple[float, float, float], largest_speed: float
) -> Mapping[str, AxisLimits]:
    """Limits of each axis; the thrust in heave excludes what carries the net weight.

    The workspace is length, width and height available to the body origin, m; the largest speed that in translation,
    m/s.
    """
    reaches = {reach.name: reach.alone for reach in reachable_wrench(vehicle)}
    found = {}
    for k, axis in enumerate(AXES):
        i = DEGREES_OF_FREEDOM.index(axis)
        turns = axis == "yaw"
        travel = LARGEST_TURN if turns else 0.5 * WORKSPACE_SHARE * workspace[k]
        valid = SPEED_SHARE * vehicle.envelope[i] if vehicle.envelope else math.inf
        low, high = reaches[axis]
        carried = abs(net_buoyancy(vehicle)) if axis == "heave" else 0.0
        thrust = max(THRUST_SHARE * min(-low, high) - carried, 0.0)
        speeds = {"its numbers are not valid beyond": valid, "": math.inf if turns else largest_speed}
        if axis == "surge" and not holds_tilt(vehicle):
            speeds["above it the Munk moment exceeds the righting moment in pitch, which no thruster holds"] = (
                DIVERGENCE_SHARE * munk_speed(vehicle, SURGE, PITCH)
            )
        speed_reason = min(speeds, key=lambda why: speeds[why])
        found[axis] = AxisLimits(travel, speeds[speed_reason], thrust, speed_reason)
    return found
