"""R23 to R26: five hundred gains of the adaptive identifier on surge records of the basin, Britto Neto 2018, app. C.

Identified on one record and scored on the other, both with noise. The source gives neither the spacing of the gains nor
those of damping: equal steps and those of its basin table are taken. Numbers are those of the last sample, as there.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from remora.equations.estimation.single_axis import Lumped, from_lumped, lumped_acceleration
from remora.files.arrays import Array
from remora.identification.online.adaptive_axis import PRINTED_GAINS, PRINTED_START, AxisSamples, adapted, axis_samples
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.flatfish.fits import truth_of
from remora_evidence.studies.flatfish.records import BASIN, swing_record

AXIS = "surge"
PULLS = (0.1, 0.5, 1.0, 1.5, 2.0)  # 1/s
EFFORT_GAINS = np.arange(1, 101) * 1e-5
PRINTED_ERROR = 0.0123  # m/s, of least squares, with which the source compares


class Sweep(NamedTuple):
    """What came of each pair of gains: one row per pull, one column per gain of the effort."""

    inertia: Array  # kg, last sample
    linear: Array  # kg/s, last sample
    ripple: Array  # kg, standard deviation of the inertia over the second half
    error: Array  # m/s, mean absolute error on the validation record


@cache
def sweep(seed: int | None) -> Sweep:
    """All five hundred pairs on the records of a seed; None for records without noise."""
    vehicle, printed = BASIN.vehicle, PRINTED_GAINS["basin"][AXIS]
    record = swing_record(BASIN, AXIS, "identification", seed)
    samples = axis_samples(record, vehicle, AXIS)
    validation = axis_samples(swing_record(BASIN, AXIS, "validation", seed), vehicle, AXIS)
    final, ripple = np.empty((len(PULLS), len(EFFORT_GAINS), 4)), np.empty((len(PULLS), len(EFFORT_GAINS)))
    for i, pull in enumerate(PULLS):
        for j, gain in enumerate(EFFORT_GAINS):
            gains = printed._replace(pull=pull, effort=float(gain))
            history = adapted(record, samples, gains, PRINTED_START)
            final[i, j] = history.lumped[-1]
            ripple[i, j] = np.std(1.0 / history.lumped[len(record) // 2 :, 0])
    lumped = Lumped(*np.moveaxis(final, 2, 0))
    found = from_lumped(lumped)
    return Sweep(np.asarray(found.inertia), np.asarray(found.linear_damping), ripple, replay_errors(lumped, validation))


def replay_errors(lumped: Lumped, samples: AxisSamples) -> Array:
    """Mean absolute errors of many models driven with the same efforts, from the first measured speed on, by RK4."""
    h, efforts = samples.interval, samples.efforts.tolist()
    speed: Any = np.full(np.shape(lumped.alpha), samples.speeds[0])
    total = np.zeros_like(speed)
    for (before, after), measured in zip(pairwise(efforts), samples.speeds[1:].tolist(), strict=True):
        middle = 0.5 * (before + after)
        a = lumped_acceleration(lumped, before, speed)
        b = lumped_acceleration(lumped, middle, speed + 0.5 * h * a)
        c = lumped_acceleration(lumped, middle, speed + 0.5 * h * b)
        d = lumped_acceleration(lumped, after, speed + h * c)
        speed = speed + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        total += np.abs(speed - measured)
    return np.asarray(total / (len(efforts) - 1))


def gain_index(gain: float) -> int:
    """Which of the gains of the effort this is."""
    return int(np.argmin(np.abs(EFFORT_GAINS - gain)))


def ripple_grows(seeds: Sequence[int]) -> list[Value]:
    """R23: above 2e-4 a larger gain always gives more ripple, smallest step of all seeds."""
    start = gain_index(2e-4)
    return [
        (
            f"a {pull:g}: least growth of the ripple from one gain to the next",
            min(float(np.min(np.diff(sweep(seed).ripple[i, start:]))) for seed in seeds),
        )
        for i, pull in enumerate(PULLS)
        if pull >= 0.5
    ]


def creeping(seeds: Sequence[int]) -> list[Value]:
    """R24: with gains up to 3e-5 inertia does not arrive and damping makes up for it, worst of all seeds."""
    truth, row, last = truth_of(BASIN, AXIS), PULLS.index(1.0), gain_index(3e-5)
    inertia = max(float(sweep(seed).inertia[row, : last + 1].max()) for seed in seeds)
    damping = min(float(sweep(seed).linear[row, : last + 1].min()) for seed in seeds)
    return [
        ("inertia over the truth, gains up to 3e-5", 100.0 * inertia / truth[0]),
        ("linear damping over the truth, gains up to 3e-5", damping / truth[1]),
    ]


def best_gains(seeds: Sequence[int]) -> list[Value]:
    """R25: where the error on the validation record is least, in the mean of all records.

    The minimum is shallow, so that the noise of a single record moves it far.
    """
    errors = np.array([sweep(seed).error for seed in seeds])
    figures = []
    for i, pull in enumerate(PULLS):
        name, best = f"a {pull:g}: gain of least error", float(EFFORT_GAINS[int(np.argmin(errors.mean(axis=0)[i]))])
        if pull >= 1.0:
            figures.append((f"{name}, not below", best))
            figures.append((f"{name}, not above", best))
        else:
            figures.append((name, best))
    row, column = PULLS.index(1.0), gain_index(2e-4)
    error = float(errors.mean(axis=0)[row, column])
    figures.append(("a 1, gain 2e-4: mean absolute error", error))
    beyond = float(np.mean(EFFORT_GAINS[np.argmin(errors[:, row], axis=1)] > 6e-4))
    figures.append(("a 1: share of single records with the least error above 6e-4", 100.0 * beyond))
    return figures


def ripple_shrinks(seeds: Sequence[int]) -> list[Value]:
    """R26: at a gain of 2e-4 a stronger pull always gives less ripple."""
    column = gain_index(2e-4)
    ripples = [sweep(seed).ripple[:, column] for seed in seeds]
    least = min(float(np.min(-np.diff(ripple))) for ripple in ripples)
    means = [
        (f"a {pull:g}: ripple of the inertia", float(np.mean([ripple[i] for ripple in ripples])))
        for i, pull in enumerate(PULLS)
    ]
    return [("least drop of the ripple from one a to the next", least), *means]


STUDIES: dict[str, StudyFunction] = {
    "R23": ripple_grows,
    "R24": creeping,
    "R25": best_gains,
    "R26": ripple_shrinks,
}
