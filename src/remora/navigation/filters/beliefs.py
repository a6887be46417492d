"""Estimate of a filter, and what it keeps to take in late readings."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array
from remora.navigation.filters.compiling import FilterSizes, filter_sizes
from remora.navigation.filters.loops.ud_factors import covariance_of

Integers: TypeAlias = NDArray[np.signedinteger[Any]]


class FilterEvent(NamedTuple):
    """A reading at the time at which it is used; events are processed in the order of the first three fields."""

    valid_ns: int
    kind: int  # 0 for inputs, else 1 plus the index of the sensor
    stamp_ns: int
    residual_ns: int  # time of the state that predicts it
    data: Array  # values, standard deviations, parameters


class FilterSnapshot(NamedTuple):
    """Memory of a filter after all events up to one of them."""

    last: FilterEvent
    memory: Array  # state, D, columns of U, inputs
    since: Integers  # ns, the first of the rejections in a row of each sensor


class FilterPast(NamedTuple):
    """Predicted states and inputs of past times, for delayed residuals."""

    times: Integers  # ns
    rows: Array


class Belief(NamedTuple):
    """Estimate of a filter, and what it needs to take in late readings."""

    snapshots: tuple[FilterSnapshot, ...]  # one per event, from the last before the lag to the newest
    sizes: FilterSizes
    latest: Array  # values of the last reading of each sensor
    past: FilterPast

    @property
    def events(self) -> tuple[FilterEvent, ...]:
        """Events after the first snapshot, in order."""
        return tuple(snapshot.last for snapshot in self.snapshots[1:])

    @property
    def stamp_ns(self) -> int:
        """Time of the estimate."""
        return self.snapshots[-1].last.valid_ns

    @property
    def state(self) -> Array:
        """Estimated state."""
        return self.snapshots[-1].memory[: self.sizes.states]

    @property
    def inputs(self) -> Array:
        """Inputs of the process model that are held."""
        return self.snapshots[-1].memory[filter_sizes(self.sizes)["HELD"] :]

    @property
    def covariance(self) -> Array:
        """Covariance of the error."""
        return covariance_of(*factors_in(self.snapshots[-1].memory, self.sizes))


def factors_in(memory: Array, sizes: FilterSizes) -> tuple[Array, Array]:
    """Columns of U, as rows, and D in the memory of a filter."""
    names, n = filter_sizes(sizes), sizes.errors
    V = memory[names["FACTORS"] : names["HELD"]].reshape(n, names["PADDED"])[:, :n]
    return V, memory[sizes.states : sizes.states + n]


def memory_of(state: Array, V: Array, D: Array, held: Array, sizes: FilterSizes) -> Array:
    """Memory of a filter.

    Parameters
    ----------
    state
        State.
    V, D
        Columns of U, as rows, and D.
    held
        Inputs.
    sizes
        Of the filter.
    """
    padded = np.zeros((sizes.errors, filter_sizes(sizes)["PADDED"]))
    diagonal = np.zeros(padded.shape[1])
    padded[:, : sizes.errors], diagonal[: sizes.errors] = V, D
    return np.concatenate([state, diagonal, padded.ravel(), held])
