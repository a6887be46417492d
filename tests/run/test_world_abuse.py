"""Every key of the world and of tethers given wrongly: `remora run` says where and what, and ends with 2."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from remora.cli import main

pytestmark = pytest.mark.usefixtures("blank_pictures")

LINE = "name: line, length: 10 m, diameter: 8 mm, weight_in_water: 0 N/m, stiffness: 20 kN, nodes: 5"
FAR = "far_end: [-5 m, 0, 0]"


def told(folder: Path, top: str = "", tethers: str = "", more: str = "") -> str:
    """What the command says about a scenario; it must refuse it, with its line and without a traceback."""
    tied = f", tethers: {tethers}" if tethers else ""
    vehicle = f"vehicles: [{{name: rov, file: bluerov2_heavy, position: [0, 0, 3 m]{tied}{more}}}]"
    (folder / "wrong.yaml").write_text(f"name: wrong\nduration: 1 s\n{top}\n{vehicle}\n")
    done = CliRunner().invoke(main, ["run", str(folder / "wrong.yaml"), "--out", str(folder / "log.mcap")])
    # As everywhere, 1 says that a file can be read and no such thing exists.
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    assert not (folder / "log.mcap").exists()
    return done.output


@pytest.mark.parametrize(
    ("top", "words"),
    [
        ("water: {current: {kind: sheer}}", '3: water.current.kind = sheer: is no kind of current. Did you mean "sh'),
        ("water: {current: [{kind: uniform, velocity: [1 m, 0, 0]}]}", "wrong.yaml:3: water.current[0].velocity"),
        ("water: {current: [0.1 m/s, 0]}", "wrong.yaml:3: water.current"),
        ("water: {current: fast}", "wrong.yaml:3: water.current"),
        ("water: {current: [[1, 2, 3]]}", "wrong.yaml:3: water.current"),
        ("water: {current: {kind: gusts, std: -1 m/s, correlation_time: 3 s}}", "wrong.yaml:3: water.current"),
        ("water: {current: {kind: tide, amplitude: 1 m/s, constituent: M9}}", "water.current.constituent"),
        ("water: {current: {kind: grid, file: none.nc}}", "wrong.yaml:3: water.current"),
        ("water: {current: {kind: grid, file: 3}}", "wrong.yaml:3: water.current.file"),
        ("water: {waves: {significant_height: 1 kg, peak_period: 5 s}}", "yaml:3: water.waves.significant_height"),
        ("water: {waves: {significant_height: -1 m, peak_period: 5 s}}", "yaml:3: water.waves.significant_height"),
        ("water: {waves: {significant_height: 1 m, peak_period: 0 s}}", "wrong.yaml:3: water.waves.peak_period"),
        ("water: {waves: [1]}", "wrong.yaml:3: water.waves"),
        ("water: {column: {depths: [0, 1 kg], densities: [1, 2], sound_speeds: [1, 2]}}", "water.column.depths"),
        ("water: {column: {depths: [5, 0], densities: [1000, 1000], sound_speeds: [1500, 1500]}}", "water.column"),
        ("water: {column: 5}", "wrong.yaml:3: water.column"),
        ("water: {gravity_by_latitude: true}", "wrong.yaml:3: water.gravity_by_latitude"),
        ("water: {gravity_by_latitude: maybe}", "wrong.yaml:3: water.gravity_by_latitude"),
        ("water: {gravity_by_latitude: true, gravity: 9.8}\norigin: {latitude: 1, longitude: 1}", "yaml:3: water"),
        ("water: {surface_depth: 3 s}", "wrong.yaml:3: water.surface_depth"),
        ("bed: {kind: slope}", "wrong.yaml:3: bed.kind = slope"),
        ("bed: {kind: flat, depth: 5 kg}", "wrong.yaml:3: bed.depth"),
        ("bed: {kind: grid, file: none.asc}", "wrong.yaml:3: bed"),
        ("bed: {kind: profile, distances: [0, 5], depths: [1]}", "wrong.yaml:3: bed"),
        ("obstacles: [{kind: ball, name: a, center: [0, 0], diameter: 1 m}]", "wrong.yaml:3: obstacles[0].center"),
        ("obstacles: [3]", "wrong.yaml:3: obstacles[0]"),
        ("contact: maybe", "wrong.yaml:3: contact"),
        ("contact: {contact_time: 10 ms}", "wrong.yaml:3: contact: step of the plant is 0.01 s"),
        ("step: 0.1 s\ncontact: true", "wrong.yaml:4: contact: step of the plant is 0.1 s"),
        ("contact: {restitution: 2}", "wrong.yaml:3: contact: restitution is 2.0"),
        ("contact: {sizes: {rvo: [1 m, 1 m, 1 m]}}", 'yaml:3: contact.sizes.rvo = [1 m, 1 m, 1 m]: there is no'),
        ("contact: {sizes: {rov: [1 m, 1 m]}}", "wrong.yaml:3: contact.sizes.rov"),
        ("contact: {sizes: 3}", "wrong.yaml:3: contact.sizes"),
    ],
)  # fmt: skip
def test_a_wrong_world_is_refused(top: str, words: str, tmp_path: Path) -> None:
    assert words in told(tmp_path, top)


@pytest.mark.parametrize(
    ("tethers", "words"),
    [
        ("3", "tethers = 3: expected a list"),
        (f"{{{LINE}, {FAR}}}", "expected a list"),
        ("[3]", "tethers[0]"),
        (f"[{{{LINE}}}]", "tethers[0].far_end"),
        (f"[{{{LINE}, far_end: [0, 0, 3 m]}}]", "tethers[0]: both ends of the tether are at"),
        (f"[{{{LINE}, far_end: [0, 0]}}]", "tethers[0].far_end"),
        (f"[{{{LINE}, far_end: ship}}]", "tethers[0].far_end"),
        (f"[{{{LINE}, {FAR}, far_velocity: [1 m, 0, 0]}}]", "tethers[0].far_velocity"),
        (f"[{{{LINE}, {FAR}, attachment: [1 kg, 0, 0]}}]", "tethers[0].attachment"),
        (f"[{{{LINE}, {FAR}, winch: 3}}]", "tethers[0].winch"),
        (f"[{{{LINE}, {FAR}, winch: {{rate: 1 m}}}}]", "tethers[0].winch.rate"),
        (f"[{{{LINE}, {FAR}, winch: {{rate: 1, form: 2 s}}}}]", 'Did you mean "from"'),
        (f"[{{{LINE}, {FAR}, winch: {{rate: 1, from: 3 s, until: 2 s}}}}]", "stop before it starts"),
        (f"[{{{LINE}, {FAR}, model: rope}}]", "tethers[0].model"),
        (f"[{{{LINE}, {FAR}, model: flat_plate}}]", 'tethers[0]: unknown number "'),
        (f"[{{{LINE}, {FAR}, mass: 0.1}}]", "weight_in_water"),
        (f"[{{{LINE}, {FAR}, damping_ratio: 3}}]", "damping_ratio"),
        (f"[{{{LINE}, {FAR}, colour: red}}]", "tethers[0].colour: unknown key"),
        (f"[{{{LINE.replace('10 m', '-10 m')}, {FAR}}}]", "tethers[0].length"),
        (f"[{{{LINE.replace('10 m', '10 kg')}, {FAR}}}]", "tethers[0].length"),
        (f"[{{{LINE.replace('nodes: 5', 'nodes: 1')}, {FAR}}}]", "nodes"),
        (f"[{{{LINE.replace('nodes: 5', 'nodes: 1e15')}, {FAR}}}]", "tethers[0].nodes"),
        (f"[{{{LINE.replace('nodes: 5', 'nodes: many')}, {FAR}}}]", "tethers[0].nodes"),
        (f"[{{{LINE.replace('name: line', 'name: 3 lines')}, {FAR}}}]", "tethers[0].name"),
        (f"[{{{LINE}, {FAR}}}, {{{LINE}, {FAR}}}]", 'two parts of "rov" are called "line"'),
        (f"[{{{LINE.replace('name: line', 'name: truth')}, {FAR}}}]", "truth"),
    ],
)  # fmt: skip
def test_wrong_tethers_are_refused(tethers: str, words: str, tmp_path: Path) -> None:
    output = told(tmp_path, tethers=tethers)
    assert words in output
    assert "wrong.yaml:" in output


@pytest.mark.parametrize(
    ("line", "of"),
    [
        ("name: line, length: 9 m, diameter: 8 mm, stiffness: 2 kN, model: slack_spring", "line"),
        ("name: line, length: 9 m, diameter: 8 mm, model: flat_plate", "line"),
        (LINE.replace("nodes: 5", "nodes: 2"), "line"),
        (LINE, "lien"),
    ],
)
def test_only_a_line_that_is_there_and_has_a_middle_can_be_snagged(line: str, of: str, tmp_path: Path) -> None:
    snag = f", faults: [{{fault: snag, of: {of}, at: 0.5 s}}]"
    output = told(tmp_path, tethers=f"[{{{line}, {FAR}}}]", more=snag)
    assert "wrong.yaml:4: vehicles[0].faults[0].of" in output
    assert "no such tether that can be caught" in output


def test_a_winch_that_reels_in_all_stops_the_run_with_its_time(tmp_path: Path) -> None:
    """It cannot be known beforehand how short a line may become: a run that comes to it says so."""
    text = f"""
name: reel
duration: 8 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 3 m]
    tethers: [{{name: line, model: flat_plate, length: 6 m, diameter: 8 mm, {FAR}, winch: {{rate: -1 m/s}}}}]
"""
    (tmp_path / "reel.yaml").write_text(text)
    done = CliRunner().invoke(main, ["run", str(tmp_path / "reel.yaml"), "--out", str(tmp_path / "log.mcap")])
    assert done.exit_code == 1
    assert '"rov": the winch reels in 1 m/s with' in done.output
    assert "Traceback" not in done.output
