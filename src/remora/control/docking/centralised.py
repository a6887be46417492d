"""Solutions of a whole team: centralised predictive control and dual decomposition. Nielsen 2018, ch. 7 and 8."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, final

import numpy as np

from remora.control.docking.solvers import OPTIONS, SolverFailureError, import_casadi
from remora.control.docking.team import DockingTeam, Edge
from remora.equations.control.docking import PlanarModel, cone_values, planar_step, port_pose
from remora.files.arrays import Array

# Weight of the distances: between neighbours (graph Laplacian), or of each vehicle to the common pose, as distributed.
ConsensusObjective = Literal["laplacian", "common pose"]
SLACK_WEIGHT = 1e3  # of a violated cone, per m


class CentralisedPlan(NamedTuple):
    """Optimum of the whole team."""

    forces: Array  # vehicles x N x 3
    cost: float
    iterations: int


def agreement_cost(team: DockingTeam, ports: Sequence[Any], objective: ConsensusObjective) -> Any:
    """Cost of the distances between the port poses of a stage: north and east in m, heading in rad.

    `laplacian`: over the edges; `common pose`: to the mean, which is the optimal common pose.
    """
    weights, cost = team.weights.agreement, 0.0
    for i in range(3):
        if objective == "laplacian":
            cost += sum(weights[i] * (ports[a][i] - ports[b][i]) ** 2 for a, b in team.graph.edges)
        else:
            mean = sum(port[i] for port in ports) / len(ports)
            cost += sum(weights[i] * (port[i] - mean) ** 2 for port in ports)
    return cost


def team_cost(team: DockingTeam, starts: Array, plans: Array, objective: ConsensusObjective = "common pose") -> float:
    """Cost of planned forces of all vehicles, without the price of violated cones.

    Starts are vehicles x 6, plans vehicles x N x 3 in N and N m; the objective is as in `agreement_cost`.
    """
    states = [tuple(float(v) for v in x) for x in starts]
    cost = _stage_cost(team, states, objective)
    for k in range(plans.shape[1]):
        forces = [tuple(float(v) for v in plan[k]) for plan in plans]
        cost += _force_cost(team, forces)
        states = _after(team, states, forces)
        cost += _stage_cost(team, states, objective)
    return float(cost)


def _stage_cost(team: DockingTeam, states: Sequence[Any], objective: ConsensusObjective) -> Any:
    ports = [port_pose(v.port, x[:3]) for v, x in zip(team.vehicles, states, strict=True)]
    moving = sum(team.weights.velocity[i] * x[3 + i] * x[3 + i] for x in states for i in range(3))
    return agreement_cost(team, ports, objective) + moving


def _force_cost(team: DockingTeam, forces: Sequence[Any]) -> Any:
    return sum(team.weights.force[i] * u[i] * u[i] for u in forces for i in range(3))


def _after(team: DockingTeam, states: Sequence[Any], forces: Sequence[Any]) -> list[Any]:
    models = [PlanarModel(v.inertia, v.drag, v.current) for v in team.vehicles]
    return [planar_step(m, x, u, team.step) for m, x, u in zip(models, states, forces, strict=True)]


def _sight_values(team: DockingTeam, states: Sequence[Any]) -> list[Any]:
    """Distances to the sides of all cones between neighbours."""
    values: list[Any] = []
    for (i, j), camera in team.cameras.items():
        offset = (states[j][0] - states[i][0], states[j][1] - states[i][1])
        values += cone_values(states[i][2] + camera.mounting, camera.half_angle - team.margin, offset)
    return values


def _target_values(team: DockingTeam, states: Sequence[Any]) -> list[Any]:
    """Squared distances beyond the limit, and distances to the sides of the cones towards targets."""
    values: list[Any] = []
    for i, target in team.targets.items():
        offset = (target.north - states[i][0], target.east - states[i][1])
        values.append(offset[0] ** 2 + offset[1] ** 2 - target.largest_distance**2)
        values += cone_values(states[i][2] + target.camera.mounting, target.camera.half_angle - team.margin, offset)
    return values


def _clearance_values(team: DockingTeam, states: Sequence[Any]) -> list[Any]:
    """Squared clearances of neighbours minus the squares of their distances."""
    return [
        team.clearance(a, b) ** 2 - (states[a][0] - states[b][0]) ** 2 - (states[a][1] - states[b][1]) ** 2
        for a, b in team.graph.edges
        if team.clearance(a, b) > 0.0
    ]


@final
class CentralisedSolver:
    """All vehicles in one nonlinear programme, solved by IPOPT of CasADi.

    Cones between vehicles have slacks of weight SLACK_WEIGHT; targets and clearances are hard.
    """

    def __init__(self, team: DockingTeam, objective: ConsensusObjective = "common pose") -> None:
        import_casadi()
        self.team, self.objective = team, objective

    @cached_property
    def _programme(self) -> tuple[Any, int, int]:
        """The solver, the number of states and the number of inequality rows."""
        casadi = import_casadi()
        n, N = self.team.graph.size, self.team.horizon
        start = casadi.SX.sym("start", 6, n)
        states, forces = casadi.SX.sym("states", 6, n * N), casadi.SX.sym("forces", 3, n * N)
        slacks = casadi.SX.sym("slacks", 2 * len(self.team.cameras), N)
        now = [tuple(start[i, v] for i in range(6)) for v in range(n)]
        cost, equal, unequal = _stage_cost(self.team, now, self.objective), [], []
        for k in range(N):
            applied = [tuple(forces[i, n * k + v] for i in range(3)) for v in range(n)]
            after = _after(self.team, now, applied)
            now = [tuple(states[i, n * k + v] for i in range(6)) for v in range(n)]
            equal += [x[i] - y[i] for x, y in zip(now, after, strict=True) for i in range(6)]
            cost += _force_cost(self.team, applied) + _stage_cost(self.team, now, self.objective)
            unequal += [value - slacks[r, k] for r, value in enumerate(_sight_values(self.team, now))]
            unequal += [*_target_values(self.team, now), *_clearance_values(self.team, now)]
        cost += SLACK_WEIGHT * casadi.sum1(casadi.vec(slacks))
        problem = {
            "x": casadi.vertcat(casadi.vec(states), casadi.vec(forces), casadi.vec(slacks)), "f": cost,
            "g": casadi.vertcat(*equal, *unequal), "p": casadi.vec(start),
        }  # fmt: skip
        return casadi.nlpsol("team", "ipopt", problem, OPTIONS), len(equal), len(unequal)

    def solve(self, starts: Array, plans: Array | None = None) -> CentralisedPlan:
        """The optimum from these states, vehicles x 6, next to given plans, vehicles x N x 3."""
        n, N = self.team.graph.size, self.team.horizon
        solver, equalities, inequalities = self._programme
        guess = np.zeros((n, N, 3)) if plans is None else plans
        states, at = [], [tuple(x) for x in np.asarray(starts, dtype=float)]
        for k in range(N):
            at = _after(self.team, at, [tuple(u) for u in guess[:, k]])
            states.append(at)
        limits = np.tile(np.array([v.force_limits for v in self.team.vehicles]).ravel(), N)
        slacks = 2 * len(self.team.cameras) * N
        free = np.full(6 * n * N, np.inf)
        found = solver(
            x0=np.concatenate([np.array(states).ravel(), guess.transpose(1, 0, 2).ravel(), np.zeros(slacks)]),
            p=np.asarray(starts, dtype=float).ravel(),
            lbx=np.concatenate([-free, -limits, np.zeros(slacks)]),
            ubx=np.concatenate([free, limits, np.full(slacks, np.inf)]),
            lbg=np.concatenate([np.zeros(equalities), np.full(inequalities, -np.inf)]),
            ubg=np.zeros(equalities + inequalities),
        )
        statistics = solver.stats()
        if not statistics["success"]:
            raise SolverFailureError(f"IPOPT ended with {statistics['return_status']}")
        values = np.asarray(found["x"]).ravel()[free.size : free.size + limits.size]
        forces = values.reshape(N, n, 3).transpose(1, 0, 2)
        return CentralisedPlan(forces, float(found["f"]), int(statistics["iter_count"]))


# Minimises J(x) + linear . x over the local variables.
LocalMinimiser: TypeAlias = Callable[[Array], Array]
# Matrices A of an edge by vertex; the constraint of the edge is the sum of A x over its vertices, equal to zero.
EdgeConstraint: TypeAlias = Mapping[int, Array]


class DecomposedSolution(NamedTuple):
    """Result of a dual decomposition."""

    variables: tuple[Array, ...]  # of each vertex
    prices: dict[Edge, Array]
    residuals: Array  # largest violation of an edge constraint after each iteration


def decompose(
    minimisers: Sequence[LocalMinimiser],
    constraints: Mapping[Edge, EdgeConstraint],
    step: float,
    iterations: int,
) -> DecomposedSolution:
    """Minimise a sum of local costs under edge constraints: each price rises by step x violation. Nielsen 2018, (7.39).

    Parameters
    ----------
    minimisers
        For each vertex, from the sum of A^T prices over its edges to its local minimiser.
    constraints
        Local matrices by edge and vertex.
    step
        Of the price update; must be below twice the least curvature of the costs over the largest squared norm of the
        stacked constraints.
    iterations
        Number of price updates.
    """
    _check_constraints(constraints, len(minimisers))
    if not (step > 0.0 and iterations >= 1):
        raise ValueError(f"step is {step} and iterations {iterations}: both must be positive")
    prices = {edge: np.zeros(len(next(iter(local.values())))) for edge, local in constraints.items()}
    residuals: list[float] = []
    variables: tuple[Array, ...] = ()
    for _ in range(iterations):
        variables = tuple(
            minimise(sum((local[i].T @ prices[edge] for edge, local in constraints.items() if i in local), np.zeros(1)))
            for i, minimise in enumerate(minimisers)
        )
        missing = {edge: sum(A @ variables[i] for i, A in local.items()) for edge, local in constraints.items()}
        prices = {edge: prices[edge] + step * missing[edge] for edge in prices}
        residuals.append(max(float(np.abs(value).max()) for value in missing.values()))
    return DecomposedSolution(variables, prices, np.array(residuals))


def _check_constraints(constraints: Mapping[Edge, EdgeConstraint], vertices: int) -> None:
    for edge, local in constraints.items():
        if set(local) != set(edge) or not all(0 <= i < vertices for i in edge):
            raise ValueError(f"edge {edge}: give one matrix for each of its vertices, which are 0 to {vertices - 1}")
        if len({len(A) for A in local.values()}) != 1:
            raise ValueError(f"edge {edge}: its matrices must have equally many rows")
