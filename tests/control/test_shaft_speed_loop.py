"""Closed loops of the shaft speeds: they reach the speed that the allocation asked for, whatever the motor is like."""

import math

import pytest

from remora import make_scenario, simulate
from remora.control.allocation.commands import commands_from_forces
from remora.control.feedback.shaft_speed_loop import ShaftFeedback, ShaftSpeedLoop, SpeedGains, speed_of
from remora.equations.actuators.motors import motor_speed_after
from remora.equations.actuators.thrusters import advance_speed, speed_from_thrust, thrust_for_effect
from remora.equations.algebra.vectors import ZERO6
from remora.messages.estimate import Estimate
from remora.messages.part import AllocationResult, PartInput
from remora.messages.part_options import QuietPart
from remora.messages.reading import Reading, Status
from remora.scenarios.load_context import ScenarioError
from remora_evidence.studies.falcon.shaft_loops import SETTINGS, falcon_with_motors, flown, worn

FORCES = (20.0, 15.0, -8.0, 25.0, -10.0)
AHEAD = (0.4, 0.0, 0.0, 0.0, 0.0, 0.0)
PERIOD = 0.05  # s
NAMES = tuple(f"shaft_{i}" for i in range(5))


class Asked(QuietPart):
    """An allocation that always asks for the same forces, with the inflow taken into account."""

    def __init__(self, forces=FORCES):
        self.forces = forces

    def initial(self):
        return ()

    def step(self, state, now):
        commands = commands_from_forces(falcon_with_motors().parameters, self.forces, AHEAD)
        return state, AllocationResult(commands, (1.0, *ZERO6[1:]))


GAINS = SpeedGains(0.3, 1.0)


def loop(forces=FORCES, gains=GAINS):
    return ShaftSpeedLoop(Asked(forces), ShaftFeedback(falcon_with_motors().parameters, NAMES), gains, PERIOD, True)


def now(speeds):
    readings = {
        name: Reading(name, 0, 0, Status.OK, (speed,))
        for name, speed in zip(NAMES, speeds, strict=True)
        if speed is not None
    }
    estimate = Estimate(0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), AHEAD)
    return PartInput(0, (), readings, estimate, None, ZERO6, ZERO6, None)


def driven(one, motors, steps=400):
    """Shaft speeds after some samples with other motors than the loop knows."""
    state, speeds, commands = one.initial(), [0.0] * 5, []
    for _ in range(steps):
        state, output = one.step(state, now(speeds))
        commands = list(output.commands)
        speeds = [
            motor_speed_after(motor, command, speed, advance_speed(thruster, AHEAD), PERIOD)
            for motor, command, speed, thruster in zip(
                motors.parameters.motors, commands, speeds, motors.parameters.thrusters, strict=True
            )
        ]
    return speeds, commands, state


def wanted(forces=FORCES):
    thrusters = falcon_with_motors().parameters.thrusters
    return [
        speed_from_thrust(one, thrust_for_effect(one, force), advance_speed(one, AHEAD))
        for one, force in zip(thrusters, forces, strict=True)
    ]


def test_worn_motors_reach_the_speeds_that_give_the_thrust_under_way():
    speeds, _, _ = driven(loop(), worn(1))
    assert speeds == pytest.approx(wanted(), rel=1e-3)
    still, _, _ = driven(loop(gains=SpeedGains(0.0, 1e-9)), worn(1))
    off = max(abs(a / b - 1.0) for a, b in zip(still, wanted(), strict=True))
    assert off > 0.02  # without the loop


def test_motors_as_known_need_no_correction():
    _, commands, state = driven(loop(), falcon_with_motors())
    fed = commands_from_forces(falcon_with_motors().parameters, FORCES, AHEAD)
    assert commands == pytest.approx(fed, rel=1e-6)
    assert max(map(abs, state.integrals)) < 1e-4
    inverse = loop()._inverses[0]
    assert speed_of(inverse, fed[0], AHEAD) == pytest.approx(wanted()[0], rel=1e-9)


def test_an_integral_does_not_wind_up_against_the_limit_of_the_voltage():
    full = (200.0, *FORCES[1:])  # more than full voltage gives
    _, commands, state = driven(loop(full), worn(1))
    assert abs(commands[0]) == 100.0
    assert abs(state.integrals[0]) < 5.0


def test_without_a_reading_the_command_is_that_of_the_allocation_and_a_propeller_at_rest_stays():
    one, feed = (
        loop((0.0, *FORCES[1:])),
        commands_from_forces(falcon_with_motors().parameters, (0.0, *FORCES[1:]), AHEAD),
    )
    state, output = one.step(one.initial(), now((None,) * 5))
    assert list(output.commands) == list(feed)
    assert output.missing[0] == 1.0
    state, output = one.step(state, now((3.0, None, math.nan, 0.0, 0.0)))
    assert output.commands[0] == 0.0
    assert list(output.commands[1:3]) == list(feed[1:3])
    assert abs(output.commands[3]) > abs(feed[3])  # it turns too slowly


def test_a_propeller_that_comes_to_rest_forgets_its_correction():
    """It starts again from the command of the allocation."""
    one = loop((0.0, *FORCES[1:]))
    learnt = one.initial()._replace(integrals=(20.0,) * 5)
    state, output = one.step(learnt, now((0.0,) * 5))
    assert output.commands[0] == 0.0
    started, other = (loop(FORCES).step(found, now((0.0,) * 5))[1] for found in (state, loop(FORCES).initial()))
    assert started.commands[0] == other.commands[0]


def scenario(allocation, sensors):
    return make_scenario(
        name="loop",
        duration="1 s",
        vehicles=[
            {
                "name": "rov",
                "file": "falcon",
                "position": [0, 0, "2 m"],
                "sensors": sensors,
                "navigation": {"part": "truth", "rate": "20 Hz"},
                "guidance": {"part": "hold", "rate": "20 Hz", "position": [0, 0, "2 m"], "heading": 0},
                "control": {"part": "position", "rate": "20 Hz"},
                "allocation": {"part": "bounded", "rate": "20 Hz", **allocation},
            }
        ],
    )


SHAFTS = [
    {
        "name": f"shaft_{i}",
        "kind": "shaft_speed",
        "rate": "20 Hz",
        "latency": "0 s",
        "parameters": {"thruster": i, "signed": True},
    }
    for i in range(5)
]


def test_the_option_needs_a_signed_sensor_of_every_shaft_and_a_slow_enough_integral():
    with pytest.raises(ScenarioError, match="signed shaft_speed sensor of every thruster"):
        simulate(scenario({"shaft_loop": {}}, SHAFTS[:4]))
    with pytest.raises(ScenarioError, match="below 20 1/s"):
        simulate(scenario({"shaft_loop": {"integral": 30}}, SHAFTS))
    assert simulate(scenario({"shaft_loop": {"integral": 2}}, SHAFTS)).chatter() < 50.0


def test_a_transit_with_worn_motors_gets_the_force_it_asks_for():
    opened, closed = (flown(name, 1) for name in ("open loop with inflow", "closed loop"))
    assert set(SETTINGS) == {"open loop", "open loop with inflow", "closed loop"}
    assert (closed.missing @ closed.missing) ** 0.5 < 0.25 * (opened.missing @ opened.missing) ** 0.5
