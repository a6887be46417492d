"""Errors that stop a run: envelope exceeded, non-finite motion, locked axes that move."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.packed import ENVELOPE_START
from remora.equations.water.local_water import kind_of_water, water_from
from remora.files.arrays import Array
from remora.plant.batches.packed_batch import PackedBatch
from remora.plant.loops import FINISHED, held_index
from remora.plant.pack import LARGEST_SPEED, PackedVehicle
from remora.plant.stages import body_state_at, through_water
from remora.vehicles.names import DEGREES_OF_FREEDOM

IntegerArray: TypeAlias = NDArray[np.int64]


class RunError(RuntimeError):
    """A run that cannot continue: cause, quantity and time."""

    def __init__(self, what: str, time: float, vehicle: int = 0) -> None:
        super().__init__(f"{what}, before {time:.9g} s")
        self.what = what
        self.time = time  # s since the start of the call
        self.vehicle = vehicle

    def __reduce__(self) -> tuple[type["RunError"], tuple[Any, ...]]:
        return (type(self), (self.what, self.time, self.vehicle))


class BatchError(RunError):
    """Some vehicles of a batch failed; all others were run to the end.

    Attributes
    ----------
    failures
        The error of each of them, with the number of the vehicle in the batch.
    states
        The result of the batch, NaN for these vehicles from the end of their last whole interval on.
    """

    def __init__(self, failures: Sequence[RunError], states: Array) -> None:
        first, others = failures[0], failures[1:]
        more = f"; vehicles {', '.join(str(one.vehicle) for one in others[:5])} fail too" if others else ""
        more += f", and {len(others) - 5} more" if len(others) > 5 else ""
        super().__init__(f"vehicle {first.vehicle}: {first.what}", first.time, first.vehicle)
        self.args = (f"{self.args[0]}{more}",)
        self.failures, self.states = tuple(failures), states

    def __reduce__(self) -> tuple[type["BatchError"], tuple[Any, ...]]:
        return (type(self), (self.failures, self.states))


def envelope_fault(packed: PackedVehicle, state: Array, water: Array) -> str:
    """Message on the first speed through the water outside the vehicle's envelope; empty when there is none."""
    limits = packed.row[ENVELOPE_START : ENVELOPE_START + 6]
    local_water = water_from(tuple(water.tolist()), kind_of_water(water.size))
    speeds = through_water(body_state_at(state.tolist()), local_water, 0.0)
    for name, speed, limit in zip(DEGREES_OF_FREEDOM, speeds, limits, strict=True):
        if limit < LARGEST_SPEED and abs(speed) > limit:
            return f"{name} speed {speed:.4g} left the envelope of {limit:.4g} in which this vehicle's numbers hold"
    return ""


def has_bounds(packed: PackedVehicle) -> bool:
    """Whether some states are not allowed: the vehicle has an envelope or locked degrees of freedom."""
    limits = packed.row[ENVELOPE_START : ENVELOPE_START + 6]
    return bool(packed.locked) or bool((limits < LARGEST_SPEED).any())


def check_locked(packed: PackedVehicle, state: Array) -> None:
    """Refuse a state in which a locked degree of freedom moves."""
    for name, speed in zip(DEGREES_OF_FREEDOM, state[7:BODY_SIZE].tolist(), strict=True):
        if name in packed.locked and speed != 0.0:
            raise ValueError(f"{name} is locked but moves with {speed:g}: start it with 0 or unlock it")


def check_start(packed: PackedVehicle, state: Array, water: Array, vehicle: int = 0) -> None:
    """Refuse to start outside the envelope, or with a locked degree of freedom that moves."""
    check_locked(packed, state)
    if outside := envelope_fault(packed, state, water):
        raise RunError(outside, 0.0, vehicle)


def failure(packed: PackedVehicle, state: Array, water: Array, time: float, vehicle: int) -> RunError:
    """The error for a state that the kernel refused."""
    speeds = state[7:BODY_SIZE]
    if outside := envelope_fault(packed, state, water):
        return RunError(outside, time, vehicle)
    beyond = {name: v for name, v in zip(DEGREES_OF_FREEDOM, speeds, strict=True) if not abs(v) < LARGEST_SPEED}
    if not beyond:
        return RunError("the adaptive step became too small to go on: loosen its tolerances", time, vehicle)
    names, largest = ", ".join(beyond), max(map(abs, beyond.values()))
    what = f"{names} diverged, up to {largest:.3g}" if np.isfinite(largest) else f"{names} is no longer a finite number"
    return RunError(f"{what} (try a shorter step, or look for a force that grows)", time, vehicle)


def refused_starts(vehicles: PackedBatch, starts: Array, waters: Array) -> list[RunError]:
    """Errors of the initial states of vehicles in water [vehicle or one for all, number].

    Raises a ValueError when a locked degree of freedom moves.
    """
    if not vehicles.has_bounds:
        return []
    check_all_locked(vehicles, starts, np.arange(len(vehicles)))
    found = []
    for i in np.flatnonzero(_is_outside(vehicles, starts, waters)).tolist():
        if outside := envelope_fault(vehicles[i], starts[i], waters[held_index(waters, i)]):
            found.append(RunError(outside, 0.0, i))
    return found


def check_all_locked(vehicles: PackedBatch, states: Array, indices: IntegerArray) -> None:
    """Refuse states of the vehicles with these indices in which a locked degree of freedom moves."""
    locked = vehicles.locked_axes if len(vehicles.locked) == 1 else vehicles.locked_axes[indices]
    for k in np.flatnonzero((locked & (states[:, 7:BODY_SIZE] != 0.0)).any(axis=1)).tolist():
        try:
            check_locked(vehicles[indices[k]], states[k])
        except ValueError as error:
            raise ValueError(f"vehicle {indices[k]}: {error}" if len(vehicles) > 1 else str(error)) from None


def _is_outside(vehicles: PackedBatch, states: Array, waters: Array) -> NDArray[np.bool_]:
    """Whether each vehicle is outside its envelope in water [vehicle or one for all, number]."""
    water = water_from(waters.T, kind_of_water(waters.shape[1]))
    with np.errstate(all="ignore"):
        speeds = np.transpose(np.broadcast_arrays(*through_water(body_state_at(states.T), water, 0.0)))
    return np.asarray((np.abs(speeds) > vehicles.envelopes).any(axis=1))


def with_failures(
    known: Sequence[RunError],
    vehicles: PackedBatch,
    states: Array,
    intervals: IntegerArray,
    waters: Array,
    interval: float,
) -> list[RunError]:
    """Known failures and those of a run, in the order of the vehicles; later states become NaN.

    States are [vehicle, interval or end, number], waters [vehicle or one for all, interval or one for all, number].
    `intervals` holds the one in which each vehicle failed, or FINISHED; the length of one is in s.
    """
    found = {one.vehicle: (one, 1) for one in known}
    for i in np.flatnonzero(intervals != FINISHED).tolist():
        if i in found:
            continue
        k = int(intervals[i])
        row, sheet = min(k + 1, states.shape[1] - 1), waters[held_index(waters, i)]
        water = sheet[held_index(sheet, k)]
        found[i] = (failure(vehicles[i], states[i, row], water, (k + 1) * interval, i), row)
    for i, (_, row) in found.items():
        states[i, row:] = np.nan
    return [found[i][0] for i in sorted(found)]
