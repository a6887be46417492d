"""`remora presets`."""

import json
import math
from dataclasses import replace

import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.report.vehicle_listing import number_lines
from remora.vehicles import SourcedValue, load_vehicle, preset_names


def test_the_list_names_all_and_marks_the_historical() -> None:
    result = CliRunner().invoke(main, ["presets"])
    assert result.exit_code == 0
    words = set(result.output.split())
    assert words >= set(preset_names())
    past = [name for name in preset_names() if load_vehicle(name).historical]
    assert past
    assert result.output.count("(historical)") == len(past)
    assert result.output.count("Historical:") == len(past)


def test_the_list_as_json() -> None:
    data = json.loads(CliRunner().invoke(main, ["presets", "--json"]).output)
    assert [vehicle["name"] for vehicle in data] == list(preset_names())
    for vehicle in data:
        assert vehicle["title"]
        assert vehicle["source"]
        assert vehicle["use"]
    past = {vehicle["name"]: vehicle["historical"] for vehicle in data if vehicle["historical"]}
    assert past["flatfish_basin_ls"]["violates"] == ["S5"]
    assert None in past["flatfish_basin_ls"]["envelope"]  # no limit in some degrees of freedom


def test_one_vehicle_shows_its_numbers_in_their_units_below_their_source() -> None:
    lines = CliRunner().invoke(main, ["presets", "falcon"]).output.splitlines()
    mass = next(i for i, line in enumerate(lines) if line.split() == ["body.mass", "116", "kg"])
    assert lines[mass - 1] == "Proctor 2014, Table 3.4"
    assert any(line.endswith(" 40 ms") and ".delay" in line for line in lines)
    assert any(line.endswith(" 50 deg/s") for line in lines)


def test_one_vehicle_shows_uncertainty_and_matrices() -> None:
    figures = {
        "body.mass": SourcedValue(13.5, "kg", "weighed", 0.05),
        "thrusters[0].angle": SourcedValue(math.pi / 4, "deg", "drawing", math.radians(2.0)),
        "added_mass.matrix": SourcedValue(((1.0, 2.0), (3.0, 4.0)), "SI", "drawing", None),
    }
    vehicle = replace(load_vehicle("falcon"), provenance=figures)
    assert "\n".join(number_lines(vehicle)).split("\n") == [
        "",
        "weighed",
        "  body.mass           13.5 kg +/- 0.05 kg",
        "",
        "drawing",
        "  thrusters[0].angle  45 deg +/- 2 deg",
        "  added_mass.matrix   [[1, 2],",
        "                       [3, 4]]",
    ]


def test_one_vehicle_as_json_is_in_si() -> None:
    data = json.loads(CliRunner().invoke(main, ["presets", "falcon", "--json"]).output)
    assert data["numbers"]["body.mass"]["si_value"] == 116.0
    rate = data["numbers"]["figures.largest_turn_rate"]
    assert rate["si_value"] == pytest.approx(math.radians(50.0))
    assert rate["unit"] == "deg/s"
    assert all(number["source"] for number in data["numbers"].values())


def test_an_unknown_name_gets_a_suggestion() -> None:
    result = CliRunner().invoke(main, ["presets", "falkon"])
    assert result.exit_code == 2
    assert 'Did you mean "falcon"?' in result.stderr


def test_one_vehicle_shows_its_sensors() -> None:
    lines = CliRunner().invoke(main, ["presets", "falcon"]).output.splitlines()
    start = lines.index("Sensors, all of which a scenario takes with sensors: all")
    names = [line.split()[0] for line in lines[start + 1 : start + 6]]
    assert names == [sensor.name for sensor in load_vehicle("falcon").sensors]
    assert lines[start + 4].split()[1:6] == ["dvl", "5", "Hz,", "0.25", "s"]
    assert any(line.endswith("sensors[3].parameters.water             uniform") for line in _listing("bluerov2_heavy"))
    data = json.loads(CliRunner().invoke(main, ["presets", "falcon", "--json"]).output)
    assert [sensor["kind"] for sensor in data["sensors"]] == ["imu", "pressure", "compass", "dvl", "sbl"]


def _listing(name: str) -> list[str]:
    return CliRunner().invoke(main, ["presets", name]).output.splitlines()
