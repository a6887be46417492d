"""Motion from markers: recovery of a steady motion, hidden markers, wrong input."""

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_axis_angle, rotation_matrix
from remora.navigation.surveys import track_markers
from remora.navigation.surveys.arrays import SurveyError

pytestmark = [pytest.mark.xdist_group("falcon_filter"), pytest.mark.timeout(600)]

MARKERS = np.array([[0.0, 0.0, -1.3], [-0.3, 0.0, -1.3], [-0.2, 0.4, -1.2]])
PERIOD, TURN, SPEED = 0.01, 0.3, 0.5  # s, rad/s, m/s: a circle


def circle(count):
    """Positions, quaternions and frames of a body that circles."""
    angle = TURN * PERIOD * np.arange(count)
    position = SPEED / TURN * np.stack([np.sin(angle), 1.0 - np.cos(angle), 0.0 * angle], axis=1)
    quaternion = np.array([from_axis_angle((0.0, 0.0, 1.0), one) for one in angle])
    frames = [MARKERS @ np.array(rotation_matrix(tuple(q))).T + p for p, q in zip(position, quaternion, strict=True)]
    return position, quaternion, np.array(frames)


def test_a_steady_motion_is_recovered():
    position, quaternion, frames = circle(400)
    frames[200:210, 1:] = np.nan  # one marker left: no pose, but the filter goes on
    frames[300] = np.nan
    found = track_markers(MARKERS, frames, PERIOD)
    assert found.position[100:300] == pytest.approx(position[100:300], abs=2e-3)
    assert found.quaternion[100:300] == pytest.approx(quaternion[100:300], abs=2e-3)
    assert found.twist[-1] == pytest.approx([SPEED, 0.0, 0.0, 0.0, 0.0, TURN], abs=5e-3)
    assert np.isnan(found.position[300]).all()
    assert (found.sigma[209] > found.sigma[199]).all()


def test_frames_that_do_not_fit_are_refused():
    with pytest.raises(SurveyError, match="frames x 3 x 3"):
        track_markers(MARKERS, np.zeros((5, 2, 3)), PERIOD)
    with pytest.raises(SurveyError, match="three markers"):
        track_markers(MARKERS, np.full((5, 3, 3), np.nan), PERIOD)
