"""Bench tables that contradict themselves or the pulse width given for rest: warnings with the likely mistake."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import Advice, Fix, listed
from remora.identification.bench.thrusters.powered_thruster import VoltageTable
from remora.identification.data.foreign_table import read_columns, read_header

# Thrust below this share of the full scale is none.
_NONE = 0.01
# Times that thrust may differ from what power and efficiency of the same row say, and how near to g a ratio counts.
_DIFFERS, _NEAR = 1.5, 1.25
_STANDARD_GRAVITY = 9.80665
# A propeller at rest in water (kg/m3) pushes with at least this share of rho n^2 D^4, so D is at most what it gives.
_LEAST_COEFFICIENT, _DENSITY = 0.1, 1000.0


def doubtful_neutral(tables: Iterable[VoltageTable], neutral: float) -> list[str]:
    """A sentence where the thrust changes its sign elsewhere than at the pulse width given for rest, us."""
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
    """The last pulse that pushes one way and the first that pushes the other; None where a table has one way only."""
    order = np.argsort(pulses)
    pulse, force = pulses[order], forces[order]
    pushing = np.abs(force) > _NONE * np.abs(force).max()
    signs = np.sign(force[pushing])
    changes = np.flatnonzero(np.diff(signs) != 0.0)
    if len(changes) != 1:  # none, or noise around zero that says nothing
        return None
    ends = pulse[pushing][[changes[0], changes[0] + 1]]
    return float(ends[0]), float(ends[1])


def opposed_tables(tables: Iterable[VoltageTable]) -> list[str]:
    """A sentence where longer pulses push forwards in some tables and backwards in others."""
    ways = {table.voltage: float(np.sign(np.polyfit(table.pulses, table.forces, 1)[0])) for table in tables}
    usual = np.sign(sum(ways.values()))
    other = [f"{voltage:g} V" for voltage, way in ways.items() if way != usual]
    if not other:
        return []
    if usual == 0.0:
        return ["longer pulses push forwards in half of the tables and backwards in the others. Turn the sign of some."]
    return [f"the table of {listed(other)} pushes the other way than the others. Turn the sign of its force."]


def doubtful_force(path: str | Path, table: VoltageTable) -> list[str]:
    """A sentence where the force of a table does not suit its power, its efficiency or its shaft speed."""
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
    expected = 1e-3 * _STANDARD_GRAVITY * power * np.abs(efficiency)
    counts = (expected > _NONE * expected.max()) & (np.abs(table.forces) > 0.0)
    if not counts.any():
        return []
    ratio = float(np.median(np.abs(table.forces[counts]) / expected[counts]))
    if 1.0 / _DIFFERS < ratio < _DIFFERS:
        return []
    hint = "Look at the unit of the force."
    if 1.0 / _NEAR < ratio / _STANDARD_GRAVITY < _NEAR:
        hint = "Newtons under a heading of kgf? Write Force (N)."
    elif 1.0 / _NEAR < ratio * _STANDARD_GRAVITY < _NEAR:
        hint = "Kilograms under a heading of newtons? Write Force (kgf)."
    return [f"{path}: the force is {ratio:.2g} times what power and efficiency of the same rows give. {hint}"]


def _least_power(thrust: float, turns: float) -> float:
    """The least power that gives a thrust at rest, W, with the largest disc that fits the turns per second."""
    diameter = (thrust / (_LEAST_COEFFICIENT * _DENSITY * max(turns, 1e-9) ** 2)) ** 0.25
    return float(thrust**1.5 / np.sqrt(0.5 * np.pi * _DENSITY) / diameter)


def _optional(path: str | Path, word: str, unit: str) -> Array | None:
    """A column that starts with a word and stands in a unit, if there is one with a number in every row."""
    header = read_header(Path(path))
    for name, written in zip(header.names, header.units, strict=True):
        if name.lower().startswith(word) and written.replace(" ", "") == unit:
            values = read_columns(Path(path), header, [name], "").values[name]
            return values if np.isfinite(values).all() else None
    return None
