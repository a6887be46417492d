"""Buoyancy elements of a vehicle file: through which a vehicle comes out of the water, and what is no body."""

import math
from pathlib import Path

import numpy as np
import pytest

from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle
from remora.vehicles.library import preset_path
from remora.vehicles.names import VehicleFileError
from remora.vehicles.variants.other_water import in_water


def with_elements(tmp_path: Path, elements: str) -> Path:
    file = tmp_path / "rov.yaml"
    file.write_text(preset_path("falcon").read_text() + f"\nbuoyancy_elements: {elements}\n")
    return file


def center() -> tuple[float, float, float]:
    return load_vehicle("falcon").parameters.p_BC


def test_shares_and_places_become_balls(tmp_path: Path) -> None:
    x, y, z = center()
    one = f"{{position: [{x + 0.3}, {y}, {z}], share: 50 %}}"
    other = f"{{position: [{x - 0.3}, {y}, {z}], share: 0.5, diameter: 20 cm}}"
    elements = f"[{one}, {other}]"
    p = load_vehicle(with_elements(tmp_path, elements)).parameters
    assert [part.displaced_mass for part in p.buoyancy_elements] == pytest.approx([0.5 * p.displaced_mass] * 2)
    assert p.buoyancy_elements[0].radius == pytest.approx(
        (0.375 * p.displaced_mass / p.density / math.pi) ** (1.0 / 3.0)
    )
    assert p.buoyancy_elements[1].radius == 0.1
    fresh = in_water(p, 1000.0, 9.81)
    assert sum(part.displaced_mass for part in fresh.buoyancy_elements) == pytest.approx(fresh.displaced_mass)


@pytest.mark.parametrize(
    ("shares", "moved", "words"),
    [((0.5, 0.4), 0.0, "add up to 0.9"), ((0.5, 0.5), 0.1, "their middle is at"), ((0.5, -0.5), 0.0, "share")],
)
def test_what_is_no_body_is_refused(tmp_path: Path, shares: tuple[float, float], moved: float, words: str) -> None:
    x, y, z = center()
    one = f"{{position: [{x + 0.3 + moved}, {y}, {z}], share: {shares[0]}}}"
    other = f"{{position: [{x - 0.3}, {y}, {z}], share: {shares[1]}}}"
    with pytest.raises(VehicleFileError, match=words):
        load_vehicle(with_elements(tmp_path, f"[{one}, {other}]"))


def test_two_floats_hold_a_vehicle_level_that_one_would_let_pitch(tmp_path: Path) -> None:
    """Held half out of the water and pitched: balls fore and aft push back, a single one in the middle hardly."""
    x, y, z = center()
    elements = f"[{{position: [{x + 0.4}, {y}, {z}], share: 0.5}}, {{position: [{x - 0.4}, {y}, {z}], share: 0.5}}]"
    water = np.array([*[0.0] * 16, 0.0])
    torques = []
    for vehicle in (load_vehicle(with_elements(tmp_path, elements)), load_vehicle("falcon")):
        packed = pack(vehicle.parameters)
        start = initial_state(packed, (0.0, 0.0, -z), (math.cos(0.05), 0.0, math.sin(0.05), 0.0))
        end = rollout(packed, start, np.zeros(packed.actuators), 0.01, water=water, intervals=1)[-1]
        torques.append(end[11])
    assert torques[0] < 2.0 * torques[1] < 0.0
