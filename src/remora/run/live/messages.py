"""Messages between a vehicle and its on-board computer in another process: lines of JSON over TCP on loopback."""

import json
import math
import socket
import time
from typing import Any, NamedTuple, Self, final

from remora.messages.reading import Reading, Status
from remora.run.live.listener import answered

CLOSING = 1.0  # s, for which a closing process waits for the other one
LATEST = 1 << 62  # ns, beyond any run
LONGEST_MESSAGE = 10_000_000  # bytes; a sonar image has some thousand numbers


class ProcessLinkError(ConnectionError):
    """The other process has gone, or sent something that is no message."""


class MessageError(ProcessLinkError):
    """The other process sent something that is no message, or not one for this scenario."""


def parsed_json(line: str) -> Any:
    """The JSON of a line; ValueError otherwise."""
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("its lists are nested too deeply") from None


def whole_ns(value: Any) -> int:
    """A time in ns; ValueError for what is no whole number, or beyond any run."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not abs(value) < LATEST or value != int(value):
        raise ValueError(f"{json.dumps(value)[:40]} is no time in whole nanoseconds")
    return int(value)


def numbers(values: Any) -> tuple[float, ...]:
    """Numbers of a list, also NaN; ValueError otherwise."""
    if not isinstance(values, list) or any(type(value) not in (int, float) for value in values):
        raise ValueError(f"{json.dumps(values)[:40]} is no list of numbers")
    return tuple(float(value) for value in values)


class ReadingsMessage(NamedTuple):
    """From the vehicle: the readings that arrived since the last message, and the time."""

    time_ns: int
    readings: tuple[Reading, ...]

    def line(self) -> str:
        """The message as one line."""
        return json.dumps([self.time_ns, [list(reading) for reading in self.readings]])

    @classmethod
    def parsed(cls, line: str) -> Self:
        """The message of a line; ProcessLinkError otherwise."""
        try:
            time_ns, rows = parsed_json(line)
            return cls(whole_ns(time_ns), tuple(_reading(*row) for row in rows))
        except (TypeError, ValueError, OverflowError) as error:
            raise MessageError(f"the vehicle sent {line[:80]!r}, which holds no readings: {error}") from None


def _reading(sensor: Any, stamp: Any, arrival: Any, status: Any, values: Any) -> Reading:
    """The reading of a row of a message."""
    return Reading(str(sensor), whole_ns(stamp), whole_ns(arrival), Status(status), numbers(values))


class CommandsMessage(NamedTuple):
    """From the on-board computer: commands of all actuators, for the readings of this time."""

    time_ns: int
    commands: tuple[float, ...]

    def line(self) -> str:
        """The message as one line."""
        return json.dumps([self.time_ns, list(self.commands)])

    @classmethod
    def parsed(cls, line: str) -> Self:
        """The message of a line; ProcessLinkError otherwise."""
        try:
            time_ns, commands = parsed_json(line)
            found = cls(whole_ns(time_ns), numbers(commands))
            if not all(map(math.isfinite, found.commands)):
                raise ValueError("some are not finite")
        except (TypeError, ValueError, OverflowError) as error:
            raise MessageError(f"the computer sent {line[:80]!r}, which holds no commands: {error}") from None
        return found


@final
class ProcessLink:
    """Lines over an open connection, after bytes that have arrived already; `close` closes it.

    More bytes in a line than `longest` are an error.
    """

    def __init__(self, connection: socket.socket, received: bytes = b"", longest: int = LONGEST_MESSAGE) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection, self._rest, self._longest = connection, received, longest

    def send(self, line: str) -> None:
        """Send a line; ProcessLinkError when the other process has gone, or does not read."""
        if not answered(self._connection, line.encode() + b"\n"):
            raise ProcessLinkError("the connection is lost")

    def receive(self, timeout: float) -> str | None:
        """The next line; None where none comes within a time in s. ProcessLinkError when the other process has gone."""
        until = time.monotonic() + timeout
        while b"\n" not in self._rest:
            if len(self._rest) > self._longest:
                raise ProcessLinkError(f"a message has more than {self._longest} bytes")
            try:
                self._connection.settimeout(max(until - time.monotonic(), 0.0))
                found = self._connection.recv(1 << 16)
            except (TimeoutError, BlockingIOError):
                return None
            except OSError as error:
                raise ProcessLinkError(f"the connection is lost: {error}") from None
            if not found:
                raise ProcessLinkError("the connection is closed")
            self._rest += found
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace")

    def close(self) -> None:
        """Close the connection, after what the other process still sends: unread bytes would reset it there."""
        try:
            self._connection.shutdown(socket.SHUT_WR)
            self._connection.settimeout(CLOSING)
            while self._connection.recv(1 << 16):
                pass
        except OSError:
            pass  # the other process has gone
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()
