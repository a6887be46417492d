"""Gyro-driven models come out of data with known truth, and run free as they should."""

import numpy as np
import pytest
from gyro_example import CALM, driven, shaken, with_motion

from remora.identification import RecordError, fit_gyro_driven, free_run, gyro_data_from, inputs_of, record_from_arrays
from remora.identification.gyro_driven.fit import (
    BASELINE,
    EXTENDED,
    diverges_above,
    refined_by_output_error,
    solved_recursively,
)
from remora.plant.failures import RunError
from remora.vehicles import load_vehicle
from remora_evidence.studies.gavia.published_model import published_model

RPM = 2.0 * np.pi / 60.0


@pytest.fixture(scope="module")
def data():
    return driven()


@pytest.mark.parametrize("method", ["recursive", "batch", "prediction error"])
def test_known_numbers_come_back(data, method):
    """But for the prior of the recursion, which holds numbers at their start."""
    fit = fit_gyro_driven(data, method=method, prior=1e12)
    for axis in ("surge", "sway", "heave"):
        assert getattr(fit.model, axis) == pytest.approx(getattr(CALM, axis), rel=1e-6, abs=1e-6)


def test_inactive_terms_are_exactly_zero(data):
    model = fit_gyro_driven(shaken(data, 1)).model
    for axis in ("surge", "sway", "heave"):
        numbers = getattr(model, axis)
        for k, number in enumerate(numbers):
            assert (number == 0.0) == (k not in getattr(BASELINE, axis))


def test_extended_terms_are_found(data):
    faster = CALM._replace(sway=(*CALM.sway[:10], -0.5, -0.3), heave=(*CALM.heave[:6], 0.4, -0.2))
    found = fit_gyro_driven(driven(faster), active=EXTENDED, method="batch").model
    assert found.sway == pytest.approx(faster.sway, abs=1e-6)
    assert found.heave == pytest.approx(faster.heave, abs=1e-6)


def test_intervals_hold_the_truth(data):
    """Noise of the accelerations only, so that regressors are exact: 95 % intervals hold in most of many tries."""
    held = []
    for seed in range(20):
        fit = fit_gyro_driven(shaken(data, seed, velocity=0.0), method="batch").fits["sway"]
        limits = fit.intervals()
        truth = np.array(CALM.sway)[: len(fit.values)]
        held.append((limits[:, 0] < truth) & (truth < limits[:, 1]))
    assert 0.90 < np.mean(held) < 0.99


def test_what_the_rotation_does_not_show_has_no_interval():
    """A vehicle that never rolls: its numbers stay where the recursion started, which is no knowledge."""
    still = driven()._replace(rates=driven().rates * [0.0, 1.0, 1.0])
    still = still._replace(turn_acceleration=still.turn_acceleration * [0.0, 1.0, 1.0])
    fit = fit_gyro_driven(shaken(with_motion(still, CALM), 1)).fits["sway"]
    unseen = [fit.names.index(f"sway: {term}") for term in ("p'", "p")]
    assert np.isinf(fit.sigma[unseen]).all()
    assert np.isfinite(np.delete(fit.sigma, unseen)).all()
    assert [fit.identifiability.identified[k] for k in unseen] == [False, False]


def test_literal_scaling_is_a_vehicle_of_one_kilogram(data):
    literal = fit_gyro_driven(data, scaling="literal", method="batch").model
    assert literal.surge_mass == 1.0
    assert literal.sway == pytest.approx(CALM.sway, abs=1e-6)
    # Thrust and drag balance in newtons, with what is left of 70 kg smeared over all numbers.
    drag = np.array(literal.surge[3:6])
    assert np.all(np.sign(drag) == (-1, 1, -1))


def test_free_run_follows_the_model_and_converges_with_its_step(data):
    run = free_run(CALM, data)
    assert max(score.rmse for score in run.scores.values()) < 1e-6
    half = free_run(CALM, data, 0.06)
    assert np.abs(run.velocity - half.velocity).max() < 1e-4


def test_free_run_agrees_with_small_euler_steps():
    """RK4 at 0.02 s against Euler at 0.0001 s: within 1e-3 m/s."""
    short = driven(duration=4.0, interval=0.5)
    fine = free_run(CALM, short, 0.02).velocity[-1]
    t = np.arange(0.0, short.time[-1], 1e-4)
    inputs = driven(duration=4.0, interval=0.5)
    velocity = np.array(short.velocity[0])
    columns = np.column_stack([inputs.thrust, inputs.rates, inputs.turn_acceleration, inputs.angles[1]])
    table = np.column_stack([np.interp(t, inputs.time, column) for column in columns.T])
    for thrust, p, q, r, p_dot, q_dot, r_dot, pitch in table:
        u, v, w = velocity
        # Written once more by hand, without the terms of heading that this model does not have.
        a, b, c = CALM.surge, CALM.sway, CALM.heave
        surge = a[0] * r_dot + a[1] * q_dot + a[2] * np.sin(pitch) + a[3] * u**3 + a[4] * abs(u) * u + a[5] * u
        surge += a[6] * w * q + a[7] * v * r + thrust
        sway = b[0] * r_dot + b[1] * p_dot + b[2] * abs(v) * v + b[3] * v + b[4] * p + b[5] * q + b[6] * r
        heave = c[0] * q_dot + c[1] * abs(w) * w + c[2] * w + c[3] * q + c[4] * r + c[5]
        velocity = velocity + 1e-4 * np.array([surge / CALM.surge_mass, sway, heave])
    assert np.abs(velocity - fine).max() < 1e-3


def test_free_run_starts_anew_after_a_gap_and_runs_through_an_outage(data):
    lost = data.velocity.copy()
    lost[100:300] = np.nan
    run = free_run(CALM, data._replace(velocity=lost))
    assert np.abs(run.velocity - data.velocity).max() < 1e-5
    cut = data._replace(segments=(data.segments[0]._replace(stop=400), data.segments[0]._replace(start=400)))
    assert free_run(CALM, cut).velocity[400] == pytest.approx(data.velocity[400])


def test_numbers_may_change_on_the_way(data):
    slower = CALM._replace(surge=(*CALM.surge[:10], -10.0))
    run = free_run([CALM] * 400 + [slower] * (len(data.time) - 400), data)
    assert np.abs(run.velocity[:400] - data.velocity[:400]).max() < 1e-5
    assert run.velocity[-1, 0] < data.velocity[-1, 0] - 0.1
    with pytest.raises(ValueError, match="one for each sample"):
        free_run([CALM, slower], data)


def test_a_model_that_runs_away_is_told(data):
    wild = CALM._replace(sway=(*CALM.sway[:2], 2.0, 0.4, *CALM.sway[4:]))
    assert diverges_above(wild, "sway") == 0.0
    with pytest.raises(RunError, match="runs away"):
        free_run(wild, data)


def test_damping_that_pushes_is_warned_of(data):
    anti = CALM._replace(sway=(*CALM.sway[:2], 0.05, *CALM.sway[3:]))
    words = fit_gyro_driven(driven(anti), method="batch").fits["sway"].warnings
    assert any("pushes above 8 m/s" in sentence for sentence in words)
    assert diverges_above(published_model("RLS ID1"), "sway") == pytest.approx(0.820, abs=5e-4)
    assert not fit_gyro_driven(data, method="batch").fits["sway"].warnings


@pytest.mark.parametrize("forgetting", [1.0, 0.95])
def test_recursion_is_weighted_least_squares_with_its_prior(forgetting):
    """Weights lambda^(N - t), and lambda^N of the prior about the start."""
    rng = np.random.default_rng(3)
    matrix, prior, start = rng.normal(size=(60, 5)), 1e6, rng.normal(size=5)
    target = matrix @ rng.normal(size=5) + 0.1 * rng.normal(size=60)
    weights = forgetting ** np.arange(59, -1, -1)
    square = (matrix * weights[:, None]).T @ matrix + forgetting**60 / prior * np.eye(5)
    wanted = np.linalg.solve(square, (matrix * weights[:, None]).T @ target + forgetting**60 / prior * start)
    assert solved_recursively(matrix, target, start, prior, forgetting)[-1] == pytest.approx(wanted, rel=1e-8)


def gavia_record(rpm=570.0, samples=120, **changes):
    t = 0.2 * np.arange(samples)
    twist = np.column_stack([1.6 + 0.1 * np.sin(t), *(0.05 * np.sin(w * t) for w in (0.7, 0.9, 0.4, 0.6, 0.5))])
    shafts = inputs_of("outputs", np.full((samples, 1), rpm * RPM), ["propeller"], ["rad/s"])
    fields = {"quaternion": np.tile([1.0, 0.0, 0.0, 0.0], (samples, 1)), **changes}
    return record_from_arrays(t, twist, shafts, source="lake", **fields)


def test_shaft_speeds_outside_the_range_of_the_law_are_not_used():
    gavia = load_vehicle("gavia")
    record = gavia_record()
    speeds = np.full((120, 1), 570.0 * RPM)
    speeds[:30], speeds[30:50] = 400.0 * RPM, 980.0 * RPM
    mixed = record.with_note("", inputs=record.inputs._replace(values=speeds))
    data = gyro_data_from(mixed, gavia)
    assert np.flatnonzero(~data.usable).tolist() == list(range(50))
    assert data.thrust[60] == pytest.approx(95e-6 * 570**2)
    with pytest.raises(RecordError, match="range of their law"):
        gyro_data_from(gavia_record(rpm=300.0), gavia)


def test_speeds_are_smoothed_and_differentiated_by_one_polynomial():
    record = gavia_record()
    data = gyro_data_from(record, load_vehicle("gavia"), window=7)
    assert data.velocity_rate[:, 0] == pytest.approx(0.1 * np.cos(record.time), abs=2e-3)
    assert data.turn_acceleration[:, 2] == pytest.approx(0.025 * np.cos(0.5 * record.time), abs=2e-4)
    given = np.zeros((120, 6))
    assert not gyro_data_from(record, load_vehicle("gavia"), given).velocity_rate.any()


def test_an_outage_of_velocity_leaves_the_gyros():
    record = gavia_record()
    twist = record.twist.copy()
    twist[40:60, :3] = np.nan
    data = gyro_data_from(record.with_note("", twist=twist), load_vehicle("gavia"))
    assert np.flatnonzero(~data.usable).tolist() == list(range(40, 60))
    assert np.isfinite(data.rates).all()
    assert np.isfinite(data.turn_acceleration).all()


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"quaternion": None}, "without attitude"), ({"inputs": None}, "has no inputs"), ({"twist": None}, "turn rates")],
)
def test_what_drives_the_model_must_be_there(changes, words):
    record = gavia_record()
    if "twist" in changes:
        changes = {"twist": np.column_stack([record.twist[:, :3], np.full((120, 3), np.nan)])}
    with pytest.raises(RecordError, match=words):
        gyro_data_from(record.with_note("", **changes), load_vehicle("gavia"))


@pytest.mark.parametrize("choice", [{"method": "magic"}, {"scaling": "litteral"}, {"heading": "round"}])
def test_unknown_choices_are_refused(data, choice):
    with pytest.raises(ValueError, match="give one of '"):
        fit_gyro_driven(data, **choice)


def test_too_few_rows_and_wrong_shapes_are_refused():
    gavia = load_vehicle("gavia")
    with pytest.raises(RecordError, match="twist_rate has shape"):
        gyro_data_from(gavia_record(), gavia, np.zeros((120, 3)))
    few = gyro_data_from(gavia_record(samples=6), gavia)
    with pytest.raises(RecordError, match="too few"):
        fit_gyro_driven(few)


def test_output_errors_know_no_bias_from_noisy_velocities():
    """Noise in the velocity makes damping of sway too small by least squares; a refined model finds it again."""
    clean = driven(duration=100.0, interval=0.5)
    noisy = shaken(clean, 4, velocity=0.05)
    few = BASELINE._replace(surge=(), sway=(2, 3, 6), heave=())
    known = fit_gyro_driven(clean, method="batch").model
    first = known._replace(sway=fit_gyro_driven(noisy, method="batch").model.sway)
    refined = refined_by_output_error(
        first, noisy._replace(velocity=np.vstack([clean.velocity[:1], noisy.velocity[1:]])), few
    )
    before, after = (free_run(m, clean).scores["sway"].rmse for m in (first, refined))
    assert after < 0.5 * before
    assert refined.surge == first.surge
    assert refined.heave == first.heave
