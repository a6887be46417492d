"""Limits of a planned experiment."""

import math
from types import SimpleNamespace

import pytest

from remora.experiments.planner import _times
from remora.experiments.requirements import axis_limits
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.checks.actuation import reachable_wrench
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import net_buoyancy

HISTORICAL = [name for name in preset_names() if load_vehicle(name).historical]


@pytest.mark.parametrize("name", HISTORICAL)
def test_plans_keep_seven_tenths_of_the_valid_speeds_of_a_historical_vehicle(name):
    vehicle = load_vehicle(name).parameters
    assert vehicle.envelope is not None
    limited = 0
    for axis, limits in axis_limits(vehicle, (1e3, 1e3, 1e3), 1e3).items():
        valid = vehicle.envelope[DEGREES_OF_FREEDOM.index(axis)]
        if math.isfinite(valid):
            limited += 1
            assert limits.speed <= 0.7 * valid * (1.0 + 1e-12)
            if limits.speed_reason == "its numbers are not valid beyond":
                assert limits.speed == pytest.approx(0.7 * valid)
    assert limited > 0


def test_there_are_historical_vehicles():
    assert HISTORICAL


@pytest.mark.parametrize("name", ["falcon", "bluerov2_heavy", "flatfish_basin_adaptive"])
def test_plans_keep_seven_tenths_of_the_thrust_of_the_weaker_way_less_the_net_weight(name):
    """The Falcon pushes up with a fraction of what it pushes down with."""
    vehicle = load_vehicle(name).parameters
    found = axis_limits(vehicle, (1e3, 1e3, 1e3), 1e3)
    for reach in reachable_wrench(vehicle):
        if reach.name in found:
            carried = abs(net_buoyancy(vehicle)) if reach.name == "heave" else 0.0
            weaker = min(abs(end) for end in reach.alone)
            assert found[reach.name].thrust == pytest.approx(max(0.7 * weaker - carried, 0.0))


def test_a_vehicle_with_uneven_thrust_is_among_them():
    ends = next(reach.alone for reach in reachable_wrench(load_vehicle("falcon").parameters) if reach.name == "heave")
    assert abs(ends[0]) != pytest.approx(ends[1], rel=0.1)


@pytest.mark.parametrize(("worst", "seconds"), [(1.0, 66.0), (1.5, 148.0), (2.0, 264.0), (0.1, 40.0), (9.0, 600.0)])
def test_half_the_deviation_takes_four_times_the_time(worst, seconds):
    """A tenth more than predicted, and never shorter or longer than an excitation may be."""
    assert _times(SimpleNamespace(duration=None), [worst]) == (seconds,)
