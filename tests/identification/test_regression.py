"""Known truth comes back, with intervals that hold it, and what cannot be known is said."""

from dataclasses import replace

import numpy as np
import pool_simulator as pool
import pytest
from record_example import damped_rov, diagonal_names, driven_record, started_wrong
from scipy import stats

from remora.identification import (
    RecordError,
    fit_least_squares,
    inputs_of,
    record_from_arrays,
    resampled,
    values_of,
    with_values,
)
from remora.identification.regression import prefilter, rows as rows_module
from remora.identification.regression.constraints import constrained_least_squares, violated_constraints
from remora.identification.regression.prefilter import filtered
from remora.identification.regression.rows import Rows, regression_block
from remora.identification.regression.solvers import (
    least_squares,
    total_least_squares,
    triangle,
    uncertainty,
    unit_weights,
)
from remora.identification.uncertainty.correlated_residuals import long_run_covariance, whiteness
from remora.identification.uncertainty.identifiability import hidden_directions
from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle, vehicle_from_text
from remora.vehicles.names import DEGREES_OF_FREEDOM

ROV = damped_rov()
ALL = diagonal_names(DEGREES_OF_FREEDOM)
NOISE = (0.01, 0.005)


def truth(names, vehicle=ROV):
    return values_of(vehicle.parameters, names)


@pytest.fixture(scope="module")
def clean():
    return driven_record(ROV)


@pytest.fixture(scope="module")
def noisy():
    return driven_record(ROV, seed=3, noise=NOISE)


@pytest.mark.parametrize(("prefilter", "tolerance"), [("filtered", 2e-3), ("differentiated", 0.02), ("smoothed", 0.02)])
def test_clean_record_gives_the_truth_back(clean, prefilter, tolerance):
    fit = fit_least_squares(clean, started_wrong(ROV, ALL), prefilter=prefilter, window=9)
    assert fit.names == ALL
    assert np.allclose(fit.values, truth(ALL), rtol=tolerance, atol=tolerance)
    assert fit.vehicle.added_mass[0][0] == fit.value("added_mass.surge")


def test_single_degrees_of_freedom_agree_with_all_six(clean):
    whole = fit_least_squares(clean, started_wrong(ROV, ALL))
    names = diagonal_names(["heave"])
    alone = fit_least_squares(clean, started_wrong(ROV, names), names, axes=["heave"])
    assert np.allclose(alone.values, [whole.value(name) for name in names], rtol=0.01)


def test_current_is_taken_into_account():
    moved = driven_record(ROV, water=np.array([0.2, -0.1, 0.05]))
    fit = fit_least_squares(moved, started_wrong(ROV, ALL))
    assert np.allclose(fit.values, truth(ALL), rtol=5e-3, atol=5e-3)
    ignored = fit_least_squares(replace(moved, water=None), started_wrong(ROV, ALL))
    assert np.abs(ignored.values / truth(ALL) - 1.0).max() > 0.05


def test_couplings_and_buoyancy_come_back_together():
    names = ["added_mass.roll_sway", "damping.linear.roll_sway", "body.net_buoyancy", "body.center_of_buoyancy.z",
             "damping.cubic_surge"]  # fmt: skip
    values = [-0.8, 0.3, -3.0, -0.02, 20.0]
    vehicle = replace(ROV, parameters=with_values(ROV.parameters, names, values))
    wanted = (*ALL, *names)
    record = driven_record(vehicle, seed=5)
    fit = fit_least_squares(record, started_wrong(vehicle, wanted, 0.9), wanted)
    assert np.allclose(fit.values, truth(wanted, vehicle), rtol=0.03, atol=0.02)


def test_heave_that_differs_up_and_down_comes_back():
    falcon = load_vehicle("falcon")
    names = ("damping.linear.heave", "damping.quadratic.heave", "rising_heave.linear", "rising_heave.quadratic")
    # Buoyancy keeps it going both ways.
    record = driven_record(falcon, seed=2, duration=200.0, share=0.3)
    fit = fit_least_squares(record, started_wrong(falcon, names), names, axes=["heave"], constrained=False)
    assert np.allclose(fit.values, truth(names, falcon), rtol=0.05, atol=3.0)


def test_records_add_up_and_order_does_not_matter(noisy):
    other = driven_record(ROV, seed=4, noise=NOISE)
    start = started_wrong(ROV, ALL)
    one, two = fit_least_squares([noisy, other], start), fit_least_squares([other, noisy], start)
    assert np.allclose(one.values, two.values, rtol=1e-6)
    alone = fit_least_squares(noisy, start)
    # Twice the data: about 0.71 of the standard deviation on the whole, though each is known only roughly.
    assert 0.5 < np.exp(np.mean(np.log(one.sigma / alone.sigma))) < 0.95


def test_pieces_of_a_long_record_give_the_same_rows(clean, monkeypatch):
    start = started_wrong(ROV, ALL)
    whole = fit_least_squares(clean, start)
    monkeypatch.setattr(prefilter, "PIECE_SAMPLES", 300)
    monkeypatch.setattr(rows_module, "_PIECE", 100)
    cut = fit_least_squares(clean, start)
    assert np.allclose(cut.values, whole.values, rtol=1e-9)
    assert np.allclose(cut.covariance, whole.covariance, rtol=1e-6)


def test_a_gap_is_not_bridged(clean):
    time = clean.time_ns.copy()
    time[1000:] += 60_000_000_000
    cut = replace(clean, time_ns=time, segments=(rows_module.Segment(0, 1000), rows_module.Segment(1000, len(clean))))
    fit = fit_least_squares(cut, started_wrong(ROV, ALL))
    assert np.allclose(fit.values, truth(ALL), rtol=2e-3, atol=2e-3)


def test_instruments_and_total_least_squares_remove_the_bias_of_noise():
    names = diagonal_names(["surge", "sway", "heave"])
    start = started_wrong(ROV, names)
    noise = dict.fromkeys(("surge", "sway", "heave"), 0.03) | dict.fromkeys(("roll", "pitch", "yaw"), 0.001)
    bias = {"none": [], "instruments": [], "total": []}
    for seed in range(6):
        record = driven_record(ROV, seed=seed, duration=60.0, noise=(0.03, 0.001))
        for errors, found in bias.items():
            fit = fit_least_squares(
                record, start, names, axes=("surge", "sway", "heave"), errors=errors, noise=noise, half_width=0.4,
                constrained=False,
            )  # fmt: skip
            found.append(fit.values[::3] / truth(names)[::3] - 1.0)
    mean = {errors: np.abs(np.mean(found, axis=0)).max() for errors, found in bias.items()}
    assert mean["none"] > 0.04
    assert mean["instruments"] < 0.5 * mean["none"]
    assert mean["total"] < 0.5 * mean["none"]


def test_intervals_hold_the_truth_as_often_as_they_say():
    start = started_wrong(ROV, ALL)
    inside = []
    for seed in range(16):
        record = driven_record(ROV, seed=100 + seed, noise=NOISE)
        limits = fit_least_squares(record, start, errors="instruments", constrained=False).intervals(0.95)
        inside.append((limits[:, 0] <= truth(ALL)) & (truth(ALL) <= limits[:, 1]))
    assert 0.88 < np.mean(inside) < 0.99


def test_white_intervals_would_be_too_narrow():
    # The mean of a first-order process: its variance is (1 + rho) / (1 - rho) times that of white noise.
    generator = np.random.default_rng(0)
    rho, count, ratios = 0.9, 2000, []
    for _ in range(50):
        noise = generator.normal(size=count)
        series = np.empty(count)
        series[0] = noise[0] / np.sqrt(1 - rho**2)
        for k in range(1, count):
            series[k] = rho * series[k - 1] + noise[k]
        ratios.append(long_run_covariance(series[:, None], 1.0).covariance[0, 0] / np.sum(series**2))
    assert np.mean(ratios) == pytest.approx((1 + rho) / (1 - rho), rel=0.15)


def test_intervals_hold_where_few_data_carry_a_parameter():
    # A twelfth of the rows tell the second number; plain residuals there are too small, since the fit bends to them.
    generator, held = np.random.default_rng(2), []
    late = np.where(np.arange(480) % 240 < 20, 1.0, 0.02)
    matrix = np.column_stack([np.ones(480), late * np.sin(0.7 * np.arange(480)), late * np.cos(0.7 * np.arange(480))])
    names = ("a", "b", "c")
    for _ in range(400):
        rows = Rows(
            names, (regression_block("surge", np.arange(3), matrix, generator.normal(size=480)),), 480, 1.0, 1.0
        )
        weights = unit_weights(rows)
        change = least_squares(triangle(rows, weights))
        found = uncertainty(rows, rows, weights, change)
        sigma = np.sqrt(np.diag(found.covariance))
        held.append(np.abs(change) <= stats.t.ppf(0.975, found.degrees_of_freedom) * sigma)
    # Four standard deviations of a share of 400 below 95 %; an interval that is too wide for few data is no lie.
    assert np.all(np.mean(held, axis=0) > 0.906)
    assert np.mean(held, axis=0)[0] < 0.99


def test_a_parameter_that_one_stretch_tells_has_a_finite_interval():
    generator = np.random.default_rng(3)
    once = np.where(np.arange(400) // 5 == 30, 1.0, 0.0)
    matrix = np.column_stack([np.ones(400), once])
    rows = Rows(
        ("a", "b"), (regression_block("surge", np.arange(2), matrix, generator.normal(size=400)),), 400, 1.0, 1.0
    )
    weights = unit_weights(rows)
    sigma = np.sqrt(np.diag(uncertainty(rows, rows, weights, least_squares(triangle(rows, weights))).covariance))
    assert np.all(np.isfinite(sigma))
    assert sigma[0] == pytest.approx(1 / 20, rel=0.6)


def test_whiteness_tells_white_from_coloured():
    noise = np.random.default_rng(1).normal(size=2000)
    assert whiteness(noise).probability > 0.01
    assert whiteness(noise).effective_samples == pytest.approx(2000, rel=0.1)
    coloured = np.convolve(noise, np.ones(10), "valid")
    assert whiteness(coloured).probability < 1e-6
    assert whiteness(coloured).effective_samples < 400


def test_scale_of_thrust_is_held_unless_something_known_anchors_it(clean):
    vertical = ROV.parameters.thruster_names[4:]
    level = driven_record(ROV, locked=("heave", "roll", "pitch"), quiet=vertical)
    shares = [f"thrusters.{name}.effectiveness" for name in ROV.parameters.thruster_names[:4]]
    names = (*diagonal_names(["surge", "sway", "yaw"]), *shares)
    fit = fit_least_squares(level, started_wrong(ROV, names[:9]), names)
    assert not any(name.startswith("thrusters") for name in fit.names)
    assert any("Only ratios of inertia and damping to the thrust" in words for words in fit.warnings)
    anchored = ("damping.linear.surge", "damping.quadratic.surge", "thrusters.effectiveness")
    found = fit_least_squares(clean, started_wrong(ROV, anchored, 0.8), anchored, axes=["surge"])
    assert np.allclose(found.values, truth(anchored), rtol=0.01)


def test_damping_terms_that_one_amplitude_cannot_tell_apart_are_reported_together():
    vehicle = load_vehicle("flatfish_multidof")
    held = ("sway", "heave", "roll", "pitch", "yaw")
    packed = pack(vehicle.parameters, locked=held)
    time = np.arange(3000) * 0.1
    force = np.zeros((2999, 6))
    force[:, 0] = 30.0 * np.sin(0.2 * time[:-1] + 0.01)
    states = rollout(packed, initial_state(packed), np.zeros(6), 0.1, external=force)
    twist = np.full((3000, 6), np.nan)
    twist[:, 0] = states[:, 7] + np.random.default_rng(0).normal(0.0, 0.01, 3000)
    driven = inputs_of("wrench", np.vstack([force, force[-1:]]), held=True)
    record = record_from_arrays(time, twist, driven, source="sinus")
    names = diagonal_names(["surge"])
    fit = fit_least_squares(record, started_wrong(vehicle, names), names, errors="instruments", constrained=False)
    pair = [a for a in fit.identifiability.ambiguities if set(a.names) == set(names[1:])]
    assert pair
    speed = np.sqrt(2.0) * np.std(states[:, 7])
    known = truth(names, vehicle)
    expected = known[1] + 8.0 / (3.0 * np.pi) * known[2] * speed
    reported = float(pair[0].sentence.partition("linear damping of ")[2].split()[0])
    assert reported == pytest.approx(expected, rel=0.03)


def test_parameters_that_do_not_show_are_named_and_have_no_interval(clean):
    names = (*diagonal_names(["surge"]), "damping.linear.yaw")
    fit = fit_least_squares(clean, started_wrong(ROV, names[:3]), names, axes=["surge"], constrained=False)
    assert not fit.identifiability.identified[3]
    assert np.isinf(fit.sigma[3])
    assert any("say nothing about damping.linear.yaw" in words for words in fit.warnings)
    assert fit.value("damping.linear.yaw") == values_of(ROV.parameters, ["damping.linear.yaw"])[0]


def test_what_hardly_moves_the_data_is_a_named_direction():
    generator = np.random.default_rng(0)
    matrix = generator.normal(size=(50, 3))
    matrix[:, 2] = 2.0 * matrix[:, 0] + 1e-7 * generator.normal(size=50)
    found = hidden_directions(np.column_stack([matrix, generator.normal(size=50)]), ["a", "b", "c"])
    assert len(found) == 1
    assert found[0].names == ("a", "c")
    assert found[0].direction[0] / found[0].direction[1] == pytest.approx(-2.0, rel=1e-3)


def test_negative_damping_is_told_and_kept_out_by_constraints():
    vehicle = replace(ROV, parameters=with_values(ROV.parameters, ["damping.linear.sway"], [0.0]))
    names = diagonal_names(["sway"])
    start = started_wrong(vehicle, names)
    below = []
    for seed in range(4):
        record = driven_record(vehicle, seed=seed, duration=40.0, noise=(0.03, 0.01))
        free = fit_least_squares(record, start, names, axes=["sway"], constrained=False)
        bound = fit_least_squares(record, start, names, axes=["sway"])
        assert min(bound.values) >= 0.0
        below.append(free.value("damping.linear.sway") < 0.0)
        assert any("is negative" in words for words in free.warnings) == below[-1]
        assert any("it would be -" in words for words in bound.warnings) == below[-1]
    assert any(below)


def test_constrained_solution_is_a_vehicle_that_can_exist():
    names = ("damping.linear.sway", "damping.linear.yaw", "damping.linear.sway_yaw", "damping.linear.yaw_sway",
             "damping.quadratic.sway_yaw", "added_mass.sway", "added_mass.yaw", "added_mass.yaw_sway")  # fmt: skip
    base = truth(names)
    wanted = np.array([5.0, 0.5, 8.0, 8.0, 50.0, 7.0, 0.2, 9.0])
    factor = np.column_stack(
        [np.diag(1.0 / np.maximum(np.abs(wanted), 1.0)), (wanted - base) / np.maximum(np.abs(wanted), 1.0)]
    )
    start = violated_constraints(with_values(ROV.parameters, names, wanted))
    assert start
    found = constrained_least_squares(factor, ROV.parameters, names)
    vehicle = with_values(ROV.parameters, names, base + found.change)
    assert not violated_constraints(vehicle)
    assert found.cuts > 0
    # Nothing is moved that need not be.
    easy = np.column_stack([np.eye(8), 0.01 * np.ones(8) * base])
    assert np.allclose(constrained_least_squares(easy, ROV.parameters, names).change, 0.01 * base, atol=1e-8)


def test_total_least_squares_is_exact_for_a_line_with_errors_in_both():
    generator = np.random.default_rng(2)
    x = generator.normal(size=20000)
    table = np.column_stack([x, 2.0 * x]) + 0.5 * generator.normal(size=(20000, 2))
    factor = np.linalg.qr(table, mode="r")
    errors = 20000 * 0.25 * np.eye(2)
    assert least_squares(factor)[0] == pytest.approx(1.6, abs=0.03)
    assert total_least_squares(factor, errors)[0] == pytest.approx(2.0, abs=0.03)


def test_commands_go_through_the_lags_of_the_vehicle():
    packed = pack(ROV.parameters)
    time = np.arange(3001) * 0.02
    generator = np.random.default_rng(0)
    phase = generator.uniform(0.0, 6.28, (2, 8))
    commands = 8.0 * np.sin(0.6 * time[:, None] + phase[0]) + 8.0 * np.sin(1.1 * time[:, None] + phase[1])
    states = rollout(packed, initial_state(packed, outputs=commands[0]), commands[:-1], 0.02)
    inputs = inputs_of("commands", commands, ROV.parameters.thruster_names, ["N"] * 8)
    record = record_from_arrays(time, states[:, 7:13], inputs, quaternion=states[:, 3:7])
    fit = fit_least_squares(record, started_wrong(ROV, ALL))
    assert np.allclose(fit.values, truth(ALL), rtol=0.01, atol=0.01)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"parameters": ["added_mass.surge", "added_mass.surge_surge"]}, "asked for twice"),
        ({"errors": "total"}, "needs the noise of"),
    ],
)
def test_impossible_requests_are_refused(clean, asked, words):
    with pytest.raises(RecordError, match=words):
        fit_least_squares(clean, ROV, **asked)


def test_mean_of_squared_noise_is_taken_off():
    # |v + e| (v + e) has the mean |v| v + sigma^2 sign(v) for a speed well above its noise.
    record = record_from_arrays(
        np.arange(40000) * 0.05, 0.5 + np.random.default_rng(0).normal(0.0, 0.1, (40000, 6)), source="steady"
    )
    prefilter = filtered(0.05)
    names = ["damping.quadratic.sway"]
    made = (record, ROV.parameters, names, ["sway"], prefilter, 0.05)
    plain = rows_module.regression_rows(*made).blocks[0].matrix.mean()
    clean = rows_module.regression_rows(*made, unbiased=True).blocks[0].matrix.mean()
    assert plain == pytest.approx(0.25 + prefilter.noise_left * 0.01, abs=5e-4)
    assert clean == pytest.approx(0.25, abs=5e-4)


def test_noise_of_speeds_is_measured():
    record = driven_record(ROV, noise=(0.02, 0.01))
    samples = rows_module.sampled(record, ROV.parameters, filtered(0.05))
    assert np.allclose(rows_module.noise_of(samples.measured, record.segments), [0.02] * 3 + [0.01] * 3, rtol=0.05)


def test_smoothing_over_a_fixed_number_of_samples_does_not_hide_the_motion_at_five_hertz():
    """33 samples are 6.6 s at 5 Hz, which made added mass 60 % too small without a word."""
    flight = pool.flights(range(1), 120.0)[0]
    twist = np.full((len(flight.time), 6), np.nan)
    twist[:, [0, 1, 2, 5]] = pool.measured(flight, 0)
    driven = inputs_of("commands", flight.commands, pool.THRUSTERS, ["N"] * len(pool.THRUSTERS))
    record = resampled(record_from_arrays(flight.time, twist, driven), 0.2)
    vehicle = vehicle_from_text(pool.VEHICLE)
    fit = fit_least_squares(record, vehicle, pool.NAMES, axes=pool.AXES, prefilter="smoothed")
    inertia = [k for k, name in enumerate(pool.NAMES) if name.startswith("added_mass")]
    np.testing.assert_allclose(fit.values[inertia], pool.TRUTH[inertia], rtol=0.1)
    [said] = [w for w in fit.warnings if "are inaccurate" in w]
    assert "at 5 Hz" in said
    assert "yaw" in said
    wide = fit_least_squares(record, vehicle, pool.NAMES, axes=pool.AXES, prefilter="smoothed", window=33)
    assert abs(wide.values[0] / pool.TRUTH[0] - 1.0) > 0.3
    assert any("6.6 s at 5 Hz" in w for w in wide.warnings)
    quiet = fit_least_squares(record, vehicle, pool.NAMES, axes=pool.AXES)
    assert not any("are inaccurate" in w for w in quiet.warnings)
