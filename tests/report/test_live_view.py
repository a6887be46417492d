"""The rows that a live page gets: references and new readings beside the sampled channels, all of them JSON."""

import itertools
import json
import threading
import urllib.request
from types import SimpleNamespace
from typing import Any

import pytest

from remora.report.mission_page.live_view import LiveView
from remora.run.loop import loop as loop_module
from remora.run.loop.loop import Loop, run_loop
from remora.scenarios import read_scenario, scenario_from_text
from report.page_content import page_content

LONG_LEG = """\
name: leg
duration: 60 s
water: {bottom_depth: 9 m}
vehicles:
  - name: rov
    file: falcon
    position: [0, 0, 5 m]
    navigation: {part: truth, rate: 20 Hz}
    guidance: {part: lyapunov, rate: 20 Hz, mission: [{do: transit, position: [120 m, 0, 5 m]}]}
    control: {part: pid, rate: 20 Hz}
    allocation: {part: bounded, rate: 20 Hz, axes: [surge, sway, heave, yaw]}
"""


def messages(loop: Loop, times: list[float]) -> list[dict[str, Any]]:
    """What a page gets of a run that is sent at some times, s, and then ends."""
    view = LiveView(loop.setup)
    for time in times:
        loop.advance(round(1e9 * time / loop.setup.step_ns))
        view.send(loop)
    with urllib.request.urlopen(f"{view.url}events", timeout=20.0) as stream:
        ending = threading.Thread(target=view.close, args=(loop,))
        ending.start()
        lines = stream.read().decode().splitlines()
    ending.join(timeout=20.0)

    def refused(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return [json.loads(line[6:], parse_constant=refused) for line in lines if line.startswith("data: ")]


def test_a_live_page_gets_each_new_reading_once_and_every_reference() -> None:
    got = messages(Loop(read_scenario("wall", {"duration": "3 s"})), [0.0, 0.1, 1.05, 1.06, 2.05])
    assert "rov/reference" not in got[0]["rows"]  # guidance has not run
    assert all(value is None for value in got[0]["rows"]["rov/estimate"][:3])
    assert all("rov/reference" in one["rows"] for one in got[2:5])
    assert [row["time"] for row in got[:5]] == pytest.approx([0.0, 0.1, 1.05, 1.06, 2.05])
    echoes = [one["rows"].get("rov/echo") for one in got[:5]]
    assert [echo is not None for echo in echoes[2:]] == [True, False, True]  # it measures ten times a second
    assert echoes[2][0] == pytest.approx(3.8, abs=0.1)
    assert echoes[4] != echoes[2]
    assert got[-1]["ended"]


def test_the_ground_of_a_live_page_reaches_the_goals() -> None:
    loop = Loop(scenario_from_text(LONG_LEG))
    view = LiveView(loop.setup)
    with urllib.request.urlopen(view.url, timeout=20.0) as answer:
        bed = page_content(answer.read().decode()).header["scene"]["bed"]
    view.close(loop)
    assert bed["north"] < 0.0
    assert bed["north"] + bed["step"] * (bed["rows"] - 1) > 120.0


def test_a_run_at_the_pace_of_real_time_reports_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pieces are shorter than the time between two reports: a live page got the first and the last row only."""
    clock = itertools.count()
    monkeypatch.setattr(loop_module, "time", SimpleNamespace(monotonic=lambda: 0.02 * next(clock)))  # s, for each look
    seconds: list[float] = []
    loop = Loop(scenario_from_text(LONG_LEG.replace("60 s", "1 s")))
    run_loop(loop, progress=seconds.append, speed=1000.0)
    assert len(seconds) > 10
    assert seconds == sorted(seconds)
