"""The mission page of a log: size, thinning, gaps, damage and what it contains, without a browser."""

import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import remora
from remora.cli import main
from remora.equations.algebra.quaternions import rotation_matrix
from remora.files.problems import InputError
from remora.logs.log import Log, Series
from remora.logs.schema import Channel, Event, Field, RunHeader
from remora.report.mission_page import mission_page, write_page
from remora.report.mission_page.encoding import INTERVAL, MOST_PAIRS, exact_rows
from remora.report.mission_page.scene_content import scene_content
from remora.run.run_description import run_header
from remora.scenarios import scenario_from_text
from report.page_content import page_content

ROV = "vehicles: [{name: rov, file: falcon, position: [0, 0, 3 m]}]"
ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "src/remora/report/mission_page/assets"
TRUTH = (*(f"p_NB_{a}" for a in "xyz"), *(f"q_NB_{i}" for i in range(4)), *(f"v_NB_B_{a}" for a in "xyz"))


def signal_log(times: np.ndarray, columns: dict[str, np.ndarray], name: str = "sonde/signal", **more: object) -> Log:
    """A log of one channel."""
    channel = Channel(name, tuple(Field(field, "m") for field in columns))
    series = Series(channel, np.round(times * 1e9).astype(np.int64), columns)
    return Log(RunHeader("0", 0, **more), {name: channel}, {name: series}, (), complete=True)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def square() -> remora.RunLog:
    """Twenty seconds of a mission with sensors."""
    changes = {"duration": "20 s", "watch": "off", "log.rate": "50 Hz"}
    return remora.simulate(remora.load_scenario("bluerov_square").with_(changes), seed=3)


def test_every_peak_of_a_fast_channel_is_on_the_page() -> None:
    times = np.arange(60_000) * 0.01
    values = np.sin(0.1 * times)
    values[[7, 12_345, 59_998]] = (40.0, -30.0, 20.0)  # single samples
    table = page_content(mission_page([signal_log(times, {"level": values})])).tables[0, "sonde/signal", "extremes"]
    shown, step = table.columns["level"], 70.0 / 65534
    for at in (7, 12_345, 59_998):
        near = np.abs(table.time - times[at]) <= INTERVAL
        assert np.abs(shown[near] - values[at]).min() <= step
    # Each interval shows its own extremes, not those of others.
    quiet = (table.time > 200.0) & (table.time < 300.0)
    assert np.abs(shown[quiet]).max() <= 1.0 + step


def test_gaps_and_lost_values_stay_gaps() -> None:
    times = np.arange(4_000) * 0.01
    values = np.ones(4_000)
    values[1_000:1_100] = np.nan
    log = signal_log(times, {"fast": values})
    table = page_content(mission_page([log])).tables[0, "sonde/signal", "extremes"]
    inside = (table.time > 10.0) & (table.time < 11.0)
    assert np.isnan(table.columns["fast"][inside]).all()
    assert np.isfinite(table.columns["fast"][~inside]).all()
    slow = signal_log(np.arange(5) * 1.0, {"slow": np.array([1.0, np.inf, np.nan, 2.0, 3.0])})
    shown = page_content(mission_page([slow])).tables[0, "sonde/signal", "samples"].columns["slow"]
    np.testing.assert_allclose(shown, [1.0, np.nan, np.nan, 2.0, 3.0], atol=1e-4)


def test_one_lost_value_hides_no_peak() -> None:
    times = np.arange(4_000) * 0.01
    values = np.sin(times)
    values[1_003], values[1_005] = np.nan, 40.0  # of one interval
    table = page_content(mission_page([signal_log(times, {"x": values})])).tables[0, "sonde/signal", "extremes"]
    near = np.abs(table.time - times[1_005]) <= INTERVAL
    assert np.nanmax(table.columns["x"][near]) == pytest.approx(40.0, abs=1e-3)
    assert np.isfinite(table.columns["x"]).all()


def test_the_last_pose_is_kept_at_every_rate() -> None:
    for step in (0.01, 0.02, 0.03, 0.2):
        for count in (2, 7, 50, 501):
            rows = exact_rows(np.arange(count) * step)
            assert (rows[0], rows[-1]) == (0, count - 1)


def test_curves_of_long_runs_have_a_bounded_number_of_points() -> None:
    times = np.arange(0.0, 1.5 * MOST_PAIRS * INTERVAL, 0.02)
    table = page_content(mission_page([signal_log(times, {"x": np.sin(times)})])).tables[0, "sonde/signal", "extremes"]
    assert len(table.time) <= 2 * (MOST_PAIRS + 1)


def test_irregular_stamps_keep_their_times() -> None:
    times = np.array([0.0, 0.1, 0.5, 3.25, 3600.000001])
    shown = page_content(mission_page([signal_log(times, {"x": times})])).tables[0, "sonde/signal", "samples"].time
    np.testing.assert_allclose(shown, times, atol=1e-6)


def test_poses_of_the_scene_are_exact_samples_at_20_hz(square: remora.RunLog) -> None:
    truth = square["rov/truth"]
    table = page_content(mission_page([square.log])).tables[0, "rov/truth", "samples"]
    assert np.diff(table.time).max() < 1 / 20 + 1 / 50 + 1e-9  # a sample in each interval of 20 Hz, recorded at 50 Hz
    rows = np.searchsorted(truth.time, table.time - 1e-6)
    for name in TRUTH:
        np.testing.assert_array_equal(table.columns[name], truth[name][rows].astype(np.float32))


def test_ten_minutes_of_thirty_channels_fit_into_eight_megabytes() -> None:
    random = np.random.default_rng(1)
    times, log = np.arange(60_000) * 0.01, None
    series = {}
    for k in range(30):
        columns = {f"v{i}": np.cumsum(random.normal(size=times.size)) for i in range(10)}
        log = signal_log(times, columns, f"rov/channel{k}")
        series |= log.series
    assert log is not None
    page = mission_page([Log(log.header, {n: s.channel for n, s in series.items()}, series, (), complete=True)])
    assert len(page) < 8e6


def test_the_page_of_a_mission_is_small_and_asks_for_nothing(square: remora.RunLog) -> None:
    page = mission_page([square.log])
    assert len(page) < 1.5e6
    assert (ASSETS / "page.js").stat().st_size < 0.8e6
    head = page[: page.index('id="data"')]
    assert not re.search(r"<(link|script|img|iframe)[^>]+(src|href)=(?!.data:)", head)


def test_the_page_holds_vehicle_scene_and_events(square: remora.RunLog) -> None:
    header = page_content(mission_page([square.log])).header
    (vehicle,) = header["runs"][0]["vehicles"]
    assert vehicle["name"] == "rov"
    assert len(vehicle["thrusters"]) == 8
    assert {shape["shape"] for shape in vehicle["looks"]} >= {"frame", "capsule"}
    assert len(header["runs"][0]["events"]) == len(square.events)
    assert any(label == "motion" for label, _ in header["figures"])


def test_keep_out_zones_are_on_the_page_each_once() -> None:
    ball = {"center": [1.0, 2.0, 3.0], "radius": 0.5, "vertical": 1.0}
    column = {"center": [4.0, 5.0, 0.0], "radius": 0.7, "vertical": 0.0}
    times = np.arange(5) * 1.0
    log = signal_log(times, {"x": times}, vehicles={"a": {"keep_out": [ball, column]}, "b": {"keep_out": [ball]}})
    first, second = page_content(mission_page([log])).header["scene"]["obstacles"]
    assert (first["shape"], first["center"], first["radius"]) == ("ball", [1.0, 2.0, 3.0], 0.5)
    assert (second["shape"], second["center"][:2], second["radius"]) == ("cylinder", [4.0, 5.0], 0.7)
    assert first["zone"]
    assert second["zone"]


def test_links_between_bodies_are_on_the_page_with_their_channel() -> None:
    link = {"name": "pair/dock", "kind": "rigid", "first": "a", "second": "b"}
    link |= {"point_first": [1.0, 0.0, 0.0], "point_second": [-1.0, 0.0, 0.0]}
    unknown = {**link, "name": "pair/other"}  # without a channel in the log
    times = np.arange(5) * 1.0
    log = signal_log(times, {"attached": times > 2.0}, "pair/dock", scene={"links": [link, unknown]})
    (found,) = page_content(mission_page([log])).header["links"]
    assert found == {
        "first": "a", "second": "b", "points": [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], "channel": "pair/dock",
    }  # fmt: skip


def test_rows_that_were_recorded_late_are_drawn_at_their_times() -> None:
    times = np.array([0.0, 1.0, 3.0, 2.0, 4.0])
    shown = page_content(mission_page([signal_log(times, {"x": times})])).tables[0, "sonde/signal", "samples"]
    np.testing.assert_allclose(shown.time, [0.0, 1.0, 2.0, 3.0, 4.0], atol=1e-6)
    np.testing.assert_allclose(shown.columns["x"], shown.time, atol=1e-4)


def test_a_sloped_pipe_lies_between_its_ends_on_the_page() -> None:
    start, end = np.array([1.0, 2.0, 5.0]), np.array([7.0, 4.0, 8.0])  # it goes down
    ends = f"start: {start.tolist()}, end: {end.tolist()}"
    setup = scenario_from_text(
        f"name: pipe\nduration: 1 s\nobstacles: [{{kind: pipe, name: line, {ends}, diameter: 40 cm}}]\n{ROV}"
    )
    scene, _ = scene_content(run_header(setup), np.zeros((0, 3)))
    (pipe,) = scene["obstacles"]
    half = 0.5 * pipe["length"] * np.array(rotation_matrix(tuple(pipe["q"])))[:, 0]
    np.testing.assert_allclose(pipe["center"] - half, start, atol=1e-9)
    np.testing.assert_allclose(pipe["center"] + half, end, atol=1e-9)


def test_of_a_fan_no_more_than_sixteen_beams_are_drawn() -> None:
    angles = np.linspace(-0.6, 0.6, 24).tolist()
    pose = {name: np.full(5, float(name == "q_NB_0")) for name in TRUTH}
    log = signal_log(
        np.arange(5) * 1.0,
        {f"beam_{k}": np.ones(5) for k in range(24)},
        "a/fan",
        vehicles={"a": {"sensors": {"fan": {"kind": "multibeam"}}}},
        notes={"beams a/fan": json.dumps({"angles": angles})},
    )
    truth = signal_log(np.arange(5) * 1.0, pose, "a/truth")
    log = Log(log.header, {**truth.channels, **log.channels}, {**truth.series, **log.series}, (), complete=True)
    (vehicle,) = page_content(mission_page([log])).header["runs"][0]["vehicles"]
    assert 8 <= len(vehicle["rays"]) <= 16
    for ray in vehicle["rays"]:
        angle = angles[int(ray["field"].removeprefix("beam_"))]
        np.testing.assert_allclose(ray["direction"], (np.cos(angle), np.sin(angle), 0.0), atol=1e-9)


def test_texts_of_a_log_cannot_become_code() -> None:
    times = np.arange(5) * 1.0
    evil = "</script><script>alert(1)</script>@DATA@"
    log = signal_log(times, {"x": times}, notes={"title": evil})
    log = Log(log.header, log.channels, log.series, (Event(0, "a", "info", evil),), complete=True)
    page = mission_page([log])
    assert page.count("<script>alert") == 0
    assert page_content(page).header["runs"][0]["events"][0]["text"] == evil


def test_logs_without_values_are_refused() -> None:
    with pytest.raises(InputError, match="holds no values"):
        mission_page([signal_log(np.zeros(0), {"x": np.zeros(0)})])


def test_a_cut_log_gives_a_page_of_what_is_there(tmp_path: Path, square: remora.RunLog) -> None:
    whole = square.save(tmp_path / "whole.mcap").read_bytes()
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(whole[: int(0.6 * len(whole))])
    done = CliRunner().invoke(main, ["view", str(cut)])
    assert done.exit_code == 0, done.output
    assert "is damaged" in done.output
    page = (tmp_path / "cut.html").read_text()
    assert "cut: " in re.search(r'<p id="notes">([^<]*)<', page)[1]  # type: ignore[index]
    assert page_content(page).tables[0, "rov/truth", "samples"].time[-1] > 3.0


@pytest.mark.parametrize("content", [b"", b"not a log at all", b"\x89MCAP0\r\n" + bytes(200)])
def test_foreign_files_give_a_clear_message(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.mcap").write_bytes(content)
    done = CliRunner().invoke(main, ["view", str(tmp_path / "run.mcap")])
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert not (tmp_path / "run.html").exists()


def test_view_does_not_replace_files_of_others(tmp_path: Path, square: remora.RunLog) -> None:
    log = square.save(tmp_path / "run.mcap")
    (tmp_path / "run.html").write_text("<html>my thesis</html>")
    assert CliRunner().invoke(main, ["view", str(log)]).exit_code == 2
    write_page([square.log], tmp_path / "mine.html")
    assert CliRunner().invoke(main, ["view", str(log), "--out", str(tmp_path / "mine.html")]).exit_code == 0


def test_the_page_of_python_is_that_of_the_command(tmp_path: Path, square: remora.RunLog) -> None:
    page = square.view(show=False)
    assert page_content(page.text).header["runs"][0]["label"] == "run 1"
    assert page.save(tmp_path / "run.html").read_text() == page.text
    assert page._repr_html_().startswith("<iframe")
    with pytest.raises(InputError, match="other is"):
        square.view(3)  # type: ignore[arg-type]


def test_the_bundle_is_that_of_its_sources() -> None:
    viewer = ROOT / "viewer"
    paths = [*sorted((viewer / "src").iterdir()), *(viewer / name for name in ("build.mjs", "package.json"))]
    digest = hashlib.sha256()
    for path in (*paths, viewer / "package-lock.json"):
        digest.update(path.relative_to(viewer).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    assert (ASSETS / "sources.sha256").read_text().strip() == digest.hexdigest(), "bundle it again: make page"


def test_the_licences_of_the_bundle_are_with_it() -> None:
    text = (ASSETS / "LICENCES.txt").read_text()
    assert text.count("Permission is hereby granted") == 2
    assert re.search(r"three \d", text)
    assert re.search(r"uplot \d", text)
