"""Each fault of a scenario file is told with its line, what was found and what to write, and all at once."""

import pickle

import pytest
from scenario_example import EXAMPLE, line_of

from remora.scenarios import ScenarioError, read_scenario, scenario_from_text
from remora.vehicles import preset_path

HEAD = "name: a\nduration: 1 s\nvehicles:\n"


def problems_of(text, **options):
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text(text, "run.yaml", **options)
    return caught.value.problems


# What is changed in the example, to what, and what is said about the line where it stands.
CHANGES = [
    ("name: everything", "name: a b", "a name starts with a letter"),
    ("duration: 2 min", "duration: 2 kg", "does not measure a time"),
    ("duration: 2 min", "duration: -1 s", "must be above zero"),
    ("duration: 2 min", "duration: 1 ms", "at least one step of 0.005 s"),
    ("step: 5 ms", "step: 0 s", "must be at least"),
    ("seed: 7", "seed: -7", "not negative"),
    ("seed: 7", "seed: 1.5", "whole number"),
    ("method: heun", "method: hein", 'Did you mean "heun"?'),
    ("log: {rate: 10 Hz}", "log: {rate: 30 Hz}", "0.033333333 s is no multiple of the step of 0.005 s"),
    ("log: {rate: 10 Hz}", "log: {}", "needs one of rate and period"),
    ("latitude: -12.5 deg", "latitude: 91 deg", "between -90 deg and 90 deg"),
    ("  density: 1010 kg/m3", "  densty: 1010 kg/m3", 'Did you mean "density"?'),
    ("  gravity: 9.8 m/s2", "  gravity: 0", "must be above zero"),
    ("  current: [10 cm/s, 0, -0.1 m/s]", "  current: [1, 2]", "expected a list of 3 numbers"),
    ("  bottom_depth: 20 m", "  bottom_depth: -2 m", "must lie below the surface"),
    ("width: 4 m, height: 3 m", "width: 4 m, height: 1 m", "make it higher or narrower"),
    ("width: 4 m, height: 3 m", "width: 4 m", "height: is missing: a horseshoe section needs it"),
    ("section: horseshoe", "section: oval", "is not one of the words"),
    ("slope: 5 deg", "slope: 95 deg", "less than a quarter turn"),
    ("    file: bluerov2_heavy", "    file: bluerov_heavy", 'Did you mean "bluerov2_heavy"'),
    ("    file: bluerov2_heavy", "    file: folder/none.yaml", "no file folder/none.yaml"),
    ("    angles: [0, 0, 90 deg]", "    quaternion: [1, 1, 0, 0]", "must have unit length"),
    ("roll_std: 1 deg", "rol_std: 1 deg", 'Did you mean "roll_std"'),
    ("position: [0, 0, 1 cm], rate: 50 Hz", "rate: 50 Hz", "position is missing: a sensor has a place"),
    ("rate: 50 Hz, latency", "latency", "rate is missing: how often does it measure?"),
    ("        kind: imu", "        kind: imuu", 'Did you mean "imu"'),
    ("{grade: tactical}", "{grade: taktical}", 'Did you mean "tactical"'),
    ("orientation: {angles: [0, 0, 90 deg]}", "orientation: {quaternion: [2, 0, 0, 0]}", "unit length"),
    ("    navigation: truth", "    navigation: truht", 'Did you mean "truth"?'),
    ("part: hold, rate: 10 Hz", "part: position, rate: 10 Hz", "is a part for control, not for guidance"),
    ("part: hold, rate: 10 Hz", "part: hold, rate: 30 Hz", "a period of 0.033333333 s is no multiple of the step of"),
    ("part: hold, rate: 10 Hz", "part: hold, rate: 10 Hz, period: 1 s", "cannot be given beside rate"),
    ("part: hold, rate", "part: hold, hedding: 3, rate", 'Did you mean "heading"?'),
    ("    control: {part: position", "    control: {part: tunnel", 'needs an echosounder called "echo_starboard"'),
    ("start: 1 s, stop: 100 s", "start: 1 s, stop: 1 s", "must be later than the start at 1 s"),
    ("start: 1 s, stop: 100 s", "start: 1 ms", "a start of 0.001 s is no multiple of the step of 0.005 s"),
    ("name: holding", "name: imu", 'the name "imu" is taken'),
    ("disabled: [rear_port]", "disabled: [rear_prt]", 'Did you mean "rear_port"'),
    ("axes: [surge, sway", "axes: [surg, sway", 'Did you mean "surge"'),
    ("    locked: [roll]", "    locked: [role]", 'Did you mean "roll"'),
    ("mass: 5 %", "mass: -5 %", "must not be negative"),
    ("mass: 5 %", "masse: 5 %", 'Did you mean "mass"?'),
    ("kind: pulse, force", "kind: constant, force", 'is not used by the kind "constant"'),
    ("period: 10 s, width: 1 s", "period: 10 s", 'the kind "pulse" needs it'),
    ("period: 10 s, width: 1 s", "period: 10 s, width: 11 s", "must not be longer than the period of 10 s"),
    ("from: 1 s, until: 2 s", "from: 2 s, until: 1 s", "must be later than its start"),
    ("wrench: [1, 2, 3, 4, 5, 6]", "wrench: [1, 2, 3]", "expected a list of 6 numbers"),
    ("  - name: auv", "  - name: rov", "another vehicle has this name already"),
    ("from: ins,", "from: inz,", 'Did you mean "ins"?'),
    ("{propeller: 20 rad/s}", "{propellor: 20 rad/s}", 'Did you mean "propeller"?'),
    ("{propeller: 20 rad/s}", "{propeller: 20 N}", "does not measure a turn rate"),
]


@pytest.mark.parametrize(("old", "new", "told"), CHANGES, ids=[f"{new[:40]}" for _, new, _ in CHANGES])
def test_a_fault_is_told_with_its_line(old, new, told):
    assert old in EXAMPLE
    text = EXAMPLE.replace(old, new, 1)
    found = [problem for problem in problems_of(text) if told in str(problem)]
    assert found, "\n".join(map(str, problems_of(text)))
    assert found[0].file == "run.yaml"
    assert found[0].line == line_of(EXAMPLE, old)


def test_missing_keys_say_what_to_give():
    told = "\n".join(map(str, problems_of("title: nothing else\n")))
    assert "duration: is missing. Give a time, e.g. duration: 60 s." in told
    assert "vehicles: is missing." in told
    assert "name: is missing. Give a short word, e.g. name: rov." in "\n".join(
        map(str, problems_of(f"{HEAD}  - file: falcon\n"))
    )


def test_all_faults_at_once_in_the_order_of_lines():
    text = EXAMPLE
    for old, new in (("seed: 7", "seed: x"), ("rate: 200 Hz", "rate: 200 kg"), ("part: bounded", "part: unbound")):
        text = text.replace(old, new, 1)
    lines = [problem.line for problem in problems_of(text)]
    assert lines == sorted(lines)
    assert {line_of(text, new) for new in ("seed: x", "rate: 200 kg", "part: unbound")} <= set(lines)


def test_faults_of_a_vehicle_file_are_told_with_its_own_lines(tmp_path):
    vehicle = preset_path("falcon").read_text().replace("mass: 116", "mas: 116", 1)
    (tmp_path / "own.yaml").write_text(vehicle)
    problems = problems_of(f"{HEAD}  - {{name: rov, file: own.yaml}}\n", folder=tmp_path)
    assert {problem.file for problem in problems} == {"run.yaml", str(tmp_path / "own.yaml")}


def test_several_waters_need_one_for_all():
    text = f"{HEAD}  - {{name: one, file: falcon}}\n  - {{name: two, file: vita1}}\n"
    (problem,) = problems_of(text)
    assert "falcon 1022.4 kg/m3" in str(problem)
    assert "Give the density of the water" in str(problem)


def test_a_body_known_by_its_total_inertia_stays_in_its_water(tmp_path):
    text = """\
name: total
title: only a total inertia
source: made up
water: {density: 1000, gravity: 9.81}
body: {only_total_inertia: true}
added_mass: {given_as: total, diagonal: [10, 10, 10, 1, 1, 1]}
damping: none
"""
    (tmp_path / "total.yaml").write_text(text)
    scenario = "name: a\nduration: 1 s\nwater: {density: 1025}\nvehicles: [{name: rov, file: total.yaml}]\n"
    (problem,) = problems_of(scenario, folder=tmp_path)
    assert (problem.line, "only the total inertia is known" in str(problem)) == (3, True)
    with_scatter = scenario.replace("file: total.yaml", "file: total.yaml, scatter: {mass: 1 %}")
    (problem,) = problems_of(with_scatter.replace("1025", "1000"), folder=tmp_path)
    assert "cannot be scattered" in str(problem)


def test_unknown_scenario_names_get_a_suggestion():
    with pytest.raises(ScenarioError, match='Did you mean "tunnel"'):
        read_scenario("tunel")
    with pytest.raises(ScenarioError, match="no such file"):
        read_scenario("./none.yaml")


@pytest.mark.parametrize(
    "text", ["", "[]", "a: &b 1\nc: *b\n", "name: !python/x 1\n", "name: [\n", "x: " + "a" * 200_001]
)
def test_what_is_no_plain_mapping_is_refused(text):
    assert problems_of(text)


def test_wrong_combinations_of_parts():
    vehicle = f"{HEAD}  - name: rov\n    file: bluerov2_heavy\n"
    dive = "    guidance: dive_and_turn\n    navigation: truth\n"
    cases = {
        f"{vehicle}    control: feedback_linearisation\n": "gives a wrench, which needs an allocation",
        f"{vehicle}{dive}    control: autopilot\n    allocation: bounded\n": "gives commands itself",
        f"{vehicle}    control: autopilot\n    navigation: truth\n": "needs guidance that gives depth",
        f"{vehicle}{dive.replace('navigation: truth', 'notes: x')}    control: autopilot\n": "no navigation",
        f"{vehicle}    navigation: [truth]\n": "only control takes a list",
        f"{vehicle}    navigation: instruments\n": "names no sensor",
        f"{vehicle}    navigation: {{part: instruments, depth: d}}\n": "carries no such sensor",
        f"{vehicle}    guidance: {{part: excitation}}\n": "excites nothing",
        f"{vehicle}    sensors: some\n": "the word all, or a list",
        f"{vehicle.replace('bluerov2_heavy', 'bracket')}    sensors: all\n": "lists no sensors",
    }
    for text, told in cases.items():
        assert any(told in str(problem) for problem in problems_of(text)), (text, problems_of(text))


def test_guidance_and_control_must_understand_each_other():
    hold = "{part: hold, rate: 10 Hz, position: [1, 2, 3], heading: 90 deg}"
    (problem,) = problems_of(EXAMPLE.replace(hold, "dive_and_turn"))
    assert problem.line == line_of(EXAMPLE, "    control:")
    assert '"position" follows a pose, but the guidance "dive_and_turn" gives depth, heading and speed' in str(problem)


def test_instruments_say_which_sensors_tell_what():
    text = EXAMPLE.replace("navigation: truth", "navigation: {part: instruments, attitude: imu}")
    assert any("Name one of: ahrs, compass, ins." in str(problem) for problem in problems_of(text))


def test_the_error_travels_to_other_processes():
    with pytest.raises(ScenarioError) as caught:
        scenario_from_text("a: 1")
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems
