"""Messages between a vehicle and its on-board computer in another process: lines of JSON over TCP on loopback."""

import json
import socket
import time
from typing import Any, NamedTuple, Self, final

from remora.messages.reading import Reading, Status
from remora.simulation.live.listener import answered

CLOSING = 1.0  # s, for which a closing process waits for the other one
LONGEST_MESSAGE = 10_000_000  # bytes; a sonar image has some thousand numbers


class ProcessLinkError(ConnectionError):
    """The other process has gone, or sent something that is no message."""


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
            time_ns, rows = json.loads(line)
            return cls(
                int(time_ns),
                tuple(
                    Reading(str(sensor), int(stamp), int(arrival), Status(status), tuple(map(float, values)))
                    for sensor, stamp, arrival, status, values in rows
                ),
            )
        except (TypeError, ValueError) as error:
            raise ProcessLinkError(f"the vehicle sent {line[:80]!r}, which holds no readings: {error}") from None


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
            time_ns, commands = json.loads(line)
            return cls(int(time_ns), tuple(map(float, commands)))
        except (TypeError, ValueError) as error:
            raise ProcessLinkError(f"the computer sent {line[:80]!r}, which holds no commands: {error}") from None


@final
class ProcessLink:
    """Lines over an open connection; `close` closes it.

    Parameters
    ----------
    connection
        The connection.
    received
        Bytes that have arrived already.
    longest
        Bytes of a line, above which it is an error.
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
