"""Which quantities navigation knows, and which it never provides."""

import math

import pytest

from remora.messages.estimate import Estimate
from remora.messages.site import ORIGIN, Site
from remora.navigation.inertial.suite import FurtherStates, SensorSuite, sensor_suite
from remora.navigation.parts.known_quantities import (
    KNOWN_DEPTH,
    KNOWN_SPEED,
    LOST_DEPTH,
    LOST_SPEED,
    KnownQuantities,
    unmeasured_quantities,
)
from remora.scenarios import scenario_from_text
from remora.scenarios.load_context import ScenarioError
from remora.sensors.registry import find_kind
from remora.sensors.stated_errors import stated_errors
from remora.vehicles import load_vehicle

SITE = Site(density=1000.0, gravity=9.81, surface_depth=0.0, origin=ORIGIN, has_bottom=True)


def suite(*names: str, mean_velocity: float = 0.0) -> SensorSuite:
    entries = [one for one in load_vehicle("bluerov2_heavy", find_kind).sensors if one.name in names]
    errors = {one.name: stated_errors(one) for one in entries}
    return sensor_suite(entries, errors, SITE, FurtherStates(mean_velocity=mean_velocity))


def estimate(speed: tuple[float, float, float], place: tuple[float, float, float] = (9.0, 9.0, 0.1)) -> Estimate:
    return Estimate(0, (1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0), (0.1,) * 6, place, speed, (0.0, 0.0, 0.0))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_velocity_is_lost_by_its_worst_axis_and_known_again_far_below(axis: int) -> None:
    made = KnownQuantities(suite("imu", "ahrs", "dvl", "depth"), 2.0)
    for sigma, before, after in (
        (0.9 * LOST_SPEED, True, True),
        (1.1 * LOST_SPEED, True, False),
        (0.9 * LOST_SPEED, False, False),
        (0.9 * KNOWN_SPEED, False, True),
    ):
        speed = [0.01, 0.01, 0.01]
        speed[axis] = sigma
        found, known = made.without_unknown(estimate((speed[0], speed[1], speed[2])), (before, True))
        assert known == (after, True)
        assert math.isfinite(found.twist[0]) is after
        assert math.isfinite(found.sigma_v_B[axis]) is after
        assert math.isfinite(sum(found.twist[3:]))


def test_a_depth_is_lost_by_its_own_deviation() -> None:
    made = KnownQuantities(suite("imu", "ahrs", "dvl", "depth"), 2.0)
    for sigma, before, after in (
        (0.9 * LOST_DEPTH, True, True),
        (1.1 * LOST_DEPTH, True, False),
        (0.9 * LOST_DEPTH, False, False),
        (0.9 * KNOWN_DEPTH, False, True),
    ):
        found, known = made.without_unknown(estimate((0.1, 0.1, 0.1), (9.0, 9.0, sigma)), (True, before))
        assert known == (True, after)
        assert math.isfinite(found.p_NB[2]) is after
        assert found.p_NB[:2] == (1.0, 2.0)


def test_a_velocity_of_the_launch_counts_until_the_first_fixes_only_where_there_are_any() -> None:
    assert KnownQuantities(suite("imu", "ahrs", "depth", "usbl"), 2.0).knows_launch
    assert not KnownQuantities(suite("imu", "ahrs", "depth"), 2.0).knows_launch
    assert not KnownQuantities(suite("imu", "ahrs", "dvl", "usbl"), 2.0).knows_launch


@pytest.mark.parametrize(
    ("names", "launch", "mean", "is_never"),
    [
        (("imu", "ahrs", "depth"), 2.0, 0.0, True),
        (("gyro", "ahrs", "depth"), 2.0, 0.0, True),
        (("imu", "ahrs", "depth"), 0.1, 0.0, False),
        (("gyro", "ahrs", "depth"), 2.0, 0.1, False),
        (("imu", "ahrs", "dvl"), 2.0, 0.0, False),
        (("imu", "ahrs", "usbl"), 2.0, 0.0, False),
    ],
)
def test_a_velocity_that_nothing_bounds_is_never_known(
    names: tuple[str, ...], launch: float, mean: float, is_never: bool
) -> None:
    assert bool(KnownQuantities(suite(*names, mean_velocity=mean), launch).never) is is_never


def test_a_mean_velocity_is_bounded_where_nothing_observes_it() -> None:
    """A Gauss-Markov process of the stated size; a random walk where a DVL follows it."""
    (alone,) = (one for one in suite("gyro", "ahrs", "depth", mean_velocity=0.2).layout.blocks if "mean" in one.name)
    assert alone.rate > 0.0
    assert alone.noise[0] ** 2 / (2.0 * alone.rate) == pytest.approx(0.2**2)
    (seen,) = (one for one in suite("gyro", "ahrs", "dvl", mean_velocity=0.2).layout.blocks if "mean" in one.name)
    assert seen.rate == 0.0


def test_a_quantity_is_measured_while_one_of_its_sensors_is() -> None:
    made = suite("imu", "ahrs", "dvl", "depth", "usbl")
    names = [one.name for one in made.aidings]

    def lost(*gone: str, is_vague: bool = False) -> dict[str, str]:
        health = ["lost" if name in gone else "good" for name in names]
        return unmeasured_quantities(made, health, is_vague)

    assert lost() == lost("dvl") == lost("usbl") == {}
    assert lost("dvl", "usbl")["velocity"] == "dvl is not used (lost) and usbl is not used (lost)"
    assert lost("ahrs") == {"attitude": "ahrs is not used (lost)"}
    without = suite("imu", "depth")
    assert set(unmeasured_quantities(without, ["good"], False)) == {"velocity"}
    assert set(unmeasured_quantities(without, ["good"], True)) == {"velocity", "attitude"}


TEXT = """
name: needs
duration: 10 s
origin: {latitude: 48 deg, longitude: 3 deg}
water: {bottom_depth: 20 m}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 3 m]
    sensors:
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 50 Hz}
      - {name: gyro, kind: gyro, position: [0, 0, 0], rate: 50 Hz}
      - {name: dvl, kind: dvl, position: [0, 0, 0], rate: 5 Hz}
      - {name: depth, kind: pressure, position: [0, 0, 0], rate: 10 Hz}
      - {name: gps, kind: gps, position: [0, 0, 0], rate: 1 Hz}
    navigation: {part: instruments, rate: 50 Hz, %s, depth: depth}
    guidance: {part: hold, rate: 10 Hz}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}
"""


@pytest.mark.parametrize(
    ("named", "needed"),
    [
        ("rates: gyro, velocity: gps, position: gps", '"gps" measures it in N, which needs an attitude'),
        ("rates: gyro, velocity: dvl", "dead reckoning needs velocity over ground and attitude"),
        ("attitude: ahrs, rates: gyro", "control: depth_hold and guidance: {part: pilot, mode: depth_hold}"),
    ],
)
def test_what_the_named_sensors_never_give_is_refused(named: str, needed: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(TEXT % named)
    assert any(needed in problem.message for problem in caught.value.problems)
