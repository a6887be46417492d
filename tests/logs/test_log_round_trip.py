"""What is written is read back bit by bit, here and by the readers of others."""

import json
import math
import pickle
import struct

import numpy as np
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from hypothesis import given, strategies as st
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader
from mcap_protobuf.decoder import DecoderFactory
from sample_logs import CHANNELS, DVL, HEADER, POSE, STEP_NS, dvl, everything, fill, pose, rows, write_sample

from remora.logs import Channel, Event, Field, LogError, LogWriter, RunHeader, iterate, read_log
from remora.logs.mcap.chunks import zstd_library

numbers = st.floats(allow_nan=False, allow_infinity=False)
whole_numbers = st.integers(-(1 << 63), (1 << 63) - 1)


@pytest.fixture
def sample(tmp_path):
    return write_sample(tmp_path / "run.mcap")


def test_a_log_reads_back_as_it_was_written(sample):
    log = read_log(sample)
    assert log.complete
    assert log.problems == ()
    assert log.header == HEADER
    assert tuple(log.channels.values()) == CHANNELS
    steps = range(500)
    assert log["truth/pose"].time_ns.tolist() == [step * STEP_NS for step in steps]
    assert log["truth/pose"].table().tolist() == [list(pose(step)) for step in steps]
    expected = [dvl(step) for step in steps if step % 5 == 0]
    np.testing.assert_array_equal(log["falcon/dvl"]["v_NS_x"], [row[0] for row in expected])
    assert log["falcon/dvl"]["valid"].tolist() == [row[2] for row in expected]
    assert log["falcon/dvl"]["beams"].tolist() == [row[3] for row in expected]
    assert log["falcon/dvl"]["valid"].dtype == np.bool_
    assert log["falcon/dvl"]["beams"].dtype == np.int64
    assert log["falcon/battery-1"]["cell_39"].tolist() == [3.7 + 0.001 * step for step in range(0, 500, 100)]
    assert log.events[2] == Event(2_000_000_000, "falcon/battery-1", "info", "charge at step 200",
                                  {"step": 200, "list": [1, None]})  # fmt: skip


def test_units_frames_and_meaning_are_kept(sample):
    field = read_log(sample)["truth/pose"].field("p_NB_x")
    assert (field.unit, field.frame, field.description) == ("m", "N", "north of the origin")


def test_the_sign_of_zero_is_kept(sample):
    assert math.copysign(1.0, read_log(sample)["truth/pose"]["p_NB_y"][0]) == -1.0


@given(st.lists(st.tuples(numbers, whole_numbers, st.booleans(), st.none() | numbers), max_size=40))
def test_any_numbers_survive(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("log") / "any.mcap"
    fields = (
        Field("a", "1"), Field("b", "1", kind="int"), Field("c", "1", kind="bool"), Field("d", "1", optional=True)
    )  # fmt: skip
    given_rows = [(a, b, c, math.nan if d is None else d) for a, b, c, d in values]
    with LogWriter(path, RunHeader("0", 0), [Channel("x", fields)], chunk_bytes=200) as writer:
        for step, row in enumerate(given_rows):
            writer.write("x", step, row)
    expected = [
        tuple("NaN" if isinstance(value, float) and math.isnan(value) else repr(value) for value in (step, *row))
        for step, row in enumerate(given_rows)
    ]
    assert rows(read_log(path), "x") == expected


def test_the_same_calls_give_the_same_bytes(tmp_path):
    first, second = (write_sample(tmp_path / name).read_bytes() for name in ("a.mcap", "b.mcap"))
    assert first == second


def test_rows_written_at_once_equal_rows_written_one_by_one(tmp_path):
    steps = range(0, 500, 5)
    with (
        LogWriter(tmp_path / "one.mcap", HEADER, CHANNELS) as one,
        LogWriter(tmp_path / "all.mcap", HEADER, CHANNELS) as many,
    ):
        for step in steps:
            one.write("falcon/dvl", step * STEP_NS, dvl(step))
            one.write("truth/pose", step * STEP_NS, np.array(pose(step)))
        times = np.array(steps) * STEP_NS
        many.write_rows("falcon/dvl", times, np.array([dvl(step) for step in steps], float))
        many.write_rows("truth/pose", times, [pose(step) for step in steps])
    first, second = read_log(tmp_path / "one.mcap"), read_log(tmp_path / "all.mcap")
    assert everything(first) == everything(second)
    assert second.complete


def test_more_rows_at_once_than_fit_a_chunk(tmp_path):
    table = np.random.default_rng(1).normal(size=(10_000, 3))
    with LogWriter(tmp_path / "a.mcap", HEADER, [POSE], chunk_bytes=10_000) as writer:
        writer.write_rows("truth/pose", np.arange(10_000), table)
        writer.write_rows("truth/pose", np.arange(10_000, 10_000), np.empty((0, 3)))
    np.testing.assert_array_equal(read_log(tmp_path / "a.mcap")["truth/pose"].table(), table)
    assert len(list(iterate(tmp_path / "a.mcap"))) == pytest.approx(32, abs=3)


def test_a_log_without_values_is_complete(tmp_path):
    with LogWriter(tmp_path / "none.mcap", HEADER, CHANNELS):
        pass
    log = read_log(tmp_path / "none.mcap")
    assert log.complete
    assert len(log["falcon/dvl"]) == 0
    assert log["falcon/dvl"]["valid"].dtype == np.bool_


def test_some_channels_are_read_alone(sample):
    log = read_log(sample, channels=["falcon/dvl"])
    assert list(log.series) == ["falcon/dvl"]
    with pytest.raises(LogError, match="was not read; it is in the file"):
        log["truth/pose"]
    with pytest.raises(LogError, match='Did you mean "truth/pose"'):
        read_log(sample, channels=["truth/pos"])
    with pytest.raises(LogError, match=r'has no field "v_NS_z". Did you mean'):
        log["falcon/dvl"]["v_NS_z"]


def test_pieces_joined_are_the_whole(sample):
    pieces = list(iterate(sample, ["truth/pose"]))
    assert len(pieces) > 3
    whole = read_log(sample)["truth/pose"]
    np.testing.assert_array_equal(np.concatenate([piece["heading"] for piece in pieces]), whole["heading"])


def test_a_log_can_be_sent_to_another_process(sample):
    log = read_log(sample)
    assert everything(pickle.loads(pickle.dumps(log))) == everything(log)
    assert pickle.loads(pickle.dumps(HEADER)) == HEADER


def test_the_reference_reader_finds_all_messages_in_order_of_time(sample):
    """The index is right: the reader of the MCAP project seeks with it, and decodes by the schema in the file."""
    with sample.open("rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        found = [
            (message.log_time, channel.topic, decoded)
            for _, channel, message, decoded in reader.iter_decoded_messages()
        ]
        summary = reader.get_summary()
        late = list(reader.iter_messages(topics=["falcon/dvl"], starting_at=4_000_000_000))
    times = [time for time, _, _ in found]
    assert times == sorted(times)
    assert len(late) == 20
    messages = [decoded for _, topic, decoded in found if topic == "truth/pose"]
    assert [(m.p_NB_x, m.p_NB_y, m.heading) for m in messages] == [pose(step) for step in range(500)]
    beams = [decoded.beams for _, topic, decoded in found if topic == "falcon/dvl"]
    assert beams == [dvl(step)[3] for step in range(0, 500, 5)]
    texts = [decoded for _, topic, decoded in found if topic == "events"]
    assert [(m.message, m.name, m.level, m.timestamp.seconds) for m in texts][1] == (
        "charge at step 100", "falcon/battery-1", 2, 1,
    )  # fmt: skip
    assert summary is not None
    assert summary.statistics is not None
    assert summary.statistics.message_count == len(found)
    assert summary.statistics.chunk_count == len(summary.chunk_indexes)
    assert {channel.topic for channel in summary.channels.values()} == {*(c.name for c in CHANNELS), "events"}


def test_the_reference_stream_reader_accepts_every_checksum(sample):
    with sample.open("rb") as file:
        records = list(StreamReader(file, validate_crcs=True).records)
    metadata = next(record for record in records if type(record).__name__ == "Metadata")
    assert metadata.metadata["seed"] == "42"
    channel = next(record for record in records if getattr(record, "topic", "") == "truth/pose")
    assert channel.metadata["field p_NB_x"] == "m, frame N, north of the origin"


def test_message_indexes_point_at_their_messages(sample):
    """Chunk by chunk: the entry of each message has its time and the place of its record."""
    with sample.open("rb") as file:
        records = list(StreamReader(file, emit_chunks=True).records)
    data, entries = b"", 0
    for record in records:
        if type(record).__name__ == "Chunk":
            data = zstd_library().decompress(record.data)
        if type(record).__name__ == "MessageIndex":
            for time, offset in record.records:
                opcode, _, channel, _, log_time = struct.unpack_from("<BQHIQ", data, offset)
                assert (opcode, channel, log_time) == (5, record.channel_id, time)
                entries += 1
    assert entries == 500 + 100 + 5 + 5


def test_our_encoding_is_what_protobuf_itself_would_write(sample):
    """Parsed and written again by the protobuf runtime, a message without zeros has the same bytes."""
    with sample.open("rb") as file:
        records = list(StreamReader(file).records)
    schema = next(record for record in records if getattr(record, "name", "") == "remora.falcon.battery_1")
    pool = descriptor_pool.DescriptorPool()
    for description in descriptor_pb2.FileDescriptorSet.FromString(schema.data).file:
        pool.Add(description)
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName("remora.falcon.battery_1"))
    contents = [r.data for r in records if type(r).__name__ == "Message" and r.channel_id == 3]
    assert contents
    assert all(kind.FromString(content).SerializeToString() == content for content in contents)


def test_events_are_of_the_type_that_log_panels_show(sample):
    """The fields of foxglove.Log have the numbers and types that its published schema gives them."""
    with sample.open("rb") as file:
        schema = next(r for r in StreamReader(file).records if getattr(r, "name", "") == "foxglove.Log")
    message = descriptor_pb2.FileDescriptorSet.FromString(schema.data).file[1].message_type[0]
    assert [(field.name, field.number, field.type) for field in message.field] == [
        ("timestamp", 1, 11), ("level", 2, 14), ("message", 3, 9), ("name", 4, 9), ("file", 5, 9), ("line", 6, 7),
        ("data", 7, 9),
    ]  # fmt: skip
    assert [(value.name, value.number) for value in message.enum_type[0].value] == [
        ("UNKNOWN", 0), ("DEBUG", 1), ("INFO", 2), ("WARNING", 3), ("ERROR", 4), ("FATAL", 5),
    ]  # fmt: skip


def test_the_flush_of_a_running_log_can_be_read(tmp_path):
    writer = LogWriter(tmp_path / "run.mcap", HEADER, CHANNELS)
    fill(writer, range(100))
    writer.flush()
    log = read_log(tmp_path / "run.mcap")
    writer.close()
    assert len(log["truth/pose"]) == 100
    assert not log.complete
    assert "its writer did not close it" in log.problems[0]


def test_the_header_is_plain_text_in_the_file(sample):
    with sample.open("rb") as file:
        metadata = next(r for r in StreamReader(file).records if type(r).__name__ == "Metadata")
    assert metadata.name == "remora"
    assert json.loads(metadata.metadata["channels"])[1]["fields"][0]["optional"] is True
    assert DVL.fields[0].optional
