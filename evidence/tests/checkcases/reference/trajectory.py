"""Trajectories of a case as tables, and how far apart two of them are."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from reference.problem import Array, Problem

COLUMNS = ("north", "east", "down", "q0", "q1", "q2", "q3", "u", "v", "w", "p", "q", "r")
# Quantity -> its unit; differences are lengths of vectors, for the attitude the angle between both.
UNITS = {
    "position": "m", "attitude": "rad", "velocity": "m/s", "rates": "rad/s", "thrust": "N", "position_sigma": "m",
    "velocity_sigma": "m/s", "attitude_sigma": "rad", "nees": "1",
}  # fmt: skip
_PLACES = {
    "position": slice(0, 3), "velocity": slice(7, 10), "rates": slice(10, 13), "thrust": slice(13, None),
    "position_sigma": slice(13, 16), "velocity_sigma": slice(16, 19), "attitude_sigma": slice(19, 22),
    "nees": slice(22, 23),
}  # fmt: skip
# Columns of a navigation filter after those of the state.
_SIGMAS = (*(f"sigma_{name}" for name in (*COLUMNS[:3], *COLUMNS[7:10], "roll", "pitch", "yaw")), "nees")


class Trajectory(NamedTuple):
    """States of one run at its output times: the columns, then the outputs of thrusters where they are compared."""

    run: str
    times: Array
    states: Array


def has_thrust(problem: Problem) -> bool:
    """Whether the outputs of the thrusters are compared."""
    return "thrust" in problem.tolerances


def differences(problem: Problem, one: Sequence[Trajectory], other: Sequence[Trajectory]) -> dict[str, float]:
    """The largest difference in each quantity over all runs and output times."""
    if [t.run for t in one] != [t.run for t in other] or any(len(t.times) != len(problem.times) for t in one):
        raise ValueError(f"the trajectories of {problem.id} do not have the same runs and output times")
    a, b = (np.concatenate([t.states for t in set_]) for set_ in (one, other))
    return {quantity: float(_apart(quantity, a, b).max()) for quantity in problem.tolerances}


def largest_sizes(problem: Problem, trajectories: Sequence[Trajectory]) -> dict[str, float]:
    """The largest size of each quantity over all runs; an attitude has size one, that of its quaternion."""
    states = np.concatenate([t.states for t in trajectories])
    nothing = np.zeros_like(states)
    return {q: 1.0 if q == "attitude" else float(_apart(q, states, nothing).max()) for q in problem.tolerances}


def _apart(quantity: str, a: Array, b: Array) -> Array:
    """Distance of each row in one quantity."""
    if quantity == "attitude":
        return _angles(a[:, 3:7], b[:, 3:7])
    place = _PLACES[quantity]
    return np.linalg.norm(a[:, place] - b[:, place], axis=1)


def _angles(a: Array, b: Array) -> Array:
    """Angle of the turn between attitudes, from the chord of their quaternions; both signs mean the same attitude."""
    chord = np.minimum(np.linalg.norm(a - b, axis=1), np.linalg.norm(a + b, axis=1))
    return 4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))


def write_csv(file: Path, problem: Problem, trajectories: Sequence[Trajectory]) -> None:
    """Write the runs of a case one below the other, with all digits."""
    outputs = [thruster["name"] for thruster in problem.vehicle.get("thrusters", ())] if has_thrust(problem) else []
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        further = _SIGMAS if problem.is_navigation else tuple(f"thrust_{name}" for name in outputs)
        writer.writerow(["run", "t", *COLUMNS, *further])
        for run, times, states in trajectories:
            # The sum turns a negative zero into zero, which is one thing to explain less.
            writer.writerows(
                [run, f"{t:.10g}", *(repr(x + 0.0) for x in row)] for t, row in zip(times, states.tolist(), strict=True)
            )
