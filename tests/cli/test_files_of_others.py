"""Results never take the place of files that Remora has not written."""

from pathlib import Path

import pytest

from command_line import remora
from remora.cli.overwrite_check import check_replaceable
from remora.logs import LogWriter, RunHeader


@pytest.mark.parametrize("name", ["mine.mcap", "mine.png", "mine.checkpoint"])
def test_a_run_does_not_overwrite_files_that_are_no_logs(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"holiday")
    result = remora("run", "dive_and_turn", "--duration", "1", "--out", str(tmp_path / "mine.mcap"))
    assert result.exit_code == 2
    assert f"{tmp_path / name}: there is a file that is not" in result.stderr
    assert (tmp_path / name).read_bytes() == b"holiday"
    assert len([*tmp_path.iterdir()]) == 1


def test_a_run_replaces_its_own_results_and_empty_files(tmp_path: Path) -> None:
    (tmp_path / "run.mcap").touch()
    for seed in ("1", "2"):
        out = ("--out", str(tmp_path / "run.mcap"))
        assert remora("run", "dive_and_turn", "--duration", "1", "--seed", seed, *out).exit_code == 0


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("design", "bluerov2", "--out"), "plan.yaml"),
        (("fit", "bluerov2", "no.csv", "--out"), "fitted.yaml"),
        (("fit", "bluerov2", "no.csv", "--report"), "fitted.html"),
        (("thruster", "no.csv", "--out"), "law.png"),
    ],
)
def test_other_commands_do_not_overwrite_files_of_others(command: tuple[str, ...], name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("holiday")
    result = remora(*command, str(tmp_path / name))
    assert result.exit_code == 2
    assert f"{name}: there is a file that is not" in result.stderr
    assert (tmp_path / name).read_text() == "holiday"


@pytest.mark.parametrize("command", ["plot", "map"])
def test_pictures_of_logs_do_not_overwrite_files_of_others(command: str, tmp_path: Path) -> None:
    LogWriter(tmp_path / "run.mcap", RunHeader("0.1.0", 0, "", {}), ()).close()
    (tmp_path / "mine.png").write_bytes(b"\x89PNG\r\n\x1a\n of someone else")
    result = remora(command, str(tmp_path / "run.mcap"), "--out", str(tmp_path / "mine.png"))
    assert result.exit_code == 2
    assert "not a picture of Remora" in result.stderr


def test_a_log_of_another_program_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "ros.mcap").write_bytes(b"\x89MCAP0\r\n\x01\x10\x00ros2 bag")
    with pytest.raises(ValueError, match="not a log of Remora"):
        check_replaceable("--out", tmp_path / "ros.mcap")
    LogWriter(tmp_path / "own.mcap", RunHeader("0.1.0", 0, "", {}), ()).close()
    check_replaceable("--out", tmp_path / "own.mcap")
