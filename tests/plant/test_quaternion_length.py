"""Invariant T12: the quaternion keeps unit length, its sign means nothing, and a length is never silently wrong."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from remora.plant import METHODS, RK4, Stepper, batch, derivative, initial_state, pack, rollout
from sample_features import everything, quaternions, reals
from sample_vehicles import bluerov2
from trajectories import run

TWIST = (0.5, -0.3, 0.2, 1.0, -1.5, 2.0)


@pytest.mark.parametrize("name", METHODS)
def test_unit_length_after_every_step(name):
    method = METHODS[name]
    packed = pack(everything())
    states = run(packed, 5.0, 0.005, np.full(packed.actuators, 10.0), method=method, twist=TWIST)
    assert np.abs(np.linalg.norm(states[:, 3:7], axis=1) - 1.0).max() <= 1e-12


@settings(max_examples=25)
@given(quaternions, st.sampled_from(sorted(METHODS)))
def test_sign_of_the_quaternion_means_nothing(quaternion, name):
    packed, method = pack(bluerov2()), METHODS[name]
    one = run(packed, 1.0, 0.01, method=method, quaternion=quaternion, twist=TWIST)
    other = run(packed, 1.0, 0.01, method=method, quaternion=np.negative(quaternion), twist=TWIST)
    np.testing.assert_array_equal(other[:, :3], one[:, :3])
    np.testing.assert_array_equal(other[:, 3:7], -one[:, 3:7])
    np.testing.assert_array_equal(other[:, 7:19], one[:, 7:19])


@given(quaternions, reals(1e-3, 1e3))
def test_a_start_is_scaled_to_unit_length(quaternion, length):
    packed = pack(bluerov2())
    start = initial_state(packed, quaternion=np.multiply(length, quaternion))
    np.testing.assert_allclose(start[3:7], quaternion, rtol=0, atol=1e-15)


@pytest.mark.parametrize("quaternion", [(0, 0, 0, 0), (1e-9, 0, 0, 0), (1e9, 0, 0, 0)])
def test_a_quaternion_that_is_no_rotation_is_refused(quaternion):
    with pytest.raises(ValueError, match=r"quaternion has length .*: give a rotation, e.g. \(1, 0, 0, 0\)"):
        initial_state(pack(bluerov2()), quaternion=quaternion)


def ways_to_run(packed, state):
    """Every entry point that takes a whole state."""
    commands = np.zeros(packed.actuators)
    return {
        "rollout": lambda: rollout(packed, state, commands, 0.1)[-1],
        "batch": lambda: batch([packed], [state], [commands], 0.1)[0, -1],
        "derivative": lambda: derivative(packed, state, commands),
        "stepper": lambda: Stepper(packed, 0.1, RK4)(state, commands),
    }


@pytest.mark.parametrize("way", ["rollout", "batch", "derivative", "stepper"])
@pytest.mark.parametrize("length", [0.5, 1.01, 2.0])
def test_an_unnormalised_state_is_scaled_or_refused(way, length):
    """Never used as it is: the rotation matrix of a long quaternion is none."""
    packed = pack(bluerov2())
    right = initial_state(packed, quaternion=(0.8, 0.1, 0.5, -0.3), twist=TWIST)
    wrong = right.copy()
    wrong[3:7] *= length
    expected = ways_to_run(packed, right)[way]()
    found = scaled_or_refused(ways_to_run(packed, wrong)[way])
    if found is not None:
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def scaled_or_refused(way):
    """The result, or None when the entry point refused it and named the quaternion."""
    try:
        return way()
    except ValueError as refusal:
        if "quaternion" in str(refusal):
            return None
        raise
