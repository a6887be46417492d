"""Sensors, site, launch and readings of a recorded run, and the navigation filter of its sensors."""

from collections.abc import Sequence
from typing import NamedTuple

from remora.files.problems import InputError
from remora.messages.reading import Reading, Status
from remora.messages.site import Site
from remora.navigation.inertial.aiding_sensors import REST, REST_PERIOD_NS
from remora.navigation.inertial.inertial_filter import InertialFilter, Launch, make_inertial_filter
from remora.navigation.inertial.suite import NO_FURTHER_STATES, FurtherStates, sensor_suite
from remora.navigation.parts.filter_options import RestTime
from remora.navigation.replays import RecordedTruth
from remora.sensors.stated_errors import stated_errors
from remora.vehicles.vehicle import SensorEntry


class RecordedSensors(NamedTuple):
    """What a navigation filter needs of a log."""

    entries: tuple[SensorEntry, ...]
    site: Site
    launch: Launch
    readings: tuple[Reading, ...]
    truth: RecordedTruth | None = None
    further: FurtherStates = NO_FURTHER_STATES
    rests: tuple[RestTime, ...] = ()  # times on the bottom
    remarks: tuple[str, ...] = ()  # on readings that were left out

    @property
    def all_readings(self) -> tuple[Reading, ...]:
        """Readings of the sensors, and those of zero velocity while the vehicle rests on the bottom."""
        if not self.rests or not self.readings:
            return self.readings
        stamps = [reading.stamp_ns for reading in self.readings]
        times = range(min(stamps), max(stamps) + 1, REST_PERIOD_NS)
        still = [t for t in times if any(rest.from_ns <= t < rest.until_ns for rest in self.rests)]
        return (*self.readings, *(Reading(REST, t, t, Status.OK, (0.0, 0.0, 0.0)) for t in still))


def filter_of(recorded: RecordedSensors, without: Sequence[str] = ()) -> InertialFilter:
    """The filter of the sensors that have readings, compiled or from the cache.

    Parameters
    ----------
    recorded
        Sensors and readings.
    without
        Names of sensors that the filter does without.

    Raises
    ------
    InputError
        When the log is empty, a sensor has no position, or none aids the filter.
    """
    seen = {reading.sensor for reading in recorded.readings}
    if not seen:
        raise InputError("the log is empty: it holds no reading of a sensor").about("readings", 0)
    unknown = [name for name in without if name not in {entry.name for entry in recorded.entries}]
    if unknown:
        known = ", ".join(entry.name for entry in recorded.entries)
        raise InputError(f'the log has no sensor "{unknown[0]}". It has {known}.').about("without", unknown[0])
    entries = [entry for entry in recorded.entries if entry.name in seen and entry.name not in without]
    errors = {entry.name: stated_errors(entry) for entry in entries}
    suite = sensor_suite(entries, errors, recorded.site, recorded.further, bool(recorded.rests))
    if suite.aiding("attitude") is None and recorded.launch.heading is None:
        raise InputError("no sensor gives the attitude: give the heading at launch, and an inertial unit").about(
            "launch.heading"
        )
    return make_inertial_filter(suite)
