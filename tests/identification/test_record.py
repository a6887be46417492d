"""Records from arrays, logs and tables, and what is refused."""

import pickle

import numpy as np
import pytest

from remora.identification import (
    Column,
    RecordError,
    inputs_of,
    record_from_arrays,
    record_from_csv,
    record_from_log,
)
from remora.logs import Channel, Field, Log, RunHeader, Series

TWIST = np.zeros((5, 6))


TIME = np.arange(5) * 0.1


def made(time=TIME, twist=TWIST, **others):
    return record_from_arrays(time, twist, source="test", **others)


def test_seconds_and_nanoseconds_give_the_same_record():
    assert np.array_equal(made().time_ns, made(time=np.arange(5) * 100_000_000).time_ns)
    assert made().interval == pytest.approx(0.1)


def test_unix_stamps_keep_their_spacing():
    record = made(time=1712923666.4765227 + np.arange(5) * 0.1)
    assert np.allclose(np.diff(record.time), 0.1, atol=1e-6)


def test_gaps_cut_the_record_and_parts_of_it_keep_the_cuts():
    record = made(time=[0.0, 0.1, 0.2, 5.0, 5.1])
    assert [(s.start, s.stop) for s in record.segments] == [(0, 3), (3, 5)]
    assert record.duration == pytest.approx(0.3)
    first, rest = record.split(0.5)
    assert len(first) == 3
    assert [(s.start, s.stop) for s in rest.segments] == [(0, 2)]
    assert [(s.start, s.stop) for s in record.rows(1, 4).segments] == [(0, 2), (2, 3)]


def test_what_is_measured_is_known_by_name():
    twist = np.full((5, 6), np.nan)
    twist[:, [0, 5]] = 1.0
    assert made(twist=twist).measured == ("surge", "yaw")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"time": [0.0, 0.1, 0.1, 0.3, 0.4]}, "row 2 repeats the stamp"),
        ({"time": [0.0, 0.1, 0.05, 0.3, 0.4]}, "row 2 goes back in time"),
        ({"time": [0.0, np.nan, 0.2, 0.3, 0.4]}, "no finite number"),
        ({"time": [0.0]}, "at least two stamps"),
        ({"twist": np.zeros((5, 3))}, r"twist has shape \(5, 3\). Give 5 rows of 6"),
        ({"twist": np.full((5, 6), np.inf)}, "twist is infinite in row 0"),
        ({"twist": [["a"] * 6] * 5}, "no table of numbers"),
        ({"inputs": inputs_of("outputs", np.zeros((4, 1)), ["a"], ["N"])}, "Give 5 rows of 1"),
        ({"inputs": inputs_of("outputs", np.zeros((5, 2)), ["a", "b"], ["N"])}, "2 names and 1 units"),
        ({"quaternion": np.full((5, 4), 1.0)}, "quaternion in row 0 has length 2"),
    ],
)
def test_bad_arrays_are_refused_with_the_place(changes, words):
    with pytest.raises(RecordError, match=words):
        made(**changes)


def test_errors_travel_between_processes():
    error = RecordError("is wrong.", "file.csv", 3)
    assert str(pickle.loads(pickle.dumps(error))) == "file.csv:3: is wrong."


def series(name, time_ns, **columns):
    channel = Channel(name, tuple(Field(key, "N" if key.startswith("t") else "1") for key in columns))
    return Series(channel, np.array(time_ns, dtype=np.int64), {k: np.array(v, dtype=float) for k, v in columns.items()})


def example_log():
    pose = {f"p_NB_{a}": [0.0, 1.0, 2.0] for a in "xyz"} | {f"q_NB_{i}": [float(i == 0)] * 3 for i in range(4)}
    motion = {f"{p}_{a}": [0.1, 0.2, 0.3] for p in ("v_NB_B", "w_NB_B") for a in "xyz"}
    all_series = [
        series("rov/truth", [0, 100, 200], **pose, **motion),
        series("rov/outputs", [0, 200], t1=[0.0, 2.0]),
        series("rov/commands", [0, 150], t1=[5.0, 7.0]),
        series("rov/dvl", [0, 100, 200], v_x=[0.1, 0.2, 0.3], status=[0, 2, 1]),
    ]
    channels = {s.channel.name: s.channel for s in all_series}
    return Log(RunHeader(version="", seed=0), channels, {s.channel.name: s for s in all_series}, (), True)


def test_log_gives_truth_only_by_name_and_inputs_at_the_stamps_of_the_motion():
    record = record_from_log(example_log(), "rov", motion="truth")
    assert np.allclose(record.inputs.values[:, 0], [0.0, 1.0, 2.0])
    assert record.inputs.units == ("N",)
    assert np.allclose(record.speed("yaw"), [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match=r'no channel "rov/estimate"'):
        record_from_log(example_log(), "rov")


def test_commands_hold_and_readings_without_lock_become_unknown():
    motion = {"surge": ("rov/dvl", "v_x")}
    record = record_from_log(example_log(), "rov", motion=motion, inputs="commands")
    assert record.inputs.held
    assert np.allclose(record.inputs.values[:, 0], [5.0, 5.0, 7.0])
    assert np.isnan(record.speed("surge")[1])
    assert record.measured == ("surge",)
    with pytest.raises(RecordError, match=r'"urge" is no degree of freedom. Did you mean'):
        record_from_log(example_log(), "rov", motion={"urge": ("rov/dvl", "v_x")})


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_table_is_turned_into_our_axes_and_units(tmp_path):
    text = "time,vx [m/s],vy,r_deg,n1,roll,pitch,yaw\n0,1,2,57.29577951308232,600,0.1,0.2,0.3\n1,1,2,0,0,0.1,0.2,0.3\n"
    record = record_from_csv(
        write(tmp_path / "a.csv", text),
        {"surge": "vx", "sway": "vy", "yaw": Column("r_deg", "deg/s")},
        {"main": Column("n1", "rpm")},
        attitude={"roll": "roll", "pitch": "pitch", "yaw": "yaw"},
        axes="forward-left-up",
    )
    assert np.allclose(record.twist[0, [0, 1, 5]], [1.0, -2.0, -1.0])
    assert record.inputs.values[0, 0] == pytest.approx(20.0 * np.pi)
    assert record.quaternion.shape == (2, 4)
    assert record.quaternion[0, 1] > 0.0 > record.quaternion[0, 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time,vx\n0,1\n1,2\n", "a.csv:1: has no column n1. It has: time, vx"),
        ("", "is empty"),
        ("time,vx,n1\n0,1,2\n1,x,2\n", "no number"),
        ("time,vx,n1\n0,1\n1,2\n", "too short"),
        ("time,vx,n1\n0,1,2\n", "has 1 rows"),
        ("time,vx,n1\n0,1,2\n0,1,2\n1,2,3\n", "repeats the stamp"),
    ],
)
def test_bad_tables_are_refused(tmp_path, text, words):
    with pytest.raises(RecordError, match=words):
        record_from_csv(write(tmp_path / "a.csv", text), {"surge": "vx"}, {"main": "n1"})


def test_repeated_stamps_can_be_left_out_by_name(tmp_path):
    path = write(tmp_path / "a.csv", "time,vx,n1\n0,1,2\n0,1,2\n1,2,3\n")
    record = record_from_csv(path, {"surge": "vx"}, {"main": "n1"}, keep_first_of_repeated=True)
    assert len(record) == 2
    assert "1 rows that repeat a stamp" in record.provenance[-1]


def test_missing_file_and_unknown_unit(tmp_path):
    with pytest.raises(RecordError, match=r"No such file"):
        record_from_csv(tmp_path / "none.csv", {"surge": "vx"}, {"main": "n1"})
    path = write(tmp_path / "a.csv", "time,vx,n1\n0,1,2\n1,2,3\n")
    with pytest.raises(RecordError, match=r'unit "furlong" is not known'):
        record_from_csv(path, {"surge": Column("vx", "furlong")}, {"main": "n1"})


@pytest.mark.parametrize("first", [0.0, 1000.0])
def test_a_split_counts_from_the_first_stamp(first):
    time = first + 0.1 * np.arange(101)
    record = record_from_arrays(time, np.zeros((101, 6)))
    fitted, judged = record.split(0.7)
    assert (len(fitted), len(judged)) == (70, 31)
