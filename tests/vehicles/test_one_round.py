"""All mistakes of a vehicle file in one round, wherever a value can be judged alone; words among sensor parameters."""

import pytest

from remora.report.vehicle_listing import number_lines
from remora.scenarios import read_scenario
from remora.vehicles import VehicleFileError, vehicle_from_text
from remora.vehicles.library import preset_path

ROV = preset_path("bluerov2_heavy").read_text()
BARE = ROV.split("\nsensors:\n")[0]  # its sensors are the last section


def problems_of(*pairs):
    text = ROV
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    with pytest.raises(VehicleFileError) as caught:
        vehicle_from_text(text)
    return str(caught.value)


def test_mistakes_that_took_three_rounds_are_listed_at_once():
    """A wrong unit hid NaN and reversed limits, and these hid negative damping and a name that is taken."""
    words = problems_of(
        ("mass: 13.5 kg", "mass: 13.5 lb"),
        ("[6.36, 7.12, 18.68,", "[6.36, .nan, 18 lb,"),
        ("[-39.91, 51.48]", "[39.91, -51.48]"),
        ("[13.7, 0, 33.0, 0, 0.8, 0]", "[-13.7, 0, 33.0, 0, 0.8, 0]"),
        ("[141, 217,", "[141, .nan,"),
        ("name: rear_port, position", "name: rear_starboard, positoin"),
    )
    assert 'the unit "lb" is not known' in words
    assert "[1]: expected a finite number. [2]: found the unit" in words
    assert "limits must be [lowest, highest]" in words
    assert "surge damping adds energy at every speed" in words
    assert "damping.quadratic.diagonal" in words
    assert "thrusters[3].name = rear_starboard: this name is taken already" in words
    assert 'Did you mean "position"?' in words


def test_damping_with_a_fault_of_a_historical_vehicle_is_not_judged_in_part():
    historical = "historical: {reason: test, violates: [S5], envelope: {surge: 0.1 m/s}}\n\nadded_mass: {diagonal"
    words = problems_of(("added_mass: {diagonal", historical), ("[141, 217,", "[141, .nan,"))
    assert "Remove historical" not in words


def test_the_grade_of_an_imu_may_stand_in_a_vehicle_file(tmp_path):
    """As the page on sensors says; the reading of the file refused every word."""
    parameters = "{grade: tactical, measures_earth_rate: true}"
    sensor = f"{{name: imu, kind: imu, rate: 100 Hz, position: [0, 0, 0], parameters: {parameters}}}"
    vehicle = vehicle_from_text(BARE + f"\nsensors:\n  - {sensor}\n")
    assert vehicle.sensors[0].parameters == {"grade": "tactical", "measures_earth_rate": True}
    assert any("parameters.grade" in line and "tactical" in line for line in number_lines(vehicle))
    (tmp_path / "rov.yaml").write_text(BARE + f"\nsensors:\n  - {sensor}\n")
    scenario = "name: grade\nduration: 1 s\nvehicles:\n  - {file: rov.yaml, name: rov, sensors: all}\n"
    (tmp_path / "grade.yaml").write_text(scenario)
    setup = read_scenario(str(tmp_path / "grade.yaml"), {})
    assert [made.description.name for made in setup.vehicles[0].sensors] == ["rov/imu"]


def test_a_grade_that_nobody_sells_is_refused_with_the_known_ones(tmp_path):
    sensor = "{name: imu, kind: imu, rate: 100 Hz, position: [0, 0, 0], parameters: {grade: tacticle}}"
    (tmp_path / "rov.yaml").write_text(BARE + f"\nsensors:\n  - {sensor}\n")
    scenario = "name: grade\nduration: 1 s\nvehicles:\n  - {file: rov.yaml, name: rov, sensors: all}\n"
    (tmp_path / "grade.yaml").write_text(scenario)
    with pytest.raises(ValueError, match='Did you mean "tactical"'):
        read_scenario(str(tmp_path / "grade.yaml"), {})
