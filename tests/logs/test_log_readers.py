"""The registry of log readers: bytes before ending, one row for a new format, and logs from arrays that are checked."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from sample_logs import everything, write_sample

from remora.logs import (
    Channel,
    Field,
    Log,
    LogError,
    LogFile,
    LogFormat,
    LogReader,
    Series,
    compare,
    log_from_series,
    opened_log,
    read_log,
    to_csv,
)
from remora.logs.readers import registry

pytestmark = pytest.mark.usefixtures("blank_pictures")

DEPTH = Channel("rov/depth", (Field("depth", "m"),))


def depths(path: Path) -> Log:
    """A reader of text files with a depth per line, at 10 Hz."""
    values = np.array([float(line) for line in path.read_text().split()[1:]])
    return log_from_series([Series(DEPTH, 100_000_000 * np.arange(len(values)), {"depth": values})])


def written(path: Path, text: str = "DEPTHS\n1.5\n2.5\n") -> Path:
    path.write_text(text)
    return path


def test_the_bytes_decide_whatever_the_name(tmp_path):
    path = write_sample(tmp_path / "run.mcap")
    whole = everything(read_log(path))
    for name in ("run", "run.dat", "run.MCAP"):
        assert everything(read_log(path.rename(tmp_path / name))) == whole
        path = tmp_path / name
    with opened_log(path) as opened:
        assert isinstance(opened, LogReader)


def test_folders_and_files_of_csv_are_read_as_the_log_they_were(tmp_path):
    log = read_log(write_sample(tmp_path / "run.mcap"))
    to_csv(log, tmp_path / "folder")
    assert compare(tmp_path / "folder", tmp_path / "run.mcap").same
    (one,) = to_csv(log, tmp_path / "truth.pose.csv", ["truth/pose"])
    for name in ("truth.pose.csv", "truth.pose"):
        found = read_log(one.rename(tmp_path / name))
        one = tmp_path / name
        assert len(found.series) == 1
        assert np.array_equal(next(iter(found.series.values()))["heading"], log["truth/pose"]["heading"])


def test_bad_lines_of_a_table_are_left_out_and_listed(tmp_path):
    path = written(tmp_path / "rov.depth.csv", "time [ns],depth [m]\n0,1.5\n10,x\n20,2.5\n")
    log = read_log(path)
    assert (log.complete, list(log["rov/depth"]["depth"])) == (False, [1.5, 2.5])
    assert "rov.depth.csv:3 left out" in log.problems[0]


def test_some_channels_of_a_log_of_any_format(tmp_path):
    log = read_log(write_sample(tmp_path / "run.mcap"))
    to_csv(log, tmp_path / "folder")
    for path in (tmp_path / "run.mcap", tmp_path / "folder"):
        part = read_log(path, ["falcon/dvl"])
        assert list(part.series) == ["falcon/dvl"]
        assert "truth/pose" in part.channels
        with pytest.raises(LogError, match="was not read; it is in the file"):
            part["truth/pose"]
        with pytest.raises(LogError, match='Did you mean "falcon/dvl"') as caught:
            read_log(path, ["falcon/dvk"])
        assert str(path) in str(caught.value)


def test_a_new_format_is_one_entry(tmp_path, monkeypatch):
    path = written(tmp_path / "dive.dep")
    with pytest.raises(LogError, match='it begins with "DEPTHS"') as caught:
        read_log(path)
    assert caught.value.field == "reader"
    assert len(caught.value.choices) == 2
    new = LogFormat("depth lists", depths, lambda start: start.startswith(b"DEPTHS"), (".dep",))
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, new))
    assert list(read_log(path)["rov/depth"]["depth"]) == [1.5, 2.5]
    assert list(read_log(written(tmp_path / "dive"))["rov/depth"]["depth"]) == [1.5, 2.5]
    assert list(read_log(written(tmp_path / "old.dep", "depths\n3\n"))["rov/depth"]["depth"]) == [3.0]
    with pytest.raises(LogError, match=r"depth lists \(.dep\)"):
        read_log(written(tmp_path / "other.txt", "nothing"))
    for name in ("dive.csv", "dive.mcap"):
        with pytest.raises(LogError, match=r"begins like depth lists, but has the ending of .*Rename it to dive\.dep"):
            read_log(written(tmp_path / name))


def test_a_log_file_has_its_own_reader_unless_its_bytes_are_known(tmp_path):
    own = LogFile(written(tmp_path / "dive.csv"), depths)
    assert list(read_log(own)["rov/depth"]["depth"]) == [1.5, 2.5]
    assert compare(own, depths(tmp_path / "dive.csv")).same
    known = write_sample(tmp_path / "run.mcap")
    assert compare(LogFile(known, depths), known).same
    to_csv(read_log(known), tmp_path / "folder")
    assert compare(LogFile(tmp_path / "folder", depths), known).same
    (tmp_path / "dives").mkdir()
    written(tmp_path / "dives" / "a.dep")
    folder = LogFile(tmp_path / "dives", lambda path: depths(path / "a.dep"))
    assert list(read_log(folder)["rov/depth"]["depth"]) == [1.5, 2.5]


def test_errors_of_a_reader_name_the_log(tmp_path):
    def refuses(path):
        raise LogError("has no depths", line=3)

    path = written(tmp_path / "dive.dep")
    with pytest.raises(LogError) as caught:
        read_log(LogFile(path, refuses))
    assert str(caught.value) == f"{path}:3: has no depths"
    with pytest.raises(LogError, match=r"test_log_readers.py:\d+ raised ValueError: could not conv.* while it read"):
        read_log(LogFile(written(path, "DEPTHS\nx\n"), depths))
    with pytest.raises(LogError, match="returned NoneType, not a Log"):
        read_log(LogFile(path, lambda path: None))
    bad = Log(depths(written(path)).header, {}, {"rov/depth": Series(DEPTH, np.zeros(2), {})}, (), True)
    with pytest.raises(LogError, match=r"returned a log that cannot be used: .* times are an array .* type float64"):
        read_log(LogFile(path, lambda path: bad))


def test_packed_logs_are_named(tmp_path):
    path = write_sample(tmp_path / "run.mcap")
    path.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(LogError, match="is a gzip file, not a log of Remora"):
        read_log(path)


OPTIONAL = Channel("rov/depth", (Field("depth", "m", optional=True),))
COUNT = Channel("rov/count", (Field("count", "1", kind="int"), Field("on", "1", kind="bool")))


def test_a_log_from_arrays_has_the_types_of_its_fields():
    nan = float("nan")
    log = log_from_series(
        [
            Series(OPTIONAL, np.array([0, 5], np.uint32), {"depth": np.array([nan, 2.0], np.float32)}),
            Series(COUNT, np.array([], np.int64), {"on": np.array([], bool), "count": np.array([], np.uint8)}),
        ]
    )
    assert (log.complete, log.problems, log.header.version) == (True, (), "")
    assert [log["rov/depth"].time_ns.dtype, log["rov/depth"]["depth"].dtype] == [np.int64, np.float64]
    assert np.array_equal(log["rov/depth"]["depth"], [nan, 2.0], equal_nan=True)
    assert list(log["rov/count"].columns) == ["count", "on"]
    cut = log_from_series(log.series.values(), log.header, problems=["the end is missing"])
    assert (cut.complete, cut.problems) == (False, ("the end is missing",))


@pytest.mark.parametrize(
    ("times", "values", "told"),
    [
        ([0.0, 0.1], [1.0, 2.0], r"times are an array of 1 axes and type float64.*astype\(np.int64\)"),
        ([[0, 1]], [1.0, 2.0], "an array of 2 axes"),
        ([-1, 1], [1.0, 2.0], "times go from -1 to 1 ns; they must not be negative"),
        ([0, 20, 10], [1.0, 2.0, 3.0], "time goes back after 0.00000002 s. Sort the rows by time"),
        ([0, 1], [1.0], r"has values of shape \(1,\) for 2 times. Give one value per time"),
        ([0, 1], ["a", "b"], "is of kind float, but its values have the type <U1"),
        ([0, 1], [1.0, float("inf")], "is inf at 0.000000001 s. Leave the row out"),
        ([0, 1], [float("nan"), 1.0], "is nan at 0 s. Mark the field as optional"),
    ],
)
def test_arrays_that_are_no_log_are_told(times, values, told):
    with pytest.raises(LogError, match=told) as caught:
        log_from_series([Series(DEPTH, np.array(times), {"depth": np.array(values)})])
    assert 'channel "rov/depth"' in str(caught.value)


@pytest.mark.parametrize(
    ("channel", "columns", "told"),
    [
        (DEPTH, {}, 'values of the field "depth" are missing'),
        (DEPTH, {"depth": [1.0], "height": [1.0]}, 'has no field "height", but values for it. Its fields: depth'),
        (COUNT, {"count": [1.5], "on": [True]}, 'field "count" is of kind int, but its values have the type float64'),
        (COUNT, {"count": [1], "on": [1]}, 'field "on" is of kind bool, but its values have the type int64'),
        (DEPTH._replace(name="rov depth"), {"depth": [1.0]}, 'channel "rov depth": a name is'),
    ],
)
def test_columns_that_do_not_fit_their_channel_are_told(channel, columns, told):
    with pytest.raises(LogError, match=told):
        log_from_series([Series(channel, np.array([0]), {name: np.array(column) for name, column in columns.items()})])


def test_a_channel_that_comes_twice_is_told():
    twice = [Series(DEPTH, np.array([0]), {"depth": np.array([1.0])})] * 2
    with pytest.raises(LogError, match='channel "rov/depth" comes twice'):
        log_from_series(twice)
