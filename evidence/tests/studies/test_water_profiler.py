"""Water velocity of a current profiler, and how that of a calm-water model differs from it."""

import numpy as np
import pytest

from remora.equations.instruments import cell_velocity
from remora.files.problems import InputError
from remora.identification import compare_with_profiler, profiled_water_velocity
from remora_evidence.studies.gavia import records
from remora_evidence.studies.gavia.calm_water import data, gavia, recursive_fit

LEVEL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
PLACE = (0.5, -0.2, 0.3)
WATER = (0.12, -0.07, 0.02)


@pytest.fixture(scope="module")
def turning():
    """A turning log without noise."""
    path = records.manoeuvre(120.0, [(0.0, 0.0), (20.0, 80.0)], [(0.0, 0.0), (60.0, 9.0)], [(0.0, 570.0)], 17.0)
    quiet = records.LogNoise(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return records.logged(gavia(), records.follow(gavia(), path, lambda t, p: np.array(WATER)), 1, "quiet", quiet)


def cells_of(log, water):
    """What a profiler beside the origin sees in three cells."""
    rows = []
    for q, v, w in zip(log.quaternion.tolist(), log.velocity.tolist(), log.rates.tolist(), strict=True):
        rows.append([cell_velocity(tuple(q), (*v, *w), water, PLACE, LEVEL)] * 3)
    return np.array(rows)


def test_a_profiler_with_a_lever_arm_gives_the_velocity_of_the_water(turning):
    assert np.abs(turning.rates).max() > 0.1
    cells = cells_of(turning, WATER)
    np.testing.assert_allclose(
        profiled_water_velocity(turning, cells, PLACE), np.tile(WATER, (len(cells), 1)), atol=1e-12
    )
    wrong = profiled_water_velocity(turning, cells)  # at the origin: the turn adds the speed of the lever
    assert np.abs(wrong - WATER).max() > 0.03
    cells[::2, 1:] = np.nan  # below the bottom
    cells[3] = np.nan
    some = profiled_water_velocity(turning, cells, PLACE)
    assert np.isnan(some[3]).all()
    np.testing.assert_allclose(np.delete(some, 3, axis=0), np.tile(WATER, (len(cells) - 1, 1)), atol=1e-12)


def test_the_difference_has_the_error_of_the_model_and_the_noise_of_the_profiler(turning):
    model, noise = recursive_fit("ID1", 1).model, np.random.default_rng(2).normal(0.0, 0.06, (len(turning.time), 3, 3))
    quiet = compare_with_profiler(model, turning, cells_of(turning, WATER), PLACE)
    noisy = compare_with_profiler(model, turning, cells_of(turning, WATER) + noise, PLACE)
    assert quiet.samples == noisy.samples == len(turning.time)
    assert np.all(quiet.deviation < 0.03)  # the free run starts with the velocity over ground
    expected = np.hypot(quiet.deviation, 0.06 / np.sqrt(3.0))  # mean of three cells
    assert noisy.deviation == pytest.approx(expected, rel=0.25)  # 105 samples


def test_cells_of_another_shape_are_refused():
    log = data("matched", "unseen", 1)
    with pytest.raises(InputError, match=r"give \d+ samples x cells x 3"):
        profiled_water_velocity(log, np.zeros((4, 3)))
    with pytest.raises(InputError, match="no sample has a clear cell"):
        compare_with_profiler(recursive_fit("ID1", 1).model, log, np.full((len(log.time), 2, 3), np.nan))
