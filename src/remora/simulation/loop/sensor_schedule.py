"""The sensors of one vehicle on their way through a run: when each measures, and what becomes of its readings."""

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, final

from remora.equations.algebra.vectors import Vector3
from remora.logs.schema import Level
from remora.messages.reading import Reading, Status, no_values
from remora.sensors.sensor import Sensor
from remora.simulation.faults.active_faults import handovers, spoiled_sensor
from remora.simulation.faults.fault import Fault
from remora.simulation.listener import Listener
from remora.simulation.loop.clock import NEVER
from remora.simulation.loop.loop_error import LoopError
from remora.simulation.plant.environment import LocalEnvironment, PositionLookup
from remora.simulation.plant.motion import Motion
from remora.simulation.setup import Setup, VehicleSetup

_OK = Status.OK
_LOST = (Status.NO_LOCK, Status.OUT_OF_RANGE)
MOST_CAUSES = 10  # losses of one sensor that are written into the log


@final
class RunningSensor:
    """A sensor, what it remembers, and the number of its next sample."""

    __slots__ = (
        "cause",
        "causes",
        "handovers",
        "is_refused",
        "k",
        "name",
        "next_ns",
        "period_ns",
        "refused",
        "sensor",
        "start_ns",
        "state",
    )

    def __init__(self, sensor: Sensor, vehicle: str, faults: Sequence[Fault]) -> None:
        label = sensor.description
        self.name = label.name.removeprefix(f"{vehicle}/")
        self.sensor, self.handovers = spoiled_sensor(sensor, faults, self.name), handovers(faults, self.name)
        self.state, self.k = self.sensor.initial(), 0
        self.refused, self.is_refused = 0, False  # readings with values that are no numbers, and whether the last was
        self.cause, self.causes = "", 0  # why it has nothing to measure, and how often that began
        self.period_ns, self.start_ns = label.period_ns, label.start_ns
        self.next_ns = label.start_ns

    def go_to(self, k: int) -> None:
        """Let a sample of this number be the next."""
        self.k, self.next_ns = k, self.start_ns + k * self.period_ns


@final
class RunningSensors:
    """All sensors of a vehicle. `measure` takes the samples that are due, `arrived` hands over their readings."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup, motion: Motion, listener: Listener | None) -> None:
        self._name, self._setting, self._motion, self._listener = vehicle.name, setup.setting, motion, listener
        self._sensors = [RunningSensor(sensor, vehicle.name, vehicle.faults) for sensor in vehicle.sensors]
        self.on_their_way: list[Reading] = []  # measured, and not arrived yet
        self._readings: dict[str, Reading] = {}
        self.readings = MappingProxyType(self._readings)  # the latest of each sensor that has arrived
        self.measuring_ns = 0  # when the latest sample was taken
        self.position_of: PositionLookup = _nowhere
        self.plan_next()

    def plan_next(self) -> None:
        """Find out when the next sample is due."""
        self.next_ns = min((sensor.next_ns for sensor in self._sensors), default=NEVER)

    def measure(self, grid_ns: int, last_ns: int) -> None:
        """Take all samples that are due up to a time, in the order of their times; the grid's state is at grid_ns."""
        while True:
            sensor = min(self._sensors, key=_next_time)
            if sensor.next_ns > last_ns:
                break
            self.measuring_ns = sensor.next_ns
            truth = self._motion.truth_at(sensor.next_ns, grid_ns)
            environment = self._environment_at(truth.p_NB[2])
            try:
                sensor.state, reading = sensor.sensor.step(sensor.state, truth, environment, sensor.k)
            except ValueError as error:
                raise LoopError(f'"{self._name}", sensor "{sensor.name}": {error}', sensor.next_ns) from error
            if reading is not None:
                if sensor.cause or reading.status in _LOST:
                    self._note_cause(sensor, reading, sensor.sensor.cause_of_loss(truth, environment))
                if sensor.handovers or sensor.is_refused or not _is_sound(reading):
                    self._hand_over(sensor, reading)
                else:
                    self.on_their_way.append(reading)
                    if self._listener is not None:
                        self._listener.reading(reading, sensor.next_ns)
            sensor.go_to(sensor.k + 1)
        self.next_ns = sensor.next_ns

    def _note_cause(self, sensor: RunningSensor, reading: Reading, cause: str) -> None:
        """Tell why a sensor has nothing to measure, when that begins, changes or ends."""
        if reading.status not in _LOST:
            cause = "" if reading.status <= Status.PARTIAL else sensor.cause  # a dropped reading does not say
        if cause == sensor.cause:
            return
        sensor.causes += bool(cause)
        if self._listener is not None and sensor.causes <= MOST_CAUSES:
            words = f"{reading.status.name.lower().replace('_', ' ')}: {cause}" if cause else "has values again"
            data = {"sensor": sensor.name, "cause": cause}
            self._listener.event(f"{self._name}/{sensor.name}", sensor.next_ns, "info", words, data)
        sensor.cause = cause

    def losses(self) -> str:
        """Sensors that have nothing to measure now and say why; empty where there are none."""
        return "; ".join(f"{sensor.name}: {sensor.cause}" for sensor in self._sensors if sensor.cause)

    def _environment_at(self, depth: float) -> LocalEnvironment:
        """Environment of the vehicle during a sample."""
        setting = self._setting
        return LocalEnvironment(setting, self.position_of, self._water_at, depth - setting.surface_depth)

    def _water_at(self, place: Vector3) -> Vector3:
        return self._motion.influences.water_velocity(self.measuring_ns, place)

    def _hand_over(self, sensor: RunningSensor, reading: Reading) -> None:
        """Send a reading on its way: values that are no numbers never leave, faults make it late, double or twisted."""
        time_ns, sound = sensor.next_ns, _is_sound(reading)
        if not sound:
            sensor.refused += 1
        if self._listener is not None and sensor.is_refused == sound:
            self._tell_refused(self._listener, sensor, reading, sound)
        sensor.is_refused = not sound
        safe = reading if sound else reading._replace(status=Status.OFF, values=no_values(len(reading.values)))
        readings: tuple[Reading, ...] = (safe,)
        for fault, effect in sensor.handovers:
            if fault.holds(time_ns):
                readings = tuple(
                    copy for one in readings for copy in effect.handed_over(one, sensor.k, sensor.period_ns)
                )
        self.on_their_way.extend(readings)
        if self._listener is not None:
            for one in readings:
                self._listener.reading(one, time_ns)

    def _tell_refused(self, listener: Listener, sensor: RunningSensor, reading: Reading, sound: bool) -> None:
        names = [channel.name for channel in sensor.sensor.description.channels]
        bad = [name for name, value in zip(names, reading.values, strict=True) if not math.isfinite(value)]
        level: Level = "info" if sound else "error"
        words = "gives numbers again" if sound else f"{', '.join(bad)}: not a number. Its readings count as off."
        data = {} if sound else {"channels": bad}
        listener.event(f"{self._name}/{sensor.name}", sensor.next_ns, level, words, data)

    def arrived(self, time_ns: int) -> list[Reading]:
        """All readings that have arrived since they were asked for last, in the order of their arrival."""
        arrived = [reading for reading in self.on_their_way if reading.arrival_ns <= time_ns]
        if not arrived:
            return arrived
        self.on_their_way = [reading for reading in self.on_their_way if reading.arrival_ns > time_ns]
        arrived.sort(key=_arrival)
        scope = len(self._name) + 1
        for reading in arrived:
            self._readings[reading.sensor[scope:]] = reading
        return arrived

    @property
    def refused(self) -> tuple[str, ...]:
        """Sensors that gave values which are no numbers."""
        return tuple(f"{self._name}/{sensor.name}" for sensor in self._sensors if sensor.refused)

    def memory(self) -> tuple[tuple[Any, ...], ...]:
        """What each sensor needs to go on later."""
        return tuple((one.state, one.k, one.refused, one.is_refused, one.cause, one.causes) for one in self._sensors)

    def recall(self, sensors: Sequence[Any], on_their_way: Sequence[Reading], readings: dict[str, Reading]) -> None:
        """Take up what `memory` gave, readings on their way, and the latest of each sensor."""
        for sensor, (state, k, refused, is_refused, *cause) in zip(self._sensors, sensors, strict=True):
            sensor.state, sensor.refused, sensor.is_refused = state, refused, is_refused
            sensor.cause, sensor.causes = cause
            sensor.go_to(k)
        self.on_their_way = list(on_their_way)
        self._readings.clear()
        self._readings.update(readings)
        self.plan_next()


def _nowhere(name: str) -> Vector3 | None:
    return None


def _is_sound(reading: Reading) -> bool:
    """Whether a reading that says that all is well has numbers only."""
    return reading.status != _OK or math.isfinite(sum(reading.values))


def _next_time(sensor: RunningSensor) -> int:
    return sensor.next_ns


def _arrival(reading: Reading) -> int:
    return reading.arrival_ns
