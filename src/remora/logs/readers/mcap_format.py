"""Logs of Remora in MCAP files."""

from remora.logs.mcap.preamble import MAGIC
from remora.logs.mcap.reader import LogReader
from remora.logs.readers.log_format import LogFormat


def _begins(start: bytes) -> bool:
    """Whether a file begins as MCAP, or is cut within its first bytes."""
    return start.startswith(MAGIC) or MAGIC.startswith(start)


MCAP = LogFormat("MCAP logs of Remora", LogReader, _begins, (".mcap",))
