"""A vehicle held by a snag: warnings name the snag, not its controller; the summary tells pulls, docking, distances."""

from pathlib import Path

import numpy as np
import pytest

from remora.logs import read_log
from remora.report.simulations.summary import run_summary
from remora.run.loop.loop import Loop, RunOutcome, run_loop
from remora.run.recorder import Recorder
from remora.run.setup import Setup
from remora.scenarios import read_scenario
from remora.scenarios.reader import scenario_from_text

ON_A_LINE = """
name: caught
duration: {duration}
step: 20 ms
log: {{rate: 10 Hz}}
water: {{bottom_depth: 9 m}}
obstacles: [{{kind: box, name: quay, center: [0, 6 m, 5 m], size: [40 m, 2 m, 10 m]}}]
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    navigation: truth
    guidance: {guidance}
    control: {{part: position, rate: 10 Hz}}
    allocation: {{part: bounded, rate: 10 Hz}}
    tethers:
      - {{name: umbilical, far_end: [-8 m, 0, 0], length: 20 m, diameter: 8 mm, weight_in_water: 0,
         stiffness: 5 kN, nodes: 8}}
    faults: [{faults}]
"""
GOES = "{part: waypoints, rate: 10 Hz, speed: 0.4 m/s, points: [{position: [9 m, 0, 5 m]}]}"
HOLDS = "{part: hold, rate: 10 Hz, position: [0, 0, 5 m], heading: 0}"
SNAG = "{fault: snag, of: umbilical, along: 4 m, at: 4 s}"


def flown(made: Setup, file: Path) -> tuple[RunOutcome, list[tuple[str, str]]]:
    loop = Loop(made, Recorder.open(made, file))
    assert loop.recorder is not None
    outcome = run_loop(loop)
    loop.recorder.close()
    return outcome, run_summary(file)


def on_a_line(guidance: str, faults: str, duration: str = "44 s") -> Setup:
    return scenario_from_text(ON_A_LINE.format(guidance=guidance, faults=faults, duration=duration))


def test_a_snag_is_named_and_the_controller_is_not_blamed(tmp_path: Path) -> None:
    outcome, summary = flown(on_a_line(GOES, SNAG), tmp_path / "run.mcap")
    assert outcome.warnings
    for one in outcome.warnings:
        if one.watch in ("tracking", "offset", "heading", "at_limit", "unfinished"):
            assert "held by a snag of umbilical" in one.text
        assert "controller" not in one.text
    told = [text for label, text in summary if label == "not as asked"]
    assert any("held by a snag of umbilical, the tether is caught after 4 m" in text for text in told)
    end = read_log(tmp_path / "run.mcap")["rov/truth"]["p_NB_x"][-1]
    assert end < 6.0  # it did not come further


def test_a_vehicle_that_a_snag_lets_go_tips_by_the_snag(tmp_path: Path) -> None:
    outcome, _ = flown(on_a_line(GOES, SNAG.replace("}", ", until: 25 s}")), tmp_path / "run.mcap")
    tilts = [one.text for one in outcome.warnings if one.watch == "tilt"]
    assert tilts
    assert all(text.endswith("; let go by a snag of umbilical from 4 s until 25 s") for text in tilts)


def test_a_line_that_is_too_short_is_the_cause_of_an_unfinished_mission(tmp_path: Path) -> None:
    text = ON_A_LINE.format(guidance=GOES, faults="", duration="44 s").replace("length: 20 m", "length: 12 m")
    outcome, _ = flown(scenario_from_text(text), tmp_path / "run.mcap")
    (left,) = [one.text for one in outcome.warnings if one.watch == "unfinished"]
    assert left.endswith("when the run ended; umbilical is taut")
    assert not any("controller" in one.text for one in outcome.warnings)


def test_pulls_of_tethers_and_distances_stand_in_the_summary(tmp_path: Path) -> None:
    _, summary = flown(on_a_line(HOLDS, "", "8 s"), tmp_path / "run.mcap")
    log, told = read_log(tmp_path / "run.mcap"), [text for label, text in summary if label in ("tether", "distance")]
    pull = np.linalg.norm(log["rov/umbilical"].table("pull_x", "pull_y", "pull_z"), axis=1).max()
    assert any(f"umbilical: pulls with {pull:.3g} N at most" in text for text in told)
    y = log["rov/truth"]["p_NB_y"]
    quay = next(text for text in told if "rov to quay" in text)
    assert float(quay.split(": ")[1].split()[0]) == pytest.approx(5.0 - y.max(), abs=0.011)
    assert any("rov to the bed: 4.0" in text or "rov to the bed: 3.9" in text for text in told)


def test_a_missed_dock_stands_in_the_summary_with_the_final_offset(tmp_path: Path) -> None:
    _, summary = flown(read_scenario("docking_pair", {"duration": "4 s"}), tmp_path / "run.mcap")
    told = next(text for label, text in summary if label == "docking")
    log = read_log(tmp_path / "run.mcap")
    (port,) = log.header.scene["links"]
    lead, tail = (log[f"pair/{name}/truth"]["p_NB_x"][-1] for name in ("lead", "tail"))
    offset = abs(abs(lead - tail) - abs(port["point_first"][0] - port["point_second"][0]))
    assert told.startswith(f"{port['name']}: missed; ports ")
    assert float(told.split("ports ")[1].split(" cm")[0]) == pytest.approx(100.0 * offset, abs=1.0)


def test_a_link_from_the_start_that_fails_has_not_missed(tmp_path: Path) -> None:
    """It was called missed, as a dock that was never reached; links that last are not listed."""
    _, summary = flown(read_scenario("chain_run", {}), tmp_path / "run.mcap")
    (told,) = [text for label, text in summary if label == "docking"]
    assert told.startswith("chain/m5-m6: attached from the start, fails at 12 s; ports ")
    attached = read_log(tmp_path / "run.mcap")["chain/m5-m6"]
    assert attached.time[attached["attached"] > 0].max() == pytest.approx(12.0, abs=0.2)
