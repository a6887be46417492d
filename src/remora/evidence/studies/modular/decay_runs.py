"""modular-14.3-runs: five releases of two spheres on a rod, fitted one at a time and judged by the others.

Nielsen 2018, section 4.3, prints the mean square error of one fit on each of five runs. How the runs differ is not
printed: here by the angle at which a hand lets go, and, reported beside it, by the trim of the second sphere.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

from remora.equations.estimation.pendulums import HydrostaticPair, pair_acceleration
from remora.evidence.requirements import StudyFunction, Value
from remora.evidence.studies.modular.tank_tests import FITTED, SWING_NOISE, SWING_TIMES, spheres
from remora.evidence.studies.sampling import normals
from remora.files.arrays import Array
from remora.identification.bench import fit_hydrostatic_pair
from remora.identification.bench.oscillation.free_oscillation import integrate

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


def mean_square(pair: HydrostaticPair, start: float, rolls: Array) -> float:
    """Mean square error of a model on a run, rad2."""
    begin = np.array([start])
    model = integrate(
        lambda x, v, time: pair_acceleration(pair, x, v), begin, 0.0 * begin, SWING_TIMES, LARGEST_STEP
    )[0]
    return float(np.mean((np.ravel(model) - rolls) ** 2))


@cache
def table(seed: int, trim: float, fits: int) -> Array:
    """Mean square errors: a row for each fitted run, a column for each judged one."""
    runs = [recorded(seed, run, trim) for run in range(RUNS)]
    models = [fit_hydrostatic_pair(SWING_TIMES, rolls, spheres(), start).law for start, rolls in runs[:fits]]
    return np.array([[mean_square(model, *run) for run in runs] for model in models])


def judged_by_others(seeds: Sequence[int]) -> list[Value]:
    """The printed row, the worst of all fits on another run, and both where the trim changes."""
    tables = np.array([table(seed, 0.0, RUNS) for seed in seeds])
    others = ~np.eye(RUNS, dtype=bool)
    trimmed = np.array([table(seed, TRIM, 1)[0] for seed in seeds])
    before = [mean_square(spheres(), *recorded(seed, run, 0.0)) for seed in seeds for run in range(RUNS)]
    return [
        *((f"fitted to run 1: mean square error on run {k + 1}", tables[:, 0, k].max()) for k in range(RUNS)),
        ("fitted to any run: largest mean square error on another", tables[:, others].max()),
        ("numbers computed before the tests: least mean square error on a run", min(before)),
        *(
            (f"trim of 0.5 mm from run to run: mean square error on run {k + 1}, mean", trimmed[:, k].mean())
            for k in range(RUNS)
        ),
    ]


STUDIES: dict[str, StudyFunction] = {"modular-14.3-runs": judged_by_others}
