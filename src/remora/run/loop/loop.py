"""Simulation loop with multiple-rate scheduling on one fixed step and zero-order hold of commands.

Parts run at multiples of the step. Sensors sample at any time, on a state propagated from the last step. A run can be
stopped, stored as a checkpoint and continued bit for bit.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from typing import Any, NamedTuple, final

from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.operator_command import parsed_command
from remora.run.loop.assembly_run import AssemblySnapshot, RunningAssembly
from remora.run.loop.clock import ClockError, ClockValue, Overruns, RealTimePacer, external_times
from remora.run.loop.errors import LoopError
from remora.run.loop.vehicle_run import VehicleRun, VehicleSnapshot
from remora.run.monitoring.goals import check_command
from remora.run.monitoring.limits import WatchWarning
from remora.run.monitoring.monitor import VehicleMonitor
from remora.run.plant.linked_motion import LinkedMotion, LinksSnapshot
from remora.run.recorder import Recorder
from remora.run.setup import Setup

INTERRUPTED = "interrupted"
_PROGRESS_INTERVAL = 0.05  # s of real time between calls of the progress function
_CHECK_STEPS = 64  # steps between checks for Ctrl-C and progress
_PACING_NS = 10_000_000  # interval of pacing; each step where steps are longer


class Snapshot(NamedTuple):
    """State of a run between two steps."""

    step: int  # completed steps
    vehicles: tuple[VehicleSnapshot, ...]
    links: LinksSnapshot | None = None
    assemblies: tuple[AssemblySnapshot, ...] = ()


class RunOutcome(NamedTuple):
    """How a run ended."""

    time_ns: int  # simulated time
    stopped: str  # INTERRUPTED or the failure; empty for a complete run
    overruns: Overruns | None  # of a paced run
    refused: tuple[str, ...] = ()  # sensors with values that are not finite
    warnings: tuple[WatchWarning, ...] = ()  # deviations from the scenario


@final
class Loop:
    """A run that can be advanced step by step.

    Parameters
    ----------
    setup
        The run.
    recorder
        Writes the log; None for a run without one.
    """

    def __init__(self, setup: Setup, recorder: Recorder | None = None) -> None:
        self.setup, self.recorder = setup, recorder
        self.step = 0
        self.vehicles = tuple(VehicleRun(setup, vehicle, recorder) for vehicle in setup.vehicles)
        self._by_name = {vehicle.name: vehicle for vehicle in self.vehicles}
        self.links: LinkedMotion | None = self._linked_motion()
        self.assemblies = self._running_assemblies()
        if len(self.vehicles) > 1:
            for vehicle in self.vehicles:
                vehicle.sensors.position_of = self._position_lookup(vehicle)
                vehicle.external_loads.others = vehicle.monitor.overlaps.others = self._others_of(vehicle.name)

    @property
    def steps(self) -> int:
        """Number of steps of the run."""
        return self.setup.duration_ns // self.setup.step_ns

    @property
    def time_ns(self) -> int:
        """Current time of the run, ns."""
        return self.step * self.setup.step_ns

    def advance(self, until_step: int) -> None:
        """Run up to a step; events due at that step itself are not yet processed."""
        last = min(until_step, self.steps)
        try:
            # A vehicle alone may take many steps in compiled code. Several must see each other at every step.
            if len(self.vehicles) == 1 and self.step < last:
                self.vehicles[0].advance(self.step, last)
                self.step = last
            for k in range(self.step, last):
                self._step_all(k)
        except LoopError as error:
            # A vehicle alone stops within its steps: log and outcome end at the time of the failure.
            self.step = error.time_ns // self.setup.step_ns
            raise

    def _step_all(self, k: int) -> None:
        # Phase by phase for all vehicles, so that each sees the others at the same time.
        if self.links is not None:
            self.links.update(k * self.setup.step_ns)
        for assembly in self.assemblies:
            assembly.update(k)
        for vehicle in self.vehicles:
            vehicle.apply_faults(k)
        for vehicle in self.vehicles:
            vehicle.run_due_parts(k)
            vehicle.check(k)
        # All samples of the step before any motion, so that a range between two vehicles has one time.
        for vehicle in self.vehicles:
            vehicle.measure(k)
        for vehicle in self.vehicles:
            vehicle.move(k)
        self.step = k + 1

    @property
    def monitors(self) -> tuple[VehicleMonitor, ...]:
        """Monitors of all vehicles and assemblies."""
        return (*(one.monitor for one in self.vehicles), *(one.monitor for one in self.assemblies))

    def send(self, line: str, vehicle: str = "") -> str:
        """Give a command of an operator to a running vehicle, from any thread; it acts at its next guidance step.

        The returned remark is empty unless the command does other than it says, e.g. with limited speeds.

        Parameters
        ----------
        line
            The command as text, e.g. "go_to 3 0 5"; see docs/live.md.
        vehicle
            Name of the vehicle or assembly; may be left out where there is one vehicle.

        Raises
        ------
        ValueError
            When the line is no command, or one without effect; the vehicle is unknown; its guidance takes no commands.
        """
        run, command = self.vehicle_named(vehicle), parsed_command(line)
        estimate = run.estimate
        # Before the first step there is no estimate yet, which says nothing about the command.
        unknown = () if self.step == 0 else POSE_AND_MOTION if estimate is None else estimate.unknown
        remark = check_command(command, run.vehicle, self.setup.environment, unknown)
        run.send(command)
        return remark

    def vehicle_named(self, name: str = "") -> VehicleRun | RunningAssembly:
        """A vehicle or assembly of the run; the only vehicle without a name. ValueError for an unknown one."""
        if not name and len(self.vehicles) == 1:
            return self.vehicles[0]
        known: dict[str, VehicleRun | RunningAssembly] = {**self._by_name}
        known |= {assembly.name: assembly for assembly in self.assemblies}
        if name not in known:
            raise ValueError(f"there is no vehicle {name!r}; known are {', '.join(known)}")
        return known[name]

    def finish(self) -> None:
        """Write the last state, at the time when the run ended."""
        for vehicle in self.vehicles:
            vehicle.finish(self.time_ns)

    def snapshot(self) -> Snapshot:
        """State from which the run can continue."""
        links = None if self.links is None else self.links.snapshot()
        assemblies = tuple(assembly.snapshot() for assembly in self.assemblies)
        return Snapshot(self.step, tuple(vehicle.snapshot() for vehicle in self.vehicles), links, assemblies)

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a snapshot."""
        self.step = snapshot.step
        # An assembly prepares its modules before their states come, and takes its own state when all else is in place.
        for assembly, held in zip(self.assemblies, snapshot.assemblies, strict=True):
            assembly.rejoin(held)
        for vehicle, stored in zip(self.vehicles, snapshot.vehicles, strict=True):
            vehicle.restore(stored)
        if self.links is not None and snapshot.links is not None:
            self.links.restore(snapshot.links)
        for assembly, held in zip(self.assemblies, snapshot.assemblies, strict=True):
            assembly.restore(held)

    def _linked_motion(self) -> LinkedMotion | None:
        """Coupled motion of all vehicles with links; None without links."""
        if not self.setup.links:
            return None
        names = {name for one in self.setup.links for name in (one.link.first, one.link.second)}
        motions = {vehicle.name: vehicle.motion for vehicle in self.vehicles if vehicle.name in names}
        return LinkedMotion(self.setup, motions, self.recorder)

    def _running_assemblies(self) -> tuple[RunningAssembly, ...]:
        """The assemblies of the run; none without links."""
        if self.links is None:
            return ()
        return tuple(
            RunningAssembly(self.setup, one, [self._by_name[name] for name in one.modules], self.links, self.recorder)
            for one in self.setup.assemblies
        )

    def _others_of(self, name: str) -> Callable[[], dict[str, Array]]:
        """States of all vehicles but those that a link joins to a vehicle: these do not touch it."""

        def others() -> dict[str, Array]:
            joined = set() if self.links is None else self.links.neighbours(name)
            return {other: state for other, state in self._states().items() if other not in joined}

        return others

    def _states(self) -> dict[str, Array]:
        return {vehicle.name: vehicle.state for vehicle in self.vehicles}

    def _position_lookup(self, asking: VehicleRun) -> Callable[[str], Vector3 | None]:
        """Function that gives the position of another vehicle at the sample time of one vehicle."""

        def position_of(name: str) -> Vector3 | None:
            other = self._by_name.get(name)
            return None if other is None else other.position_at(asking.sensors.measuring_ns, self.time_ns)

        return position_of


def run(
    setup: Setup,
    log: str | PathLike[str] | None = None,
    *,
    progress: Callable[[float], None] | None = None,
    speed: float | None = None,
    clock: Iterable[ClockValue] | None = None,
) -> RunOutcome:
    """Run a setup to its end or until Ctrl-C, and write its log.

    Parameters
    ----------
    setup
        The run.
    log
        Path of the log, replaced if it exists; None for none.
    progress
        Called about 20 times a second with the simulated seconds.
    speed
        Multiple of real time; None runs as fast as possible.
    clock
        Seconds of an external clock. The run follows it and ends with it or with the duration. After a jump ahead the
        run catches up; a clock that runs backwards stops it.
    """
    recorder = None if log is None else Recorder.open(setup, log)
    try:
        return run_loop(Loop(setup, recorder), progress=progress, speed=speed, clock=clock)
    finally:
        if recorder is not None:
            recorder.close()


def run_loop(
    loop: Loop,
    *,
    progress: Callable[[float], None] | None = None,
    speed: float | None = None,
    clock: Iterable[ClockValue] | None = None,
    checkpoint: Callable[[Loop], None] | None = None,
    checkpoint_steps: int = 0,
) -> RunOutcome:
    """Advance a loop to its end; a failure or Ctrl-C ends it early and is reported in log and outcome.

    Parameters
    ----------
    loop
        A new or restored loop.
    progress, speed, clock
        As in `run`.
    checkpoint
        Called with the loop to store a checkpoint; None for none.
    checkpoint_steps
        Steps between checkpoints; 0 for none.
    """
    pacer = None if speed is None else RealTimePacer(speed)
    report = None if progress is None else _now_and_then(progress)
    stopped = ""
    with _ctrl_c() as interrupted:
        try:
            for until in _targets(loop, pacer, clock):
                _advance(loop, until, interrupted, report, checkpoint, checkpoint_steps)
                if interrupted.is_set():
                    stopped = INTERRUPTED
                    break
                if pacer is not None:
                    pacer.wait(loop.time_ns)
        except (LoopError, ClockError) as error:
            stopped = str(error)
    # A run that was cut short says nothing of goals that it might still have reached.
    if not stopped and loop.step >= loop.steps:
        for monitor in loop.monitors:
            monitor.end(loop.time_ns)
        if loop.links is not None:
            loop.links.end(loop.time_ns)
    _log_end(loop, stopped, pacer)
    refused = tuple(name for vehicle in loop.vehicles for name in vehicle.sensors.refused)
    return RunOutcome(loop.time_ns, stopped, pacer.overruns if pacer else None, refused, _warnings(loop))


def _warnings(loop: Loop) -> tuple[WatchWarning, ...]:
    """Warnings of all vehicles in the order of time."""
    found = [one for monitor in loop.monitors for one in monitor.warned]
    found += () if loop.links is None else loop.links.warned
    return tuple(sorted(found, key=lambda one: one.time_ns))


def _targets(loop: Loop, pacer: RealTimePacer | None, clock: Iterable[ClockValue] | None) -> Iterator[int]:
    """Successive target steps."""
    step_ns = loop.setup.step_ns
    if clock is not None:
        for time_ns in external_times(clock):
            yield time_ns // step_ns
            if loop.step >= loop.steps:
                return
    elif pacer is not None:
        stride = max(1, _PACING_NS // step_ns)
        while loop.step < loop.steps:
            yield loop.step + stride
    else:
        yield loop.steps


def _advance(
    loop: Loop,
    until: int,
    interrupted: threading.Event,
    progress: Callable[[float], None] | None,
    checkpoint: Callable[[Loop], None] | None,
    checkpoint_steps: int,
) -> None:
    """Run to a step with checks for Ctrl-C, progress and checkpoints in between."""
    until = min(until, loop.steps)
    while loop.step < until and not interrupted.is_set():
        target = min(until, loop.step + _CHECK_STEPS)
        # At whole multiples, so that a continued run stores its checkpoints at the same steps.
        if checkpoint is not None and checkpoint_steps:
            target = min(target, (loop.step // checkpoint_steps + 1) * checkpoint_steps)
        loop.advance(target)
        if checkpoint is not None and checkpoint_steps and loop.step % checkpoint_steps == 0:
            checkpoint(loop)
        if progress is not None:
            progress(loop.time_ns * 1e-9)


def _now_and_then(progress: Callable[[float], None]) -> Callable[[float], None]:
    """A progress function that is called no more often than once in an interval, however short the pieces of a run."""
    reported_at = time.monotonic()

    def report(seconds: float) -> None:
        nonlocal reported_at
        if time.monotonic() - reported_at > _PROGRESS_INTERVAL:
            reported_at = time.monotonic()
            progress(seconds)

    return report


def _log_end(loop: Loop, stopped: str, pacer: RealTimePacer | None) -> None:
    if loop.recorder is None:
        return
    loop.finish()
    event = loop.recorder.event
    if pacer is not None and pacer.overruns.missed:
        missed, waits, worst = pacer.overruns
        event(loop.time_ns, "clock", "warning", f"{missed} of {waits} waits came too late, by up to {worst:.3f} s")
    if stopped == INTERRUPTED:
        event(loop.time_ns, "loop", "warning", "stopped by Ctrl-C")
    elif stopped:
        event(loop.time_ns, "loop", "fatal", stopped)
    else:
        event(loop.time_ns, "loop", "info", "finished")


@contextmanager
def _ctrl_c() -> Iterator[threading.Event]:
    """The first Ctrl-C stops the run between two steps; a second one raises KeyboardInterrupt."""
    asked = threading.Event()
    # Python delivers signals to the main thread only; in another one the caller stops the run.
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: Any) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    # Ignored on purpose, as in the background, or handled by other code than Python: left as it is.
    if before is signal.SIG_IGN or before is None:
        yield asked
        return
    signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
