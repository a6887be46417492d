"""R16 and R17: pulses of command and a tidal current that the estimator does not know of, Britto Neto 2018."""

from collections.abc import Sequence

import numpy as np

from remora.evidence.figure import Figure, Study, at_least, at_most, reported
from remora.evidence.studies.flatfish.fits import least_squares, mean_error, replay_error, values, worst_share
from remora.evidence.studies.flatfish.records import BAY, NOISY, Trouble

SOURCE = "Britto Neto 2018"
CURRENTS = (0.03, 0.05)  # m/s
# The replay errs by about the current; and by what it errs without one when the current is supplied.
LEAST, MOST, SAME = 0.7, 1.1, 1.1


def pulses(seeds: Sequence[int]) -> list[Figure]:
    """R16: five pulses of command in each record, of chance in each seed; changes are those of the worst seed."""
    figures = []
    for axis in ("surge", "sway"):
        calm = values(least_squares, BAY, axis, seeds)
        upset = np.array([least_squares(BAY, axis, seed, trouble=Trouble(pulses=seed)).values for seed in seeds])
        error = float(np.mean([error_in(axis, seed, Trouble(pulses=seed)) for seed in seeds]))
        change = 100.0 * abs(error / mean_error(least_squares, BAY, axis, seeds) - 1.0)
        figures += [
            at_most(f"{axis}: change of inertia", worst_share(upset[:, 0], calm[:, 0]), 5.0, "%"),
            at_most(f"{axis}: change of linear damping", worst_share(upset[:, 1], calm[:, 1]), 5.0, "%"),
            at_most(f"{axis}: change of the mean error of the replay", change, 10.0, "%"),
        ]
    return figures


def error_in(axis: str, seed: int, trouble: Trouble, current_known: bool = False) -> float:
    """Error of the replay when both records are troubled."""
    fit = least_squares(BAY, axis, seed, trouble=trouble, current_known=current_known)
    return replay_error(fit, BAY, axis, seed, trouble, current_known)


def current(seeds: Sequence[int]) -> list[Figure]:
    """R17: a steady current across the bay while the vehicle swings in sway; mean of all seeds."""
    without = mean_error(least_squares, BAY, "sway", seeds)
    figures = [reported("mean error of the replay without current", without, "m/s")]
    for speed in CURRENTS:
        tide = Trouble(water=(0.0, speed, 0.0))
        unknown, known = (
            float(np.mean([error_in("sway", seed, tide, told) for seed in seeds])) for told in (False, True)
        )
        name = f"current of {100.0 * speed:g} cm/s"
        figures += [
            at_least(f"{name}: mean error over current", unknown / speed, LEAST, "1"),
            at_most(f"{name}: mean error over current", unknown / speed, MOST, "1"),
            at_most(f"{name}, supplied: mean error over that without current", known / without, SAME, "1"),
            reported(f"{name}: mean error", unknown, "m/s"),
        ]
    return figures


STUDIES = [
    Study(
        "R16", f"{SOURCE}, section 6.2", "Bay: pulses of command", pulses, seeds=20, kernels=("equations", "batches"),
        differs=f"{NOISY}; jumps of command are five pulses drawn for each seed, in surge and sway; the change of the"
        " error is that of the mean of all seeds",
    ),
    Study(
        "R17", f"{SOURCE}, section 6.2", "Bay: a tidal current", current, seeds=8, kernels=("equations", "batches"),
        differs=f"{NOISY}; steady currents of 3 and 5 cm/s, where the source measured none",
    ),
]  # fmt: skip
