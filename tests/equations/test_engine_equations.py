"""What an engine is given: power and energy are the same in its axes and ours, and a dry body is left alone."""

import casadi
import numpy as np
import pytest

from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import normalize, rotation_matrix
from remora.equations.algebra.vectors import ZERO6
from remora.equations.engine import (
    direct_wrench,
    inertia_to_engine,
    to_engine,
    twist_from_engine,
    wrench_for_added_inertia,
    wrench_from_engine,
)
from remora.equations.motion import hull_wrench
from remora.equations.packed import hull_at
from remora.equations.plant import twist_rate
from remora.interop.dry_body import dry
from remora.plant import pack
from remora.vehicles.parameters import total_inertia
from remora_evidence.benchmarks.vehicle import full_vehicle

RANDOM = np.random.default_rng(5)
Q_EB, Q_FB = (normalize(tuple(RANDOM.standard_normal(4))) for _ in range(2))
TWIST, WRENCH = tuple(RANDOM.standard_normal(6)), tuple(RANDOM.standard_normal(6))
STILL = (0.0, 0.0, 0.0)


def test_power_is_the_same_in_both_axes():
    speeds = to_engine(Q_EB, Q_FB, TWIST)
    assert twist_from_engine(Q_EB, Q_FB, speeds[:3], speeds[3:]) == pytest.approx(TWIST, abs=1e-14)
    assert np.dot(speeds, to_engine(Q_EB, Q_FB, WRENCH)) == pytest.approx(np.dot(TWIST, WRENCH), rel=1e-13)


def test_energy_is_the_same_in_both_axes():
    M, speeds = np.array(total_inertia(full_vehicle())), np.array(to_engine(Q_EB, Q_FB, TWIST))
    turned = np.array(inertia_to_engine(Q_EB, Q_FB, total_inertia(full_vehicle())))
    assert speeds @ turned @ speeds == pytest.approx(np.array(TWIST) @ M @ TWIST, rel=1e-13)
    np.testing.assert_allclose(turned, turned.T, atol=1e-12)


def test_a_push_at_a_place_does_the_work_of_its_wrench():
    p_BS, R = np.array([0.3, -0.2, 0.5]), np.array(rotation_matrix(Q_EB))
    v, w = R @ (np.array(TWIST[:3]) + np.cross(TWIST[3:], p_BS)), R @ np.array(TWIST[3:])
    wrench = wrench_from_engine(Q_EB, tuple(p_BS), WRENCH)
    assert np.dot(wrench, TWIST) == pytest.approx(np.dot(WRENCH, [*v, *w]), rel=1e-13)


def test_an_engine_with_a_dry_body_is_given_nothing():
    packed = pack(dry(full_vehicle()))
    given = direct_wrench(packed.row, packed.layout, hull_at(packed.row), Q_EB, TWIST, (), STILL, WRENCH)
    assert given == pytest.approx(ZERO6, abs=1e-9)


def test_both_engines_accelerate_as_the_vehicle_in_water():
    """M_e a = direct + e, and M_e a + M_A (a + (w x v, 0)) = enlarged + e, with e the engine's own efforts."""
    vehicle, outputs = full_vehicle(), (30.0,) * 6
    packed, engine = pack(vehicle), hull_at(pack(dry(vehicle)).row)
    moving = (Q_EB, TWIST, outputs, (0.2, 0.1, -0.3))
    direct = direct_wrench(packed.row, packed.layout, engine, *moving, ZERO6)
    enlarged = wrench_for_added_inertia(packed.row, packed.layout, engine, vehicle.added_mass, *moving)
    M, M_A = np.array(vehicle.rigid_body_inertia), np.array(vehicle.added_mass)
    own = np.array(hull_wrench(engine, TWIST, down_in_body(Q_EB)))
    turned = M_A @ np.concatenate([np.cross(TWIST[3:], TWIST[:3]), np.zeros(3)])
    wanted = twist_rate(packed.row, packed.layout, *moving, ZERO6)
    assert np.linalg.solve(M, direct + own) == pytest.approx(wanted, rel=1e-10)
    assert np.linalg.solve(M + M_A, enlarged + own - turned) == pytest.approx(wanted, rel=1e-10)


def test_symbols_give_the_same_wrench():
    packed = pack(full_vehicle())
    engine = hull_at(pack(dry(full_vehicle())).row)
    symbols = casadi.SX.sym("twist", 6)
    wrench = direct_wrench(
        packed.row, packed.layout, engine, Q_EB, tuple(casadi.vertsplit(symbols)), (30.0,) * 6, STILL, WRENCH
    )
    found = casadi.Function("wrench", [symbols], [casadi.vertcat(*wrench)])(casadi.DM(TWIST))
    plain = direct_wrench(packed.row, packed.layout, engine, Q_EB, TWIST, (30.0,) * 6, STILL, WRENCH)
    np.testing.assert_allclose(np.array(found).ravel(), plain, rtol=1e-12)
