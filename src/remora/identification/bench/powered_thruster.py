"""Thrust over pulse width and voltage: a fitted law, corrected by its bench tables.

Between two tables the thrust is linear in the voltage plus the curvature of the law. The curvature has a high weight
where the law has the same error in both tables, and a low one where its error differs between them.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.signal import savgol_filter

from remora.equations.actuators.thrusters import Thruster, static_thrust
from remora.equations.actuators.voltage_drive import VoltageSpeed, speed_from_pulse_and_voltage
from remora.files.arrays import Array

# Relative difference below which voltages are equal.
_ONE_VOLTAGE = 0.02
# Share of the points of a table over which the residual of the law is smoothed.
_SMOOTHED, _FEWEST = 0.1, 3


class VoltageTable(NamedTuple):
    """Bench table of one voltage."""

    voltage: float  # V
    pulses: Array  # microseconds
    speeds: Array  # rad/s, with the sign of the rotation
    forces: Array  # N


class PoweredThruster(NamedTuple):
    """A thruster with its drive: pulse width and voltage to shaft speed, shaft speed to thrust."""

    neutral: float  # microseconds
    drive: VoltageSpeed
    thruster: Thruster
    tables: tuple[
        VoltageTable, ...
    ] = ()  # tables that correct the law, by voltage and with rising pulses; empty: law alone


def powered_speed(powered: PoweredThruster, pulses: Any, voltages: Any) -> Any:
    """Shaft speed by the law, rad/s.

    Parameters
    ----------
    powered, pulses, voltages
        Thruster and drive, pulse widths, microseconds, and voltages, V.
    """
    return speed_from_pulse_and_voltage(powered.drive, pulses - powered.neutral, voltages)


def law_thrust(powered: PoweredThruster, pulses: Any, voltages: Any) -> Any:
    """Static thrust by the law alone, N."""
    return static_thrust(powered.thruster, powered_speed(powered, pulses, voltages))


def powered_thrust(powered: PoweredThruster, pulses: Any, voltages: Any) -> Array:
    """Static thrust, N: the law, corrected by its tables where there are two or more.

    Parameters
    ----------
    powered, pulses, voltages
        Thruster and drive, pulse widths, microseconds, and voltages, V.
    """
    pulse, volts = np.broadcast_arrays(np.asarray(pulses, dtype=float), np.asarray(voltages, dtype=float))
    if len(powered.tables) < 2:
        return np.asarray(law_thrust(powered, pulse, volts))
    found = np.empty(pulse.shape)
    for voltage in np.unique(volts):
        rows = volts == voltage
        found[rows] = _bound_thrust(powered, pulse[rows], float(voltage))
    return found


def one_table_each(tables: Sequence[VoltageTable]) -> tuple[tuple[VoltageTable, ...], list[str]]:
    """Tables by voltage with rising pulses, those of equal voltage averaged, and warnings about these."""
    ordered = sorted(tables, key=lambda table: table.voltage)
    starts = [0, *(k for k in range(1, len(ordered)) if not same_voltage(ordered[k - 1], ordered[k])), len(ordered)]
    groups = [[_rising(table) for table in ordered[a:b]] for a, b in pairwise(starts)]
    warnings = []
    for group in (several for several in groups if len(several) > 1):
        apart = max(float(np.abs(_on(group[0].pulses, other) - group[0].forces).max()) for other in group[1:])
        volts = ", ".join(f"{table.voltage:g}" for table in group)
        warnings.append(
            f"{len(group)} tables are of one voltage ({volts} V) and differ by up to {apart:.3g} N; between voltages "
            "their mean counts."
        )
    return tuple(_averaged(group) for group in groups), warnings


def same_voltage(one: VoltageTable, other: VoltageTable) -> bool:
    """Whether two tables have equal voltage."""
    return abs(one.voltage - other.voltage) <= _ONE_VOLTAGE * max(one.voltage, other.voltage)


def _rising(table: VoltageTable) -> VoltageTable:
    order = np.argsort(table.pulses, kind="stable")
    return table._replace(pulses=table.pulses[order], speeds=table.speeds[order], forces=table.forces[order])


def _averaged(group: Sequence[VoltageTable]) -> VoltageTable:
    first, count = group[0], len(group)
    forces = sum((_on(first.pulses, table) for table in group[1:]), first.forces) / count
    return first._replace(voltage=sum(table.voltage for table in group) / count, forces=forces)


def _on(pulses: Array, table: VoltageTable) -> Array:
    return np.interp(pulses, table.pulses, table.forces)


def _bound_thrust(powered: PoweredThruster, pulses: Array, voltage: float) -> Array:
    """Thrust at one voltage, from the two adjacent or, outside the range, the two nearest tables."""
    volts = [table.voltage for table in powered.tables]
    k = int(np.clip(np.searchsorted(volts, voltage) - 1, 0, len(volts) - 2))
    low, high = powered.tables[k], powered.tables[k + 1]
    share = (voltage - low.voltage) / (high.voltage - low.voltage)
    # Weights use all pulses of the lower table and do not depend on the requested pulses.
    bend, doubt = _bend(powered, low, high, share, low.pulses, voltage)
    size, spread = float(np.mean(bend**2)), abs(share * (1.0 - share)) * float(np.mean(doubt**2))
    weight = size / (size + spread) if size > 0.0 else 0.0
    line = (1.0 - share) * _on(pulses, low) + share * _on(pulses, high)
    return np.asarray(line + weight * _bend(powered, low, high, share, pulses, voltage)[0])


def _bend(
    powered: PoweredThruster, low: VoltageTable, high: VoltageTable, share: float, pulses: Array, voltage: float
) -> tuple[Array, Array]:
    """Curvature of the corrected law between two tables, and the difference of its errors in them.

    Errors are interpolated as shares of the thrust of the law at full pulse.
    """
    full = _full_thrust(powered, pulses, voltage)
    left = [full * np.interp(pulses, table.pulses, _left_over(powered, table)) for table in (low, high)]
    line = (1.0 - share) * _on(pulses, low) + share * _on(pulses, high)
    bound = np.asarray(law_thrust(powered, pulses, voltage)) + (1.0 - share) * left[0] + share * left[1]
    return bound - line, left[1] - left[0]


def _left_over(powered: PoweredThruster, table: VoltageTable) -> Array:
    """Smoothed error of the law in a table, as a share of its thrust at full pulse.

    A James-Stein factor removes the part that noise alone would leave.
    """
    left = table.forces - np.asarray(law_thrust(powered, table.pulses, table.voltage))
    shares = left / _full_thrust(powered, table.pulses, table.voltage)
    window = 2 * (round(_SMOOTHED * len(shares)) // 2) + 1
    if window < _FEWEST:
        return shares
    smooth = np.asarray(savgol_filter(shares, window, 1))
    noise = float(np.mean((shares - smooth) ** 2)) / (window - 1)
    return smooth * max(0.0, 1.0 - noise / max(float(np.mean(smooth**2)), 1e-300))


def _full_thrust(powered: PoweredThruster, pulses: Array, voltage: float) -> Array:
    """Magnitude of the thrust of the law at full pulse, in the direction of each pulse."""
    way = np.where(pulses >= powered.neutral, 1.0, -1.0)
    full = law_thrust(powered, powered.neutral + way * powered.drive.full_pulse, voltage)
    return np.maximum(np.abs(np.asarray(full)), 1e-12)
