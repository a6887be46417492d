"""Shaft speeds from commands, for vehicles without speed feedback: command map and lag of the nominal thrusters."""

from collections.abc import Sequence

from remora.equations.actuators.response import actuator_lag_time, actuator_target
from remora.equations.actuators.thrusters import lag_decay, lagged_output, rises
from remora.plant.pack import PackedVehicle


def speeds_after(
    packed: PackedVehicle, speeds: Sequence[float], commands: Sequence[float], elapsed: float
) -> tuple[float, ...]:
    """Shaft speeds after a time in s with held commands, rad/s."""
    found = []
    for i, (speed, command) in enumerate(zip(speeds, commands, strict=True)):
        target = actuator_target(packed.row, packed.layout, i, command)
        time_constant = actuator_lag_time(packed.row, packed.layout, i, rises(speed, target))
        found.append(float(lagged_output(speed, target, lag_decay(elapsed, time_constant))))
    return tuple(found)
