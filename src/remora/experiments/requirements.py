"""Requirements of an experiment: parameters, accuracy, workspace, speed, noise and duration."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from remora.experiments.motion_limits import AxisLimits, axis_limits
from remora.files.problems import listed
from remora.guidance.signals import AXES
from remora.identification.parameters import ELEMENTS, MATRICES, canonical, parameter, thruster_choice
from remora.identification.regression.problem import default_parameters
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import Vehicle

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
    vehicle
        Vehicle with its parameters as far as they are known.
    parameters
        Names as in `remora.identification.parameters`; added mass and damping of surge, sway, heave and yaw unless
        given.
    accuracy
        Required standard deviation as a share of each value.
    workspace
        Length ahead, width and height available to the body origin, m.
    duration
        Duration of the whole experiment, s; as long as needed unless given.
    speed_noise, rate_noise
        Standard deviation of white noise in each sample of speeds, m/s, and turn rates, rad/s.
    top
        Depth of the top of the workspace, m.
    largest_speed
        Largest speed in translation, m/s.

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
    names = tuple(canonical(name) for name in (default_parameters(driven) if parameters is None else parameters))
    if not names:
        raise DesignError("no parameter is asked for. Name some, or leave it out for inertia and damping of all axes.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise DesignError(f"{twice} is asked for twice.")
    moved = {moved_axis(name, vehicle.parameters) for name in names}
    return Requirements(
        vehicle,
        names,
        tuple(axis for axis in AXES if axis in moved),
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
    missing = [axis for axis in AXES if limits[axis].thrust <= 0.0]
    if missing:
        raise DesignError(
            f"{name} cannot hold its position: its thrusters do not drive it in {listed(missing)}. "
            "A vehicle with fins is excited under way: by the guidance id1, whose scenario `remora design` writes."
        )
    return AXES


def moved_axis(name: str, vehicle: VehicleParameters) -> str:
    """Axis whose motion identifies a parameter; a DesignError when it is none of surge, sway, heave and yaw."""
    parameter(name, vehicle)  # raises for an unknown name, with a suggestion
    head, _, last = name.rpartition(".")
    if thruster_choice(name, vehicle):
        raise DesignError(f"{name}: such motion shows only ratios to the thrust. Measure it by a bollard pull.")
    if head in MATRICES and head != "damping.lift":
        axis = DEGREES_OF_FREEDOM[ELEMENTS[last][1]]
    elif name == "damping.cubic_surge":
        axis = "surge"
    elif head == "rising_heave" or name == "body.net_buoyancy":
        axis = "heave"
    else:
        axis = ""
    if axis not in AXES:
        raise DesignError(
            f"{name}: motion in {', '.join(AXES)} one after the other does not show it. "
            "Roll and pitch are for free decays (docs/bench-tests.md), lift for runs under way."
        )
    return axis


def equation_of(name: str) -> str:
    """Degree of freedom whose equation contains a parameter."""
    head, _, last = name.rpartition(".")
    if head in MATRICES:
        return DEGREES_OF_FREEDOM[ELEMENTS[last][0]]
    return "surge" if name == "damping.cubic_surge" else "heave"


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
