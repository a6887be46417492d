"""modular-14.8: time warping of two swinging pairs of different length. Nielsen 2018, section 6.2.

Duration, damping and gravity are not printed; they were inferred from the first printed figure.
"""

from collections.abc import Sequence

import numpy as np
from scipy.integrate import solve_ivp

from remora.equations.estimation.pendulums import HydrostaticPair, pair_acceleration
from remora.files.arrays import Array
from remora.identification.similarity import dynamic_time_warping
from remora_evidence.requirements import StudyFunction, Value

GRAVITY, MODULE_MASS, DAMPING = 9.82, 20.0, 5.0  # m/s2, kg, kg/s
CENTRE = (0.0, 0.0, -0.1)  # m, centre of buoyancy of each module
TIMES = np.linspace(0.0, 5.0, 50)  # s
LENGTHS = (0.25, 0.30)  # m, from the middle of the rod to each module


def swing(half_distance: float) -> Array:
    """Roll of the pair after its release at zero, rad."""
    inertia = 2.0 * MODULE_MASS * half_distance**2
    pair = HydrostaticPair(
        GRAVITY * MODULE_MASS, inertia, half_distance, 0.5 * np.pi, CENTRE, CENTRE, DAMPING, 0.0, 0.0, 0.0
    )
    run = solve_ivp(
        lambda t, x: (x[1], pair_acceleration(pair, x[0], x[1])),
        (0.0, TIMES[-1]), (0.0, 0.0), t_eval=TIMES, rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    return np.asarray(run.y[0])


def warping(seeds: Sequence[int]) -> list[Value]:
    """Euclidean and warped distances of the two swings."""
    short, long = map(swing, LENGTHS)
    closed = dynamic_time_warping(long, short)
    return [
        ("distance of equal times", float(np.linalg.norm(short - long))),
        ("warped distance, closed end", closed.distance),
        ("warped distance, open end of the faster swing", dynamic_time_warping(long, short, open_end=True).distance),
        ("warped over equal-time distance", closed.distance / float(np.linalg.norm(short - long))),
        ("warped distance, difference of both orders", dynamic_time_warping(short, long).distance - closed.distance),
        ("warped distance of equal swings", dynamic_time_warping(short, short).distance),
    ]


STUDIES: dict[str, StudyFunction] = {"modular-14.8": warping, "modular-17.10": warping}
