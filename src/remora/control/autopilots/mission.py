"""Position control for missions in a current: station keeping with integral action, drag feedforward and levelling."""

import math
from dataclasses import replace

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES
from remora.control.autopilots.position import PositionControl, valid_speeds
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.feedback.flow import FlowFromThrust, flow_from_thrust
from remora.control.feedback.levelling import LAG_SHARE, slowest_rise_time, tilt_gains
from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import FourDof, Vector3
from remora.plant.pack import PackedVehicle
from remora.vehicles.checks.actuation import allocation_matrix, thrust_limits
from remora.vehicles.parameters import VehicleParameters, total_inertia

INTEGRAL_GAINS: FourDof = (0.2, 0.2, 0.2, 0.2)  # 1/s
MISSION_VELOCITY_GAINS: FourDof = (1.0, 1.0, 1.0, 3.0)  # 1/s; a current turns a vehicle more than it pushes it
CORRECTION_SHARE = 0.8  # largest fraction of the thrust in an axis for a speed correction
LEVEL = (1.0, 0.0, 0.0, 0.0)
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
    return flow_from_thrust(lambda v: control.resistance(model, LEVEL, v, 0.0), (speeds[0], speeds[1], speeds[2]))


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
    return plain + control.resistance(control.model, LEVEL, (u, v, w), r)[HELD_AXES[k]]
