"""Locked degrees of freedom: they do not move, and hold by a force that does no work on the others."""

import itertools

import numpy as np
import pytest

from remora.plant import derivative, initial_state, pack
from sample_features import everything, general
from sample_vehicles import falcon, torpedo
from trajectories import run

NAMES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
VEHICLES = {
    "full matrices": general(np.random.default_rng(5)),
    "two heaves": falcon(),
    "fins": torpedo(),
    "everything": everything(),
}
CHOICES = [c for n in range(1, 6) for c in itertools.combinations(NAMES, n)]


def held_by_force(parameters, locked, state, commands, external, water):
    """Acceleration of the free vehicle under that force on the locked axes which keeps them still."""
    packed, axes = pack(parameters), [NAMES.index(name) for name in locked]

    def accelerations(extra):
        return derivative(packed, state, commands, np.add(external, extra), water)[7:13]

    free = accelerations(np.zeros(6))
    response = np.array([accelerations(row) - free for row in np.eye(6)]).T
    force = np.zeros(6)
    force[axes] = -np.linalg.solve(response[np.ix_(axes, axes)], free[axes])
    return free + response @ force


@pytest.mark.parametrize("name", VEHICLES)
@pytest.mark.parametrize("locked", CHOICES[::4], ids="+".join)
def test_same_as_a_force_that_holds(name, locked):
    """In a current and under way, for choices of one to five axes."""
    parameters, random = VEHICLES[name], np.random.default_rng(len(locked))
    packed = pack(parameters, locked=locked)
    outputs = np.full(packed.actuators, 0.2)
    for _ in range(20):
        twist = np.where([n in locked for n in NAMES], 0.0, random.uniform(-2.0, 2.0, 6))
        state = initial_state(packed, quaternion=random.normal(size=4), twist=twist, outputs=outputs)
        external, water = random.uniform(-3.0, 3.0, 6), random.uniform(-1.0, 1.0, 3)
        found = derivative(packed, state, outputs, external, water)[7:13]
        expected = held_by_force(parameters, locked, state, outputs, external, water)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * max(1.0, np.abs(expected).max()))
        assert np.all(found[[NAMES.index(n) for n in locked]] == 0.0)


@pytest.mark.parametrize("locked", [("roll", "pitch"), ("surge", "yaw"), ("heave",)])
def test_locked_axes_rest_over_ground_all_along(locked):
    packed = pack(everything(), locked=locked)
    states = run(packed, 10.0, 0.01, np.full(packed.actuators, 9.0), water=(0.3, -0.2, 0.1), external=np.ones(6))
    still = [7 + NAMES.index(name) for name in locked]
    assert np.all(states[:, still] == 0.0)
    assert np.ptp(states[:, 7:13], axis=0).max() > 0.05


def test_all_locked_stays():
    packed = pack(everything(), locked=NAMES)
    states = run(packed, 1.0, 0.1, np.full(packed.actuators, 50.0), water=(0.3, -0.2, 0.1))
    assert np.all(states[:, :13] == states[0, :13])


def test_locks_of_the_file_and_of_the_call_add_up():
    parameters = general(np.random.default_rng(5))._replace(locked=("pitch",), simplifications=("munk_off",))
    packed = pack(parameters, locked=("roll", "pitch"), simplifications=("coriolis_off",))
    assert packed.locked == ("roll", "pitch")
    assert packed.simplifications == ("coriolis_off", "munk_off")
    assert pack(general(np.random.default_rng(5))).simplifications == ()


def test_planar_vehicle_stays_level():
    """Heave, roll and pitch held: the depth and the upright attitude do not change by a bit."""
    packed = pack(falcon(), locked=("heave", "roll", "pitch"))
    states = run(packed, 20.0, 0.01, [-80.0, -40.0, 20.0, 50.0, 30.0], position=(0.0, 0.0, 5.0))
    assert np.all(states[:, 2] == 5.0)
    assert np.all(states[:, 4:6] == 0.0)
    assert np.abs(states[-1, :2]).max() > 1.0
