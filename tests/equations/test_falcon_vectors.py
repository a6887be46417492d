"""Numbers of the Falcon ROV (Proctor 2014, with its misprints corrected), to all digits given."""

import numpy as np
import pytest

from remora.equations.actuators.propulsion import thrusters_wrench
from remora.equations.actuators.response import actuator_target
from remora.equations.actuators.thrusters import advance_speed, speed_from_command, thrust
from remora.equations.algebra.kinematics import down_in_body
from remora.equations.algebra.quaternions import normalize
from remora.equations.algebra.vectors import add6, matvec6
from remora.equations.hull.forms.form import records_wrench
from remora.equations.hull.forms.rising_heave import RISING_HEAVE
from remora.equations.hull.forms.six_matrices import SIX_MATRICES
from remora.equations.hull.forms.table import records_of
from remora.equations.hull.inertia import coriolis_wrench, heave_asymmetry_wrench, heave_mass_change
from remora.equations.motion import hull_damping_wrench, hull_restoring_wrench
from remora.equations.packed import heave_asymmetry_at, hull_at, thruster_at, thrusters_start
from remora.equations.plant import twist_rate
from remora.plant import pack
from remora.vehicles.hull_forces import hull_forces
from sample_vehicles import FALCON_COMMANDS, falcon, tuples

TWIST = (0.5, -0.2, 0.1, 0.05, -0.03, 0.2)
Q_NB = normalize((0.9, 0.1, -0.05, 0.3))
COMMANDS = (-80.0, -40.0, 20.0, 50.0, 30.0)


def as_printed():
    """The printed vectors use damping rounded to one digit in heave."""
    rounded = np.array(falcon().quadratic_damping)
    rounded[2, 2] = 265.6
    return falcon()._replace(quadratic_damping=tuples(rounded), heave_up=falcon().heave_up._replace(linear_damping=6.2))


PACKED = pack(as_printed())
ROW = PACKED.row.tolist()
HULL, ASYMMETRY = hull_at(ROW), heave_asymmetry_at(ROW)
THRUSTERS = [thruster_at(ROW, thrusters_start(PACKED.layout) + 37 * i) for i in range(5)]


def assert_printed(found, printed):
    """Equal to the printed numbers, six digits behind the point."""
    np.testing.assert_allclose(found, printed, rtol=0, atol=0.51e-6)


@pytest.mark.parametrize(
    ("command", "speed"),
    [
        (-80, -74.343916), (-30, -19.859130), (30, 19.523370), (80, 74.896461), (-100, -97.909156), (100, 97.735201),
    ],
)  # fmt: skip
def test_speed_from_command(command, speed):
    assert_printed(speed_from_command(FALCON_COMMANDS, float(command)), speed)


@pytest.mark.parametrize(
    ("command", "advance", "printed"),
    [
        (-100, 0.0, 127.7206), (-100, 0.5, 118.7453), (-100, 1.0, 108.5955),
        (100, 0.0, -127.0545), (100, 0.5, -113.4818), (100, 1.0, -99.4748),
        (-50, 0.0, 14.5959), (-50, 0.3, 12.6832), (50, 0.3, -11.3369),
    ],
)  # fmt: skip
def test_thrust_table(command, advance, printed):
    speed = actuator_target(ROW, PACKED.layout, 0, float(command))
    assert thrust(THRUSTERS[0], speed, advance) == pytest.approx(printed, abs=0.51e-4)
    assert thrust(THRUSTERS[0], speed, -advance) == pytest.approx(printed, abs=0.51e-4)  # only the size counts


def test_heave_mass_between_its_two_directions():
    mass = HULL.inertia[2][2] + heave_mass_change(ASYMMETRY, TWIST[2])
    assert mass == pytest.approx(498.9933, abs=0.51e-4)


def test_coriolis():
    found = add6(coriolis_wrench(HULL.coriolis_inertia, TWIST), heave_asymmetry_wrench(ASYMMETRY, TWIST))
    assert_printed(found, (22.45902, 25.956833, -1.72123, 3.536534, -9.892766, -31.69815))


def test_damping():
    found, forces = hull_damping_wrench(HULL, TWIST), hull_forces(as_printed())
    for form in (SIX_MATRICES, RISING_HEAVE):
        found = add6(found, records_wrench(form, records_of(forces, form), TWIST))
    assert_printed(found, (73.775, -27.312, 2.655962, 2.96, -4.37591, 3.776))


def test_restoring():
    found = np.negative(hull_restoring_wrench(HULL, down_in_body(Q_NB)))
    assert_printed(found, (0.322521, 0.322521, 1.908247, 6.634658, -7.554872, 0.155529))


def test_thrust_under_way():
    advances = [advance_speed(t, TWIST) for t in THRUSTERS]
    assert_printed(advances, (0.338295, 0.266606, 0.463654, 0.592743, -0.099044))
    speeds = [actuator_target(ROW, PACKED.layout, i, c) for i, c in enumerate(COMMANDS)]
    forces = [thrust(t, n, v) for t, n, v in zip(THRUSTERS, speeds, advances, strict=True)]
    assert_printed(forces, (69.060366, 7.964862, -0.417284, -8.506635, -4.532884))
    wrench = thrusters_wrench(ROW, PACKED.layout, speeds, TWIST)
    assert_printed(wrench, (47.485462, 42.060368, 1.973176, 2.361033, -2.243985, 14.847486))


def test_acceleration():
    """With the symmetric partners of the couplings, and the rank-one update of the heave mass."""
    speeds = [actuator_target(ROW, PACKED.layout, i, c) for i, c in enumerate(COMMANDS)]
    found = twist_rate(ROW, PACKED.layout, Q_NB, TWIST, speeds, (0.0,) * 3, (0.0,) * 6)
    assert_printed(found, (-0.142142, 0.055151, -0.001743, -0.455154, 0.572526, 1.469452))


def test_inertia_is_positive_with_both_partners():
    """Eigenvalues from 20.0 to 594 while sinking."""
    sinking = pack(falcon()._replace(heave_up=None))
    eigenvalues = np.linalg.eigvalsh(np.array(hull_at(sinking.row.tolist()).inertia))
    assert eigenvalues.min() == pytest.approx(20.0, abs=0.05)
    assert eigenvalues.max() == pytest.approx(594, abs=0.5)
    identity = [matvec6(HULL.inverse_inertia, tuples(column)) for column in np.array(HULL.inertia).T]
    np.testing.assert_allclose(identity, np.eye(6), atol=1e-13)
