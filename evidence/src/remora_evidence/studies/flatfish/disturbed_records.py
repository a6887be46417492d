"""R16 and R17: pulses of command and a tidal current that the estimator does not know of, Britto Neto 2018."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.flatfish.fits import least_squares, mean_error, replay_error, values, worst_share
from remora_evidence.studies.flatfish.records import BAY, Trouble

CURRENTS = (0.03, 0.05)  # m/s


def pulses(seeds: Sequence[int]) -> list[Value]:
    """R16: five pulses of command in each record, of chance in each seed; changes are those of the worst seed."""
    figures = []
    for axis in ("surge", "sway"):
        calm = values(least_squares, BAY, axis, seeds)
        upset = np.array([least_squares(BAY, axis, seed, trouble=Trouble(pulses=seed)).values for seed in seeds])
        error = float(np.mean([error_in(axis, seed, Trouble(pulses=seed)) for seed in seeds]))
        change = 100.0 * abs(error / mean_error(least_squares, BAY, axis, seeds) - 1.0)
        figures += [
            (f"{axis}: change of inertia", worst_share(upset[:, 0], calm[:, 0])),
            (f"{axis}: change of linear damping", worst_share(upset[:, 1], calm[:, 1])),
            (f"{axis}: change of the mean error of the replay", change),
        ]
    return figures


@cache
def error_in(axis: str, seed: int, trouble: Trouble, current_known: bool = False) -> float:
    """Error of the replay when both records are troubled."""
    fit = least_squares(BAY, axis, seed, trouble=trouble, current_known=current_known)
    return replay_error(fit, BAY, axis, seed, trouble, current_known)


def current(seeds: Sequence[int]) -> list[Value]:
    """R17: a steady current across the bay while the vehicle swings in sway; mean of all seeds."""
    without = mean_error(least_squares, BAY, "sway", seeds)
    figures = [("mean error of the replay without current", without)]
    for speed in CURRENTS:
        tide = Trouble(water=(0.0, speed, 0.0))
        unknown, known = (
            float(np.mean([error_in("sway", seed, tide, supplied) for seed in seeds])) for supplied in (False, True)
        )
        name = f"current of {100.0 * speed:g} cm/s"
        figures += [
            (f"{name}: mean error over current", unknown / speed),
            (f"{name}, supplied: mean error over that without current", known / without),
            (f"{name}: mean error", unknown),
        ]
    return figures


STUDIES: dict[str, StudyFunction] = {
    "R16": pulses,
    "R17": current,
}
