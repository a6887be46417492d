"""Model-aided navigation: chart, exactness without noise, loss of the DVL, wrong models, failed pressure sensor.

The letters E1 to E15 are those of the invariants of filters.
"""

from functools import cache

import numpy as np
import pytest

from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, heading_terms, velocity_rate
from remora.equations.navigation import model_aided as equations
from remora.navigation.filters import Innovation
from remora.navigation.model_aided import (
    INERTIAL_ERRORS,
    AidingErrors,
    InertialErrors,
    ModelAidedSettings,
    initial_belief,
    model_aided_filter,
)
from remora.navigation.parts.model_aided import degraded_sensors, updated_health
from remora.navigation.velocity_model import gyro_driven_model
from remora_evidence.studies.gavia import model_aided as study, records
from remora_evidence.studies.gavia.calm_water import gavia
from remora_evidence.studies.gavia.dead_reckoning_bound import Course, position_bound
from remora_evidence.studies.gavia.inertial_records import LockTimes, drawn_errors, flown, readings

pytestmark = [pytest.mark.xdist_group("filters"), pytest.mark.timeout(600)]

TACTICAL = ModelAidedSettings(INERTIAL_ERRORS["tactical"])
FIELD = records.FieldConditions(1.0, 0.0, (0.2, -0.1), (0.0, 0.0), 0.01)
DURATION = 200.0


@cache
def course():
    """A straight leg in a current with gusts that the filter does not know."""
    path = records.straight(DURATION)
    water = records.water_of(FIELD, 3, DURATION)
    return flown(gavia(), path, water, study._turbulence(3, "test", DURATION))


@cache
def model():
    return gyro_driven_model(gavia())


def estimates(settings, lock, used_model=None, seed=1, run=None):
    """Track of the filter, and the health after it."""
    run = course() if run is None else run
    made, errors = model_aided_filter(settings), drawn_errors(run, settings, seed, "test")
    rows = list(readings(run, errors, settings, used_model or model(), lock))
    belief = initial_belief(made, settings, rows[0][0], *map(tuple, (run.p_N[0], run.quaternion[0], run.v_N[0])))
    found, health = [], ()
    for k, row in enumerate(rows):
        belief, innovations = made.step(belief, row)
        health = updated_health(health, innovations)
        if k % 10 == 9:
            sigma = np.sqrt(np.diag(belief.covariance)[:3])
            found.append((run.time[k], *(belief.state[:3] - run.p_N[k]), *sigma))
    return np.array(found), health


def test_errors_of_the_state_come_back():
    """E1: minus(plus(x, d), x) = d."""
    random = np.random.default_rng(1)
    for _ in range(20):
        x, d = random.standard_normal(equations.STATES), random.uniform(-1.0, 1.0, equations.ERRORS)
        x[3:7] /= np.linalg.norm(x[3:7])
        np.testing.assert_allclose(equations.minus(equations.plus(tuple(x), tuple(d)), tuple(x)), d, atol=1e-12)


def test_the_process_model_has_the_rate_of_the_gyro_driven_model():
    random = np.random.default_rng(2)
    numbers = (tuple(random.standard_normal(n)) for n in (11, 12, 8))
    drawn = GyroDriven(70.0, *numbers, 1.0)
    rotation = Rotation((0.1, -0.2, 0.3), (0.01, 0.02, -0.03), 0.2, heading_terms(1.0, 0.7))
    velocity = (1.5, 0.1, -0.2)
    expected = velocity_rate(drawn, 30.0, velocity, rotation)
    np.testing.assert_allclose(
        equations.modelled_rate(drawn, 30.0, velocity, rotation, velocity[0]), expected, rtol=1e-14
    )


def test_a_steady_current_changes_nothing_relative_to_the_water():
    """With a gust that lasts for ever, the velocity through the water is that of still water."""
    values = (0.0, 0.0, 0.1, *(0.0,) * 6, 30.0, 70.9, *model().surge, *model().sway, *model().heave, 1.0)
    row = (9.81, 1e12, *(0.0,) * 12)
    still = (0.0, 0.0, 5.0, 1.0, 0.0, 0.0, 0.0, 1.6, *(0.0,) * 8, 1.6, 0.0, 0.0, *(0.0,) * 8)
    gusty = [*still]
    gusty[21], gusty[16] = 0.3, 1.9
    for _ in range(50):
        still = equations.process(still, values, 0.1, row)
        gusty = equations.process(gusty, values, 0.1, row)
    carried = equations.to_body(still[3:7], (0.3, 0.0, 0.0))
    through = np.array(gusty[16:19]) - carried
    np.testing.assert_allclose(through, still[16:19], atol=1e-4)
    assert still[16] > 1.0


@pytest.mark.parametrize("error", [-0.2, 0.1, 0.3])
def test_the_speed_error_scales_the_speed_at_any_thrust(error):
    """Straight ahead, the vehicle settles at exactly 1 + e times the speed of its model."""
    right = model()
    numbers = (70.9, 0.0, 0.0, 0.0, *right.surge[3:6], *(0.0,) * 5, *right.sway, *right.heave, 1.0)
    row = (9.81, 30.0, *(0.0,) * 12)

    def settled(e, thrust):
        x = [0.0, 0.0, 5.0, 1.0, *(0.0,) * 12, 1.6, *(0.0,) * 6, e, 0.0, 0.0, 0.0]
        for _ in range(1500):
            x = equations.process(tuple(x), (*(0.0,) * 9, thrust, *numbers), 0.2, row)
        return x[16]

    for thrust in (10.0, 30.0):
        assert settled(error, thrust) == pytest.approx((1.0 + error) * settled(0.0, thrust), rel=1e-9)


def test_without_noise_the_error_stays_zero():
    """E3: exact readings and a right start; what is left is the step of the inertial readings."""
    exact = InertialErrors(*(1e-12,) * 6)
    settings = TACTICAL._replace(inertial=exact, aiding=AidingErrors(*(((1e-9,) * 3), 1e-9)))
    run = flown(gavia(), records.straight(30.0), records.still, records.unpushed)
    errors = drawn_errors(run, settings, 1, "exact")
    made = model_aided_filter(settings)
    rows = [row[:1] for row in readings(run, errors, settings, model(), LockTimes(0.0))]
    belief = initial_belief(made, settings, rows[0][0], *map(tuple, (run.p_N[0], run.quaternion[0], run.v_N[0])))
    belief, _ = made.step(belief, [one for row in rows for one in row])
    np.testing.assert_allclose(belief.state[7:10], run.v_N[len(rows) - 1], atol=1e-9)
    np.testing.assert_allclose(belief.state[:3], run.p_N[len(rows) - 1], atol=1e-4)


def test_the_error_stays_inside_its_growing_three_sigma_without_the_dvl():
    """E8: the DVL is gone for 60 s and returns; the error never leaves three sigma and does not jump beyond it."""
    track, _ = estimates(TACTICAL, LockTimes(80.0, 140.0))
    time, error, sigma = track[:, 0], track[:, 1:4], track[:, 4:7]
    assert np.mean(np.abs(error[time > 1.0]) <= 3.0 * sigma[time > 1.0]) > 0.99
    lost, back = np.searchsorted(time, [80.0, 139.0])
    assert sigma[back, 0] > 3.0 * sigma[lost, 0]  # the uncertainty grows
    jump = np.abs(np.diff(error[:, :2], axis=0)).max(axis=1)
    assert jump.max() < 3.0 * sigma[back, :2].max()


def test_a_wrong_model_and_an_unknown_current_are_consistent_or_flagged():
    """E15: damping 30 % too large and a current of 0.22 m/s that nobody announced."""
    right = model()
    wrong = right._replace(
        surge=(*right.surge[:3], *(1.3 * one for one in right.surge[3:6]), *right.surge[6:]),
        sway=tuple(1.3 * one for one in right.sway),
        heave=tuple(1.3 * one for one in right.heave),
    )
    track, health = estimates(TACTICAL, LockTimes(80.0), wrong)
    inside = np.mean(np.abs(track[:, 1:4]) <= 3.0 * track[:, 4:7])
    assert inside > 0.99 or degraded_sensors(health)


def test_depth_goes_on_by_the_heave_of_the_model_when_the_pressure_sensor_fails():
    """Gavia 20: without depth and DVL the model bounds the vertical speed better than the inertial unit alone."""
    lock = LockTimes(80.0, np.inf, 80.0)
    track, _ = estimates(TACTICAL, lock)
    assert np.all(np.abs(track[:, 3]) <= 3.5 * track[:, 6])
    free = TACTICAL._replace(aiding=AidingErrors(constraint=1e3))
    unaided, _ = estimates(free, lock)
    assert track[-1, 6] < 0.5 * unaided[-1, 6]


def test_innovations_that_do_not_fit_are_reported():
    bad = [Innovation("model", k, "used", (1.0,) * 3, (1.0,) * 3, 30.0) for k in range(60)]
    good = [Innovation("dvl", k, "used", (1.0,) * 3, (1.0,) * 3, 3.0) for k in range(60)]
    assert degraded_sensors(updated_health((), [*bad, *good])) == ("model",)
    missing = [Innovation("dvl", 1, "not finite")]
    assert updated_health((), missing) == ()


def test_the_model_of_a_vehicle_file_predicts_its_plant():
    """Free run against the plant on a course with turns and nods: the bound of the source on unseen data."""
    from remora.identification import free_run

    path = records.program(records.UNSEEN._replace(duration=150.0, turns=(100.0, 30.0, 50.0), nods=(150.0, 30.0, 8.0)))
    truth = records.follow(gavia(), path)
    log = records.logged(gavia(), truth, 1, "vehicle model")
    scores = free_run(model(), log).scores
    assert scores["surge"].rmse < 0.13


def test_the_bound_grows_with_what_is_not_known():
    """A heading error of 1 % is 1 % of the distance across the course, whatever else is known."""
    path = Course(lambda time: 0.7, 60.0, 380.0)
    sure = TACTICAL._replace(inertial=INERTIAL_ERRORS["navigation"]._replace(heading=1e-9))
    unsure = sure._replace(inertial=sure.inertial._replace(heading=0.01))
    (time, low), (_, high) = position_bound(sure, path), position_bound(unsure, path)
    added = np.sqrt(high[-1] ** 2 - low[-1] ** 2)
    assert added == pytest.approx(0.01 * 1.6 * time[-1], rel=0.02)
    assert np.all(np.diff(low[10:]) > 0.0)
