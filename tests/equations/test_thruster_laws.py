"""Thrusters: from command to speed to thrust and back, limits, inflow and the sense of rotation."""

import math

import pytest
from hypothesis import given

from remora.equations.actuators import thrusters as laws
from remora.equations.actuators.propulsion import thrust_from_output
from remora.equations.algebra.vectors import cross, dot3
from sample_features import reals, three, twists
from sample_vehicles import FALCON_COMMANDS, falcon_thrusters, thruster, torpedo

PROPELLERS = {"falcon": falcon_thrusters()[0], "torpedo": torpedo().thrusters[0]}
KNEE_GAP = 39.04674  # rad/s, where Falcon's map jumps up by 1.0 at its forward knee


@given(reals(-100.0, 100.0))
def test_command_map_and_its_inverse(command):
    speed = laws.speed_from_command(FALCON_COMMANDS, command)
    assert speed * command >= 0.0
    assert laws.command_from_speed(FALCON_COMMANDS, speed) == pytest.approx(command, rel=1e-9, abs=1e-9)


@given(reals(KNEE_GAP + 1e-6, KNEE_GAP + 0.998))
def test_a_speed_in_the_gap_of_the_map_gives_its_knee(speed):
    assert laws.command_from_speed(FALCON_COMMANDS, speed) == 60.0


@pytest.mark.parametrize("name", PROPELLERS)
@given(reals(-90.0, 90.0), reals(0.0, 0.5))
def test_thrust_and_its_inverse(name, speed, advance):
    unit = PROPELLERS[name]
    force = laws.thrust(unit, speed, advance)
    assert force * speed * unit.sense >= 0.0  # it never turns round by itself
    if abs(force) > 1e-3:
        assert laws.speed_from_thrust(unit, force, advance) == pytest.approx(speed, rel=1e-9)


@given(reals(0.0, 1.0))
def test_no_wanted_thrust_no_rotation(advance):
    assert laws.speed_from_thrust(PROPELLERS["falcon"], 0.0, advance) == 0.0
    assert laws.thrust(PROPELLERS["falcon"], 0.0, advance) == 0.0


@given(reals(5.0, 90.0), reals(0.01, 0.3))
def test_advance_speed_costs_thrust(speed, advance):
    """Of a propeller whose inflow has a sign, flow against the thrust raises it; else only its size counts."""
    signed, unsigned = PROPELLERS["torpedo"], PROPELLERS["falcon"]
    assert laws.thrust(signed, speed, advance) < laws.thrust(signed, speed, 0.0) < laws.thrust(signed, speed, -advance)
    assert laws.thrust(unsigned, -speed, advance) < laws.thrust(unsigned, -speed, 0.0)
    assert laws.thrust(unsigned, -speed, -advance) == laws.thrust(unsigned, -speed, advance)


def test_thrust_is_the_propeller_law_written_out():
    """rho D^4 K_T(J) n|n| with the coefficients of Proctor 2014, K_T never below zero."""
    unit, d, rho = PROPELLERS["falcon"], 0.184, 1022.4
    for speed, advance in ((-97.0, 0.4), (-50.0, 1.3), (-20.0, 1.3), (40.0, 0.5), (80.0, 0.0)):
        a, b, c = (-0.025089, -0.042911, 0.011350) if speed > 0 else (-0.067853, -0.026903, 0.011369)
        J = advance / (abs(speed) * d)
        expected = -rho * d**4 * max(a * J**2 + b * J + c, 0.0) * speed * abs(speed)
        assert laws.thrust(unit, speed, advance) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert laws.thrust(unit, -20.0, 1.3) == 0.0


@given(reals(-1e3, 1e3), reals(-5.0, 5.0))
def test_force_and_static_laws_ignore_the_inflow(output, surge):
    unit = thruster((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), positive=laws.ThrustCurve(0.02, 0, 0))
    unit = unit._replace(negative=laws.ThrustCurve(0.01, 0, 0))
    twist = (surge, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert thrust_from_output(unit, laws.OUTPUT_IS_FORCE, output, twist) == output
    expected = (0.02 if output > 0 else 0.01) * abs(output) * output
    assert thrust_from_output(unit, laws.THRUST_FROM_SPEED, output, twist) == pytest.approx(expected, rel=1e-15)
    backwards = unit._replace(sense=-1.0)
    assert thrust_from_output(backwards, laws.THRUST_FROM_SPEED, output, twist) == pytest.approx(-expected, rel=1e-15)


@given(three(0.5), twists)
def test_advance_speed_is_the_velocity_at_the_propeller_along_its_axis(position, twist):
    unit = thruster(position, (0.6, 0.0, -0.8), wake=0.9)
    velocity = [v + c for v, c in zip(twist[:3], cross(twist[3:], position), strict=True)]
    expected = 0.9 * dot3((0.6, 0.0, -0.8), tuple(velocity))
    assert laws.advance_speed(unit, twist) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@given(three(0.5), reals(-0.05, 0.05))
def test_effect_is_force_moment_and_reaction(position, reaction):
    axis = (0.0, 0.6, 0.8)
    effect = laws.thruster_effect(position, axis, reaction)
    assert effect[:3] == axis
    moment = cross(position, axis)
    assert effect[3:] == pytest.approx([m + reaction * a for m, a in zip(moment, axis, strict=True)], abs=1e-15)


@given(reals(-300.0, 300.0))
def test_limits_and_shares(command):
    assert laws.saturate(command, -40.0, 50.0) == min(max(command, -40.0), 50.0)
    vertical = falcon_thrusters()[4]
    assert laws.effective_thrust(vertical, command) == command * (0.15 if command > 0 else 0.65)
    assert laws.effective_thrust(vertical, laws.thrust_for_effect(vertical, command)) == pytest.approx(
        command, rel=1e-15
    )
    lost = vertical._replace(effectiveness_forward=0.0, effectiveness_reverse=0.0)
    assert laws.thrust_for_effect(lost, command) == 0.0


def test_saturation_keeps_a_nan():
    assert math.isnan(laws.saturate(math.nan, -1.0, 1.0))


@pytest.mark.parametrize("law", [laws.OUTPUT_IS_FORCE, laws.THRUST_FROM_SPEED, laws.THRUST_FROM_SPEED_AND_INFLOW])
def test_a_speed_that_is_no_number_gives_no_quiet_zero(law):
    unit = PROPELLERS["falcon"]
    assert math.isnan(thrust_from_output(unit, law, math.nan, (0.0,) * 6))
