"""Experiments of the literature that run again: printed figure, our figure, what is demanded, and a verdict.

`remora reproduce` lists and runs them; `docs/studies.md` says how to add one. Campaigns of many trials over seeds and
parameters are in `remora.evidence.campaign`.
"""

from remora.evidence.campaign import Summary, Trial, load_results, run_campaign
from remora.evidence.figure import (
    Figure,
    Outcome,
    Study,
    at_least,
    at_most,
    near,
    outcomes_as_json,
    reported,
    within,
)

__all__ = [
    "Figure",
    "Outcome",
    "Study",
    "Summary",
    "Trial",
    "at_least",
    "at_most",
    "load_results",
    "near",
    "outcomes_as_json",
    "reported",
    "run_campaign",
    "within",
]
