"""CSV: exact there and back, and every mistake in a file told with its line and column."""

import shutil

import numpy as np
import pytest
from sample_logs import CHANNELS, HEADER, everything, write_sample

from remora.logs import LogError, read_csv_log, read_log, to_csv, to_frames


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("csv")
    log = read_log(write_sample(folder / "run.mcap"))
    to_csv(log, folder / "out")
    return log, folder / "out"


@pytest.fixture
def copy(exported, tmp_path):
    """A copy of the folder that a test may spoil."""
    return shutil.copytree(exported[1], tmp_path / "out")


def test_a_folder_reads_back_exactly(exported):
    log, folder = exported
    back = read_csv_log(folder)
    assert back.complete
    assert back.header == HEADER
    assert tuple(back.channels.values()) == CHANNELS
    assert everything(back) == everything(log)
    assert back["falcon/dvl"]["beams"].dtype == np.int64


def test_the_files_are_plain(exported):
    _, folder = exported
    assert sorted(file.name for file in folder.iterdir()) == [
        "events.csv", "falcon.battery-1.csv", "falcon.dvl.csv", "log.json", "truth.pose.csv",
    ]  # fmt: skip
    lines = (folder / "falcon.dvl.csv").read_text().splitlines()
    assert lines[:3] == [
        "time [ns],v_NS_x [m/s],v_NS_y [m/s],valid [1],beams [1]",
        "0,nan,nan,False,0",
        "50000000,5.5,-1e-300,True,4",
    ]
    assert (folder / "events.csv").read_text().splitlines()[1].startswith("0,falcon/battery-1,info,charge at step 0,")


def test_a_single_channel_goes_to_a_file_and_back(exported, tmp_path):
    log, _ = exported
    for channel in ("truth/pose", "falcon/dvl"):
        to_csv(log, tmp_path / "truth.csv", [channel])
        back = read_csv_log(tmp_path / "truth.csv")
        assert everything(back)["truth"] == everything(log)[channel]
        assert [field.kind for field in back.channels["truth"].fields] == [f.kind for f in log.channels[channel].fields]
    with pytest.raises(LogError, match="one file holds one channel, not 3"):
        to_csv(log, tmp_path / "all.csv")


def test_a_folder_without_its_description_is_read_by_its_columns(exported, copy):
    log, _ = exported
    (copy / "log.json").unlink()
    back = read_csv_log(copy)
    assert everything(back)["falcon/dvl"] == everything(log)["falcon/dvl"]
    assert back["truth/pose"].field("p_NB_x").unit == "m"
    assert len(back.events) == 5


def test_damage_is_not_forgotten_on_the_way(exported, tmp_path):
    _, folder = exported
    source = folder.parent / "run.mcap"
    (tmp_path / "cut.mcap").write_bytes(source.read_bytes()[:30_000])
    cut = read_log(tmp_path / "cut.mcap")
    to_csv(cut, tmp_path / "out")
    back = read_csv_log(tmp_path / "out")
    assert back.problems == cut.problems
    assert not back.complete


def spoiled(folder, change, name="truth.pose.csv"):
    path = folder / name
    lines = path.read_text().splitlines()
    path.write_text("\n".join(change(lines)) + "\n")
    return path


def replaced(lines, number, old, new):
    return [line.replace(old, new, 1) if at == number else line for at, line in enumerate(lines, start=1)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: replaced(lines, 1, ",heading [rad]", ""), r':1: column "heading \[rad\]" is missing'),
        (lambda lines: [line.rpartition(",")[0] for line in lines], ':1: column "heading .rad." is missing'),
        (lambda lines: replaced(lines, 1, "[rad]", "[deg]"), ':1: column 4: "heading" is in deg here, but in rad'),
        (lambda lines: replaced(lines, 1, "heading [rad]", "heading"), ':1: column 4 is "heading"; write the name and'),
        (lambda lines: replaced(lines, 1, "heading", "p_NB_x"), ':1: column 4: "p_NB_x" stands here for the second'),
        (lambda lines: replaced(lines, 1, "time [ns]", "time [s]"), ':1: column 1 is "time .s."; it must be "time .ns'),
        (
            lambda lines: [line + (",z [m]" if at == 0 else ",1.0") for at, line in enumerate(lines)],
            'column "z" is none',
        ),
        (lambda lines: [*lines[:7], *lines], ":8: the line of names stands here again"),
        (lambda lines: [*lines[:7], lines[7] + ",1.0", *lines[8:]], ":8: has 5 values, but line 1 names 4 columns"),
        (lambda lines: replaced(lines, 9, ".", ".x"), ':9: column 2 "p_NB_x .m.": ".*x.*" is not a number'),
        (lambda lines: [*lines[:7], "1,nan,1.0,1.0", *lines[8:]], ':8: column 2 .*"nan" is NaN, but only optional'),
        (lambda lines: [*lines[:7], "1,inf,1.0,1.0", *lines[8:]], ':8: column 2 .*"inf" is not a number that a log'),
        (lambda lines: [*lines[:7], "1.5,0,1.0,1.0", *lines[8:]], ':8: column 1 "time .ns.": "1.5" is not a whole'),
        (lambda lines: [*lines[:7], "-1,0,1.0,1.0", *lines[8:]], ":8: column 1 .* is before the start"),
        (lambda lines: [*lines[:7], "1,0,1.0,1.0", *lines[8:]], ":8: time 1 comes after 50000000: time must not go"),
        (lambda lines: [*lines[:7], '1,"0,1.0,1.0', *lines[8:]], ":8: is not a line of CSV"),
        (lambda lines: [*lines[:7], "1,\0,1.0,1.0", *lines[8:]], ":8: is not a line of CSV: it holds a byte of zero"),
    ],
)
def test_mistakes_are_told_with_line_and_column(copy, change, words):
    path = spoiled(copy, change)
    with pytest.raises(LogError, match=words) as error:
        read_csv_log(copy)
    assert str(error.value).startswith(f"{path}:")


def test_columns_may_stand_in_another_order(exported, copy):
    spoiled(copy, lambda lines: [",".join((a, d, c, b)) for a, b, c, d in (line.split(",") for line in lines)])
    assert everything(read_csv_log(copy)) == everything(exported[0])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty: not even a line of names"),
        ("time [ns],x [m]\n0,1.0\n".encode("utf-16"), ":1: is UTF-16 text: save it as UTF-8"),
        (b"time [ns],x [\xb0]\n0,1.0\n", "not UTF-8 text .0xb0.: save the file as UTF-8"),
        (b"\x89MCAP0\r\n\x01\x02", "not UTF-8 text"),
        (b"\x00" * 1000, "it holds a byte of zero"),
    ],
)
def test_files_of_another_kind_are_told(tmp_path, content, words):
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(LogError, match=words):
        read_csv_log(tmp_path / "x.csv")


def test_a_byte_order_mark_and_other_line_ends_are_accepted(tmp_path):
    (tmp_path / "x.csv").write_bytes(b"\xef\xbb\xbftime [ns],x [m]\r\n0,1.5\r\n\r\n1,2\r\n")
    assert read_csv_log(tmp_path / "x.csv")["x"]["x"].tolist() == [1.5, 2.0]


def test_bad_lines_are_left_out_and_counted_if_asked(exported, copy):
    spoiled(copy, lambda lines: [*lines[:7], "rubbish", lines[0], "1,nan,1.0,1.0", *lines[7:]])
    log = read_csv_log(copy, skip_bad=True)
    assert everything(log) == everything(exported[0])
    assert not log.complete
    assert [words.partition(" left out: ")[0] for words in log.problems] == [
        "truth.pose.csv:8", "truth.pose.csv:9", "truth.pose.csv:10",
    ]  # fmt: skip


def test_bad_events_are_told(copy):
    spoiled(copy, lambda lines: [*lines, "1,a,loud,text,{}"], "events.csv")
    with pytest.raises(LogError, match=r'events.csv:7: is no event: level "loud"'):
        read_csv_log(copy)
    spoiled(copy, lambda lines: [*lines[:-1], "1,a,info,text,{"], "events.csv")
    with pytest.raises(LogError, match=r"events.csv:7: is no event"):
        read_csv_log(copy)


def test_missing_files_are_told(exported, copy, tmp_path):
    (copy / "truth.pose.csv").unlink()
    with pytest.raises(LogError, match=r"truth.pose.csv: cannot be read: No such file"):
        read_csv_log(copy)
    (copy / "log.json").write_text("{")
    with pytest.raises(LogError, match=r"log.json: is not as to_csv writes it"):
        read_csv_log(copy)
    (tmp_path / "none").mkdir()
    with pytest.raises(LogError, match="holds no CSV file"):
        read_csv_log(tmp_path / "none")
    with pytest.raises(LogError, match="No such file or folder"):
        read_csv_log(tmp_path / "nowhere")
    with pytest.raises(LogError, match="could not be written: "):
        to_csv(exported[0], copy / "log.json" / "below")


def test_frames_hold_columns_times_and_units(exported):
    frames = to_frames(exported[0])
    frame = frames["falcon/dvl"]
    assert list(frames) == [channel.name for channel in CHANNELS]
    assert frame.index[1].value == 50_000_000
    assert frame["valid"].dtype == bool
    assert frame["v_NS_x"].isna().sum() == (~frame["valid"]).sum() == 17
    assert frame.attrs["units"]["v_NS_x"] == "m/s"
    assert frame.attrs["frames"]["v_NS_x"] == "S"


def test_without_pandas_the_message_says_what_to_install(exported, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(LogError, match=r'pip install "remora-auv\[frames\]"'):
        to_frames(exported[0])
