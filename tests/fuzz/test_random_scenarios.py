"""Random scenarios end in a run or in a clear message. A sample here; `make fuzz` runs two thousand."""

from pathlib import Path

import numpy as np
import pytest

from fuzz import trial, trial_pool
from fuzz.__main__ import main
from fuzz.trial import Trial, is_broken, log_fault, trial_text, tried
from fuzz.yaml_writer import yaml_text
from remora.files.document import parse_document
from remora.logs.schema import Channel, Field, RunHeader
from remora.logs.writer import LogWriter
from remora.vehicles.names import VEHICLE_FILE

SEED = 20
SAMPLE = 60
TOGETHER = 6


@pytest.mark.parametrize("first", range(0, SAMPLE, TOGETHER))
def test_a_sample_of_random_scenarios_behaves(first: int, tmp_path: Path) -> None:
    for number in range(first, first + TOGETHER):
        made = tried(SEED, number, tmp_path)
        assert made.ending != "misbehaved", f"{made.words}\n{made.content!r}"
        if not is_broken(number):
            assert made.ending == "ran" or made.words


def test_the_sample_is_worth_running(tmp_path: Path) -> None:
    """Most sound ones run and most broken ones are refused, else they would prove little."""
    sound = [tried(SEED, number, tmp_path).ending for number in range(0, 15, 3)]
    broken = [tried(SEED, number, tmp_path).ending for number in range(2, 26, 3)]
    assert sound.count("ran") >= 3
    assert broken.count("refused") >= 5


def test_a_scenario_is_known_by_its_seed_and_number() -> None:
    assert trial_text(3, 7) == trial_text(3, 7)
    assert trial_text(3, 7) != trial_text(4, 7)
    assert len({trial_text(3, number) for number in range(6)}) == 6


def test_the_text_reads_back_as_the_data() -> None:
    data = {"a": 1.5, "b": [{"c": "x: y", "d": [1, 2]}, "- e"], "f": {"g": {"h": {"i": {"j": True}}}}, "k 1": None}
    assert parse_document(yaml_text(data), "text", VEHICLE_FILE).data == data


def logged(path: Path, values: list[float], optional: bool, status: int) -> Path:
    field = Field("range", "m", optional=optional)
    channels = (Channel("sonar", (field, Field("status", "1", kind="int"))),)
    with LogWriter(path, RunHeader("1", 0), channels) as log:
        for time_ns, value in enumerate(values):
            log.write("sonar", time_ns, (value, status))
    return path


def test_a_missing_value_needs_a_status_that_says_so(tmp_path: Path) -> None:
    assert log_fault(logged(tmp_path / "a", [1.0, 2.0], True, 0)) is None
    assert log_fault(logged(tmp_path / "b", [1.0, np.nan], True, 4)) is None
    assert log_fault(logged(tmp_path / "c", [1.0, np.nan], True, 0)) == "NaN in sonar.range"


@pytest.mark.parametrize(
    ("error", "words"), [(ZeroDivisionError("division by zero"), "ZeroDivisionError"), (RuntimeWarning("x"), "Warning")]
)
def test_a_traceback_is_a_misbehaviour(
    error: Exception, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(file: Path) -> None:
        raise error

    monkeypatch.setattr(trial, "read_scenario", broken)
    made = tried(1, 0, tmp_path)
    assert made.ending == "misbehaved"
    assert words in made.words


def test_trials_run_in_processes_of_their_own_and_one_that_hangs_is_ended() -> None:
    done = sorted(trial_pool.trials(SEED, 2))
    assert [made.number for made in done] == [0, 1]
    assert all(made.ending in ("ran", "stopped", "refused") for made in done)
    (hung,) = trial_pool.trials(SEED, 1, longest=0.0)
    assert (hung.ending, hung.words) == ("misbehaved", "no end after 0 s")
    assert hung.content == trial_text(SEED, 0).encode()


def test_the_command_writes_out_what_misbehaves_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [Trial(0, "ran", "", b""), Trial(1, "misbehaved", "no end", b"name: x\n"), Trial(2, "refused", "why", b"")]
    monkeypatch.setattr(trial_pool, "trials", lambda *options, subject: iter(found if subject == "logs" else found[:1]))
    assert main(["scenarios", "logs", "--cases", "3", "--seed", "9", "--out", str(tmp_path)]) == 1
    assert (tmp_path / "logs-seed9-1.log").read_text() == "name: x\n"
    said = capsys.readouterr().err
    assert "logs-seed9-1.log: no end" in said
    assert "random logs: 3 of 3 cases" in said
    assert main(["scenarios", "--cases", "1"]) == 0
