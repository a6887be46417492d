"""Local solvers: derivatives of the condensed problem, frozen problems against the optimum, and CasADi as an option."""

import sys

import numpy as np
import pytest

from remora.control.docking import solvers
from remora.control.docking.agent import DockingAgent
from remora.control.docking.centralised import CentralisedSolver, team_cost
from remora.control.docking.distributed import DistributedPlanner, simulate_docking
from remora.control.docking.solvers import ConvergedSolver, RealTimeSolver, SolverFailureError, converged_solver
from remora.control.docking.team import NIELSEN_STARTS, NIELSEN_VEHICLE, SUBGRADIENT_PRICES, nielsen_team
from remora.plant.kernels.docking import docking_kernels
from remora_evidence.studies.modular.frozen_docking import drawn_problems, excess_costs

STARTS = np.array(NIELSEN_STARTS)


def priced_problem(port=(0.2, 0.3, 0.1)):
    """A problem with random prices, cones, a port with a lever arm and a current."""
    vehicle = NIELSEN_VEHICLE._replace(port=port, current=(0.1, -0.05))
    agent = DockingAgent(nielsen_team(vehicles=(vehicle, vehicle)), 0)
    problem = agent.problem(
        agent.initial(STARTS[0], {1: STARTS[1]}, {(0, 1): 0.0, (1, 0): 0.0, (0, 0): 0.0}), STARTS[0]
    )
    random = np.random.default_rng(0)
    return problem._replace(
        goal=random.normal(size=problem.goal.shape), pull=random.normal(size=problem.pull.shape),
        prices=random.uniform(0.0, 10.0, problem.prices.shape), start=random.normal(size=6),
        watcher_prices=random.uniform(0.0, 10.0, problem.watcher_prices.shape),
    )  # fmt: skip


def condensed(problem, forces, curved=1.0):
    n = forces.size
    states = np.zeros((problem.horizon + 1, 6))
    states[0] = problem.start
    hessian, gradient, rows, upper = np.zeros((n, n)), np.zeros(n), np.zeros((n, n)), np.zeros(n)
    docking_kernels().condense(
        *problem.terms, forces, states, np.zeros((problem.horizon, 6, 8)), np.zeros((problem.horizon + 1, 6, n)),
        np.zeros((15, n)), curved, hessian, gradient, rows, upper,
    )  # fmt: skip
    return hessian, gradient, rows, upper


def cost_of(problem, forces):
    states, found = np.zeros((problem.horizon + 1, 6)), np.zeros(3)
    states[0] = problem.start
    docking_kernels().evaluate(*problem.terms, forces, states, found)
    return found[0]


def test_gradient_rows_and_curvature_are_those_of_differences() -> None:
    problem = priced_problem()
    forces = np.random.default_rng(1).normal(size=(problem.horizon, 3))
    hessian, gradient, rows, _ = condensed(problem, forces)
    flat = np.ascontiguousarray(condensed(problem, forces, 0.0)[0])
    assert np.linalg.eigvalsh(flat).min() > 0.0
    for i in (0, 4, 40, 89):
        change = np.zeros(forces.size)
        change[i] = 1e-5
        change = change.reshape(forces.shape)
        ahead, behind = condensed(problem, forces + change), condensed(problem, forces - change)
        difference = (cost_of(problem, forces + change) - cost_of(problem, forces - change)) / 2e-5
        assert gradient[i] == pytest.approx(difference, abs=1e-4)
        assert np.allclose(rows[:, i], -(ahead[3] - behind[3]) / 2e-5, atol=1e-7)
        expected = (ahead[1] - behind[1]) / 2e-5
        # The curvature of the motion is taken by the trapezoidal rule.
        assert np.abs(hessian[i] - expected).max() < 0.05 * np.abs(flat[i] - expected).max()


@pytest.mark.parametrize(
    ("changes", "duration", "every"), [({}, 2.0, 9), ({"prices": SUBGRADIENT_PRICES}, 1.0, 61)], ids=["admm", "printed"]
)
def test_frozen_problems_reach_the_converged_cost_in_five_steps(changes, duration, every) -> None:
    problems = drawn_problems(nielsen_team(**changes), duration, every)
    assert len(problems) >= 8
    for frozen in problems:
        assert abs(excess_costs(frozen, ConvergedSolver())[-1]) < 1e-4


@pytest.mark.parametrize("seed", [0, 1])
def test_a_step_never_raises_the_cost(seed) -> None:
    """Cheap forces, high prices and long steps, where full steps overshoot."""
    random, problem = np.random.default_rng(seed), priced_problem()
    weights, model = problem.weights.copy(), problem.model.copy()
    weights[:3], weights[6:9], weights[9], model[0] = 0.0, 0.01, 0.0, 0.1
    problem = problem._replace(
        weights=weights, model=model, prices=10.0 * problem.prices, start=random.normal(size=6), target=np.zeros(0),
        pull=np.tile(40.0 * random.normal(size=3), (problem.horizon + 1, 1)), force_limits=10.0 * problem.force_limits,
    )  # fmt: skip
    solver, forces = RealTimeSolver(problem.horizon, False), np.zeros((problem.horizon, 3))
    costs = [cost_of(problem, forces)]
    for _ in range(4):
        plan = solver.step(problem, forces)
        forces = plan.forces
        costs.append(plan.cost)
        assert np.all(np.abs(forces) <= problem.force_limits + 1e-9)
    assert np.all(np.diff(costs) <= 0.0)
    assert costs[-1] < costs[0] - 1000.0


def test_the_loop_with_converged_solutions_moves_alike() -> None:
    team = nielsen_team(iterations=6)
    quick = simulate_docking(DistributedPlanner(team), NIELSEN_STARTS, 0.3)
    exact = simulate_docking(DistributedPlanner(team, solver=converged_solver), NIELSEN_STARTS, 0.3)
    assert np.abs(quick.states[-1] - exact.states[-1]).max() < 1e-3 * np.abs(exact.states[-1] - exact.states[0]).max()


def test_distributed_plans_approach_the_centralised_optimum() -> None:
    best = CentralisedSolver(nielsen_team()).solve(STARTS)
    excess = []
    for iterations in (1, 3, 15):
        team = nielsen_team(iterations=iterations, stop_when_agreed=False)
        planner = DistributedPlanner(team)
        _, result = planner.sample(planner.initial(STARTS), STARTS)
        excess.append(team_cost(team, STARTS, result.plans) / best.cost - 1.0)
    assert excess[0] > excess[1] > excess[2] > -1e-4
    assert excess[2] < 0.05


def test_the_laplacian_objective_counts_distances_between_neighbours() -> None:
    team, still = nielsen_team(), np.zeros((2, 30, 3))
    apart = 31 * 15.0 * (9.0 + 25.0 + 0.38**2)
    assert team_cost(team, STARTS, still, "laplacian") == pytest.approx(apart)
    assert team_cost(team, STARTS, still) == pytest.approx(0.5 * apart)


def test_without_casadi_the_message_says_how_to_install_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "casadi", None)
    with pytest.raises(ImportError, match=r'pip install "remora-auv\[casadi\]"'):
        ConvergedSolver()
    with pytest.raises(ImportError, match="real-time iteration does not"):
        CentralisedSolver(nielsen_team())
    planner = DistributedPlanner(nielsen_team())
    _, result = planner.sample(planner.initial(STARTS), STARTS)
    assert np.isfinite(result.forces).all()


def test_an_unconverged_solution_is_refused(monkeypatch) -> None:
    monkeypatch.setitem(solvers.OPTIONS, "ipopt.max_iter", 1)
    solvers._programme.cache_clear()
    problem = priced_problem()._replace(target=np.zeros(0))
    with pytest.raises(SolverFailureError, match="Maximum_Iterations_Exceeded"):
        ConvergedSolver().step(problem, np.zeros((problem.horizon, 3)))
    solvers._programme.cache_clear()
