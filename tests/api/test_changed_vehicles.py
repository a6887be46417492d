"""Vehicles are changed, made and saved in Python with the validation of a file."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import remora
from remora.cli import main
from remora.vehicles import preset_names

SPHERE = {
    "name": "ball",
    "title": "Ball",
    "source": "made up",
    "water": {"density": 1000, "gravity": 9.81},
    "body": {
        "mass": "33.5 kg",
        "net_buoyancy": 0,
        "inertia": {"moments": [0.5, 0.5, 0.5]},
        "center_of_gravity": [0, 0, "1 cm"],
        "center_of_buoyancy": [0, 0, 0],
    },
    "added_mass": {"diagonal": np.array([16.8, 16.8, 16.8, 0, 0, 0])},
    "damping": {"quadratic": {"diagonal": (30, 30, 30, 0.5, 0.5, 0.5)}},
}


@pytest.mark.parametrize("name", preset_names())
def test_a_saved_vehicle_loads_to_an_equal_one(name: str, tmp_path: Path) -> None:
    vehicle = remora.load_vehicle(name)
    renamed = vehicle.with_(notes="copy")
    assert replace(renamed, notes=vehicle.notes) == vehicle
    renamed.save(tmp_path / "copy.yaml")
    again = remora.load_vehicle(tmp_path / "copy.yaml")
    assert again == renamed
    assert again.parameters == vehicle.parameters
    assert again.provenance == vehicle.provenance


def test_only_the_changed_numbers_change_and_have_the_new_source() -> None:
    vehicle = remora.load_vehicle("bluerov2_heavy")
    changed = vehicle.with_(mass="14 kg", quadratic=[80, 81, 82, 1, 2, 3], source="tank test")
    assert changed.parameters.mass == 14.0
    assert np.array_equal(np.diag(changed.parameters.quadratic_damping), [80, 81, 82, 1, 2, 3])
    assert changed.parameters.added_mass == vehicle.parameters.added_mass
    assert changed.provenance["body.mass"].source == "tank test"
    assert changed.provenance["damping.quadratic.diagonal"].source == "tank test"
    assert changed.provenance["body.volume"] == vehicle.provenance["body.volume"]
    assert vehicle.parameters.mass == 13.5


def test_a_changed_number_is_never_claimed_by_the_source_of_the_file() -> None:
    changed = remora.load_vehicle("falcon").with_(mass=118.0)
    assert changed.provenance["body.mass"].source == "set in Python"
    stated = remora.load_vehicle("falcon").with_(mass={"value": 118.0, "source": "weighed", "sigma": 0.5})
    assert stated.provenance["body.mass"][2:] == ("weighed", 0.5)


def test_fields_by_place_and_removed_fields() -> None:
    vehicle = remora.load_vehicle("bluerov2_heavy")
    changed = vehicle.with_({"thrusters[2].position": ["-20 cm", 0.1, 0], "thruster_defaults.time_constant": "0.1 s"})
    assert changed.parameters.thrusters[2].position == (-0.2, 0.1, 0.0)
    assert {thruster.rise_time for thruster in changed.parameters.thrusters} == {0.1}
    assert vehicle.with_(sensors=None).sensors == ()


def test_full_matrices_and_one_section_in_the_axes_of_the_file() -> None:
    matrix = np.diag([1.0, 2, 3, 4, 5, 6])
    matrix[1, 5] = matrix[5, 1] = 0.25
    vehicle = remora.load_vehicle("bluerov2_heavy").with_(added_mass=matrix, inertia=[0.3, 0.3, 0.4])
    assert np.array_equal(vehicle.parameters.added_mass, matrix)
    assert np.array_equal(vehicle.parameters.inertia_G, np.diag([0.3, 0.3, 0.4]))


def test_comments_survive_a_change(tmp_path: Path) -> None:
    changed = remora.load_vehicle("bluerov2_heavy").with_(mass="14 kg")
    changed.save(tmp_path / "rov.yaml")
    text = (tmp_path / "rov.yaml").read_text()
    assert text.startswith("# BlueROV2 with the Heavy kit")
    assert "# What people usually fit." in text


def test_a_vehicle_made_in_python_is_that_of_the_same_file(tmp_path: Path) -> None:
    ball = remora.make_vehicle(**SPHERE)
    assert ball.parameters.displaced_mass == 33.5
    assert ball.provenance["body.mass"].source == "made up"
    ball.save(tmp_path / "folder" / "ball.yaml")
    assert remora.load_vehicle(tmp_path / "folder" / "ball.yaml") == ball
    assert "folder" not in (tmp_path / "folder" / "ball.yaml").read_text()


def test_parameters_replaced_without_the_text_are_never_lost_silently(tmp_path: Path) -> None:
    vehicle = remora.load_vehicle("falcon")
    other = replace(vehicle, parameters=vehicle.parameters._replace(mass=200.0))
    with pytest.raises(remora.InputError, match="with_"):
        other.save(tmp_path / "falcon.yaml")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(remora.InputError, match="not those of its file"):
        other.with_(name="other")
    with pytest.raises(remora.InputError, match="not those of its file"):
        remora.simulate("falcon_boathouse", vehicle=other)


def test_check_prints_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    for name, sound in (("falcon", True), ("flatfish_basin_ls", False)):
        assert remora.load_vehicle(name).check() is sound
        printed = capsys.readouterr().out
        assert printed == CliRunner().invoke(main, ["check", name]).stdout


def test_a_vehicle_shows_itself() -> None:
    vehicle = remora.load_vehicle("falcon")
    assert repr(vehicle) == "<Vehicle falcon: Saab SeaEye Falcon ROV with sensor sled>"
    assert "<td>116 kg</td>" in vehicle._repr_html_()
    assert "&lt;b&gt;" in vehicle.with_(title="<b>")._repr_html_()


@pytest.mark.parametrize(
    ("name", "field", "value", "expected"),
    [
        ("bluerov2_heavy", "added_mass.diagonal[0]", 7, ("added_mass.diagonal", 0, 7.0)),
        ("bluerov2_heavy", "added_mass[2]", 7, ("added_mass.diagonal", 2, 7.0)),
        ("bluerov2_heavy", "body.inertia[1]", 0.2, ("body.inertia.moments", 1, 0.2)),
        ("bluerov2_heavy", "body.center_of_buoyancy[2]", "-2 cm", ("body.center_of_buoyancy", 2, -0.02)),
        ("bluerov2_heavy", "thrusters[3].position[0]", "-16 cm", ("thrusters[3].position", 0, -0.16)),
        ("bluerov2_heavy", "thrusters[0].limits[1]", "30 N", ("thrusters[0].limits", 1, 30.0)),
        (
            "bluerov2_heavy",
            "sensors[8].orientation.angles[1]",
            "-10 deg",
            ("sensors[8].orientation.angles", 1, -0.1745),
        ),
        (
            "bluerov2_heavy",
            "sensors[4].parameters.altitude_range[1]",
            40,
            ("sensors[4].parameters.altitude_range", 1, 40),
        ),
        ("falcon", "thruster_defaults.limits[0]", -90, ("thrusters[4].limits", 0, -90.0)),
    ],
)
def test_one_number_of_a_list_is_changed_by_its_index(name: str, field: str, value: object, expected: tuple) -> None:
    vehicle, (place, index, number) = remora.load_vehicle(name), expected
    old, new = vehicle.provenance[place], vehicle.with_({field: value}, source="tank test").provenance[place]
    assert new.value[index] == pytest.approx(number, rel=1e-3)
    assert [*new.value[:index], *new.value[index + 1 :]] == [*old.value[:index], *old.value[index + 1 :]]
    assert new.source == f"{old.source}; [{index}]: tank test"


def test_several_numbers_of_a_list_and_items_of_lists_change_together() -> None:
    vehicle = remora.load_vehicle("bluerov2_heavy")
    changed = vehicle.with_({"added_mass[0]": 7, "added_mass[5]": 0.3, "sensors[7]": None, "sensors[8]": None})
    assert np.diag(changed.parameters.added_mass).tolist() == [7.0, 7.12, 18.68, 0.189, 0.135, 0.3]
    assert [one.name for one in changed.sensors] == [one.name for one in vehicle.sensors[:7]]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"added_mass[6]": 1}, "it has no number at [6]"),
        ({"added_mass[0][1]": 1}, "it has no number at [0][1]"),
        ({"added_mass": [1] * 6, "added_mass.diagonal[0]": 3}, "added_mass is given beside one of its numbers"),
        ({"body.mass[0]": 1}, 'body.mass is no list: it has no "0"'),
        ({"added_mass.diagonal[0]": None}, "expected a number, found nothing"),
    ],
)
def test_an_index_that_leads_nowhere_is_refused_by_name(changes: dict, told: str) -> None:
    with pytest.raises(ValueError) as caught:
        remora.load_vehicle("bluerov2_heavy").with_(changes)
    assert told in str(caught.value)
