"""A log that can be understood alone: input files, scene, mounts and tethers in its header, and tether nodes."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from stored_runs import run_with_checkpoints
from world_samples import SPHERE, logged

from remora.equations.water.waves import RegularWave, wave_motion
from remora.logs import compare, read_csv_log, read_log, to_csv
from remora.report.logs.recorded_scene import scene_of
from remora.run.checkpoint import load_checkpoint, resumed_loop
from remora.run.loop.loop import run, run_loop
from remora.run.run_description import MOST_NUMBERS, bed_data, run_header, scene_data
from remora.scenarios import read_scenario, scenario_from_text
from remora.scenarios.library import scenario_path
from remora.vehicles.library import preset_path
from remora.vehicles.vehicle_reader import load_vehicle
from remora.world import GridBed, Scene, World

SHORT = {"duration": "1.2 s"}
BALL = "name: ball\nduration: 0.5 s\nvehicles:\n  - {name: one, file: %s, position: [0, 0, 5 m]}\n"


@pytest.fixture(scope="module")
def sea(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sea")
    setup = read_scenario("open_sea", SHORT)
    return setup, logged(setup, folder)


def write_ball(folder: Path, vehicle: str = "sphere.yaml", mass: float = 40.0) -> Path:
    """A scenario with a vehicle file of its own, in a folder."""
    (folder / vehicle).parent.mkdir(parents=True, exist_ok=True)
    (folder / vehicle).write_text(SPHERE % {"mass": mass, "damping": "none"})
    (folder / "ball.yaml").write_text(BALL % vehicle)
    return folder / "ball.yaml"


def test_the_input_files_are_in_the_log_by_name(sea):
    _, log = sea
    assert log.scenario_text == scenario_path("open_sea").read_text()
    assert log.vehicles["rov"]["file"] == "bluerov2_heavy.yaml"
    assert log.vehicles["rov"]["text"] == preset_path("bluerov2_heavy").read_text()
    assert log.header.notes["changes"] == "[('duration', '1.2 s')]"


def test_a_run_can_be_repeated_from_its_log_alone(tmp_path):
    run(read_scenario(write_ball(tmp_path / "first")), tmp_path / "first.mcap")
    log, again = read_log(tmp_path / "first.mcap"), tmp_path / "again"
    again.mkdir()
    (again / log.header.notes["scenario"]).write_text(log.scenario_text)
    (again / log.vehicles["one"]["file"]).write_text(log.vehicles["one"]["text"])
    run(read_scenario(again / "ball.yaml"), tmp_path / "again.mcap")
    assert (tmp_path / "first.mcap").read_bytes() == (tmp_path / "again.mcap").read_bytes()


def test_the_folder_of_a_run_is_not_in_its_log(tmp_path):
    """Neither of the scenario, nor of a vehicle file that takes the place of another."""
    logs = []
    for name in ("here", "there"):
        folder = tmp_path / name
        other = write_ball(folder, "heavy.yaml", 40.5).with_name("heavy.yaml")
        run(read_scenario(write_ball(folder), {"vehicle": str(other)}), tmp_path / f"{name}.mcap")
        logs.append((tmp_path / f"{name}.mcap").read_bytes())
    assert logs[0] == logs[1]
    assert str(tmp_path).encode() not in logs[0]
    assert read_log(tmp_path / "here.mcap").vehicles["one"]["file"] == "heavy.yaml"


def test_different_files_of_one_name_are_kept_apart(tmp_path):
    for folder, mass in (("a", 40.0), ("b", 41.0)):
        write_ball(tmp_path / folder, "ball.yaml", mass)  # called as the scenario is
        (tmp_path / folder / "ball.yaml").write_text(SPHERE % {"mass": mass, "damping": "none"})
    entry = "  - {name: %s, file: %s/ball.yaml, position: [0, %d m, 5 m]}\n"
    entries = "".join(entry % one for one in (("one", "a", 0), ("two", "b", 9), ("three", "a", 18)))
    (tmp_path / "ball.yaml").write_text(f"name: balls\nduration: 0.1 s\nvehicles:\n{entries}")
    header = run_header(read_scenario(tmp_path / "ball.yaml"))
    files = [header.vehicles[name]["file"] for name in ("one", "two", "three")]
    assert files == ["ball_2.yaml", "ball_3.yaml", "ball_2.yaml"]
    assert "mass: 41.0 kg" in header.texts["ball_3.yaml"]
    assert len(header.texts) == 3


def test_the_sea_surface_can_be_computed_from_the_log(sea):
    setup, log = sea
    (waves,) = log.scene["waves"]
    components = RegularWave(**{name: np.array(numbers) for name, numbers in waves["components"].items()})
    for time, north, east in ((0.0, 0.0, 0.0), (3.3, 5.0, -2.0), (61.0, -40.0, 12.0)):
        depth = waves.get("water_depth", math.inf)
        up = wave_motion(components, depth, (north, east, 0.0), time).elevation.sum()
        expected = setup.environment.at(round(1e9 * time), (north, east, 0.0)).surface
        assert log.scene["surface_depth"] - up == pytest.approx(expected, abs=1e-12)


def test_currents_ground_and_points_are_those_of_the_scenario(sea):
    setup, log = sea
    assert [current["kind"] for current in log.scene["currents"]] == ["powerlaw", "gusts", "tide"]
    assert log.scene["currents"][0]["velocity"] == list(setup.environment.water.fields[0].velocity)
    assert log.scene["gravity"] == setup.environment.gravity
    assert log.scene["has_surface"]
    scene, remarks = scene_of(log.header)
    assert remarks == ()
    assert scene == setup.environment.scene
    tunnels = scene_of(run_header(read_scenario("tunnel")))[0].tunnels
    assert tunnels == read_scenario("tunnel").environment.scene.tunnels
    points = {"points": {"lamp": (1.0, 2.0, 3.0)}}
    assert scene_data(World(**points))["points"] == points["points"]


def test_thrusters_and_sensors_stand_where_the_vehicle_file_has_them():
    text = "name: all\nduration: 1 s\nvehicles:\n  - {name: rov, file: bluerov2_heavy, sensors: all}\n"
    vehicle, known = run_header(scenario_from_text(text)).vehicles["rov"], load_vehicle("bluerov2_heavy")
    thrusters = dict(zip(known.parameters.thruster_names, known.parameters.thrusters, strict=True))
    assert set(vehicle["thrusters"]) == set(thrusters)
    for name, one in thrusters.items():
        assert vehicle["thrusters"][name] == {"position": list(one.position), "axis": list(one.axis)}
    entries = {entry.name: entry for entry in known.sensors}
    assert set(vehicle["sensors"]) == set(entries)
    for name, mount in vehicle["sensors"].items():
        assert mount["kind"] == entries[name].kind
        assert mount["position"] == list(entries[name].position)


def test_the_nodes_of_a_tether_lie_between_its_ends(sea):
    setup, log = sea
    (tether,), nodes = setup.vehicles[0].tethers, log["rov/umbilical_nodes"]
    assert nodes.time_ns.tolist() == [0, 500_000_000, 1_000_000_000]
    places = nodes.table().reshape(len(nodes), -1, 3)
    assert places.shape[1] == tether.tether.nodes
    assert places[0] == pytest.approx(tether.start.positions)
    truth = log["rov/truth"].table()[np.searchsorted(log["rov/truth"].time_ns, nodes.time_ns), :3]
    reach = np.linalg.norm(tether.p_BA)
    assert np.linalg.norm(places[:, 0] - truth, axis=1) == pytest.approx(reach, abs=0.01)
    far = np.array(tether.far) + 1e-9 * nodes.time_ns[:, None] * np.array(tether.far_velocity)
    assert places[:, -1] == pytest.approx(far, abs=1e-9)
    assert log.vehicles["rov"]["tethers"]["umbilical"]["attachment"] == list(tether.p_BA)


def test_a_log_of_another_period_has_one_row_of_nodes_each_half_second(tmp_path):
    text = (
        "name: t\nduration: 1.2 s\nlog: {period: 70 ms}\nvehicles:\n  - {name: one, file: bluerov2_heavy, "
        "position: [0, 0, 5 m], tethers: [{name: line, length: 9 m, diameter: 8 mm, weight_in_water: 0.1 N/m, "
        "stiffness: 5 kN, nodes: 5, far_end: [-5 m, 0, 0]}]}\n"
    )
    log = logged(scenario_from_text(text), tmp_path)
    assert log["one/line_nodes"].time_ns.tolist() == [0, 560_000_000, 1_050_000_000]


def test_a_grid_of_depths_is_kept_and_a_large_one_is_thinned():
    depths = 8.0 + np.arange(12.0).reshape(3, 4)
    depths[1, 2] = np.nan
    small = GridBed((0.0, 1.0, 5.0), (0.0, 2.0, 3.0, 9.0), depths)
    header = run_header(read_scenario("dive_and_turn"))
    read, _ = scene_of(header._replace(scene=json.loads(json.dumps({"bed": bed_data(small)}))))
    assert np.array_equal(read.bed.depths, depths, equal_nan=True)
    assert (read.bed.norths, read.bed.easts) == (small.norths, small.easts)
    norths, easts = np.arange(0.0, 400.0), np.arange(0.0, 301.0)
    large = bed_data(GridBed(norths, easts, 20.0 + norths[:, None] + 0.0 * easts))
    assert large["every"] > 1
    assert np.size(large["depths"]) <= 1.1 * MOST_NUMBERS
    assert (large["norths"][-1], large["easts"][-1]) == (399.0, 300.0)
    assert [row[0] for row in large["depths"]] == [20.0 + north for north in large["norths"]]


def test_a_setup_made_in_python_has_a_scene_but_no_files(tmp_path):
    setup = scenario_from_text(BALL % preset_path("bluerov2_heavy"))
    header = run_header(setup)._replace(texts={}, notes={})
    assert scene_of(header)[0] == Scene()
    assert header.scene["density"] == setup.environment.density


def test_csv_keeps_all_of_it(sea, tmp_path):
    _, log = sea
    to_csv(log, tmp_path / "csv")
    back = read_csv_log(tmp_path / "csv")
    assert (back.scene, back.vehicles, back.scenario_text) == (log.scene, log.vehicles, log.scenario_text)
    assert compare(log, back).same


def test_a_run_in_a_sheared_current_resumes_with_the_current_of_its_fault(tmp_path):
    """The water is looked at three times a second; a step of the current before the checkpoint adds no look."""
    text = (
        "name: shear\nduration: 2 s\nseed: 4\nwater: {current: [{kind: shear, depths: [0, 10 m], "
        "velocities: [[0.3, 0, 0], [0.1, 0.05, 0]]}, {kind: gusts, std: 5 cm/s, correlation_time: 2 s}]}\n"
        "vehicles:\n  - {name: rov, file: bluerov2_heavy, position: [0, 0, 4 m], velocity: [0, 0, 0.4 m/s], "
        "faults: [{fault: current, change: [0.1 m/s, 0, 0], at: 0.43 s}]}\n"
    )
    setup, every = scenario_from_text(text), 35
    run_with_checkpoints(setup, every, tmp_path / "whole.mcap", tmp_path / "whole.checkpoint")
    run_with_checkpoints(setup, every, tmp_path / "cut.mcap", tmp_path / "checkpoint", 110)
    checkpoint = load_checkpoint(tmp_path / "checkpoint", setup)
    loop = resumed_loop(setup, checkpoint, tmp_path / "cut.mcap", tmp_path / "resumed.mcap")
    run_loop(loop)
    loop.recorder.close()
    whole, resumed = read_log(tmp_path / "whole.mcap"), read_log(tmp_path / "resumed.mcap")
    assert compare(whole, resumed).same
