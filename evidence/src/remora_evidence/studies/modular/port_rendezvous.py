"""Rendezvous of two vehicles in six degrees of freedom: planner, relative navigation and shared guidance parts.

The distributed planner of docking agrees on a meeting pose in the horizontal plane and moves a reference for each
vehicle. Depths meet at their mean. A camera of the first vehicle measures the relative pose, and a Kalman filter
estimates the offset between the navigation frames of both.
"""

import math
from typing import Any, NamedTuple, final

import numpy as np

from remora.control.docking.distributed import DistributedPlanner
from remora.control.docking.link import DockingLink
from remora.control.docking.team import DockingCamera, DockingTeam, DockingVehicle, DockingWeights, path_graph
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.control.docking import PlanarModel, planar_rate, planar_step
from remora.files.arrays import Array
from remora.guidance.signals import PoseReference
from remora.messages.part import PartInput
from remora.sensors import Measurement, SensorChannel, Status

RATE = 10  # Hz, of planner and references
SIDE = 0.3875  # m, from the centre to the port: half the spacing of the connector of Nielsen 2018
# Inertia with added mass of the vehicle file; its drag linearised at 0.2 m/s and 0.3 rad/s; a share of its thrust.
PLANAR = DockingVehicle((19.9, 20.6, 0.59), (42.0, 43.0, 0.45), (8.0, 8.0, 0.25), radius=0.367)  # corner of the hull
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
        self.depth = math.nan  # m, common; known with the first plan
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


def _wrapped(angle: float) -> float:
    """An angle in [-pi, pi)."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
