"""Errors of sensors: bare numbers that would be degrees are refused, units must fit, large errors are noted."""

import pytest

from remora.files.quantities import NumbersOrWords
from remora.scenarios import ScenarioError
from remora.scenarios.reader import scenario_from_text
from remora.sensors import find_kind
from remora.vehicles import VehicleFileError, load_vehicle, preset_names, vehicle_from_text
from remora.vehicles.checks.plausibility import implausible
from remora.vehicles.library import preset_path

SCENARIO = """
name: noisy
duration: 1 s
vehicles:
  - name: rov
    file: bluerov2_heavy
    sensors: [{from: ahrs, parameters: {heading_std: %s}}]
"""


@pytest.mark.parametrize(
    ("kind", "name", "raw", "words"),
    [
        ("ahrs", "heading_std", 5, "Write 5 deg, or 5 rad if that is meant."),
        ("compass", "heading_bias", 2.5, "Write 2.5 deg"),
        ("gyro", "std", [0.1, 0.5, 0.1], "Write 0.5 deg/s"),
        ("imu", "gyro_bias", 3, "Write 3 deg/s"),
        ("imu", "accelerometer_std", 5, "Write 5 milli_g"),
        ("dvl", "std", 1, "Write 1 cm/s"),
        ("dvl", "altitude_std", 10, "Write 10 cm"),
        ("pressure", "std", "1 cm", "does not measure a pressure"),
        ("ahrs", "heading_std", "5 cm", "does not measure an angle"),
        ("usbl", "angle_std", 1, "Write 1 deg"),
        ("gyro", "noise_density", 0.01, "Write 0.01 deg/s/rtHz"),
        ("imu", "accelerometer_noise_density", 0.1, "Write 0.1 milli_g/rtHz"),
        ("imu", "gyro_random_walk", "0.1 deg/s", "does not measure a turn rate per root hertz"),
        ("gyro", "bias_walk", "1 deg/s", "does not measure a turn rate per root second"),
        ("pressure", "drift", "2 cm", "does not measure a pressure"),
        ("dvl", "scale_error", 1, "Write 1 % if that is meant"),
        ("dvl", "scale_std", "1 cm", "does not measure a plain number"),
        ("gyro", "misalignment", 2, "Write 2 deg"),
    ],
)
def test_a_bare_figure_beyond_any_sensor_is_refused_with_the_likely_unit(kind, name, raw, words):
    fault = find_kind(kind).parameter_fault(name, NumbersOrWords().read(raw))
    assert fault is not None
    assert words in fault.message
    assert not fault.may_be_meant


@pytest.mark.parametrize(
    ("kind", "name", "raw"),
    [("ahrs", "heading_std", 0.01), ("pressure", "std", 100), ("dvl", "outlier_std", 3),
     ("pressure", "water", "uniform"), ("usbl", "station", [500, 0, 1]), ("dvl", "bottom_track_accuracy", "2 mm/s"),
     ("gyro", "noise_density", "0.03 deg/s/rtHz"), ("gyro", "random_walk", "0.3 deg/rth"),
     ("dvl", "scale_std", "0.4 %"), ("pressure", "drift", "0.0027 bar"),
     ("gyro", "bias_walk", "1 deg/h/rth"), ("gyro", "scale_error", 0.01)],
)  # fmt: skip
def test_usual_parameters_pass(kind, name, raw):
    assert find_kind(kind).parameter_fault(name, NumbersOrWords().read(raw)) is None


def test_no_preset_has_an_implausible_sensor():
    for name in preset_names():
        assert not [one for one in implausible(load_vehicle(name, find_kind)) if one.field.startswith("sensors")]


def test_heading_std_5_is_not_taken_for_5_rad():
    with pytest.raises(ScenarioError, match="heading_std = 5: a bare number is in rad"):
        scenario_from_text(SCENARIO % "5")
    assert not scenario_from_text(SCENARIO % "5 deg").load_notes
    (note,) = scenario_from_text(SCENARIO % "50 deg").load_notes
    assert "no such sensor is off by more than 20 deg, but this is 50 deg" in note
    text = preset_path("bluerov2_heavy").read_text()
    with pytest.raises(VehicleFileError, match=r"heading_std = 5: a bare number is in rad"):
        vehicle_from_text(text.replace("heading_std: 0.5 deg", "heading_std: 5"), find_kind=find_kind)
    loud = vehicle_from_text(text.replace("heading_std: 0.5 deg", "heading_std: 50 deg"), find_kind=find_kind)
    assert [one.field for one in implausible(loud)] == ["sensors[1].parameters.heading_std"]


def test_implausible_numbers_of_a_refused_file_are_shown_with_its_mistakes():
    """They were shown only after all mistakes were mended."""
    text = preset_path("bluerov2_heavy").read_text().replace("heading_std: 0.5 deg", "heading_std: 50 deg")
    text = text.replace("value: 1000 kg/m3", "value: 1 kg/m3").replace("direction:", "directoin:", 1)
    with pytest.raises(VehicleFileError) as caught:
        vehicle_from_text(
            text.replace("value: 1000 kg/m3", "value: 1 kg/m3").replace("direction:", "directoin:", 1),
            "my.yaml",
            find_kind,
        )
    found = {problem.field: problem.kind for problem in caught.value.problems}
    assert found["thrusters[0].directoin"] == "file"
    assert found["water.density"] == found["sensors"] == "plausibility"
