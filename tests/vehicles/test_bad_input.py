"""Every kind of bad input: one message with file, line, field, what was found and what to write instead."""

import pickle
from pathlib import Path

import pytest
from vehicle_example import EXAMPLE, changed, line_of

from remora.files.problems import Problem
from remora.vehicles import VehicleFileError, load_vehicle, preset_names, preset_path, vehicle_from_text

MASS = 'mass: {value: 14.2 kg, source: "weighed in air", sigma: 0.05}'
ADDED = "added_mass: {diagonal: [7.1, 7.1, 7.1, 0, 0, 0]}"
ASYMMETRIC = (
    "added_mass: {matrix: [[7,0,0,0,0,0],[0,7,0,0,0,1],[0,0,7,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,2,0,0,0,1]]}"
)
PORT = "{name: port, position: [0, -0.2, 0], direction: [1, 0, 0]}"


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(VehicleFileError) as caught:
        vehicle_from_text(text, "my.yaml")
    return caught.value.problems


def test_the_example_itself_is_fine() -> None:
    assert vehicle_from_text(EXAMPLE).parameters.mass == 14.2


CASES = {
    # kind of mistake: (old, new, field, found, words of the message, kind)
    "wrong key": ("volume: 14.3", "volum: 14.3", "body.volum", "", 'Did you mean "volume"', "file"),
    "wrong key at the top": ("water: {", "watter: {", "watter", "", 'Did you mean "water"', "file"),
    "wrong unit": (MASS, "mass: 14.2 N", "body.mass", "14.2 N", "a mass in one of: kg, g, t", "file"),
    "unknown unit": ("14.3 litre", "14.3 gallon", "body.volume", "14.3 gallon", "one of: m3, litre, L", "file"),
    "unit in a list": ("[0, 0, 1 cm]", "[0, 0, 1 kg]", "body.center_of_gravity", "[0, 0, 1 kg]", "m, cm, mm", "file"),
    "rpm is not Hz": ("rate: 20 Hz", "rate: 20 rpm", "sensors[0].rate", "20 rpm", "Hz, kHz", "file"),
    "unit on a diagonal": (
        "[7.1, 7.1, 7.1, 0, 0, 0]", "[7.1 kg, 7, 7, 0, 0, 0]", "added_mass.diagonal", "[7.1 kg, 7, 7, 0, 0, 0]",
        "plain SI numbers", "file",
    ),
    "wrong shape": ("[0, -0.2, 0]", "[0, -0.2]", "thrusters[0].position", "[0, -0.2]", "a list of 3 numbers", "file"),
    "wrong shape of six": (
        "[7.1, 7.1, 7.1, 0, 0, 0]", "[7.1, 7.1, 7.1]", "added_mass.diagonal", "[7.1, 7.1, 7.1]",
        "expected a list of 6 numbers, found a list of 3", "file",
    ),
    "list for a number": (MASS, "mass: [1, 2]", "body.mass", "[1, 2]", "found a list of 2", "file"),
    "text for a number": (MASS, "mass: heavy", "body.mass", "heavy", 'such as "1.5 kg"', "file"),
    "truth value for a number": (MASS, "mass: true", "body.mass", "true", "expected a number", "file"),
    "not finite": (MASS, "mass: .nan", "body.mass", "nan", "finite", "file"),
    "number for a text": ("name: sphere_rov", "name: 7", "name", "7", "expected a text", "file"),
    "wrong word": ("law: force", "law: forse", "thruster_defaults.law", "forse", 'Did you mean "force"', "file"),
    "missing field": (
        "name: port, position: [0, -0.2, 0],", "name: port,", "thrusters[0].position", "",
        "is missing. Give a list of 3 numbers, a length in m, cm, mm.", "file",
    ),
    "missing section": ("water: {density: 1000 kg/m3, gravity: 9.81 m/s2}", "", "water", "", "1025 kg/m3", "file"),
    "missing inertia": ("  inertia: {moments: [0.13, 0.13, 0.13]}\n", "", "body.inertia", "", "is missing", "file"),
    "missing choice": ("  volume: 14.3 litre\n", "", "body", "", "needs one of volume, displaced_mass", "file"),
    "typed in though computed": (MASS, MASS + "\n  weight: 9 N", "body.weight", "", "mass x water.gravity", "file"),
    "given twice in other words": (
        "volume: 14.3 litre", "volume: 14.3 litre\n  buoyancy: 140 N", "body.buoyancy", "140 N",
        "cannot be given beside volume", "file",
    ),
    "duplicate key": ("volume: 14.3 litre", "volume: 14.3 litre\n  volume: 1", "body.volume", "", "Keep one", "file"),
    "anchor": ("volume: 14.3", "volume: &a 14.3", "body.volume", "", "aliases", "file"),
    "tag": ("name: sphere_rov", "name: !!python/name:os.system x", "name", "", "is not allowed", "file"),
    "no source": ("source: worked example\n", "", "water.density", "1000 kg/m3", "has no source", "file"),
    "negative sigma": ("sigma: 0.05", "sigma: -1", "body.mass.sigma", "-1", "cannot be negative", "physics"),
    "key in a quantity": ("sigma: 0.05", "sigmma: 1", "body.mass.sigmma", "1", 'Did you mean "sigma"', "file"),
    "limits in the wrong unit": ("[-40 N, 50 N]", "[-1 rpm, 1 rpm]", "thruster_defaults.limits", "[-1 rpm, 1 rpm]",
                                 "a force in one of: N, kgf", "file"),
    "law without its coefficient": (
        "law: force", "law: quadratic", "thrusters[0].coefficient", "", 'the law "quadratic" needs it', "file",
    ),
    "name taken": ("name: starboard", "name: port", "thrusters[1].name", "port", "taken already", "file"),
    "zero mass": (MASS, "mass: 0 kg", "body.mass", "0 kg", "must be above zero", "physics"),
    "negative mass": (MASS, "mass: -3", "body.mass", "-3", "must be above zero", "physics"),
    "non-symmetric added mass": (ADDED, ASYMMETRIC, "added_mass.matrix", "", "yaw_sway = 2 but sway_yaw", "physics"),
    "negative added mass": ("[7.1, 7.1, 7.1, 0,", "[-7, 7, 7, 0,", "added_mass.diagonal", "", "value, -7", "physics"),
    "triangle inequality": (
        "{moments: [0.13, 0.13, 0.13]}", "{moments: [1, 2, 4]}", "body.inertia", "{moments: [1, 2, 4]}",
        "triangle inequality", "physics",
    ),
    "negative moment of inertia": (
        "[0.13, 0.13, 0.13]", "[0.13, -0.13, 0.13]", "body.inertia.moments", "", "must not be negative", "physics",
    ),
    "zero thruster axis": (
        "[0, -0.2, 0], direction: [1, 0, 0]", "[0, -0.2, 0], direction: [0, 0, 0]", "thrusters[0].direction",
        "[0, 0, 0]",
        "direction has zero length. Give a unit vector, e.g. [0, 0, 1].", "physics",
    ),
    "negative linear damping": (
        "[0.6, 0.6, 0.6, 0.05, 0.05, 0.05]", "[0.6, -0.6, 0.6, 0.05, 0.05, 0.05]", "damping.linear.diagonal", "",
        "sway damping adds energy at every speed", "physics",
    ),
    "negative quadratic damping": (
        "[17.7, 17.7, 17.7, 0.01, 0.01, 0.01]", "[17.7, 17.7, -1.2, 0.01, 0.01, 0.01]", "damping.quadratic.diagonal",
        "", "heave damping adds energy above 0.5 m/s", "physics",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_one_mistake_is_named_with_place_and_fix(case: str) -> None:
    old, new, field, found, words, kind = CASES[case]
    text = changed((old, new))
    problems = problems_of(text)
    named = [problem for problem in problems if problem.field == field]
    assert named, problems
    problem = named[0]
    assert problem.file == "my.yaml"
    assert words in problem.message
    assert problem.kind == kind
    if found:
        assert problem.found == found
    assert str(problem).startswith(f"my.yaml:{problem.line}: {field}")


@pytest.mark.parametrize(
    ("piece", "new"),
    [("use: a first", "usage: a first"), ("[0, 0, 1 cm]", "[0, 0]"), (PORT, PORT.replace("[1, 0, 0]", "[0, 0, 0]"))],
)
def test_the_line_is_that_of_the_field(piece: str, new: str) -> None:
    text = changed((piece, new))
    assert problems_of(text)[0].line == line_of(text, new)


def test_message_reads_as_the_style_guide_shows() -> None:
    text = changed((PORT, PORT.replace("[1, 0, 0]", "[0, 0, 0]")))
    line = line_of(text, "name: port")
    assert str(problems_of(text)[0]) == (
        f"my.yaml:{line}: thrusters[0].direction = [0, 0, 0]: direction has zero length. "
        "Give a unit vector, e.g. [0, 0, 1]."
    )


def test_all_mistakes_are_listed_at_once() -> None:
    text = changed(
        (MASS, "mass: 0 kg\n  volume: 3\n  colour: yellow"),
        ("{moments: [0.13, 0.13, 0.13]}", "{moments: [1, 2, 4]}"),
        ("[0, 0, 1 cm]", "[0, 1 cm]"),
        ("  center_of_buoyancy: [0, 0, 0]\n", ""),
        (ADDED, ASYMMETRIC),
        ("[0.6, 0.6, 0.6, 0.05, 0.05, 0.05]", "[0.6, -0.6, 0.6, 0.05, 0.05, 0.05]"),
        (PORT, PORT.replace("[1, 0, 0]", "[0, 0, 0]")),
        ("rate: 20 Hz", "rate: 20 kg"),
    )
    problems = problems_of(text)
    found = {(problem.field, problem.kind) for problem in problems}
    assert found == {
        ("body.mass", "physics"),
        ("body.volume", "file"),
        ("body.colour", "file"),
        ("body.inertia", "physics"),
        ("body.center_of_gravity", "file"),
        ("body.center_of_buoyancy", "file"),
        ("added_mass.matrix", "physics"),
        ("damping.linear.diagonal", "physics"),
        ("thrusters[0].direction", "physics"),
        ("sensors[0].rate", "file"),
    }
    assert [problem.line for problem in problems] == sorted(problem.line or 0 for problem in problems)
    error = VehicleFileError(problems)
    assert len(str(error).splitlines()) == len(problems)
    assert not error.only_physics


def test_only_physics_tells_wrong_numbers_from_unreadable_files() -> None:
    assert VehicleFileError(problems_of(changed((MASS, "mass: 0 kg")))).only_physics
    assert not VehicleFileError(problems_of(changed((MASS, "mas: 1 kg")))).only_physics


def test_a_fault_of_the_thruster_defaults_is_reported_once() -> None:
    problems = problems_of(changed(("time_constant: 0.1 s", "time_constant: 0.1 kg")))
    assert [problem.field for problem in problems] == ["thruster_defaults.time_constant"]


def test_force_and_shaft_speed_do_not_mix() -> None:
    quadratic = PORT.replace("}", ", law: quadratic, coefficient: 0.01, limits: [-9, 9]}")
    problems = problems_of(changed((PORT, quadratic)))
    assert "cannot be mixed" in problems[0].message


UNREADABLE = {
    "empty": (b"", "is empty"),
    "only a comment": (b"# nothing\n", "is empty"),
    "a list": (b"- 1\n- 2\n", "expected a mapping"),
    "a word": (b"falcon\n", "expected a mapping"),
    "binary": (b"\x7fELF\x00\x01", "binary"),
    "not UTF-8": (b"name: a\ntitle: caf\xe9\n", "UTF-8"),
    "control character": (b"name: a\x01\n", "control character"),
    "syntax": (b"name: a\nbody: {mass: 1\nwater: 2\n", "not valid YAML"),
    "tab": (b"body:\n\tmass: 1\n", "indented by a tab"),
    "two documents": (b"name: a\n---\nname: b\n", "not valid YAML"),
    "too deep": (b"a: " + b"[" * 4000 + b"]" * 4000, "nested too deeply"),
    "too large": (b"# " + b"x" * 300_000, "too large"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_unreadable_files_are_refused_in_words(case: str, tmp_path: Path) -> None:
    content, words = UNREADABLE[case]
    file = tmp_path / "my.yaml"
    file.write_bytes(content)
    with pytest.raises(VehicleFileError) as caught:
        load_vehicle(file)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(file))
    assert not caught.value.only_physics
    assert file.read_bytes() == content, "reading must not write"


def test_line_of_a_syntax_error_and_of_a_foreign_byte(tmp_path: Path) -> None:
    for content, line in ((b"name: a\nb: [1, 2\n\nc: 3\n", 4), (b"name: a\ntitle: caf\xe9\n", 2)):
        file = tmp_path / "my.yaml"
        file.write_bytes(content)
        with pytest.raises(VehicleFileError) as caught:
            load_vehicle(file)
        assert caught.value.problems[0].line == line


def test_missing_file_folder_and_device(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "none.yaml", "no such file"), (tmp_path, "folder"), (Path("/dev/zero"), "regular")):
        with pytest.raises(VehicleFileError, match=words):
            load_vehicle(path)


def test_unknown_preset_suggests_a_near_one() -> None:
    with pytest.raises(VehicleFileError, match='Did you mean "falcon"'):
        load_vehicle("falkon")
    assert "falcon" in preset_names()


def test_billion_laughs_are_refused_quickly() -> None:
    laughs = "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(12)
    )
    problems = problems_of(laughs)
    assert any("anchors and aliases" in problem.message for problem in problems)


def test_the_error_survives_a_process_pool() -> None:
    error = VehicleFileError(problems_of(changed((MASS, "mass: 0 kg"))))
    assert pickle.loads(pickle.dumps(error)).problems == error.problems


@pytest.mark.parametrize("name", ["f,p", "a\\nb", " front", "", "a\\e[31m"])
def test_names_that_a_table_cannot_hold_are_refused(name):
    text = preset_path("falcon").read_text().replace("name: front_port", f'name: "{name}"', 1)
    with pytest.raises(VehicleFileError) as caught:
        vehicle_from_text(text, "mine.yaml")
    assert "thrusters[0].name" in str(caught.value)
    assert "letters, digits" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("mass: 116.0 kg", "mass: 1e308 kg", "body.mass"),
        ("gravity: {value: 9.81 m/s2", "gravity: {value: 1e308 m/s2", "water.gravity"),
        ("center_of_buoyancy: [-0.00045", "center_of_buoyancy: [1e200", "body.center_of_buoyancy"),
    ],
)
def test_numbers_beyond_any_vehicle_are_refused_where_they_stand(old, new, field):
    text = preset_path("falcon").read_text()
    assert old in text
    with pytest.raises(VehicleFileError, match="beyond anything of a vehicle") as caught:
        vehicle_from_text(text.replace(old, new, 1), "mine.yaml")
    assert [problem.field for problem in caught.value.problems if "beyond" in problem.message] == [field]
