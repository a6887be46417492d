"""Missions that a user would write fly as asked: in currents, by waypoints, at a place."""

import math

import numpy as np
import pytest
from scenario_example import line_of

from remora.control.allocation.thrusters import bounded_allocation
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.logs import read_log
from remora.plant.plant import Plant
from remora.report.simulations.summary import run_summary
from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop, run_loop
from remora.run.recorder import Recorder
from remora.scenarios import scenario_from_text
from remora.scenarios.load_context import ScenarioError
from remora.vehicles import load_vehicle

DIVE = """\
name: dive
duration: 60 s
water: {current: [NORTH m/s, EAST m/s, 0]}
vehicles:
  - name: rov
    file: FILE
    position: [0, 0, 0.5 m]
    navigation: {part: truth, rate: 10 Hz}
    guidance: {part: dive_and_turn, rate: 10 Hz, depth: 5 m, heading: TURN deg}
    control: {part: autopilot, rate: 10 Hz}
"""


def tilt(state):
    return math.degrees(math.acos(min(1.0, down_in_body(tuple(state[3:7].tolist()))[2])))


@pytest.mark.parametrize(
    ("file", "current", "turn", "most_tilt"),
    [
        ("bluerov2_heavy, speed", (0.15, -0.1), 45.0, 15.0),  # turned over and sank to 13 m
        ("bluerov2_heavy", (-0.2, 0.35), -90.0, 25.0),
        ("bluerov", (-0.2, 0.35), -90.0, 25.0),
        ("bluerov2", (0.15, -0.1), 45.0, 20.0),  # nothing holds its pitch but its weight
        ("falcon", (0.15, -0.1), 45.0, 35.0),  # likewise, and its vertical thruster pitches it
        ("flatfish_basin_adaptive", (-0.2, 0.35), -90.0, 5.0),
    ],
)
def test_a_pilot_in_a_current_it_does_not_know_does_not_turn_over(file, current, turn, most_tilt):
    """It cancelled the drag of its model at the measured speed, and saturated thrusters cost it the attitude."""
    text = DIVE.replace("NORTH", str(current[0])).replace("EAST", str(current[1])).replace("TURN", str(turn))
    if file.endswith(", speed"):
        file, text = file.removesuffix(", speed"), text.replace(f"{turn} deg", f"{turn} deg, speed: 0.3 m/s")
    loop = Loop(scenario_from_text(text.replace("FILE", file)))
    run, tilts, depths = loop.vehicles[0], [], []
    for k in range(50, 6001, 50):
        loop.advance(k)
        tilts.append(tilt(run.state))
        depths.append(float(run.state[2]))
    assert max(tilts) < most_tilt
    assert max(depths) < 5.5
    assert depths[-1] == pytest.approx(5.0, abs=0.1)
    heading = math.degrees(to_euler_zyx(tuple(run.state[3:7].tolist()))[2])
    assert heading == pytest.approx(turn, abs=6.0)


def test_a_pilot_refuses_a_speed_that_its_vehicle_cannot_have():
    text = DIVE.replace("FILE", "bluerov2").replace("NORTH", "0").replace("EAST", "0")
    fast = text.replace("TURN deg", "45 deg, speed: 0.6 m/s")
    with pytest.raises(
        ScenarioError, match=r"bluerov2 is driven at up to 0.349 m/s only, because .* Ask for less speed"
    ):
        scenario_from_text(fast)
    scenario_from_text(text.replace("TURN deg", "45 deg"))  # the usual speed gives way


LEGS = """\
name: legs
duration: 120 s
log: {rate: 10 Hz}
water: {current: [0.1 m/s, -0.1 m/s, 0]}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 3 m]
    navigation: {part: truth, rate: 10 Hz}
    guidance:
      part: waypoints
      rate: 10 Hz
      speed: 0.5 m/s
      points:
        - {position: [10 m, 0, 5 m], heading: 0}
        - {position: [10 m, 10 m, 5 m], heading: 90 deg, stay: 3 s}
        - {position: [0, 10 m, 3 m], heading: 180 deg}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}
"""


def flown(text, path):
    """The log of a whole run, and how it ended."""
    setup = scenario_from_text(text)
    recorder = Recorder.open(setup, path)
    outcome = run_loop(Loop(setup, recorder))
    recorder.close()
    assert not outcome.stopped
    return read_log(path)


def test_waypoints_and_position_control_keep_together_and_report_progress(tmp_path):
    """The reference ran away by the clock: 5 m ahead after two minutes, with 5 of 40 N used."""
    log = flown(LEGS, tmp_path / "legs.mcap")
    places = log["rov/truth"].table("p_NB_x", "p_NB_y", "p_NB_z")
    wanted = log["rov/reference"].table("p_NR_x", "p_NR_y", "p_NR_z")
    assert max(math.dist(a, b) for a, b in zip(places[: len(wanted)], wanted, strict=True)) < 0.3
    assert places[-1].tolist() == pytest.approx([0.0, 10.0, 3.0], abs=0.05)
    said = [event.text for event in log.events if event.source == "rov/guidance" and "waypoint" in event.text]
    assert said == [
        "goes to 3 waypoints",
        *(f"waypoint {i} of 3 reached" for i in (1, 2, 3)),
        "all 3 waypoints reached, the list is finished",
    ]
    summary = dict(run_summary(tmp_path / "legs.mcap"))
    assert summary["waypoints"].startswith("rov/guidance: 3 of 3 reached, the last at 1")


def test_waypoints_that_are_too_fast_wait_for_the_vehicle(tmp_path):
    """The reference stays within reach, the list goes on, and a warning says that the speed was not kept."""
    text = LEGS.replace("speed: 0.5 m/s", "speed: 3 m/s\n      acceleration: 3 m/s2")
    log = flown(text, tmp_path / "fast.mcap")
    places = log["rov/truth"].table("p_NB_x", "p_NB_y", "p_NB_z")
    wanted = log["rov/reference"].table("p_NR_x", "p_NR_y", "p_NR_z")
    assert max(math.dist(a, b) for a, b in zip(places[: len(wanted)], wanted, strict=True)) < 1.1
    assert places[-1].tolist() == pytest.approx([0.0, 10.0, 3.0], abs=0.1)
    warnings = [event.text for event in log.events if event.level == "warning"]
    assert any(text.startswith("the vehicle does not keep up") for text in warnings)


def test_a_speed_above_an_explicit_limit_is_refused_and_the_usual_limit_follows():
    """Default limits of 0.5, 0.3 and 0.2 m/s slowed the vehicle without a word."""
    text = LEGS.replace("control: {part: position", "control: {part: position, max_speeds: [0.5, 0.3, 0.2, 0.3]")
    with pytest.raises(
        ScenarioError, match=r"asks for 0.5 m/s in sway, and the limit here is 0.3 m/s. Raise it"
    ) as caught:
        scenario_from_text(text)
    assert caught.value.problems[0].line == line_of(text, "    control:")
    control = {item.name: item.part for item in scenario_from_text(LEGS).vehicles[0].parts}["control"].control
    assert control.max_speeds == pytest.approx((0.625, 0.625, 0.2, 0.3), abs=1e-3)


@pytest.mark.parametrize("file", ["bluerov2_heavy", "vita1", "flatfish_basin_adaptive"])
def test_a_place_is_held_in_a_current(file):
    """A current of 0.2 m/s left an offset of a metre: there was no integral."""
    text = f"""\
name: hold
duration: 120 s
water: {{current: [0.15 m/s, -0.13 m/s, 0]}}
vehicles:
  - name: rov
    file: {file}
    position: [0, 0, 3 m]
    navigation: {{part: truth, rate: 10 Hz}}
    guidance: {{part: hold, rate: 10 Hz, position: [0, 0, 3 m], heading: 30 deg}}
    control: {{part: position, rate: 10 Hz}}
    allocation: {{part: bounded, rate: 10 Hz, torque_priority: high}}
"""
    loop = Loop(scenario_from_text(text))
    loop.advance(12000)
    state = loop.vehicles[0].state
    assert math.dist(state[:3], (0.0, 0.0, 3.0)) < 0.03
    assert to_euler_zyx(tuple(state[3:7].tolist()))[2] == pytest.approx(math.radians(30.0), abs=0.01)


OWN = """\
name: surveyor
title: A vehicle whose flow turns it harder than its weight rights it
source: made up for this test
water: {density: 1025 kg/m3, gravity: 9.81 m/s2}
body:
  mass: 20 kg
  net_buoyancy: 2 N
  inertia: {moments: [0.6, 0.7, 0.9]}
  center_of_gravity: [0, 0, 0]
  center_of_buoyancy: [0, 0, -3 cm]
added_mass: {diagonal: [9, 14, 22, 0.3, 0.35, 0.4]}
damping:
  linear: {diagonal: [6, 9, 12, 0.3, 0.3, 0.3]}
  quadratic: {diagonal: [50, 90, 130, 1.5, 1.5, 1.8]}
thruster_defaults: {law: force, limits: [-40 N, 50 N], time_constant: 0.12 s}
thrusters:
  - {name: fs, position: [0.2, 0.15, 0.02], direction: [1, -1, 0]}
  - {name: fp, position: [0.2, -0.15, 0.02], direction: [1, 1, 0]}
  - {name: rs, position: [-0.2, 0.15, 0.02], direction: [1, 1, 0]}
  - {name: rp, position: [-0.2, -0.15, 0.02], direction: [1, -1, 0]}
  - {name: vfs, position: [0.15, 0.25, 0], direction: [0, 0, 1]}
  - {name: vfp, position: [0.15, -0.25, 0], direction: [0, 0, 1]}
  - {name: vrs, position: [-0.15, 0.25, 0], direction: [0, 0, 1]}
  - {name: vrp, position: [-0.15, -0.25, 0], direction: [0, 0, 1]}
"""


def largest_current(vehicle, bearing):
    """Speed in m/s towards a bearing from the bow up to which the thrusters make the drag and a tenth more."""
    model, allocation = FeedbackLinearisation(Plant(vehicle).packed), bounded_allocation(vehicle.parameters)

    def needs(speed):
        ahead, aside = -speed * math.cos(bearing), -speed * math.sin(bearing)
        return model.wrench(np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, ahead, aside, 0.0, 0.0, 0.0, 0.0]))

    low, high = 0.0, 3.0
    for _ in range(30):
        middle = 0.5 * (low + high)
        reached = not any(allocation.allocate(needs(0.0) + 1.1 * (needs(middle) - needs(0.0))).shortfall)
        low, high = (middle, high) if reached else (low, middle)
    return low


def test_six_thrusters_hold_a_place_in_a_current_from_ahead():
    """Pitch and surge cannot be made apart; asked for both, the allocation lacked surge and blocked the integral."""
    text = """\
name: stream
duration: 90 s
step: 20 ms
water: {current: [-0.5 m/s, 0, 0]}
vehicles:
  - name: rov
    file: bluerov2
    position: [0, 0, 5 m]
    navigation: truth
    guidance: {part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}
"""
    loop = Loop(scenario_from_text(text))
    loop.advance(4500)
    assert math.dist(loop.vehicles[0].state[:3], (0.0, 0.0, 5.0)) < 0.1


@pytest.mark.parametrize("bearing", [0.0, 45.0, 90.0, 180.0, 210.0])
@pytest.mark.parametrize("file", ["bluerov2_heavy", "surveyor.yaml"])
def test_a_place_is_held_in_any_current_whose_drag_the_thrusters_make(tmp_path, file, bearing):
    """It was carried away slowly, or lost its heading, although there was thrust to spare."""
    (tmp_path / "surveyor.yaml").write_text(OWN)
    towards = math.radians(bearing)
    speed = largest_current(load_vehicle(tmp_path / file if "." in file else file), towards)
    assert speed > 0.7
    text = f"""\
name: stream
duration: 90 s
step: 20 ms
water: {{current: [{speed * math.cos(towards)} m/s, {speed * math.sin(towards)} m/s, 0]}}
vehicles:
  - name: rov
    file: {file}
    position: [0, 0, 5 m]
    navigation: truth
    guidance: {{part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}}
    control: {{part: position, rate: 10 Hz}}
    allocation: {{part: bounded, rate: 10 Hz}}
"""
    loop = Loop(scenario_from_text(text, folder=tmp_path))
    for step in range(3000, 4501, 25):  # the last half minute
        loop.advance(step)
        state = loop.vehicles[0].state
        # Beyond 80 % of the thrust the integral is at its bound, and an error of position asks for the rest.
        assert math.dist(state[:3], (0.0, 0.0, 5.0)) < 0.75
        assert abs(to_euler_zyx(tuple(state[3:7].tolist()))[2]) < math.radians(15.0)


def test_a_current_beyond_the_thrust_does_not_wind_up_the_integral():
    """C3: after forty seconds in 1.5 m/s the vehicle comes back to its place without going far beyond it."""
    text = """\
name: gale
duration: 160 s
water: {current: [0, 0, 0]}
faults: [{fault: current, change: [1.5 m/s, 0, 0], at: 5 s, until: 45 s}]
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 3 m]
    navigation: {part: truth, rate: 10 Hz}
    guidance: {part: hold, rate: 10 Hz, position: [0, 0, 3 m], heading: 0}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz, torque_priority: high}
"""
    loop, north = Loop(scenario_from_text(text)), []
    for k in range(100, 16001, 100):
        loop.advance(k)
        north.append(float(loop.vehicles[0].state[0]))
    assert max(north) > 5.0  # it was carried away
    assert min(north) > -1.0
    assert abs(north[-1]) < 0.05


@pytest.mark.parametrize("text", [LEGS, DIVE.replace("NORTH", "0.1").replace("EAST", "0").replace("TURN", "45")])
def test_waypoints_and_pilot_go_on_bit_by_bit_from_a_checkpoint(text, tmp_path):
    text = text.replace("FILE", "bluerov2_heavy")
    whole, stopped = Loop(scenario_from_text(text)), Loop(scenario_from_text(text))
    whole.advance(4700)
    stopped.advance(3737)
    save_checkpoint(tmp_path / "a.checkpoint", stopped)
    setup = scenario_from_text(text)
    resumed = resumed_loop(setup, load_checkpoint(tmp_path / "a.checkpoint", setup), None, None)
    resumed.advance(4700)
    assert resumed.vehicles[0].state.tolist() == whole.vehicles[0].state.tolist()
