"""Lyapunov velocity guidance: body velocities that bring position and heading to a target. Proctor 2014, chapter 5.

The error e of north, east, down and heading is turned into body axes by L (eq. 5.2, with cos pitch cos roll in its last
row). The P law zeta = -K_p L e makes V = e.e / 2 decrease; the PI law (eq. 5.5) also removes the error that a biased
velocity leaves. L is singular where the vehicle lies on its side.

The limits of the source clip each body axis alone (eq. 5.8). Far from its target a vehicle is then sent to the side at
full speed by half a degree of heading error, and swings. DIRECTED scales surge, sway and heave together, so that the
direction of the velocity is kept; AXIS_BY_AXIS is the printed law. Where a leg leads to the target, the part of the
error along the leg asks for speed only, and P and PI law act on the rest, which is the cross-track error.

Far above or below its target a tilted vehicle would be sent ahead and to the side at full speed, which pitches it
further. `largest_down` limits the down error that turns into surge and sway; the source has no such limit.
"""

import math
from typing import NamedTuple

from remora.equations.algebra.elementary import maximum, select, sqrt
from remora.equations.algebra.four_axes import ZERO4, add4, clipped, clipped4, multiply4, scale4, subtract4
from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import matvec3, transpose3
from remora.equations.types import (
    Direction,
    FourDof,
    Quaternion,
    RotationMatrix,
    Seconds,
    Twist,
    Vector3,
)

# Treatment of heave. ROTATED: the down error is turned into body axes like the others. DIRECT: it is the heave error
# itself, so that a large horizontal error of a tilted vehicle does not change its sign. PITCH_AWARE: as DIRECT, and the
# heave velocity makes up for the vertical part of surge and sway.
ROTATED, DIRECT, PITCH_AWARE = 0, 1, 2
AXIS_BY_AXIS, DIRECTED = 0, 1  # treatment of the velocity limits
SMALLEST_COSINE = 0.1  # of the tilt, in divisions
SMALLEST_GAIN = 1e-12  # 1/s2, in the division that gives the largest integral


class LyapunovLaw(NamedTuple):
    """Gains and limits for surge, sway, heave and yaw."""

    proportional: FourDof  # 1/s
    integral: FourDof  # 1/s2; zero for the P law
    lowest: FourDof  # m/s, rad/s
    highest: FourDof  # m/s, rad/s
    largest_integral: FourDof  # m/s, rad/s, of the integral term
    upper: FourDof  # m, rad; above it the law is P. Surge and sway switch together, by the first number
    lower: FourDof  # m, rad; below it the law is PI
    heave: int  # ROTATED, DIRECT or PITCH_AWARE
    tilt_sine: float  # sine of the tilt from which PITCH_AWARE fades; at twice of it, it is DIRECT
    largest_down: float = math.inf  # m, of the down error that turns into surge and sway
    limits: int = DIRECTED  # or AXIS_BY_AXIS


class LyapunovState(NamedTuple):
    """Integral of the error, and mode of each group of axes."""

    integral: FourDof = (0.0, 0.0, 0.0, 0.0)  # m s in N, rad s
    integrates: Vector3 = (1.0, 1.0, 1.0)  # horizontal, heave, yaw: 1 PI, 0 P


def task_axes(R_NB: RotationMatrix, vector: FourDof, heave: int) -> FourDof:
    """L times a vector of north, east, down and heading. Proctor 2014, eq. 5.2.

    `heave` is ROTATED, DIRECT or PITCH_AWARE.
    """
    x, y, z = matvec3(transpose3(R_NB), (vector[0], vector[1], vector[2]))
    if heave != ROTATED:
        z = vector[2]
    return (x, y, z, R_NB[2][2] * vector[3])


def from_task_axes(R_NB: RotationMatrix, vector: FourDof, heave: int) -> FourDof:
    """Inverse of `task_axes`; approximate where the vehicle lies on its side.

    `heave` is ROTATED, DIRECT or PITCH_AWARE.
    """
    cosine = maximum(R_NB[2][2], SMALLEST_COSINE)
    x, y, z = matvec3(R_NB, (vector[0], vector[1], vector[2]))
    if heave != ROTATED:
        z = vector[2]
        a, b = vector[0] - R_NB[2][0] * z, vector[1] - R_NB[2][1] * z
        x = (R_NB[1][1] * a - R_NB[1][0] * b) / cosine
        y = (R_NB[0][0] * b - R_NB[0][1] * a) / cosine
    return (x, y, z, vector[3] / cosine)


def switched_mode(error: float, lower: float, upper: float, mode: float) -> float:
    """Mode of the task function with hysteresis: 0 (P) above the upper, 1 (PI) below the lower. Proctor 2014, eq. 5.7.

    `error` is the size of the error; the present mode is kept between the thresholds.
    """
    return select(error > upper, 0.0, select(error < lower, 1.0, mode))


def pitch_aware_heave(down_rate: float, twist: Twist, down_B: Direction, tilt_sine: float) -> float:
    """Heave velocity that descends at a rate in spite of surge and sway, m/s; fades with the tilt.

    Solves down_B . (u, v, w) = down_rate for w. The correction pitches the vehicle further, so that it is whole up to
    a tilt and fades to nothing at twice its sine.
    """
    cosine = maximum(down_B[2], SMALLEST_COSINE)
    w = (down_rate - down_B[0] * twist[0] - down_B[1] * twist[1]) / cosine
    tilt = sqrt(down_B[0] * down_B[0] + down_B[1] * down_B[1])
    return down_rate + clipped(2.0 - tilt / tilt_sine, 0.0, 1.0) * (w - down_rate)


def reduction(velocity: FourDof, lowest: FourDof, highest: FourDof) -> Vector3:
    """Factors of at least one by which surge, sway and heave exceed their limits.

    `lowest` limits are below zero, `highest` above.
    """
    return (
        maximum(maximum(velocity[0] / highest[0], velocity[0] / lowest[0]), 1.0),
        maximum(maximum(velocity[1] / highest[1], velocity[1] / lowest[1]), 1.0),
        maximum(maximum(velocity[2] / highest[2], velocity[2] / lowest[2]), 1.0),
    )


def directed_velocity(law: LyapunovLaw, correction: FourDof, ahead: FourDof) -> tuple[FourDof, Vector3, float]:
    """Sum of a correction and a velocity ahead in its own direction, within the limits.

    Each of both is brought within the limits first, so that a target far away leaves the correction at least half of
    its speed. Also whether horizontal, heave and yaw correction are within their limits, and whether the velocity ahead
    is: 1, else 0. `correction` leads to the leg or the point; its heave and yaw are limited alone. `ahead` is the
    velocity along the leg, or of the target.
    """
    a, b, c = reduction(correction, law.lowest, law.highest)
    across = maximum(a, b)
    yaw = clipped(correction[3], law.lowest[3], law.highest[3])
    towards = (correction[0] / across, correction[1] / across, correction[2] / c, yaw)
    x, y, z = reduction(ahead, law.lowest, law.highest)
    along = maximum(maximum(x, y), z)
    summed = add4(towards, (ahead[0] / along, ahead[1] / along, ahead[2] / along, ahead[3]))
    x, y, z = reduction(summed, law.lowest, law.highest)
    whole = maximum(maximum(x, y), z)
    velocity = (
        summed[0] / whole,
        summed[1] / whole,
        summed[2] / whole,
        clipped(summed[3], law.lowest[3], law.highest[3]),
    )
    is_free = (
        select(across > 1.0, 0.0, 1.0),
        select(c > 1.0, 0.0, 1.0),
        select(abs(correction[3] - yaw) > 0.0, 0.0, 1.0),
    )
    return velocity, is_free, select(along * whole > 1.0, 0.0, 1.0)


def lyapunov_velocity(
    law: LyapunovLaw,
    state: LyapunovState,
    error: FourDof,
    target_rate: FourDof,
    q_NB: Quaternion,
    twist: Twist,
    period: Seconds,
    remaining: FourDof = ZERO4,
) -> tuple[LyapunovState, FourDof]:
    """One sample: next state, and velocity in surge, sway, heave and yaw. Proctor 2014, eq. 5.5 to 5.8.

    The integral of the error is kept in N. Where its term is at the limit, the stored integral is set to the one that
    gives the limit; in P mode it is zero. With DIRECTED limits an axis whose velocity is limited is not integrated
    (anti-windup by conditional integration). `error` is position and heading minus the target in N, the heading
    wrapped; `target_rate` the velocity of the target in N. The twist is used with PITCH_AWARE only. `remaining` is the
    part of the error along the leg to the target, in N, and zero without a leg; it is not integrated while the speed
    along the leg is limited.
    """
    R_NB = rotation_matrix(q_NB)
    e = task_error(law, R_NB, subtract4(error, remaining))
    modes = task_modes(law, state.integrates, e)
    ahead = task_axes(R_NB, target_rate, law.heave)
    growth = scale4(period, error)
    if law.limits == DIRECTED:
        ahead = subtract4(ahead, multiply4(law.proportional, task_axes(R_NB, remaining, law.heave)))
        before = multiply4(law.integral, task_axes(R_NB, state.integral, law.heave))
        towards = scale4(-1.0, add4(multiply4(law.proportional, e), before))
        _, (level, heave, yaw), along = directed_velocity(law, towards, ahead)
        grown = subtract4(error, scale4(1.0 - along, remaining))
        growth = multiply4((period * level, period * level, period * heave, period * yaw), grown)
    integral = limited_integral(law, R_NB, state.integral, growth, modes)
    term = multiply4(law.integral, task_axes(R_NB, integral, law.heave))
    if law.limits == DIRECTED:
        towards = scale4(-1.0, add4(multiply4(law.proportional, e), term))
        wanted, _, _ = directed_velocity(law, towards, ahead)
    else:
        wanted = subtract4(subtract4(ahead, multiply4(law.proportional, e)), term)
        wanted = clipped4(wanted, law.lowest, law.highest)
    w = wanted[2]
    if law.heave == PITCH_AWARE:
        w = clipped(pitch_aware_heave(w, twist, R_NB[2], law.tilt_sine), law.lowest[2], law.highest[2])
    return LyapunovState(integral, modes), (wanted[0], wanted[1], w, wanted[3])


def task_error(law: LyapunovLaw, R_NB: RotationMatrix, error: FourDof) -> FourDof:
    """An error in task axes; the share of the down error in surge and sway is limited."""
    down = clipped(error[2], -law.largest_down, law.largest_down)
    x, y, _, _ = task_axes(R_NB, (error[0], error[1], down, error[3]), law.heave)
    _, _, z, yaw = task_axes(R_NB, error, law.heave)
    return (x, y, z, yaw)


def task_modes(law: LyapunovLaw, modes: Vector3, e: FourDof) -> Vector3:
    """Mode of horizontal, heave and yaw after a step: 1 PI, 0 P.

    `e` is the error in task axes.
    """
    level = sqrt(e[0] * e[0] + e[1] * e[1])
    return (
        switched_mode(level, law.lower[0], law.upper[0], modes[0]),
        switched_mode(abs(e[2]), law.lower[2], law.upper[2], modes[1]),
        switched_mode(abs(e[3]), law.lower[3], law.upper[3], modes[2]),
    )


def limited_integral(
    law: LyapunovLaw, R_NB: RotationMatrix, integral: FourDof, growth: FourDof, modes: Vector3
) -> FourDof:
    """Integral of the error after a step: zero in P mode, and within the limit of its term. Proctor 2014, eq. 5.6.

    `integral` before the step and its `growth` are in N, m s and rad s; `modes` are as in `task_modes`.
    """
    summed = (
        modes[0] * (integral[0] + growth[0]),
        modes[0] * (integral[1] + growth[1]),
        modes[1] * (integral[2] + growth[2]),
        modes[2] * (integral[3] + growth[3]),
    )
    task = task_axes(R_NB, summed, law.heave)
    gains, most = law.integral, law.largest_integral
    bound = (
        most[0] / maximum(gains[0], SMALLEST_GAIN),
        most[1] / maximum(gains[1], SMALLEST_GAIN),
        most[2] / maximum(gains[2], SMALLEST_GAIN),
        most[3] / maximum(gains[3], SMALLEST_GAIN),
    )
    kept = clipped4(task, scale4(-1.0, bound), bound)
    excess = (kept[0] - task[0], kept[1] - task[1], kept[2] - task[2], kept[3] - task[3])
    back = from_task_axes(R_NB, excess, law.heave)
    return (summed[0] + back[0], summed[1] + back[1], summed[2] + back[2], summed[3] + back[3])
