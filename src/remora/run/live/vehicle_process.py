"""A process that plays a vehicle: plant and sensors, with its on-board parts in another process on loopback."""

import math
from dataclasses import replace
from typing import final

from remora.files.units import SECOND
from remora.messages.part import PartInput, Role
from remora.messages.part_options import QuietPart
from remora.run.live.listener import Listener
from remora.run.live.messages import (
    CommandsMessage,
    MessageError,
    ProcessLink,
    ProcessLinkError,
    ReadingsMessage,
)
from remora.run.loop.loop import Loop, RunOutcome, run_loop
from remora.run.recorder import Recorder
from remora.run.setup import ScheduledPart, Setup, SetupError

SAFE_AFTER = 1.0  # s without commands, after which all actuators rest
WAITS = 30.0  # s for the on-board process to connect


def exchange_period(setup: Setup) -> int:
    """Time between two exchanges, ns: the largest that fits the periods of all parts."""
    return math.gcd(*(part.period_ns for part in setup.vehicles[0].parts))


def check_remote(setup: Setup) -> None:
    """SetupError for runs whose parts cannot work in another process."""
    if len(setup.vehicles) != 1:
        raise SetupError(f"{setup.name} has {len(setup.vehicles)} vehicles: a process plays one")
    parts = setup.vehicles[0].parts
    if not parts:
        raise SetupError(f"{setup.name} has no parts to run on board")
    if seeing := [part.name for part in parts if part.sees_truth]:
        raise SetupError(
            f'"{seeing[0]}" sees the truth, which no vehicle sends: give it sensors, e.g. navigation: filter'
        )


@final
class RemoteComputer(QuietPart):
    """Sends readings to the on-board process and gives its latest commands; without any, all actuators rest.

    In step, each exchange waits for the commands of its readings: no real time, but repeatable to the last bit.
    """

    def __init__(self, link: ProcessLink, in_step: bool, actuators: tuple[str, ...]) -> None:
        self._link, self._in_step, self._actuators = link, in_step, actuators
        self.lost_ns: int | None = None  # since when there is no connection
        self.why_lost = ""
        self._answered_ns = -1  # time of the readings of the latest commands

    def initial(self) -> tuple[int, tuple[float, ...] | None]:
        """Time of the latest commands, and these."""
        return 0, None

    def step(
        self, state: tuple[int, tuple[float, ...] | None], now: PartInput
    ) -> tuple[tuple[int, tuple[float, ...] | None], tuple[float, ...] | None]:
        """The latest commands; None, for which all actuators rest, when they are too old."""
        heard_ns, commands = state
        if self.lost_ns is None:
            try:
                self._link.send(ReadingsMessage(now.time_ns, now.new_readings).line())
                while (line := self._link.receive(WAITS if self._in_step else 0.0)) is not None:
                    answer = self._checked(CommandsMessage.parsed(line), now.time_ns)
                    heard_ns, commands = now.time_ns, answer.commands or None
                    if self._in_step and answer.time_ns >= now.time_ns:
                        break
                if self._in_step and line is None:
                    raise ProcessLinkError(f"silent for {WAITS:g} s")
            except ProcessLinkError as error:
                self.lost_ns, self.why_lost = now.time_ns, str(error)
        is_old = self.lost_ns is not None or now.time_ns - heard_ns > SAFE_AFTER * SECOND
        return (heard_ns, commands), None if is_old else commands

    def _checked(self, answer: CommandsMessage, time_ns: int) -> CommandsMessage:
        """The answer; MessageError where it is for no readings that were sent, SetupError where for another vehicle."""
        if not self._answered_ns < answer.time_ns <= time_ns:
            sent = f"commands for {answer.time_ns / SECOND:g} s at {time_ns / SECOND:g} s"
            last = "" if self._answered_ns < 0 else f", after those for {self._answered_ns / SECOND:g} s"
            raise MessageError(f"the computer sent {sent}{last}")
        self._answered_ns, count = answer.time_ns, len(self._actuators)
        if len(answer.commands) in (0, count):
            return answer
        given = f"the on-board process gives {len(answer.commands)} commands, but the vehicle has {count} actuators"
        raise SetupError(f"{given}: {', '.join(self._actuators)}. Start both with the same scenario.")


def play_vehicle(setup: Setup, listener: Listener, *, speed: float | None = 1.0, log: str | None = None) -> RunOutcome:
    """Play the vehicle of a setup for an on-board process that shows the token; ends with the duration.

    The listener is closed when that process has come. The speed is a multiple of real time; with None the run is in
    step with the on-board process.
    """
    with listener:
        check_remote(setup)
        client = listener.accept(WAITS)
        if client is None:
            text = f"no on-board process with the token connected to port {listener.port} within {WAITS:g} s"
            raise ProcessLinkError(text)
    with ProcessLink(client.connection, client.rest) as link:
        computer = RemoteComputer(link, speed is None, tuple(setup.vehicles[0].plant.actuator_names))
        part = ScheduledPart(Role.ALLOCATION, "computer", computer, exchange_period(setup))
        played = replace(setup, vehicles=(replace(setup.vehicles[0], parts=(part,)),))
        recorder = None if log is None else Recorder.open(played, log)
        try:
            outcome = run_loop(Loop(played, recorder), speed=speed)
        finally:
            if recorder is not None:
                recorder.close()
    if computer.lost_ns is not None:
        lost = f"the on-board process was lost at {computer.lost_ns / SECOND:.3f} s, {computer.why_lost}"
        text = f"{lost}; the actuators rested from then on"
        return outcome._replace(stopped=outcome.stopped or text)
    return outcome
