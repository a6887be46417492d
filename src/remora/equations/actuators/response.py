"""Response of the actuators to held commands: targets, time constants and rate limits."""

from remora.equations.actuators.slewing import Slew
from remora.equations.actuators.thrusters import saturate, speed_from_command
from remora.equations.algebra.elementary import select
from remora.equations.algebra.vectors import Numbers
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


def actuator_target(row: Numbers, layout: Layout, index: int, command: float) -> float:
    """What the output of an actuator tends to under a held command: limits first, then the command map."""
    if index < layout.thrusters:
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * index)
        limited = saturate(command, thruster.command_minimum, thruster.command_maximum)
        if layout.mapped_commands:
            return speed_from_command(thruster.command_map, limited)
        return limited
    slew = actuator_slew(row, layout, index)
    return saturate(command, slew.lowest, slew.highest)


def actuator_lag_time(row: Numbers, layout: Layout, index: int, rising: bool) -> float:
    """The time constant with which an output moves to its target; thrusters may rise and fall differently."""
    if index < layout.thrusters:
        thruster = thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * index)
        return select(rising, thruster.rise_time, thruster.fall_time)
    return actuator_slew(row, layout, index).lag


def actuator_slew(row: Numbers, layout: Layout, index: int) -> Slew:
    """How a fin, servo or moving mass moves, and its ends."""
    k = index - layout.thrusters
    if k < layout.fins:
        fin = fin_at(row, fins_start(layout) + FIN_SIZE * k)
        return Slew(fin.lag, fin.rate_limit, -fin.deflection_limit, fin.deflection_limit)
    k = k - layout.fins
    if k < layout.servos:
        return slew_at(row, servos_start(layout) + SERVO_SIZE * k)
    return moving_mass_at(row, moving_mass_start(layout, k - layout.servos)).slew
