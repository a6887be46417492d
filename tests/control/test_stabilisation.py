"""Depth and heading hold without a velocity, and the forces that do not tip a vehicle over."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from remora.control.parts.depth_hold import Stabilisation, stabilisation
from remora.control.parts.safe_output import check_held_axes
from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import ZERO3, ZERO6, cross
from remora.equations.types import Quaternion, Wrench
from remora.messages.part_options import PartError
from remora.messages.reference import StabilisedReference
from remora.sensors.registry import find_kind
from remora.vehicles import load_vehicle
from remora.vehicles.checks.hydrostatics import righting_stiffness
from remora.vehicles.checks.steady_push import LARGEST_TILT, steady_pushes
from remora.vehicles.parameters import total_inertia
from remora.vehicles.vehicle_reader import vehicle_from_text

PERIOD, LEVEL = 0.02, (1.0, 0.0, 0.0, 0.0)
HOLD = StabilisedReference(5.0, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def law() -> Stabilisation:
    return stabilisation(load_vehicle("bluerov2").parameters, PERIOD)


def sunk(
    law: Stabilisation,
    reference: StabilisedReference,
    seconds: float,
    pull: float = 0.0,
    most: float = math.inf,
    q_NB: Quaternion = LEVEL,
) -> tuple[list[float], list[float]]:
    """Depths and estimated pulls of a mass behind the lag of its thrusters, which the hull does not resist."""
    state, missing, depth, rate, thrust = law.initial(), ZERO6, 4.0, 0.0, 0.0
    depths, pulls = [], []
    for _ in range(round(seconds / PERIOD)):
        state, wrench = law.step(state, depth, q_NB, ZERO3, reference, missing)
        heave = min(max(wrench[2], -most), most)
        missing = (0.0, 0.0, wrench[2] - heave, 0.0, 0.0, 0.0)
        down = position_rate(q_NB, (wrench[0], wrench[1], heave))[2]
        thrust += (1.0 - math.exp(-PERIOD / law.lag)) * (down - thrust)
        rate += PERIOD * (thrust + pull) / law.mass
        depth += PERIOD * rate
        assert state.sink is not None
        depths.append(depth)
        pulls.append(state.sink.pull)
    return depths, pulls


@pytest.mark.parametrize("pull", [0.0, 15.0, -15.0])
def test_the_depth_is_held_without_an_offset_under_an_unknown_force(law: Stabilisation, pull: float) -> None:
    depths, pulls = sunk(law, HOLD, 40.0, pull)
    assert depths[-1] == pytest.approx(5.0, abs=1e-3)
    assert pulls[-1] == pytest.approx(pull, abs=0.01)


def test_thrust_that_is_missing_does_not_wind_the_depth_up(law: Stabilisation) -> None:
    """A pull of 20 N against thrusters of 12 N for a minute: the pull is known, not the lack of thrust."""
    depths, pulls = sunk(law, HOLD._replace(depth=3.0), 60.0, 20.0, most=12.0)
    assert depths[-1] > 10.0
    assert pulls[-1] == pytest.approx(20.0, abs=0.1)


def test_a_push_of_a_tilted_vehicle_leaves_no_offset(law: Stabilisation) -> None:
    pushed = HOLD._replace(force=(10.0, 4.0, 0.0, 0.0))
    depths, _ = sunk(law, pushed, 40.0, q_NB=from_euler_zyx(0.1, 0.25, 0.0))
    assert depths[-1] == pytest.approx(5.0, abs=1e-3)


def test_slow_thrusters_lower_the_gains(law: Stabilisation) -> None:
    slow = load_vehicle("gavia").parameters  # 0.5 s
    assert stabilisation(slow, PERIOD).sink_gain < law.sink_gain
    depths, _ = sunk(replace(stabilisation(slow, PERIOD), lag=0.5), HOLD, 60.0, 5.0)
    assert depths[-1] == pytest.approx(5.0, abs=1e-3)


def wrench_of(law: Stabilisation, reference: StabilisedReference, turn_rate=(0.0, 0.0, 0.3), q_NB=LEVEL) -> Wrench:
    return law.step(law.initial(), 5.0, q_NB, turn_rate, reference)[1]


def test_a_torque_of_the_pilot_is_not_worked_against(law: Stabilisation) -> None:
    by_hand = HOLD._replace(heading=math.nan, force=(0.0, 0.0, 0.0, 2.0))
    assert wrench_of(law, by_hand)[5] == 2.0
    let_go = HOLD._replace(heading=math.nan)
    assert wrench_of(law, let_go)[5] < -0.1  # the turn is braked until the heading is held


def test_in_manual_mode_there_are_the_forces_only(law: Stabilisation) -> None:
    manual = StabilisedReference(math.nan, 0.0, math.nan, 0.0, (1.0, 2.0, 3.0, 4.0), levels=False)
    tilted = from_euler_zyx(0.3, 0.2, 1.0)
    assert wrench_of(law, manual, (0.1, 0.2, 0.3), tilted) == (1.0, 2.0, 3.0, 0.0, 0.0, 4.0)
    assert wrench_of(law, manual._replace(levels=True), (0.1, 0.2, 0.3), tilted)[3] < 0.0


def test_an_unknown_depth_leaves_the_attitude_held(law: Stabilisation) -> None:
    state, wrench = law.step(law.initial(), math.nan, LEVEL, (0.0, 0.0, 0.3), HOLD)
    assert wrench[2] == 0.0
    assert wrench[5] < 0.0
    assert not state.has_depth


def test_a_steady_push_tilts_by_no_more_than_its_bound() -> None:
    """F lever = (K - E U^2) a with the drag F = D U + D2 U^2 of the vehicle file, thrusters 17 cm below the origin."""
    low = load_vehicle("bluerov2").text.replace("0.085]", "0.17]")
    parameters = vehicle_from_text(low, "low.yaml", find_kind).parameters
    surge, sway, heave, yaw = steady_pushes(parameters)
    M = total_inertia(parameters)
    speed = (-4.03 + math.sqrt(4.03**2 + 4.0 * 18.18 * surge)) / (2.0 * 18.18)
    left = righting_stiffness(parameters)[1] - (M[2][2] - M[0][0]) * speed**2
    assert surge * 0.17 == pytest.approx(left * LARGEST_TILT, rel=0.03)  # terminal speeds are in steps of 2 %
    assert left < 0.8 * righting_stiffness(parameters)[1]  # under way the Munk moment takes its share
    assert min(sway, heave, yaw) > 4.0 * surge  # thrusters hold the roll, and heave does not tilt


def test_thrusters_that_hold_the_pitch_may_push_with_their_thrust() -> None:
    heavy = steady_pushes(load_vehicle("bluerov2_heavy").parameters)
    assert heavy[0] > 80.0  # its vertical thrusters hold the pitch
    assert heavy[:2] == pytest.approx((0.8 * 4.0 * 39.91 / math.sqrt(2.0),) * 2)


def test_depth_hold_takes_a_vehicle_that_cannot_push_to_the_side() -> None:
    """Two thrusters ahead and two down give heave and yaw, which is all that it holds."""
    whole = load_vehicle("bluerov2").parameters
    surge = (1.0, 0.0, 0.0)
    turned = [(one, (*surge, *cross(one.position, surge))) for one in whole.thrusters[:2]]
    ahead = tuple(one._replace(axis=surge, effect=effect) for one, effect in turned)
    parameters = whole._replace(
        thrusters=(*ahead, *whole.thrusters[4:]),
        thruster_names=(*whole.thruster_names[:2], *whole.thruster_names[4:]),
    )
    onboard = SimpleNamespace(vehicle=SimpleNamespace(parameters=parameters, name="tug"))
    check_held_axes(onboard, "holds depth and heading", ("heave", "yaw"))
    with pytest.raises(PartError, match="3 of 4 directions and cannot control sway"):
        check_held_axes(onboard, "holds poses")
