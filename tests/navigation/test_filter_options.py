"""Options of the navigation filter: what has no effect is refused, what is left out is not waited for."""

import math
from dataclasses import replace

import pytest

from remora.files.problems import InputError
from remora.files.units import NEVER
from remora.messages.part import PartInput
from remora.navigation.inertial.inertial_filter import model_functions
from remora.navigation.inertial.state_blocks import DRAG_TIME, MEAN_TIME, MEAN_VELOCITY
from remora.navigation.inertial.suite import FurtherStates, excessive_biases, sensor_suite
from remora.navigation.parts.filter import NavigationFilter
from remora.navigation.parts.filter_options import Pause, RestTime
from remora.navigation.parts.known_quantities import KNOWN_SPEED, LOST_SPEED
from remora.run.loop.loop import Loop
from remora.scenarios import read_scenario
from remora.sensors.stated_errors import stated_errors
from suite_flights import SITE, SUITE, flight, launch_of, readings, suite_filter

SCENARIO = """
name: hover
duration: 3 s
step: 10 ms
seed: 1
water: {{bottom_depth: 12 m}}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [1 m, 1 m, 2 m]
    sensors: {sensors}
    navigation: {{part: filter, rate: 50 Hz{options}}}
    guidance:
      part: waypoints
      rate: 10 Hz
      speed: 0.25 m/s
      points: [{{position: [1 m, 1 m, 3 m], heading: 0}}]
    control: {{part: position, rate: 50 Hz}}
    allocation: {{part: bounded, rate: 50 Hz}}
"""
SENSORS = "[imu, ahrs, gyro, dvl, depth, altimeter]"


def scenario(tmp_path, options="", sensors=SENSORS):
    path = tmp_path / "hover.yaml"
    path.write_text(SCENARIO.format(options=options and f", {options}", sensors=sensors))
    return read_scenario(path)


def estimates(read, seconds):
    """Estimates and true states, at each step of 10 ms that has one."""
    loop, found = Loop(read), []
    for k in range(1, round(100 * seconds) + 1):
        loop.advance(k)
        vehicle = loop.vehicles[0]
        if vehicle.estimate is not None:
            found.append((vehicle.estimate, vehicle.state.copy()))
    return found


LAUNCH = "launch: {heading: 0, heading_std: 2 deg}"


def test_a_sensor_that_is_left_out_is_not_waited_for(tmp_path):
    left_out = estimates(scenario(tmp_path, f"without: [ahrs], {LAUNCH}"), 2.0)
    not_fitted = estimates(scenario(tmp_path, LAUNCH, "[imu, gyro, dvl, depth, altimeter]"), 2.0)
    assert left_out[0][0].time_ns < 100_000_000
    assert left_out[-1][0] == not_fitted[-1][0]
    assert left_out[-1][1][2] > 2.0  # it dives


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("without: [ahrs]", "no sensor gives the attitude"),
        (f"without: [ahrs, imu], {LAUNCH}", "no sensor gives roll and pitch"),
        ("without: [ahsr]", 'Did you mean "ahrs"'),
        ("pauses: [{sensor: dvl, from: 2 s, until: 1 s}]", "ends at 1 s, but begins at 2 s"),
        ("pauses: [{sensor: dvl, from: 1 s, until: 1 s}]", "ends at 1 s, but begins at 1 s"),
        ("pauses: [{sensor: dvl, until: 0 s}]", "ends at 0 s, but begins at 0 s"),
        ("pauses: [{sensor: dvl}]", "give from, until or both"),
        ("pauses: [{sensor: dvll, from: 1 s}]", 'Did you mean "dvl"'),
        ("pauses: [{sensor: altimeter, from: 1 s}]", "not used by the filter. It can pause: ahrs, dvl, depth"),
        ("without: [dvl], pauses: [{sensor: dvl, from: 1 s}]", "not used by the filter. It can pause: ahrs, depth"),
        ("pauses: [{sensor: imu, from: 1 s}]", "imu drives the filter"),
    ],
)
def test_left_out_sensors_and_pauses_without_effect_are_refused(tmp_path, options, why):
    with pytest.raises(InputError, match=why):
        scenario(tmp_path, options)


def test_a_pause_after_the_end_of_the_run_gives_a_warning(tmp_path):
    late = scenario(tmp_path, f"without: [ahrs], {LAUNCH}, pauses: [{{sensor: dvl, from: 80 s, until: 90 s}}]")
    (warning,) = (one for one in late.vehicles[0].load_warnings if "navigation" in one.field)
    assert warning.field.endswith("navigation.pauses[0].from")
    assert "never begins: 80 s" in warning.text
    soon = scenario(tmp_path, f"without: [ahrs], {LAUNCH}, pauses: [{{sensor: dvl, until: 1 s}}]")
    assert not [one for one in soon.vehicles[0].load_warnings if "navigation" in one.field]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("states: {current: 0.3 m/s}", "states.current.*a dvl with water track or a current meter"),
        ("states: {bottom: 10 m}, without: [dvl, altimeter]", "states.bottom.*an altimeter or a dvl"),
        ("states: {dvl_scale: 1 %}, without: [dvl]", "states.dvl_scale.*a dvl"),
        ("states: {pressure_bias: 100 Pa}, without: [depth]", "states.pressure_bias.*a pressure sensor"),
        ("states: {mean_velocity: 0.1 m/s}", "states.mean_velocity.*accelerometers drive the velocity"),
    ],
)
def test_states_that_no_sensor_observes_are_refused(tmp_path, options, why):
    with pytest.raises(InputError, match=why):
        scenario(tmp_path, options)


def fly(part, given, seconds=2):
    """Estimates of a part, each 20 ms."""
    return reported(part, given, seconds)[0]


def reported(part, given, seconds):
    """Estimates of a part, each 20 ms, and the texts of its reports."""
    state, found, texts, period = part.initial(), [], [], 20_000_000
    for now in range(0, seconds * 1_000_000_000, period):
        new = tuple(r._replace(sensor=f"rov/{r.sensor}") for r in given if now - period < r.arrival_ns <= now)
        before = state
        state, estimate = part.step(state, PartInput(now, new, {}, None, None, (), (), None))
        texts += [report.text for report in part.reports(before, state)]
        found += [estimate] if estimate is not None else []
    return found, texts


@pytest.fixture(scope="module")
def made():
    return suite_filter()


@pytest.fixture(scope="module")
def truths():
    return flight(2.0)


def test_the_velocity_is_unknown_until_a_sensor_gives_it(made, truths):
    found = fly(NavigationFilter("rov/", made, launch_of(truths), ()), readings(SUITE, truths, 1))
    first = next(i for i, e in enumerate(found) if math.isfinite(e.twist[0]))
    assert found[first].time_ns == 200_000_000  # latency of the Doppler log
    assert all(e.is_complete and max(e.sigma_v_B) < KNOWN_SPEED for e in found[first:])
    for e in found[:first]:
        assert e.unknown == ("velocity",)
        assert all(map(math.isnan, e.sigma_v_B))


def test_the_velocity_is_unknown_again_some_time_after_all_sensors_are_lost(made, truths):
    found = fly(NavigationFilter("rov/", made, launch_of(truths), ()), readings(SUITE, truths, 1), 30)
    known = [e for e in found if e.is_complete]
    assert 2_000_000_000 < known[-1].time_ns < 29_000_000_000
    assert max(known[-1].sigma_v_B) < LOST_SPEED
    assert found[-1].unknown == ("velocity", "depth")


def test_a_stated_speed_at_launch_starts_at_once(made, truths):
    launch = launch_of(truths)._replace(speed_sigma=0.05)
    start, *_ = fly(NavigationFilter("rov/", made, launch, ()), readings(SUITE, truths, 1))
    assert start.is_complete


def test_a_velocity_that_was_known_stays_known_while_the_log_pauses(made, truths):
    pause = Pause("dvl", 500_000_000, 1 << 62)
    launch = launch_of(truths)
    found = fly(NavigationFilter("rov/", made, launch, (pause,)), readings(SUITE, truths, 1))
    assert all(e.is_complete for e in found if e.time_ns >= 200_000_000)


def without_velocity(made, launch):
    suite = made.suite._replace(aidings=tuple(one for one in made.suite.aidings if one.role != "velocity"))
    return NavigationFilter("rov/", replace(made, suite=suite), launch, ())


def test_a_velocity_that_nothing_bounds_is_never_known_and_what_needs_it_is_told_why(made, truths):
    part = without_velocity(made, launch_of(truths))
    found = fly(part, readings(SUITE, truths, 1))
    assert all(one.unknown == ("velocity",) for one in found)
    assert "no sensor of its filter bounds the velocity" in part.unknown["velocity"]
    assert not NavigationFilter("rov/", made, launch_of(truths), ()).unknown


def test_a_velocity_known_at_launch_is_unknown_once_it_has_run_away(made):
    truths = flight(2.0)
    part = without_velocity(made, launch_of(truths)._replace(speed_sigma=0.05))
    assert not part.unknown  # of the start it is
    found = fly(part, readings(SUITE, truths, 1), 40)
    known = [math.isfinite(sum(one.twist[:3])) for one in found]
    last = known.index(False) - 1
    assert known[0]
    assert last > 50
    assert not any(known[last + 1 :])
    assert max(found[last].sigma_v_B) < LOST_SPEED < max(found[last].sigma_v_B) + 0.1


@pytest.mark.parametrize(("grade", "is_excessive"), [("consumer", True), ("industrial", False), ("tactical", False)])
def test_biases_beyond_a_linearised_filter_are_remarked_upon(grade, is_excessive):
    """Measured without an attitude sensor and position fixes: a NEES of 9 to 13 of 9 until 25 s, then up to 65."""
    imu = SUITE[0]._replace(parameters={"grade": grade})
    errors = {one.name: stated_errors(one) for one in (imu, *SUITE[1:])}
    levelled = sensor_suite([imu, *SUITE[2:]], errors, SITE)
    assert bool(excessive_biases(levelled)) == is_excessive
    assert not excessive_biases(sensor_suite([imu, *SUITE[1:]], errors, SITE))


def test_a_mean_velocity_bounds_the_speed_of_a_vehicle_without_accelerometers():
    """The velocity about its mean is as large as stated, however long nothing measures it."""
    gyro = SUITE[0]._replace(kind="gyro", parameters={"random_walk": 0.001, "bias_std": 0.001})
    errors = {one.name: stated_errors(one) for one in (gyro, *SUITE[1:])}
    suite = sensor_suite([gyro, *SUITE[1:]], errors, SITE, FurtherStates(mean_velocity=0.05))
    assert suite.noise[3] ** 2 * DRAG_TIME / 2.0 == pytest.approx(0.05**2)
    at = suite.layout.start(MEAN_VELOCITY)
    assert suite.noise[at - 1] ** 2 * MEAN_TIME == pytest.approx(0.05**2)
    functions, row = model_functions(suite)
    x = [0.0] * suite.layout.states
    x[3], x[6], x[at] = 0.3, 1.0, 0.1
    for _ in range(30):
        x = functions.process(tuple(x), (0.0, 0.0, 0.0), 1.0, row)
    assert x[3:6] == pytest.approx((0.1, 0.0, 0.0), abs=1e-3)
    assert x[at] == 0.1


def test_a_mean_velocity_bounds_the_speed_of_a_vehicle_without_a_dvl(tmp_path):
    """Refused where it is meant for; its deviation stays that of the mean and of the speed about it."""
    setup = scenario(tmp_path, "states: {mean_velocity: 0.1 m/s}, without: [imu, dvl]", "[gyro, ahrs, depth, dvl, imu]")
    part = next(one.part for one in setup.vehicles[0].parts if isinstance(one.part, NavigationFilter))
    assert not part.unknown
    given = estimates(setup, 40.0)
    spread = [max(estimate.sigma_v_B) for estimate, _ in given]
    assert max(spread) < 0.15  # 0.1 m/s of the mean and 0.1 m/s about it
    assert all(math.isfinite(sum(estimate.twist)) for estimate, _ in given)


@pytest.fixture(scope="module")
def resting():
    return suite_filter(rests=True)


def test_a_vehicle_known_to_rest_on_the_bottom_does_not_drift_without_its_log(resting):
    moving, still = flight(20.0), (0.0,) * 6
    truths = {t: moving[0]._replace(time_ns=t, twist=still, twist_rate=still) for t in moving}
    given = [r for r in readings(SUITE, truths, 1) if r.sensor != "dvl"]
    part = NavigationFilter("rov/", resting, launch_of(truths), (), rests=(RestTime(0, 10_000_000_000),))
    found = {e.time_ns: e for e in fly(part, given, 20)}
    held, free = found[9_980_000_000], found[19_980_000_000]
    assert max(held.sigma_v_B) < 0.01
    assert math.dist(held.p_NB[:2], truths[0].p_NB[:2]) < 0.02  # the depth has the bias of its sensor
    assert max(free.sigma_v_B) > 3.0 * max(held.sigma_v_B)


def test_a_rest_of_a_vehicle_that_moves_is_rejected(resting):
    truths = flight(3.0)
    part = NavigationFilter("rov/", resting, launch_of(truths), (), rests=(RestTime(1_000_000_000, NEVER),))
    found, texts = reported(part, readings(SUITE, truths, 1), 3)
    assert "rest is rejected: its readings do not fit the estimate" in texts
    assert math.hypot(*found[-1].twist[:2]) > 0.9


def test_a_rest_that_ends_before_it_begins_is_refused(tmp_path):
    with pytest.raises(InputError, match="the rest ends at 1 s, but begins at 2 s"):
        scenario(tmp_path, "at_rest: [{from: 2 s, until: 1 s}]")
