"""On-board parts against a process that plays the vehicle, over loopback."""

import re
import socket
import threading

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.logs.readers.registry import read_log
from remora.messages.reading import Reading, Status
from remora.run.live.listener import Listener, connected, read_token
from remora.run.live.messages import CommandsMessage, ProcessLink, ProcessLinkError, ReadingsMessage
from remora.run.live.onboard import run_onboard
from remora.run.live.vehicle_process import check_remote, exchange_period, play_vehicle
from remora.run.loop.loop import run
from remora.run.setup import SetupError
from remora.scenarios import read_scenario, scenario_from_text

TEXT = """\
name: remote
duration: DURATION
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


def rows(series):
    return np.column_stack([series.time_ns, *series.columns.values()])


def both(setup, tmp_path, speed):
    """Vehicle in this thread, on-board parts in another: outcome and report."""
    listener, found = Listener(), []
    log = tmp_path / "board.mcap"
    board = threading.Thread(target=lambda: found.append(run_onboard(setup, listener.port, listener.token, log=log)))
    board.start()
    outcome = play_vehicle(setup, listener, speed=speed, log=str(tmp_path / "vehicle.mcap"))
    board.join(30.0)
    return outcome, found[0]


def test_in_step_the_two_processes_fly_what_one_flies_to_the_last_bit(tmp_path):
    setup = scenario_from_text(TEXT.replace("DURATION", "8 s"))
    run(setup, tmp_path / "whole.mcap")
    outcome, report = both(setup, tmp_path, None)
    assert not outcome.stopped
    assert report.exchanges == 160
    whole, vehicle = read_log(tmp_path / "whole.mcap"), read_log(tmp_path / "vehicle.mcap")
    for channel in ("rov/truth", "rov/commands", "rov/dvl"):
        assert np.array_equal(rows(whole[channel]), rows(vehicle[channel]), equal_nan=True)
    board = read_log(tmp_path / "board.mcap")
    assert np.array_equal(rows(whole["rov/reference"]), rows(board["rov/reference"]))
    assert any("exchanges" in event.text and "jitter" in event.text for event in board.events)


def test_parts_of_another_vehicle_are_named_as_such(tmp_path):
    """The error spoke of five numbers that were not finite commands."""
    setup = scenario_from_text(TEXT.replace("DURATION", "1 s"))
    other = scenario_from_text(TEXT.replace("DURATION", "1 s").replace("bluerov2_heavy", "bluerov2"))
    listener = Listener()
    board = threading.Thread(target=lambda: run_onboard(other, listener.port, listener.token))
    board.start()
    outcome = play_vehicle(setup, listener, speed=None)
    board.join(30.0)
    assert "gives 6 commands, but the vehicle has 8 actuators" in outcome.stopped
    assert "Start both with the same scenario" in outcome.stopped


def test_in_real_time_the_parts_hold_the_vehicle_and_their_timing_is_reported(tmp_path):
    setup = scenario_from_text(TEXT.replace("DURATION", "2 s"))
    outcome, report = both(setup, tmp_path, 1.0)
    assert not outcome.stopped
    assert outcome.overruns is not None
    assert report.exchanges == 40
    assert report.longest > 0.0
    assert "overruns" in report.text
    assert np.any(rows(read_log(tmp_path / "vehicle.mcap")["rov/commands"]))


def test_exchanges_fit_parts_whose_periods_are_no_multiples_of_each_other():
    text = TEXT.replace("DURATION", "1 s").replace(
        "guidance: {part: waypoints, rate: 10 Hz", "guidance: {part: waypoints, rate: 25 Hz"
    )
    assert exchange_period(scenario_from_text(text)) == 10_000_000  # ns, of 50 and 40 ms


def test_a_lost_computer_lets_the_actuators_rest_and_ends_with_an_error(tmp_path):
    setup = scenario_from_text(TEXT.replace("DURATION", "4 s"))
    listener = Listener()

    def short():
        with connected(listener.port, listener.token, 60.0) as connection:
            lines = connection.makefile("rw")
            for _ in range(20):
                time_ns = ReadingsMessage.parsed(lines.readline()).time_ns
                lines.write(CommandsMessage(time_ns, (5.0,) * 8).line() + "\n")
                lines.flush()
            lines.close()

    board = threading.Thread(target=short)
    board.start()
    outcome = play_vehicle(setup, listener, speed=None, log=str(tmp_path / "vehicle.mcap"))
    board.join()
    assert "the on-board process was lost at 1.000 s" in outcome.stopped
    commands = read_log(tmp_path / "vehicle.mcap")["rov/commands"]
    asked = np.abs(rows(commands)[:, 1:]).max(axis=1)
    assert asked[(commands.time > 0.1) & (commands.time < 0.99)].min() > 0.0
    assert asked[commands.time > 1.001].max() == 0.0  # at once


def test_a_link_that_closes_with_unread_messages_does_not_reset_the_other_process():
    """Commands that came after the last step of a vehicle made its computer report a lost connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        near = socket.create_connection(server.getsockname())
        far, _ = server.accept()
    computer = ProcessLink(far)
    computer.send("commands that nobody reads")
    vehicle = threading.Thread(target=ProcessLink(near).close)
    vehicle.start()
    with pytest.raises(ProcessLinkError, match="the connection is closed"):
        computer.receive(5.0)
    computer.close()
    vehicle.join()


def test_messages_survive_their_text_form():
    readings = (Reading("rov/dvl", 5, 7, Status.PARTIAL, (0.1, float("nan"), 1e-300)),)
    found = ReadingsMessage.parsed(ReadingsMessage(9, readings).line())
    assert found.readings[0][:4] == readings[0][:4]
    assert np.array_equal(found.readings[0].values, readings[0].values, equal_nan=True)
    assert CommandsMessage.parsed(CommandsMessage(3, (0.1, 2.0 / 3.0)).line()) == CommandsMessage(3, (0.1, 2.0 / 3.0))
    for wrong in ("", "{}", "[1]", '[1, ["x"]]', "[1, [[1, 2]]]"):
        with pytest.raises(ProcessLinkError, match="sent"):
            ReadingsMessage.parsed(wrong)
    with pytest.raises(ProcessLinkError, match="holds no commands"):
        CommandsMessage.parsed('[1, ["fast"]]')


def test_runs_that_cannot_be_split_are_refused():
    setup = scenario_from_text(TEXT.replace("DURATION", "2 s"))
    assert exchange_period(setup) == 50_000_000
    text = re.sub("navigation: .*", "navigation: truth", TEXT.replace("DURATION", "2 s"))
    with pytest.raises(SetupError, match="sees the truth"):
        check_remote(scenario_from_text(text))


def test_the_commands_play_a_vehicle_and_refuse_parts_that_see_the_truth(tmp_path):
    """`remora vehicle` in this thread, the parts in another; and what `remora onboard` refuses."""
    file = tmp_path / "remote.yaml"
    file.write_text(TEXT.replace("DURATION", "2 s"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port, token, found = str(free.getsockname()[1]), tmp_path / "token", []
    setup = read_scenario(str(file))
    board = threading.Thread(target=lambda: found.append(run_onboard(setup, int(port), lambda: read_token(token))))
    board.start()
    vehicle = CliRunner().invoke(main, ["vehicle", str(file), "--port", port, "--token-file", str(token), "--in-step"])
    board.join(30.0)
    assert vehicle.exit_code in (0, 3), vehicle.output  # 3: its waypoint is not reached within 2 s
    assert "simulated     2 s" in vehicle.output
    assert found[0].exchanges == 40
    assert found[0].is_complete
    refused = CliRunner().invoke(main, ["onboard", "tunnel", "--port", port, "--token-file", str(token)])
    assert refused.exit_code == 2
    assert "sees the truth" in refused.output
