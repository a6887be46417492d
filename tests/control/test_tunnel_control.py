"""The outer controllers of the tunnel mission."""

import math

import pytest

from remora.control import simu2vita_control
from remora.control.parts.controllers import TunnelFollowing
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import ZERO6
from remora.guidance import TunnelReference
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput
from remora.vehicles import load_vehicle

LEVEL = (1.0, 0.0, 0.0, 0.0)
CRUISE = (0.2, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def control():
    return simu2vita_control(load_vehicle("vita1").parameters)


def reference(surge=0.2, surge_rate=0.0, lateral=0.0, vertical=0.0, q_NR=LEVEL):
    return TunnelReference(surge, surge_rate, lateral, 0.0, vertical, 0.0, q_NR, (0.0, 0.0, 0.0))


def test_zero_error_gives_zero_wrench(control):
    """C1."""
    state = control.initial()
    for _ in range(20):
        state, wrench = control.step(state, LEVEL, CRUISE, 0.0, 0.0, reference())
        assert wrench == (0.0,) * 6


def test_the_acceleration_is_fed_forward_with_body_and_water(control):
    _, wrench = control.step(control.initial(), LEVEL, CRUISE, 0.0, 0.0, reference(surge_rate=0.1))
    assert wrench[0] == pytest.approx(0.1 * (13.5 + 6.36))


def test_signs_lead_back_to_the_middle(control):
    """Right of and below the middle: push left and up."""
    _, wrench = control.step(control.initial(), LEVEL, CRUISE, 1.0, 1.0, reference())
    assert wrench[1] == pytest.approx(-0.5 * (25.0 + 0.05))
    assert wrench[2] == pytest.approx(-0.5 * (35.0 + 0.05))


def test_the_attitude_law_is_in_body_axes(control):
    q = from_euler_zyx(0.0, 0.0, math.pi / 2)
    wanted = from_euler_zyx(0.0, 0.2, math.pi / 2)
    _, wrench = control.step(control.initial(), q, CRUISE, 0.0, 0.0, reference(q_NR=wanted))
    assert wrench[4] == pytest.approx(4.0 * math.sin(0.1))
    assert wrench[3] == pytest.approx(0.0, abs=1e-12)
    assert wrench[5] == pytest.approx(0.0, abs=1e-12)


def test_a_lost_echo_stops_its_own_axis_only(control):
    """N4: no echo is no zero."""
    state, _ = control.step(control.initial(), LEVEL, CRUISE, 1.0, 1.0, reference())
    after, wrench = control.step(state, LEVEL, CRUISE, None, 1.0, reference())
    assert wrench[1] == 0.0
    assert wrench[2] < 0.0
    assert after.lateral.integral == state.lateral.integral


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_an_estimate_that_is_no_number_gives_no_wrench(control, bad):
    """C8."""
    state, _ = control.step(control.initial(), LEVEL, CRUISE, 1.0, 1.0, reference())
    broken = (((bad, 0.0, 0.0, 0.0), CRUISE, LEVEL), (LEVEL, (0.2, 0.0, bad, 0.0, 0.0, 0.0), LEVEL))
    for q, twist, wanted in (*broken, (LEVEL, CRUISE, (bad, 0.0, 0.0, 0.0))):
        after, wrench = control.step(state, q, twist, 1.0, 1.0, reference(q_NR=wanted))
        assert wrench == (0.0,) * 6
        assert [part.integral for part in after] == [part.integral for part in state]


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_integrals_stop_where_the_thrusters_do(axis):
    """C3: an allocation that lacks force ahead, to starboard or down keeps the integral of that axis only."""
    part = TunnelFollowing(simu2vita_control(load_vehicle("vita1").parameters), OffToPortAndAbove())
    estimate = Estimate(0, (0.0, 0.0, 5.0), LEVEL, CRUISE)
    lacking = tuple(4.0 if i == axis else 0.0 for i in range(6))
    state = part.initial()
    for _ in range(100):
        state, _ = part.step(state, PartInput(0, (), {}, estimate, reference(surge=1.0), ZERO6, lacking, None))
    assert [one.integral > 0.0 for one in state] == [i != axis for i in range(3)]


class OffToPortAndAbove:
    """Echoes of a vehicle that has to go to starboard and down."""

    def offsets(self, now):
        """Lateral and vertical, m."""
        return -1.0, -1.0


def test_torques_can_be_left_to_others():
    control = simu2vita_control(load_vehicle("vita1").parameters, orientation=False)
    _, wrench = control.step(control.initial(), from_euler_zyx(0.3, 0.2, 0.1), CRUISE, 0.0, 0.0, reference())
    assert wrench[3:] == (0.0, 0.0, 0.0)
