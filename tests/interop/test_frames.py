"""Named frames of other engines, against north-east-down and forward-right-down."""

import numpy as np
import pytest

from remora.equations.algebra.quaternions import rotation_matrix
from remora.interop.mujoco.model import BODY_AXES, WORLDS

DIRECTIONS = {
    "north": (1, 0, 0), "east": (0, 1, 0), "down": (0, 0, 1), "west": (0, -1, 0), "up": (0, 0, -1),
    "forward": (1, 0, 0), "right": (0, 1, 0), "left": (0, -1, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", WORLDS)
def test_the_axes_of_a_world_point_where_its_name_says(name):
    axes_in_N = np.array(rotation_matrix(WORLDS[name])).T
    assert axes_in_N == pytest.approx(np.array([DIRECTIONS[word] for word in name.split("-")]), abs=1e-12)


@pytest.mark.parametrize("name", BODY_AXES)
def test_the_axes_of_a_body_point_where_its_name_says(name):
    axes_in_B = np.array(rotation_matrix(BODY_AXES[name]))
    assert axes_in_B == pytest.approx(np.array([DIRECTIONS[word] for word in name.split("-")]), abs=1e-12)
