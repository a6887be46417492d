"""Bodies in MuJoCo and the same vehicles in our plant, and the way between their states."""

from contextlib import nullcontext

import mujoco
import numpy as np

from remora.equations.algebra.quaternions import product, rotation_matrix
from remora.interop.mujoco.hydrodynamics import Hydrodynamics, submerged
from remora.interop.mujoco.mjcf import model_xml
from remora.interop.mujoco.model import BODY_AXES, WORLDS
from remora.plant import initial_state, pack
from remora.vehicles import load_vehicle
from remora_evidence.benchmarks.vehicle import full_vehicle
from remora_evidence.spheroid import spheroid

DEFAULT = ("north-west-up", "forward-left-up")


def full():
    """A vehicle whose inertia, added mass and damping are matrices without a zero, as one that was loaded."""
    from dataclasses import replace

    return replace(load_vehicle("bluerov2_heavy"), name="full", parameters=full_vehicle())


def scene(vehicle, integrator="RK4", step=0.001, world=DEFAULT[0], axes=DEFAULT[1], **options):
    """Model, data and water."""
    model = mujoco.MjModel.from_xml_string(model_xml(vehicle, axes, step, integrator))
    if world == "north-east-down":
        model.opt.gravity[:] = (0.0, 0.0, vehicle.parameters.gravity)
    data = mujoco.MjData(model)
    return model, data, Hydrodynamics(model, vehicle.name, vehicle, world, axes, **options)


def set_state(data, state, world=DEFAULT[0], axes=DEFAULT[1]):
    """Put a state of ours into the free joint."""
    R_NE, R_FB = (np.array(rotation_matrix(q)) for q in (WORLDS[world], BODY_AXES[axes]))
    R_NB = np.array(rotation_matrix(tuple(state[3:7])))
    back = [(q[0], -q[1], -q[2], -q[3]) for q in (WORLDS[world], BODY_AXES[axes])]
    data.qpos[:3] = R_NE.T @ state[:3]
    data.qpos[3:7] = product(product(back[0], tuple(state[3:7])), back[1])
    data.qvel[:3] = R_NE.T @ R_NB @ state[7:10]
    data.qvel[3:6] = R_FB @ state[10:13]


def get_state(data, world=DEFAULT[0], axes=DEFAULT[1]):
    """The free joint as a state of ours."""
    R_NE, R_FB = (np.array(rotation_matrix(q)) for q in (WORLDS[world], BODY_AXES[axes]))
    q_NB = product(product(WORLDS[world], tuple(data.qpos[3:7])), BODY_AXES[axes])
    R_NB = np.array(rotation_matrix(q_NB))
    return np.concatenate([R_NE @ data.qpos[:3], q_NB, R_NB.T @ R_NE @ data.qvel[:3], R_FB.T @ data.qvel[3:6]])


def get_rate(data, world=DEFAULT[0], axes=DEFAULT[1]):
    """The rate of the twist in our axes, from MuJoCo's accelerations."""
    R_NE, R_FB = (np.array(rotation_matrix(q)) for q in (WORLDS[world], BODY_AXES[axes]))
    state = get_state(data, world, axes)
    R_NB = np.array(rotation_matrix(tuple(state[3:7])))
    v_rate = R_NB.T @ R_NE @ data.qacc[:3] - np.cross(state[10:13], state[7:10])
    return np.concatenate([v_rate, R_FB.T @ data.qacc[3:6]])


def mode(name, water):
    """The block in which steps are made."""
    return submerged(water) if name == "submerged" else nullcontext()


def walk(model, data, water, name, count):
    """So many steps in one of the two ways."""
    with mode(name, water):
        for _ in range(count):
            if name == "apply":
                water.apply(data)
            mujoco.mj_step(model, data)


def some_state(packed, seed):
    """A state with all kinds of motion and some output in each thruster."""
    random = np.random.default_rng(seed)
    q, twist = random.standard_normal(4), random.standard_normal(6)
    return initial_state(packed, random.standard_normal(3), q, 0.5 * twist)


__all__ = [
    "full",
    "get_rate",
    "get_state",
    "load_vehicle",
    "mode",
    "pack",
    "scene",
    "set_state",
    "some_state",
    "spheroid",
    "walk",
]
