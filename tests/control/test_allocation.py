"""Allocation: the pseudo-inverse of the papers, limits kept, and thrusters lost with grace."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from remora.control import bounded_allocation, pseudo_inverse
from remora.control.allocation.thrusters import ALL_AXES, HELD_AXES, independent_axes
from remora.quadratic import INFEASIBLE, Programme
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.checks.actuation import allocation_matrix, thrust_limits
from sample_features import reals, six

# Britto Neto 2018: least forces for surge, sway, heave and yaw; axes forward, left, up.
FLATFISH = np.array([
    [0.49437, 0.05102, 0.0, 0.28148],
    [0.50563, -0.05102, 0.0, -0.28148],
    [0.01012, -0.59168, 0.0, -0.50583],
    [-0.01012, -0.40832, 0.0, 0.50583],
    [0.0, 0.0, 0.5, 0.0],
    [0.0, 0.0, 0.5, 0.0],
])  # fmt: skip
TO_OUR_AXES = np.array([1.0, -1.0, -1.0, -1.0])  # of X, Y, Z and N, from left and up to right and down
DRIVEN = [name for name in preset_names() if len(load_vehicle(name).parameters.thrusters) >= 3]


def parameters_of(name):
    return load_vehicle(name).parameters


def exact(allocation, wrench):
    """The bounded optimum by trying which thrusters are at which limit."""
    P, c = allocation.hessian, allocation.gradient @ wrench
    lo, hi, best = allocation.lowest, allocation.highest, None
    for ends in itertools.product((-1, 0, 1), repeat=len(c)):
        at = np.array(ends)
        u, free = np.where(at < 0, lo, np.where(at > 0, hi, 0.0)), at == 0
        if free.any():
            u[free] = np.linalg.solve(P[np.ix_(free, free)], -c[free] - P[np.ix_(free, ~free)] @ u[~free])
        if np.all(u >= lo - 1e-9) and np.all(u <= hi + 1e-9):
            value = 0.5 * u @ P @ u + c @ u
            best = (value, u) if best is None or value < best[0] else best
    return best[1]


@pytest.mark.parametrize("name", ["flatfish_basin_ls", "flatfish_bay_adaptive", "flatfish_gazebo"])
def test_flatfish_least_norm_table_to_its_digits(name):
    """R31."""
    allocation = pseudo_inverse(parameters_of(name), HELD_AXES)
    assert np.abs(allocation.inverse[:, HELD_AXES] * TO_OUR_AXES - FLATFISH).max() < 0.5e-5
    bounded = bounded_allocation(parameters_of(name), HELD_AXES)
    assert np.abs(bounded.inverse[:, HELD_AXES] * TO_OUR_AXES - FLATFISH).max() < 0.5e-5


def test_a_pitch_row_removes_the_pitch_of_heaving():
    """Half a newton each leaves 0.06625 N m per newton of heave; a pitch row takes it away."""
    parameters = parameters_of("flatfish_basin_ls")
    upward = np.array([0.0, 0.0, -1.0, 0.0, 0.0, 0.0])
    plain, levelled = pseudo_inverse(parameters, HELD_AXES), pseudo_inverse(parameters, (0, 1, 2, 4, 5))
    assert abs((plain.matrix @ plain.allocate(upward))[4]) == pytest.approx(0.06625)
    assert levelled.matrix @ levelled.allocate(upward) == pytest.approx(upward, abs=1e-12)


def test_right_inverse_of_vita1():
    """S2V-09: H H^+ = I to 1e-10, and H^+ = H^T (H H^T)^-1."""
    H, allocation = allocation_matrix(parameters_of("vita1")), pseudo_inverse(parameters_of("vita1"))
    assert np.abs(H @ allocation.inverse - np.eye(6)).max() < 1e-10
    assert allocation.inverse == pytest.approx(H.T @ np.linalg.inv(H @ H.T), abs=1e-12)
    assert allocation.uncontrollable == ()


UNREACHABLE = {"vita1": (), "bluerov2": ("pitch",), "remus100": ("sway", "heave", "roll", "pitch", "yaw")}


@pytest.mark.parametrize("name", UNREACHABLE)
def test_what_cannot_be_made_is_named(name):
    allocation = pseudo_inverse(parameters_of(name))
    assert allocation.uncontrollable == UNREACHABLE[name]
    H = allocation_matrix(parameters_of(name))
    assert allocation.inverse == pytest.approx(np.linalg.pinv(H, rcond=1e-9), abs=1e-9)
    assert bounded_allocation(parameters_of(name)).uncontrollable == UNREACHABLE[name]


@pytest.mark.parametrize("name", DRIVEN)
@pytest.mark.parametrize("axes", [ALL_AXES, HELD_AXES], ids=["six", "four"])
def test_inside_the_limits_bounded_is_the_pseudo_inverse(name, axes):
    """R31 and C4: the wrench is made, and nothing is reported missing."""
    parameters = parameters_of(name)
    bounded, plain = bounded_allocation(parameters, axes), pseudo_inverse(parameters, axes)
    assert bounded.inverse == pytest.approx(plain.inverse, rel=1e-9, abs=1e-9)
    random = np.random.default_rng(1)
    limits = thrust_limits(parameters)
    forces = random.uniform(0.05 * limits[:, 0], 0.05 * limits[:, 1], (50, len(limits)))
    for wrench in forces @ allocation_matrix(parameters).T:
        free = plain.allocate(wrench)
        if np.any(free < limits[:, 0]) or np.any(free > limits[:, 1]):
            continue
        found = bounded.allocate(wrench)
        assert not found.limited
        assert found.forces == pytest.approx(free, rel=1e-9, abs=1e-9)
        if not plain.uncontrollable:
            assert found.wrench[list(axes)] == pytest.approx(wrench[list(axes)], abs=1e-9)
            assert np.abs(found.missing).max() < 1e-9


@pytest.mark.parametrize("name", ["vita1", "bluerov2", "falcon", "flatfish_basin_ls"])
def test_limits_are_kept_and_the_rest_is_reported(name):
    """R31 and C4."""
    parameters = parameters_of(name)
    allocation = bounded_allocation(parameters, HELD_AXES)

    @given(six(400.0))
    def bounded(wrench):
        found = allocation.allocate(wrench)
        assert np.all(found.forces >= allocation.lowest)
        assert np.all(found.forces <= allocation.highest)
        assert found.wrench == pytest.approx(allocation.matrix @ found.forces)
        asked = np.array(wrench) * allocation.controlled
        assert found.wrench * allocation.controlled + found.missing == pytest.approx(asked, abs=1e-9)
        free = allocation.inverse @ np.array(wrench)
        clipped = np.clip(free, allocation.lowest, allocation.highest)
        wrong = np.linalg.norm((allocation.matrix @ clipped - wrench) * allocation.controlled)
        assert np.linalg.norm(found.missing) <= wrong * (1.0 + 1e-6) + 1e-6  # never worse than cutting off

    bounded()


@pytest.mark.parametrize(("name", "disabled"), [("flatfish_basin_ls", ()), ("bluerov2", (1,)), ("falcon", (0,))])
def test_the_solver_finds_the_exact_optimum(name, disabled):
    allocation = bounded_allocation(parameters_of(name), HELD_AXES, disabled)
    random = np.random.default_rng(2)
    for _ in range(12):
        wrench = allocation.matrix @ random.uniform(-200.0, 200.0, allocation.matrix.shape[1])
        found = allocation.allocate(wrench)
        assert found.forces == pytest.approx(exact(allocation, wrench), abs=1e-6)


def test_a_feasible_wrench_is_made_although_the_pseudo_inverse_would_pass_a_limit():
    """Redundant thrusters take over: 8 thrusters of vita1, one nearly at its limit."""
    parameters = parameters_of("vita1")
    forces = np.array([50.0, 20.0, -30.0, -35.0, 40.0, -20.0, 10.0, 45.0])
    wrench = allocation_matrix(parameters) @ forces
    found = bounded_allocation(parameters).allocate(wrench)
    assert np.abs(found.missing).max() < 2e-3
    free = pseudo_inverse(parameters).allocate(3.0 * wrench)
    assert bounded_allocation(parameters).allocate(3.0 * wrench).limited == bool(np.any(free > 51.48))


@pytest.mark.parametrize("index", range(8))
def test_one_thruster_lost_of_eight_loses_nothing_that_six_can_make(index):
    """R31 and C5: vita1 keeps all six axes with any seven of its thrusters."""
    parameters = parameters_of("vita1")
    allocation = bounded_allocation(parameters, disabled=(index,))
    assert allocation.uncontrollable == ()
    wrench = np.array([5.0, -3.0, 4.0, 0.2, -0.3, 0.4])
    found = allocation.allocate(wrench)
    assert found.forces[index] == 0.0
    assert found.wrench == pytest.approx(wrench, abs=1e-9)
    huge = allocation.allocate(100.0 * wrench)
    assert huge.forces[index] == 0.0
    assert huge.limited


def test_lost_directions_are_named():
    """C5: without both heave thrusters the FlatFish has no heave, and says so; the others are still made."""
    allocation = bounded_allocation(parameters_of("flatfish_basin_ls"), HELD_AXES, ("heave_front", "heave_rear"))
    assert allocation.uncontrollable == ("heave",)
    found = allocation.allocate([20.0, 10.0, 30.0, 0.0, 0.0, 5.0])
    assert found.missing == pytest.approx([0.0, 0.0, 30.0, 0.0, 0.0, 0.0], abs=1e-9)


@given(st.integers(0, 5), reals(-300.0, 300.0))
def test_zero_wrench_zero_forces_and_one_axis_grows_evenly(axis, size):
    """C1, and no jump where the limits are reached."""
    allocation = bounded_allocation(parameters_of("flatfish_basin_ls"), HELD_AXES)
    assert not allocation.allocate(np.zeros(6)).forces.any()
    wrench = np.zeros(6)
    wrench[axis] = size
    near = allocation.allocate(wrench * 1.0001).forces
    assert np.abs(near - allocation.allocate(wrench).forces).max() < 0.1 + 0.001 * abs(size)


@pytest.mark.parametrize("name", [name for name in preset_names() if load_vehicle(name).parameters.thrusters])
def test_axes_that_can_be_made_apart_are_all_made_exactly(name):
    """As many as the rank, forces and yaw before roll and pitch; without roll of the Falcon, which costs too much."""
    parameters = parameters_of(name)
    matrix, axes = allocation_matrix(parameters), independent_axes(parameters)
    rows = matrix[list(axes)]
    assert np.linalg.matrix_rank(rows) == len(axes) == np.linalg.matrix_rank(matrix) - (name == "falcon")
    assert set(HELD_AXES) <= set(axes) or np.linalg.matrix_rank(matrix[list(HELD_AXES)]) < 4
    wanted = np.zeros(6)
    wanted[list(axes)] = 1e-3
    assert bounded_allocation(parameters, axes).allocate(wanted).missing == pytest.approx(np.zeros(6), abs=1e-12)


def test_thrusters_of_the_falcon_do_not_fight_each_other_for_a_small_wrench():
    """With roll kept at zero by levers of a centimetre, four thrusters push with 60 N each (C7)."""
    falcon = parameters_of("falcon")
    wrench = np.array([0.0, 5.0, 20.0, 0.0, 0.0, 0.0])
    forces = [
        np.abs(bounded_allocation(falcon, axes).allocate(wrench).forces)
        for axes in (independent_axes(falcon), (0, 1, 2, 3, 5))
    ]
    assert forces[0].max() < 25.0
    assert forces[1][:4].min() > 50.0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_wrench_that_is_no_number_gives_no_force(bad):
    """C8."""
    wrench = np.array([bad, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert not bounded_allocation(parameters_of("vita1")).allocate(wrench).forces.any()
    assert not pseudo_inverse(parameters_of("vita1")).allocate(wrench).any()


def test_important_axes_are_served_first():
    parameters = parameters_of("vita1")
    wrench = np.array([300.0, 0.0, 0.0, 0.0, 0.0, 20.0])
    plain = bounded_allocation(parameters).allocate(wrench)
    turning = bounded_allocation(parameters, importance=(1, 1, 1, 20, 20, 20)).allocate(wrench)
    assert abs(turning.missing[5]) < 0.2 * abs(plain.missing[5])


def test_costly_thrusters_are_spared():
    parameters = parameters_of("vita1")
    effort = np.ones(8)
    effort[0] = 100.0
    wrench = np.array([10.0, 0.0, 20.0, 0.0, 0.0, 0.0])
    plain, spared = (bounded_allocation(parameters, HELD_AXES, effort=e).allocate(wrench) for e in (None, effort))
    assert abs(spared.forces[0]) < 0.1 * abs(plain.forces[0])
    assert spared.wrench[:3] == pytest.approx(wrench[:3], abs=1e-9)


def test_a_failed_solver_still_gives_forces_within_limits(monkeypatch):
    allocation = bounded_allocation(parameters_of("vita1"), disabled=(3,))
    monkeypatch.setattr("remora.control.allocation.thrusters.box_kernel", lambda: lambda *_: -1)
    monkeypatch.setattr(
        "remora.quadratic.solve", lambda *_, **__: Programme(np.full(8, np.nan), INFEASIBLE, np.zeros(8))
    )
    wrench = np.array([500.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    found = allocation.allocate(wrench)
    assert np.all(found.forces >= allocation.lowest)
    assert np.all(found.forces <= allocation.highest)
    assert found.wrench[0] > 50.0
    assert np.abs(found.wrench[1:]).max() < 1e-9


def test_bad_input_is_refused():
    parameters = parameters_of("vita1")
    with pytest.raises(ValueError, match="unknown thruster 'bow'"):
        bounded_allocation(parameters, disabled=("bow",))
    with pytest.raises(ValueError, match="unknown thruster 8"):
        pseudo_inverse(parameters, disabled=(8,))
    with pytest.raises(ValueError, match="importance"):
        bounded_allocation(parameters, importance=(1, 2))
    with pytest.raises(ValueError, match="effort"):
        bounded_allocation(parameters, effort=np.zeros(8))
