"""The autopilot for fins: signs, limits, anti-windup, and what it refuses."""

import math

import numpy as np
import pytest

from remora import load_vehicle
from remora.control import FinGains, fin_autopilot
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.plant import Stepper, initial_state, pack

LEVEL = from_euler_zyx(0.0, 0.0, 0.0)
AHEAD = (1.3, 0.0, 0.0, 0.0, 0.0, 0.0)
TORPEDOES = ("gavia", "remus100")


def moments(name, fins):
    return fin_autopilot(load_vehicle(name).parameters, 0.1).mixing.moments_from_fins(fins, 1.3)


def first_step(name, depth=5.0, angles=(0.0, 0.0, 0.0), twist=AHEAD, wanted=(5.0, 0.0, 1.3)):
    parameters = load_vehicle(name).parameters
    autopilot = fin_autopilot(parameters, 0.1)
    _, commands = autopilot.step(autopilot.initial(), depth, from_euler_zyx(*angles), twist, wanted)
    count = len(parameters.thrusters)
    return commands[:count], moments(name, commands[count:])


@pytest.mark.parametrize("name", TORPEDOES)
def test_fins_turn_the_right_way(name):
    assert first_step(name, wanted=(9.0, 0.0, 1.3))[1][1] < 0.0  # deeper: bow down
    assert first_step(name, wanted=(1.0, 0.0, 1.3))[1][1] > 0.0
    assert first_step(name, wanted=(5.0, 1.0, 1.3))[1][2] > 0.0  # to starboard
    assert first_step(name, angles=(0.0, 0.0, 3.0), wanted=(5.0, -3.0, 1.3))[1][2] > 0.0  # the short way through south
    assert first_step(name)[1] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


def test_an_x_tail_levels_the_roll():
    assert first_step("gavia", angles=(0.2, 0.0, 0.0))[1][0] < 0.0


@pytest.mark.parametrize("name", TORPEDOES)
def test_thrust_at_the_wanted_speed_is_the_drag(name):
    """So the vehicle keeps its speed from the first moment on."""
    parameters = load_vehicle(name).parameters
    (speed,), _ = first_step(name)
    packed = pack(parameters)
    state = initial_state(packed, twist=AHEAD, outputs=[speed, *(0.0 for _ in parameters.fins)])
    step = Stepper(packed, 0.01)
    after = step(state, np.array([speed, *(0.0 for _ in parameters.fins)]))
    assert (after[7] - state[7]) / 0.01 == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("name", TORPEDOES)
def test_fins_stay_in_line_without_flow(name):
    parameters = load_vehicle(name).parameters
    autopilot = fin_autopilot(parameters, 0.1)
    state, commands = autopilot.step(autopilot.initial(), 1.0, LEVEL, (0.1, 0.0, 0.0, 0.0, 0.0, 0.0), (9.0, 2.0, 1.3))
    assert commands[len(parameters.thrusters) :] == [0.0] * len(parameters.fins)
    assert commands[0] > 0.0
    assert state.pitch_rate.integral == state.turn_rate.integral == 0.0


def test_a_state_that_is_no_number_gives_no_command_and_keeps_the_integrals():
    autopilot = fin_autopilot(load_vehicle("remus100").parameters, 0.1)
    before, _ = autopilot.step(autopilot.initial(), 4.0, LEVEL, AHEAD, (5.0, 0.5, 1.5))
    after, commands = autopilot.step(before, math.nan, LEVEL, AHEAD, (5.0, 0.5, 1.5))
    assert commands == [0.0, 0.0, 0.0]
    assert after == before


def test_integrals_do_not_wind_up_while_fins_are_at_their_limit():
    """Held off its heading for a minute, the turn-rate integral stays where the fins still followed it."""
    autopilot = fin_autopilot(load_vehicle("remus100").parameters, 0.1, FinGains(max_turn_rate=1.0))
    state, integrals = autopilot.initial(), []
    for _ in range(600):
        state, commands = autopilot.step(state, 5.0, LEVEL, AHEAD, (5.0, 2.0, 1.3))
        integrals.append(state.turn_rate.integral)
    assert abs(commands[1]) == pytest.approx(math.radians(13.6))
    assert max(integrals) == integrals[1]


def test_a_depth_far_away_does_not_fill_the_depth_integral():
    autopilot = fin_autopilot(load_vehicle("gavia").parameters, 0.1)
    state = autopilot.initial()
    for _ in range(300):
        state, _ = autopilot.step(state, 2.0, LEVEL, AHEAD, (40.0, 0.0, 1.3))
    assert state.depth.integral == 0.0


@pytest.mark.parametrize("name", TORPEDOES)
def test_a_dive_and_a_turn_with_true_states(name):
    """Six metres down and a right angle, from any heading; pitch stays within its limit."""
    parameters = load_vehicle(name).parameters
    autopilot, packed = fin_autopilot(parameters, 0.1), pack(parameters)
    step = Stepper(packed, 0.01)
    row = initial_state(packed, position=(0.0, 0.0, 2.0), quaternion=from_euler_zyx(0.0, 0.0, 2.8), twist=AHEAD)
    state, wanted, steepest = autopilot.initial(), (8.0, -1.9, 1.3), 0.0
    for _ in range(900):
        q_NB, twist = tuple(row[3:7].tolist()), tuple(row[7:13].tolist())
        state, commands = autopilot.step(state, float(row[2]), q_NB, twist, wanted)
        for _ in range(10):
            row = step(row, np.array(commands))
        steepest = max(steepest, abs(to_euler_zyx(q_NB)[1]))
    assert row[2] == pytest.approx(8.0, abs=0.15)
    assert to_euler_zyx(tuple(row[3:7].tolist()))[2] == pytest.approx(-1.9, abs=0.02)
    assert row[7] == pytest.approx(1.3, abs=0.02)
    assert math.degrees(steepest) < 25.0


@pytest.mark.parametrize("name", ["bluerov2_heavy", "falcon"])
def test_vehicles_without_fins_are_refused(name):
    with pytest.raises(ValueError, match="no fins"):
        fin_autopilot(load_vehicle(name).parameters, 0.1)


def test_a_vehicle_without_rudder_or_propeller_is_refused():
    parameters = load_vehicle("remus100").parameters
    planes = parameters._replace(fins=parameters.fins[1:], fin_names=parameters.fin_names[1:])
    with pytest.raises(ValueError, match="yaw"):
        fin_autopilot(planes, 0.1)
    adrift = parameters._replace(thrusters=(), thruster_names=())
    with pytest.raises(ValueError, match="no thruster"):
        fin_autopilot(adrift, 0.1)
