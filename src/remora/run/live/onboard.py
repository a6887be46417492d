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

from remora.files.units import SECOND
from remora.logs.schema import Level
from remora.messages.reading import Reading, Status, no_values
from remora.messages.truth import Truth
from remora.run.live.listener import LOOPBACK, WrongTokenError, connected
from remora.run.live.messages import CommandsMessage, MessageError, ProcessLink, ProcessLinkError, ReadingsMessage
from remora.run.live.vehicle_process import SAFE_AFTER, WAITS, check_remote, exchange_period
from remora.run.loop.actuator_chain import RunningActuators
from remora.run.loop.errors import LoopError
from remora.run.loop.part_schedule import RunningParts
from remora.run.loop.sensor_schedule import is_sound
from remora.run.recorder import Recorder
from remora.run.setup import Setup

_SAME = "Start both with the same scenario."


class OnboardReport(NamedTuple):
    """Timing of the on-board process."""

    exchanges: int
    overruns: int  # exchanges whose computation took longer than their period
    longest: float  # s, computation of one exchange
    jitter: float  # s, RMS deviation of the interval between two messages from the period
    worst_jitter: float  # s
    ended: str  # why it ended
    gaps: int  # of more than SAFE_AFTER between the times of two messages
    refused: tuple[str, ...]  # sensors whose readings were not finite
    is_complete: bool = True  # whether the run lasted to its end

    @property
    def text(self) -> str:
        """One line."""
        gaps = f"{self.gaps} gaps in the time of the vehicle, " if self.gaps else ""
        bad = f"{', '.join(self.refused)} not finite and not used, " if self.refused else ""
        return (
            f"{gaps}{bad}{self.exchanges} exchanges, {self.overruns} overruns, "
            f"longest computation {1e3 * self.longest:.2f} ms, jitter {1e3 * self.jitter:.2f} ms RMS "
            f"and {1e3 * self.worst_jitter:.2f} ms at most; {self.ended}"
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
        self._counts = {one.description.name: len(one.description.channels) for one in vehicle.sensors}
        self._last_ns, self.gaps, self.refused = -1, 0, dict[str, None]()
        start = np.array(vehicle.start, dtype=float)
        self._actuators = RunningActuators(setup.vehicles[0], vehicle.plant.packed, start, None, None)
        self.parts = RunningParts(setup, vehicle, UnknownTruth(), self._actuators, self._readings, recorder)

    def commands(self, message: ReadingsMessage) -> CommandsMessage:
        """The commands for the readings of one message; MessageError for one of another scenario."""
        time_ns, last_ns = message.time_ns, self._last_ns
        if time_ns <= last_ns:
            raise MessageError(f"the time of the vehicle went from {last_ns / SECOND:g} s to {time_ns / SECOND:g} s")
        if last_ns < 0 and not 0 <= time_ns <= SAFE_AFTER * SECOND:
            raise MessageError(f"the vehicle begins at {time_ns / SECOND:g} s: times count from the start of the run")
        self.gaps += time_ns - max(last_ns, 0) > SAFE_AFTER * SECOND
        readings = tuple(self._sound(reading, time_ns) for reading in message.readings)
        self._last_ns = time_ns
        self._readings.receive(readings)
        if self._recorder is not None:
            for reading in readings:
                self._recorder.reading_log(reading.sensor)(min(max(reading.stamp_ns, 0), time_ns), reading)
        self.parts.run(time_ns // self._setup.step_ns, time_ns)
        return CommandsMessage(time_ns, tuple(self._actuators.commands.tolist()))

    def _sound(self, reading: Reading, time_ns: int) -> Reading:
        """A reading of a sensor of the scenario; one with values that are no numbers counts as off, and is reported."""
        count = self._counts.get(reading.sensor)
        if count is None:
            known = ", ".join(self._counts)
            raise MessageError(f"the vehicle sent {reading.sensor[:80]!r}; the scenario has {known}. {_SAME}")
        if len(reading.values) != count:
            given = f"{len(reading.values)} values of {reading.sensor}, which has {count}"
            raise MessageError(f"the vehicle sent {given}. {_SAME}")
        is_bad = not is_sound(reading) or (reading.status == Status.PARTIAL and any(map(math.isinf, reading.values)))
        if not is_bad:
            return reading
        if reading.sensor not in self.refused and self._recorder is not None:
            self._recorder.event(time_ns, reading.sensor, "error", "not a number. Such readings count as off.")
        self.refused[reading.sensor] = None
        return reading._replace(status=Status.OFF, values=no_values(count))

    def finish(self, report: OnboardReport, time_ns: int) -> None:
        """Write the timing into the log."""
        if self._recorder is not None:
            is_fine = report.is_complete and not report.refused
            level: Level = "error" if not is_fine else "warning" if report.overruns or report.gaps else "info"
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
        is_long = time_ns + 2 * exchange_period(setup) >= setup.duration_ns
        report = report._replace(is_complete=report.is_complete and is_long)
        onboard.finish(report, time_ns)
        return report
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
    last, time_ns, ended, is_sane = math.nan, 0, "", True
    while not ended:
        try:
            line = link.receive(WAITS)
            if line is None:
                ended = f"the vehicle was silent for {WAITS:g} s"
                break
            arrived = time.perf_counter()
            message = ReadingsMessage.parsed(line)
            link.send(onboard.commands(message).line())
        except (ProcessLinkError, LoopError) as error:
            ended, is_sane = str(error), not isinstance(error, MessageError | LoopError)
            break
        took, off = time.perf_counter() - arrived, arrived - last - period
        exchanges, time_ns, last = exchanges + 1, message.time_ns, arrived
        overruns, longest = overruns + (took > period), max(longest, took)
        if math.isfinite(off):
            squares, worst = squares + off * off, max(worst, abs(off))
    jitter = math.sqrt(squares / max(exchanges - 1, 1))
    timing = (exchanges, overruns, longest, jitter, worst)
    return OnboardReport(*timing, ended, onboard.gaps, tuple(onboard.refused), is_sane), time_ns
