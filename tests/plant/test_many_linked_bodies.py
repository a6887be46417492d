"""Linked bodies by the hundred against a sparse solve, energy and impulse; redundant loops in fast motion."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import bmat, csc_matrix
from scipy.sparse.linalg import splu

from linked_bodies import ALL_KINDS, child_of, lattice, random_body, random_link, random_tree, ring, unit
from remora.equations.algebra.quaternions import conjugate, rotation_matrix
from remora.plant import RunError
from remora.plant.multibody import (
    BodyModel,
    LatchTolerance,
    Link,
    MultibodyPlant,
    attach,
    counts,
    drift,
    fitted,
    kinetic_energy,
    total_impulse,
)
from remora.plant.multibody.textbook import dense_system
from remora.plant.pack import pack
from remora_evidence.benchmarks.mujoco.linked_bodies import bent_chain, chain, chain_residual
from sample_vehicles import body, tuples

KINDS = [*((kind,) for kind in ALL_KINDS), ALL_KINDS]


def sparse_solution(system):
    """Accelerations from the whole system of bodies and multipliers, refined."""
    M, f, J, b = system
    rows = csc_matrix(J)
    whole, right = bmat([[csc_matrix(M), -rows.T], [rows, None]]).tocsc(), np.concatenate([f, b])
    factors = splu(whole)
    found = factors.solve(right)
    for _ in range(3):
        found += factors.solve(right - whole @ found)
    return found[: len(f)].reshape(-1, 6)


@pytest.mark.parametrize("kinds", [*KINDS, ("ball", "hinge")], ids=lambda kinds: "+".join(kinds))
@pytest.mark.parametrize("is_chain", [True, False], ids=["chain", "tree"])
def test_elimination_of_three_hundred_bodies_equals_a_sparse_solve(kinds, is_chain):
    plant, state, wrench = random_tree(300, kinds, seed=3, chain=is_chain)
    ours, other = plant.accelerations(state, (), wrench), sparse_solution(dense_system(plant, state, (), wrench))
    assert np.abs(ours - other).max() < 1e-12 * np.abs(other).max()


def test_a_ball_chain_of_a_hundred_ellipsoids_is_solved_to_rounding():
    assert chain_residual(100) < 1e-12
    assert drift(*bent_chain(100)).largest.distance < 1e-12


@pytest.mark.parametrize(("make", "size"), [(ring, 100), (lattice, 22)], ids=["ring 100", "lattice 484"])
@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: "+".join(kinds))
def test_hundreds_of_bodies_in_loops_satisfy_equation_of_motion_and_links(make, size, kinds):
    """Both residuals vanish, which defines the accelerations; the multipliers are those of the solver."""
    plant, state, wrench = make(size, kinds, seed=1, solver="loops")
    memory = plant.solved(state, (), wrench)
    a, loads, left = memory["motion"].copy(), memory["loads"][:, 36:42], np.zeros((len(plant.bodies), 6))
    largest, gap = np.abs(a).max(), 0.0
    for i, k in enumerate(plant.topology.loop_links):
        first, second, rows = *(int(x) for x in memory["links"][i, :2]), int(memory["links"][i, 5])
        J, K, weights = memory["on_first"][i, :rows], memory["on_second"][i, :rows], memory["multipliers"][i, :rows]
        left[first] -= J.T @ weights
        left[second] -= K.T @ weights
        gap = max(gap, np.abs(J @ a[first] + K @ a[second] - memory["right"][i, :rows]).max())
        assert plant.links[k].first == plant.body_names[first]
    forces = np.abs(left).max()
    for i, (motion, load) in enumerate(zip(a, loads, strict=True)):
        left[i] += plant.bodies[i].packed.row[:36].reshape(6, 6) @ motion - load
    assert gap < 1e-12 * largest
    assert np.abs(left).max() < 1e-10 * forces


def undamped(bodies):
    """The same inertias without drag."""
    rng, found = np.random.default_rng(0), []
    for one in bodies:
        A = rng.normal(size=(6, 6)) * [1.0, 1.0, 1.0, 0.5, 0.5, 0.5]
        moments = tuples(np.diag(rng.uniform(0.5, 1.0, 3)))
        found.append(BodyModel(one.name, pack(body(float(rng.uniform(4, 15)), moments, added_mass=tuples(A.T @ A)))))
    return tuple(found)


def slow(plant, state):
    """The state with no body faster than 0.5 m/s and 0.5 rad/s."""
    rows = plant.rows(state)
    fastest = max(np.abs(row[7:13]).max() for row in rows)
    for row in rows:
        row[7:13] *= 0.5 / fastest
    return plant.project(plant.state_of(rows), 0)


@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: "+".join(kinds))
def test_chains_of_three_hundred_bodies_conserve_energy_and_impulse(kinds):
    plant, state, _ = random_tree(300, kinds, seed=2, chain=True, time_step=0.005)
    plant = plant.with_bodies(undamped(plant.bodies))
    state = slow(plant, state)
    end = plant.step(state, steps=100)
    assert kinetic_energy(plant, end) == pytest.approx(kinetic_energy(plant, state), rel=1e-9)
    before = total_impulse(plant, state)
    assert np.abs(total_impulse(plant, end) - before).max() < 1e-9 * np.abs(before).max()
    assert drift(plant, end).largest.distance < 1e-12


def test_a_moving_ball_chain_of_four_hundred_bodies_loses_energy_and_stays_joined():
    plant, state = chain(400)
    rows, rng = plant.rows(state), np.random.default_rng(1)
    for row in rows:
        row[10:13] = rng.normal(size=3) * 0.5
    state = plant.project(plant.state_of(rows), 0)
    energies = [kinetic_energy(plant, state)]
    for _ in range(10):
        state = plant.step(state, steps=20)
        energies.append(kinetic_energy(plant, state))
    assert np.all(np.diff(energies) < 0.0)
    assert drift(plant, state).largest.distance < 1e-12


def test_a_chain_of_sixty_latched_bodies_conserves_impulse_and_comes_to_rest():
    rng, n = np.random.default_rng(5), 60
    latches = [
        Link(
            f"l{i}", "latch", f"b{i}", f"b{i + 1}", (0.3, 0, 0), (-0.3, 0, 0), stiffness=(400.0, 40.0), damping=(60, 8)
        )
        for i in range(n - 1)
    ]
    plant = MultibodyPlant(undamped(tuple(random_body(f"b{i}", rng) for i in range(n))), tuple(latches), 0.005)
    rows = [np.concatenate([[0.6 * i, 0, 0], [1, 0, 0, 0], 0.1 * rng.normal(size=6)]) for i in range(n)]
    state = plant.state_of(rows)
    end = plant.step(state, steps=400)
    before = total_impulse(plant, state)
    assert np.abs(total_impulse(plant, end) - before).max() < 1e-7 * np.abs(before).max()
    assert kinetic_energy(plant, end) < kinetic_energy(plant, state)


def locked_pair(kinds, step):
    """Two bodies in fast motion, held by several links that leave them no freedom, and the same two welded."""
    rng = np.random.default_rng(1)
    bodies = random_body("a", rng), random_body("b", rng)
    x = np.concatenate([np.zeros(3), unit(rng, 4), rng.normal(size=6)])
    y = child_of(x, random_link("r", "rigid", "a", "b", rng), rng)
    links = [fitted(random_link(f"l{i}", kind, "a", "b", rng), x, y) for i, kind in enumerate(kinds)]
    welded = fitted(random_link("w", "rigid", "a", "b", rng), x, y)
    plants = (MultibodyPlant(bodies, tuple(chosen), step) for chosen in (links, [welded]))
    return *plants, [x, y], 5.0 * rng.normal(size=(2, 6))


@pytest.mark.parametrize(
    "kinds", [("slider", "slider"), ("hinge", "hinge"), ("ball", "hinge"), ("rigid", "slider", "distance")],
    ids=lambda kinds: "+".join(kinds),
)  # fmt: skip
def test_redundant_loops_in_fast_motion_are_not_refused_and_move_as_one_body(kinds):
    """At up to 1.8 rad/s, with links that agree at every pose; the error falls with the fourth power of the step."""
    errors = []
    for step in (0.02, 0.01):
        looped, welded, rows, wrench = locked_pair(kinds, step)
        state = looped.state_of(rows)
        found = counts(looped, state)
        assert found.degrees_of_freedom == 6
        assert found.redundant > 0
        ends = [plant.step(state, (), wrench, steps=round(1.0 / step)) for plant in (looped, welded)]
        errors.append(np.abs(ends[0] - ends[1]).max())
    assert errors[0] < 3e-3
    assert errors[0] / errors[1] > 12.0


def flat_parallelogram(turn):
    """Four bars with parallel hinges, the first on the ground, at an angle of the cranks to the ground."""
    rng = np.random.default_rng(0)
    bodies = random_body("ground", rng, fixed=True), *(random_body(name, rng) for name in ("crank", "rod", "rocker"))
    crank = np.array([np.cos(turn), np.sin(turn), 0.0])
    along, q = np.array([2.0, 0.0, 0.0]), np.array([np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2)])
    level, still = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6)
    places = (np.zeros(3), level), (crank / 2, q), (crank + along / 2, level), (along + crank / 2, q)
    rows = [np.concatenate([p, attitude, still]) for p, attitude in places]
    ends = (
        ("ground", "crank", (0, 0, 0), (-0.5, 0, 0)), ("crank", "rod", (0.5, 0, 0), (-1, 0, 0)),
        ("rod", "rocker", (1, 0, 0), (0.5, 0, 0)), ("rocker", "ground", (-0.5, 0, 0), (2, 0, 0)),
    )  # fmt: skip
    links = [Link(f"{a}-{b}", "hinge", a, b, p, r, axis=(0, 0, 1)) for a, b, p, r in ends]
    by_name = {one.name: row for one, row in zip(bodies, rows, strict=True)}
    links = [replace(fitted(link, by_name[link.first], by_name[link.second]), point_second=link.point_second)
             for link in links]  # fmt: skip
    plant = MultibodyPlant(bodies, tuple(links))
    return plant, plant.state_of(rows)


def test_a_loop_at_a_singular_pose_is_refused_and_one_near_it_is_not():
    torque = np.zeros((4, 6))
    torque[1, 5] = 30.0
    flat, state = flat_parallelogram(0.0)
    assert drift(flat, state).largest.distance < 1e-12
    rank = counts(flat, state).rank
    with pytest.raises(RunError, match="singular pose"):
        flat.step(state, (), torque, steps=10)
    near, state = flat_parallelogram(0.05)
    assert counts(near, state).rank == rank + 1
    end = near.step(state, (), torque, steps=10)
    assert drift(near, end).largest.distance < 1e-9


@pytest.mark.parametrize("kinds", [("ball",), ("hinge",), ("rigid",), ("distance",)], ids=lambda kinds: kinds[0])
def test_links_that_are_named_from_the_leaf_to_the_root_move_the_bodies_alike(kinds):
    plant, state, wrench = random_tree(6, kinds, seed=3, chain=True)
    x = dict(zip(plant.body_names, plant.body_states(state), strict=True))
    turned = []
    for link in plant.links:
        R, r = (np.array(rotation_matrix(tuple(x[name][3:7].tolist()))) for name in (link.second, link.first))
        axis = tuple((R.T @ r @ np.array(link.axis)).tolist())
        points = {"point_first": link.point_second, "point_second": link.point_first}
        attitude = conjugate(link.attitude)
        turned.append(replace(link, first=link.second, second=link.first, axis=axis, attitude=attitude, **points))
    other = plant.with_links(turned)
    assert drift(other, state).largest.distance < 1e-12
    theirs = other.accelerations(state, (), wrench)
    ours = plant.accelerations(state, (), wrench)
    assert np.abs(ours - theirs).max() < 1e-11 * np.abs(ours).max()
    ends = [one.step(state, (), wrench, steps=3) for one in (plant, other)]
    assert np.abs(ends[0] - ends[1]).max() < 1e-9


def test_a_chain_between_two_fixed_bodies_is_a_loop():
    rng = np.random.default_rng(4)
    names = ("left", "a", "b", "right")
    bodies = tuple(random_body(name, rng, fixed=name in ("left", "right")) for name in names)
    rows = [np.concatenate([[0.5 * i, 0.0, 0.0], [1, 0, 0, 0], np.zeros(6)]) for i in range(4)]
    ends = (0.25, 0.0, 0.0), (-0.25, 0.0, 0.0)
    links = [Link(f"l{i}", "ball", names[i], names[i + 1], *ends) for i in range(3)]
    plant = MultibodyPlant(bodies, tuple(links))
    assert len(plant.topology.loop_links) == 3
    state, wrench = plant.state_of(rows), 3.0 * rng.normal(size=(4, 6))
    a = plant.accelerations(state, (), wrench)
    assert np.array_equal(a[[0, 3]], np.zeros((2, 6)))
    for link in links:
        first, second = (a[names.index(name)] for name in (link.first, link.second))
        joined = [one[:3] + np.cross(one[3:], point) for one, point in zip((first, second), ends, strict=True)]
        assert joined[0] == pytest.approx(joined[1], abs=1e-9)


def test_the_impulse_of_an_attachment_is_the_change_of_momentum_of_its_second_body():
    rng = np.random.default_rng(6)
    plant = MultibodyPlant((random_body("a", rng), random_body("b", rng)))
    rows = [np.concatenate([rng.normal(size=3), unit(rng, 4), rng.normal(size=6)]) for _ in range(2)]
    state = plant.state_of(rows)
    made = attach(plant, state, Link("d", "rigid", "a", "b"), LatchTolerance(np.inf))
    before, after = plant.body_states(state), made.plant.body_states(made.state)
    momenta = [made.plant.inertia_of(made.state, i) @ (after - before)[i, 7:] for i in range(2)]
    assert made.impulse == pytest.approx(momenta[1], rel=1e-12)
    forces = [np.array(rotation_matrix(tuple(x[3:7].tolist()))) @ m[:3] for x, m in zip(before, momenta, strict=True)]
    assert forces[0] == pytest.approx(-forces[1], rel=1e-9)
