"""Morphologies in scenarios: composite and bodies, links that attach, detach and fail, their log, and mistakes."""

from pathlib import Path

import numpy as np
import pytest

from remora.equations.algebra.quaternions import rotation_matrix
from remora.logs import Log, read_log
from remora.plant.multibody import drift
from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop, run
from remora.scenarios.load_context import ScenarioError
from remora.scenarios.reader import read_scenario, scenario_from_text

TURN = "commands: [{at: 0.2 s, set: {surge_starboard: 200, surge_port: 180, lateral: 60}}]"
COMPOSITE = """
name: whole
duration: 4 s
log: {rate: 10 Hz}
water: {current: [0.1 m/s, 0.05 m/s, 0]}
vehicles:
  - name: pair
    file: two_bluerovs
    position: [1 m, 2 m, 5 m]
    angles: [5 deg, -3 deg, 20 deg]
    commands: [{at: 0.2 s, set: {left/surge_starboard: 200, left/surge_port: 180, left/lateral: 60}}]
"""
BODIES = COMPOSITE.replace(
    COMPOSITE[COMPOSITE.index("    commands") :], f"    modules: {{left: {{{TURN}}}}}\n    model: bodies\n"
)

DOCKING = """
name: docking
duration: 6 s
log: {rate: 10 Hz}
watch: {overlap: off}
vehicles:
  - name: pair
    file: docked_pair
    model: bodies
    modules:
      lead: {position: [0, 0, 5 m]}
      tail: {position: [-0.62 m, 0.01 m, 5 m], velocity: [0.09 m/s, 0, 0]}
    links:
      lead-tail: {latch_from: 0.5 s, tolerance: {distance: 10 cm, angle: 5 deg, speed: 0.1 m/s}, detach: 4 s}
"""


def test_a_composite_moves_as_its_linked_bodies(tmp_path: Path) -> None:
    """Two docked modules and their bracket = one rigid body with summed inertia."""
    whole = simulate_text(COMPOSITE, tmp_path)["pair/truth"].table()
    parts = simulate_text(BODIES, tmp_path)["pair/bracket/truth"].table()
    assert np.abs(whole[-1, :3] - whole[0, :3]).max() > 0.3
    np.testing.assert_allclose(parts[:, :3], whole[:, :3], atol=1e-8)
    np.testing.assert_allclose(parts[:, 7:], whole[:, 7:], atol=1e-7)


def test_a_latch_closes_inside_its_tolerance_and_opens_again(tmp_path: Path) -> None:
    log = simulate_text(DOCKING, tmp_path)
    events = [event for event in log.events if event.source == "pair/lead-tail"]
    assert [event.text.split(",")[0] for event in events] == ["attached", "detached"]
    assert events[0].data["energy_lost"] > 0.0
    assert events[0].data["mismatch"][0] <= 0.1
    link, lead, tail = (log[f"pair/{name}"] for name in ("lead-tail", "lead/truth", "tail/truth"))
    docked = np.asarray(link["attached"], dtype=bool)
    gap = lead.table("p_NB_x", "p_NB_y", "p_NB_z") - tail.table("p_NB_x", "p_NB_y", "p_NB_z")
    assert np.ptp(np.linalg.norm(gap[docked], axis=1)) < 1e-9  # welded where the latch closed
    assert not docked[0]
    assert not docked[-1]
    force = np.linalg.norm(link.table("X", "Y", "Z"), axis=1)
    assert force[docked].min() > 0.0
    assert not force[~docked].any()


AGAIN = (
    DOCKING[: DOCKING.index("{latch_from")]
    + """
        - {latch_from: 0.5 s, tolerance: {distance: 10 cm}, detach: 2 s}
        - {latch_from: 2.5 s, tolerance: {distance: 20 cm}, detach: 4 s}
        - {attach: 4.2 s, tolerance: {distance: 20 cm}}
"""
)


def test_a_link_comes_and_goes_several_times(tmp_path: Path) -> None:
    log = simulate_text(AGAIN, tmp_path)
    events = [event for event in log.events if event.source == "pair/lead-tail"]
    assert [event.text.split(",")[0] for event in events] == ["attached", "detached"] * 2 + ["attached"]
    times = [1e-9 * event.time_ns for event in events]
    assert times[1:] == pytest.approx([2.0, 2.5, 4.0, 4.2])
    link = log["pair/lead-tail"]
    docked = np.asarray(link["attached"], dtype=bool)
    assert docked[(link.time > 2.55) & (link.time < 3.95)].all()
    assert not docked[(link.time > 2.05) & (link.time < 2.45)].any()


def test_an_entry_may_hold_the_end_of_the_one_before() -> None:
    apart = AGAIN
    for end in ("detach: 2 s", "detach: 4 s"):
        apart = apart.replace(f", {end}}}", f"}}\n        - {{{end}}}")
    assert apart.count("- {detach") == 2
    found, usual = (scenario_from_text(text).links[0].periods for text in (apart, AGAIN))
    assert found == usual
    with pytest.raises(ScenarioError, match="detaches or fails before it attaches"):
        scenario_from_text(apart.replace("- {detach: 2 s}", "- {detach: 0.2 s}"))


def test_a_link_that_misses_its_time_is_reported_and_tries_the_next(tmp_path: Path) -> None:
    outcome = run(scenario_from_text(AGAIN.replace("10 cm", "1 mm")), tmp_path / "run.mcap")
    assert [(1e-9 * one.time_ns, str(one).split(": ")[1].split(".")[0]) for one in outcome.warnings] == [
        (2.0, "never came inside its latch tolerance")
    ]
    said = [event for event in read_log(tmp_path / "run.mcap").events if event.source == "pair/lead-tail"]
    events = [event.text.split(",")[0].split(".")[0] for event in said]
    assert events[:3] == ["never came inside its latch tolerance", "attached", "detached"]


def test_docking_keeps_the_impulse() -> None:
    loop = Loop(scenario_from_text(DOCKING))
    assert loop.links is not None
    while not loop.links.neighbours("pair/lead"):
        loop.advance(loop.step + 1)
        before = impulse(loop)
        loop.links.update(loop.time_ns)
    np.testing.assert_allclose(impulse(loop), before, rtol=1e-12, atol=1e-12)
    assert drift(loop.links._plant, loop.links._gathered()).largest.speed < 1e-12


def impulse(loop: Loop) -> np.ndarray:
    """Total linear impulse in N, with added mass."""
    total = np.zeros(3)
    for vehicle in loop.vehicles:
        inertia = vehicle.motion.packed.row[:36].reshape(6, 6)
        total += np.array(rotation_matrix(tuple(vehicle.state[3:7]))) @ (inertia @ vehicle.state[7:13])[:3]
    return total


def test_an_attachment_outside_the_tolerance_is_a_warning_and_changes_nothing(tmp_path: Path) -> None:
    text = DOCKING.replace("latch_from: 0.5 s", "attach: 0.5 s").replace("10 cm", "1 cm")
    outcome = run(scenario_from_text(text))
    assert len(outcome.warnings) == 1
    assert "did not attach" in str(outcome.warnings[0])
    never = "    links: {lead-tail: {latch_from: 5.9 s, tolerance: {distance: 1 mm}}}\n"
    apart = simulate_text(DOCKING[: DOCKING.index("    links:")] + never, tmp_path)
    refused = simulate_text(text, tmp_path)
    np.testing.assert_array_equal(apart["pair/tail/truth"].table(), refused["pair/tail/truth"].table())


def test_one_module_may_float_while_another_is_deep() -> None:
    text = DOCKING.replace("watch:", "water: {surface_depth: 0}\nwatch:").replace("[0, 0, 5 m]", "[0, 0, 0.2 m]")
    assert run(scenario_from_text(text.replace("duration: 6 s", "duration: 0.2 s"))).stopped == ""


def test_a_link_that_never_latches_is_reported() -> None:
    outcome = run(scenario_from_text(DOCKING.replace("10 cm", "1 mm")))
    [said] = [str(one) for one in outcome.warnings]
    assert "never came inside its latch tolerance. At the end, distance of 'pair/lead' and 'pair/tail' is " in said
    assert not run(scenario_from_text(DOCKING.replace("10 cm", "1 mm").replace("{overlap: off}", "off"))).warnings


def test_the_reaction_accelerates_the_towed_module(tmp_path: Path) -> None:
    text = """
name: tow
duration: 2 s
log: {rate: 10 Hz}
vehicles:
  - name: tow
    file: two_spheres
    model: bodies
    position: [0, 0, 5 m]
    modules: {left: {commands: [{at: 0 s, set: {t200: 6 N}}]}}
"""
    log = simulate_text(text, tmp_path)
    wrench = log["tow/rod-right"].table("X", "Y", "Z", "K", "M", "N")
    motion = log["tow/right/truth"].table()
    # At rest in still water the right sphere has no force of its own: (m + added) u' = X at the joint in its centre.
    times = log["tow/right/truth"].time_ns * 1e-9
    k = 1
    rate = (motion[k + 1, 7] - motion[k - 1, 7]) / (times[k + 1] - times[k - 1])
    speed = motion[k, 7]
    drag = 0.61 * speed + 3.8 * abs(speed) * speed
    assert wrench[k, 0] == pytest.approx((14.3 + 6.49) * rate + drag, rel=0.03)


def test_a_run_with_links_continues_from_a_checkpoint_bit_for_bit(tmp_path: Path) -> None:
    setup = scenario_from_text(AGAIN)
    whole = Loop(setup)
    whole.advance(600)
    first = Loop(setup)
    first.advance(350)  # attached for the second time
    save_checkpoint(tmp_path / "a", first)
    second = resumed_loop(setup, load_checkpoint(tmp_path / "a", setup), None, None)
    second.advance(600)
    assert second.links is not None
    assert second.links.are_attached(["pair/lead-tail"])
    for a, b in zip(whole.vehicles, second.vehicles, strict=True):
        np.testing.assert_array_equal(a.state, b.state)


ORDERS = {
    "no end before the next": ("detach: 2 s", "", "needs detach: the link attaches again after it"),
    "a beginning before the end": ("latch_from: 2.5 s", "latch_from: 1.5 s", "later than the detach before it"),
    "no beginning": (
        "latch_from: 2.5 s, tolerance: {distance: 20 cm}, ",
        "",
        "needs attach or latch_from, later than the detach before it",
    ),
    "attached after a failure": ("detach: 2 s", "fails: 2 s", "a link that has failed does not attach again"),
    "a mistake in one": ("20 cm}}", "20 cm, rte: 1}}", 'Did you mean "rate"'),
}


@pytest.mark.parametrize("mistake", ORDERS)
def test_times_of_a_link_follow_each_other(mistake: str) -> None:
    old, new, words = ORDERS[mistake]
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(AGAIN.replace(old, new))
    assert words in str(caught.value)
    assert len(caught.value.problems) == 1


MISTAKES = {
    "an unknown module": ("lead: {pos", "led: {pos", 'there is no module of this name. Did you mean "lead"?'),
    "no times": (DOCKING[DOCKING.index("{latch_from") :], "[]", "is empty. Give mappings with attach"),
    "an unknown link": ("lead-tail:", "lead-tial:", "there is no link of this name"),
    "a key of a module": (
        "    model: bodies",
        "    model: bodies\n    sensors: all",
        "belongs to a module of the morphology",
    ),
    "two ways to attach": ("latch_from: 0.5 s", "latch_from: 0.5 s, attach: 1 s", "cannot be given beside"),
    "an end before the start": (
        "detach: 4 s",
        "detach: 0.1 s",
        "must be later than the time at which the link attaches",
    ),
    "a link attached across a gap": (
        "latch_from: 0.5 s, tolerance: {distance: 10 cm, angle: 5 deg, speed: 0.1 m/s}, detach: 4 s",
        "detach: 4 s",
        "is attached at the start, but its ports miss each other by",
    ),
    "a latch that catches from far": ("distance: 10 cm", "distance: 10 m", "must be above zero and at most 50 cm"),
    "a latch that never catches": ("distance: 10 cm", "distance: -1 cm", "must be above zero and at most 50 cm"),
    "a latch at any angle": ("angle: 5 deg", "angle: 170 deg", "must be above zero and at most 30 deg"),
    "a latch at any speed": ("speed: 0.1 m/s", "speed: 4 m/s", "must be above zero and at most 1 m/s"),
    "links of a composite": ("model: bodies", "model: composite", "is used with model: bodies only"),
    "modules of a vehicle": ("file: docked_pair", "file: bluerov2_heavy", "is used by a morphology only"),
    "an unknown name": ("file: docked_pair", "file: docked_pear", "there is no vehicle or morphology of this name"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_fix(mistake: str) -> None:
    old, new, words = MISTAKES[mistake]
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(DOCKING.replace(old, new))
    assert words in str(caught.value)


def test_joints_need_bodies() -> None:
    with pytest.raises(ScenarioError, match="has joints"):
        scenario_from_text(COMPOSITE.replace("two_bluerovs", "ring_of_six\n    model: composite"))


def test_docking_and_station_keeping_of_bundled_scenarios_go_as_asked() -> None:
    """The other bundled ones run for two seconds with all scenarios."""
    for name, seconds in (("docking_pair", 60), ("assembly_hold", 30)):
        outcome = run(read_scenario(name, {"duration": f"{seconds} s"}))
        assert not outcome.stopped
        assert outcome.warnings == ()


def simulate_text(text: str, folder: Path) -> Log:
    """The log of a scenario text."""
    file = folder / "run.mcap"
    run(scenario_from_text(text), file)
    return read_log(file)
