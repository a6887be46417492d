"""Random faults of a vehicle and its sensors."""

from collections.abc import Sequence
from typing import Any

from fuzz.chance import Chance
from remora.plant.plant import Plant
from remora.scenarios.builders.faults import ACTUATOR_FAULTS, BODY_FAULTS, SENSOR_FAULTS

# Of sensors called like their kind, whose channels differ in unit.
_BIASES = {"ahrs": "5 deg", "dvl": "10 cm/s", "imu": "0.1 rad/s", "ins": "1 m", "usbl": "2 deg", "gps": "0.2 m/s"}


def random_faults(
    plant: Plant, sensors: Sequence[str], is_fault_tolerant: bool, chance: Chance
) -> list[dict[str, Any]]:
    """A few faults that can happen to this vehicle."""
    kinds = [word for word in BODY_FAULTS if word != "snag"]  # which belongs to a tether
    if plant.actuator_names:
        kinds += ACTUATOR_FAULTS
    if sensors:
        kinds += SENSOR_FAULTS
    return [_fault(word, plant, sensors, is_fault_tolerant, chance) for word in chance.some(kinds, 4)]


def _fault(word: str, plant: Plant, sensors: Sequence[str], is_fault_tolerant: bool, chance: Chance) -> dict[str, Any]:
    start = 0.1 * chance.whole(0, 10)
    line: dict[str, Any] = {"fault": word, "at": f"{start:.1f} s"}
    if word in ACTUATOR_FAULTS:
        line["of"] = chance.one(plant.actuator_names)
        if is_fault_tolerant and line["of"] in plant.vehicle.parameters.thruster_names and chance.happens(0.4):
            line["allocation"] = "fault_tolerant"
    if word in SENSOR_FAULTS:
        line["of"] = chance.one(sensors)
    if word not in ("lost_ballast", "payload_dropped") and chance.happens(0.6):
        line["until"] = f"{start + 0.1 * chance.whole(1, 8):.1f} s"
    if word == "biased":
        line["by"] = _BIASES.get(line["of"], 0.1)
    return {**line, **_options(word, plant.vehicle.parameters.mass, chance)}


def _options(word: str, mass: float, chance: Chance) -> dict[str, Any]:
    by = {"delayed": "0.2 s", "duplicated": "0.1 s", "clock": chance.one(("-2 s", "1 s"))}
    if word in by:
        return {"by": by[word]}
    if word == "partial" or (word == "dropped" and chance.happens(0.5)):
        return {"share": chance.number(0.0, 1.0)}
    if word == "garbage":
        return {"gives": chance.one(("nan", "infinity"))}
    if word in ("lost_ballast", "payload_dropped"):
        return {"mass": chance.number(0.001, 0.2) * max(mass, 1e-3), "place": chance.three(0.05, "m")}
    if word == "flooding":
        return {"rate": f"{chance.number(0.001, 1.0)} kg/s", "volume": "0.3 litre", "place": chance.three(0.2, "m")}
    return {"change": chance.three(0.3, "m/s")} if word == "current" else {}
