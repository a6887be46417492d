"""Tracking error of a vehicle over a run: truth against the reference, with a zero-order hold.

On a leg the error is the distance from the leg, and its horizontal part is the cross-track error. A pose that moves is
on a leg in the direction of its velocity.
"""

from typing import NamedTuple, final

import numpy as np
import numpy.typing as npt

from remora.files.arrays import Array
from remora.logs import Series

_PLACE, _DEPTH, _HEADING = ("p_NR_x", "p_NR_y", "p_NR_z"), "depth", "heading"
_START, _END = (tuple(f"leg_{end}_{axis}" for axis in "xyz") for end in ("start", "end"))
_MOVES = ("v_NR_N_x", "v_NR_N_y")
SLOW = 0.05  # m/s; a slower pose is on no leg
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
        digits = 2 if unit == "m" else 1
        return f"{self.short(unit, scale, digits)}, {scale * self.last:.{digits}f} {unit} at the end"

    def short(self, unit: str, scale: float, digits: int) -> str:
        rms = float(np.sqrt(self.squares / self.rows))
        return f"{scale * rms:.{digits}f} {unit} RMS, {scale * self.largest:.{digits}f} {unit} at most"


@final
class TrackingTally:
    """Tracking error from pieces of truth and reference. A reference is held until the next one."""

    def __init__(self) -> None:
        self._truth: list[tuple[npt.NDArray[np.int64], Array]] = []
        self._times, self._reference = np.empty(0, np.int64), np.empty((0, 0))
        self._fields: tuple[str, ...] = ()
        self._place, self._heading, self._distance, self._across = _Error(), _Error(), _Error(), _Error()

    def take_truth(self, series: Series) -> None:
        """Add a piece of the truth."""
        if set(_TRUTH) <= set(series.columns):
            self._truth.append((series.time_ns, series.table(*_TRUTH)))

    def take_reference(self, series: Series) -> None:
        """Add a piece of the reference, where it gives a place or a depth, and compare what is known of both."""
        names = [name for name in (*_PLACE, _DEPTH, _HEADING, *_MOVES, *_START, *_END) if name in series.columns]
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
        across, above = _off_leg(column, truth)
        is_on_leg = np.isfinite(across)
        if is_on_leg.any():
            self._across = self._across.after(across[is_on_leg])
        if _DEPTH in column:
            away = column[_DEPTH] - truth[:, 2]
        else:
            away = np.linalg.norm(np.column_stack([column[name] for name in _PLACE]) - truth[:, :3], axis=1)
            has_leg = is_on_leg & np.isfinite(above)
            away = np.where(has_leg, np.hypot(across, above), away)
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

    def cross_track(self) -> str:
        """Statistics of the cross-track error on all legs; empty without a leg."""
        self.settle()
        return self._across.short("m", 1.0, 3) if self._across.rows else ""


def _off_leg(column: dict[str, Array], truth: Array) -> tuple[Array, Array]:
    """Cross-track error and vertical distance from the leg, m; NaN without a leg, the latter also for a moving pose."""
    unknown = np.full(len(truth), np.nan)
    if _START[0] in column:
        start, end = (np.column_stack([column[name] for name in names]) for names in (_START, _END))
        way, off = end - start, truth[:, :3] - start
    elif _MOVES[0] in column:
        way = np.column_stack([*(column[name] for name in _MOVES), unknown])
        way[np.hypot(way[:, 0], way[:, 1]) < SLOW] = np.nan
        off = truth[:, :3] - np.column_stack([column[name] for name in _PLACE])
    else:
        return unknown, unknown
    length = np.hypot(way[:, 0], way[:, 1])
    across = (way[:, 0] * off[:, 1] - way[:, 1] * off[:, 0]) / length
    share = np.clip((way[:, 0] * off[:, 0] + way[:, 1] * off[:, 1]) / length**2, 0.0, 1.0)
    return across, off[:, 2] - share * way[:, 2]
