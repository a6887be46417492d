"""Invariant T6: a steady uniform current is a moving frame. The motion relative to the water does not know of it."""

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_xyz
from remora.plant import pack
from sample_features import everything
from sample_vehicles import bluerov2, falcon, flatfish_gazebo, torpedo, vita1
from trajectories import rotations, run

WATER = np.array([0.3, -0.2, 0.1])
DEG = np.pi / 180.0


def mismatch(packed, seconds, step, relative_twist, quaternion, commands=None, **others):
    """How far a run in the current departs from the run in still water, carried along by the current."""
    still = run(packed, seconds, step, commands, quaternion=quaternion, twist=relative_twist, **others)
    current_in_body = rotations(still[:1])[0].T @ WATER
    over_ground = np.array(relative_twist) + np.concatenate([current_in_body, np.zeros(3)])
    carried = run(packed, seconds, step, commands, quaternion=quaternion, twist=over_ground, water=WATER, **others)
    times = step * np.arange(len(still))
    path = np.abs(carried[:, :3] - still[:, :3] - times[:, None] * WATER).max()
    return path, np.abs(rotations(carried) - rotations(still)).max(), still


def test_proof_of_the_current_terms():
    """Gava et al. 2022, equations corrected, off-centre G, unforced, 20 s, RK4 at 5 ms: below 1e-9 m."""
    attitude = from_euler_xyz(-5 * DEG, 20 * DEG, 15 * DEG)
    packed = pack(vita1((0.02, 0.01, 0.03)))
    path, turn, still = mismatch(packed, 20.0, 0.005, (0.5, 0.2, -0.1, 0.3, 0.2, 0.4), attitude)
    assert path < 1e-9
    assert turn < 1e-9
    assert np.abs(still[:, 10:13]).max() > 0.3  # it does rotate


@pytest.mark.parametrize("make", [bluerov2, falcon, flatfish_gazebo, torpedo, everything])
def test_driven_and_turning_vehicles(make):
    """Thrusters that feel their inflow, fins, strips, lift, two heaves, an external wrench: 1e-8 m in 20 s."""
    packed = pack(make())
    commands = np.linspace(-30.0, 25.0, packed.actuators)
    commands[packed.layout.thrusters :] = 0.2
    path, turn, still = mismatch(
        packed, 20.0, 0.005, (0.4, -0.1, 0.05, 0.1, -0.15, 0.2), (0.9, 0.1, -0.2, 0.3), commands,
        external=(1.0, -2.0, 0.5, 0.1, 0.2, -0.3),
    )  # fmt: skip
    assert path < 1e-8
    assert turn < 1e-8
    assert np.abs(still[:, 10:13]).max() > 0.1


@pytest.mark.parametrize("simplification", ["coriolis_off", "munk_off"])
def test_simplified_vehicles_too(simplification):
    packed = pack(bluerov2(), simplifications=(simplification,))
    path, _, _ = mismatch(packed, 20.0, 0.005, (0.4, -0.1, 0.05, 0.1, -0.15, 0.2), (0.9, 0.1, -0.2, 0.3))
    assert path < 1e-8


def test_drifting_at_rest_in_the_water():
    """A neutral body that floats along with the water stays at rest in it."""
    level = vita1()
    states = run(pack(level), 100.0, 0.01, twist=(*WATER, 0.0, 0.0, 0.0), water=WATER)
    np.testing.assert_allclose(states[-1, :3], 100.0 * WATER, rtol=0, atol=1e-9)


def test_current_takes_a_resting_body_along():
    """A light ROV that starts at rest over ground ends with the speed of the water."""
    states = run(pack(vita1()), 400.0, 0.02, water=WATER)
    np.testing.assert_allclose(rotations(states[-1:])[0] @ states[-1, 7:10], WATER, atol=1e-3)
    assert states[1, 7] > 0.0 > states[1, 8]
