"""Invariant S5: damping never adds energy. Body lift is no damping and has tests of its own sign."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from remora.equations.algebra.vectors import add6, diagonal6, dot6
from remora.equations.hull.forms.cross_flow import CROSS_FLOW, Strip, strip_damping_wrench
from remora.equations.hull.forms.form import records_wrench
from remora.equations.hull.forms.lift import Lift, lift_wrench
from remora.equations.hull.forms.linear import LinearDamping, linear_damping_wrench
from remora.equations.hull.forms.quadratic import QuadraticDamping, quadratic_damping_wrench
from remora.equations.hull.forms.rising_heave import RISING_HEAVE
from remora.equations.hull.forms.six_matrices import SIX_MATRICES, SixMatrices, six_matrices_wrench
from remora.equations.hull.forms.table import records_of
from remora.equations.motion import hull_damping_wrench
from remora.equations.packed import hull_at
from remora.plant import pack
from remora.vehicles.hull_forces import hull_forces
from sample_features import general_vehicles, random_definite, reals, twists
from sample_vehicles import bluerov2, falcon, flatfish_gazebo, torpedo, tuples, vita1

RANDOM = np.random.default_rng(5)
# All scales of speed, all signs, and some with single components at rest.
MANY = RANDOM.uniform(-1.0, 1.0, (10_000, 6)) * 10.0 ** RANDOM.uniform(-3.0, 0.5, (10_000, 1))
MANY[:2000] *= RANDOM.integers(0, 2, (2000, 6))

positive = reals(0.0, 1e3)
seeds = st.integers(0, 2**32 - 1)


def dissipation(wrench_of):
    """Power that a damping wrench takes out, for all of MANY at once, against the size of its terms."""
    twist = tuple(MANY.T)
    wrench = wrench_of(twist)
    terms = np.array([np.broadcast_to(w, 10_000) * v for w, v in zip(wrench, twist, strict=True)])
    return terms.sum(0), np.abs(terms).sum(0)


def assert_never_adds_energy(wrench_of):
    power, size = dissipation(wrench_of)
    assert np.all(power >= -1e-14 * size)
    assert np.any(power > 0.0)


@given(seeds)
def test_linear(seed):
    """Symmetric part positive definite, with an antisymmetric part on top that does no work."""
    random = np.random.default_rng(seed)
    matrix = random_definite(random, [1.0, 2.0, 3.0, 0.1, 0.2, 0.3], 1.0)
    turn = random.uniform(-9.0, 9.0, (6, 6))
    matrix += turn - turn.T
    assert_never_adds_energy(lambda twist: linear_damping_wrench(LinearDamping(tuples(matrix)), twist))


@given(st.tuples(*[positive] * 6).filter(any))
def test_quadratic_diagonal(coefficients):
    matrix = diagonal6(coefficients)
    assert_never_adds_energy(lambda twist: quadratic_damping_wrench(QuadraticDamping(matrix), twist))


@given(seeds)
def test_six_positive_matrices(seed):
    """FlatFish's form: D(v) = sum_j |v_j| D_Qj with every D_Qj positive definite; Q_ijk = (D_Qj)_ik."""
    random = np.random.default_rng(seed)
    matrices = [random_definite(random, [1.0, 2.0, 3.0, 0.1, 0.2, 0.3], 1.0) for _ in range(6)]
    tensor = tuples(np.swapaxes(np.array(matrices), 0, 1))
    assert_never_adds_energy(lambda twist: six_matrices_wrench(SixMatrices(tensor), twist))


@given(reals(-2.0, 2.0), positive, positive.filter(bool))
def test_strip(x, sideways, vertical):
    assert_never_adds_energy(lambda twist: strip_damping_wrench(Strip(x, sideways, vertical), twist))


def test_cubic_surge_of_the_gavia():
    """Randeni et al. 2018, sign of the quadratic term corrected: its minus is outweighed at every speed."""
    hull = hull_at(pack(torpedo()).row.tolist())
    _, quadratic, cubic = hull.damping
    assert quadratic.quadratic_damping[0][0] < 0.0 < cubic.cubic_surge
    assert_never_adds_energy(lambda twist: hull_damping_wrench(hull, twist))


@pytest.mark.parametrize("make", [bluerov2, falcon, flatfish_gazebo, torpedo, vita1])
def test_whole_vehicles(make):
    """All damping of a vehicle together, couplings and two ways of heave included."""
    parameters = make()
    hull, forces = hull_at(pack(parameters).row.tolist()), hull_forces(parameters)

    def wrench_of(twist):
        wrench = hull_damping_wrench(hull, twist)
        for form in (CROSS_FLOW, SIX_MATRICES, RISING_HEAVE):
            wrench = add6(wrench, records_wrench(form, records_of(forces, form), twist))
        return wrench

    assert_never_adds_energy(wrench_of)


def test_a_negative_coefficient_is_seen():
    """The identified surge damping of FlatFish by least squares (Britto Neto 2018) adds energy above 0.31 m/s."""
    linear, quadratic = diagonal6((117.45, 1, 1, 1, 1, 1)), diagonal6((-381.79, 0, 0, 0, 0, 0))

    def wrench_of(twist):
        slow = linear_damping_wrench(LinearDamping(linear), twist)
        return add6(slow, quadratic_damping_wrench(QuadraticDamping(quadratic), twist))

    power, _ = dissipation(wrench_of)
    assert np.any(power < 0.0)
    slow = np.abs(MANY[:, 0]) < 117.45 / 381.79
    assert np.all(power[slow] >= 0.0)


@given(general_vehicles, twists)
def test_full_quadratic_matrix_is_the_tensor_with_one_slice(parameters, twist):
    """sum_j D_ij |v_j| v_j is the general form with Q_ijj = D_ij."""
    D = np.array(parameters.quadratic_damping)
    tensor = np.zeros((6, 6, 6))
    for j in range(6):
        tensor[:, j, j] = D[:, j]
    expected = quadratic_damping_wrench(QuadraticDamping(parameters.quadratic_damping), twist)
    scale = np.abs(D).max() * max(map(abs, twist)) ** 2
    found = six_matrices_wrench(SixMatrices(tuples(tensor)), twist)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14 * scale + 1e-300)


@given(reals(-3.0, 3.0), reals(-0.3, 0.3), reals(-0.3, 0.3), reals(-1.0, 1.0))
def test_lift_opposes_cross_flow_and_acts_at_the_centre_of_pressure(u, v, w, x):
    """Whether the hull goes ahead or astern; a centre of pressure behind B turns the bow into the flow."""
    slope = 24.0
    lift = np.zeros((6, 6))
    lift[1, 1], lift[5, 1] = slope, x * slope
    lift[2, 2], lift[4, 2] = slope, -x * slope
    acting = [-f for f in lift_wrench(Lift(tuples(lift)), (u, v, w, 0.0, 0.0, 0.0))]
    assert acting[1] * v <= 0.0
    assert acting[2] * w <= 0.0
    assert dot6(tuple(acting), (u, v, w, 0.0, 0.0, 0.0)) <= 0.0
    assert acting[5] == pytest.approx(x * acting[1], rel=1e-14, abs=0)
    assert acting[4] == pytest.approx(-x * acting[2], rel=1e-14, abs=0)
    if x < 0.0 and abs(u * v) > 1e-9:
        assert np.sign(acting[5]) == np.sign(v)  # sway to starboard: the bow goes to starboard, into the flow
    assert abs(acting[1]) == pytest.approx(slope * abs(u * v), rel=1e-14, abs=0)
