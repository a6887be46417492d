"""Mean of a periodically varying estimate over the last period of the excitation, and its spread."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.files.arrays import Array
from remora.identification.problems import RecordError

# Fewest whole periods of a record.
_FEWEST = 3
# Relative change of the mean per period above which it has not converged.
_MOVING = 0.02
# Zero-padding factor of the spectrum.
_FINER = 8


class Settled(NamedTuple):
    """An estimate over the last periods of a record."""

    mean: Array  # over the last period
    covariance: Array  # of such means, from those of the last half of the record
    periods: int  # number of periods behind the covariance
    moved: Array  # change of the mean from the period before

    def warnings(self, names: Sequence[str]) -> list[str]:
        """Warnings about the meaning of the intervals and about convergence; names are those of the columns."""
        sentences = [
            f"Intervals are the spread of the estimate over the last {self.periods} periods: they show noise and "
            "ripple, not the distance from convergence."
        ]
        shares = {
            name: abs(step / size)
            for name, step, size in zip(names, self.moved, self.mean, strict=True)
            if abs(step) > _MOVING * abs(size)
        }
        if shares:
            moved = ", ".join(f"{name} moved by {100.0 * share:.2g} %" for name, share in shares.items())
            sentences.append(f"Not converged: from one period to the next {moved}. Record longer.")
        return sentences


def excitation_period(signal: Array, interval: float) -> float:
    """Period of the dominant frequency of a uniformly sampled signal, s."""
    centred = (signal - signal.mean()) * np.hanning(len(signal))
    length = _FINER * len(signal)
    power = np.abs(np.fft.rfft(centred, length)) ** 2
    strongest = 1 + int(np.argmax(power[1:]))
    return length * interval / strongest


def settled_estimate(history: Array, interval: float, period: float, source: str) -> Settled:
    """Mean of an estimate over the last period, and its spread between periods.

    The history has one row per sample; sampling interval and period of the excitation are in s. Raises a RecordError
    when there are fewer than three periods.
    """
    samples = max(round(period / interval), 1)
    whole = len(history) // samples
    if whole < _FEWEST:
        message = f"has {whole} whole periods of {period:.3g} s; an estimate averaged over one needs {_FEWEST}"
        raise RecordError(f"{message}. Record longer, hold out less, or give the period of the excitation.", source)
    used = max(_FEWEST, whole // 2)
    tail = history[len(history) - used * samples :]
    means = tail.reshape(used, samples, -1).mean(axis=1)
    covariance = np.atleast_2d(np.cov(means, rowvar=False))
    return Settled(means[-1], covariance, used, means[-1] - means[-2])
