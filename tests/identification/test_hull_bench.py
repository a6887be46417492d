"""Bench tests of hulls: towing, balance, levers, swings and steps give known numbers back, with honest intervals."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.estimation.pendulums import HydrostaticPair, damped_oscillation, pair_acceleration
from remora.equations.estimation.single_axis import axis_acceleration, axis_damping
from remora.equations.hull.restoring import restoring_wrench
from remora.identification import ParameterNameError, joined_axes, prior_of
from remora.identification.bench import (
    Balance,
    BenchDataError,
    BenchFit,
    Drag,
    LeverTest,
    Righting,
    StepRun,
    as_fit,
    decay_by_turning_points,
    drag_band,
    extrapolated_damping,
    fit_bifilar,
    fit_center_of_buoyancy,
    fit_center_of_gravity,
    fit_free_decay,
    fit_hydrostatic_pair,
    fit_neutral_attitude,
    fit_steps,
    fit_towing_drag,
    fuse,
    fuse_by_median,
    fuse_equal_speeds,
    read_initial_inertia,
    read_steady_drag,
    rest_angle,
    share_of_thrust,
    stay_wire_force,
    typical_linear,
)
from remora.identification.bench.free_decay import righting_moment
from remora.vehicles import load_vehicle
from remora.vehicles.vehicle_reader import vehicle_from_text

SEEDS = 100
RIGHTING = Righting(116.0, 116.2, (0.0, 0.0, 0.0), (-0.00045, -0.00128, -0.04298), 9.81)
SPEEDS = np.concatenate([np.arange(-1.0, 0.0, 0.1), np.arange(0.1, 1.01, 0.1)])


def coverage(fits: list[BenchFit], truth) -> np.ndarray:
    """Share of the fits whose 95 % interval holds the truth, per number."""
    return np.mean([fit.covers(truth) for fit in fits], axis=0)


def within_limits(shares: np.ndarray) -> bool:
    return bool(np.all((shares >= 0.90) & (shares <= 0.99)))


def drag_at(drag: Drag, speeds: np.ndarray) -> np.ndarray:
    return np.asarray(axis_damping(drag.linear, drag.quadratic, speeds))


def test_towing_takes_the_bracket_off_and_its_intervals_and_band_are_honest():
    random, true, bracket = np.random.default_rng(1), Drag(3.0, 35.0), Drag(4.0, 25.0)
    clean = drag_at(true, SPEEDS) + drag_at(bracket, SPEEDS)
    spread = np.where(np.abs(SPEEDS) > 0.5, 0.3, 0.1)
    fits = [fit_towing_drag(SPEEDS, clean + random.normal(0.0, spread), spread**2, bracket) for _ in range(SEEDS)]
    assert within_limits(coverage(fits, true))
    at = np.array([0.3, 0.9])
    inside = [
        (low <= drag_at(true, at)) & (drag_at(true, at) <= high) for _, low, high in (drag_band(f, at) for f in fits)
    ]
    assert within_limits(np.mean(inside, axis=0))


def test_drag_never_comes_out_negative_and_says_when_it_was_held():
    random = np.random.default_rng(2)
    held = 0
    for _ in range(40):
        fit = fit_towing_drag(SPEEDS, drag_at(Drag(0.0, 35.0), SPEEDS) + random.normal(0.0, 0.5, len(SPEEDS)))
        assert fit.law.linear >= 0.0
        assert fit.covers((0.0, 35.0), level=0.9999).all()
        held += any("held at its bound" in word for word in fit.warnings)
    assert 8 < held < 32


def test_one_speed_cannot_tell_linear_from_quadratic():
    fit = fit_towing_drag([0.5] * 6, [10.0, 10.1, 9.9, 10.0, 10.05, 9.95])
    assert np.isinf(fit.sigma).all()
    assert sum("do not determine" in word for word in fit.warnings) == 2
    assert any("one way only" in word for word in fit.warnings)
    assert drag_at(fit.law, np.array([0.5])) == pytest.approx([10.0], rel=1e-3)


def test_fusion_weights_by_inverse_variance_and_names_disagreement():
    fused = fuse([1.0, 2.0], [0.5, 1.0])
    assert fused.mean == pytest.approx(4.0 / 3.0)
    assert fused.variance == pytest.approx(1.0 / 3.0)
    assert not fused.warning
    assert "disagree" in fuse([1.0, 2.0], [0.01, 0.01]).warning
    assert fuse_by_median([1.0, 1.1, 0.9, 50.0]).mean == pytest.approx(1.05)
    with pytest.raises(BenchDataError, match="not above zero"):
        fuse([1.0, 2.0], [0.5, 0.0])


def test_runs_that_scatter_more_than_they_say_get_larger_variances():
    random = np.random.default_rng(3)
    speeds = np.repeat([0.2, 0.4, 0.6, 0.8], 5)
    means = 10.0 * speeds + random.normal(0.0, 0.3, 20)
    centres, fused, variances, words = fuse_equal_speeds(speeds, means, np.full(20, 1e-4))
    assert centres == pytest.approx([0.2, 0.4, 0.6, 0.8])
    assert fused == pytest.approx(10.0 * centres, abs=0.5)
    assert np.sqrt(5.0 * variances.mean()) == pytest.approx(0.3, rel=0.5)
    assert any("scatter" in word for word in words)


def test_a_stay_wire_takes_its_share():
    assert stay_wire_force([[3.0], [4.0]], [2.0], math.pi / 3.0) == pytest.approx([6.0])


def balances(center, random=None) -> list[Balance]:
    """Bars along each axis under the body, in different poses."""
    found = []
    for bar, down in (((1, 0, 0), (0, 0, 1)), ((0, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 0)), ((0, 0, 1), (0, 1, 0))):
        wobble = random.normal(0.0, 0.002, 3) if random is not None else np.zeros(3)
        point = np.array(center) + 0.3 * np.array(down) + 0.1 * np.array(bar) + wobble
        found.append(Balance(tuple(point.tolist()), bar, down))
    return found


def test_center_of_gravity_by_balance():
    center, random = (0.164, 0.368, -0.351), np.random.default_rng(4)
    assert fit_center_of_gravity(balances(center)).law == pytest.approx(center)
    fits = [fit_center_of_gravity(balances(center, random), sigma=0.002) for _ in range(SEEDS)]
    assert within_limits(coverage(fits, center))


def test_two_bars_leave_a_direction_open():
    three = [balances((0.1, 0.2, 0.3))[i] for i in (0, 1, 0)]
    fit = fit_center_of_gravity(three, sigma=0.002)
    assert np.isinf(fit.sigma[2])
    assert np.isfinite(fit.sigma[:2]).all()
    with pytest.raises(BenchDataError, match="is parallel to gravity"):
        fit_center_of_gravity([Balance((0, 0, 0), (0, 0, 1), (0, 0, 1))] * 3)


def lever_tests(p_BC, random=None) -> list[LeverTest]:
    """Attitudes at which a body with weights on it is at rest, found from the direction of the whole moment."""
    tests = []
    for place, force in (
        ((0.5, 0.0, -0.2), 6.0),
        ((0.5, 0.0, -0.2), 12.0),
        ((0.0, 0.3, -0.3), 6.0),
        ((0.0, -0.3, -0.3), 9.0),
    ):
        # At rest gravity lies along (force place - buoyancy p_BC).
        lever = force * np.array(place) - 116.2 * 9.81 * np.array(p_BC)
        down = lever / np.linalg.norm(lever)
        pitch, roll = math.asin(-down[0]), math.atan2(down[1], down[2])
        assert down_in_body(from_euler_zyx(roll, pitch, 0.0)) == pytest.approx(down)
        wobble = random.normal(0.0, 0.002, 2) if random is not None else (0.0, 0.0)
        tests.append(LeverTest(roll + wobble[0], pitch + wobble[1], ((place, force),)))
    return tests


def test_center_of_buoyancy_by_levers():
    true, random = (0.004, -0.006, -0.043), np.random.default_rng(5)
    assert fit_center_of_buoyancy(lever_tests(true), 116.0, 116.2, 9.81).law == pytest.approx(true)
    fits = [fit_center_of_buoyancy(lever_tests(true, random), 116.0, 116.2, 9.81) for _ in range(SEEDS)]
    assert within_limits(coverage(fits, true))
    with pytest.raises(BenchDataError, match="no lever test"):
        fit_center_of_buoyancy([], 116.0, 116.2, 9.81)


def test_center_of_buoyancy_by_the_attitude_at_rest():
    random, true = np.random.default_rng(6), np.array(RIGHTING.p_BC)
    roll, pitch = math.radians(1.7058), math.radians(-0.5996)
    arm = float(np.linalg.norm(true))
    assert fit_neutral_attitude([roll], [pitch], arm).values == pytest.approx(true, abs=1e-6)
    fits = [
        fit_neutral_attitude(roll + random.normal(0.0, 0.01, 12), pitch + random.normal(0.0, 0.01, 12), arm)
        for _ in range(SEEDS)
    ]
    assert within_limits(coverage(fits, true)[:2])
    # The body is at rest there: no moment is left.
    down = down_in_body(from_euler_zyx(roll, pitch, 0.0))
    assert restoring_wrench(*RIGHTING, down)[3:] == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)


def test_inertia_on_two_wires():
    random = np.random.default_rng(7)
    times = np.arange(0.0, 30.0, 0.05)
    spacing, length, inertia = 0.6, 1.2, 9.3
    frequency = math.sqrt(116.0 * 9.81 * spacing**2 / (4.0 * length) / inertia)
    clean = 0.01 + np.asarray(damped_oscillation(times, frequency, 0.005, 0.2, 0.05))
    fits = [
        fit_bifilar(times, clean + random.normal(0.0, 0.004, len(times)), 116.0, 9.81, spacing, length)
        for _ in range(SEEDS)
    ]
    assert within_limits(coverage(fits, (inertia, 0.005, 0.2, 0.05, 0.01)))
    rough = fit_bifilar(times, clean, 116.0, 9.81, spacing, length, stiffness_share=0.01)
    assert rough.sigma[0] == pytest.approx(0.01 * inertia, rel=1e-3)
    far = fit_bifilar(times, 4.0 * clean, 116.0, 9.81, spacing, length)
    assert any("linear to" in word for word in far.warnings)
    with pytest.raises(BenchDataError, match="turning points"):
        fit_bifilar(times[:30], clean[:30], 116.0, 9.81, spacing, length)


def decay(inertia: float, linear: float, quadratic: float, start: float, axis: str = "roll", length: float = 20.0):
    solution = solve_ivp(
        lambda t, y: (y[1], axis_acceleration(inertia, linear, quadratic, y[1], righting_moment(RIGHTING, axis, y[0]))),
        (0.0, length), (start, 0.0), t_eval=np.arange(0.0, length, 0.1), rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    return solution.t, *solution.y


def test_free_decay_against_another_solver():
    times, angles, rates = decay(30.4, 4.9, 59.9, 0.4, "pitch")
    by_angle = fit_free_decay(times, RIGHTING, "pitch", angles=angles)
    by_rate = fit_free_decay(times, RIGHTING, "pitch", rates=rates)
    both = fit_free_decay(times, RIGHTING, "pitch", angles, rates, 0.01, 0.02)
    for fit in (by_angle, by_rate, both):
        assert fit.law == pytest.approx((30.4, 4.9, 59.9), rel=1e-3)


def test_intervals_of_a_free_decay_are_honest():
    random = np.random.default_rng(8)
    times, _, rates = decay(20.9, 3.0, 101.6, 0.5, length=12.0)
    fits = [
        fit_free_decay(times, RIGHTING, "roll", rates=rates + random.normal(0.0, 0.01, len(times))) for _ in range(100)
    ]
    assert within_limits(coverage(fits, (20.9, 3.0, 101.6, 0.5, 0.0)))


def test_a_decay_read_by_hand_comes_close():
    times, angles, _ = decay(20.9, 3.0, 10.0, 0.4, length=40.0)
    stiffness = 116.2 * 9.81 * 0.04298
    law = decay_by_turning_points(times, angles, stiffness).law
    assert law.inertia == pytest.approx(20.9, rel=0.02)
    assert law.linear == pytest.approx(3.0, rel=0.1)
    assert law.quadratic == pytest.approx(10.0, rel=0.15)


def test_large_swings_of_a_decay_read_by_hand_are_corrected():
    """At 1 rad the period of a pendulum is 6 % longer, which would add 13 % to the inertia."""
    times, angles, _ = decay(20.9, 0.5, 1.0, 1.0, length=30.0)
    law = decay_by_turning_points(times, angles, 116.2 * 9.81 * 0.04298).law
    assert law.inertia == pytest.approx(20.9, rel=0.02)


def test_decays_that_cannot_be_fitted_are_refused():
    times, angles, _ = decay(20.9, 3.0, 101.6, 0.5)
    with pytest.raises(BenchDataError, match="nothing was recorded"):
        fit_free_decay(times, RIGHTING, "roll")
    with pytest.raises(BenchDataError, match='give "roll" or "pitch"'):
        fit_free_decay(times, RIGHTING, "yaw", angles=angles)
    with pytest.raises(BenchDataError, match="does not right itself"):
        fit_free_decay(times, RIGHTING._replace(p_BC=(0.0, 0.0, 0.04)), "roll", angles=angles)


PAIR = HydrostaticPair(
    140.283, 4.054, 0.298, 0.5 * math.pi, (0.0, 0.0, -0.0114), (0.0, -0.0016, -0.00886), 0.2265, 9.2889, 0.048, 0.0082
)


def test_two_modules_give_their_four_numbers_back():
    times = np.arange(0.0, 40.0, 0.2)
    solution = solve_ivp(
        lambda t, y: (y[1], pair_acceleration(PAIR, y[0], y[1])),
        (0.0, 40.0),
        (0.0, 0.0),
        t_eval=times,
        rtol=1e-10,
        atol=1e-12,
    )
    guess = PAIR._replace(second=(0.0, 0.0, -0.0114), linear=0.67, quadratic=3.8)
    fit = fit_hydrostatic_pair(times, solution.y[0], guess)
    assert fit.values == pytest.approx([-0.0016, -0.00886, 9.2889, 0.2265], rel=1e-3)
    assert pair_acceleration(PAIR, rest_angle(PAIR), 0.0) == pytest.approx(0.0, abs=1e-12)


def built_up(force, times):
    return force * (1.0 - np.exp(-times))


def step_runs(inertia, linear, quadratic, share, known=0.0, noise=0.0, seed=9) -> list[StepRun]:
    """Thrust that builds up by a lag; the vehicle feels only a share of it."""
    random, times, runs = np.random.default_rng(seed), np.arange(0.0, 20.0, 0.1), []
    for force in (20.0, 50.0, 90.0, 140.0):
        solution = solve_ivp(
            lambda t, v, f=force: axis_acceleration(inertia, linear, quadratic, v, share * built_up(f, t) + known),
            (0.0, 20.0), (0.0,), t_eval=times, rtol=1e-9, atol=1e-11,
        )  # fmt: skip
        efforts = built_up(force, times)
        runs.append(StepRun(times, solution.y[0] + random.normal(0.0, noise, len(times)), efforts))
    return runs


def test_steps_show_ratios_only():
    """A vehicle twice as heavy and draggy with twice the share of thrust gives the same numbers."""
    one = fit_steps(step_runs(280.0, 27.0, 240.0, 0.87))
    two = fit_steps(step_runs(560.0, 54.0, 480.0, 1.74))
    assert np.array(one.law) == pytest.approx(np.array([280.0, 27.0, 240.0]) / 0.87, rel=5e-3)
    assert two.law == pytest.approx(one.law, rel=1e-4)
    assert any("Only ratios" in word for word in one.warnings)


def test_a_known_force_fixes_the_scale():
    fit = fit_steps(step_runs(280.0, 27.0, 240.0, 0.6, known=30.0), known_effort=30.0)
    share, _ = share_of_thrust(fit, 30.0)
    assert share == pytest.approx(0.6, rel=2e-3)
    assert np.array(fit.law) * share == pytest.approx([280.0, 27.0, 240.0], rel=5e-3)
    assert not any("Only ratios" in word for word in fit.warnings)


def test_intervals_of_steps_are_honest():
    truth = np.array([280.0, 27.0, 240.0]) / 0.87
    clean = [StepRun(*(column[:100:2] for column in run)) for run in step_runs(280.0, 27.0, 240.0, 0.87)[1:3]]
    random, fits = np.random.default_rng(10), []
    for _ in range(100):
        noisy = [run._replace(speeds=run.speeds + random.normal(0.0, 0.01, 50)) for run in clean]
        fits.append(fit_steps(noisy, largest_step=0.2))
    assert within_limits(coverage(fits, truth))


def test_reading_curves_takes_all_thrust_for_granted():
    """Drag and inertia come out too large by one over the share of thrust."""
    runs = step_runs(280.0, 27.0, 240.0, 0.87)
    assert read_steady_drag(runs, 3.0).law.quadratic == pytest.approx(240.0 / 0.87, rel=0.02)
    assert read_initial_inertia(runs, 0.8).law == pytest.approx(280.0 / 0.87, rel=0.1)
    short = [StepRun(run.times[:15], run.speeds[:15], run.efforts[:15]) for run in runs]
    assert any("not steady" in word for word in read_steady_drag(short, 0.7).warnings)


def test_a_known_force_goes_into_curves_read_by_hand():
    """Net weight in heave: what is left of thrust and weight balances the drag, and starts the motion."""
    runs = step_runs(280.0, 27.0, 240.0, 1.0, known=30.0)
    drag = read_steady_drag(runs, 3.0, known_effort=30.0)
    assert np.array(drag.law) == pytest.approx([27.0, 240.0], rel=0.02)
    assert read_initial_inertia(runs, 0.8, known_effort=30.0).law == pytest.approx(280.0, rel=0.1)
    assert read_initial_inertia(runs, 0.8).law < 0.7 * 280.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fit_towing_drag(SPEEDS, SPEEDS, -np.ones(len(SPEEDS))), "not above zero"),
        (lambda: fit_towing_drag(SPEEDS, SPEEDS, np.ones(3)), "3 deviations or variances for"),
        (lambda: fit_towing_drag(["fast", "slow", "still"], [1.0, 2.0, 3.0]), "speeds is no row of numbers"),
        (lambda: stay_wire_force([[1.0, 2.0], [1.0]], [1.0, 2.0], 0.1), r"cells\[1\] has 1"),
        (lambda: fit_center_of_buoyancy([LeverTest(0.0, 0.1, ())], 1.0, 1.0, 9.81, axes="q"), "some of x, y and z"),
        (lambda: fit_bifilar(np.arange(50.0), np.zeros(50), 1.0, 9.81, 0.1, 1.0), "never changes"),
        (lambda: fit_steps([StepRun(np.arange(50.0), np.zeros(50), np.zeros(50))]), "no motion"),
    ],
)
def test_data_that_cannot_be_used_are_refused_in_words(call, words):
    with pytest.raises(BenchDataError, match=words):
        call()


def test_runs_under_way_are_refused():
    runs = [run._replace(speeds=run.speeds + 0.5) for run in step_runs(280.0, 27.0, 240.0, 0.87)]
    with pytest.raises(BenchDataError, match="not from rest"):
        fit_steps(runs)


def test_unmeasured_axes_are_marked_as_guesses():
    measured = fit_towing_drag(SPEEDS, drag_at(Drag(0.19, 74.23), SPEEDS))
    sway = extrapolated_damping(measured, "heave", "sway", 13.3, 18.5)
    assert sway.law == pytest.approx((0.19 * 18.5 / 13.3, 74.23 * 18.5 / 13.3), rel=1e-6)
    assert sway.sigma[1] >= 0.5 * sway.law.quadratic
    assert any("sway was not measured" in word for word in sway.warnings)
    assert typical_linear(16.41) == pytest.approx(2.63, abs=0.01)


def test_the_table_of_a_fit_is_readable():
    text = fit_towing_drag(SPEEDS, drag_at(Drag(3.0, 35.0), SPEEDS)).table()
    assert "quadratic" in text
    assert "N s2/m2" in text


def test_numbers_of_tests_go_into_a_vehicle_file_and_into_later_fits():
    rov = load_vehicle("bluerov2_heavy")
    random = np.random.default_rng(11)
    towed = fit_towing_drag(SPEEDS, drag_at(Drag(14.0, 141.0), SPEEDS) + random.normal(0.0, 0.2, len(SPEEDS)))
    load = 11.0 * 9.81 * 0.05 * math.tan(0.1) / 0.3  # with C 5 cm above G, it pitches the bow down by 0.1 rad
    pitched = LeverTest(0.0, -0.1, (((0.3, 0.0, 0.0), load),))
    lever = fit_center_of_buoyancy([pitched], 11.0, 11.0, 9.81, axes="z", sigma=0.01)
    assert lever.law[2] == pytest.approx(-0.05)
    drag = as_fit(towed, rov, {"linear": "damping.linear.surge", "quadratic": "damping.quadratic.surge"}, "tank")
    place = as_fit(lever, rov, {"center_of_buoyancy.z": "body.center_of_buoyancy.z"}, "pool")
    both = joined_axes([drag, place])
    again = vehicle_from_text(both.to_yaml(name="measured"))
    assert again.parameters.quadratic_damping[0][0] == pytest.approx(towed.law.quadratic)
    assert again.parameters.p_BC[2] == pytest.approx(lever.law[2])
    assert again.parameters.quadratic_damping[1] == rov.parameters.quadratic_damping[1]
    assert "towing drag" in both.to_yaml()
    assert len(both.residuals) == 2
    prior = prior_of(both)
    assert prior.names == both.names
    assert np.sqrt(np.diag(prior.covariance)) == pytest.approx([*towed.sigma, *lever.sigma])
    with pytest.raises(BenchDataError, match="speed is asked of the towing drag, which gives linear, quadratic"):
        as_fit(towed, rov, {"speed": "damping.linear.surge"}, "tank")
    with pytest.raises(ParameterNameError, match=r"damping\.linear\.surg"):
        as_fit(towed, rov, {"linear": "damping.linear.surg"}, "tank")


def test_a_noisy_first_reading_is_no_start_away_from_rest():
    """A reading of 0.13 m/s at a noise of 4 cm/s was refused as a run that does not start from rest."""
    runs = step_runs(280.0, 27.0, 240.0, 0.87)
    random = np.random.default_rng(3)
    noise = 0.1 * max(np.abs(run.speeds).max() for run in runs)
    noisy = [run._replace(speeds=run.speeds + random.normal(0.0, noise, len(run.speeds))) for run in runs]
    noisy[0].speeds[0] = 3.0 * noise
    assert fit_steps(noisy, largest_step=0.2).law.inertia == pytest.approx(280.0 / 0.87, rel=0.2)


def test_runs_with_stamps_of_their_own_are_fitted_as_well():
    runs = step_runs(280.0, 27.0, 240.0, 0.87)
    thinned = [*runs[:2], *(StepRun(*(column[::2] for column in run)) for run in runs[2:])]
    assert fit_steps(thinned).values == pytest.approx(fit_steps(runs).values, rel=0.01)
