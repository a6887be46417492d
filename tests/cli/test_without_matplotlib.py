"""Without matplotlib everything works but pictures, and whoever wants one reads how to install it."""

import subprocess
import sys
from pathlib import Path

import pytest

BLOCKED = "import sys; sys.modules['matplotlib'] = None; "
COMMAND = f"{BLOCKED}from remora.cli import main; main()"
MISSING = 'pictures need matplotlib: pip install "remora-auv[plots]"'
SCENARIO = """\
name: dive
duration: 2 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5]
    commands: [{at: 0 s, set: {front_port: 8 N}}]
"""


def run(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", COMMAND, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200)


@pytest.fixture(scope="module")
def flown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("flown")
    (folder / "dive.yaml").write_text(SCENARIO, encoding="utf-8")
    return folder, run(folder, "run", "dive.yaml", "--out", "dive.mcap")


def test_a_run_writes_its_log_and_page_and_names_the_missing_picture_once(flown) -> None:
    folder, done = flown
    assert done.returncode == 0, done.stderr
    assert (folder / "dive.mcap").is_file()
    assert (folder / "dive.html").is_file()
    assert not (folder / "dive.png").exists()
    assert (done.stdout + done.stderr).count("matplotlib") == 1
    assert f"note: no picture was drawn: {MISSING}" in done.stderr.splitlines()


def test_a_picture_of_an_earlier_run_does_not_stay_beside_the_new_log(flown) -> None:
    folder, _ = flown
    (folder / "dive.png").touch()
    assert run(folder, "run", "dive.yaml", "--out", "dive.mcap", "--no-page").returncode == 0
    assert not (folder / "dive.png").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("plot", "dive.mcap"),
        ("replay", "dive.mcap"),
        ("map", "dive.mcap"),
        ("fit", "bluerov2_heavy", "dive.mcap", "--picture", "fit.png"),
        ("validate", "bluerov2_heavy", "dive.mcap", "--report", "report.html"),
        ("design", "bluerov2_heavy", "--picture", "plan.png"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_picture_that_is_asked_for_is_refused_in_one_line_before_the_work(flown, arguments) -> None:
    done = run(flown[0], *arguments)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [f"error: {MISSING}"]
    assert done.stdout == ""


def test_a_plot_in_python_says_the_same(flown) -> None:
    code = f"{BLOCKED}import remora; log = remora.read_log('dive.mcap'); print(len(log['rov/truth'])); log.plot()"
    done = subprocess.run([sys.executable, "-c", code], cwd=flown[0], capture_output=True, text=True, timeout=200)
    assert done.stdout.strip().isdigit()
    assert done.stderr.splitlines()[-1].endswith(f"NoPicturesError: {MISSING}")


def test_a_log_is_viewed_and_a_vehicle_checked(flown) -> None:
    for arguments in (("view", "dive.mcap", "--out", "view.html"), ("check", "bluerov2_heavy")):
        done = run(flown[0], *arguments)
        assert done.returncode == 0, done.stderr
