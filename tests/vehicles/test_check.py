"""`check_vehicle` judges S1 to S3 and S5 to S9, each able to fail, and says what the vehicle can do."""

import json

import numpy as np
import pytest

from remora.equations.actuators.thrusters import OUTPUT_IS_FORCE
from remora.plant import derivative, initial_state, pack
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.checks.actuation import allocation_matrix, rank, reachable_wrench, thrust_limits
from remora.vehicles.checks.check import (
    added_mass_ratios,
    check_allocation,
    check_coriolis,
    check_restoring,
    check_vehicle,
    minus_gradient,
)
from remora.vehicles.checks.report import report_data, report_lines, undocumented
from remora.vehicles.parameters import total_inertia
from sample_vehicles import glider


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_sound_or_fails_as_documented(name):
    vehicle = load_vehicle(name)
    findings = check_vehicle(vehicle)
    assert [f.invariant for f in findings] == ["S1", "S2", "S3", "S5", "S6", "S7", "S8", "S9"]
    assert undocumented(vehicle, findings) == []
    failed = {f.invariant for f in findings if not f.holds}
    assert failed == (set(vehicle.historical.violates) if vehicle.historical else set())


@pytest.mark.parametrize("name", [n for n in preset_names() if load_vehicle(n).parameters.thrusters])
def test_allocation_matrix_is_the_derivative_of_the_actuator_wrench(name):
    """Invariant S7, through the compiled plant: inertia times the change of acceleration per newton of thrust."""
    vehicle = load_vehicle(name)
    parameters = vehicle.parameters._replace(locked=(), heave_up=None)
    packed = pack(parameters._replace(fins=(), fin_names=(), thrust_law=0, mapped_commands=False))
    inertia = np.array(total_inertia(parameters))
    for i, thruster in enumerate(parameters.thrusters):
        at = []
        for force in (20.0, 10.0):
            outputs = np.zeros(len(parameters.thrusters))
            outputs[i] = force
            state = initial_state(packed, outputs=outputs)
            at.append(derivative(packed, state, outputs)[7:13])
        column = inertia @ (at[0] - at[1]) / 10.0 / thruster.effectiveness_forward
        np.testing.assert_allclose(column, allocation_matrix(parameters)[:, i], atol=1e-9)


@pytest.mark.parametrize("angles", [(0.0, 0.0), (0.7, -0.4), (-1.5, 1.0)])
def test_allocation_matrix_at_servo_angles_is_the_derivative_of_the_actuator_wrench(angles):
    """Invariant S7 for thrusters on servos: inertia times the change of acceleration per newton of thrust."""
    parameters = glider()._replace(
        fins=(),
        fin_names=(),
        moving_masses=(),
        moving_mass_names=(),
        motors=(),
        quadrants=(),
        thrust_law=OUTPUT_IS_FORCE,
    )
    packed, inertia = pack(parameters), np.array(total_inertia(parameters))
    matrix = allocation_matrix(parameters, angles)
    for i in range(3):
        at = []
        for force in (20.0, 10.0):
            outputs = np.array([0.0, 0.0, 0.0, *angles])
            outputs[i] = force
            at.append(derivative(packed, initial_state(packed, outputs=outputs), outputs)[7:13])
        np.testing.assert_allclose(inertia @ (at[0] - at[1]) / 10.0, matrix[:, i], rtol=0, atol=1e-9)
    np.testing.assert_array_equal(matrix[:, 0], parameters.thrusters[0].effect)
    assert angles == (0.0, 0.0) or np.abs(matrix - allocation_matrix(parameters)).max() > 0.3
    with pytest.raises(ValueError, match="give 2, one per servo"):
        allocation_matrix(parameters, [0.1])


def test_a_fault_in_damping_is_seen():
    falcon = load_vehicle("falcon")
    linear = [list(row) for row in falcon.parameters.linear_damping]
    linear[5][5] = -3.5
    broken = falcon.parameters._replace(linear_damping=tuple(map(tuple, linear)))
    finding = next(f for f in check_vehicle(_with(falcon, broken)) if f.invariant == "S5")
    assert not finding.holds
    assert "yaw" in finding.text


def test_an_asymmetric_added_mass_and_a_moment_too_large_are_seen():
    falcon = load_vehicle("falcon")
    added = [list(row) for row in falcon.parameters.added_mass]
    added[3][1] += 1.0
    broken = falcon.parameters._replace(
        added_mass=tuple(map(tuple, added)), inertia_G=((40.0, 0.0, 0.0), (0.0, 15.0, 0.0), (0.0, 0.0, 13.0))
    )
    findings = {f.invariant: f for f in check_vehicle(_with(falcon, broken))}
    assert not findings["S2"].holds
    assert "symmetric" in findings["S2"].text
    assert not findings["S1"].holds
    assert "triangle" in findings["S1"].text


def test_the_checks_of_the_equations_can_fail(monkeypatch):
    """Were Coriolis or restoring written wrongly, S3 and S6 would say so."""
    import remora.vehicles.checks.check as module

    parameters = load_vehicle("falcon").parameters
    monkeypatch.setattr(module, "coriolis_wrench", lambda inertia, twist: twist)
    assert not check_coriolis(parameters).holds
    monkeypatch.setattr(module, "minus_gradient", lambda body, q: 1.01 * minus_gradient(body, q))
    assert not check_restoring(parameters).holds


def test_reach_of_falcon():
    """Bollard thrust 127.7 N forward and 127.1 N reverse per thruster (Proctor 2014, with a propeller of 0.184 m)."""
    parameters = load_vehicle("falcon").parameters
    thrust = thrust_limits(parameters) / [
        [t.effectiveness_reverse, t.effectiveness_forward] for t in parameters.thrusters
    ]
    np.testing.assert_allclose(thrust, [[-127.0545, 127.7206]] * 5, atol=1e-4)
    reach = {r.name: r for r in reachable_wrench(parameters)}
    assert reach["surge"].most[1] == pytest.approx(0.87 * 421.7, abs=0.2)
    assert rank(parameters) == 5
    for r in reach.values():
        assert r.most[0] <= r.alone[0] <= 0.0 <= r.alone[1] <= r.most[1]


def test_what_thrusters_cannot_reach_is_named():
    words = check_allocation(load_vehicle("remus100").parameters).text
    assert "rank 1" in words
    assert "out of reach: sway, heave, pitch, yaw" in words


def test_added_mass_ratios_of_the_flatfish_simulation():
    """Britto Neto 2018: 1.43, 2.00, 3.43, 1.99, 8.33, 3.23."""
    ratios = list(added_mass_ratios(load_vehicle("flatfish_gazebo").parameters).values())
    np.testing.assert_allclose(ratios, [1.43, 2.00, 3.43, 1.99, 8.33, 3.23], atol=0.005)


def test_report_says_what_people_want_to_know():
    sound, lines = report_lines(load_vehicle("falcon"))
    text = "\n".join(lines)
    assert sound
    assert "net buoyancy: 1.96 N up" in text
    assert "roll +1.71 deg, pitch -0.60 deg" in text
    assert "roll 4.10 s, pitch 4.95 s" in text
    assert "reachable wrench" in text


def test_historical_report_repeats_the_documented_reason():
    sound, lines = report_lines(load_vehicle("flatfish_basin_ls"))
    assert not sound
    assert "documented reason" in lines[-1]
    assert report_data(load_vehicle("flatfish_basin_ls"))["sound"] is False


@pytest.mark.parametrize("name", preset_names())
def test_numbers_for_programs_are_strict_json(name):
    data = json.loads(json.dumps(report_data(load_vehicle(name)), allow_nan=False))
    assert data["name"] == name


def _with(vehicle, parameters):
    from dataclasses import replace

    return replace(vehicle, parameters=parameters)


def test_fins_are_named_with_their_limits_and_the_wrench_that_they_give_under_way():
    vehicle = load_vehicle("remus100")
    parameters, lines = vehicle.parameters, report_lines(vehicle)[1]
    assert parameters.fins
    for name, fin in zip(parameters.fin_names, parameters.fins, strict=True):
        limit = np.degrees(fin.deflection_limit)
        assert any(line.startswith(f"fin {name}: {-limit:.4g} to {limit:.4g} deg") for line in lines)
    # The compiled plant at 1 m/s: what full deflection of every fin changes, in the degree of freedom that fins turn.
    packed, inertia = pack(parameters._replace(locked=(), heave_up=None)), np.array(total_inertia(parameters))
    thrusters, reach = len(parameters.thrusters), report_data(vehicle)["fin_wrench"]
    twist = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    best = np.zeros(2)
    for i, fin in enumerate(parameters.fins):
        at = []
        for angle in (0.0, fin.deflection_limit, -fin.deflection_limit):
            outputs = np.zeros(thrusters + len(parameters.fins))
            outputs[thrusters + i] = angle
            state = initial_state(packed, twist=twist, outputs=outputs)
            at.append(inertia @ derivative(packed, state, outputs)[7:13])
        ends = np.array([0.0, at[1][4] - at[0][4], at[2][4] - at[0][4]])
        best += (ends.min(), ends.max())
    assert reach["pitch"] == pytest.approx(best.tolist(), rel=1e-6)
    assert any(line.startswith("  pitch") and f"{best[1]:8.2f} N m" in line for line in lines)


def test_a_vehicle_without_fins_has_no_line_of_them():
    assert not [line for line in report_lines(load_vehicle("falcon"))[1] if "fin" in line.split()]
