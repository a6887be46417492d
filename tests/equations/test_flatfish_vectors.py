"""Numbers of FlatFish (Britto Neto 2018), given in forward-left-up axes and turned over here, to all digits given."""

import math

import numpy as np
import pytest

from remora.equations.actuators.propulsion import thrusters_wrench
from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import diagonal6, dot6
from remora.equations.hull.inertia import coriolis_wrench
from remora.equations.motion import hull_damping_wrench, hull_restoring_wrench
from remora.equations.packed import hull_at
from remora.equations.plant import twist_rate
from remora.plant import dormand_prince, initial_state, pack, rollout
from sample_vehicles import FLATFISH_MATRIX, FLIP, body, diagonal3, flatfish_gazebo, tuples

PACKED = pack(flatfish_gazebo())
ROW = PACKED.row.tolist()
HULL = hull_at(ROW)
TWIST = tuples(FLIP * [0.5, -0.2, 0.1, 0.05, -0.1, 0.2])
Q_NB = from_euler_zyx(0.1, 0.05, -0.7)  # roll, pitch and yaw (0.1, -0.05, 0.7) with y to the left and z up
EFFORT = FLIP * [40.0, -30.0, 20.0, 1.0, -2.0, 5.0]


def assert_printed(found, printed, digits):
    """Equal to the printed numbers in forward-left-up axes, to their last digit."""
    np.testing.assert_allclose(FLIP * found, printed, rtol=0, atol=0.5000001 * 10.0**-digits)


@pytest.mark.parametrize(
    ("forces", "effort"),
    [
        ((60, 60, 0, 0, 0, 0), (120, 0, 0, 0, -3.78, 2.4)),
        ((0, 0, 60, 60, 0, 0), (0, -120, 0, 0, 0, 21.75)),
        ((0, 0, 0, 0, 60, 60), (0, 0, 120, 0, 7.95, 0)),
        ((60, -60, -60, 60, 0, 0), (0, 0, 0, -3.84, 0, 140.97)),
        ((10, 20, 30, -40, 50, -60), (30, 10, -10, 2.24, -55.48, -58.245)),
    ],
)
def test_thruster_configuration(forces, effort):
    found = thrusters_wrench(ROW, PACKED.layout, tuple(map(float, forces)), (0.0,) * 6)
    np.testing.assert_allclose(FLIP * found, effort, rtol=0, atol=1e-12)
    np.testing.assert_allclose(FLATFISH_MATRIX @ forces, effort, rtol=0, atol=1e-12)


def test_coriolis():
    """H(Mv)v stands on the other side of the equation: minus C(v)v."""
    found = np.negative(coriolis_wrench(HULL.coriolis_inertia, TWIST))
    np.testing.assert_allclose(FLIP * found, (-26.5, -77.25, -32.0, 13.76, 35.88, 19.5), rtol=0, atol=1e-12)
    assert dot6(tuples(found), TWIST) == pytest.approx(0.0, abs=1e-13)


def test_damping():
    found = hull_damping_wrench(HULL, TWIST)
    np.testing.assert_allclose(FLIP * found, (35.0, -11.6, 5.4, 2.3375, -4.85, 10.4), rtol=0, atol=1e-12)


def test_restoring():
    found = np.array(hull_restoring_wrench(HULL, down_in_body(Q_NB)))
    assert_printed(found, (0.89962505, 1.79475572, 17.88769204, -34.41444085, 17.25031027, 0.0), 8)


def test_sum_of_forces_and_acceleration():
    rate = twist_rate(ROW, PACKED.layout, Q_NB, TWIST, (0.0,) * 6, (0.0,) * 3, tuples(EFFORT))
    forces = np.array(HULL.inertia) @ rate
    assert_printed(forces, (-20.60037495, -93.85524428, 0.48769204, -21.99194085, 55.98031027, 14.1), 8)
    assert_printed(rate, (-0.02423574, -0.08938595, 0.00031464, -0.05044023, 0.16660807, 0.0269084), 8)


# The set identified in the basin by the adaptive method: inertia, linear and quadratic damping.
INERTIA = np.array([763.12, 1062.28, 1269.13, 200.0, 200.0, 184.43])
LINEAR = np.array([74.77, 134.86, 231.06, 200.0, 200.0, 2.36])
QUADRATIC = np.array([18.03, 34.05, 39.88, 200.0, 200.0, 227.92])
BUOYANCY = 15.59


def basin(net_buoyancy=0.0):
    moments = (90.0, 100.0, 100.0)
    rigid = np.array([275.0, 275.0, 275.0, *moments])
    return body(
        275.0,
        diagonal3(moments),
        displaced_mass=275.0 + net_buoyancy / 9.81,
        added_mass=diagonal6(tuples(INERTIA - rigid)),
        linear_damping=diagonal6(tuples(LINEAR)),
        quadratic_damping=diagonal6(tuples(QUADRATIC)),
    )


def speeds(effort, index, seconds, net_buoyancy=0.0):
    """Speed along one degree of freedom under a constant effort from rest, with the others held."""
    names = ("surge", "sway", "heave", "roll", "pitch", "yaw")
    packed = pack(basin(net_buoyancy), locked=tuple(n for i, n in enumerate(names) if i != index))
    wrench = np.zeros(6)
    wrench[index] = effort
    states = rollout(packed, initial_state(packed), (), seconds, 1, wrench, method=dormand_prince(1e-11, 1e-11))
    return states[-1, 7 + index]


def test_surge_from_rest_in_closed_form():
    """60 N of surge: v(10 s) = 0.482968 m/s, terminal 0.688239 m/s."""
    m, dl, dq, force = INERTIA[0], LINEAR[0], QUADRATIC[0], 60.0
    s = math.sqrt(dl**2 + 4 * dq * force)
    fast, slow = (-dl + s) / (2 * dq), (-dl - s) / (2 * dq)
    e = math.exp(-s * 10.0 / m)
    closed = fast * (1 - e) / (1 - fast / slow * e)
    assert speeds(force, 0, 10.0) == pytest.approx(closed, abs=1e-9)
    assert round(closed, 6) == round(speeds(force, 0, 10.0), 6) == 0.482968
    assert round(speeds(force, 0, 1000.0), 6) == round(fast, 6) == 0.688239


@pytest.mark.parametrize(
    ("index", "effort", "net_buoyancy", "printed"),
    [
        (0, 120.0, 0.0, 1.236),
        (1, 120.0, 0.0, 0.748),
        (2, -120.0, BUOYANCY, -0.537),  # up
        (2, 120.0, BUOYANCY, 0.421),  # down
        (5, 140.97, 0.0, 0.781),
    ],
)
def test_speeds_at_full_thrust(index, effort, net_buoyancy, printed):
    assert speeds(effort, index, 3000.0, net_buoyancy) == pytest.approx(printed, abs=0.0005)


def test_upright_rest_is_an_equilibrium():
    """With a downward effort that balances the 18 N of buoyancy nothing accelerates."""
    rate = twist_rate(ROW, PACKED.layout, (1.0, 0.0, 0.0, 0.0), (0.0,) * 6, (0.0,) * 6, (0.0,) * 3,
                      (0.0, 0.0, 18.0, 0.0, 0.0, 0.0))  # fmt: skip
    np.testing.assert_allclose(rate, 0.0, atol=1e-14)
