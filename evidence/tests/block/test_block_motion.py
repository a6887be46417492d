"""The block's motion: the verification list of Gava et al. 2022, seen through the outputs of the block."""

import numpy as np
import pytest
from block_samples import (
    MOVING,
    OFF_CENTRE,
    REFERENCES,
    START,
    WATER,
    S,
    bare,
    bracket,
    changed,
    go,
    path,
    rotation,
    terms,
    vita1,
)

from remora.equations.algebra.kinematics import inertia_about_B
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.hull.inertia import inertia_about_G
from remora.plant import dormand_prince
from remora_evidence.simu2vita_block.block import BlockInputs
from remora_evidence.simu2vita_block.parameters import tuples

FREE = {"gravity": 0.0, "linear_damping": np.zeros(6), "nonlinear_damping": np.zeros(6)}
INERTIA_G = np.array([[0.26, 0.01, -0.02], [0.01, 0.23, 0.015], [-0.02, 0.015, 0.37]])
MASS = 13.5


def inertia_B(p_BG, inertia_G=INERTIA_G):
    """Equation 12."""
    return inertia_G - MASS * S(p_BG) @ S(p_BG)


def full_added_mass(rng):
    """Any symmetric positive matrix of the right size."""
    root = rng.normal(size=(6, 6))
    scale = np.diag(np.sqrt([6.0, 7.0, 18.0, 0.2, 0.15, 0.2]))
    return scale @ (np.eye(6) + 0.1 * root @ root.T) @ scale


@pytest.mark.parametrize("seed", range(10))
def test_coriolis_matrices_are_skew_and_are_what_the_block_feels(seed):
    rng = np.random.default_rng(seed)
    p_BG, nu = rng.normal(scale=0.1, size=3), rng.normal(size=6)
    block = bare(
        center_of_gravity=p_BG, inertia=inertia_B(p_BG), added_mass=full_added_mass(rng), initial_velocity=nu, **FREE
    )
    t = terms(block.dynamics, START, nu, np.zeros(6))
    assert np.abs(t.C + t.C.T).max() < 1e-14
    assert np.abs(t.Ca + t.Ca.T).max() < 1e-14
    force = block.outputs(block.initial(), BlockInputs()).vehicle_resultant_forces
    assert force == pytest.approx(-(t.C + t.Ca) @ nu, abs=1e-12 * np.abs(t.C).max() + 1e-11)
    assert abs(nu @ force) < 1e-11


def test_munk_moment_turns_the_bow_away():
    block = bare(initial_velocity=(1.0, 0.5, 0.0, 0.0, 0.0, 0.0), **FREE)
    force = block.outputs(block.initial(), BlockInputs()).vehicle_resultant_forces
    assert force[5] == pytest.approx(-(7.12 - 6.36) * 0.5, abs=1e-14)  # -0.38 N m


def test_galilean_invariance():
    """A uniform current only adds its own way to the path: unforced, off-centre G, 20 s, below 1e-8 m."""
    still = bare(center_of_gravity=OFF_CENTRE, inertia=inertia_B(OFF_CENTRE, np.diag([0.26, 0.23, 0.37])),
                 initial_velocity=MOVING)  # fmt: skip
    in_body = rotation(still.initial().body_and_actuators[3:7]).T @ WATER
    over_ground = np.array(MOVING) + np.concatenate([in_body, np.zeros(3)])
    _, first = go(changed(still, maximum_step=5e-3), 20.0, 0.1)
    _, second = go(changed(still, maximum_step=5e-3, dynamics={"initial_velocity": over_ground}), 20.0, 0.1,
                   current_velocity=WATER)  # fmt: skip
    times = 0.1 * np.arange(len(first))
    assert np.abs(path(second) - path(first) - times[:, None] * WATER).max() < 1e-8
    assert np.abs([a.eta[3:] - b.eta[3:] for a, b in zip(first, second, strict=True)]).max() < 1e-8
    assert max(np.abs(o.nu[3:]).max() for o in first) > 0.3


def test_free_decay_never_gains_energy():
    tab = {"center_of_gravity": OFF_CENTRE, "inertia": inertia_B(OFF_CENTRE), "volume": 0.0138}
    block = bare(**tab, initial_velocity=2.0 * np.array(MOVING))
    _, shown = go(block, 10.0, 0.01)
    tab, energies = block.dynamics, []
    for o in shown:
        t, R = terms(tab, o.eta, o.nu, np.zeros(6)), rotation(o.eta[3:])
        depths = [(o.eta[:3] + R @ np.array(p))[2] for p in (tab.center_of_gravity, tab.center_of_buoyancy)]
        potential = -tab.mass * tab.gravity * depths[0] + tab.density * tab.volume * tab.gravity * depths[1]
        energies.append(0.5 * o.nu @ (t.M + t.Ma) @ o.nu + potential)
    assert np.diff(energies).max() < 1e-9
    assert energies[0] - energies[-1] > 1.0


def test_neutral_trimmed_vehicle_stays_at_rest():
    block = bare(initial_pose=(3.0, 1.0, -1.0, *from_euler_zyx(0.0, 0.0, 0.7)))
    _, shown = go(block, 60.0, 1.0)
    assert np.abs(path(shown) - (3.0, 1.0, -1.0)).max() < 1e-12
    assert np.abs([o.nu for o in shown]).max() < 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_restoring_wrench_against_euler_angles(seed):
    """Fossen's closed form with roll, pitch and yaw, for any G and C."""
    rng = np.random.default_rng(seed)
    (xg, yg, zg), (xb, yb, zb) = G, C = rng.normal(scale=0.1, size=(2, 3))
    roll, pitch, yaw = rng.uniform(-1.4, 1.4, size=3)
    block = bare(
        center_of_gravity=G, center_of_buoyancy=C, inertia=inertia_B(G), volume=0.0141,
        initial_pose=(0.0, 0.0, 5.0, *from_euler_zyx(roll, pitch, yaw)),
    )  # fmt: skip
    W, B = 13.5 * 9.81, 1000.0 * 0.0141 * 9.81
    s, c, t, k = np.sin(roll), np.cos(roll), np.sin(pitch), np.cos(pitch)
    x, y, z = xg * W - xb * B, yg * W - yb * B, zg * W - zb * B
    g = [(W - B) * t, -(W - B) * k * s, -(W - B) * k * c, -y * k * c + z * k * s, z * t + x * k * c, -x * k * s - y * t]
    force = block.outputs(block.initial(), BlockInputs()).vehicle_resultant_forces
    assert force == pytest.approx(-np.array(g), abs=1e-11)


def test_quaternion_keeps_its_length():
    block = bare(initial_velocity=(0.5, 0.0, 0.0, 3.0, -2.0, 4.0), **FREE)
    _, shown = go(block, 60.0, 0.1)
    assert np.abs([np.linalg.norm(o.eta[3:]) - 1.0 for o in shown]).max() < 1e-12
    assert min(o.eta[3] for o in shown) >= 0.0  # the sign that logs keep
    assert max(abs(o.eta[3:] @ o.eta_dot[3:]) for o in shown) < 1e-12


def test_inertia_is_converted_both_ways():
    """Unit wrenches at rest show the inverse of the total inertia, with the moments about B as they were typed in."""
    block = bare(center_of_gravity=OFF_CENTRE, inertia=inertia_B(OFF_CENTRE), gravity=0.0)
    at_rest = block.initial()
    rates = [block.outputs(at_rest, BlockInputs(external_forces=unit)).nu_dot for unit in np.eye(6)]
    t = terms(block.dynamics, START, np.zeros(6), np.zeros(6))
    assert np.linalg.inv(np.array(rates).T) == pytest.approx(t.M + t.Ma, abs=1e-12)
    back = inertia_about_G(MASS, OFF_CENTRE, tuples(inertia_B(OFF_CENTRE)))
    assert np.array(back) == pytest.approx(INERTIA_G, abs=1e-15)


def test_motion_does_not_depend_on_the_origin():
    """One body described about two origins: the same path of the first, driven, in a current, without damping."""
    p_BS = np.array([0.15, -0.08, 0.11])  # of the first origin, seen from the second
    undamped = {"linear_damping": np.zeros(6), "nonlinear_damping": np.zeros(6), "water_current": WATER}
    plain = vita1(
        center_of_gravity=OFF_CENTRE, inertia=inertia_B(OFF_CENTRE), initial_velocity=MOVING, volume=0.0136, **undamped
    )
    tab, identity = plain.dynamics, tuples(np.eye(3))
    R = rotation(plain.initial().body_and_actuators[3:7])
    H, G = np.array(plain.allocation.matrix), np.array(OFF_CENTRE) + p_BS
    v = np.array(MOVING)
    moved = changed(plain, allocation={"matrix": np.vstack([H[:3], H[3:] + S(p_BS) @ H[:3]])}, dynamics={
        "center_of_gravity": G, "center_of_buoyancy": np.array(tab.center_of_buoyancy) + p_BS,
        "inertia": inertia_B(G), "added_mass": inertia_about_B(tab.added_mass, tuples(p_BS), identity),
        "initial_pose": (*(np.array(START[:3]) - R @ p_BS), *START[3:]),
        "initial_velocity": np.concatenate([v[:3] - np.cross(v[3:], p_BS), v[3:]]),
    })  # fmt: skip
    u = np.array(REFERENCES) / 10.0
    _, first = go(plain, 10.0, 0.1, u_input=u)
    _, second = go(moved, 10.0, 0.1, u_input=u)
    of_S = np.array([o.eta[:3] + rotation(o.eta[3:]) @ p_BS for o in second])
    assert np.abs(of_S - path(first)).max() < 1e-8
    assert np.abs(path(first)[-1] - path(first)[0]).max() > 1.0


@pytest.mark.parametrize("frame", ["world", "body"])
def test_unforced_vehicle_drifts_with_the_current(frame):
    block = changed(bare(linear_damping=(13.7, 20.0, 33.0, 0.3, 0.8, 0.3)), current_frame=frame)
    _, shown = go(block, 60.0, 0.1, current_velocity=WATER)
    relative = np.array([np.linalg.norm((o.nu - o.current_velocity)[:3]) for o in shown])
    assert relative[0] > 0.3
    assert relative[-1] < 1e-8
    if frame == "world":
        assert shown[-1].eta_dot[:3] == pytest.approx(WATER, abs=1e-8)
    else:
        assert shown[-1].current_velocity[:3] == pytest.approx(WATER, abs=1e-15)


def test_adaptive_and_fixed_steps_agree():
    """RK4 at 1 ms, Dormand-Prince with a longest step of 1 ms, and with tolerances alone."""
    fixed = vita1(initial_velocity=MOVING)
    ends = []
    for options in (
        {},
        {"method": dormand_prince(1e-6, 1e-6)},
        {"method": dormand_prince(1e-10, 1e-10), "maximum_step": 0.05},
    ):
        _, shown = go(changed(fixed, **options), 10.0, 0.05, u_input=REFERENCES, current_velocity=WATER)
        ends.append(np.concatenate([shown[-1].eta, shown[-1].nu]))
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)
    assert ends[2] == pytest.approx(ends[0], abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_resultant_is_the_right_hand_side_of_equation_19(seed):
    rng = np.random.default_rng(seed)
    p_BG = rng.normal(scale=0.05, size=3)
    own = {"added_mass": full_added_mass(rng), "volume": 0.0137, "initial_velocity": rng.normal(size=6)}
    block = vita1(center_of_gravity=p_BG, inertia=inertia_B(p_BG), **own)
    push = rng.normal(size=6)
    _, shown = go(block, 1.0, 0.1, u_input=REFERENCES, external_forces=push, current_velocity=WATER)
    for o in shown:
        t = terms(block.dynamics, o.eta, o.nu, o.current_velocity)
        assert o.vehicle_resultant_forces == pytest.approx((t.M + t.Ma) @ o.nu_dot, abs=1e-10)
        assert o.vehicle_resultant_forces == pytest.approx(bracket(block.dynamics, o), abs=1e-10)
        assert o.tau == pytest.approx(o.tau_input + push, abs=1e-13)
        assert o.tau_input == pytest.approx(np.array(block.allocation.matrix) @ o.actuator_output, abs=1e-13)
        assert o.eta_dot[:3] == pytest.approx(rotation(o.eta[3:]) @ o.nu[:3], abs=1e-13)


def test_vehicle_rights_itself():
    """S2V-07: nothing acts; roll and pitch die out within 10 s, the yaw stays (reference 14.158 deg)."""
    _, shown = go(vita1(), 30.0, 0.1, u_input=np.zeros(8))
    angles = np.degrees([to_euler_zyx(tuple(o.eta[3:])) for o in shown])
    tilted = np.abs(angles[:, :2]).max(axis=1) > 0.1
    assert 0.1 * np.flatnonzero(tilted)[-1] == pytest.approx(4.9, abs=0.15)
    assert angles[0, 2] == pytest.approx(14.163, abs=1e-3)
    assert angles[-1, 2] == pytest.approx(14.158, abs=1e-3)
