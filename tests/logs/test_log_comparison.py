"""Two logs are the same, or the first difference is named."""

import math

import numpy as np
import pytest
from sample_logs import CHANNELS, DVL, HEADER, POSE, STEP_NS, WIDE, dvl, fill, pose, write_sample

from remora.logs import Channel, Difference, Event, Field, LogError, LogWriter, compare, iterate, read_log

pytestmark = pytest.mark.usefixtures("blank_pictures")


@pytest.fixture
def sample(tmp_path):
    return write_sample(tmp_path / "a.mcap")


def write_changed(path, step=None, values=None, steps=500, chunk_bytes=4096, header=HEADER):
    """The sample, with another pose at one step."""
    with LogWriter(path, header, CHANNELS, chunk_bytes=chunk_bytes) as writer:
        if step is None:
            fill(writer, range(steps))
        else:
            fill(writer, range(step))
            writer.write("truth/pose", step * STEP_NS, values)
            if step % 5 == 0:
                writer.write("falcon/dvl", step * STEP_NS, dvl(step))
            fill(writer, range(step + 1, steps))
    return path


def test_a_log_is_the_same_as_itself(sample):
    result = compare(sample, sample)
    assert result.same
    assert str(result) == "the logs are the same"
    assert compare(read_log(sample), sample).same
    assert compare(sample, read_log(sample)).same


def test_the_size_of_chunks_makes_no_difference(sample, tmp_path):
    for chunk_bytes in (700, 5000, 1 << 20):
        other = write_changed(tmp_path / "b.mcap", chunk_bytes=chunk_bytes)
        assert other.read_bytes() != sample.read_bytes()
        assert compare(sample, other).same
        assert compare(other, sample).same


@pytest.mark.parametrize("chunk_bytes", [700, 4096, 1 << 20])
@pytest.mark.parametrize("step", [1, 333, 499])
def test_the_first_value_that_differs_is_named(sample, tmp_path, step, chunk_bytes):
    x, y, heading = pose(step)
    other = write_changed(tmp_path / "b.mcap", step, (x, math.nextafter(y, 1e9), heading), chunk_bytes=chunk_bytes)
    result = compare(sample, other)
    assert result.difference == Difference("truth/pose", step * STEP_NS, "p_NB_y", y, math.nextafter(y, 1e9))
    assert not result.same
    assert not result.same_values
    assert compare(other, sample).difference == Difference(
        "truth/pose", step * STEP_NS, "p_NB_y", math.nextafter(y, 1e9), y
    )
    assert str(result).startswith(f"first difference: truth/pose at {step / 100:g} s: p_NB_y is {y!r} and ")


def test_the_earliest_of_several_differences_is_named(tmp_path):
    """In another channel and another chunk than the first that is met while reading."""
    paths = [tmp_path / "a.mcap", tmp_path / "b.mcap"]
    for path, chunk_bytes, late, early in zip(paths, (900, 6000), (1.0, 2.0), (0.5, 0.6), strict=True):
        with LogWriter(path, HEADER, CHANNELS, chunk_bytes=chunk_bytes) as writer:
            for step in range(300):
                writer.write("truth/pose", step, (late if step >= 201 else 0.0, 0.0, 0.0))
                writer.write("falcon/dvl", step, (early if step >= 200 else 0.0, 0.0, True, 1))
    assert compare(*paths).difference == Difference("falcon/dvl", 200, "v_NS_x", 0.5, 0.6)


def test_zero_and_minus_zero_differ(sample, tmp_path):
    x, y, heading = pose(7)
    assert math.copysign(1, y) == -1
    other = write_changed(tmp_path / "b.mcap", 7, (x, 0.0, heading))
    assert str(compare(sample, other)) == "first difference: truth/pose at 0.07 s: p_NB_y is -0.0 and 0.0"


def test_a_shorter_log_is_told(sample, tmp_path):
    other = write_changed(tmp_path / "b.mcap", steps=490)
    result = compare(sample, other)
    assert result.difference is not None
    assert (result.difference.channel, result.difference.time_ns) == ("truth/pose", 490 * STEP_NS)
    assert "truth/pose at 4.9 s: only the first log has this row" in str(result)
    assert "only the second log has this row" in str(compare(other, sample))


def test_another_time_is_told(tmp_path):
    for name, time_ns in (("a", 5), ("b", 6)):
        with LogWriter(tmp_path / name, HEADER, [POSE]) as writer:
            writer.write("truth/pose", time_ns, (0.0, 0.0, 0.0))
    assert compare(tmp_path / "a", tmp_path / "b").difference == Difference("truth/pose", 5, "time", 5, 6)


def test_headers_and_channels_that_differ_are_listed(tmp_path):
    changed = Channel(POSE.name, (POSE.fields[0]._replace(unit="km"), *POSE.fields[1:]))
    with LogWriter(tmp_path / "a", HEADER, [POSE, DVL]) as writer:
        writer.write("truth/pose", 0, (0.0, 0.0, 0.0))
    with LogWriter(tmp_path / "b", HEADER._replace(seed=7), [changed, WIDE]):
        pass
    result = compare(tmp_path / "a", tmp_path / "b")
    assert result.header == (("seed", 42, 7),)
    assert result.only_in_first == ("falcon/dvl",)
    assert result.only_in_second == ("falcon/battery-1",)
    assert result.redefined == ("truth/pose",)
    assert not result.same
    assert len(str(result).splitlines()) == 4


def test_another_seed_alone_leaves_the_values_the_same(sample, tmp_path):
    other = write_changed(tmp_path / "b.mcap", header=HEADER._replace(seed=7))
    result = compare(sample, other)
    assert result.same_values
    assert not result.same


def test_events_are_compared(tmp_path):
    for name, text in (("a", "yes"), ("b", "no"), ("c", None)):
        with LogWriter(tmp_path / name, HEADER, [POSE]) as writer:
            writer.event(1, "run", "info", "start")
            if text:
                writer.event(2, "run", "info", text)
    yes, no = Event(2, "run", "info", "yes"), Event(2, "run", "info", "no")
    assert compare(tmp_path / "a", tmp_path / "b").difference == Difference("events", 2, "event", yes, no)
    assert compare(tmp_path / "a", tmp_path / "c").difference == Difference("events", 2, "", yes, None)
    assert compare(tmp_path / "c", tmp_path / "b").difference == Difference("events", 2, "", None, no)


def test_damage_is_told(sample, tmp_path):
    (tmp_path / "cut.mcap").write_bytes(sample.read_bytes()[:30_000])
    result = compare(sample, tmp_path / "cut.mcap")
    assert not result.same
    assert result.problems[0].startswith("second log: byte ")
    assert result.difference is not None
    assert result.difference.second is None


def test_reading_stops_soon_after_the_first_difference(tmp_path, monkeypatch):
    """Two long logs that differ at the start are not read to their ends."""
    for name, value in (("a", 1.0), ("b", 2.0)):
        with LogWriter(tmp_path / name, HEADER, [POSE], chunk_bytes=1000) as writer:
            writer.write_rows("truth/pose", np.arange(3000), np.full((3000, 3), value))
    from remora.logs import comparison

    opened = []
    original = comparison.LogReader.pieces
    monkeypatch.setattr(
        comparison.LogReader, "pieces", lambda reader: (opened.append(1) or piece for piece in original(reader))
    )
    assert compare(tmp_path / "a", tmp_path / "b").difference == Difference("truth/pose", 0, "p_NB_x", 1.0, 2.0)
    assert len(opened) <= 6
    assert len(list(iterate(tmp_path / "a"))) > 50


def test_a_tolerance_forgives_small_differences_of_floats_only(sample, tmp_path):
    x, y, heading = pose(333)
    other = write_changed(tmp_path / "b.mcap", 333, (x, y * (1.0 + 1e-9), heading))
    assert not compare(sample, other).same
    assert compare(sample, other, tolerance=1e-8).same
    found = compare(sample, other, tolerance=1e-10).difference
    assert found == Difference("truth/pose", 333 * STEP_NS, "p_NB_y", y, y * (1.0 + 1e-9))
    near_zero = write_changed(tmp_path / "c.mcap", 333, (x, y, heading + 1e-9))
    assert compare(sample, near_zero, tolerance=1e-8).same


def test_a_tolerance_names_the_field_that_is_beyond_it(sample, tmp_path):
    """Not the field before it, which differs a little."""
    x, y, heading = pose(10)
    other = write_changed(tmp_path / "b.mcap", 10, (x + 1e-12, y, heading + 0.1))
    assert compare(sample, other).difference.field == "p_NB_x"
    assert compare(sample, other, tolerance=1e-6).difference.field == "heading"


@pytest.mark.parametrize("tolerance", [-1e-9, 1.0, math.nan, math.inf])
def test_an_impossible_tolerance_is_refused(sample, tolerance):
    with pytest.raises(LogError, match="tolerance is"):
        compare(sample, sample, tolerance=tolerance)


def test_every_channel_that_differs_is_listed_by_time(sample, tmp_path):
    path = tmp_path / "b.mcap"
    with LogWriter(path, HEADER, CHANNELS, chunk_bytes=700) as writer:
        fill(writer, range(200))
        for step in range(200, 500):
            writer.write("truth/pose", step * STEP_NS, pose(step))
            if step % 5 == 0:
                v, w, valid, beams = dvl(step)
                writer.write("falcon/dvl", step * STEP_NS, (v, w, valid, beams + (step == 400)))
            if step % 100 == 0:
                writer.write("falcon/battery-1", step * STEP_NS, [0.0 if step == 300 else 3.7 + 0.001 * step] * 40)
                writer.event(step * STEP_NS, "other", "info", "other words")
    result = compare(sample, path, every_channel=True)
    assert [item.channel for item in result.differing] == ["events", "falcon/battery-1", "falcon/dvl"]
    assert [item.time_ns // STEP_NS for item in result.differing] == [200, 300, 400]
    assert result.difference == result.differing[0]


@pytest.mark.parametrize(("value", "same"), [(0.9e-6, True), (1.1e-6, False), (-0.9e-6, True)])
def test_near_zero_the_tolerance_is_absolute(tmp_path, value, same):
    """|a - b| against the tolerance times one at least: else nothing but zero would equal zero."""
    channel = Channel("a/b", (Field("x", "m"),))
    for name, number in (("first", 0.0), ("second", value)):
        with LogWriter(tmp_path / name, HEADER, (channel,)) as writer:
            writer.write("a/b", 0, (number,))
    assert compare(tmp_path / "first", tmp_path / "second", tolerance=1e-6).same is same
