"""Reports on linked bodies: drift, degrees of freedom, reaction wrenches, energy and impulse."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.links.joint import (
    LATCH,
    POSITION,
    VELOCITY,
    Gains,
    JointMotion,
    LinkRecord,
    across,
    distance_demand,
    distance_direction,
    hinge_axis,
    hinge_demand,
    joint_motion,
    latch_wrench,
    link_at,
    point_demand,
    rigid_demand,
    slider_demand,
    sliding_point,
)
from remora.files.arrays import Array
from remora.plant.inputs import STILL_WATER
from remora.plant.multibody.assembly import ends_of
from remora.plant.multibody.link_table import KINDS, Link, record_of
from remora.plant.multibody.multibody_plant import MultibodyPlant
from remora.plant.multibody.solvers.loop_solver import inertia_entry
from remora.plant.multibody.solvers.memory import FORCE, SystemMemory
from remora.plant.multibody.textbook import RANK_CUTOFF, constraint_rows, inverse_root
from remora.plant.stages import body_state_at

NO_GAINS = Gains(0.0, 0.0)


class Mismatch(NamedTuple):
    """Distance of two bodies from what a link demands: m, rad, m/s, rad/s."""

    distance: float
    angle: float
    speed: float
    rate: float


class DriftReport(NamedTuple):
    """Mismatch of each link by name, and the largest of each."""

    links: dict[str, Mismatch]
    largest: Mismatch


class LinkCounts(NamedTuple):
    """Size of the constraints: Nielsen 2018, definitions 3.1 to 3.6."""

    degrees_of_freedom: int
    rows: int
    rank: int
    redundant: int  # rows beyond the rank
    differential_index: int  # of the system in its states: 3 with links that constrain, 0 without


def mismatch_of(link: Link, x_first: Array, x_second: Array) -> Mismatch:
    """Mismatch of a link between two body states; free directions do not count, and a latch counts as rigid."""
    kind, record = KINDS.index(link.kind), link_at(record_of(link).tolist(), 0)
    levels = [_demands(kind, record, x_first, x_second, level) for level in (POSITION, VELOCITY)]
    (gap, turn), (speed, rate) = levels
    return Mismatch(*(float(np.linalg.norm(part)) for part in (gap, turn, speed, rate)))


def _demands(kind: int, link: LinkRecord, a: Array, b: Array, level: int) -> tuple[ArrayLike, ArrayLike]:
    """Demanded linear and angular increments, without those in free directions."""
    x_A, x_B = body_state_at(a), body_state_at(b)
    R_NA, R_NB = rotation_matrix(x_A[3:7]), rotation_matrix(x_B[3:7])
    name = KINDS[kind]
    point = sliding_point(x_A, x_B, R_NA, R_NB, link.point_B) if name == "slider" else link.point_A
    joint: JointMotion = joint_motion(x_A, x_B, R_NA, R_NB, point, link.point_B)
    if name == "ball":
        return point_demand(level, NO_GAINS, joint), (0.0, 0.0, 0.0)
    if name == "distance":
        if not any(distance_direction(joint)):
            return (link.length, 0.0, 0.0), (0.0, 0.0, 0.0)
        return (distance_demand(level, NO_GAINS, link, joint), 0.0, 0.0), (0.0, 0.0, 0.0)
    if name == "hinge":
        demand, axis = hinge_demand(level, NO_GAINS, link, joint), hinge_axis(link, joint)
        return demand.linear, across(axis, demand.angular)
    if name == "slider":
        demand = slider_demand(level, NO_GAINS, link, x_A, x_B, joint)
        return across(hinge_axis(link, joint), demand.linear), demand.angular
    demand = rigid_demand(level, NO_GAINS, link, x_A, x_B, joint)
    return demand.linear, demand.angular


def drift(plant: MultibodyPlant, state: ArrayLike) -> DriftReport:
    """Mismatch of all links that constrain, the surplus ones of rigid clusters included."""
    x = plant.body_states(state)
    ends = ends_of(plant.bodies, plant.links)
    found = {
        link.name: mismatch_of(link, x[a], x[b])
        for link, (a, b) in zip(plant.links, ends, strict=True)
        if link.kind != KINDS[LATCH]
    }
    largest = Mismatch(*np.max([Mismatch(0.0, 0.0, 0.0, 0.0), *found.values()], axis=0).tolist())
    return DriftReport(found, largest)


def inertias(memory: SystemMemory) -> Array:
    """Inertia of each body, [body, 6, 6]."""
    return np.array([[[inertia_entry(load, i, j) for j in range(6)] for i in range(6)] for load in memory["loads"]])


def counts(plant: MultibodyPlant, state: ArrayLike) -> LinkCounts:
    """Degrees of freedom, rank and redundancy of the links at a state."""
    x = plant.body_states(state)
    J, b = constraint_rows(plant, x)
    moving = 6 * sum(not body.fixed for body in plant.bodies)
    root = np.zeros((len(x) * 6, len(x) * 6))
    for i, M in enumerate(inertias(plant.solved(state, np.zeros(plant.commands)))):
        root[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = inverse_root(M)
    values = np.linalg.svd(J @ root, compute_uv=False)
    rank = int((values > RANK_CUTOFF * max(values, default=0.0)).sum())
    return LinkCounts(moving - rank, len(b), rank, len(b) - rank, 3 if len(b) else 0)


def kinetic_energy(plant: MultibodyPlant, state: ArrayLike) -> float:
    """Kinetic energy of all bodies with their added mass, in still water, J."""
    twists = plant.body_states(state)[:, 7:]
    M = inertias(plant.solved(state, np.zeros(plant.commands)))
    return float(0.5 * np.einsum("bi,bij,bj->", twists, M, twists))


def total_impulse(plant: MultibodyPlant, state: ArrayLike) -> Array:
    """Linear and angular impulse of bodies and water in N, about its origin: N s and N m s."""
    x, total = plant.body_states(state), np.zeros(6)
    for row, M in zip(x, inertias(plant.solved(state, np.zeros(plant.commands))), strict=True):
        R, h = np.array(rotation_matrix(tuple(row[3:7].tolist()))), M @ row[7:]
        p = R @ h[:3]
        total += np.concatenate([p, R @ h[3:] + np.cross(row[:3], p)])
    return total


def reactions(
    plant: MultibodyPlant,
    state: ArrayLike,
    commands: ArrayLike = (),
    external: ArrayLike | None = None,
    water: ArrayLike = STILL_WATER,
) -> Array:
    """Wrench of each link on its second body about the joint point there, in its axes: [link, 6], N and N m.

    In a redundant loop these are not unique: they are those of the solver. Surplus links of a rigid cluster carry
    nothing.

    Parameters
    ----------
    plant
        The linked bodies.
    state
        State of the plant.
    commands, external, water
        Inputs as in `MultibodyPlant.step`.
    """
    memory = plant.solved(state, commands, external, water)
    x, found = memory["x"], np.zeros((len(plant.links), 6))
    for k in plant.topology.latches:
        found[k] = _latch_reaction(plant.links[k], x, plant)
    loops = zip(plant.topology.loop_links, memory["on_second"], memory["multipliers"], strict=True)
    for k, on_second, multipliers in loops:
        rows = int(memory["links"][plant.topology.loop_links.index(k), 5])
        found[k] = _about(on_second[:rows].T @ multipliers[:rows], np.array(plant.links[k].point_second))
    _tree_reactions(plant, memory, found)
    return found


def _latch_reaction(link: Link, x: Array, plant: MultibodyPlant) -> Array:
    a, b = (body_state_at(x[plant.body_names.index(name)]) for name in (link.first, link.second))
    record = link_at(record_of(link).tolist(), 0)
    joint = joint_motion(a, b, rotation_matrix(a[3:7]), rotation_matrix(b[3:7]), record.point_A, record.point_B)
    return np.array(latch_wrench(record, a, b, joint))


def _about(wrench: Array, point: Array) -> Array:
    """A wrench about another point of the same axes."""
    return np.concatenate([wrench[:3], wrench[3:] - np.cross(point, wrench[:3])])


def _tree_reactions(plant: MultibodyPlant, memory: SystemMemory, found: Array) -> None:
    """Wrenches of the links of trees, from the leaves to the roots: inertia times motion minus force."""
    x, M, motion = memory["x"], inertias(memory), memory["motion"]
    carried = np.array([M[i] @ motion[i] - memory["loads"][i, FORCE : FORCE + 6] for i in range(len(x))])
    for i in reversed(plant.topology.order):
        if i not in plant.topology.parents:
            continue
        p, k, flipped = plant.topology.parents[i]
        link = plant.links[k]
        own = np.array(link.point_first if flipped else link.point_second)
        R_NP, R_NC = (np.array(rotation_matrix(tuple(x[j, 3:7].tolist()))) for j in (p, i))
        R_PC, at_joint = R_NP.T @ R_NC, _about(carried[i], own)
        arm = R_NP.T @ (x[i, :3] + R_NC @ own - x[p, :3])
        force, torque = R_PC @ at_joint[:3], R_PC @ at_joint[3:]
        carried[p] += np.concatenate([force, torque + np.cross(arm, force)])
        found[k] = -np.concatenate([force, torque]) if flipped else at_joint
