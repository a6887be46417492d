"""The mission page in a real browser: it draws, moves, follows keys and asks for nothing."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import remora
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


def test_a_running_simulation_is_shown_live(page: BrowserPage, tmp_path: Path) -> None:
    from remora.report.mission_page.live_view import LiveView
    from remora.simulation.loop.loop import Loop
    from remora.simulation.recorder import Recorder
    from remora.simulation.scenarios import read_scenario

    setup = read_scenario("bluerov_square", {"duration": "6 s"})
    loop = Loop(setup, Recorder.open(setup, tmp_path / "run.mcap"))
    view = LiveView(setup)
    view.send(loop)
    page.open(view.url)
    steps = loop.steps // 60
    for k in range(1, 61):
        loop.advance(k * steps)
        view.send(loop)
    ending = threading.Thread(target=view.close, args=(loop,))
    ending.start()
    page.evaluate("new Promise((done) => setTimeout(done, 2500))")
    ending.join(timeout=30)
    assert not ending.is_alive()
    assert loop.recorder is not None
    loop.recorder.close()
    assert page.evaluate("remora.header.runs[0].byName['rov/truth'].samples.time.length") == 62
    assert page.evaluate("remora.now()") == pytest.approx(6.0, abs=0.2)
    assert page.console == []
