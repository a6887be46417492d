"""Packed vehicles with other effects and functions that push at run time."""

import numpy as np
import pytest

from remora.equations.packed import thruster_at, thrusters_start
from remora.plant import rollouts
from remora.plant.pack import pack
from remora.plant.plant import Plant
from remora.run.plant.packed_overrides import (
    checked_matrix,
    checked_wrench,
    with_effects,
    with_thrust_factors,
    without_limits,
)
from remora.vehicles import load_vehicle
from remora.vehicles.checks.actuation import allocation_matrix
from sample_features import everything


def acceleration(packed, outputs):
    state = rollouts.initial_state(packed, outputs=outputs)
    return rollouts.derivative(packed, state, np.zeros(packed.actuators))[7:13]


def test_another_matrix_turns_the_push_and_nothing_else():
    vehicle = load_vehicle("vita1")
    packed, outputs = Plant(vehicle).packed, np.linspace(-3.0, 4.0, 8)
    matrix = np.random.default_rng(1).normal(size=(6, 8))
    still = acceleration(packed, np.zeros(8))
    inertia = np.linalg.inv(packed.row[36:72].reshape(6, 6))
    pushed = inertia @ (acceleration(with_effects(packed, matrix), outputs) - still)
    assert pushed == pytest.approx(matrix @ outputs, abs=1e-9)
    same = with_effects(packed, allocation_matrix(vehicle.parameters))
    assert np.array_equal(same.row, packed.row)


def test_only_the_numbers_that_are_meant_change():
    """On a vehicle with every feature, so that a wrong place in the row would hit something."""
    packed = pack(everything())
    first = thruster_at(packed.row, thrusters_start(packed.layout))
    free = thruster_at(without_limits(packed).row, thrusters_start(packed.layout))
    assert free == first._replace(command_minimum=-np.inf, command_maximum=np.inf)
    strong = thruster_at(with_thrust_factors(packed, [2.0, 1.0, 1.0]).row, thrusters_start(packed.layout))
    assert strong.effectiveness_forward == 2.0 * first.effectiveness_forward
    assert strong.effectiveness_reverse == 2.0 * first.effectiveness_reverse
    changed = np.flatnonzero(with_thrust_factors(packed, [2.0, 1.0, 1.0]).row != packed.row)
    assert len(changed) == 2
    assert len(np.flatnonzero(without_limits(packed).row != packed.row)) == 2 * 3 + 2


def test_functions_are_asked_with_outputs_relative_velocity_and_time():
    vehicle = load_vehicle("vita1")
    state = Plant(vehicle).initial_state(twist=(1.0, 0.0, 0.2, 0.0, 0.0, 0.1), outputs=np.arange(8.0))
    water = np.array([0.4, 0.0, 0.0])

    def push(outputs, relative, time):
        outputs[:] = 0.0  # may write into what it is given
        return (relative[0], relative[2], relative[5], time, 0.0, 0.0)

    before = state.copy()
    assert checked_wrench("push", push, state, 8, water, 3.0) == pytest.approx([0.6, 0.2, 0.1, 3.0, 0.0, 0.0])
    assert np.array_equal(state, before)
    assert checked_matrix("matrix", lambda y: np.outer(np.ones(6), y), state[13:])[2, 3] == 3.0
    with pytest.raises(ValueError, match="push has shape"):
        checked_wrench("push", lambda y, v, t: (0.0,) * 5, state, 8, water, 0.0)
