"""What controllers keep over a gap of the estimate, what they do while thrust is missing, and frames of the weight."""

import math
from dataclasses import replace

import numpy as np
import pytest

from remora.control import SlidingModeControl, default_surfaces, position_control
from remora.control.autopilots.position import mission_control
from remora.control.feedback.dynamic_inversion import DynamicInversion
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.parts.depth_hold import DepthHold, stabilisation
from remora.control.parts.l1_adaptive import L1AdaptiveControl
from remora.control.parts.linear_quadratic import LinearQuadraticControl, linear_quadratic_control
from remora.control.parts.safe_output import is_finite_reference, wanted_pose
from remora.control.predictive.controller import PoseTarget, PredictiveControl
from remora.control.predictive.problem import predictive_problem
from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import ZERO3, ZERO6
from remora.equations.control.l1_adaptive import L1Gains
from remora.guidance import PoseReference
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput
from remora.messages.reference import StabilisedReference
from remora.plant import pack
from remora.plant.plant import Plant
from remora.vehicles import load_vehicle
from remora.vehicles.checks.actuation import allocation_matrix

HEAVY = load_vehicle("bluerov2_heavy")
FALCON = load_vehicle("falcon").parameters
INVERSION = DynamicInversion(FeedbackLinearisation(pack(FALCON)))
LEVEL = (1.0, 0.0, 0.0, 0.0)
AHEAD = (0.2, 0.0, 0.0, 0.0)


def test_sliding_mode_does_not_wind_up_while_thrust_is_missing():
    """Held at rest for 10 s with 50 N missing ahead; the integral goes back at once."""
    control = SlidingModeControl(INVERSION, default_surfaces(FALCON, 0.05))
    lacking = (50.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    free = stuck = control.initial()
    for _ in range(200):
        free, _ = control.step(free, LEVEL, ZERO6, AHEAD)
        stuck, _ = control.step(stuck, LEVEL, ZERO6, AHEAD, lacking)
    assert free.integral[0] > 0.0
    assert stuck.integral[0] == 0.0
    back, _ = control.step(free, LEVEL, (0.3, 0.0, 0.0, 0.0, 0.0, 0.0), AHEAD, lacking)
    assert back.integral[0] < free.integral[0]


def test_l1_takes_no_missing_thrust_for_a_disturbance():
    """A vehicle at rest whose thrusters give nothing ahead is not asked for more and more, for 20 s."""
    control = L1AdaptiveControl(INVERSION, (L1Gains(1.0, 1.0, 0.2),) * 4)
    state, missing, asked = control.initial(), ZERO6, []
    for _ in range(400):
        state, wrench = control.step(state, LEVEL, ZERO6, AHEAD, missing)
        missing = (wrench[0], 0.0, 0.0, 0.0, 0.0, 0.0)
        asked.append(wrench[0])
    assert asked[0] > 10.0
    assert max(asked) < 1.1 * asked[0]


@pytest.fixture(scope="module")
def regulator() -> LinearQuadraticControl:
    return linear_quadratic_control(Plant(HEAVY))


def test_the_regulator_turns_the_short_way_through_south(regulator):
    at = Estimate(0, ZERO3, from_euler_zyx(0.0, 0.0, -3.0), ZERO6)
    _, wrench = regulator.step(regulator.initial(), at, PoseReference(ZERO3, 3.0, ZERO3, 0.0))
    assert wrench[5] < 0.0
    mirrored = Estimate(0, ZERO3, from_euler_zyx(0.0, 0.0, 3.0), ZERO6)
    _, other = regulator.step(regulator.initial(), mirrored, PoseReference(ZERO3, -3.0, ZERO3, 0.0))
    assert other[5] == pytest.approx(-wrench[5])


def test_the_regulator_balances_the_weight_along_the_vertical(regulator):
    """The part of the wrench that a weight of 10 N adds, on a tilted vehicle."""
    at = Estimate(0, ZERO3, from_euler_zyx(0.3, -0.4, 1.0), ZERO6)
    target, found = PoseReference(ZERO3, 1.0, ZERO3, 0.0), []
    for weight in (0.0, 10.0):
        one = replace(regulator, level_wrench=(0.0, 0.0, -weight, 0.0, 0.0, 0.0))
        found.append(np.array(one.step(one.initial(), at, target)[1]))
    added = (found[1] - found[0])[:3]
    assert position_rate(at.q_NB, tuple(added.tolist())) == pytest.approx((0.0, 0.0, -10.0), abs=1e-9)


def test_depth_hold_balances_the_known_weight_from_its_first_sample():
    law = replace(stabilisation(load_vehicle("bluerov2").parameters, 0.02), net_weight=12.0)
    at_depth = StabilisedReference(5.0, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0, 0.0))
    assert law.step(law.initial(), 5.0, LEVEL, ZERO3, at_depth)[1][2] == pytest.approx(-12.0)


def test_depth_hold_keeps_the_torque_it_has_learnt_over_a_gap():
    law = stabilisation(load_vehicle("bluerov2").parameters, 0.02)
    wanted = StabilisedReference(5.0, 0.0, 0.4, 0.0, (0.0, 0.0, 0.0, 0.0))
    state, on_course = law.initial(), wanted._replace(heading=0.0)
    for _ in range(100):
        state, _ = law.step(state, 5.0, LEVEL, ZERO3, wanted)
    before = law.step(state, 5.0, LEVEL, ZERO3, on_course)[1][5]
    assert before > 0.1
    assert law.step(law.safe(state), 5.0, LEVEL, ZERO3, on_course)[1][5] == pytest.approx(before)


@pytest.mark.parametrize("field", ["p_NR", "heading", "v_NR_N", "heading_rate"])
def test_every_number_of_a_pose_reference_must_be_known(field):
    known = PoseReference((1.0, 2.0, 3.0), 0.5, (0.1, 0.0, 0.0), 0.2)
    unknown = known._replace(**{field: (0.0, math.nan, 0.0) if isinstance(getattr(known, field), tuple) else math.nan})
    assert is_finite_reference(wanted_pose(known))
    assert not is_finite_reference(wanted_pose(unknown))


@pytest.fixture(scope="module")
def predictive() -> PredictiveControl:
    return PredictiveControl(predictive_problem(HEAVY.parameters))


def test_the_predictive_controller_keeps_the_observed_push_over_a_gap(predictive):
    pushed = predictive.initial()._replace(disturbance=(15.0, -8.0, 0.0, 0.0, 0.0, 1.0))
    at, target = Estimate(0, ZERO3, LEVEL, ZERO6), PoseTarget(ZERO3, 0.0, ZERO3, 0.0)
    steady = predictive.given(predictive.safe(pushed), at, target).steady
    held = allocation_matrix(HEAVY.parameters) @ steady
    assert held[[0, 1, 5]] == pytest.approx([-15.0, 8.0, -1.0], rel=1e-3)


@pytest.mark.parametrize("heading", [0.0, 0.7, -2.5])
def test_the_planned_velocity_is_that_of_the_target(predictive, heading):
    v_N = (0.2, -0.1, 0.05)
    stages = predictive.stage_reference(PoseTarget(ZERO3, heading, v_N, 0.1))
    for along, twist in zip(stages.headings, stages.twists, strict=True):
        body = from_euler_zyx(0.0, 0.0, float(along))
        assert position_rate(body, tuple(twist[:3].tolist())) == pytest.approx(v_N)


@pytest.mark.parametrize("unknown", [{"v_NR_N": (0.0, math.nan, 0.0)}, {"heading_rate": math.nan}])
def test_an_unknown_rate_of_a_pose_stops_position_control_and_is_forgotten(unknown):
    """Else it stays in the integral, and no wrench is a number from then on."""
    plain = position_control(HEAVY.parameters, follows_velocity=True)
    control = mission_control(plain, HEAVY.parameters, pack(HEAVY.parameters))
    known = PoseReference((1.0, 0.0, 0.0), 0.5, (0.1, 0.0, 0.0), 0.1)
    before, _ = control.step(control.initial(), ZERO3, LEVEL, ZERO6, known)
    state, wrench = control.step(before, ZERO3, LEVEL, ZERO6, known._replace(**unknown))
    assert wrench == ZERO6
    assert state == before
    still = replace(control, follows_velocity=False)
    assert math.isfinite(sum(still.step(before, ZERO3, LEVEL, ZERO6, known._replace(**unknown))[1]))


@pytest.mark.parametrize("field", ["sink_rate", "heading_rate"])
def test_an_unknown_rate_gives_the_safe_output_of_depth_hold(field):
    part = DepthHold(stabilisation(load_vehicle("bluerov2").parameters, 0.02))
    known = StabilisedReference(5.0, 0.0, 0.4, 0.0, (1.0, 0.0, 0.0, 0.0))
    at = Estimate(0, (0.0, 0.0, 4.0), LEVEL, ZERO6)
    now = PartInput(0, (), {}, at, known, ZERO6, ZERO6, None)
    state, _ = part.step(part.initial(), now)
    state, wrench = part.step(state, now._replace(reference=known._replace(**{field: math.nan})))
    assert wrench == ZERO6
    assert state.is_safe
    _, again = part.step(state, now)
    assert math.isfinite(sum(again))
    assert again[2] != 0.0
