"""Explicit integration methods as data: Butcher tableaux, and rules for the remaining methods.

Every method evaluates the body's rate a fixed number of times per step.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

# How the stages of a step are combined.
RUNGE_KUTTA, CHAINED_RUNGE_KUTTA, ADAMS_BASHFORTH, SEMI_IMPLICIT, ADAPTIVE = 0, 1, 2, 3, 4


class IntegrationMethod(NamedTuple):
    """An explicit integration method: a rule, and the weights of its stages."""

    name: str
    order: int
    rule: int
    weights: NDArray[np.float64]  # rows: one per stage (its row of the tableau), the result, the error, the node
    relative_tolerance: float = 0.0
    absolute_tolerance: float = 0.0
    maximum_step: float = np.inf

    def __repr__(self) -> str:
        return f"IntegrationMethod({self.name!r})"  # the weights would fill every help text

    @property
    def stages(self) -> int:
        """Evaluations of the rate per step."""
        return int(self.weights.shape[1])

    @property
    def nodes(self) -> int:
        """Distinct stage times within a step, its end included."""
        return len(_nodes(self.weights[: self.stages]))

    @property
    def tolerances(self) -> NDArray[np.float64]:
        """Relative tolerance, absolute tolerance and maximum step of an adaptive method."""
        return np.array([self.relative_tolerance, self.absolute_tolerance, self.maximum_step])

    @property
    def history_size(self) -> int:
        """Size of the history in a state: a flag and the previous rate."""
        return 14 if self.rule == ADAMS_BASHFORTH else 0


def _nodes(stages: NDArray[np.float64]) -> list[float]:
    """Distinct stage times as fractions of the step: the start first, its end last."""
    times = np.round(stages.sum(axis=1), 12).tolist()
    return [time for time in dict.fromkeys(times) if time != 1.0] + [1.0]


def runge_kutta(
    name: str, order: int, stages: ArrayLike, result: ArrayLike, error: ArrayLike | None = None
) -> IntegrationMethod:
    """Any explicit Runge-Kutta method from its Butcher tableau.

    Parameters
    ----------
    name
        Name in messages and logs.
    order
        Order of its global error.
    stages
        The square, strictly lower triangular matrix of the tableau.
    result
        Weights of the stages in the result; they sum to one.
    error
        Weights whose sum over the stages estimates the local error, for adaptive methods.

    Raises
    ------
    ValueError
        When the tableau is not square, not explicit or not consistent.
    """
    a, b = np.atleast_2d(np.asarray(stages, dtype=float)), np.atleast_1d(np.asarray(result, dtype=float))
    if a.shape != (b.size, b.size):
        raise ValueError(
            f"tableau of {name} has shape {a.shape} for {b.size} weights: give a square matrix of that size"
        )
    if not np.all(np.isfinite(a)):
        raise ValueError(f"tableau of {name} holds a number that is not finite")
    if np.any(np.triu(a) != 0.0):
        raise ValueError(f"tableau of {name} is not explicit: entries on or above its diagonal must be zero")
    if not abs(b.sum() - 1.0) <= 1e-12:
        raise ValueError(f"weights of {name} sum to {b.sum():.15g}: they must sum to 1")
    e = np.zeros(b.size) if error is None else np.asarray(error, dtype=float)
    chained = np.all(np.tril(a, -2) == 0.0)
    nodes = [_nodes(a).index(time) for time in np.round(a.sum(axis=1), 12)]
    weights = np.ascontiguousarray(np.vstack([a, b, e, nodes]))
    return IntegrationMethod(name, order, CHAINED_RUNGE_KUTTA if chained else RUNGE_KUTTA, weights)


RK4 = runge_kutta("rk4", 4, np.diag([1 / 2, 1 / 2, 1], -1), [1 / 6, 1 / 3, 1 / 3, 1 / 6])
EULER = runge_kutta("euler", 1, [[0]], [1])
SEMI_IMPLICIT_EULER = EULER._replace(name="semi_implicit_euler", rule=SEMI_IMPLICIT)
ADAMS_BASHFORTH_2 = EULER._replace(name="adams_bashforth_2", order=2, rule=ADAMS_BASHFORTH)
HEUN = runge_kutta("heun", 2, [[0, 0], [1, 0]], [1 / 2, 1 / 2])

# Dormand and Prince 1980: fifth order with an embedded fourth-order error.
_DORMAND_PRINCE_STAGES: list[list[float]] = [
    [0, 0, 0, 0, 0, 0, 0],
    [1 / 5, 0, 0, 0, 0, 0, 0],
    [3 / 40, 9 / 40, 0, 0, 0, 0, 0],
    [44 / 45, -56 / 15, 32 / 9, 0, 0, 0, 0],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0, 0],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0, 0],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
]
_DORMAND_PRINCE_RESULT = [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0]
_DORMAND_PRINCE_ERROR = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]


def dormand_prince(
    relative_tolerance: float = 1e-9, absolute_tolerance: float = 1e-9, maximum_step: float = np.inf
) -> IntegrationMethod:
    """Adaptive Dormand-Prince 5(4) method.

    Each interval of held inputs starts with the maximum step, so that a run in pieces equals the whole.

    Parameters
    ----------
    relative_tolerance
        Tolerance of the local error relative to each component of the body state.
    absolute_tolerance
        Tolerance of the local error of each component, in its SI unit.
    maximum_step
        Longest step, s.
    """
    for name, value in (("relative", relative_tolerance), ("absolute", absolute_tolerance), ("maximum", maximum_step)):
        if not value > 0.0:
            raise ValueError(f"{name} tolerance or step of dormand_prince is {value}: it must be positive")
    fixed = runge_kutta("dormand_prince", 5, _DORMAND_PRINCE_STAGES, _DORMAND_PRINCE_RESULT, _DORMAND_PRINCE_ERROR)
    return fixed._replace(
        rule=ADAPTIVE,
        relative_tolerance=relative_tolerance,
        absolute_tolerance=absolute_tolerance,
        maximum_step=maximum_step,
    )


def check_method(method: object) -> None:
    """Refuse what is no integration method."""
    if not isinstance(method, IntegrationMethod):
        raise ValueError(f"method is {method!r}: give an IntegrationMethod, such as {', '.join(METHODS)} of METHODS")


METHODS = {m.name: m for m in (RK4, EULER, SEMI_IMPLICIT_EULER, ADAMS_BASHFORTH_2, HEUN, dormand_prince())}
