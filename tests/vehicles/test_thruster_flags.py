"""Flags of thrusters: how the water meets them (Proctor 2014), and whether their law is known to hold."""

import math

import pytest
from vehicle_example import changed

from remora.vehicles import load_vehicle, vehicle_from_text
from remora.vehicles.checks.thruster_flags import thruster_flags

LAW = "law: quadratic, coefficient: 0.01, limits: [-90, 90], facts: {diameter: 0.184, critical_advance_ratio: 0.23, "
VEHICLE = vehicle_from_text(
    changed(
        ("law: force, limits: [-40 N, 50 N], time_constant: 0.1 s}", LAW + "valid_speed: [10, 80]}}"),
        ("direction: [1, 0, 0]}\n\nsensors", "direction: [1, 0, 0], sense: -1}\n\nsensors"),
    )
)
LEVEL, BACKWARDS = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)


def flags(speeds, surge, q_NB=LEVEL, water=(0.0, 0.0, 0.0)):
    return thruster_flags(VEHICLE, (0, 0, 0, *q_NB, surge, 0, 0, 0, 0, 0, *speeds), water)


@pytest.mark.parametrize(
    ("speed", "surge", "regime"),
    [
        (0.0, 0.5, "at rest"),
        (50.0, 0.5, "equi-directional"),
        (50.0, 0.0, "equi-directional"),
        (50.0, -0.5, "anti-directional"),
        (50.0, -2.2, "vague-directional"),
        (-50.0, 0.5, "anti-directional"),
        (-50.0, -0.5, "equi-directional"),
    ],
)
def test_regimes(speed, surge, regime):
    """The losing ratio is at 0.23 x 50 rad/s x 0.184 m = 2.12 m/s; the second thruster turns the other way round."""
    first, second = flags((speed, -speed), surge)
    assert (first.regime, second.regime) == (regime, regime)
    assert (first.name, second.name) == ("port", "starboard")


def test_the_motion_through_the_water_counts():
    assert flags((50.0, 0.0), 0.0, water=(0.5, 0.0, 0.0))[0].regime == "anti-directional"
    assert flags((50.0, 0.0), 0.0, BACKWARDS, (0.5, 0.0, 0.0))[0].regime == "equi-directional"


def test_valid_speeds():
    assert [flag.is_valid for flag in flags((5.0, 20.0), 0.0)] == [False, True]
    assert [flag.is_valid for flag in flags((80.0, -20.0), 0.0)] == [True, False]


def test_what_a_file_does_not_tell_is_not_known():
    state = (0, 0, 0, *LEVEL, 0.3, 0, 0, 0, 0, 0, *[40.0] * 5)
    found = thruster_flags(load_vehicle("falcon"), state)
    assert {(flag.regime, flag.is_valid) for flag in found} == {(None, None)}


def test_gavia_holds_between_450_and_975_rpm():
    gavia = load_vehicle("gavia")
    body, fins = (0, 0, 0, *LEVEL, 1.5, 0, 0, 0, 0, 0), [0.0] * len(gavia.parameters.fins)
    valid = [thruster_flags(gavia, (*body, rpm * math.pi / 30.0, *fins))[0].is_valid for rpm in (440, 460, 970, 980)]
    assert valid == [False, True, True, False]
