"""Setup of a run: vehicles with sensors and parts, environment, step and duration. Scenario files are read into it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.logs.problems import seconds
from remora.messages.part import Part, Role
from remora.plant.methods import RK4, IntegrationMethod
from remora.plant.multibody import LatchTolerance, Link
from remora.plant.multibody.link_reports import mismatch_of
from remora.plant.plant import Plant
from remora.run.faults.fault import Fault
from remora.run.monitoring.limits import WATCH_ALL, Watch
from remora.run.plant.battery import BatteryModel
from remora.run.plant.drive import Drive
from remora.run.plant.tethered_motion import TetherSetup
from remora.sensors.sensor import Sensor
from remora.vehicles.morphologies.morphology import PortPose, are_near
from remora.vehicles.vehicle import SensorEntry, Vehicle
from remora.world.world import World

STARTING_GAP, STARTING_TILT = 0.01, math.radians(1.0)  # of a link that is attached at the start: m, rad

# Wrench about B in body axes (N, N m) from time in ns and vehicle state; constant over a step.
Disturbance: TypeAlias = Callable[[int, Any], Wrench]


class SetupError(ValueError):
    """An inconsistent setup."""


@final
@dataclass(frozen=True)
class ScheduledPart:
    """A part with its role and schedule."""

    role: Role
    name: str  # unique within its vehicle; used in the log
    part: Part
    period_ns: int
    start_ns: int = 0
    stop_ns: int | None = None
    sees_truth: bool = False


@final
@dataclass(frozen=True)
class LoadWarning:
    """A deviation from the scenario that is known before the run."""

    watch: str  # name of the watch that reports it
    field: str  # field of the scenario file
    text: str


@final
@dataclass(frozen=True)
class VehicleSetup:
    """One vehicle of a run. The plant may differ from the nominal vehicle of its parts."""

    name: str
    plant: Plant  # the simulated vehicle
    nominal: Vehicle  # the vehicle known to navigation and control
    start: ArrayLike  # initial state of the plant
    sensors: tuple[Sensor, ...] = ()
    parts: tuple[ScheduledPart, ...] = ()
    drive: Drive | None = None  # None: commands are the actuator inputs
    battery: BatteryModel | None = None  # None: the vehicle has no battery
    disturbances: tuple[Disturbance, ...] = ()
    faults: tuple[Fault, ...] = ()
    tethers: tuple[TetherSetup, ...] = ()
    watch: Watch = WATCH_ALL
    load_warnings: tuple[LoadWarning, ...] = ()
    file: str = ""  # name of its file in the texts of the setup
    sensor_entries: tuple[SensorEntry, ...] = ()  # descriptions of the sensors, for the log


@final
@dataclass(frozen=True)
class LinkPeriod:
    """A time in which a link is attached."""

    attach_ns: int | None = None  # attaches at this time, or from then on once inside the tolerance; None: at the start
    waits: bool = False  # whether it waits for the tolerance
    tolerance: LatchTolerance | None = None
    detach_ns: int | None = None  # None: at the end of the run
    fails: bool = False  # whether its end is a failure


@final
@dataclass(frozen=True)
class LinkSetup:
    """A link between two vehicles of a run, and the times in which it is attached, one after the other."""

    link: Link
    periods: tuple[LinkPeriod, ...] = (LinkPeriod(),)

    @property
    def is_attached(self) -> bool:
        """Whether it is attached at the start of the run."""
        return self.periods[0].attach_ns is None

    @property
    def name(self) -> str:
        """Name of the link, scoped by the robot."""
        return self.link.name


@final
@dataclass(frozen=True)
class AssemblySetup:
    """Vehicles of a run that are controlled as one while all links between them are attached."""

    vehicle: VehicleSetup  # composite model with guidance, control and allocation of the whole
    modules: tuple[str, ...]  # names of its vehicles in the order of its actuators; the first has its origin
    links: tuple[str, ...]
    poses: tuple[PortPose, ...] = ()  # of the modules in the frame of the first, for which `vehicle` holds
    other: Callable[[tuple[PortPose, ...]], VehicleSetup] | None = None  # the same for other poses

    def joined_at(self, poses: tuple[PortPose, ...]) -> VehicleSetup:
        """Composite model and parts for the poses at which the modules are joined."""
        if self.other is None or not self.poses or are_near(poses, self.poses):
            return self.vehicle
        return self.other(poses)


@final
@dataclass(frozen=True)
class Setup:
    """A run: vehicles, environment and time."""

    vehicles: tuple[VehicleSetup, ...]
    duration_ns: int
    step_ns: int = 10_000_000
    seed: int = 0
    environment: World = field(default_factory=World)
    method: IntegrationMethod = RK4
    compiled: bool = True  # parts at the rate of the plant run as compiled code, where they have it
    log_period_ns: int | None = None  # of truth, outputs and commands; None: about 10 ms
    name: str = "run"
    scenario_hash: str = ""
    vehicle_hashes: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)  # for the header of the log
    texts: Mapping[str, str] = field(
        default_factory=dict, repr=False
    )  # file name -> text of scenario and vehicle files
    load_notes: tuple[str, ...] = ()  # remarks from reading the scenario, with file and line
    links: tuple[LinkSetup, ...] = ()  # between vehicles of the run
    assemblies: tuple[AssemblySetup, ...] = ()  # of linked vehicles

    def __post_init__(self) -> None:
        _check(self)


def _check(setup: Setup) -> None:
    """Raise SetupError for inconsistent times and duplicate names."""
    if setup.step_ns < 1 or setup.duration_ns < setup.step_ns:
        raise SetupError(
            f"step {seconds(setup.step_ns)} and duration {seconds(setup.duration_ns)}: give a positive step, and a "
            "duration of at least one step"
        )
    _refuse_duplicates("vehicles", [vehicle.name for vehicle in setup.vehicles])
    if setup.log_period_ns is not None:
        _check_multiple("the log", setup.log_period_ns, setup.step_ns)
    for vehicle in (*setup.vehicles, *(one.vehicle for one in setup.assemblies)):
        _check_vehicle(vehicle, setup.step_ns)
    try:
        bodies = {vehicle.name: vehicle.plant.vehicle.parameters for vehicle in setup.vehicles}
        setup.environment.contacts(bodies, 1e-9 * setup.step_ns)
    except ValueError as error:
        raise SetupError(str(error)) from error
    for one in setup.links:
        _check_attached(one, {vehicle.name: np.asarray(vehicle.start, dtype=float) for vehicle in setup.vehicles})


def _check_attached(one: LinkSetup, starts: Mapping[str, Array]) -> None:
    """Raise SetupError for a link that is attached at the start although its ports do not meet."""
    if not one.is_attached:
        return
    found = mismatch_of(one.link, starts[one.link.first], starts[one.link.second])
    if found.distance > STARTING_GAP or found.angle > STARTING_TILT:
        raise SetupError(
            f'link "{one.name}" is attached at the start, but its ports miss each other by {found.distance:.3g} m and '
            f"{math.degrees(found.angle):.3g} deg: place the modules so that they meet, or give the link attach or "
            "latch_from"
        )


def _check_vehicle(vehicle: VehicleSetup, step_ns: int) -> None:
    parts = [*(part.name for part in vehicle.parts), *(s.description.name for s in vehicle.sensors)]
    parts += [tether.name for tether in vehicle.tethers]
    _refuse_duplicates(f'parts of "{vehicle.name}"', parts)
    for part in vehicle.parts:
        _check_multiple(f'"{part.name}" of "{vehicle.name}"', part.period_ns, step_ns)
        if part.start_ns % step_ns:
            raise SetupError(f'"{part.name}" of "{vehicle.name}" starts at {seconds(part.start_ns)}: no multiple of '
                             f"the step of {seconds(step_ns)}")  # fmt: skip
    roles = [part.role for part in vehicle.parts]
    for role in (Role.NAVIGATION, Role.GUIDANCE, Role.ALLOCATION):
        if roles.count(role) > 1:
            raise SetupError(f'"{vehicle.name}" has {roles.count(role)} parts for {role.name.lower()}: give one')
    if roles.count(Role.CONTROL) > 1 and Role.ALLOCATION not in roles:
        raise SetupError(f'"{vehicle.name}" has several controllers, whose wrenches add up, but no allocation')


def _check_multiple(what: str, period_ns: int, step_ns: int) -> None:
    if period_ns < 1 or period_ns % step_ns:
        near = max(1, round(period_ns / step_ns)) * step_ns
        raise SetupError(
            f"{what} has a period of {seconds(period_ns)}, which is no multiple of the step of {seconds(step_ns)}. "
            f"Give {seconds(near)}, or a step that divides it, such as {seconds(math.gcd(period_ns, step_ns))}."
        )


def _refuse_duplicates(what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SetupError(f'two {what} are called "{twice[0]}": give each its own name')
