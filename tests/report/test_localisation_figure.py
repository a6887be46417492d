"""Position error against distance travelled."""

import numpy as np
import pytest

from remora.files.problems import InputError
from remora.report.logs.localisation import BANDS, localisation_errors, localisation_figure


def test_errors_count_horizontal_distance_only():
    true = np.array([[0.0, 0.0, 5.0], [3.0, 4.0, 9.0], [6.0, 8.0, 1.0]])
    errors = localisation_errors(true, true + np.array([0.3, 0.4, 7.0]), np.full((3, 3), 2.0))
    np.testing.assert_allclose(errors.distance, [0.0, 5.0, 10.0])
    np.testing.assert_allclose(errors.error, 0.5)
    np.testing.assert_allclose(errors.sigma, np.sqrt(8.0))


def test_bands_end_at_their_share_of_the_distance():
    true = np.column_stack([np.linspace(0.0, 200.0, 5), np.zeros(5), np.zeros(5)])
    axes = localisation_figure(localisation_errors(true, true, np.ones((5, 3)))).axes[0]
    ends = [line.get_ydata()[-1] for line in axes.get_lines()[1:]]
    np.testing.assert_allclose(ends, [2.0 * percent for percent in BANDS])


def test_shapes_that_differ_are_refused():
    with pytest.raises(InputError, match="n x 3"):
        localisation_errors(np.zeros((3, 3)), np.zeros((2, 3)), np.zeros((3, 3)))
