"""Spheres in a world, for tests of whole runs: 40 litres, half of the displaced water as added mass."""

from pathlib import Path
from typing import Any

import numpy as np

from remora.logs import read_log
from remora.run.loop.loop import run
from remora.run.setup import Setup
from remora.scenarios import scenario_from_text

SECOND = 1_000_000_000
SIZE = "[0.4 m, 0.4 m, 0.4 m]"  # one ball of 0.2 m for contacts
SPHERE = """
name: sphere
title: Sphere of 40 litres
source: worked example
water: {density: 1000 kg/m3, gravity: 9.81 m/s2}
body: {mass: %(mass)s kg, volume: 40 litre, inertia: {moments: [0.4, 0.4, 0.4]},
       center_of_gravity: [0, 0, 0], center_of_buoyancy: [0, 0, 0]}
added_mass: {diagonal: [20, 20, 20, 0, 0, 0]}
damping: %(damping)s
"""


def sphere_scenario(
    folder: Path, top: str, entries: list[str], mass: float = 40.0, drag: float = 0.0, duration: str = "60 s"
) -> Setup:
    """A run of spheres that start as their entries say, with linear drag in N s/m; `top` holds the world."""
    damping = f"{{linear: {{diagonal: [{drag}, {drag}, {drag}, 1, 1, 1]}}}}" if drag else "none"
    (folder / "sphere.yaml").write_text(SPHERE % {"mass": mass, "damping": damping})
    vehicles = "\n".join(f"  - {{file: sphere.yaml, {entry}}}" for entry in entries)
    return scenario_from_text(f"name: t\nduration: {duration}\nseed: 5\n{top}\nvehicles:\n{vehicles}\n", folder=folder)


def logged(setup: Setup, folder: Path, name: str = "run.mcap") -> Any:
    """The log of a run that must come to its end."""
    assert run(setup, folder / name).stopped == ""
    return read_log(folder / name)


def places(log: Any, vehicle: str) -> Any:
    """Positions of a vehicle along a log."""
    return log[f"{vehicle}/truth"].table()[:, :3]


def touches(log: Any, vehicle: str) -> list[str]:
    """What a vehicle told of its contacts, in order."""
    return [event.text for event in log.events if event.source == f"{vehicle}/contact"]


def pulls(log: Any, channel: str) -> tuple[Any, Any, Any]:
    """Pull on the vehicle, pull on the far end, and length of a tether."""
    table = np.asarray(log[channel].table())
    return table[:, :3], table[:, 3:6], table[:, 6]
