"""Converged solution of the predictive problem by CasADi and IPOPT, on the equations that compiled code runs."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from remora.control.predictive.problem import PredictiveProblem
from remora.control.predictive.real_time_iteration import STATE_SHARE, PredictiveInput
from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.water.local_water import kind_of_water, water_from
from remora.files.arrays import Array
from remora.plant.dual.plant_derivatives import rate_or_step, started
from remora.plant.loops import IntegrationPlan
from remora.plant.methods import RK4
from remora.plant.pack import PackedVehicle
from remora.plant.stages import StepArrays, WholeArrays, fill_decays

QUIET: Any = {
    "print_time": False,
    "ipopt.print_level": 0,
    "ipopt.sb": "yes",
    "ipopt.tol": 1e-9,
    "ipopt.max_iter": 200,
    "ipopt.warm_start_init_point": "yes",
}


def symbolic_step(packed: PackedVehicle, interval: float) -> Any:
    """CasADi function of state, commands, external wrench and current in N: the state after one RK4 step."""
    import casadi

    carried, count = packed.actuator_states, packed.actuators
    x, u = casadi.SX.sym("x", BODY_SIZE + carried), casadi.SX.sym("u", count)
    d, flow = casadi.SX.sym("d", 6), casadi.SX.sym("flow", 3)
    decays = np.zeros((count, 2, RK4.nodes))
    fill_decays(packed.row, packed.layout, RK4.weights, interval, decays)

    def empty(*shape: int) -> Any:
        return np.zeros(shape, dtype=object)

    def symbols(vector: Any, first: int, last: int) -> Any:
        return np.array([vector[i] for i in range(first, last)], dtype=object)

    actuators = StepArrays(
        row=packed.row.tolist(), start=symbols(x, BODY_SIZE, BODY_SIZE + carried), commands=symbols(u, 0, count),
        targets=empty(count), decays=decays, outputs=empty(RK4.nodes, count), thruster_wrenches=empty(RK4.nodes, 6),
    )  # fmt: skip
    environment = np.concatenate([symbols(d, 0, 6), symbols(flow, 0, 3)])
    work = WholeArrays(actuators, symbols(x, 0, BODY_SIZE), environment, empty(RK4.stages, BODY_SIZE))
    plan = IntegrationPlan(RK4.rule, RK4.weights, RK4.tolerances, interval, 1, 1)
    water = water_from(work.environment[6:], kind_of_water(3))
    body = rate_or_step(work, packed.layout, plan, started(work, packed.layout, True, water), water, 0.0)
    return casadi.Function("step", [x, u, d, flow], [casadi.vertcat(*body, *actuators.start)])


class Converged(NamedTuple):
    """Solution of the judge."""

    cost: float
    forces: Array  # N x n
    success: bool


@final
@dataclass(frozen=True, eq=False)
class ConvergedControl:
    """The non-linear programme of a problem; `converged_solver` builds it."""

    problem: PredictiveProblem
    solver: Any
    lower: Array
    upper: Array
    row_lower: Array
    row_upper: Array

    def solve(self, given: PredictiveInput, forces: Array, states: Array) -> Converged:
        """Converged cost and forces, from a start: forces N x n and the states at stages 0 to N that they lead to."""
        p = self.problem
        start = np.concatenate([np.concatenate([forces[k], states[k + 1]]) for k in range(p.horizon)])
        reference = np.column_stack([given.reference.positions, given.reference.headings, given.reference.twists])
        parameters = np.concatenate(
            [given.state, given.before, given.disturbance, given.steady, given.water, reference.ravel()]
        )
        found = self.solver(
            x0=start, p=parameters, lbx=self.lower, ubx=self.upper, lbg=self.row_lower, ubg=self.row_upper
        )
        values = np.array(found["x"]).reshape(p.horizon, -1)
        return Converged(float(found["f"]), values[:, : p.thrusters], bool(self.solver.stats()["success"]))


def converged_solver(problem: PredictiveProblem) -> ConvergedControl:
    """Multiple-shooting programme with the cost and the limits of a problem, walls aside."""
    import casadi

    p, n, nx = problem, problem.thrusters, BODY_SIZE + problem.thrusters
    step = symbolic_step(p.packed, p.period / p.steps)
    x0, before, d = casadi.SX.sym("x0", nx), casadi.SX.sym("before", n), casadi.SX.sym("d", 6)
    steady, flow, ref = casadi.SX.sym("steady", n), casadi.SX.sym("flow", 3), casadi.SX.sym("ref", 10, p.horizon)
    unknowns, rows, row_bounds, cost = [], [], [], casadi.SX(0)
    x, last = x0, before
    for k in range(p.horizon):
        u, following = casadi.SX.sym(f"u{k}", n), casadi.SX.sym(f"x{k}", nx)
        unknowns += [u, following]
        reached = x
        for _ in range(p.steps):
            reached = step(reached, u, d, flow)
        rows.append(following - reached)
        row_bounds.append(np.zeros((nx, 2)))
        if not math.isinf(p.largest_increment):
            rows.append(u - last)
            row_bounds.append(np.tile([-p.largest_increment, p.largest_increment], (n, 1)))
        e = symbolic_errors(following, ref[:, k])
        force, change = u - steady, u - last
        cost += 0.5 * (casadi.dot(force**2, p.force_weights) + casadi.dot(change**2, p.increment_weights))
        if k < p.horizon - 1:
            cost += 0.5 * casadi.dot(e**2, p.state_weights)
        x, last = following, u
    end = casadi.vertcat(e, x[BODY_SIZE:] - steady)
    cost += 0.5 * casadi.bilin(casadi.DM(p.terminal), end, end)
    rows.append(steady - casadi.mtimes(casadi.DM(p.feedback), end))
    row_bounds.append(np.column_stack([p.lowest, p.highest]))
    nlp = {
        "x": casadi.vertcat(*unknowns),
        "f": cost,
        "g": casadi.vertcat(*rows),
        "p": casadi.vertcat(x0, before, d, steady, flow, casadi.vec(ref)),
    }
    bounds, low_high = np.vstack(row_bounds), _bounds(p)
    solver = casadi.nlpsol("converged", "ipopt", nlp, QUIET)
    return ConvergedControl(p, solver, low_high[:, 0], low_high[:, 1], bounds[:, 0], bounds[:, 1])


def symbolic_errors(state: Any, reference: Any) -> Any:
    """Errors of a state against position, heading and twist of a reference, twelve numbers."""
    import casadi

    heading = reference[3]
    c, s = casadi.cos(heading), casadi.sin(heading)
    hc, hs = casadi.cos(0.5 * heading), casadi.sin(0.5 * heading)
    away = state[:3] - reference[:3]
    w, x, y, z = (state[i] for i in range(3, 7))
    turn = casadi.vertcat(hc * x + hs * y, hc * y - hs * x, hc * z - hs * w)
    sign = casadi.if_else(hc * w + hs * z < 0.0, -1.0, 1.0)
    place = casadi.vertcat(c * away[0] + s * away[1], c * away[1] - s * away[0], away[2])
    return casadi.vertcat(place, 2.0 * sign * turn, state[7:BODY_SIZE] - reference[4:])


def _bounds(p: PredictiveProblem) -> Array:
    """Bounds of all forces and states, one row each."""
    states = np.tile([-np.inf, np.inf], (BODY_SIZE + p.thrusters, 1))
    for limit, first in ((p.limits.speed, 7), (p.limits.rate, 10)):
        if limit is not None:
            states[first : first + 3] = [-STATE_SHARE * limit, STATE_SHARE * limit]
    return np.tile(np.vstack([np.column_stack([p.lowest, p.highest]), states]), (p.horizon, 1))
