"""The mission page in a real browser: it draws, moves, follows keys and asks for nothing."""

import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import remora
from remora.logs.log import Log, Series
from remora.logs.schema import Channel, Field, RunHeader
from remora.report.mission_page import mission_page
from report.chromium import BrowserPage, browser, find_chromium

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Page of a short mission with estimate, fault and current."""
    changes = {
        "duration": "30 s",
        "watch": "off",
        "faults": [{"fault": "dead", "of": "front_port", "at": "15 s"}],
    }
    log = remora.simulate(remora.load_scenario("bluerov_square").with_(changes), seed=3)
    return log.view(show=False).save(tmp_path_factory.mktemp("page") / "run.html")


@pytest.fixture(scope="module")
def page(page_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserPage]:
    """The page, opened from its file."""
    if find_chromium() is None:
        pytest.skip("there is no Chromium on this machine")
    with browser(tmp_path_factory.mktemp("profile")) as found:
        found.open(page_file.as_uri())
        yield found


def figures(page: BrowserPage, time: float) -> dict[str, object]:
    """Figures of the first vehicle at a time."""
    return page.evaluate(f"(remora.update({time}), remora.figures()[0])")


def test_the_vehicle_moves_when_the_time_is_moved(page: BrowserPage) -> None:
    start, later = (np.array(figures(page, t)["position"]) for t in (0.0, 25.0))
    assert np.linalg.norm(later - start) > 1.0


def test_the_estimate_differs_from_the_truth(page: BrowserPage) -> None:
    found = figures(page, 20.0)
    distance = np.linalg.norm(np.array(found["ghost"]) - np.array(found["position"]))
    assert 1e-4 < distance < 2.0


def test_a_plume_grows_with_thrust_and_a_dead_thruster_has_none(page: BrowserPage) -> None:
    lengths = np.array([figures(page, t)["plumes"] for t in np.arange(0.5, 30.0, 0.5)])
    assert np.ptp(lengths.max(axis=1)) > 0.05
    names = page.evaluate("remora.header.runs[0].vehicles[0].thrusters.map((one) => one.field)")
    dead = lengths[:, names.index("front_port")]
    assert dead[:28].max() > 0.0
    assert dead[34:].max() == 0.0


def test_a_channel_is_found_and_added(page: BrowserPage) -> None:
    before = page.evaluate("remora.panels()")
    assert page.evaluate("remora.search('truth.p_nb_x')") is True
    assert page.evaluate("remora.panels()") == before + 1
    assert page.evaluate("remora.search('no such channel')") is False
    assert page.evaluate("remora.panels()") == before + 1


def test_the_keyboard_plays_steps_and_changes_the_camera(page: BrowserPage) -> None:
    page.evaluate("(document.activeElement.blur(), remora.seek(5))")
    page.press("ArrowRight")
    assert page.evaluate("remora.now()") == pytest.approx(5.5)
    page.press("3")
    assert page.evaluate("document.querySelector('#view').value") == "top"
    page.press("End")
    assert page.evaluate("remora.now()") == pytest.approx(page.evaluate("remora.duration"))
    page.press("Home")
    page.press(" ", "Space")
    page.evaluate("new Promise((done) => setTimeout(done, 1500))")
    page.press(" ", "Space")
    assert page.evaluate("remora.now()") > 0.2


def test_light_dark_and_narrow_windows_show_the_scene(page: BrowserPage) -> None:
    page.evaluate("remora.place('far')")
    for width, height in ((1000, 600), (420, 800)):
        page.resize(width, height)
        page.evaluate("remora.update(10)")
        page.evaluate("new Promise((done) => setTimeout(done, 400))")
        box = page.evaluate(
            "(({width, height}) => [width, height])(document.querySelector('#scene').getBoundingClientRect())"
        )
        assert box[0] > 250
        assert box[1] > 250
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") is True
    page.evaluate("document.activeElement.blur()")  # a field that has the focus takes the key itself
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.press("l")
    page.wait_for("document.documentElement.dataset.theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    page.resize(1000, 600)


def test_the_scene_is_drawn_and_the_table_filled(page: BrowserPage) -> None:
    page.evaluate("(remora.place('chase'), document.querySelector('#table').open = true, remora.update(12))")
    pixels = page.evaluate("""(() => { const c = document.querySelector('#scene canvas');
      const copy = document.createElement('canvas'); copy.width = 60; copy.height = 40;
      remora.draw(); const d = copy.getContext('2d'); d.drawImage(c, 0, 0, 60, 40);
      const p = new Uint32Array(d.getImageData(0, 0, 60, 40).data.buffer); return new Set(p).size; })()""")
    assert pixels > 50
    rows = page.evaluate("document.querySelectorAll('#figures tr').length")
    assert rows > 8
    assert page.evaluate("document.querySelectorAll('#events tr').length") > 0


def test_nothing_is_requested_and_nothing_is_written_to_the_console(page: BrowserPage, page_file: Path) -> None:
    assert page.console == []
    assert {url for url in page.requests if not url.startswith(("data:", "blob:"))} == {page_file.as_uri()}


@pytest.fixture(scope="module")
def wall(page: BrowserPage, tmp_path_factory: pytest.TempPathFactory) -> BrowserPage:
    """The page of half a minute along a wall."""
    log = remora.simulate(remora.load_scenario("wall").with_({"duration": "30 s", "watch": "off"}))
    file = log.view(show=False).save(tmp_path_factory.mktemp("wall") / "run.html")
    page.resize(1000, 600)
    page.open(file.as_uri())
    return page


def open_wall(page: BrowserPage) -> None:
    """The wall again, after another page of this file."""
    assert page.evaluate("document.title").startswith("A BlueROV2 Heavy follows a wall")


@pytest.mark.parametrize("view", ["chase", "side", "top", "far", "under"])
def test_no_camera_stands_in_a_wall_or_behind_it(wall: BrowserPage, view: str) -> None:
    open_wall(wall)
    for moment in (0.0, 3.0, 29.0):
        wall.evaluate(f"remora.update({moment}), remora.place('{view}')")
        for later in (moment, 29.0, 0.0):  # the camera follows
            wall.evaluate(f"remora.update({later})")
            assert wall.evaluate("remora.sight()") == 1.0
            _, up, z = wall.evaluate("remora.camera()")
            assert z < 4.0, "beyond the face of the quay"
            assert -up < 12.0, "below the bed"


def test_a_camera_that_a_wall_brought_near_goes_back(wall: BrowserPage) -> None:
    open_wall(wall)
    away = "remora.figures()[0].position.map((one, k) => one - remora.camera()[k])"
    far = f"Math.hypot(...{away})"
    wall.evaluate("remora.update(0), remora.place('side')")
    before = wall.evaluate(far)
    wall.evaluate("remora.turn(Math.PI), remora.update(29)")  # into the wall
    assert wall.evaluate(far) < 0.9 * before
    assert wall.evaluate("remora.sight()") == 1.0
    wall.evaluate("remora.turn(Math.PI), remora.update(29.1)")
    assert wall.evaluate(far) == pytest.approx(before, rel=0.02)


def test_the_chase_camera_shows_the_wall(wall: BrowserPage) -> None:
    """It stood between the vehicle and the wall and looked away from it."""
    open_wall(wall)
    wall.evaluate("remora.update(29), remora.place('chase')")
    deadline = time.monotonic() + 20.0  # a busy machine draws late
    while (share := wall.share_of_pixels("r > b + 20")) <= 0.25 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert share > 0.25


def test_depth_grows_downwards_and_its_ticks_differ(wall: BrowserPage) -> None:
    open_wall(wall)
    assert wall.evaluate("remora.plot(0).valToPos(5, 'y') > remora.plot(0).valToPos(4, 'y')") is True
    assert wall.evaluate("remora.plot(1).valToPos(5, 'y') < remora.plot(1).valToPos(4, 'y')") is True  # a distance
    assert wall.evaluate("remora.search('truth.p_nb_z')") is True
    last = "remora.panels() - 1"
    assert wall.evaluate(f"remora.plot({last}).valToPos(5, 'y') > remora.plot({last}).valToPos(4, 'y')") is True
    wall.press("l")
    assert wall.evaluate("remora.plot(0).valToPos(5, 'y') > remora.plot(0).valToPos(4, 'y')") is True
    wall.press("l")
    ticks = wall.evaluate("Array.from({length: remora.panels()}, (_, k) => remora.plot(k).axes[1]._values)")
    assert all(len(set(labels)) == len(labels) > 1 for labels in ticks), ticks


def test_a_constant_depth_is_not_drawn_by_its_rounding(wall: BrowserPage) -> None:
    open_wall(wall)
    scale = "(remora.plot(0).setData([[0, 1], [5, 5.0000001], [5, 5], [5, 5]]), remora.plot(0).scales.y)"
    low, high = wall.evaluate(f"(({{min, max}}) => [min, max])({scale})")
    assert high - low >= 0.01


def test_a_narrow_window_keeps_buttons_and_time_line(wall: BrowserPage) -> None:
    open_wall(wall)
    wall.resize(380, 800)
    wall.evaluate("new Promise((done) => setTimeout(done, 300))")
    right = wall.evaluate("document.querySelector('#theme').getBoundingClientRect().right")
    assert right <= 380.0
    assert wall.evaluate("document.querySelector('#timeline').clientWidth") > 250
    assert wall.evaluate("document.documentElement.scrollWidth <= innerWidth") is True
    wall.resize(1000, 600)


def test_only_a_reference_with_a_position_is_in_the_legend(wall: BrowserPage) -> None:
    open_wall(wall)
    legend = wall.evaluate("document.querySelector('#legend').textContent")
    assert "reference" not in legend
    assert "estimate" in legend


@pytest.fixture(scope="module")
def drawn(page: BrowserPage, tmp_path_factory: pytest.TempPathFactory) -> BrowserPage:
    """The page of a made-up log: a vehicle that heads and goes east at 1 m/s, its echosounder, and a link."""
    times = np.arange(101.0)
    north_star = np.full(101, math.sqrt(0.5))
    still = np.zeros(101)
    pose = {"p_NB_x": still, "p_NB_y": times, "p_NB_z": still + 5.0, "q_NB_0": north_star, "q_NB_1": still}
    pose |= {"q_NB_2": still, "q_NB_3": north_star, "v_NB_B_x": still + 1.0, "v_NB_B_y": still, "v_NB_B_z": still}
    beside = {**pose, "p_NB_x": still + 3.0}
    tables = {
        "a/truth": pose,
        "b/truth": beside,
        "a/echo": {"distance": still + 2.0},
        "dock": {"attached": times > 50.0},
    }
    starboard = [math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]
    echo = {"kind": "echosounder", "position": [0.0, 0.15, 0.0], "q_BS": starboard}
    link = {
        "name": "dock",
        "kind": "rigid",
        "first": "a",
        "second": "b",
        "point_first": [0, 0, 0],
        "point_second": [0, 0, 0],
    }
    header = RunHeader("0", 0, vehicles={"a": {"sensors": {"echo": echo}}}, scene={"links": [link]})
    series = {
        name: Series(Channel(name, tuple(Field(field, "m") for field in table)), (times * 1e9).astype(np.int64), table)
        for name, table in tables.items()
    }
    log = Log(header, {name: one.channel for name, one in series.items()}, series, (), complete=True)
    file = tmp_path_factory.mktemp("drawn") / "run.html"
    file.write_text(mission_page([log]))
    page.resize(1000, 600)
    page.open(file.as_uri())
    return page


def test_a_vehicle_that_heads_east_is_drawn_so_with_its_ray(drawn: BrowserPage) -> None:
    found = figures(drawn, 2.25)
    np.testing.assert_allclose(found["position"], (0.0, -5.0, 2.25), atol=1e-3)  # north, up, east
    np.testing.assert_allclose(found["ahead"], (0.0, 0.0, 1.0), atol=1e-6)
    np.testing.assert_allclose(found["rays"], [(-2.15, -5.0, 2.25)], atol=1e-3)  # starboard is south


def test_the_chase_camera_stands_behind_a_vehicle_that_heads_east(drawn: BrowserPage) -> None:
    drawn.evaluate("remora.update(2), remora.place('chase')")
    north, _, east = np.array(drawn.evaluate("remora.camera()")) - (0.0, -5.0, 2.0)
    assert east < -abs(north)


def test_a_link_is_drawn_while_it_is_attached(drawn: BrowserPage) -> None:
    assert [drawn.evaluate(f"(remora.update({time}), remora.links())") for time in (20.0, 80.0)] == [[False], [True]]


def test_playback_goes_at_its_speed(drawn: BrowserPage) -> None:
    """By the stamps of the frames that the page draws, whatever their rate."""
    drawn.evaluate("document.querySelector('#speed').value = '5'")
    drawn.evaluate("document.querySelector('#speed').dispatchEvent(new Event('change'))")
    passed, moved = drawn.evaluate("""new Promise((done) => { remora.update(0); remora.play(true); let first, at, n = 0;
      const tick = (stamp) => { if (n++ === 0) [first, at] = [stamp, remora.now()];
        if (n < 12) return requestAnimationFrame(tick);
        remora.play(false); done([(stamp - first) / 1000, remora.now() - at]); };
      requestAnimationFrame(tick); })""")
    assert moved == pytest.approx(5.0 * passed)
