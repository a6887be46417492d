"""Plausibility of bench tables: neutral pulse, signs and units, with warnings that name the likely mistake."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import Advice, Fix, listed
from remora.files.units import STANDARD_GRAVITY
from remora.identification.bench.thrusters.powered_thruster import VoltageTable
from remora.identification.data.foreign_table import read_columns, read_header

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
    header = read_header(Path(path))
    for name, written in zip(header.names, header.units, strict=True):
        if name.lower().startswith(word) and written.replace(" ", "") == unit:
            values = read_columns(Path(path), header, [name], "").values[name]
            return values if np.isfinite(values).all() else None
    return None
