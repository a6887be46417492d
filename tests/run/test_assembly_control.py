"""Vehicles that are joined in a run and controlled as one: against the composite, handing over, faults, mistakes."""

from pathlib import Path

import numpy as np
import pytest

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.logs import Log, read_log
from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop, run
from remora.scenarios.load_context import ScenarioError
from remora.scenarios.reader import read_scenario, scenario_from_text

PARTS = """
guidance: {part: hold, rate: 10 Hz, position: [0.4 m, -0.3 m, 3.2 m], heading: 15 deg}
control: {part: position, rate: 50 Hz}
allocation: {part: bounded, rate: 50 Hz}
"""
COMPOSITE = f"""
name: whole
duration: 8 s
log: {{rate: 10 Hz}}
water: {{current: [0.1 m/s, 0.05 m/s, 0]}}
vehicles:
  - name: pair
    file: docked_pair
    position: [0, 0, 3 m]
    navigation: truth
{PARTS.replace(chr(10), chr(10) + "    ")}
"""
BODIES = f"""
name: parts
duration: 8 s
log: {{rate: 10 Hz}}
water: {{current: [0.1 m/s, 0.05 m/s, 0]}}
vehicles:
  - name: pair
    file: docked_pair
    model: bodies
    position: [0, 0, 3 m]
    modules: {{lead: {{navigation: truth}}}}
    assembly:
{PARTS.replace(chr(10), chr(10) + "      ")}
"""
LATCHED = """
name: latched
duration: 12 s
log: {rate: 10 Hz}
watch: {overlap: off}
vehicles:
  - name: pair
    file: docked_pair
    model: bodies
    modules:
      lead: {position: [0, 0, 3 m], navigation: truth, OWN}
      tail: {position: [-0.56 m, 0.01 m, 3 m], velocity: [0.05 m/s, 0, 0], navigation: truth, OWN}
    links: {lead-tail: {latch_from: 1 s, detach: 9 s}}
    assembly: {WHOLE}
""".replace(
    "OWN", "guidance: {part: hold, rate: 10 Hz}, control: {part: position, rate: 50 Hz}, allocation: pseudo_inverse"
).replace(
    "WHOLE",
    "guidance: {part: hold, rate: 10 Hz, position: [0.1 m, 0, 3.1 m], heading: 0}, "
    "control: {part: position, rate: 50 Hz}, allocation: {part: bounded, rate: 50 Hz}",
)


def simulated(text: str, folder: Path) -> Log:
    """Log of a scenario that ends without a warning."""
    outcome = run(scenario_from_text(text), folder / "run.mcap")
    assert (outcome.stopped, outcome.warnings) == ("", ())
    return read_log(folder / "run.mcap")


def test_linked_bodies_under_one_controller_move_as_the_composite_under_it(tmp_path: Path) -> None:
    whole, parts = simulated(COMPOSITE, tmp_path), simulated(BODIES, tmp_path)
    expected, found = whole["pair/truth"].table(), parts["pair/lead/truth"].table()
    assert np.abs(expected[-1, :3] - expected[0, :3]).max() > 0.2
    np.testing.assert_allclose(found[:, :7], expected[:, :7], atol=1e-7)
    commands = np.hstack([parts[f"pair/{name}/commands"].table() for name in ("lead", "tail")])
    np.testing.assert_allclose(commands, whole["pair/commands"].table(), atol=1e-4)
    np.testing.assert_allclose(parts["pair/reference"].table(), whole["pair/reference"].table())


def test_control_is_handed_over_at_the_latch_and_back_at_its_release(tmp_path: Path) -> None:
    log = simulated(LATCHED, tmp_path)
    said = [(event.source, event.text.split(",")[0]) for event in log.events]
    steps = [
        said.index(one)
        for one in (
            ("pair/lead-tail", "attached"),
            ("pair/lead/control", "active -> paused"),
            ("pair/tail/control", "active -> paused"),
            ("pair/control", "paused -> active"),
            ("pair/lead-tail", "detached"),
            ("pair/control", "active -> paused"),
            ("pair/tail/control", "paused -> active"),
        )
    ]
    assert steps == sorted(steps)
    assert ("pair/lead/navigation", "active -> paused") not in said
    docked = np.asarray(log["pair/lead-tail"]["attached"], dtype=bool)
    lead, tail = (log[f"pair/{name}/truth"].table()[:, :3] for name in ("lead", "tail"))
    assert np.ptp(np.linalg.norm((lead - tail)[docked], axis=1)) < 1e-9
    assert log["pair/reference"].time[0] == pytest.approx(log["pair/lead-tail"].time[docked][0], abs=0.1)
    assert np.linalg.norm(lead[docked][-1] - [0.1, 0.0, 3.1]) < 0.05
    assert lead[-1] == pytest.approx([0.0, 0.0, 3.0], abs=0.15)  # its own hold is that of before the docking


def test_a_bundled_pair_docks_and_travels_as_one_with_a_failed_thruster(tmp_path: Path) -> None:
    outcome = run(read_scenario("docked_transit"), tmp_path / "run.mcap")
    assert (outcome.stopped, outcome.warnings) == ("", ())
    log = read_log(tmp_path / "run.mcap")
    (without,) = [event.text for event in log.events if event.source == "pair/allocation" and "without" in event.text]
    assert without.startswith("does without tail/front_port")
    end = log["pair/lead/truth"].table()[-1]
    assert end[:3] == pytest.approx([4.0, 1.5, 3.5], abs=0.1)
    assert np.degrees(to_euler_zyx(tuple(end[3:7]))[2]) == pytest.approx(30.0, abs=3.0)
    commands = log["pair/tail/commands"].table()[-20:]
    assert np.abs(commands).max() > 0.1  # thrusters of both modules work


def test_an_assembly_continues_from_a_checkpoint_bit_for_bit(tmp_path: Path) -> None:
    setup = scenario_from_text(LATCHED)
    whole, first = Loop(setup), Loop(setup)
    whole.advance(1100)
    first.advance(500)
    assert [one.is_active for one in first.assemblies] == [True]
    save_checkpoint(tmp_path / "a", first)
    second = resumed_loop(setup, load_checkpoint(tmp_path / "a", setup), None, None)
    second.advance(1100)
    for a, b in zip(whole.vehicles, second.vehicles, strict=True):
        np.testing.assert_array_equal(a.state, b.state)


def test_thrusters_of_modules_without_control_rest_after_a_link_has_failed(tmp_path: Path) -> None:
    text = BODIES.replace("    assembly:", "    links: {lead-tail: {fails: 2 s}}\n    assembly:")
    run(scenario_from_text(text.replace("duration: 8 s", "duration: 3 s")), tmp_path / "run.mcap")
    commands = read_log(tmp_path / "run.mcap")["pair/tail/commands"]
    assert np.abs(commands.table()[(commands.time > 0.5) & (commands.time < 2.0)]).max(axis=1).min() > 0.01
    assert not commands.table()[commands.time > 2.05].any()


def test_an_assembly_that_cannot_hold_its_place_is_a_warning() -> None:
    """The whole is watched although the parts of its modules pause."""
    strong = BODIES.replace("[0.1 m/s, 0.05 m/s, 0]", "[3 m/s, 0, 0]").replace("duration: 8 s", "duration: 30 s")
    outcome = run(scenario_from_text(strong))
    assert "tracking" in {one.watch for one in outcome.warnings if one.vehicle == "pair"}


MISTAKES = {
    "an unknown key": ("guidance: {part: hold, rate: 10 Hz, pos", "gudance: {part: hold, pos", 'Did you mean "guid'),
    "a second navigation": ("assembly:\n", "assembly:\n      navigation: truth\n", "that of the first module"),
    "no navigation": ("lead: {navigation: truth}", "tail: {navigation: truth}", "needs the navigation of its first"),
    "no control": ("control: {part: position, rate: 50 Hz}", "", "control"),
    "no mapping": ("assembly:\n", "assembly: []\n    links:\n", "expected a mapping with the keys"),
    "a composite": ("model: bodies", "model: composite", "is used with model: bodies only"),
    "a single vehicle": ("file: docked_pair", "file: bluerov2_heavy", "is used by a morphology only"),
    "joints": ("file: docked_pair", "file: ring_of_six", "has joints"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_fix(mistake: str) -> None:
    old, new, words = MISTAKES[mistake]
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(BODIES.replace(old, new, 1))
    assert words in str(caught.value)
