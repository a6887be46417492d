"""Parts whose needs navigation cannot meet are refused when the scenario is read, with the line and what to write."""

import math

import numpy as np
import pytest
from scenario_example import line_of

from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import Loop
from remora.scenarios import scenario_from_text
from remora.scenarios.load_context import ScenarioError

SCENARIO = """\
name: by_log
duration: 40 s
seed: 3
water: {current: [0.1 m/s, 0, 0], bottom_depth: 20 m}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [2 m, 1 m, 3 m]
    sensors:
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 50 Hz, parameters: {heading_bias_std: 1 deg}}
      - {name: imu, kind: imu, position: [0, 0, 0], rate: 50 Hz, parameters: {grade: industrial}}
      - {name: dvl, kind: dvl, position: [0, 0, 0.1 m], rate: 5 Hz, parameters: {std: 1 cm/s, scale_std: 1 %}}
      - {name: depth, kind: pressure, position: [0.1 m, 0, 0], rate: 10 Hz, parameters: {std: 20 Pa, water: uniform}}
      - {name: gps, kind: gps, position: [0, 0, 0], rate: 1 Hz}
      - {name: water, kind: current_meter, position: [0, 0, 0], rate: 5 Hz}
    navigation: {part: instruments, rate: 50 Hz, attitude: ahrs, rates: imu, velocity: dvl, depth: depth}
    guidance: {part: hold, rate: 10 Hz}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}
"""


def changed(*changes):
    text = SCENARIO
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("changes", "at", "words"),
    [
        ([(", velocity: dvl", "")], "control:", '"position" needs the velocity, .* names no velocity. Name a sensor'),
        ([(", velocity: dvl", "")], "guidance:", '"hold" needs the position, .* dead reckoning needs velocity'),
        ([("velocity: dvl", "velocity: water")], "guidance:", '"hold" needs the position'),
        ([("attitude: ahrs, ", "")], "control:", '"position" needs the attitude'),
        ([("rates: imu, ", "")], "control:", '"position" needs the velocity, .*"dvl" is not at the origin'),
        ([(", bottom_depth: 20 m", "")], "guidance:", '"hold" needs the position'),
        ([(", bottom_depth: 20 m", "")], "control:", '"dvl" tracks the bottom, and there is none. Give water'),
        (
            [("{part: position, rate: 10 Hz}", "{part: cascade, rate: 10 Hz}"), ("rates: imu, ", "")],
            "control:",
            '"cascade" needs the rates, which the navigation never provides: it names no rates. Name a sensor',
        ),
        (
            [("depth: depth}", "depth: depth, max_age: {velocity: 0.1 s}}")],
            "navigation:",
            'is shorter than the 0.2 s from a reading of "dvl" until the next arrives.*Give at least 0.2 s',
        ),
    ],
)
def test_a_scenario_whose_parts_would_wait_for_ever_is_refused(changes, at, words):
    text = changed(*changes)
    with pytest.raises(ScenarioError, match=words) as caught:
        scenario_from_text(text)
    assert line_of(text, f"    {at}") in [problem.line for problem in caught.value.problems]


def test_a_part_of_ones_own_may_name_its_needs(tmp_path):
    (tmp_path / "own.py").write_text(
        "class Own:\n    needs = ('position',)\n    def __init__(self, vehicle, period): pass\n"
        "    def initial(self): return ()\n    def step(self, state, now): return state, None\n"
    )
    text = changed(
        (", velocity: dvl", ""), ("{part: position, rate: 10 Hz}", "own.py:Own"), ("hold,", "dive_and_turn,")
    )
    with pytest.raises(ScenarioError, match='"control" needs the position'):
        scenario_from_text(text, folder=tmp_path)


@pytest.mark.parametrize("guidance", ["hold", "waypoints, speed: 0.2 m/s, points: [{position: [3 m, 1 m, 4 m]}]"])
def test_dvl_and_ahrs_without_a_position_source_fly_by_dead_reckoning(guidance):
    """Ran with zero thrust and rose out of the water."""
    loop = Loop(scenario_from_text(changed(("hold,", f"{guidance},"), ("duration: 40", "duration: 60"))))
    run, sigmas, errors = loop.vehicles[0], [], []
    for k in range(100, 6001, 100):
        loop.advance(k)
        sigmas.append(run.estimate.sigma_p_N[0])
        errors.append(math.dist(run.estimate.p_NB[:2], run.state[:2]))
    assert run.estimate.is_complete
    assert math.dist(run.state[:3], (2.0, 1.0, 3.0) if guidance == "hold" else (3.0, 1.0, 4.0)) < 0.5
    assert np.diff(sigmas).min() > 0.0
    assert 0.1 < sigmas[-1] < 0.2
    assert max(errors) < 0.3


def test_a_fix_that_ends_is_bridged_by_dead_reckoning():
    """A GPS has no fix under water; positions went unknown a second after diving."""
    text = changed(
        ("depth: depth}", "depth: depth, position: gps, launch: {position: [9 m, 9 m, 0], std: 20 m}}"),
        ("[2 m, 1 m, 3 m]", "[2 m, 1 m, -0.05 m]"),
        ("hold, rate: 10 Hz", "hold, rate: 10 Hz, position: [2 m, 1 m, 3 m], heading: 0"),
    )
    loop = Loop(scenario_from_text(text))
    run = loop.vehicles[0]
    loop.advance(100)
    assert run.estimate.p_NB[:2] == pytest.approx(run.state[:2], abs=0.05)  # the fix, not the launch position
    loop.advance(4000)
    assert run.state[2] == pytest.approx(3.0, abs=0.2)
    assert run.estimate.p_NB[:2] == pytest.approx(run.state[:2], abs=0.2)


def test_dead_reckoning_goes_on_bit_by_bit_from_a_checkpoint(tmp_path):
    text = changed(("depth: depth}", "depth: depth, position: gps}"))
    whole = Loop(scenario_from_text(text))
    whole.advance(900)
    stopped = Loop(scenario_from_text(text))
    stopped.advance(431)
    save_checkpoint(tmp_path / "a.checkpoint", stopped)
    setup = scenario_from_text(text)
    resumed = resumed_loop(setup, load_checkpoint(tmp_path / "a.checkpoint", setup), None, None)
    resumed.advance(900)
    assert resumed.vehicles[0].estimate == whole.vehicles[0].estimate
    assert resumed.vehicles[0].state.tolist() == whole.vehicles[0].state.tolist()
