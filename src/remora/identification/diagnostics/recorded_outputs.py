"""Recorded outputs of actuators that look like commands: they jump where a lag cannot, or exceed the limits."""

import math
from collections.abc import Mapping

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import Advice, Fix
from remora.identification.data.record import Record
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
