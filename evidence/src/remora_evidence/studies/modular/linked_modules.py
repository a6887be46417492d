"""modular-17.1 to 17.6: constrained dynamics of linked modules, Nielsen 2018, chapter 3."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from remora.equations.algebra.quaternions import product, rotation_matrix
from remora.files.arrays import Array
from remora.plant.multibody import (
    LatchTolerance,
    Link,
    MultibodyPlant,
    attach,
    drift,
    kinetic_energy,
    total_impulse,
)
from remora.plant.multibody.textbook import FORMULATIONS, dense_system, udwadia_kalaba
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.modular.module_pairs import (
    HALF_ROD,
    NO_SIX,
    composite_accelerations,
    forcing,
    free_loads,
    integrated,
    pair,
    sphere,
)
from remora_evidence.studies.modular.pendulum import angle_form, tension_form
from remora_evidence.studies.modular.source_rows import source_rows

STEP = 0.01  # s
KINDS = ("rigid", "ball", "hinge", "slider", "distance")


def pendulum_forms(seeds: Sequence[int]) -> list[Value]:
    """Six formulations of the textbook pendulum at random consistent states."""
    return [("largest relative difference of six formulations", max(forms_apart(seed) for seed in seeds))]


@cache
def forms_apart(seed: int) -> float:
    """Largest relative difference at one state."""
    rng = np.random.default_rng(seed)
    angle, rate, length, mass = rng.uniform(-3, 3), rng.normal(), rng.uniform(0.2, 2), rng.uniform(0.5, 5)
    x, y = length * np.sin(angle), length * np.cos(angle)
    vx, vy = rate * y, -rate * x
    M, f = mass * np.eye(2), np.array([0.0, mass * 9.81])
    J, b = np.array([[x, y]]), np.array([-(vx * vx + vy * vy)])
    found = [np.array(tension_form(x, y, vx, vy, 9.81)), np.array(angle_form(x, y, vx, vy, 9.81))]
    found += [form(M, f, J, b) for form in FORMULATIONS.values()]
    return float(max(np.abs(one - found[0]).max() for one in found) / np.abs(found[0]).max())


def ranks(seeds: Sequence[int]) -> list[Value]:
    """Ranks of the inertia in quaternion rates, and of the seven rows of a rigid link."""
    rng = np.random.default_rng(seeds[0])
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    e = q[1:]
    H = np.column_stack([-e, q[0] * np.eye(3) - np.cross(np.eye(3), -e)])
    a, b = _random_state(rng), _random_state(rng)
    J = source_rows(a, b, rng.normal(size=3), rng.normal(size=3)).J
    return [
        ("rank of H^T I H", float(np.linalg.matrix_rank(H.T @ np.diag(rng.uniform(1, 2, 3)) @ H))),
        ("rank of the seven rows of a rigid link", float(np.linalg.matrix_rank(J, tol=1e-9))),
    ]


def _random_state(rng: np.random.Generator) -> Array:
    q = rng.normal(size=4)
    return np.concatenate([rng.normal(size=3), q / np.linalg.norm(q), rng.normal(size=6)])


def equal_forms(seeds: Sequence[int]) -> list[Value]:
    """Tree elimination, dense forms and the composite body, on accelerations and over 10 s."""
    plant, state = pair((sphere("A"), sphere("B")), HALF_ROD, True, STEP)
    composite = composite_accelerations(plant, True, HALF_ROD)
    worst, rng = 0.0, np.random.default_rng(seeds[0])
    for _ in range(20):
        external = rng.normal(size=(2, 6))
        state = plant.step(state, (), external, steps=5)
        system, ours = dense_system(plant, state, (), external), plant.accelerations(state, (), external)
        forms = [form(*system).reshape(2, 6) for form in FORMULATIONS.values()]
        forms.append(composite(plant.body_states(state), external))
        worst = max(worst, max(np.abs(one - ours).max() for one in forms) / np.abs(ours).max())
    plant, state = pair((sphere("A"), sphere("B")), HALF_ROD, True, STEP)
    start, steady = plant.body_states(state), forcing(1.0)
    ours = plant.body_states(plant.step(state, (), steady, steps=1000))
    theirs = integrated(lambda t, x: composite(x, steady), start, STEP, 1000)[-1]
    return [
        ("accelerations, largest relative difference", worst),
        ("positions after 10 s, largest difference", float(np.abs(ours[:, :3] - theirs[:, :3]).max())),
    ]


def rolled_link(seeds: Sequence[int]) -> list[Value]:
    """Rate mismatch of a link with 90 degrees of relative roll: corrected rows, and printed rows for 10 s."""
    plant, state = pair((sphere("A"), sphere("B")), HALF_ROD, True, STEP, projection=0)
    start, link, free = plant.body_states(state), plant.links[0], plant.with_links(())
    points = np.array(link.point_first), np.array(link.point_second)

    def largest(printed: bool) -> float:
        def accelerations(t: float, x: Array) -> Array:
            M, f = free_loads(free, x, forcing(t))
            return udwadia_kalaba(M, f, *source_rows(x[0], x[1], *points, printed_attitude=printed)).reshape(2, 6)

        states = integrated(accelerations, start, STEP, 1000)
        return max(_rate_mismatch(x) for x in states)

    return [
        ("largest rate mismatch, corrected rows", largest(printed=False)),
        ("largest rate mismatch, attitude rows as printed", largest(printed=True)),
    ]


def _rate_mismatch(x: Array) -> float:
    rates = [np.array(rotation_matrix(tuple(row[3:7].tolist()))) @ row[10:] for row in x]
    return float(np.linalg.norm(rates[0] - rates[1]))


def long_drift(seeds: Sequence[int]) -> list[Value]:
    """Drift of links over 60 s of vigorous motion, and over ten minutes with a projection every tenth step."""
    found = []
    for words, projection in (("without projection", 0), ("projection in every step", 1)):
        plant, state = pair((sphere("A"), sphere("B")), HALF_ROD, True, STEP, projection)
        worst = np.zeros(2)
        for k in range(6000):
            state = plant.step(state, (), forcing((k + 0.5) * STEP))
            if k % 20 == 19:
                worst = np.maximum(worst, drift(plant, state).largest[:2])
        found += [(f"60 s, {words}: gap", worst[0]), (f"60 s, {words}: attitude", worst[1])]
    for words, plant, state in (
        ("chain of five", *_chain(5)),
        ("rigid ring of four", *_ring(4, "rigid")),
        ("ring of six balls", *_ring(6, "ball")),
        ("ring of six hinges", *_ring(6, "hinge")),
    ):
        worst, left_alone = np.zeros(2), replace(plant, projection=0)
        for k in range(6000):
            wrench = np.zeros((len(plant.bodies), 6))
            wrench[0] = 0.3 * forcing(0.1 * k)[0]
            if k % 20 == 19:
                before_projection = left_alone.step(state, (), wrench, steps=10)
                worst = np.maximum(worst, drift(plant, before_projection).largest[:2])
            state = plant.step(state, (), wrench, steps=10)
        found += [(f"ten minutes, {words}: gap", worst[0]), (f"ten minutes, {words}: attitude", worst[1])]
    return found


def _chain(n: int) -> tuple[MultibodyPlant, Array]:
    """Spheres in a row, all kinds of links."""
    names = [f"m{i}" for i in range(n)]
    links = [
        Link(f"{kind} {i}", kind, names[i], names[i + 1], (0.0, HALF_ROD, 0.0), (0.0, -HALF_ROD, 0.0), axis=(0, 0, 1))
        for i, kind in zip(range(n - 1), ("rigid", "ball", "hinge", "slider"), strict=False)
    ]
    plant = MultibodyPlant(tuple(sphere(name) for name in names), tuple(links), STEP, projection=10)
    rows = [np.array([0.0, 2.0 * HALF_ROD * i, 0.0, 1.0, 0.0, 0.0, 0.0, *NO_SIX]) for i in range(n)]
    return plant, plant.state_of(rows)


def _ring(n: int, kind: str) -> tuple[MultibodyPlant, Array]:
    """Spheres in a ring, all links as constraints."""
    radius, names = HALF_ROD / np.tan(np.pi / n), [f"m{i}" for i in range(n)]
    rows, links = [], []
    for i in range(n):
        yaw = 2.0 * np.pi * i / n
        place = radius * np.array([np.cos(yaw), np.sin(yaw), 0.0])
        rows.append(np.array([*place, np.cos(0.5 * yaw), 0.0, 0.0, np.sin(0.5 * yaw), *NO_SIX]))
        step = 2.0 * np.pi / n
        q = (float(np.cos(0.5 * step)), 0.0, 0.0, float(np.sin(0.5 * step)))
        ends = (0.0, HALF_ROD, 0.0), (0.0, -HALF_ROD, 0.0)
        links.append(Link(f"{kind} {i}", kind, names[i], names[(i + 1) % n], *ends, q, axis=(0.0, 0.0, 1.0)))
    bodies = tuple(sphere(name) for name in names)
    plant = MultibodyPlant(bodies, tuple(links), STEP, projection=10, solver="loops")
    return plant, plant.state_of(rows)


def docking_impulse(seeds: Sequence[int]) -> list[Value]:
    """Impulse and energy of random attachments of all kinds of links."""
    kept, gained = np.max([attachment(seed) for seed in seeds], axis=0).tolist()
    return [("change of the impulse, relative", kept), ("gain of kinetic energy, relative, largest", gained)]


@cache
def attachment(seed: int) -> tuple[float, float]:
    """Relative change of the impulse and gain of energy of one attachment."""
    rng, plant = np.random.default_rng(seed), MultibodyPlant((sphere("A"), sphere("B")))
    state = plant.state_of([_random_state(rng), _random_state(rng)])
    link = _touching(plant.body_states(state), KINDS[seed % len(KINDS)], rng)
    joined = plant.with_links((link,))
    after, before = joined.project(state, 0), total_impulse(plant, state)
    kept = np.abs(total_impulse(joined, after) - before).max() / np.abs(before).max()
    energy = kinetic_energy(plant, state)
    gained = (kinetic_energy(joined, after) - energy) / energy
    latched = -attach(plant, state, link, LatchTolerance(1e-9)).energy_lost / energy
    return float(kept), float(max(gained, latched))


def _touching(x: Array, kind: str, rng: np.random.Generator) -> Link:
    """A link of a kind that fits the current poses of two bodies."""
    R_A, R_B = (np.array(rotation_matrix(tuple(row[3:7].tolist()))) for row in x)
    middle, axis = rng.normal(size=3), rng.normal(size=3)
    point_A, point_B = R_A.T @ (middle - x[0, :3]), R_B.T @ (middle - x[1, :3])
    attitude = product((x[0, 3], *(-x[0, 4:7])), tuple(x[1, 3:7].tolist()))
    length = 0.0
    if kind == "distance":
        point_B, length = R_B.T @ (middle + axis - x[1, :3]), float(np.linalg.norm(axis))
    return Link("dock", kind, "A", "B", tuple(point_A), tuple(point_B), attitude, tuple(axis), length)


STUDIES: dict[str, StudyFunction] = {
    "modular-17.1": pendulum_forms,
    "modular-17.2": ranks,
    "modular-17.3": equal_forms,
    "modular-17.4": rolled_link,
    "modular-17.5": long_drift,
    "modular-17.6": docking_impulse,
}
