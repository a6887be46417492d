"""Tracking error of a vehicle over a run: truth against the reference, with a zero-order hold."""

from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from remora.files.arrays import Array
from remora.logs import Series

_PLACE, _DEPTH, _HEADING = ("p_NR_x", "p_NR_y", "p_NR_z"), "depth", "heading"
_KEPT, _MEASURED = "distance", "measured_distance"  # of what guidance follows, such as a wall
_TRUTH = ("p_NB_x", "p_NB_y", "p_NB_z", *(f"q_NB_{i}" for i in range(4)))


class _Error(NamedTuple):
    """Errors of one kind: sum of squares, largest, last, and how many."""

    squares: float = 0.0
    largest: float = 0.0
    last: float = 0.0
    rows: int = 0

    def after(self, errors: Array) -> "_Error":
        size = np.abs(errors)
        total, largest = self.squares + float((size**2).sum()), max(self.largest, float(size.max()))
        return _Error(total, largest, float(size[-1]), self.rows + len(size))

    def text(self, unit: str, scale: float = 1.0) -> str:
        rms = float(np.sqrt(self.squares / self.rows))
        digits = 2 if unit == "m" else 1
        mean, most, last = (f"{scale * value:.{digits}f} {unit}" for value in (rms, self.largest, self.last))
        return f"{mean} RMS, {most} at most, {last} at the end"


@final
class TrackingTally:
    """Tracking error from pieces of truth and reference. A reference is held until the next one."""

    def __init__(self) -> None:
        self._truth: list[tuple[npt.NDArray[np.int64], Array]] = []
        self._times, self._reference = np.empty(0, np.int64), np.empty((0, 0))
        self._fields: tuple[str, ...] = ()
        self._place, self._heading, self._distance = _Error(), _Error(), _Error()

    def take_truth(self, series: Series) -> None:
        """Add a piece of the truth."""
        if set(_TRUTH) <= set(series.columns):
            self._truth.append((series.time_ns, series.table(*_TRUTH)))

    def take_reference(self, series: Series) -> None:
        """Add a piece of the reference, where it gives a place or a depth, and compare what is known of both."""
        names = [name for name in (*_PLACE, _DEPTH, _HEADING) if name in series.columns]
        if not ({_PLACE[0], _DEPTH} & set(names)):
            return
        self._take_distance(series)
        self._fields = tuple(names)
        rows = series.table(*names)
        known = self._reference if len(self._times) else np.empty((0, len(names)))
        self._times, self._reference = np.concatenate([self._times, series.time_ns]), np.concatenate([known, rows])

    def _take_distance(self, series: Series) -> None:
        """The measured distance against the one to keep, where guidance follows something that it measures."""
        if {_KEPT, _MEASURED} <= set(series.columns):
            off = series[_MEASURED] - series[_KEPT]
            if (known := np.isfinite(off)).any():
                self._distance = self._distance.after(off[known])

    def settle(self) -> None:
        """Compare as far as the reference is known, and keep the rest for later."""
        if not self._truth or not len(self._times):
            return
        times = np.concatenate([time for time, _ in self._truth])
        rows = np.concatenate([table for _, table in self._truth])
        ready = times <= self._times[-1]
        at = np.searchsorted(self._times, times[ready], side="right") - 1
        inside = at >= 0
        if inside.any():
            self._compare(rows[ready][inside], self._reference[at[inside]])
        self._truth = [(times[~ready], rows[~ready])]
        self._times, self._reference = self._times[-1:], self._reference[-1:]

    def _compare(self, truth: Array, reference: Array) -> None:
        column = {name: reference[:, i] for i, name in enumerate(self._fields)}
        if _DEPTH in column:
            away = column[_DEPTH] - truth[:, 2]
        else:
            away = np.linalg.norm(np.column_stack([column[name] for name in _PLACE]) - truth[:, :3], axis=1)
        self._place = self._place.after(away)
        if _HEADING in column:
            s, x, y, z = truth[:, 3:].T
            heading = np.arctan2(2.0 * (x * y + s * z), 1.0 - 2.0 * (y * y + z * z))
            off = column[_HEADING] - heading
            self._heading = self._heading.after(np.arctan2(np.sin(off), np.cos(off)))

    def text(self) -> str:
        """Error statistics; empty without a reference of position or depth."""
        self.settle()
        if not self._place.rows:
            return ""
        what = "depth " if _DEPTH in self._fields else ""
        heading = f"; heading {self._heading.text('deg', 180.0 / np.pi)}" if self._heading.rows else ""
        distance = f"; measured distance {self._distance.text('m')}" if self._distance.rows else ""
        return f"{what}{self._place.text('m')}{heading}{distance}"
