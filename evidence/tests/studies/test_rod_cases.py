"""modular-14.1 and 14.2: what must hold is judged for every form and every length, and at every printed time."""

import numpy as np
import pytest

from remora_evidence.runner import run_study
from remora_evidence.studies import catalogue
from remora_evidence.studies.modular import rod_cases


def test_every_form_shows_every_property_at_every_length(monkeypatch):
    """Only the last length of the last form was looked at, and two of seven properties."""
    swung, form = rod_cases.swung, rod_cases.FORMS[0]

    def spoiled(one, length, damped=True, parts=1):
        found = swung(one, length, damped, parts)
        if one != form or length != 0.5:
            return found
        worse = found._replace(unlike=1e-6, moved=1e-6, stretch=1e-3, speed=1.1 * found.speed)
        return worse if damped else worse._replace(roll=found.roll, times=1.01 * found.times)

    monkeypatch.setattr(rod_cases, "swung", spoiled)
    monkeypatch.setattr(rod_cases, "rest_rolls", lambda one, length: (-44.0, 46.0) if one == form else (-45.0, 45.0))
    missed = {figure.name for figure in run_study(catalogue.find_study("modular-14.1")).missed}
    assert missed == {
        f"{form.words}: {what}"
        for what in (
            "difference of heave of A and sway of B",
            "motion of the middle",
            "length of a quaternion beyond one",
            "roll of A at rest (target -45)",
            "roll of B at rest (target 45)",
            "undamped period over length, spread",
            "largest undamped speed, spread",
        )
    }


def test_open_loop_is_judged_after_thirty_seconds_and_in_the_steady_turn():
    """Only the values after 10 s were there."""
    outcome = run_study(catalogue.find_study("modular-14.2"))
    assert outcome.verdict == "holds"
    values = {figure.name.split(" (target")[0]: figure.ours for figure in outcome.held}
    assert values["drag 10, after 30 s: heading"] == pytest.approx(125.4, abs=0.05)
    surge, sway, yaw = (values[f"drag 15, steady: {axis}"] for axis in ("surge", "sway", "yaw"))
    turning = values["drag 15, steady: radius of the middle"] * yaw
    assert turning == pytest.approx(np.hypot(surge - 0.5 * yaw, sway))
