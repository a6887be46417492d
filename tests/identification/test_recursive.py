"""Recursive least squares: the same as batch, positive for ever, at rest when nothing moves, and as fast as it says."""

import numpy as np
import pytest
from record_example import damped_rov, diagonal_names, driven_record, started_wrong

from remora.identification import (
    RecordError,
    RecursiveLeastSquares,
    fit_least_squares,
    fit_lumped,
    fit_recursive,
    fit_recursive_lumped,
    inputs_of,
    record_from_arrays,
    values_of,
)
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM

ROV = damped_rov()
FORMS = ("square root", "covariance")


def rows(samples, seed=0, size=4, scales=(1.0, 1e-3, 50.0, 1e4), noise=0.1):
    """Rows of very different sizes, true values and noisy targets."""
    draw = np.random.default_rng(seed)
    matrix = draw.normal(size=(samples, size)) * np.resize(scales, size)
    values = draw.normal(size=size)
    return matrix, values, matrix @ values + noise * draw.standard_normal(samples)


def test_after_every_row_it_is_the_batch_solution():
    matrix, _, target = rows(60)
    estimator = RecursiveLeastSquares(4)
    learned = estimator.run(estimator.initial(), matrix, target)
    for n in range(4, 61):
        batch = np.linalg.lstsq(matrix[:n], target[:n], rcond=None)[0]
        assert np.allclose(learned.values[n - 1, 0], batch, rtol=1e-9)
    left = target - matrix @ learned.values[-1, 0]
    assert learned.state.noise[0] == pytest.approx(np.sqrt(left @ left / (60 - 4)))
    inverse = np.linalg.inv(matrix.T @ matrix)
    assert np.allclose(learned.state.covariance[0], inverse, rtol=1e-9)


@pytest.mark.parametrize("axes", [("surge",), ("surge", "sway", "yaw"), DEGREES_OF_FREEDOM])
def test_over_a_record_it_is_the_batch_fit(axes):
    record, names = driven_record(ROV, duration=60.0, noise=(0.002, 0.002)), diagonal_names(axes)
    start = started_wrong(ROV, names)
    batch = fit_least_squares(record, start, names, axes=axes, weighted=False, constrained=False)
    found = fit_recursive(record, start, names, axes=axes)
    assert np.allclose(found.fit.values, batch.values, rtol=1e-9)
    assert np.allclose(found.fit.covariance, batch.covariance, rtol=1e-6)
    assert np.allclose(found.values[-1], found.fit.values)
    assert np.allclose(values_of(found.fit.vehicle, names), batch.values, rtol=1e-9)
    plain = fit_recursive(record, start, names, axes=axes, form="covariance", sigma=[1e3] * len(names))
    assert np.allclose(plain.fit.values, batch.values, rtol=1e-3)


def test_lumped_it_is_the_lumped_batch_fit():
    time = np.arange(1200) * 0.25
    twist, wrench = np.full((1200, 6), np.nan), np.zeros((1200, 6))
    twist[:, 2] = (
        0.2 * np.sin(0.2 * time) + 0.1 * np.sin(0.53 * time) + 0.002 * np.random.default_rng(1).normal(size=1200)
    )
    wrench[:, 2] = 1269.0 * np.gradient(twist[:, 2], 0.25) + 231.0 * twist[:, 2] + 15.6
    vehicle = load_vehicle("flatfish_multidof")
    record = record_from_arrays(time, twist, inputs_of("wrench", wrench), source="heave")
    batch = fit_lumped(record, vehicle, "heave", smooth=True)
    found = fit_recursive_lumped(record, vehicle, "heave", smooth=True)
    assert np.allclose(found.lumped.lumped, batch.lumped, rtol=1e-9)
    assert np.allclose(found.lumped.fit.covariance, batch.fit.covariance, rtol=1e-6)
    assert "body.net_buoyancy" in found.lumped.fit.names
    # What was noisy at first counts no more with a memory: inertia still comes out.
    faded = fit_recursive_lumped(record, vehicle, "heave", smooth=True, memory=60.0).lumped.fit
    assert faded.values[0] == pytest.approx(batch.fit.values[0], rel=0.05)
    assert np.all(faded.sigma > batch.fit.sigma)
    assert "memory of 60 s" in faded.method


def test_weights_of_degrees_of_freedom_are_those_of_the_batch_fit():
    record, axes = driven_record(ROV, duration=60.0, noise=(0.02, 0.002)), ("surge", "yaw")
    names = diagonal_names(axes)
    alike = fit_recursive(record, ROV, names, axes=axes).fit.values
    scaled = fit_recursive(record, ROV, names, axes=axes, noise={"surge": 7.0, "yaw": 7.0}).fit.values
    other = fit_recursive(record, ROV, names, axes=axes, noise={"surge": 7.0, "yaw": 0.1}).fit.values
    assert np.allclose(alike, scaled, rtol=1e-9)
    assert not np.allclose(alike, other, rtol=1e-9)  # added mass of surge also acts in yaw


@pytest.mark.parametrize("form", FORMS)
def test_sample_by_sample_is_the_whole_record_and_states_are_left_alone(form):
    matrix, _, target = rows(90, scales=(1.0,), size=3)
    estimator = RecursiveLeastSquares(3, 3, 0.98, form)
    three, targets = matrix.reshape(30, 3, 3), target.reshape(30, 3)
    start = estimator.initial(0.5, 10.0)
    before = start.memory.copy()
    learned, state = estimator.run(start, three, targets), start
    for one, wanted in zip(three, targets, strict=True):
        state = estimator.step(state, one, wanted)
    assert np.array_equal(state.memory, learned.state.memory)
    assert np.array_equal(start.memory, before)
    alone = RecursiveLeastSquares(3, 1, 0.98, form)
    for axis in range(3):
        own = alone.run(alone.initial(0.5, 10.0), three[:, axis], targets[:, axis])
        assert np.array_equal(own.state.values[0], learned.state.values[axis])


def test_order_of_the_rows_does_not_matter():
    matrix, _, target = rows(200)
    estimator, turn = RecursiveLeastSquares(4), np.random.default_rng(3).permutation(200)
    straight = estimator.run(estimator.initial(), matrix, target).state
    mixed = estimator.run(estimator.initial(), matrix[turn], target[turn]).state
    assert np.allclose(straight.values, mixed.values, rtol=1e-9)
    assert np.allclose(straight.information, mixed.information, rtol=1e-9)


def test_the_covariance_form_is_the_recursion_of_the_textbook():
    matrix, _, target = rows(40, size=3, scales=(1.0,))
    keep, estimator = 0.95, RecursiveLeastSquares(3, 1, 0.95, "covariance")
    learned = estimator.run(estimator.initial(1.0, 100.0), matrix, target)
    values, p = np.ones(3), 1e4 * np.eye(3)
    for row, wanted in zip(matrix, target, strict=True):
        gain = p @ row / (keep + row @ p @ row)
        values = values + gain * (wanted - row @ values)
        p = (p - np.outer(gain, row @ p)) / keep
    assert np.allclose(learned.state.values[0], values, rtol=1e-9)
    assert np.allclose(learned.state.covariance[0], p, rtol=1e-7)


def test_both_forms_know_the_same_with_forgetting():
    matrix, _, target = rows(300, size=3, scales=(1.0, 0.1, 10.0))
    found = []
    for form in FORMS:
        estimator = RecursiveLeastSquares(3, 1, 0.97, form, floor=0.0, rest=0.0)
        found.append(estimator.run(estimator.initial(0.0, 1e3), matrix, target).state)
    assert np.allclose(found[0].values, found[1].values, rtol=1e-8)
    assert np.allclose(found[0].covariance, found[1].covariance, rtol=1e-6)


def test_what_was_known_before_counts_as_much_as_it_should():
    """A start with standard deviations is ridge regression around it."""
    matrix, _, target = rows(10, size=3, scales=(1.0,))
    start, sigma = np.array([1.0, 2.0, 3.0]), np.array([0.1, np.inf, 5.0])
    estimator = RecursiveLeastSquares(3)
    found = estimator.run(estimator.initial(start, sigma), matrix, target).state.values[0]
    trust = np.diag(1.0 / sigma**2)
    wanted = np.linalg.solve(matrix.T @ matrix + trust, matrix.T @ target + trust @ start)
    assert np.allclose(found, wanted, rtol=1e-9)


def poorly_excited(samples):
    """Two columns that differ by a billionth and one that is nearly nothing: a swing that says little."""
    draw = np.random.default_rng(0)
    swing = 0.3 * np.sin(0.01 * np.arange(samples))
    matrix = np.column_stack(
        [swing, swing * (1.0 + 1e-9 * draw.normal(size=samples)), 1e-4 * draw.normal(size=samples)]
    )
    return matrix, matrix @ [1.0, 2.0, 3.0] + 0.01 * draw.standard_normal(samples)


def test_a_million_poor_samples_leave_the_square_root_positive_and_break_the_covariance():
    matrix, target = poorly_excited(1_000_000)
    good, bad = (RecursiveLeastSquares(3, 1, 0.999, form) for form in FORMS)
    learned = good.run(good.initial(), matrix, target)
    information, covariance = learned.state.information[0], learned.state.covariance[0]
    assert np.array_equal(information, information.T)
    assert np.allclose(covariance, covariance.T, rtol=1e-12)
    assert np.all(np.linalg.eigvalsh(covariance) > 0.0)
    assert np.all(np.isfinite(learned.values))
    assert np.abs(learned.values[1000:, 0, 0] + learned.values[1000:, 0, 1] - 3.0).max() < 0.1
    plain = bad.run(bad.initial(), matrix, target).state.covariance[0]
    assert not (np.all(np.isfinite(plain)) and np.all(np.linalg.eigvalsh(plain) > 0.0))


def moved_and_at_rest(rest):
    """Ten minutes of motion at 20 Hz, then rest: a little noise in the rows, and all of it in the targets."""
    matrix, _, target = rows(12_000, size=3, scales=(1.0,))
    draw = np.random.default_rng(9)
    return matrix, target, 1e-3 * draw.normal(size=(rest, 3)), 0.1 * draw.standard_normal(rest)


def test_an_hour_at_rest_moves_nothing():
    matrix, target, quiet, hum = moved_and_at_rest(72_000)
    estimator = RecursiveLeastSquares(3, 1, 1.0 - 1.0 / 600.0)
    before = estimator.run(estimator.initial(), matrix, target).state
    after = estimator.run(before, quiet, hum).state
    assert np.array_equal(before.values, after.values)
    assert np.array_equal(before.covariance, after.covariance)
    assert after.passed_over[0] - before.passed_over[0] == 72_000
    textbook = RecursiveLeastSquares(3, 1, 1.0 - 1.0 / 600.0, "covariance")
    wound_up = textbook.run(textbook.run(textbook.initial(), matrix, target).state, quiet, hum).state
    assert np.trace(wound_up.covariance[0]) > 1e4 * np.trace(before.covariance[0])


def test_an_hour_on_one_course_winds_up_no_further_than_the_floor():
    """A steady motion tells one direction only; the others fade, to the floor and not beyond."""
    matrix, target, _, hum = moved_and_at_rest(72_000)
    steady = np.tile([0.5, 0.2, 1.0], (72_000, 1))
    estimator = RecursiveLeastSquares(3, 1, 0.998)
    before = estimator.run(estimator.initial(), matrix, target).state
    after = estimator.run(before, steady, steady @ before.values[0] + hum)
    grown = np.linalg.eigvalsh(after.state.covariance[0])[-1] / np.linalg.eigvalsh(before.covariance[0])[-1]
    assert 10.0 < grown < 1.5 / estimator.floor
    assert np.abs(after.values[-1, 0] - before.values[0]).max() < 0.05


@pytest.mark.parametrize("form", FORMS)
def test_a_change_is_forgotten_with_the_time_constant_of_the_memory(form):
    """After a step of the truth the error is that share of the step which the rows before it still weigh."""
    samples, memory = 40_000, 500
    draw = np.random.default_rng(5)
    matrix = draw.normal(size=(samples, 3))
    target = matrix @ [1.0, -2.0, 0.5]
    target[samples // 2 :] = matrix[samples // 2 :] @ [2.0, -1.0, 1.5]
    estimator = RecursiveLeastSquares(3, 1, 1.0 - 1.0 / memory, form)
    values = estimator.run(estimator.initial(), matrix, target).values[:, 0]
    error = np.mean([2.0, -1.0, 1.5] - values, axis=1)[samples // 2 - 1 :]
    assert error[0] == pytest.approx(1.0, abs=1e-6)
    for memories in (0.5, 1.0, 2.0):
        assert error[round(memories * memory)] == pytest.approx(np.exp(-memories), rel=0.15)
    constant = RecursiveLeastSquares(1, 1, 0.99, form, floor=0.0)
    one = constant.run(constant.initial(), np.ones(3000), np.repeat([0.0, 1.0], [2000, 1000]))
    assert np.allclose(1.0 - one.values[2000:, 0, 0], 0.99 ** np.arange(1, 1001), atol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_a_sample_with_nan_is_passed_over(form):
    matrix, _, target = rows(50, size=3, scales=(1.0,))
    broken, wanted = matrix.copy(), target.copy()
    broken[7, 1], broken[20, 0], wanted[33] = np.nan, np.inf, np.nan
    estimator, whole = RecursiveLeastSquares(3, 1, 0.99, form), np.ones(50, dtype=bool)
    whole[[7, 20, 33]] = False
    found = estimator.run(estimator.initial(), broken, wanted).state
    without = estimator.run(estimator.initial(), matrix[whole], target[whole]).state
    assert np.array_equal(found.values, without.values)
    assert np.array_equal(found.covariance, without.covariance)
    assert found.passed_over[0] == 3


def test_one_axis_with_nan_does_not_stop_the_others():
    matrix, _, target = rows(60, size=3, scales=(1.0,))
    three, targets = matrix.reshape(30, 2, 3).copy(), target.reshape(30, 2)
    three[:, 1, 0] = np.nan
    estimator = RecursiveLeastSquares(3, 2)
    state = estimator.run(estimator.initial(), three, targets).state
    assert np.allclose(state.values[0], np.linalg.lstsq(three[:, 0], targets[:, 0], rcond=None)[0])
    assert np.array_equal(state.values[1], np.zeros(3))
    assert np.all(np.isinf(np.diag(state.covariance[1])))


def test_reset_keeps_the_values_and_forgets_how_well_they_were_known():
    matrix, _, target = rows(50, size=3, scales=(1.0,))
    estimator = RecursiveLeastSquares(3)
    state = estimator.run(estimator.initial(), matrix, target).state
    again = estimator.reset(state)
    assert np.array_equal(again.values, state.values)
    assert np.all(np.isinf(np.diag(again.covariance[0])))
    assert np.diag(estimator.reset(state, 0.2).covariance[0]) == pytest.approx([0.04] * 3)
    other = estimator.run(again, matrix, target + matrix @ [1.0, 0.0, 0.0]).state
    assert np.allclose(other.values - state.values, [[1.0, 0.0, 0.0]], atol=1e-9)


def test_what_no_row_shows_keeps_its_start():
    estimator = RecursiveLeastSquares(3)
    matrix = np.array([[1.0, 0.0, 2.0], [2.0, 0.0, 1.0], [1.0, 0.0, 1.0]])
    state = estimator.run(estimator.initial([5.0, 6.0, 7.0]), matrix, matrix @ [1.0, 9.0, 2.0]).state
    assert np.allclose(state.values[0], [1.0, 6.0, 2.0])
    assert np.isinf(state.covariance[0, 1, 1])


def test_a_memory_follows_a_vehicle_that_changes():
    """The surge drag doubles half way; a fit with a memory ends at the new one, one without between both."""
    names, drag = diagonal_names(("surge",)), "damping.quadratic.surge"
    other = started_wrong(ROV, (drag,), 2.0)
    locked = DEGREES_OF_FREEDOM[1:]
    records = [driven_record(vehicle, seed=s, duration=240.0, locked=locked) for s, vehicle in enumerate((ROV, other))]
    truth = fit_recursive(records[1], ROV, names, axes=["surge"]).fit.value(drag)
    quick = fit_recursive(records, ROV, names, axes=["surge"], memory=30.0).fit.value(drag)
    slow = fit_recursive(records, ROV, names, axes=["surge"]).fit.value(drag)
    assert quick == pytest.approx(truth, rel=0.01)
    assert slow < 0.9 * truth


@pytest.mark.parametrize("options", [{"form": "square root"}, {"form": "covariance"}, {"memory": 20.0}])
def test_two_speeds_that_tell_no_damping_apart_are_refused_as_in_the_batch_fit(options):
    """A speed that only changes its sign: v |v| is v times a number."""
    time = np.arange(0.0, 400.0, 0.25)
    twist, wrench = np.full((len(time), 6), np.nan), np.zeros((len(time), 6))
    twist[:, 0] = np.where(np.sin(0.05 * time) > 0.0, 0.3, -0.3)
    wrench[:, 0] = 100.0 * twist[:, 0] + 500.0 * np.gradient(twist[:, 0], 0.25)
    square = record_from_arrays(time, twist, inputs_of("wrench", wrench))
    for fit in (fit_lumped, fit_recursive_lumped):
        with pytest.raises(RecordError, match="cannot tell effort and damping of surge apart"):
            fit(square, ROV, "surge", **(options if fit is fit_recursive_lumped else {}))


def test_wrong_shapes_and_numbers_are_refused():
    with pytest.raises(ValueError, match="Give a share above 0"):
        RecursiveLeastSquares(3, forgetting=1.1)
    with pytest.raises(ValueError, match="at least one of each"):
        RecursiveLeastSquares(0)
    estimator = RecursiveLeastSquares(3, 2)
    with pytest.raises(ValueError, match="Give 2 estimators with rows of 3 numbers, and one target for each row"):
        estimator.step(estimator.initial(), np.ones((2, 4)), np.ones(2))
    with pytest.raises(ValueError, match="one target for each row"):
        estimator.step(estimator.initial(), np.ones((2, 3)), np.ones(3))
    with pytest.raises(ValueError, match="not positive"):
        estimator.initial(0.0, [1.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="Give a positive time"):
        fit_recursive(driven_record(ROV, duration=30.0), ROV, memory=0.0)
