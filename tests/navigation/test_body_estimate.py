"""Compiled estimates of the vehicle against the plain functions of a filter, for every way to drive it."""

import numpy as np
import pytest

from remora.equations.algebra.kinematics import position_rate, to_body
from remora.equations.algebra.quaternions import conjugate, product, rotation_matrix
from remora.equations.algebra.vectors import cross, subtract3
from remora.equations.navigation.charts import body_error, vector_from_rotation
from remora.navigation.filters.beliefs import memory_of
from remora.navigation.filters.compiling import FilterSizes
from remora.navigation.filters.loops.ud_factors import factors_of
from remora.navigation.inertial.body_estimate import (
    MOTION,
    SIZE,
    deviations_of,
    estimate_body,
    estimate_kernel,
    places_of,
)
from remora.navigation.inertial.inertial_filter import model_functions
from remora.navigation.inertial.state_functions import pose
from remora.navigation.inertial.suite import sensor_suite
from remora.sensors.stated_errors import stated_errors
from suite_flights import IMU, SITE, SUITE, entry

AIDING = SUITE[1:]
SHEET = {**IMU, "accelerometer_scale_std": 1e-3, "gyro_scale_std": 1e-3, "gyro_misalignment": 1e-3}
WANDERING = {"random_walk": 3e-4, "bias_wander": 1e-3, "bias_wander_time": 50.0}
SUITES = {
    "imu": SUITE,
    "calibrated imu": (entry("imu", "imu", (0.3, -0.2, 0.1), 50.0, 0.0, SHEET), *AIDING),
    "gyros": (entry("gyro", "gyro", (0.0, 0.0, 0.0), 50.0, 0.0, WANDERING), *AIDING),
    "no inertial unit": AIDING,
}
RATES_AT = 4


def suite_of(name):
    errors = {one.name: stated_errors(one) for one in SUITES[name]}
    return sensor_suite(SUITES[name], errors, SITE)


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("seed", range(3))
def test_the_compiled_estimate_is_that_of_the_plain_functions(name, seed):
    """Pose and motion to the last bit, standard deviations to rounding."""
    suite, random = suite_of(name), np.random.default_rng(seed)
    functions, row = model_functions(suite)
    layout, inputs = suite.layout, suite.inputs
    errors = layout.states - 1
    sizes = FilterSizes(layout.states, errors, inputs.size, errors, len(row), (3,))
    x = random.normal(size=layout.states)
    x[6:10] /= np.linalg.norm(x[6:10])
    root = random.normal(size=(errors, errors))
    covariance = root @ root.T
    held, last = random.normal(size=inputs.size), random.normal(size=inputs.size)
    memory = memory_of(x, *factors_of(covariance), held, sizes)
    places, place = places_of(layout, sizes, inputs.driven_by, RATES_AT), np.array(inputs.p_BI)
    compiled, plain = np.empty(SIZE), np.empty(SIZE)
    given = (memory, places, np.array(row), 0.013, last, place)
    estimate_kernel()(*given, compiled)
    estimate_body(*given, plain)
    assert compiled.tobytes() == plain.tobytes()

    after = functions.process(tuple(x.tolist()), tuple(held.tolist()), 0.013, row)
    here, w = pose(after), functions.rate(after, tuple(last.tolist()))
    v_I = to_body(here.q, here.v)
    p = subtract3(here.p, position_rate(here.q, inputs.p_BI))
    v = subtract3(v_I, cross(w, inputs.p_BI))
    assert compiled[:MOTION].tolist() == [*p, *here.q, *v, *w]
    assert compiled[MOTION:] == pytest.approx(deviations_of(covariance, here.q, v_I, inputs.p_BI), rel=1e-9)


def test_errors_of_the_vehicle_are_those_of_a_disturbed_state():
    """Position, velocity in body axes and attitude of B, for a small step in each error of the chart."""
    suite, random = suite_of("calibrated imu"), np.random.default_rng(4)
    functions, _ = model_functions(suite)
    x = random.normal(size=suite.layout.states)
    x[6:10] /= np.linalg.norm(x[6:10])
    r, size = suite.inputs.p_BI, 1e-6

    def body(state):
        here = pose(state)
        return here.q, subtract3(here.p, position_rate(here.q, r)), to_body(here.q, here.v)

    q, p, v = body(tuple(x.tolist()))
    R_NB = rotation_matrix(q)
    for i in range(9):
        d = tuple(size * float(i == j) for j in range(suite.layout.states - 1))
        q_after, p_after, v_after = body(functions.chart.plus(tuple(x.tolist()), d))
        turned = vector_from_rotation(product(conjugate(q), q_after))
        seen = (*subtract3(p_after, p), *subtract3(v_after, v), *turned)
        assert body_error(d, R_NB, position_rate(q, r), pose(x.tolist()).v) == pytest.approx(seen, abs=1e-11)
