"""Records from Remora logs; outputs of actuators between their stamps are reconstructed from commands and lags."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import convolve1d

from remora.files.arrays import Array
from remora.files.did_you_mean import suggestion
from remora.identification.data.record import InputKind, Record, Times, inputs_of, record_from_arrays
from remora.identification.problems import RecordError
from remora.identification.sampling.resampling import interval_averaged
from remora.logs.log import Log, Series
from remora.vehicles.names import DEGREES_OF_FREEDOM

TWIST = tuple(f"{part}_{axis}" for part in ("v_NB_B", "w_NB_B") for axis in "xyz")
POSITION = tuple(f"p_NB_{axis}" for axis in "xyz")
QUATERNION = tuple(f"q_NB_{i}" for i in range(4))
# Largest status of usable readings: 0 ok, 1 partial.
_USABLE_STATUS = 1


def record_from_log(
    log: Log,
    vehicle: str,
    motion: str | Mapping[str, tuple[str, str]] = "estimate",
    inputs: InputKind = "outputs",
    gap: float | None = None,
    source: str = "log",
) -> Record:
    """Record of one vehicle of a Remora log.

    Parameters
    ----------
    log, vehicle
        From `read_log`, and name of the vehicle in the run, the first part of its channels.
    motion
        "estimate" of navigation, simulated "truth", or readings of sensors: degree of freedom -> (channel, field), e.g.
        {"surge": ("falcon/dvl", "v_x")}. The first one gives the stamps; readings without a lock are NaN.
    inputs, source
        Channel of the inputs (commands, outputs or wrench), and name of the log for messages.
    gap
        Interval between stamps from which on it is a gap, s.
    """
    if isinstance(motion, str):
        main = log[f"{vehicle}/{motion}"]
        time_ns, twist = main.time_ns, main.table(*TWIST)
        position, quaternion = main.table(*POSITION), main.table(*QUATERNION)
        attitude = None if np.all(np.isnan(quaternion)) else quaternion
    else:
        time_ns, twist = _twist_of_sensors(log, motion, source)
        position, attitude = None, None
    held = inputs == "commands"
    # Behind the drives, where these convert the commands.
    behind = f"{vehicle}/inputs"
    driven = log[behind if held and behind in log.channels else f"{vehicle}/{inputs}"]
    between = outputs_at(log, vehicle, driven, time_ns) if inputs == "outputs" else None
    values = onto(driven.time_ns, driven.table(), time_ns, held) if between is None else between
    units = [field.unit for field in driven.channel.fields]
    what = inputs_of(inputs, values, driven.channel.names, units, held)
    if inputs == "outputs" and between is None and commands_change_between(log, vehicle, driven):
        what = what._replace(slow=float(np.median(np.diff(driven.time_ns))) * 1e-9)
    return record_from_arrays(time_ns, twist, what, position=position, quaternion=attitude, gap=gap, source=source)


def _twist_of_sensors(log: Log, motion: Mapping[str, tuple[str, str]], source: str) -> tuple[Times, Array]:
    if not motion:
        raise RecordError("no motion is named. Give degrees of freedom with their channels and fields.", source)
    first = log[next(iter(motion.values()))[0]]
    twist = np.full((len(first), 6), np.nan)
    for axis, (channel, field) in motion.items():
        if axis not in DEGREES_OF_FREEDOM:
            raise RecordError(f'"{axis}" is no degree of freedom. {suggestion(axis, DEGREES_OF_FREEDOM)}', source)
        series = log[channel]
        column = onto(series.time_ns, _locked_only(series, field)[:, None], first.time_ns, held=False)
        twist[:, DEGREES_OF_FREEDOM.index(axis)] = column[:, 0]
    return first.time_ns, twist


def _locked_only(series: Series, field: str) -> Array:
    """Values of a sensor, NaN where its status is not usable."""
    values = np.asarray(series[field], dtype=float)
    if "status" in series.columns:
        return np.where(np.asarray(series["status"]) <= _USABLE_STATUS, values, np.nan)
    return values


def onto(time_ns: Times, values: Array, wanted_ns: Times, held: bool) -> Array:
    """Values at other stamps: zero-order hold for held signals, linear interpolation for sampled ones.

    NaN before the first and after the last row.
    """
    if len(time_ns) == len(wanted_ns) and np.array_equal(time_ns, wanted_ns):
        return values
    outside = (wanted_ns < time_ns[0]) | ((wanted_ns > time_ns[-1]) & (not held))
    if held:
        found = values[np.clip(np.searchsorted(time_ns, wanted_ns, side="right") - 1, 0, None)].copy()
    else:
        origin = time_ns[0]
        x, known = (wanted_ns - origin) * 1e-9, (time_ns - origin) * 1e-9
        found = np.column_stack([np.interp(x, known, column) for column in values.T])
    found[outside] = np.nan
    return found


# Tolerance of the constant ratio of successive changes behind a lag, and the smallest change that is used.
_SAME, _SEEN = 1e-6, 1e-3
# Commands change between rows: of at least this many rows more than this share are off the usual ratio by more than
# this; a log with a ratio above the last is fast enough.
_FEWEST, _MOST, _ROUGHLY, _SLOW = 20, 0.2, 0.01, 0.9
# Sharpening that undoes the mean over one interval, whose variance is a twelfth of the squared interval.
_SHARPENING = (-1.0 / 24.0, 13.0 / 12.0, -1.0 / 24.0)


def outputs_at(log: Log, vehicle: str, outputs: Series, stamps: Times) -> Array | None:
    """Outputs at some stamps as means of the curve around each; None where the log does not determine the curve.

    Behind a lag the slope of an output changes with each command. Straight lines between logged outputs lie below a
    rise and above a fall, as if thrust were late by the squared interval over twelve lags.
    """
    given = log.channels.get(f"{vehicle}/limited") and log[f"{vehicle}/limited"]
    if not given or len(outputs) < 3 or not np.array_equal(given.time_ns, outputs.time_ns):
        return None
    targets, values, width = given.table(), outputs.table(), float(np.median(np.diff(stamps))) * 1e-9
    if np.array_equal(targets[:-1], values[1:]):  # without a lag an output is the previous command
        return interval_averaged(outputs.time_ns, targets, True, stamps, width)
    left = _shares_left(values, targets)
    if left is None:
        return None
    times, at = ((one - outputs.time_ns[0]) * 1e-9 for one in (outputs.time_ns, stamps))
    ends = [np.clip(at + side * width, 0.0, times[-1]) for side in (-0.5, 0.5)]
    low, high = (_integral(times, values, targets, left, end) for end in ends)
    means = (high - low) / np.maximum(ends[1] - ends[0], 1e-9)[:, None]
    return np.asarray(convolve1d(means, _SHARPENING, axis=0, mode="nearest"))


def commands_change_between(log: Log, vehicle: str, outputs: Series) -> bool:
    """Whether outputs of a Remora log do not follow the logged commands: these changed between two rows.

    Behind a lag the distance from the command shrinks by a constant ratio per row, one for rising and one for falling
    outputs. False where the log has no commands, or is much faster than the lag.
    """
    given = log.channels.get(f"{vehicle}/limited") and log[f"{vehicle}/limited"]
    if not given or len(outputs) < 3 or not np.array_equal(given.time_ns, outputs.time_ns):
        return False
    targets, values = given.table(), outputs.table()
    before, after = values[:-1] - targets[:-1], values[1:] - targets[:-1]
    for k in range(values.shape[1]):
        seen = np.abs(before[:, k]) > _SEEN * max(float(np.ptp(targets[:, k])), 1e-300)
        rises = np.abs(targets[:-1, k]) > np.abs(values[:-1, k])
        for rows in (seen & rises, seen & ~rises):
            ratios = after[rows, k] / before[rows, k]
            usual = float(np.median(ratios)) if len(ratios) >= _FEWEST else 1.0
            if usual < _SLOW and np.mean(np.abs(ratios - usual) > _ROUGHLY) > _MOST:
                return True
    return False


def _shares_left(values: Array, targets: Array) -> Array | None:
    """Ratio of successive changes behind the lag of each actuator; None where it is not constant."""
    before, after = values[:-1] - targets[:-1], values[1:] - targets[:-1]
    shares = np.full(values.shape[1], 0.5)  # arbitrary for an actuator at rest
    for k in range(values.shape[1]):
        seen = np.abs(before[:, k]) > _SEEN * max(float(np.ptp(targets[:, k])), 1e-300)
        if not seen.any():
            continue
        found = after[seen, k] / before[seen, k]
        shares[k] = float(np.median(found))
        if np.max(np.abs(found - shares[k])) > _SAME or not 0.0 < shares[k] < 1.0:
            return None
    return shares


def _integral(times: Array, values: Array, targets: Array, left: Array, at: Array) -> Array:
    """Integral of exponentials towards the target of each interval, from the first stamp."""
    interval = float(np.median(np.diff(times)))
    lags = -interval / np.log(left)

    def within(k: NDArray[np.int64], beyond: Array) -> Array:
        fading = lags * (1.0 - np.exp(-beyond[:, None] / lags))
        return np.asarray(targets[k] * beyond[:, None] + (values[k] - targets[k]) * fading)

    areas = within(np.arange(len(times) - 1), np.diff(times))
    up_to = np.vstack([np.zeros((1, values.shape[1])), np.cumsum(areas, axis=0)])
    k = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    return up_to[k] + within(k, at - times[k])
