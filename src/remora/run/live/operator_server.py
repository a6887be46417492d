"""Server for operators of a running loop: lines of text over TCP, on this machine only."""

from typing import Any, Self, final

from remora.run.live.listener import Client, Listener, Server
from remora.run.live.messages import ProcessLink, ProcessLinkError
from remora.run.live.operator_lines import OperatorSession
from remora.run.loop.loop import Loop

IDLE = 300.0  # s without a line after which a connection is closed
LONGEST_INPUT = 4096  # bytes of a line; a longer one closes the connection


@final
class OperatorServer:
    """Takes operators of a loop who show `token`, on a TCP port of 127.0.0.1 (0: any free one), until closed."""

    def __init__(self, loop: Loop, port: int = 0) -> None:
        listener = Listener(port)
        self.port, self.token = listener.port, listener.token
        self._loop, self._pilots = loop, dict[str, OperatorSession]()
        self._server = Server(listener, self._serve, "operator")

    def _serve(self, client: Client) -> None:
        """Answer each line until the operator leaves or is silent for too long."""
        session = OperatorSession(self._loop, self._pilots)
        try:
            with ProcessLink(client.connection, client.rest, LONGEST_INPUT) as link:
                while (line := link.receive(IDLE)) is not None:
                    link.send(session.answer(line.rstrip("\r")))
                link.send(f"error there was no line for {IDLE:g} s; the connection is closed")
        except ProcessLinkError:
            pass  # the operator has gone, or sent a line without end
        finally:
            session.close()

    def close(self) -> None:
        """End all connections and take no more."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()
