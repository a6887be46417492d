"""Similarity measures: definitions by brute force, invariances, exact values, refusals."""

import math
from itertools import product

import numpy as np
import pytest

from remora.identification.similarity import (
    SimilarityError,
    dynamic_time_warping,
    frechet_distance,
    hausdorff_distance,
    mean_square_error,
    pearson_correlation,
    procrustes_distance,
)

GENERATOR = np.random.default_rng(6)


def all_paths(n, m):
    """Every monotone and continuous path from the first to the last pair."""
    if (n, m) == (0, 0):
        return [[(0, 0)]]
    before = [(n - 1, m - 1), (n - 1, m), (n, m - 1)]
    return [[*path, (n, m)] for i, j in before if i >= 0 and j >= 0 for path in all_paths(i, j)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("window", "open_end"), [(None, False), (2, False), (None, True)])
def test_warping_has_the_least_cost_of_all_paths(seed, window, open_end):
    generator = np.random.default_rng(seed)
    a, b = generator.normal(size=(5, 2)), generator.normal(size=(4, 2))
    ends = range(4) if open_end else [3]
    paths = [path for end in ends for path in all_paths(4, end)]
    allowed = [path for path in paths if window is None or all(abs(i - j) <= window for i, j in path)]
    least = min(sum(np.sum((a[i] - b[j]) ** 2) for i, j in path) for path in allowed)
    found = dynamic_time_warping(a, b, window, open_end)
    assert found.cost == pytest.approx(least, rel=1e-12)
    assert sum(np.sum((a[i] - b[j]) ** 2) for i, j in found.path) == pytest.approx(least, rel=1e-12)
    assert list(found.path) in allowed


def test_the_frechet_distance_is_the_shortest_leash_of_all_paths():
    for seed in range(10):
        generator = np.random.default_rng(seed)
        a, b = generator.normal(size=(4, 2)), generator.normal(size=(5, 2))
        least = min(max(math.dist(a[i], b[j]) for i, j in path) for path in all_paths(3, 4))
        assert frechet_distance(a, b) == pytest.approx(least, rel=1e-12)


def test_the_hausdorff_distance_is_that_of_its_definition():
    a, b = GENERATOR.normal(size=(7, 3)), GENERATOR.normal(size=(9, 3))
    near = [min(math.dist(x, y) for y in b) for x in a] + [min(math.dist(x, y) for x in a) for y in b]
    assert hausdorff_distance(a, b) == pytest.approx(max(near), rel=1e-12)
    assert hausdorff_distance(a, b) <= frechet_distance(a, b)


def test_equal_signals_have_no_distance_and_both_orders_the_same():
    a, b = GENERATOR.normal(size=30), GENERATOR.normal(size=40)
    assert dynamic_time_warping(a, a).cost == 0.0
    assert dynamic_time_warping(a, a).path == tuple((i, i) for i in range(30))
    assert dynamic_time_warping(a, b).cost == pytest.approx(dynamic_time_warping(b, a).cost, rel=1e-12)


def test_a_signal_at_another_pace_is_near_although_it_differs_at_each_time():
    time = np.linspace(0.0, 5.0, 200)
    slow, fast = np.sin(time), np.sin(1.2 * time)
    found = dynamic_time_warping(slow, fast, open_end=True)
    assert found.mean_error < 0.02
    assert found.distance < 0.1 * np.linalg.norm(slow - fast)


def test_the_shape_of_a_figure_does_not_depend_on_place_size_and_heading():
    figure = GENERATOR.normal(size=(20, 2))
    c, s = math.cos(0.7), math.sin(0.7)
    moved = 3.0 * figure @ np.array([[c, s], [-s, c]]) + [5.0, -2.0]
    assert procrustes_distance(figure, moved) < 1e-7
    assert procrustes_distance(figure, moved * [1, -1]) > 0.1  # a mirror image has another shape
    assert procrustes_distance(figure, GENERATOR.normal(size=(20, 2))) > 0.3


def test_correlation_and_error_of_channels():
    a = GENERATOR.normal(size=(50, 3))
    b = a * [2.0, -3.0, 0.0] + [1.0, 0.0, 4.0]
    first, second, third = pearson_correlation(a, b)
    assert first == pytest.approx(1.0, abs=1e-12)
    assert second == pytest.approx(-1.0, abs=1e-12)
    assert math.isnan(third)
    assert mean_square_error(a, a + np.array([1.0, 2.0, 0.0])) == pytest.approx([1.0, 4.0, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    ("measure", "arguments", "said"),
    [
        *(
            (measure, signals, said)
            for measure, (signals, said) in product(
                (dynamic_time_warping, frechet_distance, hausdorff_distance),
                [(([], [1.0]), "samples x channels"), (([1.0], [np.nan]), "not finite"),
                 ((np.zeros((3, 2)), np.zeros((3, 1))), "1 channels"), ((["a"], [1.0]), "not a table")],
            )
        ),
        (procrustes_distance, (np.zeros((3, 2)), np.zeros((4, 2))), "Resample"),
        (procrustes_distance, (np.zeros((3, 2)), np.ones((3, 2))), "no shape"),
        (dynamic_time_warping, ([1.0, 2.0, 3.0], [1.0], 1), "at least 2"),
        (dynamic_time_warping, ([1.0, 2.0], [1.0], -1, True), "at least 0"),
    ],
)  # fmt: skip
def test_signals_that_cannot_be_compared_are_refused(measure, arguments, said):
    with pytest.raises(SimilarityError, match=said):
        measure(*arguments)
