"""Readings of a filter: runs in one call, numbers that come with a reading, clocks, repeats, switching, recovery.

One small linear filter for all.
"""

from types import FunctionType

import numpy as np
import pytest

from filter_models import reading
from line_filter import AIDINGS, SECOND, line_filter, minus, noise_input, plus, position, process
from remora.files.problems import InputError
from remora.navigation.filters import Chart, compile_filter, run, table_of_series
from remora.navigation.filters.loops import jacobians

pytestmark = [pytest.mark.xdist_group("filters"), pytest.mark.timeout(600)]  # one compilation for all


@pytest.fixture(scope="module")
def line():
    return line_filter()


def start(line):
    return line.initial((0.0, 1.0), (1.0, 0.2))


def arrivals(seconds=6, seed=0):
    """Noisy readings in the order of arrival, with fixes up to 0.6 s late, some twice and one impossible."""
    random, readings = np.random.default_rng(seed), []
    for k in range(20 * seconds):
        t = k * SECOND // 20
        readings.append(reading("imu", t, (0.1 * np.sin(k),)))
        if k % 3 == 1:
            late = int(random.integers(0, 12)) * SECOND // 20
            fix = reading("fix", t, (1e-9 * t + 0.1 * random.standard_normal(),), t + late)
            readings += [fix] * (1 + (k % 2))
        if k % 4 == 2:
            readings.append(reading("beacon", t, (1e-9 * t - 7.0, (np.nan, 0.3)[k % 8 > 3], 7.0), t))
        if k % 5 == 4:
            readings.append(reading("slow", t, (1e-9 * t - 0.25,), t + SECOND // 10))
        if k % 10 == 5:
            readings += [reading("once", t + i, (round(1e-9 * t),)) for i in range(2)]
    readings.append(reading("fix", 3 * SECOND, (50.0,)))
    readings.append(reading("fix", SECOND, (1.0,), 4 * SECOND))
    return sorted(readings, key=lambda one: one.arrival_ns)


def grouped(readings):
    groups = {}
    for one in readings:
        groups.setdefault(one.arrival_ns, []).append(one)
    return list(groups.values())


def test_a_run_equals_its_steps_to_the_last_bit(line):
    """Estimates, outcomes and innovations, and the belief to continue from, in the middle of the lag as well."""
    readings = arrivals()
    belief, expected, results = start(line), [], []
    for group in grouped(readings):
        before = belief
        belief, found = line.step(belief, group)
        results += zip(group, found, strict=True)
        if belief is not before:
            expected.append((belief.stamp_ns, *belief.state, *np.sqrt(np.diag(belief.covariance))))
    for split in (0, 70):
        first = run(line, start(line), readings[:split])
        found = run(line, first.belief, readings[split:], covariances=True)
        states = np.vstack([first.states, found.states])
        assert (np.concatenate([first.stamps_ns, found.stamps_ns]) == [row[0] for row in expected]).all()
        assert (states == np.array([row[1:3] for row in expected])).all()
        np.testing.assert_allclose(found.sigma[-1], expected[-1][3:], rtol=1e-12)
        assert (found.belief.covariance == belief.covariance).all()
        assert (found.covariance(-1) == belief.covariance).all()
        assert found.belief.stamp_ns == belief.stamp_ns
    seen = set()
    whole = run(line, start(line), readings)
    for name in AIDINGS:
        series, mine = whole.innovations[name], [one for given, one in results if given.sensor == name]
        assert [series.outcome(k) for k in range(len(mine))] == [one.outcome for one in mine]
        for k, one in enumerate(mine):
            seen.add(one.outcome)
            assert not one.values or tuple(series.values[k]) == one.values
            assert one.values or np.isnan(series.values[k]).all()
    assert seen == {"used", "rejected", "duplicate", "too late", "repeated"}
    after = reading("fix", 6 * SECOND, (6.0,))
    assert (line.step(belief, [after])[0].state == line.step(whole.belief, [after])[0].state).all()


def test_series_arrive_after_their_latency(line):
    stamps = np.arange(1, 40) * SECOND // 10
    series = {"imu": (stamps, np.zeros((39, 1))), "fix": (stamps, 1e-9 * stamps[:, None])}
    table = table_of_series(series, {"fix": 0.5})
    assert (np.diff(table.arrivals_ns) >= 0).all()
    late, in_order = run(line, start(line), table), run(line, start(line), table_of_series(series))
    assert late.innovations["fix"].count("used") == 39
    assert (late.states[-1] == in_order.states[-1]).all()
    with pytest.raises(InputError, match="no sensor 'sonar'"):
        run(line, start(line), table_of_series({"sonar": series["fix"]}))


def test_noise_inputs_give_the_covariance_of_their_gains(line):
    """P = F P F^T + q dt G G^T after one interval."""
    belief, _ = line.step(start(line), [reading("imu", SECOND // 2, (0.0,))])
    F, G = np.array([[1.0, 0.5], [0.0, 1.0]]), np.array([0.25, 1.0])
    expected = F @ np.diag([1.0, 0.04]) @ F.T + 0.05**2 * 0.5 * np.outer(G, G)
    np.testing.assert_allclose(belief.covariance, expected, rtol=1e-12)


def test_a_scale_multiplies_the_noise_of_each_error_coordinate():
    def scale(x, u, dt, row):
        return (x[0], 2.0, row[0])

    def store(row, values, count):
        row[:count] = values

    names = {"noise_scale": scale, "store_tuple_values": store, "float_tuple": lambda x, count: tuple(x[:count])}
    names |= {"STATES": 2, "ERRORS": 3, "NOISES": 3}
    template, gains = jacobians.scaled_noise_gains, np.eye(3).ravel()
    for _ in range(2):  # the second time on the gains of the first
        FunctionType(template.__code__, names)(np.array([5.0, 0.0]), (), 0.1, (7.0,), gains)
        np.testing.assert_array_equal(gains.reshape(3, 3), np.diag([5.0, 2.0, 7.0]))
    with pytest.raises(InputError, match="exclude each other"):
        compile_filter(
            Chart(plus, minus), process, {}, states=2, noise=(1.0,), noise_input=noise_input, noise_scale=noise_input,
        )  # fmt: skip


def test_a_reading_brings_its_sigma_and_its_parameters(line):
    """Against the scalar Kalman update with that sigma; NaN stands for the sigma of the model."""
    for given, sigma in ((0.5, 0.5), (np.nan, 0.1)):
        belief, (result,) = line.step(start(line), [reading("beacon", 0, (-6.8, given, 7.0))])
        assert result.values[0] == pytest.approx(0.2, abs=1e-12)
        assert belief.covariance[0, 0] == pytest.approx(1.0 / (1.0 + 1.0 / sigma**2), rel=1e-12)
    for values in ((0.0, -1.0, 0.0), (0.0, 0.1, np.nan), (0.0, 0.1, np.inf)):
        same, (result,) = line.step(start(line), [reading("beacon", 0, values)])
        assert result.outcome == "not finite"
        assert same.state[0] == 0.0


def test_a_delayed_residual_uses_the_past_prediction_and_the_present_covariance(line):
    """Residual with the predicted state of 0.25 s before, gain of now (Proctor 2014, section 4.2.3)."""
    belief = start(line)
    for k in range(1, 11):
        belief, _ = line.step(belief, [reading("imu", k * SECOND // 20, (0.0,))])
    P, state = belief.covariance, belief.state.copy()
    after, (result,) = line.step(belief, [reading("slow", SECOND // 2, (0.4,))])
    assert result.outcome == "used"
    assert result.stamp_ns == SECOND // 4
    assert result.values[0] == pytest.approx(0.4 - 0.25, abs=1e-12)
    gain = P[:, 0] / (P[0, 0] + 0.01)
    np.testing.assert_allclose(after.state, state + gain * 0.15, rtol=1e-12)
    np.testing.assert_allclose(after.covariance, P - np.outer(gain, P[0]), rtol=1e-9)
    _, (result,) = line.step(belief, [reading("slow", SECOND // 10, (0.4,))])
    assert result.outcome == "too late"


def test_a_sensor_is_switched_off_and_on_without_compilation(line):
    off = line.changed("fix", active=False)
    assert off.loop is line.loop
    same, (result,) = off.step(start(line), [reading("fix", SECOND, (1.0,))])
    assert result.outcome == "inactive"
    _, (result,) = line.step(same, [reading("fix", SECOND, (1.0,))])
    assert result.outcome == "used"
    assert run(off, start(line), [reading("fix", SECOND, (1.0,))]).innovations["fix"].count("inactive") == 1
    wide = line.changed("fix", sigma=(1.0,)).step(start(line), [reading("fix", 0, (0.0,))])[0]
    assert wide.covariance[0, 0] == pytest.approx(0.5, rel=1e-12)
    for changes, message in (({"measure": position}, "cannot be changed"), ({"sigma": (1.0, 1.0)}, "has 2 entries")):
        with pytest.raises(InputError, match=message):
            line.changed("fix", **changes)
    with pytest.raises(InputError, match="no aiding sensor 'sonar'"):
        line.changed("sonar", active=False)


def test_a_filter_that_was_too_sure_recovers_after_the_stated_time(line):
    """Rejected for two seconds, then used with a larger covariance; without `recovery` rejected for ever."""
    belief = line.initial((0.0, 0.0), (0.01, 0.01))
    outcomes = []
    for k in range(1, 31):
        belief, (result,) = line.step(belief, [reading("fix", k * SECOND // 10, (3.0,))])
        outcomes.append(result.outcome)
    assert outcomes[:20] == ["rejected"] * 20
    assert outcomes[20] == "recovered"
    assert abs(belief.state[0] - 3.0) < 0.5
    stubborn, belief = line.changed("fix", recovery=np.inf), line.initial((0.0, 0.0), (0.01, 0.01))
    readings = [reading("fix", k * SECOND // 10, (3.0,)) for k in range(1, 31)]
    assert run(stubborn, belief, readings).innovations["fix"].count("rejected") == 30
    assert run(line, belief, readings).innovations["fix"].count("recovered") == 1


def test_jumps_of_the_clock_leave_the_state_unchanged(line):
    """E11: stamps after their arrival, beyond the largest gap or before the lag; a restart is a documented reset."""
    belief, _ = line.step(start(line), [reading("imu", SECOND, (0.0,))])
    for stamp, arrival, outcome in (
        (2 * SECOND, SECOND, "in the future"),
        (7 * SECOND, 7 * SECOND, "in the future"),
        (-SECOND, SECOND, "too late"),
    ):
        one = reading("fix", stamp, (1.0,), arrival)
        same, (result,) = line.step(belief, [one])
        assert (same, result.outcome) == (belief, outcome)
        assert run(line, belief, [one]).innovations["fix"].count(outcome) == 1
    for stamp in (100 * SECOND, -100 * SECOND):
        moved = line.restarted(belief, stamp)
        assert (moved.state == belief.state).all()
        assert (moved.covariance == belief.covariance).all()
        after, (result,) = line.step(moved, [reading("fix", stamp + SECOND, (2.0,))])
        assert (after.stamp_ns, result.outcome) == (stamp + SECOND, "used")


def test_a_repeated_measurement_is_used_once(line):
    """Values of the reading before with a new stamp; another value is used again."""
    belief, outcomes = start(line), []
    for k, value in enumerate((1.0, 1.0, 1.0, 1.1, 1.0)):
        belief, (result,) = line.step(belief, [reading("once", (k + 1) * SECOND // 10, (value,))])
        outcomes.append(result.outcome)
    assert outcomes == ["used", "repeated", "repeated", "used", "used"]
