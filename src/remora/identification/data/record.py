"""Records: motion and inputs of one vehicle over time, the data of identification.

SI and radians, N north-east-down, B forward-right-down. Unmeasured values are NaN.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, final, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.files.units import unit_named
from remora.identification.data.stamp_checks import stamp_fault
from remora.identification.problems import RecordError
from remora.vehicles.names import DEGREES_OF_FREEDOM

Times: TypeAlias = NDArray[np.int64]
# "commands" pass limits, command maps and lags of the actuators; "outputs" are behind the lags (force or shaft
# speed of each thruster, deflection of each fin); "wrench" is the force and torque about B.
InputKind: TypeAlias = Literal["commands", "outputs", "wrench"]
WRENCH_NAMES = ("X", "Y", "Z", "K", "M", "N")
WRENCH_UNITS = ("N", "N", "N", "N m", "N m", "N m")
# Multiple of the typical interval from which on an interval is a gap, unless a length is given.
GAP_IN_INTERVALS = 5.0
# Largest time of stamps in 64-bit nanoseconds, s.
_LATEST = 9.2e9


class RecordedInputs(NamedTuple):
    """Inputs of a vehicle, one column per actuator or component."""

    kind: InputKind
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array  # n x k
    held: bool  # True: zero-order hold (commands); False: a sampled signal
    moved: float = 0.0  # s by which the inputs were shifted to earlier times
    slow: float = 0.0  # s between rows of outputs that change faster than they were logged; 0 where they do not


class Segment(NamedTuple):
    """Rows [start, stop) without a gap."""

    start: int
    stop: int


class FrozenSpeed(NamedTuple):
    """Readings of a speed that repeat one value because the sensor was frozen or lost."""

    axis: str
    value: float
    start_ns: int  # stamp of the first of them
    stop_ns: int  # stamp of the last one
    interval_ns: int  # typical interval between readings


@final
@dataclass(frozen=True, eq=False)
class Record:
    """Motion and inputs of one vehicle; all arrays have one row per stamp."""

    time_ns: Times  # increasing
    twist: Array  # n x 6: v_NB_B and w_NB_B; NaN where not measured
    inputs: RecordedInputs | None
    position: Array | None  # n x 3: p_NB, NaN where unknown; the third column is the depth
    quaternion: Array | None  # n x 4: q_NB
    water: Array | None  # n x 3: velocity of the water in N, where it is known
    segments: tuple[Segment, ...]
    source: str  # file or run, for messages
    provenance: tuple[str, ...]  # processing steps, one sentence each
    frozen: tuple[FrozenSpeed, ...] | None = None  # found before speeds were interpolated; None where they were not
    lines: Times | None = None  # line of each row in its file, from 1; None where rows are no lines
    estimated_by: str = ""  # navigation part that gave the motion; empty for measured motion and where it is unknown

    def __len__(self) -> int:
        return len(self.time_ns)

    @property
    def time(self) -> Array:
        """Seconds since the first stamp."""
        return np.asarray((self.time_ns - self.time_ns[0]) * 1e-9)

    @property
    def interval(self) -> float:
        """Typical interval between stamps, s."""
        return float(np.median(np.diff(self.time_ns)) * 1e-9)

    @property
    def measured(self) -> tuple[str, ...]:
        """Degrees of freedom with a measured speed."""
        return tuple(name for i, name in enumerate(DEGREES_OF_FREEDOM) if not np.all(np.isnan(self.twist[:, i])))

    @property
    def duration(self) -> float:
        """Time inside segments, s."""
        return float(sum(self.time_ns[s.stop - 1] - self.time_ns[s.start] for s in self.segments) * 1e-9)

    def speed(self, axis: str) -> Array:
        """One component of the twist by its degree of freedom."""
        return self.twist[:, DEGREES_OF_FREEDOM.index(axis)]

    def with_note(self, sentence: str, **changes: object) -> "Record":
        """The record with changed fields and a further sentence in its provenance."""
        changed = replace(self, **changes)  # type: ignore[arg-type]
        return replace(changed, provenance=(*self.provenance, sentence))

    def line_of(self, row: int) -> int | None:
        """Line of a row in its file, from 1; None where rows are no lines."""
        return None if self.lines is None else int(self.lines[row])

    def rows(self, start: int, stop: int) -> "Record":
        """A part of the record."""
        kept = slice(start, stop)
        cut = (Segment(max(s.start, start) - start, min(s.stop, stop) - start) for s in self.segments)
        return replace(
            self,
            time_ns=self.time_ns[kept],
            twist=self.twist[kept],
            inputs=None if self.inputs is None else self.inputs._replace(values=self.inputs.values[kept]),
            position=None if self.position is None else self.position[kept],
            quaternion=None if self.quaternion is None else self.quaternion[kept],
            water=None if self.water is None else self.water[kept],
            segments=tuple(s for s in cut if s.stop - s.start > 0),
            lines=None if self.lines is None else self.lines[kept],
        )

    def split(self, share: float) -> tuple["Record", "Record"]:
        """The record split at a share of its time, for a fit and its validation."""
        limit = self.time_ns[0] + share * (self.time_ns[-1] - self.time_ns[0])
        row = int(np.searchsorted(self.time_ns, limit))
        return self.rows(0, row), self.rows(row, len(self))


def inputs_of(
    kind: InputKind,
    values: ArrayLike,
    names: Sequence[str] = WRENCH_NAMES,
    units: Sequence[str] = WRENCH_UNITS,
    held: bool | None = None,
) -> RecordedInputs:
    """Inputs from an array.

    Parameters
    ----------
    kind, values
        "commands", "outputs" or "wrench", and n x k values in the units given.
    names, units
        Of the columns; a wrench needs none.
    held
        Whether values hold until the next row (zero-order hold); by default only commands.
    """
    kinds = get_args(InputKind)
    if kind not in kinds:
        hint = suggestion(str(kind), kinds)
        raise RecordError(f"kind is {kind!r}. {hint}", field="kind", found=str(kind), choices=kinds)
    for unit in units:
        if unit not in ("", "1", "SI") and unit_named(unit) is None:
            fix = "Give the unit of each column, such as N, rad/s or 1."
            raise RecordError(f'the unit "{unit}" is not known. {fix}', field="units", found=unit)
    try:
        table = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise RecordError(f"values are no table of numbers: {error}.", field="values") from None
    return RecordedInputs(kind, tuple(names), tuple(units), table, kind == "commands" if held is None else held)


def record_from_arrays(
    time: ArrayLike,
    twist: ArrayLike,
    inputs: RecordedInputs | None = None,
    *,
    position: ArrayLike | None = None,
    quaternion: ArrayLike | None = None,
    water: ArrayLike | None = None,
    gap: float | None = None,
    source: str = "arrays",
) -> Record:
    """Record from arrays.

    Parameters
    ----------
    time
        Stamps: seconds as floats, or nanoseconds as integers.
    twist
        n x 6, m/s and rad/s in body axes about B; NaN where not measured.
    inputs
        Inputs of the vehicle, from `inputs_of`.
    position, quaternion, water
        Where known: p_NB (NaN where unknown), q_NB, velocity of the water in N (one row for all times, or one each).
    gap
        Interval between stamps above which the record is cut, s; five typical intervals unless given.
    source
        Source of the data, for messages.

    Raises
    ------
    RecordError
        When shapes disagree, stamps are not increasing, or a value is infinite.
    """
    time_ns = _stamps(time, source)
    n = len(time_ns)
    flow = None if water is None else np.broadcast_to(np.asarray(water, dtype=float), (n, 3))
    return Record(
        time_ns=time_ns,
        twist=_table("twist", twist, n, 6, source),
        inputs=None if inputs is None else _checked(inputs, n, source),
        position=None if position is None else _table("position", position, n, 3, source),
        quaternion=None if quaternion is None else _unit_rows(_table("quaternion", quaternion, n, 4, source), source),
        water=flow,
        segments=segments_between_gaps(time_ns, gap),
        source=source,
        provenance=(f"{n} rows from {source}.",),
    )


def segments_between_gaps(time_ns: Times, gap: float | None = None) -> tuple[Segment, ...]:
    """Segments of a record between gaps, s."""
    steps = np.diff(time_ns)
    if len(steps) == 0:
        return (Segment(0, len(time_ns)),)
    limit = GAP_IN_INTERVALS * float(np.median(steps)) if gap is None else gap * 1e9
    cuts = np.flatnonzero(steps > limit) + 1
    edges = [0, *cuts.tolist(), len(time_ns)]
    return tuple(Segment(a, b) for a, b in pairwise(edges))


def gap_note(record: Record) -> list[str]:
    """Sentence on the gaps of a record; none without a gap."""
    gaps = [
        (int(record.time_ns[after.start] - record.time_ns[before.stop - 1]), float(record.time[before.stop - 1]))
        for before, after in pairwise(record.segments)
    ]
    if not gaps:
        return []
    longest, at = max(gaps)
    many = f"{len(gaps)} gaps, the longest" if len(gaps) > 1 else "A gap"
    return [f"{many} of {1e-9 * longest:.4g} s at {at:.6g} s; nothing is integrated across a gap."]


def _stamps(time: ArrayLike, source: str) -> Times:
    stamps = np.asarray(time)
    if stamps.ndim != 1 or len(stamps) < 2:
        raise RecordError(f"time has shape {stamps.shape}. Give at least two stamps in one row.", source)
    if not np.issubdtype(stamps.dtype, np.number) or not np.all(np.isfinite(stamps)):
        raise RecordError("time holds something that is no finite number. Leave those rows out.", source)
    if not np.issubdtype(stamps.dtype, np.integer):
        if np.max(np.abs(stamps)) > _LATEST:
            message = f"time reaches {np.max(np.abs(stamps)):.4g} s, which no clock shows"
            raise RecordError(f"{message}: these are milliseconds, or smaller. Name the unit of time.", source)
        stamps = np.rint(stamps * 1e9)
    time_ns = stamps.astype(np.int64)
    if fault := stamp_fault(time_ns):
        raise RecordError(f"row {fault.row} {fault.text}", source, fix=fault.fix)
    return time_ns


def _checked(inputs: RecordedInputs, n: int, source: str) -> RecordedInputs:
    if len(inputs.units) != len(inputs.names):
        found = f"{len(inputs.names)} names and {len(inputs.units)} units"
        raise RecordError(f"{found} of {inputs.kind}. Give one of each per column.", source)
    return inputs._replace(values=_table(inputs.kind, inputs.values, n, len(inputs.names), source))


def _table(name: str, values: ArrayLike, rows: int, columns: int, source: str) -> Array:
    try:
        table = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise RecordError(f"{name} is no table of numbers: {error}.", source) from None
    if table.shape != (rows, columns):
        raise RecordError(f"{name} has shape {table.shape}. Give {rows} rows of {columns} numbers.", source)
    if np.any(np.isinf(table)):
        row = int(np.argwhere(np.isinf(table))[0][0])
        raise RecordError(f"{name} is infinite in row {row}. Write NaN for what was not measured.", source)
    return table


def _unit_rows(quaternion: Array, source: str) -> Array:
    lengths = np.linalg.norm(quaternion, axis=1)
    wrong = ~(np.isnan(lengths) | (np.abs(lengths - 1.0) < 1e-3))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise RecordError(
            f"the quaternion in row {row} has length {lengths[row]:.4g}. Give rotations, scalar first.", source
        )
    return quaternion / lengths[:, None]
