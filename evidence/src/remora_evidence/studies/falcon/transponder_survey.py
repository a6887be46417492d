"""X11: positions of the SBL transponders from ranges to surveyed points. Proctor 2014, chapter 4.

The rover is held at twelve points that the cameras know: eight locate the four transponders horizontally, at the depths
measured with a pole of LEDs, and four validate. The points form a grid over the 3 m x 6 m boathouse at two depths; the
validation points lie inside it.

Two bounds stand beside the errors. The largest of the sixteen validation errors is at least that with transponders that
are known exactly, because errors of their positions only add variance (Anderson 1955); its median has a closed form.
The horizontal positions have a Cramér-Rao bound.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy.stats import norm

from remora.files.arrays import Array
from remora.navigation.consistency import LinearisedStep, covariance_bound
from remora.navigation.surveys import range_errors, survey_transponder
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.sampling import normals

# Table 4.9, in N.
TRANSPONDERS = np.array(
    [[2.3653, -2.9915, 1.4906], [0.7572, 2.9798, 1.4311], [-0.6258, -2.2295, 1.4379], [3.7800, 2.1843, 1.4161]]
)
DEPTHS = (0.92, 1.5)  # m, floating and held below
SOLVING = np.array(
    [[x, y, DEPTHS[(i + j) % 2]] for i, x in enumerate((0.2, 2.8)) for j, y in enumerate((-2, -1, 1, 2))]
)
VALIDATING = np.array([[1.0, -1.5, DEPTHS[0]], [2.0, -0.5, DEPTHS[1]], [1.0, 0.5, DEPTHS[1]], [2.0, 1.5, DEPTHS[0]]])
CAMERA_STD, POLE_STD = 0.002, 0.005  # m (chosen)
SETTINGS = (("1 cm", 0.01), ("2 cm", 0.02))  # range noise


@cache
def validation_errors(seed: int, std: float) -> tuple[Array, Array]:
    """Range errors at the validation points and horizontal errors of the positions, for each transponder."""
    chance = iter(normals(seed, f"transponder survey {std}", 200))
    ranges_off, position_off = [], []
    for true in TRANSPONDERS:
        read = [np.linalg.norm(point - true) + std * next(chance) for point in (*SOLVING, *VALIDATING)]
        known = [[value + CAMERA_STD * next(chance) for value in point] for point in (*SOLVING, *VALIDATING)]
        found = survey_transponder(known[:8], read[:8], depth=float(true[2] + POLE_STD * next(chance)))
        ranges_off.append(np.abs(range_errors(found.position, known[8:], read[8:])))
        position_off.append(np.linalg.norm((np.array(found.position) - true)[:2]))
    return np.array(ranges_off), np.array(position_off)


def exact_median(std: float) -> float:
    """Median of the largest validation error with transponders and points that are known exactly, m."""
    count = len(TRANSPONDERS) * len(VALIDATING)
    return std * float(norm.ppf(0.5 * (1.0 + 0.5 ** (1.0 / count))))


@cache
def horizontal_bound(std: float) -> float:
    """Cramér-Rao bound of the horizontal error of a transponder, RMS over the four, m.

    Errors of the cameras count along the ray; the depth of the pole is a prior.
    """
    prior, still = np.diag([1e6, 1e6, POLE_STD**2]), (np.eye(3), np.zeros((3, 3)))
    variances = []
    for true in TRANSPONDERS:
        rays = true - SOLVING
        H = rays / np.linalg.norm(rays, axis=1)[:, None]
        R = (std**2 + CAMERA_STD**2) * np.eye(len(rays))
        P = covariance_bound(prior, [LinearisedStep(*still, H, R)])[-1]
        variances.append(P[0, 0] + P[1, 1])
    return float(np.sqrt(np.mean(variances)))


def transponder_survey(seeds: Sequence[int]) -> list[Value]:
    """Largest validation errors, as the source reports them for one survey: median and worst of the seeds."""
    figures: list[Value] = []
    for words, std in SETTINGS:
        found = [validation_errors(seed, std) for seed in seeds]
        largest = [float(ranges_off.max()) for ranges_off, _ in found]
        away = float(np.sqrt(np.mean(np.square([position_off for _, position_off in found]))))
        figures += [
            (f"largest validation error, ranges of {words}, median survey", float(np.median(largest))),
            (f"largest validation error, ranges of {words}, worst survey", max(largest)),
            (f"largest validation error, ranges of {words}, transponders known exactly, median", exact_median(std)),
            (f"horizontal error of a transponder, ranges of {words}, RMS", away),
            (f"its Cramér-Rao bound, ranges of {words}", horizontal_bound(std)),
        ]
    return figures


STUDIES: dict[str, StudyFunction] = {"X11": transponder_survey}
