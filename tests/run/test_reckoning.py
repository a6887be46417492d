"""What the parameters of instruments say about the errors of dead reckoning."""

import pytest

from remora.navigation.named_sensors import FixErrors, QuantitySensor, fix_errors
from remora.sensors import find_kind
from remora.vehicles.vehicle import SensorEntry


def fix(kind, **parameters):
    entry = SensorEntry("fix", kind, "", "", None, None, None, None, parameters)
    return QuantitySensor(entry, find_kind(kind).measured["position"])


def test_an_acoustic_fix_is_less_certain_the_farther_away_it_is():
    errors = fix_errors(fix("usbl", range_std=0.3, angle_std=0.004))
    assert errors == FixErrors(0.3, 0.004)
    assert errors.sigma((100.0, 0.0, 0.0)) == pytest.approx(0.5)  # 0.3 m and 100 m x 0.004
    assert errors.sigma((0.0, 0.0, 0.0)) == pytest.approx(0.3)


def test_a_satellite_fix_is_as_certain_everywhere():
    errors = fix_errors(fix("gps", position_std=(1.0, 1.5, 3.0)))
    assert errors.sigma((55.0, 8.0, 0.0)) == pytest.approx(3.0)
