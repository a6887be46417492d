"""Fit of one thruster over pulse width and voltage to the bench tables of a manufacturer, which are checked first.

Shaft speed and thrust are fitted jointly where the tables have both. The law interpolates between the voltages of the
tables and, less reliably, extrapolates. Warnings about neutral pulse, signs and units name the likely mistake.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from remora.equations.actuators.thrusters import ThrustCurve, static_thrust
from remora.equations.actuators.voltage_drive import VoltageSpeed
from remora.files.arrays import Array
from remora.files.problems import Advice, Fix, listed
from remora.files.units import FORCE, PULSE, STANDARD_GRAVITY, TURN_RATE, VOLTAGE, unit_named
from remora.identification.bench.fitting import BenchDataError, BenchParameter, columns, fit_law
from remora.identification.bench.powered_thruster import (
    PoweredThruster,
    VoltageTable,
    one_table_each,
    powered_speed,
    powered_thrust,
    same_voltage,
)
from remora.identification.bench.result import BenchFit
from remora.identification.bench.thrust_curves import bench_thruster
from remora.identification.problems import RecordError
from remora.logs.readers.tables import TableHeader, read_columns, read_header

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
    microseconds, speeds rpm, voltages V and forces kgf. For the table format see `remora.logs.readers.tables`.

    Raises
    ------
    BenchDataError, RecordError
        When a column is missing, has a unit of another quantity, or is not numeric.
    """
    path = Path(path)
    header = read_header(path, RecordError)
    found = {word: _found(path, header, word) for word in _COLUMNS}
    table = read_columns(header, [place.name for place in found.values()]).values
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


# Share of the full scale below which thrust is zero.
_NONE = 0.01
# Largest ratio of thrust to power times efficiency, and the relative distance from g that identifies kilograms.
_DIFFERS, _NEAR = 1.5, 1.25
# Density of water, kg/m3, and smallest static thrust coefficient of a propeller, which bounds its diameter.
_LEAST_COEFFICIENT, _DENSITY = 0.1, 1000.0


def doubtful_neutral(tables: Iterable[VoltageTable], neutral: float) -> list[str]:
    """Warning where the thrust does not change its sign at the given neutral pulse width, us."""
    resting = [found for table in tables if (found := _rest_between(table.pulses, table.forces))]
    if not resting:
        return []
    low, high = (float(np.median(ends)) for ends in zip(*resting, strict=True))
    if low <= neutral <= high:
        return []
    finding = (
        f"the pulse at rest is given as {neutral:g} us, but the thrust of the tables is zero between {low:g} and "
        f"{high:g} us."
    )
    fix = Fix("Give {neutral}, or look at the column of pulses.", {"neutral": f"{0.5 * (low + high):.0f}"})
    return [Advice(finding, fix)]


def _rest_between(pulses: Array, forces: Array) -> tuple[float, float] | None:
    """Last pulse of one direction and first of the other; None for tables with one direction."""
    order = np.argsort(pulses)
    pulse, force = pulses[order], forces[order]
    pushing = np.abs(force) > _NONE * np.abs(force).max()
    signs = np.sign(force[pushing])
    changes = np.flatnonzero(np.diff(signs) != 0.0)
    if len(changes) != 1:  # none, or noise around zero
        return None
    ends = pulse[pushing][[changes[0], changes[0] + 1]]
    return float(ends[0]), float(ends[1])


def opposed_tables(tables: Iterable[VoltageTable]) -> list[str]:
    """Warning where the sign of the thrust differs between tables."""
    ways = {table.voltage: float(np.sign(np.polyfit(table.pulses, table.forces, 1)[0])) for table in tables}
    usual = np.sign(sum(ways.values()))
    other = [f"{voltage:g} V" for voltage, way in ways.items() if way != usual]
    if not other:
        return []
    if usual == 0.0:
        return ["longer pulses push forwards in half of the tables and backwards in the others. Turn the sign of some."]
    return [f"the table of {listed(other)} pushes the other way than the others. Turn the sign of its force."]


def doubtful_force(path: str | Path, table: VoltageTable) -> list[str]:
    """Warning where the force of a table does not match its power, efficiency or shaft speed."""
    power, efficiency = _optional(path, "power", "W"), _optional(path, "efficiency", "g/W")
    if power is None or len(power) != len(table.forces):
        return []
    if efficiency is not None:
        return _against_efficiency(path, table, power, efficiency)
    k = int(np.abs(table.forces).argmax())
    thrust, turns = abs(float(table.forces[k])), abs(float(table.speeds[k])) / (2.0 * np.pi)
    least = _least_power(thrust, turns)
    if turns == 0.0 or least < power[k]:
        return []
    return [
        f"{path}: {thrust:.4g} N from {power[k]:.4g} W at {60.0 * turns:.4g} rpm is more than any propeller gives "
        f"(at least {least:.3g} W): is the force in another unit than its column says?"
    ]


def _against_efficiency(path: str | Path, table: VoltageTable, power: Array, efficiency: Array) -> list[str]:
    """Compare the force with the product of power and efficiency of the same rows."""
    expected = 1e-3 * STANDARD_GRAVITY * power * np.abs(efficiency)
    counts = (expected > _NONE * expected.max()) & (np.abs(table.forces) > 0.0)
    if not counts.any():
        return []
    ratio = float(np.median(np.abs(table.forces[counts]) / expected[counts]))
    if 1.0 / _DIFFERS < ratio < _DIFFERS:
        return []
    hint = "Look at the unit of the force."
    if 1.0 / _NEAR < ratio / STANDARD_GRAVITY < _NEAR:
        hint = "Newtons under a heading of kgf? Write Force (N)."
    elif 1.0 / _NEAR < ratio * STANDARD_GRAVITY < _NEAR:
        hint = "Kilograms under a heading of newtons? Write Force (kgf)."
    return [f"{path}: the force is {ratio:.2g} times what power and efficiency of the same rows give. {hint}"]


def _least_power(thrust: float, turns: float) -> float:
    """Least power for a static thrust, W, with the largest disc for the shaft speed, 1/s."""
    diameter = (thrust / (_LEAST_COEFFICIENT * _DENSITY * max(turns, 1e-9) ** 2)) ** 0.25
    return float(thrust**1.5 / np.sqrt(0.5 * np.pi * _DENSITY) / diameter)


def _optional(path: str | Path, word: str, unit: str) -> Array | None:
    """Column whose name starts with a word, in a unit, if every row has a value."""
    header = read_header(Path(path), RecordError)
    for name, written in zip(header.names, header.units, strict=True):
        if name.lower().startswith(word) and written.replace(" ", "") == unit:
            values = read_columns(header, [name]).values[name]
            return values if np.isfinite(values).all() else None
    return None
