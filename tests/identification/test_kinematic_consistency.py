"""A speed column in a wrong unit: the integral contradicts depth or heading, or the added mass is implausible."""

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.identification.data.record import Record, record_from_arrays
from remora.identification.diagnostics.kinematic_consistency import kinematic_contradictions
from remora.identification.warnings import unlikely_added_mass
from remora.vehicles import load_vehicle


def _diving(heave: float = 1.0, yaw: float = 1.0, noise: float = 0.0) -> Record:
    """Dives and turns with exact kinematics, its speeds times factors, noise in m/s, rad/s and m."""
    time = np.arange(0.0, 120.0, 0.1)
    depth, heading = 5.0 + 1.5 * np.sin(0.15 * time), 0.9 * np.sin(0.2 * time)
    pitch = 0.3 * np.sin(0.1 * time)
    rng, size = np.random.default_rng(4), len(time)
    down, surge = 1.5 * 0.15 * np.cos(0.15 * time), np.full(size, 0.4)
    twist = np.zeros((size, 6))
    twist[:, 0] = surge
    twist[:, 2] = heave * ((down + np.sin(pitch) * surge) / np.cos(pitch) + noise * rng.standard_normal(size))
    # Rates in body axes at zero roll: the turn of the heading about the vertical, and the pitch rate.
    turn = 0.9 * 0.2 * np.cos(0.2 * time)
    twist[:, 3], twist[:, 5] = -np.sin(pitch) * turn, yaw * np.cos(pitch) * turn
    twist[:, 4] = 0.03 * np.cos(0.1 * time)
    position = np.column_stack([np.full(size, np.nan)] * 2 + [depth + noise * rng.standard_normal(size)])
    attitude = np.column_stack(from_euler_zyx(np.zeros(size), pitch, heading))  # type: ignore[arg-type]
    return record_from_arrays(time, twist, position=position, quaternion=attitude, source="dive.csv")


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_consistent_record_has_no_contradiction(noise: float) -> None:
    assert kinematic_contradictions(_diving(noise=noise)) == []


def test_speed_column_in_mm_s_that_is_cm_s_is_named_with_its_factor() -> None:
    (found,) = kinematic_contradictions(_diving(heave=0.1, noise=0.005))
    assert found.startswith("dive.csv: depth changes 10 times as much as the integral of heave")
    assert "between mm/s and cm/s" in found


def test_yaw_rate_in_another_unit_is_named() -> None:
    (found,) = kinematic_contradictions(_diving(yaw=0.5))
    assert "yaw angle changes 2 times as much as the integral of yaw:" in found


def test_depth_against_heave_is_named() -> None:
    (found,) = kinematic_contradictions(_diving(heave=-1.0))
    assert "depth changes against heave" in found


def test_depth_hold_says_nothing() -> None:
    record = _diving()
    rng = np.random.default_rng(5)
    held = record_from_arrays(
        record.time_ns, 0.01 * rng.standard_normal((len(record), 6)),
        position=np.column_stack([np.full(len(record), np.nan)] * 2 + [0.01 * rng.standard_normal(len(record))]),
    )  # fmt: skip
    assert kinematic_contradictions(held) == []


def test_added_mass_of_many_displaced_masses_is_a_doubt_unless_the_start_has_it() -> None:
    start = load_vehicle("bluerov2").parameters
    values = np.array([20.0 * start.displaced_mass, 4.5 * start.displaced_mass])
    (found,) = unlikely_added_mass(["added_mass.heave", "added_mass.sway"], values, start)
    assert found.startswith("added_mass.heave is 20 times the displaced mass")
    plate = [list(row) for row in start.added_mass]
    plate[2][2] = 15.0 * start.displaced_mass
    known = start._replace(added_mass=tuple(tuple(row) for row in plate))  # type: ignore[arg-type]
    assert unlikely_added_mass(["added_mass.heave"], values[:1], known) == []
