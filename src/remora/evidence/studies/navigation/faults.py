"""nav-faults: failed thrusters and frozen sensors of a manoeuvring BlueROV2 Heavy, found by its navigation filter.

The simulated vehicle differs from the model of the filter by up to 20 % in every coefficient. The seed draws it, all
sensor errors, the thruster and the time of the fault.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from remora.evidence.requirements import StudyFunction
from remora.logs.readers.registry import read_log
from remora.simulation.loop.loop import run
from remora.simulation.scenarios.scenario import load_scenario

THRUSTERS = (
    "front_starboard", "front_port", "rear_starboard", "rear_port", "vertical_front_starboard", "vertical_front_port",
    "vertical_rear_starboard", "vertical_rear_port",
)  # fmt: skip
SENSORS = ("imu", "ahrs", "dvl", "depth")
FIRST, LAST = 15.0, 40.0  # s, range of the times of faults: the monitor learns before, the mission lasts longer
THRUSTER_LIMIT, SENSOR_LIMIT = 3.0, 2.0  # s
# Runs without a fault, s: ten hours with sixty seeds or more, a minute of each with fewer.
MANY, LONG, SHORT = 60, 600.0, 60.0
HEALTHY_RATE = 20.0  # Hz, of navigation and control of these runs; residuals are formed at 10 Hz in all
SCATTER = {
    "distribution": "uniform", "mass": "5 %", "added_mass": "20 %", "linear_damping": "20 %",
    "quadratic_damping": "20 %",
}  # fmt: skip
DRAWN = 200  # added to the seeds: those below have judged earlier versions of the detector
# Diagonal legs with changes of depth and heading, so that every thruster works all the time.
CORNERS = ((9.0, 9.0, 6.0, 120.0), (1.0, 9.0, 3.0, -120.0), (9.0, 1.0, 6.0, 90.0), (1.0, 1.0, 3.0, -30.0))


class NavigationEvent(NamedTuple):
    """Warning of the navigation filter."""

    time: float  # s
    text: str
    data: dict[str, Any]


def flown_events(seed: int, seconds: float, fault: dict[str, Any] | None, rate: float = 50.0) -> list[NavigationEvent]:
    """Warnings of navigation on a mission.

    Parameters
    ----------
    seed
        Of the vehicle and its sensors.
    seconds
        Length of the run.
    fault
        As in a scenario; None without one.
    rate
        Of navigation, control and allocation, Hz.
    """
    often = f"{rate:g} Hz"
    points = [{"position": [f"{n} m", f"{e} m", f"{d} m"], "heading": f"{heading} deg"} for n, e, d, heading in CORNERS]
    changes: dict[str, Any] = {
        "seed": seed,
        "duration": f"{seconds:.2f} s",
        "vehicles[0].sensors": ["imu", "ahrs", "dvl", "depth", "usbl"],
        "vehicles[0].navigation": {"part": "filter", "rate": often, "thruster_faults": True},
        "vehicles[0].control[0].rate": often,
        "vehicles[0].control[1].rate": often,
        "vehicles[0].allocation.rate": often,
        "vehicles[0].guidance": {"part": "waypoints", "rate": "10 Hz", "speed": "0.8 m/s", "points": points * 14},
        "vehicles[0].scatter": SCATTER,
    }
    if fault is not None:
        changes["vehicles[0].faults"] = [fault]
    setup = load_scenario("bluerov_square").with_(changes).setup
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.mcap"
        run(setup, file)
        events = read_log(file).events
    return [
        NavigationEvent(1e-9 * e.time_ns, e.text, dict(e.data))
        for e in events
        if e.source == "rov/navigation" and e.level == "warning"
    ]


def thruster_delay(seed: int, share: float) -> float:
    """Time from the loss of thrust until that thruster is named; infinite where another one is, or none within 3 s.

    Parameters
    ----------
    seed
        Of everything.
    share
        Share of the thrust that is left.
    """
    random = np.random.default_rng((seed, round(100.0 * share)))
    thruster, at = THRUSTERS[random.integers(len(THRUSTERS))], round(float(random.uniform(FIRST, LAST)), 2)
    fault = {"fault": "partial", "of": thruster, "at": f"{at} s", "share": share}
    if share == 0.0:
        fault = {"fault": "dead", "of": thruster, "at": f"{at} s"}
    named = [e for e in flown_events(seed, at + THRUSTER_LIMIT + 0.1, fault) if "thruster" in e.data]
    is_right = bool(named) and named[0].data["thruster"] == thruster and named[0].time >= at
    return named[0].time - at if is_right else np.inf


def sensor_delay(seed: int, sensor: str) -> float:
    """Time from the freezing of a sensor until it is reported; infinite where it is not.

    Parameters
    ----------
    seed
        Of everything.
    sensor
        Its name.
    """
    at = 10.0
    events = flown_events(seed, at + SENSOR_LIMIT + 0.5, {"fault": "frozen", "of": sensor, "at": f"{at} s"})
    found = [e.time - at for e in events if e.data.get("sensor") == sensor and e.time >= at]
    return min(found, default=np.inf)


def false_alarms(seed: int, seconds: float) -> tuple[int, int]:
    """Number of thrusters and of sensors that are reported on a mission without a fault.

    Parameters
    ----------
    seed
        Of everything.
    seconds
        Length of the mission.
    """
    events = flown_events(seed, seconds, None, HEALTHY_RATE)
    return sum("thruster" in e.data for e in events), len({e.data["sensor"] for e in events if "sensor" in e.data})


def fault_detection(seeds: Sequence[int]) -> Iterator[tuple[str, float]]:
    """Faults found in time in percent of the seeds, delays, and false alarms of healthy runs."""
    seeds = [DRAWN + seed for seed in seeds]
    for name, share in (("dead", 0.0), ("half-strength", 0.5)):
        delays = np.array([thruster_delay(seed, share) for seed in seeds])
        yield f"{name} thruster named within 3 s", 100.0 * float(np.mean(delays <= THRUSTER_LIMIT))
        yield f"{name} thruster, median delay", float(np.median(delays))
    frozen = [sensor_delay(seed, SENSORS[seed % len(SENSORS)]) for seed in seeds]
    yield "frozen sensor reported within 2 s", 100.0 * float(np.mean(np.array(frozen) <= SENSOR_LIMIT))
    seconds = LONG if len(seeds) >= MANY else SHORT
    thrusters, sensors = np.sum([false_alarms(seed, seconds) for seed in seeds], axis=0)
    yield "false alarms of thrusters", float(thrusters)
    yield "false alarms of sensors", float(sensors)
    yield "hours without a fault", len(seeds) * seconds / 3600.0


STUDIES: dict[str, StudyFunction] = {"nav-faults": fault_detection}
