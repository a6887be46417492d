"""Campaigns of the towing tank and swings of two spheres: what the data are, and what spoils the studies."""

import numpy as np
import pytest
from spoiled_studies import forgotten, judged_alone

from remora.identification.bench.towing import Fused
from remora_evidence.studies.modular import warped_turns
from remora_evidence.studies.modular.tank import decay_runs, pitch_towing


def test_a_pitch_campaign_has_25_runs_at_seven_rates_of_which_some_are_spoiled():
    rates, found = pitch_towing.moments(1)
    assert (len(rates), len(np.unique(rates)), rates.max()) == (25, 7, 1.0)
    drag = pitch_towing.true_drag()
    off = np.array([pitch_towing.moments(seed)[1] for seed in range(1, 201)]) - drag.linear * rates
    off -= drag.quadratic * rates**2
    normal = 1.4826 * np.median(np.abs(off))
    assert 0.08 < np.mean(np.abs(off) > 3.0 * normal) < 0.15  # a normal law has 0.3 % there
    assert found == pytest.approx(found, abs=1.0)


def test_a_mean_in_place_of_the_median_misses_the_pitch_campaign(monkeypatch):
    monkeypatch.setattr(pitch_towing, "fuse_by_median", lambda runs: Fused(float(np.max(runs)), 1.0))
    with forgotten(pitch_towing):
        assert judged_alone("modular-14.6-pitch").verdict == "partly"


def test_releases_differ_and_each_fit_is_judged_on_runs_it_has_not_seen():
    starts = [decay_runs.recorded(1, run, 0.0)[0] for run in range(decay_runs.RUNS)]
    assert len(set(starts)) == 5
    assert np.degrees(np.abs(starts)).max() < 8.0
    errors = decay_runs.judged(1, 0.0)
    assert errors.shape == (2, 5)
    noise = decay_runs.SWING_NOISE**2
    assert np.all(errors[0] < 1.3 * noise)
    assert np.all(errors[1] > 0.01)  # numbers computed before the tests
    trimmed = decay_runs.judged(1, decay_runs.TRIM)
    assert trimmed[0, 0] < 1.3 * noise
    assert trimmed[0, 1:].max() > 10.0 * noise


def test_turns_are_compared_by_heading_speed_and_turn_rate_through_lost_frames():
    run = warped_turns.turning(200.0, as_twin=False)
    clean, noisy = warped_turns.tracked(run, None), warped_turns.tracked(run, 1)
    assert np.isfinite(noisy).all()
    assert np.abs(noisy - clean).mean(axis=0) == pytest.approx((0.0, 0.0, 0.0), abs=0.03)
    assert clean[-1, 2] == pytest.approx(0.603, abs=0.002)  # steady turn of modular-14.10
    twin = warped_turns.likeness(200.0, 1)
    assert np.all(twin[0] < twin[2])  # warping never adds to the error of equal times here
