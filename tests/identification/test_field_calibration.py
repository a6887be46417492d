"""Calibration of a calm-water model: what changed is found, what must stay stays, what does not help is refused."""

import numpy as np
import pytest
from gyro_example import CALM, driven, shaken, with_motion

from remora.equations.estimation.gyro_driven import Rotation, velocity_rate
from remora.identification import (
    RealTimeCalibration,
    calibrate_to_field,
    free_run,
    run_real_time_calibration,
    water_velocity_estimate,
)
from remora.identification.gyro_driven.calibration import CALIBRATION, RECONFIGURED, alteration, samples_of
from remora.identification.gyro_driven.fit import regression, solved_recursively
from remora.vehicles import load_vehicle
from remora_evidence.studies.gavia import records

AXES = ("surge", "sway", "heave")
FIELD = CALM._replace(
    surge=(*CALM.surge[:3], -9.1, 22.0, -33.5, -60.0, 40.0, 1.2, -2.0, 0.7),
    sway=(*CALM.sway[:2], -1.3, -0.5, -0.02, 0.01, -0.4, 0.02, 0.01, -0.005, 0.0, 0.0),
    heave=(*CALM.heave[:1], -0.9, -0.25, 0.3, 0.002, 0.012, 0.0, 0.0),
)


@pytest.fixture(scope="module")
def calm():
    return driven()


@pytest.fixture(scope="module")
def field():
    return driven(FIELD)


@pytest.mark.parametrize("axis", AXES)
def test_data_of_the_baseline_alter_nothing(calm, axis):
    change = alteration(CALM, calm, axis, getattr(CALIBRATION, axis), prior=1e4)
    assert np.abs(change).max() < 1e-9


@pytest.mark.parametrize("axis", AXES)
def test_a_known_change_is_found(field, axis):
    wanted = np.array(getattr(FIELD, axis)) - np.array(getattr(CALM, axis))
    change = alteration(CALM, field, axis, getattr(CALIBRATION, axis), prior=1e10)
    assert change == pytest.approx(wanted, abs=1e-5)


def test_frozen_numbers_stay_bit_for_bit_and_the_model_gets_better(field):
    other = driven(FIELD, duration=100.0, heading_offset=0.3)
    result = calibrate_to_field(CALM, shaken(field, 1), shaken(other, 2))
    assert all(result.accepted.values())
    assert not result.notes
    for axis in AXES:
        before, after = getattr(CALM, axis), getattr(result.model, axis)
        frozen = [k for k in range(len(before)) if k not in getattr(CALIBRATION, axis)]
        assert [after[k] for k in frozen] == [before[k] for k in frozen]
        assert result.after[axis] < 0.5 * result.before[axis]
        assert result.after[axis] == free_run(result.model, shaken(other, 2)).scores[axis].rmse


def test_a_vehicle_that_was_changed_frees_terms_of_mass(calm):
    heavier = CALM._replace(surge=(0.3, -1.5, 1.0, *CALM.surge[3:]))
    data = with_motion(calm, heavier)
    frozen = calibrate_to_field(CALM, data, data).model
    freed = calibrate_to_field(CALM, data, data, active=RECONFIGURED, prior=1e8).model
    assert frozen.surge[:3] == CALM.surge[:3]
    assert freed.surge == pytest.approx(heavier.surge, abs=1e-3)


def test_what_does_not_help_is_refused(calm, field):
    """Calibrated in one environment and validated in the other: all axes keep the baseline."""
    result = calibrate_to_field(CALM, field, calm)
    assert result.model == CALM
    assert not any(result.accepted.values())
    assert result.proposed != CALM
    assert len(result.notes) == 3


def test_damping_that_pushes_is_refused(calm):
    """The data ask for anti-damping in sway; surge, which fits, is altered all the same."""
    pushing = CALM._replace(
        sway=(*CALM.sway[:2], 4.0, -0.1, *CALM.sway[4:]), surge=(*CALM.surge[:5], -36.0, *CALM.surge[6:])
    )
    rate = velocity_rate(pushing, calm.thrust, tuple(calm.velocity.T), calm.rotation(1.0))
    data = calm._replace(velocity_rate=np.column_stack(rate))
    result = calibrate_to_field(CALM, data, with_motion(calm, pushing._replace(sway=CALM.sway)), prior=1e10)
    assert result.accepted == {"surge": True, "sway": False, "heave": False}
    assert result.model.sway == CALM.sway
    assert any(sentence.startswith("sway: damping would push above 0.025 m/s") for sentence in result.notes)


def test_no_water_moves_where_the_model_is_right_and_the_current_is_seen_at_every_heading(calm):
    assert np.abs(water_velocity_estimate(CALM, calm)).max() < 1e-5
    flow = np.array([0.12, -0.05, 0.02])
    for offset in (0.0, 1.5, 3.0, -2.0):
        still = driven(duration=60.0, heading_offset=offset)
        # Over ground there is the current more; a start through the water, where nothing is measured yet, is the truth.
        w, x, y, z = still.quaternion.T
        R = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip
        over_ground = still.velocity + np.einsum("jik,j->ki", R, flow)
        settled = water_velocity_estimate(CALM, still._replace(velocity=over_ground))[-40:]
        # The free run starts with the current taken for speed through water and forgets that in some seconds.
        assert settled == pytest.approx(np.tile(flow, (40, 1)), abs=6e-3)


def test_without_lock_nothing_is_learnt(field):
    calibration = RealTimeCalibration(CALM)
    state = calibration.initial()
    assert calibration.model(state) == CALM
    samples = samples_of(field, 1.0)
    for sample in samples[:50]:
        state, model = calibration.step(state, sample)
    assert model != CALM
    frozen, same = calibration.step(state, samples[50]._replace(locked=False, velocity=(np.nan,) * 3))
    assert same == model
    assert frozen is state


def test_it_learns_the_field_on_the_way(field):
    run = run_real_time_calibration(RealTimeCalibration(CALM), field)
    baseline = run_real_time_calibration(RealTimeCalibration(CALM, prior=1e-12), field)
    assert np.all(np.abs(run.ahead[-100:]).mean(axis=0) < 0.1 * np.abs(baseline.ahead[-100:]).mean(axis=0))
    assert run.models[-1].surge[:3] == CALM.surge[:3]
    live = free_run(list(run.models), field)
    assert live.scores["surge"].rmse < free_run(CALM, field).scores["surge"].rmse


def test_it_goes_on_from_what_was_learnt(field):
    whole = run_real_time_calibration(RealTimeCalibration(CALM), field)
    first = run_real_time_calibration(RealTimeCalibration(CALM), field.rows(0, 300))
    rest = run_real_time_calibration(RealTimeCalibration(CALM), field.rows(300, len(field.time)), first.state)
    assert rest.models[-1] == whole.models[-1]
    assert np.array_equal(np.vstack([first.ahead, rest.ahead]), whole.ahead)


def test_a_turn_after_long_straight_running_is_no_shock(calm):
    """Plain forgetting has lost all about turns by then, and blows up at the first one."""
    straight = calm._replace(
        rates=0.0 * calm.rates, turn_acceleration=0.0 * calm.turn_acceleration, thrust=np.full(len(calm.time), 30.0),
        quaternion=np.tile([1.0, 0.0, 0.0, 0.0], (len(calm.time), 1)),
    )  # fmt: skip
    long = [shaken(with_motion(straight, CALM), seed) for seed in range(4)]
    calibration, turns = RealTimeCalibration(CALM), shaken(calm, 9)
    state = calibration.initial()
    for part in long:
        state = run_real_time_calibration(calibration, part, state).state
    after = run_real_time_calibration(calibration, turns, state)
    fresh = run_real_time_calibration(calibration, turns)
    assert np.abs(after.ahead[:, 1]).max() < 2.0 * np.abs(fresh.ahead[:, 1]).max()
    bound = calibration.prior / calibration.estimator("surge").floor
    assert max(float(np.max(part.covariance)) for part in state) < 1.01 * bound
    columns = list(CALIBRATION.sway)
    rows = np.vstack([regression(part, "sway", CALM.surge_mass, 1.0).matrix[:, columns] for part in (*long, turns)])
    target = np.random.default_rng(5).normal(0.0, 0.003, len(rows))
    history = solved_recursively(rows, target, np.zeros(len(columns)), 100.0, 0.98)
    first = len(rows) - len(turns.time)
    ahead = np.abs(target[first + 1 :] - np.sum(rows[first + 1 :] * history[first:-1], axis=1))
    assert ahead.max() > 20.0 * np.abs(after.ahead[:, 1]).max()


@pytest.mark.parametrize("forgetting", [0.0, 1.2, np.nan])
def test_a_wrong_forgetting_is_refused(forgetting):
    with pytest.raises(ValueError, match="forgetting is"):
        RealTimeCalibration(CALM, forgetting=forgetting)


def test_samples_are_the_rows_of_the_data(calm):
    sample = samples_of(calm, 1.0)[17]
    assert isinstance(sample.rotation, Rotation)
    assert sample.velocity == tuple(calm.velocity[17])
    assert sample.rotation.rates == tuple(calm.rates[17])
    assert sample.rotation.heading == pytest.approx((np.sin(calm.angles[2][17]), np.cos(calm.angles[2][17])))


def test_a_forced_rotation_leaves_the_plant_its_own_translation():
    """The record generator: its rates are those of its speeds, and straight ahead it keeps the published speed."""
    gavia = load_vehicle("gavia")
    made = records.follow(gavia, records.straight(60.0))
    assert made.twist[:, 0] == pytest.approx(1.616, abs=2e-3)
    turned = records.follow(gavia, records.program(records.UNSEEN._replace(duration=120.0)))
    slope = np.gradient(turned.twist, turned.time, axis=0)[2:-2]
    assert np.abs(slope[:, :3] - turned.twist_rate[2:-2, :3]).max() < 0.15 * np.abs(turned.twist_rate[:, :3]).max()
