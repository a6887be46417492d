"""Cut, flipped, scrambled or foreign files: as much of the truth as is left, said to be damaged, or one clear error."""

import random
import struct
import tracemalloc
import zlib

import numpy as np
import pytest
from sample_logs import HEADER, everything, write_sample

from remora.logs import Channel, Field, LogError, LogWriter, compare, iterate, read_log
from remora.logs.mcap import chunks
from remora.logs.mcap.layout import layout_of

BATCHES = range(8)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a good log, and all that stands in it."""
    path = write_sample(tmp_path_factory.mktemp("good") / "run.mcap")
    return path.read_bytes(), everything(read_log(path))


def is_part_of(found, truth):
    """Whether all of a list stands in another one, in the same order."""
    rest = iter(truth)
    return all(item in rest for item in found)


def survivors(path, data, truth):
    """What is left of a damaged file, None if nothing; checks that it is true, and that the damage is told."""
    path.write_bytes(data)
    try:
        log = read_log(path)
    except LogError as error:
        words = str(error)
        log = None
    if log is None:
        assert words.startswith(str(path))
        assert "\n" not in words
        return None
    assert not log.complete
    assert log.problems
    found = everything(log)
    assert all(is_part_of(found[name], truth[name]) for name in truth)
    return found


def count(found):
    return sum(len(items) for items in found.values())


def test_every_kind_of_cut_is_read_up_to_the_cut(whole, tmp_path):
    data, truth = whole
    counts = []
    for cut in range(0, len(data), len(data) // 300):
        found = survivors(tmp_path / "cut.mcap", data[:cut], truth)
        if found is not None:
            counts.append(count(found))
            assert all(found[name] == truth[name][: len(found[name])] for name in truth)
    assert counts == sorted(counts)
    assert counts[-1] == count(truth)
    assert len(counts) > 150


@pytest.mark.parametrize("batch", BATCHES)
def test_a_flipped_bit_never_passes_unseen(whole, tmp_path, batch):
    data, truth = whole
    generator = random.Random(batch)
    for _ in range(100):
        place = generator.randrange(len(data))
        flipped = bytearray(data)
        flipped[place] ^= 1 << generator.randrange(8)
        survivors(tmp_path / "flipped.mcap", bytes(flipped), truth)


def test_flips_in_the_first_and_last_bytes(whole, tmp_path):
    """Where the headers and lengths of the file stand, every byte is tried."""
    data, truth = whole
    generator = random.Random(0)
    for place in [*range(60), *range(len(data) - 120, len(data))]:
        flipped = bytearray(data)
        flipped[place] ^= 1 << generator.randrange(8)
        survivors(tmp_path / "flipped.mcap", bytes(flipped), truth)


@pytest.mark.parametrize("batch", BATCHES)
def test_worse_damage_never_crashes_or_lies(whole, tmp_path, batch):
    """Stretches of noise, zeros, and pieces removed or doubled, several at once."""
    data, truth = whole
    generator = random.Random(batch)
    for _ in range(50):
        bad = bytearray(data)
        for _ in range(generator.randrange(1, 4)):
            start = generator.randrange(len(bad))
            end = min(len(bad), start + generator.choice([1, 9, 100, 3000]))
            kind = generator.randrange(4)
            stretch = [generator.randbytes(end - start), bytes(end - start), b"", bytes(bad[start:end]) * 2][kind]
            bad[start:end] = stretch
        if bytes(bad) != data:
            check_honest(tmp_path / "bad.mcap", bytes(bad), truth)


def check_honest(path, data, truth):
    """A whole chunk may stand twice here; every row must still be a true one, and the damage told."""
    path.write_bytes(data)
    try:
        log = read_log(path)
    except LogError:
        return
    assert log.problems
    assert all(set(found) <= set(truth[name]) for name, found in everything(log).items())


def test_one_damaged_chunk_costs_only_itself(whole, tmp_path):
    data, _ = whole
    chunk = chunk_places(data)[1]
    flipped = bytearray(data)
    flipped[chunk + 100] ^= 1
    path = tmp_path / "flipped.mcap"
    path.write_bytes(flipped)
    log = read_log(path)
    assert f"byte {chunk}: a chunk" in log.problems[0]
    assert any("channel truth/pose: " in words and "rows are missing before" in words for words in log.problems)
    rows = len(everything(log)["truth/pose"])
    assert 0.6 * 500 < rows < 500


def chunk_places(data):
    """The first bytes of all chunk records."""
    places, position = [], 8
    while position < len(data) - 8:
        opcode, length = struct.unpack_from("<BQ", data, position)
        if opcode == 6:
            places.append(position)
        position += 9 + length
    return places


@pytest.mark.parametrize("size", [1 << 20, 1 << 26, 1 << 30, 1 << 40, (1 << 64) - 1])
@pytest.mark.parametrize("place", [1, 9 + 16, 9 + 28, 9 + 36])
def test_a_damaged_length_takes_no_memory_and_little_work(whole, tmp_path, size, place, monkeypatch):
    """The length of the record, the uncompressed size, the length of the compression's name, and of the content."""
    unpacked = chunks._decompressed
    data, truth = whole
    width = 4 if place == 9 + 28 else 8
    bad = bytearray(data)
    start = chunk_places(data)[1] + place
    bad[start : start + width] = (size & ((1 << 8 * width) - 1)).to_bytes(width, "little")
    tracemalloc.start()
    looks = []
    monkeypatch.setattr(chunks, "_decompressed", lambda packed, size: looks.append(size) or unpacked(packed, size))
    survivors(tmp_path / "bad.mcap", bytes(bad), truth)
    assert len(looks) <= 3 * len(chunk_places(data))  # each chunk is unpacked a few times, not once for every byte
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()


def test_a_bomb_is_not_unpacked(whole, tmp_path):
    """A chunk that would unpack to more than it announces, or announces more than any chunk of ours."""
    data, truth = whole
    start = chunk_places(data)[1]
    (length,) = struct.unpack_from("<Q", data, start + 1)
    bomb = chunks.zstd_library().compress(bytes(1 << 28))
    for announced in (1 << 16, 1 << 28):
        body = data[start + 9 : start + 25] + struct.pack("<QII", announced, zlib.crc32(b""), 4) + b"zstd"
        body += struct.pack("<Q", len(bomb)) + bomb
        bad = data[:start] + struct.pack("<BQ", 6, len(body)) + body + data[start + 9 + length :]
        tracemalloc.start()
        survivors(tmp_path / "bad.mcap", bad, truth)
        assert tracemalloc.get_traced_memory()[1] < 20e6
        tracemalloc.stop()


@pytest.mark.parametrize(("power", "fits"), [(26, True), (27, False)])
def test_a_window_larger_than_any_chunk_is_refused(power, fits):
    """A valid frame of 100,000 zeros, whose head asks the reader to keep a window of 2^power bytes."""
    size = 100_000
    head = b"\x28\xb5\x2f\xfd" + bytes([0x80, (power - 10) << 3]) + struct.pack("<I", size)
    frame = head + ((size << 3) | 0b011).to_bytes(3, "little") + b"\0"  # the last block: a byte, repeated
    if fits:
        assert chunks._decompressed(frame, size) == bytes(size)
        return
    with pytest.raises(ValueError, match="cannot be decompressed"):
        chunks._decompressed(frame, size)


def test_pieces_of_a_damaged_file_end_in_an_error_unless_problems_are_asked_for(whole, tmp_path):
    data, _ = whole
    path = tmp_path / "cut.mcap"
    path.write_bytes(data[: len(data) // 2])
    problems: list[str] = []
    rows = sum(len(piece) for piece in iterate(path, ["truth/pose"], problems))
    assert problems
    pieces: list[int] = []
    with pytest.raises(LogError, match="the file ends"):
        pieces.extend(len(piece) for piece in iterate(path, ["truth/pose"]))
    assert sum(pieces) == rows > 0


def test_a_log_of_others_is_named(tmp_path):
    """A file as rosbag2 writes it: profile, channels with types, and no traceback."""
    from mcap.writer import Writer

    path = tmp_path / "talker.mcap"
    with path.open("wb") as file:
        writer = Writer(file)
        writer.start(profile="ros2", library="rosbag2")
        schema = writer.register_schema("std_msgs/msg/String", "ros2msg", b"string data")
        channel = writer.register_channel("/chatter", "cdr", schema)
        writer.add_message(channel, 0, b"\0\1\0\0\0\0\0\0", 0)
        writer.finish()
    words = (
        r'an MCAP file written by "rosbag2" with profile "ros2", not a log of Remora; it holds /chatter .std_msgs/msg/S'
    )
    for attempt in (lambda: read_log(path), lambda: compare(path, path), lambda: list(iterate(path))):
        with pytest.raises(LogError, match=words):
            attempt()
    data = path.read_bytes()
    for cut in range(len(data)):
        path.write_bytes(data[:cut])
        with pytest.raises(LogError):
            read_log(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\x89MCAP", "is cut within its first eight bytes"),
        (b"\x89MCAP0\r\n", "has no list of channels before its data"),
        (b"#ROSBAG V2.0\n", "is a ROS 1 bag, not a log of Remora"),
        (b"ULog\x01\x12\x35\x01", "is a PX4 log"),
        (b"SQLite format 3\0", "perhaps a ROS 2 bag"),
        (b"\xa3\x95\x80\x80", "is an ArduPilot log"),
        (b"hello world", 'is no log of a known format: it begins with "hello world"'),
        (bytes(100_000), "is no log of a known format: it begins with 00 00 00"),
    ],
)
def test_other_files_are_named(tmp_path, content, words):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(LogError, match=words) as error:
        read_log(path)
    assert error.value.file == str(path)


def test_folders_pipes_and_nothing(tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe")
    for name, words in (("", "is a folder"), ("pipe", "is not a regular file"), ("none", "No such file or directory")):
        with pytest.raises(LogError, match=words):
            read_log(tmp_path / name)


def test_a_newer_format_is_not_misread(whole, tmp_path):
    from remora.logs.mcap.definition import from_texts

    content = b'{"else":"{}","format":"2"}'
    texts = {"format": "2", "else": "{}", "checksum": f"{zlib.crc32(content):08x}"}
    with pytest.raises(ValueError, match="has log format 2; this version reads 1"):
        from_texts(texts)


def test_a_damaged_header_is_told_with_its_place(whole, tmp_path):
    data, _ = whole
    bad = data.replace(b"0123456789abcdef", b"0123456789abcdee", 1)
    path = tmp_path / "bad.mcap"
    path.write_bytes(bad)
    with pytest.raises(LogError, match="byte 43: its header and channels do not fit their checksum") as error:
        read_log(path)
    assert error.value.byte == 43


def test_time_that_goes_back_from_one_chunk_to_the_next_is_reported(tmp_path):
    """Each chunk by itself is in order, and no row is missing."""
    channel = Channel("a/b", (Field("x", "m"),))
    row = layout_of(channel, 1).row
    with LogWriter(tmp_path / "log", HEADER, (channel,)) as writer:
        for start in (1_000_000_000, 500_000_000):
            rows = np.zeros(5, row)
            rows["time"] = start + 10_000_000 * np.arange(5)
            writer.take_over([("a/b", rows)], ())
    problems = read_log(tmp_path / "log").problems
    assert [words for words in problems if "goes back" in words] == ["channel a/b: time goes back after 0.5 s"]
