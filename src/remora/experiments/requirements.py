"""What is asked of an experiment: parameters, how well, and within which room, speed, thrust and time."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from remora.experiments.motion_limits import Limits, limits_of
from remora.files.problems import listed
from remora.guidance.excitation import AXES
from remora.identification.parameters import ELEMENTS, MATRICES, canonical, parameter, thruster_choice
from remora.identification.regression.problem import default_parameters
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import Vehicle

SMALLEST_ROOM, LARGEST_ROOM = 0.2, 1000.0  # m
SHORTEST, LONGEST = 60.0, 7200.0  # s of a whole experiment


class DesignError(ValueError):
    """No experiment can be planned for what is asked."""


class Wish(NamedTuple):
    """What is asked of an experiment."""

    vehicle: Vehicle
    parameters: tuple[str, ...]
    axes: tuple[str, ...]  # that are moved, one after the other
    accuracy: float  # one standard deviation as a share of the number
    workspace: tuple[float, float, float]  # m: length ahead, width and height of the room for the body's origin
    top: float  # m, depth of the top of that room
    speed_noise: float  # m/s, white, in each sample
    rate_noise: float  # rad/s
    duration: float | None  # s, of the whole experiment; None: as long as it takes
    limits: Mapping[str, Limits]  # of each axis

    @property
    def noise(self) -> dict[str, float]:
        """Noise of each measured speed."""
        return {name: self.speed_noise if i < 3 else self.rate_noise for i, name in enumerate(DEGREES_OF_FREEDOM)}

    @property
    def middle(self) -> float:
        """Depth of the middle of the room, m."""
        return self.top + 0.5 * self.workspace[2]


def make_wish(
    vehicle: Vehicle,
    parameters: Sequence[str] | None = None,
    accuracy: float = 0.05,
    workspace: tuple[float, float, float] = (10.0, 5.0, 3.0),
    duration: float | None = None,
    speed_noise: float = 0.01,
    rate_noise: float = math.radians(0.2),
    top: float = 1.0,
    largest_speed: float = math.inf,
) -> Wish:
    """A wish that can be planned for; inertia and damping of all axes that the thrusters drive unless given.

    Raises
    ------
    DesignError
        When a number is out of its range, a parameter cannot be shown by swinging, or the vehicle cannot swing.
    """
    _check_numbers(accuracy, workspace, duration, {"noise of the speed": speed_noise, "noise of the rate": rate_noise},
                   {"largest speed": largest_speed})  # fmt: skip
    if not 0.0 <= top <= LARGEST_ROOM:
        raise DesignError(f"the top of the room lies at {top:g} m: give 0 to {LARGEST_ROOM:g} m below the surface")
    limits = limits_of(vehicle.parameters, workspace, largest_speed)
    driven = driven_axes(vehicle.name, limits)
    names = tuple(canonical(name) for name in (default_parameters(driven) if parameters is None else parameters))
    if not names:
        raise DesignError("no parameter is asked for. Name some, or leave it out for inertia and damping of all axes.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise DesignError(f"{twice} is asked for twice.")
    moved = {moved_axis(name, vehicle.parameters) for name in names}
    return Wish(
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


def driven_axes(name: str, limits: Mapping[str, Limits]) -> tuple[str, ...]:
    """Surge, sway, heave and yaw, which a vehicle that swings must all hold by its thrusters."""
    missing = [axis for axis in AXES if limits[axis].thrust <= 0.0]
    if missing:
        raise DesignError(
            f"{name} cannot hold its place while it swings: its thrusters do not drive it in {listed(missing)}. "
            "A vehicle with fins is shaken under way, as by the manoeuvre id1 of the excitation part."
        )
    return AXES


def moved_axis(name: str, vehicle: VehicleParameters) -> str:
    """The axis whose motion shows a parameter.

    Raises
    ------
    DesignError
        When no motion in surge, sway, heave or yaw does.
    """
    parameter(name, vehicle)  # refuses an unknown name with a suggestion
    head, _, last = name.rpartition(".")
    if thruster_choice(name, vehicle):
        raise DesignError(f"{name}: swinging shows only ratios to the thrust. Measure it by a bollard pull.")
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
            f"{name}: swinging in {', '.join(AXES)} one after the other does not show it. "
            "Roll and pitch are for free decays (docs/bench-tests.md), lift for runs under way."
        )
    return axis


def equation_of(name: str) -> str:
    """The degree of freedom in whose equation a parameter stands."""
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
        if not SMALLEST_ROOM <= size <= LARGEST_ROOM:
            raise DesignError(f"workspace has a side of {size:g} m: give {SMALLEST_ROOM:g} to {LARGEST_ROOM:g} m")
    if duration is not None and not SHORTEST <= duration <= LONGEST:
        raise DesignError(f"duration is {duration:g} s: give {SHORTEST:g} to {LONGEST:g} s")
    for name, value in noises.items():
        if not 0.0 < value < math.inf:
            raise DesignError(f"{name} is {value:g}: give a positive number; without noise nothing needs a plan")
    for name, value in limits.items():
        if not value > 0.0:
            raise DesignError(f"{name} is {value:g}: give a positive number")
