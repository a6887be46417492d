"""modular-6dof: two BlueROV2 Heavy dock port to port in six degrees of freedom, in a current.

The distributed planner of docking agrees on a meeting pose in the horizontal plane and moves a reference for each
vehicle; position control, levelling and allocation of the full vehicles follow it. Depths meet at their mean. With a
navigation filter the frames of the vehicles drift apart: a camera of the first measures the relative pose, and a Kalman
filter estimates the offset of the frames.
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, final

import numpy as np

from remora.control.docking.distributed import DistributedPlanner
from remora.control.docking.graph import path_graph
from remora.control.docking.link import DockingLink
from remora.control.docking.team import DockingCamera, DockingTeam, DockingVehicle, DockingWeights, Latch
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.control.docking import PlanarModel, planar_rate, planar_step
from remora.evidence.requirements import StudyFunction, Value
from remora.evidence.studies.modular.port_contact import BodyBox, PortedBody, bodies_touch, port_gap
from remora.files.arrays import Array
from remora.guidance.excitation import PoseReference
from remora.logs import read_log
from remora.messages.part import PartInput
from remora.sensors import Measurement, SensorChannel, Status
from remora.simulation.loop.loop import run
from remora.simulation.scenarios.reader import scenario_from_text

LATCH = Latch(0.05, math.radians(5.0), 0.1)
FIRST, DURATION, RATE = 40.0, 120.0, 10  # s of a first try and in all, Hz of planner and references
APART, DEPTH, CURRENT = 5.0, 5.0, 0.2  # m, m, m/s
LARGEST_TURN, LARGEST_DEPTH = math.radians(45.0), 0.5  # off the common heading and depth at the start
SIDE = 0.3875  # m, from the centre to the port: half the spacing of the connector of Nielsen 2018
HULL = BodyBox((0.0, 0.0, 0.0), (0.457, 0.575, 0.254))
ARM = SIDE - 0.5 * HULL.size[1]
BODIES = tuple(
    PortedBody((HULL, BodyBox((0.0, s * (SIDE - 0.5 * ARM), 0.0), (0.06, ARM, 0.06))), (0.0, s * SIDE, 0.0))
    for s in (1.0, -1.0)
)
# Inertia with added mass of the vehicle file; its drag linearised at 0.2 m/s and 0.3 rad/s; a share of its thrust.
PLANAR = DockingVehicle((19.9, 20.6, 0.59), (42.0, 43.0, 0.45), (8.0, 8.0, 0.25))
WEIGHTS = DockingWeights((15.0, 15.0, 15.0), (5.0, 5.0, 5.0), (0.1, 0.1, 5.0))
CAMERA_RANGE, CAMERA_ANGLE = 8.0, math.radians(60.0)  # m, half angle within which the relative pose is measured
CAMERA_STD, CAMERA_SHARE, CAMERA_TURN, DROPOUT = 0.005, 0.01, math.radians(1.0), 0.1  # m, of the range, rad, share
BLOCKED = 3.0  # s without sight, once in each run
DRIFT = 0.005  # m and rad per square root of a second, of the offset between the frames


class DockingTrial(NamedTuple):
    """Set-up of one docking."""

    seed: int
    navigation: str = "truth"
    loss: float = 0.0
    delay: float = 0.0  # s


class DockingOutcome(NamedTuple):
    """End of one docking."""

    latched_at: float | None  # s
    touched_at: float | None  # s, contact outside the latch
    closest: float  # m, between the ports

    @property
    def is_success(self) -> bool:
        """Latched without contact before."""
        return self.latched_at is not None and self.touched_at is None


def docking_team() -> DockingTeam:
    """Two vehicles side by side: starboard port of the first, port side of the second."""
    cameras = {
        (0, 1): DockingCamera(0.5 * math.pi, math.radians(30.0)),
        (1, 0): DockingCamera(-0.5 * math.pi, math.radians(30.0)),
    }
    vehicles = tuple(PLANAR._replace(port=(0.0, s * SIDE, 0.0)) for s in (1.0, -1.0))
    return DockingTeam(path_graph(2), vehicles, WEIGHTS, cameras, horizon=30, step=1.0 / RATE, iterations=10)


@final
class OffsetFilter:
    """Kalman filter of the slowly drifting offset between two navigation frames: north, east, down, heading."""

    def __init__(self) -> None:
        self.offset, self.variance, self.time = np.zeros(4), np.full(4, 0.5**2), 0.0

    def update(self, time: float, measured: Array, std: Array) -> None:
        """Take in a measured offset with its standard deviations."""
        variance = self.variance + DRIFT**2 * (time - self.time)
        gain = variance / (variance + std**2)
        self.offset, self.variance, self.time = (
            self.offset + gain * (measured - self.offset),
            (1.0 - gain) * variance,
            time,
        )


@final
class Rendezvous:
    """Planner, camera and link of one docking, shared by the guidance of both vehicles."""

    def __init__(self, trial: DockingTrial) -> None:
        self.trial, self.team = trial, docking_team()
        self.planner = DistributedPlanner(self.team, DockingLink(trial.loss, trial.delay))
        self.random = np.random.default_rng(trial.seed)
        self.filter = OffsetFilter()
        self.known: dict[int, Array] = {}  # estimates: north, east, down, heading
        self.truths: dict[int, Array] = {}  # the same, true
        self.state: Any = None
        self.references: list[PoseReference | None] = [None, None]
        self.virtual = np.zeros((2, 6))
        self.depth = DEPTH
        self.sent: list[tuple[float, Array]] = []
        self.correction = np.zeros(4)
        self.blocked_from = self.random.uniform(5.0, 25.0)

    def reference(self, index: int, now: PartInput) -> PoseReference | None:
        """The reference of a vehicle; the second one to ask makes the plan of this time."""
        estimate, seen = now.estimate, now.readings.get("beacon")
        if estimate is None or seen is None or not estimate.is_complete:
            return None
        heading = to_euler_zyx(estimate.q_NB)[2]
        self.known[index] = np.array([*estimate.p_NB, heading])
        self.truths[index] = np.array(seen.values)
        if index == 1 and 0 in self.known:
            self._plan(now.time_ns * 1e-9)
        return self.references[index]

    def _plan(self, time: float) -> None:
        if self.trial.navigation != "truth":
            self._look(time)
        second = self.known[1] + self.correction
        if self.state is None:
            self.virtual[:, :3] = np.array([self.known[0], second])[:, [0, 1, 3]]
            self.virtual[1, 2] = self.virtual[0, 2] + _wrapped(self.virtual[1, 2] - self.virtual[0, 2])
            self.depth = 0.5 * (self.known[0][2] + second[2])
            self.state = self.planner.initial(self.virtual, self.random)
        self.state, result = self.planner.sample(self.state, self.virtual)
        for i, (vehicle, force) in enumerate(zip(self.team.vehicles, result.forces, strict=True)):
            model = PlanarModel(vehicle.inertia, vehicle.drag, vehicle.current)
            self.virtual[i] = planar_step(model, tuple(self.virtual[i]), tuple(force), self.team.step)
            rate = planar_rate(model, tuple(self.virtual[i]), tuple(force))
            north, east, heading = self.virtual[i, :3] - (self.correction[[0, 1, 3]] if i else 0.0)
            depth = self.depth - (self.correction[2] if i else 0.0)
            self.references[i] = PoseReference((north, east, depth), heading, (rate[0], rate[1], 0.0), rate[2])

    def _look(self, time: float) -> None:
        """Camera of the first vehicle: relative pose with noise, unless out of view, blocked or dropped."""
        first, second = self.truths[0], self.truths[1]
        offset, true_heading = second[:3] - first[:3], first[3]
        distance = float(np.linalg.norm(offset))
        bearing = _wrapped(math.atan2(offset[1], offset[0]) - true_heading - 0.5 * math.pi)
        draws = self.random.standard_normal(4), self.random.random(2)
        blocked = 0.0 <= time - self.blocked_from < BLOCKED or draws[1][0] < DROPOUT
        if distance < CAMERA_RANGE and abs(bearing) < CAMERA_ANGLE and not blocked:
            std = np.array([*[CAMERA_STD + CAMERA_SHARE * distance] * 3, CAMERA_TURN])
            wrong = self.known[0][3] - true_heading  # the camera turns with the vehicle, whose heading is estimated
            c, s = math.cos(wrong), math.sin(wrong)
            seen = np.array([c * offset[0] - s * offset[1], s * offset[0] + c * offset[1], offset[2], 0.0])
            seen[3] = _wrapped(second[3] - first[3])
            between = self.known[1] - self.known[0]
            measured = seen + std * draws[0] - between
            measured[3] = _wrapped(measured[3])
            self.filter.update(time, measured, std)
        if draws[1][1] >= self.trial.loss:
            self.sent.append((time + self.trial.delay, self.filter.offset))
        while self.sent and self.sent[0][0] <= time + 1e-9:
            self.correction = self.sent.pop(0)[1]


MEETINGS: dict[int, Rendezvous] = {}  # by number, for the parts of a run in this process


@final
class DockingGuidance:
    """Guidance part: references from a rendezvous."""

    needs = ("position", "depth", "attitude")

    def __init__(self, vehicle: Any, period: float, meeting: int, index: int) -> None:
        self.meeting, self.index = int(meeting), int(index)

    def initial(self) -> tuple[()]:
        """No state; the rendezvous has it."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], PoseReference | None]:
        """The reference at this time."""
        return state, MEETINGS[self.meeting].reference(self.index, now)


@final
class Beacon(Measurement):
    """True position and heading, from which the camera of the other vehicle is simulated."""

    channels = tuple(SensorChannel(name, unit) for name, unit in (("n", "m"), ("e", "m"), ("d", "m"), ("h", "rad")))

    def read(self, truth: Any, environment: Any) -> tuple[Status, tuple[float, ...]]:
        """Without errors."""
        return Status.OK, (*truth.p_NB, to_euler_zyx(truth.q_NB)[2])


def scenario_of(trial: DockingTrial, meeting: int, duration: float) -> dict[str, Any]:
    """Scenario of a trial: random headings, depths, line of approach and direction of the current."""
    random = np.random.default_rng(1000 + trial.seed)
    common, flow = random.uniform(-math.pi, math.pi, 2)
    turns = random.uniform(-LARGEST_TURN, LARGEST_TURN, 2)
    depths = DEPTH + random.uniform(-LARGEST_DEPTH, LARGEST_DEPTH, 2)
    side = common + 0.5 * math.pi
    places = ((0.0, 0.0), (APART * math.cos(side), APART * math.sin(side)))
    beacon = {"name": "beacon", "kind": f"{__name__}:Beacon", "position": [0, 0, 0], "rate": f"{RATE} Hz"}
    sensors: list[Any] = [beacon] if trial.navigation == "truth" else ["imu", "ahrs", "gyro", "depth", "dvl", beacon]
    navigation: Any = "truth" if trial.navigation == "truth" else {"part": trial.navigation, "rate": "50 Hz"}
    return {
        "name": "port_docking",
        "duration": f"{duration} s",
        "seed": trial.seed,
        "log": {"rate": "20 Hz"},
        "water": {
            "current": [f"{CURRENT * math.cos(flow)} m/s", f"{CURRENT * math.sin(flow)} m/s", 0],
            "bottom_depth": "15 m",
        },
        "vehicles": [
            {
                "name": f"rov{i}",
                "file": "bluerov2_heavy",
                "position": [f"{places[i][0]} m", f"{places[i][1]} m", f"{depths[i]} m"],
                "angles": [0, 0, f"{common + turns[i]} rad"],
                "sensors": sensors,
                "navigation": navigation,
                "guidance": {
                    "part": f"{__name__}:DockingGuidance", "rate": f"{RATE} Hz", "meeting": meeting, "index": i,
                },
                "control": {"part": "position", "rate": "50 Hz", "velocity_gains": [4, 4, 4, 4]},
                "allocation": {"part": "bounded", "rate": "50 Hz"},
            }
            for i in (0, 1)
        ],
    }  # fmt: skip


@cache
def dock(trial: DockingTrial) -> DockingOutcome:
    """Run a trial until it is decided, or to its end."""
    for duration in (FIRST, DURATION):
        outcome = docked_within(trial, duration)
        if outcome.latched_at is not None or outcome.touched_at is not None:
            break
    return outcome


def docked_within(trial: DockingTrial, duration: float) -> DockingOutcome:
    """Run a trial for some seconds and judge its true motion: the first latch, and contact before it."""
    meeting = len(MEETINGS)
    MEETINGS[meeting] = Rendezvous(trial)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "run.mcap"
        text = json.dumps(scenario_of(trial, meeting, duration))
        outcome = run(scenario_from_text(text, "port_docking", Path(folder)), file)
        if outcome.stopped:
            raise RuntimeError(f"{trial} stopped at {outcome.time_ns * 1e-9:g} s: {outcome.stopped}")
        log = read_log(file)
    truths = [log.series[f"rov{i}/truth"] for i in (0, 1)]
    return judged(truths[0].time, truths[0].table(), truths[1].table())


def judged(times: Array, first: Array, second: Array) -> DockingOutcome:
    """Outcome of recorded states, 13 numbers each.

    Parameters
    ----------
    times
        s.
    first, second
        States of the vehicles at these times.
    """
    closest, bodies = math.inf, (BODIES[0], BODIES[1])
    for time, a, b in zip(times, first, second, strict=True):
        gap = port_gap(bodies, (a, b))
        closest = min(closest, gap.distance)
        if gap.within(LATCH):
            return DockingOutcome(float(time), None, closest)
        if bodies_touch(bodies, (a, b)):
            return DockingOutcome(None, float(time), closest)
    return DockingOutcome(None, None, closest)


VARIANTS = {
    "true states": ("truth", 0.0, 0.0),
    "navigation filter": ("filter", 0.0, 0.0),
    "navigation filter, 10 % loss and 0.2 s delay": ("filter", 0.1, 0.2),
}


def port_docking(seeds: Sequence[int]) -> list[Value]:
    """Share of docked pairs and the slowest of them."""
    found = []
    for name, variant in VARIANTS.items():
        outcomes = [dock(DockingTrial(seed, *variant)) for seed in seeds]
        times = [outcome.latched_at for outcome in outcomes if outcome.latched_at is not None]
        found.append((f"{name}: docked", 100.0 * sum(outcome.is_success for outcome in outcomes) / len(outcomes)))
        found.append((f"{name}: contact outside the latch", float(sum(o.touched_at is not None for o in outcomes))))
        found.append((f"{name}: slowest docking", max(times, default=math.inf)))
    return found


STUDIES: dict[str, StudyFunction] = {"modular-6dof": port_docking}


def _wrapped(angle: float) -> float:
    """An angle in [-pi, pi)."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
