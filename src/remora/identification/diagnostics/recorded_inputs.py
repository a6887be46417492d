"""Recorded inputs that are probably something else: commands in place of outputs, or another unit."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import Advice, Fix, listed
from remora.identification.data.checks import Limit
from remora.identification.data.record import Record, RecordedInputs
from remora.vehicles.checks.actuation import command_limits, input_dimension, output_dimension
from remora.vehicles.parameters import VehicleParameters

# Share of the largest change from which on a change is large, and below which a value is held.
_LARGE, _HELD = 0.5, 0.05
# Behind a lag a change is followed by exp(-interval / lag) of it; less than this share of that is a jump.
_FOLLOWED = 0.5
# Evidence of commands: at least this many large changes, more than this share of them steps, in a signal that is held
# for more than this share of the time.
_FEWEST, _MOST = 3, 0.5
# Remainder of a change after one interval below which sampling is too slow to show a lag.
_TOO_SLOW = 0.2
# Factor by which outputs may exceed limits, for rounding.
_BEYOND = 1.02


def outputs_that_may_be_commands(record: Record, vehicle: VehicleParameters) -> list[str]:
    """Warnings where recorded outputs of actuators are probably commands."""
    if record.inputs is None or record.inputs.kind != "outputs":
        return []
    lags, columns = lags_of(vehicle), dict(zip(record.inputs.names, record.inputs.values.T, strict=True))
    found: list[str] = []
    if beyond := _beyond_limits(columns, vehicle):
        fix = Fix("For commands, give {inputs}.", {"inputs": "commands"})
        found.append(Advice(f"Outputs exceed the limits of the vehicle: {beyond}.", fix))
    jumping = [name for name, values in columns.items() if name in lags and _jumps(record, values, lags[name])]
    if jumping:
        finding = (
            f"Outputs of {', '.join(jumping)} jump from one level to the next, which an actuator with a lag of "
            f"{lags[jumping[0]]:.3g} s cannot do: these look like commands, and the lag was left out."
        )
        found.append(Advice(finding, Fix("Give {inputs}.", {"inputs": "commands"})))
    return found


def outputs_logged_slowly(record: Record) -> list[str]:
    """Warning where outputs change between the rows in which they were logged."""
    if record.inputs is None or not record.inputs.slow:
        return []
    return [
        f"Outputs were logged every {record.inputs.slow:.3g} s, but commands changed in between: straight lines "
        "between rows miss fast changes, and inertias and added masses are biased, mostly low, beyond their intervals. "
        "Log at the rate of the commands, e.g. log: {rate: 50 Hz} in the scenario."
    ]


def lags_of(vehicle: VehicleParameters) -> dict[str, float]:
    """Shortest lag of each actuator with a lag, s."""
    thrusters = zip(vehicle.thruster_names, (min(t.rise_time, t.fall_time) for t in vehicle.thrusters), strict=True)
    fins = zip(vehicle.fin_names, (fin.lag for fin in vehicle.fins), strict=True)
    return {name: float(lag) for name, lag in (*thrusters, *fins) if lag > 0.0}


def _jumps(record: Record, values: Array, lag: float) -> bool:
    left = math.exp(-record.interval / lag)
    if left < _TOO_SLOW:
        return False
    changes = np.concatenate([np.diff(values[s.start : s.stop]) for s in record.segments])
    changes = changes[np.isfinite(changes)]
    largest = float(np.max(np.abs(changes), initial=0.0))
    if largest == 0.0 or np.mean(np.abs(changes) < _HELD * largest) < _MOST:
        return False
    large = np.flatnonzero(np.abs(changes[:-1]) > _LARGE * largest)
    jump = np.abs(changes[large + 1]) < _FOLLOWED * left * np.abs(changes[large])
    return len(large) >= _FEWEST and bool(np.mean(jump) > _MOST)


def _beyond_limits(columns: Mapping[str, Array], vehicle: VehicleParameters) -> str:
    """Actuators with outputs beyond their limits, where commands and outputs are the same quantity."""
    limits, found = dict(zip(_names(vehicle), command_limits(vehicle).tolist(), strict=False)), []
    for name in (name for name in columns if name in limits):
        low, high = limits[name]
        values = columns[name][np.isfinite(columns[name])]
        if output_dimension(vehicle, name) != input_dimension(vehicle, name):
            continue
        if np.any((values > _BEYOND * high) | (values < _BEYOND * low)):
            found.append(f"{name} is {values[np.argmax(np.abs(values))]:.4g}, limits are {low:.4g} and {high:.4g}")
    return "; ".join(found)


def _names(vehicle: VehicleParameters) -> tuple[str, ...]:
    return (*vehicle.thruster_names, *vehicle.fin_names)


# Share of the limits below which inputs are probably in another unit.
_FAINT = 0.02
# Largest share of rows with commands beyond a limit.
_OFTEN = 0.3
PERCENT = "%"


def unlikely_ranges(record: Record, limits: Mapping[str, Limit]) -> list[str]:
    """Warnings about inputs far below the limits of all actuators, or often beyond one of them."""
    inputs = record.inputs
    if inputs is None or inputs.kind == "wrench":
        return []
    known = [(name, limits[name]) for name in inputs.names if name in limits and 0.0 < limits[name].size < np.inf]
    reached = {name: _largest(inputs, name) for name, _ in known}
    if not known or max(reached.values()) == 0.0:
        return []
    name, limit = max(known, key=lambda one: reached[one[0]] / one[1].size)
    if reached[name] < _FAINT * limit.size:
        return [f"{record.source}: {_faint(inputs, name, reached[name], limit)}"]
    return [f"{record.source}: {message}" for message in _often_beyond(inputs, known)]


def _faint(inputs: RecordedInputs, name: str, size: float, limit: Limit) -> str:
    most = f"{limit.size:.4g} {limit.unit}".rstrip()
    message = f"{inputs.kind} reach {size:.3g} at most ({name}), of a limit of {most}"
    if PERCENT in inputs.units:
        return (
            f"{message}: columns in % are divided by 100. Leave the unit off where the vehicle takes percent as "
            "plain numbers, or give it limits of 1."
        )
    if not limit.unit:
        return f"{message}: fractions of one, where the vehicle takes percent? Scale the columns or the limits."
    return f"{message}: another unit than {limit.unit}? Name the unit of the columns, as in {name}=COLUMN:UNIT."


def _often_beyond(inputs: RecordedInputs, known: Sequence[tuple[str, Limit]]) -> list[str]:
    shares = {name: float(np.mean(_sizes(inputs, name) > 1.001 * limit.size)) for name, limit in known}
    often = [name for name, share in shares.items() if share > _OFTEN]
    if not often:
        return []
    most = max(shares[name] for name in often)
    return [
        f"{inputs.kind} of {listed(often)} lie beyond their limits in up to {100.0 * most:.0f} % of the rows and "
        "are cut there: another unit, or limits of another thruster?"
    ]


def _sizes(inputs: RecordedInputs, name: str) -> np.ndarray:
    column = inputs.values[:, inputs.names.index(name)]
    return np.abs(column[np.isfinite(column)])


def _largest(inputs: RecordedInputs, name: str) -> float:
    return float(_sizes(inputs, name).max(initial=0.0))
