"""Charts, process models and measurements of navigation filters: exact solutions, and agreement with the sensors."""

import math

import casadi
import numpy as np
import pytest

from remora import load_vehicle
from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import from_euler_zyx, product, rotation_matrix
from remora.equations.instruments import beam_directions, velocity_from_beams
from remora.equations.navigation import charts
from remora.equations.navigation.charts import NavigationPose
from remora.equations.navigation.measurements import VelocityErrorTerms, bottom_track, bottom_track_beams
from remora.equations.navigation.process_models import calibrated, constant_velocity_step, drag_step, strapdown_step
from remora.messages.truth import Truth
from remora.navigation.inertial.state_blocks import ErrorBlock, StateLayout
from remora.navigation.inertial.state_functions import chart_of, pose, rate_of
from remora.navigation.inertial.suite import FurtherStates, sensor_suite
from remora.sensors.library import make_sensor
from remora.sensors.stated_errors import stated_errors
from suite_flights import SITE, SUITE, WATER, truth_at

NAMES = ("heading", "level", "body", "local", "invariant", "rotation_vector")
LAYOUT = StateLayout((ErrorBlock("gyro_coupling", (1.0,) * 9, ()), ErrorBlock("pressure_bias", (1.0,), ())))


def random_state(random):
    q = random.standard_normal(4)
    return (*random.standard_normal(6), *(q / np.linalg.norm(q)), *random.standard_normal(10))


@pytest.mark.parametrize("name", NAMES)
def test_charts_return_the_error_that_was_added(name):
    chart, random = chart_of(LAYOUT, name), np.random.default_rng(1)
    for size in (0.0, 1e-9, 1e-5, 1e-3, 0.5, 2.0):
        x, d = random_state(random), tuple(size * random.uniform(-1.0, 1.0, 19))
        assert chart.minus(chart.plus(x, d), x) == pytest.approx(d, abs=1e-12 * (1.0 + 4.0 * size))


BIASES = StateLayout((ErrorBlock("gyro_bias", (1.0,) * 3, ()), ErrorBlock("accelerometer_bias", (1.0,) * 3, ())))


def test_errors_of_biases_in_level_axes_come_back():
    chart, random = chart_of(BIASES, "level"), np.random.default_rng(4)
    for size in (0.0, 1e-5, 0.5):
        x, d = random_state(random)[:16], tuple(size * random.uniform(-1.0, 1.0, 15))
        assert chart.minus(chart.plus(x, d), x) == pytest.approx(d, abs=1e-12 * (1.0 + 4.0 * size))


@pytest.mark.parametrize(("name", "is_kept"), [("level", True), ("heading", False)])
def test_an_update_leaves_what_a_suite_without_compass_does_not_observe(name, is_kept):
    """Heading, and gyro bias about the vertical: the same step before and after a correction, in level axes only."""
    chart, random = chart_of(BIASES, name), np.random.default_rng(5)
    x, dx = random_state(random)[:16], 0.1 * random.standard_normal(15)
    after = chart.plus(x, tuple(dx))
    steps = {"heading": np.eye(15)[8], "bias": np.eye(15)[11]}
    if name == "heading":  # errors of biases are in body axes
        steps["bias"] = np.r_[np.zeros(9), np.array(rotation_matrix(x[6:10])).T[:, 2], np.zeros(3)]
    for what, step in steps.items():
        there = (
            step
            if what == "heading" or is_kept
            else np.r_[np.zeros(9), np.array(rotation_matrix(after[6:10])).T[:, 2], np.zeros(3)]
        )
        ends = [chart.minus(chart.plus(x, tuple(dx + s * 1e-6 * step)), after) for s in (1.0, -1.0)]
        found = np.subtract(*ends) / 2e-6
        assert (np.abs(found - there).max() < 1e-7) == (is_kept or what == "heading")


def test_a_tilt_and_the_bias_that_hides_it_are_a_straight_line():
    """Specific force and its estimate agree all along; a curve would make the vertical bias observe the tilt."""
    chart, gravity, found = chart_of(BIASES, "level"), 9.81, []
    x = (0.0,) * 6 + (1.0, 0.0, 0.0, 0.0) + (0.0,) * 6
    for angle in (0.02, 0.1):
        q = from_euler_zyx(angle, 0.0, 0.0)
        bias = np.array([0.0, 0.0, -gravity]) + gravity * np.array(rotation_matrix(q)).T[:, 2]
        found.append(chart.minus((*x[:6], *q, *x[10:13], *bias), x))
        assert found[-1][12:15] == pytest.approx((0.0, 2.0 * gravity * math.sin(0.5 * angle), 0.0), abs=1e-4)
    assert found[1][6] / found[0][6] == pytest.approx(found[1][13] / found[0][13], rel=2e-3)


@pytest.mark.parametrize("name", NAMES)
def test_charts_have_finite_derivatives_at_zero(name):
    """As CasADi finds them, and equal to differences."""
    chart, x = chart_of(LAYOUT, name), random_state(np.random.default_rng(2))
    d = casadi.SX.sym("d", 19)
    moved = casadi.vertcat(*chart.plus(x, tuple(d[i] for i in range(19))))
    slope = np.array(casadi.Function("slope", [d], [casadi.jacobian(moved, d)])(np.zeros(19)))
    by_differences = np.zeros_like(slope)
    for i in range(19):
        step = np.eye(19)[i] * 1e-6
        change = np.subtract(chart.plus(x, tuple(step)), chart.plus(x, tuple(-step)))
        by_differences[:, i] = change / 2e-6
    assert np.isfinite(slope).all()
    assert slope == pytest.approx(by_differences, abs=1e-8)


def test_drag_returns_the_velocity_to_its_mean():
    """Deviations decay with the correlation time; in body axes, so that a turn takes the mean along."""
    q = from_euler_zyx(0.1, -0.2, 0.5)
    mean, deviation = (0.4, 0.1, -0.05), (0.2, -0.3, 0.1)
    x = NavigationPose((0.0, 0.0, 0.0), position_rate(q, tuple(np.add(mean, deviation))), q)
    for _ in range(50):
        x = drag_step(x, mean, (0.0, 0.0, 0.1), 1.0 / 5.0, 0.1)
    expected = np.add(mean, np.exp(-1.0) * np.array(deviation))
    assert np.array(rotation_matrix(x.q)).T @ x.v == pytest.approx(expected, abs=1e-12)
    still = NavigationPose((0.0, 0.0, 0.0), (0.3, -0.1, 0.0), q)
    held = constant_velocity_step(still, (0.0, 0.1, 0.2), 0.5)
    assert drag_step(still, mean, (0.0, 0.1, 0.2), 0.0, 0.5).v == pytest.approx(held.v, abs=1e-15)


def test_a_rotation_vector_turns_by_its_length():
    for angle in (1e-6, 1e-3, 0.7, 3.0):
        q = charts.rotation_from_vector((0.0, angle, 0.0))
        assert q == pytest.approx((math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0), abs=1e-15)


def circle_error(steps, earth):
    """Largest position error of the mechanisation after 10 s on a level circle, whose solution is exact."""
    speed, turn, gravity = 1.5, 0.3, 9.81
    x = NavigationPose((0.0, 0.0, 0.0), (speed, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    elapsed = 10.0 / steps
    for k in range(steps):
        heading = turn * (k + 0.5) * elapsed
        R = np.array(rotation_matrix(from_euler_zyx(0.0, 0.0, heading)))
        v_N = speed * np.array([math.cos(heading), math.sin(heading), 0.0])
        acceleration = turn * speed * np.array([-math.sin(heading), math.cos(heading), 0.0])
        force = R.T @ (acceleration + 2.0 * np.cross(earth, v_N) - [0.0, 0.0, gravity])
        w = R.T @ np.array(earth) + [0.0, 0.0, turn]
        x = strapdown_step(x, tuple(force), tuple(w), gravity, earth, elapsed)
    exact = speed / turn * np.array([math.sin(10.0 * turn), 1.0 - math.cos(10.0 * turn), 0.0])
    return np.abs(np.subtract(x.p, exact)).max()


def test_strapdown_is_of_second_order_in_its_step():
    coarse, fine = (circle_error(steps, (0.0, 0.0, 0.0)) for steps in (200, 400))
    assert coarse < 1e-3
    assert fine == pytest.approx(0.25 * coarse, rel=0.02)


def test_strapdown_needs_the_rotation_of_the_earth_where_the_gyros_sense_it():
    """Left out, it would tilt the vehicle by 5e-5 rad/s: 9.81 * 5e-5 * 10^3 / 6 = 0.08 m."""
    assert circle_error(2000, (5e-5, 0.0, -5e-5)) < 1e-4


def test_constant_velocity_turns_with_the_body():
    x = NavigationPose((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    for _ in range(100):
        x = constant_velocity_step(x, (0.0, 0.0, 0.01 * math.pi), 0.5)
    assert x.v == pytest.approx((0.0, 1.0, 0.0), abs=1e-9)


def test_calibration_undoes_bias_and_coupling_to_first_order():
    true, bias, coupling = (
        np.array([0.3, -0.2, 0.5]),
        np.array([0.01, 0.02, -0.01]),
        1e-4 * np.arange(9.0).reshape(3, 3),
    )
    measured = true + coupling @ true + bias
    found = calibrated(tuple(measured), tuple(bias), tuple(map(tuple, coupling)))
    assert found == pytest.approx(true, abs=np.abs(coupling @ coupling @ true).max() * 1.01)


def test_beams_give_the_velocity_that_they_measure():
    x = NavigationPose((0.0, 0.0, 0.0), (1.0, 0.4, -0.1), from_euler_zyx(0.1, -0.2, 1.0))
    none = VelocityErrorTerms((0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0))
    velocity = bottom_track(x, (0.1, 0.2, -0.3), (0.3, 0.1, 0.2), ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)), none)
    beams = bottom_track_beams(velocity, beam_directions(0.5, 0.3))
    assert velocity_from_beams(beams, 0.5, 0.3) == pytest.approx(velocity, abs=1e-14)


def without_errors(entry):
    """The entry with those parameters that are not errors."""
    words = ("std", "variance", "noise", "walk", "bias", "accuracy", "grade", "resolution", "drift", "correlation")
    kept = {k: v for k, v in entry.parameters.items() if not any(word in k for word in words)}
    if entry.kind == "ins":
        kept |= dict.fromkeys(("roll_accuracy", "pitch_accuracy", "heading_accuracy"), 0.0)
    return entry._replace(parameters=kept)


def inertial_suite(parameters):
    imu = next(one for one in SUITE if one.kind == "imu")._replace(parameters=parameters)
    entries = [imu, *(one for one in SUITE if one.kind != "imu")]
    return imu, sensor_suite(entries, {e.name: stated_errors(e) for e in entries}, SITE)


def test_specific_force_that_leaks_into_gyros_is_a_state():
    """At rest in three attitudes the gyros read K f; with that K in the state a fourth one has no turn rate."""
    imu, suite = inertial_suite({"gyro_force_sensitivity": 1e-2})
    sensor, attitudes = make_sensor(imu, 3), ((0.0, 0.0, 0.3), (0.5, 0.1, 1.0), (-0.2, 0.6, 2.0), (0.3, -0.4, 1.5))
    still = [Truth(0, (0.0, 0.0, 5.0), from_euler_zyx(*one), (0.0,) * 6, (0.0,) * 6) for one in attitudes]
    values = np.array([sensor.step(sensor.initial(), truth, WATER, 0)[1].values for truth in still])
    assert np.abs(values[:, 3:]).min(axis=0).max() > 1e-3
    leakage = np.linalg.solve(values[:3, :3], values[:3, 3:]).T
    at, x = suite.layout.start("gyro_leakage"), np.zeros(suite.layout.states)
    x[at : at + 9] = leakage.ravel()
    rate = rate_of(suite.layout, "imu")(tuple(x), tuple(values[3]))
    np.testing.assert_allclose(rate, 0.0, atol=1e-12)


@pytest.mark.parametrize(("grade", "leaks"), [("navigation", False), ("tactical", False), ("consumer", True)])
def test_leakage_below_the_wander_of_the_gyro_bias_is_no_state(grade, leaks):
    assert inertial_suite({"grade": grade})[1].layout.has("gyro_leakage") == leaks


@pytest.mark.parametrize("vehicle", ["bluerov2_heavy", "falcon", "gavia", "remus100", "vita1", ""])
def test_the_filter_predicts_the_readings_of_sensors_without_errors(vehicle):
    """Measurement models are the equations of the simulated sensors, with places, axes, water and stations."""
    from remora.navigation.inertial import inertial_filter as filters

    entries = load_vehicle(vehicle).sensors if vehicle else SUITE
    entries = [one for one in entries if one.kind not in ("camera_footprint", "imaging_sonar", "echosounder")]
    suite = sensor_suite(entries, {e.name: stated_errors(e) for e in entries}, SITE, FurtherStates(bottom=5.0))
    truth, functions, row = truth_at(3_000_000_000), *filters.model_functions(suite)
    p_BI = suite.inputs.p_BI
    p = np.add(truth.p_NB, np.array(rotation_matrix(truth.q_NB)) @ p_BI)
    v = np.array(rotation_matrix(truth.q_NB)) @ (np.array(truth.twist[:3]) + np.cross(truth.twist[3:], p_BI))
    means = {"bottom": WATER.bottom_depth}
    blocks = [means.get(block.name, 0.0) for block in suite.layout.blocks for _ in block.sigma]
    x, u = (*p, *v, *truth.q_NB, *blocks), (0.0, 0.0, 0.0, *truth.twist[3:])
    checked = 0
    for sensor, measure in zip(suite.aidings, functions.measures, strict=True):
        entry = next(one for one in entries if one.name == sensor.name)
        made = make_sensor(without_errors(entry), 0)
        reading = made.step(made.initial(), truth, WATER, 0)[1]
        if math.isfinite(sum(reading.values)):
            values = sensor.convert(reading.values)
            expected = measure(x, u, (*row, *values[len(values) - sensor.own_parameters :]))
            values = values[: len(expected)]
            assert expected == pytest.approx(values, rel=1e-9, abs=1e-9), sensor.name
            checked += 1
    assert checked >= 2


def test_a_turn_about_the_vertical_is_one_step_of_the_heading_chart_from_every_state():
    """E7: the direction that inertial, Doppler and depth readings cannot see does not depend on the state."""
    random = np.random.default_rng(5)
    for _ in range(20):
        x = pose(random_state(random))
        d = tuple(map(tuple, (0.3 * random.standard_normal((3, 3))).tolist()))
        angle = float(random.uniform(-0.5, 0.5))
        about = charts.rotation_about_vertical(angle)
        moved = charts.plus_heading(x, d)
        turned = moved._replace(v=position_rate(about, moved.v), q=product(about, moved.q))
        further = charts.plus_heading(x, (d[0], d[1], (d[2][0], d[2][1], d[2][2] + angle)))
        assert np.allclose(further.v, turned.v, atol=1e-14)
        assert np.allclose(further.q, turned.q, atol=1e-14)
