"""Tolerances from the order and the step of a method, and not from anybody's answer.

A tolerance is ten times the error that the classical fourth-order method commits with the step of the problem, measured
on the equations of the reference itself, plus what rounding may do, rounded up to one digit. Ten, because a code with
other variables (a quaternion, velocities) has another error of the same order. For a navigation filter the method turns
the attitude over each interval, and readings count component by component, which rounds another way.
"""

import math
from collections.abc import Sequence

import numpy as np

from reference.body import body_of
from reference.box_filter import by_component, fourth_order as turned_to_fourth_order, solve_box
from reference.docking import fourth_order, solve_docking
from reference.integration import runge_kutta_4, solve
from reference.problem import Problem
from reference.trajectory import Trajectory, differences, largest_sizes

OTHER_VARIABLES = 10.0
ROUNDING = np.finfo(float).eps


def derived_tolerances(problem: Problem, reference: Sequence[Trajectory]) -> dict[str, float]:
    """The tolerance of each quantity."""
    errors = method_errors(problem, reference)
    rounding = rounding_errors(problem, reference)
    return {quantity: rounded_up(OTHER_VARIABLES * errors[quantity] + rounding[quantity]) for quantity in errors}


def method_errors(problem: Problem, reference: Sequence[Trajectory]) -> dict[str, float]:
    """What the fourth-order method with the step of the problem commits; nothing where nothing moves."""
    if problem.is_navigation:
        return differences(problem, solve_box(problem, by_component, turned_to_fourth_order), reference)
    if all(np.array_equal(t.states, np.tile(t.states[0], (len(t.states), 1))) for t in reference):
        return dict.fromkeys(problem.tolerances, 0.0)
    if problem.docking is not None:
        again = solve_docking(problem, fourth_order(problem.interval, problem.steps))
        return differences(problem, again, reference)
    return differences(problem, solve(problem, runge_kutta_4(problem.interval, problem.steps)), reference)


def rounding_errors(problem: Problem, reference: Sequence[Trajectory]) -> dict[str, float]:
    """One unit in the last place per step, and weight and buoyancy that cancel but for theirs, all the same way."""
    gravity = 0.0 if problem.is_navigation else body_of(problem.vehicle).gravity
    steps = problem.duration / problem.step
    falling = {
        "position": 0.5 * ROUNDING * gravity * problem.duration**2,
        "velocity": ROUNDING * gravity * problem.duration,
    }
    sizes = largest_sizes(problem, reference)
    return {name: ROUNDING * steps * max(1.0, size) + falling.get(name, 0.0) for name, size in sizes.items()}


def rounded_up(value: float) -> float:
    """The next number with one digit."""
    power = math.floor(math.log10(value))
    return float(f"{math.ceil(value / 10.0**power * (1.0 - 1e-9))}e{power}")
