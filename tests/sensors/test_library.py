"""Sensors from vehicle files and mappings, and what is refused."""

import pytest
from sensor_runs import AT_REST, readings, sensor

from remora.sensors import KINDS, OpenWater, Sensor, SensorError, Status, Stream, Truth, make_sensor, make_sensors
from remora.vehicles import load_vehicle
from remora.vehicles.library import preset_names

GYRO = {"name": "gyro", "kind": "gyro", "position": (0, 0, 0), "rate": 10}
NEEDED = {
    "sbl": {"stations": [[1, 2, 3]]},
    "lbl": {"stations": ["a"]},
    "usbl": {"target": "a"},
    "camera": {"targets": ["a"], "mounting_angle": 0.0},
    "echosounder": {"q_BS": (1, 0, 0, 0)},
    "imaging_sonar": {"q_BS": (1, 0, 0, 0)},
    "laser_line": {"q_BS": (1, 0, 0, 0)},
    "camera_footprint": {"q_BS": (1, 0, 0, 0)},
}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({**GYRO, "position": None}, r'sensor "rov/gyro": position: is missing: a sensor has a place'),
        ({**GYRO, "position": (1, 2)}, r"position: found \(1, 2\); give three numbers in m"),
        ({**GYRO, "position": (1, 2, "x")}, "position: found .*give three numbers"),
        ({**GYRO, "rate": None}, "rate: is missing: how often does it measure"),
        ({**GYRO, "rate": 0}, "rate: found 0; give a number above zero in Hz"),
        ({**GYRO, "latency": -1}, "latency: found -1; give seconds, not below zero"),
        ({**GYRO, "q_BS": (0, 0, 0, 0)}, "q_BS: found .*give four numbers"),
        ({**GYRO, "parameters": {"resolutoin": 1}}, 'resolutoin: unknown parameter. Did you mean "resolution"'),
        ({**GYRO, "parameters": {"std": -1}}, "std: found -1; give numbers not below 0"),
        ({**GYRO, "parameters": {"std": [1, 2]}}, "std: found 2 numbers; give one, or 3"),
        ({**GYRO, "parameters": {"std": "much"}}, "std: found 'much'; give a number"),
        ({**GYRO, "parameters": {"std": float("nan")}}, "std: found nan; give a number"),
        ({**GYRO, "parameters": {"dropout": 1.5}}, "dropout: found 1.5; give a number from 0 to 1"),
        ({**GYRO, "parameters": {"condition": "wild"}}, "found 'wild'. Known here: density, dynamic, static"),
        ({**GYRO, "parameters": {"measures_earth_rate": 1}}, "measures_earth_rate: found 1; give true or false"),
        ({**GYRO, "parameters": {"outlier_probability": 0.1}}, "outlier_std is missing"),
        ({**GYRO, "kind": "gyr"}, 'there is no model of a "gyr". Did you mean "gyro"'),
        ({**GYRO, "kind": None}, "kind is missing"),
        ({**GYRO, "placing": 1}, 'unknown field "placing"'),
        ({**GYRO, "kind": "imu", "parameters": {"grade": "tactic"}}, 'no inertial grade "tactic". Did you'),
        ({**GYRO, "kind": "sbl"}, "stations: is missing: give points in N, or names of points"),
        ({**GYRO, "kind": "sbl", "parameters": {"stations": [[1, 2]]}}, "stations: found .* or the name"),
        ({**GYRO, "kind": "usbl"}, "either a target .* or a station"),
        ({**GYRO, "kind": "echosounder"}, "orientation: is missing: give that of the sensor"),
        ({**GYRO, "kind": "camera", "parameters": {"targets": ["a"]}}, "orientation: is missing"),
        ({**GYRO, "kind": "dvl", "parameters": {"beams": 3}}, "beams: only logs of four beams"),
        ({**GYRO, "kind": "dvl", "parameters": {"by_beam": True, "bottom_track_accuracy": 1.0}}, "give a beam_std"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_a_reason(entry, message):
    with pytest.raises(SensorError, match=message):
        make_sensor(entry, 1, "rov")


def test_everything_wrong_is_told_at_once():
    with pytest.raises(SensorError) as caught:
        make_sensor({**GYRO, "position": None, "rate": None, "parameters": {"odd": 1, "std": -1}}, 1)
    assert len(str(caught.value).splitlines()) == 4


def test_two_sensors_of_one_name_are_refused():
    with pytest.raises(SensorError, match='two sensors are called "rov/gyro"'):
        make_sensors((GYRO, GYRO), 1, "rov")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_made_and_has_the_common_errors(kind):
    made = sensor(kind, latency=0.1, dropout=0.5, **NEEDED.get(kind, {}))
    assert made.description.kind == kind
    found = readings(made, 50, AT_REST._replace(outputs=(50.0,)))
    assert all(len(reading.values) == len(made.description.channels) for reading in found)
    assert Status.DROPPED in {reading.status for reading in found}
    names = [channel.name for channel in made.description.channels]
    assert len(set(names)) == len(names)


# What a file may leave out because it is not published, and a scenario must then say.
@pytest.mark.parametrize("preset", preset_names())
def test_sensors_of_the_shipped_vehicles_can_be_made(preset):
    """As they stand in the file: every one has a model, a place, a rate and the parameters that its kind needs."""
    for entry in load_vehicle(preset).sensors:
        made = make_sensor(entry, 1, preset)
        assert isinstance(made, Sensor)
        assert made.description.name == f"{preset}/{entry.name}"


def test_changes_replace_fields_and_add_parameters():
    made = make_sensor({**GYRO, "parameters": {"std": 1.0}}, 1, "", {"rate": 2.0, "parameters": {"bias": 5.0}})
    assert made.description.period_ns == 500_000_000
    assert [type(effect).__name__ for effect in made.effects] == ["Bias", "WhiteNoise"]


@pytest.mark.parametrize(("parameter", "stream"), [("bias_std", "bias_deviation"), ("scale_std", "scale_deviation")])
def test_a_renamed_parameter_keeps_its_random_stream(parameter, stream):
    """The name of a stream is part of its key: with another one every run of an old seed would change."""
    made = make_sensor({**GYRO, "parameters": {parameter: 0.5}}, 7, "rov")
    truth = Truth(0, twist=(0.0, 0.0, 0.0, 1.0, 1.0, 1.0))
    _, reading = made.step(made.initial(), truth, OpenWater(), 0)
    drawn = Stream(7, f"rov/gyro/{stream}").normals(0, 3)
    assert reading.values == tuple(1.0 + 0.5 * number for number in drawn)
