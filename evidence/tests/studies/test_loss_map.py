"""The map of lost thrust shows each point as measured, with bars that hold the truth as often as they say."""

import numpy as np
import pytest

from remora.identification.bench import BenchDataError, thrust_loss_map
from remora_evidence.studies.modular.tank.loss_maps import loss_map, true_losses
from remora_evidence.studies.modular.tank.tank_tests import twin_under_way, way_data


def test_bars_of_the_loss_map_hold_the_truth_as_often_as_they_say():
    maps, true = [loss_map(seed) for seed in range(1, 41)], true_losses()
    held = np.mean([(one.low <= true) & (true <= one.high) for one in maps])
    assert 0.98 <= held <= 0.999
    data = way_data(1)
    half = thrust_loss_map(twin_under_way(1), *data[:3], level=0.5)
    assert np.all(half.high - half.low < 0.4 * (maps[0].high - maps[0].low))


def test_the_map_shows_an_anomaly_that_the_fitted_curve_smooths_away():
    """More thrust at one pulse width and speed, as in the source, stands out of its bar."""
    data, fit = way_data(1), twin_under_way(1)
    here = (data.pulses == 1740.0) & (data.tow_speeds == 0.7)
    odd = fit._replace(thrusts=np.where(here, 1.2 * fit.thrusts, fit.thrusts))
    found, plain = (thrust_loss_map(one, *data[:3]) for one in (odd, fit))
    i, j = np.flatnonzero(found.pulses == 1740.0)[0], np.flatnonzero(found.tow_speeds == 0.7)[0]
    assert found.high[i, j] < true_losses()[i, j] < plain.high[i, j]
    changed = found.loss != plain.loss
    assert changed.sum() == 1
    assert changed[i, j]


def test_cells_without_a_point_or_a_second_one_have_no_bar_and_other_data_are_refused():
    data, fit = way_data(1), twin_under_way(1)
    kept = (data.tow_speeds != 0.9) | (data.pulses == 1600.0)
    some = thrust_loss_map(fit._replace(thrusts=fit.thrusts[kept]), *(one[kept] for one in data[:3]))
    assert np.isfinite(some.loss[0, -1])
    assert np.isnan([some.low[0, -1], *some.loss[1:, -1]]).all()
    with pytest.raises(BenchDataError, match="83 points are given for a fit of 84"):
        thrust_loss_map(fit, *(one[1:] for one in data[:3]))
