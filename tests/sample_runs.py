"""Small runs of the loop for tests: parts that do little, and vehicles with sensors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from remora.logs.schema import Field
from remora.messages.part import PartInput, Role
from remora.navigation import Estimate
from remora.plant.plant import Plant
from remora.run.setup import ScheduledPart, Setup, VehicleSetup
from remora.sensors import make_sensor
from remora.vehicles import load_vehicle
from remora.world import CompositeCurrent, FlatBed, Scene, Uniform, World

MILLISECOND = 1_000_000
SECOND = 1000 * MILLISECOND


@dataclass(frozen=True)
class TruthNavigation:
    """Knows the truth."""

    fields: tuple[Field, ...] = ()

    def initial(self) -> None:
        return None

    def step(self, state: None, now: PartInput) -> tuple[None, Estimate]:
        assert now.truth is not None
        return None, Estimate(now.time_ns, now.truth.p_NB, now.truth.q_NB, now.truth.twist)

    def row(self, output: Any) -> Sequence[float]:
        return ()


@dataclass(frozen=True)
class DepthHold:
    """A wrench that holds a depth, with an integral; waits until it knows where it is."""

    depth: float = 2.0
    gain: float = 60.0
    fields: tuple[Field, ...] = ()

    def initial(self) -> float:
        return 0.0

    def step(self, state: float, now: PartInput) -> tuple[float, tuple[float, ...] | None]:
        if now.estimate is None:
            return state, None
        error = self.depth - now.estimate.p_NB[2]
        state += 0.5 * error
        return state, (5.0, 0.0, self.gain * error - 80.0 * now.estimate.twist[2] + state, 0.0, 0.0, 1.0)

    def row(self, output: Any) -> Sequence[float]:
        return ()


@dataclass(frozen=True)
class Share:
    """Gives each thruster a share of the wrench, without much thought."""

    count: int
    fields: tuple[Field, ...] = ()

    def initial(self) -> int:
        return 0

    def step(self, state: int, now: PartInput) -> tuple[int, list[float]]:
        surge, heave = now.wrench[0] / self.count, now.wrench[2] / self.count
        return state + 1, [surge if i < self.count // 2 else heave for i in range(self.count)]

    def row(self, output: Any) -> Sequence[float]:
        return ()


IMU = {"name": "imu", "kind": "imu", "position": [0.1, 0.0, 0.0], "rate": 100.0, "parameters": {"grade": "tactical"}}
# A rate that fits no step of milliseconds, and a latency.
DVL = {"name": "dvl", "kind": "dvl", "position": [0.0, 0.0, 0.1], "rate": 7.0, "latency": 0.03,
       "parameters": {"std": 0.01, "dropout": 0.1}}  # fmt: skip
PRESSURE = {"name": "depth", "kind": "pressure", "position": [0.0, 0.0, 0.0], "rate": 30.0,
            "parameters": {"std": 50.0}}  # fmt: skip


def sample_vehicle(
    name: str = "rov", seed: int = 3, sensors: Sequence[dict[str, Any]] = (IMU, DVL, PRESSURE), north: float = 0.0
) -> VehicleSetup:
    """A vehicle that holds its depth by what it truly is, with sensors that nobody listens to."""
    vehicle = load_vehicle("bluerov2_heavy")
    plant = Plant(vehicle)
    period = 20 * MILLISECOND
    return VehicleSetup(
        name=name,
        plant=plant,
        nominal=vehicle,
        start=plant.initial_state(position=(north, 0.0, 1.0)),
        sensors=tuple(make_sensor(entry, seed, name) for entry in sensors),
        parts=(
            ScheduledPart(Role.ALLOCATION, "share", Share(plant.packed.actuators), period),
            ScheduledPart(Role.CONTROL, "depth_hold", DepthHold(), 2 * period, start_ns=5 * period),
            ScheduledPart(Role.NAVIGATION, "truth", TruthNavigation(), period, sees_truth=True),
        ),
    )


def sample_setup(vehicles: Sequence[VehicleSetup] | None = None, duration: float = 4.0, seed: int = 3) -> Setup:
    """A run of a few seconds."""
    return Setup(
        vehicles=tuple(vehicles or [sample_vehicle(seed=seed)]),
        duration_ns=round(duration * SECOND),
        step_ns=10 * MILLISECOND,
        seed=seed,
        environment=World(CompositeCurrent((Uniform((0.1, 0.0, 0.0)),)), Scene((), FlatBed(8.0))),
    )
