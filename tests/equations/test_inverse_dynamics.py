"""Invariant T13: inverse dynamics of forward dynamics returns the input."""

import numpy as np
from hypothesis import given, strategies as st

from remora.equations.actuators.propulsion import thrusters_wrench
from remora.equations.algebra.kinematics import down_in_body
from remora.equations.motion import acceleration, hull_wrench, inverse_dynamics
from remora.equations.packed import hull_at
from remora.equations.plant import twist_rate
from remora.plant import pack
from sample_features import general_vehicles, quaternions, reals, six, twists
from sample_vehicles import bluerov2

STILL = (0.0, 0.0, 0.0)


def size_of(hull, twist, down, wrench):
    return max(np.abs(wrench).max(), np.abs(hull_wrench(hull, twist, down)).max())


@given(general_vehicles, quaternions, twists, six(100.0))
def test_wrench_to_acceleration_and_back(parameters, q_NB, twist, wrench):
    hull, down = hull_at(pack(parameters).row.tolist()), down_in_body(q_NB)
    rate = acceleration(hull, twist, down, wrench)
    found = inverse_dynamics(hull, twist, rate, down)
    np.testing.assert_allclose(found, wrench, rtol=0, atol=1e-10 * size_of(hull, twist, down, wrench))


@given(general_vehicles, quaternions, twists, six(5.0))
def test_acceleration_to_wrench_and_back(parameters, q_NB, twist, rate):
    hull, down = hull_at(pack(parameters).row.tolist()), down_in_body(q_NB)
    wrench = inverse_dynamics(hull, twist, rate, down)
    found = acceleration(hull, twist, down, wrench)
    size = np.abs(hull.inverse_inertia).max() * size_of(hull, twist, down, wrench)
    np.testing.assert_allclose(found, rate, rtol=0, atol=1e-10 * max(size, np.abs(rate).max()))


@given(quaternions, twists, six(20.0), st.lists(reals(-40.0, 50.0), min_size=6, max_size=6))
def test_whole_vehicle_returns_thrust_and_external_wrench(q_NB, twist, external, outputs):
    packed = pack(bluerov2())
    row = packed.row.tolist()
    rate = twist_rate(row, packed.layout, q_NB, twist, outputs, STILL, external)
    found = inverse_dynamics(hull_at(row), twist, rate, down_in_body(q_NB))
    expected = np.add(external, thrusters_wrench(row, packed.layout, outputs, twist))
    size = size_of(hull_at(row), twist, down_in_body(q_NB), expected)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * size)
