"""Sequential records of an MCAP file, robust against truncation and damaged lengths."""

import os
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from remora.logs.mcap.chunks import LARGEST_CHUNK
from remora.logs.mcap.preamble import FOOTER_SIZE, MAGIC
from remora.logs.problems import Problems

HEADER, FOOTER, CHUNK, METADATA, DATA_END = 0x01, 0x02, 0x06, 0x0C, 0x0F
_LARGEST_RECORD = LARGEST_CHUNK + (1 << 20)
_BLOCK = 1 << 20


class McapRecord(NamedTuple):
    """One record of the data section."""

    opcode: int
    position: int  # of its first byte
    body: bytes


def scan(file: BinaryIO, problems: Problems) -> Iterator[McapRecord]:
    """All records before the end of the data, then a check of the end of the file.

    Problems are noted, not raised: a record that cannot be whole ends the scan. At most one record is held.
    """
    size = os.fstat(file.fileno()).st_size
    position, checksum = len(MAGIC), zlib.crc32(MAGIC)
    file.seek(position)
    while True:
        head = file.read(9)
        if len(head) < 9:
            problems.add("the file ends here without its index: it was cut, or its writer did not close it", position)
            return
        opcode, length = struct.unpack("<BQ", head)
        if not HEADER <= opcode <= DATA_END:
            problems.add(f"no record starts here (opcode {opcode}): what follows cannot be read", position)
            return
        if length > size - position - 9:
            problems.add(f"the record that starts here should have {length} bytes, but the file ends before", position)
            return
        if length > _LARGEST_RECORD:
            problems.add(f"a record of {length} bytes is not of Remora: what follows cannot be read", position)
            return
        body = file.read(length)
        if opcode == DATA_END:
            _check_ending(file, body, position, checksum, size, problems)
            return
        if opcode == FOOTER:
            problems.add("the end mark of the data is missing", position)
            return
        checksum = zlib.crc32(body, zlib.crc32(head, checksum))
        yield McapRecord(opcode, position, body)
        position += 9 + length


def _check_ending(file: BinaryIO, end: bytes, position: int, checksum: int, size: int, problems: Problems) -> None:
    """Check the checksum of the data, and the summary and footer behind them."""
    if end != struct.pack("<I", checksum):
        problems.add("the data do not fit the checksum at their end: something in the file is damaged", position)
    start = file.tell()
    length = size - start - FOOTER_SIZE - len(MAGIC)
    if length < 0:
        problems.add("the file ends inside its index; the data before it are whole", start)
        return
    summary = 0
    while length > 0 and (block := file.read(min(_BLOCK, length))):
        summary = zlib.crc32(block, summary)
        length -= len(block)
    footer = file.read(FOOTER_SIZE)
    whole = struct.pack("<I", zlib.crc32(footer[:-4], summary)) == footer[-4:] and file.read() == MAGIC
    if not whole or struct.unpack_from("<Q", footer, 9) != (start,):
        problems.add("the index of the file is cut or damaged; the data before it are whole", start)
