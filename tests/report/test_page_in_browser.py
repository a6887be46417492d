"""The mission page in a real browser: it draws, moves, follows keys and asks for nothing."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import remora
from remora.report.mission_page.live_view import LiveView
from remora.simulation.loop.loop import Loop
from remora.simulation.recorder import Recorder
from remora.simulation.scenarios import read_scenario
from remora.simulation.setup import Setup
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


class LiveRun:
    """A run with its live page in a browser."""

    def __init__(self, page: BrowserPage, setup: Setup, folder: Path) -> None:
        self.loop = Loop(setup, Recorder.open(setup, folder / "run.mcap"))
        self.page, self.view = page, LiveView(setup)
        assert self.loop.recorder is not None
        self.loop.recorder.on_event = self.view.event
        self.view.send(self.loop)
        page.open(self.view.url)

    def advance(self, seconds: float, rows: int) -> None:
        """Simulate up to a time, send rows on the way, and wait until the page shows the last one."""
        until = round(1e9 * seconds / self.loop.setup.step_ns)
        for k in np.linspace(self.loop.step, until, rows + 1).round().astype(int)[1:].tolist():
            self.loop.advance(k)
            self.view.send(self.loop)
        self.page.wait_for(f"Math.abs(remora.now() - {seconds}) < 1e-6")
        self.page.evaluate("new Promise((done) => setTimeout(done, 700))")  # curves are drawn twice a second

    def end(self) -> None:
        """End the run as the command does."""
        ending = threading.Thread(target=self.view.close, args=(self.loop,))
        ending.start()
        self.page.wait_for("!remora.header.live")
        ending.join(timeout=30)
        assert not ending.is_alive()

    def close(self) -> None:
        """End the server and the log, whatever was sent."""
        self.view.close(self.loop)
        assert self.loop.recorder is not None
        self.loop.recorder.close()


@pytest.fixture
def live(page: BrowserPage, tmp_path: Path) -> Iterator[Callable[..., LiveRun]]:
    """Function that begins the live view of a bundled scenario with changes."""
    begun: list[LiveRun] = []

    def begin(scenario: str, changes: dict[str, object]) -> LiveRun:
        page.resize(1000, 600)
        begun.append(LiveRun(page, read_scenario(scenario, changes), tmp_path))
        return begun[-1]

    yield begin
    for run in begun:
        run.close()


def share_of_pixels(page: BrowserPage, condition: str) -> float:
    """Share of the pixels of the scene for whose r, g and b (0 to 255) a JavaScript condition holds."""
    return float(
        page.evaluate(f"""(() => {{ const c = document.querySelector('#scene canvas');
      const copy = document.createElement('canvas'); copy.width = 120; copy.height = 80;
      remora.draw(); const d = copy.getContext('2d'); d.drawImage(c, 0, 0, 120, 80);
      const p = d.getImageData(0, 0, 120, 80).data; let n = 0;
      for (let i = 0; i < p.length; i += 4) {{ const [r, g, b] = p.slice(i, i + 3); if ({condition}) n++; }}
      return n / (120 * 80); }})()""")
    )


def test_a_running_simulation_is_shown_live(page: BrowserPage, live: Callable[..., LiveRun]) -> None:
    run = live("bluerov_square", {"duration": "6 s"})
    run.advance(6.0, 60)
    run.end()
    assert page.evaluate("remora.header.runs[0].byName['rov/truth'].samples.time.length") == 62
    assert page.evaluate("remora.now()") == pytest.approx(6.0, abs=0.2)
    assert page.console == []


def test_plumes_of_a_live_run_are_no_larger_than_after_it(page: BrowserPage, live: Callable[..., LiveRun]) -> None:
    """The largest thrust was that before the first row: plumes of 1e9 times their size made the scene white."""
    run = live("bluerov_square", {"duration": "20 s"})
    run.advance(3.0, 30)
    assert share_of_pixels(page, "Math.min(r, g, b) > 200") < 0.3
    found = page.evaluate("remora.figures()[0]")
    longest = 3.0 * page.evaluate("remora.header.runs[0].vehicles[0].scale")
    thrust = page.evaluate(
        "Object.values(remora.header.runs[0].byName['rov/outputs'].samples.columns).map((c) => [...c])"
    )
    largest = np.abs(np.array(thrust)).max()
    np.testing.assert_allclose(
        found["plumes"], np.abs(np.array(thrust)[:, -1]) / largest * longest, atol=0.011 * longest
    )
    beyond = "remora.header.runs[0].byName['rov/outputs'].samples.columns.front_port.fill(1e6)"
    page.evaluate(f"({beyond}, remora.update(remora.now()))")
    assert max(page.evaluate("remora.figures()[0].plumeWidths")) < 1.0  # a thrust beyond the largest known one


def test_references_and_rays_are_drawn_live(page: BrowserPage, live: Callable[..., LiveRun]) -> None:
    run = live("bluerov_square", {"duration": "20 s"})
    assert "reference" in page.evaluate("document.querySelector('#legend').textContent")
    run.advance(5.0, 50)
    found = page.evaluate("remora.figures()[0]")
    x, up, z = found["goal"]
    reference = run.loop.vehicles[0].parts.reference
    np.testing.assert_allclose((x, z, -up), reference.p_NR, atol=1e-3)
    assert any(found["rays"])
    titles = page.evaluate("[...document.querySelectorAll('.plot')].map((one) => one.title)")
    assert titles[0] == "depth [m]"
    labels = page.evaluate("remora.plot(0).series.map((one) => one.label)")
    assert labels == ["t", "true", "estimated", "reference"]


def test_curves_of_a_live_run_reach_its_last_row_though_no_more_come(
    page: BrowserPage, live: Callable[..., LiveRun]
) -> None:
    run = live("wall", {"duration": "20 s"})
    run.advance(8.0, 40)
    assert page.evaluate("remora.plot(0).data[0].at(-1)") == pytest.approx(8.0)
    assert page.evaluate("remora.plot(1).series.length") == 3  # the measured distance and the one to keep
    assert page.evaluate("[...remora.plot(1).data[1]].filter((one) => one !== null).length") > 20
    cursor = page.evaluate("document.querySelector('.now').getBoundingClientRect().right")
    assert cursor <= page.evaluate("document.querySelector('.u-over').getBoundingClientRect().right") + 2.0


def test_events_of_a_live_run_are_listed(page: BrowserPage, live: Callable[..., LiveRun]) -> None:
    run = live("wall", {"duration": "2 s"})
    page.evaluate("document.querySelector('#table').open = true")
    run.advance(2.0, 10)
    run.end()
    texts = page.evaluate("[...document.querySelectorAll('#events tr')].map((one) => one.textContent)")
    assert any("waiting -> active" in text for text in texts)
    assert len(texts) == len(set(texts))


def test_the_ground_of_a_live_run_lies_below_its_obstacles(page: BrowserPage, live: Callable[..., LiveRun]) -> None:
    live("wall", {"duration": "2 s"})
    bed = page.evaluate("(({north, step, rows}) => [north, north + step * (rows - 1)])(remora.header.scene.bed)")
    assert bed[0] < -20.0
    assert bed[1] > 80.0  # the wall ends there


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
    for time in (0.0, 3.0, 29.0):
        wall.evaluate(f"remora.update({time}), remora.place('{view}')")
        for later in (time, 29.0, 0.0):  # the camera follows
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
    assert share_of_pixels(wall, "r > b + 20") > 0.25


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
