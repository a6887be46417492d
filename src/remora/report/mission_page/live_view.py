"""Live view of a run: its page on loopback, fed by server-sent events while the run is simulated."""

import json
import math
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, final

import numpy as np

from remora.logs.log import Log, Series
from remora.logs.schema import Level
from remora.report.mission_page.page import live_page
from remora.simulation.loop.loop import Loop
from remora.simulation.recorder import sampled_channels
from remora.simulation.run_description import run_header
from remora.simulation.sampled_channel import SampledChannel
from remora.simulation.setup import Setup

_LAST_ROWS = 5.0  # s that viewers have to fetch the last rows after the run
_MOST_MESSAGES = 200_000  # kept for viewers that come late


@final
class LiveView:
    """Server of a running simulation on a free port of loopback; `send` after each piece of the run."""

    def __init__(self, setup: Setup) -> None:
        self._sampled = {vehicle.name: sampled_channels(setup, vehicle) for vehicle in setup.vehicles}
        self._messages: list[bytes] = []
        self._events: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._ended = False
        self._streams = 0
        page = live_page(_empty_log(setup, self._sampled), setup.duration_ns * 1e-9).encode()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self, page))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Address of the page."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

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
        self._server.shutdown()
        self._server.server_close()

    def _post(self, message: dict[str, Any]) -> None:
        message["events"], self._events = self._events, []
        with self._changed:
            if len(self._messages) < _MOST_MESSAGES or message.get("ended"):
                self._messages.append(b"data: " + json.dumps(message).encode() + b"\n\n")
            self._changed.notify_all()

    def stream(self, write: Any) -> None:
        """Write all messages, old ones first, until the run has ended."""
        sent, ended = 0, False
        with self._changed:
            self._streams += 1
        try:
            while not ended:
                with self._changed:
                    while len(self._messages) == sent and not self._ended:
                        self._changed.wait()
                    new, ended = self._messages[sent:], self._ended
                write(b"".join(new))
                sent += len(new)
        except OSError:
            return  # the viewer has gone
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


def _handler(view: LiveView, page: bytes) -> type[BaseHTTPRequestHandler]:
    """Request handler that serves the page and the stream of one run."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """The page, or the stream of rows."""
            if self.path == "/events":
                self._begin("text/event-stream")
                view.stream(self.wfile.write)
            elif self.path == "/":
                self._begin("text/html; charset=utf-8")
                self.wfile.write(page)
            else:
                self.send_error(404)

        def _begin(self, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Cache-Control", "no-store")
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            """Requests are not printed."""

    return Handler
