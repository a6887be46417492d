"""Prediction model: the nominal vehicle with thrusters whose commands are effective forces behind their lag.

Thrust curves and command maps have no slope at rest, so that optimisation over commands would stall there. Forces are
optimised instead, and converted into commands afterwards.
"""

from remora.equations.actuators.laws.force import FORCE_LAW
from remora.files.problems import InputError
from remora.vehicles.checks.actuation import thrust_limits
from remora.vehicles.parameters import VehicleParameters


def force_model(parameters: VehicleParameters) -> VehicleParameters:
    """The vehicle with forces as commands, within the thrust limits at rest.

    Raises an InputError without thrusters, or when other actuators move the vehicle.
    """
    if not parameters.thrusters:
        raise InputError("the vehicle has no thrusters to optimise the forces of.").about("thrusters")
    others = (*parameters.fin_names, *parameters.servo_names, *parameters.moving_mass_names)
    if others:
        raise InputError(f"it optimises thrusters only, and the vehicle also has {', '.join(others)}.").about("part")
    thrusters = tuple(
        thruster._replace(
            effectiveness_forward=1.0,
            effectiveness_reverse=1.0,
            sense=1.0,
            fall_time=thruster.rise_time,
            command_minimum=float(low),
            command_maximum=float(high),
        )
        for thruster, (low, high) in zip(parameters.thrusters, thrust_limits(parameters), strict=True)
    )
    return parameters._replace(
        thrusters=thrusters,
        thrust_law=FORCE_LAW.code,
        mapped_commands=False,
        drives=(),
        pulse_drives=(),
        motors=(),
        quadrants=(),
    )
