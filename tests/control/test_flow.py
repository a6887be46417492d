"""The flow that goes with a push, and what counts as thrust that is shortfall."""

import numpy as np
import pytest

from remora.control import bounded_allocation, flow_from_thrust
from remora.control.feedback.dynamic_inversion import CurrentFromThrust
from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.vehicles import load_vehicle


def drag(v):
    """Linear and quadratic, harder to the side and hardest downwards."""
    return tuple(a * x + b * abs(x) * x for a, b, x in zip((6.0, 9.0, 12.0), (50.0, 90.0, 130.0), v, strict=True))


@pytest.mark.parametrize("v", [(0.05, -0.05, 0.02), (1.3, 0.0, 0.0), (-0.7, 0.9, -0.4), (2.4, -2.4, 0.0)])
def test_a_push_tells_the_velocity_that_needs_it(v):
    flow = flow_from_thrust(drag, (np.inf, np.inf, np.inf))
    assert flow.velocity(drag(v)) == pytest.approx(v, abs=0.03)  # between tabulated speeds the curve is straight


def test_a_push_beyond_the_table_and_an_axis_without_drag_have_an_answer():
    flow = flow_from_thrust(lambda v: (*drag(v)[:2], 0.0), (2.0, np.inf, 1.0))
    assert flow.velocity((1e6, -1e6, 50.0)) == (2.0, -3.0, 0.0)


def test_the_trace_that_a_solution_leaves_at_a_limit_is_no_lack_of_thrust():
    """Some 1e-5 N were reported as missing, and kept the integral of a controller from growing for ever."""
    allocation = bounded_allocation(load_vehicle("bluerov2_heavy").parameters)
    within = allocation.allocate([0.0, -114.5, -1.0, 0.06, 0.0, 0.0])
    assert within.limited
    assert within.missing.any()
    assert within.shortfall == (0.0,) * 6
    beyond = allocation.allocate([0.0, -300.0, 0.0, 0.0, 0.0, 0.0])
    assert beyond.shortfall[1] == pytest.approx(beyond.missing[1])
    assert beyond.shortfall[1] < -50.0


def test_the_thrust_that_holds_a_tilted_vehicle_up_is_no_sign_of_a_current():
    """Heavy by 20 N and at rest in still water: its thrust has parts along all of its axes."""
    tilted = from_euler_zyx(0.2, -0.4, 1.0)
    law = CurrentFromThrust(flow_from_thrust(drag, (np.inf, np.inf, np.inf)), 20.0, 0.1)
    hovering = (*to_body(tilted, (0.0, 0.0, -20.0)), 0.0, 0.0, 0.0)
    assert law.averaged((0.0, 0.0), tilted, (0.0,) * 6, hovering) == pytest.approx((0.0, 0.0), abs=1e-9)
