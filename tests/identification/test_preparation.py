"""Preparation of records: smoothing, time base, clocks, averages, levers."""

import numpy as np
import pytest
from scipy import signal

from remora.equations.algebra.quaternions import matrix_from_euler_xyz
from remora.equations.algebra.vectors import matvec3, transpose3
from remora.equations.instruments import point_velocity
from remora.identification import RecordError, inputs_of, record_from_arrays
from remora.identification.data.log_files import moved_to_body, velocity_at_origin
from remora.identification.regression.prefilter import differentiated, filtered
from remora.identification.sampling.clock_offset import clock_offset
from remora.identification.sampling.resampling import (
    interval_averaged,
    resampled,
    uniform_interval,
    with_inputs_moved,
    without,
)
from remora.identification.sampling.smoothing import savitzky_golay, savitzky_golay_kernel, zero_phase


@pytest.mark.parametrize("derivative", [0, 1, 2, 3])
@pytest.mark.parametrize("at", [-5, 0, 3, 5])
def test_polynomials_come_out_exactly_up_to_the_ends(derivative, at):
    t = np.arange(40) * 0.25
    polynomial = np.polynomial.Polynomial([1.0, -2.0, 0.5, 0.3])
    smooth = savitzky_golay(polynomial(t), 11, 3, 0.25, derivative, at)
    wanted = polynomial.deriv(derivative)(t) if derivative else polynomial(t)
    assert np.allclose(smooth, wanted, rtol=1e-9, atol=1e-8)


def test_centre_agrees_with_the_library_and_columns_go_side_by_side():
    table = np.random.default_rng(0).normal(size=(50, 2))
    library = signal.savgol_filter(table, 9, 3, deriv=1, delta=0.1, axis=0)
    assert np.allclose(savitzky_golay(table, 9, 3, 0.1, 1), library, atol=1e-12)


def test_newest_sample_uses_nothing_of_the_future():
    values = np.random.default_rng(1).normal(size=60)
    changed = values.copy()
    changed[40:] += 10.0
    before, after = (savitzky_golay(v, 9, 2, 1.0, 0, at=4) for v in (values, changed))
    assert np.allclose(before[9:40], after[9:40])
    assert not np.allclose(before[40:], after[40:])


def test_kernel_between_samples_is_that_of_the_polynomial():
    x = np.arange(-3.0, 4.0)
    assert savitzky_golay_kernel(7, 2, 0, 0.5) @ x**2 == pytest.approx(0.25)
    assert savitzky_golay_kernel(7, 2, 1, 0.5, step=0.1) @ x**2 == pytest.approx(10.0)


@pytest.mark.parametrize("bad", [(4, 2, 0), (5, 5, 0), (5, 2, 3), (0, 0, 0)])
def test_impossible_kernels_are_refused(bad):
    with pytest.raises(ValueError, match=r"give|has derivatives"):
        savitzky_golay_kernel(*bad)


def test_short_signals_are_refused():
    with pytest.raises(RecordError, match=r"fewer than the window"):
        savitzky_golay(np.zeros(5), 9, 2, 1.0)
    with pytest.raises(RecordError, match=r"too few"):
        zero_phase(np.zeros(5), 10.0, 1.0)


def test_zero_phase_delays_nothing():
    t = np.arange(1000) * 0.01
    slow, fast = np.sin(2 * np.pi * 0.5 * t), np.sin(2 * np.pi * 20.0 * t)
    clean = zero_phase(slow + fast, 100.0, 3.0)
    assert np.abs(clean - slow)[100:-100].max() < 0.01


@pytest.mark.parametrize("make", [filtered, differentiated])
def test_treatments_keep_levels_and_slopes(make):
    prefilter = make(0.05)
    t = np.arange(200) * 0.05
    kept = prefilter.kept(200)
    assert np.allclose(prefilter.term(np.full(200, 3.0)), 3.0)
    assert np.allclose(prefilter.term(2.0 * t), 2.0 * t[kept])
    assert np.allclose(prefilter.rate(2.0 * t + 1.0), 2.0)
    assert len(prefilter.rate(t)) == len(kept)


def test_window_hands_the_derivative_over_without_differentiating():
    # The filtered derivative and the derivative of what is filtered are the same signal.
    prefilter = filtered(0.01)
    t = np.arange(3000) * 0.01
    wave = np.sin(1.3 * t)
    low_pass, rate = prefilter.term(1.3 * np.cos(1.3 * t)), prefilter.rate(wave)
    assert np.abs(low_pass - rate).max() < 1e-6


def test_averages_are_exact_for_stairs_and_lines():
    time = np.arange(5) * 1_000_000_000
    steps = np.array([[0.0], [1.0], [1.0], [3.0], [3.0]])
    at = np.array([1_000_000_000, 3_000_000_000])
    assert np.allclose(interval_averaged(time, steps, True, at, 1.0)[:, 0], [0.5, 2.0])
    assert np.allclose(interval_averaged(time, steps, False, at, 1.0)[:, 0], [0.875, 2.75])


def record_of(time, speed, effort, **others):
    twist = np.full((len(time), 6), np.nan)
    twist[:, 0] = speed
    return record_from_arrays(time, twist, inputs_of("outputs", effort[:, None], ["main"], ["N"]), **others)


def test_resampling_respects_gaps_and_averages_inputs():
    time = np.concatenate([np.arange(0.0, 2.0, 0.07), np.arange(6.0, 9.0, 0.07)])
    record = record_of(time, 0.5 * time, np.ones(len(time)), gap=1.0)
    even = resampled(record, 0.1)
    assert len(even.segments) == 2
    assert not np.any((even.time > 2.0) & (even.time < 6.0))
    assert np.allclose(even.speed("surge"), 0.5 * even.time)
    assert np.allclose(even.inputs.values, 1.0)
    assert uniform_interval(even) == pytest.approx(0.1)
    assert len(resampled(record, 0.1, shortest=2.5).segments) == 1
    with pytest.raises(RecordError, match=r"no segment of 5 s"):
        resampled(record, 0.1, shortest=5.0)


def test_a_lock_that_is_lost_is_not_bridged_but_a_slower_sensor_is_joined():
    """Ten seconds without a speed stay unknown, at the end too; every fifth sample is a rate of its own."""
    time = np.arange(1200) * 0.05
    speed = np.where((time > 20.0) & (time < 30.0) | (time > 55.0), np.nan, 0.1 * time)
    record = record_of(time, speed, np.ones(len(time)))
    slow = np.where(np.arange(len(time)) % 5 == 0, 0.02 * time, np.nan)
    both = record.with_note("A slower sensor.", twist=np.column_stack([record.twist[:, :5], slow]))
    even = resampled(both, 0.1)
    lost = np.isnan(even.speed("surge"))
    assert np.array_equal(lost, (even.time > 20.01) & (even.time < 29.99) | (even.time > 55.01))
    assert np.allclose(even.speed("surge")[~lost & (even.time < 55.0)], 0.1 * even.time[~lost & (even.time < 55.0)])
    assert np.allclose(even.speed("yaw")[:-2], 0.02 * even.time[:-2])


def test_mixed_rates_and_jitter_are_refused_with_the_fix():
    mixed = np.concatenate([np.arange(0.0, 5.0, 0.02), np.arange(5.0, 20.0, 0.1)])
    with pytest.raises(RecordError, match=r"mixes rates: intervals run from 0.02 to 0.1 s.*resampled"):
        uniform_interval(record_of(mixed, mixed, mixed, gap=1.0))
    jitter = np.arange(100) * 0.1 + np.random.default_rng(0).uniform(0.0, 0.03, 100)
    with pytest.raises(RecordError, match=r"intervals jitter"):
        uniform_interval(record_of(jitter, jitter, jitter))


def test_masked_rows_leave_gaps():
    time = np.arange(100) * 0.1
    masked = (time > 3.0) & (time < 5.0)
    kept = without(record_of(time, time, time), masked)
    assert len(kept.segments) == 2
    assert len(kept) == 100 - masked.sum()
    with pytest.raises(RecordError, match=r"leaves 0 of 100"):
        without(record_of(time, time, time), np.ones(100, dtype=bool))


@pytest.mark.parametrize("offset", [0.001, -0.0137, 0.2503])
def test_offset_of_two_clocks_is_found_to_the_millisecond(offset):
    generator = np.random.default_rng(7)
    frequency, phase = generator.uniform(0.05, 0.8, 12), generator.uniform(0.0, 6.28, 12)

    def quantity(t):
        return np.sin(2 * np.pi * frequency * t[:, None] + phase).sum(axis=1)

    a, b = np.arange(0.0, 60.0, 0.01), np.arange(0.0, 60.0, 0.02) + 0.0042
    noise = generator.normal(0.0, 0.02, len(a)), generator.normal(0.0, 0.02, len(b))
    found = clock_offset(a, quantity(a) + noise[0], b + offset, 1.7 * quantity(b) + 0.3 + noise[1], 0.5)
    assert abs(found.offset - offset) < 1e-3
    assert found.correlation > 0.99
    assert found.sigma < 1e-3


@pytest.mark.parametrize("rates", [(100.0, 100.0), (100.0, 4.0), (10.0, 10.0)])
def test_noise_neither_draws_the_offset_to_samples_nor_makes_it_look_surer_than_it_is(rates):
    """A slow swing with noise: errors as large as the least possible ones, and as large as said."""
    offset, noise, turn = 0.2117, 0.05, 2.0 * np.pi * 0.1
    a, b = (np.arange(0.0, 60.0, 1.0 / rate) for rate in rates)
    errors, sigmas = [], []
    for seed in range(30):
        generator = np.random.default_rng(seed)
        first = np.sin(turn * a) + generator.normal(0.0, noise, len(a))
        second = np.sin(turn * (b - offset)) + generator.normal(0.0, noise, len(b))
        found = clock_offset(a, first, b, second, 1.0)
        errors.append(found.offset - offset)
        sigmas.append(found.sigma)
    least = noise * np.sqrt(sum(1.0 / (0.5 * turn**2 * len(t)) for t in (a, b)))  # Cramer and Rao
    spread = np.sqrt(np.mean(np.square(errors)))
    assert spread < 1.4 * least
    assert 0.7 < spread / np.sqrt(np.mean(np.square(sigmas))) < 1.4


def test_clocks_without_a_common_motion_are_refused():
    t = np.arange(0.0, 20.0, 0.05)
    generator = np.random.default_rng(0)
    wave = np.sin(t) + np.sin(1.7 * t)
    with pytest.raises(RecordError, match=r"opposite ways"):
        clock_offset(t, wave, t, -wave, 1.0)
    with pytest.raises(RecordError, match=r"first signal holds NaN"):
        clock_offset(t, np.where(t > 5.0, np.nan, wave), t, wave, 1.0)
    with pytest.raises(RecordError, match=r"second signal repeat or run backwards"):
        clock_offset(t, wave, t[::-1], wave, 1.0)
    with pytest.raises(RecordError, match=r"400 stamps and 399 values"):
        clock_offset(t, wave[:-1], t, wave, 1.0)
    with pytest.raises(RecordError, match=r"do not look alike"):
        clock_offset(t, generator.normal(size=400), t, generator.normal(size=400), 1.0)
    with pytest.raises(RecordError, match=r"does not move"):
        clock_offset(t, np.zeros(400), t, t, 1.0)
    with pytest.raises(RecordError, match=r"share only"):
        clock_offset(t, t, t + 100.0, t, 1.0)


def test_late_inputs_are_moved_back():
    time = np.arange(200) * 0.05
    late = np.sin(time - 0.1)
    moved = with_inputs_moved(record_of(time, time, late), 0.1)
    assert np.allclose(moved.inputs.values[:, 0], np.sin(moved.time_ns * 1e-9), atol=1e-3)


def test_lever_of_a_sensor_is_taken_off():
    p_BS, R_BS = (-0.4, 0.12, 0.35), matrix_from_euler_xyz(0.1, -0.2, 0.7)
    body = np.random.default_rng(0).normal(size=(10, 6))
    at_sensor = np.array([
        [*matvec3(transpose3(R_BS), point_velocity(tuple(row), p_BS)), *matvec3(transpose3(R_BS), tuple(row[3:]))]
        for row in body
    ])  # fmt: skip
    record = record_from_arrays(np.arange(10) * 0.1, at_sensor)
    assert np.allclose(moved_to_body(record, p_BS, R_BS).twist, body)
    with pytest.raises(RecordError, match=r"no rates"):
        moved_to_body(record_of(np.arange(10) * 0.1, np.ones(10), np.ones(10)), p_BS)


def test_lever_arm_of_a_velocity_with_stamps_of_its_own():
    p_BS, time = (-0.4, 0.12, 0.35), np.arange(41) * 0.1
    rates = np.column_stack([0.1 * time, 0.3 - 0.05 * time, 0.2 * time])  # linear, so that interpolation is exact
    body = np.column_stack([np.sin(time), np.cos(time), 0.1 * time, rates])
    measured = body.copy()
    measured[:, :3] += np.cross(rates, p_BS)
    measured[1::2, 3:] = np.nan
    measured[::2, :3] = np.nan
    moved = velocity_at_origin(record_from_arrays(time, measured), p_BS)
    assert np.allclose(moved.twist[1:-1:2, :3], body[1:-1:2, :3], atol=1e-12)
    assert np.array_equal(moved.twist[:, 3:], measured[:, 3:], equal_nan=True)
    assert "moved from the sensor at (-0.4, 0.12, 0.35) m" in moved.provenance[-1]


def test_a_lever_arm_without_rates_of_roll_and_pitch_takes_them_as_zero_and_says_so():
    time = np.arange(10) * 0.1
    twist = np.full((10, 6), np.nan)
    twist[:, 0], twist[:, 1], twist[:, 5] = 0.3, 0.1, 0.5
    moved = velocity_at_origin(record_from_arrays(time, twist), (0.4, 0.2, 0.3))
    assert np.allclose(moved.twist[:, :2], [0.3 + 0.5 * 0.2, 0.1 - 0.5 * 0.4])
    assert "roll and pitch was not measured and counts as zero" in moved.provenance[-1]
    with pytest.raises(RecordError, match=r"no rate of yaw"):
        velocity_at_origin(record_of(time, np.ones(10), np.ones(10)), (0.4, 0.2, 0.3))


def test_an_attitude_is_resampled_through_changes_of_the_sign_of_its_quaternion():
    time = 0.1 * np.arange(41)
    yaw = 0.5 * time
    signs = np.where(np.arange(41) % 3 == 1, -1.0, 1.0)[:, None]
    quaternion = signs * np.column_stack([np.cos(0.5 * yaw), 0.0 * yaw, 0.0 * yaw, np.sin(0.5 * yaw)])
    found = resampled(record_from_arrays(time, np.zeros((41, 6)), quaternion=quaternion), 0.05)
    assert np.linalg.norm(found.quaternion, axis=1) == pytest.approx(1.0)
    turned = 2.0 * np.arctan(found.quaternion[:, 3] / found.quaternion[:, 0])
    assert turned == pytest.approx(0.5 * found.time, abs=1e-4)
