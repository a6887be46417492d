"""Coverage of intervals: what counts as holding the truth."""

from types import SimpleNamespace

import numpy as np
import pytest

from remora.identification.parameters import values_of
from remora_evidence.studies.identification import coverage


def test_an_interval_beside_the_truth_on_either_side_does_not_hold_it(monkeypatch):
    trials = coverage.rov()
    truth = values_of(trials.vehicle.parameters, trials.names)
    monkeypatch.setattr(coverage, "twin_record", lambda *arguments: None)

    def estimator(record, vehicle, trials):
        """The first interval ends below the truth, the second starts above it; the others hold it."""
        low, high = truth - 1.0, truth + 1.0
        high[0], low[1] = truth[0] - 0.5, truth[1] + 0.5
        return SimpleNamespace(
            intervals=lambda level: np.column_stack([low, high]),
            identifiability=SimpleNamespace(identified=(True,) * len(truth)),
            values=truth,
        )

    found = coverage.held_shares(estimator, coverage.rov, (1, 2))
    assert found.share.tolist() == [0.0, 0.0, *[100.0] * (len(truth) - 2)]
    assert found.identified.tolist() == [2.0] * len(truth)
    assert found.error == pytest.approx(0.0)
