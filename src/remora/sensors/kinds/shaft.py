"""Shaft speed reported by an electronic speed controller that counts zero crossings of the motor."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, final

from remora.equations.actuators.drives import counted_speed, counts_of_turning
from remora.messages.reading import SensorChannel, Status, Values
from remora.messages.truth import Truth
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment
from remora.sensors.error_ranges import Unchecked
from remora.sensors.errors.error_model import ChannelGroup
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind
from remora.sensors.sensor import Effect, Measurement, SensorError, SensorProblem
from remora.vehicles.vehicle import SensorEntry, Vehicle

SHAFT_SPEED = (SensorChannel("shaft_speed", "rad/s"),)


@final
@dataclass(frozen=True)
class ShaftSpeed(Measurement):
    """Current shaft speed of one thruster."""

    thruster: int  # counted from 0

    channels: ClassVar = SHAFT_SPEED

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The output of the thruster, which must be among the outputs of the truth."""
        if self.thruster >= len(truth.outputs):
            count = len(truth.outputs)
            raise SensorError(f"shaft speed of thruster {self.thruster}: the truth has {count} actuator outputs.")
        return Status.OK, (truth.outputs[self.thruster],)


class Turning(NamedTuple):
    """A shaft at the last report."""

    time_ns: int
    speed: float  # rad/s
    turned: float  # rad since the last crossing that was counted


@final
@dataclass(frozen=True)
class CountedCrossings(Effect):
    """Whole zero crossings since the last report, as a speed; what is left over counts in the next one.

    Crossings have no direction, so the speed is not negative unless the controller knows which way it drives. The first
    report has nothing to count and no value. Between reports the speed is taken to change evenly.
    """

    poles: int
    is_signed: bool

    def initial(self) -> Turning | None:
        """No crossing counted yet."""
        return None

    def apply(
        self, state: Turning | None, values: Values, truth: Truth, environment: Environment, k: int
    ) -> tuple[Turning, Values]:
        """Speed from the crossings since the last report."""
        (speed,) = values
        if state is None or truth.time_ns <= state.time_ns:
            return Turning(truth.time_ns, speed, 0.0), (math.nan,)
        interval = 1e-9 * (truth.time_ns - state.time_ns)
        turned = state.turned + _angle(state.speed, speed, interval)
        counts = counts_of_turning(self.poles, turned)
        left = turned - counted_speed(self.poles, counts, 1.0)
        reported = counted_speed(self.poles, counts, interval)
        backwards = self.is_signed and state.speed + speed < 0.0
        return Turning(truth.time_ns, speed, left), (-reported if backwards else reported,)


def _angle(first: float, last: float, interval: float) -> float:
    """Total angle turned in either direction while the speed changes linearly."""
    if first * last >= 0.0:
        return 0.5 * abs(first + last) * interval
    return 0.5 * (first * first + last * last) / abs(last - first) * interval


def shaft_speed(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
    """Shaft speed of `thruster` (from 0), counted by the zero crossings of a motor with `poles` poles."""
    poles = sheet.whole("poles", 14, 2)
    if poles % 2:
        sheet.refuse("poles", f"found {poles}; a motor has an even number of poles.")
    measurement = ShaftSpeed(sheet.whole("thruster", 0, 0))
    return SensorComponents(measurement, (ChannelGroup("", 1),), (CountedCrossings(poles, sheet.flag("signed")),))


def _thruster_fault(entry: SensorEntry, vehicle: Vehicle) -> SensorProblem | None:
    """Fault of a sensor without its thruster."""
    count, wanted = len(vehicle.parameters.thrusters), entry.parameters.get("thruster", 0)
    if not isinstance(wanted, (int, float)) or wanted < count:
        return None
    has = f"has {count}, counted from 0" if count else "has none"
    return SensorProblem("thruster", f"there is no thruster {wanted:g}: {vehicle.name} {has}.")


SHAFT_SPEED_SENSOR = SensorKind(
    "shaft_speed",
    shaft_speed,
    errors={"": Unchecked("speeds of thrusters differ by orders of magnitude, and so do their errors")},
    quantities={},
    max_rate=20_000.0,
    needs_position=False,
    vehicle_fault=_thruster_fault,
)
