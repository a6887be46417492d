"""Invariants T7 to T10: motions whose solution is known in closed form."""

import math

import numpy as np
import pytest
from scipy.special import ellipj

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import diagonal6
from remora.plant import derivative, initial_state, pack
from sample_vehicles import bluerov2, body, diagonal3, falcon, flatfish_gazebo
from trajectories import rotations, run


def surge_only(linear, quadratic):
    return body(
        20.0, diagonal3((1.0, 1.0, 1.0)),
        added_mass=diagonal6((10.0, 20.0, 20.0, 1.0, 1.0, 1.0)),
        linear_damping=diagonal6((linear, 0.0, 0.0, 0.0, 0.0, 0.0)),
        quadratic_damping=diagonal6((quadratic, 0.0, 0.0, 0.0, 0.0, 0.0)),
    )  # fmt: skip


@pytest.mark.parametrize("force", [5.0, -40.0])
def test_terminal_speed(force):
    """T7: linear and quadratic drag balance the push, to 1e-9 m/s."""
    linear, quadratic = 12.0, 30.0
    states = run(pack(surge_only(linear, quadratic)), 60.0, 0.01, external=(force, 0, 0, 0, 0, 0))
    speed = (-linear + math.sqrt(linear**2 + 4 * quadratic * abs(force))) / (2 * quadratic)
    assert states[-1, 7] == pytest.approx(math.copysign(speed, force), abs=1e-9)


def test_quadratic_transient():
    """T7: from rest under a constant push against quadratic drag, u = U tanh(t / T), and x = U T ln cosh(t / T)."""
    force, quadratic, mass = 40.0, 30.0, 30.0
    states = run(pack(surge_only(0.0, quadratic)), 10.0, 0.01, external=(force, 0, 0, 0, 0, 0))
    times = 0.01 * np.arange(len(states))
    final, constant = math.sqrt(force / quadratic), mass / math.sqrt(force * quadratic)
    np.testing.assert_allclose(states[:, 7], final * np.tanh(times / constant), rtol=0, atol=1e-9)
    path = final * constant * np.log(np.cosh(times / constant))
    np.testing.assert_allclose(states[:, 0], path, rtol=0, atol=1e-9)


@pytest.mark.parametrize("ratio", [0.5, 0.99, 1.0, 1.01, 3.0])
def test_released_sphere(ratio):
    """T8: initial acceleration (m - rho V) g / (m + rho V / 2), with the added mass of a sphere."""
    displaced = 1000.0 * 4.0 / 3.0 * math.pi * 0.15**3
    mass = ratio * displaced
    moments = (0.4 * mass * 0.15**2,) * 3
    half = displaced / 2
    sphere = body(mass, diagonal3(moments), displaced_mass=displaced, added_mass=diagonal6((half,) * 3 + (0.0,) * 3))
    packed = pack(sphere)
    expected = (mass - displaced) * 9.81 / (mass + displaced / 2)
    for attitude in ((1.0, 0.0, 0.0, 0.0), from_euler_zyx(0.7, -0.4, 2.0)):
        rate = derivative(packed, initial_state(packed, quaternion=attitude))
        in_N = rotations(np.array([[0, 0, 0, *attitude]]))[0] @ rate[7:10]
        np.testing.assert_allclose(in_N, [0.0, 0.0, expected], rtol=0, atol=1e-9)
        np.testing.assert_allclose(rate[10:], 0.0, atol=1e-9)
    fallen = run(packed, 2.0, 0.01)[-1, 2]
    assert fallen == pytest.approx(0.5 * expected * 4.0, abs=1e-9)


@pytest.mark.parametrize("make", [bluerov2, falcon, flatfish_gazebo])
@pytest.mark.parametrize("axis", ["roll", "pitch"])
def test_small_swing(make, axis):
    """T9: period of roll and pitch at one degree from weight, metacentric height and inertia, to 0.1 %."""
    index = {"roll": 0, "pitch": 1}[axis]
    base, height = make(), 0.05
    moments = np.diag(base.inertia_G)
    added = np.diag(base.added_mass)
    parameters = body(
        base.mass, diagonal3(moments), p_BC=(0.0, 0.0, -height), added_mass=diagonal6(tuple(added.tolist()))
    )
    angles = np.zeros(3)
    angles[index] = math.pi / 180.0
    states = run(pack(parameters), 40.0, 0.01, quaternion=from_euler_zyx(*angles))
    swing = states[:, 4 + index]
    crossings = [
        (k + swing[k] / (swing[k] - swing[k + 1])) * 0.01 for k in np.flatnonzero(swing[:-1] * swing[1:] < 0.0)
    ]
    period = 2.0 * (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    inertia = moments[index] + added[3 + index]
    expected = 2.0 * math.pi * math.sqrt(inertia / (base.mass * 9.81 * height))
    assert len(crossings) > 5
    assert period == pytest.approx(expected, rel=1e-3)


def test_torque_free_axisymmetric_body():
    """T10: the rates turn about the axis of symmetry at (1 - I3 / I1) w3; attitude precesses about the momentum."""
    across, along = 2.0, 0.7
    start = np.array([0.4, 0.3, 1.2])  # about x, y and the axis of symmetry z
    parameters = body(10.0, diagonal3((across, across, along)))
    states = run(pack(parameters), 30.0, 0.005, twist=(0.0, 0.0, 0.0, *start))
    times = 0.005 * np.arange(len(states))
    angle = (1.0 - along / across) * start[2] * times  # p' = -(I3 - I1)/I1 r q: turns the other way for I3 < I1
    p = start[0] * np.cos(angle) + start[1] * np.sin(angle)
    q = start[1] * np.cos(angle) - start[0] * np.sin(angle)
    np.testing.assert_allclose(states[:, 10], p, rtol=0, atol=1e-8)
    np.testing.assert_allclose(states[:, 11], q, rtol=0, atol=1e-8)
    np.testing.assert_allclose(states[:, 12], start[2], rtol=0, atol=1e-8)
    momentum = np.array([across, across, along]) * start
    axis = rotations(states)[:, :, 2]
    turn = np.linalg.norm(momentum) / across * times
    unit = momentum / np.linalg.norm(momentum)
    first = np.array([0.0, 0.0, 1.0])
    expected = (
        first * np.cos(turn)[:, None]
        + np.cross(unit, first) * np.sin(turn)[:, None]
        + unit * (unit @ first) * (1.0 - np.cos(turn))[:, None]
    )
    np.testing.assert_allclose(axis, expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("ascending", [True, False])
def test_torque_free_general_body(ascending):
    """T10: three different moments of inertia, against elliptic functions (Landau and Lifshitz, section 37)."""
    moments = np.array([1.0, 2.0, 2.6]) if ascending else np.array([2.6, 2.0, 1.0])
    i1, i2, i3 = sorted(moments)
    order = np.argsort(moments)
    rates = np.zeros(3)
    rates[order] = (0.3, 0.0, 0.9)  # the intermediate axis at rest, then it starts
    energy2 = np.sum(moments * rates**2)
    momentum2 = np.sum((moments * rates) ** 2)
    assert momentum2 > energy2 * i2  # the polhode goes round the axis of the largest moment
    speed = math.sqrt((i3 - i2) * (momentum2 - energy2 * i1) / (i1 * i2 * i3))
    modulus = (i2 - i1) * (energy2 * i3 - momentum2) / ((i3 - i2) * (momentum2 - energy2 * i1))
    states = run(pack(body(10.0, diagonal3(moments.tolist()))), 30.0, 0.005, twist=(0.0, 0.0, 0.0, *rates))
    sn, cn, dn, _ = ellipj(speed * 0.005 * np.arange(len(states)), modulus)
    found = states[:, 10:13][:, order]
    handed = np.linalg.det(np.eye(3)[order])  # the sorted axes may be left-handed, which turns time round
    expected = np.stack([
        math.sqrt((energy2 * i3 - momentum2) / (i1 * (i3 - i1))) * cn,
        handed * math.sqrt((energy2 * i3 - momentum2) / (i2 * (i3 - i2))) * sn,
        math.sqrt((momentum2 - energy2 * i1) / (i3 * (i3 - i1))) * dn,
    ], axis=1)  # fmt: skip
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)
