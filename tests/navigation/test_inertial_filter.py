"""Navigation filter of a sensor suite: consistency, losses, faults, clocks and starts."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import conjugate, product
from remora.files.problems import InputError
from remora.messages.part import PartInput
from remora.messages.reading import ReadingArrays, Status
from remora.navigation.consistency import consistency
from remora.navigation.inertial.inertial_filter import Launch
from remora.navigation.inertial.recorded_readings import filter_arrays, filter_readings
from remora.navigation.inertial.suite import sensor_suite
from remora.navigation.parts.filter import NavigationFilter
from remora.navigation.parts.filter_options import Pause
from remora.sensors.stated_errors import stated_errors
from suite_flights import SITE, SUITE, error_of, flight, launch_of, readings, suite_filter

SECONDS = 40.0


@pytest.fixture(scope="module")
def made():
    return suite_filter()


@pytest.fixture(scope="module")
def truths():
    return flight(SECONDS)


@pytest.fixture(scope="module")
def seen(truths):
    return readings(SUITE, truths, 1)


def errors_and_covariances(made, truths, found):
    """Error of each estimate at a time whose truth is known, its covariance and its time."""
    rows = [(i, t) for i, t in enumerate(found.stamps_ns.tolist()) if t in truths]
    errors = np.array([error_of(made, truths[t], found.states[i]) for i, t in rows])
    return errors, np.array([found.covariance(i)[:9, :9] for i, _ in rows]), np.array([t for _, t in rows]) * 1e-9


def test_errors_of_ten_runs_are_those_of_the_covariance(made, truths):
    """E4: NEES of position, velocity and attitude inside its two-sided 99 % interval."""
    random, errors, covariances = np.random.default_rng(7), [], []
    for seed in range(10):
        found = filter_readings(
            made, launch_of(truths, random), readings(SUITE, truths, seed), apart=1.0, in_order=True
        )
        e, P, _ = errors_and_covariances(made, truths, found)
        errors.append(e), covariances.append(P)
    count = min(map(len, errors))
    report = consistency(np.array([e[:count] for e in errors]), np.array([P[:count] for P in covariances]))
    assert report.verdict == "consistent", str(report)


def test_without_noise_and_with_the_right_start_the_error_stays_that_of_the_integration(made, truths):
    """E3: errors come from the steps of 20 ms alone."""
    quiet = [one._replace(parameters={}) for one in SUITE]
    found = filter_readings(made, launch_of(truths), readings(quiet, truths, 1), apart=1.0, in_order=True)
    e, _, _ = errors_and_covariances(made, truths, found)
    assert np.abs(e[5:, :3]).max() < 2e-3
    assert np.abs(e[5:, 3:6]).max() < 1e-3
    assert np.abs(e[5:, 6:]).max() < 1e-3


def test_position_without_a_fix_grows_and_heading_without_a_compass_too(made, truths, seen):
    """E7: unobservable directions keep growing."""
    found = filter_readings(made, launch_of(truths), seen, apart=1.0, in_order=True)
    horizontal = np.array([np.trace(found.covariance(i)[:2, :2]) for i in range(len(found.stamps_ns))])
    assert (np.diff(horizontal[2:]) > 0.0).all()
    blind = [r for r in seen if r.sensor != "ahrs" or r.stamp_ns == 0]
    found = filter_readings(made, launch_of(truths), blind, apart=1.0, in_order=True)
    heading = np.array([found.covariance(i)[8, 8] for i in range(len(found.stamps_ns))])
    assert heading[-1] > heading[10] > 0.0


def test_without_the_doppler_log_for_a_minute_the_error_stays_inside_its_growing_bound(made):
    """E8: 3 sigma while it is gone, and when it is back."""
    truths, inside = flight(90.0), []
    for seed in range(3):
        known = [r for r in readings(SUITE, truths, seed) if r.sensor != "dvl" or not 15.0 <= r.stamp_ns * 1e-9 < 75.0]
        found = filter_readings(made, launch_of(truths), known, apart=0.5, in_order=True)
        e, P, t = errors_and_covariances(made, truths, found)
        sigma = np.sqrt(np.einsum("tii->ti", P))
        inside.append(np.abs(e) < 3.0 * sigma)
        gone = sigma[(t > 16.0) & (t < 74.0), :2].sum(axis=1)
        assert (np.diff(gone) > 0.0).all()
        back = np.abs(e[t > 76.0, 3:6])
        assert back.max() < 0.05
    assert np.mean(inside) > 0.99


@pytest.mark.parametrize("lean", [(0.0, 0.0), (0.0, math.pi), (0.5 * math.pi, 0.0)])
def test_starts_upside_down_at_ninety_degrees_of_pitch_and_moving(made, lean):
    """E13."""
    truths = flight(30.0, speed=1.5, lean=lean)
    found = filter_readings(made, launch_of(truths), readings(SUITE, truths, 3), apart=1.0, in_order=True)
    e, P, _ = errors_and_covariances(made, truths, found)
    sigma = np.sqrt(np.einsum("tii->ti", P))
    assert np.mean(np.abs(e[5:]) < 3.0 * sigma[5:]) > 0.95
    assert np.abs(e[-1, 6:]).max() < 0.1
    if lean == (0.0, 0.0):  # else the Doppler log has no lock
        assert np.abs(e[-1, 3:6]).max() < 0.05


def part_of(made, truths, **options):
    return NavigationFilter("rov/", made, launch_of(truths), options.get("pauses", ()))


def fly(part, truths, given, period_ns=100_000_000):
    """Estimates and reports of the part over readings that arrive in time."""
    state, estimates, events = part.initial(), [], []
    waiting = sorted(given, key=lambda r: r.arrival_ns)
    for now in range(0, max(truths) + 1, period_ns):
        new = tuple(r._replace(sensor=f"rov/{r.sensor}") for r in waiting if now - period_ns < r.arrival_ns <= now)
        before = state
        state, estimate = part.step(state, PartInput(now, new, {}, None, None, (), (), None))
        events += [(now * 1e-9, report.text) for report in part.reports(before, state)]
        if estimate is not None:
            estimates.append(estimate)
    return estimates, events, state


def position_error(estimates, truths):
    """Largest error from 1 s on, when the velocity is known."""
    known = [e for e in estimates if e.time_ns >= 1_000_000_000]
    return max(np.abs(np.subtract(e.p_NB, truths[e.time_ns].p_NB)).max() for e in known)


def test_the_part_gives_an_estimate_with_deviations_and_stays_quiet(made, truths, seen):
    estimates, events, _ = fly(part_of(made, truths), truths, seen)
    assert len(estimates) == round(SECONDS * 10) + 1
    assert position_error(estimates, truths) < 0.1
    assert events == []
    last = estimates[-1]
    assert all(0.0 < s < 0.2 for s in (*last.sigma_p_N, *last.sigma_v_B, *last.sigma_turn_B))


def test_late_readings_give_the_estimate_of_readings_in_order(made, truths, seen):
    """E9: the belief after all arrivals equals that of readings in order, to the last bit."""
    _, _, end = fly(part_of(made, truths), truths, seen)
    ordered = [r._replace(arrival_ns=r.stamp_ns) for r in seen if r.arrival_ns <= max(truths)]
    _, _, other = fly(part_of(made, truths), truths, ordered)
    assert end.belief.stamp_ns == other.belief.stamp_ns
    assert end.belief.state.tolist() == other.belief.state.tolist()


def changed(seen, sensor, start, change):
    return [change(r) if r.sensor == sensor and r.stamp_ns >= start * 1e9 else r for r in seen]


def test_zeros_of_a_doppler_log_without_lock_are_refused_at_once(made, truths, seen):
    """E10."""
    zeros = changed(seen, "dvl", 20.0, lambda r: r._replace(values=(0.0, 0.0, 0.0, 0.0)))
    estimates, events, _ = fly(part_of(made, truths), truths, zeros)
    assert [text for _, text in events] == ["dvl gives zeros without lock, which are not used"]
    assert events[0][0] <= 20.0 + 0.2 + 0.1 + 1e-9  # latency and one period of the part
    assert max(abs(np.linalg.norm(e.twist[:2]) - 1.0) for e in estimates[10:300]) < 0.1


def test_a_frozen_doppler_log_is_reported_within_a_second(made, truths, seen):
    held = next(r.values for r in seen if r.sensor == "dvl" and r.stamp_ns == 20_000_000_000)
    frozen = changed(seen, "dvl", 20.0, lambda r: r._replace(values=held))
    _, events, _ = fly(part_of(made, truths), truths, frozen)
    assert "dvl is frozen: it repeats its values, which are not used" in [text for _, text in events]
    assert events[0][0] <= 20.0 + 0.2 + 1.0


def test_a_wrong_lever_arm_is_reported(truths, seen, made):
    """E10."""
    wrong = tuple(one._replace(position=(-0.7, 0.1, 0.2)) if one.name == "dvl" else one for one in SUITE)
    _, events, _ = fly(part_of(suite_filter(wrong), truths), truths, seen)
    found = [time for time, text in events if "dvl is rejected" in text or "innovations of dvl" in text]
    assert min(found) <= 20.0  # the 100 readings over which innovations are averaged


def test_outliers_are_gated(made, truths, seen):
    random = np.random.default_rng(1)

    def spoiled(reading):
        return reading._replace(values=(5.0, 5.0, 5.0, 1.0)) if random.random() < 0.2 else reading

    estimates, _, _ = fly(part_of(made, truths), truths, changed(seen, "dvl", 5.0, spoiled))
    assert position_error(estimates, truths) < 0.15


@pytest.mark.parametrize("sensor", ["imu", "ahrs", "dvl", "depth"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_that_are_not_finite_never_reach_the_state(made, truths, seen, sensor, value):
    """E12."""
    spoiled = changed(seen, sensor, 10.0, lambda r: r._replace(values=(value,) * len(r.values)))
    short = {t: truth for t, truth in truths.items() if t <= 15_000_000_000}
    estimates, _, state = fly(part_of(made, truths), short, spoiled)
    late = 200_000_000  # latency of the Doppler log, before which the velocity is unknown
    assert all(estimate.is_complete for estimate in estimates if estimate.time_ns >= late)
    assert all(estimate.unknown == ("velocity",) for estimate in estimates if estimate.time_ns < late)
    assert np.isfinite(state.belief.covariance).all()


def test_clock_jumps_duplicates_and_gaps_leave_the_estimate_sound(made, truths, seen):
    """E11: readings with stamps from the future or far in the past are left out and reported; repeats count once."""
    ahead = [
        r._replace(stamp_ns=r.stamp_ns + 5_000_000_000) if r.sensor == "dvl" and 10e9 < r.stamp_ns < 12e9 else r
        for r in seen
    ]
    behind = [
        r._replace(stamp_ns=r.stamp_ns - 5_000_000_000) if r.sensor == "dvl" and 10e9 < r.stamp_ns < 12e9 else r
        for r in seen
    ]
    for given in (ahead, behind):
        estimates, events, _ = fly(part_of(made, truths), truths, given)
        assert position_error(estimates, truths) < 0.15
        assert any("dvl has stamps from the future" in text for _, text in events)
    twice, _, _ = fly(part_of(made, truths), truths, [*seen, *seen])
    once, _, _ = fly(part_of(made, truths), truths, seen)
    assert twice[-1].p_NB == once[-1].p_NB
    backwards = [
        r._replace(stamp_ns=r.stamp_ns - 3_000_000_000) if r.sensor == "imu" and 20e9 < r.stamp_ns < 20.1e9 else r
        for r in seen
    ]
    estimates, events, _ = fly(part_of(made, truths), truths, backwards)
    assert any("clock of imu runs backwards" in text for _, text in events)
    assert position_error(estimates, truths) < 0.3


def test_a_paused_sensor_is_left_out_and_comes_back(made, truths, seen):
    pause = Pause("dvl", 10_000_000_000, 20_000_000_000)
    estimates, events, _ = fly(part_of(made, truths, pauses=(pause,)), truths, seen)
    assert [text for _, text in events] == ["dvl is lost: no reading could be used", "dvl is used again"]
    spread = {round(e.time_ns * 1e-9, 1): e.sigma_v_B[0] for e in estimates}
    assert spread[19.0] > 3.0 * spread[9.0]
    assert spread[25.0] < 1.5 * spread[9.0]


def test_what_cannot_be_right_is_refused(made, truths, seen):
    in_g = [
        r._replace(values=(*(v / 9.81 for v in r.values[:3]), *r.values[3:])) if r.sensor == "imu" else r for r in seen
    ]
    with pytest.raises(InputError, match="is its unit m/s2"):
        filter_readings(made, launch_of(truths), in_g)
    with pytest.raises(InputError, match='no readings of "imu"'):
        filter_readings(made, launch_of(truths), [])
    with pytest.raises(InputError, match="runs backwards"):
        filter_readings(made, launch_of(truths), [*seen, *[r for r in seen if r.sensor == "imu"]])
    placeless = (*SUITE[:2], SUITE[2]._replace(position=None), SUITE[3])
    with pytest.raises(InputError, match="has no position"):
        sensor_suite(placeless, {one.name: stated_errors(one) for one in placeless}, SITE)
    alone = SUITE[:1]
    with pytest.raises(InputError, match="no sensor aids the filter"):
        sensor_suite(alone, {"imu": stated_errors(alone[0])}, SITE)
    with pytest.raises(InputError, match="negative eigenvalue"):
        made.filter.initial(np.zeros(made.suite.layout.states), -np.eye(made.suite.layout.states - 1))
    with pytest.raises(InputError, match="heading at launch"):
        made.aligned(Launch((0.0, 0.0, 0.0)), 0, (0.0, 0.0, -9.81, 0.0, 0.0, 0.0), None)


def test_lost_readings_have_a_status_and_are_not_used(made, truths, seen):
    lost = changed(seen, "dvl", 20.0, lambda r: r._replace(status=Status.NO_LOCK, values=(math.nan,) * 4))
    _, events, _ = fly(part_of(made, truths), truths, lost)
    assert [text for _, text in events] == ["dvl has no lock"]


def test_single_readings_that_were_lost_on_the_way_are_no_loss_of_the_sensor(made, truths, seen):
    def without(r):
        return r._replace(status=Status.DROPPED, values=(math.nan,) * 4)

    few = [without(r) if r.sensor == "dvl" and r.stamp_ns % 1_000_000_000 < 500_000_000 else r for r in seen]
    assert fly(part_of(made, truths), truths, few)[1] == []
    _, events, _ = fly(part_of(made, truths), truths, changed(seen, "dvl", 20.0, without))
    ((time, text),) = events
    assert text == "dvl is lost: no reading could be used"
    assert 20.5 < time < 22.0


def test_heading_crosses_half_a_turn_without_a_jump(made, truths, seen):
    """E16: the flight turns by more than a whole turn through 180 degrees."""
    estimates, _, _ = fly(part_of(made, truths), truths, seen)
    turns = [abs(np.dot(e.q_NB, truths[e.time_ns].q_NB)) for e in estimates]
    assert min(turns[20:]) > math.cos(0.5 * math.radians(2.0))


def test_a_gap_in_the_inertial_readings_widens_the_covariance(made, truths):
    """A gap beyond the lag is crossed at constant velocity; errors stay inside three sigma, other sensors in use."""
    inside = []
    for seed in (1, 2, 3):
        given = [r for r in readings(SUITE, truths, seed) if r.sensor != "imu" or not 20e9 < r.stamp_ns < 23e9]
        estimates, events, _ = fly(part_of(made, truths), truths, given)
        assert any("imu is lost" in text for _, text in events)
        assert any("imu is used again" in text for _, text in events)
        assert not any("stamps" in text or "rejected" in text for _, text in events)
        for e in (e for e in estimates if 20e9 < e.time_ns < 30e9):
            turn = 2.0 * np.array(rotation_between(truths[e.time_ns].q_NB, e.q_NB))
            off = np.subtract(e.p_NB, truths[e.time_ns].p_NB)
            inside.append(np.abs([*(off / e.sigma_p_N), *(turn / e.sigma_turn_B)]) < 3.0)
        wide = {e.time_ns: e.sigma_turn_B[2] for e in estimates}
        assert wide[22_900_000_000] > 3.0 * wide[19_900_000_000]
        assert wide[30_000_000_000] < 2.0 * wide[19_900_000_000]
    assert np.mean(inside) > 0.99


def test_a_short_gap_in_the_inertial_readings_is_integrated_across(made, truths, seen):
    given = [r for r in seen if r.sensor != "imu" or not 20e9 < r.stamp_ns < 20.1e9]
    estimates, events, _ = fly(part_of(made, truths), truths, given)
    assert events == []
    assert position_error(estimates, truths) < 0.1


def rotation_between(first, second):
    """Vector part of the quaternion from the first attitude to the second."""
    q = product(conjugate(first), second)
    return tuple(math.copysign(1.0, q[0]) * part for part in q[1:])


def test_the_heading_variance_never_shrinks_without_a_compass(made, truths):
    """E7, with noisy readings and a heading known to a tenth of a radian: the limit is that it must not shrink."""
    for seed in (1, 2, 3):
        blind = [r for r in readings(SUITE, truths, seed) if r.sensor != "ahrs" or r.stamp_ns == 0]
        found = filter_readings(made, launch_of(truths), blind, apart=0.2, in_order=True)
        variance = np.array([found.covariance(i)[8, 8] for i in range(len(found.stamps_ns))])
        assert (np.diff(variance[1:]) > -1e-9 * variance[1]).all()


def test_a_frozen_inertial_unit_is_reported_within_two_seconds(made, truths, seen):
    last = next(r for r in seen if r.sensor == "imu" and r.stamp_ns == 20_000_000_000)
    given = [r._replace(values=last.values) if r.sensor == "imu" and r.stamp_ns > last.stamp_ns else r for r in seen]
    _, events, _ = fly(part_of(made, truths), truths, given)
    assert 20.0 < min(time for time, text in events if "imu is lost" in text) < 20.5


BEAMS = (*SUITE[:2], SUITE[2]._replace(name="beams", kind="dvl_beams", parameters={"beam_std": 0.005}), SUITE[3])


def with_beams(reading, kept):
    """A reading of the log with some of its beams."""
    if reading.sensor != "beams":
        return reading
    values = [value if i % 4 in kept else math.nan for i, value in enumerate(reading.values)]
    return reading._replace(status=Status.PARTIAL, values=tuple(values))


def test_two_beams_of_a_doppler_log_still_count():
    """Those ahead and astern give the velocity forward and down; that to starboard is known by the turns."""
    made, truths = suite_filter(BEAMS), flight(20.0)
    given, sigma = readings(BEAMS, truths, 1), {}
    for kept in ((0, 1, 2, 3), (0, 2), ()):
        seen = [with_beams(reading, kept) for reading in given]
        found = filter_readings(made, launch_of(truths), seen, apart=1.0, in_order=True)
        e, P, _ = errors_and_covariances(made, truths, found)
        deviations = np.sqrt(np.einsum("tii->ti", P))
        assert np.mean(np.abs(e[5:]) < 3.0 * deviations[5:]) > 0.98
        sigma[kept] = deviations[-1, 3:6]
    assert (sigma[0, 2][[0, 2]] < 2.0 * sigma[0, 1, 2, 3][[0, 2]]).all()  # half of the beams that see heave
    assert sigma[0, 2].max() < 0.05
    assert sigma[()][:2].min() > 5.0 * sigma[0, 2].max()


def arrays_of(readings):
    """The same readings as arrays by sensor."""
    found = {}
    for name in dict.fromkeys(r.sensor for r in readings):
        own = [r for r in readings if r.sensor == name]
        columns = ([getattr(r, field) for r in own] for field in ("stamp_ns", "arrival_ns", "status"))
        values = np.array([r.values for r in own])
        found[name] = ReadingArrays(*(np.array(column, dtype=np.int64) for column in columns), values)
    return found


@pytest.mark.parametrize("harm", ["none", "late start", "gap", "frozen", "zeros"])
def test_readings_in_arrays_give_the_estimates_of_single_ones(made, truths, seen, harm):
    """Also where a lost or frozen inertial unit needs them one by one."""
    known = [r for r in seen if r.stamp_ns < 6_000_000_000]
    if harm == "late start":
        later = {"ahrs": 7_000_000}  # ns: the attitude comes between two inertial readings
        known = [r._replace(stamp_ns=r.stamp_ns + later.get(r.sensor, 0)) for r in known]
        known = [r for r in known if r.sensor != "ahrs" or r.stamp_ns > 1_030_000_000]
    if harm == "gap":
        known = [r for r in known if r.sensor != "imu" or not 2e9 <= r.stamp_ns < 3e9]
    if harm == "frozen":
        last = next(r for r in known if r.sensor == "imu" and r.stamp_ns >= 4_000_000_000)
        known = [r._replace(values=last.values) if r.sensor == "imu" and r.stamp_ns > 4e9 else r for r in known]
    if harm == "zeros":
        known = [r._replace(values=(0.0,) * 4) if r.sensor == "dvl" and r.stamp_ns > 4e9 else r for r in known]
    for in_order in (False, True):
        expected = filter_readings(made, launch_of(truths), known, apart=0.5, in_order=in_order)
        found = filter_arrays(made, launch_of(truths), arrays_of(known), apart=0.5, in_order=in_order)
        np.testing.assert_array_equal(found.stamps_ns, expected.stamps_ns)
        np.testing.assert_array_equal(found.memories, expected.memories)
        for name, series in expected.innovations.items():
            np.testing.assert_array_equal(found.innovations[name].squared, series.squared)
