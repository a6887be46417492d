"""Names are suggested whatever their capitals and punctuation."""

import pytest
from click.testing import CliRunner
from vehicle_example import EXAMPLE

from remora.cli import main
from remora.files.did_you_mean import RENAMED, nearest, suggestion
from remora.scenarios.reader import scenario_from_text
from remora.sensors import SensorError, make_sensor
from remora.vehicles import VehicleFileError, load_vehicle, vehicle_from_text
from remora.vehicles.library import preset_path

pytestmark = pytest.mark.usefixtures("blank_pictures")


@pytest.mark.parametrize("wrong", ["BlueROV2", "Blue-ROV 2", "BLUEROV_2", "blueROV2"])
def test_bluerov2_is_suggested_for_other_spellings(wrong: str) -> None:
    with pytest.raises(VehicleFileError, match='Did you mean "bluerov2"'):
        load_vehicle(wrong)


def test_scenarios_and_keys_are_suggested_for_other_spellings() -> None:
    assert '"dive_and_turn"' in CliRunner().invoke(main, ["run", "DiveAndTurn"]).stderr
    with pytest.raises(ValueError, match='Did you mean "duration"'):
        scenario_from_text("name: x\nDURATION: 3 s\nvehicles: [{name: a, file: falcon}]")
    assert CliRunner().invoke(main, ["Presets"]).stderr.endswith("Did you mean presets?\n")
    assert suggestion("ROV/Truth", ["rov/truth", "dvl"]) == 'Did you mean "rov/truth"?'


def test_what_looks_like_nothing_is_not_guessed() -> None:
    assert nearest("zeppelin", ["bluerov2", "falcon"]) == []
    assert nearest("B", ["b", "B_"]) == ["B_", "b"]


def test_a_renamed_name_is_answered_with_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RENAMED, "old_name", "depth")
    assert suggestion("old_name", ["depth", "cold_name"]) == 'It was renamed to "depth".'
    assert suggestion("old_name", ["cold_name"]) == 'Did you mean "cold_name"?'


GYRO = {"name": "gyro", "kind": "gyro", "position": [0, 0, 0], "rate": 10.0}


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("gyro", "deviation", "std"),
        ("gyro", "bias_deviation", "bias_std"),
        ("ahrs", "heading_deviation", "heading_std"),
        ("adcp", "single_ping_deviation_range", "single_ping_std_range"),
        ("multibeam", "largest_range", "max_range"),
        ("multibeam", "smallest_range", "min_range"),
        ("dvl", "largest_altitude", "max_altitude"),
        ("dvl", "bottom_track_largest_range", "bottom_track_max_range"),
    ],
)
def test_an_old_parameter_of_a_sensor_is_answered_with_the_new_one(kind: str, old: str, new: str) -> None:
    with pytest.raises(SensorError, match=f'{old}: unknown parameter. It was renamed to "{new}"'):
        make_sensor({**GYRO, "kind": kind, "parameters": {old: [0.1, 0.2] if "ping" in old else 0.1}}, seed=1)


def test_figures_of_a_sensor_are_answered_with_parameters() -> None:
    with pytest.raises(SensorError, match=r'unknown field "figures". It was renamed to "parameters"'):
        make_sensor({**GYRO, "figures": {}}, seed=1)
    sensor = "sensors: [{name: gyro, kind: gyro, figures: {std: 0.1}}]"
    with pytest.raises(VehicleFileError, match=r'figures: unknown key. It was renamed to "parameters"'):
        vehicle_from_text(f"{preset_path('bracket').read_text()}\n{sensor}\n")


@pytest.mark.parametrize("old", ["floats", "loads"])
def test_a_renamed_section_of_a_vehicle_file_is_answered_with_the_new_one(old: str) -> None:
    with pytest.raises(ValueError, match=f'It was renamed to "{RENAMED[old]}"'):
        vehicle_from_text(f"{EXAMPLE}\n{old}: []\n")


def test_a_renamed_fact_of_a_thruster_is_answered_with_the_new_one() -> None:
    old = EXAMPLE.replace("time_constant: 0.1 s}", "time_constant: 0.1 s, facts: {losing_ratio: 0.2}}")
    assert old != EXAMPLE
    with pytest.raises(
        VehicleFileError, match=r'losing_ratio: unknown key. It was renamed to "critical_advance_ratio"'
    ):
        vehicle_from_text(old)
