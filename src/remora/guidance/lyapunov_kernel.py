"""The Lyapunov guidance law in one compiled call, which rounds as plain Python does."""

from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, void

from remora.equations.algebra.four_axes import ZERO4, Vector4, vector4_at
from remora.equations.algebra.vectors import vector3_at, vector6_at
from remora.equations.guidance.lyapunov import LyapunovLaw, LyapunovState, lyapunov_velocity
from remora.files.arrays import Array
from remora.messages.estimate import Estimate
from remora.plant.strict import strict_kernel

_ROW = float64[::1]
SIGNATURE = void(_ROW, _ROW, float64, _ROW)
SIZE = 11  # numbers of a state and a velocity


def law_at(row: Any) -> LyapunovLaw:
    """The law of a row."""
    return LyapunovLaw(
        vector4_at(row, 0), vector4_at(row, 4), vector4_at(row, 8), vector4_at(row, 12), vector4_at(row, 16),
        vector4_at(row, 20), vector4_at(row, 24), int(row[28]), row[29], row[30], int(row[31]),
    )  # fmt: skip


def law_row(law: LyapunovLaw) -> Array:
    """A law as numbers."""
    return np.array(
        [
            *(number for four in law[:7] for number in four),
            float(law.heave),
            law.tilt_sine,
            law.largest_down,
            float(law.limits),
        ]
    )


def guide(law: Array, given: Array, period: float, out: Array) -> None:
    """Fill in state and velocity after a sample, from state, errors, rate of the target, attitude and twist."""
    state = LyapunovState(vector4_at(given, 0), vector3_at(given, 4))
    after, velocity = lyapunov_velocity(
        law_at(law),
        state,
        vector4_at(given, 7),
        vector4_at(given, 11),
        vector4_at(given, 15),
        vector6_at(given, 19),
        period,
        vector4_at(given, 25),
    )
    for i in range(4):
        out[i], out[7 + i] = after.integral[i], velocity[i]
    for i in range(3):
        out[4 + i] = after.integrates[i]


@lru_cache(maxsize=1)
def guidance_kernel() -> Any:
    """Compiled `guide`, from the cache or compiled now."""
    return strict_kernel(guide, SIGNATURE, "the guidance law", 4)


def guided_velocity(
    law: Array,
    state: LyapunovState,
    error: Vector4,
    rate: Vector4,
    now: Estimate,
    period: float,
    remaining: Vector4 = ZERO4,
) -> tuple[LyapunovState, Vector4]:
    """State and velocity of `lyapunov_velocity`.

    Parameters
    ----------
    law
        From `law_row`.
    state
        State after the previous step.
    error, rate
        Position and heading minus those of the target, m and rad, and velocity of the target, m/s and rad/s, in N.
    now
        Attitude and motion.
    period
        Seconds between steps.
    remaining
        Part of the error along the leg, m in N.
    """
    given = np.array((*state.integral, *state.integrates, *error, *rate, *now.q_NB, *now.twist, *remaining))
    out = np.empty(SIZE)
    guidance_kernel()(law, given, period, out)
    a, b, c, d, e, f, g, u, v, w, r = out.tolist()
    return LyapunovState((a, b, c, d), (e, f, g)), (u, v, w, r)
