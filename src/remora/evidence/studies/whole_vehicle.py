"""The check-case of a whole vehicle as a study: what is demanded of it is its public tolerance."""

from collections.abc import Sequence

from remora.evidence.checkcases.comparison import run_case
from remora.evidence.checkcases.trajectory import UNITS
from remora.evidence.figure import Figure, Study, at_most


def thruster_doublets(seeds: Sequence[int]) -> list[Figure]:
    """How far the plant is from an independent solution, for doublets of the thrusters of a BlueROV2 Heavy."""
    outcome = run_case("UC-10")
    if outcome.error:
        raise RuntimeError(outcome.error)
    return [
        at_most(f"largest difference in {check.quantity}", check.difference, check.tolerance, UNITS[check.quantity])
        for check in outcome.checks
    ]


STUDIES = [
    Study(
        "UC-10",
        "check-case; vehicle of von Benzon et al. 2022",
        "BlueROV2 Heavy: doublets against an independent solution",
        thruster_doublets,
    )
]
