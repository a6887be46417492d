"""Bench tables of a thruster: thrust and current over pulse width and voltage, read between their points and back."""

from bisect import bisect_right
from typing import NamedTuple


class ThrustTable(NamedTuple):
    """A grid of measurements, one row per voltage and one column per pulse width."""

    pulses: tuple[float, ...]  # microseconds, rising
    voltages: tuple[float, ...]  # V, rising
    thrusts: tuple[tuple[float, ...], ...]  # N
    currents: tuple[tuple[float, ...], ...] | None  # A


def is_beyond(table: ThrustTable, pulse: float, voltage: float) -> bool:
    """Whether a point lies outside the table, where its nearest edge counts."""
    pulses, voltages = table.pulses, table.voltages
    inside = pulses[0] <= pulse <= pulses[-1] and (len(voltages) == 1 or voltages[0] <= voltage <= voltages[-1])
    return not inside


def thrust_at(table: ThrustTable, pulse: float, voltage: float) -> float:
    """Thrust between the points, linear in either direction; beyond the ends that of the nearest edge."""
    return _between_points(table, table.thrusts, pulse, voltage)


def current_at(table: ThrustTable, pulse: float, voltage: float) -> float:
    """Current in the same way; nothing where the table has none."""
    return _between_points(table, table.currents, pulse, voltage) if table.currents else 0.0


def thrust_range(table: ThrustTable, voltage: float) -> tuple[float, float]:
    """Lowest and highest thrust at a voltage."""
    row = _row(table, voltage)
    return min(row), max(row)


def pulse_for(table: ThrustTable, neutral: float, thrust: float, voltage: float) -> float:
    """The pulse width nearest to neutral that gives a thrust; that of the largest where the table has not so much.

    Measured thrust does not always grow with the pulse width, so the table is walked from neutral outwards.
    """
    if thrust == 0.0:
        return neutral
    way = 1 if thrust > 0.0 else -1
    row = [way * force for force in _row(table, voltage)]
    outwards = [i for i in range(len(row)) if way * (table.pulses[i] - neutral) > 0.0][::way]
    pulse, force = neutral, way * thrust_at(table, neutral, voltage)
    if force >= way * thrust:
        return neutral
    strongest, strongest_pulse = force, neutral
    for i in outwards:
        if row[i] >= way * thrust:
            return pulse + (way * thrust - force) / (row[i] - force) * (table.pulses[i] - pulse)
        pulse, force = table.pulses[i], row[i]
        if force > strongest:
            strongest, strongest_pulse = force, pulse
    return strongest_pulse


def _between_points(table: ThrustTable, grid: tuple[tuple[float, ...], ...], pulse: float, voltage: float) -> float:
    """Bilinear interpolation; the nearest edge beyond the ends."""
    i, across = _place(table.pulses, pulse)
    j, up = _place(table.voltages, voltage)
    low = _mixed(grid[j][i], grid[j][i + 1], across)
    return _mixed(low, _mixed(grid[j + 1][i], grid[j + 1][i + 1], across), up) if up else low


def _row(table: ThrustTable, voltage: float) -> list[float]:
    """Thrusts over all pulse widths at a voltage."""
    j, up = _place(table.voltages, voltage)
    low = table.thrusts[j]
    return [_mixed(a, b, up) for a, b in zip(low, table.thrusts[j + 1], strict=True)] if up else list(low)


def _mixed(a: float, b: float, share: float) -> float:
    return a + share * (b - a)


def _place(points: tuple[float, ...], x: float) -> tuple[int, float]:
    """Number of the cell that holds x, and how far into it x lies from 0 to 1; a single point is a cell of no width."""
    if len(points) == 1 or x <= points[0]:
        return 0, 0.0
    cell = min(bisect_right(points, x) - 1, len(points) - 2)
    return cell, min((x - points[cell]) / (points[cell + 1] - points[cell]), 1.0)
