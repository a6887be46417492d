"""Invariant S3: the Coriolis wrench does no work; and the sign of its Munk moment."""

import numpy as np
import pytest
from hypothesis import given

from remora.equations.algebra.vectors import add6, dot6, matvec6
from remora.equations.hull.hull_forms import omitted_momentum
from remora.equations.hull.inertia import (
    HeaveAsymmetry,
    coriolis_of_momentum,
    coriolis_wrench,
    heave_asymmetry_wrench,
    kinetic_energy,
    roll_coupling_wrench,
)
from remora.equations.packed import hull_at
from remora.equations.plant import twist_rate
from remora.plant import pack
from remora.vehicles import load_vehicle
from remora.vehicles.parameters import total_inertia
from sample_features import everything, general_vehicles, six, twists
from sample_vehicles import diagonal6, falcon, flatfish_gazebo, torpedo, vita1


def power_scale(wrench, twist):
    return np.abs(np.multiply(wrench, twist)).max() + 1e-300


@given(general_vehicles, twists)
def test_no_work_for_any_inertia(parameters, twist):
    wrench = coriolis_wrench(total_inertia(parameters), twist)
    assert abs(dot6(wrench, twist)) <= 1e-12 * power_scale(wrench, twist)


@given(six(100.0), twists)
def test_no_work_for_any_momentum(momentum, twist):
    wrench = coriolis_of_momentum(momentum, twist)
    assert abs(dot6(wrench, twist)) <= 1e-12 * power_scale(wrench, twist)


@pytest.mark.parametrize("simplification", ["coriolis_off", "munk_off"])
@given(general_vehicles, twists)
def test_simplifications_do_no_work_either(simplification, parameters, twist):
    packed = pack(parameters, simplifications=(simplification,))
    hull = hull_at(packed.row.tolist())
    wrench = coriolis_wrench(hull.coriolis_inertia, twist)
    if simplification == "munk_off":
        left_out = omitted_momentum(packed.row.tolist(), packed.layout, twist)
        wrench = add6(wrench, roll_coupling_wrench(left_out, twist))
    assert abs(dot6(wrench, twist)) <= 1e-12 * power_scale(wrench, twist)


@pytest.mark.parametrize("name", ["remus100", "gavia", "bluerov2_heavy"])
def test_munk_off_zeroes_the_elements_that_remus100_of_other_simulators_zeroes(name):
    """Of C_A the elements of surge and heave with pitch, of surge and sway with yaw, and their mirrored ones."""
    vehicle = load_vehicle(name).parameters._replace(envelope=None, fins=(), fin_names=())
    vehicle = vehicle._replace(forces=())
    for nu in np.random.default_rng(4).uniform(-1.5, 1.5, (20, 6)):
        p, l = np.split(np.array(vehicle.added_mass) @ nu, 2)  # noqa: E741 - the letters of the literature
        C = np.block([[np.zeros((3, 3)), -skew_matrix(p)], [-skew_matrix(p), -skew_matrix(l)]])
        for i, j in ((0, 4), (2, 4), (0, 5), (1, 5)):
            C[i, j] = C[j, i] = 0.0
        rates = [
            np.array(twist_rate(packed.row.tolist(), packed.layout, (1.0, 0.0, 0.0, 0.0), tuple(nu), (0.0,) * 9,
                                (0.0, 0.0, 0.0), (0.0,) * 6))
            for packed in (pack(vehicle), pack(vehicle, simplifications=("munk_off",)))
        ]  # fmt: skip
        full = np.array(coriolis_wrench(vehicle.added_mass, tuple(nu)))
        change = np.array(total_inertia(vehicle)) @ (rates[1] - rates[0])
        np.testing.assert_allclose(change, full - C @ nu, atol=1e-9)


def skew_matrix(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


@given(six(2.0))
def test_two_heave_masses_carry_momentum_without_work(twist):
    wrench = heave_asymmetry_wrench(HeaveAsymmetry(73.65, 73.65), twist)
    assert abs(dot6(wrench, twist)) <= 1e-12 * power_scale(wrench, twist)


@pytest.mark.parametrize("make", [everything, falcon, flatfish_gazebo, torpedo, vita1])
def test_skew_symmetric_parameterisation(make):
    """C(nu) of Fossen 2021, ch. 3, written as a matrix from the blocks of M nu, gives the same wrench."""

    def skew(a):
        return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])

    inertia = total_inertia(make())
    for nu in np.random.default_rng(0).uniform(-2.0, 2.0, (50, 6)):
        momentum = np.array(inertia) @ nu
        S1, S2 = skew(momentum[:3]), skew(momentum[3:])
        C = np.block([[np.zeros((3, 3)), -S1], [-S1, -S2]])
        np.testing.assert_array_equal(C, -C.T)
        found = coriolis_wrench(inertia, tuple(nu.tolist()))
        np.testing.assert_allclose(found, C @ nu, rtol=0, atol=1e-12 * np.abs(C @ nu).max())


def test_munk_moment_turns_a_hull_across_its_motion():
    """Gava et al. 2022, sign corrected: N = -(A22 - A11) u v acts on the vehicle, -0.38 N m here."""
    added = diagonal6((6.36, 7.12, 18.68, 0.189, 0.135, 0.222))
    acting = [-c for c in coriolis_wrench(added, (1.0, 0.5, 0.0, 0.0, 0.0, 0.0))]
    assert acting[5] == pytest.approx(-0.38, abs=1e-12)
    assert acting[:5] == pytest.approx([0.0] * 5, abs=0)


@given(general_vehicles, twists)
def test_kinetic_energy_is_positive(parameters, twist):
    inertia = total_inertia(parameters)
    if max(map(abs, twist)) > 1e-100:
        assert kinetic_energy(inertia, twist) > 0.0
    assert kinetic_energy(inertia, twist) == 0.5 * dot6(matvec6(inertia, twist), twist)
