"""A packed row read back gives what went in, for every record and every layout."""

import numpy as np
import pytest
from hypothesis import given

from remora.equations.hull.forms.form import form_size
from remora.equations.hull.forms.rising_heave import RISING_HEAVE
from remora.equations.hull.forms.table import BASIC_FORMS, OPTIONAL_FORMS, records_of
from remora.equations.packed import (
    ENVELOPE_START,
    FIN_SIZE,
    FORMS_START,
    SERVO_SIZE,
    THRUSTER_SIZE,
    fin_at,
    fins_start,
    heave_asymmetry_at,
    hull_at,
    moving_mass_at,
    moving_mass_start,
    packed_size,
    servos_start,
    slew_at,
    thruster_at,
    thrusters_start,
)
from remora.plant import pack
from remora.plant.pack import LARGEST_SPEED
from remora.vehicles import load_vehicle
from remora.vehicles.hull_forces import hull_forces
from remora.vehicles.parameters import buoyancy_elements_of, total_inertia
from sample_features import everything, general_vehicles, packed_features
from sample_vehicles import bluerov2, falcon, glider, torpedo


@pytest.mark.parametrize("name", [*packed_features()])
def test_size(name):
    packed = packed_features()[name]
    assert packed.row.shape == (packed_size(packed.layout),)
    assert packed.row.dtype == np.float64
    layout = packed.layout
    assert packed.actuators == layout.thrusters + layout.fins + layout.servos + layout.moving_masses
    assert packed.actuator_states == packed.actuators + layout.moving_masses


@pytest.mark.parametrize("make", [bluerov2, falcon, torpedo, everything, glider])
def test_devices_and_forms_are_read_back(make):
    parameters = make()
    packed = pack(parameters)
    row, layout = packed.row.tolist(), packed.layout
    found = [thruster_at(row, thrusters_start(layout) + THRUSTER_SIZE * i) for i in range(layout.thrusters)]
    assert tuple(found) == parameters.thrusters
    found = [fin_at(row, fins_start(layout) + FIN_SIZE * i) for i in range(layout.fins)]
    assert tuple(found) == parameters.fins
    found = [slew_at(row, servos_start(layout) + SERVO_SIZE * i) for i in range(layout.servos)]
    assert tuple(found) == parameters.servos
    found = [moving_mass_at(row, moving_mass_start(layout, i)) for i in range(layout.moving_masses)]
    assert tuple(found) == parameters.moving_masses
    k = FORMS_START
    forces = hull_forces(parameters)
    assert hull_at(row).damping == tuple(records_of(forces, form)[0] for form in BASIC_FORMS)
    for form, count in zip(OPTIONAL_FORMS, layout.forms, strict=True):
        assert tuple(form.read(row, k + form_size(form) * i) for i in range(count)) == records_of(forces, form)
        k += form_size(form) * count
    assert k == FORMS_START + layout.forms_size == thrusters_start(layout) - layout.user_forms_size
    assert (layout.thrust_law, layout.mapped_commands) == (parameters.thrust_law, parameters.mapped_commands)


@given(general_vehicles)
def test_hull_is_read_back(parameters):
    hull = hull_at(pack(parameters).row.tolist())
    inertia = total_inertia(parameters)
    assert hull.inertia == hull.coriolis_inertia == inertia
    expected = parameters.linear_damping, parameters.quadratic_damping, parameters.cubic_surge
    assert hull.damping == tuple((value,) for value in expected)
    assert (hull.mass, hull.displaced_mass) == (parameters.mass, parameters.displaced_mass)
    assert (hull.p_BG, hull.p_BC, hull.gravity) == (parameters.p_BG, parameters.p_BC, parameters.gravity)
    np.testing.assert_allclose(np.array(hull.inverse_inertia) @ inertia, np.eye(6), rtol=0, atol=1e-9)


def test_two_heaves_are_their_mean_and_half_difference():
    row = pack(falcon()).row.tolist()
    hull, half = hull_at(row), heave_asymmetry_at(row)
    assert hull.inertia[2][2] + half.inertia == pytest.approx(499.0, rel=1e-15)
    assert hull.inertia[2][2] - half.inertia == pytest.approx(351.7, rel=1e-15)
    (linear,), (quadratic,), _ = hull.damping
    (drag,) = records_of(hull_forces(falcon()), RISING_HEAVE)
    assert linear[2][2] + drag.linear_damping == pytest.approx(0.0, abs=1e-15)
    assert linear[2][2] - drag.linear_damping == pytest.approx(6.19, rel=1e-15)
    assert quadratic[2][2] + drag.quadratic_damping == pytest.approx(265.61, rel=1e-15)
    assert quadratic[2][2] - drag.quadratic_damping == pytest.approx(119.1, rel=1e-15)
    assert half.momentum == half.inertia
    assert heave_asymmetry_at(pack(falcon(), simplifications=("coriolis_off",)).row.tolist()).momentum == 0.0


def test_envelope():
    limits = (1.0, 0.5, 0.4, 0.3, 0.2, np.inf)
    row = pack(bluerov2()._replace(envelope=limits)).row
    assert row[ENVELOPE_START : ENVELOPE_START + 6].tolist() == [*limits[:5], LARGEST_SPEED]
    assert pack(bluerov2()).row[ENVELOPE_START : ENVELOPE_START + 6].tolist() == [LARGEST_SPEED] * 6


@given(general_vehicles)
def test_simplifications_change_only_what_is_carried_round(parameters):
    """munk_off takes the water's linear momentum out, except about roll; coriolis_off takes all. The inertia stays."""
    full = hull_at(pack(parameters).row.tolist())
    off = hull_at(pack(parameters, simplifications=("coriolis_off",)).row.tolist())
    munk = hull_at(pack(parameters, simplifications=("munk_off",)).row.tolist())
    assert np.all(np.array(off.coriolis_inertia) == 0.0)
    assert munk.coriolis_inertia[:3] == parameters.rigid_body_inertia[:3]
    assert munk.coriolis_inertia[3:] == full.coriolis_inertia[3:]
    same = full._replace(coriolis_inertia=None)
    assert off._replace(coriolis_inertia=None) == same == munk._replace(coriolis_inertia=None)


@pytest.mark.parametrize("name", ["falcon", "remus100"])
def test_a_vehicle_without_floats_comes_out_of_the_water_as_a_sphere_of_its_volume(name):
    p = load_vehicle(name).parameters._replace(buoyancy_elements=())
    (sphere,) = buoyancy_elements_of(p)
    assert sphere.position == p.p_BC
    assert 4.0 / 3.0 * np.pi * sphere.radius**3 == pytest.approx(p.displaced_mass / p.density)
    assert sphere.displaced_mass == p.displaced_mass
