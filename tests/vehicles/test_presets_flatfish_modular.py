"""The FlatFish presets (Britto Neto 2018) and the bodies of the modular thesis (Nielsen 2018) against their sources."""

import math

import numpy as np
import pytest

from remora.equations.actuators.thrusters import static_thrust
from remora.equations.algebra.quaternions import product, rotation_matrix
from remora.plant import RunError, derivative, initial_state, pack, rollout
from remora.vehicles import load_vehicle, total_inertia
from remora.vehicles.checks.actuation import allocation_matrix, reachable_wrench, thrust_limits
from remora.vehicles.checks.check import check_vehicle
from remora.vehicles.checks.invariants import violations_S5
from remora.vehicles.drives import input_from_command
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import net_buoyancy

IDENTIFIED = (
    "flatfish_basin_adaptive",
    "flatfish_basin_ls",
    "flatfish_bay_adaptive",
    "flatfish_bay_ls",
    "flatfish_multidof",
)
GAZEBO = ("flatfish_gazebo", "flatfish_gazebo_physical")
FLATFISH = (*GAZEBO, *IDENTIFIED)
SPHERES = ("sphere_bare", "sphere_with_thruster", "sphere_small")
MODULAR = ("modular_case_body", *SPHERES, "bracket", "docking_vehicle")
HISTORICAL = {"flatfish_basin_ls": ["surge", "heave"], "flatfish_bay_ls": ["sway"]}
SURGE, SWAY, HEAVE, YAW = 0, 1, 2, 5

# From axes forward-left-up, as in Britto Neto 2018, to ours and back.
TURN = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])


def parameters_of(name):
    return load_vehicle(name).parameters


def diagonal(matrix):
    """The diagonal of a matrix that has nothing else."""
    array = np.array(matrix)
    np.testing.assert_array_equal(array, np.diag(np.diag(array)))
    return np.diag(array)


def others(*free):
    """All degrees of freedom but these, to be locked."""
    return tuple(name for name in DEGREES_OF_FREEDOM if name not in free)


def speed_with(forces, dof, name="flatfish_basin_adaptive", seconds=120.0):
    """Speed of one free degree of freedom after a long push with these forces of the thrusters."""
    p = parameters_of(name)
    packed = pack(p, locked=others(dof))
    commands = [math.copysign(math.sqrt(abs(f) / 6.7e-3), f) for f in forces]
    end = rollout(packed, initial_state(packed), commands, 0.05, intervals=round(20 * seconds))[-1]
    return abs(end[7 + DEGREES_OF_FREEDOM.index(dof)])


# All presets of this file.


@pytest.mark.parametrize("name", [*FLATFISH, *MODULAR])
def test_says_what_it_is_and_where_every_number_comes_from(name):
    vehicle = load_vehicle(name)
    author = "Britto Neto 2018" if name in FLATFISH else "Nielsen 2018"
    assert vehicle.name == name
    assert author in vehicle.source
    assert vehicle.title
    assert vehicle.use
    assert vehicle.notes
    for field, figure in vehicle.provenance.items():
        assert figure.source, field
    texts = [vehicle.title, vehicle.use, vehicle.notes, *(figure.source for figure in vehicle.provenance.values())]
    assert not [text for text in texts if ".md" in text or "digest" in text or "/work" in text]


@pytest.mark.parametrize("name", [*FLATFISH, *MODULAR])
def test_keeps_every_invariant_but_the_documented_one(name):
    broken = [finding.invariant for finding in check_vehicle(load_vehicle(name)) if not finding.holds]
    assert broken == (["S5"] if name in HISTORICAL else [])


# FlatFish.


@pytest.mark.parametrize(("name", "moments"), [(GAZEBO[0], (146, 36, 124)), (GAZEBO[1], (36, 146, 124))])
def test_simulation_study_has_its_printed_numbers(name, moments):
    p = parameters_of(name)
    np.testing.assert_array_equal(diagonal(p.inertia_G), moments)
    np.testing.assert_array_equal(diagonal(p.added_mass), [500, 700, 1200, 290, 300, 400])
    np.testing.assert_array_equal(diagonal(p.linear_damping), [50, 50, 50, 45, 45, 45])
    np.testing.assert_array_equal(diagonal(p.quadratic_damping), [40, 40, 40, 35, 35, 35])
    assert p.mass == 350.0
    assert net_buoyancy(p) == pytest.approx(18.0, abs=1e-9)
    assert p.p_BG == (0.0, 0.0, 0.0)
    assert p.p_BC == pytest.approx((0.0, 0.0, -0.1))


def test_simulation_study_has_the_total_inertia_of_its_author():
    np.testing.assert_allclose(
        diagonal(total_inertia(parameters_of("flatfish_gazebo"))), [850, 1050, 1550, 436, 336, 524]
    )


def test_the_simulation_study_accelerates_as_computed_by_hand():
    """Roll, pitch, yaw (0.1, -0.05, 0.7), z up, the worked vector of the complete model, to its printed digits."""
    packed = pack(parameters_of("flatfish_gazebo"))
    q = (1.0, 0.0, 0.0, 0.0)
    for axis, angle in ((3, -0.7), (2, 0.05), (1, 0.1)):  # pitch and yaw turn the other way in our axes
        turn = [math.cos(angle / 2), 0.0, 0.0, 0.0]
        turn[axis] = math.sin(angle / 2)
        q = product(q, tuple(turn))
    assert rotation_matrix(q)[2][0] == pytest.approx(-math.sin(0.05))
    twist = TURN * [0.5, -0.2, 0.1, 0.05, -0.1, 0.2]
    wrench = TURN * [40, -30, 20, 1, -2, 5]
    rate = derivative(packed, initial_state(packed, quaternion=q, twist=twist), np.zeros(6), external=wrench)
    expected = [-0.02423574, -0.08938595, 0.00031464, -0.05044023, 0.16660807, 0.0269084]
    np.testing.assert_allclose(TURN * rate[7:13], expected, atol=6e-9)


# Whole inertia, linear damping, quadratic damping of surge, sway, heave and yaw, then net buoyancy. Tables 8 and 12.
TABLES = {
    "flatfish_basin_adaptive": "763.12 1062.28 1269.13 184.43 74.77 134.86 231.06 2.36 18.03 34.05 39.88 227.92 15.59",
    "flatfish_basin_ls": "797.55 1035.16 1239.34 233.26 117.45 68.14 294.64 3.72 -381.79 335.81 -578.74 167.40 12.66",
    "flatfish_bay_adaptive": "758.66 1081.31 1381.98 304.27 94.32 147.11 218.75 11.24 27.27 51.50 39.88 236.12 33.98",
    "flatfish_bay_ls": "854.38 1061.07 1301.02 312.52 93.32 189.15 169.02 27.60 53.86 -445.32 235.29 152.43 30.59",
    "flatfish_multidof": "763.12 1062.28 1269.13 184.43 74.77 134.86 231.06 2.36 18.03 34.05 39.88 227.92 15.59",
}


@pytest.mark.parametrize("name", IDENTIFIED)
def test_identified_sets_have_their_printed_numbers(name):
    p = parameters_of(name)
    numbers = [float(word) for word in TABLES[name].split()]
    matrices = (total_inertia(p), p.linear_damping, p.quadratic_damping)
    for matrix, printed in zip(matrices, (numbers[:4], numbers[4:8], numbers[8:12]), strict=True):
        np.testing.assert_allclose(diagonal(matrix)[[SURGE, SWAY, HEAVE, YAW]], printed, rtol=1e-12)
        np.testing.assert_allclose(diagonal(matrix)[3:5], 200.0)  # placeholders of eq. 6.2 to 6.4
    assert net_buoyancy(p) == pytest.approx(numbers[12], abs=1e-9)
    assert p.mass == 275.0
    assert p.p_BG == (0.0, 0.0, 0.0)
    assert p.p_BC == pytest.approx((0.0, 0.0, -0.1))


@pytest.mark.parametrize("name", IDENTIFIED)
def test_righting_stiffness_of_identified_sets(name):
    """About 270 N m/rad, and with the placeholder inertia about 1.2 rad/s of natural frequency."""
    packed = pack(parameters_of(name))
    heel = 1e-3
    q = (math.cos(heel / 2), math.sin(heel / 2), 0.0, 0.0)
    rate = derivative(packed, initial_state(packed, quaternion=q), np.zeros(6))
    assert -200.0 * rate[10] / heel == pytest.approx(270.0, rel=0.015)
    assert math.sqrt(-rate[10] / heel) == pytest.approx(1.2, abs=0.05)


def test_rigid_body_and_added_mass_of_the_multidof_set():
    p = parameters_of("flatfish_multidof")
    np.testing.assert_allclose(diagonal(p.added_mass), [488.12, 787.28, 994.13, 169, 83, 48.43], atol=1e-9)
    length, width, height = 2.20, 1.05, 0.50
    box = 275.0 / 12.0 * np.array([width**2 + height**2, length**2 + height**2, length**2 + width**2])
    np.testing.assert_allclose(diagonal(p.inertia_G), box, atol=0.5)


@pytest.mark.parametrize(
    ("forces", "wrench"),
    [
        ((60, 60, 0, 0, 0, 0), (120, 0, 0, 0, -3.78, 2.4)),
        ((0, 0, 60, 60, 0, 0), (0, -120, 0, 0, 0, 21.75)),
        ((0, 0, 0, 0, 60, 60), (0, 0, 120, 0, 7.95, 0)),
        ((60, -60, -60, 60, 0, 0), (0, 0, 0, -3.84, 0, 140.97)),
        ((10, 20, 30, -40, 50, -60), (30, 10, -10, 2.24, -55.48, -58.245)),
    ],
)
@pytest.mark.parametrize("name", FLATFISH)
def test_thrusters_give_the_printed_configuration_matrix(name, forces, wrench):
    np.testing.assert_allclose(TURN * (allocation_matrix(parameters_of(name)) @ forces), wrench, atol=1e-12)


@pytest.mark.parametrize("name", FLATFISH)
def test_each_thruster_reaches_60_newtons_both_ways(name):
    vehicle = load_vehicle(name)
    np.testing.assert_allclose(thrust_limits(vehicle.parameters), [[-60.0, 60.0]] * 6, rtol=1e-10)
    for thruster, facts in zip(vehicle.parameters.thrusters, vehicle.thruster_facts, strict=True):
        assert thruster.command_maximum == pytest.approx(math.sqrt(60.0 / 6.7e-3), rel=1e-11)
        assert thruster.command_maximum * 30.0 / math.pi == pytest.approx(904.0, abs=0.5)  # rpm
        assert static_thrust(thruster, 50.0) == pytest.approx(6.7e-3 * 50.0**2)
        assert facts.figures["largest_force"] == 60.0
        assert facts.figures["printed_coefficient"] == 6.7e-5


@pytest.mark.parametrize("name", FLATFISH)
def test_flatfish_reach(name):
    reach = {r.name: r.most[1] for r in reachable_wrench(parameters_of(name))}
    expected = {"surge": 120, "sway": 120, "heave": 120, "roll": 3.84, "pitch": 62.55, "yaw": 140.97}
    assert reach == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", FLATFISH)
def test_flatfish_sensors(name):
    sensors = {sensor.name: sensor for sensor in load_vehicle(name).sensors}
    rates = {sensor: sensors[sensor].rate for sensor in ("dvl", "imu", "depth", "cameras")}
    assert rates == {"dvl": 4.0, "imu": 100.0, "depth": 5.0, "cameras": 25.0}
    devices = " ".join(sensor.device for sensor in sensors.values())
    for maker in ("Paroscientific", "KVH", "Rowe", "BlueView", "Gemini", "Micron", "Basler", "Picotronic", "Evologics"):
        assert maker in devices


def test_sanity_speeds_of_the_basin_set():
    assert speed_with((60, 60, 0, 0, 0, 0), "surge") == pytest.approx(1.236, abs=6e-4)
    assert speed_with((0, 0, 60, 60, 0, 0), "sway") == pytest.approx(0.748, abs=6e-4)
    assert speed_with((0, 0, 0, 0, 60, 60), "heave") == pytest.approx(0.537, abs=6e-4)
    assert speed_with((0, 0, 0, 0, -60, -60), "heave") == pytest.approx(0.421, abs=6e-4)
    assert speed_with((60, -60, -60, 60, 0, 0), "yaw") == pytest.approx(0.781, abs=6e-4)


def test_basin_surge_follows_its_closed_form():
    """60 N from rest: 0.482968 m/s after 10 s, 0.688239 m/s in the end."""
    packed = pack(parameters_of("flatfish_basin_adaptive"), locked=others("surge"))
    states = rollout(packed, initial_state(packed), np.zeros(6), 0.1, external=[60, 0, 0, 0, 0, 0], intervals=3000)
    assert states[100, 7] == pytest.approx(0.482968, abs=6e-7)
    assert states[-1, 7] == pytest.approx(0.688239, abs=6e-7)


@pytest.mark.parametrize("name", [name for name in FLATFISH if name not in HISTORICAL])
def test_the_other_sets_have_no_envelope(name):
    vehicle = load_vehicle(name)
    assert vehicle.historical is None
    assert vehicle.parameters.envelope is None


@pytest.mark.parametrize(("name", "broken"), HISTORICAL.items())
def test_historical_sets_fail_in_the_documented_degrees_of_freedom(name, broken):
    vehicle = load_vehicle(name)
    p = vehicle.parameters
    assert vehicle.historical.violates == ("S5",)
    assert [fault.about for fault in violations_S5(p)] == broken
    assert violations_S5(p, vehicle.historical.envelope) == []
    assert p.envelope == vehicle.historical.envelope
    for i, dof in enumerate(DEGREES_OF_FREEDOM):
        if dof not in broken:
            assert math.isinf(p.envelope[i])
            continue
        change = -p.linear_damping[i][i] / p.quadratic_damping[i][i]
        assert change - 1e-4 < p.envelope[i] <= change


@pytest.mark.parametrize(
    ("name", "dof", "push"),
    [("flatfish_basin_ls", "surge", 30.0), ("flatfish_basin_ls", "heave", -60.0), ("flatfish_bay_ls", "sway", 30.0)],
)
def test_a_historical_set_refuses_to_leave_its_envelope(name, dof, push):
    packed = pack(parameters_of(name))
    external = np.zeros(6)
    external[DEGREES_OF_FREEDOM.index(dof)] = push
    with pytest.raises(RunError, match=f"{dof} speed .* left the envelope"):
        rollout(packed, initial_state(packed), np.zeros(6), 0.05, external=external, intervals=4000)


@pytest.mark.parametrize(("name", "dof"), [("flatfish_basin_ls", "surge"), ("flatfish_bay_ls", "sway")])
def test_a_historical_set_runs_inside_its_envelope(name, dof):
    """A push of 5 N is balanced below the speed at which damping changes sign."""
    p = parameters_of(name)
    i = DEGREES_OF_FREEDOM.index(dof)
    external = np.zeros(6)
    external[i] = 5.0
    speeds = []
    for locked in ((), others(dof)):
        packed = pack(p, locked=locked)
        end = rollout(packed, initial_state(packed), np.zeros(6), 0.05, external=external, intervals=6000)[-1]
        speeds.append(end[7 + i])
    linear, quadratic = p.linear_damping[i][i], p.quadratic_damping[i][i]
    balance = (-linear + math.sqrt(linear**2 + 20.0 * quadratic)) / (2.0 * quadratic)
    assert balance < p.envelope[i]
    assert speeds[1] == pytest.approx(balance, rel=1e-6)
    assert speeds[0] == pytest.approx(balance, rel=0.03)  # free, it rises and leans a little


# Bodies of the modular thesis.


def test_case_body_has_its_printed_numbers():
    p = parameters_of("modular_case_body")
    np.testing.assert_allclose(diagonal(total_inertia(p)), [22.5] * 3 + [0.0015] * 3)
    np.testing.assert_array_equal(diagonal(p.linear_damping), [5, 5, 5, 0.001, 0.001, 0.001])
    np.testing.assert_array_equal(np.array(p.quadratic_damping), np.zeros((6, 6)))
    assert (p.mass, p.p_BC, p.thrusters) == (20.0, (0.0, 0.0, -0.1), ())
    assert net_buoyancy(p) == 0.0


def test_case_body_makes_the_straight_run_of_case_b():
    """Equal drag on both bodies: each goes straight under its own newton, 1.1975 m in 10 s and 5.101 m in 30 s."""
    packed = pack(parameters_of("modular_case_body"))
    states = rollout(packed, initial_state(packed), (), 0.01, external=[1, 0, 0, 0, 0, 0], intervals=3000)
    assert states[1000, 0] == pytest.approx(1.1975, abs=6e-5)
    assert states[3000, 0] == pytest.approx(5.101, abs=6e-4)
    assert states[3000, 7] == pytest.approx(0.2, rel=0.002)


def test_bare_sphere_has_its_printed_numbers():
    p = parameters_of("sphere_bare")
    np.testing.assert_array_equal(diagonal(p.added_mass), [7.06, 7.06, 7.06, 0, 0, 0])
    np.testing.assert_array_equal(diagonal(p.quadratic_damping), [3.8] * 3 + [0.0082] * 3)
    np.testing.assert_array_equal(diagonal(p.linear_damping), [0.67] * 3 + [0.048] * 3)
    assert (p.mass, p.p_BC, p.thrusters) == (14.3, (0.0, 0.0, -0.0114), ())


@pytest.mark.parametrize(("name", "tolerance"), [("sphere_bare", 2e-3), ("sphere_small", 1e-3)])
def test_added_mass_of_a_sphere_is_half_its_displacement(name, tolerance):
    vehicle = load_vehicle(name)
    p = vehicle.parameters
    displacement = p.density * math.pi / 6.0 * vehicle.figures["diameter"] ** 3
    np.testing.assert_allclose(np.diag(p.added_mass)[:3], 0.5 * displacement, rtol=tolerance)
    assert p.mass == pytest.approx(displacement, rel=0.012)
    radius = 0.5 * vehicle.figures["diameter"]
    assert p.inertia_G[0][0] == pytest.approx(0.4 * p.mass * radius**2, rel=0.03)


def test_fitted_centres_of_buoyancy_give_the_measured_list():
    """Two spheres on a rod, the second rolled by 90 degrees: equilibrium at -34.1 degrees of roll."""
    vehicle = load_vehicle("sphere_bare")
    _, y, z = vehicle.figures["fitted_center_of_buoyancy_of_second_module"]
    first, second = vehicle.parameters.p_BC, (0.0, -z, y)
    list_angle = math.atan((first[1] + second[1]) / (first[2] + second[2]))
    assert math.degrees(list_angle) == pytest.approx(-34.1, abs=0.3)
    assert vehicle.figures["fitted_quadratic_drag"] == 9.2889
    assert vehicle.figures["fitted_linear_drag"] == 0.2265


def test_sphere_with_thruster_has_its_printed_numbers_and_a_mended_inertia():
    vehicle = load_vehicle("sphere_with_thruster")
    p = vehicle.parameters
    np.testing.assert_array_equal(diagonal(p.added_mass), [6.49, 8.1, 7.41, 0.0074, 0.0317, 0.0453])
    np.testing.assert_array_equal(diagonal(p.quadratic_damping), [3.8, 18.9, 12.1, 0.0082, 0.05, 0.108])
    np.testing.assert_array_equal(diagonal(p.linear_damping), [0.61, 3, 1.9, 0.05, 0.0353, 0.0764])
    np.testing.assert_array_equal(diagonal(p.inertia_G), [0.13, 0.16, 0.16])
    assert vehicle.figures["printed_moment_about_z"] == 0.02


def test_linear_drag_of_the_sphere_is_16_percent_of_the_quadratic_one():
    p = parameters_of("sphere_with_thruster")
    quadratic, linear = np.diag(p.quadratic_damping), np.diag(p.linear_damping)
    np.testing.assert_allclose(linear[:3], 0.16 * quadratic[:3], rtol=0.02)
    assert linear[5] == pytest.approx(linear[4] / quadratic[4] * quadratic[5], rel=5e-3)


def test_the_thruster_of_the_sphere_ends_where_its_bollard_tests_did():
    vehicle = load_vehicle("sphere_with_thruster")
    figures = vehicle.thruster_facts[0].figures

    def thrust(pulse):
        return input_from_command(vehicle.parameters.pulse_drives[0], pulse, 0.0)

    assert thrust(1525.0) == pytest.approx(0.94, abs=0.005)
    assert thrust(1600.0) == pytest.approx(5.64, abs=0.005)
    assert thrust(1e6 * figures["largest_tested_pulse"]) == pytest.approx(16.3, abs=0.05)
    np.testing.assert_allclose(thrust_limits(vehicle.parameters), [[-16.3, 16.3]])
    np.testing.assert_allclose(allocation_matrix(vehicle.parameters)[:, 0], [1, 0, 0, 0, 0, 0])
    assert thrust(1524.0) == thrust(1476.0) == 0.0


def test_the_sphere_swims_straight_to_the_balance_of_thrust_and_drag():
    packed = pack(parameters_of("sphere_with_thruster"))
    end = rollout(packed, initial_state(packed), [10.0], 0.02, intervals=5000)[-1]
    assert 3.8 * end[7] ** 2 + 0.61 * end[7] == pytest.approx(10.0, rel=1e-6)
    np.testing.assert_allclose(end[1:3], 0.0, atol=1e-9)


def test_small_sphere_is_the_large_one_scaled_by_diameter():
    small, large = parameters_of("sphere_small"), parameters_of("sphere_bare")
    ratio = 0.25 / 0.30
    np.testing.assert_allclose(np.diag(small.inertia_G), np.diag(large.inertia_G) * ratio**5, rtol=2e-3)
    for field, power in (("linear_damping", 4), ("quadratic_damping", 5)):
        drag, model = diagonal(getattr(small, field)), diagonal(getattr(large, field))
        np.testing.assert_allclose(drag[:3], 0.694 * model[:3], rtol=2e-3)
        np.testing.assert_allclose(drag[3:], ratio**power * model[3:], rtol=5e-3)
    assert small.mass == 8.18
    assert small.p_BC[2] == pytest.approx(large.p_BC[2] * ratio)


def test_bracket_has_its_printed_numbers_without_the_doubtful_linear_drag():
    vehicle = load_vehicle("bracket")
    p = vehicle.parameters
    printed = [SURGE, SWAY, YAW]
    np.testing.assert_array_equal(diagonal(p.added_mass)[printed], [1.52, 0.517, 0.025])
    np.testing.assert_array_equal(diagonal(p.quadratic_damping)[printed], [17.96, 14.09, 0.11])
    np.testing.assert_array_equal(np.array(p.linear_damping), np.zeros((6, 6)))
    assert [vehicle.figures[f"printed_linear_{dof}"] for dof in ("surge", "sway", "yaw")] == [0.0, 0.26, 4.64]
    assert (p.mass, p.inertia_G[2][2], net_buoyancy(p), p.thrusters) == (2.0, 0.05, 0.0, ())


def test_docking_vehicle_is_the_planar_model_of_its_source():
    p = parameters_of("docking_vehicle")
    plane = np.ix_([SURGE, SWAY, YAW], [SURGE, SWAY, YAW])
    np.testing.assert_array_equal(np.array(total_inertia(p))[plane], np.diag([10.0, 10.0, 1.0]))
    np.testing.assert_array_equal(np.array(p.linear_damping)[plane], np.diag([30.0, 30.0, 1.0]))
    assert p.locked == ("heave", "roll", "pitch")
    assert p.simplifications == ("coriolis_off",)


def test_docking_vehicle_has_exactly_its_three_inputs():
    p = parameters_of("docking_vehicle")
    np.testing.assert_array_equal(allocation_matrix(p), np.eye(6)[:, [SURGE, SWAY, YAW]])
    reach = {r.name: r.alone for r in reachable_wrench(p)}
    assert reach == {
        "surge": (-5.0, 5.0),
        "sway": (-5.0, 5.0),
        "heave": (0.0, 0.0),
        "roll": (0.0, 0.0),
        "pitch": (0.0, 0.0),
        "yaw": (-1.5, 1.5),
    }


def test_docking_vehicle_moves_by_its_linear_equation():
    """Each speed rises by itself as u/d (1 - exp(-d t/m)); inputs beyond the limits change nothing."""
    packed = pack(parameters_of("docking_vehicle"))
    time = np.linspace(0.0, 5.0, 501)
    free = [7 + SURGE, 7 + SWAY, 7 + YAW]
    for commands in ((5.0, -5.0, 1.5), (50.0, -8.0, 1.6)):
        states = rollout(packed, initial_state(packed), commands, 0.01, intervals=500)
        expected = np.stack([
            (1 - np.exp(-3 * time)) / 6,
            (np.exp(-3 * time) - 1) / 6,
            1.5 * (1 - np.exp(-time)),
        ], axis=1)  # fmt: skip
        np.testing.assert_allclose(states[:, free], expected, atol=1e-8)
        np.testing.assert_array_equal(states[:, [2, 9, 10, 11]], 0.0)


def test_cameras_of_two_docking_vehicles_see_what_they_must_from_the_start():
    """Poses of Table 8.1: target from the first, second from the first, first from the second."""
    cameras = {sensor.name: sensor.parameters for sensor in load_vehicle("docking_vehicle").sensors}
    first, second, target = (4.0, 3.0, -0.2), (1.0, -2.0, -0.58), (6.1, 3.0)
    views = (("camera_forward", first, target), ("camera_port", first, second), ("camera_starboard", second, first))
    for (name, own, seen), expected in zip(views, (11.5, -19.5, 2.3), strict=True):
        bearing = math.atan2(seen[1] - own[1], seen[0] - own[0]) - own[2] - cameras[name]["mounting_angle"]
        off_axis = math.degrees(math.remainder(bearing, 2.0 * math.pi))
        assert off_axis == pytest.approx(expected, abs=0.06)
        assert abs(off_axis) < math.degrees(cameras[name]["half_angle"])
