"""Chatter of the commands of a vehicle, from one pass over its log."""

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from remora.control.allocation.commands import command_chatter, total_variation
from remora.files.arrays import Array
from remora.logs import Series
from remora.logs.schema import field_name


@final
class ChatterTally:
    """Total variation of commands in bounded memory; `described` is the entry of the vehicle in the header."""

    def __init__(self, described: Mapping[str, Any], start: float = -np.inf, end: float = np.inf) -> None:
        known = described.get("commands", {})
        self._period: float | None = known.get("period")
        self._full = {field_name(name): value for name, value in known.get("full", {}).items()}
        self._window = start, end
        self._last: Array | None = None
        self._variation, self._seconds, self._longest, self._until = np.zeros(0), 0.0, 0.0, 0.0
        self._names: tuple[str, ...] = ()

    def take(self, series: Series) -> None:
        """Add a piece of the commands."""
        inside = (series.time >= self._window[0]) & (series.time <= self._window[1])
        times, rows = series.time[inside], series.table()[inside]
        if self._period is None or not len(times):
            return
        if self._last is None:
            self._names = tuple(field.name for field in series.channel.fields)
            self._variation = np.zeros(rows.shape[1])
        else:
            times, rows = np.append(self._until, times), np.vstack([self._last, rows])
        self._variation = self._variation + total_variation(rows)
        self._seconds += float(times[-1] - times[0])
        self._longest = max(self._longest, float(np.diff(times).max(initial=0.0)))
        self._last, self._until = rows[-1], float(times[-1])

    @property
    def percent(self) -> float:
        """Mean change from sample to sample, in percent of a full command; NaN where it is not known."""
        if self._period is None or self._last is None:
            return float("nan")
        full = [np.inf if (one := self._full.get(name)) is None else one for name in self._names]
        return command_chatter(self._seconds, self._variation, full, self._period)

    @property
    def is_sparse(self) -> bool:
        """Whether the log has fewer rows than the control has samples, so that changes are missing."""
        return self._period is not None and self._longest > 1.001 * self._period

    def text(self) -> str:
        """Summary text; empty where nothing is known."""
        percent = self.percent
        if not np.isfinite(percent) or self._period is None:
            return ""
        least = "at least " if self.is_sparse else ""
        return f"commands change by {least}{percent:.3g} % of a full one per sample of {1e3 * self._period:.4g} ms"
