"""Rows of a regression from a record: one block per degree of freedom with its nonzero columns.

Commands act as a zero-order hold and pass the actuator lags of the vehicle.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import hadamard, qr
from scipy.ndimage import convolve1d

from remora.equations.actuators.drives import outside_dead_band
from remora.files.arrays import Array
from remora.identification.data.record import Record, Segment
from remora.identification.problems import RecordError
from remora.identification.regression.prefilter import Prefilter, joined_pieces, piece_slices
from remora.identification.regression.regressor import (
    MotionSamples,
    Wrenches,
    as_column,
    base_wrenches,
    motion_of,
    rate_product,
    reaches,
    relative_twist,
    unit_wrenches,
)
from remora.identification.sampling.smoothing import savitzky_golay, savitzky_golay_kernel
from remora.plant.pack import PackedVehicle, pack
from remora.plant.rollouts import initial_state, rollout
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters


def dead_bands(vehicle: VehicleParameters) -> tuple[float, ...]:
    """Half widths of all actuators in the units of their commands; empty where no thruster has one.

    Drives with pulse widths are excluded: their dead band is in microseconds and acts before the pulse law.
    """
    widths = [drive.dead_band if drive.law is None else 0.0 for drive in vehicle.drives]
    return (*widths, *[0.0] * len(vehicle.fins)) if any(widths) else ()


def outside_dead_bands(commands: Array, widths: tuple[float, ...]) -> Array:
    """Commands [..., actuator] with zero where one lies inside its dead band, `drives.outside_dead_band`."""
    if not widths:
        return commands
    passed: Any = outside_dead_band
    return np.asarray(passed(commands, np.array(widths)))


_PIECE = 50_000
# Samples of the local cubic that estimates noise; with more, fast motion at a low rate would count as noise.
_CURVE = 5
# Integration step of actuator lags, s.
_LAG_STEP = 0.005
# Sharpening that undoes a triangular average, whose variance is a sixth of the squared interval.
_SHARPENING = (-1.0 / 12.0, 14.0 / 12.0, -1.0 / 12.0)
# The same for the mean of the two intervals beside a stamp, up to the fourth order in frequency times interval: it
# averages over twice the interval, which 1 + D / 6 + D^2 / 30 undoes, D being minus the second difference.
_SHARPENING_OF_TWO = (1.0 / 30.0, -0.3, 1.0 + 1.0 / 3.0 + 0.2, -0.3, 1.0 / 30.0)
# Time after which an output has reached its command, s.
_SETTLED = 1000.0


class RegressionBlock(NamedTuple):
    """Rows of one degree of freedom: matrix x (change of the parameters) = target."""

    axis: str
    active: NDArray[np.int64]  # parameters of the columns
    matrix: Array  # rows x columns
    target: Array  # residual of the base vehicle, N or N m
    triangle: Array  # R of the QR factors of [matrix, target], sufficient for least squares


def regression_block(axis: str, active: NDArray[np.int64], matrix: Array, target: Array) -> RegressionBlock:
    """Block with its triangular factor, by sequential QR over pieces of the rows."""
    triangle = np.zeros((0, len(active) + 1))
    for start in range(0, len(target), _PIECE):
        piece = np.column_stack([matrix[start : start + _PIECE], target[start : start + _PIECE]])
        triangle = qr(np.vstack([triangle, piece]), mode="r", check_finite=False)[0][: len(active) + 1]
    return RegressionBlock(axis, active, matrix, target, triangle)


class Rows(NamedTuple):
    """Rows of a regression for all degrees of freedom, at the same times in each block."""

    names: tuple[str, ...]
    blocks: tuple[RegressionBlock, ...]
    number: int  # of rows per block
    spacing: float  # s from row to row
    window: float  # s: rows closer than this share samples


def assumed_inputs(record: Record, vehicle: VehicleParameters) -> tuple[str, ...]:
    """Sentences on assumptions about inputs that were not recorded."""
    if record.inputs is None:
        return ("No inputs were recorded; none are assumed to act.",)
    names = () if record.inputs.kind == "wrench" else (*vehicle.thruster_names, *vehicle.fin_names)
    missing = [name for name in names if name not in record.inputs.names]
    return (f"No input of {', '.join(missing)} was recorded; it is taken as zero.",) if missing else ()


def actuator_outputs(record: Record, vehicle: VehicleParameters) -> tuple[Array, Array]:
    """Actuator outputs and external wrench from the inputs of a record.

    Commands pass the limits, command maps and lags of the vehicle.
    """
    names = (*vehicle.thruster_names, *vehicle.fin_names)
    nothing, inputs = np.zeros((len(record), len(names))), record.inputs
    no_wrench = np.broadcast_to(np.zeros(6), (len(record), 6))
    if inputs is None:
        return nothing, no_wrench
    if inputs.kind == "wrench":
        order = [inputs.names.index(name) if name in inputs.names else None for name in "XYZKMN"]
        columns = [np.zeros(len(record)) if k is None else inputs.values[:, k] for k in order]
        return nothing, np.column_stack(columns)
    table = actuator_table(record, vehicle)
    if inputs.kind == "commands":
        table = _through_lags(record, vehicle, outside_dead_bands(table, dead_bands(vehicle)))
    return table, no_wrench


def outputs_at_stamps(record: Record, vehicle: VehicleParameters) -> tuple[Array, Array]:
    """Actuator outputs and external wrench at the stamps of the motion.

    A zero-order hold acts half an interval later than its stamp. Its value at a stamp is the sharpened mean of the two
    adjacent intervals.
    """
    outputs, external = actuator_outputs(record, vehicle)
    if record.inputs is None or not record.inputs.held or record.inputs.kind == "commands":
        return outputs, external
    return means_beside_stamps(record, outputs), means_beside_stamps(record, external)


def means_beside_stamps(record: Record, held: Array) -> Array:
    """Values at the stamps of signals held from stamp to stamp."""
    found = np.array(held)
    for s in record.segments:
        rows = held[s.start : s.stop]
        means = 0.5 * (rows + np.concatenate([rows[:1], rows[:-1]]))
        found[s.start : s.stop] = convolve1d(means, _SHARPENING_OF_TWO, axis=0, mode="nearest")
    return found


def actuator_table(record: Record, vehicle: VehicleParameters) -> Array:
    """Recorded commands or outputs in the order of the actuators of a vehicle; zero where none is recorded.

    Commands act from each row to the next; sampled ones are averaged over both rows.
    """
    names = (*vehicle.thruster_names, *vehicle.fin_names)
    table = np.zeros((len(record), len(names)))
    inputs = record.inputs
    if inputs is None or inputs.kind == "wrench":
        return table
    unknown = [name for name in inputs.names if name not in names]
    if unknown:
        known = ", ".join(names) or "none"
        raise RecordError(
            f"inputs of {', '.join(unknown)}, but the actuators of the vehicle are: {known}.", record.source
        )
    values = inputs.values
    if inputs.kind == "commands" and not inputs.held:
        values = values.copy()
        for s in record.segments:
            values[s.start : s.stop - 1] = 0.5 * (values[s.start : s.stop - 1] + values[s.start + 1 : s.stop])
    table[:, [names.index(name) for name in inputs.names]] = values
    return table


def lagged_outputs(record: Record, vehicle: VehicleParameters, commands: Array) -> list[Array]:
    """Outputs under zero-order-hold commands, per segment, one step per sample."""
    from remora.identification.sampling.resampling import uniform_interval

    return _lagged(vehicle, record.segments, uniform_interval(record), commands, 1)


def _lagged(
    vehicle: VehicleParameters, segments: Sequence[Segment], interval: float, commands: Array, steps: int
) -> list[Array]:
    """Outputs under zero-order-hold commands, per segment, with `steps` steps per interval.

    The compiled plant runs with a fixed body, so that only the actuators change. Each segment starts in the steady
    state of its first command.
    """
    packed = pack(vehicle, locked=DEGREES_OF_FREEDOM)
    places = slice(13, 13 + packed.actuators)
    found = []
    for s in segments:
        held = commands[s.start : s.stop]
        settled = rollout(packed, initial_state(packed), held[:1], _SETTLED)[-1]
        if len(held) > 1:
            found.append(rollout(packed, settled, np.repeat(held[:-1], steps, axis=0), interval / steps)[:, places])
        else:
            found.append(settled[None, places])
    return found


def _through_lags(record: Record, vehicle: VehicleParameters, commands: Array) -> Array:
    """Outputs under commands, averaged around each stamp, so that sums over stamps are integrals over time."""
    from remora.identification.sampling.resampling import uniform_interval

    averages = _averaged_outputs(vehicle, record.segments, uniform_interval(record), commands.tobytes())
    return averages.copy()


@lru_cache(maxsize=4)
def _averaged_outputs(
    vehicle: VehicleParameters, segments: tuple[Segment, ...], interval: float, commands: bytes
) -> Array:
    """Triangular averages of the outputs around each stamp; kept because a fit needs those of its record many times.

    The slope of an output changes with each command; its values at the stamps alone would lead the true mean.
    Triangular averages account for this, and a sharpening restores the amplitude of slow waves.
    """
    held = np.frombuffer(commands).reshape(-1, len(vehicle.thruster_names) + len(vehicle.fin_names))
    steps = max(2, math.ceil(interval / _LAG_STEP))
    hat = 1.0 - np.abs(np.arange(1 - steps, steps)) / steps
    outputs = np.empty_like(held)
    for s, fine in zip(segments, _lagged(vehicle, segments, interval, held, steps), strict=True):
        means = convolve1d(fine, hat / steps, axis=0, mode="nearest")[::steps]
        outputs[s.start : s.stop] = convolve1d(means, _SHARPENING, axis=0, mode="nearest")
    return outputs


class Sampled(NamedTuple):
    """Samples of a record for the equations, one row each."""

    measured: Array  # n x 6: twist relative to the water
    prefiltered: Array  # n x 6: the same after the prefilter
    quaternion: Array | None
    outputs: Array
    external: Array

    def motion(self, s: Segment) -> MotionSamples:
        """One segment as arguments of the equations."""
        return self.motion_at(slice(s.start, s.stop))

    def motion_at(self, rows: slice | NDArray[np.int64]) -> MotionSamples:
        """Some rows as arguments of the equations."""
        attitude = None if self.quaternion is None else self.quaternion[rows]
        return motion_of(self.prefiltered[rows], attitude, self.outputs[rows], self.external[rows])


def unsmoothed(record: Record, vehicle: VehicleParameters) -> Sampled:
    """Samples of a record as measured."""
    measured = relative_twist(record.twist, record.quaternion, record.water)
    return Sampled(measured, measured, record.quaternion, *outputs_at_stamps(record, vehicle))


def sampled(record: Record, vehicle: VehicleParameters, prefilter: Prefilter) -> Sampled:
    """Samples of a record; the prefilter is applied per segment."""
    samples = unsmoothed(record, vehicle)
    prefiltered = samples.measured.copy()
    for s in record.segments:
        if s.stop - s.start >= prefilter.shortest:
            prefiltered[s.start : s.stop] = prefilter.motion(samples.measured[s.start : s.stop])
    return samples._replace(prefiltered=prefiltered)


def regression_rows(
    record: Record,
    vehicle: VehicleParameters,
    names: Sequence[str],
    axes: Sequence[str],
    prefilter: Prefilter,
    interval: float,
    simulated: Array | None = None,
    unbiased: bool = False,
) -> Rows:
    """The rows of a regression for the change of these parameters from those of the vehicle.

    The record has uniform segments and no NaN in what was measured; the interval between its samples is in s. Twist and
    quaternion of a simulation (n x 10) may take the place of the measured ones, for instruments. Unbiased: the mean of
    squared noise is subtracted.
    """
    samples = sampled(record if simulated is None else _replaced(record, simulated), vehicle, prefilter)
    places = [DEGREES_OF_FREEDOM.index(axis) for axis in axes]
    packed, spread = pack(vehicle), np.zeros(6)
    if unbiased:
        spread = noise_of(samples.measured, record.segments) * np.sqrt(prefilter.noise_left)
    tables: list[dict[int, list[Array]]] = [{} for _ in axes]  # parameter -> pieces of its column; -1 is the base
    for pieces in joined_pieces(record.segments, prefilter):
        motion = samples.motion_at(np.concatenate([np.arange(s.start, s.stop) for s in pieces]))
        found = _all_wrenches(packed, vehicle, names, motion)
        if unbiased:
            moved = (_all_wrenches(packed, vehicle, names, other) for other in _both_ways(motion, spread, pieces))
            found = [_without_mean_of_noise(*three) for three in zip(found, *moved, strict=True)]
        for cut, piece in zip(piece_slices(pieces), pieces, strict=True):
            rates = tuple(prefilter.rate(samples.measured[piece.start : piece.stop, i]) for i in range(6))
            heave = motion.twist[2][cut]
            for k, one in enumerate(found, start=-1):
                own = _part_of(one, cut)
                for table, column in zip(
                    tables, _prefiltered(own, rates, heave, prefilter, interval, places), strict=True
                ):
                    if column is not None:
                        table.setdefault(k, []).append(column)
    if not tables[0]:
        longest = max(record.time[s.stop - 1] - record.time[s.start] for s in record.segments)
        message = f"is too short: its longest part without a gap has {longest:.3g} s"
        raise RecordError(f"{message}, but {prefilter.window:.3g} s are used at a time. Record longer.", record.source)
    blocks = tuple(_block_of(axis, table) for axis, table in zip(axes, tables, strict=True))
    return Rows(tuple(names), blocks, len(blocks[0].target), prefilter.stride * interval, prefilter.window)


def _all_wrenches(
    packed: PackedVehicle, vehicle: VehicleParameters, names: Sequence[str], motion: MotionSamples
) -> list[Wrenches]:
    """The equation of motion, then the contribution of one unit of each parameter."""
    return [base_wrenches(packed, motion), *(unit_wrenches(name, vehicle, motion) for name in names)]


def noise_of(twist: Array, segments: Sequence[Segment]) -> Array:
    """Standard deviation of white noise in each measured speed, from the residual of a local cubic."""
    kernel = savitzky_golay_kernel(_CURVE, 3)
    total, count = np.zeros(6), 0
    for s in segments:
        if s.stop - s.start >= _CURVE:
            speeds = twist[s.start : s.stop]
            total += np.sum((speeds - savitzky_golay(speeds, _CURVE, 3, 1.0)) ** 2, axis=0)
            count += s.stop - s.start
    return np.sqrt(total / max(count, 1) / (1.0 - float(np.sum(kernel**2))))


def _both_ways(motion: MotionSamples, spread: Array, pieces: Sequence[Segment]) -> tuple[MotionSamples, MotionSamples]:
    """Motion with its noise added and subtracted once more; products of two speeds cancel over each piece."""
    signs = hadamard(8)[1:7, np.concatenate([np.arange(s.stop - s.start) for s in pieces]) % 8]
    more = spread[:, None] * signs
    up = tuple(a + b for a, b in zip(motion.twist, more, strict=True))
    down = tuple(a - b for a, b in zip(motion.twist, more, strict=True))
    return motion._replace(twist=up), motion._replace(twist=down)


def _without_mean_of_noise(here: Wrenches, up: Wrenches, down: Wrenches) -> Wrenches:
    """Term with the mean effect of noise removed: twice the term less the mean with noise added both ways."""
    term = tuple(
        2.0 * a - 0.5 * (b + c) if reaches(a) else a for a, b, c in zip(here.term, up.term, down.term, strict=True)
    )
    return here._replace(term=term)


def _block_of(axis: str, table: dict[int, list[Array]]) -> RegressionBlock:
    target = -np.concatenate(table.pop(-1))
    columns = [np.concatenate(table[k]) for k in sorted(table)]
    matrix = np.column_stack(columns) if columns else np.empty((len(target), 0))
    return regression_block(axis, np.array(sorted(table), dtype=np.int64), matrix, target)


def _part_of(wrenches: Wrenches, cut: slice) -> Wrenches:
    """The wrenches of some samples."""

    def part(component: Any) -> Any:
        return component[cut] if isinstance(component, np.ndarray) and component.ndim else component

    term, effort = (tuple(map(part, six)) for six in (wrenches.term, wrenches.effort))
    return wrenches._replace(heave_mass=part(wrenches.heave_mass), term=term, effort=effort)


def _replaced(record: Record, simulated: Array) -> Record:
    attitude = None if record.quaternion is None else simulated[:, 6:]
    return record.with_note("Simulated.", twist=simulated[:, :6], quaternion=attitude)


def _prefiltered(
    wrenches: Wrenches, rates: Any, heave: Array, prefilter: Prefilter, interval: float, places: Sequence[int]
) -> list[Array | None]:
    """Filtered components of a wrench at the kept rows; None where structurally zero."""
    samples = len(heave)
    inertial = rate_product(wrenches, rates)
    result: list[Array | None] = []
    for i in places:
        parts = []
        if reaches(inertial[i]):
            parts.append(np.asarray(inertial[i]))
        if reaches(wrenches.term[i]):
            parts.append(prefilter.term(as_column(wrenches.term[i], samples)))
        if reaches(wrenches.effort[i]):
            parts.append(prefilter.effort(as_column(wrenches.effort[i], samples)))
        if i == 2 and reaches(wrenches.heave_mass):
            # The derivative of a speed-dependent mass cannot be transferred to the window.
            slope = np.gradient(heave, interval)
            parts.append(prefilter.term(as_column(wrenches.heave_mass, samples) * slope))
        result.append(sum(parts[1:], parts[0]) if parts else None)
    return result
