"""Controllers of body velocities: tracking, safe output (C8), zero error (C1), anti-windup (C3) and refused gains."""

import math

import numpy as np
import pytest

from remora import read_log
from remora.control import SlidingModeControl, VelocityTracking, default_surfaces, velocity_tracking
from remora.control.autopilots.velocity_tracking import learned
from remora.control.feedback.attitude import levelling
from remora.control.feedback.dynamic_inversion import DynamicInversion
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.control.feedback.shaft_speed_loop import shaft_feedback, thrusters_wrench
from remora.control.parts.safe_output import usable_estimate
from remora.control.parts.velocity_controllers import VelocityFollowing
from remora.control.tuning.sampled_plant import largest_stable_gain, spectral_radius
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import ZERO6
from remora.equations.control.adaptive_network import Network, NetworkWeights, learned_weights, network_output
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput
from remora.messages.reading import Reading, Status
from remora.messages.reference import VelocityReference
from remora.plant import derivative, initial_state, pack
from remora.run.loop.loop import run
from remora.scenarios import scenario_from_text
from remora.vehicles import load_vehicle
from remora.vehicles.vehicle import SensorEntry

FALCON = load_vehicle("falcon").parameters
PACKED = pack(FALCON)
INVERSION = DynamicInversion(FeedbackLinearisation(PACKED))
LEVEL = (1.0, 0.0, 0.0, 0.0)
CONTROLLERS = {
    "pid": velocity_tracking(FALCON, PACKED),
    "adaptive": velocity_tracking(FALCON, PACKED, network=Network(), hedges=True),
    "sliding_mode": SlidingModeControl(INVERSION, default_surfaces(FALCON, 0.05)),
}


def seen(estimate, velocity=(0.2, 0.0, 0.0, 0.0), time_ns=1_000_000_000):
    reference = None if velocity is None else VelocityReference(velocity, (0.0, 0.0, 0.0), 0.0, 0)
    return PartInput(time_ns, (), {}, estimate, reference, ZERO6, ZERO6, None)


def estimate(time_ns=1_000_000_000, **changes):
    return Estimate(time_ns, (0.0, 0.0, 5.0), LEVEL, ZERO6)._replace(**changes)


@pytest.mark.parametrize("pitch", [0.0, 0.2])
@pytest.mark.parametrize("heave", [-0.1, 0.1])
def test_the_inversion_gives_the_asked_acceleration_to_the_plant(pitch, heave):
    """In surge, sway, heave and yaw of a plant whose roll and pitch do not move; heave mass by direction."""
    q, twist = from_euler_zyx(0.05, pitch, 0.4), (0.3, -0.1, heave, 0.0, 0.0, 0.2)
    asked = (0.1, -0.05, 0.02, 0.15)
    wrench = np.array(INVERSION.wrench(q, twist, asked))
    state = initial_state(PACKED)
    state[3:7], state[7:13] = q, twist
    free = derivative(PACKED, state, np.zeros(PACKED.actuators))[7:13]
    M = INVERSION.inertia(heave)
    held = [0, 1, 2, 5]
    found = np.linalg.solve(M[np.ix_(held, held)], (M @ free)[held] + wrench[held])
    assert found == pytest.approx(asked, abs=1e-9)
    assert INVERSION.acceleration(heave, tuple(M @ (*asked[:3], 0.0, 0.0, asked[3]))) == pytest.approx(asked)


@pytest.mark.parametrize("speed", [1.5, 3.0])
def test_thrust_does_not_push_with_a_disturbance_that_drags_the_vehicle_along(speed):
    """The cancelled drag grows with the square of the speed, and exceeded the thrust that brakes: vita1, C3."""
    parameters = load_vehicle("vita1").parameters
    control = velocity_tracking(parameters, pack(parameters))
    at_rest, _ = control.step(control.initial(), LEVEL, ZERO6, (0.0,) * 4)
    _, wrench = control.step(at_rest, LEVEL, (speed, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0,) * 4)
    assert wrench[0] < 0.0


@pytest.mark.parametrize("name", CONTROLLERS)
def test_at_rest_without_error_only_weight_is_balanced(name):
    """C1: the wrench is the feedback linearisation at rest, a net buoyancy of 2 N."""
    control = CONTROLLERS[name]
    _, wrench = control.step(control.initial(), LEVEL, ZERO6, (0.0,) * 4)
    assert wrench == pytest.approx((0.0, 0.0, 0.2 * 9.81, 0.0, 0.0, 0.0), abs=1e-3)


@pytest.mark.parametrize("name", CONTROLLERS)
@pytest.mark.parametrize(
    "bad",
    [
        estimate(twist=(math.nan, *ZERO6[1:])),
        estimate(q_NB=(math.nan, 0.0, 0.0, 0.0)),
        estimate(p_NB=(0.0, math.inf, 0.0)),
        estimate(time_ns=-500_000_000),
    ],
    ids=["velocity", "attitude", "position", "old"],
)
def test_an_unknown_or_old_estimate_gives_a_zero_wrench_and_an_event(name, bad):
    part = VelocityFollowing(CONTROLLERS[name], levelling(FALCON))
    state, good = part.step(part.initial(), seen(estimate()))
    assert good[0] > 1.0
    after, wrench = part.step(state, seen(bad))
    assert wrench == ZERO6
    (event,) = part.reports(state, after)
    assert event.level == "warning"
    back, again = part.step(after, seen(estimate()))
    assert math.isfinite(sum(again))
    assert again[0] > 1.0
    (event,) = part.reports(after, back)
    assert event.level == "info"


@pytest.mark.parametrize("name", CONTROLLERS)
def test_an_unknown_reference_gives_a_zero_wrench(name):
    part = VelocityFollowing(CONTROLLERS[name], levelling(FALCON))
    begun, _ = part.step(part.initial(), seen(estimate(), (0.1, 0.0, 0.0, 0.0)))
    _, wrench = part.step(begun, seen(estimate(), (math.nan, 0.0, 0.0, 0.0)))
    assert wrench == ZERO6
    assert part.step(part.initial(), seen(estimate(), (math.nan, 0.0, 0.0, 0.0)))[1] is None
    assert part.step(part.initial(), seen(None))[1] is None
    assert part.step(part.initial(), seen(estimate(), None))[1] is None


def test_an_estimate_is_used_up_to_its_largest_age():
    assert usable_estimate(seen(estimate(time_ns=500_000_000)), 0.5) is not None
    assert usable_estimate(seen(estimate(time_ns=499_999_999)), 0.5) is None


def held_at_rest(control, missing):
    """A vehicle that cannot move, asked for 0.2 m/s ahead: integral of surge after 10 s."""
    state = control.initial()
    for _ in range(200):
        state, wrench = control.step(state, LEVEL, ZERO6, (0.2, 0.0, 0.0, 0.0), missing)
    return state, wrench


def test_the_integral_does_not_wind_up_while_thrust_is_missing():
    """C3."""
    control = CONTROLLERS["pid"]
    free, _ = held_at_rest(control, ZERO6)
    stuck, _ = held_at_rest(control, (50.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert free.tracking.integral[0] > 1.0
    assert stuck.tracking.integral[0] == 0.0


def test_hedging_holds_the_reference_model_back():
    """The model of a vehicle that cannot move stays near rest instead of running away from it."""
    hedged = velocity_tracking(FALCON, PACKED, hedges=True)
    state = hedged.initial()
    for _ in range(200):
        state, _ = hedged.step(state, LEVEL, ZERO6, (0.2, 0.0, 0.0, 0.0), applied=ZERO6)
    plain, _ = held_at_rest(CONTROLLERS["pid"], ZERO6)
    assert plain.tracking.model[0] == pytest.approx(0.2, abs=1e-3)
    assert abs(state.tracking.model[0]) < 0.1
    assert abs(state.tracking.integral[0]) < 0.1 * plain.tracking.integral[0]


def test_a_hedged_integral_goes_on_where_the_model_has_given_way():
    """Hedging hides the missing thrust already: the error that is left is a disturbance, which the integral learns."""
    lacking = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    hedged, _ = held_at_rest(velocity_tracking(FALCON, PACKED, hedges=True), lacking)
    plain, _ = held_at_rest(CONTROLLERS["pid"], lacking)
    assert hedged.tracking.integral[0] > 0.1
    assert plain.tracking.integral[0] == 0.0


def test_shaft_speeds_give_the_wrench_of_the_plant():
    """Regression vector of the Falcon at rest and under way: the wrench is that of the thruster equations."""
    plain = SensorEntry("", "shaft_speed", "", "", None, None, 20.0, 0.0, {})
    entries = {f"shaft_{i}": plain._replace(parameters={"thruster": i, "signed": True}) for i in range(5)}
    feedback = shaft_feedback(FALCON, entries)
    speeds, twist = [-74.3, -26.5, 13.0, 32.5, 19.5], (0.5, -0.2, 0.1, 0.05, -0.03, 0.2)
    readings = {f"shaft_{i}": Reading(f"rov/shaft_{i}", 0, 0, Status.OK, (speed,)) for i, speed in enumerate(speeds)}
    wrench = np.array(feedback.wrench(readings, twist))
    state = initial_state(PACKED)
    state[7:13] = twist
    with_thrust, without = state.copy(), state.copy()
    with_thrust[13:18], without[13:18] = speeds, 0.0
    rates = [derivative(PACKED, s, np.zeros(5))[7:13] for s in (with_thrust, without)]
    assert INVERSION.inertia(0.1) @ (rates[0] - rates[1]) == pytest.approx(wrench, rel=1e-9, abs=1e-9)
    assert np.array(thrusters_wrench(FALCON, speeds, twist)) == pytest.approx(wrench)
    assert feedback.wrench({}, twist) is None
    del entries["shaft_3"]
    assert shaft_feedback(FALCON, entries) is None


def test_the_stability_of_the_sampled_loop_is_that_of_a_simulation():
    """A loop just inside the limit decays, one just outside grows."""
    for lag, smoothing in ((0.0, 0.0), (0.159, 0.0), (0.159, 4.0)):
        most = largest_stable_gain(0.05, lag, smoothing)
        for share in (0.97, 1.03):
            gain, v, a, total, command = share * most, 1.0, 0.0, 0.0, 0.0
            for _ in range(4000):
                asked = -gain * v - 0.25 * gain * gain * total
                command = command + smoothing * 0.05 * (asked - command) if smoothing else asked
                total += 0.05 * v
                for _ in range(50):
                    a = a + 0.001 * (command - a) / lag if lag else command
                    v += 0.001 * a
                if abs(v) > 1e6:
                    break
            assert (abs(v) < 1e-3) == (share < 1.0), (lag, smoothing, share)
    assert spectral_radius(1.0, 0.25, 0.05) < 1.0


def test_the_printed_gains_are_unstable_in_yaw_behind_the_measured_lag():
    """Proctor 2014, Table 6.1: 5 1/s with smoothing 4 1/s; heave with 1.25 1/s is stable."""
    assert spectral_radius(5.0, 6.25, 0.05, 0.0, 4.0) < 1.0
    assert spectral_radius(5.0, 6.25, 0.05, 0.159 + 0.04, 4.0) > 1.0
    assert spectral_radius(1.25, 0.39, 0.05, 0.159 + 0.04, 4.0) < 1.0


def test_controllers_are_frozen_and_repeat():
    control = CONTROLLERS["adaptive"]
    assert isinstance(control, VelocityTracking)
    twist = (0.1, 0.0, 0.05, 0.0, 0.0, 0.1)
    first = control.step(control.initial(), LEVEL, twist, (0.2, 0.1, 0.0, 0.1))
    assert control.step(control.initial(), LEVEL, twist, (0.2, 0.1, 0.0, 0.1)) == first


def test_the_compiled_network_learns_as_its_equations_do():
    """Weights and output to the last bit, from random weights on."""
    random = np.random.default_rng(5)
    columns = (
        [tuple(random.normal(size=9).tolist()) for _ in range(5)],
        [tuple(random.normal(size=6)) for _ in range(4)],
    )
    weights = NetworkWeights(*(tuple(tuple(map(float, one)) for one in group) for group in columns))
    for _ in range(20):
        x, r = tuple(random.normal(size=9).tolist()), tuple(random.normal(size=4).tolist())
        after, output = learned(Network(), weights, x, r, 0.05)
        assert after == learned_weights(Network(), weights, x, r, 0.05)
        assert output == network_output(Network(), weights, x)
        weights = after


MISSION = """
name: level
duration: %s
step: 10 ms
log: {rate: 10 Hz}
water: {current: [%s m/s, 0, 0]}
vehicles:
  - name: rov
    file: %s
    position: [0, 0, 1 m]
    angles: [0, 2 deg, %s deg]
    navigation: truth
    guidance: {part: lyapunov, rate: 10 Hz, mission: [{do: go_to, position: %s, heading: %s deg}]}
    control: {part: %s, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz}
"""


def tilts_and_speeds(tmp_path, *values):
    """Degrees from the vertical and horizontal speeds over ground in the second half of a run."""
    log = tmp_path / "log.mcap"
    run(scenario_from_text(MISSION % values), log)
    truth = read_log(log)["rov/truth"]
    q, v = (
        np.stack([truth[name + axis] for axis in axes], axis=1)
        for name, axes in (("q_NB_", "0123"), ("v_NB_B_", "xyz"))
    )
    half = len(q) // 2
    tilts = np.degrees(np.arccos(np.clip(1.0 - 2.0 * (q[:, 1] ** 2 + q[:, 2] ** 2), -1.0, 1.0)))
    return tilts[half:], np.hypot(v[half:, 0], v[half:, 1])


@pytest.mark.parametrize("name", ["falcon", "bluerov2_heavy"])
def test_a_vehicle_dives_straight_to_a_target_far_below(tmp_path, name):
    """The depth error of a tilted vehicle became a large surge velocity, which tilted it further, to 10 degrees."""
    tilts, speeds = tilts_and_speeds(tmp_path, "40 s", "0", name, "0", "[0, 0, 18 m]", "0", "pid")
    assert tilts.max() < 3.0  # the trim of a Falcon that dives is 1.8 degrees
    assert speeds.max() < 0.02


@pytest.mark.parametrize("part", ["pid", "adaptive", "sliding_mode", "l1_adaptive"])
def test_a_current_does_not_tilt_a_vehicle_whose_thrusters_can_level_it(tmp_path, part):
    """Without levelling the Munk moments of a current across the hull turned it on its side."""
    tilts, _ = tilts_and_speeds(tmp_path, "40 s", "0.3", "bluerov2_heavy", "90", "[0, 6 m, 1 m]", "90", part)
    assert tilts.max() < 5.0
