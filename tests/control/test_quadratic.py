"""Quadratic programmes by daqp and by NumPy are the same."""

import numpy as np
import pytest

from remora import quadratic
from remora.control.docking.distributed import DistributedPlanner
from remora.control.docking.team import NIELSEN_STARTS, nielsen_team
from remora.control.predictive.controller import PoseTarget, PredictiveControl
from remora.control.predictive.problem import PredictiveLimits, predictive_problem
from remora.equations.algebra.vectors import ZERO3, ZERO6
from remora.messages.estimate import Estimate
from remora.quadratic import FREE, INFEASIBLE, NOT_CONVEX, OPTIMAL, SOFT, solve, solve_by_numpy
from remora.vehicles import load_vehicle

DAQP = quadratic.daqp


def programme(rng, soft=False, far=False, one_sided=False):
    """Random bounds and rows around zero; `far` moves the rows away from it, so that some problems have no solution."""
    size, count = int(rng.integers(1, 20)), int(rng.integers(0, 30))
    root = rng.normal(size=(size, size))
    hessian = root @ root.T + 10.0 ** rng.uniform(-3, 1) * np.eye(size)
    gradient = rng.normal(size=size) * 10.0 ** rng.uniform(-1, 2)
    rows = rng.normal(size=(count, size)) * 10.0 ** rng.uniform(-1, 1)
    lower, upper = -rng.uniform(0.05, 3.0, size=size + count), rng.uniform(0.05, 3.0, size=size + count)
    kinds = np.zeros(size + count, dtype=np.int32)
    if one_sided:
        lower[size:] = -FREE
    if far:
        upper[size:] -= 1.5
        lower[size:] -= 3.0
    if soft:
        kinds[size:] = SOFT
    return hessian, gradient, rows, upper, lower, kinds


@pytest.mark.skipif(quadratic.daqp is None, reason="it has no wheels for this Python")
@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("far", [False, True])
@pytest.mark.parametrize("one_sided", [False, True])
def test_both_solvers_find_the_same(soft, far, one_sided):
    rng = np.random.default_rng(7)
    flags = set()
    for _ in range(60):
        given = programme(rng, soft, far, one_sided)
        ours, judge = solve_by_numpy(*given, tolerance=1e-9), solve(*given, tolerance=1e-9)
        assert ours.flag == judge.flag
        flags.add(ours.flag)
        if ours.flag > 0:
            np.testing.assert_allclose(ours.x, judge.x, rtol=0, atol=1e-6 * (1.0 + np.abs(judge.x).max()))
            scale = 1.0 + np.abs(judge.multipliers).max()
            np.testing.assert_allclose(ours.multipliers, judge.multipliers, rtol=0, atol=1e-6 * scale)
    assert flags >= ({OPTIMAL, INFEASIBLE} if far and not soft else {OPTIMAL} if not soft else set())


def test_a_solution_meets_the_conditions_of_optimality():
    rng = np.random.default_rng(8)
    for _ in range(60):
        hessian, gradient, rows, upper, lower, kinds = programme(rng)
        x, flag, multipliers = solve_by_numpy(hessian, gradient, rows, upper, lower, kinds, 1e-9)
        every = np.vstack([np.eye(len(x)), rows])
        values, scale = every @ x, 1.0 + np.abs(gradient).max()
        assert flag == OPTIMAL
        assert (values <= upper + 1e-7).all()
        assert (values >= lower - 1e-7).all()
        np.testing.assert_allclose(hessian @ x + gradient + every.T @ multipliers, 0.0, atol=1e-6 * scale)
        assert (multipliers[values < upper - 1e-6] <= 1e-9 * scale).all()
        assert (multipliers[values > lower + 1e-6] >= -1e-9 * scale).all()


def test_what_cannot_be_solved_is_said():
    hessian, gradient, none = np.eye(2), np.ones(2), np.zeros(3, dtype=np.int32)
    rows, upper, lower = np.array([[1.0, 1.0]]), np.array([1.0, 1.0, FREE]), np.array([-1.0, -1.0, 3.0])
    assert solve_by_numpy(hessian, gradient, rows, upper, lower, none).flag == INFEASIBLE
    assert solve_by_numpy(-hessian, gradient, rows, upper, lower, none).flag == NOT_CONVEX
    assert solve_by_numpy(hessian, gradient, 0.0 * rows, upper, lower, none).flag == INFEASIBLE


def test_without_daqp_numpy_solves_and_one_line_says_so(monkeypatch, capsys):
    monkeypatch.setattr(quadratic, "daqp", None)
    quadratic._announce.cache_clear()
    given = programme(np.random.default_rng(9))
    first, second = solve(*given), solve(*given)
    assert (first.x == second.x).all()
    assert capsys.readouterr().err == (
        "daqp is not installed: quadratic programmes are solved by NumPy, which is slower\n"
    )


def docking():
    planner, starts = DistributedPlanner(nielsen_team()), np.array(NIELSEN_STARTS)
    planner.sample(planner.initial(starts), starts)


def prediction():
    limits = PredictiveLimits(speed=0.2)
    control = PredictiveControl(predictive_problem(load_vehicle("bluerov2_heavy").parameters, limits=limits))
    state, at = control.initial(), Estimate(0, ZERO3, (1.0, 0.0, 0.0, 0.0), ZERO6)
    for _ in range(4):
        state, _ = control.step(state, at, PoseTarget((3.0, -2.0, 1.0), 1.0, ZERO3, 0.0))


class Recorder:
    """In place of daqp: solves by it and keeps the problems."""

    def __init__(self):
        self.problems = []

    def solve(self, *given, primal_tol):
        self.problems.append([np.array(one) for one in given])
        return DAQP.solve(*given, primal_tol=primal_tol)


@pytest.mark.skipif(quadratic.daqp is None, reason="it has no wheels for this Python")
@pytest.mark.parametrize("flight", [docking, prediction])
def test_programmes_of_the_controllers_are_solved_alike(flight, monkeypatch):
    recorder = Recorder()
    monkeypatch.setattr(quadratic, "daqp", recorder)
    flight()
    monkeypatch.undo()
    assert len(recorder.problems) >= 3
    solved = 0
    for given in recorder.problems:
        ours, judge = solve_by_numpy(*given), solve(*given)
        assert (ours.flag > 0) == (judge.flag > 0)
        if ours.flag > 0:
            np.testing.assert_allclose(ours.x, judge.x, rtol=0, atol=1e-4 * np.abs(judge.x).max())
            solved += 1
    assert solved >= 3
