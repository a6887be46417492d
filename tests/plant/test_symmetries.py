"""Invariants T1 and T4: a neutral body at rest stays, and the water has no favoured heading."""

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx, product
from remora.plant import pack
from sample_features import everything, packed_features
from sample_vehicles import bluerov2, falcon, neutral, torpedo, with_fins
from trajectories import rotations, run

HEADINGS = [0.0, 0.7, np.pi / 2, 2.5, -np.pi, -1.1]


@pytest.mark.parametrize("make", [bluerov2, falcon, torpedo, everything])
@pytest.mark.parametrize("heading", HEADINGS)
def test_neutral_body_at_rest_stays(make, heading):
    """T1: no input and no current, ten minutes: less than 1e-9 m and rad, at any heading and attitude."""
    start = from_euler_zyx(0.2, -0.3, heading)
    states = run(pack(neutral(make())), 600.0, 0.05, quaternion=start, position=(1.0, 2.0, 3.0))
    assert np.abs(states[:, :3] - [1.0, 2.0, 3.0]).max() < 1e-9
    assert np.abs(states[:, 3:7] - states[0, 3:7]).max() < 1e-9
    assert np.abs(states[:, 7:13]).max() < 1e-9


@pytest.mark.parametrize("heading", HEADINGS)
def test_upright_trimmed_body_stays_level(heading):
    """T1: weight below buoyancy, level: the same at any heading."""
    level = bluerov2()._replace(displaced_mass=11.5)
    states = run(pack(level), 600.0, 0.05, quaternion=from_euler_zyx(0.0, 0.0, heading))
    assert np.abs(states[:, :3]).max() < 1e-9
    assert np.abs(states[:, 7:13]).max() < 1e-9


@pytest.mark.parametrize("name", [*packed_features()])
@pytest.mark.parametrize("heading", HEADINGS[1:])
def test_trajectory_yaws_with_its_start(name, heading):
    """T4: damped, driven and in a current that is turned along: 1e-8 m after 30 s."""
    packed = packed_features()[name]
    twist = np.where([d in packed.locked for d in ("surge", "sway", "heave", "roll", "pitch", "yaw")], 0.0, 0.1)
    commands = np.linspace(5.0, 9.0, packed.actuators)
    attitude, water = from_euler_zyx(0.1, -0.2, 0.3), np.array([0.2, -0.1, 0.05])
    turn = from_euler_zyx(0.0, 0.0, heading)
    R = rotations(np.array([[0, 0, 0, *turn]]))[0]
    place = np.array([1.0, 2.0, 3.0])
    first = run(packed, 30.0, 0.01, commands, quaternion=attitude, twist=twist, water=water, position=place)
    second = run(
        packed, 30.0, 0.01, commands, quaternion=product(turn, attitude), twist=twist, water=R @ water,
        position=R @ place,
    )  # fmt: skip
    np.testing.assert_allclose(second[:, :3], first[:, :3] @ R.T, rtol=0, atol=1e-8)
    np.testing.assert_allclose(rotations(second), R @ rotations(first), rtol=0, atol=1e-8)
    assert np.abs(first[-1, :3] - place).max() > 0.05


def test_mirror_image_of_a_symmetric_body():
    """Port and starboard: the mirrored push gives the mirrored path, bit for bit but for rounding."""
    packed = pack(with_fins(torpedo(), []))
    push = np.array([20.0, 5.0, -3.0, 0.2, 1.0, 2.0])
    mirror = np.array([1, -1, 1, -1, 1, -1])
    one = run(packed, 20.0, 0.01, external=push)
    other = run(packed, 20.0, 0.01, external=mirror * push)
    np.testing.assert_allclose(other[:, 7:13], mirror * one[:, 7:13], rtol=0, atol=1e-10)
    np.testing.assert_allclose(other[:, :3], one[:, :3] * [1, -1, 1], rtol=0, atol=1e-9)
