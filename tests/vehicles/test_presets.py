"""The shipped vehicles: their numbers against the works they come from, and the provenance of each."""

import subprocess
import sys

import numpy as np
import pytest
from vehicle_example import EXAMPLE

from remora.equations.actuators.fins import fin_wrench
from remora.equations.actuators.thrusters import advance_speed, speed_from_command, static_thrust, thrust
from remora.equations.hull.forms.cross_flow import CROSS_FLOW
from remora.equations.types import Twist
from remora.vehicles import (
    Vehicle,
    load_vehicle,
    preset_names,
    preset_path,
    total_inertia,
    vehicle_from_text,
    with_symmetric_heave,
)
from remora.vehicles.parameters import form_records

SIGNS = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])


@pytest.fixture(scope="module")
def falcon() -> Vehicle:
    return load_vehicle("falcon")


@pytest.fixture(scope="module")
def flatfish() -> Vehicle:
    return load_vehicle("flatfish_basin_ls")


@pytest.fixture(scope="module")
def remus() -> Vehicle:
    return load_vehicle("remus100")


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_loads_by_name_and_by_path(name: str) -> None:
    vehicle = load_vehicle(name)
    assert vehicle.name == name
    assert vehicle.title
    assert vehicle.use
    assert load_vehicle(preset_path(name)).parameters == vehicle.parameters
    for field, figure in vehicle.provenance.items():
        assert figure.source.strip(), f"{name}: {field} has no source"


def test_provenance_of_the_example() -> None:
    figures = vehicle_from_text(EXAMPLE).provenance
    assert figures["body.mass"] == (14.2, "kg", "weighed in air", 0.05)
    assert figures["body.volume"] == (pytest.approx(0.0143), "litre", "worked example", None)
    assert figures["thrusters[1].limits"].value == (-40.0, 50.0)


def test_falcon_thrust(falcon: Vehicle) -> None:
    """Thrust along the axis for a command in percent and a size of the advance speed, D = 0.184 m."""
    thruster = falcon.parameters.thrusters[0]
    expected = {
        (-100, 0.0): 127.7206, (-100, 0.5): 118.7453, (-100, 1.0): 108.5955, (100, 0.0): -127.0545,
        (100, 0.5): -113.4818, (100, 1.0): -99.4748, (-50, 0.0): 14.5959, (-50, 0.3): 12.6832, (50, 0.3): -11.3369,
    }  # fmt: skip
    for (command, advance), force in expected.items():
        speed = speed_from_command(thruster.command_map, float(command))
        assert thrust(thruster, speed, advance) == pytest.approx(force, abs=5e-5)


def test_falcon_advance_speeds(falcon: Vehicle) -> None:
    twist: Twist = (0.5, -0.2, 0.1, 0.05, -0.03, 0.2)
    speeds = [advance_speed(thruster, twist) for thruster in falcon.parameters.thrusters]
    assert speeds == pytest.approx([0.338295, 0.266606, 0.463654, 0.592743, -0.099044], abs=5e-7)


def test_falcon_allocation(falcon: Vehicle) -> None:
    """Wrench of T = (69.06, 7.96, -0.42, -8.51, -4.53) N with the interference factors."""
    forces = (69.060366, 7.964862, -0.417284, -8.506635, -4.532884)
    wrench = np.zeros(6)
    for force, thruster in zip(forces, falcon.parameters.thrusters, strict=True):
        share = thruster.effectiveness_forward if force > 0 else thruster.effectiveness_reverse
        wrench += force * share * np.array(thruster.effect)
    assert np.allclose(wrench, [47.485462, 42.060368, 1.973176, 2.361033, -2.243985, 14.847486], atol=2e-6)


def test_falcon_inertia_and_heave(falcon: Vehicle) -> None:
    p = falcon.parameters
    eigenvalues = np.linalg.eigvalsh(np.array(total_inertia(p)))
    assert eigenvalues.min() == pytest.approx(20.0, abs=0.05)
    assert eigenvalues.max() == pytest.approx(594.0, abs=0.5)
    assert p.heave_up is not None
    assert p.heave_up.added_mass == pytest.approx(235.7)
    assert with_symmetric_heave(falcon).parameters.heave_up is None
    assert falcon.parameters.heave_up is not None, "the original is unchanged"
    assert p.mapped_commands
    assert falcon.parameters.drives[4].delay_ns == 40_000_000


FLATFISH_WRENCHES = {
    (60, 60, 0, 0, 0, 0): (120, 0, 0, 0, -3.78, 2.4),
    (0, 0, 60, 60, 0, 0): (0, -120, 0, 0, 0, 21.75),
    (0, 0, 0, 0, 60, 60): (0, 0, 120, 0, 7.95, 0),
    (60, -60, -60, 60, 0, 0): (0, 0, 0, -3.84, 0, 140.97),
    (10, 20, 30, -40, 50, -60): (30, 10, -10, 2.24, -55.48, -58.245),
}


@pytest.mark.parametrize("forces", FLATFISH_WRENCHES)
def test_flatfish_thrusters_in_our_axes(flatfish: Vehicle, forces: tuple[float, ...]) -> None:
    effects = np.array([thruster.effect for thruster in flatfish.parameters.thrusters]).T
    assert np.allclose(effects @ forces, SIGNS * np.array(FLATFISH_WRENCHES[forces]), atol=1e-12)


def test_flatfish_hull(flatfish: Vehicle) -> None:
    p = flatfish.parameters
    assert p.p_BC == (0.0, 0.0, -0.1), "above G, which is a negative z in our axes"
    assert (p.displaced_mass - p.mass) * p.gravity == pytest.approx(12.66)
    assert np.allclose(np.diag(p.added_mass), (522.55, 760.16, 964.34, 169, 83, 97.26))
    assert flatfish.historical is not None
    assert static_thrust(p.thrusters[0], p.thrusters[0].command_maximum) == pytest.approx(60.0, abs=0.05)


def test_remus_speed_and_fins(remus: Vehicle) -> None:
    p = remus.parameters
    force = static_thrust(p.thrusters[0], p.thrusters[0].command_maximum)
    assert force == pytest.approx(3.86, rel=1e-6)
    assert force * p.thrusters[0].effect[3] == pytest.approx(-0.543, abs=1e-3)
    assert np.sqrt(force / p.quadratic_damping[0][0]) == pytest.approx(1.54, abs=0.01)
    rudder = fin_wrench(p.fins[0], 0.1, (1.5, 0.3, 0.0, 0.0, 0.0, 0.0))
    assert rudder[1] == pytest.approx(9.64 * 1.5**2 * 0.1, rel=1e-4)
    assert rudder[5] == pytest.approx(-6.15 * 1.5**2 * 0.1, rel=1e-3)
    stern = fin_wrench(p.fins[1], 0.1, (1.5, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert stern[2] == pytest.approx(-9.64 * 1.5**2 * 0.1, rel=1e-4)
    assert stern[4] == pytest.approx(-6.15 * 1.5**2 * 0.1, rel=1e-3)
    assert sum(strip.sideways for strip in form_records(p, CROSS_FLOW)) == pytest.approx(131.0)


def test_importing_the_room_is_cheap() -> None:
    heavy = "numba matplotlib pydantic ruamel numpy scipy"
    code = f"import sys, remora.vehicles; print([m for m in '{heavy}'.split() if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"
    code = "import sys; from remora.vehicles import load_vehicle; load_vehicle('falcon'); print('numba' in sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "False"


def test_a_number_from_the_defaults_of_thrusters_keeps_their_source():
    provenance = load_vehicle("falcon").provenance
    assert "eq. 3.1" in provenance["thrusters[0].thrust_coefficients.forward"].source
    assert "Table 3.1" in provenance["thrusters[0].position"].source
    assert "13 kgf" in provenance["thrusters[0].diameter"].source
