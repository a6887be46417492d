"""Sampling of the sensors of one vehicle: schedule, delivery of readings after their latency, sensor faults."""

import math
from collections.abc import Callable, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, final

from remora.equations.types import Vector3
from remora.files.units import NEVER
from remora.logs.schema import Level
from remora.messages.reading import Reading, Status, no_values
from remora.messages.truth import Truth
from remora.run.faults.active_faults import deliveries, faulty_sensor
from remora.run.faults.fault import Fault
from remora.run.loop.errors import LoopError
from remora.run.plant.environment import LocalEnvironment, PositionLookup, unknown_position
from remora.run.plant.motion import VehicleMotion
from remora.run.recorder import Recorder
from remora.run.setup import Setup, VehicleSetup
from remora.sensors.compiled_measurement import PreparedMeasurement, prepared_measurement
from remora.sensors.environment import PackedEnvironment
from remora.sensors.sensor import Instrument, Sensor

_next_ns, _arrival_ns = attrgetter("next_ns"), attrgetter("arrival_ns")
_LOST = (Status.NO_LOCK, Status.OUT_OF_RANGE)
MOST_CAUSES = 10  # losses of one sensor that are written into the log


@final
class RunningSensor:
    """A sensor, its state and the index of its next sample."""

    __slots__ = (
        "cause",
        "causes",
        "deliveries",
        "is_refused",
        "k",
        "name",
        "next_ns",
        "period_ns",
        "prepared",
        "record",
        "refused",
        "sensor",
        "start_ns",
        "state",
    )

    def __init__(self, sensor: Sensor, vehicle: str, faults: Sequence[Fault]) -> None:
        label = sensor.description
        self.name = label.name.removeprefix(f"{vehicle}/")
        self.sensor, self.deliveries = faulty_sensor(sensor, faults, self.name), deliveries(faults, self.name)
        self.state, self.k = self.sensor.initial(), 0
        self.refused, self.is_refused = 0, False  # readings with values that are not finite; whether the last one was
        self.cause, self.causes = "", 0  # why it has nothing to measure, and how often that began
        self.period_ns, self.start_ns = label.period_ns, label.start_ns
        self.next_ns = label.start_ns
        # Compiled form of its measurement, and the function that adds the errors.
        self.prepared: tuple[PreparedMeasurement, Callable[..., tuple[Any, Reading]]] | None = None
        self.record: Callable[[int, Reading], None] | None = None  # writes a reading at a time into the log

    def go_to(self, k: int) -> None:
        """Set the index of the next sample."""
        self.k, self.next_ns = k, self.start_ns + k * self.period_ns


@final
class RunningSensors:
    """All sensors of a vehicle. `measure` takes due samples, `arrived` returns the readings that have arrived."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup, motion: VehicleMotion, recorder: Recorder | None) -> None:
        self._name, self._environment, self._motion, self._recorder = vehicle.name, setup.environment, motion, recorder
        self._sensors = [RunningSensor(sensor, vehicle.name, vehicle.faults) for sensor in vehicle.sensors]
        if recorder is not None:
            for sensor in self._sensors:
                sensor.record = recorder.reading_log(sensor.sensor.description.name)
        self.in_transit: list[Reading] = []  # measured, not yet arrived
        self._readings: dict[str, Reading] = {}
        self.readings = MappingProxyType(self._readings)  # latest arrived reading of each sensor
        self.measuring_ns = 0  # time of the latest sample
        self.changes = 0  # of the schedule, for users that keep it in a table
        self.position_of: PositionLookup = unknown_position
        self._uniform: LocalEnvironment | None = None  # the latest environment
        if setup.compiled and setup.environment.column is None:
            self._prepare()
        self.plan_next()

    @property
    def running(self) -> Sequence[RunningSensor]:
        """The sensors in their order."""
        return self._sensors

    def plan_next(self) -> None:
        """Update the time of the next sample."""
        self.changes += 1
        self.next_ns = min([sensor.next_ns for sensor in self._sensors], default=NEVER)

    def measure(self, grid_ns: int, last_ns: int) -> None:
        """Take all samples due up to a time, in the order of their times; the state of the step is at grid_ns."""
        self.changes += 1
        while True:
            sensor = min(self._sensors, key=_next_ns)
            if sensor.next_ns > last_ns:
                break
            truth = self._motion.truth_at(sensor.next_ns, grid_ns)
            try:
                sensor.state, reading = self.sampled(sensor, sensor.state, truth, sensor.k)
                cause = self.cause_of_loss(sensor, truth) if reading is not None and is_lost(sensor, reading) else ""
            except ValueError as error:
                raise LoopError(f'"{self._name}", sensor "{sensor.name}": {error}', sensor.next_ns) from error
            if reading is not None:
                self.deliver(sensor, reading, cause)
            sensor.k += 1
            sensor.next_ns += sensor.period_ns
        self.next_ns = sensor.next_ns

    def deliver(self, sensor: RunningSensor, reading: Reading, cause: str) -> None:
        """Queue and record the reading of the next sample, and log why there is nothing to measure."""
        if is_lost(sensor, reading):
            self._log_cause(sensor, reading, cause)
        if sensor.deliveries or sensor.is_refused or not is_sound(reading):
            self._deliver(sensor, reading)
        else:
            self.in_transit.append(reading)
            if sensor.record is not None:
                sensor.record(sensor.next_ns, reading)

    def _prepare(self) -> None:
        """Compiled forms of measurements that take long in Python; without them the readings are the same."""
        for sensor in self._sensors:
            if isinstance(sensor.sensor, Instrument):
                measured = prepared_measurement(sensor.sensor.measurement, self._place())
                sensor.prepared = None if measured is None else (measured, sensor.sensor.completed)

    def _place(self) -> LocalEnvironment:
        """Environment of uniform water."""
        return LocalEnvironment(self._environment, self.position_of, self._water_at, head=self._head_at)

    def packed_environment(self) -> PackedEnvironment | None:
        """Environment for compiled measurements; None in stratified water, or where it has no compiled form."""
        return None if self._environment.column is not None else self._place().packed()

    def sampled(self, sensor: RunningSensor, state: Any, truth: Truth, k: int) -> tuple[Any, Reading | None]:
        """The next state of a sensor and its reading, at a truth whose numbers are the `truth_row` of the motion."""
        self.measuring_ns = truth[0]
        environment = self._local_environment(truth[1][2])
        if sensor.prepared is None:
            return sensor.sensor.step(state, truth, environment, k)
        measured, complete = sensor.prepared
        return complete(state, measured(self._motion.truth_row), truth, environment, k)

    def cause_of_loss(self, sensor: RunningSensor, truth: Truth) -> str:
        """Why a sensor has nothing to measure; empty where it has."""
        return sensor.sensor.cause_of_loss(truth, self._local_environment(truth[1][2]))

    def _log_cause(self, sensor: RunningSensor, reading: Reading, cause: str) -> None:
        """Log the cause of lost measurements when it begins, changes or ends."""
        if reading.status not in _LOST:
            cause = "" if reading.status <= Status.PARTIAL else sensor.cause  # a dropped reading gives no cause
        if cause == sensor.cause:
            return
        sensor.causes += bool(cause)
        if self._recorder is not None and sensor.causes <= MOST_CAUSES:
            words = f"{reading.status.name.lower().replace('_', ' ')}: {cause}" if cause else "has values again"
            data = {"sensor": sensor.name, "cause": cause}
            self._recorder.event(sensor.next_ns, f"{self._name}/{sensor.name}", "info", words, data)
        sensor.cause = cause

    def losses(self) -> str:
        """Text: sensors without measurements and the causes; empty where there are none."""
        return "; ".join(f"{sensor.name}: {sensor.cause}" for sensor in self._sensors if sensor.cause)

    def _local_environment(self, depth: float) -> LocalEnvironment:
        """Environment of the sensors at the sample time; it depends on the depth in stratified water only."""
        environment = self._environment
        if environment.column is None and self._uniform is not None and self._uniform.position_of is self.position_of:
            return self._uniform
        below = depth - environment.surface_depth
        place = LocalEnvironment(environment, self.position_of, self._water_at, below, self._head_at)
        self._uniform = place
        return place

    def _water_at(self, place: Vector3) -> Vector3:
        return self._motion.external_loads.water_velocity(self.measuring_ns, place)

    def _head_at(self, place: Vector3) -> float:
        return self._motion.external_loads.wave_head(self.measuring_ns, place)

    def _deliver(self, sensor: RunningSensor, reading: Reading) -> None:
        """Queue a reading: values that are not finite become OFF, faults delay, duplicate or reorder it."""
        time_ns, sound = sensor.next_ns, is_sound(reading)
        if not sound:
            sensor.refused += 1
        if self._recorder is not None and sensor.is_refused == sound:
            self._log_refused(self._recorder, sensor, reading, sound)
        sensor.is_refused = not sound
        safe = reading if sound else reading._replace(status=Status.OFF, values=no_values(len(reading.values)))
        readings: tuple[Reading, ...] = (safe,)
        for fault, effect in sensor.deliveries:
            if fault.is_active(time_ns):
                readings = tuple(copy for one in readings for copy in effect.delivered(one, sensor.k, sensor.period_ns))
        self.in_transit.extend(readings)
        if sensor.record is not None:
            for one in readings:
                sensor.record(time_ns, one)

    def _log_refused(self, recorder: Recorder, sensor: RunningSensor, reading: Reading, sound: bool) -> None:
        names = [channel.name for channel in sensor.sensor.description.channels]
        bad = [name for name, value in zip(names, reading.values, strict=True) if not math.isfinite(value)]
        level: Level = "info" if sound else "error"
        words = "gives numbers again" if sound else f"{', '.join(bad)}: not a number. Its readings count as off."
        data = {} if sound else {"channels": bad}
        recorder.event(sensor.next_ns, f"{self._name}/{sensor.name}", level, words, data)

    def arrived(self, time_ns: int) -> list[Reading]:
        """Readings that have arrived since the last call, in the order of arrival."""
        arrived = [reading for reading in self.in_transit if reading.arrival_ns <= time_ns]
        if not arrived:
            return arrived
        self.in_transit = [reading for reading in self.in_transit if reading.arrival_ns > time_ns]
        arrived.sort(key=_arrival_ns)
        scope = len(self._name) + 1
        for reading in arrived:
            self._readings[reading.sensor[scope:]] = reading
        return arrived

    @property
    def refused(self) -> tuple[str, ...]:
        """Sensors with values that are not finite."""
        return tuple(f"{self._name}/{sensor.name}" for sensor in self._sensors if sensor.refused)

    def snapshot(self) -> tuple[tuple[Any, ...], ...]:
        """State of each sensor for a checkpoint."""
        return tuple((one.state, one.k, one.refused, one.is_refused, one.cause, one.causes) for one in self._sensors)

    def restore(self, sensors: Sequence[Any], in_transit: Sequence[Reading], readings: dict[str, Reading]) -> None:
        """Continue from a snapshot, readings in transit and the latest reading of each sensor."""
        for sensor, (state, k, refused, is_refused, *cause) in zip(self._sensors, sensors, strict=True):
            sensor.state, sensor.refused, sensor.is_refused = state, refused, is_refused
            sensor.cause, sensor.causes = cause
            sensor.go_to(k)
        self.in_transit = list(in_transit)
        self._readings.clear()
        self._readings.update(readings)
        self.plan_next()


def is_sound(reading: Reading) -> bool:
    """Whether a reading of status OK has finite values only."""
    return reading[3] != Status.OK or math.isfinite(sum(reading[4]))


def is_lost(sensor: RunningSensor, reading: Reading) -> bool:
    """Whether a sensor has nothing to measure, or had nothing before this reading."""
    return bool(sensor.cause) or reading[3] in _LOST
