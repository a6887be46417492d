"""The one way in which Remora listens: on loopback, for clients that show a token first, a few at a time.

A web page that a browser has open, and a program of another user, can reach every port of this machine. Neither knows
the token. A connection gets a thread only once it has shown it; until then it has `GREETING` seconds and
`LONGEST_GREETING` bytes, and a new one takes the place of the oldest of `MOST_STRANGERS`.
"""

import hmac
import os
import secrets
import selectors
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeAlias, final

from remora.files.writing import write_atomically

LOOPBACK = "127.0.0.1"
GREETING = 5.0  # s in which a client shows the token
LONGEST_GREETING = 16384  # bytes; a browser sends the head of its request
MOST_STRANGERS = 16  # connections without the token
MOST_CLIENTS = 8  # connections with it
SENDING = 2.0  # s that a client may take to read what was sent
_ADMITTED, _BUSY = b"ok token\n", b"error there are too many connections: close one\n"
_REFUSED = b"error the first line is not: token TOKEN, with the token that was printed with the port\n"


class WrongTokenError(ConnectionError):
    """The other side did not take the token."""


class Verdict(NamedTuple):
    """What becomes of a connection after its first bytes."""

    is_admitted: bool
    answer: bytes  # sent at once
    request: str = ""  # what the client asks for
    rest: bytes = b""  # bytes after the greeting


Judge: TypeAlias = Callable[[bytes], Verdict | None]  # of the first bytes of a connection; None: wait for more


class Client(NamedTuple):
    """A connection that has shown the token."""

    connection: socket.socket
    request: str
    rest: bytes


class _Stranger(NamedTuple):
    """A connection that has not shown the token yet."""

    since: float  # s
    received: bytes


def is_token(given: bytes, token: str) -> bool:
    """Whether bytes are the token, in a time that does not tell how many of them are right."""
    return hmac.compare_digest(given, token.encode())


def line_judge(token: str, port: int) -> Judge:
    """Admits clients whose first line is `token TOKEN`; a request of a browser is refused at its first byte."""
    begin = b"token "

    def judge(received: bytes) -> Verdict | None:
        line, newline, rest = received.partition(b"\n")
        if newline and line.startswith(begin) and is_token(line.removeprefix(begin).rstrip(b"\r"), token):
            return Verdict(True, _ADMITTED, rest=rest)
        if newline or not received.startswith(begin[: len(received)]):
            return Verdict(False, b"" if received[:1].isupper() else _REFUSED)  # no word for a request of HTTP
        return None

    return judge


def write_token(path: str | os.PathLike[str], token: str) -> None:
    """Write a token into a file that only its owner may read."""

    def write(file: Path) -> None:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(f"{token}\n")

    write_atomically(Path(path), write)


def read_token(path: str | os.PathLike[str]) -> str:
    """The token in a file; ValueError where there is none."""
    with open(path, encoding="utf-8", errors="replace") as file:
        token = file.read(1000).strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(
            f"{os.fspath(path)}: holds no token. Give the file that the vehicle process wrote its token to."
        )
    return token


@final
class Listener:
    """A TCP port of 127.0.0.1 (0: any free one); `accept` gives the clients that have shown `token`."""

    def __init__(self, port: int = 0, judge_of: Callable[[str, int], Judge] = line_judge) -> None:
        try:
            self._server = socket.create_server((LOOPBACK, port))
        except OSError as error:
            text = f"port {port} of {LOOPBACK} cannot be used: {error.strerror}. Give another port."
            raise ValueError(text) from None
        self.port, self.token = int(self._server.getsockname()[1]), secrets.token_urlsafe(16)
        self._judge = judge_of(self.token, self.port)
        self._strangers: dict[socket.socket, _Stranger] = {}
        self._selector = selectors.DefaultSelector()
        self._closing, self._wakes = socket.socketpair()
        for each in (self._server, self._wakes):
            each.setblocking(False)
            self._selector.register(each, selectors.EVENT_READ)

    def accept(self, timeout: float | None = None) -> Client | None:
        """The next client; None when none came within a time in s, or when the listener is being closed."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            self._drop_late()
            for key, _ in self._selector.select(self._wait(until)):
                if key.fileobj is self._wakes:
                    return None
                assert isinstance(key.fileobj, socket.socket)
                if key.fileobj is self._server:
                    self._take()
                elif (client := self._heard(key.fileobj)) is not None:
                    return client
            if until is not None and time.monotonic() >= until:
                return None

    def _wait(self, until: float | None) -> float | None:
        """Time in s until a connection is too late, or the time given to `accept` has passed; None for neither."""
        ends = [one.since + GREETING for one in self._strangers.values()]
        if until is not None:
            ends.append(until)
        return max(min(ends) - time.monotonic(), 0.0) if ends else None

    def _take(self) -> None:
        """Take a new connection."""
        try:
            connection, _ = self._server.accept()
        except OSError:
            return  # it has gone already
        connection.setblocking(False)
        while len(self._strangers) >= MOST_STRANGERS:
            self._forget(next(iter(self._strangers))).close()
        self._strangers[connection] = _Stranger(time.monotonic(), b"")
        self._selector.register(connection, selectors.EVENT_READ)

    def _heard(self, connection: socket.socket) -> Client | None:
        """The client that a connection has become with its last bytes; a wrong one is closed."""
        if connection not in self._strangers:
            return None  # closed for a newer one
        since, received = self._strangers[connection]
        try:
            new = connection.recv(LONGEST_GREETING)
        except BlockingIOError:
            return None
        except OSError:
            new = b""
        received += new
        verdict = self._judge(received) if new else Verdict(False, b"")
        if verdict is None and len(received) < LONGEST_GREETING:
            self._strangers[connection] = _Stranger(since, received)
            return None
        self._forget(connection)
        verdict = verdict or Verdict(False, b"")
        if answered(connection, verdict.answer) and verdict.is_admitted:
            return Client(connection, verdict.request, verdict.rest)
        connection.close()
        return None

    def _drop_late(self) -> None:
        """Close connections that did not show the token in time."""
        for connection in [one for one, (since, _) in self._strangers.items() if since + GREETING <= time.monotonic()]:
            self._forget(connection).close()

    def _forget(self, connection: socket.socket) -> socket.socket:
        del self._strangers[connection]
        self._selector.unregister(connection)
        return connection

    def wake(self) -> None:
        """Let `accept` return None, now and from now on."""
        self._closing.close()

    def close(self) -> None:
        """Stop listening; `accept` must have returned."""
        for connection in [*self._strangers]:
            self._forget(connection).close()
        self._selector.close()
        for each in (self._server, self._wakes, self._closing):
            each.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()


def answered(connection: socket.socket, answer: bytes) -> bool:
    """Whether an answer could be sent, within `SENDING` seconds."""
    try:
        connection.settimeout(SENDING)
        connection.sendall(answer)
    except OSError:
        return False
    return True


@final
class Server:
    """Serves the clients of a listener in threads, at most `MOST_CLIENTS` at a time, until closed."""

    def __init__(self, listener: Listener, serve: Callable[[Client], None], name: str) -> None:
        self._listener, self._serve, self._name = listener, serve, name
        self._clients: dict[socket.socket, threading.Thread] = {}
        self._changing = threading.Lock()
        self._thread = threading.Thread(target=self._accept_all, name=name, daemon=True)
        self._thread.start()

    def _accept_all(self) -> None:
        while (client := self._listener.accept()) is not None:
            with self._changing:
                is_full = len(self._clients) >= MOST_CLIENTS
                if not is_full:
                    thread = threading.Thread(target=self._served, args=(client,), name=self._name, daemon=True)
                    self._clients[client.connection] = thread
                    thread.start()
            if is_full:
                answered(client.connection, _BUSY)
                client.connection.close()

    def _served(self, client: Client) -> None:
        try:
            self._serve(client)
        except OSError:
            pass  # the client has gone, or does not read
        finally:
            with self._changing:
                del self._clients[client.connection]
            client.connection.close()

    def close(self) -> None:
        """End all connections and stop listening."""
        self._listener.wake()
        self._thread.join()
        self._listener.close()
        with self._changing:
            threads = [*self._clients.values()]
            for connection in self._clients:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(SENDING)


def connected(port: int, token: str, timeout: float) -> socket.socket:
    """A connection to a port of 127.0.0.1 that takes lines and has admitted this client; OSError otherwise."""
    connection = socket.create_connection((LOOPBACK, port), timeout=timeout)
    try:
        connection.sendall(f"token {token}\n".encode())
        answer = b""
        while not answer.endswith(b"\n") and len(answer) < len(_REFUSED) and (byte := connection.recv(1)):
            answer += byte  # one by one: what follows belongs to the reader of lines
        if answer != _ADMITTED:
            said = answer.decode("utf-8", "replace").strip()[:80]
            raise WrongTokenError(f"the token was not taken{f'; the answer was {said!r}' if said else ''}")
    except BaseException:
        connection.close()
        raise
    return connection
