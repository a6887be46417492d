"""The speeds above which the Munk moment tips a vehicle: against the Coriolis wrench itself, and in `remora check`."""

import math

import pytest

from remora.equations.algebra.kinematics import down_in_body, to_body
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.hull.inertia import coriolis_wrench
from remora.equations.hull.restoring import restoring_wrench
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.checks.hydrostatics import trim_attitude
from remora.vehicles.checks.munk import munk_speeds
from remora.vehicles.checks.report import report_data, report_lines
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import total_inertia

SMALL = 1e-4  # rad


def tilting_moment(name: str, course: int, tilt: int, speed: float) -> float:
    """Slope of the moment of water, weight and buoyancy over a tilt, on a course through N, N m/rad."""
    p = load_vehicle(name).parameters
    trim = trim_attitude(p)
    assert trim is not None
    plain = [[total_inertia(p)[i][k] if i == k else 0.0 for k in range(6)] for i in range(6)]
    inertia = tuple(tuple(row) for row in plain)
    moments = []
    for angle in (SMALL, -SMALL):
        angles = [trim.roll, trim.pitch]
        angles[tilt - 3] += angle
        q = from_euler_zyx(*angles, 0.0)
        level = from_euler_zyx(*(angle if k == tilt - 3 else 0.0 for k in range(2)), 0.0)
        twist = (*to_body(level, tuple(speed if k == course else 0.0 for k in range(3))), 0.0, 0.0, 0.0)
        weight = restoring_wrench(p.mass, p.displaced_mass, p.p_BG, p.p_BC, p.gravity, down_in_body(q))
        moments.append(weight[tilt] - coriolis_wrench(inertia, twist)[tilt])
    return (moments[0] - moments[1]) / (2.0 * SMALL)


@pytest.mark.parametrize("name", ["bluerov2_heavy", "bluerov2", "vita1", "remus100"])
def test_the_moment_turns_its_sign_at_the_speed(name: str) -> None:
    found = munk_speeds(load_vehicle(name).parameters)
    assert found
    for course, tilt, speed in found:
        axes = DEGREES_OF_FREEDOM.index(course), DEGREES_OF_FREEDOM.index(tilt)
        righting = tilting_moment(name, *axes, 0.0)
        assert righting < 0.0
        assert tilting_moment(name, *axes, speed) == pytest.approx(0.0, abs=2e-3 * abs(righting))


def test_check_says_above_which_speed_the_munk_moment_exceeds_the_righting_moment() -> None:
    _, lines = report_lines(load_vehicle("bluerov2_heavy"))
    told = next(line for line in lines if "Munk" in line)
    assert "in surge above 0.33 m/s (pitch), in sway above 0.34 m/s (roll)" in told
    assert report_data(load_vehicle("bluerov2_heavy"))["munk_speeds"][0]["course"] == "surge"
    _, lines = report_lines(load_vehicle("modular_case_body"))  # as much water on every axis
    assert not any("Munk" in line for line in lines)


def test_only_tilts_that_the_model_leaves_free_are_listed() -> None:
    for name in preset_names():
        p = load_vehicle(name).parameters
        for one in munk_speeds(p):
            assert not {one.course, one.tilt} & {*p.locked}
            assert math.isfinite(one.speed)
