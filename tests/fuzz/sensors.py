"""Random sensors of every kind."""

from typing import Any

from fuzz.chance import Chance
from remora.sensors import KINDS

_POINT = "lamp"  # a named place of every scenario
_LOOKING = ("echosounder", "camera", "camera_footprint", "imaging_sonar", "laser_line")  # which way, they must say


def random_sensor(name: str, kind: str, chance: Chance) -> dict[str, Any]:
    """A whole sensor of a kind."""
    sensor: dict[str, Any] = {"name": name, "kind": kind, "position": chance.three(0.3, "m")}
    sensor["rate"] = f"{chance.one((1, 3, 7, 10, 20, 33, 50, 100))} Hz"
    if chance.happens(0.3):
        sensor["latency"] = f"{chance.number(0.0, 0.5)} s"
    if kind in _LOOKING or chance.happens(0.3):
        sensor["orientation"] = {"angles": chance.three(3.0)}
    parameters = _own_parameters(kind, chance)
    if chance.happens(0.4):
        parameters["dropout"] = chance.number(0.0, 0.5)
    if chance.happens(0.2):
        parameters["latency_jitter"] = f"{chance.number(0.0, 0.1)} s"
    if parameters:
        sensor["parameters"] = parameters
    return sensor


def _own_parameters(kind: str, chance: Chance) -> dict[str, Any]:
    """What a kind needs, and some of what it may have."""
    station = chance.three(20.0, "m")
    always: dict[str, dict[str, Any]] = {
        "sbl": {"stations": [station, _POINT]},
        "lbl": {"stations": [station, chance.three(50.0, "m")]},
        "usbl": {"station": station} if chance.happens(0.5) else {"target": _POINT},
        "camera": {"targets": [_POINT, station]},
        "imu": {"grade": chance.one(("marine", "navigation", "tactical", "industrial", "consumer"))},
    }
    parameters = dict(always.get(kind, {}))
    if kind in ("gyro", "accelerometer", "magnetometer", "pressure", "echosounder", "altimeter", "current_meter"):
        parameters["std"] = chance.number(0.0, 0.1)
    if kind == "dvl":
        parameters |= chance.one(
            ({"std": "1 cm/s"}, {"by_beam": True}, {"track": "water"}, {"max_altitude": "3 m"}, {})
        )
    if kind == "ahrs" and chance.happens(0.5):
        parameters |= {"heading_bias_wander": "1 deg", "roll_std": "0.2 deg"}
    if kind == "mocap_marker" and chance.happens(0.5):
        parameters["hidden_probability"] = 0.3
    return parameters


def random_sensors(chance: Chance) -> list[dict[str, Any]]:
    """A few sensors of different kinds; each is called like its kind."""
    return [random_sensor(kind, kind, chance) for kind in chance.some(sorted(KINDS), 5)]


def sensors_for_navigation(chance: Chance) -> list[dict[str, Any]]:
    """Sensors that together tell the whole state."""
    kinds = ("ahrs", chance.one(("imu", "gyro")), "dvl", "pressure", chance.one(("mocap_marker", "usbl", "ins")))
    sensors = [random_sensor(kind, kind, chance) for kind in kinds]
    for sensor in sensors:
        if sensor["kind"] == "usbl":
            sensor["parameters"] = {"station": chance.three(20.0, "m")}
        if sensor["kind"] == "dvl":
            sensor["parameters"] = {"std": "1 cm/s"}
    return sensors
