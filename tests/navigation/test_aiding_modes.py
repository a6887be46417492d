"""Each kind of aiding bounds the errors that dead reckoning lets grow, within the stated deviations.

One filter with all kinds is compiled; each mode is tried with the readings of its own sensors.
"""

import math

import numpy as np
import pytest

from remora.messages.reading import Status
from remora.navigation.inertial.recorded_readings import filter_readings
from remora.navigation.inertial.suite import FurtherStates, sensor_suite, unknown_points
from remora.navigation.replays import RecordedTruth, attainable_accuracy
from remora.sensors.environment import OpenWater
from remora.sensors.stated_errors import stated_errors
from suite_flights import SITE, SUITE, entry, error_of, flight, launch_of, readings, suite_filter

CURRENT, BOTTOM = (0.2, -0.1, 0.0), 20.0
WATER = OpenWater(bottom_depth=BOTTOM, current=CURRENT)
STATIONS = ((-10.0, -10.0, 2.0), (10.0, -10.0, 15.0), (10.0, 10.0, 2.0), (-10.0, 10.0, 15.0))
LAMPS = ((8.0, 0.0, 6.0), (-8.0, 3.0, 9.0), (0.0, 12.0, 7.0), (-2.0, -9.0, 8.0))
AHEAD, ASTERN = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)  # q_BS of cameras
# A fix that its station sends over an acoustic modem: two to three seconds late, rounded, a third of them lost.
MODEM = {"latency_jitter": 0.2, "dropout": 0.3, "range_resolution": 0.1, "angle_resolution": math.radians(0.2)}
SEEN = {"targets": LAMPS, "half_angle": 0.7, "std": 0.005}
BEARINGS = {"range_std": 0.05, "angle_std": math.radians(0.5)}
AIDINGS = (
    entry("sbl", "sbl", (0.1, 0.0, -0.2), 1.0, 0.1, {"stations": STATIONS[:3], "std": 0.05}),
    entry("lbl", "lbl", (0.0, 0.1, -0.2), 1.0, 0.5, {"stations": STATIONS, "std": 0.1}),
    entry("usbl", "usbl", (0.0, 0.0, -0.3), 1.0, 0.2, {"station": (5.0, 5.0, 1.0), "station_heading": 0.7, **BEARINGS}),
    entry("modem", "usbl", (0.0, 0.0, -0.3), 1.0, 2.4, {"station": (5.0, 5.0, 1.0), **BEARINGS, **MODEM}),
    entry("array", "usbl", (0.2, 0.0, 0.3), 1.0, 0.2, {"target": (3.0, 2.0, 19.0), **BEARINGS}),
    entry("camera", "camera", (0.4, 0.0, 0.0), 2.0, 0.1, SEEN, AHEAD),
    entry("astern", "camera", (-0.4, 0.0, 0.0), 2.0, 0.1, SEEN, ASTERN),
    entry("gps", "gps", (0.0, 0.0, -9.0), 1.0, 0.0, {"position_std": 0.5, "velocity_std": 0.05}),  # on a long mast
    entry("altimeter", "altimeter", (0.0, 0.0, 0.2), 5.0, 0.0, {"std": 0.02}),
    entry("meter", "current_meter", (0.3, 0.0, 0.0), 5.0, 0.0, {"std": 0.01}),
)
ENTRIES = (*SUITE, *AIDINGS)
INERTIAL = ("imu", "ahrs")


@pytest.fixture(scope="module")
def truths():
    return {time: truth._replace(water_velocity_N=CURRENT) for time, truth in flight(40.0).items()}


@pytest.fixture(scope="module")
def made():
    return suite_filter(ENTRIES, further=FurtherStates(bottom=5.0, current=0.5))


@pytest.fixture(scope="module")
def seen(truths):
    return readings(ENTRIES, truths, 2, WATER)


def flown(made, truths, seen, *sensors):
    """Errors of nine coordinates each second, their deviations, and the run, with some of the sensors."""
    used = [r for r in seen if r.sensor in (*INERTIAL, *sensors)]
    found = filter_readings(made, launch_of(truths), used, apart=1.0)
    rows = [i for i, t in enumerate(found.stamps_ns.tolist()) if t in truths]
    errors = np.array([error_of(made, truths[int(found.stamps_ns[i])], found.states[i]) for i in rows])
    return errors, found.sigma[rows], found


@pytest.fixture(scope="module")
def unaided(made, truths, seen):
    return flown(made, truths, seen)


POSITIONS = {
    "short baseline": ("sbl", "depth"),
    "long baseline": ("lbl",),
    "array at a station": ("usbl",),
    "array at a station, over a modem": ("modem",),
    "array on the vehicle": ("array",),
    "directions of landmarks": ("camera", "astern", "depth"),
    "satellites": ("gps",),
}


@pytest.mark.parametrize("mode", POSITIONS)
def test_position_aiding_bounds_position_and_velocity(made, truths, seen, unaided, mode):
    errors, sigma, found = flown(made, truths, seen, *POSITIONS[mode])
    assert np.mean(np.abs(errors[3:]) <= 3.0 * sigma[3:, :9]) > 0.98
    assert unaided[1][-1, :2].min() > 5.0  # m, dead reckoning by the inertial unit
    assert (sigma[-1, :2] < 1.0).all()
    assert np.abs(errors[-10:, :2]).max() < 2.0
    assert sigma[-1, 3:5].max() < 0.3
    for name in POSITIONS[mode]:
        series = found.innovations[name]
        assert series.count("rejected") == series.count("too late") == 0
        assert series.count("used") > 10


def test_late_fixes_of_a_modem_count_at_their_own_time(made, truths, seen):
    """Out of order, lost and rounded: as good as the same fixes without delay, to the last bit at the end."""
    late = [r for r in seen if r.sensor in (*INERTIAL, "modem", "depth")]
    delays = [1e-9 * (r.arrival_ns - r.stamp_ns) for r in late if r.sensor == "modem"]
    lost = [r for r in late if r.sensor == "modem" and r.status == Status.DROPPED]
    assert min(delays) < 2.2 < 2.6 < max(delays)
    assert 5 < len(lost) < 20
    on_time = [r._replace(arrival_ns=r.stamp_ns) for r in late]
    ends = []
    for given in (late, on_time):
        found = filter_readings(made, launch_of(truths), given)
        assert found.innovations["modem"].count("used") == len(delays) - len(lost)
        ends.append((found.stamps_ns[-1], found.states[-1].tobytes()))
    assert ends[0] == ends[1]


def test_the_deviation_of_rounded_fixes_counts_the_rounding(made):
    modem, usbl = (next(one for one in made.suite.aidings if one.name == name) for name in ("modem", "usbl"))
    steps = np.array([MODEM["range_resolution"], MODEM["angle_resolution"], MODEM["angle_resolution"]])
    assert modem.sigma == pytest.approx(np.hypot(usbl.sigma, steps / math.sqrt(12.0)))


@pytest.mark.parametrize("sensors", [("dvl", "depth"), ("altimeter", "depth", "usbl")])
def test_altitudes_show_the_depth_of_the_bottom(made, truths, seen, sensors):
    _, sigma, found = flown(made, truths, seen, *sensors)
    at = made.suite.layout.start("bottom")
    assert abs(found.states[-1, at] - BOTTOM) < 3.0 * sigma[-1, at - 1]
    assert sigma[-1, at - 1] < 0.3


def test_water_track_beside_fixes_shows_the_current(made, truths, seen):
    _, sigma, found = flown(made, truths, seen, "meter", "lbl")
    at = made.suite.layout.start("current")
    assert (np.abs(found.states[-1, at : at + 2] - CURRENT[:2]) < 3.0 * sigma[-1, at - 1 : at + 1]).all()
    assert sigma[-1, at - 1 : at + 1].max() < 0.1


def test_a_known_current_carries_on_without_bottom_track(made, truths, seen):
    """Bottom and water track for 20 s, water track alone for 20 s: the velocity stays known."""
    kept = [r for r in seen if r.sensor != "dvl" or r.stamp_ns < 20e9]
    errors, sigma, _ = flown(made, truths, kept, "dvl", "meter", "depth")
    alone, without, _ = flown(made, truths, [r for r in kept if r.sensor != "meter"], "dvl", "depth")
    assert (np.abs(errors[-1, :9]) <= 3.0 * sigma[-1, :9]).all()
    assert sigma[-1, 3:5].max() < 0.5 * without[-1, 3:5].max()
    assert np.isfinite(alone).all()


def test_the_vertical_velocity_bounds_the_depth_when_pressure_fails(made, truths, seen):
    """A back-up of the depth: the Doppler log alone for 30 s, against the inertial unit alone."""
    kept = [r for r in seen if r.sensor != "depth" or r.stamp_ns < 10e9]
    errors, sigma, _ = flown(made, truths, kept, "dvl", "depth")
    inertial = flown(made, truths, [r for r in kept if r.sensor != "dvl" or r.stamp_ns < 10e9], "dvl", "depth")
    assert (np.abs(errors[:, 2]) <= 3.0 * sigma[:, 2]).all()
    assert sigma[-1, 2] < 0.2 < inertial[1][-1, 2]


def attainable(made, truths, seen, *sensors):
    """What the sensors allow along the true path."""
    rows = list(truths.values())
    columns = ([getattr(one, field) for one in rows] for field in ("p_NB", "q_NB", "twist"))
    truth = RecordedTruth(np.array(list(truths)), *map(np.array, columns))
    used = [r for r in seen if r.sensor in (*INERTIAL, *sensors)]
    found = filter_readings(made, launch_of(truths), used, apart=1.0, in_order=True)
    return found, attainable_accuracy(made, launch_of(truths), used, found, truth)


def test_states_that_no_reading_shows_are_named(made, truths, seen):
    """The depth cannot be told from the bias of its sensor; an attitude sensor and a Doppler log show the motion."""
    _, reckoning = attainable(made, truths, seen, "dvl", "depth")
    assert set(reckoning.observed.unseen) >= {"position north", "position east", "current 1", "current 2"}
    assert {"position down", "pressure_bias"} <= set(reckoning.observed.unseen)
    assert not {"velocity forward", "rotation about x", "rotation about z"} & set(reckoning.observed.unseen)
    _, fixed = attainable(made, truths, seen, "lbl", "depth")
    assert not {"position north", "position east"} & set(fixed.observed.unseen)
    assert "bottom" in fixed.observed.unseen
    hidden = [set(one) for one in reckoning.observed.unobservable]
    assert any({"position down", "pressure_bias", "bottom"} <= one for one in hidden)


def test_the_bound_is_the_deviation_of_a_filter_along_the_truth(made, truths, seen):
    """It grows without fixes; an estimate near the truth has nearly its deviations."""
    ends = []
    for sensors in (("dvl", "depth"), ("dvl", "depth", "lbl")):
        found, allowed = attainable(made, truths, seen, *sensors)
        assert allowed.along_truth
        assert allowed.bound.sigma[-1, :9] == pytest.approx(found.sigma[-1, :9], rel=0.1)
        ends.append(allowed.bound.sigma[-1, 0])
    assert ends[1] < 0.8 * ends[0]


COMPASS = entry("compass", "compass", (0.0, 0.0, 0.0), 10.0, 0.0, {"heading_std": 0.01, "tilt_std": 0.005})


def compass_suite(**parameters):
    fitted = (SUITE[0], COMPASS._replace(parameters={**COMPASS.parameters, **parameters}), *SUITE[2:])
    return sensor_suite(fitted, {one.name: stated_errors(one) for one in fitted}, SITE)


def test_the_iron_of_a_compass_counts_as_an_error_of_its_heading_until_it_is_calibrated():
    """1 uT ahead bends the heading by 1/21 to the sides, as the sine of the heading."""
    assert not compass_suite().layout.has("attitude_bias")
    iron = {"hard_iron": (1e-6, 0.0, 0.0)}
    (block,) = (one for one in compass_suite(**iron).layout.blocks if one.name == "attitude_bias")
    assert block.sigma == pytest.approx((0.0, 0.0, math.sqrt(0.5) / 21.0), rel=0.01)
    assert not compass_suite(**iron, calibration_offset=(1e-6, 0.0, 0.0)).layout.has("attitude_bias")
    half = compass_suite(soft_iron=((1.2, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    assert half.layout.has("attitude_bias")


def ranging_suite(site, **parameters):
    fitted = (*SUITE, entry("beacons", "lbl", (0.0, 0.0, 0.0), 1.0, 0.0, {"std": 0.1, **parameters}))
    return sensor_suite(fitted, {one.name: stated_errors(one) for one in fitted}, site)


def test_charted_points_may_be_named_and_others_are_remarked_upon():
    charted = SITE._replace(points=(("buoy", STATIONS[0]), ("rock", STATIONS[1])))
    named = ranging_suite(charted, stations=("buoy", "rock"))
    assert named.aidings[-1].points == STATIONS[:2]
    assert not unknown_points(named)
    moving = ranging_suite(charted, stations=("buoy", "ship"))
    assert moving.unused == ("beacons",)
    assert unknown_points(moving).startswith("beacons: not used, because the places of its stations")
