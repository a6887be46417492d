"""Long curves keep their extremes, their gaps and their ends, in bounded memory."""

import numpy as np
import pytest

from remora.report.logs.curve_reader import Downsampler


def thinned(times, values, piece, most_rows=400):
    thinner = Downsampler(values.shape[1], most_rows)
    held = 0
    for start in range(0, len(times), piece):
        thinner.add(times[start : start + piece], values[start : start + piece])
        held = max(held, len(thinner._times))
    return thinner.curve(), held


def test_a_short_curve_stays_as_it_is():
    times, values = np.arange(300.0), np.random.default_rng(1).normal(size=(300, 2))
    curve, _ = thinned(times, values, 7)
    assert np.array_equal(curve.times, times)
    assert np.array_equal(curve.values, values)


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("piece", [100, 999, 50_000])
def test_peaks_of_single_rows_survive(columns, piece):
    rng = np.random.default_rng(columns)
    times, values = 0.01 * np.arange(100_000), rng.normal(size=(100_000, columns))
    peaks = rng.choice(100_000, 20, replace=False)
    values[peaks, 0] = 100.0 + np.arange(20)
    curve, held = thinned(times, values, piece)
    assert len(curve.times) <= 400
    assert held <= 1600 + piece
    assert curve.values[:, 0].max() == 119.0
    assert np.array_equal(curve.values.min(axis=0), values.min(axis=0))
    assert np.array_equal(curve.values.max(axis=0), values.max(axis=0))
    assert (curve.times[0], curve.times[-1]) == (times[0], times[-1])
    rows = {(t, *row) for t, row in zip(times.tolist(), values.tolist(), strict=True)}
    assert all((t, *row) in rows for t, row in zip(curve.times.tolist(), curve.values.tolist(), strict=True))


@pytest.mark.parametrize("piece", [10, 1000, 100_000])
def test_the_envelope_is_exact_in_every_stretch(piece):
    """Also where a curve was thinned again and again while it grew."""
    times = 0.01 * np.arange(100_000)
    values = np.sin(0.01 * times) + 0.3 * np.sin(40.0 * times)
    curve, _ = thinned(times, values[:, None], piece)
    width = 8.0  # s: the least power of two that leaves no more than 400 / 3 stretches
    for stretch in range(int(times[-1] // width) + 1):
        kept = curve.values[curve.times // width == stretch]
        known = values[times // width == stretch]
        assert (kept.min(), kept.max()) == (known.min(), known.max())


def test_a_long_gap_is_still_a_gap():
    times, values = np.arange(50_000.0), np.ones((50_000, 1))
    values[20_000:30_000] = np.nan
    curve, _ = thinned(times, values, 1000)
    inside = (curve.times > 21_000) & (curve.times < 29_000)
    assert inside.any()
    assert np.isnan(curve.values[inside]).all()
    assert not np.isnan(curve.values[(curve.times < 19_000) | (curve.times > 31_000)]).any()


def test_time_that_stands_still_or_goes_back_does_no_harm():
    values = np.arange(5000.0)[:, None]
    still, _ = thinned(np.zeros(5000), values, 100)
    assert still.values.max() == 4999.0
    back, _ = thinned(np.concatenate([np.arange(2500.0), np.arange(2500.0)]), values, 100)
    assert (np.diff(back.times) >= 0.0).all()
    assert len(back.times) <= 400
