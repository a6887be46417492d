"""What random scenarios have found, each kept as a test of its own."""

import numpy as np
import pytest

from remora.control.autopilots.cascade import ardusub_cascade
from remora.run.loop.loop import run
from remora.scenarios import ScenarioError, scenario_from_text
from remora.vehicles import load_vehicle
from remora.vehicles.checks.actuation import without_limits


def refusal(text: str) -> str:
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(text, "my.yaml")
    return str(caught.value)


ONE = "name: t\nduration: 1 s\nvehicles:\n  - {name: a, file: bluerov2_heavy, %s}\n"


def test_half_a_character_is_refused_and_two_halves_are_one() -> None:
    assert 'found the text "\U0001f41f"' in refusal(ONE % 'position: ["\\ud83d\\udc1f", 0, 0]')
    assert "my.yaml:4: vehicles[0].notes: has half of a character" in refusal(ONE % 'notes: "\\ud83d"')
    assert "the key in line 4 is not a word" in refusal(ONE % '"\\ud83d": 3')


def test_a_rate_of_next_to_nothing_is_refused() -> None:
    assert "must be above zero, at least 1e-09 Hz" in refusal(ONE % "navigation: {part: truth, rate: 1e-300}")
    sensor = "sensors: [{name: s, kind: gyro, position: [0, 0, 0], rate: 1e-300}]"
    assert "at least 1e-09 Hz" in refusal(ONE % sensor)


def test_a_counter_of_turns_needs_a_thruster() -> None:
    sensor = "sensors: [{name: s, kind: shaft_speed, rate: 10 Hz, parameters: {thruster: %d}}]"
    assert "there is no thruster 8: BlueROV2_heavy has 8".lower() in refusal(ONE % sensor % 8).lower()
    assert "has none" in refusal((ONE % sensor % 0).replace("bluerov2_heavy", "sphere_bare"))
    scenario_from_text(ONE % sensor % 7)


def test_a_vehicle_among_others_that_fails_between_two_steps_is_named() -> None:
    """A sensor off the grid carries the state on by itself, and finds that it leaves the envelope."""
    text = """
name: t
duration: 1 s
vehicles:
  - {name: a, file: flatfish_basin_ls, position: [9 m, 0, 0]}
  - name: b
    file: flatfish_basin_ls
    sensors: [{name: s, kind: gyro, position: [0, 0, 0], rate: 333 Hz}]
    velocity: [%s, 0, 0]
"""
    envelope = load_vehicle("flatfish_basin_ls").parameters.envelope
    assert envelope is not None
    assert run(scenario_from_text(text % (0.5 * envelope[0]))).stopped == ""
    stopped = run(scenario_from_text(text % (1.1 * envelope[0]))).stopped
    assert stopped.startswith('"b": surge speed')
    assert stopped.endswith("at 0 s")


def test_a_cascade_without_limits_is_scaled_by_the_lag_or_refused() -> None:
    parameters = without_limits(load_vehicle("bluerov2_heavy").parameters)
    control = ardusub_cascade(parameters)
    gains = [axis.rate.proportional for axis in (control.roll, control.pitch, control.yaw)]
    assert np.all(np.isfinite(gains))
    quick = parameters._replace(
        thrusters=tuple(thruster._replace(rise_time=0.0, fall_time=0.0) for thruster in parameters.thrusters)
    )
    with pytest.raises(ValueError, match="neither limits nor a lag"):
        ardusub_cascade(quick)
