"""The loop: vehicles and their parts through time, with inputs held between the steps of one grid.

Sampled parts run at multiples of the step; sensors measure whenever they like, on a state carried to their time from
the last step of the grid. A run can be stopped, stored and taken up again, and comes out the same to the last bit.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from typing import Any, NamedTuple, final

from remora.equations.algebra.vectors import Vector3
from remora.files.arrays import Array
from remora.logs.writer import LogWriter
from remora.simulation.journal import Journal, has_varying_water, run_channels, run_header
from remora.simulation.listening import listener
from remora.simulation.loop.clock import ClockError, ClockValue, Overruns, Pace, external_times
from remora.simulation.loop.loop_error import LoopError
from remora.simulation.loop.vehicle_run import Memory, VehicleRun
from remora.simulation.monitoring.limits import Warned
from remora.simulation.setup import Setup

INTERRUPTED = "interrupted"
_TELLS_EVERY = 0.05  # s of wall time between calls of the progress function
_LOOKS_EVERY = 64  # steps between looks at the wall clock
_PACE_NS = 10_000_000  # a paced run keeps to the wall this often, or each step where steps are longer


class Snapshot(NamedTuple):
    """Where a run stands between two steps."""

    step: int  # how many steps of the grid lie behind
    vehicles: tuple[Memory, ...]


class Outcome(NamedTuple):
    """How a run ended."""

    time_ns: int  # how far it came
    stopped: str  # why it ended early: INTERRUPTED, or what failed; empty when it came to its end
    overruns: Overruns | None  # of a paced run
    refused: tuple[str, ...] = ()  # sensors that gave values which are no numbers; the log tells when
    warnings: tuple[Warned, ...] = ()  # where the run did not go as asked


@final
class Loop:
    """A run that can be advanced step by step.

    Parameters
    ----------
    setup
        What to run.
    journal
        Takes what happens; None for a run without a log.
    """

    def __init__(self, setup: Setup, journal: Journal | None = None) -> None:
        self.setup, self.journal = setup, journal
        self.step, has_water = 0, has_varying_water(setup)
        self.vehicles = tuple(
            VehicleRun(setup, vehicle, None if journal is None else listener(journal, vehicle, has_water))
            for vehicle in setup.vehicles
        )
        self._by_name = {vehicle.name: vehicle for vehicle in self.vehicles}
        if len(self.vehicles) > 1:
            for vehicle in self.vehicles:
                vehicle.sensors.position_of = self._position_lookup(vehicle)
                vehicle.influences.others = vehicle.watch.overlaps.others = self._states

    @property
    def steps(self) -> int:
        """Steps of the whole run."""
        return self.setup.duration_ns // self.setup.step_ns

    @property
    def time_ns(self) -> int:
        """Where the run stands."""
        return self.step * self.setup.step_ns

    def advance(self, until_step: int) -> None:
        """Run up to a step of the grid; what is due at that step itself still waits."""
        last = min(until_step, self.steps)
        try:
            if len(self.vehicles) == 1 and self.step < last:
                self.vehicles[0].advance(self.step, last)
                self.step = last
            for k in range(self.step, last):
                self._step_all(k)
        except LoopError as error:
            self.step = error.time_ns // self.setup.step_ns
            raise

    def _step_all(self, k: int) -> None:
        # All suffer faults, act, measure and then move: so whoever looks at another, or touches it, finds it as it is.
        for vehicle in self.vehicles:
            vehicle.suffer(k)
        for vehicle in self.vehicles:
            vehicle.act(k)
            vehicle.look(k)
        for vehicle in self.vehicles:
            vehicle.measure(k)
        for vehicle in self.vehicles:
            vehicle.move(k)
        self.step = k + 1

    def finish(self) -> None:
        """Write the last state, at the time when the run ended."""
        for vehicle in self.vehicles:
            vehicle.finish(self.time_ns)

    def snapshot(self) -> Snapshot:
        """All that is needed to go on from here."""
        return Snapshot(self.step, tuple(vehicle.memory() for vehicle in self.vehicles))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back, or on, to a snapshot."""
        self.step = snapshot.step
        for vehicle, memory in zip(self.vehicles, snapshot.vehicles, strict=True):
            vehicle.recall(memory)

    def _states(self) -> dict[str, Array]:
        return {vehicle.name: vehicle.state for vehicle in self.vehicles}

    def _position_lookup(self, asking: VehicleRun) -> Callable[[str], Vector3 | None]:
        """Where other vehicles are at the time at which one of them is measuring."""

        def position_of(name: str) -> Vector3 | None:
            other = self._by_name.get(name)
            return None if other is None else other.place_at(asking.sensors.measuring_ns, self.time_ns)

        return position_of


def run(
    setup: Setup,
    log: str | PathLike[str] | None = None,
    *,
    progress: Callable[[float], None] | None = None,
    speed: float | None = None,
    clock: Iterable[ClockValue] | None = None,
) -> Outcome:
    """Run a setup to its end, or until Ctrl-C, and write its log.

    Parameters
    ----------
    setup
        What to run.
    log
        File of the log, replaced if it exists; None for none.
    progress
        Called now and then with the seconds simulated so far.
    speed
        Keeps the run at this multiple of real time; None runs as fast as it can.
    clock
        Seconds of an external clock; the run follows it and ends with it or with the duration. A clock that leaps
        ahead takes the run along, step by step; one that goes back stops it, with both times in the outcome.
    """
    journal = None if log is None else Journal(LogWriter(log, run_header(setup), run_channels(setup)))
    try:
        return drive(Loop(setup, journal), progress=progress, speed=speed, clock=clock)
    finally:
        if journal is not None:
            journal.close()


def drive(
    loop: Loop,
    *,
    progress: Callable[[float], None] | None = None,
    speed: float | None = None,
    clock: Iterable[ClockValue] | None = None,
    checkpoint: Callable[[Loop], None] | None = None,
    checkpoint_steps: int = 0,
) -> Outcome:
    """Advance a loop to its end; a failure or Ctrl-C ends it early and is told in the log and in the outcome."""
    pace = None if speed is None else Pace(speed)
    stopped = ""
    with _ctrl_c() as interrupted:
        try:
            for until in _targets(loop, pace, clock):
                _advance(loop, until, interrupted, progress, checkpoint, checkpoint_steps)
                if interrupted.is_set():
                    stopped = INTERRUPTED
                    break
                if pace is not None:
                    pace.wait(loop.time_ns)
        except (LoopError, ClockError) as error:
            stopped = str(error)
    if not stopped and loop.step >= loop.steps:
        for vehicle in loop.vehicles:
            vehicle.watch.end(loop.time_ns)
    _tell_end(loop, stopped, pace)
    refused = tuple(name for vehicle in loop.vehicles for name in vehicle.sensors.refused)
    return Outcome(loop.time_ns, stopped, pace.overruns if pace else None, refused, _warnings(loop))


def _warnings(loop: Loop) -> tuple[Warned, ...]:
    """Where the vehicles did not go as asked, in the order of time."""
    found = [one for vehicle in loop.vehicles for one in vehicle.watch.warned]
    return tuple(sorted(found, key=lambda one: one.time_ns))


def _targets(loop: Loop, pace: Pace | None, clock: Iterable[ClockValue] | None) -> Iterator[int]:
    """Steps to run to, one after the other."""
    step_ns = loop.setup.step_ns
    if clock is not None:
        for time_ns in external_times(clock):
            yield time_ns // step_ns
            if loop.step >= loop.steps:
                return
    elif pace is not None:
        stride = max(1, _PACE_NS // step_ns)
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
    """Run to a step, looking up now and then: for Ctrl-C, for progress to tell, for a checkpoint to take."""
    until = min(until, loop.steps)
    told = time.monotonic()
    while loop.step < until and not interrupted.is_set():
        target = min(until, loop.step + _LOOKS_EVERY)
        if checkpoint is not None and checkpoint_steps:
            target = min(target, (loop.step // checkpoint_steps + 1) * checkpoint_steps)
        loop.advance(target)
        if checkpoint is not None and checkpoint_steps and loop.step % checkpoint_steps == 0:
            checkpoint(loop)
        if progress is not None and time.monotonic() - told > _TELLS_EVERY:
            told = time.monotonic()
            progress(loop.time_ns * 1e-9)


def _tell_end(loop: Loop, stopped: str, pace: Pace | None) -> None:
    if loop.journal is None:
        return
    loop.finish()
    event = loop.journal.event
    if pace is not None and pace.overruns.missed:
        missed, waits, worst = pace.overruns
        event(loop.time_ns, "clock", "warning", f"{missed} of {waits} waits came too late, by up to {worst:.3f} s")
    if stopped == INTERRUPTED:
        event(loop.time_ns, "loop", "warning", "stopped by Ctrl-C")
    elif stopped:
        event(loop.time_ns, "loop", "fatal", stopped)
    else:
        event(loop.time_ns, "loop", "info", "finished")


@contextmanager
def _ctrl_c() -> Iterator[threading.Event]:
    """While a run goes on, the first Ctrl-C asks it to stop between two steps; a second one breaks it off."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: Any) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    if before is signal.SIG_IGN or before is None:
        yield asked
        return
    signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
