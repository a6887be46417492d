"""nav-nees: NEES of the default filter on the sensor suites of bundled vehicles."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.navigation.consistency import ConsistencyReport, consistency
from remora.navigation.filters.trajectory import FilterRun
from remora.navigation.inertial.aiding_sensors import AIDING_KINDS
from remora.navigation.inertial.inertial_filter import LAUNCH_SIGMA, InertialFilter, Launch, make_inertial_filter
from remora.navigation.inertial.recorded_readings import filter_readings
from remora.navigation.inertial.suite import sensor_suite
from remora.navigation.replays.truth_errors import error_of_state
from remora.scenarios.scenario import load_scenario
from remora.sensors.stated_errors import stated_errors
from remora.vehicles import load_vehicle
from remora.vehicles.vehicle import SensorEntry
from remora_evidence.requirements import StudyFunction
from remora_evidence.studies.navigation.flown_truth import FlownTruth, drawn_readings, flown_truth


class FlownSuite(NamedTuple):
    """The suite of a vehicle on a bundled scenario."""

    vehicle: str
    scenario: str
    seconds: float
    bottom_depth: float  # m
    sensors: tuple[str, ...] = ()  # that the scenario flies with; its own by default


# The survey navigates by some sensors that the filter does not use.
GAVIA_SENSORS = ("imu", "ins", "gyro", "dvl", "pressure", "gps", "accelerometer", "propeller_speed")
SUITES = (
    FlownSuite("bluerov2_heavy", "bluerov_square", 60.0, 12.0, ("imu", "ahrs", "gyro", "dvl", "depth", "usbl")),
    FlownSuite("falcon", "falcon_boathouse", 60.0, 4.64),
    FlownSuite("gavia", "gavia_survey", 100.0, 20.0, GAVIA_SENSORS),
    FlownSuite("remus100", "remus_dive", 100.0, 25.0),
    FlownSuite("vita1", "real_tunnel", 30.0, 2.0),
)


def suite_entries(suite: FlownSuite) -> list[SensorEntry]:
    """Sensors of the vehicle file that drive or aid the filter; pressure is zeroed before the dive."""
    entries = [e for e in load_vehicle(suite.vehicle).sensors if e.kind == "imu" or e.kind in AIDING_KINDS]
    return [
        entry._replace(parameters={name: v for name, v in entry.parameters.items() if name != "bias_range"})
        for entry in entries
    ]


def suite_consistency(suite: FlownSuite, runs: Sequence[int]) -> ConsistencyReport:
    """NEES of position, velocity and attitude, every second, over runs that differ in all errors and the launch."""
    results = [_errors(suite, seed) for seed in runs]
    count = min(len(e) for e, _ in results)
    return consistency(np.array([e[:count] for e, _ in results]), np.array([P[:count] for _, P in results]))


@cache
def _flown(suite: FlownSuite) -> tuple[InertialFilter, FlownTruth, list[SensorEntry]]:
    """The filter of a suite, the true motion, and the sensors."""
    scenario = load_scenario(suite.scenario)
    if suite.sensors:
        scenario = scenario.with_({"vehicles[0].sensors": list(suite.sensors)})
    flown, entries = flown_truth(scenario, suite.seconds, suite.bottom_depth), suite_entries(suite)
    errors = {entry.name: stated_errors(entry) for entry in entries}
    return make_inertial_filter(sensor_suite(entries, errors, flown.site)), flown, entries


@cache
def _errors(suite: FlownSuite, seed: int) -> tuple[Array, Array]:
    """Errors and covariances of one run."""
    made, flown, entries = _flown(suite)
    off = LAUNCH_SIGMA * np.random.default_rng(seed).standard_normal(3)
    north, east, down = np.add(flown.truths[0].p_NB, off).tolist()
    found = filter_readings(
        made, Launch((north, east, down)), drawn_readings(entries, flown, seed), apart=1.0, in_order=True
    )
    rows = [i for i, time in enumerate(found.stamps_ns.tolist()) if time in flown.truths]
    errors = np.array([_error(made, flown, found, i) for i in rows])
    return errors, np.array([found.covariance(i)[:9, :9] for i in rows])


def _error(made: InertialFilter, flown: FlownTruth, found: FilterRun, i: int) -> Array:
    """Error of an estimate in the chart of the filter."""
    truth = flown.truths[int(found.stamps_ns[i])]
    return error_of_state(made, truth.p_NB, truth.q_NB, truth.twist, found.states[i])


def nees_of_suites(seeds: Sequence[int]) -> Iterator[tuple[str, float]]:
    """Share of the times inside the two-sided 99 % interval, and the mean, for each suite."""
    for suite in SUITES:
        report = suite_consistency(suite, seeds)
        yield f"times inside the interval, {suite.vehicle}", 100.0 * report.inside
        yield f"mean NEES of 9, {suite.vehicle}", float(np.mean(report.average))


STUDIES: dict[str, StudyFunction] = {"nav-nees": nees_of_suites}
