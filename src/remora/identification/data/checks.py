"""Checks of records before a fit: duration, excitation, holes, units and direction of thrust."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import conjugate, product, to_rotation_vector
from remora.files.arrays import Array
from remora.files.problems import Fix
from remora.identification.data.record import Record
from remora.identification.problems import RecordError, axes_fix, resampling_fix
from remora.identification.sampling.mixed_rates import slowest_interval
from remora.identification.sampling.resampling import uniform_interval
from remora.vehicles.names import DEGREES_OF_FREEDOM

DEGREES_PER_RADIAN = 180.0 / np.pi
RPM_PER_RAD_S = 60.0 / (2.0 * np.pi)
# Largest plausible turn rate, rad/s; degrees read as radians exceed it.
_FASTEST_TURN = 2.0 * np.pi
_FASTEST_SPEED = 30.0  # m/s
# Largest factor between a ratio and the ratio of two units which counts as a mix-up of these.
_NEAR = 1.5
# Speeds below these count as rest.
_REST = 1e-4
# Multiple of the actuator limit above which inputs are in another unit.
_BEYOND_LIMIT = 3.0
# Correlation below which the ratio of two signals is not used.
_ALIKE = 0.5
# The same for the comparison of axes: rates in deg/s of a slow vehicle are noisy.
_SLIGHTLY_ALIKE = 0.3
# Largest error factor of inertia and damping of the base vehicle.
_WRONG_START = 5.0
# Frequent unit mistakes and their factor.
_MIXED_UP = {"rad/s": ("rpm", RPM_PER_RAD_S), "rad": ("deg", DEGREES_PER_RADIAN), "": ("percent", 100.0)}
# Roll and pitch also have a righting moment, unknown without attitude.
_FREE_AXES = ("surge", "sway", "heave", "yaw")


class Limit(NamedTuple):
    """Limit of an actuator."""

    size: float
    unit: str  # empty for a plain number


def check_record(record: Record, axes: Sequence[str], shortest: float, sparse: bool = False) -> float:
    """Refuse a record that cannot be fitted; return its sampling interval, s.

    The fit needs these degrees of freedom and segments of at least this length, s. In a sparse record speeds and
    attitude may be NaN between their readings.
    """
    _check_measured(record, axes)
    _check_holes(record, sparse and slowest_interval(record) is not None)
    interval = uniform_interval(record)
    longest = max(float(record.time[s.stop - 1] - record.time[s.start]) for s in record.segments)
    if longest < shortest:
        message = f"is too short: its longest part without a gap has {longest:.3g} s, but {shortest:.3g} s are needed"
        raise RecordError(f"{message}. Record longer, or use a shorter window.", record.source)
    _check_moves(record, axes)
    check_rates(record, interval)
    return interval


def check_replayable(record: Record, limits: Mapping[str, Limit]) -> None:
    """Refuse a record that cannot be replayed: holes, mixed rates, wrong units."""
    _check_holes(record)
    check_rates(record, uniform_interval(record))
    check_inputs(record, limits)


def _check_measured(record: Record, axes: Sequence[str]) -> None:
    missing = [axis for axis in axes if axis not in record.measured]
    if missing:
        known = ", ".join(record.measured) or "nothing"
        raise RecordError(f"has no speed of {', '.join(missing)}. It has: {known}.", record.source)


def _check_holes(record: Record, sparse: bool = False) -> None:
    """Refuse NaN in a measured quantity."""
    places = [DEGREES_OF_FREEDOM.index(axis) for axis in record.measured]
    tables = [] if sparse else [("twist", record.twist[:, places])]
    if record.inputs is not None:
        tables.append((record.inputs.kind, record.inputs.values))
    if record.quaternion is not None and not sparse:
        tables.append(("quaternion", record.quaternion))
    for name, table in tables:
        holes = np.isnan(table).any(axis=1)
        if holes.any():
            first, count = int(np.flatnonzero(holes)[0]), int(holes.sum())
            slow = slowest_interval(record)
            call = "`without(record, mask)`, or fill them with `resampled(record, interval)`"
            fix = Fix("Leave them out with {skip_nan}.", {"skip_nan": ""}, {"skip_nan": call})
            if slow is not None:
                fix = resampling_fix("Its speeds have several rates: bring them to one with {rate}.", slow)
            line = record.line_of(first)
            place = f"row {first} (counted from 0)" if line is None else f"line {line}"
            at = f"{place}, at {record.time[first]:.6g} s"
            raise RecordError(f"{name} is NaN in {count} rows, the first is {at}.", record.source, line, fix)


def moves(record: Record, axis: str) -> bool:
    """Whether a measured axis moves at all."""
    return bool(np.nanstd(record.speed(axis)) >= _REST)


def _check_moves(record: Record, axes: Sequence[str]) -> None:
    still = [axis for axis in axes if not moves(record, axis)]
    if still:
        fix = axes_fix("Excite these degrees of freedom or leave them out of {axes}.")
        raise RecordError(f"does not move in {', '.join(still)}, so it says nothing about it.", record.source, fix=fix)
    if record.inputs is not None and not np.any(np.nanstd(record.inputs.values, axis=0) > 0.0):
        raise RecordError("has inputs that never change. A fit needs motion that is driven.", record.source)


def check_rates(record: Record, interval: float) -> None:
    """Refuse implausible rates, or rates that contradict the attitude: degrees read as radians."""
    with_limits = [(axis, _FASTEST_SPEED if i < 3 else _FASTEST_TURN) for i, axis in enumerate(DEGREES_OF_FREEDOM)]
    for axis, limit in with_limits:
        if axis in record.measured and (fastest := float(np.nanmax(np.abs(record.speed(axis))))) > limit:
            unit = "rad/s: are these degrees per second?" if limit == _FASTEST_TURN else "m/s: which unit is this?"
            raise RecordError(f"{axis} reaches {fastest:.4g} {unit} Give SI and radians.", record.source)
    if record.quaternion is None:
        return
    turned = rates_of_attitude(record.quaternion, interval)
    inside = np.concatenate([np.arange(s.start, s.stop - 1) for s in record.segments])
    for i in range(3):
        rate, shown = record.twist[inside, 3 + i], turned[inside, i]
        check_ratio(shown, rate, DEGREES_OF_FREEDOM[3 + i], record.source)


def check_ratio(shown: Array, rate: Array, axis: str, source: str) -> None:
    """Refuse a rate that differs from the derivative of its angle by a factor of about 57."""
    good = np.isfinite(shown) & np.isfinite(rate)
    power = float(np.sum(rate[good] ** 2))
    if power == 0.0 or np.std(shown[good]) < _REST:
        return
    ratio = float(np.sum(shown[good] * rate[good])) / power
    correlation = float(np.corrcoef(shown[good], rate[good])[0, 1]) if np.std(rate[good]) > 0.0 else 0.0
    if abs(correlation) < _ALIKE:
        return
    if _near(abs(ratio), DEGREES_PER_RADIAN):
        raise RecordError(
            f"the {axis} angle changes {ratio:.3g} times as fast as its rate says: it is in degrees.", source
        )
    if _near(abs(ratio), 1.0 / DEGREES_PER_RADIAN):
        raise RecordError(
            f"the rate of {axis} is {1.0 / ratio:.3g} times the change of its angle: it is in deg/s.", source
        )


def rates_of_attitude(quaternion: Array, interval: float) -> Array:
    """Rates in body axes, rad/s, from each attitude to the next; the last row is repeated."""
    q: Any = tuple(quaternion.T)
    before, after = (q[0][:-1], q[1][:-1], q[2][:-1], q[3][:-1]), (q[0][1:], q[1][1:], q[2][1:], q[3][1:])
    step: Any = product(conjugate(before), after)
    sign = np.where(step[0] < 0.0, -1.0, 1.0)
    vector = to_rotation_vector((sign * step[0], sign * step[1], sign * step[2], sign * step[3]))
    rates = np.column_stack([np.broadcast_to(c, (len(quaternion) - 1,)) for c in vector]) / interval
    return np.vstack([rates, rates[-1:]])


def check_inputs(record: Record, limits: Mapping[str, Limit]) -> None:
    """Refuse inputs far beyond the limits of the actuators: another unit, such as rpm read as rad/s.

    Outputs are compared by their largest value, commands by their median: a controller may exceed limits at times.
    """
    inputs = record.inputs
    if inputs is None or inputs.kind == "wrench":
        return
    for k, name in enumerate(inputs.names):
        sizes = np.abs(inputs.values[np.isfinite(inputs.values[:, k]), k])
        limit = limits.get(name)
        if limit is None or len(sizes) == 0:
            continue
        size = float(sizes.max() if inputs.kind == "outputs" else np.median(sizes))
        if size > _BEYOND_LIMIT * limit.size:
            message = (
                f"{name} {'reaches' if inputs.kind == 'outputs' else 'is usually'} {size:.4g} {limit.unit}".rstrip()
            )
            other, factor = _MIXED_UP.get(limit.unit, ("", 1.0))
            hint = (
                f": {other} given as {limit.unit or 'plain numbers'}?"
                if size / factor < _BEYOND_LIMIT * limit.size
                else "."
            )
            fix = f"Give {limit.unit}, or name" if limit.unit else "Name"
            raise RecordError(
                f"{message}, but the vehicle gives it {limit.size:.4g} at most{hint} {fix} the unit of the column.",
                record.source,
            )


def check_direction_of_thrust(parts: Mapping[str, tuple[Array, Array]], source: str) -> None:
    """Refuse motion opposite to the thrust: axes or thrusters with reversed sign.

    `parts` holds, for each degree of freedom, the wrench that the motion requires with the parameters of the vehicle,
    and the force of the thrusters. Positive inertia and damping imply a positive correlation.
    """
    against = {}
    for axis, (needed, applied) in parts.items():
        if axis not in _FREE_AXES or np.std(applied) * _WRONG_START < np.std(needed) or np.std(needed) == 0.0:
            continue
        correlation = _correlation(needed, applied)
        if correlation < -_ALIKE:
            against[axis] = correlation
    if against:
        found = ", ".join(f"{axis} (correlation {correlation:.2f})" for axis, correlation in against.items())
        message = f"moves against its thrust in {found}: its axes, or the thrusters of the vehicle, point the other way"
        convention = "forward-left-up"
        fix = Fix("Give {axes_convention} if y points to port and z up.", {"axes_convention": convention},
                  {"axes_convention": f'axes="{convention}"'})  # fmt: skip
        raise RecordError(f"{message}.", source, fix=fix)


def check_scale_of_motion(parts: Mapping[str, tuple[Array, Array]], shaft_speeds: bool, source: str) -> None:
    """Refuse motion or thrust in a wrong unit, by the ratio of required to applied wrench.

    `parts` is as in `check_direction_of_thrust`. Shaft speeds in rpm affect all degrees of freedom equally, rates in
    deg/s only rotations, speeds in cm/s only translations.
    """
    ratios = {axis: ratio for axis, (needed, applied) in parts.items() if (ratio := _times_the_thrust(needed, applied))}
    turns = {axis: ratio for axis, ratio in ratios.items() if axis in DEGREES_OF_FREEDOM[3:]}
    along = {axis: ratio for axis, ratio in ratios.items() if axis not in turns}
    for these, others, factor, unit in ((turns, along, DEGREES_PER_RADIAN, "deg/s"), (along, turns, 100.0, "cm/s")):
        least = factor / _WRONG_START
        if these and others and max(these.values()) > least and max(others.values()) < least:
            axis = max(these, key=lambda name: these[name])
            message = f"{axis} needs {these[axis]:.3g} times the thrust, and {', '.join(others)} not: is it in {unit}?"
            raise RecordError(f"{message} If not, start from a vehicle that is nearer to this one.", source)
    square, factor = RPM_PER_RAD_S**2, _WRONG_START
    alike = {axis: ratio for axis, ratio in ratios.items() if _correlation(*parts[axis]) >= _ALIKE}
    for axis, ratio in alike.items() if shaft_speeds else ():
        if square / factor < 1.0 / ratio < square * factor:
            raise RecordError(
                f"the thrust is {1.0 / ratio:.3g} times what the motion needs: rpm given as rad/s?", source
            )
        if square / factor < ratio < square * factor:
            message = f"the motion needs {ratio:.3g} times the thrust in {axis}: rad/s given as rpm"
            raise RecordError(f"{message}, or speeds in another unit?", source)


def _times_the_thrust(needed: Array, applied: Array) -> float | None:
    """Ratio of required to applied wrench; None where they are uncorrelated."""
    return None if _correlation(needed, applied) < _SLIGHTLY_ALIKE else float(needed @ applied / (applied @ applied))


def _correlation(one: Array, other: Array) -> float:
    return float(np.corrcoef(one, other)[0, 1]) if np.std(one) > 0.0 and np.std(other) > 0.0 else 0.0


def _near(ratio: float, unit: float) -> bool:
    return unit / _NEAR < ratio < unit * _NEAR
