"""modular-14.3-runs: five releases of two spheres on a rod, fitted one at a time and judged by the others.

Nielsen 2018, section 4.3, prints the mean square error of one fit on each of five runs. How the runs differ is not
printed: here by the angle at which a hand lets go, and, reported beside it, by the trim of the second sphere.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

from remora.equations.estimation.pendulums import HydrostaticPair, pair_acceleration
from remora.files.arrays import Array
from remora.identification.bench import fit_hydrostatic_pair
from remora.identification.bench.free_decay import integrate
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.modular.tank.tank_tests import FITTED, SWING_NOISE, SWING_TIMES, spheres
from remora_evidence.studies.sampling import normals

RUNS = 5
LET_GO = np.radians(2.0)  # rad, one standard deviation about the horizontal
TRIM = 0.5e-3  # m, one standard deviation of each coordinate of the centre of buoyancy from run to run
LARGEST_STEP = 0.1  # s


def released_from(pair: HydrostaticPair, start: float) -> Array:
    """Roll after a release at an angle, by another solver than the fit uses, rad."""
    solution = solve_ivp(
        lambda t, y: (y[1], pair_acceleration(pair, y[0], y[1])),
        (0.0, SWING_TIMES[-1]),
        (start, 0.0),
        t_eval=SWING_TIMES,
        rtol=1e-9,
        atol=1e-11,
    )
    return np.asarray(solution.y[0])


@cache
def recorded(seed: int, run: int, trim: float) -> tuple[float, Array]:
    """Angle of the release and noisy roll of a run."""
    chance = normals(seed, f"release {run}", 3 + len(SWING_TIMES))
    x, y, z = FITTED[0]
    there = (x, y + trim * chance[1], z + trim * chance[2])
    pair = spheres()._replace(second=there, quadratic=FITTED[1], linear=FITTED[2])
    start = float(LET_GO * chance[0])
    return start, released_from(pair, start) + SWING_NOISE * chance[3:]


def mean_squares(pair: HydrostaticPair, runs: Sequence[tuple[float, Array]]) -> Array:
    """Mean square error of a model on each run, rad2."""
    begin = np.array([start for start, _ in runs])
    model = integrate(lambda x, v, time: pair_acceleration(pair, x, v), begin, 0.0 * begin, SWING_TIMES, LARGEST_STEP)[
        0
    ]
    return np.asarray(np.mean((np.asarray(model) - np.column_stack([rolls for _, rolls in runs])) ** 2, axis=0))


@cache
def judged(seed: int, trim: float) -> Array:
    """Mean square errors on all runs of the fit to the first one, then of the numbers computed before the tests."""
    runs = [recorded(seed, run, trim) for run in range(RUNS)]
    start, rolls = runs[0]
    fitted = fit_hydrostatic_pair(SWING_TIMES, rolls, spheres(), start).law
    return np.array([mean_squares(one, runs) for one in (fitted, spheres())])


def judged_by_others(seeds: Sequence[int]) -> list[Value]:
    """The printed row, worst seed, and its mean where the trim changes."""
    alike = np.array([judged(seed, 0.0) for seed in seeds])
    trimmed = np.array([judged(seed, TRIM)[0] for seed in seeds])
    return [
        *((f"fitted to run 1: mean square error on run {k + 1}", alike[:, 0, k].max()) for k in range(RUNS)),
        ("numbers computed before the tests: least mean square error on a run", alike[:, 1].min()),
        *(
            (f"trim of 0.5 mm from run to run: mean square error on run {k + 1}, mean", trimmed[:, k].mean())
            for k in range(RUNS)
        ),
    ]


STUDIES: dict[str, StudyFunction] = {"modular-14.3-runs": judged_by_others}
