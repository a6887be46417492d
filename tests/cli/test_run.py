"""`remora run`: files, words, exit codes, the same log for the same seed, stopping and going on."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from pages import README, code_blocks, commands_of, missing_lines
from remora import __version__
from remora.cli import main
from remora.cli.console import progress
from remora.files.writing import file_hash
from remora.logs import compare, read_log
from remora.scenarios import scenario_names
from remora.vehicles import preset_path

PNG = b"\x89PNG\r\n\x1a\n"
RUN = [sys.executable, "-m", "remora", "run"]


def invoke(*arguments: str, **options: str):
    return CliRunner().invoke(main, ["run", *arguments], **options)


def summary(output: str) -> dict[str, str]:
    return {line[:14].strip(): line[14:] for line in output.splitlines()}


def size_of_png(file: Path) -> tuple[int, int]:
    data = file.read_bytes()
    assert data.startswith(PNG)
    assert data.endswith(b"IEND\xaeB`\x82")
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def test_the_main_job_is_the_tunnel_mission_and_prints_what_the_readme_shows(tmp_path: Path) -> None:
    done = subprocess.run(RUN, capture_output=True, text=True, timeout=200, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (block,) = (one for one in code_blocks(README.read_text(), "console") if commands_of(one) == ["remora run"])
    assert missing_lines(block, done.stdout + done.stderr) == []
    assert sorted(os.listdir(tmp_path / "runs")) == ["tunnel-seed0.html", "tunnel-seed0.mcap", "tunnel-seed0.png"]
    width, height = size_of_png(tmp_path / "runs" / "tunnel-seed0.png")
    assert 1000 < width < 3000
    assert 700 < height < 3000
    words = summary(done.stdout)
    assert words["seed"] == "0"
    assert words["version"] == f"remora {__version__}"
    assert words["vehicle file"] == f"vita1 sha256 {file_hash(preset_path('vita1'))}"
    assert words["simulated"].startswith("80 s")
    assert re.match(r"18\.\d+ m north, -?0\.0\d m east, -?0\.0\d m deep", words["ended at"])
    assert re.match(r"[\d.e+]+ x real time", words["speed"])
    assert re.search(r"\d+ of 80 s", done.stderr)
    log = read_log(tmp_path / "runs" / "tunnel-seed0.mcap")
    assert log.header.scenario_hash
    assert log["vita1/truth"].time_ns[-1] == 80_000_000_000


@pytest.mark.parametrize("scenario", scenario_names())
def test_every_shipped_scenario_runs(scenario: str, tmp_path: Path) -> None:
    result = invoke(scenario, "--duration", "1", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert summary(result.stdout)["simulated"].startswith("1 s")
    assert sorted(Path(name).suffix for name in os.listdir(tmp_path)) == [".html", ".mcap", ".png"]


@pytest.mark.usefixtures("blank_pictures")
def test_a_port_for_operators_that_no_vehicle_listens_to_is_noted(tmp_path: Path) -> None:
    result = invoke("dive_and_turn", "--duration", "0.1", "--listen", "0", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "takes no commands: its guidance is not the part pilot" in result.stderr


@pytest.mark.usefixtures("blank_pictures")
def test_same_seed_same_bytes_other_seed_other_noise(tmp_path: Path) -> None:
    """Also across processes."""
    for name, seed in (("a", "3"), ("b", "4")):
        invoke("real_tunnel", "--seed", seed, "--duration", "2", "--out", str(tmp_path / f"{name}.mcap"))
    again = [*RUN, "real_tunnel", "--seed", "3", "--duration", "2", "--out", str(tmp_path / "c.mcap")]
    subprocess.run(again, check=True, capture_output=True, timeout=200)
    assert (tmp_path / "a.mcap").read_bytes() == (tmp_path / "c.mcap").read_bytes()
    assert compare(tmp_path / "a.mcap", tmp_path / "b.mcap").difference is not None


def test_another_vehicle_takes_the_place_of_the_one_in_the_scenario(tmp_path: Path) -> None:
    result = invoke("dive_and_turn", "--vehicle", "falcon", "--duration", "1", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert file_hash(preset_path("falcon")) in summary(result.stdout)["vehicle file"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tunel"], 'Did you mean "tunnel"'),
        (["nowhere.yaml"], "nowhere.yaml: no such file"),
        (["a_file"], "a_file: is empty"),
        (["dive_and_turn", "--vehicle", "falkon"], "falkon"),
        (["two_vehicles", "--vehicle", "falcon"], "has several"),
        (["dive_and_turn", "--vehicle", "sphere_bare"], "it has no thrusters to drive it in surge and heave and yaw"),
        (["dive_and_turn", "--vehicle", "remus100"], "its 1 thruster cannot drive it in heave and yaw"),
        (["--duration", "0"], "give more than 0"),
        (["--duration", "nan"], "give more than 0"),
        (["--duration", "1e9"], "at most 604800"),
        (["--duration", "soon"], "'soon' is not a valid float"),
        (["--duration", "0.001"], "must be at least one step of 0.0025 s"),
        (["--seed", "-1"], "-1 is not in the range"),
        (["--speed", "0"], "give a positive number"),
        (["--speed", "1", "--clock", "stdin"], "give only one of them"),
        (["--checkpoint-every", "0"], "give at least one step"),
        (["--resume"], "are not both there"),
        (["--out", "picture.pdf"], "Give a folder, or a file ending in .mcap."),
        (["--out", "a_file"], "a_file is in the way, it is not a folder"),
    ],
)
def test_bad_input_is_refused_in_words_and_nothing_is_written(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a_file").write_text("")
    result = invoke(*arguments)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert os.listdir() == ["a_file"]


GOOD = """name: good
duration: 1 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    sensors:
      - {name: imu, kind: imu, position: [0, 0, 0], rate: 100 Hz, parameters: {grade: tactical}}
    navigation: truth
    guidance: dive_and_turn
    control: {part: autopilot, rate: 10 Hz}
"""


def test_the_scenario_without_a_mistake_runs(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(GOOD)
    fine = invoke(str(file), "--out", str(tmp_path / "fine"))
    assert fine.exit_code == 0, fine.output


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (("duration", "durations"), 2, 'unknown key. Did you mean "duration"'),
        (("duration: 1 s\n", ""), 1, "duration: is missing"),
        (("1 s", "1 kg"), 2, "does not measure a time"),
        (("bluerov2_heavy", "bluerov2_hevy"), 5, 'Did you mean "bluerov2_heavy"'),
        (("position: [0, 0, 0], ", ""), 7, "position"),
        (("rate: 100 Hz, ", ""), 7, "rate"),
        (("kind: imu", "kind: inu"), 7, "imu"),
        (("tactical", "tacticle"), 7, "tactical"),
        (("part: autopilot", "part: autopilote"), 10, 'Did you mean "autopilot"'),
        (("rate: 10 Hz", "rate: 30 Hz"), 10, "0.01 s"),
        (("    navigation: truth", "  - name: rov\n    file: falcon\n    navigation: truth"), 8, "this name already"),
    ],
)
def test_a_scenario_with_a_mistake_is_refused_with_file_and_line(
    change: tuple[str, str], line: int, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "run.yaml"
    assert change[0] in GOOD
    file.write_text(GOOD.replace(*change, 1))
    result = invoke(str(file), "--out", str(tmp_path / "out"))
    assert result.exit_code == 2, result.output
    assert f"{file}:{line}:" in result.stderr
    assert words in result.stderr
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


SPOILED = """
name: spoiled
duration: 2 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    navigation: truth
    control: {part: "spoil.py:Spoil", rate: 10 Hz}
"""
SPOIL = """
class Spoil:
    fields = ()
    def __init__(self, vehicle, period):
        pass
    def initial(self):
        return 0
    def step(self, state, now):
        return state + 1, [float("nan") if state == 10 else 0.0] * 8
    def row(self, output):
        return ()
"""


def test_a_failed_run_keeps_what_there_is_and_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "spoil.py").write_text(SPOIL)
    (tmp_path / "spoiled.yaml").write_text(SPOILED)
    result = invoke(str(tmp_path / "spoiled.yaml"), "--out", str(tmp_path / "out"))
    assert result.exit_code == 1, result.output
    assert "the run failed" in result.stderr
    assert "at 1 s" in result.stderr
    log = read_log(tmp_path / "out" / "spoiled-seed0.mcap")
    assert log["rov/truth"].time_ns[-1] == 1_000_000_000
    assert log.events[-1].level == "fatal"
    size_of_png(tmp_path / "out" / "spoiled-seed0.png")


def heed_ctrl_c() -> None:
    """A test run in the background ignores Ctrl-C and hands that on to its children; undo it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def stopped(
    arguments: list[str], number: signal.Signals, tmp_path: Path, awaited: str | None = None
) -> tuple[int, str, str]:
    """Start a long run, wait until it steps and until there is an awaited file, and send it a signal."""
    command = [sys.executable, "-u", "-m", "remora", "run", *arguments, "--out", str(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_ctrl_c
    )
    try:
        assert process.stderr is not None
        while " of " not in (line := process.stderr.readline()):
            assert line, "the run ended before it started"
        while awaited is not None and not (tmp_path / awaited).exists():
            assert process.poll() is None, "the run ended before its checkpoint"
            time.sleep(0.01)
        process.send_signal(number)
        output, errors = process.communicate(timeout=200)
    finally:
        process.kill()
    return process.returncode, output, errors


def test_ctrl_c_keeps_what_was_simulated(tmp_path: Path) -> None:
    code, output, errors = stopped(["--duration", "86400"], signal.SIGINT, tmp_path)
    assert code == 130
    assert "stopped by Ctrl-C" in errors
    assert "Traceback" not in errors
    log = read_log(tmp_path / "tunnel-seed0.mcap")
    assert not log.problems
    assert log.events[-1].text == "stopped by Ctrl-C"
    assert float(summary(output)["simulated"].split()[0]) == pytest.approx(log["vita1/truth"].time[-1], rel=1e-5)


@pytest.mark.usefixtures("blank_pictures")
def test_a_killed_run_goes_on_from_its_checkpoint_as_if_nothing_had_happened(tmp_path: Path) -> None:
    settings = ["real_tunnel", "--duration", "40", "--checkpoint-every", "1"]
    whole = invoke(*settings, "--out", str(tmp_path / "whole"))
    assert whole.exit_code == 0, whole.output
    code, *_ = stopped(settings, signal.SIGKILL, tmp_path / "cut", "real_tunnel-seed0.checkpoint")
    assert code == -signal.SIGKILL
    resumed = invoke(*settings, "--resume", "--out", str(tmp_path / "cut"))
    assert resumed.exit_code == 0, resumed.output
    name = "real_tunnel-seed0.mcap"
    assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "cut" / name).read_bytes()


def test_an_external_clock_drives_the_run(tmp_path: Path) -> None:
    result = invoke("dive_and_turn", "--clock", "stdin", "--out", str(tmp_path), input="100\n100.5\n\n101\n")
    assert result.exit_code == 0, result.output
    assert summary(result.stdout)["simulated"].startswith("1 s")
    backwards = invoke("dive_and_turn", "--clock", "stdin", "--out", str(tmp_path), input="100\n99\n")
    assert backwards.exit_code == 1
    assert "the clock went back from 100.0" in backwards.stderr
    assert not read_log(tmp_path / "dive_and_turn-seed0.mcap").problems


def test_a_paced_run_tells_how_well_it_kept_its_pace(tmp_path: Path) -> None:
    result = invoke("dive_and_turn", "--speed", "50", "--duration", "2", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert re.match(r"\d+ of 200 waits came too late", summary(result.stdout)["pace"])


def test_progress_on_a_terminal_is_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress("it dives", 60.0) as update:
        update(60.0)
    assert "60 of 60 s" in capsys.readouterr().err
