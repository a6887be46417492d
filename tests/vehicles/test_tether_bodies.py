"""A tether as a chain of bodies in a morphology: weight, buoyancy, drag, tension, ends, and mistakes."""

import math

import numpy as np
import pytest

from remora.equations.algebra.quaternions import from_euler_zyx
from remora.plant import pack
from remora.plant.multibody import BodyModel, MultibodyPlant, drift, reactions
from remora.plant.multibody.link_table import body_link
from remora.run.loop.loop import run
from remora.scenarios.reader import scenario_from_text
from remora.vehicles.morphologies import Morphology, MorphologyError, morphology_from_text

LENGTH, DIAMETER, MASS, SEGMENTS = 4.0, 0.01, 0.2, 8
TETHERED = f"""
name: tethered
title: A vehicle with a tether
source: test
water: {{density: 1000 kg/m3, gravity: 9.81 m/s2}}
modules:
  - {{name: rov, file: bluerov2_heavy, ports: {{top: {{position: [0, 0, -0.1 m]}}}}}}
  - {{name: line, tether: {{length: {LENGTH} m, diameter: {DIAMETER} m, mass: {MASS} kg/m, segments: {SEGMENTS}}}}}
links:
  - {{kind: ball, between: [rov/top, line/near]}}
"""


def tethered() -> Morphology:
    return morphology_from_text(TETHERED)


def segments() -> list:
    return [module.vehicle.parameters for module in tethered().modules[1:]]


def test_a_tether_is_a_chain_on_ball_joints() -> None:
    morphology = tethered()
    assert morphology.module_names == ("rov", *(f"line_{k}" for k in range(1, SEGMENTS + 1)))
    assert morphology.degrees_of_freedom == 6 + 3 * SEGMENTS
    assert not morphology.is_rigid
    far = morphology.module(f"line_{SEGMENTS}").pose.position
    np.testing.assert_allclose(far, (0.0, 0.0, -0.1 - LENGTH + 0.5 * LENGTH / SEGMENTS), atol=1e-12)


def test_mass_buoyancy_and_cross_flow_drag_are_those_of_the_whole_line() -> None:
    assert sum(p.mass for p in segments()) == pytest.approx(MASS * LENGTH)
    assert sum(p.displaced_mass for p in segments()) == pytest.approx(1000.0 * math.pi / 4.0 * DIAMETER**2 * LENGTH)
    across = sum(p.quadratic_damping[1][1] for p in segments())
    assert across == pytest.approx(0.5 * 1000.0 * 1.1 * DIAMETER * LENGTH)


def test_a_hanging_tether_carries_the_weight_in_water_below_each_joint() -> None:
    morphology, step = tethered(), LENGTH / SEGMENTS
    bodies = [
        BodyModel(f"t/{module.name}", pack(module.vehicle.parameters), fixed=module.name == "rov")
        for module in morphology.modules
    ]
    links = {link.second: body_link(link, "t") for link in morphology.links}
    names = [f"line_{k}" for k in range(1, SEGMENTS + 1)]
    plant = MultibodyPlant(tuple(bodies), tuple(links[name] for name in names))
    down = from_euler_zyx(0.0, -0.5 * math.pi, 0.0)  # near end up
    rows = [np.eye(13)[3]] + [np.array([0.0, 0.0, -0.1 + (k + 0.5) * step, *down, *[0.0] * 6]) for k in range(SEGMENTS)]
    state = plant.state_of(rows)
    weight = 9.81 * (MASS - 1000.0 * math.pi / 4.0 * DIAMETER**2) * step
    expected = weight * np.arange(SEGMENTS, 0, -1)
    np.testing.assert_allclose(-reactions(plant, state, np.zeros(plant.commands))[:, 0], expected, rtol=1e-9)
    pushed = plant.step(state, np.zeros(plant.commands), water=(0.3, 0.0, 0.0), steps=400)
    assert drift(plant, pushed).largest.distance < 1e-10
    ends = plant.body_states(pushed)[1:, 0]
    assert np.all(np.diff(ends) > 0.0)  # the current bends it downstream
    assert ends[-1] > 0.05


def test_a_run_with_a_tether_of_bodies_goes_to_its_end(tmp_path) -> None:
    (tmp_path / "tethered.yaml").write_text(TETHERED, encoding="utf-8")
    text = "{name: t, duration: 1 s, vehicles: [{name: t, file: tethered.yaml, position: [0, 0, 5 m]}]}"
    assert run(scenario_from_text(text, "t", tmp_path)).stopped == ""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("line/near", "line/end", 'tether "line" has the ports near and far, not "end"'),
        (f"segments: {SEGMENTS}", "segments: 0", "must be between 1 and 100"),
        ("name: line, ", "name: line, rod: {length: 1 m, diameter: 1 cm, mass: 1 kg}, ", "cannot be given beside"),
        ("name: line, ", "name: line, ports: {x: {position: [0, 0, 0]}}, ", "a tether has the ports near and far"),
        ("line/near]", "line_2/near]", "this port is docked already"),
        ("name: rov, ", "name: line, ", "another module has this name already"),
    ],
)
def test_mistakes_are_named(old: str, new: str, words: str) -> None:
    with pytest.raises(MorphologyError, match=words):
        morphology_from_text(TETHERED.replace(old, new))
