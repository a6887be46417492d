"""Mass that goes or comes and water that sets in: momentum is kept, weight and trim follow."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fault_runs import BALL, ball, logged, told

from remora.equations.hull.inertia import RigidBody, rigid_body_inertia, with_point_mass
from remora.plant.plant import Plant
from remora.run.faults import Fault
from remora.run.faults.body import CurrentStep, Flooding, Loss
from remora.run.loop.loop import Loop
from remora.scenarios import ScenarioError, scenario_from_text
from remora.vehicles.parameters import total_inertia


def impulse(state, inertia, water=(0.0, 0.0, 0.0)):
    """Linear and angular momentum of body and water relative to the current, in N about the origin of N."""
    q0, q1, q2, q3 = state[3:7]
    R = np.array([
        [1 - 2 * (q2 * q2 + q3 * q3), 2 * (q1 * q2 - q0 * q3), 2 * (q1 * q3 + q0 * q2)],
        [2 * (q1 * q2 + q0 * q3), 1 - 2 * (q1 * q1 + q3 * q3), 2 * (q2 * q3 - q0 * q1)],
        [2 * (q1 * q3 - q0 * q2), 2 * (q2 * q3 + q0 * q1), 1 - 2 * (q1 * q1 + q2 * q2)],
    ])  # fmt: skip
    twist = np.array(state[7:13])
    twist[:3] -= R.T @ np.array(water)
    momentum = np.array(inertia) @ twist
    return R @ momentum[:3], R @ momentum[3:]


def ended(setup):
    loop = Loop(setup)
    loop.advance(loop.steps)
    return loop.vehicles[0].state


def test_what_is_dropped_leaves_the_velocity_of_the_rest_alone(tmp_path: Path) -> None:
    """The payload was part of a turning body; the rest goes on as it was, to the last bit of that instant."""
    line = "{fault: payload_dropped, mass: 3 kg, volume: 3 litre, place: [0.1 m, 0.1 m, 0.1 m], at: 1 s}"
    setup = ball(line, tmp_path, "velocity: [1 m/s, 0.2 m/s, 0], rates: [0.1, 0.2, 0.3]")
    whole, dropped = Loop(replace(setup, vehicles=(replace(setup.vehicles[0], faults=()),))), Loop(setup)
    whole.advance(100)
    dropped.advance(100)
    dropped.vehicles[0].run_due_parts(100)
    assert np.array_equal(whole.vehicles[0].state, dropped.vehicles[0].state)
    dropped.advance(101)
    whole.advance(101)
    assert not np.array_equal(whole.vehicles[0].state, dropped.vehicles[0].state)


def test_lost_ballast_makes_the_vehicle_rise_with_the_acceleration_of_its_weight(tmp_path: Path) -> None:
    """2 kg of no volume: (m_displaced - m) g / (m + added mass), at the first instant."""
    setup = ball("{fault: lost_ballast, mass: 2 kg, place: [0, 0, 0], at: 1 s}", tmp_path)
    loop = Loop(setup)
    loop.advance(101)
    assert loop.vehicles[0].state[9] == pytest.approx(-2.0 * 9.81 / (18.0 + 16.0) * 0.01, rel=1e-6)


def test_a_payload_as_heavy_as_its_water_leaves_the_rest_neutral(tmp_path: Path) -> None:
    """Mass and volume leave the same place, so that the rest neither rises nor turns."""
    setup = ball("{fault: payload_dropped, mass: 3 kg, volume: 3 litre, place: [0.2 m, 0, 0.1 m], at: 1 s}", tmp_path)
    state = ended(setup)
    assert np.abs(state[7:13]).max() < 1e-12
    assert np.abs(state[:3]).max() < 1e-12


def test_ballast_off_the_middle_changes_the_trim(tmp_path: Path) -> None:
    """The lever of the lost weight over the moment of inertia of what is left, at the first instant: bow up."""
    loop = Loop(ball("{fault: lost_ballast, mass: 1 kg, place: [0.4 m, 0, 0], at: 1 s}", tmp_path))
    loop.advance(101)
    left = with_point_mass(RigidBody(20.0, (0.0, 0.0, 0.0), setup_inertia(loop)), -1.0, (0.4, 0.0, 0.0))
    inertia = np.array(rigid_body_inertia(*left)) + np.diag([10.0, 14.0, 16.0, 0.1, 0.2, 0.3])
    wrench = [0.0, 0.0, -1.0 * 9.81, 0.0, 0.4 * 9.81, 0.0]
    assert np.allclose(loop.vehicles[0].state[7:13], 0.01 * np.linalg.solve(inertia, wrench), rtol=1e-3, atol=1e-5)
    assert loop.vehicles[0].state[11] > 0.03


def setup_inertia(loop):
    return loop.setup.vehicles[0].plant.vehicle.parameters.inertia_G


@pytest.mark.parametrize("current", [(0.0, 0.0, 0.0), (0.3, -0.2, 0.0)])
def test_water_taken_in_at_rest_keeps_the_momentum_of_all(current: tuple[float, float, float], tmp_path: Path) -> None:
    """Without drag and, for a moment, without weight: the impulse before equals the one after, also in a current."""
    top = f"water: {{current: {list(current)}, gravity: 1e-12 m/s2}}"
    setup = ball("{fault: flooding, rate: 2 kg/s, volume: 3 litre, place: [0.2 m, 0.1 m, 0.05 m], at: 1 s}", tmp_path,
                 "velocity: [1 m/s, 0.2 m/s, 0.1 m/s], rates: [0.1, 0.2, 0.3]", top)  # fmt: skip
    dry = setup.vehicles[0].plant.vehicle.parameters
    place, loop = (0.2, 0.1, 0.05), Loop(setup)
    loop.advance(100)
    run = loop.vehicles[0]
    for k in range(100, 260):
        body = with_point_mass(RigidBody(dry.mass, dry.p_BG, dry.inertia_G), min(0.02 * max(k - 101, 0), 3.0), place)
        before = impulse(run.state, np.array(total_inertia(dry)) + _mass(place, body.mass - dry.mass), current)
        run.run_due_parts(k)
        taken = min(0.02 * (k - 100), 3.0)
        after = impulse(run.state, np.array(total_inertia(dry)) + _mass(place, taken), current)
        assert np.allclose(before[0], after[0], rtol=1e-12, atol=1e-12)
        assert np.allclose(before[1], after[1], rtol=1e-12, atol=1e-12)
        run.move(k)
    assert run.motion.packed is run._faults.packed


def _mass(place, mass):
    x, y, z = place
    S = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return mass * np.block([[np.eye(3), -S], [S, -S @ S]])


def test_flooding_in_a_straight_line_slows_by_the_ratio_of_the_masses(tmp_path: Path) -> None:
    """Water at rest in the middle: u (m + m_a) stays; 3 litres make 30 kg of 33 kg."""
    setup = ball("{fault: flooding, rate: 2 kg/s, volume: 3 litre, place: [0, 0, 0], at: 0.5 s}", tmp_path,
                 "velocity: [1.1 m/s, 0, 0], locked: [heave]")  # fmt: skip
    _, log = logged(setup, tmp_path)
    assert log["ball/truth"]["v_NB_B_x"][-1] == pytest.approx(1.0, rel=1e-9)
    assert told(log, "ball") == [(0.5, "warning", "begins"), (2.0, "warning", "full")]


def test_flooding_stops_at_its_end_and_the_water_stays(tmp_path: Path) -> None:
    setup = ball("{fault: flooding, rate: 2 kg/s, volume: 9 litre, place: [0, 0, 0], at: 0.5 s, until: 2 s}", tmp_path,
                 "velocity: [1.1 m/s, 0, 0], locked: [heave]")  # fmt: skip
    _, log = logged(setup, tmp_path)
    assert log["ball/truth"]["v_NB_B_x"][-1] == pytest.approx(1.0, rel=1e-9)  # 3 kg in 1.5 s
    assert told(log, "ball") == [(0.5, "warning", "begins"), (2.0, "warning", "ends")]


def test_a_flooded_vehicle_sinks(tmp_path: Path) -> None:
    setup = ball("{fault: flooding, rate: 1 kg/s, volume: 2 litre, place: [0, 0, 0]}", tmp_path)
    assert ended(setup)[2] > 0.5


@pytest.mark.parametrize("method", ["rk4", "adams_bashforth_2", "semi_implicit_euler"])
def test_a_neutral_body_goes_with_water_that_sets_in(method: str, tmp_path: Path) -> None:
    setup = ball("{fault: current, change: [0.4 m/s, -0.3 m/s, 0.1 m/s], at: 1 s, until: 2 s}", tmp_path,
                 "angles: [0.3, 0.2, 1.0], velocity: [0, 0.1 m/s, 0]", f"method: {method}")  # fmt: skip
    quiet = replace(setup, vehicles=(replace(setup.vehicles[0], faults=()),))
    _, log = logged(setup, tmp_path, "a")
    _, still = logged(quiet, tmp_path, "b")
    places = ("p_NB_x", "p_NB_y", "p_NB_z")
    drift = log["ball/truth"].table(*places) - still["ball/truth"].table(*places)
    assert np.allclose(drift[-1], [0.4, -0.3, 0.1], atol=1e-6)  # one second of it
    assert told(log, "ball") == [(1.0, "warning", "begins"), (2.0, "warning", "ends")]


@pytest.mark.parametrize("density", [0.5, 2.0])
def test_a_sphere_gets_its_share_of_the_current(density: float, tmp_path: Path) -> None:
    """3 / (2 s + 1) of the change for s times the density of the water (added mass of half the displaced mass)."""
    text = BALL.replace("mass: 20 kg", f"mass: {20 * density} kg").replace("[10, 14, 16,", "[10, 10, 10,")
    text = text.replace("moments: [0.5, 0.6, 0.7]", "moments: [0.5, 0.5, 0.5]")
    setup = ball("{fault: current, change: [0.6 m/s, 0.3 m/s, 0], at: 1 s}", tmp_path, "locked: [heave]")
    (tmp_path / "ball.yaml").write_text(text)
    scenario = "name: s\nduration: 2 s\nvehicles:\n  - {name: ball, file: ball.yaml, locked: [heave], " \
               "faults: [{fault: current, change: [0.6 m/s, 0.3 m/s, 0], at: 1 s}]}\n"  # fmt: skip
    setup = scenario_from_text(scenario, folder=tmp_path)
    loop = Loop(setup)
    loop.advance(100)
    loop.vehicles[0].run_due_parts(100)
    assert np.allclose(loop.vehicles[0].state[7:9], 3.0 / (2.0 * density + 1.0) * np.array([0.6, 0.3]), rtol=1e-12)


def test_a_current_at_the_top_of_the_file_is_felt_by_all(tmp_path: Path) -> None:
    text = """
name: both
duration: 2 s
water: {density: 1025 kg/m3}
vehicles:
  - {name: one, file: bluerov2_heavy, sensors: [{name: flow, kind: current_meter, position: [0, 0, 0], rate: 10 Hz}]}
  - {name: two, file: bluerov2_heavy, position: [5 m, 0, 0]}
faults:
  - {fault: current, change: [0.5 m/s, 0, 0], at: 1 s}
  - {fault: dead, vehicle: two, of: front_port, at: 1 s}
"""
    _, log = logged(scenario_from_text(text), tmp_path)
    assert told(log, "one") == told(log, "two") == [(1.0, "warning", "begins")]
    assert told(log, "two/front_port") == [(1.0, "warning", "begins")]
    assert told(log, "one/front_port") == []
    for name in ("one", "two"):
        assert log[f"{name}/truth"]["v_NB_B_x"][-1] > 0.3


def test_disturbances_are_events_too(tmp_path: Path) -> None:
    text = """
name: pushed
duration: 2 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    disturbances:
      - {kind: sinusoidal, force: [5 N, 0, 0], period: 1 s, from: 0.5 s, until: 1.5 s}
      - {kind: stochastic, force: [5 N, 0, 0], time_constant: 1 s}
"""
    _, log = logged(scenario_from_text(text), tmp_path)
    found = [(e.time_ns * 1e-9, e.data["state"], e.text) for e in log.events if e.data.get("fault") == "disturbance"]
    assert found == [
        (0.0, "begins", "disturbance: a stochastic wrench from outside"),
        (0.5, "begins", "disturbance: a sinusoidal wrench from outside"),
        (1.5, "ends", "disturbance ends"),
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{fault: lost_ballast, mass: 25 kg, place: [0, 0, 0]}", "has 20 kg only"),
        ("{fault: lost_ballast, mass: 5 kg, place: [3 m, 0, 0]}", "no body could be what is left"),
        ("{fault: payload_dropped, mass: 1 kg, volume: 30 litre, place: [0, 0, 0]}", "displaces 0.02 m3 only"),
    ],
)
def test_a_loss_that_leaves_no_vehicle_is_refused(line: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=words):
        ball(line, tmp_path)


def test_several_losses_are_looked_at_together(tmp_path: Path) -> None:
    one = "{fault: lost_ballast, mass: 12 kg, place: [0, 0, 0], at: 1 s}"
    ball(one, tmp_path)
    with pytest.raises(ScenarioError, match="has 8 kg only"):
        ball(f"{one}, {one.replace('1 s', '2 s')}", tmp_path)


def test_a_vehicle_of_which_only_the_total_inertia_is_known_loses_nothing_but_feels_currents(tmp_path: Path) -> None:
    setup = ball("", tmp_path)
    vehicle = setup.vehicles[0].plant.vehicle
    p = vehicle.parameters
    p = p._replace(total_inertia_only=True, added_mass=total_inertia(p), rigid_body_inertia=((0.0,) * 6,) * 6)
    with pytest.raises(ValueError, match="only the total inertia"):
        Loss(1.0, (0.0, 0.0, 0.0)).remaining(p)
    current = Fault("current", CurrentStep((0.2, 0.0, 0.0)), "", 1_000_000_000)
    changed = replace(setup.vehicles[0], plant=Plant(replace(vehicle, parameters=p)), faults=(current,))
    assert ended(replace(setup, vehicles=(changed,)))[7] == pytest.approx(0.2, abs=1e-12)


def test_effects_are_plain_figures() -> None:
    assert Flooding(1.0, (0.0, 0.0, 0.0), 0.002).water(1.5, 1000.0) == 1.5
    assert Flooding(1.0, (0.0, 0.0, 0.0), 0.002).water(9.0, 1000.0) == 2.0
    assert Loss(1.0, (0.0, 0.0, 0.0)).data == {"mass": 1.0, "volume": 0.0, "place": [0.0, 0.0, 0.0]}


def test_a_jump_of_the_velocity_clears_the_history_of_a_multistep_method(tmp_path: Path) -> None:
    """Adams and Bashforth would go on with rates of the motion before a current set in."""
    fault = "{fault: current, change: [0.6 m/s, 0.3 m/s, 0], at: 1 s}"
    ends = {}
    for method in ("adams_bashforth_2", "rk4"):
        setup = ball(fault, tmp_path, "velocity: [0.5 m/s, 0, 0], rates: [0, 0, 0.4]", f"method: {method}")
        loop = Loop(setup)
        loop.advance(100)
        run = loop.vehicles[0]
        assert not setup.method.history_size or np.any(run.state[-setup.method.history_size :] != 0.0)
        loop.advance(101)
        ends[method] = run.state[:13].copy()
    # Its first step is one of Euler, off by a a h^2 / 2; with rates from before the jump it is off by h dv / 2 = 2e-3.
    assert ends["adams_bashforth_2"] == pytest.approx(ends["rk4"], abs=2e-4)


def test_a_fault_between_two_steps_begins_at_the_later_one(tmp_path: Path) -> None:
    """At 1.004 s with steps of 10 ms: nothing has happened at 1 s, and it ends likewise not before its time."""
    setup = ball("{fault: current, change: [0.4 m/s, 0, 0], at: 1 s, until: 2 s}", tmp_path)
    vehicle = setup.vehicles[0]
    fault = replace(vehicle.faults[0], start_ns=1_004_000_000, stop_ns=1_996_000_000)
    _, log = logged(replace(setup, vehicles=(replace(vehicle, faults=(fault,)),)), tmp_path)
    assert [(round(time, 9), state) for time, _, state in told(log, "ball")] == [(1.01, "begins"), (2.0, "ends")]
    truth = log["ball/truth"]
    moving = truth.time_ns[truth["v_NB_B_x"] != 0.0]
    assert moving[0] >= 1_010_000_000
