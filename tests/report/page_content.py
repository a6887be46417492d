"""Content of a mission page, decoded as its script does."""

import base64
import json
import re
import struct
import zlib
from typing import Any, NamedTuple

import numpy as np

from remora.files.arrays import Array


class PageTable(NamedTuple):
    """Columns of one table of a page over time in seconds."""

    time: Array
    columns: dict[str, Array]


class PageContent(NamedTuple):
    """Header of a page, and tables by run, channel and key ("samples" or "extremes")."""

    header: dict[str, Any]
    tables: dict[tuple[int, str, str], PageTable]


def page_content(page: str) -> PageContent:
    """Decode the data of a page."""
    encoded = re.search(r'id="data">([^<]*)<', page)
    assert encoded is not None
    data = zlib.decompress(base64.b64decode(encoded[1]))
    (length,) = struct.unpack_from("<I", data)
    header, rest = json.loads(data[4 : 4 + length]), memoryview(data)[4 + length :]
    tables = {}
    for r, run in enumerate(header["runs"]):
        for channel in run["channels"]:
            for key in ("samples", "extremes"):
                if key in channel:
                    tables[r, channel["name"], key], rest = _table(channel[key], rest)
    assert len(rest) == 0
    return PageContent(header, tables)


def _table(spec: dict[str, Any], data: memoryview) -> tuple[PageTable, memoryview]:
    count, time = spec["count"], spec["time"]
    if "step" in time:
        times = time["start"] + time["step"] * np.arange(count)
    else:
        deltas, data = _planes(data, count, np.dtype("<u4"))
        times = time["start"] + 1e-6 * np.cumsum(deltas.astype(np.int64))
    columns = {}
    for column in spec["columns"]:
        if "low" in column:
            deltas, data = _planes(data, count, np.dtype("<u2"))
            codes = np.cumsum(deltas.astype(np.int64)) % 65536
            values = column["low"] + (column["high"] - column["low"]) / 65534 * codes
            columns[column["name"]] = np.where(codes == 65535, np.nan, values)
        else:
            values, data = _planes(data, count, np.dtype("<f4"))
            columns[column["name"]] = values.astype(float)
    return PageTable(times, columns), data


def _planes(data: memoryview, count: int, kind: np.dtype[Any]) -> tuple[Array, memoryview]:
    size = count * kind.itemsize
    planes = np.frombuffer(data[:size], np.uint8).reshape(kind.itemsize, count)
    return np.ascontiguousarray(planes.T).view(kind).ravel(), data[size:]
