"""Short scenarios with faults for tests."""

from pathlib import Path
from typing import Any

from remora.logs import read_log
from remora.run.loop.loop import RunOutcome, run
from remora.run.setup import Setup
from remora.scenarios import scenario_from_text

# Undamped and neutral, G and C in B: what moves it is what the test does to it.
BALL = """
name: ball
title: Neutral ball without drag
source: worked example
water: {density: 1000 kg/m3, gravity: 9.81 m/s2}
body: {mass: 20 kg, volume: 20 litre, inertia: {moments: [0.5, 0.6, 0.7]},
       center_of_gravity: [0, 0, 0], center_of_buoyancy: [0, 0, 0]}
added_mass: {diagonal: [10, 14, 16, 0.1, 0.2, 0.3]}
damping: none
"""

OPEN_LOOP = """
name: open_loop
duration: 4 s
seed: 3
log: {rate: 100 Hz}
water: {density: 1025 kg/m3, bottom_depth: 30 m}
vehicles:
  - name: rov
    file: %(file)s
    position: [0, 0, 5 m]
    velocity: [%(surge)s m/s, 0, 0]
    sensors:
      - {name: dvl, kind: dvl, position: [0, 0, 0.1 m], rate: 10 Hz}
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 10 Hz, latency: 20 ms}
    commands:
      - {at: 0.5 s, set: {%(commands)s}}
    faults: [%(faults)s]
"""

CLOSED_LOOP = """
name: closed_loop
duration: 6 s
seed: 3
water: {density: 1025 kg/m3, bottom_depth: 30 m}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    sensors:
      - {name: dvl, kind: dvl, position: [0, 0, 0.1 m], rate: 10 Hz, parameters: {std: 1 cm/s}}
    navigation: {part: truth, rate: 20 Hz}
    guidance: {part: hold, rate: 20 Hz, position: [2 m, 1 m, 5.5 m], heading: 0.4}
    control: {part: position, rate: 20 Hz}
    allocation: {part: %(allocation)s, rate: 20 Hz}
    faults: [%(faults)s]
"""


def open_loop(
    faults: str, commands: str = "front_port: 5 N", file: str = "bluerov2_heavy", surge: float = 0.0
) -> Setup:
    """A vehicle with commands by the clock, and faults."""
    return scenario_from_text(OPEN_LOOP % {"faults": faults, "commands": commands, "file": file, "surge": surge})


def closed_loop(faults: str, allocation: str = "bounded") -> Setup:
    """A vehicle that holds its place, and faults."""
    return scenario_from_text(CLOSED_LOOP % {"faults": faults, "allocation": allocation})


def ball(faults: str, folder: Path, more: str = "", top: str = "") -> Setup:
    """The ball with faults and other keys of its entry and of the file."""
    (folder / "ball.yaml").write_text(BALL)
    text = f"""
name: ball
duration: 3 s
{top}
vehicles:
  - {{name: ball, file: ball.yaml, {more + "," if more else ""} faults: [{faults}]}}
"""
    return scenario_from_text(text, folder=folder)


def logged(setup: Setup, folder: Path, name: str = "run.mcap") -> tuple[RunOutcome, Any]:
    """The outcome and the log of a run."""
    outcome = run(setup, folder / name)
    return outcome, read_log(folder / name)


def told(log: Any, source: str) -> list[tuple[float, str, str]]:
    """Time, level and state of the faults of a source, as the log has them."""
    return [
        (e.time_ns * 1e-9, e.level, e.data["state"]) for e in log.events if e.source == source and "fault" in e.data
    ]
