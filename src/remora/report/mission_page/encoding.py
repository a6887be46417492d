"""Columns of numbers as bytes for the page: delta codes of 16 bits or floats of 32 bits, in planes of bytes.

Bytes of equal weight stand together, which makes them compress well. `viewer/src/content.js` reads them.
"""

import base64
import json
import struct
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.files.arrays import Array

MISSING = 65535  # code of NaN
LARGEST = MISSING - 1
_UNIFORM = 2e-7  # s, largest deviation of stamps that are written as start and step


class EncodedTable(NamedTuple):
    """Description of a table for the header of the page, and its bytes."""

    description: dict[str, Any]
    data: bytes


def planes(values: Array) -> bytes:
    """Bytes of an array plane by plane, lowest bytes first."""
    little = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
    return np.ascontiguousarray(little.view(np.uint8).reshape(-1, little.dtype.itemsize).T).tobytes()


def encoded_times(times: Array) -> tuple[dict[str, float], bytes]:
    """Stamps in seconds: start and step where they are uniform, else start and differences in microseconds."""
    start = float(times[0]) if len(times) else 0.0
    if len(times) > 1:
        step = float(times[-1] - times[0]) / (len(times) - 1)
        if np.abs(start + step * np.arange(len(times)) - times).max() < _UNIFORM:
            return {"start": start, "step": step}, b""
    microseconds = np.round(1e6 * (times - start)).astype(np.int64)
    return {"start": start}, planes(np.diff(microseconds, prepend=0).astype(np.uint32))


def encoded_codes(values: Array) -> tuple[dict[str, float], bytes]:
    """Values as codes of 16 bits between their extremes, exact to 1/131068 of their span; infinity is missing too."""
    finite = np.isfinite(values)
    low, high = (float(values[finite].min()), float(values[finite].max())) if finite.any() else (0.0, 0.0)
    codes = np.full(len(values), MISSING, dtype=np.int64)
    codes[finite] = np.round((values[finite] - low) / (high - low or 1.0) * LARGEST).astype(np.int64)
    return {"low": low, "high": high}, planes(np.diff(codes, prepend=0).astype(np.uint16))


def encoded_table(times: Array, columns: dict[str, Array], *, exact: bool) -> EncodedTable:
    """A table of columns over time in s; exact values are floats of 32 bits, others codes of 16 bits."""
    time, data = encoded_times(times)
    pieces, described = [data], list[dict[str, Any]]()
    for name, values in columns.items():
        if exact:
            described.append({"name": name})
            pieces.append(planes(values.astype(np.float32)))
        else:
            limits, codes = encoded_codes(values)
            described.append({"name": name, **limits})
            pieces.append(codes)
    return EncodedTable({"time": time, "count": len(times), "columns": described}, b"".join(pieces))


def packed_content(header: dict[str, Any], tables: Sequence[bytes]) -> str:
    """Header and tables, deflated, as base64."""
    text = json.dumps(header, allow_nan=False, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(struct.pack("<I", len(text)) + text + b"".join(tables), 9)).decode("ascii")
