"""Blocks for tests, and the equations of Gava et al. 2022 written out once more, as matrices, to judge them by."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from remora.vehicles import load_vehicle
from remora_evidence.simu2vita_block.block import BlockInputs, VehicleBlock

START = (3.0, 1.0, -1.0, 0.9764, -0.0199, 0.1776, 0.1209)
OFF_CENTRE = (0.02, 0.01, 0.03)
MOVING = (0.5, 0.2, -0.1, 0.3, 0.2, 0.4)
WATER = np.array([0.3, -0.2, 0.1])
REFERENCES = (10.0, -6.0, 4.0, -12.0, 3.0, 8.0, -5.0, 2.0)
POSITIONS = (
    (0.156, 0.111, 0.085), (0.156, -0.111, 0.085), (-0.156, 0.111, 0.085), (-0.156, -0.111, 0.085),
    (0.12, 0.218, 0.0), (0.12, -0.218, 0.0), (-0.12, 0.218, 0.0), (-0.12, -0.218, 0.0),
)  # fmt: skip
ANGLES = np.radians([(0, 0, -45), (0, 0, 45), (0, 0, -135), (0, 0, 135), *[(0, 90, 0)] * 4])


def vita1(**dynamics):
    """The block of vita1 at the start of the tunnel mission, with changes to its dynamics."""
    block = VehicleBlock.from_vehicle(load_vehicle("vita1"))
    return changed(block, dynamics={"initial_pose": START, **dynamics})


def bare(**dynamics):
    """vita1 without actuators."""
    nothing = {"number": 0, "time_constants": (), "lower_limits": (), "upper_limits": ()}
    return changed(vita1(**dynamics), actuators=nothing, allocation={"matrix": None})


def changed(block, actuators=None, allocation=None, dynamics=None, **options):
    """The block with some fields of its tabs changed."""
    return replace(
        block,
        actuators=replace(block.actuators, **actuators or {}),
        allocation=replace(block.allocation, **allocation or {}),
        dynamics=replace(block.dynamics, **dynamics or {}),
        **options,
    )


def go(block, seconds, dt, **inputs):
    """The final state, and the outputs at each step with those at the start."""
    held = BlockInputs(**inputs)
    state, shown = block.initial(), []
    shown.append(block.outputs(state, held))
    for _ in range(round(seconds / dt)):
        state, outputs = block.step(state, held, dt)
        shown.append(outputs)
    return state, shown


def path(shown):
    """Positions of a run."""
    return np.array([outputs.eta[:3] for outputs in shown])


def S(a):
    """The matrix of a cross product."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def rotation(q):
    """R_NB from a quaternion: I + 2 q0 S + 2 S S."""
    e = S(q[1:])
    return np.eye(3) + 2.0 * q[0] * e + 2.0 * e @ e


class Terms(NamedTuple):
    """The matrices of equation 8 in one state."""

    M: np.ndarray
    Ma: np.ndarray
    C: np.ndarray
    Ca: np.ndarray
    D: np.ndarray
    g: np.ndarray
    v_r: np.ndarray
    current_rate: np.ndarray


def terms(tab, eta, nu, current):
    """Equations 9 to 17 and 20 of Gava et al. 2022, corrected; the current is in body axes."""
    m, r, b = tab.mass, np.array(tab.center_of_gravity), np.array(tab.center_of_buoyancy)
    I_b, Ma = np.array(tab.inertia), np.array(tab.added_mass)
    I_b, Ma = np.diag(I_b) if I_b.ndim == 1 else I_b, np.diag(Ma) if Ma.ndim == 1 else Ma
    nu, w, v_r = np.array(nu), np.array(nu)[3:], np.array(nu) - current
    M = np.block([[m * np.eye(3), -m * S(r)], [m * S(r), I_b]])
    C = np.block([[m * S(w), -m * S(w) @ S(r)], [m * S(r) @ S(w), -S(I_b @ w)]])
    p, h = (Ma @ v_r)[:3], (Ma @ v_r)[3:]
    Ca = -np.block([[np.zeros((3, 3)), S(p)], [S(p), S(h)]])
    D = np.diag(np.array(tab.linear_damping) + np.array(tab.nonlinear_damping) * np.abs(v_r))
    down = rotation(eta[3:]).T @ (0.0, 0.0, tab.gravity)
    weight, buoyancy = m * down, -tab.density * tab.volume * down
    g = -np.concatenate([weight + buoyancy, np.cross(r, weight) + np.cross(b, buoyancy)])
    return Terms(M, Ma, C, Ca, D, g, v_r, np.concatenate([-np.cross(w, current[:3]), np.zeros(3)]))


def bracket(tab, outputs):
    """The right-hand side of equation 19 before the inverse."""
    t = terms(tab, outputs.eta, outputs.nu, outputs.current_velocity)
    resisted = t.C @ outputs.nu + t.Ca @ t.v_r + t.D @ t.v_r + t.g
    return outputs.tau + t.Ma @ t.current_rate - resisted
