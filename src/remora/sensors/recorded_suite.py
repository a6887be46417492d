"""Readings of a suite of sensors along a recorded motion, for one seed or many."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, final

import numpy as np

from remora.files.problems import InputError
from remora.messages.reading import ReadingArrays
from remora.sensors.library import make_sensors
from remora.sensors.recorded_motion import EnvironmentSource, RecordedMotion, Samples
from remora.sensors.sensor import Description, Sensor
from remora.vehicles.vehicle import SensorEntry


@final
class RecordedSuite:
    """Sensors along one motion. What they measure without errors is computed once, errors for each seed.

    The readings equal the simulation loop with the same seed, bit for bit, at times that the motion holds.

    Parameters
    ----------
    entries
        Sensors as for `make_sensor`: entries of a vehicle file or mappings.
    motion
        From `recorded_motion` or `motion_of_log`.
    environment
        Environment of all samples, such as `OpenWater`, or a function of the truth.
    scope
        Name of the vehicle, which is a part of the key of the random streams.

    Raises
    ------
    SensorError
        When a sensor cannot be built.
    InputError
        When a sensor has no sample during the motion.
    """

    def __init__(
        self,
        entries: Sequence[SensorEntry | Mapping[str, Any]],
        motion: RecordedMotion,
        environment: EnvironmentSource,
        scope: str = "",
    ) -> None:
        self._entries, self._scope = tuple(entries), scope
        self._samples: dict[str, Samples] = {}
        schedules: dict[tuple[int, int], tuple[Any, RecordedMotion]] = {}
        for sensor in make_sensors(self._entries, 0, scope):
            label = sensor.description
            timing = (label.start_ns, label.period_ns)
            if timing not in schedules:
                schedules[timing] = _schedule(label, motion)
            self._samples[label.name] = Samples(*schedules[timing], environment)

    def sensors(self, seed: int) -> tuple[Sensor, ...]:
        """The sensors with the errors of a seed."""
        return make_sensors(self._entries, seed, self._scope)

    def draw(self, seed: int) -> dict[str, ReadingArrays]:
        """Readings of each sensor by its name without the name of the vehicle."""
        prefix = f"{self._scope}/" if self._scope else ""
        names = ((sensor, sensor.description.name) for sensor in self.sensors(seed))
        return {name.removeprefix(prefix): sensor.draw(self._samples[name]) for sensor, name in names}

    def draw_many(self, seeds: Iterable[int]) -> dict[str, ReadingArrays]:
        """Readings for many seeds, which are the first axis of each array."""
        drawn = [self.draw(seed) for seed in seeds]
        if not drawn:
            raise InputError("seeds: give at least one.").about("seeds")
        return {
            name: ReadingArrays(*map(np.stack, zip(*(one[name] for one in drawn), strict=True))) for name in drawn[0]
        }


def _schedule(label: Description, motion: RecordedMotion) -> tuple[Any, RecordedMotion]:
    """Numbers of the samples during a motion, and the truth at their times."""
    begin, end = int(motion.time_ns[0]), int(motion.time_ns[-1])
    first = max(0, -(-(begin - label.start_ns) // label.period_ns))
    last = (end - label.start_ns) // label.period_ns
    if last < first:
        message = f'sensor "{label.name}" has no sample from {begin * 1e-9:g} to {end * 1e-9:g} s.'
        raise InputError(message).about("motion")
    index = np.arange(first, last + 1)
    return index, motion.at(label.start_ns + index * label.period_ns)
