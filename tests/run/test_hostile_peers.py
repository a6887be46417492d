"""Whatever the other side of a connection sends: a message, an exit code, and a log that is complete until then."""

import json
import socket
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from remora.cli import main
from remora.logs.readers.registry import read_log
from remora.messages.reading import Status
from remora.run.live.listener import Listener, connected, write_token
from remora.run.live.messages import ProcessLink, ReadingsMessage
from remora.run.live.onboard import run_onboard
from remora.run.live.vehicle_process import play_vehicle
from remora.scenarios import read_scenario

TEXT = """\
name: remote
duration: 10 s
water: {bottom_depth: 12 m}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    sensors: [ahrs, gyro, dvl, depth]
    navigation: {part: instruments, rate: 20 Hz, attitude: ahrs, rates: gyro, velocity: dvl, depth: depth}
    guidance: {part: waypoints, rate: 10 Hz, speed: 0.2 m/s, points: [{position: [1, 0, 5.5], heading: 20 deg}]}
    control: {part: position, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz}
"""
STEP = 50_000_000  # ns between two exchanges
SOUND = [json.dumps([k * STEP, [["rov/depth", k * STEP, k * STEP, 0, [151000.0]]]]) for k in range(3)]


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("peers") / "remote.yaml"
    file.write_text(TEXT)
    return file


def line(time_ns: object, *readings: object) -> str:
    return json.dumps([time_ns, list(readings)])


def onboard_against(lines: list[str], scenario: Path, folder: Path) -> Result:
    """`remora onboard` against a vehicle that sends these lines and goes."""
    listener = Listener()
    write_token(folder / "token", listener.token)

    def play() -> None:
        client = listener.accept(60.0)
        assert client is not None
        with ProcessLink(client.connection, client.rest) as link:
            for one in lines:
                link.send(one)
                if one in SOUND:
                    link.receive(60.0)

    vehicle = threading.Thread(target=play)
    vehicle.start()
    port, token, log = str(listener.port), str(folder / "token"), str(folder / "board.mcap")
    done = CliRunner().invoke(main, ["onboard", str(scenario), "--port", port, "--token-file", token, "--out", log])
    vehicle.join(60.0)
    listener.close()
    return done


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (line(3 * STEP, ["rov/lidar", 0, 0, 0, [1.0]]), "sent 'rov/lidar'; the scenario has rov/ahrs"),
        (line(3 * STEP, ["auv/depth", 0, 0, 0, [1.0]]), "sent 'auv/depth'; the scenario has rov/ahrs"),
        (line(3 * STEP, ["rov/depth", 0, 0, 0, [1.0, 2.0]]), "2 values of rov/depth, which has 1"),
        (line(3 * STEP, ["rov/depth", 1e30, 0, 0, [1.0]]), "1e+30 is no time in whole nanoseconds"),
        (line(3 * STEP, ["rov/depth", 0, 0, 0, ["deep"]]), "is no list of numbers"),
        (line(3 * STEP, ["rov/depth", 0, 0, 77, [1.0]]), "77 is not a valid Status"),
        (line(float("inf")), "Infinity is no time in whole nanoseconds"),
        (line(0.15), "0.15 is no time in whole nanoseconds"),
        (line(True), "true is no time in whole nanoseconds"),
        (line(STEP), "the time of the vehicle went from 0.1 s to 0.05 s"),
        ("[" * 100_000, "nested too deeply"),
        ("HTTP/1.1 200 OK", "which holds no readings"),
        ("[1" + "0" * 5000 + ", []]", "which holds no readings"),
        ("\x00\xff", "which holds no readings"),
    ],
    ids=lambda value: value[:30].strip("[") or "nested",
)
def test_a_wrong_message_of_the_vehicle_ends_the_parts_with_a_message(
    wrong: str, words: str, scenario: Path, tmp_path: Path
) -> None:
    done = onboard_against([*SOUND, wrong], scenario, tmp_path)
    assert done.exit_code == 1, done.output
    assert isinstance(done.exception, SystemExit)
    assert "error: the run ended before its end:" in done.stderr
    assert words in done.stderr
    log = read_log(tmp_path / "board.mcap")
    assert log.complete
    assert len(log["rov/depth"]) == 3
    assert any(one.level == "error" and words in one.text for one in log.events)


def test_a_first_message_from_another_clock_is_refused_and_gaps_are_told(scenario: Path, tmp_path: Path) -> None:
    done = onboard_against([line(1_700_000_000_000_000_000)], scenario, tmp_path)
    assert done.exit_code == 1
    assert "times count from the start of the run" in done.stderr
    done = onboard_against([*SOUND, line(9_950_000_000)], scenario, tmp_path)
    assert done.exit_code == 3, done.output
    assert "1 gaps in the time of the vehicle" in done.output


def test_a_vehicle_that_leaves_long_before_its_end_is_told(scenario: Path, tmp_path: Path) -> None:
    done = onboard_against(SOUND, scenario, tmp_path)
    assert done.exit_code == 1, done.output
    assert "error: the run ended before its end:" in done.stderr


def test_an_infinite_value_among_missing_ones_is_not_used(scenario: Path, tmp_path: Path) -> None:
    """A partial reading may have gaps, which are NaN, but nothing infinite."""
    values = [float("inf"), 0.0, 0.0, float("nan")]
    bad = line(3 * STEP, ["rov/dvl", 3 * STEP, 3 * STEP, int(Status.PARTIAL), values])
    done = onboard_against([*SOUND, bad], scenario, tmp_path)
    assert "rov/dvl: gave values that are no numbers" in done.stderr
    assert read_log(tmp_path / "board.mcap")["rov/dvl"].columns["status"].tolist() == [int(Status.OFF)]


def test_readings_of_the_vehicle_that_are_no_numbers_are_not_used(scenario: Path, tmp_path: Path) -> None:
    bad = line(3 * STEP, ["rov/depth", 3 * STEP, 3 * STEP, 0, [float("nan")]])
    done = onboard_against([*SOUND, bad], scenario, tmp_path)
    assert done.exit_code == 1
    assert "rov/depth: gave values that are no numbers" in done.stderr
    log = read_log(tmp_path / "board.mcap")
    assert any(one.source == "rov/depth" and one.level == "error" for one in log.events)
    assert log["rov/depth"].columns["status"].tolist() == [0, 0, 0, 5]


def test_a_foreign_program_instead_of_the_vehicle_is_named(
    scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remora.run.live.onboard.WAITS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"SSH-2.0-OpenSSH_9.9\r\n")
                connection.recv(100)

        threading.Thread(target=greet, daemon=True).start()
        write_token(tmp_path / "token", "abc")
        port = str(server.getsockname()[1])
        done = CliRunner().invoke(
            main, ["onboard", str(scenario), "--port", port, "--token-file", str(tmp_path / "token")]
        )
    assert done.exit_code == 2
    assert isinstance(done.exception, SystemExit)
    assert f"error: no vehicle on port {port} of 127.0.0.1" in done.stderr


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("[50000000, [1e400, 0, 0, 0, 0, 0, 0, 0]]", "some are not finite"),
        ("[50000000, [NaN, 0, 0, 0, 0, 0, 0, 0]]", "some are not finite"),
        ("[1e400, []]", "no time in whole nanoseconds"),
        ("[0, [0, 0, 0, 0, 0, 0, 0, 0]]", "sent commands for 0 s at"),
        ("[900000000000, [0, 0, 0, 0, 0, 0, 0, 0]]", "sent commands for 900 s at"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_wrong_message_of_the_computer_lets_the_actuators_rest(wrong: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "remote.yaml").write_text(TEXT.replace("10 s", "1 s"))
    setup, listener = read_scenario(str(tmp_path / "remote.yaml")), Listener()

    def compute() -> None:
        with ProcessLink(connected(listener.port, listener.token, 20.0)) as link:
            first = link.receive(60.0)
            assert first is not None
            link.send(f"[{ReadingsMessage.parsed(first).time_ns}, []]")
            link.receive(60.0)
            link.send(wrong)

    computer = threading.Thread(target=compute)
    computer.start()
    outcome = play_vehicle(setup, listener, speed=None, log=str(tmp_path / "vehicle.mcap"))
    computer.join(60.0)
    assert "the on-board process was lost at 0.050 s, the computer sent" in outcome.stopped
    assert words in outcome.stopped
    assert outcome.time_ns == 1_000_000_000
    assert read_log(tmp_path / "vehicle.mcap").complete


def test_a_silent_computer_in_step_does_not_hold_the_vehicle_for_each_exchange(
    scenario: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vehicle waited 30 s for each of its exchanges."""
    monkeypatch.setattr("remora.run.live.vehicle_process.WAITS", 0.5)
    listener, silent = Listener(), []
    computer = threading.Thread(target=lambda: silent.append(connected(listener.port, listener.token, 20.0)))
    computer.start()
    outcome = play_vehicle(read_scenario(str(scenario)), listener, speed=None)
    computer.join(60.0)
    assert "lost at 0.000 s, silent for 0.5 s" in outcome.stopped
    silent[0].close()


def test_a_failing_part_on_board_is_reported_and_logged(scenario: Path, tmp_path: Path) -> None:
    """The error of the part ended the process without a line in the log."""
    far = line(3 * STEP, ["rov/depth", 3 * STEP, 3 * STEP, 0, [1e308]], ["rov/ahrs", 0, 0, 0, [1e308] * 3])
    done = onboard_against([*SOUND, far, line(4 * STEP)], scenario, tmp_path)
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert read_log(tmp_path / "board.mcap").complete


def test_a_token_of_another_vehicle_is_refused_at_once(scenario: Path) -> None:
    with Listener() as listener:
        accepting = threading.Thread(target=listener.accept, args=(5.0,), daemon=True)
        accepting.start()
        with pytest.raises(ConnectionError, match="the token was not taken"):
            run_onboard(read_scenario(str(scenario)), listener.port, "wrong")
        listener.wake()
        accepting.join()
