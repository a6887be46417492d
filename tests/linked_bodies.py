"""Random bodies, trees and rings with consistent states, for tests of linked bodies."""

import numpy as np

from remora.equations.algebra.quaternions import from_axis_angle, product, rotation_matrix
from remora.plant import pack
from remora.plant.multibody.assembly import BodyModel
from remora.plant.multibody.link_table import Link
from remora.plant.multibody.multibody_plant import MultibodyPlant
from sample_vehicles import body, tuples

ALL_KINDS = ("rigid", "ball", "hinge", "slider", "distance")


def rotation(q):
    return np.array(rotation_matrix(tuple(q)))


def unit(rng, size):
    a = rng.normal(size=size)
    return a / np.linalg.norm(a)


def random_body(name, rng, fixed=False):
    """A body with full added mass and damping matrices and separate centres."""
    A, B = rng.normal(size=(2, 6, 6))
    moments = rng.uniform(0.5, 1.0, 3)
    parameters = body(
        float(rng.uniform(4.0, 15.0)),
        tuples(np.diag(moments)),
        p_BG=tuple(rng.normal(size=3) * 0.03),
        p_BC=tuple(rng.normal(size=3) * 0.03),
        added_mass=tuples(A @ A.T * np.outer([1, 1, 1, 0.3, 0.3, 0.3], [1, 1, 1, 0.3, 0.3, 0.3])),
        linear_damping=tuples(B @ B.T * 0.3),
        quadratic_damping=tuples(np.abs(rng.normal(size=(6, 6))) * 0.1 + 3.0 * np.eye(6)),
    )
    return BodyModel(name, pack(parameters), fixed)


def moved(q, p, twist):
    return np.concatenate([p, q, twist])


def child_of(x, link, rng):
    """A state of the second body that a link allows."""
    q_NA, R_NA = x[3:7], rotation(x[3:7])
    axis = R_NA @ np.array(link.axis)
    q_NB = np.array(product(tuple(q_NA), link.attitude))
    w, point = R_NA @ x[10:13], np.array(link.point_first)
    slide = np.zeros(3)
    if link.kind == "hinge":
        own = rotation(link.attitude).T @ np.array(link.axis)
        q_NB = np.array(product(tuple(q_NB), from_axis_angle(tuple(own), float(rng.normal()))))
        w = w + axis * rng.normal()
    if link.kind in ("ball", "distance"):
        q_NB, w = unit(rng, 4), rng.normal(size=3)
    if link.kind == "slider":
        point = point + 0.2 * rng.normal() * np.array(link.axis)
        slide = axis * rng.normal()
    v = R_NA @ (x[7:10] + np.cross(x[10:13], point)) + slide
    p = x[:3] + R_NA @ point
    if link.kind == "distance":
        n = unit(rng, 3)
        p = p + link.length * n
        v = v + np.cross(n, rng.normal(size=3))
    R_NB, r = rotation(q_NB), np.array(link.point_second)
    w_B = R_NB.T @ w
    return moved(q_NB, p - R_NB @ r, np.concatenate([R_NB.T @ v - np.cross(w_B, r), w_B]))


def random_link(name, kind, first, second, rng):
    points = rng.normal(size=(2, 3)) * 0.3
    return Link(
        name, kind, first, second, tuple(points[0]), tuple(points[1]), tuple(unit(rng, 4)), tuple(unit(rng, 3)),
        length=0.4 if kind == "distance" else 0.0,
    )  # fmt: skip


def random_tree(n, kinds, seed=0, chain=False, **options):
    """A plant with random links of some kinds, a consistent state, and external wrenches."""
    rng = np.random.default_rng(seed)
    bodies = tuple(random_body(f"b{i}", rng) for i in range(n))
    states, links = [moved(unit(rng, 4), rng.normal(size=3), rng.normal(size=6))], []
    for i in range(1, n):
        p = i - 1 if chain else int(rng.integers(0, i))
        kind = kinds[int(rng.integers(len(kinds)))]
        links.append(random_link(f"l{i}", kind, f"b{p}", f"b{i}", rng))
        states.append(child_of(states[p], links[-1], rng))
    plant = MultibodyPlant(bodies, tuple(links), **options)
    return plant, plant.state_of(states), rng.normal(size=(n, 6))


def shaped(positions, edges, kinds, seed=0, **options):
    """Bodies at some places with random attitudes in a common rigid motion, joined at the middle of each edge.

    Kinds are one, or several that the edges take in turns; a distance link spans a fifth of its edge.
    """
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    rng = np.random.default_rng(seed)
    n, v, w = len(positions), rng.normal(size=3), rng.normal(size=3)
    bodies, states, links = tuple(random_body(f"b{i}", rng) for i in range(n)), [], []
    for p in positions:
        q = unit(rng, 4)
        R = rotation(q)
        states.append(moved(q, p, np.concatenate([R.T @ (v + np.cross(w, p)), R.T @ w])))
    for number, (a, b) in enumerate(edges):
        kind, between = kinds[number % len(kinds)], positions[b] - positions[a]
        span = 0.1 * between if kind == "distance" else 0.0 * between
        R_A, R_B = rotation(states[a][3:7]), rotation(states[b][3:7])
        middle = (positions[a] + positions[b]) / 2
        q_A, q_B = states[a][3:7], states[b][3:7]
        attitude = product((q_A[0], *(-q_A[1:])), tuple(q_B))
        points = R_A.T @ (middle - span - positions[a]), R_B.T @ (middle + span - positions[b])
        axis = R_A.T @ np.array([0.0, 0.0, 1.0])
        ends = tuple(points[0]), tuple(points[1])
        length = float(2.0 * np.linalg.norm(span))
        links.append(Link(f"{a}-{b}", kind, f"b{a}", f"b{b}", *ends, attitude, tuple(axis), length))
    plant = MultibodyPlant(bodies, tuple(links), **options)
    return plant, plant.state_of(states), rng.normal(size=(n, 6))


def ring(n, kinds, seed=0, **options):
    angles = 2 * np.pi * np.arange(n) / n
    places = np.c_[np.cos(angles), np.sin(angles), 0 * angles] * 0.2 / np.sin(np.pi / n)
    return shaped(places, [(i, (i + 1) % n) for i in range(n)], kinds, seed, **options)


def lattice(k, kinds, seed=0, **options):
    places = np.array([[0.4 * i, 0.4 * j, 0.0] for i in range(k) for j in range(k)])
    edges = [(i * k + j, i * k + j + 1) for i in range(k) for j in range(k - 1)]
    edges += [(i * k + j, (i + 1) * k + j) for i in range(k - 1) for j in range(k)]
    return shaped(places, edges, kinds, seed, **options)
