"""Whole runs in the world that are stopped and taken up again, repeated, and that look at each other within a step."""

from pathlib import Path

import numpy as np
import pytest
from stored_runs import run_with_checkpoints
from world_samples import logged, sphere_scenario

from remora.run.checkpoint import load_checkpoint, resumed_loop, save_checkpoint
from remora.run.loop.loop import run, run_loop
from remora.run.setup import Setup
from remora.scenarios import scenario_from_text

EVERY = 70  # steps between checkpoints: no multiple of the looks at the water
BUSY = """
name: busy
duration: 4.2 s
seed: 9
log: {rate: 50 Hz}
water:
  surface_depth: 0 m
  current:
    - {kind: shear, depths: [0, 10 m], velocities: [[0.3, 0, 0], [0.1, 0.05, 0]]}
    - {kind: gusts, std: 5 cm/s, correlation_time: 10 s}
  waves: {significant_height: 0.3 m, peak_period: 4 s}
bed: {kind: flat, depth: 5.2 m}
contact: true
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 4.7 m]
    sensors:
      - {name: imu, kind: imu, position: [0, 0, 0], rate: 33 Hz, parameters: {grade: industrial}}
      - {name: water, kind: current_meter, position: [0, 0, 0], rate: 7 Hz, name: flow}
    commands: [{at: 0.3 s, set: {vertical_rear_port: 12 N, vertical_front_starboard: 12 N}}]
    tethers:
      - {name: line, length: 8 m, diameter: 8 mm, weight_in_water: 0.2 N/m, stiffness: 5 kN, nodes: 6,
         far_end: [-4 m, 0, 0], far_velocity: [0.1 m/s, 0, 0], winch: {rate: 0.1 m/s, from: 1 s}}
    faults:
      - {fault: current, change: [0.1 m/s, 0, 0], at: 1.3 s}
      - {fault: snag, of: line, at: 0.5 s, until: 3 s}
  - {name: other, file: bluerov2_heavy, position: [0.9 m, 0, 4.6 m], velocity: [-0.5 m/s, 0, 0]}
""".replace("name: water, ", "")


def busy() -> Setup:
    return scenario_from_text(BUSY)


def test_a_busy_run_taken_up_again_has_the_same_bytes(tmp_path: Path) -> None:
    """Waves, gusts, a snagged tether with a winch, contacts and a step of the current, stopped in the middle."""
    run_with_checkpoints(busy(), EVERY, tmp_path / "whole.mcap", tmp_path / "whole.checkpoint")
    run_with_checkpoints(busy(), EVERY, tmp_path / "cut.mcap", tmp_path / "checkpoint", 230)
    checkpoint = load_checkpoint(tmp_path / "checkpoint", busy())
    loop = resumed_loop(busy(), checkpoint, tmp_path / "cut.mcap", tmp_path / "resumed.mcap")
    assert loop.step == 210
    while loop.step < loop.steps:
        loop.advance(loop.step + EVERY)
        save_checkpoint(tmp_path / "checkpoint", loop)
    run_loop(loop)
    assert loop.recorder is not None
    loop.recorder.close()
    assert (tmp_path / "whole.mcap").read_bytes() == (tmp_path / "resumed.mcap").read_bytes()


def test_the_same_seed_gives_the_same_bytes_and_another_another_sea(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(busy(), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    first, second = (scenario_from_text(BUSY, changes={"seed": seed}) for seed in (1, 2))
    place = (1.0, 2.0, 3.0)
    assert first.environment.at(0, place).velocity != second.environment.at(0, place).velocity


@pytest.mark.parametrize("contact", ["", "contact: true"])
def test_vehicles_see_each_other_where_they_are_within_a_step(contact: str, tmp_path: Path) -> None:
    """Ranges between two spheres on their ways, measured between the steps: as far apart as at that very time."""
    sensor = "sensors: [{name: %s, kind: usbl, position: [0, 0, 0], rate: 33 Hz, parameters: {target: %s}}]"
    entries = [
        f"name: one, position: [0, 0, 5 m], velocity: [1 m/s, 0, 0], {sensor % ('look', 'two')}",
        f"name: two, position: [9 m, 4 m, 5 m], velocity: [0, -0.5 m/s, 0], {sensor % ('look', 'one')}",
    ]
    log = logged(sphere_scenario(tmp_path, contact, entries, duration="2 s"), tmp_path)
    for name in ("one", "two"):
        times = log[f"{name}/look"].time_ns * 1e-9
        apart = np.hypot(9.0 - times, 4.0 - 0.5 * times)
        assert (log[f"{name}/look"].time_ns % 10_000_000 != 0).any()
        assert log[f"{name}/look"]["range"] == pytest.approx(apart, abs=1e-9)
