"""Bench tables of a thruster: thrust and current interpolated over pulse width and voltage, and the inverse."""

from bisect import bisect_right
from typing import NamedTuple


class ThrustTable(NamedTuple):
    """A grid of measurements, one row per voltage and one column per pulse width."""

    pulses: tuple[float, ...]  # microseconds, rising
    voltages: tuple[float, ...]  # V, rising
    thrusts: tuple[tuple[float, ...], ...]  # N
    currents: tuple[tuple[float, ...], ...] | None  # A


def is_outside(table: ThrustTable, pulse: float, voltage: float) -> bool:
    """Whether a point lies outside the table, where the value of the nearest edge is used."""
    pulses, voltages = table.pulses, table.voltages
    inside = pulses[0] <= pulse <= pulses[-1] and (len(voltages) == 1 or voltages[0] <= voltage <= voltages[-1])
    return not inside


def thrust_at(table: ThrustTable, pulse: float, voltage: float) -> float:
    """Thrust in N by bilinear interpolation; the value of the nearest edge outside the table."""
    return _between_points(table, table.thrusts, pulse, voltage)


def current_at(table: ThrustTable, pulse: float, voltage: float) -> float:
    """Current in A by bilinear interpolation; zero for a table without currents."""
    return _between_points(table, table.currents, pulse, voltage) if table.currents else 0.0


def thrust_range(table: ThrustTable, voltage: float) -> tuple[float, float]:
    """Lowest and highest thrust at a voltage, N."""
    row = _row(table, voltage)
    return min(row), max(row)


def pulse_for(table: ThrustTable, neutral: float, thrust: float, voltage: float) -> float:
    """Pulse width closest to neutral that gives a thrust, or the largest thrust where the table does not reach it.

    Measured thrust is not always monotonic in the pulse width, so the search goes from neutral outwards.
    """
    if thrust == 0.0:
        return neutral
    sign = 1 if thrust > 0.0 else -1
    row = [sign * force for force in _row(table, voltage)]
    outwards = [i for i in range(len(row)) if sign * (table.pulses[i] - neutral) > 0.0][::sign]
    pulse, force = neutral, sign * thrust_at(table, neutral, voltage)
    if force >= sign * thrust:
        return neutral
    strongest, strongest_pulse = force, neutral
    for i in outwards:
        if row[i] >= sign * thrust:
            return pulse + (sign * thrust - force) / (row[i] - force) * (table.pulses[i] - pulse)
        pulse, force = table.pulses[i], row[i]
        if force > strongest:
            strongest, strongest_pulse = force, pulse
    return strongest_pulse


def _between_points(table: ThrustTable, grid: tuple[tuple[float, ...], ...], pulse: float, voltage: float) -> float:
    """Bilinear interpolation, clamped to the edges."""
    i, across = _cell(table.pulses, pulse)
    j, up = _cell(table.voltages, voltage)
    low = _interpolated(grid[j][i], grid[j][i + 1], across)
    return _interpolated(low, _interpolated(grid[j + 1][i], grid[j + 1][i + 1], across), up) if up else low


def _row(table: ThrustTable, voltage: float) -> list[float]:
    """Thrusts over all pulse widths at a voltage."""
    j, up = _cell(table.voltages, voltage)
    low = table.thrusts[j]
    return [_interpolated(a, b, up) for a, b in zip(low, table.thrusts[j + 1], strict=True)] if up else list(low)


def _interpolated(a: float, b: float, share: float) -> float:
    return a + share * (b - a)


def _cell(points: tuple[float, ...], x: float) -> tuple[int, float]:
    """Index of the cell that contains x and the fraction of the cell below x; (0, 0) for a single point."""
    if len(points) == 1 or x <= points[0]:
        return 0, 0.0
    cell = min(bisect_right(points, x) - 1, len(points) - 2)
    return cell, min((x - points[cell]) / (points[cell + 1] - points[cell]), 1.0)
