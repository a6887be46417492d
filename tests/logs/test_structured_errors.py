"""Errors carry the wrong input, its value, the accepted ones and the fix, besides their message."""

import pickle

import pytest
from sample_logs import write_sample

from remora.files.problems import InputError
from remora.logs import LogError, read_log
from remora.messages.part_options import PartError
from remora.sensors import SensorError, make_sensor
from remora.vehicles import VehicleFileError, vehicle_from_text
from remora.vehicles.library import preset_path

GYRO = {"name": "gyro", "kind": "gyro", "position": [0, 0, 0], "rate": 10.0}


def test_an_unknown_channel_and_field_name_the_choices(tmp_path):
    log = read_log(write_sample(tmp_path / "run.mcap"))
    with pytest.raises(LogError) as caught:
        log["truth/pos"]
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.field, error.found, error.fix) == ("channel", "truth/pos", 'Did you mean "truth/pose"?')
    assert error.choices == tuple(log.channels)
    with pytest.raises(LogError) as caught:
        log["truth/pose"]["headin"]
    assert (caught.value.field, caught.value.found, caught.value.choices[-1]) == ("field", "headin", "heading")


def test_a_sensor_lists_its_mistakes_by_field():
    with pytest.raises(SensorError) as caught:
        make_sensor({**GYRO, "rate": None, "parameters": {"dropout": 2.0}}, 1, "rov")
    error = pickle.loads(pickle.dumps(caught.value))
    assert [problem.field for problem in error.problems] == ["rate", "dropout"]
    assert error.field == "rate"
    assert str(error).splitlines()[1] == 'sensor "rov/gyro": dropout: found 2; give a number from 0 to 1.'


def test_a_file_and_a_part_name_the_wrong_field():
    with pytest.raises(VehicleFileError) as caught:
        vehicle_from_text(preset_path("bracket").read_text() + "\nsensors: 3\n")
    assert (caught.value.field, caught.value.found) == ("sensors", "3")
    assert PartError("must be positive.", "gains", 2).field == "gains[2]"


def test_an_error_without_details_has_empty_ones():
    error = InputError("no")
    assert (error.field, error.found, error.choices, error.fix) == ("", "", (), "")
