"""Nobody without the token gets through a port that Remora opens, and nobody can fill it."""

import re
import socket
import stat
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.report.mission_page.live_view import LiveView
from remora.run.live import listener, operator_server
from remora.run.live.listener import Listener, WrongTokenError, connected, read_token, write_token
from remora.run.live.operator_server import OperatorServer
from remora.run.loop.loop import Loop
from remora.scenarios import scenario_from_text

ROV = """\
name: live
duration: 60 s
vehicles:
  - name: rov
    file: falcon
    position: [0, 0, 5 m]
    navigation: {part: truth, rate: 20 Hz}
    guidance: {part: pilot, rate: 20 Hz}
    control: {part: pid, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz, axes: [surge, sway, heave, yaw]}
"""
SOURCES = Path(listener.__file__).parents[2]


@pytest.fixture
def loop() -> Loop:
    loop = Loop(scenario_from_text(ROV))
    loop.advance(10)
    return loop


@contextmanager
def line_port(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=20.0) as connection:
        yield connection


def everything(connection: socket.socket) -> bytes:
    """What the other side sends until it closes the connection."""
    received = b""
    try:
        while new := connection.recv(1 << 16):
            received += new
    except ConnectionResetError:
        pass
    return received


def test_a_web_page_cannot_steer_a_vehicle(loop: Loop) -> None:
    """An HTTP POST was read as lines of an operator, and moved a vehicle by metres."""
    with OperatorServer(loop) as server:
        for _ in range(3):
            body = b"take\nspeeds 0.3 0 0 0\nspeeds 0.3 0 0 0\n"
            request = urllib.request.Request(f"http://127.0.0.1:{server.port}/", data=body)
            with pytest.raises(OSError) as closed:  # at once, or while the page still sends
                urllib.request.urlopen(request, timeout=20.0)
            assert not isinstance(closed.value, urllib.error.HTTPError)
            loop.advance(loop.step + 50)
        assert not loop.vehicles[0].has_commands
    assert abs(loop.vehicles[0].state[7]) < 1e-3


def test_a_line_port_closes_all_that_does_not_begin_with_the_token(loop: Loop) -> None:
    with OperatorServer(loop) as server:
        for first in (b"status\n", b"POST /", b"\x16\x03\x01\x02\x00", b"token wrong\nstatus\n", b"token\xff\n", b"\n"):
            with line_port(server.port) as connection:
                connection.sendall(first)
                assert b"ok" not in everything(connection).split()
        with connected(server.port, server.token, 20.0) as connection:
            connection.sendall(b"status\n")
            assert connection.recv(100).startswith(b"ok time")
        with pytest.raises(WrongTokenError, match="first line is not: token TOKEN"):
            connected(server.port, "x" * 22, 20.0)
    with OperatorServer(loop) as one, OperatorServer(loop) as other:
        assert one.token != other.token
        assert len(one.token) >= 22  # 128 bits


def test_silent_connections_take_neither_threads_nor_the_place_of_an_operator(loop: Loop) -> None:
    """Each silent connection had a thread."""
    before = threading.active_count()
    with OperatorServer(loop) as server:
        silent = [socket.create_connection(("127.0.0.1", server.port), timeout=20.0) for _ in range(200)]
        with connected(server.port, server.token, 20.0) as connection:
            connection.sendall(b"status\n")
            assert connection.recv(100).startswith(b"ok time")
            assert threading.active_count() <= before + 2
        for one in silent:
            one.close()


def test_silent_slow_and_idle_connections_are_closed(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "GREETING", 0.3)
    monkeypatch.setattr(operator_server, "IDLE", 0.3)
    with OperatorServer(loop) as server, line_port(server.port) as silent, line_port(server.port) as slow:
        for byte in b"token ab":  # one byte after the other, for longer than a greeting may take
            with suppress(OSError):
                slow.sendall(bytes([byte]))
            time.sleep(0.05)
        assert everything(slow) == b""
        assert everything(silent) == b""
        idle = connected(server.port, server.token, 20.0)
        assert everything(idle).startswith(b"error there was no line for 0.3 s")
        idle.close()


def test_only_a_few_operators_are_taken(loop: Loop) -> None:
    with OperatorServer(loop) as server:
        taken = [connected(server.port, server.token, 20.0) for _ in range(listener.MOST_CLIENTS)]
        with connected(server.port, server.token, 20.0) as late:
            assert everything(late).startswith(b"error there are too many connections")
        for one in taken:
            one.close()


def test_a_token_file_is_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("of an earlier run")
    file.chmod(0o644)
    write_token(file, "abc")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_token(file) == "abc"
    file.write_text("two words")
    with pytest.raises(ValueError, match="holds no token"):
        read_token(file)


@pytest.mark.usefixtures("blank_pictures")
def test_run_prints_the_token_or_writes_it(tmp_path: Path) -> None:
    (tmp_path / "rov.yaml").write_text(ROV)
    command = ["run", str(tmp_path / "rov.yaml"), "--duration", "0.1", "--no-page", "--out", str(tmp_path / "runs")]
    done = CliRunner().invoke(main, [*command, "--listen", "0"])
    assert re.search(r"operators: 127\.0\.0\.1 port \d+, token [\w-]{22} \(", done.stderr), done.output
    done = CliRunner().invoke(main, [*command, "--listen", "0", "--token-file", str(tmp_path / "token")])
    token = read_token(tmp_path / "token")
    assert len(token) == 22
    assert token not in done.output
    refused = CliRunner().invoke(main, [*command, "--token-file", str(tmp_path / "token")])
    assert refused.exit_code == 2
    assert "give --listen too" in refused.output


def test_the_live_view_answers_its_own_page_only(loop: Loop) -> None:
    """Any page could read the run, under any name of the machine."""
    view = LiveView(loop.setup)
    view.send(loop)
    root, _, token = view.url.rstrip("/").rpartition("/")
    port = root.rpartition(":")[2]

    def status(url: str, **headers: str) -> int:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=20.0) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return int(error.code)

    assert status(view.url) == 200
    assert status(view.url, Origin=root) == 200
    assert status(f"http://localhost:{port}/{token}/") == 200
    assert status(root + "/") == 403
    assert status(root + "/events") == 403
    assert status(root + "/" + "x" * len(token) + "/") == 403
    assert status(view.url, Host="rebound.example") == 421
    assert status(view.url, Origin="http://elsewhere.example") == 403
    assert status(view.url, Origin="null") == 403
    assert status(view.url + "else") == 404
    with line_port(int(port)) as connection:
        connection.sendall(f"POST /{token}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert b" 405 " in everything(connection)
    with line_port(int(port)) as connection:
        connection.sendall(b"take\n")
        assert b" 400 " in everything(connection)
    view.close(loop)


def test_everything_listens_by_the_same_listener() -> None:
    opens = re.compile(r"create_server|\.listen\(|socketserver|HTTPServer|websockets|start_server")
    found = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        if opens.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"run/live/listener.py"}
    with Listener() as one, pytest.raises(ValueError, match=r"port .* cannot be used"):
        Listener(one.port)
