"""Rauch-Tung-Striebel smoother over the readings of a filter, for whole records or with a fixed lag."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import float64, int64, void

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.reading import Reading
from remora.navigation.filters.beliefs import Belief, Integers
from remora.navigation.filters.compiling import (
    FilterModels,
    FilterSizes,
    filled_in,
    filter_sizes,
    linearised_functions,
    model_functions,
    sources_key,
)
from remora.navigation.filters.error_state_filter import NO_TRUTH, ErrorStateFilter
from remora.navigation.filters.loops import event_loop, smoothing_loop, ud_factors
from remora.navigation.filters.loops.ud_factors import covariance_of, padded_size
from remora.navigation.filters.readings import ReadingTable, reading_table
from remora.navigation.filters.trajectory import FilterRun, run_groups
from remora.plant.arrays import array_view
from remora.plant.compilation import from_cache

CHUNK = 5000  # estimates whose factors are in memory at a time
_row, _integers, _matrix = float64[::1], int64[::1], float64[:, ::1]
SIGNATURE = void(
    _matrix, _integers, _integers, _row, _row, _row, int64, _row, _row, _row, int64, _matrix, _matrix, _matrix, _matrix,
    _matrix, _row, _row, _row, _matrix, _integers,
)  # fmt: skip
TEMPLATES = (
    *(ud_factors.eliminate, ud_factors.orthogonalise, ud_factors.changed_columns, ud_factors.transform),
    *(ud_factors.variances, event_loop.append_noise, smoothing_loop.between, smoothing_loop.solve_factors),
    *(smoothing_loop.multiply, smoothing_loop.smoother_gain, smoothing_loop.collect_columns),
    smoothing_loop.smooth_interval,
)


class SmoothedRun(NamedTuple):
    """Estimates from all readings, or from those up to a lag after each."""

    stamps_ns: Integers
    states: Array
    sigma: Array  # standard deviation of each error coordinate
    factors: Array  # D and columns of U of each estimate, if they were kept
    sizes: FilterSizes

    def covariance(self, index: int) -> Array:
        """Covariance of an estimate of a run with `covariances=True`."""
        n, padded = self.sizes.errors, padded_size(self.sizes.errors)
        return covariance_of(self.factors[index, padded:].reshape(n, padded)[:, :n], self.factors[index, :n])


def smooth(
    made: ErrorStateFilter,
    belief: Belief,
    readings: Sequence[Reading] | ReadingTable,
    *,
    lag: float | None = None,
    covariances: bool = False,
) -> SmoothedRun:
    """Smoothed estimates at the times of the readings.

    Readings are used at their time of validity, also where a sensor has a delayed residual.

    Parameters
    ----------
    made
        The filter.
    belief
        The belief before the first reading.
    readings
        Readings in any order.
    lag
        Time after an estimate up to which readings count, s; all of them by default.
    covariances
        Whether the covariance of each estimate is kept.

    Raises
    ------
    InputError
        As `run`, and when the lag is negative.
    """
    if lag is not None and not lag >= 0.0:
        raise InputError(f"lag is {lag}: give a time in seconds, not negative").about("lag", lag)
    prompt = without_delays(made)
    table = readings if isinstance(readings, ReadingTable) else reading_table(readings)
    ordered, backward = in_order(prompt, table), BackwardPass(prompt, covariances)
    if lag is None:
        return backward.whole(prompt, belief, ordered)
    forward = run_groups(prompt, belief, ordered.table, ordered.valid_ns, covariances=True)
    return backward.fixed_lag(forward, round(1e9 * lag))


def without_delays(made: ErrorStateFilter) -> ErrorStateFilter:
    """The filter with every reading used at its time of validity."""
    for name, aiding in made.aidings.items():
        if aiding.delayed_residual:
            made = made.changed(name, delayed_residual=False)
    return made


class OrderedReadings(NamedTuple):
    """Readings in the order of their times of validity."""

    table: ReadingTable
    valid_ns: Integers
    rows: Integers  # their places in the table from which they come

    def chunks(self) -> list["OrderedReadings"]:
        """Parts, each with all readings of its times."""
        starts = np.flatnonzero(np.diff(self.valid_ns, prepend=self.valid_ns[:1] - 1))[::CHUNK].tolist()
        parts = [slice(a, b) for a, b in zip(starts, [*starts[1:], len(self.rows)], strict=True)]
        return [OrderedReadings(rows_of(self.table, part), self.valid_ns[part], self.rows[part]) for part in parts]


def in_order(made: ErrorStateFilter, table: ReadingTable) -> OrderedReadings:
    """Readings sorted by their time of validity."""
    latencies = np.array([made.intakes[name].latency_ns if name in made.intakes else 0 for name in table.sensors])
    valid = table.stamps_ns - latencies[table.sensor] if len(table.sensor) else table.stamps_ns
    rows = np.argsort(valid, kind="stable")
    if not len(rows):
        raise InputError("there are no readings").about("readings")
    return OrderedReadings(rows_of(table, rows), valid[rows], rows)


def rows_of(table: ReadingTable, rows: slice | Integers) -> ReadingTable:
    """Some rows of a table."""
    return ReadingTable(
        table.sensors, table.sensor[rows], table.stamps_ns[rows], table.arrivals_ns[rows], table.values[rows]
    )


class BackwardPass:
    """The compiled recursion with its work space."""

    def __init__(self, made: ErrorStateFilter, covariances: bool) -> None:
        if made.setup.sizes.unscented:
            raise InputError("the smoother needs Jacobians: compile the filter without unscented").about("filter")
        if made.functions is None:
            raise InputError("the filter has no functions to smooth with: make it by compile_filter").about("filter")
        self._sizes, self._setup, self._covariances = made.setup.sizes, made.setup, covariances
        self._loop = compiled_smoother(made.functions, self._sizes)
        n, padded = self._sizes.errors, padded_size(self._sizes.errors)
        width, columns = filter_sizes(self._sizes)["WIDTH"], 2 * n + self._sizes.noises
        matrices = (np.zeros((n, width)), np.zeros((n, n)), np.zeros((n, width)))
        rows = (np.zeros(columns * padded), np.zeros(n * padded), np.zeros(columns * padded))
        work = np.zeros((10, max(columns, self._sizes.states, padded)))
        self._work = (*matrices, *rows, work, np.zeros(columns, dtype=np.int64))
        self._padded, self._size = padded, padded * (n + 1)

    def start(self, memory: Array, time: int) -> tuple[Integers, Array, Array, Array]:
        """Time, state and factors of a filtered estimate, from which the recursion starts."""
        states, end = self._sizes.states, self._sizes.states + self._size
        D, V = memory[states : states + self._padded].copy(), memory[states + self._padded : end].copy()
        return np.array([time]), memory[:states].copy(), V, D

    def back(
        self, end: tuple[Integers, Array, Array, Array], memories: Array, times: Integers, still: bool
    ) -> tuple[Array, Array]:
        """Outputs and factors at some times, from the smoothed estimate that follows them, which is changed."""
        out = np.empty((len(times), self._sizes.states + self._sizes.errors))
        kept = np.empty((len(times) if self._covariances else 0, self._size))
        setup = self._setup
        self._loop(
            memories, times, *end, int(still), setup.parameters, setup.noise, setup.gains, int(setup.per_interval), out,
            kept, *self._work,
        )  # fmt: skip
        return out, kept

    def result(self, times: Integers, out: Array, kept: Array) -> SmoothedRun:
        """Outputs as a run."""
        states = self._sizes.states
        return SmoothedRun(times, out[:, :states], np.sqrt(out[:, states:]), kept, self._sizes)

    def whole(
        self, made: ErrorStateFilter, belief: Belief, readings: OrderedReadings, truth: Array = NO_TRUTH
    ) -> SmoothedRun:
        """Smoothed estimates of a record, part by part from its end; along the truth if there is one."""
        parts, beliefs, still = readings.chunks(), [belief], bool(truth.size)
        truths = [truth[part.rows] if still else NO_TRUTH for part in parts]
        for part, known in zip(parts[:-1], truths, strict=False):
            done = run_groups(made, beliefs[-1], part.table, part.valid_ns, apart=1e9, truth=known)
            beliefs.append(done.belief._replace(snapshots=done.belief.snapshots[-1:]))
        found, end = [], None
        for part, before, known in reversed(list(zip(parts, beliefs, truths, strict=True))):
            forward = run_groups(made, before, part.table, part.valid_ns, covariances=True, truth=known)
            if len(forward.stamps_ns):
                end = end or self.start(forward.memories[-1], int(forward.stamps_ns[-1]))
                out, kept = self.back(end, forward.memories, forward.stamps_ns, still)
                found.append((forward.stamps_ns, out, kept))
        if not found:
            raise InputError("no reading could be used").about("readings")
        return self.result(*(np.concatenate(column) for column in zip(*reversed(found), strict=True)))

    def fixed_lag(self, forward: FilterRun, lag_ns: int) -> SmoothedRun:
        """Smoothed estimates with the readings of a time after each."""
        times = forward.stamps_ns
        last = np.searchsorted(times, times + lag_ns, "right") - 1
        found = []
        for k, e in enumerate(last.tolist()):
            end = self.start(forward.memories[e], int(times[e]))
            out, kept = self.back(end, forward.memories[k : e + 1], times[k : e + 1], False)
            found.append((out[:1], kept[:1]))
        return self.result(times, *(np.concatenate(column) for column in zip(*found, strict=True)))


@lru_cache(maxsize=16)
def compiled_smoother(functions: FilterModels, sizes: FilterSizes) -> Any:
    """The recursion in machine code, from the cache when its sources have not changed."""
    digest = hashlib.sha256(Path(str(smoothing_loop.__file__)).read_bytes()).hexdigest()

    def make(cached: dict[str, Any]) -> Any:
        names = {**linearised_functions(functions, sizes, key), **filter_sizes(sizes), "array_view": array_view}
        names |= {"plus": functions.chart.plus, "minus": functions.chart.minus}
        for template in TEMPLATES:
            names[template.__name__] = filled_in(template, key, **names)
        return numba.njit(SIGNATURE, **cached)(filled_in(smoothing_loop.smooth_backwards, key, **names))

    key = sources_key(model_functions(functions), (*sizes, digest))
    return from_cache("a navigation smoother", make, seconds=15, key=key)
