"""Linked bodies: tree and loop solver against textbook forms, invariants S4, T15 and T16, attachment, bad input."""

import numpy as np
import pytest

from linked_bodies import ALL_KINDS, lattice, random_body, random_link, random_tree, ring, rotation, unit
from remora.equations.algebra.kinematics import twist_transform
from remora.equations.algebra.quaternions import conjugate, product, rotation_matrix
from remora.plant import RunError, pack
from remora.plant.multibody import (
    BodyModel,
    LatchTolerance,
    Link,
    LinkError,
    MultibodyPlant,
    attach,
    closed,
    counts,
    drift,
    fitted,
    kinetic_energy,
    reactions,
    total_impulse,
    weld,
)
from remora.plant.multibody.textbook import FORMULATIONS, dense_system, least_constraint, null_space, udwadia_kalaba
from remora.plant.plant import Plant
from remora.vehicles import load_vehicle
from sample_vehicles import body, tuples


def relative_error(ours, theirs):
    return np.abs(ours - theirs).max() / np.abs(theirs).max()


@pytest.mark.parametrize("kinds", [*((kind,) for kind in ALL_KINDS), ALL_KINDS], ids=lambda kinds: "+".join(kinds))
def test_tree_elimination_equals_the_textbook_forms_at_thirty_bodies(kinds):
    plant, state, wrench = random_tree(30, kinds, seed=3)
    ours, system = plant.accelerations(state, (), wrench), dense_system(plant, state, (), wrench)
    for name, form in FORMULATIONS.items():
        assert relative_error(ours, form(*system).reshape(-1, 6)) < 1e-12, name


@pytest.mark.parametrize(
    "kinds", [*((kind,) for kind in ALL_KINDS), ALL_KINDS, ("hinge", "slider")], ids=lambda kinds: "+".join(kinds)
)
@pytest.mark.parametrize(
    ("make", "size", "bodies"), [(ring, 4, 4), (ring, 10, 10), (lattice, 7, 49)], ids=["ring 4", "ring 10", "lattice"]
)
def test_loop_solver_equals_the_textbook_forms(make, size, bodies, kinds):
    plant, state, wrench = make(size, kinds, seed=1, solver="loops")
    ours, system = plant.accelerations(state, (), wrench), dense_system(plant, state, (), wrench)
    assert len(plant.topology.loop_bodies) == bodies
    for form in (udwadia_kalaba, null_space, least_constraint):
        assert relative_error(ours, form(*system).reshape(-1, 6)) < 1e-11


def test_redundancy_of_a_lattice_is_reported():
    plant, state, _ = lattice(7, "rigid", solver="loops")
    found = counts(plant, state)
    assert (found.rows, found.rank, found.redundant, found.degrees_of_freedom, found.differential_index) == (
        504,
        288,
        216,
        6,
        3,
    )


def test_degrees_of_freedom_of_small_systems():
    rng = np.random.default_rng(0)
    bodies = (random_body("a", rng), random_body("b", rng))
    freedoms = {"rigid": 6, "ball": 9, "hinge": 7, "slider": 7, "distance": 11, "latch": 12}
    for kind, expected in freedoms.items():
        link = Link("l", kind, "a", "b", point_second=(1.0, 0.0, 0.0), length=1.0, stiffness=(1.0, 1.0))
        plant = MultibodyPlant(bodies, (link,))
        found = counts(plant, plant.state_of())
        assert found.degrees_of_freedom == expected
        assert found.differential_index == (0 if kind == "latch" else 3)


def test_redundancy_of_a_ring_of_hinges_is_that_of_parallel_axes():
    """Five rows each; parallel axes move in a plane, so that three of the rows of the loop are redundant."""
    plant, state, _ = ring(4, "hinge", solver="loops")
    found = counts(plant, state)
    assert (found.rows, found.redundant, found.degrees_of_freedom) == (20, 3, 7)


def test_rigid_loops_are_one_body_by_default_and_move_alike():
    plant, state, wrench = lattice(3, "rigid", seed=2)
    dense = lattice(3, "rigid", seed=2, solver="loops")[0]
    assert len(plant.topology.surplus) == 4
    assert not plant.topology.loop_links
    assert plant.clusters == (plant.body_names,)
    assert relative_error(plant.accelerations(state, (), wrench), dense.accelerations(state, (), wrench)) < 1e-11


def test_rows_are_the_derivatives_of_the_residuals():
    """Residuals change by the rows times a small motion, for every kind, by central differences."""
    from remora.equations.links.joint import POSITION
    from remora.plant.multibody.textbook import constraint_rows

    for kind in ALL_KINDS:
        plant, state, _ = random_tree(2, (kind,), seed=4)
        x, h = plant.body_states(state), 1e-6
        J, _ = constraint_rows(plant, x)
        for column in range(12):
            residuals = []
            for sign in (1.0, -1.0):
                moved = x.copy()
                b, axis = divmod(column, 6)
                small = np.zeros(6)
                small[axis] = sign * h
                moved[b, :3] += rotation(x[b, 3:7]) @ small[:3]
                moved[b, 3:7] = product(tuple(x[b, 3:7]), (1.0, *(0.5 * small[3:])))
                residuals.append(-constraint_rows(plant, moved, POSITION)[1])
            slope = (residuals[0] - residuals[1]) / (2.0 * h)
            assert slope == pytest.approx(J[:, column], abs=2e-8), (kind, column)


def test_accelerations_keep_the_residuals_at_rest_to_second_order():
    """Without projection, links drift with the fifth power of the step, so halving it divides the drift by over 16."""
    gaps = []
    for step in (0.01, 0.005):
        plant, state, wrench = random_tree(5, ALL_KINDS, seed=6, time_step=step, projection=0)
        gaps.append(drift(plant, plant.step(state, (), wrench, steps=round(0.5 / step))).largest.distance)
    assert gaps[0] / gaps[1] > 12.0


def test_a_body_without_links_moves_as_alone():
    vehicle = load_vehicle("bluerov2_heavy")
    single, packed = Plant(vehicle), pack(vehicle.parameters)
    plant = MultibodyPlant((BodyModel("a", packed), BodyModel("b", packed)), time_step=0.01)
    start = single.initial_state(twist=(0.3, 0.1, -0.1, 0.1, 0.2, 0.3))
    commands, water = np.linspace(-3.0, 3.0, packed.actuators), (0.2, -0.1, 0.05)
    state = plant.state_of([start, start])
    for _ in range(20):
        state = plant.step(state, np.tile(commands, 2), water=water)
        start = single.step(start, commands, 0.01, water=water)
    for row in plant.rows(state):
        assert row == pytest.approx(start, rel=1e-12, abs=1e-14)


def two_modules(rng, linear_only):
    """Two different modules with added mass; quadratic drag unless linear only."""
    found = []
    for name in ("a", "b"):
        A = rng.normal(size=(6, 6))
        drag = np.zeros((6, 6)) if linear_only else np.diag(rng.uniform(1.0, 20.0, 6))
        parameters = body(
            float(rng.uniform(5, 15)), tuples(np.diag(rng.uniform(0.3, 0.5, 3))), p_BC=(0.0, 0.0, -0.02),
            added_mass=tuples(A @ A.T), linear_damping=tuples(np.diag(rng.uniform(1, 5, 6))),
            quadratic_damping=tuples(drag),
        )  # fmt: skip
        found.append(BodyModel(name, pack(parameters)))
    return tuple(found)


def test_T15_two_docked_modules_are_one_rigid_body():
    """Against the summed inertia and matrices of one body (linear drag), 10 s, 1e-8 m."""
    rng = np.random.default_rng(5)
    bodies = two_modules(rng, linear_only=True)
    q, r = unit(rng, 4), np.array([0.1, 0.7, -0.2])
    start = np.concatenate([np.zeros(3), [1, 0, 0, 0], rng.normal(size=6) * 0.3])
    H = np.array(twist_transform(tuple(r), rotation_matrix(tuple(q))))
    other = np.concatenate([r, q, H @ start[7:]])
    plant = MultibodyPlant(bodies, (weld("w", "a", "b", start, other, (0.0, 0.3, 0.0)),))
    state, wrench = plant.state_of([start, other]), np.zeros((2, 6))
    wrench[0] = [3, -2, 1, 0.2, -0.3, 0.4]
    whole = composite_vehicle(bodies, H, r, q)
    single = whole.initial_state(twist=start[7:])
    for _ in range(1000):
        state = plant.step(state, (), wrench)
        single = whole.step(single, (), 0.01, external=wrench[0])
    assert plant.rows(state)[0][:3] == pytest.approx(single[:3], abs=1e-8)
    assert abs(np.dot(plant.rows(state)[0][3:7], single[3:7])) == pytest.approx(1.0, abs=1e-12)


class CompositePlant:
    """One packed body, stepped as a plant."""

    def __init__(self, packed):
        self.plant = MultibodyPlant((BodyModel("whole", packed),))

    def initial_state(self, twist):
        return self.plant.state_of([np.concatenate([np.zeros(3), [1, 0, 0, 0], twist])])

    def step(self, state, commands, interval, external):
        return self.plant.step(state, commands, external[None])


def composite_vehicle(bodies, H, r, q):
    """Summed parameters of two modules about the first."""
    rows = [one.packed.row for one in bodies]
    M = [row[:36].reshape(6, 6) for row in rows]
    packed = bodies[0].packed
    total = M[0] + H.T @ M[1] @ H
    row = packed.row.copy()
    for start, values in ((0, total), (36, np.linalg.inv(total)), (72, total)):
        row[start : start + 36] = values.ravel()
    D = [one[108:144].reshape(6, 6) for one in rows]
    row[108:144] = (D[0] + H.T @ D[1] @ H).ravel()
    from remora.equations.packed import BODY_START

    masses = [one[BODY_START] for one in rows]
    R = np.array(rotation_matrix(tuple(q)))
    row[BODY_START : BODY_START + 2] = sum(masses)
    for k in (2, 5):
        centres = [rows[0][BODY_START + k : BODY_START + k + 3], r + R @ rows[1][BODY_START + k : BODY_START + k + 3]]
        row[BODY_START + k : BODY_START + k + 3] = np.average(centres, axis=0, weights=masses)
    return CompositePlant(packed._replace(row=row))


def test_T16_docking_and_undocking_conserve_the_impulse_and_never_add_energy():
    rng = np.random.default_rng(8)
    bodies = (random_body("a", rng), random_body("b", rng))
    for kind in ALL_KINDS * 4:
        plant = MultibodyPlant(bodies)
        rows = [np.concatenate([rng.normal(size=3), unit(rng, 4), rng.normal(size=6)]) for _ in range(2)]
        state = plant.state_of(rows)
        link = fitted(random_link("dock", kind, "a", "b", rng), *rows)
        joined = plant.with_links((link,))
        after = joined.project(state, 0)
        before = total_impulse(plant, state)
        assert np.abs(total_impulse(joined, after) - before).max() < 1e-12 * np.abs(before).max()
        assert kinetic_energy(joined, after) <= kinetic_energy(plant, state) * (1.0 + 1e-14)
        assert drift(joined, after).largest.speed < 1e-12
        loss = kinetic_energy(plant, state) - kinetic_energy(joined, after)
        change = joined.body_states(after)[:, 7:] - plant.body_states(state)[:, 7:]
        inertias = [joined.inertia_of(after, i) for i in range(2)]
        half = 0.5 * sum(one @ M @ one for one, M in zip(change, inertias, strict=True))
        assert loss == pytest.approx(half, rel=1e-9, abs=1e-12)
        assert np.array_equal(joined.detach("dock").state_of(joined.rows(after)), after)


def test_T16_drift_is_bounded_and_internal_forces_cancel():
    plant, state, wrench = random_tree(4, ALL_KINDS, seed=9, projection=10)
    for _ in range(20):
        state = plant.step(state, (), 0.5 * wrench, steps=50)
    left = drift(plant, state).largest
    assert left.distance < 1e-9
    assert left.angle < 1e-8
    found = reactions(plant, state, (), wrench)
    total = np.zeros(3)
    for i, row in enumerate(plant.body_states(state)):
        needed = plant.inertia_of(state, i) @ plant.accelerations(state, (), wrench)[i]
        total += rotation(row[3:7]) @ (needed - plant.solved(state, (), wrench)["loads"][i, 36:42])[:3]
    assert np.abs(total).max() < 1e-9 * max(1.0, np.abs(found).max())


@pytest.mark.parametrize("solver", ["auto", "loops"])
def test_reactions_hold_the_second_body(solver):
    """Inertia times acceleration of a leaf is its force plus the wrench of its link."""
    make = {
        "auto": lambda: random_tree(2, ("hinge",), seed=2),
        "loops": lambda: ring(4, "rigid", seed=2, solver="loops"),
    }
    plant, state, wrench = make[solver]()
    found = reactions(plant, state, (), wrench)
    x, a = plant.body_states(state), plant.accelerations(state, (), wrench)
    loads = plant.solved(state, (), wrench)["loads"].copy()
    for i in range(len(x)):
        total = loads[i, 36:42].copy()
        for link, w in zip(plant.links, found, strict=True):
            at = np.array(link.point_second)
            if link.second == plant.body_names[i]:
                total += np.concatenate([w[:3], w[3:] + np.cross(at, w[:3])])
            elif link.first == plant.body_names[i]:
                j = plant.body_names.index(link.second)
                R = rotation(x[i, 3:7]).T @ rotation(x[j, 3:7])
                arm = rotation(x[i, 3:7]).T @ (x[j, :3] + rotation(x[j, 3:7]) @ at - x[i, :3])
                force = -R @ w[:3]
                total += np.concatenate([force, -R @ w[3:] + np.cross(arm, force)])
        assert plant.inertia_of(state, i) @ a[i] == pytest.approx(total, rel=1e-8, abs=1e-7)


def coriolis_matrix(M, twist):
    p = M @ twist
    S = lambda v: np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])  # noqa: E731
    return np.block([[np.zeros((3, 3)), -S(p[:3])], [-S(p[:3]), -S(p[3:])]])


def test_S4_rate_of_the_inertia_minus_twice_the_coriolis_matrix_is_skew():
    """In the coordinates of a hinge: body twist of the first and the rate of the joint."""
    rng = np.random.default_rng(3)
    bodies = (random_body("a", rng), random_body("b", rng))
    M = [one.packed.row[:36].reshape(6, 6) for one in bodies]
    link = random_link("l", "hinge", "a", "b", rng)
    axis, q0 = np.array(link.axis), np.array(link.attitude)

    def basis(angle):
        own = rotation(q0).T @ axis
        turned = product(tuple(q0), (np.cos(angle / 2), *(np.sin(angle / 2) * own)))
        R = rotation(turned)
        arm = np.array(link.point_first) - R @ np.array(link.point_second)
        H = np.array(twist_transform(tuple(arm), rotation_matrix(tuple(turned))))
        w = R.T @ axis
        return H, np.concatenate([-np.cross(w, np.array(link.point_second)), w])

    def maps(angle):
        H, s = basis(angle)
        return np.eye(6, 7), np.column_stack([H, s])

    def inertia(angle):
        return sum(G.T @ one @ G for G, one in zip(maps(angle), M, strict=True))

    angle, u, h = 0.7, rng.normal(size=7), 1e-3
    slope = lambda f: (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)  # noqa: E731
    rate = u[6] * slope(lambda d: inertia(angle + d))
    C = np.zeros((7, 7))
    for k, one in enumerate(M):
        G = maps(angle)[k]
        turning = u[6] * slope(lambda d, k=k: maps(angle + d)[k])
        C += G.T @ (one @ turning + coriolis_matrix(one, G @ u) @ G)
    N = rate - 2.0 * C
    assert np.abs(N + N.T).max() < 1e-9 * np.abs(C).max()


def test_a_latch_pulls_bodies_together_and_loses_energy():
    rng = np.random.default_rng(1)
    bodies = (random_body("a", rng), random_body("b", rng))
    latch = Link("l", "latch", "a", "b", (0.3, 0, 0), (-0.3, 0, 0), stiffness=(400.0, 40.0), damping=(60.0, 8.0))
    plant = MultibodyPlant(bodies, (latch,), time_step=0.005)
    rows = [np.eye(1, 13, 3)[0] for _ in range(2)]
    rows[1][:3] = (0.65, 0.03, 0.0)
    state = plant.state_of(rows)
    before = total_impulse(plant, state)
    first = plant.step(state)
    assert reactions(plant, state)[0][:3] == pytest.approx([-20.0, -12.0, 0.0], abs=1e-9)
    assert np.abs(total_impulse(plant, first)[:2] - before[:2]).max() < 0.02
    rows[1][3:7] = unit(rng, 4)
    turned = plant.state_of(rows)
    pulls = plant.solved(turned)["loads"][:, 36:42] - plant.with_links(()).solved(turned)["loads"][:, 36:42]
    total = np.zeros(6)
    for row, pull in zip(rows, pulls, strict=True):
        force = rotation(row[3:7]) @ pull[:3]
        total += np.concatenate([force, rotation(row[3:7]) @ pull[3:] + np.cross(row[:3], force)])
    assert np.abs(total).max() < 1e-10 * np.abs(pulls).max()
    from remora.plant.multibody.link_reports import mismatch_of

    x = plant.body_states(plant.step(state, steps=1000))
    assert mismatch_of(latch, x[0], x[1]).distance < 0.01


def test_baumgarte_removes_a_gap_as_a_critically_damped_oscillator():
    """Gap and attitude error fall by (1 + 5 t) exp(-5 t) with alpha = beta = 5 / s."""
    rng = np.random.default_rng(3)
    bodies = (random_body("a", rng), random_body("b", rng))
    link = Link("l", "rigid", "a", "b", (0.0, 0.3, 0.0), (0.0, -0.3, 0.0))
    plant = MultibodyPlant(bodies, (link,), projection=0, stabilisation=(5.0, 5.0))
    rows = [np.eye(1, 13, 3)[0] for _ in range(2)]
    rows[1][:3], rows[1][3:7] = (0.0, 0.613, 0.0), (np.cos(0.01), 0.0, 0.0, np.sin(0.01))
    state = plant.state_of(rows)
    start, end = drift(plant, state).largest, drift(plant, plant.step(state, steps=100)).largest
    left = 6.0 * np.exp(-5.0)
    assert end.distance == pytest.approx(left * start.distance, rel=0.02)
    assert end.angle == pytest.approx(left * start.angle, rel=0.02)


def test_a_fixed_body_does_not_move_and_holds_a_pendulum():
    rng = np.random.default_rng(2)
    bodies = (random_body("dock", rng, fixed=True), random_body("arm", rng))
    plant = MultibodyPlant(bodies, (Link("h", "hinge", "dock", "arm", point_second=(0, 0, -0.5), axis=(1, 0, 0)),))
    rows = [np.eye(1, 13, 3)[0] for _ in range(2)]
    rows[1][2] = 0.5
    state = plant.state_of(rows)
    end = plant.step(state, (), np.array([[0.0] * 6, [0, 5.0, 0, 0, 0, 0]]), steps=50)
    assert np.array_equal(plant.rows(end)[0], rows[0])
    assert abs(plant.rows(end)[1][1]) > 1e-3
    assert drift(plant, end).largest.distance < 1e-12
    assert counts(plant, state).degrees_of_freedom == 1


def test_bad_links_are_refused_and_the_state_is_unchanged():
    rng = np.random.default_rng(4)
    bodies = (random_body("a", rng), random_body("b", rng), random_body("c", rng))
    with pytest.raises(LinkError, match="joins 'a' to itself"):
        Link("l", "rigid", "a", "a")
    with pytest.raises(LinkError, match="there is no body 'x'"):
        MultibodyPlant(bodies, (Link("l", "rigid", "a", "x"),))
    with pytest.raises(LinkError, match="two have the same name"):
        MultibodyPlant(bodies, (Link("l", "rigid", "a", "b"), Link("l", "ball", "b", "c")))
    with pytest.raises(LinkError, match="kind is 'weld'"):
        Link("l", "weld", "a", "b")
    plant = MultibodyPlant(bodies)
    state = plant.state_of([np.array([i, 0, 0, 1, 0, 0, 0, *[0.0] * 6]) for i in range(3)])
    kept = state.copy()
    with pytest.raises(LinkError, match=r"the latch catches up to 0\.05 m"):
        attach(plant, state, Link("d", "rigid", "a", "b"), LatchTolerance(0.05))
    short = [Link(str(i), "distance", *pair, length=length) for i, (pair, length) in enumerate(
        ((("a", "b"), 1.0), (("b", "c"), 1.0), (("c", "a"), 3.0)))]  # fmt: skip
    with pytest.raises(LinkError, match="cannot close"):
        closed(plant.with_links(short), state)
    assert np.array_equal(state, kept)
    with pytest.raises(LinkError, match="too fast for a step"):
        MultibodyPlant(bodies, (Link("l", "latch", "a", "b", stiffness=(1e9, 1.0)),))
    with pytest.raises(LinkError, match="there is no link 'q'"):
        plant.detach("q")


def test_attachment_welds_at_the_current_pose_or_removes_the_error():
    rng = np.random.default_rng(6)
    plant = MultibodyPlant((random_body("a", rng), random_body("b", rng)))
    rows = [np.eye(1, 13, 3)[0] for _ in range(2)]
    rows[1][:3], rows[1][7] = (0.62, 0.01, 0.0), -0.05
    state, port = plant.state_of(rows), Link("d", "rigid", "a", "b", (0.3, 0, 0), (-0.3, 0, 0))
    caught = attach(plant, state, port, LatchTolerance(0.05, 0.1, 0.1))
    assert caught.mismatch.distance == pytest.approx(np.hypot(0.02, 0.01))
    assert np.array_equal(caught.plant.body_states(caught.state)[:, :7], plant.body_states(state)[:, :7])
    assert caught.energy_lost > 0.0
    pulled = attach(plant, state, port, LatchTolerance(0.05), as_it_is=False)
    assert drift(pulled.plant, pulled.state).largest.distance < 1e-12
    assert pulled.plant.links == (port,)


def test_a_body_outside_its_envelope_is_named():
    rng = np.random.default_rng(6)
    fast = body(5.0, tuples(np.eye(3)), envelope=(0.1, 9.0, 9.0, 9.0, 9.0, 9.0))
    plant = MultibodyPlant((random_body("a", rng), BodyModel("b", pack(fast))))
    wrench = np.zeros((2, 6))
    wrench[1, 0] = 50.0
    with pytest.raises(RunError) as error:
        plant.step(plant.state_of(), (), wrench, steps=10)
    assert error.value.vehicle == 1


def test_same_step_gives_the_same_numbers_and_keeps_its_arguments():
    plant, state, wrench = random_tree(6, ALL_KINDS, seed=1)
    kept = state.copy(), wrench.copy()
    first, second = plant.step(state, (), wrench, steps=7), plant.step(state, (), wrench, steps=7)
    assert np.array_equal(first, second)
    assert np.array_equal(state, kept[0])
    assert np.array_equal(wrench, kept[1])
    assert np.array_equal(first, plant.step(plant.step(state, (), wrench, steps=3), (), wrench, steps=4))


def test_general_vehicles_in_sheared_water_are_joined_too():
    vehicle = load_vehicle("bluerov2_heavy")
    packed = pack(vehicle.parameters)
    start, other = np.eye(1, 13, 3)[0], np.eye(1, 13, 3)[0]
    other[1] = 0.6
    link = weld("w", "a", "b", start, other, (0.0, 0.3, 0.0))
    plant = MultibodyPlant((BodyModel("a", packed), BodyModel("b", packed)), (link,))
    sheared = np.zeros(10)
    sheared[:3], sheared[3:6] = (0.3, 0.0, 0.0), (0.1, 0.0, 0.0)
    state = plant.state_of([start, other])
    commands = np.full(plant.commands, 1.0)
    calm = plant.step(state, commands, steps=100)
    drifting = plant.step(state, commands, water=np.tile(sheared, (2, 1)), steps=100)
    assert drift(plant, drifting).largest.distance < 1e-12
    assert not np.allclose(calm, drifting)


def test_quaternions_of_links_are_those_of_the_second_in_the_first():
    rng = np.random.default_rng(7)
    a, b = (np.concatenate([rng.normal(size=3), unit(rng, 4), np.zeros(6)]) for _ in range(2))
    link = weld("w", "a", "b", a, b, (0.1, 0.2, 0.3))
    assert link.attitude == pytest.approx(product(conjugate(tuple(a[3:7])), tuple(b[3:7])))
    assert b[:3] + rotation(b[3:7]) @ link.point_second == pytest.approx(a[:3] + rotation(a[3:7]) @ [0.1, 0.2, 0.3])
