"""Multiple-rate scheduling of the parts of one vehicle: navigation, guidance, control and allocation."""

import math
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, NamedTuple, final

import numpy as np

from remora.control.allocation.bumpless_transfer import (
    TransferState,
    allocation_without,
    is_fault_tolerant,
    lost_degrees_of_freedom,
)
from remora.equations.algebra.vectors import ZERO6, add6, subtract6
from remora.equations.types import Wrench
from remora.files.problems import listed
from remora.files.units import NEVER
from remora.messages.estimate import Estimate
from remora.messages.operator_command import Authority, CommandError, OperatorCommand
from remora.messages.part import AllocationResult, Lifecycle, PartInput, ReachedPoint, Role, takes_operator, unmeasured
from remora.messages.reading import Reading
from remora.run.loop.errors import (
    RAISED_AT,
    LoopError,
    checked_estimate,
    checked_report,
    checked_wrench,
    failure_text,
    origin_text,
    shown,
    state_and_output,
)
from remora.run.loop.running_part import (
    UNFILLED,
    ActuatorChain,
    HandOver,
    ReadingSource,
    RunningPart,
    TruthSource,
    UnfilledRole,
)
from remora.run.recorder import Recorder
from remora.run.setup import Setup, VehicleSetup

_WAITING, _ACTIVE = Lifecycle.WAITING, Lifecycle.ACTIVE
_new_tuple = tuple.__new__


class PartsSnapshot(NamedTuple):
    """State of the parts of a vehicle for a checkpoint."""

    parts: tuple[tuple[Any, ...], ...]
    transferred: TransferState


@final
class RunningParts:
    """All parts of a vehicle, in the order of their roles. `run` executes those that are due."""

    def __init__(
        self,
        setup: Setup,
        vehicle: VehicleSetup,
        motion: TruthSource,
        actuators: ActuatorChain,
        sensors: ReadingSource,
        recorder: Recorder | None,
    ) -> None:
        self._name, self._recorder = vehicle.name, recorder
        self._stated: tuple[str, ...] = ()  # thrusters that the scenario states to have failed
        self.detected: tuple[str, ...] = ()  # and that navigation has found
        self.tested: tuple[str, ...] = ()  # and that it leaves out for a test
        self._hand_over = HandOver(vehicle.nominal.parameters)
        self.commanded = actuators  # those whose commands navigation knows, and whose thrusters it watches
        self._motion, self._actuators, self._sensors = motion, actuators, sensors
        has_allocation = any(part.role == Role.ALLOCATION for part in vehicle.parts)
        in_order = sorted(vehicle.parts, key=lambda part: part.role)
        self.parts = [RunningPart(part, setup.step_ns, has_allocation) for part in in_order]
        self._controllers = [part for part in self.parts if part.gives_wrench]
        self._navigation = next((part for part in self.parts if part.scheduled.role == Role.NAVIGATION), UNFILLED)
        # Operators send from other threads than the one that runs the loop.
        self._inbox: SimpleQueue[OperatorCommand] = SimpleQueue()
        self._guidance = next((part for part in self.parts if part.scheduled.role == Role.GUIDANCE), UNFILLED)

    @property
    def next_step(self) -> int:
        """Next step at which a part is due."""
        return min((part.next for part in self.parts), default=NEVER)

    def next_slow_step(self) -> int:
        """Next step at which a part is due that does not run at every step."""
        return min((part.next for part in self.parts if part.period > 1), default=NEVER)

    def run(self, k: int, time_ns: int, without: Sequence[RunningPart] = ()) -> int:
        """Run all parts due at step k, but for some, with the readings that have arrived; returns the next due step."""
        if self._sensors.in_transit:
            self.hand_out(time_ns)
        nearest = NEVER
        for part in self.parts:
            if part.next <= k and part not in without:
                if k < part.stop:
                    self._run_part(part, time_ns)
                else:
                    self._end_part(part, time_ns)
            if part.next < nearest:
                nearest = part.next
        return nearest

    def hand_out(self, time_ns: int) -> None:
        """Give the readings that have arrived to the parts, which see them at their next sample."""
        arrived = self._sensors.arrived(time_ns)
        for part in self.parts:
            part.new_readings += arrived

    def _run_part(self, part: RunningPart, time_ns: int) -> None:
        new_readings: tuple[Reading, ...] = ()
        if part.new_readings:
            new_readings = tuple(part.new_readings)
            part.new_readings.clear()
        before = part.state
        try:
            result = part.step(before, self._seen(part, time_ns, new_readings))
        except Exception as error:
            raise self._failure(part, time_ns, self._failure_text(part, error)) from error
        # Almost every result is such a pair, and is spared the check that words what is wrong with others.
        is_pair = type(result) is tuple and len(result) == 2
        part.state, output = result if is_pair else self._sound(part, time_ns, state_and_output, result)
        part.next += part.period
        if part.reports is not None and self._recorder is not None:
            self._report(part, before, time_ns)
        if part.failed_thrusters is not None:
            self._use_detected(part, time_ns)
        if part.life is not _ACTIVE or output is None:
            self._live(part, time_ns, _WAITING if output is None else _ACTIVE)
        if part.gives_commands:
            self._command(part, output, time_ns)
        elif output is not None:
            output = self._checked(part, output, time_ns)
        part.output = output
        if part.is_logged and output is not None and self._recorder is not None:
            self._log(self._recorder, part, output, time_ns)

    def _seen(self, part: RunningPart, time_ns: int, new_readings: tuple[Reading, ...] = ()) -> PartInput:
        """Input of a part at a step."""
        seen = (
            time_ns,
            new_readings,
            self._sensors.readings,
            self._navigation.output,
            self._guidance.output,
            self._demanded(time_ns) if part.gives_commands else ZERO6,
            self._actuators.missing,
            self._motion.truth_for_parts(time_ns) if part.sees_truth else None,
            tuple(self.commanded.commands.tolist()) if part is self._navigation else (),
            # Taken out by guidance alone: a command acts once.
            self._received(time_ns) if part is self._guidance and not self._inbox.empty() else (),
        )
        return _new_tuple(PartInput, seen)  # as PartInput(*seen), which takes three times as long

    def update_output(self, part: RunningPart, time_ns: int) -> None:
        """Compute the output of a part from its state and the readings that wait for it, for log and checkpoint."""
        seen = self._seen(part, time_ns, tuple(part.new_readings))
        part.output = self._checked(part, part.step(part.state, seen)[1], time_ns)

    def _end_part(self, part: RunningPart, time_ns: int) -> None:
        part.next, part.output = NEVER, None
        self._live(part, time_ns, Lifecycle.FINISHED)
        if part.gives_commands:
            self._command(part, None, time_ns)

    def _live(self, part: RunningPart, time_ns: int, life: Lifecycle) -> None:
        if self._recorder is not None and part.life is not life:
            self._recorder.lifecycle(self._name, part.scheduled, time_ns, part.life, life)
        part.life = life

    def _checked(self, part: RunningPart, output: Any, time_ns: int) -> Any:
        """The output; raises a LoopError that names the part when its output is invalid."""
        if part.gives_wrench:
            return self._sound(part, time_ns, checked_wrench, output)
        return self._sound(part, time_ns, checked_estimate, output) if part is self._navigation else output

    def _command(self, part: RunningPart, output: Any, time_ns: int) -> None:
        """Set the commands; without an output all actuators rest."""
        actuators = self._actuators
        if type(output) is AllocationResult:
            actuators.missing, output = output.missing, output.commands
        try:
            # A copy, as the commands are held while the part may go on to change its row.
            commands = actuators.rest if output is None else np.array(output, dtype=float)
        except (TypeError, ValueError):
            # Fails the check below, which says what was given.
            commands = np.array([math.nan])
        # One product finds NaN and infinity in all of them.
        if commands.shape != actuators.rest.shape or not math.isfinite(commands.dot(commands)):
            raise self._failure(part, time_ns, f"gave {shown(output)}, not {actuators.count} finite commands")
        actuators.command(commands, time_ns)

    def _sound(self, part: RunningPart, time_ns: int, check: Callable[..., Any], *values: Any) -> Any:
        """The result of a check of an output; LoopError with its message where it fails."""
        try:
            return check(*values)
        except ValueError as error:
            part.output = None
            raise self._failure(part, time_ns, str(error)) from error

    def _report(self, part: RunningPart, before: Any, time_ns: int) -> None:
        """Record the messages of a part."""
        assert part.reports is not None
        assert self._recorder is not None
        try:
            for report in part.reports(before, part.state) or ():
                level, text, data = checked_report(report)
                self._recorder.event(time_ns, f"{self._name}/{part.scheduled.name}", level, text, data)
        except Exception as error:
            raise self._failure(part, time_ns, failure_text(error)) from error

    def _log(self, recorder: Recorder, part: RunningPart, output: Any, time_ns: int) -> None:
        """Record an output in the log fields of its part."""
        try:
            recorder.output(self._name, part.scheduled, time_ns, output)
        except Exception as error:
            raise self._failure(part, time_ns, f"row {failure_text(error)}") from error

    def _use_detected(self, part: RunningPart, time_ns: int | None) -> None:
        """Inform the allocation of the thrusters that a part found to have failed."""
        failed = part.failed_thrusters(part.state)
        tested = () if part.tested_thrusters is None else part.tested_thrusters(part.state)
        # While joined, the assembly commands the actuators. A restored run has handed over already.
        if time_ns is not None and self.commanded is self._actuators:
            self._hand_over.follow(part, time_ns)
            # Before the allocation changes: what was made up for shows in the commands of the old one.
            if new := [name for name in failed if name not in self.detected]:
                self._hand_over.begin(part, self.parts, new, self._actuators.commands, time_ns)
        if failed != self.detected or tested != self.tested:
            self.detected, self.tested = failed, tested
            if self.commanded is self._actuators:
                self.update_allocation(time_ns)

    def disable_thrusters(self, disabled: tuple[str, ...], time_ns: int | None) -> None:
        """Disable thrusters in the allocation from its next step on; logged when a time is given."""
        self._stated = disabled
        self.update_allocation(time_ns)

    def update_allocation(self, time_ns: int | None) -> None:
        """The allocation without stated, detected and tested thrusters."""
        failed = tuple(dict.fromkeys((*self._stated, *self.detected)))
        tested = tuple(name for name in self.tested if name not in failed)
        for part in self.parts:
            if not is_fault_tolerant(part.scheduled.part) or (part.disabled, part.tested) == (failed, tested):
                continue
            # From the intact allocation each time, so that a thruster that is sound again comes back.
            known, is_test = allocation_without(part.scheduled.part, (*failed, *tested)), part.disabled == failed
            part.step, part.disabled, part.tested = known.step, failed, tested
            if time_ns is None or self._recorder is None:
                continue
            source, lost = f"{self._name}/{part.scheduled.name}", lost_degrees_of_freedom(part.scheduled.part, known)
            if is_test:
                words = f"leaves out {', '.join(tested)} for a test" if tested else "has ended its test"
                self._recorder.event(time_ns, source, "info", words, {"tested": list(tested)})
                continue
            words = f"does without {', '.join(failed)}" if failed else "uses all thrusters again"
            words += f"; cannot make {', '.join(lost)}" if lost else ""
            data = {"disabled": list(failed), "lost": list(lost)}
            self._recorder.event(time_ns, source, "warning", words, data)

    def _demanded(self, time_ns: int) -> Wrench:
        """Sum of the wrenches of all controllers, but for what they made up for before thrusters were left out."""
        if not self.detected:
            return self.wrench()
        return subtract6(self.wrench(), self._hand_over.relief(time_ns))

    def wrench(self, without: RunningPart | None = None) -> Wrench:
        """Sum of the wrenches of all controllers, or of all but one, about B in body axes."""
        total = ZERO6
        for part in self._controllers:
            if part.output is not None and part is not without:
                # The wrench of a single controller passes as it is.
                total = part.output if total is ZERO6 else add6(total, part.output)
        return total

    @property
    def estimate(self) -> Estimate | None:
        """Latest estimate of navigation."""
        return self._navigation.output

    @property
    def reference(self) -> Any:
        """Latest reference of guidance."""
        return self._guidance.output

    @property
    def charging_power(self) -> float:
        """Power that a station gives by the state of guidance, W."""
        power = self._of_guidance("charging_power")
        return 0.0 if power is None else float(power)

    def waiting(self) -> str:
        """Name of the first part without output or without a required input; empty where there is none."""
        for part in self.parts:
            if part.life is _WAITING:
                return part.scheduled.name
        estimate = self._navigation.output
        if estimate is None or estimate.is_complete:
            return ""
        unknown = set(estimate.unknown)
        return next((part.scheduled.name for part in self.parts if part.needs & unknown), "")

    def waiting_text(self) -> str:
        """Text: the waiting parts and the missing input of the first."""
        estimate = self._navigation.output
        unknown = frozenset(() if estimate is None else estimate.unknown)
        waiting = [part for part in self.parts if part.life is _WAITING] or [
            part for part in self.parts if part.needs & unknown
        ]
        needed = frozenset[str]().union(*(part.needs for part in waiting)) or unknown
        role, name = waiting[0].scheduled.role, waiting[0].scheduled.name
        called = role.name.lower() if name == role.name.lower() else f'{role.name.lower()} "{name}"'
        others = f" (and so {listed(part.scheduled.name for part in waiting[1:])})" if waiting[1:] else ""
        return f"{called}{others} waits for {self._lacking(role, unknown & needed or unknown)}{self.loss_text()}"

    def loss_text(self) -> str:
        """Sensors that have nothing to measure, with the cause; empty where there are none."""
        lost = self._sensors.losses()
        return f" ({lost})" if lost else ""

    def _lacking(self, role: Role, unknown: frozenset[str]) -> str:
        """Text: the missing input of a waiting part."""
        if role == Role.NAVIGATION or self._navigation is UNFILLED:
            return "readings"
        if self._navigation.output is None:
            return "an estimate"
        if role > Role.GUIDANCE and self._guidance is not UNFILLED and self._guidance.output is None:
            return "a reference"
        if not unknown:
            return "readings"
        reasons = self.unmeasured_text(unknown)
        return f"an estimate that knows {listed(sorted(unknown))}{f': {reasons}' if reasons else ''}"

    def unmeasured_text(self, quantities: frozenset[str]) -> str:
        """Text: why no sensor measures some quantities at present."""
        navigation = self._navigation
        if isinstance(navigation, UnfilledRole):
            return ""
        found = unmeasured(navigation.scheduled.part, navigation.state)
        return listed(dict.fromkeys(found[name] for name in sorted(quantities) if name in found))

    def send(self, command: OperatorCommand) -> None:
        """Give a command of an operator to guidance, from any thread; ValueError where it takes none."""
        part = self._guidance
        if isinstance(part, UnfilledRole) or not takes_operator(part.scheduled.part):
            raise ValueError(f'"{self._name}" takes no commands: its guidance is not the part pilot')
        if part.life is Lifecycle.PAUSED:
            raise CommandError(f"{self._name} is joined and follows its assembly: send the command to that")
        self._inbox.put(command)

    @property
    def has_commands(self) -> bool:
        """Whether commands of an operator wait for the next step of guidance."""
        return not self._inbox.empty()

    @property
    def authority(self) -> Authority | None:
        """Who steers; None where guidance takes no commands."""
        found: Authority | None = self._of_guidance("authority")
        return found

    def _received(self, time_ns: int) -> tuple[OperatorCommand, ...]:
        """Commands of the operator since the last sample; each is an event of the log."""
        found = []
        while not self._inbox.empty():
            found.append(self._inbox.get())
            if self._recorder is not None:
                text = found[-1].text
                self._recorder.event(time_ns, f"{self._name}/operator", "info", f"command {text}", {"command": text})
        return tuple(found)

    def lost_target(self) -> str:
        """Text: what guidance has lost from sight; empty where it follows its target or does not report it."""
        return str(self._of_guidance("lost_target") or "")

    def distance_error(self) -> float | None:
        """Error of the distance that guidance keeps, m; None where it keeps none."""
        error: float | None = self._of_guidance("distance_error")
        return error

    def _of_guidance(self, method: str) -> Any:
        """Result of an optional method of guidance that takes its state; None where it has none or pauses."""
        part = self._guidance
        if isinstance(part, UnfilledRole) or part.life is Lifecycle.PAUSED:
            return None
        asked = getattr(part.scheduled.part, method, None)
        return None if asked is None else asked(part.state)

    def latest_reached(self) -> ReachedPoint | None:
        """The latest waypoint that guidance counts as reached; None where there is none or it does not report it."""
        found: ReachedPoint | None = self._of_guidance("latest_reached")
        return found

    def unfinished(self) -> str:
        """Text: the unfinished part of the mission; empty where there is none or guidance does not report it."""
        return str(self._of_guidance("unfinished") or "")

    def snapshot(self) -> PartsSnapshot:
        """State of each part, and of the transfer between allocations, for a checkpoint."""
        parts = ((part.state, part.next, part.life, part.output, tuple(part.new_readings)) for part in self.parts)
        return PartsSnapshot(tuple(parts), self._hand_over.state)

    def restore(self, snapshot: PartsSnapshot) -> None:
        """Continue from a snapshot."""
        self._hand_over.state = snapshot.transferred
        for part, (state, due, life, output, new_readings) in zip(self.parts, snapshot.parts, strict=True):
            part.state, part.next, part.life, part.output = state, due, life, output
            part.new_readings = list(new_readings)
            if part.failed_thrusters is not None:
                self._use_detected(part, None)

    def _failure_text(self, part: RunningPart, error: Exception) -> str:
        """What a part raised; a bundled one may have been given a wrong reference by a user-defined guidance."""
        text, guidance = failure_text(error), self._guidance
        if isinstance(guidance, UnfilledRole) or part.scheduled.role <= Role.GUIDANCE:
            return text
        origin = origin_text(guidance.scheduled.part)
        if not origin or origin_text(part.scheduled.part):
            return text
        return f'{text}; its reference is {shown(guidance.output)} of "{guidance.scheduled.name}"{origin}'

    def _failure(self, part: RunningPart, time_ns: int, what: str) -> LoopError:
        role, name = part.scheduled.role.name.lower(), part.scheduled.name
        origin = "" if RAISED_AT in what else origin_text(part.scheduled.part)
        return LoopError(f'"{self._name}", {role} "{name}"{origin} {what}', time_ns)
