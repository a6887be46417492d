"""Commands whose output nobody reads, whose disk or memory is full, and files that ask for too much."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from command_line import remora
from remora.logs import read_log
from remora.logs.csv_writer import TIME
from remora.run.live.listener import read_token, write_token

_PLAIN_READING = """
import resource, sys
from remora.logs import read_log
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
read_log(sys.argv[1])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A line of Bash in which `remora` is the command; its exit code is that of the last part that fails."""
    function = f'remora() {{ "{sys.executable}" -m remora "$@"; }}\nset -o pipefail\n'
    environment = {**os.environ, "REMORA_NO_WARM_UP": "1", **variables}
    return subprocess.run(
        ["bash", "-c", function + line], capture_output=True, text=True, env=environment, timeout=120, check=False
    )


@pytest.mark.parametrize(("command", "code"), [("presets", 0), ("--help", 0), ("check nonsense_vehicle", 2)])
def test_a_reader_that_leaves_does_not_change_the_exit_code(command: str, code: int) -> None:
    done = shell(f"remora {command} 2>&1 | true")
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize("command", ["--help", "presets", "run --help"])
def test_a_full_disk_is_named(command: str) -> None:
    done = shell(f"remora {command} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "error: standard output: No space left on device\n")


@pytest.mark.parametrize("command", ["--help", "presets", "check bluerov2"])
def test_closed_streams_are_no_error(command: str) -> None:
    assert shell(f"remora {command} >&-").stderr == ""
    closed = shell(f"remora {command} <&- >&- 2>&-")
    assert (closed.returncode, closed.stderr) == (0, "")


def test_a_closed_output_does_not_write_into_the_log(tmp_path: Path) -> None:
    """The numbers of closed streams are not given to the files of a run."""
    done = shell(f"remora run dive_and_turn --duration 0.5 --no-page --out {tmp_path}/a.mcap <&- >&- 2>&-")
    assert done.returncode == 0
    assert read_log(tmp_path / "a.mcap").complete


def test_a_process_without_memory_says_so(tmp_path: Path) -> None:
    """In an address space in which the compiled equations cannot be loaded."""
    done = shell(f"ulimit -v 600000; remora run dive_and_turn --duration 0.5 --no-page --out {tmp_path}")
    if done.returncode == 0:  # a machine whose libraries are small enough
        return
    assert done.returncode == 1
    assert "error: there is not enough memory" in done.stderr
    assert len(done.stderr) < 5000


def test_a_run_without_the_compiler_is_refused_in_words(tmp_path: Path) -> None:
    done = shell(f"remora run dive_and_turn --duration 0.1 --out {tmp_path}", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 2
    assert "NUMBA_DISABLE_JIT is set" in done.stderr
    assert "Traceback" not in done.stderr


def test_optimised_byte_code_uses_the_same_machine_code(tmp_path: Path) -> None:
    line = f"remora run dive_and_turn --duration 0.5 --no-page --out {tmp_path}"
    plain, optimised = tmp_path / "plain.mcap", tmp_path / "optimised.mcap"
    assert shell(f"{line}/plain.mcap").returncode == 0
    done = shell(f"{line}/optimised.mcap", PYTHONOPTIMIZE="2", NUMBA_DEBUG_CACHE="1")
    assert done.returncode == 0
    assert "data loaded" in done.stdout
    assert "data saved" not in done.stdout
    assert plain.read_bytes() == optimised.read_bytes()


def wide_table(path: Path, columns: int) -> Path:
    names, values = (f"c{i} [m]" for i in range(columns)), ("1.5" for _ in range(columns))
    path.write_text(f"{TIME},{','.join(names)}\n0,{','.join(values)}\n")
    return path


def test_a_table_of_too_many_columns_is_refused_at_once(tmp_path: Path) -> None:
    done = remora("plot", wide_table(tmp_path / "wide.csv", 200_000))
    assert done.exit_code == 2
    assert done.stderr.endswith("wide.csv:1: names 200001 columns, and a table has at most 10000\n")
    many = read_log(wide_table(tmp_path / "many.csv", 9_999))
    assert many["many"]["c9998"].tolist() == [1.5]


def test_a_table_takes_little_more_memory_than_its_numbers(tmp_path: Path) -> None:
    """100,000 rows of eight numbers are 7 MB, and 26 MB before if each were an object of Python."""
    rows = np.random.default_rng(1).normal(size=(100_000, 8))
    with (tmp_path / "long.csv").open("w") as file:
        file.write(f"{TIME},{','.join(f'c{i} [m]' for i in range(8))}\n")
        for k, row in enumerate(rows.tolist()):
            file.write(f"{k},{','.join(map(repr, row))}\n")
    command = [sys.executable, "-c", _PLAIN_READING, str(tmp_path / "long.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert int(done.stdout) < 40_000  # kB: numbers, and arrays that grow
    assert np.array_equal(read_log(tmp_path / "long.csv")["long"]["c3"], rows[:, 3])


def test_missing_folders_of_outputs_are_made(tmp_path: Path) -> None:
    write_token(tmp_path / "a/b/link.token", "abc")
    assert read_token(tmp_path / "a/b/link.token") == "abc"
    log = tmp_path / "c/d/run.mcap"
    assert remora("run", "dive_and_turn", "--duration", 0.5, "--no-page", "--out", log).exit_code == 0
    assert log.is_file()


def test_a_file_in_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(OSError, match="Not a directory") as caught:
        write_token(tmp_path / "a/link.token", "abc")
    assert caught.value.filename == str(tmp_path / "a")
