"""Logs from arrays, for readers of other formats."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from remora.logs.log import Log, Series
from remora.logs.problems import LogError, seconds
from remora.logs.schema import Event, Field, RunHeader, check_channels

_LAST_NS = 1 << 63


def log_from_series(
    series: Iterable[Series],
    header: RunHeader | None = None,
    events: Iterable[Event] = (),
    problems: Iterable[str] = (),
) -> Log:
    """A log from its series, each checked.

    Parameters
    ----------
    series
        One per channel: its `Channel`, the times in whole ns since the start of the log, and an array per field. NaN
        is a missing value and needs an optional field.
    header
        Version, seed and notes; without one the version is empty.
    events
        Events in order of time.
    problems
        Descriptions of what could not be read; with any of them the log is not `complete`.

    Raises
    ------
    LogError
        With channel and field, when arrays do not fit the channel, times go back or values are infinite.
    """
    found: dict[str, Series] = {}
    for one in series:
        if one.channel.name in found:
            raise LogError(f'channel "{one.channel.name}" comes twice. Join its rows, or rename one')
        found[one.channel.name] = one
    texts = tuple(problems)
    header = RunHeader(version="", seed=0) if header is None else header
    channels = {name: one.channel for name, one in found.items()}
    return check_log(Log(header, channels, found, tuple(events), not texts, texts))


def check_log(log: Log) -> Log:
    """The log with arrays of the types of its fields; LogError where they cannot be."""
    # Without a status, NaN of an optional field can be read, but not written.
    check_channels(
        one.channel._replace(fields=tuple(field._replace(optional=False) for field in one.channel.fields))
        for one in log.series.values()
    )
    return replace(log, series={name: _checked(one) for name, one in log.series.items()})


def _checked(series: Series) -> Series:
    where = f'channel "{series.channel.name}"'
    times = _times(np.asarray(series.time_ns), where)
    names = series.channel.names
    if extra := [name for name in series.columns if name not in names]:
        raise LogError(f'{where} has no field "{extra[0]}", but values for it. Its fields: {", ".join(names)}')
    columns = {}
    for field in series.channel.fields:
        if field.name not in series.columns:
            raise LogError(f'{where}: values of the field "{field.name}" are missing')
        columns[field.name] = _column(np.asarray(series.columns[field.name]), field, times, where)
    return Series(series.channel, times, columns)


def _times(times: npt.NDArray[Any], where: str) -> npt.NDArray[np.int64]:
    if times.ndim != 1 or times.dtype.kind not in "iu":
        found = f"an array of {times.ndim} axes and type {times.dtype}"
        fix = "Give one axis of whole nanoseconds, e.g. np.round(1e9 * seconds).astype(np.int64)"
        raise LogError(f"{where}: times are {found}. {fix}")
    if len(times) and not (int(times.min()) >= 0 and int(times.max()) < _LAST_NS):
        raise LogError(f"{where}: times go from {times.min()} to {times.max()} ns; they must not be negative")
    back = np.flatnonzero(times[1:] < times[:-1])
    if len(back):
        raise LogError(f"{where}: time goes back after {seconds(int(times[back[0]]))}. Sort the rows by time")
    return np.ascontiguousarray(times, np.int64)


def _column(values: npt.NDArray[Any], field: Field, times: npt.NDArray[np.int64], where: str) -> npt.NDArray[Any]:
    where = f'{where}, field "{field.name}"'
    if values.shape != times.shape:
        raise LogError(f"{where} has values of shape {values.shape} for {len(times)} times. Give one value per time")
    allowed = {"float": "iuf", "int": "iu", "bool": "b"}[field.kind]
    if values.dtype.kind not in allowed:
        raise LogError(f"{where} is of kind {field.kind}, but its values have the type {values.dtype}")
    if field.kind != "float":
        return np.ascontiguousarray(values, np.int64 if field.kind == "int" else np.bool_)
    values = np.ascontiguousarray(values, np.float64)
    wrong = np.flatnonzero(~np.isfinite(values) & ~(np.isnan(values) & field.optional))
    if len(wrong):
        fix = "Mark the field as optional, or leave the row out" if np.isnan(values[wrong[0]]) else "Leave the row out"
        raise LogError(f"{where} is {values[wrong[0]]} at {seconds(int(times[wrong[0]]))}. {fix}")
    return values
