"""CPU time of Monte Carlo runs of the navigation filter: ten minutes of readings drawn and filtered a hundred times."""

import time
from collections.abc import Mapping
from dataclasses import replace

from remora.messages.site import Site
from remora.navigation.inertial.inertial_filter import InertialFilter, Launch, make_inertial_filter
from remora.navigation.inertial.recorded_readings import filter_arrays
from remora.navigation.inertial.suite import sensor_suite
from remora.sensors import RecordedSuite
from remora.sensors.stated_errors import stated_errors
from remora.vehicles.vehicle import SensorEntry
from remora_evidence.benchmarks.navigation.filters import refused_reading
from remora_evidence.benchmarks.navigation.inertial_filter import TRANSPONDERS
from remora_evidence.benchmarks.readings import WATER, swaying_motion
from remora_evidence.benchmarks.vehicle import SEED

SETS = 100
GATE = 1.0 - 1e-9  # a reading that is rejected by chance would cost less
ANGLES = {"roll_std": 0.002, "pitch_std": 0.002, "heading_std": 0.01, "heading_bias_wander": 0.01}


def _entry(name: str, kind: str, rate: float, **parameters: object) -> SensorEntry:
    return SensorEntry(name, kind, "", "", (0.1, 0.0, 0.2), None, rate, 0.0, parameters)


# The rates of the hour through a filter.
SUITE = (
    _entry("imu", "imu", 125.0, grade="tactical"),
    _entry("ahrs", "ahrs", 10.0, **ANGLES),
    _entry("depth", "pressure", 20.0, std=100.0),
    _entry("dvl", "dvl", 5.0, std=0.01, max_altitude=40.0),
    _entry("sbl", "sbl", 1.0, std=0.035, stations=TRANSPONDERS),
)


def suite_filter() -> InertialFilter:
    """The navigation filter of the suite."""
    site = Site(WATER.density, WATER.gravity, WATER.surface_depth, WATER.origin, True)
    return make_inertial_filter(sensor_suite(SUITE, {one.name: stated_errors(one) for one in SUITE}, site))


def measure_monte_carlo(sets: int = SETS) -> Mapping[str, float | str]:
    """A hundred sets along one motion, every reading used; in proportion where fewer are drawn."""
    made, drawn = suite_filter(), RecordedSuite(SUITE, swaying_motion(), WATER)
    accepting = made.filter
    for sensor in made.suite.aidings:
        accepting = accepting.changed(sensor.name, gate=GATE)
    made, launch = replace(made, filter=accepting), Launch((0.0, 0.0, 5.0))
    drawn.draw(SEED)  # compiles the sensors
    begin = time.process_time()
    for seed in range(SEED, SEED + sets):
        done = filter_arrays(made, launch, drawn.draw(seed), apart=1.0, in_order=True)
        problem = refused_reading(done)
        if problem:
            return {"monte_carlo_seconds": problem}
    return {"monte_carlo_seconds": (time.process_time() - begin) * SETS / sets}
