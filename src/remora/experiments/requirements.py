"""Requirements of an experiment: parameters, accuracy, workspace, speed, noise and duration."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from remora.control.allocation.thrusters import bounded_allocation
from remora.control.feedback.attitude import PITCH
from remora.control.parts.autopilot import DIVERGENCE_SHARE, SURGE
from remora.files.problems import listed
from remora.identification.parameter_names import (
    asked_names,
    parsed,
    repeated_name,
)
from remora.vehicles.checks.actuation import reachable_wrench
from remora.vehicles.checks.munk import munk_speed
from remora.vehicles.names import DEGREES_OF_FREEDOM, FOUR_AXES
from remora.vehicles.parameters import VehicleParameters, net_buoyancy
from remora.vehicles.vehicle import Vehicle

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
    for k, axis in enumerate(FOUR_AXES):
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


SMALLEST_WORKSPACE, LARGEST_WORKSPACE = 0.2, 1000.0  # m
SHORTEST, LONGEST = 60.0, 7200.0  # s of a whole experiment


class DesignError(ValueError):
    """The requirements cannot be met by any experiment."""


class Requirements(NamedTuple):
    """Requirements of an experiment."""

    vehicle: Vehicle
    parameters: tuple[str, ...]
    axes: tuple[str, ...]  # excited one after the other
    accuracy: float  # one standard deviation as a share of the value
    workspace: tuple[float, float, float]  # m: length ahead, width and height available to the body origin
    top: float  # m, depth of the top of the workspace
    speed_noise: float  # m/s, white, in each sample
    rate_noise: float  # rad/s
    duration: float | None  # s, of the whole experiment; None: as long as needed
    limits: Mapping[str, AxisLimits]  # of each axis

    @property
    def noise(self) -> dict[str, float]:
        """Standard deviation of the noise of each measured speed."""
        return {name: self.speed_noise if i < 3 else self.rate_noise for i, name in enumerate(DEGREES_OF_FREEDOM)}

    @property
    def middle(self) -> float:
        """Depth of the centre of the workspace, m."""
        return self.top + 0.5 * self.workspace[2]


def make_requirements(
    vehicle: Vehicle,
    parameters: Sequence[str] | None = None,
    accuracy: float = 0.05,
    workspace: tuple[float, float, float] = (10.0, 5.0, 3.0),
    duration: float | None = None,
    speed_noise: float = 0.01,
    rate_noise: float = math.radians(0.2),
    top: float = 1.0,
    largest_speed: float = math.inf,
) -> Requirements:
    """Checked requirements of an experiment.

    Parameters
    ----------
    vehicle, accuracy
        Vehicle with its parameters as far as known, and required standard deviation as a share of each value.
    parameters
        Names as in `remora.identification.parameter_names`; added mass and damping of surge, sway, heave and yaw unless
        given.
    workspace
        Length ahead, width and height available to the body origin, m.
    duration
        Duration of the whole experiment, s; as long as needed unless given.
    speed_noise, rate_noise
        Standard deviation of white noise in each sample of speeds, m/s, and turn rates, rad/s.
    top, largest_speed
        Depth of the top of the workspace, m, and largest speed in translation, m/s.

    Raises
    ------
    DesignError
        When a value is out of range, a parameter is not identifiable by such motion, or the vehicle cannot hold its
        position.
    """
    _check_numbers(accuracy, workspace, duration, {"noise of the speed": speed_noise, "noise of the rate": rate_noise},
                   {"largest speed": largest_speed})  # fmt: skip
    if not 0.0 <= top <= LARGEST_WORKSPACE:
        raise DesignError(
            f"the top of the workspace lies at {top:g} m: give 0 to {LARGEST_WORKSPACE:g} m below the surface"
        )
    limits = axis_limits(vehicle.parameters, workspace, largest_speed)
    driven = driven_axes(vehicle.name, limits)
    names = asked_names(parameters, driven)
    if not names:
        raise DesignError("no parameter is asked for. Name some, or leave it out for inertia and damping of all axes.")
    if twice := repeated_name(names):
        raise DesignError(f"{twice} is asked for twice.")
    moved = {moved_axis(name, vehicle.parameters) for name in names}
    return Requirements(
        vehicle,
        names,
        tuple(axis for axis in FOUR_AXES if axis in moved),
        accuracy,
        workspace,
        top,
        speed_noise,
        rate_noise,
        duration,
        limits,
    )


def driven_axes(name: str, limits: Mapping[str, AxisLimits]) -> tuple[str, ...]:
    """Surge, sway, heave and yaw, all of which the thrusters must control."""
    missing = [axis for axis in FOUR_AXES if limits[axis].thrust <= 0.0]
    if missing:
        raise DesignError(
            f"{name} cannot hold its position: its thrusters do not drive it in {listed(missing)}. "
            "A vehicle with fins is excited under way: by the guidance id1, whose scenario `remora design` writes."
        )
    return FOUR_AXES


def moved_axis(name: str, vehicle: VehicleParameters) -> str:
    """Axis whose motion identifies a parameter; a DesignError when it is none of surge, sway, heave and yaw."""
    found = parsed(name, vehicle)  # raises for an unknown name, with a suggestion
    if found.kind == "effectiveness":
        raise DesignError(f"{name}: such motion shows only ratios to the thrust. Measure it by a bollard pull.")
    axis = found.axes[1] if found.axes and found.head != "damping.lift" else ""
    if axis not in FOUR_AXES:
        raise DesignError(
            f"{name}: motion in {', '.join(FOUR_AXES)} one after the other does not show it. "
            "Roll and pitch are for free decays (docs/bench-tests.md), lift for runs under way."
        )
    return axis


def equation_of(name: str, vehicle: VehicleParameters) -> str:
    """Degree of freedom whose equation contains a parameter that motion in an axis shows."""
    axes = parsed(name, vehicle).axes
    assert axes is not None
    return axes[0]


def _check_numbers(
    accuracy: float,
    workspace: Sequence[float],
    duration: float | None,
    noises: Mapping[str, float],
    limits: Mapping[str, float],
) -> None:
    if not 0.0 < accuracy <= 1.0:
        raise DesignError(f"accuracy is {accuracy:g}: give a share above 0 and up to 1, 0.05 for 5 %")
    for size in workspace:
        if not SMALLEST_WORKSPACE <= size <= LARGEST_WORKSPACE:
            raise DesignError(
                f"workspace has a side of {size:g} m: give {SMALLEST_WORKSPACE:g} to {LARGEST_WORKSPACE:g} m"
            )
    if duration is not None and not SHORTEST <= duration <= LONGEST:
        raise DesignError(f"duration is {duration:g} s: give {SHORTEST:g} to {LONGEST:g} s")
    for name, value in noises.items():
        if not 0.0 < value < math.inf:
            raise DesignError(f"{name} is {value:g}: give a positive number; without noise nothing needs a plan")
    for name, value in limits.items():
        if not value > 0.0:
            raise DesignError(f"{name} is {value:g}: give a positive number")
