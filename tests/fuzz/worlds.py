"""Random worlds: currents, waves, water columns, beds, obstacles, contact and tethers."""

import math
from typing import Any

from fuzz.chance import Chance
from remora.equations.types import Vector3

LARGEST_ATTACHMENT = 0.6  # m from the origin of the body


def random_currents(chance: Chance) -> Any:
    """A velocity, one current that varies, or several."""
    if chance.happens(0.4):
        return chance.three(0.5, "m/s")
    if chance.happens(0.3):
        return _current(chance)
    return [_current(chance) for _ in range(chance.whole(1, 3))]


def _current(chance: Chance) -> dict[str, Any]:
    depths = [f"{depth} m" for depth in sorted({chance.number(0.0, 30.0) for _ in range(3)})]
    kinds: tuple[dict[str, Any], ...] = (
        {"kind": "uniform", "velocity": chance.three(0.3, "m/s")},
        {"kind": "shear", "depths": depths, "velocities": [chance.three(0.3) for _ in depths]},
        {"kind": "power_law", "velocity": chance.three(0.5, "m/s"), "water_depth": f"{chance.number(5, 60)} m"},
        {"kind": "gusts", "std": "3 cm/s", "correlation_time": f"{chance.number(0.5, 60.0)} s"},
        {"kind": "gusts", "std": [0.1, 0.05, 0.0], "correlation_time": ["5 s", "9 s", "20 s"]},
        {"kind": "tide", "amplitude": "0.4 m/s", "constituent": chance.one(("M2", "S2", "K1")), "minor": "-0.1 m/s"},
        {"kind": "tide", "amplitude": "0.2 m/s", "period": "600 s", "direction": "70 deg", "phase": "1 rad"},
    )
    return chance.one(kinds)


def random_waves(chance: Chance) -> dict[str, Any]:
    """A sea."""
    waves: dict[str, Any] = {
        "significant_height": f"{chance.number(0.05, 2.0)} m",
        "peak_period": f"{chance.number(2.0, 12.0)} s",
    }
    if chance.happens(0.5):
        waves |= {"direction": chance.number(-3.0, 3.0), "peakedness": chance.number(1.0, 6.0)}
    if chance.happens(0.3):
        waves["spreading"] = chance.number(1.0, 20.0)
    return waves


def random_column(chance: Chance) -> dict[str, Any]:
    """Water in layers."""
    depths = [0, f"{chance.number(1.0, 50.0)} m"]
    return chance.one(
        (
            {"depths": depths, "densities": [1000, "1030 kg/m3"], "sound_speeds": [1450, "1500 m/s"]},
            {"depths": depths, "temperatures": [20.0, 5.0], "salinities": [30.0, 36.0]},
        )
    )


def random_bed(chance: Chance) -> dict[str, Any]:
    """A bed below where vehicles start."""
    return chance.one(
        (
            {"kind": "flat", "depth": f"{chance.number(4.3, 40.0)} m"},
            {"kind": "profile", "distances": [-50.0, 50.0], "depths": ["5 m", "20 m"], "heading": "30 deg"},
            {"kind": "grid", "norths": [-20, 0, 20], "easts": [-20, 20], "depths": [[6, 7], [5, 6], [7, 9]]},
        )
    )


def random_obstacles(chance: Chance) -> list[dict[str, Any]]:
    """Things around where vehicles start."""
    things: tuple[dict[str, Any], ...] = (
        {"kind": "ball", "name": "rock", "center": chance.three(6.0, "m"), "diameter": "1 m"},
        {
            "kind": "box",
            "name": "crate",
            "center": chance.three(6.0, "m"),
            "size": ["2 m", "1 m", "1 m"],
            "heading": 1.0,
        },
        {"kind": "pipe", "name": "pipeline", "start": chance.three(9.0), "end": ["20 m", 0, 0], "diameter": "0.3 m"},
    )
    return chance.some(things, 3)


def random_contact(vehicle: str, chance: Chance) -> Any:
    """How vehicles touch; the contact time fits every step."""
    if chance.happens(0.5):
        return True
    contact: dict[str, Any] = {"contact_time": "0.15 s", "restitution": chance.number(0.1, 1.0)}
    if chance.happens(0.5):
        contact["sizes"] = {vehicle: ["0.5 m", "0.4 m", "0.3 m"]}
    return {**contact, "friction": chance.number(0.0, 1.0)}


def random_tether(name: str, vehicle: Vector3, chance: Chance) -> dict[str, Any]:
    """A line of any model from a vehicle at a place to another place or a ship, long enough for both."""
    length, far_end = chance.number(5.0, 40.0), chance.three(8.0)
    line: dict[str, Any] = {
        "name": name,
        "length": f"{max(length, math.dist(vehicle, far_end) + LARGEST_ATTACHMENT):.4g} m",
        "diameter": "8 mm",
        "far_end": [f"{number} m" for number in far_end],
    }
    line |= chance.one(
        (
            {"weight_in_water": chance.number(-0.2, 1.0), "stiffness": "20 kN", "nodes": chance.whole(2, 12)},
            {"mass": "0.06 kg/m", "stiffness": f"{chance.number(1.0, 50.0)} kN", "nodes": 5, "damping_ratio": 0.3},
            {"tether_density": "1100 kg/m3", "stiffness": "5 kN", "nodes": 8, "normal_drag": 1.5},
            {"model": "slack_spring", "stiffness": "2 kN", "damping": chance.number(0.0, 50.0)},
            {"model": "flat_plate", "tangential_drag": 0.02},
        )
    )
    if chance.happens(0.3):
        line["winch"] = {"rate": f"{chance.number(-0.5, 0.5)} m/s", "from": "0.2 s"}
    if chance.happens(0.3):
        line["far_velocity"] = chance.three(0.5, "m/s")
    if chance.happens(0.5):
        line["attachment"] = chance.three(0.3, "m")  # at most LARGEST_ATTACHMENT away
    return line


def random_snags(tethers: list[dict[str, Any]], chance: Chance) -> list[dict[str, Any]]:
    """Some of the lines that can be caught are."""
    lines = [line["name"] for line in tethers if line.get("nodes", 2) > 2]
    return [
        {"fault": "snag", "of": name, "at": "0.3 s", **chance.one(({}, {"along": "2 m"}, {"until": "0.8 s"}))}
        for name in lines
        if chance.happens(0.6)
    ]
