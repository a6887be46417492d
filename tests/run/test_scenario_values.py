"""Scenario files give exactly the numbers that stand in them."""

import math

import numpy as np
import pytest
from scenario_example import EXAMPLE

from remora.messages.part import Role
from remora.plant.methods import METHODS
from remora.run.plant.disturbances import ConstantWrench, PulsedWrench, SinusoidalWrench, StochasticWrench
from remora.scenarios import read_scenario, scenario_from_text, scenario_names, scenario_path
from remora.sensors.errors.streams import Stream
from remora.vehicles import load_vehicle, preset_path
from remora.vehicles.variants.other_water import in_water
from remora.vehicles.variants.scatter import Spread, scattered
from remora.world import Horseshoe

DEGREE = math.pi / 180.0


@pytest.fixture(scope="module")
def setup():
    return scenario_from_text(EXAMPLE)


def test_times_seed_and_method(setup):
    assert (setup.name, setup.duration_ns, setup.step_ns) == ("everything", 120_000_000_000, 5_000_000)
    assert (setup.seed, setup.log_period_ns) == (7, 100_000_000)
    assert setup.method is METHODS["heun"]
    assert setup.notes == {"title": "A run with nearly every key", "scenario": "text"}


def test_world(setup):
    world = setup.environment
    assert (world.density, world.gravity, world.sound_speed) == (1010.0, 9.8, 1480.0)
    assert world.at(0, (0.0, 0.0, 5.0)).velocity == pytest.approx((0.1, 0.0, -0.1))
    assert (world.surface_depth, world.scene.bed.depth) == (-1.0, 20.0)
    assert world.magnetic_field == pytest.approx((2e-5, 1e-6, 4e-5))
    assert world.origin == pytest.approx((-12.5 * DEGREE, 38.0 * DEGREE, 3.0))
    assert world.points == {"buoy": (1.0, 2.0, 3.0)}
    (tunnel,) = world.scene.tunnels
    assert (tunnel.section, tunnel.start, tunnel.length) == (Horseshoe(4.0, 3.0), (1.0, 2.0, 3.0), 50.0)
    assert (tunnel.heading, tunnel.slope) == pytest.approx((90.0 * DEGREE, 5.0 * DEGREE))


def test_start(setup):
    state = setup.vehicles[0].start
    assert state[:3].tolist() == [1.0, 2.0, 3.0]
    assert state[3:7] == pytest.approx([math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)])
    assert state[7:13] == pytest.approx([0.1, 0, 0, 0, 0, 10.0 * DEGREE])


def test_sensors(setup):
    ahrs, imu = (sensor.description for sensor in setup.vehicles[0].sensors)
    assert (ahrs.name, ahrs.kind, ahrs.period_ns) == ("rov/ahrs", "ahrs", 20_000_000)
    assert (imu.name, imu.kind, imu.period_ns) == ("rov/imu", "imu", 5_000_000)
    assert setup.vehicles[0].sensors[0].latency.mean_ns == 20_000_000
    mount = setup.vehicles[0].sensors[1].measurement.accelerometer.mount
    assert np.array(mount.R_BS) @ [1.0, 0.0, 0.0] == pytest.approx([0.0, 1.0, 0.0])
    assert [sensor.description.name for sensor in setup.vehicles[1].sensors] == ["auv/ins_1"]
    assert setup.vehicles[1].sensors[0].description.period_ns == 50_000_000


@pytest.mark.parametrize(("entry", "altitude"), [("dvl", 1.0), ("{from: dvl, parameters: {min_altitude: 3 m}}", 3.0)])
def test_a_scenario_may_change_a_figure_that_the_vehicle_file_gives(entry, altitude):
    head = "name: a\nduration: 1 s\nvehicles:\n  - name: rov\n    file: falcon\n"
    (dvl,) = scenario_from_text(f"{head}    sensors: [{entry}]\n").vehicles[0].sensors
    assert dvl.measurement.limits.min_altitude == altitude
    assert dvl.measurement.limits.max_tilt == pytest.approx(20.0 * DEGREE)


def test_parts(setup):
    parts = {part.name: part for part in setup.vehicles[0].parts}
    assert [part.role for part in parts.values()] == list(Role)
    assert list(parts) == ["navigation", "guidance", "holding", "allocation"]
    assert parts["navigation"].sees_truth
    assert not parts["guidance"].sees_truth
    assert parts["navigation"].period_ns == setup.step_ns
    holding = parts["holding"]
    assert (holding.period_ns, holding.start_ns, holding.stop_ns) == (100_000_000, 1_000_000_000, 100_000_000_000)
    assert parts["guidance"].part.heading == pytest.approx(90.0 * DEGREE)
    assert parts["allocation"].part.allocation.axes == (0, 1, 2, 5)


def test_plant_differs_from_what_its_parts_know_by_the_scatter_of_its_stream(setup):
    rov = setup.vehicles[0]
    assert rov.plant.locked == ("roll",)
    assert rov.plant.simplifications == ("munk_off",)
    nominal = rov.nominal.parameters
    assert nominal.displaced_mass == pytest.approx(0.0134 * 1010.0)
    assert all(math.isinf(thruster.command_maximum) for thruster in nominal.thrusters)
    drawn = scattered(nominal, Spread(mass=0.05, thrust=0.1), Stream(7, "rov/plant"))
    assert rov.plant.vehicle.parameters == drawn
    assert drawn.mass != nominal.mass


def test_disturbances(setup):
    constant, sinusoid, pulse, chance = setup.vehicles[0].disturbances
    assert isinstance(constant, ConstantWrench)
    assert (constant.wrench, constant.window.frame) == ((1.0, 0.0, 0.0, 0.0, 0.0, 1.0), "world")
    assert (constant.window.start_ns, constant.window.stop_ns) == (1_000_000_000, 2_000_000_000)
    assert isinstance(sinusoid, SinusoidalWrench)
    assert (sinusoid.period, sinusoid.phase) == pytest.approx((4.0, 90.0 * DEGREE))
    assert isinstance(pulse, PulsedWrench)
    assert (pulse.period_ns, pulse.width_ns) == (10_000_000_000, 1_000_000_000)
    assert isinstance(chance, StochasticWrench)
    assert (chance.time_constant, chance.stream) == (3.0, Stream(7, "rov/disturbance_3"))


def test_open_loop_commands_are_a_command_schedule(setup):
    (part,) = setup.vehicles[1].parts
    assert (part.role, part.name, part.part.commands[1]) == (
        Role.ALLOCATION,
        "command_schedule",
        (20.0, 0.0, 0.0, 0.0, 0.0),
    )


def test_hashes_tell_files_apart():
    first, second = scenario_from_text(EXAMPLE), scenario_from_text(EXAMPLE + "# other\n")
    assert first.scenario_hash != second.scenario_hash
    assert first.vehicle_hashes == second.vehicle_hashes
    assert set(first.vehicle_hashes) == {"rov", "auv"}


def test_without_water_that_of_the_vehicle_file_counts():
    setup = scenario_from_text("name: a\nduration: 1 s\nvehicles: [{name: rov, file: falcon}]\n")
    assert setup.environment.density == load_vehicle("falcon").parameters.density
    assert setup.vehicles[0].nominal.parameters == load_vehicle("falcon").parameters


def test_in_given_water_a_vehicle_floats_accordingly():
    text = "name: a\nduration: 1 s\nwater: {density: 1025}\nvehicles: [{name: rov, file: falcon}]\n"
    parameters = scenario_from_text(text).vehicles[0].plant.vehicle.parameters
    assert parameters == in_water(load_vehicle("falcon").parameters, 1025.0, 9.81)


def test_vehicle_files_are_found_beside_the_scenario(tmp_path):
    (tmp_path / "own.yaml").write_text(preset_path("falcon").read_text())
    (tmp_path / "run.yaml").write_text("name: a\nduration: 1 s\nvehicles: [{name: rov, file: own.yaml}]\n")
    assert read_scenario(tmp_path / "run.yaml").vehicles[0].nominal.parameters == load_vehicle("falcon").parameters


@pytest.mark.parametrize("name", scenario_names())
def test_shipped_scenarios_are_named_like_their_files(name):
    setup = read_scenario(name)
    assert setup.name == name
    assert setup.notes["title"]
    assert setup.scenario_hash == read_scenario(scenario_path(name)).scenario_hash


@pytest.mark.parametrize(("words", "period_ns"), [("period: 0.2 s", 200_000_000), ("rate: 20 Hz", 50_000_000)])
def test_the_period_and_the_rate_of_a_log(words, period_ns):
    text = "name: short\nduration: 1 s\nlog: {%s}\nvehicles: [{name: rov, file: bluerov2_heavy}]\n"
    assert scenario_from_text(text % words).log_period_ns == period_ns
