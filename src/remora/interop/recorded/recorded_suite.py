"""Sensors, site, launch and readings of a recorded run, their navigation filter, and how a log of Remora gives them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.equations.geometry.earth import Geodetic
from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.files.user_code import is_user_code
from remora.logs import Log, Series
from remora.logs.schema import channel_name
from remora.messages.reading import Reading, Status
from remora.messages.site import SeaState, Site
from remora.navigation.inertial.aiding_sensors import REST, REST_PERIOD_NS
from remora.navigation.inertial.inertial_filter import InertialFilter, Launch, make_inertial_filter
from remora.navigation.inertial.suite import NO_FURTHER_STATES, FurtherStates, sensor_suite
from remora.navigation.parts.filter_options import RestTime
from remora.navigation.replays import RecordedTruth
from remora.sensors.stated_errors import stated_errors
from remora.vehicles.vehicle import SensorEntry

POSITION = tuple(f"p_NB_{axis}" for axis in "xyz")
ATTITUDE = tuple(f"q_NB_{i}" for i in range(4))
TWIST = tuple(f"{velocity}_NB_B_{axis}" for velocity in "vw" for axis in "xyz")
_NOT_VALUES = ("status", "latency")


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
        """Readings of the sensors, and readings of zero velocity while the vehicle rests on the bottom."""
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


def suite_of_log(log: Log, vehicle: str | None = None) -> RecordedSensors:
    """Sensors, readings and truth of one vehicle of a log.

    Parameters
    ----------
    log
        A log of a run of Remora.
    vehicle
        Its name in the log; None for the only one.

    Raises
    ------
    InputError
        When the log has no such vehicle or its header does not describe the sensors.
    """
    name = name_of_vehicle(log, vehicle)
    sensors: Mapping[str, Any] = log.vehicles[name].get("sensors", {})
    if any("parameters" not in mount for mount in sensors.values()):
        raise InputError(
            "the header of the log states no errors of its sensors: it is of an earlier version. Record it again."
        ).about("log")
    # Channels are in the order of the vehicle's sensors, of which the first of a role is used; the header sorts names.
    order = {channel: i for i, channel in enumerate(log.channels)}
    channels = {sensor: channel_name(f"{name}/{sensor}") for sensor in sensors}
    found = sorted((sensor for sensor in sensors if channels[sensor] in log), key=lambda one: order[channels[one]])
    entries = tuple(_entry(one, sensors[one]) for one in found if not is_user_code(sensors[one]["kind"]))
    readings = [reading for one in entries for reading in _readings(one.name, log[channels[one.name]])]
    truth = _truth(log, name)
    return RecordedSensors(entries, _site(log.scene), _launch(truth), tuple(readings), truth)


def name_of_vehicle(log: Log, asked: str | None) -> str:
    """The vehicle that was asked for, or the only one; InputError for another."""
    known = list(log.vehicles)
    if not known:
        raise InputError("the header of the log describes no vehicle").about("log")
    if asked is None and len(known) == 1:
        return known[0]
    if asked not in known:
        what = "names no vehicle of the log" if asked else "the log has several vehicles: name one"
        raise InputError(f"vehicle: {what}. {suggestion(asked or '', known)}").about("vehicle", asked, known)
    return asked


def _entry(name: str, mount: Mapping[str, Any]) -> SensorEntry:
    position, q_BS = _tuples(mount.get("position")), _tuples(mount.get("q_BS"))
    parameters = {key: _tuples(value) for key, value in mount["parameters"].items()}
    rate, latency = mount.get("rate"), mount.get("latency")
    return SensorEntry(name, mount["kind"], mount.get("device", ""), "", position, q_BS, rate, latency, parameters)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _readings(sensor: str, series: Series) -> list[Reading]:
    """Readings at the time of their measurement; the log holds the latency of each."""
    stamps = series.time_ns.tolist()
    arrivals = (series.time_ns + np.rint(1e9 * series["latency"]).astype(np.int64)).tolist()
    names = [name for name in series.channel.names if name not in _NOT_VALUES]
    rows = zip(stamps, arrivals, series["status"].tolist(), series.table(*names).tolist(), strict=True)
    return [Reading(sensor, stamp, arrival, Status(status), tuple(row)) for stamp, arrival, status, row in rows]


def _truth(log: Log, vehicle: str) -> RecordedTruth | None:
    channel = channel_name(f"{vehicle}/truth")
    if channel not in log or not len(log[channel]):
        return None
    series = log[channel]
    return RecordedTruth(series.time_ns, series.table(*POSITION), series.table(*ATTITUDE), series.table(*TWIST))


def _launch(truth: RecordedTruth | None) -> Launch:
    """The true position at the start, which a vehicle knows when it is launched; the origin without a truth."""
    if truth is None:
        return Launch((0.0, 0.0, 0.0))
    north, east, down = truth.positions[0].tolist()
    return Launch((north, east, down))


def _site(scene: Mapping[str, Any]) -> Site:
    origin = scene.get("origin", {})
    place = Geodetic(*(float(origin.get(name, 0.0)) for name in Geodetic._fields))
    density, gravity, surface = (float(scene[name]) for name in ("density", "gravity", "surface_depth"))
    has_bottom = "bed" in scene or bool(scene.get("tunnels") or scene.get("obstacles"))
    points = tuple((str(name), (p[0], p[1], p[2])) for name, p in scene.get("points", {}).items())
    return Site(density, gravity, surface, place, has_bottom, points, _sea_state(scene))


def _sea_state(scene: Mapping[str, Any]) -> SeaState | None:
    """Of the first waves; a header leaves out an infinite water depth."""
    for one in scene.get("waves", []):
        return SeaState(*(float(one.get(name, math.inf)) for name in SeaState._fields))
    return None
