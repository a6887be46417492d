"""`remora run`: files, words, exit codes, and the same numbers for the same seed."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from remora import __version__
from remora.cli import main
from remora.cli.progress import progress
from remora.kernels import RunError
from remora.simulation import dive_and_turn as scenario
from remora.simulation.writing import file_hash
from remora.vehicles import preset_path

PNG = b"\x89PNG\r\n\x1a\n"


def invoke(*arguments: str):
    return CliRunner().invoke(main, ["run", *arguments])


def summary(output: str) -> dict[str, str]:
    return {line[:14].strip(): line[14:] for line in output.splitlines()}


def size_of_png(file: Path) -> tuple[int, int]:
    data = file.read_bytes()
    assert data.startswith(PNG)
    assert data.endswith(b"IEND\xaeB`\x82")
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def test_the_main_job_writes_a_picture_a_log_and_a_summary(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "remora", "run"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(tmp_path / "runs")) == ["bluerov2_heavy-seed0.csv", "bluerov2_heavy-seed0.png"]
    width, height = size_of_png(tmp_path / "runs" / "bluerov2_heavy-seed0.png")
    assert 1000 < width < 3000
    assert 700 < height < 3000
    words = summary(done.stdout)
    assert words["vehicle"].startswith("bluerov2_heavy: ")
    assert words["net buoyancy"] == "0.981 N down (sinks)"
    assert words["trim at rest"] == "roll 0 deg, pitch 0 deg"
    assert words["left out"].startswith("nothing")
    assert words["simulated"].startswith("60.0 s")
    assert re.match(r"\d+ x real time", words["speed"])
    assert words["seed"] == "0"
    assert words["version"] == f"remora {__version__}"
    assert words["vehicle file"] == f"sha256 {file_hash(preset_path('bluerov2_heavy'))}"
    assert re.match(r"depth (4\.9|5\.0)\d m, heading (89|90)\.\d deg", words["ended at"])
    assert "60 of 60 s" in done.stderr


def test_same_seed_same_bytes_other_seed_other_bytes(tmp_path: Path) -> None:
    """Also across processes."""
    for name, seed in (("a", "3"), ("b", "4")):
        invoke("--vehicle", "falcon", "--seed", seed, "--duration", "20", "--out", str(tmp_path / f"{name}.png"))
    again = ["run", "--vehicle", "falcon", "--seed", "3", "--duration", "20", "--out", str(tmp_path / "c.png")]
    subprocess.run([sys.executable, "-m", "remora", *again], check=True, capture_output=True, timeout=200)
    first, other, second = ((tmp_path / f"{name}.csv").read_bytes() for name in "abc")
    assert first == second
    assert first != other


def test_the_log_says_what_made_it(tmp_path: Path) -> None:
    invoke("--vehicle", "falcon", "--duration", "1", "--seed", "7", "--out", str(tmp_path))
    comment, header, *rows = (tmp_path / "falcon-seed7.csv").read_text().splitlines()
    assert comment.startswith(f"# remora {__version__}, scenario dive_and_turn, vehicle falcon sha256 ")
    assert file_hash(preset_path("falcon")) in comment
    assert "seed 7" in comment
    names = header.split(",")
    assert names[:4] == ["time [s]", "north [m]", "east [m]", "down [m]"]
    assert "output_vertical [rad/s]" in names
    assert "command_vertical [command]" in names
    assert len(rows) == 11
    assert all(len(row.split(",")) == len(names) for row in rows)
    assert [float(row.split(",")[0]) for row in rows] == [k / 10 for k in range(11)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vehicle", "falkon"], 'Did you mean "falcon"?'),
        (["--vehicle", "nowhere.yaml"], "nowhere.yaml: no such file"),
        (["--vehicle", "sphere_bare"], "it has no thrusters to drive it in surge and heave and yaw"),
        (["--vehicle", "remus100"], "its 1 thruster cannot drive it in heave and yaw"),
        (["--vehicle", "docking_vehicle"], "its model locks heave"),
        (["--duration", "0"], "duration is 0 s: give more than 0"),
        (["--duration", "nan"], "duration is nan s"),
        (["--duration", "1e9"], "at most 86400"),
        (["--duration", "soon"], "'soon' is not a valid float"),
        (["--seed", "-1"], "-1 is not in the range"),
        (["--out", "picture.pdf"], "Give a folder, or a file ending in .png."),
        (["--out", "a_file"], "a_file is in the way, it is not a folder"),
    ],
)
def test_bad_input_is_refused_in_words_and_nothing_is_written(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a_file").write_text("")
    result = invoke(*arguments)
    assert os.listdir() == ["a_file"]
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""


def test_wrong_physics_ends_with_1(tmp_path: Path) -> None:
    text = preset_path("falcon").read_text()
    assert "mass: 116.0 kg" in text
    file = tmp_path / "light.yaml"
    file.write_text(text.replace("mass: 116.0 kg", "mass: 0 kg"))
    result = invoke("--vehicle", str(file), "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert f"{file}:" in result.stderr
    assert "body.mass" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_failed_run_keeps_what_there_is_and_ends_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = RunError("surge is no longer a finite number (try a shorter step)", 0.01)
    fail_at(2.0, error, monkeypatch)
    result = invoke("--vehicle", "falcon", "--out", str(tmp_path))
    assert result.exit_code == 1
    assert "the run failed after 2.0 s of the run, surge is no longer a finite number (try a shorter" in result.stderr
    assert summary(result.stdout)["simulated"].startswith("2.0 s, then it failed")
    assert len((tmp_path / "falcon-seed0.csv").read_text().splitlines()) == 2 + 21
    size_of_png(tmp_path / "falcon-seed0.png")


def fail_at(seconds: float, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the control law fail once its time has come."""
    law, calls = scenario.commands_for, []

    def failing(*arguments):
        calls.append(None)
        if len(calls) > round(seconds * 10) + 1:
            raise error
        return law(*arguments)

    monkeypatch.setattr(scenario, "commands_for", failing)


def test_ctrl_c_keeps_what_was_simulated(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "remora", "run", "--duration", "86400", "--out", str(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_ctrl_c
    )
    try:
        wait_until_it_steps(process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=200)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "stopped by Ctrl-C" in errors
    assert "Traceback" not in errors
    assert ", interrupted" in summary(output)["simulated"]
    rows = (tmp_path / "bluerov2_heavy-seed0.csv").read_text().splitlines()
    assert len({len(row.split(",")) for row in rows[1:]}) == 1
    size_of_png(tmp_path / "bluerov2_heavy-seed0.png")
    assert len(os.listdir(tmp_path)) == 2


def heed_ctrl_c() -> None:
    """A test run in the background ignores Ctrl-C and hands that on to its children; undo it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_until_it_steps(process: subprocess.Popen[str]) -> None:
    """Read up to the first line of progress."""
    assert process.stderr is not None
    while "0 of 86400 s" not in (line := process.stderr.readline()):
        assert line, "the run ended before it started"


def test_files_appear_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    result = invoke("--vehicle", "falcon", "--duration", "1", "--out", str(tmp_path))
    assert result.exit_code == 1
    assert "could not be written" in result.stderr
    assert os.listdir(tmp_path) == []


def test_progress_on_a_terminal_is_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress("it dives", 60.0) as update:
        update(60.0)
    assert "60 of 60 s" in capsys.readouterr().err


def test_a_picture_may_be_named(tmp_path: Path) -> None:
    result = invoke("--vehicle", "falcon", "--duration", "0.1", "--out", str(tmp_path / "new" / "dive.png"))
    assert result.exit_code == 0
    assert sorted(os.listdir(tmp_path / "new")) == ["dive.csv", "dive.png"]
