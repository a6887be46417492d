"""Server for operators of a running loop: lines of text over TCP, on this machine only."""

import socketserver
import threading
from typing import Any, Self, final

from remora.simulation.live.operator_lines import LONGEST_LINE, OperatorSession
from remora.simulation.loop.loop import Loop

LOOPBACK = "127.0.0.1"


class _Lines(socketserver.StreamRequestHandler):
    """One connection."""

    server: "_Server"

    def handle(self) -> None:
        """Answer each line until the operator leaves."""
        session = OperatorSession(self.server.loop, self.server.pilots)
        try:
            while raw := self.rfile.readline(2 * LONGEST_LINE):
                is_whole = raw.endswith(b"\n")
                while not is_whole and not raw.endswith(b"\n") and (more := self.rfile.readline(2 * LONGEST_LINE)):
                    raw = raw[: 2 * LONGEST_LINE] + more[-1:]  # the rest of a line that is too long
                answer = session.answer(raw.decode("utf-8", "replace").rstrip("\r\n"))
                self.wfile.write(f"{answer}\n".encode())
        except OSError:
            pass  # the connection broke; the session ends as when the operator leaves
        finally:
            session.close()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, loop: Loop, port: int) -> None:
        super().__init__((LOOPBACK, port), _Lines)
        self.loop = loop
        self.pilots: dict[str, OperatorSession] = {}


@final
class OperatorServer:
    """Accepts operators of a loop in threads of its own, on a TCP port of 127.0.0.1 (0: any free one), until closed."""

    def __init__(self, loop: Loop, port: int = 0) -> None:
        try:
            self._server = _Server(loop, port)
        except OSError as error:
            raise ValueError(
                f"port {port} of {LOOPBACK} cannot be used: {error.strerror}. Give another port."
            ) from None
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, name="operators", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop accepting lines."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()
