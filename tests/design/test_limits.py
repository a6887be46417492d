"""Limits of a planned experiment."""

import math

import pytest

from remora.design.limits import limits_of
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.names import DEGREES_OF_FREEDOM

HISTORICAL = [name for name in preset_names() if load_vehicle(name).historical]


@pytest.mark.parametrize("name", HISTORICAL)
def test_plans_keep_seven_tenths_of_the_valid_speeds_of_a_historical_vehicle(name):
    vehicle = load_vehicle(name).parameters
    assert vehicle.envelope is not None
    limited = 0
    for axis, limits in limits_of(vehicle, (1e3, 1e3, 1e3), 1e3).items():
        valid = vehicle.envelope[DEGREES_OF_FREEDOM.index(axis)]
        if math.isfinite(valid):
            limited += 1
            assert limits.speed <= 0.7 * valid * (1.0 + 1e-12)
            if limits.why_slow == "its numbers are not valid beyond":
                assert limits.speed == pytest.approx(0.7 * valid)
    assert limited > 0


def test_there_are_historical_vehicles():
    assert HISTORICAL
