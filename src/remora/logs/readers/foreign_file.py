"""Identification of files that are not logs of Remora."""

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from remora.logs.mcap.records import CHANNEL, FOOTER_SIZE, MAGIC, SCHEMA, RecordContent
from remora.logs.problems import LogError

_START = 64  # bytes that identify a format
_SHOWN = 16  # of them in messages
_LARGEST_SUMMARY = 16 << 20
_KINDS = {
    b"#ROSBAG": "a ROS 1 bag",
    b"ULog\x01\x12\x35": "a PX4 log (ULog)",
    b"SQLite format 3": "an SQLite database, perhaps a ROS 2 bag",
    b"\xa3\x95\x80\x80": "an ArduPilot log (.BIN)",
    b"\x89HDF": "an HDF5 file",
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"\x89PNG": "a picture",
    b"time [ns]": "a CSV table, which read_log reads",
}


def first_bytes(path: Path) -> bytes:
    """The first bytes of a file; LogError where it cannot be read or is empty."""
    try:
        if path.exists() and not path.is_file():  # a pipe would wait for its writer for ever
            raise LogError("is not a regular file", path)
        with path.open("rb") as file:
            start = file.read(_START)
    except OSError as error:
        raise LogError(f"cannot be read: {error.strerror}", path) from None
    if not start:
        raise LogError("is empty: there is nothing in it. Nothing was written, or the disk was full", path)
    return start


def open_mcap(path: Path) -> BinaryIO:
    """Open an MCAP file; a LogError names other formats."""
    if path.is_dir():
        raise LogError("is a folder, not an MCAP file; read_log reads a folder of CSV files", path)
    start = first_bytes(path)
    if not start.startswith(MAGIC):
        raise LogError(_not_mcap(start), path, byte=0)
    try:
        return path.open("rb")
    except OSError as error:
        raise LogError(f"cannot be read: {error.strerror}", path) from None


def _not_mcap(start: bytes) -> str:
    if MAGIC.startswith(start):
        return "is cut within its first eight bytes: nothing of the log is left"
    if kind := foreign_kind(start):
        return f"is {kind}, not a log of Remora"
    damaged = "is neither a log of Remora nor any other MCAP file, or its first bytes are damaged"
    return f"{damaged}: it begins with {shown(start)}"


def foreign_kind(start: bytes) -> str:
    """The format of another program that a file begins with; empty if it is not known."""
    return next((words for magic, words in _KINDS.items() if start.startswith(magic)), "")


def shown(start: bytes) -> str:
    """The first bytes as text if they are one, else as hexadecimal numbers."""
    line = start[:_SHOWN].splitlines()[0]
    if line and all(0x20 <= byte < 0x7F for byte in line):
        return f'"{line.decode("ascii")}"'
    return start[:_SHOWN].hex(" ")


def described(file: BinaryIO, header: bytes) -> str:
    """Description of an MCAP file of another program: writer and channels. `header` is its first record."""
    profile, library = _two_texts(header)
    writer = f' by "{library[:60]}"' if library else ""
    kind = f'profile "{profile[:60]}"' if profile else "no profile"
    channels = _channels(file)
    shown = ", ".join(channels[:5]) + (", ..." if len(channels) > 5 else "")
    holds = f"; it holds {shown}" if shown else ""
    return f"is an MCAP file written{writer} with {kind}, not a log of Remora{holds}"


def _two_texts(header: bytes) -> tuple[str, str]:
    words, position = [], 0
    for _ in range(2):
        length = int.from_bytes(header[position : position + 4], "little")
        words.append(header[position + 4 : position + 4 + length].decode("utf-8", "replace"))
        position += 4 + length
    return words[0], words[1]


def _channels(file: BinaryIO) -> list[str]:
    """The channels that the summary of a file lists, with their types; none if there is no summary."""
    schemas: dict[int, str] = {}
    channels: dict[str, str] = {}
    for opcode, body in _summary(file):
        content = RecordContent(body)
        try:
            if opcode == SCHEMA:
                identity = content.number(2)
                schemas[identity] = content.text()
            elif opcode == CHANNEL:
                _, schema, topic, encoding = content.number(2), content.number(2), content.text(), content.text()
                channels[topic] = schemas.get(schema, encoding)
        except ValueError:
            continue
    return [f"{topic} ({schema})"[:80] for topic, schema in channels.items()]


def _summary(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The records of the summary at the end of a file."""
    end = file.seek(0, os.SEEK_END) - FOOTER_SIZE - len(MAGIC)
    file.seek(max(end, 0))
    start = int.from_bytes(file.read(FOOTER_SIZE)[9:17], "little")
    if not 0 < start < end or end - start > _LARGEST_SUMMARY:
        return
    file.seek(start)
    data, position = file.read(end - start), 0
    while position + 9 <= len(data):
        opcode, length = struct.unpack_from("<BQ", data, position)
        yield opcode, data[position + 9 : position + 9 + length]
        position += 9 + length
