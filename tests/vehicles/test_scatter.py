"""Scattered vehicles: as wide as asked, always physical, and the same for the same stream."""

import numpy as np
import pytest

from remora.sensors.errors.streams import Stream
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.checks.invariants import violations_S1, violations_S2, violations_S5
from remora.vehicles.variants.scatter import Spread, scattered

ALL = Spread(0.2, 0.02, 0.1, 0.4, 0.5, 0.5, 0.2)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_stays_physical(name):
    parameters = load_vehicle(name).parameters
    accepted = bool(violations_S2(parameters))  # a file may stand by an asymmetric added mass
    spread = ALL._replace(mass=0.0, center_of_gravity=0.0, buoyancy=0.0) if parameters.total_inertia_only else ALL
    for seed in range(3):
        drawn = scattered(parameters, spread, Stream(seed, "rov/plant"))
        assert drawn != parameters
        assert not violations_S1(drawn)
        assert accepted or not violations_S2(drawn)
        assert not violations_S5(drawn, drawn.envelope)


def test_deviations_are_those_asked_for():
    parameters = load_vehicle("bluerov2_heavy").parameters
    drawn = [scattered(parameters, ALL, Stream(seed, "a")) for seed in range(200)]

    def relative(values, nominal):
        ratios = np.array(values) / nominal
        return ratios.mean(), ratios.std()

    assert relative([p.mass for p in drawn], 13.5) == pytest.approx((1.0, 0.2), abs=0.04)
    assert relative([p.displaced_mass for p in drawn], 13.4) == pytest.approx((1.0, 0.1), abs=0.02)
    assert relative([p.added_mass[2][2] for p in drawn], 18.68) == pytest.approx((1.0, 0.4), abs=0.08)
    assert relative([p.linear_damping[0][0] for p in drawn], 13.7) == pytest.approx((1.0, 0.5), abs=0.1)
    assert relative([p.quadratic_damping[5][5] for p in drawn], 1.5) == pytest.approx((1.0, 0.5), abs=0.1)
    assert relative([p.thrusters[3].effectiveness_forward for p in drawn], 1.0) == pytest.approx((1.0, 0.2), abs=0.04)
    assert np.std([p.p_BG for p in drawn], axis=0) == pytest.approx([0.02] * 3, rel=0.15)


def test_one_figure_does_not_disturb_another():
    parameters = load_vehicle("falcon").parameters
    both = scattered(parameters, Spread(mass=0.1, thrust=0.1), Stream(1, "a"))
    alone = scattered(parameters, Spread(thrust=0.1), Stream(1, "a"))
    assert both.thrusters == alone.thrusters
    assert alone.mass == parameters.mass
    assert scattered(parameters, Spread(), Stream(1, "a")) == parameters


def test_mass_and_moments_belong_together():
    parameters = load_vehicle("falcon").parameters
    drawn = scattered(parameters, Spread(mass=0.3), Stream(5, "a"))
    ratio = drawn.mass / parameters.mass
    assert np.array(drawn.inertia_G) == pytest.approx(ratio * np.array(parameters.inertia_G))
    assert np.array(drawn.rigid_body_inertia) == pytest.approx(ratio * np.array(parameters.rigid_body_inertia))


@pytest.mark.parametrize("spread", [Spread(mass=-0.1), Spread(thrust=float("nan")), Spread(mass=float("inf"))])
def test_impossible_deviations_are_refused(spread):
    with pytest.raises(ValueError, match="not negative"):
        scattered(load_vehicle("falcon").parameters, spread, Stream(1, "a"))
