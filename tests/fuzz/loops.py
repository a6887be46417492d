"""Random loops: parts of every role that fit together, or no parts at all."""

from typing import Any

from fuzz.chance import Chance
from fuzz.sensors import random_sensor, random_sensors, sensors_for_navigation
from remora.plant.plant import Plant

_SIDES = {"starboard": [0, 0, "90 deg"], "port": [0, 0, "-90 deg"], "up": [0, "90 deg", 0], "down": [0, "-90 deg", 0]}


def random_loop(plant: Plant, rate: str, chance: Chance) -> dict[str, Any]:
    """Sensors and parts of a vehicle; the rate fits the step."""
    thrusters, actuators = plant.vehicle.parameters.thruster_names, plant.actuator_names
    loops = [_nothing]
    if actuators:
        loops.append(lambda chance, rate: _timetable(plant, chance))
    if thrusters:
        loops += [_pose_loop, _pose_loop, _tunnel_loop]
    loop: dict[str, Any] = chance.one(loops)(chance, rate)
    if "allocation" in loop and chance.happens(0.2):
        loop["allocation"]["disabled"] = chance.some(thrusters, 2)
    return loop


def _nothing(chance: Chance, rate: str) -> dict[str, Any]:
    return {"sensors": random_sensors(chance)} if chance.happens(0.8) else {}


def _timetable(plant: Plant, chance: Chance) -> dict[str, Any]:
    times = sorted({chance.number(0.0, 2.0) for _ in range(3)})
    commands = [
        {"at": f"{time} s", "set": {name: chance.number(-0.3, 0.3) for name in chance.some(plant.actuator_names, 4)}}
        for time in times
    ]
    return {"sensors": random_sensors(chance), "commands": commands}


def _navigation(chance: Chance, rate: str) -> dict[str, Any]:
    """Sensors and navigation: the truth, or what the sensors tell."""
    if chance.happens(0.5):
        return {"sensors": random_sensors(chance), "navigation": {"part": "truth", "rate": rate}}
    sensors = sensors_for_navigation(chance)
    attitude, rates, velocity, depth, position = (sensor["name"] for sensor in sensors)
    part = {"part": "instruments", "rate": rate, "attitude": attitude, "rates": rates, "velocity": velocity}
    return {"sensors": sensors, "navigation": {**part, "depth": depth, "position": position}}


def _allocation(chance: Chance, rate: str) -> dict[str, Any]:
    part: dict[str, Any] = {"part": chance.one(("bounded", "pseudo_inverse")), "rate": rate}
    if chance.happens(0.4):
        part["axes"] = ["surge", "heave", *chance.some(("sway", "yaw", "roll", "pitch"), 4)]
    if part["part"] == "bounded" and chance.happens(0.3):
        part["torque_priority"] = "high"
    return part


def _pose_loop(chance: Chance, rate: str) -> dict[str, Any]:
    """A pose is held, swung about or travelled to."""
    north, east, down = chance.three(3.0)
    place = [f"{north} m", f"{east} m", f"{4.0 + 0.06 * down:.3g} m"]  # between every surface and every bed
    guidance: dict[str, Any] = chance.one(
        (
            {"part": "hold"},
            {"part": "hold", "position": place, "heading": chance.number(-3.0, 3.0)},
            {"part": "excitation", "position": place, "sway": {"amplitude": "1 m", "period": "9 s"}},
            {"part": "waypoints", "speed": "0.3 m/s", "points": [{"position": place, "heading": 1.0, "stay": "1 s"}]},
        )
    )
    control = [{"part": "position", "rate": rate}]
    if chance.happens(0.3):
        control.append({"part": "feedback_linearisation", "rate": rate})
    if chance.happens(0.2):
        control.append({"part": "cascade", "rate": rate})
    loop = {**_navigation(chance, rate), "guidance": {**guidance, "rate": rate}}
    return {**loop, "control": control, "allocation": _allocation(chance, rate)}


def _tunnel_loop(chance: Chance, rate: str) -> dict[str, Any]:
    """A vehicle between the walls of a tunnel, or what it takes for them."""
    loop = _navigation(chance, rate)
    for side, angles in _SIDES.items():
        sensor = random_sensor(f"echo_{side}", "echosounder", chance)
        loop["sensors"].append({**sensor, "orientation": {"angles": angles}})
    guidance = {"part": "tunnel", "rate": rate, "surge": f"{chance.number(0.0, 0.4)} m/s"}
    control = [{"part": "tunnel", "rate": rate}, {"part": "feedback_linearisation", "rate": rate}]
    return {**loop, "guidance": guidance, "control": control, "allocation": _allocation(chance, rate)}
