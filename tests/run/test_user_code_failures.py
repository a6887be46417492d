"""User code that is wrong is named by file and line: parts, currents; its source is part of the scenario hash."""

import pytest
from world_samples import sphere_scenario

from remora.run.loop.errors import LoopError
from remora.run.loop.loop import Loop
from remora.scenarios import ScenarioError, read_scenario

SCENARIO = """\
name: own
duration: 2 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    navigation: {navigation}
    guidance: {guidance}
    control: {control}
    allocation: pseudo_inverse
"""
USUAL = {"navigation": "truth", "guidance": "{part: hold, rate: 10 Hz}", "control": "{part: position, rate: 10 Hz}"}
PART = """\
class Own:
    def __init__(self, vehicle, period):
        pass

    def initial(self):
        return None

    def step(self, state, now):
        return {returned}
"""


def refused_run(folder, role, returned, part=PART):
    """Message of a run with a user-defined part in one role."""
    (folder / "own.py").write_text(part.replace("{returned}", returned))
    (folder / "run.yaml").write_text(SCENARIO.format(**{**USUAL, role: '{part: "own.py:Own", rate: 10 Hz}'}))
    with pytest.raises(LoopError) as caught:
        Loop(read_scenario(folder / "run.yaml")).advance(100)
    return str(caught.value)


def test_an_error_in_a_user_part_names_file_and_line(tmp_path):
    said = refused_run(tmp_path, "control", "state, [1.0 / 0.0] * 6")
    assert f"raised at {tmp_path / 'own.py'}:9" in said
    assert 'control "control"' in said
    assert "ZeroDivisionError" in said


def test_an_error_in_a_library_call_of_a_user_part_names_the_line_of_the_user(tmp_path):
    part = PART.replace("class Own", "import json\n\n\nclass Own")
    assert f"{tmp_path / 'own.py'}:12" in refused_run(tmp_path, "control", 'json.loads("no")', part)


@pytest.mark.parametrize("returned", ["[0.0] * 6", "None", "3.0", "state"])
def test_a_step_that_returns_no_pair_is_named(tmp_path, returned):
    said = refused_run(tmp_path, "control", returned)
    assert "not a pair of state and output" in said
    assert str(tmp_path / "own.py") in said


@pytest.mark.parametrize(
    ("role", "returned", "expected"),
    [
        ("control", "state, 3.0", "gave float 3.0, not a wrench of six finite numbers"),
        ("control", "state, [1.0, 2.0]", "gave [1, 2], not a wrench of six"),
        ("control", 'state, "abcdef"', "gave str 'abcdef', not a wrench of six"),
        ("navigation", "state, (0.0, 0.0)", "gave [0, 0], not an Estimate"),
        ("guidance", "state, (0.0, 0.0)", 'its reference is [0, 0] of "guidance"'),
    ],
)
def test_a_wrong_output_of_a_user_part_is_named_with_what_is_expected(tmp_path, role, returned, expected):
    said = refused_run(tmp_path, role, returned)
    assert expected in said
    assert str(tmp_path / "own.py") in said


def test_wrong_commands_of_a_user_allocation_are_named(tmp_path):
    (tmp_path / "own.py").write_text(PART.replace("{returned}", 'state, "full speed"'))
    text = SCENARIO.format(**USUAL).replace("allocation: pseudo_inverse", 'allocation: "own.py:Own"')
    (tmp_path / "run.yaml").write_text(text)
    with pytest.raises(LoopError, match=r"own\.py, Own\) gave str 'full speed', not 8 finite commands"):
        Loop(read_scenario(tmp_path / "run.yaml")).advance(100)


def test_an_error_in_the_initial_state_of_a_user_part_names_its_line(tmp_path):
    part = PART.replace("return None", "return 1 / 0")
    assert f"{tmp_path / 'own.py'}:6" in refused_run(tmp_path, "control", "state, None", part)


CURRENT = """\
import math
import random

from remora.world import LocalWater


class Own:
    def __init__(self, context):
        self.random = random.Random(1)

    def at(self, time_ns, p_N):
        t, w = 1e-9 * time_ns, 0.3
        return {returned}
"""
TOP = 'water: {current: {kind: "own.py:Own"}}'


def with_current(folder, returned):
    (folder / "own.py").write_text(CURRENT.replace("{returned}", returned))
    return sphere_scenario(folder, TOP, ["name: drifter"])


def test_a_current_that_draws_random_numbers_of_its_own_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match=r"two calls give velocities of .* and .*context\.stream"):
        with_current(tmp_path, "LocalWater((self.random.gauss(0.0, 0.1), 0.0, 0.0))")


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        ("LocalWater((0.1 * p_N[1], 0.0, 0.0))", r"gradient\[0\]\[1\] is 0 1/s.*by 0\.1 m/s per metre east"),
        (
            "LocalWater((0.1 * p_N[1], 0.0, 0.0), ((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.0, 0.0)))",
            r"gradient\[1\]\[0\] is 0\.1",
        ),
        ("LocalWater((0.0, 0.0, math.sin(w * t)))", r"rate\[2\] is 0 m/s2.*by 0\.3 m/s per second"),
        ("LocalWater((0.0, 0.0, math.sin(w * t)), rate=(0.0, 0.0, math.cos(w * t)))", r"rate\[2\] is 1 m/s2"),
    ],
)
def test_a_gradient_or_rate_that_is_not_that_of_the_velocity_is_refused(tmp_path, returned, reason):
    with pytest.raises(ScenarioError, match=reason):
        with_current(tmp_path, returned)


@pytest.mark.parametrize(
    "returned",
    [
        "LocalWater((0.1 * p_N[2] ** 2, 0.0, 0.0), ((0.0, 0.0, 0.2 * p_N[2]), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))",
        "LocalWater((0.1 * abs(p_N[2]), 0.0, 0.0), ((0.0, 0.0, math.copysign(0.1, p_N[2])), (0.0,) * 3, (0.0,) * 3))",
        "LocalWater((0.0, 0.0, math.sin(w * t)), rate=(0.0, 0.0, w * math.cos(w * t)))",
        "LocalWater((math.sqrt(1.0 - p_N[1]), 0.0, 0.0), ((0.0, -0.5 / math.sqrt(1.0 - p_N[1]), 0.0), (0.0,) * 3, (0.0,) * 3))",  # noqa: E501
    ],
    ids=["quadratic", "kink", "in time", "undefined elsewhere"],
)
def test_right_derivatives_are_accepted(tmp_path, returned):
    with_current(tmp_path, returned)


def test_the_source_of_user_code_is_part_of_the_scenario_hash(tmp_path):
    still = "LocalWater((0.0, 0.0, 0.0))"
    first, again = (with_current(tmp_path, still).scenario_hash for _ in range(2))
    assert first == again
    assert with_current(tmp_path, "LocalWater((0.1, 0.0, 0.0))").scenario_hash != first
    hashes = []
    for force in ("1.0", "2.0"):
        (tmp_path / "own.py").write_text(PART.replace("{returned}", f"state, ({force},) * 6"))
        (tmp_path / "run.yaml").write_text(SCENARIO.format(**{**USUAL, "control": '"own.py:Own"'}))
        hashes.append(read_scenario(tmp_path / "run.yaml").scenario_hash)
    assert hashes[0] != hashes[1]
