"""The page of a run while it is simulated, in a real browser."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from remora.report.mission_page.live_view import LiveView
from remora.run.loop.loop import Loop
from remora.run.recorder import Recorder
from remora.run.setup import Setup
from remora.scenarios import read_scenario
from report.chromium import BrowserPage, browser, find_chromium

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserPage]:
    """A browser."""
    if find_chromium() is None:
        pytest.skip("there is no Chromium on this machine")
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


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
    assert page.share_of_pixels("Math.min(r, g, b) > 200") < 0.3
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
    assert found["rays"]
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


def test_a_live_run_of_many_rows_keeps_its_start(page: BrowserPage, live: Callable[..., LiveRun]) -> None:
    run = live("bluerov_square", {"duration": "20 s"})
    assert page.evaluate("remora.figures()[0].ghost") is None  # no estimate yet
    run.advance(12.0, 1200)
    truth = page.evaluate(
        "(({time, columns}) => [time.length, columns.p_NB_x[0]])(remora.header.runs[0].byName['rov/truth'].samples)"
    )
    assert truth == [1201, 1.0]
