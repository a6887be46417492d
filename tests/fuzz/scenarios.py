"""Random scenarios that are meant to be sound, over all shipped vehicles, parts, sensors and faults."""

from functools import lru_cache
from typing import Any

from fuzz.chance import Chance
from fuzz.faults import random_faults
from fuzz.loops import random_loop
from fuzz.worlds import (
    random_bed,
    random_column,
    random_contact,
    random_currents,
    random_obstacles,
    random_snags,
    random_tether,
    random_waves,
)
from remora.plant.methods import METHODS
from remora.plant.plant import Plant
from remora.vehicles import load_vehicle
from remora.vehicles.library import preset_names

_STEPS = {"2.5 ms": "40 Hz", "5 ms": "20 Hz", "10 ms": "10 Hz", "20 ms": "10 Hz"}  # and a rate that fits


@lru_cache
def _plant(name: str) -> Plant:
    return Plant(load_vehicle(name))


def random_scenario(chance: Chance) -> dict[str, Any]:
    """A scenario as the plain data of its file."""
    step = chance.one(list(_STEPS))
    scenario: dict[str, Any] = {"name": "random", "duration": f"{chance.number(0.5, 2.0):.1f} s", "step": step}
    scenario["seed"] = chance.whole(0, 9)
    if chance.happens(0.4):
        scenario["method"] = chance.one(list(METHODS))
    if chance.happens(0.5):
        scenario["log"] = {"rate": "10 Hz"}
    if chance.happens(0.3):
        scenario["origin"] = {
            "latitude": f"{chance.number(-89, 89)} deg",
            "longitude": f"{chance.number(-180, 180)} deg",
        }
    if chance.happens(0.4):
        scenario["tunnel"] = _tunnel(chance)
    scenario["points"] = {"lamp": chance.three(20.0, "m")}
    count = 2 if chance.happens(0.2) else 1
    name = chance.one(preset_names())
    scenario["water"] = _water(count, chance)
    scenario |= _scene("bottom_depth" in scenario["water"], chance)
    scenario["vehicles"] = [_vehicle(f"v{i}", name, _STEPS[step], chance) for i in range(count)]
    return scenario


def _water(vehicles: int, chance: Chance) -> dict[str, Any]:
    water: dict[str, Any] = {"current": random_currents(chance)} if chance.happens(0.6) else {}
    if chance.happens(0.3):
        water["density"] = f"{chance.number(950, 1050)} kg/m3"
    if chance.happens(0.6):
        water["bottom_depth"] = f"{chance.number(5, 60)} m"
    if chance.happens(0.2):
        surface = chance.one(("-20 m", "3.8 m", 0))
        water |= {"surface_depth": surface, "sound_speed": "1480 m/s", "gravity": "9.78 m/s2"}
    if chance.happens(0.2):
        water["waves"] = random_waves(chance)
    if chance.happens(0.2):
        water["column"] = random_column(chance)
    return water


def _scene(has_bottom: bool, chance: Chance) -> dict[str, Any]:
    """What stands in the water, and whether it can be touched."""
    scene: dict[str, Any] = {}
    if not has_bottom and chance.happens(0.5):
        scene["bed"] = random_bed(chance)
    if chance.happens(0.3):
        scene["obstacles"] = random_obstacles(chance)
    if chance.happens(0.35):
        scene["contact"] = random_contact("v0", chance)
    return scene


def _tunnel(chance: Chance) -> dict[str, Any]:
    sizes = {"width": "6 m", "height": "5 m"}
    return chance.one(
        (
            {"section": "rectangle", **sizes, "heading": chance.number(-3.0, 3.0)},
            {"section": "round", "diameter": f"{chance.number(2.0, 9.0)} m", "start": chance.three(2.0, "m")},
            {"section": "horseshoe", **sizes, "slope": "5 deg", "length": "30 m"},
        )
    )


def _vehicle(name: str, file: str, rate: str, chance: Chance) -> dict[str, Any]:
    plant = _plant(file)
    north, east, _ = chance.three(4.0)
    vehicle: dict[str, Any] = {"name": name, "file": file, "position": [f"{north} m", f"{east} m", "4 m"]}
    if chance.happens(0.6):
        vehicle["angles"] = chance.three(1.0)
    if chance.happens(0.4) and not plant.locked:
        vehicle["velocity"] = chance.three(0.4, "m/s")
        vehicle["rates"] = chance.three(0.2)
    vehicle |= random_loop(plant, rate, chance)
    sensors = [sensor["name"] for sensor in vehicle.get("sensors", [])]
    if chance.happens(0.7):
        vehicle["faults"] = random_faults(plant, sensors, "allocation" in vehicle, chance)
    if chance.happens(0.3):
        place = (north, east, 4.0)
        vehicle["tethers"] = [random_tether(f"line{i}", place, chance) for i in range(chance.whole(1, 2))]
        vehicle["faults"] = [*vehicle.get("faults", []), *random_snags(vehicle["tethers"], chance)]
    if chance.happens(0.3):
        vehicle["disturbances"] = [_disturbance(chance) for _ in range(chance.whole(1, 2))]
    if chance.happens(0.2):
        vehicle["scatter"] = {"added_mass": "10 %", "thrust": "5 %", "linear_damping": "10 %"}
    if chance.happens(0.15):
        vehicle["simplifications"] = [chance.one(("coriolis_off", "munk_off"))]
    if chance.happens(0.1) and "velocity" not in vehicle:
        vehicle["locked"] = [chance.one(("heave", "roll", "pitch", "sway"))]
    if chance.happens(0.15):
        vehicle["actuators"] = {"saturation": chance.happens(0.5)}
    return vehicle


def _disturbance(chance: Chance) -> dict[str, Any]:
    own: dict[str, Any] = chance.one(
        (
            {"kind": "constant"},
            {"kind": "sinusoidal", "period": "3 s", "phase": "40 deg"},
            {"kind": "pulse", "period": "0.5 s", "width": "0.1 s"},
            {"kind": "stochastic", "time_constant": "2 s"},
        )
    )
    return {**own, "force": chance.three(5.0, "N"), "frame": chance.one(("body", "world")), "from": "0.3 s"}
