"""Error-state filter: round trips, Jacobians, exactness without noise, order of arrival, bad numbers.

The letters E1 to E12 are those of the invariants of filters.
"""

import casadi
import numpy as np
import pytest

from filter_models import (
    AIDINGS,
    ERRORS,
    GRAVITY,
    INVARIANT,
    LEFT,
    RIGHT,
    SIGMA,
    STATES,
    STEP_NS,
    inertial_filter,
    mission,
    process,
    reading,
)
from remora.navigation.filters import run
from remora.navigation.filters.compiling import event_loop_of, filled_in
from remora.navigation.filters.error_state_filter import ErrorStateFilter
from remora.navigation.filters.loops.jacobians import no_measure_jacobian
from remora.plant.dual.dual_functions import SLOPES

pytestmark = [pytest.mark.xdist_group("filters"), pytest.mark.timeout(600)]  # one compilation for all

CHARTS = {"right": RIGHT, "left": LEFT}
ALL_CHARTS = {**CHARTS, "invariant": INVARIANT}
WIDTH = -(-ERRORS // SLOPES) * SLOPES


@pytest.fixture(scope="module", params=CHARTS)
def chart_and_filter(request):
    return CHARTS[request.param], inertial_filter(CHARTS[request.param])


@pytest.fixture(scope="module")
def inertial():
    return inertial_filter()


@pytest.fixture(scope="module")
def flight():
    return mission(400)


def started(made, states, readings):
    return made.initial(states[0], SIGMA, inputs=readings[0].values)


def filtered(made, belief, readings):
    """The belief after readings one by one, and all their results."""
    results = []
    for one in readings:
        belief, found = made.step(belief, [one])
        results += found
    return belief, results


def random_state(random):
    x = random.standard_normal(STATES)
    x[3:7] /= np.linalg.norm(x[3:7])
    return tuple(x)


@pytest.mark.parametrize("name", ALL_CHARTS)
def test_charts_return_their_errors(name):
    """E1: minus(plus(x, d), x) = d, and plus(x, minus(y, x)) = y up to the sign of the quaternion."""
    random = np.random.default_rng(1)
    plus, minus = ALL_CHARTS[name]
    for _ in range(100):
        x, d = random_state(random), tuple(random.uniform(-1.0, 1.0, ERRORS))
        y = plus(x, d)
        np.testing.assert_allclose(minus(y, x), d, atol=1e-12)
        np.testing.assert_allclose(plus(x, minus(y, x)), y, atol=1e-12)


class SymbolicJacobians:
    """The functions of the event loop with Jacobians by CasADi, to run as plain Python."""

    def __init__(self, chart):
        x, d, u = casadi.SX.sym("x", STATES), casadi.SX.sym("d", ERRORS), casadi.SX.sym("u", 6)
        dt, split = casadi.SX.sym("dt"), casadi.vertsplit
        before = chart.plus(split(x), split(d))

        def function(inputs, value, error):
            slopes = casadi.jacobian(casadi.vertcat(*error), d)
            return casadi.Function("f", inputs, [casadi.vertcat(*value), slopes])

        after = process(before, split(u), dt, (GRAVITY,))
        known = casadi.SX.sym("known", STATES)
        self._process = function([x, d, u, dt, known], after, chart.minus(after, split(known)))
        self._reset = function([x, d, known], before, chart.minus(before, split(known)))
        predicted = [aiding.measure(before, split(u), (GRAVITY,)) for aiding in AIDINGS.values()]
        self._measures = [function([x, d, u], value, value) for value in predicted]
        self._zero = np.zeros(ERRORS)

    def process_jacobian(self, x, held, elapsed, row, new, F):
        known = np.array(self._process(x, self._zero, held, elapsed, x)[0]).ravel()
        new[:STATES] = known
        F[:, :ERRORS] = self._process(x, self._zero, held, elapsed, known)[1]

    def measure_jacobian(self, kind, x, held, row, predicted, H):
        value, slopes = self._measures[kind](x, self._zero, held)
        predicted[: value.shape[0]] = np.array(value).ravel()
        H[: value.shape[0], :ERRORS] = np.array(slopes)

    def noise_gains(self, x, held, elapsed, row, gains):
        """The noise is on the error coordinates."""

    def reset_jacobian(self, x, dx, new, G):
        dx = dx[:ERRORS]
        known = np.array(self._reset(x, dx, x)[0]).ravel()
        new[:STATES] = known
        G[:, :ERRORS] = self._reset(x, dx, known)[1]


def plain_filter(made, chart):
    """The same filter as plain Python."""
    jacobians = SymbolicJacobians(chart)
    names = ("process_jacobian", "measure_jacobian", "reset_jacobian", "noise_gains")
    loop = event_loop_of({name: getattr(jacobians, name) for name in names}, made.setup.sizes, None)
    return ErrorStateFilter(loop, made.aidings, made.setup)


def test_every_event_equals_plain_python_with_symbolic_jacobians(chart_and_filter, flight):
    """E2: state and covariance after each event, from the same belief, with Jacobians by CasADi, to 1e-12."""
    chart, made = chart_and_filter
    plain, (states, readings) = plain_filter(made, chart), flight
    belief = started(made, states, readings)
    for one in sorted(readings, key=lambda r: r.stamp_ns)[1:150]:
        expected, expected_results = plain.step(belief, [one])
        belief, results = made.step(belief, [one])
        np.testing.assert_allclose(belief.state, expected.state, rtol=1e-12, atol=1e-12)
        scale = np.sqrt(np.outer(*[np.diag(expected.covariance)] * 2))
        assert (np.abs(belief.covariance - expected.covariance) <= 1e-11 * scale).all()
        for found, other in zip(results, expected_results, strict=True):
            assert found.outcome == other.outcome == "used"
            np.testing.assert_allclose(found.values, other.values, atol=1e-12)
            np.testing.assert_allclose(found.deviations, other.deviations, rtol=1e-11)


def test_symbolic_jacobians_are_limits_of_differences():
    """E2: the judge itself against central differences of the plain functions, to 1e-6."""
    random, h = np.random.default_rng(2), 1e-5
    for chart in CHARTS.values():
        jacobians, x, u = SymbolicJacobians(chart), random_state(random), tuple(random.standard_normal(6))
        dx, new = random.uniform(-0.3, 0.3, ERRORS), np.zeros(STATES)
        F, G = np.zeros((2, ERRORS, WIDTH))
        jacobians.process_jacobian(x, u, 0.05, (GRAVITY,), new, F)
        after = process(x, u, 0.05, (GRAVITY,))
        jacobians.reset_jacobian(x, dx, new, G)
        moved = chart.plus(x, dx)
        for k in range(ERRORS):
            d = h * np.eye(ERRORS)[k]
            ends = [chart.minus(process(chart.plus(x, s * d), u, 0.05, (GRAVITY,)), after) for s in (1, -1)]
            np.testing.assert_allclose(F[:, k], np.subtract(*ends) / (2 * h), atol=1e-6)
            ends = [chart.minus(chart.plus(x, dx + s * d), moved) for s in (1, -1)]
            np.testing.assert_allclose(G[:, k], np.subtract(*ends) / (2 * h), atol=1e-6)


def test_without_noise_and_from_the_right_start_there_is_no_error(inertial):
    """E3: over a whole mission, with readings that are late."""
    states, readings = mission(1500, noisy=False)
    belief = started(inertial, states, readings)
    for one in sorted(readings, key=lambda r: r.stamp_ns):
        belief, results = inertial.step(belief, [one])
        assert results[0].outcome == "used"
        truth = states[belief.stamp_ns // STEP_NS]
        assert np.abs(RIGHT.minus(tuple(belief.state), truth)).max() < 1e-9


def test_left_and_right_errors_give_the_same_estimate(flight):
    """With the full reset of the covariance the choice of the attitude error is a matter of coordinates."""
    states, readings = flight
    start = RIGHT.plus(states[0], (0.5, -0.5, 0.3, 0.08, -0.1, 0.12, 0.1, -0.1, 0.05, 0.0, 0.0, 0.0))
    ends = []
    for chart in CHARTS.values():
        made = inertial_filter(chart)
        belief = made.initial(start, SIGMA, inputs=readings[0].values)
        ends.append(filtered(made, belief, sorted(readings, key=lambda r: r.stamp_ns))[0])
    np.testing.assert_allclose(ends[0].state, ends[1].state, atol=1e-9)
    position = slice(0, 3)
    np.testing.assert_allclose(
        ends[0].covariance[position, position], ends[1].covariance[position, position], rtol=1e-7
    )


def by_validity(one):
    return one.stamp_ns - round(1e9 * AIDINGS[one.sensor].latency) if one.sensor in AIDINGS else one.stamp_ns


def test_late_readings_give_the_belief_of_readings_in_order(inertial, flight):
    """E9: to the last bit, with 0.7 s of lag, one by one or in groups, shuffled within the groups."""
    states, readings = flight
    readings = [one for one in readings if one.stamp_ns <= 400 * STEP_NS]
    start = started(inertial, states, readings)
    in_order, first = filtered(inertial, start, sorted(readings, key=by_validity))
    arrived, second = filtered(inertial, start, sorted(readings, key=lambda r: r.stamp_ns))
    assert {one.outcome for one in first + second} == {"used"}
    random, belief = np.random.default_rng(3), start
    late_order = sorted(readings, key=lambda r: r.stamp_ns)
    for k in range(0, len(late_order), 7):
        group = late_order[k : k + 7]
        belief, _ = inertial.step(belief, [group[i] for i in random.permutation(len(group))])
    for other in (arrived, belief):
        assert other.stamp_ns == in_order.stamp_ns
        assert (other.state == in_order.state).all()
        assert (other.covariance == in_order.covariance).all()


def test_readings_beyond_the_lag_and_repeated_ones_are_refused(inertial, flight):
    """E9: the belief stays as it is, and the result says why."""
    states, readings = flight
    belief, _ = filtered(inertial, started(inertial, states, readings), sorted(readings, key=by_validity)[:300])
    old = reading("depth", belief.stamp_ns - 1_000_000_001, (5.0,))
    again = next(one for one in readings if one.sensor == "depth" and belief.stamp_ns - one.stamp_ns < 5e8)
    same, results = inertial.step(belief, [old, again])
    assert same is belief
    assert [one.outcome for one in results] == ["too late", "duplicate"]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_bad_numbers_never_reach_the_state(inertial, flight, bad):
    """E12: in any field of any reading; the other components of a measurement still count."""
    states, readings = flight
    ordered = sorted(readings, key=by_validity)
    belief, _ = filtered(inertial, started(inertial, states, readings), ordered[:200])
    for name, size in {"imu": 6, **{name: len(aiding.sigma) for name, aiding in AIDINGS.items()}}.items():
        template = next(one for one in ordered[200:] if one.sensor == name)
        for k in range(size):
            values = list(template.values)
            values[k] = bad
            after, (result,) = inertial.step(belief, [template._replace(values=tuple(values))])
            assert np.isfinite(after.state).all()
            assert np.isfinite(after.covariance).all()
            partial = name != "imu" and size > 1
            assert result.outcome == ("used" if partial else "not finite")
            assert partial or after is belief
            if partial:
                assert not np.isfinite(result.values[k])


def test_an_outlier_is_rejected_and_reported(inertial, flight):
    states, readings = flight
    belief, _ = filtered(inertial, started(inertial, states, readings), sorted(readings, key=by_validity)[:300])
    stamp = belief.stamp_ns + 1
    good, (used,) = inertial.step(belief, [reading("depth", stamp, (belief.state[2],))])
    same, (rejected,) = inertial.step(belief, [reading("depth", stamp, (belief.state[2] + 1.0,))])
    assert (used.outcome, rejected.outcome) == ("used", "rejected")
    assert rejected.values[0] == pytest.approx(1.0, abs=1e-6)
    assert rejected.squared == pytest.approx((rejected.values[0] / rejected.deviations[0]) ** 2, rel=1e-12)
    assert good.covariance[2, 2] < same.covariance[2, 2]


def test_unobservable_positions_keep_growing(inertial, flight):
    """Without ranges the horizontal position is known ever less well."""
    states, readings = flight
    belief = started(inertial, states, readings)
    grown = []
    for one in sorted((r for r in readings if r.sensor not in ("beacon",)), key=by_validity):
        belief, _ = inertial.step(belief, [one])
        grown.append(np.trace(belief.covariance[:2, :2]))
    assert grown[-1] > grown[0]


def test_the_heading_without_a_compass_is_never_better_known():
    """E7: nothing but the start tells the direction of north. DVL, depth and inertial readings must not.

    With exact readings, so that the filter stays linearised at the truth.
    """
    states, readings = mission(400, noisy=False)
    made = inertial_filter(LEFT)
    sigma = (1.0,) * 3 + (0.1,) * 3 + (100.0,) * 3 + (0.01,) * 3
    belief = made.initial(states[0], sigma, inputs=readings[0].values)
    found = run(made, belief, [one for one in readings if one.sensor in ("imu", "dvl", "depth")])
    assert (found.sigma[:, 5] >= 0.1 * (1.0 - 1e-6)).all()
    assert found.sigma[-1, 5] > 0.1
    assert found.sigma[-1, 3] < 0.05


@pytest.mark.parametrize(
    "attitude",
    [(0.0, 1.0, 0.05, 0.1), (0.766, 0.0, 0.643, 0.0), (0.01, 0.0, 0.0, 1.0)],
    ids=["inverted", "steep", "south"],
)
def test_it_converges_from_wrong_starts(inertial, attitude):
    """E13 and E16: inverted, pitched by 80 degrees, through a heading of pi; moving, wrong by 0.2 rad and 0.2 m/s."""
    states, readings = mission(1000, attitude=attitude)
    start = RIGHT.plus(states[0], (0.5, -0.5, 0.3, 0.2, -0.2, 0.2, 0.2, -0.2, 0.1, 0.0, 0.0, 0.0))
    sigma = (1.0,) * 3 + (0.2,) * 3 + (0.2,) * 3 + (0.01,) * 3
    wide = inertial
    for name in AIDINGS:
        wide = wide.changed(name, gate=1.0)
    done = run(wide, wide.initial(start, sigma, inputs=readings[0].values), sorted(readings, key=by_validity))
    truth = [states[stamp // STEP_NS] for stamp in done.stamps_ns]
    errors = np.array([RIGHT.minus(x, y) for x, y in zip(done.states, truth, strict=True)])
    settled = slice(len(errors) // 2, None)
    assert (np.abs(errors[settled, 3:9]) < 4.5 * done.sigma[settled, 3:9] + 1e-9).all()
    assert np.abs(errors[settled, 3:6]).max() < 0.05
    assert np.abs(errors[settled, 6:9]).max() < 0.1


def test_functions_of_two_filters_have_different_names():
    """Numba's own count repeats in each process: the linker took code of one cached filter for another."""
    first, second = (filled_in(no_measure_jacobian, key) for key in ("a", "b"))
    assert first.__qualname__ != second.__qualname__
