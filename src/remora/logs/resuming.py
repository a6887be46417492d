"""Resuming a log from a checkpoint."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from remora.logs.mcap.reader import LogReader
from remora.logs.problems import LogError
from remora.logs.schema import Channel, RunHeader
from remora.logs.writer import CHUNK_BYTES, CHUNK_NS, LogMark, LogWriter


def resume_log(
    old: str | PathLike[str],
    path: str | PathLike[str],
    mark: LogMark,
    header: RunHeader,
    channels: Iterable[Channel],
    *,
    chunk_bytes: int = CHUNK_BYTES,
    chunk_ns: int = CHUNK_NS,
) -> LogWriter:
    """Writer of a new log with the content of an old one, possibly cut, at the time of `LogWriter.mark`.

    If the run continues as it would have, the new log has the bytes of an uninterrupted one.

    Parameters
    ----------
    old, path
        The log so far, and the new one: another file.
    mark
        Result of `mark()` at the checkpoint.
    header, channels, chunk_bytes, chunk_ns
        The same as for the old log.

    Raises
    ------
    LogError
        The old log is of another run, or does not hold all that the mark counts.
    """
    old, path = Path(old), Path(path)
    if old.resolve() == path.resolve():
        raise LogError("cannot be read and replaced at the same time: give the new log another name", path)
    with LogReader(old) as reader:
        channels = tuple(channels)
        if reader.header != header or tuple(reader.channels.values()) != channels:
            raise LogError("is the log of another run: its header or channels differ", old)
        writer = LogWriter(path, header, channels, chunk_bytes=chunk_bytes, chunk_ns=chunk_ns)
        try:
            _copy(reader, writer, mark)
        except BaseException:
            writer.close()
            raise
    return writer


def _copy(reader: LogReader, writer: LogWriter, mark: LogMark) -> None:
    """Copy all that the mark counts, in the same chunks, which end at the mark."""
    pieces = reader.pieces()
    while (held := writer.held()) != mark._replace(time_ns=held.time_ns):
        piece = next(pieces, None)
        if piece is None or held.events > mark.events:
            damage = "".join(f"; {words}" for words in reader.problems)
            raise LogError(f"does not hold what the mark of the checkpoint counts{damage}", reader.path)
        writer.take_over(piece.rows, piece.events)
    writer.take_over((), (), mark.time_ns)
