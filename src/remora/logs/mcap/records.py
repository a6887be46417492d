"""MCAP records as bytes: what a log of Remora is made of. Specification: https://mcap.dev/spec."""

import struct
from collections.abc import Mapping
from typing import final

MAGIC = b"\x89MCAP0\r\n"
FOOTER_SIZE = 29  # bytes of the footer record
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX = range(0x01, 0x09)
STATISTICS, METADATA, METADATA_INDEX, SUMMARY_OFFSET, DATA_END = range(0x0B, 0x10)


def record(opcode: int, *content: bytes) -> bytes:
    """A record: opcode, length, content."""
    body = b"".join(content)
    return struct.pack("<BQ", opcode, len(body)) + body


def text(words: str) -> bytes:
    """A text with its length in bytes."""
    data = words.encode()
    return struct.pack("<I", len(data)) + data


def text_map(entries: Mapping[str, str]) -> bytes:
    """Texts by key, with their length in bytes."""
    data = b"".join(text(key) + text(value) for key, value in entries.items())
    return struct.pack("<I", len(data)) + data


def number_map(entries: Mapping[int, int]) -> bytes:
    """Numbers by channel, with their length in bytes."""
    return struct.pack("<I", 10 * len(entries)) + b"".join(struct.pack("<HQ", *entry) for entry in entries.items())


@final
class RecordContent:
    """The content of a record, read from its start on; a ValueError where it ends too early or a text is damaged."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def _take(self, size: int) -> bytes:
        start, self._at = self._at, self._at + size
        if self._at > len(self._data):
            raise ValueError("a record ends inside its content")
        return self._data[start : self._at]

    def number(self, size: int) -> int:
        """A whole number of `size` bytes."""
        return int.from_bytes(self._take(size), "little")

    def text(self) -> str:
        """A text with its length."""
        return self._take(self.number(4)).decode()

    def text_map(self) -> dict[str, str]:
        """Texts by key."""
        inside = RecordContent(self._take(self.number(4)))
        found = {}
        while inside._at < len(inside._data):
            key = inside.text()
            found[key] = inside.text()
        return found
