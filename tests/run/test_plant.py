"""The friendly object around the kernels."""

import dataclasses

import numpy as np
import pytest

import remora
from remora import Plant, load_vehicle
from remora.plant import derivative, initial_state, pack, rollout
from remora.plant.methods import EULER

FALCON = load_vehicle("falcon")


def test_the_package_offers_its_names() -> None:
    assert {"Plant", "VehicleFileError", "load_vehicle", "vehicles"} <= set(dir(remora))
    assert "falcon" in remora.vehicles()
    with pytest.raises(AttributeError, match="no attribute 'vessel'"):
        _ = remora.vessel


def test_names_of_actuators_and_states() -> None:
    plant = Plant(load_vehicle("remus100"))
    assert plant.actuator_names == ("propeller", "rudder", "stern_planes")
    assert len(plant.state_names) == plant.initial_state().size
    assert plant.state_names[:3] == ("north", "east", "down")


def test_it_runs_the_kernels_and_nothing_else() -> None:
    plant, packed = Plant(FALCON), pack(FALCON.parameters)
    commands, water = np.full(5, -30.0), (0.1, -0.2, 0.0)
    state = plant.initial_state((1, 2, 3), twist=(0.1, 0, 0, 0, 0, 0.2))
    assert np.array_equal(state, initial_state(packed, (1, 2, 3), twist=(0.1, 0, 0, 0, 0, 0.2)))
    assert np.array_equal(plant.derivative(state, commands), derivative(packed, state, commands))
    expected = rollout(packed, state, commands, 0.1, 10, water=water, intervals=3)
    assert np.array_equal(plant.rollout(state, commands, 0.1, 10, water=water, intervals=3), expected)
    assert np.array_equal(plant.step(state, commands, 0.1, 10, water=water), expected[1])
    stepper = plant.stepper(0.01)
    for _ in range(10):
        state = stepper(state, commands, np.array([0.0] * 6 + [*water]))
    assert np.array_equal(state, expected[1])


def test_a_method_may_be_chosen() -> None:
    plant = Plant(FALCON)
    state, commands = plant.initial_state(), np.full(5, -30.0)
    assert not np.array_equal(plant.step(state, commands, 0.1, method=EULER), plant.step(state, commands, 0.1))


def test_it_is_frozen_and_knows_what_is_left_out() -> None:
    plant = Plant(FALCON, locked=("pitch", "roll"), simplifications=("munk_off",))
    assert plant.locked == ("roll", "pitch")
    assert plant.simplifications == ("munk_off",)
    with pytest.raises(dataclasses.FrozenInstanceError):
        plant.locked = ()  # type: ignore[misc]
    assert Plant(load_vehicle("docking_vehicle")).locked == ("heave", "roll", "pitch")
    with pytest.raises(ValueError, match="unknown degree of freedom 'spin'"):
        Plant(FALCON, locked=("spin",))
