"""What the writer refuses, and what it leaves behind when a run ends badly."""

import errno
import math
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from sample_logs import CHANNELS, HEADER, POSE, STEP_NS, everything, fill, rows, write_sample

from remora.logs import Channel, Field, LogError, LogWriter, RunHeader, iterate, read_log


@pytest.fixture
def writer(tmp_path):
    with LogWriter(tmp_path / "run.mcap", HEADER, CHANNELS) as writer:
        yield writer


@pytest.mark.parametrize(
    ("channel", "time_ns", "values", "words"),
    [
        ("truth/pse", 0, (1.0, 2.0, 3.0), 'there is no channel "truth/pse". Did you mean "truth/pose"'),
        ("truth/pose", 0, (1.0, 2.0), "takes 3 values, not 2: p_NB_x, p_NB_y, heading"),
        ("truth/pose", 0, (1.0, math.nan, 3.0), "at 0 s: p_NB_y is NaN, but only optional fields may be"),
        ("truth/pose", 2_500_000_000, (1.0, math.inf, 3.0), "at 2.5 s: p_NB_y is infinite"),
        ("truth/pose", 0, (math.inf, -math.inf, 3.0), "p_NB_x is infinite"),
        ("truth/pose", 0, ("a", 2.0, 3.0), "p_NB_x is 'a', not a number"),
        ("truth/pose", 0, (10**400, 2.0, 3.0), "p_NB_x is 1000.*, not a number"),
        ("truth/pose", 0, 1.0, "values must be a sequence of 3 numbers"),
        ("truth/pose", 0, "abc", "values must be a sequence of 3 numbers"),
        ("truth/pose", 0, None, "values must be a sequence of 3 numbers"),
        ("truth/pose", 0, np.zeros((3, 3)), "p_NB_x is .*, not a number"),
        ("truth/pose", -1, (1.0, 2.0, 3.0), "time -1 ns comes before the start"),
        ("truth/pose", 0.5, (1.0, 2.0, 3.0), "time is 0.5, not a whole number"),
        ("truth/pose", "now", (1.0, 2.0, 3.0), "time is 'now', not a whole number"),
        ("truth/pose", 1 << 63, (1.0, 2.0, 3.0), "not a whole number below 2.63"),
        ("falcon/dvl", 0, (1.0, 2.0, 0.5, 4), "valid is 0.5, neither true nor false"),
        ("falcon/dvl", 0, (1.0, 2.0, math.nan, 4), "valid is nan, neither"),
        ("falcon/dvl", 0, (1.0, 2.0, True, 4.5), "beams is 4.5, not a whole number"),
        ("falcon/dvl", 0, (math.inf, 2.0, True, 4), "v_NS_x is infinite"),
        ("falcon/dvl", 0, (0.0, 0.0, False, 4), "v_NS_x is 0.0 while valid is False; write NaN"),
    ],
)
def test_bad_rows_are_refused_by_name(writer, channel, time_ns, values, words):
    writer.write("truth/pose", 0, (0.0, 0.0, 0.0))
    with pytest.raises(LogError, match=words):
        writer.write(channel, time_ns, values)
    writer.write("truth/pose", 0, (9.0, 9.0, 9.0))
    writer.close()
    assert [row[1] for row in rows(read_log(writer.path), "truth/pose")] == ["0.0", "9.0"]


@pytest.mark.parametrize(
    ("channel", "times", "values", "words"),
    [
        ("truth/pose", [0, 1], [[1.0, 2.0, 3.0]], r"shape \(1, 3\); expected numbers of shape \(2, 3\)"),
        ("truth/pose", [0, 1], [["a", "b", "c"]] * 2, "expected numbers"),
        ("truth/pose", [0.0, 1.0], [[1.0, 2.0, 3.0]] * 2, "times must be a row of whole nanoseconds"),
        ("truth/pose", [5, 4], [[1.0, 2.0, 3.0]] * 2, "time 4 ns comes after 0.000000005 s"),
        ("truth/pose", [-3, 4], [[1.0, 2.0, 3.0]] * 2, "time -3 ns comes before the start"),
        ("truth/pose", [3, 4], [[1.0, 2.0, 3.0], [1.0, math.nan, 3.0]], "p_NB_y is NaN"),
        ("falcon/dvl", [3, 4], [[1, 2, 1, 4], [1, 2, 0, 4]], "v_NS_x is 1.0 while valid is False"),
        ("falcon/dvl", [3, 4], [[1, 2, 1, 4], [1, 2, 2, 4]], "valid is 2, neither"),
        ("falcon/dvl", [3, 4], [[1, 2, 1, 4], [1, 2, 1, 4.5]], "beams is 4.5, not a whole number"),
        ("falcon/dvl", [3, 4], [[1, 2, 1, 4], [1, 2, 1, math.nan]], "beams is nan, not a whole number"),
    ],
)
def test_bad_tables_are_refused_whole(writer, channel, times, values, words):
    with pytest.raises(LogError, match=words):
        writer.write_rows(channel, times, values)
    writer.close()
    assert len(read_log(writer.path)[channel]) == 0


def test_huge_numbers_are_not_taken_for_infinity(writer):
    writer.write("truth/pose", 0, (1.7e308, 1.7e308, 0.0))
    writer.close()
    assert read_log(writer.path)["truth/pose"]["p_NB_x"].tolist() == [1.7e308]


def test_time_may_stand_still_but_not_go_back(writer):
    writer.write("truth/pose", 5, (1.0, 2.0, 3.0))
    writer.write("truth/pose", 5, (1.0, 2.0, 3.0))
    writer.flush()
    with pytest.raises(LogError, match=r"time 4 ns comes after 0.000000005 s: time must not go back"):
        writer.write("truth/pose", 4, (1.0, 2.0, 3.0))


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ((0, "a", "loud", "text"), 'level "loud" is none of debug, info'),
        ((-1, "a", "info", "text"), "time -1 must be whole nanoseconds"),
        ((0.5, "a", "info", "text"), "time 0.5 must be whole nanoseconds"),
        ((0, "a", "info", "text", {"a": {1, 2}}), "cannot be written as JSON"),
        ((0, "a", "info", "text", {"a": math.nan}), "cannot be written as JSON"),
        ((0, "a", "info", "x" * (1 << 20)), "put the bulk into a file"),
        ((0, "a", "info", "\ud800"), "cannot be written"),
    ],
)
def test_bad_events_are_refused(writer, event, words):
    with pytest.raises(LogError, match=words):
        writer.event(*event)


@pytest.mark.parametrize(
    ("channels", "words"),
    [
        ([POSE, POSE], "have the same name or nearly so"),
        ([Channel("a-b", POSE.fields), Channel("A_b", POSE.fields)], "have the same name or nearly so"),
        ([Channel("events", POSE.fields)], "this name is taken"),
        ([Channel("", POSE.fields)], "a name is words of letters"),
        ([Channel("a//b", POSE.fields)], "a name is words of letters"),
        ([Channel("../b", POSE.fields)], "a name is words of letters"),
        ([Channel("a", ())], "has 0 fields"),
        ([Channel("a", (Field("x y", "m"),))], "a name starts with a letter"),
        ([Channel("a", (Field("x", ""),))], 'write "1" for none'),
        ([Channel("a", (Field("x", "m]"),))], "without brackets"),
        ([Channel("a", (Field("time", "s"),))], "every channel has a time already"),
        ([Channel("a", (Field("x", "m", kind="double"),))], "is none of float, int, bool"),  # type: ignore[arg-type]
        ([Channel("a", (Field("x_1", "m"), Field("x1", "m")))], "have the same name or nearly so"),
        ([Channel("a", (Field("n", "1", kind="int", optional=True),))], "only a float can be optional"),
        ([Channel("a", (Field("x", "m", optional=True),))], 'add Field."valid", "1", kind="bool".'),
    ],
)
def test_bad_channels_are_refused(tmp_path, channels, words):
    with pytest.raises(LogError, match=words):
        LogWriter(tmp_path / "run.mcap", HEADER, channels)
    assert not (tmp_path / "run.mcap").exists()


@pytest.mark.parametrize(
    "header", [RunHeader("1", "x"), RunHeader("1", 0, notes={"a": 1}), RunHeader("1", 0, simplifications=(1,))]
)  # type: ignore[arg-type]
def test_bad_headers_are_refused(tmp_path, header):
    with pytest.raises(LogError):
        LogWriter(tmp_path / "run.mcap", header, CHANNELS)


def test_a_path_that_cannot_be_written(tmp_path):
    with pytest.raises(LogError, match=r"cannot be written: Is a directory"):
        LogWriter(tmp_path, HEADER, CHANNELS)
    (tmp_path / "file").touch()
    with pytest.raises(LogError, match=r"run.mcap: cannot be written: Not a directory"):
        LogWriter(tmp_path / "file" / "run.mcap", HEADER, CHANNELS)


def test_a_closed_log_takes_no_more(writer):
    writer.close()
    writer.close()
    for attempt in (
        lambda: writer.write("truth/pose", 0, (1.0, 2.0, 3.0)),
        lambda: writer.write_rows("truth/pose", [0], [(1.0, 2.0, 3.0)]),
        lambda: writer.event(0, "a", "info", "b"),
        writer.flush,
    ):
        with pytest.raises(LogError, match="the log is closed"):
            attempt()


def test_an_exception_in_the_run_loses_nothing(tmp_path):
    def run():
        with LogWriter(tmp_path / "run.mcap", HEADER, CHANNELS) as writer:
            fill(writer, range(123))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    log = read_log(tmp_path / "run.mcap")
    assert log.complete
    assert len(log["truth/pose"]) == 123


class FaultyFile:
    """A file that fails after some bytes, as a full disk does, or raises what it is told to."""

    def __init__(self, file, room, error):
        self.file, self.room, self.error = file, room, error

    def write(self, data):
        taken = bytes(data[: self.room])
        if not taken:
            raise self.error
        self.room -= len(taken)
        return self.file.write(taken)

    def __getattr__(self, name):
        return getattr(self.file, name)


@pytest.mark.parametrize("room", [0, 1, 500, 1500, 5000, 9000])
def test_a_full_disk_is_told_and_leaves_a_readable_log(tmp_path, room):
    whole = everything(read_log(write_sample(tmp_path / "whole.mcap")))
    writer = LogWriter(tmp_path / "run.mcap", HEADER, CHANNELS, chunk_bytes=4096)
    writer._file = FaultyFile(writer._file, room, OSError(errno.ENOSPC, "No space left on device"))
    words = r"run\.mcap: could not be written: No space left on device\. What is in"
    with pytest.raises(LogError, match=words) as error, writer:
        fill(writer, range(500))
    assert "could not be written" in error.value.__notes__[0]
    log = read_log(tmp_path / "run.mcap")
    assert not log.complete
    assert "its writer did not close it" in log.problems[0]
    for name, found in everything(log).items():
        assert found == whole[name][: len(found)]


def test_ctrl_c_while_a_chunk_is_written_loses_nothing(tmp_path):
    whole = everything(read_log(write_sample(tmp_path / "whole.mcap")))
    writer = LogWriter(tmp_path / "run.mcap", HEADER, CHANNELS, chunk_bytes=4096)
    good = writer._file
    done = 0
    with writer:
        for step in range(500):
            if step == 200:
                writer._file = FaultyFile(good, 100, KeyboardInterrupt())
                with pytest.raises(KeyboardInterrupt):
                    writer.flush()
                writer._file = good
            fill(writer, range(step, step + 1))
            done += 1
    log = read_log(tmp_path / "run.mcap")
    assert done == 500
    assert log.complete
    assert everything(log) == whole


def interrupted_run(path, delay):
    """A run that is interrupted after some processor time, wherever it then is."""
    with LogWriter(path, HEADER, CHANNELS, chunk_bytes=600) as writer:
        signal.setitimer(signal.ITIMER_VIRTUAL, delay)
        fill(writer, range(100_000))


def test_ctrl_c_at_any_instant_leaves_a_whole_log(tmp_path):
    """Not only between the steps of a run: rows are neither doubled nor lost when a chunk is just being written."""

    def interrupt(*_):
        raise KeyboardInterrupt

    truth = everything(read_log(write_sample(tmp_path / "whole.mcap", steps=5000)))
    before = signal.signal(signal.SIGVTALRM, interrupt)
    delays = random.Random(0)
    lengths = set()
    try:
        for _ in range(30):
            with pytest.raises(KeyboardInterrupt):
                interrupted_run(tmp_path / "run.mcap", delays.uniform(0.0005, 0.01))
            log = read_log(tmp_path / "run.mcap")
            assert log.complete, log.problems
            found = everything(log)
            assert all(found[name] == truth[name][: len(found[name])] for name in truth)
            lengths.add(len(found["truth/pose"]))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert len(lengths) > 5


PROGRAM = """
import sys, time
sys.path[:0] = {paths!r}
from sample_logs import CHANNELS, HEADER, fill
from remora.logs import LogWriter
with LogWriter({path!r}, HEADER, CHANNELS, chunk_bytes=4096) as writer:
    step = 0
    while True:
        fill(writer, range(step, step + 1))
        step += 1
        if step == 1000:
            print("running", flush=True)
        if step > 1000:
            time.sleep(0.001)
"""


def heed_ctrl_c():
    """A test run in the background ignores Ctrl-C and hands that on to its children; undo it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize(("sign", "complete"), [(signal.SIGKILL, False), (signal.SIGINT, True)])
def test_a_killed_process_leaves_a_readable_log(tmp_path, sign, complete):
    path = tmp_path / "run.mcap"
    program = PROGRAM.format(paths=[str(Path(__file__).parent)], path=str(path))
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=heed_ctrl_c
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"running"
    time.sleep(0.05)
    os.kill(process.pid, sign)
    process.wait(timeout=30)
    process.stdout.close()
    log = read_log(path)
    assert log.complete is complete
    times = log["truth/pose"].time_ns
    assert len(times) > 900
    np.testing.assert_array_equal(times, np.arange(len(times)) * STEP_NS)


def test_slow_channels_reach_the_file_after_the_stated_time(tmp_path):
    writer = LogWriter(tmp_path / "run.mcap", HEADER, CHANNELS, chunk_ns=1_000_000_000)
    for step in range(26):
        writer.write("truth/pose", step * 100_000_000, (1.0, 2.0, 3.0))
    log = read_log(tmp_path / "run.mcap")
    writer.close()
    assert len(log["truth/pose"]) == 20


def test_memory_stays_flat(tmp_path):
    """Writing and reading in pieces take a few chunks of memory, however long the log."""
    path = tmp_path / "long.mcap"
    table = np.random.default_rng(0).normal(size=(5000, 3))
    peaks = []
    tracemalloc.start()
    with LogWriter(path, HEADER, [POSE], chunk_bytes=1 << 16) as writer:
        for block in range(120):
            writer.write_rows("truth/pose", np.arange(block * 5000, block * 5000 + 5000), table)
            if block in (20, 119):
                peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.reset_peak()
    assert sum(len(piece) for piece in iterate(path)) == 600_000
    reading = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > 20e6
    assert peaks[1] < peaks[0] + 200_000
    assert reading < 3e6


def test_many_values_at_one_time_do_not_fill_the_memory(tmp_path):
    with LogWriter(tmp_path / "run.mcap", HEADER, [POSE], chunk_bytes=1000) as writer:
        for _ in range(1000):
            writer.write("truth/pose", 7, (1.0, 2.0, 3.0))
        assert len(read_log(writer.path)["truth/pose"]) > 800


def test_importing_the_room_is_light():
    heavy = ("numpy", "mcap", "google.protobuf", "backports.zstd", "compression.zstd", "pandas")
    program = f"import sys, remora.logs; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "[]"
