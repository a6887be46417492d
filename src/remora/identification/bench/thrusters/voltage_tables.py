"""Fit of one thruster over pulse width and voltage to the bench tables of a manufacturer.

Shaft speed and thrust are fitted jointly where the tables have both. The law interpolates between the voltages of the
tables and, less reliably, extrapolates.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from remora.equations.actuators.thrusters import ThrustCurve, static_thrust
from remora.equations.actuators.voltage_drive import VoltageSpeed
from remora.files.arrays import Array
from remora.files.problems import listed
from remora.files.units import FORCE, PULSE, TURN_RATE, VOLTAGE, unit_named
from remora.identification.bench.data import BenchDataError, columns
from remora.identification.bench.fitting import BenchParameter, fit_law
from remora.identification.bench.result import BenchFit
from remora.identification.bench.thrusters.powered_thruster import (
    PoweredThruster,
    VoltageTable,
    one_table_each,
    powered_speed,
    powered_thrust,
    same_voltage,
)
from remora.identification.bench.thrusters.table_plausibility import doubtful_neutral, opposed_tables
from remora.identification.bench.thrusters.thrust_curves import bench_thruster
from remora.identification.data.foreign_table import TableHeader, read_columns, read_header

# Weight of shaft speed errors relative to thrust errors, each as a share of the full scale.
_SPEED_WEIGHT = 0.3
# Quantity of each column, and its default unit.
_COLUMNS = {"PWM": (PULSE, "us"), "RPM": (TURN_RATE, "rpm"), "Voltage": (VOLTAGE, "V"), "Force": (FORCE, "kgf")}
_BRACKET = re.compile(r"\(([^)]*)\)")
# Largest relative change of the voltage within a table.
_SAME_VOLTAGE = 0.1


class HeldOutTable(NamedTuple):
    """Prediction errors of a law in a table that it was not fitted to."""

    voltage: float  # V
    rms: float  # N
    largest: float  # N
    full_scale: float  # N, largest force of this table
    outside: bool  # whether the voltage is outside the fitted range

    @property
    def share(self) -> float:
        """Root-mean-square error as a share of the full-scale force."""
        return self.rms / self.full_scale


def read_voltage_table(path: str | Path) -> VoltageTable:
    """Read a table of a manufacturer with columns of pulse width, shaft speed, voltage and force.

    Names start with PWM, RPM, Voltage and Force, in capitals or not. Units in brackets count; without them pulses are
    microseconds, speeds rpm, voltages V and forces kgf. For the table format see `foreign_table`.

    Raises
    ------
    BenchDataError, RecordError
        When a column is missing, has a unit of another quantity, or is not numeric.
    """
    path = Path(path)
    header = read_header(path)
    found = {word: _found(path, header, word) for word in _COLUMNS}
    table = read_columns(path, header, [place.name for place in found.values()], "").values
    numbers = {word: place.factor * table[place.name] for word, place in found.items()}
    for word, values in numbers.items():
        if not np.isfinite(values).all():
            raise BenchDataError(f"{path}: {found[word].name} has empty cells or infinite ones. Leave those lines out.")
    if len(numbers["PWM"]) < 3:
        raise BenchDataError(f"{path}: {len(numbers['PWM'])} rows are too few for a table.")
    voltage = float(np.mean(numbers["Voltage"]))
    spread = float(np.ptp(numbers["Voltage"]))
    if not spread <= _SAME_VOLTAGE * voltage:
        low, high = numbers["Voltage"].min(), numbers["Voltage"].max()
        raise BenchDataError(f"{path}: voltages run from {low:g} to {high:g} V. Give a table for each voltage.")
    speeds = np.abs(numbers["RPM"]) * np.sign(numbers["Force"])
    return VoltageTable(voltage, 1e6 * numbers["PWM"], speeds, numbers["Force"])


class _Place(NamedTuple):
    name: str
    factor: float  # to SI


def _found(path: Path, header: TableHeader, word: str) -> _Place:
    """Column whose name starts with a word, and its unit."""
    dimension, usual = _COLUMNS[word]
    for name, written in zip(header.names, header.units, strict=True):
        if not name.lower().startswith(word.lower()):
            continue
        bracket = _BRACKET.search(name)
        text = written or (bracket[1] if bracket else "")
        unit = unit_named(usual if not text or text.lower().replace(" ", "") in ("kgf", "kg") else text)
        if unit is None or not dimension.accepts(unit):
            message = f'{name}: "{text}" does not measure {dimension.words}'
            raise BenchDataError(f"{path}:{header.line}: {message}. Use {listed(dimension.units)}.")
        return _Place(name, unit.factor)
    raise BenchDataError(
        f"{path}:{header.line}: no column {word!r} among {list(header.names)}. Give one that starts so."
    )


def fit_voltage_tables(tables: Iterable[VoltageTable], neutral: float = 1500.0) -> BenchFit[PoweredThruster]:
    """Fit one thruster to the tables of at least two voltages.

    The thrust of the result is corrected by the tables: see `powered_thruster`. Several tables of one voltage are all
    fitted, with a warning.

    Residuals are shares of the full scale: first thrusts, then shaft speeds with less weight. They are due to the form
    of the law and not to noise, so the intervals only show how well the tables determine its parameters.
    """
    given = sorted(tables, key=lambda table: table.voltage)
    bound, doubled = one_table_each(given)
    if len(bound) < 2:
        raise BenchDataError("tables of one voltage only: the dependence on voltage is unknown. Give at least two.")
    pulse, volts, speed, force = _stacked(given)
    if not abs(neutral - 0.5 * (pulse.min() + pulse.max())) <= np.ptp(pulse):
        message = f"the pulse at rest is {neutral:g} us, but the tables go from {pulse.min():g} to {pulse.max():g} us"
        raise BenchDataError(f"{message}. Give the one at which the thruster is at rest.")
    top, full = float(np.abs(speed).max()), float(np.abs(force).max())
    away = float(np.abs(pulse - neutral).max())
    most = given[-1].voltage
    numbers = [
        BenchParameter("back", "V s/rad", 0.5 * most / top, 0.0),
        BenchParameter("load", "V s2/rad2", 0.5 * most / top**2, 0.0),
        BenchParameter("exponent", "", 0.7, 0.05, 5.0),
        BenchParameter("exponent_growth", "1/V2", 0.0, scale=0.1 / most**2),
        BenchParameter("start_voltage", "V", 0.05 * most, 0.0, 0.9 * given[0].voltage),
        BenchParameter("square.positive", "N s2/rad2", full / top**2, 0.0),
        BenchParameter("square.negative", "N s2/rad2", full / top**2, 0.0),
    ]

    def law_of(x: Array) -> PoweredThruster:
        back, load, exponent, growth, start, forward, reverse = x.tolist()
        thruster = bench_thruster(ThrustCurve(forward, 0.0, 0.0), ThrustCurve(reverse, 0.0, 0.0))
        return PoweredThruster(neutral, VoltageSpeed(back, load, exponent, growth, start, away), thruster)

    def predict(law: PoweredThruster) -> Array:
        turning = powered_speed(law, pulse, volts)
        return np.concatenate([np.asarray(static_thrust(law.thruster, turning)) / full, _SPEED_WEIGHT * turning / top])

    measured = np.concatenate([force / full, _SPEED_WEIGHT * speed / top])
    fit = fit_law("thruster over pulse width and voltage", numbers, law_of, predict, measured)
    doubts = [*doubtful_neutral(given, neutral), *opposed_tables(given)]
    return fit.with_law(fit.law._replace(tables=bound)).with_warnings(*doubled, *doubts)


def leave_one_voltage_out(tables: Sequence[VoltageTable], neutral: float = 1500.0) -> list[HeldOutTable]:
    """Leave-one-out validation: each voltage predicted from the others; the lowest and highest are extrapolated."""
    found = []
    for table in tables:
        others = [other for other in tables if not same_voltage(other, table)]
        law = fit_voltage_tables(others, neutral).law
        error = powered_thrust(law, table.pulses, table.voltage) - table.forces
        known = [other.voltage for other in others]
        found.append(
            HeldOutTable(
                table.voltage,
                float(np.sqrt(np.mean(error**2))),
                float(np.abs(error).max()),
                float(np.abs(table.forces).max()),
                not min(known) < table.voltage < max(known),
            )
        )
    return found


def _stacked(tables: Sequence[VoltageTable]) -> tuple[Any, ...]:
    parts = [
        columns(3, pulses=t.pulses, voltages=np.full(len(t.pulses), t.voltage), speeds=t.speeds, forces=t.forces)
        for t in tables
    ]
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))
