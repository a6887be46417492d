"""Maps from logs: points lie where the wall is, as far as the sensor lets them, and docs/mapping.md stays true."""

import json
import math
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from pages import code_blocks, page
from remora.cli import main
from remora.logs import LogError, read_log
from remora.report.maps.figure import map_figure
from remora.report.maps.mapping import map_log
from remora.run.loop.loop import Loop, run_loop
from remora.run.recorder import Recorder
from remora.scenarios import scenario_from_text

TEXT = page("mapping.md")
SCENARIO = code_blocks(TEXT, "yaml")[0]
EXACT = """
name: exact
duration: 8 s
log: {rate: 20 Hz}
tunnel: {section: horseshoe, width: 3.8 m, height: 4.5 m, start: [0, 0, 20], heading: 30 deg, slope: -3 deg, length: 90}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [20 m, 11.8 m, 21 m]
    angles: [10 deg, -5 deg, 50 deg]
    velocity: [0.5 m/s, 0.1 m/s, 0]
    rates: [0.05, 0.1, -0.1]
    sensors:
      - {name: profiler, kind: profiling_sonar, position: [0.3, 0.1, -0.1], rate: 20 Hz, parameters: {step_angle: 0.2}}
      - name: multibeam
        kind: multibeam
        position: [0.2, 0, 0.1]
        rate: 5
        parameters: {beams: 500, fan_angle: 300 deg}
      - name: laser
        kind: laser_line
        position: [0, 0.2, 0]
        orientation: {angles: [90 deg, 0, 70 deg]}
        rate: 10 Hz
        parameters: {beams: 40, attenuation: 0.4}
      - name: footprint
        kind: camera_footprint
        position: [0.1, 0, 0.2]
        orientation: {angles: [0, -60 deg, 0]}
        rate: 10 Hz
        parameters: {columns: 5, rows: 4}
    navigation: truth
"""
PIPE = """
name: pipe
duration: 30 s
log: {rate: 50 Hz}
tunnel: {section: round, diameter: 5 m, start: [-50 m, 0, 20 m], length: 200 m}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 20 m]
    velocity: [0.3 m/s, 0, 0]
    locked: [sway, heave, roll, pitch, yaw]
    sensors:
      - {name: profiler, kind: profiling_sonar, position: [0, 0, 0], rate: 50 Hz, parameters: {std: 3 cm}}
"""


def logged(text, path):
    """The log of a scenario."""
    setup = scenario_from_text(text)
    recorder = Recorder.open(setup, path)
    assert run_loop(Loop(setup, recorder)).stopped == ""
    recorder.close()
    return path


@pytest.fixture(scope="module")
def exact(tmp_path_factory):
    return logged(EXACT, tmp_path_factory.mktemp("maps") / "exact.mcap")


@pytest.mark.parametrize("name", ["profiler", "multibeam", "laser", "footprint"])
def test_points_of_a_sensor_without_error_lie_on_the_wall(exact, name):
    """From a vehicle that turns and drifts, whatever the place and orientation of the sensor."""
    found = map_log(exact, f"rov/{name}")
    assert len(found.points) > {"profiler": 140, "multibeam": 19_000, "laser": 2_000, "footprint": 400}[name]
    assert np.abs(found.residuals()).max() < 1e-6
    assert np.ptp(found.points, axis=0).max() > 1.0
    believed = map_log(exact, f"rov/{name}", "estimate")
    np.testing.assert_allclose(believed.points, found.points, atol=1e-9)


def test_hundreds_of_beams_go_through_a_log(exact):
    series = read_log(exact)["rov/multibeam"]
    assert series.table().shape == (len(series), 502)
    assert np.isfinite(series["range_500"]).any()


def test_poses_between_rows_err_with_the_square_of_their_distance(exact):
    """A pose logged half as often leaves four times the error, because a straight motion is taken in between."""
    whole = read_log(exact)
    truth = whole["rov/truth"]

    def error(every):
        columns = {name: column[::every] for name, column in truth.columns.items()}
        rare = replace(truth, time_ns=truth.time_ns[::every], columns=columns)
        found = map_log(replace(whole, series={**whole.series, "rov/truth": rare}), "rov/profiler")
        middle = (found.time_ns // 50_000_000) % every == every // 2  # readings halfway between two rows
        return np.sqrt(np.mean(found.residuals()[middle] ** 2))

    assert error(1) < 1e-9
    assert error(8) / error(4) == pytest.approx(4.0, rel=0.3)


def test_the_residual_is_the_noise_of_the_sonar(tmp_path):
    """In the middle of a pipe all beams are square to the wall, so points err by just what ranges err by."""
    residuals = map_log(logged(PIPE, tmp_path / "pipe.mcap")).residuals()
    count = len(residuals)
    assert count == 1500
    assert residuals.std() == pytest.approx(0.03, rel=4.0 / math.sqrt(2 * count))
    assert residuals.mean() == pytest.approx(0.0, abs=4.0 * 0.03 / math.sqrt(count))


def test_what_cannot_be_mapped_is_said(exact, tmp_path):
    with pytest.raises(LogError, match=r'"rov/ahrs" is no channel of a sensor .* This log has rov/'):
        map_log(exact, "rov/ahrs")
    with pytest.raises(LogError, match='no pose "rov/belief"'):
        map_log(exact, "rov/laser", "belief")
    log = read_log(exact)
    notes = {key: value for key, value in log.header.notes.items() if not key.startswith("beams ")}
    with pytest.raises(LogError, match="This log has none"):
        map_log(replace(log, header=log.header._replace(notes=notes)))
    for note, message in (
        ("{", "cannot be understood"),
        (json.dumps({"p_BS": [0, 0], "q_BS": [1, 0, 0, 0], "angles": []}), "no place and orientation"),
        (json.dumps({"p_BS": [0, 0, 0], "q_BS": [1, 0, 0, 0], "angles": [0.0]}), "40 ranges for 1 beams"),
    ):
        spoiled = log.header._replace(notes={**notes, "beams rov/laser": note})
        with pytest.raises(LogError, match=message):
            map_log(replace(log, header=spoiled))


def test_a_map_without_tunnel_has_the_axes_of_n(exact):
    log = read_log(exact)
    found = map_log(replace(log, header=log.header._replace(scene={})), "rov/profiler")
    assert found.residuals().size == 0
    figure = map_figure(found)
    assert [axes.get_xlabel() for axes in figure.axes[:2]] == ["north [m]", "north [m]"]


def test_nothing_seen_is_a_map_without_points(exact):
    """Readings, but no pose for them."""
    log = read_log(exact)
    truth = log["rov/truth"]
    none = replace(
        truth, time_ns=truth.time_ns[:0], columns={name: column[:0] for name, column in truth.columns.items()}
    )
    found = map_log(replace(log, series={**log.series, "rov/truth": none}), "rov/laser")
    assert (len(found.points), len(found.residuals())) == (0, 0)
    assert found.beams == 40 * 80
    map_figure(found)


def test_readings_before_the_first_and_after_the_last_pose_are_not_mapped(exact):
    log = read_log(exact)
    truth = log["rov/truth"]
    kept = slice(len(truth) // 4, 3 * len(truth) // 4)
    columns = {name: column[kept] for name, column in truth.columns.items()}
    part = replace(truth, time_ns=truth.time_ns[kept], columns=columns)
    found = map_log(replace(log, series={**log.series, "rov/truth": part}), "rov/profiler")
    assert part.time_ns[0] <= found.time_ns.min() < found.time_ns.max() <= part.time_ns[-1]
    whole = map_log(log, "rov/profiler")
    inside = (whole.time_ns >= part.time_ns[0]) & (whole.time_ns <= part.time_ns[-1])
    assert np.array_equal(found.time_ns, whole.time_ns[inside])


def test_a_damaged_log_is_mapped_as_far_as_it_goes(exact, tmp_path):
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(exact.read_bytes()[: exact.stat().st_size * 3 // 4])
    result = CliRunner().invoke(main, ["map", str(cut), "--channel", "rov/profiler"])
    assert "is damaged; the picture shows what can be read" in result.stderr
    assert (tmp_path / "cut-map.png").read_bytes().startswith(b"\x89PNG")


def test_bad_options_of_the_command(exact, tmp_path):
    def code(*options):
        result = CliRunner().invoke(main, ["map", *map(str, options)])
        assert "Traceback" not in result.output
        return result.exit_code

    assert code(tmp_path / "missing.mcap") == 2
    assert code(exact, "--out", tmp_path / "map.pdf") == 2
    assert code(exact, "--points", exact) == 2
    assert code(exact, "--channel", "rov/nothing") == 2


def test_the_document_maps_what_it_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("survey.yaml").write_text(SCENARIO)
    lines = code_blocks(TEXT, "console")[0].splitlines()
    results = [CliRunner().invoke(main, shlex.split(line)[2:]) for line in lines if line.startswith("$ remora ")]
    assert [result.exit_code for result in results] == [0, 0], results
    assert results[-1].stdout.splitlines() == [line for line in lines if not line.startswith("$ ")]
    assert len(Path("runs/points.csv").read_text().splitlines()) == 1201
    exec(code_blocks(TEXT)[0], {})
    assert capsys.readouterr().out.startswith("(1200, 3) 0.019")
    assert Path("runs/map.png").read_bytes().startswith(b"\x89PNG")
