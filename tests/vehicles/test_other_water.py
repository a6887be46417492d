"""A vehicle in other water: Archimedes, and a balance of forces that all scale with the density."""

import pytest

from remora.equations.hull.forms.cross_flow import CROSS_FLOW
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.parameters import form_records, net_buoyancy
from remora.vehicles.variants.other_water import in_water


def test_buoyancy_follows_the_density():
    parameters = load_vehicle("bluerov2_heavy").parameters  # 0.0134 m3
    salty = in_water(parameters, 1025.0, 9.8)
    assert net_buoyancy(salty) == pytest.approx((1025.0 * 0.0134 - 13.5) * 9.8)
    assert salty.mass == parameters.mass
    assert salty.added_mass[0][0] == pytest.approx(1.025 * parameters.added_mass[0][0])


def test_there_and_back_is_the_same_vehicle():
    for name in ("falcon", "remus100", "flatfish_multidof"):
        parameters = load_vehicle(name).parameters
        back = in_water(in_water(parameters, 1100.0, 9.0), parameters.density, parameters.gravity)
        assert back.displaced_mass == pytest.approx(parameters.displaced_mass, rel=1e-14)
        assert back.quadratic_damping[0][0] == pytest.approx(parameters.quadratic_damping[0][0], rel=1e-14)
        assert back.thrusters[0].positive == pytest.approx(parameters.thrusters[0].positive, rel=1e-14)


def test_the_same_water_changes_nothing():
    parameters = load_vehicle("gavia").parameters
    assert in_water(parameters, parameters.density, parameters.gravity) == parameters


def test_a_propeller_drives_a_hull_of_quadratic_drag_as_fast_in_any_water():
    """Thrust and drag are both proportional to the density, so that their balance is not."""
    parameters = load_vehicle("remus100").parameters
    zero = tuple((0.0,) * 6 for _ in range(6))
    parameters = parameters._replace(linear_damping=zero)
    speeds = []
    for density in (1030.0, 900.0):
        packed = pack(in_water(parameters, density, 9.81), locked=("sway", "heave", "roll", "pitch", "yaw"))
        commands = [100.0] + [0.0] * (packed.actuators - 1)
        speeds.append(rollout(packed, initial_state(packed), commands, 600.0, 30_000, intervals=1)[-1][7])
    assert speeds[0] > 0.5
    assert speeds[1] == pytest.approx(speeds[0], rel=1e-9)


def test_fins_push_in_proportion_to_the_density():
    parameters = load_vehicle("remus100").parameters
    salty = in_water(parameters, 1.1 * parameters.density, parameters.gravity)
    assert len(salty.fins) > 0
    for there, here in zip(salty.fins, parameters.fins, strict=True):
        assert there.dynamic_area == pytest.approx(1.1 * here.dynamic_area, rel=1e-14)
        assert there._replace(dynamic_area=here.dynamic_area) == here


def test_strips_resist_in_proportion_to_the_density():
    name = next(name for name in preset_names() if form_records(load_vehicle(name).parameters, CROSS_FLOW))
    parameters = load_vehicle(name).parameters
    salty = in_water(parameters, 1.1 * parameters.density, parameters.gravity)
    for there, here in zip(form_records(salty, CROSS_FLOW), form_records(parameters, CROSS_FLOW), strict=True):
        assert there.x == here.x
        assert (there.sideways, there.vertical) == pytest.approx((1.1 * here.sideways, 1.1 * here.vertical), rel=1e-14)
