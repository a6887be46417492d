"""Logs of every format on the command line: a reader of the user in one file, and files that are no logs."""

import os
import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from swim_example import INTERVAL, START, TRUE, motion

from command_line import remora
from loop_logs import write_run
from remora.files.user_code import UserCodeNames, user_object
from remora.logs import LogWriter, read_log

READER = '''\
"""Reader of .swim files: SWIM1, the number of rows, then rows of doubles."""

import numpy as np

from remora.logs import Channel, Field, RunHeader, Series, log_from_series

THRUSTERS = ("surge_port", "surge_starboard", "sway_front", "sway_rear")
AXES = ("x", "y", "z")
MOTION = (
    *(Field(f"p_NB_{axis}", "m", "N", optional=True) for axis in AXES),
    *(Field(f"q_NB_{i}", "1", optional=True) for i in range(4)),
    *(Field(f"v_NB_B_{axis}", "m/s", "B", optional=True) for axis in AXES),
    *(Field(f"w_NB_B_{axis}", "rad/s", "B", optional=True) for axis in AXES),
    Field("valid", "1", kind="bool"),
)


def read(path):
    data = path.read_bytes()
    if not data.startswith(b"SWIM1"):
        raise ValueError("begins otherwise")
    count = int.from_bytes(data[5:9], "little")
    held = (len(data) - 9) // 64
    problems = [f"has {held} of {count} rows"] if held < count else []
    rows = np.frombuffer(data[9 : 9 + 64 * held]).reshape(-1, 8)
    time_ns = np.round(1e9 * (rows[:, 0] - rows[0, 0])).astype(np.int64)
    unknown = np.full(len(rows), np.nan)
    speeds = {"v_NB_B_x": rows[:, 1], "v_NB_B_y": rows[:, 2], "w_NB_B_z": rows[:, 3]}
    motion = {field.name: speeds.get(field.name, unknown) for field in MOTION}
    motion["valid"] = np.ones(len(rows), bool)
    return log_from_series(
        [
            Series(Channel("auv/estimate", MOTION), time_ns, motion),
            Series(
                Channel("auv/outputs", tuple(Field(name, "rad/s") for name in THRUSTERS)),
                time_ns,
                {name: rows[:, 4 + i] for i, name in enumerate(THRUSTERS)},
            ),
        ],
        RunHeader("swim", 0),
        problems=problems,
    )


def nothing(path):
    return {"depth": [1.0]}


def unequal(path):
    depth = Channel("auv/depth", (Field("depth", "m"),))
    return log_from_series([Series(depth, np.arange(3), {"depth": np.zeros(2)})])


number = 3
'''
LOGS = ("plot", "compare", "map", "fit", "validate")


def arguments_of(command: str, log: Path) -> tuple[object, ...]:
    """The command with one log, which is compared with itself."""
    return {"compare": (command, log, log), "fit": (command, START, log), "validate": (command, TRUE, log)}.get(
        command, (command, log)
    )


def refused(result: Result, *texts: str) -> str:
    """Exit code 2, one message without a traceback."""
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert (result.stdout, "Traceback" in result.stderr) == ("", False)
    assert result.stderr.count("error: ") == 1
    for text in texts:
        assert text in result.stderr, result.stderr
    return result.stderr


@pytest.fixture(scope="module")
def swim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log in a format of its own, its reader, and the same log as MCAP."""
    folder = tmp_path_factory.mktemp("swim")
    rows = motion()
    rows[:, 0] = INTERVAL * np.arange(len(rows))
    (folder / "pool.swim").write_bytes(b"SWIM1" + struct.pack("<I", len(rows)) + rows.tobytes())
    (folder / "swim_reader.py").write_text(READER)
    log = user_object("swim_reader.py:read", folder, UserCodeNames("", ""))(folder / "pool.swim")
    with LogWriter(folder / "same.mcap", log.header, log.channels.values()) as writer:
        for name, series in log.series.items():
            writer.write_rows(name, series.time_ns, list(zip(*series.columns.values(), strict=True)))
    return folder


def reader(folder: Path, name: str = "read") -> tuple[str, str]:
    return "--reader", f"{folder / 'swim_reader.py'}:{name}"


def test_a_log_in_a_format_of_its_own_is_drawn(swim: Path, tmp_path: Path) -> None:
    for file in ("pool.swim", "same.mcap"):
        result = remora("plot", swim / file, "--channel", "auv/outputs", "--out", tmp_path / "p.png", *reader(swim))
        assert (result.exit_code, result.stderr) == (0, "")
        assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_it_is_compared_with_the_same_log_as_mcap(swim: Path, tmp_path: Path) -> None:
    result = remora("compare", swim / "pool.swim", swim / "same.mcap", *reader(swim))
    assert (result.exit_code, result.stdout) == (0, "identical\n")
    data = bytearray((swim / "pool.swim").read_bytes())
    struct.pack_into("<d", data, 9 + 64 * 10 + 8, 99.0)
    (tmp_path / "other.swim").write_bytes(data)
    result = remora("compare", tmp_path / "other.swim", swim / "pool.swim", *reader(swim))
    assert result.exit_code == 1
    assert result.stdout.startswith(f"first difference: auv/estimate at {10 * INTERVAL:g} s")
    assert "v_NB_B_x 99.0" in result.stdout


def test_it_is_fitted_and_validated_as_the_same_log_in_mcap_is(swim: Path, tmp_path: Path) -> None:
    printed = []
    for file in ("pool.swim", "same.mcap"):
        fit = remora("fit", START, swim / file, "--out", tmp_path / f"{file}.yaml", *reader(swim))
        judged = remora("validate", tmp_path / f"{file}.yaml", swim / file, *reader(swim))
        assert (fit.exit_code, judged.exit_code) == (0, 0), fit.output + judged.output
        printed.append((fit.stdout + judged.stdout).replace(file, "LOG"))
    assert printed[0] == printed[1]
    assert "added_mass.sway" in printed[0]


MAPPED = """\
import json

import numpy as np

from remora.logs import Channel, Field, RunHeader, Series, log_from_series

POSE = tuple(Field(name, "1") for name in ("p_NB_x", "p_NB_y", "p_NB_z", "q_NB_0", "q_NB_1", "q_NB_2", "q_NB_3"))
RANGES = (Field("range_1", "m"), Field("range_2", "m"))


def read(path):
    ranges = np.array([[float(text) for text in line.split()] for line in path.read_text().splitlines()[1:]])
    time_ns, still = np.arange(len(ranges)) * 1_000_000_000, np.zeros(len(ranges))
    pose = {field.name: still + (field.name == "q_NB_0") for field in POSE}
    beams = {"p_BS": [0.5, 0, 0], "q_BS": [1, 0, 0, 0], "angles": [0.0, 1.5707963267948966]}
    return log_from_series(
        [
            Series(Channel("rov/truth", POSE), time_ns, pose),
            Series(Channel("rov/sonar", RANGES), time_ns, {"range_1": ranges[:, 0], "range_2": ranges[:, 1]}),
        ],
        RunHeader("", 0, notes={"beams rov/sonar": json.dumps(beams)}),
    )
"""


def test_the_points_of_its_sonar_are_mapped(tmp_path: Path) -> None:
    (tmp_path / "reader.py").write_text(MAPPED)
    (tmp_path / "wall.rng").write_text("RANGES\n2.0 3.0\n2.5 3.5\n")
    options = ("--reader", f"{tmp_path / 'reader.py'}:read", "--points", tmp_path / "points.csv")
    result = remora("map", tmp_path / "wall.rng", *options)
    assert result.exit_code == 0, result.output
    points = np.loadtxt(tmp_path / "points.csv", delimiter=",", skiprows=1)[:, 1:]
    assert points == pytest.approx(np.array([[2.5, 0, 0], [0.5, 3, 0], [3.0, 0, 0], [0.5, 3.5, 0]]), abs=1e-12)


def test_a_cut_log_of_its_own_format_is_told_with_what_can_be_read(swim: Path, tmp_path: Path) -> None:
    data = (swim / "pool.swim").read_bytes()
    cut = tmp_path / "cut.swim"
    cut.write_bytes(data[: 9 + 64 * 100 + 20])
    texts = ("is damaged: has 100 of 1501 rows", "A part of 200 rows in 2 channels, up to 9.9 s, can be read")
    refused(remora("fit", START, cut, *reader(swim)), *texts, "With --salvage it is used")
    result = remora("plot", cut, "--out", tmp_path / "p.png", *reader(swim))
    assert result.exit_code == 0
    assert "the picture shows what can be read, from 0 to 9.9 s. Found:\n  has 100 of 1501 rows" in result.stderr


@pytest.mark.parametrize("command", LOGS)
def test_without_its_reader_it_is_refused_with_the_known_formats(swim: Path, command: str) -> None:
    texts = (
        f"{swim / 'pool.swim'}: is no log of a known format: it begins with 53 57 49 4d 31",
        "Known formats: MCAP logs of Remora (.mcap), CSV tables of Remora (.csv, a folder with *.csv).",
        "For another format give --reader my_file.py:read.",
    )
    refused(remora(*arguments_of(command, swim / "pool.swim")), *texts)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("swim_reader.py", "give the file and the name in it, e.g. my_file.py:read."),
        ("none.py:read", "A path is relative to the working folder."),
        ("swim_reader.py:rad", 'has no "rad" that can be called. Did you mean "read"?'),
        ("swim_reader.py:number", "that can be called"),
        ("swim_reader.py:nothing", "swim_reader.py:nothing returned dict, not a Log. Build one with log_from_series"),
        ("swim_reader.py:unequal", 'channel "auv/depth", field "depth" has values of shape (2,) for 3 times'),
        ("broken.py:read", "broken.py:1 raised SyntaxError"),
    ],
)
@pytest.mark.parametrize("command", LOGS)
def test_a_wrong_reader_is_told(swim: Path, tmp_path: Path, command: str, name: str, told: str) -> None:
    (tmp_path / "swim_reader.py").write_text(READER)
    (tmp_path / "broken.py").write_text("x = (")
    refused(remora(*arguments_of(command, swim / "pool.swim"), "--reader", tmp_path / name), told)


@pytest.mark.parametrize("command", LOGS)
def test_a_reader_that_fails_is_told_with_its_line(swim: Path, tmp_path: Path, command: str) -> None:
    (tmp_path / "other.bin").write_bytes(b"something else")
    line = 1 + next(k for k, text in enumerate(READER.splitlines()) if "begins otherwise" in text)
    told = f"other.bin: {swim / 'swim_reader.py'}:{line} raised ValueError: begins otherwise while it read the log"
    refused(remora(*arguments_of(command, tmp_path / "other.bin"), *reader(swim)), told)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return write_run(tmp_path_factory.mktemp("good") / "run.mcap", steps=60, chunk_bytes=4096).read_bytes()


HOSTILE = {
    "text.mcap": (b"hello there\nthis is text\n", 'it begins with "hello there"'),
    "table.mcap": (b"time [ns],x [m]\n0,1.0\n", "begins like CSV tables of Remora, but has the ending of MCAP logs"),
    "empty.mcap": (b"", "is empty: there is nothing in it"),
    "empty.csv": (b"", "is empty: there is nothing in it"),
    "empty.bin": (b"", "is empty: there is nothing in it"),
    "junk.mcap": (random.Random(1).randbytes(5000), "is neither a log of Remora nor any other MCAP file"),
    "junk.csv": (b"\x81" + random.Random(2).randbytes(5000), "UTF-8"),
    "junk.bin": (b"\x81\x82\x83\x84" * 9, "is no log of a known format: it begins with 81 82 83 84"),
    "latin.csv": ("time;höhe\n1;2\n".encode("latin-1"), "UTF-8"),
    "zeros.dat": (bytes(5000), "00 00"),
    "bag.bag": (b"#ROSBAG V2.0\n" + bytes(90), "is a ROS 1 bag, not a log of Remora, and there is no reader for it"),
    "flight.BIN": (b"\xa3\x95\x80\x80" * 20, "is an ArduPilot log (.BIN), not a log of Remora"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("command", LOGS)
def test_files_that_are_no_logs_are_told(tmp_path: Path, command: str, name: str) -> None:
    content, told = HOSTILE[name]
    (tmp_path / name).write_bytes(content)
    text = refused(remora(*arguments_of(command, tmp_path / name)), str(tmp_path / name))
    if not (name == "zeros.dat" and command in ("fit", "validate")):  # an endless line of a table
        assert told in text
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("command", LOGS)
def test_a_log_under_the_name_of_a_table_is_told_what_to_rename(tmp_path: Path, command: str, good: bytes) -> None:
    (tmp_path / "run.csv").write_bytes(good)
    told = "run.csv: begins like MCAP logs of Remora, but has the ending of CSV tables of Remora. Rename it to run.mcap"
    refused(remora(*arguments_of(command, tmp_path / "run.csv")), told)


@pytest.mark.parametrize("command", LOGS)
def test_folders_pipes_and_missing_files_are_told(tmp_path: Path, command: str) -> None:
    (tmp_path / "folder").mkdir()
    empty = refused(remora(*arguments_of(command, tmp_path / "folder")), "is a folder without a log: there is nothing")
    assert "Known formats" in empty
    (tmp_path / "folder" / "notes.txt").write_text("a")
    refused(remora(*arguments_of(command, tmp_path / "folder")), "is a folder without a log: it holds notes.txt")
    os.mkfifo(tmp_path / "pipe")
    refused(remora(*arguments_of(command, tmp_path / "pipe")), "is not a regular file")
    refused(remora(*arguments_of(command, tmp_path / "none.mcap")), f"{tmp_path / 'none.mcap'}: ", "o such file")


@pytest.mark.parametrize("command", LOGS)
@pytest.mark.parametrize("name", ["run.mcap", "run.csv", "run.bin"])
def test_a_file_that_cannot_be_opened_is_told(
    tmp_path: Path, command: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(b"x")

    opened = Path.open

    def denied(path: Path, *arguments: Any, **options: Any) -> Any:
        if path == tmp_path / name:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", denied)
    refused(remora(*arguments_of(command, tmp_path / name)), f"{tmp_path / name}: cannot be read: Permission denied")


def test_a_log_cut_at_seventy_percent_is_used_as_far_as_it_goes(tmp_path: Path, good: bytes) -> None:
    (tmp_path / "good.mcap").write_bytes(good)
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(good[: int(0.7 * len(good))])
    log = read_log(cut)
    rows, last = sum(len(series) for series in log.series.values()), max(s.time[-1] for s in log.series.values())
    told = f"A part of {rows} rows in {len(log.series)} channels, up to {last:g} s, can be read. With --salvage it is"
    refused(remora("fit", START, cut), "is damaged: byte ", told)
    drawn = remora("plot", cut, "--channel", "alpha/power")
    assert drawn.exit_code == 0
    assert f"shows what can be read, from 0 to {last:g} s. Found:\n  byte " in drawn.stderr
    compared = remora("compare", tmp_path / "good.mcap", cut)
    assert compared.exit_code == 1
    assert "the file ends" in compared.stdout
