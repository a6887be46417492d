"""Thrust of a towed vehicle with running thrusters, and its loss with towing speed (Nielsen 2018, sec. 5.4)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from remora.equations.actuators.drives import PulseSpeed
from remora.equations.actuators.thrusters import ThrustCurve, Thruster, static_thrust, thrust
from remora.equations.estimation.single_axis import axis_damping
from remora.files.arrays import Array
from remora.identification.bench.fitting import BenchDataError, columns, positive
from remora.identification.bench.result import BenchFit, band
from remora.identification.bench.thrust_curves import bench_thruster, fit_inflow_thrust, fit_pulse_speed
from remora.identification.bench.towing import NO_DRAG, Drag


class UnderWay(NamedTuple):
    """Thrust under way: shaft speed, thrust curve and their dependence on towing speed."""

    speed: BenchFit[PulseSpeed]  # shaft speed over pulse width
    curve: BenchFit[Thruster]  # thrust over shaft speed and inflow
    thrusts: Array  # N, of one thruster, in the order of the data
    speed_change: float  # share by which the shaft speed grows per m/s of towing speed
    speed_change_sigma: float
    warnings: tuple[str, ...]


def fit_thrust_under_way(
    pulses: ArrayLike,
    shaft_speeds: ArrayLike,
    tow_speeds: ArrayLike,
    forces: ArrayLike,
    hull: Drag,
    diameter: float,
    bracket: Drag = NO_DRAG,
    thrusters: int = 1,
    neutral: float = 1500.0,
) -> UnderWay:
    """Thrust over shaft speed and inflow from towing runs with running thrusters.

    Parameters
    ----------
    pulses, shaft_speeds
        Pulse widths, microseconds, and logged shaft speeds, rad/s.
    tow_speeds, forces
        Towing speeds, m/s, and forces of the carriage, N, positive when it pulls.
    hull, bracket
        Drag of the vehicle and of its bracket, from towing without thrust.
    diameter, thrusters, neutral
        Diameter of the propellers, m, number of running thrusters, and pulse width at rest, microseconds.
    """
    pulse, shaft, tow, force = columns(
        6, pulses=pulses, shaft_speeds=shaft_speeds, tow_speeds=tow_speeds, forces=forces
    )
    positive(diameter=diameter, thrusters=thrusters)
    needed = np.asarray(axis_damping(hull.linear + bracket.linear, hull.quadratic + bracket.quadratic, tow))
    each = (needed - force) / thrusters
    speed = fit_pulse_speed(pulse, shaft, neutral)
    curve = fit_inflow_thrust(shaft, tow, each, diameter, inflow_square=False)
    change, sigma, warnings = _dependence(pulse, shaft, tow)
    return UnderWay(speed, curve, each, change, sigma, (*speed.warnings, *curve.warnings, *warnings))


def thrust_loss(thruster: Thruster, shaft_speed: float, tow_speeds: ArrayLike) -> Array:
    """Loss of thrust at each towing speed, as a share of the static thrust.

    Parameters
    ----------
    thruster, shaft_speed, tow_speeds
        Thrust curves, shaft speed, rad/s, and towing speeds, m/s.
    """
    (tow,) = columns(1, tow_speeds=tow_speeds)
    shaft: Any = np.full(tow.shape, shaft_speed)
    moving = np.asarray(thrust(thruster, shaft, tow))
    return 1.0 - moving / float(static_thrust(thruster, shaft_speed))


def thrust_loss_band(
    curve: BenchFit[Thruster], shaft_speed: float, tow_speeds: ArrayLike, level: float = 0.99
) -> tuple[Array, Array, Array]:
    """Loss of thrust with its confidence band: loss, lower and upper end.

    Parameters
    ----------
    curve, shaft_speed, tow_speeds, level
        Fit over shaft and advance speed, shaft speed, rad/s, towing speeds, m/s, and confidence level.
    """
    turning = "positive" if shaft_speed > 0.0 else "negative"
    own = [i for i, name in enumerate(curve.names) if name.endswith(turning)]
    if not own:
        raise BenchDataError(f"the fit has no curve of {turning} rotation. Run the thruster that way too.")

    def loss(values: Array) -> Array:
        way = ThrustCurve(*values[own].tolist(), *[0.0] * (3 - len(own)))
        return thrust_loss(bench_thruster(way, way, curve.law.sense), shaft_speed, tow_speeds)

    return band(curve, loss, level)


def _dependence(pulse: Array, shaft: Array, tow: Array) -> tuple[float, float, list[str]]:
    """Dependence of the shaft speed on towing speed at constant pulse width: slope, its sigma and warnings."""
    change, speed = [], []
    for level in np.unique(pulse):
        own = (pulse == level) & (shaft != 0.0)
        if np.unique(tow[own]).size > 1:
            change.extend((shaft[own] / shaft[own].mean() - 1.0).tolist())
            speed.extend((tow[own] - tow[own].mean()).tolist())
    if len(change) < 3:
        return 0.0, np.inf, ["No pulse width was run at several towing speeds: the shaft speed may depend on them."]
    line = stats.linregress(speed, change)
    slope, sigma = float(line.slope), float(line.stderr)
    warnings = []
    if abs(slope) > max(3.0 * sigma, 0.01):
        warnings.append(f"The shaft speed changes by {100.0 * slope:.1f} % per m/s of towing speed at one pulse width.")
    return slope, sigma, warnings


class LossMap(NamedTuple):
    """Thrust lost at each pulse width, by row, and towing speed, by column, as a share of the static thrust."""

    pulses: Array  # us
    tow_speeds: Array  # m/s
    loss: Array  # of the measured thrusts; NaN where none was measured
    low: Array  # ends of the confidence bars; NaN where the scatter is not known
    high: Array


def thrust_loss_map(
    found: UnderWay, pulses: ArrayLike, shaft_speeds: ArrayLike, tow_speeds: ArrayLike, level: float = 0.99
) -> LossMap:
    """Loss of the measured thrusts against the static thrust of the fit, with confidence bars.

    Unlike `thrust_loss_band`, which shows the fitted curve, the map shows each point as measured, with what the law
    does not explain. The bars are from the scatter of the other points at that towing speed about the curve, and from
    the uncertainty of the static thrust; a single point at a towing speed has none.

    Parameters
    ----------
    found, level
        Fit under way, and confidence level.
    pulses, shaft_speeds, tow_speeds
        The data of the fit: pulse widths, microseconds, shaft speeds, rad/s, and towing speeds, m/s.
    """
    pulse, shaft, tow = columns(6, pulses=pulses, shaft_speeds=shaft_speeds, tow_speeds=tow_speeds)
    if len(pulse) != len(found.thrusts):
        raise BenchDataError(f"{len(pulse)} points are given for a fit of {len(found.thrusts)}. Give the same data.")
    curve, rows, ways = found.curve, np.unique(pulse), np.unique(tow)
    static = np.asarray(static_thrust(curve.law, shaft))
    modelled = np.asarray(thrust(curve.law, shaft, tow))
    turns = static != 0.0
    share = np.where(turns, found.thrusts / np.where(turns, static, 1.0), np.nan)
    missed = share - np.where(turns, modelled / np.where(turns, static, 1.0), np.nan)
    loss, half = np.full((2, len(rows), len(ways)), np.nan)
    for j, way in enumerate(ways):
        own = (tow == way) & turns
        for i, one in enumerate(rows):
            here = own & (pulse == one)
            others = own & ~here  # a point must not widen its own bar
            if here.any():
                kept = float(share[here].mean())
                loss[i, j] = 1.0 - kept
            if here.any() and others.any():
                spread = float(np.sqrt(np.mean(missed[others] ** 2) / here.sum()))
                known = kept * _static_share(curve, float(shaft[here].mean()))
                half[i, j] = float(stats.t.ppf(0.5 + 0.5 * level, others.sum())) * np.hypot(spread, known)
    return LossMap(rows, ways, loss, loss - half, loss + half)


def _static_share(curve: BenchFit[Thruster], shaft_speed: float) -> float:
    """Standard deviation of the static thrust of a fit, as a share of it."""
    turning = "positive" if shaft_speed > 0.0 else "negative"
    square = next(i for i, name in enumerate(curve.names) if name.endswith(turning))
    return float(curve.sigma[square] / abs(curve.values[square]))
