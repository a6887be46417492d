"""Parts of the loop by themselves, with hand-made inputs or a few steps of a run."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.guidance.signals import PoseReference
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.messages.reading import Reading, Status
from remora.messages.reference import flat
from remora.run.loop.loop import Loop
from remora.scenarios import scenario_from_text
from remora.scenarios.builders.parts import PARTS

ZERO = (0.0,) * 6
STILL = Estimate(0, (1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0), ZERO)


def now(seconds=0.0, new_readings=(), estimate=STILL, reference=None, wrench=ZERO, missing=ZERO, readings=None):
    return PartInput(round(1e9 * seconds), new_readings, readings or {}, estimate, reference, wrench, missing, None)


def vehicle(lines, file="bluerov2_heavy"):
    """The vehicle of a scenario of 100 s with these lines of its entry."""
    entry = "".join(f"    {line}\n" for line in lines)
    head = "name: a\nduration: 100 s\nwater: {surface_depth: -9 m, bottom_depth: 30 m}\n"
    return scenario_from_text(f"{head}vehicles:\n  - name: rov\n    file: {file}\n{entry}")


def part(lines, name, file="bluerov2_heavy"):
    found = {item.name: item.part for item in vehicle(lines, file).vehicles[0].parts}
    return found[name]


INSTRUMENTS = """\
position: [1 m, -2 m, 5 m]
angles: [5 deg, -10 deg, 60 deg]
velocity: [0.4, -0.2, 0.1]
rates: [3 deg/s, -4 deg/s, 9 deg/s]
sensors:
  - name: ahrs
    kind: ahrs
    position: [0, 0, 0]
    orientation: {angles: [0, 0, 20 deg]}
    rate: 100 Hz
  - name: gyro
    kind: gyro
    position: [0, 0, 0]
    orientation: {angles: [180 deg, 0, 0]}
    rate: 100 Hz
  - name: dvl
    kind: dvl
    position: [-0.3 m, 0.1 m, 0.2 m]
    orientation: {angles: [0, 0, 45 deg]}
    rate: 100 Hz
  - {name: depth, kind: pressure, position: [0.2 m, 0.1 m, -0.3 m], rate: 100 Hz, parameters: {water: WATER}}
  - name: usbl
    kind: usbl
    position: [0.1 m, 0, -0.2 m]
    rate: 100 Hz
    parameters: {station: [9, 8, 1], station_heading: 30 deg}
  - {name: mocap, kind: mocap_marker, position: [0.1 m, 0, -0.2 m], rate: 100 Hz}
  - name: ins
    kind: ins
    position: [0.1 m, 0.2 m, 0.3 m]
    rate: 100 Hz
    parameters:
      heading_accuracy: 0
      pitch_accuracy: 0
      roll_accuracy: 0
      position_error_of_distance: 0
      velocity_accuracy_with_dvl: 0
      bottom_track_max_range: 90 m
navigation: {part: instruments, rate: 100 Hz, SOURCES}
"""


@pytest.mark.parametrize("water", ["sea", "uniform"])
@pytest.mark.parametrize(
    "sources",
    [
        "attitude: ahrs, rates: gyro, velocity: dvl, depth: depth, position: usbl",
        "attitude: ahrs, rates: gyro, velocity: ins, depth: depth, position: ins",
        "attitude: ins, rates: gyro, velocity: dvl, position: mocap",
    ],
)
def test_instruments_without_error_tell_the_truth(sources, water):
    """Lever arms and axes of all sensors are undone, on a vehicle that moves and turns."""
    lines = INSTRUMENTS.replace("SOURCES", sources).replace("WATER", water).splitlines()
    loop = Loop(vehicle(lines))
    run = loop.vehicles[0]
    for k in range(60):
        before = run.state.copy()  # at the step whose readings the estimate is made of
        loop.advance(k + 1)
        estimate = run.estimate
        found = np.array([*estimate.p_NB, *estimate.q_NB, *estimate.twist])
        assert np.abs(found - before[:13]).max() < 1e-9


def reading(sensor, seconds, values, status=Status.OK):
    return Reading(f"rov/{sensor}", round(1e9 * seconds), round(1e9 * seconds), status, values)


def test_instruments_hold_the_last_good_value_until_it_is_too_old():
    lines = INSTRUMENTS.replace("SOURCES", "rates: gyro, max_age: {rates: 0.5 s}").replace("WATER", "sea")
    gyro = part(lines.splitlines(), "navigation")
    state = gyro.initial()
    state, output = gyro.step(state, now(0.0))
    assert output is None
    state, output = gyro.step(state, now(0.1, (reading("gyro", 0.1, (1.0, 2.0, 3.0)),)))
    assert output.twist[3:] == pytest.approx((1.0, -2.0, -3.0))
    assert all(map(math.isnan, (*output.p_NB, *output.q_NB, *output.twist[:3])))
    lost = (reading("gyro", 0.2, (math.nan,) * 3, Status.DROPPED), reading("dvl", 0.2, (9.0,) * 4))
    state, output = gyro.step(state, now(0.2, lost))
    assert output.twist[3:] == pytest.approx((1.0, -2.0, -3.0))
    late = (reading("gyro", 0.05, (7.0, 7.0, 7.0)),)
    state, output = gyro.step(state, now(0.6, late))
    assert output.twist[3:] == pytest.approx((1.0, -2.0, -3.0))
    state, output = gyro.step(state, now(0.61))
    assert output is None


def test_waypoints_pass_their_points_at_rest_and_within_limits():
    lines = [
        "navigation: truth",
        "guidance:",
        "  part: waypoints",
        "  rate: 10 Hz",
        "  speed: 0.5 m/s",
        "  acceleration: 1 m/s2",
        "  turn_rate: 2 rad/s",
        "  points:",
        "    - {position: [4 m, 2 m, 3 m], heading: 170 deg, stay: 2 s}",
        "    - {position: [4 m, 5 m, 3 m], heading: -170 deg, speed: 0.25 m/s}",
    ]
    legs, state, seen = part(lines, "guidance"), None, STILL
    references = []
    for k in range(1000):
        state, reference = legs.step(state, now(0.1 * k, estimate=seen))
        seen = STILL._replace(p_NB=reference.p_NR, q_NB=from_euler_zyx(0.0, 0.0, reference.heading))  # it keeps up
        references.append(reference)
    places = np.array([reference.p_NR for reference in references])
    speeds = np.linalg.norm([reference.v_NR_N for reference in references], axis=1)
    assert places[0].tolist() == [1.0, 2.0, 3.0]
    assert places[-1].tolist() == [4.0, 5.0, 3.0]
    assert speeds.max() == pytest.approx(0.5, rel=1e-3)
    assert np.abs(np.gradient(places, 0.1, axis=0) - [r.v_NR_N for r in references])[1:-1].max() < 0.01
    on_second_leg = speeds[np.flatnonzero(places[:, 1] > 2.0)]
    assert on_second_leg.max() == pytest.approx(0.25, rel=1e-3)
    at_first = np.flatnonzero((places == [4.0, 2.0, 3.0]).all(axis=1))
    assert 19 <= len(at_first) <= 21
    headings = np.array([reference.heading for reference in references])
    assert headings[-1] == pytest.approx(math.radians(190.0))  # the short way, through south
    assert np.diff(headings).min() >= 0.0


def test_hold_without_a_pose_holds_the_first_known_one():
    hold = part(["navigation: truth", "guidance: hold"], "guidance")
    state, reference = hold.step(hold.initial(), now(estimate=None))
    assert reference is None
    state, reference = hold.step(state, now(1.0))
    state, later = hold.step(state, now(2.0, estimate=STILL._replace(p_NB=(9.0, 9.0, 9.0))))
    assert later == reference == PoseReference((1.0, 2.0, 3.0), 0.0, (0.0, 0.0, 0.0), 0.0)


def test_excitation_settles_first():
    lines = ["guidance: {part: excitation, rate: 10 Hz, settle: 5 s, heave: {amplitude: 2 m, period: 8 s}}"]
    swing = part(lines, "guidance")
    state, at_start = swing.step(swing.initial(), now(1.0))
    state, settling = swing.step(state, now(5.9))
    state, quarter = swing.step(state, now(8.0))
    assert at_start == settling
    assert settling.p_NR == (1.0, 2.0, 3.0)
    assert quarter.p_NR == pytest.approx((1.0, 2.0, 5.0))


def test_bounded_allocation_tells_what_is_missing():
    lines = ["allocation: {part: bounded, disabled: [vertical_rear_port]}"]
    bounded = part(lines, "allocation")
    _, within = bounded.step((), now(wrench=(5.0, 0.0, 3.0, 0.0, 0.0, 0.0)))
    assert within.missing == pytest.approx(ZERO, abs=1e-9)
    assert within.commands[7] == 0.0
    _, beyond = bounded.step((), now(wrench=(1e4, 0.0, 0.0, 0.0, 0.0, 0.0)))
    assert beyond.missing[0] > 9000.0
    assert max(beyond.commands) <= 51.48


def test_pseudo_inverse_reports_the_wrench_that_limits_take():
    """Integrals of controllers wound up behind it without bound."""
    wrench = (300.0, 20.0, 0.0, 0.0, 0.0, 0.0)
    pseudo_inverse = part(["allocation: {part: pseudo_inverse, axes: [surge, sway, heave, yaw]}"], "allocation")
    _, within = pseudo_inverse.step((), now(wrench=(5.0, 4.0, 3.0, 0.0, 0.0, 1.0)))
    assert within.missing == ZERO
    _, beyond = pseudo_inverse.step((), now(wrench=wrench))
    produced = pseudo_inverse.allocation.matrix @ np.clip(beyond.commands, -39.91, 51.48)
    assert beyond.missing[0] > 50.0
    for i in (0, 1, 2, 5):
        assert beyond.missing[i] == pytest.approx(wrench[i] - produced[i], abs=1e-9)
    assert beyond.missing[3:5] == (0.0, 0.0)


def test_pseudo_inverse_reports_the_wrench_of_an_axis_that_failed_thrusters_leave_without_control():
    pseudo_inverse = part(["allocation: pseudo_inverse"], "allocation", "bluerov2")
    wrench = (10.0, 5.0, 0.0, 0.0, 0.0, 0.0)
    assert pseudo_inverse.step((), now(wrench=wrench))[1].missing == ZERO
    failed = pseudo_inverse.without_thrusters(("front_starboard",)).without_thrusters(("rear_port",))
    assert failed.lost
    found = failed.step((), now(wrench=wrench))[1].missing
    produced = failed.allocation.matrix @ failed.allocation.allocate(np.array(wrench))
    assert [found[i] for i in failed.lost] == pytest.approx([wrench[i] - produced[i] for i in failed.lost])
    assert np.abs(found).max() > 1.0


@pytest.mark.parametrize("file", ["falcon", "bluerov", "gavia", "vita1"])
def test_pseudo_inverse_gives_commands_for_every_law(file):
    allocation = part(["allocation: pseudo_inverse"], "allocation", file)
    setup = vehicle(["allocation: pseudo_inverse"], file)
    _, (commands, _) = allocation.step((), now(wrench=(4.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    assert len(commands) == setup.vehicles[0].plant.packed.actuators
    plant = setup.vehicles[0].plant
    state = plant.initial_state()
    for _ in range(200):
        state = plant.step(state, commands, 0.01)
    assert state[7] > 0.01


def test_tunnel_controllers_rest_where_allocation_cannot_follow():
    setup = scenario_from_text(TUNNEL)
    parts = {item.name: item.part for item in setup.vehicles[0].parts}
    heard = {name: reading(name, 0.0, (2.0,)) for name in ("echo_starboard", "echo_port", "echo_up", "echo_down")}
    _, reference = parts["guidance"].step(parts["guidance"].initial(), now(readings=heard))
    faster = reference._replace(surge=1.0)
    free, _ = parts["control"].step(parts["control"].initial(), now(readings=heard, reference=faster))
    blocked, wrench = parts["control"].step(
        parts["control"].initial(), now(readings=heard, reference=faster, missing=(3.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    )
    assert free.surge.integral > 0.0
    assert blocked.surge.integral == 0.0
    assert wrench[0] > 0.0


TUNNEL = """\
name: a
duration: 1 s
tunnel: {section: rectangle, width: 4 m, height: 4 m}
vehicles:
  - name: rov
    file: vita1
    sensors:
      - {name: echo_starboard, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, 0, 1.57]}, rate: 20 Hz}
      - {name: echo_port, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, 0, -1.57]}, rate: 20 Hz}
      - {name: echo_up, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, 1.57, 0]}, rate: 20 Hz}
      - {name: echo_down, kind: echosounder, position: [0, 0, 0], orientation: {angles: [0, -1.57, 0]}, rate: 20 Hz}
    navigation: truth
    guidance: {part: tunnel, rate: 20 Hz, surge: 0.2 m/s}
    control: {part: tunnel, rate: 20 Hz}
    allocation: pseudo_inverse
"""


def test_a_command_schedule_holds_a_command_from_its_time_on():
    table = part(
        ["commands: [{at: 2 s, set: {front_port: 5 N}}, {at: 3 s, set: {front_port: 0 N}}]"], "command_schedule"
    )
    given = [max(table.step((), now(seconds))[1]) for seconds in (0.0, 1.999999999, 2.0, 2.999999999, 3.0)]
    assert given == [0.0, 0.0, 5.0, 5.0, 0.0]


def test_a_controller_acts_in_the_axes_it_is_given_only():
    lines = ["navigation: truth", "guidance: hold", "control: {part: cascade, axes: [yaw]}", "allocation: bounded"]
    tilted = STILL._replace(q_NB=from_euler_zyx(0.2, -0.3, 0.4))
    reference = PoseReference((0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), 0.0)
    cascade = part(lines, "control")
    _, wrench = cascade.step(cascade.initial(), now(estimate=tilted, reference=reference))
    assert wrench[:5] == (0.0,) * 5
    assert wrench[5] < 0.0


@pytest.mark.parametrize(("speed", "limit"), [(0.2, 0.5), (0.8, 1.0)])
def test_position_control_may_go_a_quarter_faster_than_its_guidance_asks(speed, limit):
    """Else it could never catch up; a slow guidance leaves the usual limit."""
    points = f"{{part: waypoints, speed: {speed} m/s, points: [{{position: [40 m, 0, 0]}}]}}"
    lines = ["navigation: truth", f"guidance: {points}", "control: position", "allocation: bounded"]
    assert part(lines, "control").control.max_speeds[0] == pytest.approx(limit, rel=1e-6)


def test_cascade_turns_towards_a_pose():
    lines = ["navigation: truth", "guidance: hold", "control: cascade", "allocation: bounded"]
    cascade = part(lines, "control")
    reference = PoseReference((0.0, 0.0, 0.0), 0.5, (0.0, 0.0, 0.0), 0.0)
    _, wrench = cascade.step(cascade.initial(), now(reference=reference))
    assert wrench[:3] == (0.0, 0.0, 0.0)
    assert wrench[5] > 0.0


@pytest.mark.parametrize("kind", PARTS, ids=lambda kind: f"{kind.role.name}_{kind.name}")
def test_rows_have_the_length_of_their_fields(kind):
    """A guidance that is waiting gives None; one that gives a reference can be logged."""
    assert kind.options.model_fields["part"].annotation is str
    if kind.role != Role.GUIDANCE or kind.name == "tunnel":
        return
    options = {
        "waypoints": ", speed: 1, points: [{position: [0, 0, 0]}]",
        "line_of_sight": ", speed: 1, points: [[9, 0, 0]]",
        "integral_line_of_sight": ", speed: 1, points: [[9, 0, 0]]",
        "lyapunov": ", mission: [{do: transit, position: [9, 0, 0]}]",
        "wall_following": ", sensor: echo, distance: 2, speed: 0.2",
        "excitation": ", yaw: {amplitude: 1, period: 9}",
        "id1": ", speed: 1",
    }
    mount = "position: [0, 0, 0], orientation: {angles: [0, 0, 90 deg]}"
    echo = f"sensors: [{{name: echo, kind: echosounder, {mount}, rate: 9 Hz}}]"
    guidance = part([echo, f"guidance: {{part: {kind.name}{options.get(kind.name, '')}}}"], "guidance")
    _, reference = guidance.step(guidance.initial(), now())
    assert len(guidance.row(reference)) == len(guidance.fields) == len(flat(reference))


def test_controllers_wait_for_what_they_need():
    lines = ["navigation: truth", "guidance: hold", "control: [position, cascade, feedback_linearisation]"]
    parts = vehicle([*lines, "allocation: bounded"]).vehicles[0].parts
    for item in parts[2:5]:
        assert item.part.step(item.part.initial(), now(estimate=None))[1] is None


def test_linearisation_does_not_need_the_position():
    lines = ["navigation: truth", "control: feedback_linearisation", "allocation: bounded"]
    law = part(lines, "control")
    moving = STILL._replace(twist=(0.5, 0.1, 0.0, 0.0, 0.0, 0.2))
    lost = moving._replace(p_NB=(math.nan,) * 3)
    assert law.step((), now(estimate=lost))[1] == law.step((), now(estimate=moving))[1] != ZERO


def test_headings_of_the_estimate_and_the_reference_are_those_of_the_start():
    setup = vehicle(["angles: [0, 0, 50 deg]", "navigation: truth", "guidance: hold"])
    loop = Loop(setup)
    loop.advance(1)
    assert to_euler_zyx(loop.vehicles[0].estimate.q_NB)[2] == pytest.approx(math.radians(50.0))
