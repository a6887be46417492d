"""Open-loop replay, its scores, bands around it, excitation and the choice of runs."""

from dataclasses import replace

import numpy as np
import pytest
from record_example import damped_rov, diagonal_names, driven_record, started_wrong

from remora.identification import (
    excitation,
    few_gaps,
    fit_least_squares,
    inputs_of,
    long_enough,
    moves,
    prediction_band,
    record_from_arrays,
    replay,
    rests,
    score,
    select_runs,
    validate_runs,
    values_of,
    with_current,
    with_values,
)
from remora.identification.data.record import Segment
from remora.identification.diagnostics.excitation import persistency
from remora.plant import initial_state, pack, rollout

ROV = damped_rov()
NAMES = diagonal_names(["surge", "sway", "heave"])


@pytest.fixture(scope="module")
def record():
    return driven_record(ROV, duration=60.0)


def test_the_true_model_replays_its_own_record(record):
    found = replay(record, ROV.parameters)
    assert all(one.rmse < 2e-3 for one in found.scores.values())
    assert all(one.r2 > 0.999 for one in found.scores.values())
    wrong = replay(record, with_values(ROV.parameters, NAMES, 2.0 * values_of(ROV.parameters, NAMES)))
    assert wrong.scores["surge"].mae > 10.0 * found.scores["surge"].mae


def test_replay_starts_anew_after_gaps_and_counts_only_what_is_settled(record):
    twist = record.twist.copy()
    twist[:, 0] += 0.05  # the measured start is wrong by this, and the model forgets it
    cut = replace(record, twist=twist, segments=(Segment(0, 600), Segment(650, len(record))))
    found = replay(cut, ROV.parameters)
    assert np.isnan(found.twist[600:650]).all()
    assert np.allclose(found.twist[650], twist[650])
    late = replay(cut, ROV.parameters, settle=10.0)
    assert late.scores["surge"].samples < found.scores["surge"].samples
    assert late.scores["surge"].mae > found.scores["surge"].mae
    often = replay(record, ROV.parameters, restart=5.0)
    assert np.allclose(often.twist[100], record.twist[100])


def test_unmeasured_axes_rest():
    level = driven_record(
        ROV, locked=("heave", "roll", "pitch"), quiet=ROV.parameters.thruster_names[4:], duration=30.0
    )
    found = replay(replace(level, quaternion=None), ROV.parameters)
    assert set(found.scores) == {"surge", "sway", "yaw"}
    assert np.all(found.twist[:, 2:5] == 0.0)
    assert found.scores["yaw"].r2 > 0.999


def test_scores_are_what_they_say():
    found = score(np.array([1.0, 2.0, 3.0, 5.0]), np.array([1.0, 2.0, 4.0, 3.0]))
    assert (found.mae, found.rmse, found.samples) == (0.75, pytest.approx(np.sqrt(1.25)), 4)
    assert found.r2 == pytest.approx(1.0 - 5.0 / 5.0)


def test_band_holds_the_truth_and_shrinks_with_the_covariance(record):
    noisy = driven_record(ROV, seed=8, duration=60.0, noise=(0.01, 0.002))
    axes = ("surge", "sway", "heave")
    fit = fit_least_squares(noisy, started_wrong(ROV, NAMES), NAMES, axes=axes, errors="instruments")
    band = prediction_band(fit, record, np.random.default_rng(0), draws=40)
    truth = record.twist[100:, :3]
    inside = (band.low[100:, :3] - 1e-3 <= truth) & (truth <= band.high[100:, :3] + 1e-3)
    assert inside.mean() > 0.8
    sharp = replace(fit, covariance=fit.covariance / 100.0)
    narrow = prediction_band(sharp, record, np.random.default_rng(0), draws=40)
    width = np.mean((band.high - band.low)[100:, :3]), np.mean((narrow.high - narrow.low)[100:, :3])
    assert width[1] < 0.2 * width[0]
    assert band.lost == 0


def test_a_band_of_68_percent_is_one_deviation_of_a_single_parameter_wide(record):
    name = "damping.quadratic.surge"
    value = values_of(ROV.parameters, [name])[0]
    sigma = 0.02 * value
    fit = fit_least_squares(record, ROV, (name,), axes=("surge",))
    known = replace(fit, values=np.array([value]), covariance=np.array([[sigma**2]]))
    band = prediction_band(known, record, np.random.default_rng(0), level=0.6827, draws=300)
    ends = [replay(record, with_values(ROV.parameters, [name], [value + s * sigma])).twist[:, 0] for s in (-1.0, 1.0)]
    moved = np.abs(ends[1] - ends[0])
    told = moved > 0.5 * moved.max()
    assert np.mean((band.high - band.low)[told, 0] / moved[told]) == pytest.approx(1.0, abs=0.2)


def test_a_band_leaves_out_what_nothing_is_known_about_and_says_so(record):
    names = ("damping.quadratic.surge", "added_mass.pitch")
    fit = fit_least_squares(record, ROV, names, axes=("surge",), errors="instruments")
    assert np.isinf(fit.sigma[1])
    band = prediction_band(fit, record, np.random.default_rng(0), draws=5)
    assert band.held == ("added_mass.pitch",)
    assert band.lost == 0
    alone = replace(fit, names=names[:1], values=fit.values[:1], covariance=fit.covariance[:1, :1])
    assert prediction_band(alone, record, np.random.default_rng(0), draws=5).held == ()


def test_a_fitted_current_goes_into_replays_and_bands(record):
    """A record in flowing water that it does not know of: the fitted current explains it, and its doubt widens."""
    flow = (0.2, -0.1, 0.0)
    packed = pack(ROV.parameters)
    outputs = np.zeros((401, len(ROV.parameters.thrusters)))
    states = rollout(packed, initial_state(packed), outputs[:-1], 0.05, water=flow)
    drifting = record_from_arrays(
        np.arange(401) * 0.05,
        states[:, 7:13],
        inputs_of("outputs", outputs, ROV.parameters.thruster_names, ["N"] * outputs.shape[1]),
        quaternion=states[:, 3:7],
    )
    known = replay(with_current(drifting, flow), ROV.parameters)
    assert known.scores["surge"].rmse < 1e-6 < 0.01 < replay(drifting, ROV.parameters).scores["surge"].rmse
    fit = fit_least_squares(record, ROV, ("damping.quadratic.surge",), axes=("surge",))
    beside = replace(fit, names=("current.north", "current.east"), values=np.array(flow[:2]), units=("m/s",) * 2,
                     covariance=np.diag([1e-4, 1e-4]))  # fmt: skip
    band = prediction_band(beside, drifting, np.random.default_rng(0), draws=60)
    assert np.all((band.low[100:, 0] < states[100:, 7]) & (states[100:, 7] < band.high[100:, 0]))
    assert np.mean((band.high - band.low)[300:, 0]) == pytest.approx(2 * 1.96 * 0.01, rel=0.5)


def test_excitation_tells_good_from_poor(record):
    good = excitation(record, ROV.parameters, NAMES, axes=("surge", "sway", "heave"))
    assert good.condition_numbers["surge"] < 30.0
    assert good.amplitudes["surge"].reversals > 5
    assert all(order >= 4 for order in good.order.values())
    assert not good.hidden
    assert any("condition number" in words for words in good.sentences)
    quiet = record.twist.copy()
    quiet[len(record) // 2 :] *= 0.01
    assert excitation(record.with_note("Quiet.", twist=quiet), ROV.parameters, NAMES, axes=("surge",)).weakest < 0.05
    assert good.weakest > 0.1
    poor = excitation(record, ROV.parameters, [*NAMES, "damping.linear.yaw"], axes=("surge", "sway", "heave"))
    assert poor.hidden[0].names == ("damping.linear.yaw",)
    assert poor.condition_number == np.inf


def test_a_sinusoid_identifies_two_numbers():
    time = np.arange(2000) * 0.05
    assert persistency(np.sin(time)) == 2
    assert persistency(np.sin(time) + np.sin(2.5 * time)) == 4
    assert persistency(1.0 + np.sin(time)) == 3
    assert persistency(np.ones(100)) == 1
    assert persistency(np.zeros(100)) == 0


def test_runs_are_chosen_by_what_was_said_and_all_are_judged(record):
    short = replace(record.rows(0, 100), source="short")
    still = replace(record, twist=0.01 * record.twist, source="still")
    gappy = replace(record, segments=(Segment(0, 300), Segment(900, len(record))), source="gappy")
    criteria = [long_enough(20.0), moves("surge", 0.05), rests("yaw", 5.0), few_gaps(0.2)]
    chosen = select_runs([record, short, still, gappy], criteria)
    assert [r.source for r in chosen.kept] == ["example"]
    reasons = {r.record.source: r.reasons for r in chosen.rejected}
    assert reasons["short"][0].startswith("seconds without a gap: 4.95, below 20")
    assert reasons["still"] == (f"rms speed of surge: {_rms(still):.4g}, below 0.05",)
    assert reasons["gappy"][0].startswith("share of gaps")
    blind = replace(record, twist=np.where(np.arange(6) == 5, np.nan, record.twist), source="no gyro")
    assert select_runs([blind], [rests("yaw", 5.0)]).rejected[0].reasons == ("rms speed of yaw: not known",)
    judged = validate_runs(chosen, ROV.parameters)
    assert [(run.source, run.used) for run in judged] == [
        ("example", True), ("short", False), ("still", False), ("gappy", False),
    ]  # fmt: skip
    assert judged[2].scores["surge"].r2 < 0.0 < judged[0].scores["surge"].r2


def _rms(record):
    return np.sqrt(np.mean(record.speed("surge") ** 2))


def test_a_run_that_cannot_be_replayed_says_why():
    time = np.array([0.0, 0.1, 0.4, 0.5, 0.9, 1.0, 1.1])
    odd = record_from_arrays(time, np.ones((7, 6)), inputs_of("wrench", np.ones((7, 6))), gap=5.0, source="odd")
    judged = validate_runs(select_runs([odd], []), ROV.parameters)
    assert "resampled" in judged[0].problem
