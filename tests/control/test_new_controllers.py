"""LQR, L1 adaptive and predictive control: holding, wrapping, anti-windup, spread of parameters and safe output."""

import math

import numpy as np
import pytest

from remora.control.parts.l1_adaptive import L1Part, l1_radius
from remora.control.parts.linear_quadratic import TRACKING_TIME, QuadraticWeights, linear_quadratic_control
from remora.control.predictive.controller import (
    MOTION,
    OBSERVER_LATENCIES,
    OBSERVER_TIME,
    TURN,
    DelayCompensation,
    Delays,
    PoseTarget,
    PredictiveControl,
    observer_time,
)
from remora.control.predictive.problem import PredictiveLimits, predictive_problem
from remora.control.tuning.sampled_plant import thruster_lag
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.control.l1_adaptive import L1Gains, L1State, l1_acceleration, l1_estimated, l1_predicted
from remora.files.problems import InputError
from remora.guidance.signals import PoseReference
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.reference import VelocityReference
from remora.plant import Stepper
from remora.plant.plant import Plant
from remora.plant.stepper import environment_row
from remora.run.loop.loop import Loop
from remora.run.stability.scenario_margins import scenario_margins
from remora.scenarios.load_context import ScenarioError
from remora.scenarios.scenario import Scenario, make_scenario
from remora.vehicles import load_vehicle

PARTS = ("lqr", "l1_adaptive", "predictive")
NAN = math.nan


def scenario(part: str, vehicle: str = "bluerov2_heavy", **options: object) -> Scenario:
    """A vehicle that goes to a pose in a current."""
    mission = [{"do": "go_to", "position": [1, 0.5, 3.5], "heading": 3.0}]
    points = [{"position": [1, 0.5, 3.5], "heading": 3.0, "stay": "60 s"}]
    guidance = (
        {"part": "lyapunov", "rate": "10 Hz", "mission": mission, "max_speeds": [0.3, 0.3, 0.2, 0.2]}
        if part == "l1_adaptive"
        else {"part": "waypoints", "rate": "10 Hz", "speed": 0.2, "points": points}
    )
    entry = {
        "name": "rov",
        "file": vehicle,
        "position": [0, 0, 3],
        "angles": [0, 0, -3.0],
        "navigation": {"part": "truth", "rate": "10 Hz"},
        "guidance": guidance,
        "control": {"part": part, "rate": "10 Hz", **options},
    }
    if part != "predictive":
        entry["allocation"] = {"part": "bounded", "rate": "10 Hz"}
    water = {"current": [0.15, -0.1, 0]}
    return make_scenario(name="go", duration="50 s", step="20 ms", water=water, vehicles=[entry])


def flown(given: Scenario) -> tuple[np.ndarray, float]:
    """Position error at the end, m, and the heading that was turned through on the way, rad."""
    loop, turned, last = Loop(given.setup), 0.0, -3.0
    for step in range(100, loop.steps + 1, 100):
        loop.advance(step)
        w, _, _, z = loop.vehicles[0].motion.state[3:7]
        heading = 2.0 * math.atan2(z, w)
        turned += abs(math.remainder(heading - last, 2.0 * math.pi))
        last = heading
    return loop.vehicles[0].motion.state[:3] - np.array([1.0, 0.5, 3.5]), turned


@pytest.mark.parametrize("part", PARTS)
def test_reaches_a_pose_in_a_current_and_turns_the_short_way(part: str) -> None:
    error, turned = flown(scenario(part))
    assert np.abs(error).max() < (0.06 if part == "l1_adaptive" else 0.005)
    assert turned < 0.6  # from -3 to 3 rad through pi


@pytest.mark.parametrize("vehicle", ["bluerov2_heavy", "falcon", "flatfish_gazebo"])
@pytest.mark.parametrize("part", ["lqr", "l1_adaptive"])
def test_loop_is_stable_with_parameters_within_30_percent(part: str, vehicle: str) -> None:
    report = scenario_margins(scenario(part, vehicle).setup, draws=15)
    assert report.nominal.is_stable
    assert report.unstable == 0


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("vehicle", ["remus100", "gavia"])
def test_vehicles_without_thrust_in_all_held_axes_are_refused(part: str, vehicle: str) -> None:
    with pytest.raises(ScenarioError, match="cannot control"):
        scenario(part, vehicle)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"horizon": 1}, "from 2 to 100"),
        ({"iterations": 0}, "from 1 to 20"),
        ({"max_speed": 0.05}, "guidance asks for 0.07"),
        ({"walls": [{"point": [0, 0, 0], "normal": [0, 0, 0]}]}, r"walls\[0\].normal.* zero length"),
        ({"walls": [{"point": [-1, 0, 0], "normal": [2, 0, 0]}]}, "starts 1 m beyond it.*reverse the normal"),
        ({"walls": [{"point": [0, 0.3, 0], "normal": [0, 2, 0]}]}, r"points\[0\].*lies 0.2 m beyond wall 1"),
    ],
)
def test_inconsistent_limits_of_the_predictive_controller_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        scenario("predictive", **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"position_error": 0}, "position_error.*0.001 to 100"),
        ({"position_error": -0.1}, "position_error.*0.001 to 100"),
        ({"heading_error": 5.0}, "heading_error.*0.001 to 3.14"),
        ({"wrench_share": 1e12}, "wrench_share.*0.001 to 10"),
        ({"position_error": 100, "wrench_share": 0.001}, "hardly acts in"),
    ],
)
def test_weights_of_the_regulator_that_make_no_sense_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        scenario("lqr", **options)


@pytest.mark.parametrize("part", PARTS)
def test_a_controller_waits_for_the_first_usable_estimate_without_a_warning(part: str) -> None:
    controller = next(p.part for p in scenario(part).setup.vehicles[0].parts if p.role == Role.CONTROL)
    first, output = controller.step(controller.initial(), now_at(part, 1_000_000_000, NAN))
    assert output is None
    assert list(controller.reports(controller.initial(), first)) == []
    after, output = controller.step(first, now_at(part, 2_000_000_000, target=0.3))
    assert output is not None
    assert list(controller.reports(first, after)) == []


def test_observer_of_the_predictive_controller_is_slower_behind_a_latency() -> None:
    assert observer_time(0.0) == OBSERVER_TIME
    assert observer_time(0.2) == pytest.approx(OBSERVER_LATENCIES * 0.2)


def test_unstable_gains_of_l1_are_refused() -> None:
    with pytest.raises(ScenarioError, match="make the surge loop unstable"):
        scenario("l1_adaptive", model_gains=[40, 1, 1, 1])


def now_at(part: str, time_ns: int, x: float = 0.0, stamp_ns: int | None = None, target: float = 0.0) -> PartInput:
    estimate = Estimate(time_ns if stamp_ns is None else stamp_ns, (x, 0.0, 3.0), (1.0, 0.0, 0.0, 0.0), (0.0,) * 6)
    pose = PoseReference((target, 0.0, 3.0), 0.0, (0.0, 0.0, 0.0), 0.0)
    velocity = VelocityReference((target, 0.0, 0.0, 0.0), (0.0, 0.0, 3.0), 0.0, 0)
    reference = velocity if part == "l1_adaptive" else pose
    return PartInput(time_ns, (), {}, estimate, reference, (0.0,) * 6, (0.0,) * 6, None)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", ["estimate is NaN", "estimate is old", "reference is NaN"])
def test_unusable_input_gives_the_safe_output_and_control_resumes(part: str, kind: str) -> None:
    controller = next(p.part for p in scenario(part).setup.vehicles[0].parts if p.role == Role.CONTROL)
    second = 1_000_000_000
    bad = {
        "estimate is NaN": now_at(part, 2 * second, NAN),
        "estimate is old": now_at(part, 9 * second, 0.0, second),
        "reference is NaN": now_at(part, 2 * second, target=NAN),
    }[kind]
    state, output = controller.step(controller.initial(), now_at(part, second, target=0.3))
    assert max(abs(number) for number in output) > 0.0
    after, output = controller.step(state, bad)
    assert list(output) == [0.0] * len(output)
    assert after.is_safe
    assert [report.level for report in controller.reports(state, after)] == ["warning"]
    again, output = controller.step(after, now_at(part, 10 * second, target=0.3))
    assert not again.is_safe
    assert max(abs(number) for number in output) > 0.0


def test_lqr_integrals_follow_a_missing_wrench() -> None:
    """Back-calculation: what the integrals add to the wrench goes down by a share of the missing one in each sample."""
    controller = next(p.part for p in scenario("lqr").setup.vehicles[0].parts if p.role == Role.CONTROL)
    now = now_at("lqr", 1_000_000_000, target=0.5)
    state, _ = controller.step(controller.initial(), now._replace(missing=(30.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    added = -controller.control.gain[:, -4:] @ np.array(state.integral)
    assert added[[0, 1, 2, 5]] == pytest.approx([-30.0 * 0.1 / TRACKING_TIME, 0.0, 0.0, 0.0], abs=1e-6)
    state, _ = controller.step(controller.initial(), now)
    assert state.integral[0] == pytest.approx(-0.05)


@pytest.mark.parametrize(("speed", "growth"), [(0.1, 0.0), (-0.1, -0.1)])
def test_lqr_does_not_wind_up_far_from_its_target(speed: float, growth: float) -> None:
    """Beyond a metre the error is shortened: its integral grows only if the vehicle comes no closer."""
    controller = next(p.part for p in scenario("lqr").setup.vehicles[0].parts if p.role == Role.CONTROL)
    now = now_at("lqr", 1_000_000_000, target=5.0)
    assert now.estimate is not None
    moving = now._replace(estimate=now.estimate._replace(twist=(speed, 0.0, 0.0, 0.0, 0.0, 0.0)))
    state, _ = controller.step(controller.initial(), moving)
    assert state.integral[0] == pytest.approx(growth)


def test_lqr_compensates_an_estimated_force_ahead_of_the_lag() -> None:
    """Against the force when the thrust arrives: lag of thrusters and smoothing, delay of drives and half a period."""
    controller = next(p.part for p in scenario("lqr").setup.vehicles[0].parts if p.role == Role.CONTROL)
    now = now_at("lqr", 1_000_000_000, target=0.5)
    assert now.estimate is not None
    force, rate = (5.0, -3.0, 2.0), (1.0, 2.0, -4.0)
    known = now._replace(estimate=now.estimate._replace(force_B=force, force_rate_B=rate))
    plain_state, plain = controller.step(controller.initial(), now)
    state, wrench = controller.step(controller.initial(), known)
    lead = thruster_lag(load_vehicle("bluerov2_heavy").parameters) + 0.05
    assert np.array(wrench) - np.array(plain) == pytest.approx(
        [*(-f - lead * r for f, r in zip(force, rate, strict=True)), 0.0, 0.0, 0.0]
    )
    assert state == plain_state  # compensation is no part of the wrench that the regulator feeds back


def test_the_integral_of_the_regulator_keeps_pace_with_its_position_gain() -> None:
    """A tenth of the error that costs equally much leaves the time constant of the integral as it is."""
    plant = Plant(load_vehicle("bluerov2_heavy"))
    times = []
    for error in (0.2, 0.02):
        control = linear_quadratic_control(plant, 0.05, QuadraticWeights(position=error, heading=error))
        times.append(control.gain[0, 0] / control.gain[0, -4])
    assert times[1] == pytest.approx(times[0], rel=0.3)


@pytest.mark.parametrize("push", [0.4, 0.0])
def test_l1_compensates_a_constant_acceleration_exactly(push: float) -> None:
    """And the lag of the thrusters is none of it: without a push the compensation is zero from the first sample on."""
    gains, state, v, lagged, found = L1Gains(1.5, 2.0, 0.2), L1State(), 0.0, 0.0, [0.0]
    decay = math.exp(-0.05 / 0.2)
    for _ in range(400):
        state = l1_estimated(gains, state, v, 0.05)
        found.append(state.compensation)
        command = l1_acceleration(gains, state, v, 0.3)
        state = l1_predicted(gains, state, v, command, 0.05)
        mean = command + 0.2 / 0.05 * (1.0 - decay) * (lagged - command)
        lagged = command + decay * (lagged - command)
        v += 0.05 * (mean + push)
    assert state.compensation == pytest.approx(push, abs=1e-6)
    assert max(map(abs, found)) <= push + 1e-6
    assert v == pytest.approx(0.3, abs=1e-6)


def test_faster_filter_lowers_no_margin_below_instability() -> None:
    assert l1_radius(L1Gains(1.0, 0.5, 0.2), 0.05) < 1.0
    assert l1_radius(L1Gains(80.0, 20.0, 0.2), 0.05) > 1.0


def test_l1_part_is_one_of_velocity_followers() -> None:
    assert isinstance(next(p.part for p in scenario("l1_adaptive").setup.vehicles[0].parts if p.role == 2), L1Part)


@pytest.fixture(scope="module")
def heavy() -> PredictiveControl:
    limits = PredictiveLimits(force_rate=120.0, speed=0.25, rate=0.4, walls=(((1.0, 0.0, 0.0), 0.55),))
    return PredictiveControl(predictive_problem(load_vehicle("bluerov2_heavy").parameters, limits=limits))


def rolled(control: PredictiveControl, target: PoseTarget, count: int, wrench: tuple[float, ...]) -> np.ndarray:
    """States of a loop with the model as plant: body states, then forces."""
    p, held = control.problem, control.initial()
    stepper = Stepper(p.packed, 0.02)
    body, rows = np.zeros(13 + p.thrusters), []
    body[3] = 1.0
    for k in range(count):
        x, y, z, s, i, j, m, u, v, w, a, b, c = body[:13].tolist()
        held, forces = control.step(held, Estimate(k, (x, y, z), (s, i, j, m), (u, v, w, a, b, c)), target)
        for _ in range(5):
            body = stepper(body, forces, external=np.array(wrench))
        rows.append([*body[:13], *forces])
    return np.array(rows)


def test_limits_of_forces_rates_speeds_and_walls_hold_in_closed_loop(heavy: PredictiveControl) -> None:
    """The target lies behind the wall: the vehicle stops in front of it."""
    table, p = rolled(heavy, PoseTarget((0.9, 0.4, -0.3), 0.8, (0.0, 0.0, 0.0), 0.0), 60, (0.0,) * 6), heavy.problem
    forces = table[:, 13:]
    assert (forces <= p.highest + 1e-9).all()
    assert (forces >= p.lowest - 1e-9).all()
    assert np.abs(np.diff(forces, axis=0, prepend=np.zeros((1, p.thrusters)))).max() <= 12.0 + 1e-9
    assert np.abs(table[:, 7:10]).max() <= 0.25
    assert np.abs(table[:, 7:10]).max() > 0.2  # the limit is reached
    assert np.abs(table[:, 10:13]).max() <= 0.4
    assert table[:, 0].max() <= 0.55
    assert table[-1, 0] > 0.45
    assert table[-1, 1] == pytest.approx(0.4, abs=0.02)


def test_the_whole_plan_keeps_the_rate_limit(heavy: PredictiveControl) -> None:
    at_rest = Estimate(0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0,) * 6)
    state, first = heavy.step(heavy.initial(), at_rest, PoseTarget((-0.6, 0.4, -0.3), 0.8, (0.0,) * 3, 0.0))
    plan = np.vstack([first, np.array(state.plan).reshape(20, 8)])
    assert 11.0 < np.abs(np.diff(plan, axis=0)).max() <= 12.0 + 1e-6


def test_constant_disturbance_leaves_no_offset() -> None:
    control = PredictiveControl(predictive_problem(load_vehicle("bluerov2_heavy").parameters))
    table = rolled(
        control, PoseTarget((0.2, 0.0, 0.0), 0.3, (0.0, 0.0, 0.0), 0.0), 80, (15.0, -8.0, 5.0, 0.0, 0.0, 1.0)
    )
    assert np.abs(table[-1, :3] - [0.2, 0.0, 0.0]).max() < 1e-4


def test_known_current_needs_no_observer() -> None:
    """With the current as an input the first prediction is right already."""
    problem = predictive_problem(load_vehicle("bluerov2_heavy").parameters)
    known = PredictiveControl(problem, (0.3, 0.0, 0.0))
    still = known.given(known.initial(), Estimate(0, (0.0,) * 3, (1.0, 0.0, 0.0, 0.0), (0.0,) * 6),
                        PoseTarget((0.0,) * 3, 0.0, (0.0,) * 3, 0.0))  # fmt: skip
    drag = 13.7 * 0.3 + 141.0 * 0.09
    directions = np.array([1.0, 1.0, -1.0, -1.0]) * math.sqrt(0.5)
    assert directions @ still.steady[:4] == pytest.approx(-drag, rel=1e-6)


def test_errors_vanish_at_the_reference_and_take_the_short_way(heavy: PredictiveControl) -> None:
    reference = heavy.stage_reference(PoseTarget((1.0, 2.0, 3.0), 3.1, (0.0,) * 3, 0.0))
    states = np.zeros((21, 21))
    states[:, :3], states[:, 3:7] = (1.0, 2.0, 3.0), from_euler_zyx(0.0, 0.0, -3.1)
    errors, _ = heavy.iteration.errors(states, reference)
    assert errors[0, 5] == pytest.approx(2.0 * math.sin(0.5 * (2.0 * math.pi - 6.2)), rel=1e-9)
    assert np.abs(np.delete(errors, 5, axis=1)).max() < 1e-12


def test_horizon_must_have_stages() -> None:
    parameters = load_vehicle("bluerov2_heavy").parameters
    with pytest.raises(InputError, match="2 to 100"):
        predictive_problem(parameters, horizon=1)
    with pytest.raises(InputError, match="thrusters only"):
        predictive_problem(replace_fins(parameters))


def replace_fins(parameters):  # type: ignore[no-untyped-def]
    """The vehicle with a fin."""
    finned = load_vehicle("remus100").parameters
    return parameters._replace(fins=finned.fins, fin_names=finned.fin_names)


def test_a_faster_controller_looks_as_far_ahead() -> None:
    """At 20 Hz the horizon used to be 1 s: flatfish_gazebo returned 4.7 m past its target."""
    fast, slow, own = (
        next(p.part for p in given.setup.vehicles[0].parts if p.role == Role.CONTROL).control.problem
        for given in (
            scenario("predictive", rate="25 Hz"),
            scenario("predictive", rate="5 Hz"),
            scenario("predictive", stage="0.2 s", horizon=10),
        )
    )
    assert (fast.horizon * fast.period, fast.sample) == pytest.approx((2.0, 0.04))
    assert (slow.horizon * slow.period, slow.sample) == pytest.approx((4.0, 0.2))
    assert (own.horizon * own.period, own.sample) == pytest.approx((2.0, 0.1))
    with pytest.raises(ScenarioError, match=r"at least 0\.1 s, the period"):
        scenario("predictive", stage="50 ms")


def test_limits_of_force_rates_are_those_between_samples() -> None:
    limits = PredictiveLimits(force_rate=120.0)
    problem = predictive_problem(load_vehicle("bluerov2_heavy").parameters, limits=limits, sample=0.05)
    control, at_rest = PredictiveControl(problem), Estimate(0, (0.0,) * 3, (1.0, 0.0, 0.0, 0.0), (0.0,) * 6)
    state, first = control.step(control.initial(), at_rest, PoseTarget((0.6, 0.4, -0.3), 0.8, (0.0,) * 3, 0.0))
    assert np.abs(first).max() == pytest.approx(6.0)
    _, second = control.step(state, at_rest, PoseTarget((0.6, 0.4, -0.3), 0.8, (0.0,) * 3, 0.0))
    assert np.abs(second - first).max() <= 6.0 + 1e-9


@pytest.mark.parametrize("delays", [Delays(0.23, 0.08), Delays(0.05, 0.25), Delays(0.2, 0.2, 0.13), Delays(drive=0.07)])
def test_the_model_predicts_the_state_over_latency_and_delay(delays: Delays) -> None:
    """A vehicle that is the model: the predicted state is the true one at the time from which on new forces act.

    Where motion and turn are of different age, the older part moves by the coupling with the younger one's age.
    """
    within = 1e-4 if delays.motion == delays.turn else 1e-3
    packed = predictive_problem(load_vehicle("bluerov2_heavy").parameters).packed
    made, rng = DelayCompensation(packed, 0.1, delays), np.random.default_rng(5)
    forces = rng.uniform(-5.0, 5.0, (30, 8))
    step, states = Stepper(packed, 0.01), [np.zeros(21)]
    states[0][3] = 1.0
    late = round(100 * delays.drive)
    for k in range(299):
        states.append(step(states[-1], forces[(k - late) // 10] if k >= late else np.zeros(8)))
    now = 200
    motion, turn, drive = (round(100 * one) for one in delays)
    older = states[now - max(motion, turn)]
    measured = older.copy()
    measured[MOTION], measured[TURN] = states[now - motion][MOTION], states[now - turn][TURN]
    sent, still = forces[20 - made.samples : 20], environment_row(np.zeros(6), (0.0, 0.0, 0.0))
    aligned = made.aligned(measured, sent, still)
    assert made.present(aligned, sent, still) == pytest.approx(states[now + drive], abs=within)
    expected = made.next_measured(measured, aligned, forces[20 - made.samples : 21], still)
    assert expected[7:10] == pytest.approx(states[now + 10 - motion][7:10], abs=within)
    assert expected[10:13] == pytest.approx(states[now + 10 - turn][10:13], abs=within)
    assert expected[13:] == pytest.approx(states[now + 10 - max(motion, turn)][13:], abs=1e-6)


def test_station_is_kept_behind_a_late_velocity_without_oscillation() -> None:
    """Without prediction over the latency the speed of this loop is 0.43 m/s RMS."""
    velocity = {"from": "dvl", "name": "late_dvl", "latency": "0.2 s"}
    sources = {"attitude": "ahrs", "rates": "gyro", "velocity": "late_dvl", "depth": "depth"}
    given = scenario("predictive").with_(
        {
            "water.bottom_depth": 20,
            "vehicles[0].sensors": ["ahrs", "gyro", "depth", velocity],
            "vehicles[0].navigation": {"part": "instruments", "rate": "10 Hz", **sources},
        }
    )
    loop, speeds = Loop(given.setup), []
    for step in range(1500, loop.steps + 1, 5):
        loop.advance(step)
        speeds.append(loop.vehicles[0].state[7:10].copy())
    assert math.sqrt(float(np.mean(np.sum(np.square(speeds), axis=1)))) < 0.06


def test_a_failed_thruster_of_the_predictive_controller_gives_no_force_and_lost_directions_are_named() -> None:
    part = next(p.part for p in scenario("predictive").setup.vehicles[0].parts if p.role == Role.CONTROL)
    state, _ = part.step(part.initial(), now_at("predictive", 0, target=2.0))
    first, second, *_ = part.parameters.thruster_names
    one, two = part.without_thrusters((first,)), part.without_thrusters((first,)).without_thrusters((second,))
    after, commands = one.step(state, now_at("predictive", 100_000_000, target=2.0))
    assert state.before[0] != 0.0
    assert after.before[0] == 0.0
    assert np.abs(commands[1:]).max() > 1.0
    assert part.uncontrollable == one.uncontrollable == ()
    assert two.uncontrollable
    after, _ = two.step(state, now_at("predictive", 100_000_000, target=2.0))
    assert after.before[:2] == (0.0, 0.0)
