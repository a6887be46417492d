"""Live view of a run: its page on loopback, fed by server-sent events while the run is simulated."""

import json
import math
import threading
from collections.abc import Callable
from typing import Any, final

import numpy as np

from remora.logs.log import Log, Series
from remora.logs.schema import Level
from remora.report.mission_page.live_requests import request_judge, response_head
from remora.report.mission_page.page import live_page
from remora.simulation.live.listener import LOOPBACK, Client, Listener, Server
from remora.simulation.loop.loop import Loop
from remora.simulation.recorder import sampled_channels
from remora.simulation.run_description import run_header
from remora.simulation.sampled_channel import SampledChannel
from remora.simulation.setup import Setup

_LAST_ROWS = 5.0  # s that viewers have to fetch the last rows after the run
_MOST_MESSAGES = 200_000  # kept for viewers that come late
_READING = 30.0  # s that a viewer may take to read what was sent
_STILL, _NOTHING = 5.0, b":\n\n"  # s without a message after which an empty one shows whether the viewer is still there


@final
class LiveView:
    """Server of a running simulation on a free port of loopback; `send` after each piece of the run.

    The address holds a token, so that no other page or user can read the run.
    """

    def __init__(self, setup: Setup) -> None:
        self._sampled = {vehicle.name: sampled_channels(setup, vehicle) for vehicle in setup.vehicles}
        self._messages: list[bytes] = []
        self._events: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._ended = False
        self._streams = 0
        self._page = live_page(_empty_log(setup, self._sampled), setup.duration_ns * 1e-9).encode()
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
        """Send the present values of all sampled channels."""
        rows = {}
        for run in loop.vehicles:
            for sampled in self._sampled[run.name]:
                values = sampled.row(run).tolist()
                rows[sampled.channel.name] = [value if math.isfinite(value) else None for value in values]
        self._post({"time": loop.time_ns * 1e-9, "rows": rows})

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


def _empty_log(setup: Setup, sampled: dict[str, list[SampledChannel]]) -> Log:
    """Header and channels of a run without rows."""
    channels = {one.channel.name: one.channel for several in sampled.values() for one in several}
    none = np.zeros(0)
    series = {
        name: Series(channel, np.zeros(0, np.int64), dict.fromkeys(channel.names, none))
        for name, channel in channels.items()
    }
    return Log(run_header(setup), channels, series, (), complete=False)
