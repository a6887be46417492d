"""Chatter of commands: how much they change from one sample of the control to the next."""

from collections.abc import Sequence

import numpy as np

from remora.files.arrays import Array


def command_chatter(seconds: float, variation: Array, full: Sequence[float], period: float) -> float:
    """Mean change of a command from sample to sample, in percent of a full command; NaN where nothing is known.

    Commands are held between samples of the control, so that their total variation is the sum of these changes however
    often they are logged. Actuators without limits, whose full command is not finite, do not count.

    Parameters
    ----------
    seconds
        Length of the record, s.
    variation
        Total variation of the command of each actuator: the sum of its absolute changes, in its unit.
    full
        Full command of each actuator, in the same unit: half of the range between its limits.
    period
        Time between samples of the control, s.
    """
    limits = np.asarray(full, dtype=float)
    limited = np.isfinite(limits) & (limits > 0.0)
    if seconds < period or not limited.any():
        return float("nan")
    return float(100.0 * np.mean(variation[limited] / limits[limited]) * period / seconds)


def total_variation(commands: Array) -> Array:
    """Sum of the absolute changes of each column."""
    return np.asarray(np.abs(np.diff(commands, axis=0)).sum(axis=0))
