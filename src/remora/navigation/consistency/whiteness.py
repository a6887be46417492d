"""Whiteness of innovations: an optimal filter leaves no correlation in time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.navigation.consistency.normalised_errors import ConsistencyError

FEWEST_SAMPLES = 20


class WhitenessReport(NamedTuple):
    """Autocorrelation of each channel at lags from one on, and the portmanteau test of Ljung and Box."""

    correlation: Array  # lags x channels
    bound: float  # of a single lag, 95 %
    p_values: Array  # of each channel: probability of such a correlation in white noise
    samples: int

    @property
    def is_white(self) -> bool:
        """Whether no channel is rejected at 1 %, shared among the channels (Bonferroni)."""
        return bool((self.p_values * len(self.p_values) > 0.01).all())


def whiteness(innovations: ArrayLike, lags: int = 20) -> WhitenessReport:
    """Autocorrelation of innovations in order of time; rows with NaN are left out.

    Innovations are normalised by their standard deviations first if these vary.
    """
    from remora.identification.uncertainty.correlated_residuals import ljung_box

    rows = np.atleast_2d(np.asarray(innovations, dtype=np.float64).T).T
    rows = rows[~np.isnan(rows).any(axis=1)]
    n = len(rows)
    if n < max(FEWEST_SAMPLES, 2 * lags):
        fix = f"give at least {max(FEWEST_SAMPLES, 2 * lags)}, or fewer lags"
        raise ConsistencyError(f"innovations: found {n} for {lags} lags; {fix}.").about("innovations", n, fix=fix)
    centred = rows - rows.mean(axis=0)
    if not centred.any(axis=0).all():
        raise ConsistencyError("innovations: a channel is constant").about("innovations")
    test = ljung_box(centred, lags)
    return WhitenessReport(test.autocorrelation, 1.96 / np.sqrt(n), test.probability, n)
