"""Quantities along a run, computed here from first principles and not by the equations under test."""

import numpy as np

from remora.plant import initial_state, rollout
from remora.vehicles.parameters import total_inertia


def run(packed, seconds, step, commands=None, method=None, **others):
    """Run for so many seconds with commands held at zero unless given; others go to start and surroundings."""
    start = {k: others.pop(k) for k in ("position", "quaternion", "twist", "outputs") if k in others}
    if method is not None:
        start["method"] = others["method"] = method
    held = np.zeros(packed.actuators) if commands is None else commands
    return rollout(packed, initial_state(packed, **start), held, step, intervals=round(seconds / step), **others)


def rotations(states):
    """R_NB of every row of states, from the quaternion product with the three axes."""
    s, v = states[:, 3], states[:, 4:7]
    cross = np.zeros((len(states), 3, 3))
    cross[:, 0, 1], cross[:, 0, 2] = -v[:, 2], v[:, 1]
    cross[:, 1, 0], cross[:, 1, 2] = v[:, 2], -v[:, 0]
    cross[:, 2, 0], cross[:, 2, 1] = -v[:, 1], v[:, 0]
    return np.eye(3) + 2 * s[:, None, None] * cross + 2 * cross @ cross


def kinetic_energies(parameters, states):
    twist = states[:, 7:13]
    return 0.5 * np.einsum("ti,ij,tj->t", twist, np.array(total_inertia(parameters)), twist)


def potential_energies(parameters, states):
    """Weight lowers its energy with depth, buoyancy raises it; both act at their own points."""
    R = rotations(states)
    depth_G = states[:, 2] + (R @ np.array(parameters.p_BG))[:, 2]
    depth_C = states[:, 2] + (R @ np.array(parameters.p_BC))[:, 2]
    return parameters.gravity * (parameters.displaced_mass * depth_C - parameters.mass * depth_G)


def energies(parameters, states):
    return kinetic_energies(parameters, states) + potential_energies(parameters, states)


def impulses(parameters, states):
    """Linear impulse and angular impulse about the origin of N, of body and water together, in N."""
    R = rotations(states)
    momentum = states[:, 7:13] @ np.array(total_inertia(parameters)).T
    linear = np.einsum("tij,tj->ti", R, momentum[:, :3])
    angular = np.einsum("tij,tj->ti", R, momentum[:, 3:]) + np.cross(states[:, :3], linear)
    return linear, angular


def largest_change(values):
    """Largest departure from the first row, relative to its size."""
    return np.abs(values - values[0]).max() / np.linalg.norm(values[0])
