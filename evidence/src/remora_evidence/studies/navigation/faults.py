"""nav-faults: failed thrusters and frozen sensors of a manoeuvring BlueROV2 Heavy, found by its navigation filter.

The simulated vehicle differs from the model of the filter by up to 20 % in every coefficient. The seed draws it, all
sensor errors, the thruster and the time of the fault.

On straight legs thrusters idle for seconds at a corner, and even the most powerful test misses a loss there. The swings
keep every thruster working; their sizes were set by the power of that test and the tilts of one healthy flight. Legs
are flown beside them with sixty seeds or more.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast, final

import numpy as np

from remora.logs.readers.registry import read_log
from remora.messages.part import Role
from remora.navigation.faults.thrust_regression import MotionSample
from remora.navigation.faults.thruster_monitor import PERIOD, WINDOW, MonitorState, ThrusterMonitor, best_detection
from remora.navigation.parts.filter import NavigationFilter
from remora.plant.plant import Plant
from remora.run.loop.loop import run
from remora.run.setup import Setup
from remora.scenarios.scenario import load_scenario
from remora_evidence.requirements import StudyFunction

THRUSTERS = (
    "front_starboard", "front_port", "rear_starboard", "rear_port", "vertical_front_starboard", "vertical_front_port",
    "vertical_rear_starboard", "vertical_rear_port",
)  # fmt: skip
FAULTS = {"dead": 0.0, "half-strength": 0.5}  # share of the thrust that is left
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
DRAWN = 400  # added to the seeds: those below have judged earlier versions of the detector
BESIDE = 20  # seeds from which on the best test is reported
# Diagonal legs with changes of depth and heading.
CORNERS = ((9.0, 9.0, 6.0, 120.0), (1.0, 9.0, 3.0, -120.0), (9.0, 1.0, 6.0, 90.0), (1.0, 1.0, 3.0, -30.0))
POINTS = [{"position": [f"{n} m", f"{e} m", f"{d} m"], "heading": f"{heading} deg"} for n, e, d, heading in CORNERS]
# Sinusoids about a pose along four axes, of periods without a common multiple in a run.
SWINGS = {
    "surge": {"amplitude": "0.8 m", "period": "11 s", "ramp": "5 s"},
    "sway": {"amplitude": "0.6 m", "period": "9 s", "ramp": "5 s"},
    "heave": {"amplitude": "0.3 m", "period": "7 s", "ramp": "5 s"},
    "yaw": {"amplitude": "30 deg", "period": "8 s", "ramp": "5 s"},
}
MANOEUVRES: dict[str, dict[str, Any]] = {
    "swings": {"part": "excitation", "rate": "10 Hz", **SWINGS},
    "legs": {"part": "waypoints", "rate": "10 Hz", "speed": "0.8 m/s", "points": POINTS * 14},
}
# A square with turns of 90 degrees at its corners, in a current of any direction: drag turns with the vehicle.
SQUARE, SQUARE_TIME = "square", 150.0  # s
CURRENTS = (0.2, 0.6)  # m/s


class NavigationEvent(NamedTuple):
    """Warning of the navigation filter."""

    time: float  # s
    text: str
    data: dict[str, Any]


def mission(
    manoeuvre: str, seed: int, seconds: float, fault: dict[str, Any] | None = None, rate: float = 50.0
) -> Setup:
    """A run of a manoeuvre, or of the square in a current; navigation, control and allocation run at a rate in Hz."""
    often = f"{rate:g} Hz"
    changes: dict[str, Any] = {
        "seed": seed,
        "duration": f"{seconds:.2f} s",
        "vehicles[0].sensors": ["imu", "ahrs", "dvl", "depth", "usbl"],
        "vehicles[0].navigation": {"part": "filter", "rate": often, "thruster_faults": True},
        "vehicles[0].control[0].rate": often,
        "vehicles[0].control[1].rate": often,
        "vehicles[0].allocation.rate": often,
        "vehicles[0].scatter": SCATTER,
    }
    if manoeuvre in MANOEUVRES:
        changes["vehicles[0].guidance"] = MANOEUVRES[manoeuvre]
    if manoeuvre == SQUARE:
        changes["water.current"] = drawn_current(seed)
    if fault is not None:
        changes["vehicles[0].faults"] = [fault]
    return load_scenario("bluerov_square").with_(changes).setup


def drawn_current(seed: int) -> list[str]:
    """A current of random speed and direction."""
    random = np.random.default_rng((seed, 1))
    speed, course = random.uniform(*CURRENTS), random.uniform(0.0, 2.0 * np.pi)
    return [f"{speed * np.cos(course):.3f} m/s", f"{speed * np.sin(course):.3f} m/s", "0 m/s"]


def flown_events(setup: Setup) -> list[NavigationEvent]:
    """Warnings of navigation on a run."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.mcap"
        run(setup, file)
        events = read_log(file).events
    return [
        NavigationEvent(1e-9 * e.time_ns, e.text, dict(e.data))
        for e in events
        if e.source == "rov/navigation" and e.level == "warning"
    ]


@final
@dataclass(frozen=True)
class StateKeeper:
    """A thruster monitor that keeps its states."""

    inner: ThrusterMonitor
    states: list[MonitorState] = field(default_factory=list)

    @property
    def plant(self) -> Plant:
        """That of the inner monitor."""
        return self.inner.plant

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the inner monitor."""
        return self.inner.names

    def initial(self, lost: Mapping[str, float] | None = None) -> MonitorState:
        """That of the inner monitor."""
        return self.inner.initial(lost)

    def step(self, state: MonitorState, sample: MotionSample) -> MonitorState:
        """Step of the inner monitor."""
        self.states.append(self.inner.step(state, sample))
        return self.states[-1]


@cache
def best_possible(manoeuvre: str, seed: int) -> list[tuple[str, float]]:
    """Percentage of the losses, over all thrusters and times, that the most powerful test finds on a healthy run."""
    setup = mission(manoeuvre, seed, LAST + THRUSTER_LIMIT + 1.0)
    vehicle, keepers, parts = setup.vehicles[0], list[StateKeeper](), list[Any]()
    for one in vehicle.parts:
        part = one.part
        if one.role == Role.NAVIGATION and isinstance(part, NavigationFilter) and part.watch is not None:
            keepers.append(StateKeeper(part.watch.monitor))
            part = replace(part, watch=replace(part.watch, monitor=cast(Any, keepers[-1])))
        parts.append(replace(one, part=part))
    run(replace(setup, vehicles=(replace(vehicle, parts=tuple(parts)),)), None)
    ends = range(round((FIRST + THRUSTER_LIMIT) / PERIOD), round((LAST + THRUSTER_LIMIT) / PERIOD), WINDOW // 3)
    return [
        (
            f"{manoeuvre}: {name} thruster, found by the best test",
            100.0 * float(np.mean([best_detection(keepers[0].states[k], 1.0 - share) for k in ends])),
        )
        for name, share in FAULTS.items()
    ]


@cache
def thruster_delay(manoeuvre: str, seed: int, share: float) -> float:
    """Time from the loss of thrust until that thruster is named; infinite where another one is, or none within 3 s."""
    random = np.random.default_rng((seed, round(100.0 * share)))
    thruster, at = THRUSTERS[random.integers(len(THRUSTERS))], round(float(random.uniform(FIRST, LAST)), 2)
    fault = {"fault": "partial", "of": thruster, "at": f"{at} s", "share": share}
    if share == 0.0:
        fault = {"fault": "dead", "of": thruster, "at": f"{at} s"}
    events = flown_events(mission(manoeuvre, seed, at + THRUSTER_LIMIT + 0.1, fault))
    named = [e for e in events if "thruster" in e.data]
    is_right = bool(named) and named[0].data["thruster"] == thruster and named[0].time >= at
    return named[0].time - at if is_right else np.inf


@cache
def sensor_delay(seed: int, sensor: str) -> float:
    """Time from the freezing of a sensor until it is reported; infinite where it is not."""
    at = 10.0
    fault = {"fault": "frozen", "of": sensor, "at": f"{at} s"}
    events = flown_events(mission("legs", seed, at + SENSOR_LIMIT + 0.5, fault))
    found = [e.time - at for e in events if e.data.get("sensor") == sensor and e.time >= at]
    return min(found, default=np.inf)


@cache
def false_alarms(seed: int, seconds: float) -> tuple[int, int]:
    """Number of thrusters and of sensors that are reported without a fault; legs and swings take turns."""
    return alarms(mission(("legs", "swings")[seed % 2], seed, seconds, rate=HEALTHY_RATE))


def alarms(setup: Setup) -> tuple[int, int]:
    """Number of thrusters and of sensors that are reported on a run."""
    events = flown_events(setup)
    return sum("thruster" in e.data for e in events), len({e.data["sensor"] for e in events if "sensor" in e.data})


@cache
def square_alarms(seed: int) -> int:
    """Number of thrusters that are reported on a square in a current."""
    return alarms(mission(SQUARE, seed, SQUARE_TIME, rate=HEALTHY_RATE))[0]


def named_thrusters(manoeuvre: str, name: str, seeds: Sequence[int]) -> Iterator[tuple[str, float]]:
    """Failed thrusters that are named in time in percent of the seeds, and the median delay."""
    delays = np.array([thruster_delay(manoeuvre, seed, FAULTS[name]) for seed in seeds])
    yield f"{manoeuvre}: {name} thruster named within 3 s", 100.0 * float(np.mean(delays <= THRUSTER_LIMIT))
    yield f"{manoeuvre}: {name} thruster, median delay", float(np.median(delays))


def fault_detection(seeds: Sequence[int]) -> Iterator[tuple[str, float]]:
    """Faults found in time in percent of the seeds, delays, and false alarms of healthy runs."""
    seeds = [DRAWN + seed for seed in seeds]
    for manoeuvre in MANOEUVRES:
        for name in FAULTS if manoeuvre == "swings" or len(seeds) >= MANY else ():
            yield from named_thrusters(manoeuvre, name, seeds)
        if len(seeds) >= BESIDE:
            yield from best_possible(manoeuvre, DRAWN + 1)
    frozen = [sensor_delay(seed, SENSORS[seed % len(SENSORS)]) for seed in seeds]
    yield "frozen sensor reported within 2 s", 100.0 * float(np.mean(np.array(frozen) <= SENSOR_LIMIT))
    seconds = LONG if len(seeds) >= MANY else SHORT
    thrusters, sensors = np.sum([false_alarms(seed, seconds) for seed in seeds], axis=0)
    yield "false alarms of thrusters", float(thrusters)
    yield "false alarms of sensors", float(sensors)
    yield "hours without a fault", len(seeds) * seconds / 3600.0
    squares = sum(square_alarms(seed) for seed in seeds)
    yield "false alarms of thrusters in currents of 0.2 to 0.6 m/s", float(squares)


STUDIES: dict[str, StudyFunction] = {"nav-faults": fault_detection}
