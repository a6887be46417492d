"""Predictive problems frozen in closed loops: the real-time iteration against the converged solution."""

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from remora.control.predictive.controller import PoseTarget, PredictiveControl
from remora.control.predictive.problem import PredictiveLimits, predictive_problem
from remora.control.predictive.real_time_iteration import PredictiveInput
from remora.files.arrays import Array
from remora.messages.estimate import Estimate
from remora.plant import Stepper, pack
from remora.sensors import Stream
from remora.vehicles import load_vehicle
from remora.vehicles.variants.scatter import Spread, scattered
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.control.converged_solution import ConvergedControl, converged_solver
from remora_evidence.studies.sampling import normals

LIMITS = PredictiveLimits(force_rate=150.0, speed=0.4, rate=0.3)  # N/s, m/s, rad/s
PERIOD, STEP = 0.1, 0.01  # s, of controller and plant
SAMPLES, SPACING = 45, 4  # of a loop, and between two frozen problems
MOST_ITERATIONS = 5
WORST_SHARE = 1e-4  # of the converged cost


class FrozenControlProblem(NamedTuple):
    """A problem with the forces that the loop had before its iteration."""

    given: PredictiveInput
    forces: Array


class FlownLoop(NamedTuple):
    """Frozen problems of a loop, and its largest values over their limits."""

    problems: list[FrozenControlProblem]
    forces: float  # largest force over its limit
    increments: float
    speeds: float
    rates: float


def predictive_control() -> PredictiveControl:
    """The controller of the BlueROV2 Heavy with all limits."""
    return PredictiveControl(predictive_problem(load_vehicle("bluerov2_heavy").parameters, limits=LIMITS))


def closed_loop(control: PredictiveControl, seed: int, is_exact: bool = False) -> FlownLoop:
    """A loop from an offset pose towards a moving and turning target; the plant is exactly the model, or disturbed."""
    p = control.problem
    nominal = load_vehicle("bluerov2_heavy").parameters
    off = Spread(added_mass=0.2, linear_damping=0.2, quadratic_damping=0.2, uniform=True)
    packed = p.packed if is_exact else pack(scattered(nominal, off, Stream(seed, "plant")))
    stepper = Stepper(packed, STEP)
    chance = normals(seed, "loop", 16)
    body = np.array([*0.15 * chance[:3], 1.0, *0.05 * chance[3:6], *0.05 * chance[6:9], *np.zeros(3 + p.thrusters)])
    body[3:7] /= np.linalg.norm(body[3:7])
    held, frozen, peaks = control.initial(), [], np.zeros(4)
    for k in range(SAMPLES):
        target = _target(chance, k * PERIOD)
        estimate = _estimate(body, k)
        if k % SPACING == 0:
            plan = np.array(held.plan).reshape(p.horizon, p.thrusters)
            frozen.append(FrozenControlProblem(control.given(held, estimate, target), plan))
        before = np.array(held.before)
        held, forces = control.step(held, estimate, target)
        wrench = np.zeros(6) if is_exact else _disturbance(chance, k * PERIOD)
        for _ in range(round(PERIOD / STEP)):
            body = stepper(body, forces, external=wrench)
        peaks = np.maximum(peaks, _peaks(control, forces, before, body))
    return FlownLoop(frozen, *peaks.tolist())


def _target(chance: Array, time: float) -> PoseTarget:
    """A target that moves at up to 0.3 m/s and turns at up to 0.15 rad/s."""
    v = 0.3 * np.tanh(chance[9:12])
    turn = 0.15 * math.tanh(chance[12])
    x, y, z = (v * time).tolist()
    return PoseTarget((x, y, z), turn * time, (float(v[0]), float(v[1]), float(v[2])), turn)


def _disturbance(chance: Array, time: float) -> Array:
    """Forces of a swell of 4 s, up to about 15 N."""
    return np.array([*8.0 * np.sin(0.5 * np.pi * time + chance[:3]) * np.tanh(chance[13:16]), 0.0, 0.0, 0.0])


def _estimate(body: Array, k: int) -> Estimate:
    x, y, z, s, i, j, m, u, v, w, a, b, c = body[:13].tolist()
    return Estimate(round(1e9 * k * PERIOD), (x, y, z), (s, i, j, m), (u, v, w, a, b, c))


def _peaks(control: PredictiveControl, forces: Array, before: Array, body: Array) -> Array:
    """Forces, increments, speeds and turn rates over their limits."""
    p = control.problem
    return np.array(
        [
            np.max(forces / np.where(forces > 0.0, p.highest, p.lowest)),
            np.max(np.abs(forces - before)) / p.largest_increment,
            np.max(np.abs(body[7:10])) / (p.limits.speed or math.inf),
            np.max(np.abs(body[10:13])) / (p.limits.rate or math.inf),
        ]
    )


class Judged(NamedTuple):
    """A frozen problem against its converged solution."""

    iterations: int  # until within the share; MOST_ITERATIONS + 1 where it was not reached
    share: float  # of the converged cost, by which that of the last iteration differs
    is_solved: bool  # whether the judge converged


def judged(control: PredictiveControl, solver: ConvergedControl, frozen: FrozenControlProblem) -> Judged:
    """Iterations of one problem until its cost is that of the converged solution."""
    iteration = control.iteration
    states = iteration.rollout(frozen.given, frozen.forces)
    converged = solver.solve(frozen.given, frozen.forces, states)
    forces, first, share = frozen.forces, MOST_ITERATIONS + 1, math.inf
    for k in range(1, MOST_ITERATIONS + 1):
        forces = iteration.solve(frozen.given, forces).forces
        cost = iteration.cost(frozen.given, forces, iteration.rollout(frozen.given, forces))
        share = abs(cost / converged.cost - 1.0)  # a lower cost would break a limit
        if share <= WORST_SHARE and first > MOST_ITERATIONS:
            first = k
    return Judged(first, share, converged.success)


@cache
def judge() -> tuple[PredictiveControl, ConvergedControl]:
    """The controller, and the solver that converges."""
    control = predictive_control()
    return control, converged_solver(control.problem)


@cache
def judged_loop(seed: int) -> list[Judged]:
    """All problems of one loop."""
    control, solver = judge()
    return [judged(control, solver, one) for one in closed_loop(control, seed).problems]


@cache
def exact_loop(seed: int) -> FlownLoop:
    """One loop whose plant is the model."""
    return closed_loop(judge()[0], seed, is_exact=True)


def frozen_problems(seeds: Sequence[int]) -> list[Value]:
    """Q1: problems of closed loops reach the converged cost; limits hold where the plant is the model."""
    found = [one for seed in seeds for one in judged_loop(seed)]
    solved = [one for one in found if one.is_solved]
    exact = [exact_loop(seed) for seed in seeds]
    return [
        ("frozen problems", float(len(solved))),
        ("problems that the judge did not solve", float(len(found) - len(solved))),
        ("most iterations to the converged cost", float(max(one.iterations for one in solved))),
        ("difference of the cost after five iterations, worst problem", max(one.share for one in solved)),
        *(
            (f"largest {word} over its limit, plant equal to the model", max(getattr(one, word) for one in exact))
            for word in ("forces", "increments", "speeds", "rates")
        ),
    ]


STUDIES: dict[str, StudyFunction] = {"Q1": frozen_problems}
