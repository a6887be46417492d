"""Tethers in whole runs: what the log tells of them, winches, ships, snags, and lines without shape."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from world_samples import SECOND, logged, places, pulls, sphere_scenario

from remora.run.faults import Fault
from remora.run.faults.body import Snag
from remora.run.loop.loop import Loop, run
from remora.world.tethers.tether import FREE

DRAG = 20.0  # N s/m of the sphere
LINE = "name: line, length: 10 m, diameter: 8 mm"
LUMPED = f"{LINE}, weight_in_water: 0 N/m, stiffness: 20 kN, nodes: 10"
STREAM = "water: {current: [0.3 m/s, 0, 0]}\nlog: {rate: 20 Hz}"


def tethered(folder: Path, tether: str, top: str = STREAM, place: str = "[10 m, 0, 5 m]", **others: Any) -> Any:
    more = others.pop("more", "")
    entry = f"name: ball, position: {place}, tethers: [{{{tether}}}]{more}"
    return sphere_scenario(folder, top, [entry], drag=DRAG, **{"duration": "20 s", **others})


def test_a_vehicle_held_in_a_stream_settles(tmp_path: Path) -> None:
    """The line holds the drag of the sphere at one end, and its own skin friction too at the other."""
    log = logged(tethered(tmp_path, f"{LUMPED}, far_end: [0, 0, 5 m]", duration="60 s"), tmp_path)
    near, far, length = pulls(log, "ball/line")
    friction = 0.5 * 1000.0 * 0.01 * math.pi * 0.008 * 10.0 * 0.3**2
    assert near[-1] == pytest.approx([-DRAG * 0.3, 0.0, 0.0], abs=0.01)
    assert far[-1] == pytest.approx([DRAG * 0.3 + friction, 0.0, 0.0], abs=0.01)
    assert np.all(length == 10.0)
    end = log["ball/truth"].table()[-1]
    assert end[0] == pytest.approx(10.0 * (1.0 + (DRAG * 0.3 + 0.5 * friction) / 20e3), abs=1e-4)
    assert np.abs(end[7:13]).max() < 1e-4


def test_the_winch_pays_out_and_the_vehicle_drifts_along(tmp_path: Path) -> None:
    winch = "winch: {rate: 0.2 m/s, from: 1 s, until: 6 s}"
    log = logged(tethered(tmp_path, f"{LUMPED}, far_end: [0, 0, 5 m], {winch}", duration="60 s"), tmp_path)
    times, (near, _, length) = log["ball/line"].time_ns * 1e-9, pulls(log, "ball/line")
    assert length == pytest.approx(10.0 + 0.2 * np.clip(times - 1.0, 0.0, 5.0), abs=1e-9)
    assert places(log, "ball")[-1, 0] == pytest.approx(11.003, abs=2e-3)
    paying = (times > 4.0) & (times < 5.9)
    assert np.abs(near[paying]).max() < 0.1  # paid out faster than the sphere drifts, the line is slack
    assert near[-1, 0] == pytest.approx(-DRAG * 0.3, abs=0.05)


def test_a_ship_tows_its_vehicle(tmp_path: Path) -> None:
    """In still water behind a ship that goes on: after a while with its speed, and with the drag of that speed."""
    tether = f"{LUMPED}, attachment: [0.2 m, 0, 0], far_end: [10 m, 0, 5 m], far_velocity: [0.2 m/s, 0, 0]"
    log = logged(tethered(tmp_path, tether, "log: {rate: 20 Hz}", "[0, 0, 5 m]", duration="40 s"), tmp_path)
    near, _, _ = pulls(log, "ball/line")
    assert log["ball/truth"].table()[-1, 7] == pytest.approx(0.2, abs=1e-3)
    assert near[-1, 0] == pytest.approx(DRAG * 0.2, rel=0.01)
    assert places(log, "ball")[-1, 0] == pytest.approx(0.2 * 40.0 - 0.2, abs=0.01)


def test_a_snag_holds_the_line_until_it_ends(tmp_path: Path) -> None:
    """Caught near the vehicle, the line holds it on its short end; let go, it drifts to the end of all of it."""
    snag = ", faults: [{fault: snag, of: line, along: 2 m, at: 1 s, until: 40 s}]"
    setup = tethered(tmp_path, f"{LUMPED}, far_end: [0, 0, 5 m]", place="[3 m, 0, 5 m]", more=snag, duration="80 s")
    loop = Loop(setup)
    line = lambda: loop.vehicles[0].external_loads.tethers[0].state  # noqa: E731
    loop.advance(100)
    assert line().held == FREE
    loop.advance(101)
    held, place = line().held, line().positions[line().held].copy()
    assert 0 < held < 9
    loop.advance(3900)
    assert np.array_equal(line().positions[held], place)
    caught = loop.vehicles[0].state[:3].copy()
    reach = float(line().rest_lengths[:held].sum())
    assert np.linalg.norm(caught - place) == pytest.approx(reach, rel=1e-3)
    loop.advance(8000)
    assert line().held == FREE
    assert loop.vehicles[0].state[0] == pytest.approx(10.0, abs=0.05)
    assert loop.vehicles[0].state[0] > caught[0] + 1.0


def test_a_snag_is_told_and_felt_in_the_log(tmp_path: Path) -> None:
    """Two events of the tether; caught, the far end no longer feels the vehicle."""
    snag = ", faults: [{fault: snag, of: line, along: 2 m, at: 40 s, until: 44 s}]"
    log = logged(tethered(tmp_path, f"{LUMPED}, far_end: [0, 0, 5 m]", more=snag, duration="46 s"), tmp_path)
    told = [(e.time_ns / SECOND, e.level, e.data["state"]) for e in log.events if e.source == "ball/line"]
    assert told == [(40.0, "warning", "begins"), (44.0, "warning", "ends")]
    times, (near, _, _) = log["ball/line"].time_ns / SECOND, pulls(log, "ball/line")
    # In the stream it hangs on the snag as it hung on the line.
    assert near[(times > 42.0) & (times < 43.9), 0] == pytest.approx(-DRAG * 0.3, abs=0.1)


def test_a_slack_spring_holds_and_lets_go(tmp_path: Path) -> None:
    """Stretched by drag over stiffness; no pull but its loop's drag before it is taut."""
    tether = f"{LINE}, model: slack_spring, stiffness: 2 kN, damping: 50 N s/m, far_end: [0, 0, 5 m]"
    log = logged(tethered(tmp_path, tether, place="[8 m, 0, 5 m]", duration="60 s"), tmp_path)
    near, _, _ = pulls(log, "ball/line")
    loop_drag = 0.5 * 0.5 * 1000.0 * 1.2 * 0.008 * 10.0 * 0.3**2
    pull = DRAG * 0.3 + loop_drag
    assert places(log, "ball")[-1, 0] == pytest.approx(10.0 * (1.0 + pull / 2e3), abs=2e-3)
    assert near[-1, 0] == pytest.approx(-DRAG * 0.3, rel=0.01)
    taut = places(log, "ball")[:, 0] > 10.0
    assert near[: int(np.argmax(taut)) - 1, 0].min() > -1e-9  # before: along with the stream


def test_a_flat_plate_rubs_behind_its_vehicle(tmp_path: Path) -> None:
    """Half rho times the whole surface times the square of the speed through the water, as its coefficient says."""
    tether = f"{LINE}, model: flat_plate, tangential_drag: 0.02, far_end: [0, 0, 5 m]"
    log = logged(tethered(tmp_path, tether, place="[8 m, 0, 5 m]", duration="1 s"), tmp_path)
    near, far, _ = pulls(log, "ball/line")
    whole = 0.5 * 1000.0 * 0.02 * math.pi * 0.008 * 10.0
    relative = 0.3 - log["ball/truth"].table()[:, 7]
    assert near[1:, 0] == pytest.approx(whole * relative[:-1] ** 2, rel=0.05)
    assert not far.any()


def test_a_line_caught_twice_is_free_when_both_snags_have_ended(tmp_path: Path) -> None:
    first, second = "at: 0.1 s, until: 0.3 s, along: 2 m", "at: 0.2 s, until: 0.4 s, along: 7 m"
    snags = ", ".join(f"{{fault: snag, of: line, {when}}}" for when in (first, second))
    setup = tethered(tmp_path, f"{LUMPED}, far_end: [0, 0, 5 m]", more=f", faults: [{snags}]", duration="1 s")
    loop, held = Loop(setup), []
    for step in (5, 15, 25, 35, 45):
        loop.advance(step)
        held.append(loop.vehicles[0].external_loads.tethers[0].state.held)
    assert held == [FREE, 2, 6, 6, FREE]


def test_a_line_without_a_middle_that_is_snagged_stops_the_run_by_name(tmp_path: Path) -> None:
    """A file with it is refused; a setup made in Python fails in words, beside other vehicles too."""
    setup = tethered(tmp_path, f"{LUMPED.replace('nodes: 10', 'nodes: 2')}, far_end: [0, 0, 5 m]", duration="1 s")
    caught = replace(setup.vehicles[0], faults=(Fault("snag", Snag(), "line", SECOND // 10),))
    for vehicles in ((caught,), (caught, replace(setup.vehicles[0], name="other"))):
        stopped = run(replace(setup, vehicles=vehicles)).stopped
        assert stopped.startswith('"ball": a tether of 2 nodes has none between its ends')
