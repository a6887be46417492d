"""Response of the actuators to held commands: targets, time constants and rate limits."""

from remora.equations.actuators.slewing import Slew
from remora.equations.actuators.thrusters import saturate, speed_from_command
from remora.equations.algebra.elementary import select
from remora.equations.packed import (
    FIN_SIZE,
    SERVO_SIZE,
    THRUSTER_SIZE,
    Layout,
    fin_at,
    fins_start,
    moving_mass_at,
    moving_mass_start,
    servos_start,
    slew_at,
    thruster_at,
    thrusters_start,
)
from remora.equations.types import Row


def actuator_target(row: Row, layout: Layout, index: int, command: float) -> float:
    """Target of an output under a held command: saturation, then the command map. Simu2VITA eq. 28.

    The command is in the unit of the actuator.
    """
    if index < layout.thrusters:
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * index)
        limited = saturate(command, thruster.command_minimum, thruster.command_maximum)
        if layout.mapped_commands:
            return speed_from_command(thruster.command_map, limited)
        return limited
    slew = actuator_slew(row, layout, index)
    return saturate(command, slew.lowest, slew.highest)


def actuator_lag_time(row: Row, layout: Layout, index: int, rising: bool) -> float:
    """Time constant of the lag of an output, s; thrusters may rise and fall differently.

    `rising`: the output grows or changes sign.
    """
    if index < layout.thrusters:
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * index)
        return select(rising, thruster.rise_time, thruster.fall_time)
    return actuator_slew(row, layout, index).lag


def actuator_slew(row: Row, layout: Layout, index: int) -> Slew:
    """Lag, rate limit and range of a fin, servo or moving mass."""
    k = index - layout.thrusters
    if k < layout.fins:
        fin = fin_at(row, fins_start(layout) + FIN_SIZE * k)
        return Slew(fin.lag, fin.rate_limit, -fin.deflection_limit, fin.deflection_limit)
    k = k - layout.fins
    if k < layout.servos:
        return slew_at(row, servos_start(layout) + SERVO_SIZE * k)
    return moving_mass_at(row, moving_mass_start(layout, k - layout.servos)).slew
