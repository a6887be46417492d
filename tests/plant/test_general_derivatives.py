"""Derivatives of general actuators and of varying water agree with CasADi to 1e-12."""

import pytest

from remora import load_vehicle
from remora.plant import pack
from sample_features import packed_features
from symbolic_derivatives import STEP, assert_agree

pytestmark = [pytest.mark.xdist_group("general derivatives"), pytest.mark.timeout(900)]  # one compilation for all

FEATURES = packed_features()


@pytest.mark.parametrize("name", [name for name in FEATURES if FEATURES[name].layout.slewing])
@pytest.mark.parametrize("step", [0.0, STEP])
def test_derivatives_of_general_actuators(name, step):
    """Rate limits, motors, servos, moving masses and four-quadrant propellers."""
    assert_agree(FEATURES[name], step, 10, 3)


@pytest.mark.parametrize("water", [10, 16, 17])
def test_derivatives_in_varying_water(water):
    """Shear, gradients and a surface: the position counts, too."""
    assert_agree(pack(load_vehicle("falcon").parameters), 0.0, 10, 4, water)
