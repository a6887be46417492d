"""Columns of numbers for the page: fewer samples, as delta codes of 16 bits or floats of 32 bits in planes of bytes.

Poses are exact at 20 Hz. Other channels are written as pairs (smallest, largest) per interval, which keeps every peak;
a gap stays a gap. Bytes of equal weight stand together, which makes them compress well. `viewer/src/content.js` reads
them.
"""

import base64
import json
import math
import struct
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array

POSE_RATE = 20.0  # Hz, of the samples that the scene uses
INTERVAL = 0.1  # s, of a pair of extremes
MOST_PAIRS = 12_000  # of one channel; the interval grows for longer runs
MISSING = 65535  # code of NaN
LARGEST = MISSING - 1
_UNIFORM = 2e-7  # s, largest deviation of stamps that are written as start and step


def exact_rows(times: Array, rate: float = POSE_RATE) -> NDArray[np.int64]:
    """Indices of the samples that are kept: the last one in each interval of a rate, and the first."""
    if len(times) < 2:
        return np.arange(len(times), dtype=np.int64)
    interval = np.floor((times - times[0]) * rate + 1e-6).astype(np.int64)
    last = np.flatnonzero(np.diff(interval, append=interval[-1] + 1))
    return np.unique(np.concatenate([np.zeros(1, np.int64), last]))


def interval_of(times: Array) -> float:
    """Length of the intervals of extremes, s."""
    duration = float(times[-1] - times[0])
    return INTERVAL * max(1, math.ceil(duration / INTERVAL / MOST_PAIRS))


def is_dense(times: Array) -> bool:
    """Whether a channel has more samples than its pairs of extremes would be."""
    return len(times) > 2 and (times[-1] - times[0]) / interval_of(times) * 2.0 < len(times) * 0.9


def pair_times(times: Array) -> Array:
    """Times of pairs of extremes: a quarter and three quarters into each interval that holds samples."""
    interval = interval_of(times)
    starts = times[0] + interval * np.unique(_bins(times))
    return np.column_stack([starts + 0.25 * interval, starts + 0.75 * interval]).ravel()


def extremes(times: Array, values: Array) -> Array:
    """Smallest and largest value of each interval in turn; NaN for both where an interval holds a gap only."""
    first = np.unique(_bins(times), return_index=True)[1]
    low = np.minimum.reduceat(np.where(np.isnan(values), np.inf, values), first)
    high = np.maximum.reduceat(np.where(np.isnan(values), -np.inf, values), first)
    pairs = np.column_stack([low, high])
    pairs[~np.isfinite(pairs)] = np.nan
    return np.asarray(pairs.ravel())


def _bins(times: Array) -> Array:
    return np.asarray(np.floor((times - times[0]) / interval_of(times) + 1e-6).astype(np.int64))


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
