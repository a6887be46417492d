"""Control of joined vehicles as one: the parts of an assembly act while all its links are attached.

Guidance, control and allocation of the modules pause meanwhile, so that integral action exists once; their navigation
and their actuators go on. The estimate is that of the first module, whose origin is that of the assembly. The model is
that of the poses at which the modules are joined. Where navigation of the first module detects failed thrusters, it
watches those of all modules by that model; the other modules do not watch theirs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.vectors import ZERO6
from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.files.problems import listed
from remora.logs.schema import Field
from remora.messages.estimate import Estimate
from remora.messages.operator_command import Authority, CommandError, OperatorCommand
from remora.messages.part import PartInput, Role
from remora.messages.reading import Reading
from remora.run.loop.part_pauses import lost_thrust, pause, resume, watch_own, watch_whole
from remora.run.loop.part_schedule import PartsSnapshot, RunningParts
from remora.run.loop.running_part import ActuatorChain, ReadingSource
from remora.run.loop.vehicle_run import VehicleRun
from remora.run.monitoring.monitor import VehicleMonitor
from remora.run.plant.linked_motion import LinkedMotion
from remora.run.recorder import Recorder
from remora.run.setup import AssemblySetup, ScheduledPart, Setup
from remora.vehicles.morphologies.morphology import PortPose, relative_poses


class AssemblySnapshot(NamedTuple):
    """State of an assembly between two steps, for a checkpoint."""

    is_active: bool
    poses: tuple[tuple[float, ...], ...]  # of the modules: position and quaternion; empty while they are apart
    lost: dict[str, float]  # thrust, known when the modules were joined
    parts: PartsSnapshot
    missing: Wrench
    watch: Any


@final
@dataclass(frozen=True)
class ModuleEstimate:
    """Navigation of an assembly: the estimate of its first module."""

    source: Callable[[], Estimate | None]

    @property
    def fields(self) -> tuple[Field, ...]:
        """None: the module logs it."""
        return ()

    def initial(self) -> tuple[()]:
        """No state."""
        return ()

    def step(self, state: tuple[()], now: PartInput) -> tuple[tuple[()], Estimate | None]:
        """The latest estimate."""
        return state, self.source()

    def row(self, output: Estimate) -> Sequence[float]:
        """Nothing."""
        return ()


@final
class ModuleReadings:
    """The latest readings of the first module; its own parts take the new ones."""

    def __init__(self, sensors: ReadingSource) -> None:
        self._sensors, self.in_transit = sensors, list[Reading]()

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The latest of each sensor."""
        return self._sensors.readings

    def arrived(self, time_ns: int) -> list[Reading]:
        """None."""
        return []

    def losses(self) -> str:
        """Sensors that have nothing to measure."""
        return self._sensors.losses()


@final
class AssemblyActuators:
    """The actuators of all modules, one module after the other, as those of one vehicle."""

    def __init__(self, names: Sequence[str], modules: Sequence[ActuatorChain]) -> None:
        self._names, self._modules = tuple(names), tuple(modules)
        self._starts = (0, *accumulate(module.count for module in modules))
        self.count = self._starts[-1]
        self.rest = np.concatenate([module.rest for module in modules])
        self.missing: Wrench = ZERO6

    @property
    def commands(self) -> Array:
        """Commands of all actuators."""
        return np.concatenate([module.commands for module in self._modules])

    @property
    def inputs(self) -> Array:
        """Inputs of all actuators."""
        return np.concatenate([module.inputs for module in self._modules])

    @property
    def faulty(self) -> frozenset[str]:
        """Actuators that do not follow their commands."""
        pairs = zip(self._names, self._modules, strict=True)
        return frozenset(f"{scope}/{name}" for scope, module in pairs for name in module.faulty)

    @property
    def charge(self) -> float | None:
        """Lowest state of charge of the batteries; None without one."""
        return min((charge for module in self._modules if (charge := module.charge) is not None), default=None)

    def command(self, commands: Array, time_ns: int) -> None:
        """Set the commands of all modules."""
        for module, (start, end) in zip(self._modules, pairwise(self._starts), strict=True):
            module.command(commands[start:end], time_ns)


@final
class RunningAssembly:
    """Controls joined vehicles as one. `update` hands control over, `run` executes the parts that are due.

    The first of the modules has the origin of the assembly.
    """

    def __init__(
        self,
        setup: Setup,
        assembly: AssemblySetup,
        modules: Sequence[VehicleRun],
        links: LinkedMotion,
        recorder: Recorder | None,
    ) -> None:
        self._assembly, self._modules, self._links, self._recorder = assembly, tuple(modules), links, recorder
        self.name, origin, self._step_ns = assembly.vehicle.name, modules[0], setup.step_ns
        self._scopes = tuple(name.removeprefix(f"{self.name}/") for name in assembly.modules)
        self._actuators = AssemblyActuators(self._scopes, [module.actuators for module in modules])
        estimate = ScheduledPart(Role.NAVIGATION, "navigation", ModuleEstimate(lambda: origin.estimate), setup.step_ns)
        vehicle = replace(assembly.vehicle, parts=(estimate, *assembly.vehicle.parts))
        readings = ModuleReadings(origin.sensors)
        self.vehicle, self.whole = vehicle, assembly.vehicle  # as in the file, and as joined
        self._parts = RunningParts(setup, vehicle, origin.motion, self._actuators, readings, recorder)
        self.monitor = VehicleMonitor(setup, vehicle, self._parts, self._actuators, origin.external_loads, recorder)
        self.is_active, self._is_watching = False, False
        self._poses: tuple[PortPose, ...] = ()
        self._lost: dict[str, float] = {}
        pause(self._parts, 0, self.name, None)
        origin.run_assembly = self.run

    def update(self, k: int) -> None:
        """Take over from the modules once all links are attached, and hand back once one is not."""
        joined = self._links.are_attached(self._assembly.links)
        if joined == self.is_active:
            return
        self.is_active, time_ns = joined, k * self._step_ns
        if joined:
            for module in self._modules:
                module.pause_parts(time_ns)
            self._join(relative_poses([module.state for module in self._modules]), self._found())
            resume(self._parts, k, self._step_ns)
        else:
            pause(self._parts, time_ns, self.name, self._recorder)
            self._actuators.command(self._actuators.rest, time_ns)  # a module without control of its own drifts
            self._part(time_ns)
            for module in self._modules:
                module.resume_parts(k)
        if self._recorder is not None:
            text = "controls its modules as one" if joined else "leaves its modules to their own control"
            self._recorder.event(time_ns, self.name, "info", text, {"modules": list(self._assembly.modules)})

    def run(self, k: int) -> None:
        """Run the parts that are due at step k, and the monitor."""
        if not self.is_active:
            return
        time_ns = k * self._step_ns
        self._parts.tested = self._modules[0].parts.tested if self._is_watching else ()
        self._parts.disable_thrusters(self._disabled(), time_ns)
        if self._parts.next_step <= k:
            self._parts.run(k, time_ns)
        if self.monitor.next <= k:
            self.monitor.check(k, time_ns, self._modules[0].state)

    @property
    def estimate(self) -> Estimate | None:
        """Latest estimate of the first module."""
        return self._modules[0].estimate

    @property
    def authority(self) -> Authority | None:
        """Who steers; None while the modules are apart, or where guidance takes no commands of an operator."""
        return self._parts.authority

    @property
    def has_commands(self) -> bool:
        """Whether commands of an operator wait for the next step of guidance."""
        return self._parts.has_commands

    def send(self, command: OperatorCommand) -> None:
        """Give a command of an operator to guidance; ValueError where it takes none, or while the modules are apart."""
        if not self.is_active:
            raise CommandError(f"{self.name} is not joined: send the command to {listed(self._assembly.modules)}")
        self._parts.send(command)

    def _disabled(self) -> tuple[str, ...]:
        """Thrusters of the modules that the allocation must not use: stated by the scenario, or found by navigation."""
        found = [*self._lost, *(self._modules[0].parts.detected if self._is_watching else ())]
        for i, (scope, module) in enumerate(zip(self._scopes, self._modules, strict=True)):
            own = () if i == 0 and self._is_watching else module.parts.detected
            found += [f"{scope}/{name}" for name in (*module.stated_thrusters, *own)]
        return tuple(dict.fromkeys(found))

    def _found(self) -> dict[str, float]:
        """Lost thrust that navigation of the modules knows, by name in the whole."""
        if self._is_watching:
            return {**self._lost, **lost_thrust(self._modules[0].parts)}
        lost = dict(self._lost)
        for scope, module in zip(self._scopes, self._modules, strict=True):
            lost |= {f"{scope}/{name}": share for name, share in lost_thrust(module.parts).items()}
        return lost

    def _join(self, poses: tuple[PortPose, ...], lost: dict[str, float]) -> None:
        """Take the model of the joined modules, in control and in the detection of failed thrusters."""
        self.whole = whole = self._assembly.joined_at(poses)
        self._poses, self._lost = poses, lost
        own = {part.name: part for part in whole.parts}
        for part in self._parts.parts:
            if part.scheduled.name in own:
                part.replace(own[part.scheduled.name])
        watching = [
            watch_whole(module.parts, None if i else whole.plant, self._actuators, lost)
            for i, module in enumerate(self._modules)
        ]
        self._is_watching = watching[0]

    def _part(self, time_ns: int) -> None:
        """Leave detection of failed thrusters to the modules, with what is known."""
        self._lost = self._found()
        for module in self._modules:
            watch_own(module.parts, module.actuators, self._lost_of(module), time_ns)
        self._is_watching, self._poses = False, ()

    def _lost_of(self, module: VehicleRun) -> dict[str, float]:
        """Lost thrust of a module by its own names of thrusters."""
        scope = f"{self._scopes[self._modules.index(module)]}/"
        return {name.removeprefix(scope): share for name, share in self._lost.items() if name.startswith(scope)}

    def snapshot(self) -> AssemblySnapshot:
        """State for a checkpoint."""
        poses = tuple((*pose.position, *pose.quaternion) for pose in self._poses)
        parts, missing = self._parts.snapshot(), self._actuators.missing
        return AssemblySnapshot(self.is_active, poses, self._lost, parts, missing, self.monitor.snapshot())

    def rejoin(self, snapshot: AssemblySnapshot) -> None:
        """Prepare the modules for their snapshots, before these are restored."""
        if snapshot.is_active:
            poses = tuple(PortPose((x, y, z), (s, a, b, c)) for x, y, z, s, a, b, c in snapshot.poses)
            self._join(poses, snapshot.lost)

    def restore(self, snapshot: AssemblySnapshot) -> None:
        """Continue from a snapshot, after the modules."""
        self.is_active, self._actuators.missing = snapshot.is_active, snapshot.missing
        self._parts.restore(snapshot.parts)
        self._parts.disable_thrusters(self._disabled(), None)
        self.monitor.restore(snapshot.watch)
        self._lost = snapshot.lost
        for module in () if self.is_active else self._modules:
            module.parts.detected = tuple(dict.fromkeys((*module.parts.detected, *self._lost_of(module))))
            module.parts.update_allocation(None)
