"""Lines of faults in a scenario: what is refused, with line and advice, and runs that are taken up again."""

from pathlib import Path

import numpy as np
import pytest
from fault_runs import CLOSED_LOOP, OPEN_LOOP

from remora.logs import compare
from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop, run_loop
from remora.run.recorder import Recorder
from remora.run.setup import Setup
from remora.scenarios import ScenarioError, scenario_from_text
from remora.scenarios.builders.faults import FAULTS as KINDS


def refusal(line: str, text: str = CLOSED_LOOP) -> str:
    values = {
        "faults": line,
        "allocation": "bounded",
        "file": "bluerov2_heavy",
        "surge": 0,
        "commands": "front_port: 5",
    }
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(text % values, "my.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{fault: dead, of: front_prt}", "faults[0].of = front_prt: the vehicle has no such actuator. Did you mean"),
        ("{fault: frozen, of: dlv}", 'the vehicle has no such sensor. Did you mean "dvl"?'),
        ("{fault: ded, of: front_port}", 'Did you mean "dead" or'),
        ("{of: front_port}", "expected a fault"),
        ("dead", "expected a fault"),
        ("{fault: [dead]}", "expected a fault"),
        ("{fault: dead}", "faults[0].of: is missing"),
        ("{fault: dead, of: front_port, at: 1.003 s}", "no multiple of the step of 0.01 s"),
        ("{fault: dead, of: front_port, at: -1 s}", "must not be negative"),
        ("{fault: dead, of: front_port, at: 5 kg}", 'the unit "kg" does not measure a time'),
        ("{fault: dead, of: front_port, at: 2 s, until: 1 s}", "must be later than its start"),
        ("{fault: dead, of: front_port, share: 3}", "unknown key"),
        ("{fault: partial, of: front_port}", "share: is missing"),
        ("{fault: partial, of: front_port, share: 120 %}", "must lie between 0 and 1"),
        ("{fault: stuck, of: front_port, value: 3 deg}", "does not measure a force"),
        ("{fault: stuck, of: front_port, value: 9000}", "lies outside the limits"),
        ("{fault: stuck, of: front_port, value: [1, 2]}", "expected one number"),
        ("{fault: biased, of: dvl, by: 3 kg}", "is measured in this unit. It gives: m, m/s"),
        ("{fault: biased, of: dvl, by: 3}", "the channels have different units"),
        ("{fault: biased, of: dvl, by: [1, 2]}", "one for each of velocity_x"),
        ("{fault: biased, of: dvl, by: 1 m/s, channel: velocity_q}", "the sensor has no such channel"),
        ("{fault: garbage, of: dvl, gives: zero}", "is not one of the words"),
        ("{fault: delayed, of: dvl}", "by: is missing"),
        ("{fault: flooding, rate: 1 m/s, volume: 1 litre, place: [0, 0, 0]}", "does not measure a flow of mass"),
        ("{fault: lost_ballast, mass: -1 kg, place: [0, 0, 0]}", "must be above zero"),
        ("{fault: lost_ballast, mass: 1 kg, place: [0, 0]}", "expected a list of 3 numbers"),
        ("{fault: current, change: 1 m/s}", "expected a list of 3 numbers"),
        (
            "{fault: snag, of: umbilical}",
            "the vehicle has no such tether that can be caught. It has none in this scenario.",
        ),
    ],
)
def test_a_wrong_line_is_refused_with_its_place_and_what_to_write(line: str, words: str) -> None:
    message = refusal(line)
    assert words in message
    assert message.startswith("my.yaml:16")


def test_faults_that_are_no_list_are_refused() -> None:
    text = OPEN_LOOP.replace("[%(faults)s]", "%(faults)s")
    assert "expected a list of faults" in refusal("dead", text)


def test_an_allocation_that_is_not_fault_tolerant_is_named() -> None:
    line = "{fault: dead, of: front_port, allocation: fault_tolerant}"
    assert '"command_schedule" cannot exclude failed thrusters' in refusal(line, OPEN_LOOP)


def test_all_wrong_lines_are_told_at_once() -> None:
    message = refusal("{fault: dead, of: x}, {fault: frozen, of: y}, {fault: z}")
    assert len(message.splitlines()) == 3


def test_a_shared_line_must_say_whom_it_happens_to() -> None:
    two = "name: t\nduration: 1 s\nvehicles: [{name: a, file: falcon}, {name: b, file: falcon}]\nfaults: [%s]"
    for line in ("{fault: dead, of: vertical}", "{fault: dead, of: vertical, vehicle: c}", "7"):
        with pytest.raises(ScenarioError, match="which vehicle does it happen to"):
            scenario_from_text(two % line)
    one = "name: t\nduration: 1 s\nvehicles: [{name: a, file: falcon}]\nfaults: [{fault: dead, of: vertical}]"
    assert [fault.target for fault in scenario_from_text(one).vehicles[0].faults] == ["vertical"]


FAULTS = """
{fault: dead, of: front_port, at: 0.5 s, until: 3.5 s, allocation: fault_tolerant},
{fault: stuck, of: rear_port, at: 1.2 s, until: 5 s},
{fault: reversed, of: vertical_rear_port, at: 2.2 s},
{fault: partial, of: rear_starboard, share: 30 %, at: 0.7 s, until: 4 s},
{fault: garbage, of: dvl, at: 1 s, until: 3.1 s},
{fault: out_of_order, of: dvl, at: 3.2 s},
{fault: dropped, of: dvl, share: 0.3, at: 3.2 s},
{fault: duplicated, of: dvl, by: 0.3 s, at: 2.9 s},
{fault: lost_ballast, mass: 0.5 kg, place: [0.05 m, 0, 0.1 m], at: 1.7 s},
{fault: flooding, rate: 0.2 kg/s, volume: 0.4 litre, place: [0.1 m, 0, 0], at: 1.5 s},
{fault: current, change: [0.2 m/s, 0.1 m/s, 0], at: 1.9 s, until: 4 s}
"""


def faulty() -> Setup:
    return scenario_from_text(CLOSED_LOOP % {"faults": FAULTS.replace("\n", " "), "allocation": "bounded"})


def stored_run(setup: Setup, log: Path, store: Path, last: int) -> None:
    """A run that stores itself every hundred steps and then is cut off, as a killed process leaves it."""
    loop = Loop(setup, Recorder.open(setup, log))
    while loop.step < last:
        loop.advance(min(loop.step + 100, last))
        if loop.step % 100 == 0:
            save_checkpoint(store, loop)
    left = log.read_bytes()
    assert loop.recorder is not None
    loop.recorder.close()
    log.write_bytes(left)


@pytest.mark.parametrize("cut", [170, 290, 380])
def test_a_run_with_faults_taken_up_again_is_the_same_to_the_last_bit(cut: int, tmp_path: Path) -> None:
    setup = faulty()
    whole = Loop(setup, Recorder.open(setup, tmp_path / "whole"))
    run_loop(whole)
    assert whole.recorder is not None
    whole.recorder.close()
    stored_run(setup, tmp_path / "cut", tmp_path / "checkpoint", cut)
    checkpoint = load_checkpoint(tmp_path / "checkpoint", setup)
    loop = resumed_loop(setup, checkpoint, tmp_path / "cut", tmp_path / "resumed")
    assert loop.step == cut // 100 * 100
    assert run_loop(loop).refused == ("rov/dvl",)
    assert loop.recorder is not None
    loop.recorder.close()
    assert np.array_equal(loop.vehicles[0].state, whole.vehicles[0].state)
    assert compare(tmp_path / "whole", tmp_path / "resumed").same


@pytest.mark.parametrize("pieces", [1, 7, 50])
def test_a_run_with_faults_in_pieces_comes_out_like_the_whole(pieces: int) -> None:
    whole, parts = Loop(faulty()), Loop(faulty())
    whole.advance(whole.steps)
    while parts.step < parts.steps:
        parts.advance(parts.step + pieces)
    assert np.array_equal(parts.vehicles[0].state, whole.vehicles[0].state)


def test_a_run_can_go_back_to_before_its_faults() -> None:
    loop = Loop(faulty())
    loop.advance(40)
    start = loop.snapshot()
    loop.advance(loop.steps)
    end = loop.vehicles[0].state
    loop.restore(start)
    loop.advance(loop.steps)
    assert np.array_equal(loop.vehicles[0].state, end)


def test_every_fault_of_the_table_has_a_model() -> None:
    assert set(KINDS) == {
        "dead", "stuck", "reversed", "partial", "frozen", "biased", "off", "dropped", "garbage", "clock", "delayed",
        "duplicated", "out_of_order", "lost_ballast", "payload_dropped", "flooding", "current", "snag",
    }  # fmt: skip
