"""Options of the part `filter`: sensors that it does without, further states, and what it knows at the start."""

import math
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import Vector3
from remora.files.quantities import Is, Quantity, positive
from remora.files.section import Length3, Section
from remora.files.units import ANGLE, LENGTH, NEVER, PRESSURE, RATIO, SPEED
from remora.messages.part_options import Moment, PartError, PartOptions, VehicleContext
from remora.messages.reading import Reading
from remora.navigation.inertial.inertial_filter import LAUNCH_SIGMA, SPEED_SIGMA, Launch
from remora.navigation.inertial.suite import FurtherStates, SensorSuite
from remora.navigation.named_sensors import carried_sensor
from remora.vehicles.vehicle import SensorEntry

MOST_SIGMAS = 3.0  # of the speed at the start


class FilterLaunchSection(Section):
    """What the filter knows before its first reading."""

    position: Length3 | None = None
    std: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    speed_std: Annotated[Quantity[float], Is(SPEED, rule=positive)] | None = None
    heading: Annotated[Quantity[float], Is(ANGLE)] | None = None
    heading_std: Annotated[Quantity[float], Is(ANGLE, rule=positive)] | None = None


class FurtherStatesSection(Section):
    """Standard deviations at the start of states that no data sheet asks for."""

    dvl_bias: Annotated[Quantity[float], Is(SPEED, rule=positive)] | None = None
    dvl_scale: Annotated[Quantity[float], Is(RATIO, rule=positive)] | None = None
    dvl_misalignment: Annotated[Quantity[float], Is(ANGLE, rule=positive)] | None = None
    pressure_bias: Annotated[Quantity[float], Is(PRESSURE, rule=positive)] | None = None
    current: Annotated[Quantity[float], Is(SPEED, rule=positive)] | None = None
    bottom: Annotated[Quantity[float], Is(LENGTH, rule=positive)] | None = None
    mean_velocity: Annotated[Quantity[float], Is(SPEED, rule=positive)] | None = None


class SensorPause(Section):
    """A time during which the filter does without a sensor."""

    sensor: str
    from_: Moment | None = Field(default=None, alias="from")
    until: Moment | None = None


class RestSection(Section):
    """A time during which the vehicle rests on the bottom."""

    from_: Moment | None = Field(default=None, alias="from")
    until: Moment | None = None


class FilterOptions(PartOptions):
    """Options of the part; sensors, their places and errors come from the vehicle."""

    without: list[str] | None = None
    pauses: list[SensorPause] | None = None
    at_rest: list[RestSection] | None = None
    states: FurtherStatesSection | None = None
    launch: FilterLaunchSection | None = None
    thruster_faults: bool | None = None


class RestTime(NamedTuple):
    """The vehicle rests on the bottom in this interval."""

    from_ns: int
    until_ns: int


class Pause(NamedTuple):
    """Readings of a sensor with stamps in this interval are not used."""

    sensor: str
    from_ns: int
    until_ns: int

    def covers(self, reading: Reading) -> bool:
        """Whether it leaves out a reading."""
        return reading.sensor == self.sensor and self.from_ns <= reading.stamp_ns < self.until_ns


def fitted(options: FilterOptions, onboard: VehicleContext) -> list[SensorEntry]:
    """Sensors of the vehicle, less those that the filter does without."""
    for i, name in enumerate(options.without or ()):
        carried_sensor(name, onboard, "without", i)
    left_out = set(options.without or ())
    return [one for one in onboard.sensors.values() if one.name in onboard.errors and one.name not in left_out]


def further_states(section: FurtherStatesSection | None) -> FurtherStates:
    """States that the options ask for."""
    if section is None:
        return FurtherStates()
    given = {name: getattr(section, name) for name in FurtherStates._fields}
    return FurtherStates(**{name: quantity.value for name, quantity in given.items() if quantity is not None})


def launch_of(
    section: FilterLaunchSection | None, position: Vector3, velocity: Vector3 = ZERO3, mean_velocity: float = 0.0
) -> Launch:
    """What is known at the start; the position is used where the section gives none.

    The deviations from a mean velocity and of this mean itself, each as large as it, m/s, replace the default of the
    speed. PartError where the vehicle starts with a velocity, in m/s, that the filter could not believe.
    """
    launch = Launch(position) if section is None else _launch_given(section, position)
    if mean_velocity > 0.0 and (section is None or section.speed_std is None):
        launch = launch._replace(speed_sigma=math.sqrt(2.0) * mean_velocity)
    _check_start_speed(launch, velocity)
    return launch


def _launch_given(section: FilterLaunchSection, position: Vector3) -> Launch:
    return Launch(
        section.position.value if section.position else position,
        section.std.value if section.std else LAUNCH_SIGMA,
        section.speed_std.value if section.speed_std else SPEED_SIGMA,
        section.heading.value if section.heading else None,
        section.heading_std.value if section.heading_std else math.radians(5.0),
    )


def _check_start_speed(launch: Launch, velocity: Vector3) -> None:
    """PartError where the vehicle starts faster, in m/s, than the filter, which starts at rest, may believe."""
    speed, sigma = math.hypot(*velocity), launch.speed_sigma
    if speed > MOST_SIGMAS * sigma:
        message = (
            f"the filter starts at rest with a standard deviation of {sigma:.3g} m/s, but the vehicle starts at "
            f"{speed:.3g} m/s: {speed / sigma:.3g} of them, so that it would reject good readings. Give at least "
            f"{speed:.2g} m/s, or start the vehicle at rest."
        )
        raise PartError(message, "launch", "speed_std")


def sensor_pauses(options: FilterOptions, onboard: VehicleContext, suite: SensorSuite) -> tuple[Pause, ...]:
    """Times without a sensor, each of one that the filter uses.

    Raises
    ------
    PartError
        When a pause has no effect.
    """
    found = []
    for i, one in enumerate(options.pauses or ()):
        carried_sensor(one.sensor, onboard, "pauses", i, "sensor")
        _check_used(one.sensor, suite, i)
        if one.from_ is None and one.until is None:
            raise PartError("give from, until or both; `without` leaves a sensor out of the whole run.", "pauses", i)
        found.append(Pause(one.sensor, *interval_of(one, "pauses", i)))
    return tuple(found)


def rests_of(given: Sequence[RestSection] | None) -> tuple[RestTime, ...]:
    """Times at which the vehicle rests on the bottom."""
    return tuple(RestTime(*interval_of(one, "at_rest", i)) for i, one in enumerate(given or ()))


def interval_of(given: SensorPause | RestSection, name: str, i: int) -> tuple[int, int]:
    """Start and end of an option, ns; PartError where it ends before it begins."""
    start = round(1e9 * given.from_.value) if given.from_ else 0
    end = round(1e9 * given.until.value) if given.until else NEVER
    if end <= start:
        which = "pause" if name == "pauses" else "rest"
        text = f"the {which} ends at {1e-9 * end:g} s, but begins at {1e-9 * start:g} s."
        raise PartError(text, name, i, "until")
    return start, end


def _check_used(name: str, suite: SensorSuite, i: int) -> None:
    used = [one.name for one in suite.aidings]
    if name not in used:
        why = "drives the filter, which cannot pause it" if name == suite.inputs.name else "is not used by the filter"
        raise PartError(f"{name} {why}. It can pause: {', '.join(used)}.", "pauses", i, "sensor")
