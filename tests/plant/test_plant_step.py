"""`Plant.step` has the bits and the errors of a rollout over one interval, whatever it is given."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from remora.plant import ADAMS_BASHFORTH_2, METHODS, RunError, Stepper, dormand_prince
from remora.plant.plant import Plant
from remora.plant.stepper import KeptSteppers
from remora.vehicles import load_vehicle
from sample_features import everything, halves_of
from sample_vehicles import bluerov2, falcon, glider

TWIST = (0.3, -0.2, 0.1, 0.2, 0.1, -0.3)
SHELL = load_vehicle("bluerov2")
PLANTS = {
    "plain": Plant(replace(SHELL, parameters=bluerov2())),
    "two heaves": Plant(replace(SHELL, parameters=falcon())),
    "everything": Plant(replace(SHELL, parameters=everything())),
    "locked": Plant(replace(SHELL, parameters=everything()), locked=("sway", "roll")),
    "moving masses": Plant(replace(SHELL, parameters=glider())),
    "elements": Plant(replace(SHELL, parameters=bluerov2()._replace(buoyancy_elements=halves_of(bluerov2())))),
    "bounded": Plant(replace(SHELL, parameters=bluerov2()._replace(envelope=(5.0,) * 6))),
}
PLANT = PLANTS["plain"]
START, ZERO = PLANT.initial_state(), np.zeros(6)


def bits(array):
    return np.ascontiguousarray(array).tobytes()


def start_of(plant, **options):
    locked = [name in plant.locked for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")]
    return plant.initial_state((1.0, 2.0, 3.0), twist=np.where(locked, 0.0, TWIST), **options)


@pytest.mark.parametrize("steps", [1, 3, 101])
@pytest.mark.parametrize("name", PLANTS)
def test_a_step_has_the_bits_of_a_rollout(name, steps):
    """In still water, in a current, in water that varies, and under a wrench."""
    plant, random = PLANTS[name], np.random.default_rng(6)
    commands = random.uniform(-20.0, 20.0, len(plant.actuator_names))
    wrench = random.uniform(-1.0, 1.0, 6)
    for water in (np.zeros(3), *(random.uniform(-0.1, 0.1, size) for size in (3, 10, 16, 17))):
        for options in ({}, {"water": water}, {"external": wrench}, {"external": wrench, "water": water}):
            state = start_of(plant)
            for _ in range(3):
                wanted = plant.rollout(state, commands, 0.05, steps, **options)[-1]
                state = plant.step(state, commands, 0.05, steps, **options)
                assert bits(state) == bits(wanted)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_steps_as_it_rolls_out(method):
    plant, chosen = PLANTS["everything"], METHODS[method]
    state, commands = start_of(plant, method=chosen), np.full(len(plant.actuator_names), 3.0)
    for _ in range(4):
        wanted = plant.rollout(state, commands, 0.02, 2, method=chosen)[-1]
        state = plant.step(state, commands, 0.02, 2, method=chosen)
        assert bits(state) == bits(wanted)


def test_methods_of_one_name_are_told_apart():
    loose, tight = dormand_prince(1e-3, 1e-3), dormand_prince(1e-10, 1e-10)
    plant, state = PLANTS["everything"], start_of(PLANTS["everything"])
    found = [plant.step(state, np.zeros(5), 1.0, method=m) for m in (loose, tight, loose)]
    assert bits(found[0]) == bits(found[2]) != bits(found[1])


@pytest.mark.parametrize(
    "wear",
    [
        list,
        tuple,
        lambda a: np.array(a, dtype=np.float32),
        lambda a: np.array(a, dtype=">f8"),
        lambda a: np.repeat(a, 2)[::2],
        lambda a: np.array(a, dtype=object),
        lambda a: [int(x) for x in a],
    ],
)
def test_other_kinds_of_rows_give_the_same(wear):
    commands, wrench, water = np.arange(6.0), np.array([1.0, 0, 2, 0, 0, 1]), np.array([1.0, 0, 0])
    state = PLANT.initial_state(twist=(1.0, 0, 0, 0, 0, 0))
    wanted = PLANT.rollout(state, commands, 0.1, 1, wrench, water)[-1]
    given = [wear(row) for row in (state, commands, wrench, water)]
    assert bits(PLANT.step(given[0], given[1], 0.1, 1, given[2], given[3])) == bits(wanted)
    assert bits(PLANT.step(state, given[1], 0.1, external=given[2], water=water)) == bits(wanted)


def with_nan(array, index):
    changed = np.array(array, dtype=float)
    changed[index] = np.nan
    return changed


BAD = {
    "nan in the state": (with_nan(START, 8), ZERO, 0.1),
    "nan in the commands": (START, with_nan(ZERO, 2), 0.1),
    "infinite command": (START, np.full(6, np.inf), 0.1),
    "nan in a list": (START, [0.0, np.nan, 0, 0, 0, 0], 0.1),
    "nan in the wrench": (START, ZERO, 0.1, 1, with_nan(ZERO, 3)),
    "nan in the water": (START, ZERO, 0.1, 1, ZERO, (0.0, np.nan, 0.0)),
    "short state": (START[:-1], ZERO, 0.1),
    "state of two vehicles": (np.tile(START, (2, 1)), ZERO, 0.1),
    "short commands": (START, np.zeros(5), 0.1),
    "commands as text": (START, "ahead", 0.1),
    "complex commands": (START, np.zeros(6, dtype=complex), 0.1),
    "no commands": (START, None, 0.1),
    "numbers of the wrench in the water": (START, ZERO, 0.1, 1, np.zeros(5), np.zeros(4)),
    "wrench as text": (START, ZERO, 0.1, 1, "wrench"),
    "water of no kind": (START, ZERO, 0.1, 1, ZERO, np.zeros(5)),
    "quaternion too long": (2.0 * START, ZERO, 0.1),
    "no interval": (START, ZERO, 0.0),
    "nan as interval": (START, ZERO, np.nan),
    "interval as array": (START, ZERO, np.array([0.1])),
    "interval as text": (START, ZERO, "0.1"),
    "half a step": (START, ZERO, 0.1, 1.5),
    "no steps": (START, ZERO, 0.1, 0),
    "method as text": (START, ZERO, 0.1, 1, ZERO, np.zeros(3), "rk4"),
    "history of another method": (START, ZERO, 0.1, 1, ZERO, np.zeros(3), ADAMS_BASHFORTH_2),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.filterwarnings("error")
def test_bad_input_gets_the_error_of_a_rollout(name):
    """The step before it was sound, so that all is prepared."""
    PLANT.step(START, ZERO, 0.1)
    with pytest.raises(ValueError, match=r"give|scale|is not an array of numbers") as wanted:
        PLANT.rollout(*BAD[name])
    with pytest.raises(ValueError, match=r"give|scale|is not an array of numbers") as found:
        PLANT.step(*BAD[name])
    assert str(found.value) == str(wanted.value)


def test_a_failing_step_says_why():
    plant = PLANTS["bounded"]
    with pytest.raises(RunError, match=r"surge speed 5\.\d* left the envelope of 5 .*, before 0.1 s"):
        plant.step(plant.initial_state(twist=(4.9, 0, 0, 0, 0, 0)), ZERO, 0.1, external=(700.0, 0, 0, 0, 0, 0))
    with pytest.raises(RunError, match=r"surge speed 6 left the envelope of 5 .*, before 0 s"):
        plant.step(plant.initial_state(twist=(6.0, 0, 0, 0, 0, 0)), ZERO, 0.1)
    moving = start_of(PLANTS["locked"])
    moving[8] = 0.5
    with pytest.raises(ValueError, match=r"sway is locked but moves with 0\.5"):
        PLANTS["locked"].step(moving, np.zeros(5), 0.1)


def test_no_argument_is_changed_and_no_result_is_shared():
    state, commands, wrench, water = start_of(PLANT), np.ones(6), np.ones(6), np.ones(3)
    before = [bits(a) for a in (state, commands, wrench, water)]
    ends = [PLANT.step(state, commands, 0.1, external=wrench, water=water) for _ in range(2)]
    assert [bits(a) for a in (state, commands, wrench, water)] == before
    assert bits(ends[0]) == bits(ends[1])
    assert not np.shares_memory(ends[0], ends[1])
    assert not np.shares_memory(ends[0], state)


def test_more_intervals_than_are_kept_are_stepped_all_the_same():
    plant = Plant(SHELL)
    start, commands = plant.initial_state(), np.full(len(plant.actuator_names), 4.0)
    for interval in (0.01 * (1 + k % 25) for k in range(60)):
        wanted = Stepper(plant.packed, interval)(start, commands)
        assert bits(plant.step(start, commands, interval)) == bits(wanted)
        assert len(plant._steppers._kept) <= KeptSteppers.MOST


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda plant: pickle.loads(pickle.dumps(plant)), copy.copy])
def test_a_copied_plant_steps_the_same(copied):
    plant = Plant(SHELL, locked=("yaw",))
    start, commands = plant.initial_state(), np.full(len(plant.actuator_names), 4.0)
    wanted = plant.step(start, commands, 0.1)
    other = copied(plant)
    assert other == plant
    assert bits(other.step(start, commands, 0.1)) == bits(wanted)
    assert repr(other) == repr(plant)
