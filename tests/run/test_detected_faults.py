"""Faults that navigation detects: failed thrusters reach the allocation, and a lost inertial unit is survived."""

import math

import pytest
from fault_runs import logged

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.run.loop.loop import Loop
from remora.scenarios import ScenarioError, scenario_from_text
from remora.scenarios.scenario import load_scenario

DEAD = {"fault": "dead", "of": "front_starboard", "at": "20 s"}


def test_the_allocation_follows_the_detector_and_not_the_fault(tmp_path):
    """The fault informs nobody on board; the allocation changes where the filter names the thruster."""
    setup = load_scenario("bluerov_station").with_({"duration": "30 s"}).setup
    _, log = logged(setup, tmp_path)
    (named,) = [e for e in log.events if "thruster" in e.data]
    assert named.source == "rov/navigation"
    assert named.data["thruster"] == "front_starboard"
    assert 20.0 < 1e-9 * named.time_ns < 30.0
    (allocated,) = [e for e in log.events if "disabled" in e.data]
    assert allocated.data == {"disabled": ["front_starboard"], "lost": []}
    assert allocated.time_ns == named.time_ns
    commands = log["rov/commands"]
    assert (commands["front_starboard"][commands.time > 1e-9 * named.time_ns + 0.1] == 0.0).all()
    assert (commands["front_starboard"][(commands.time > 1.0) & (commands.time < 20.0)] != 0.0).any()


WAVES = {"significant_height": "0.3 m", "peak_period": "5 s", "direction": "20 deg"}
EARLY = f"""\
name: early
duration: 12 s
seed: 41
water: {{surface_depth: 0 m, bottom_depth: 12 m, current: [0.2 m/s, 0.1 m/s, 0], waves: {WAVES}}}
vehicles:
  - name: rov
    file: bluerov2
    position: [0, 0, 6 m]
    sensors: [imu, ahrs, dvl, depth]
    navigation: {{part: filter, rate: 20 Hz, thruster_faults: true}}
    guidance: {{part: hold, rate: 10 Hz, position: [0, 0, 6 m], heading: 0}}
    control: {{part: predictive, rate: 10 Hz}}
    faults: [{{fault: dead, of: front_port, at: 2 s}}]
"""


@pytest.mark.parametrize("has_fault", [True, False])
def test_a_thruster_that_dies_while_the_detector_learns_is_named(has_fault):
    """Its loss was learnt as an error of the model, and not named within 40 s."""
    faults = EARLY[EARLY.index("    faults:") :]
    loop = Loop(scenario_from_text(EARLY if has_fault else EARLY.replace(faults, "")))
    loop.advance(loop.steps)
    assert loop.vehicles[0].parts.detected == (("front_port",) if has_fault else ())


CORNER = """\
name: corner
duration: 64 s
seed: 11
water: {bottom_depth: 15 m, current: [0.354 m/s, 0.354 m/s, 0]}
vehicles:
  - name: rov
    file: bluerov2
    position: [0, 0, 3 m]
    sensors: [imu, ahrs, dvl, depth]
    navigation: {part: filter, rate: 20 Hz, thruster_faults: true}
    guidance:
      part: lyapunov
      rate: 20 Hz
      mission:
        - {do: go_to, position: [0, 0, 5 m], heading: 0, dwell: 5 s}
        - {do: go_to, position: [5 m, 0, 5 m], heading: 0, dwell: 5 s}
        - {do: go_to, position: [5 m, 5 m, 5 m], heading: 90 deg, dwell: 5 s}
    control: {part: pid, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz}
"""


def test_no_sound_thruster_is_named_at_a_corner_in_a_strong_current():
    """The drag of 0.5 m/s turns by 90 degrees with the vehicle; linearised about still water it looked like a loss."""
    loop = Loop(scenario_from_text(CORNER))
    loop.advance(loop.steps)
    assert loop.vehicles[0].parts.detected == ()


LATERAL = """\
name: lateral
title: a single lateral thruster
source: test
water: {density: 1025 kg/m3, gravity: 9.81 m/s2}
body:
  mass: 60 kg
  net_buoyancy: 4 N
  inertia: {moments: [3, 4, 5]}
  center_of_gravity: [0, 0, 2 cm]
  center_of_buoyancy: [0, 0, -4 cm]
added_mass: {diagonal: [20, 40, 50, 1, 2, 2]}
damping: {quadratic: {diagonal: [60, 120, 150, 5, 5, 5]}}
thruster_defaults: {law: force, limits: [-60 N, 60 N]}
thrusters:
  - {name: bow_port, position: [0.4, -0.25, 0.05], direction: [0.82, 0.57, 0]}
  - {name: bow_stbd, position: [0.4, 0.25, 0.05], direction: [0.82, -0.57, 0]}
  - {name: aft_port, position: [-0.4, -0.25, 0.02], direction: [0.64, -0.77, 0]}
  - {name: aft_stbd, position: [-0.4, 0.25, 0.02], direction: [0.64, 0.77, 0]}
  - {name: lift_bow, position: [0.3, 0, 0], direction: [0, 0, 1]}
  - {name: lift_port, position: [-0.18, -0.27, 0], direction: [0, 0.26, 0.97]}
  - {name: lift_stbd, position: [-0.18, 0.27, 0], direction: [0, -0.26, 0.97]}
  - {name: side, position: [0.02, 0, -0.02], direction: [0, 1, 0]}
sensors:
  - {name: imu, kind: imu, position: [0, 0, 0], rate: 100 Hz, parameters: {grade: consumer}}
  - name: ahrs
    kind: ahrs
    position: [0, 0, 0]
    rate: 50 Hz
    parameters: {roll_std: 0.3 deg, pitch_std: 0.3 deg, heading_std: 1 deg}
  - name: dvl
    kind: dvl
    position: [0, 0, 0.2]
    rate: 5 Hz
    parameters: {std: 0.5 cm/s, altitude_range: [0.05 m, 50 m]}
  - {name: depth, kind: pressure, position: [0, 0, 0], rate: 10 Hz, parameters: {std: 50 Pa}}
"""
SEA = """\
name: sea
duration: 16 s
seed: SEED
water:
  {current: [-0.3 m/s, 0.4 m/s, 0], bottom_depth: 25 m,
   waves: {significant_height: 0.4 m, peak_period: 5 s, direction: 40 deg}}
vehicles:
  - name: rov
    file: FILE
    position: [0, 0, 6 m]
    sensors: all
    navigation: {part: filter, rate: 50 Hz, thruster_faults: true}
    guidance: {part: waypoints, rate: 20 Hz, speed: 0.4 m/s, points: [{position: [8 m, 0, 6 m], heading: 0}]}
    control: {part: position, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz}
    scatter: {mass: 3 %, added_mass: 15 %, quadratic_damping: 15 %, linear_damping: 15 %, thrust: 3 %}
"""


@pytest.mark.parametrize(("file", "seed"), [("bluerov2_heavy", 12), ("lateral.yaml", 3)])
def test_waves_are_no_lost_thrust(tmp_path, file, seed):
    """Residuals in waves are correlated in time; counted as independent, they named sound thrusters after 10 s."""
    (tmp_path / "lateral.yaml").write_text(LATERAL)
    (tmp_path / "sea.yaml").write_text(SEA.replace("FILE", file).replace("SEED", f"{seed}"))
    loop = Loop(load_scenario(str(tmp_path / "sea.yaml")).setup)
    loop.advance(loop.steps)
    assert loop.vehicles[0].parts.detected == ()


def test_a_detector_that_samples_too_slowly_is_refused_and_one_without_velocity_announced():
    with pytest.raises(ScenarioError, match=r"thruster_faults.*at least 10 Hz"):
        scenario_from_text(CORNER.replace("filter, rate: 20 Hz", "filter, rate: 5 Hz"))
    head = CORNER.partition("    guidance:")[0].replace("ahrs, dvl, depth", "ahrs, depth")
    by_force = (
        "    guidance: {part: pilot, mode: depth_hold, rate: 20 Hz}\n    control: {part: depth_hold, rate: 20 Hz}\n"
    )
    setup = scenario_from_text(head + by_force + "    allocation: {part: bounded, rate: 20 Hz}\n")
    assert any("without a velocity sensor thrusters are judged only while" in note for note in setup.load_notes)


DIVE = """\
name: dive
duration: 30 s
seed: 2
water: {bottom_depth: 20 m, current: [0.1 m/s, 0, 0]}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    sensors: [imu, ahrs, dvl, depth]
    navigation: {part: filter, rate: 20 Hz, thruster_faults: true}
    guidance:
      {part: dive_and_turn, rate: 10 Hz, depth: 6 m, heading: 45 deg, speed: 0.3 m/s, ahead_at: 2 s, turn_at: 2 s}
    control: {part: autopilot, rate: 20 Hz}
    faults: [{fault: dead, of: THRUSTER, at: 12 s}]
"""


@pytest.mark.parametrize("thruster", ["front_starboard", "vertical_rear_port"])
def test_the_autopilot_does_without_a_thruster_that_is_detected(thruster):
    """Depth, heading and speed are kept after the failure."""
    setup = scenario_from_text(DIVE.replace("THRUSTER", thruster))
    loop = Loop(setup)
    rov, number = loop.vehicles[0], setup.vehicles[0].plant.actuator_names.index(thruster)
    loop.advance(2000)
    assert rov.parts.detected == (thruster,)
    for k in range(2000, loop.steps + 1, 100):
        loop.advance(k)
        assert rov.actuators.commands[number] == 0.0
        assert rov.state[2] == pytest.approx(6.0, abs=0.15)
        assert to_euler_zyx(tuple(rov.state[3:7]))[2] == pytest.approx(math.radians(45.0), abs=0.1)
        assert rov.state[7] == pytest.approx(0.3, abs=0.1)


def test_an_injected_fault_cannot_inform_an_allocation_that_has_a_detector():
    with pytest.raises(ScenarioError, match=r"detects failed thrusters.*Leave this out"):
        load_scenario("bluerov_station").with_({"vehicles[0].faults": [{**DEAD, "allocation": "fault_tolerant"}]})


def test_a_vehicle_survives_the_loss_of_its_inertial_unit_alone():
    """It goes on by attitude, Doppler log, depth and position; no healthy sensor is rejected for long."""
    changes = {"duration": "40 s", "vehicles[0].faults": [{"fault": "off", "of": "imu", "at": "10 s"}]}
    loop = Loop(load_scenario("bluerov_station").with_(changes).setup)
    errors = []
    for k in range(2000, loop.steps + 1, 100):
        loop.advance(k)
        vehicle = loop.vehicles[0]
        errors.append(math.dist(vehicle.estimate.p_NB, vehicle.state[:3]))
        assert math.dist(vehicle.state[:3], (0.0, 0.0, 6.0)) < 1.0
    assert max(errors) < 0.5
