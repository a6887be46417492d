"""G1 to G3: Lyapunov guidance of a point that follows its velocities, Proctor 2014, Figs. 5.2 to 5.4."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.four_axes import ZERO4, add4, clipped4, scale4, subtract4
from remora.equations.algebra.quaternions import from_euler_zyx, rotation_matrix
from remora.equations.algebra.vectors import ZERO6
from remora.equations.guidance.lyapunov import (
    AXIS_BY_AXIS,
    LyapunovLaw,
    LyapunovState,
    from_task_axes,
    lyapunov_velocity,
    task_axes,
)
from remora.equations.types import Vector4
from remora.files.arrays import Array
from remora.guidance.velocity_guidance import FALCON_PROPORTIONAL, lyapunov_law
from remora_evidence.requirements import StudyFunction, Value

TARGET = (8.0, 4.3, 2.0)  # m
HEADING = math.atan2(4.3, 8.0)  # rad, along the track
SPEEDS: Vector4 = (2.0, 1.0, 0.5, 0.5)  # m/s and rad/s; those of Table 6.1 would take 17 s to the first switch
GAIN = 0.1  # 1/s2, of the integral
INTEGRAL_SHARE = 0.5  # largest integral term over the speed limit, as in chapter 5
BIAS: Vector4 = (0.05, -0.03, 0.02, 0.02)  # m/s and rad/s, of the velocity estimate
ACHIEVABLE: Vector4 = (0.8, 0.4, 0.2, 0.2)  # m/s and rad/s
PERIOD, SECONDS = 0.01, 120.0  # s
AXES = ("x", "y", "z", "heading")


class GuidedRun(NamedTuple):
    """A run of the guidance on a kinematic point."""

    errors: Array  # m and rad in N, one row per step
    terms: Array  # integral term in body axes, m/s and rad/s
    modes: Array  # of horizontal, heave and yaw: 1 PI, 0 P

    def switch(self) -> float:
        """When the horizontal axes go from P to PI, s."""
        return PERIOD * float(np.flatnonzero(np.diff(self.modes[:, 0]) > 0.0)[0] + 1)


def fly(
    gain: float = GAIN, bias: Vector4 = ZERO4, most: Vector4 | None = None, bound: Vector4 | None = None
) -> GuidedRun:
    """A point at the origin whose estimated velocity follows the command; the true one is lower by a bias.

    The gain of the integral is in 1/s2. `most` and `bound` are the largest true velocity and the largest command before
    the bias, in m/s and rad/s like the bias; None for none.
    """
    most_integral = scale4(INTEGRAL_SHARE, SPEEDS)
    law = lyapunov_law(FALCON_PROPORTIONAL, (gain,) * 4, SPEEDS, most_integral, limits=AXIS_BY_AXIS)
    state, pose, rows = LyapunovState(), (0.0, 0.0, 0.0, 0.0), []
    for _ in range(round(SECONDS / PERIOD)):
        turn = math.remainder(pose[3] - HEADING, math.tau)
        error = (pose[0] - TARGET[0], pose[1] - TARGET[1], pose[2] - TARGET[2], turn)
        q = from_euler_zyx(0.0, 0.0, pose[3])
        state, velocity = lyapunov_velocity(law, state, error, ZERO4, q, ZERO6, PERIOD)
        moved = _bounded(subtract4(_bounded(velocity, bound), bias), most)
        rows.append((*error, *_term(law, state, pose[3]), *state.integrates))
        pose = add4(pose, scale4(PERIOD, from_task_axes(rotation_matrix(q), moved, law.heave)))
    table = np.array(rows)
    return GuidedRun(table[:, :4], table[:, 4:8], table[:, 8:])


def _bounded(velocity: Vector4, most: Vector4 | None) -> Vector4:
    return velocity if most is None else clipped4(velocity, scale4(-1.0, most), most)


def _term(law: LyapunovLaw, state: LyapunovState, heading: float) -> Vector4:
    """The integral term of the guidance, m/s and rad/s in body axes."""
    L = task_axes(rotation_matrix(from_euler_zyx(0.0, 0.0, heading)), state.integral, law.heave)
    return (-law.integral[0] * L[0], -law.integral[1] * L[1], -law.integral[2] * L[2], -law.integral[3] * L[3])


def _final(run: GuidedRun) -> list[Value]:
    return [(f"final error, {axis}", abs(float(e))) for axis, e in zip(AXES, run.errors[-1], strict=True)]


def ideal(seeds: Sequence[int]) -> list[Value]:
    """G1: with true velocities the target is reached and the integral returns to zero."""
    run = fly()
    return [
        ("horizontal switch from P to PI", run.switch()),
        *_final(run),
        ("largest integral term at the end", float(np.abs(run.terms[-1]).max())),
        ("heave and yaw start in PI", float(run.modes[0, 1:].min())),
    ]


def biased(seeds: Sequence[int]) -> list[Value]:
    """G2: the integral finds the bias of the velocity estimate."""
    run, at = fly(bias=BIAS), round(90.0 / PERIOD)
    wrong = np.abs(run.terms[at] / np.array(BIAS) - 1.0)
    slow = fly(gain=0.001, bias=BIAS).errors[at]
    ahead = math.cos(HEADING) * slow[0] + math.sin(HEADING) * slow[1]
    return [
        *_final(run),
        *(
            (f"integral over bias after 90 s, {axis}: error", float(100.0 * e))
            for axis, e in zip(AXES, wrong, strict=True)
        ),
        ("offset ahead with the integral gain of Table 6.1", abs(float(ahead))),
    ]


def slowed(seeds: Sequence[int]) -> list[Value]:
    """G3: a vehicle that cannot reach the speeds arrives later and stays."""
    run = fly(GAIN, BIAS, ACHIEVABLE)
    late = run.errors[round(90.0 / PERIOD) :]
    return [
        ("horizontal switch from P to PI, true speed limited", run.switch()),
        ("horizontal switch from P to PI, command limited", fly(GAIN, BIAS, bound=ACHIEVABLE).switch()),
        *_final(run),
        ("horizontal overshoot over the distance", _overshoot(run)),
        ("swing of the position after 90 s", float(np.ptp(late[:, :3], axis=0).max())),
    ]


def _overshoot(run: GuidedRun) -> float:
    """Largest way beyond the target along the track, % of the distance."""
    distance = math.hypot(*TARGET[:2])
    return float(100.0 * (run.errors[:, :2] @ np.array(TARGET[:2])).max() / distance**2)


STUDIES: dict[str, StudyFunction] = {
    "G1": ideal,
    "G2": biased,
    "G3": slowed,
}
