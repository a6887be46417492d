"""How far, how fast and how hard a vehicle may be moved along each axis."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from remora.control.allocation.thrusters import bounded_allocation
from remora.control.autopilots.autopilot import DIVERGENCE_SHARE, pitch_divergence_speed
from remora.guidance.excitation import AXES
from remora.vehicles.checks.actuation import reachable_wrench
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, net_buoyancy

# What is left for the controller, for a reference that is not followed exactly, and to the end of valid speeds.
THRUST_SHARE, ROOM_SHARE, SPEED_SHARE = 0.7, 0.9, 0.7
LARGEST_TURN = 1.5  # rad to either side


class Limits(NamedTuple):
    """How far one axis may go."""

    room: float  # m or rad to either side
    speed: float  # m/s or rad/s
    thrust: float  # N or N m either way; nothing where the thrusters cannot push that way alone
    why_slow: str = ""  # why the speed has a limit that nobody asked for


def holds_tilt(vehicle: VehicleParameters) -> bool:
    """Whether the thrusters can hold roll and pitch besides all else."""
    return not bounded_allocation(vehicle).uncontrollable


def limits_of(
    vehicle: VehicleParameters, workspace: tuple[float, float, float], largest_speed: float
) -> Mapping[str, Limits]:
    """Room, speed and thrust of each axis; the thrust that carries the net weight is taken off in heave."""
    reaches = {reach.name: reach.alone for reach in reachable_wrench(vehicle)}
    found = {}
    for k, axis in enumerate(AXES):
        i = DEGREES_OF_FREEDOM.index(axis)
        turns = axis == "yaw"
        room = LARGEST_TURN if turns else 0.5 * ROOM_SHARE * workspace[k]
        valid = SPEED_SHARE * vehicle.envelope[i] if vehicle.envelope else math.inf
        low, high = reaches[axis]
        carried = abs(net_buoyancy(vehicle)) if axis == "heave" else 0.0
        thrust = max(THRUST_SHARE * min(-low, high) - carried, 0.0)
        speeds = {"its numbers are not valid beyond": valid, "": math.inf if turns else largest_speed}
        if axis == "surge" and not holds_tilt(vehicle):
            speeds["faster it would lose its pitch, which no thruster holds"] = (
                DIVERGENCE_SHARE * pitch_divergence_speed(vehicle)
            )
        why_slow = min(speeds, key=lambda why: speeds[why])
        found[axis] = Limits(room, speeds[why_slow], thrust, why_slow)
    return found
