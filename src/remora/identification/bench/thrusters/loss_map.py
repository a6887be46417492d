"""Map of the thrust that a towed vehicle's thrusters lose, as measured (Nielsen 2018, sec. 5.4)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from remora.equations.actuators.thrusters import Thruster, static_thrust, thrust
from remora.files.arrays import Array
from remora.identification.bench.data import BenchDataError, columns
from remora.identification.bench.result import BenchFit
from remora.identification.bench.thrusters.under_way import UnderWay


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
    found
        Fit under way.
    pulses, shaft_speeds, tow_speeds
        The data of the fit: pulse widths, microseconds, shaft speeds, rad/s, and towing speeds, m/s.
    level
        Confidence level.
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
