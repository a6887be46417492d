"""Live view of a run: its page on loopback, fed by server-sent events while the run is simulated.

The address of the page holds a token, and pages of other origins get nothing.
"""

import json
import math
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, final

import numpy as np

from remora.files.arrays import Array
from remora.logs.log import Log, Series
from remora.logs.schema import Channel, Level
from remora.messages.part import Role
from remora.report.mission_page.page import live_page
from remora.report.mission_page.scene_content import obstacle_ends
from remora.run.live.listener import LOOPBACK, Client, Judge, Listener, Server, Verdict, is_token
from remora.run.loop.loop import Loop
from remora.run.loop.vehicle_run import VehicleRun
from remora.run.recorder import part_channel, reading_row, sampled_channels, sensor_channel
from remora.run.run_description import run_header
from remora.run.setup import Setup

_END = b"\r\n\r\n"
_LINE = re.compile(rb"([A-Z]+) (/[!-~]*) HTTP/1\.[01]")
# For the browser: no other page may embed or read this one, and its address goes nowhere.
_RULES = (
    "Cache-Control: no-store",
    "Content-Security-Policy: frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy: same-origin",
    "Referrer-Policy: no-referrer",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
)
_LAST_ROWS = 5.0  # s that viewers have to fetch the last rows after the run
_MOST_MESSAGES = 200_000  # kept for viewers that come late
_READING = 30.0  # s that a viewer may take to read what was sent
_STILL, _NOTHING = 5.0, b":\n\n"  # s without a message after which an empty one shows whether the viewer is still there


def response_head(kind: str, status: str = "200 OK") -> bytes:
    """Head of a response with a content of a kind, which ends with the connection."""
    return "\r\n".join((f"HTTP/1.1 {status}", f"Content-Type: {kind}", *_RULES, "", "")).encode()


def request_judge(token: str, port: int) -> Judge:
    """Admits requests of this machine's own page, `http://127.0.0.1:PORT/TOKEN/`, and gives the path below it."""
    hosts = {f"{name}:{port}".encode() for name in (LOOPBACK, "localhost")}
    origins = {b"http://" + host for host in hosts}

    def judge(received: bytes) -> Verdict | None:
        if not re.match(rb"[A-Z]{1,10}(?![^ A-Z])", received):
            return _refused("400 Bad Request", "this is no request of a browser")
        if _END not in received:
            return None
        first, *lines = received.partition(_END)[0].split(b"\r\n")
        headers = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(b":") for line in lines)]
        if [value.lower() for name, value in headers if name == b"host"] not in [[host] for host in hosts]:
            return _refused("421 Misdirected Request", "the live view has another address")
        if any(name == b"origin" and value not in origins for name, value in headers):
            return _refused("403 Forbidden", "the live view answers no other pages")
        return _asked(first, token)

    return judge


def _asked(line: bytes, token: str) -> Verdict:
    """The verdict on the first line of a request from the right origin."""
    found = _LINE.fullmatch(line)
    if found is None:
        return _refused("400 Bad Request", "this is no request of a browser")
    method, path = found.groups()
    given, slash, rest = path[1:].partition(b"/")
    if not slash or not is_token(given, token):
        return _refused("403 Forbidden", "the address lacks the token: open the one that remora run has printed")
    if method != b"GET":
        return _refused("405 Method Not Allowed", "the live view is only for reading")
    return Verdict(True, b"", request=rest.decode("ascii"))


def _refused(status: str, text: str) -> Verdict:
    return Verdict(False, response_head("text/plain; charset=utf-8", status) + text.encode() + b"\n")


@final
class LiveView:
    """Server of a running simulation on a free port of loopback; `send` after each piece of the run.

    The address holds a token, so that no other page or user can read the run.
    """

    def __init__(self, setup: Setup) -> None:
        self._sampled = {vehicle.name: sampled_channels(setup, vehicle) for vehicle in setup.vehicles}
        self._guidance = {
            vehicle.name: (part_channel(vehicle, one).name, one.part.row)
            for vehicle in setup.vehicles
            for one in vehicle.parts
            if one.role == Role.GUIDANCE and one.part.fields
        }
        self._sent: dict[str, int] = {}  # stamp of the latest reading, by channel
        self._messages: list[bytes] = []
        self._events: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._ended = False
        self._streams = 0
        self._page = live_page(_empty_log(setup), setup.duration_ns * 1e-9, _expected_places(setup)).encode()
        listener = Listener(0, request_judge)
        self._address = f"http://{LOOPBACK}:{listener.port}/{listener.token}/"
        self._server = Server(listener, self._serve, "live view")

    @property
    def url(self) -> str:
        """Address of the page, with its token."""
        return self._address

    def event(self, time_ns: int, source: str, level: Level, text: str) -> None:
        """Take an event of the run."""
        self._events.append({"time": time_ns * 1e-9, "source": source, "level": level, "text": text})

    def send(self, loop: Loop) -> None:
        """Send the present values of all sampled channels and of guidance, and the readings that have arrived."""
        rows = {
            name: [value if math.isfinite(value) else None for value in map(float, values)]
            for run in loop.vehicles
            for name, values in (*self._samples(run), *self._new_readings(run))
        }
        self._post({"time": loop.time_ns * 1e-9, "rows": rows})

    def _samples(self, run: VehicleRun) -> Iterator[tuple[str, Sequence[float]]]:
        """Names and rows of the sampled channels of a vehicle, and of its guidance."""
        for sampled in self._sampled[run.name]:
            yield sampled.channel.name, sampled.row(run).tolist()
        if run.name in self._guidance and (reference := run.parts.reference) is not None:
            name, row = self._guidance[run.name]
            yield name, row(reference)

    def _new_readings(self, run: VehicleRun) -> Iterator[tuple[str, Sequence[float]]]:
        """Names and rows of the sensors of a vehicle with a newer reading than the one sent."""
        for sensor in run.vehicle.sensors:
            name = sensor_channel(sensor).name
            reading = run.sensors.readings.get(sensor.description.name.removeprefix(f"{run.name}/"))
            if reading is not None and reading.stamp_ns != self._sent.get(name):
                self._sent[name] = reading.stamp_ns
                yield name, reading_row(reading)

    def close(self, loop: Loop) -> None:
        """Send the last rows, wait until viewers have them, and end the server."""
        self.send(loop)
        self._post({"time": loop.time_ns * 1e-9, "ended": True})
        with self._changed:
            self._ended = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._streams == 0, timeout=_LAST_ROWS)
        self._server.close()

    def _post(self, message: dict[str, Any]) -> None:
        message["events"], self._events = self._events, []
        with self._changed:
            if len(self._messages) < _MOST_MESSAGES or message.get("ended"):
                self._messages.append(b"data: " + json.dumps(message).encode() + b"\n\n")
            self._changed.notify_all()

    def _serve(self, client: Client) -> None:
        """Answer a request: the page, or the stream of rows."""
        client.connection.settimeout(_READING)
        write = client.connection.sendall
        if client.request == "events":
            write(response_head("text/event-stream"))
            self._stream(write)
        elif client.request == "":
            write(response_head("text/html; charset=utf-8") + self._page)
        else:
            write(response_head("text/plain", "404 Not Found"))

    def _stream(self, write: Callable[[bytes], None]) -> None:
        """Write all messages, old ones first, until the run has ended."""
        sent, ended = 0, False
        with self._changed:
            self._streams += 1
        try:
            while not ended:
                with self._changed:
                    if len(self._messages) == sent and not self._ended:
                        self._changed.wait(timeout=_STILL)
                    new, ended = self._messages[sent:], self._ended
                write(b"".join(new) or _NOTHING)
                sent += len(new)
        finally:
            with self._changed:
                self._streams -= 1
                self._changed.notify_all()


def _empty_log(setup: Setup) -> Log:
    """Header and channels of a run without rows."""
    channels = {channel.name: channel for channel in _channels(setup)}
    none = np.zeros(0)
    series = {
        name: Series(channel, np.zeros(0, np.int64), dict.fromkeys(channel.names, none))
        for name, channel in channels.items()
    }
    return Log(run_header(setup), channels, series, (), complete=False)


def _expected_places(setup: Setup) -> Array:
    """Starts, goals and obstacles: the ground is drawn around them before there is a path."""
    starts = [tuple(np.asarray(vehicle.start, dtype=float)[:3].tolist()) for vehicle in setup.vehicles]
    parts = [one.part for vehicle in setup.vehicles for one in vehicle.parts]
    goals = [goal for part in parts for goal in getattr(part, "goals", ()) if goal.north_east is not None]
    obstacles = [place for one in setup.environment.scene.obstacles for place in obstacle_ends(one)]
    return np.array([*starts, *((*goal.north_east, goal.depth) for goal in goals), *obstacles])


def _channels(setup: Setup) -> Iterator[Channel]:
    """Channels whose rows are sent, in the order of the log."""
    for vehicle in setup.vehicles:
        yield from (one.channel for one in sampled_channels(setup, vehicle))
        guides = (one for one in vehicle.parts if one.role == Role.GUIDANCE and one.part.fields)
        yield from (part_channel(vehicle, one) for one in guides)
        yield from (sensor_channel(sensor) for sensor in vehicle.sensors)
