"""The on-board parts of a scenario against a vehicle in another process: readings in, commands out, in real time."""

import math
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from types import MappingProxyType
from typing import NamedTuple, final

import numpy as np

from remora.logs.schema import Level
from remora.messages.reading import Reading
from remora.messages.truth import Truth
from remora.simulation.live.listener import LOOPBACK, WrongTokenError, connected
from remora.simulation.live.messages import CommandsMessage, ProcessLink, ProcessLinkError, ReadingsMessage
from remora.simulation.live.vehicle_process import WAITS, check_remote, exchange_period
from remora.simulation.loop.actuator_chain import RunningActuators
from remora.simulation.loop.clock import SECOND
from remora.simulation.loop.part_schedule import RunningParts
from remora.simulation.recorder import Recorder
from remora.simulation.setup import Setup


class OnboardReport(NamedTuple):
    """Timing of the on-board process."""

    exchanges: int
    overruns: int  # exchanges whose computation took longer than their period
    longest: float  # s, computation of one exchange
    jitter: float  # s, RMS deviation of the interval between two messages from the period
    worst_jitter: float  # s
    ended: str  # why it ended
    is_complete: bool = True  # whether the run lasted to its end

    @property
    def text(self) -> str:
        """One line."""
        return (
            f"{self.exchanges} exchanges, {self.overruns} overruns, longest computation {1e3 * self.longest:.2f} ms, "
            f"jitter {1e3 * self.jitter:.2f} ms RMS and {1e3 * self.worst_jitter:.2f} ms at most; {self.ended}"
        )


@final
class ReceivedReadings:
    """Readings that came over the link, as the parts see those of simulated sensors."""

    def __init__(self, vehicle: str) -> None:
        self._prefix = f"{vehicle}/"
        self.in_transit: list[Reading] = []
        self._readings: dict[str, Reading] = {}
        self.readings: Mapping[str, Reading] = MappingProxyType(self._readings)

    def receive(self, readings: tuple[Reading, ...]) -> None:
        """Take the readings of a message."""
        self.in_transit += readings

    def arrived(self, time_ns: int) -> list[Reading]:
        """All readings of the message; the vehicle sends what has arrived."""
        found, self.in_transit = self.in_transit, []
        for reading in found:
            self._readings[reading.sensor.removeprefix(self._prefix)] = reading
        return found

    def losses(self) -> str:
        """Nothing: the reasons for lost measurements stay with the vehicle."""
        return ""


@final
class UnknownTruth:
    """The truth, which an on-board process does not know."""

    def truth_for_parts(self, time_ns: int) -> Truth:
        """None of the checked parts asks for it."""
        raise ProcessLinkError("an on-board process does not know the truth")


@final
class OnboardProcess:
    """The parts of a scenario, run once per message of the vehicle; a recorder, if any, writes inputs and outputs."""

    def __init__(self, setup: Setup, recorder: Recorder | None = None) -> None:
        check_remote(setup)
        vehicle = replace(setup.vehicles[0], drive=None, battery=None, faults=())
        self._setup, self._recorder, self._name = setup, recorder, vehicle.name
        self._readings = ReceivedReadings(vehicle.name)
        start = np.array(vehicle.start, dtype=float)
        self._actuators = RunningActuators(setup.vehicles[0], vehicle.plant.packed, start, None, None)
        self.parts = RunningParts(setup, vehicle, UnknownTruth(), self._actuators, self._readings, recorder)

    def commands(self, message: ReadingsMessage) -> CommandsMessage:
        """The commands for the readings of one message."""
        self._readings.receive(message.readings)
        if self._recorder is not None:
            for reading in message.readings:
                self._recorder.reading_log(reading.sensor)(reading.stamp_ns, reading)
        self.parts.run(message.time_ns // self._setup.step_ns, message.time_ns)
        return CommandsMessage(message.time_ns, tuple(self._actuators.commands.tolist()))

    def finish(self, report: OnboardReport, time_ns: int) -> None:
        """Write the timing into the log."""
        if self._recorder is not None:
            level: Level = "warning" if report.overruns else "info"
            self._recorder.event(time_ns, f"{self._name}/onboard", level, report.text, report._asdict())


def run_onboard(
    setup: Setup, port: int, token: str | Callable[[], str], *, log: str | PathLike[str] | None = None
) -> OnboardReport:
    """Run the parts of a setup against the vehicle that listens on a TCP port of 127.0.0.1, until it ends.

    The token is that of the vehicle, or a function that reads it, which is called until the vehicle takes the token.
    """
    recorder = None if log is None else Recorder.open(setup, log)
    try:
        onboard = OnboardProcess(setup, recorder)
        with ProcessLink(_connected(port, token)) as link:
            report, time_ns = _exchanged(onboard, link, exchange_period(setup) / SECOND)
        onboard.finish(report, time_ns)
        return report._replace(is_complete=time_ns + 2 * exchange_period(setup) >= setup.duration_ns)
    finally:
        if recorder is not None:
            recorder.close()


def _connected(port: int, token: str | Callable[[], str]) -> socket.socket:
    """A connection to the vehicle, which may start a little later."""
    until = time.monotonic() + WAITS
    while True:
        try:
            return connected(port, token if isinstance(token, str) else token(), WAITS)
        except OSError as error:
            if time.monotonic() > until or (isinstance(token, str) and isinstance(error, WrongTokenError)):
                raise ProcessLinkError(f"no vehicle on port {port} of {LOOPBACK}: {error}") from None
            time.sleep(0.1)


def _exchanged(onboard: OnboardProcess, link: ProcessLink, period: float) -> tuple[OnboardReport, int]:
    """Exchange messages until the vehicle ends; timing, and the time of the last message in ns."""
    exchanges, overruns, longest, squares, worst = 0, 0, 0.0, 0.0, 0.0
    last, time_ns, ended = math.nan, 0, ""
    while not ended:
        try:
            line = link.receive(WAITS)
            if line is None:
                ended = f"the vehicle was silent for {WAITS:g} s"
                break
            arrived = time.perf_counter()
            message = ReadingsMessage.parsed(line)
            link.send(onboard.commands(message).line())
        except ProcessLinkError as error:
            ended = str(error)
            break
        took, off = time.perf_counter() - arrived, arrived - last - period
        exchanges, time_ns, last = exchanges + 1, message.time_ns, arrived
        overruns, longest = overruns + (took > period), max(longest, took)
        if math.isfinite(off):
            squares, worst = squares + off * off, max(worst, abs(off))
    jitter = math.sqrt(squares / max(exchanges - 1, 1))
    return OnboardReport(exchanges, overruns, longest, jitter, worst, ended), time_ns
