"""Bad input is refused with words that say what was found and what to give; never run, never reset in silence."""

import numpy as np
import pytest

from remora.plant import (
    ADAMS_BASHFORTH_2,
    Stepper,
    batch,
    derivative,
    dormand_prince,
    initial_state,
    pack,
    rollout,
    runge_kutta,
)
from sample_features import everything
from sample_vehicles import bluerov2, falcon, torpedo

ROV = pack(bluerov2())
START, ZERO = initial_state(ROV), np.zeros(6)
NAN = float("nan")


def with_nan(array, index):
    copy = np.array(array, dtype=float)
    copy[index] = NAN
    return copy


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rollout(ROV, with_nan(START, 8), ZERO, 0.1), r"state\[8\] is nan: give finite numbers"),
        (lambda: rollout(ROV, with_nan(START, 0), ZERO, 0.1), r"state\[0\] is nan"),
        (lambda: rollout(ROV, START, [ZERO, with_nan(ZERO, 2)], 0.1), r"commands\[1, 2\] is nan"),
        (lambda: rollout(ROV, START, np.full(6, np.inf), 0.1), r"commands\[0, 0\] is inf"),
        (lambda: rollout(ROV, START, ZERO, 0.1, external=with_nan(ZERO, 3)), r"external wrench\[0, 3\] is nan"),
        (lambda: rollout(ROV, START, ZERO, 0.1, water=(0, NAN, 0)), r"water\[0, 1\] is nan"),
        (lambda: derivative(ROV, with_nan(START, 5), ZERO), r"state\[5\] is nan"),
        (lambda: derivative(ROV, START, with_nan(ZERO, 5)), r"commands\[5\] is nan"),
        (lambda: initial_state(ROV, position=(0, NAN, 0)), r"position\[1\] is nan"),
        (lambda: initial_state(ROV, twist=with_nan(ZERO, 4)), r"twist\[4\] is nan"),
        (lambda: initial_state(ROV, quaternion=(1, 0, NAN, 0)), r"quaternion\[2\] is nan"),
        (lambda: initial_state(ROV, outputs=with_nan(ZERO, 1)), r"outputs\[1\] is nan"),
    ],
)
def test_numbers_that_are_none(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("step", [0.0, -0.01, NAN, np.inf, -np.inf])
def test_time_steps(step):
    words = r"time step is .*: give a positive number of seconds"
    for call in (lambda: rollout(ROV, START, ZERO, step), lambda: Stepper(ROV, step)):
        with pytest.raises(ValueError, match=words):
            call()


@pytest.mark.parametrize("steps", [0, -1, 1.5])
def test_steps_per_interval(steps):
    with pytest.raises(ValueError, match=r"steps per interval is .*: give a whole number of at least 1"):
        rollout(ROV, START, ZERO, 0.1, steps)


@pytest.mark.parametrize("intervals", [0, -3, 2.5])
def test_numbers_of_intervals(intervals):
    with pytest.raises(ValueError, match=r"intervals is .*: give a whole number of at least 1"):
        rollout(ROV, START, ZERO, 0.1, intervals=intervals)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rollout(ROV, START[:-1], ZERO, 0.1), r"state has shape \(18,\): give \(19,\)"),
        (lambda: rollout(ROV, START, ZERO, 0.1, method=ADAMS_BASHFORTH_2), r"state has shape \(19,\): give \(33,\)"),
        (lambda: rollout(ROV, START, np.zeros(5), 0.1), r"commands has shape \(1, 5\): give \(1, 6\)"),
        (lambda: rollout(ROV, START, (), 0.1), r"commands has shape \(1, 0\): give \(1, 6\)"),
        (lambda: rollout(ROV, START, ZERO, 0.1, external=np.zeros(5)), r"external wrench has shape \(1, 5\)"),
        (lambda: rollout(ROV, START, ZERO, 0.1, water=np.zeros((2, 2))), r"water has shape \(2, 2\)"),
        (lambda: derivative(ROV, START, np.zeros(7)), r"commands has shape \(7,\): give \(6,\)"),
        (lambda: derivative(ROV, START[None], ZERO), r"state has shape \(1, 19\): give \(19,\)"),
        (lambda: initial_state(ROV, position=(0, 0)), r"position has shape \(2,\): give \(3,\)"),
        (lambda: initial_state(ROV, outputs=np.zeros(4)), r"outputs has shape \(4,\): give \(6,\)"),
        (lambda: initial_state(ROV, twist="fast"), r"twist is not an array of numbers"),
        (lambda: rollout(ROV, START, [["full", "ahead"]], 0.1), r"commands"),
        (lambda: rollout(ROV, START, [[0, 0], [0]], 0.1), r"commands"),
        (
            lambda: rollout(ROV, START, np.zeros((4, 6)), 0.1, water=np.zeros((3, 3))),
            r"commands, external wrench and water velocity have \[4, 1, 3\] rows: give 1 or 4 each",
        ),
        (
            lambda: rollout(ROV, START, np.zeros((4, 6)), 0.1, intervals=7),
            r"have \[4, 1, 1\] rows: give 1 or 7 each",
        ),
    ],
)
def test_shapes(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: batch([], [], [ZERO], 0.1), r"no vehicles: give at least one"),
        (lambda: batch([ROV, ROV], [START], [ZERO], 0.1), r"states has shape \(1, 19\): give \(2, 19\)"),
        (
            lambda: batch([ROV] * 3, [START] * 3, [ZERO] * 2, 0.1),
            r"commands are given for 2 vehicles: give them for 3, or one for all",
        ),
        (
            lambda: batch([ROV, pack(bluerov2(), locked=("yaw",))], [START] * 2, [ZERO], 0.1),
            r"vehicle 1 has layout .*, the first has .*: run them apart",
        ),
        (lambda: batch([ROV, pack(torpedo())], [START] * 2, [ZERO], 0.1), r"run them apart"),
    ],
)
def test_batches(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: pack(bluerov2(), locked=("jaw",)),
            r"unknown degree of freedom 'jaw': choose from surge, sway, heave, roll, pitch, yaw",
        ),
        (
            lambda: pack(bluerov2(), simplifications=("drag_off",)),
            r"unknown simplification 'drag_off': choose from coriolis_off, munk_off",
        ),
        (
            lambda: initial_state(pack(bluerov2(), locked=("roll",)), twist=(0, 0, 0, 0.1, 0, 0)),
            r"roll is locked but moves with 0.1: start it with 0 or unlock it",
        ),
    ],
)
def test_names(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: runge_kutta("flat", 2, [[0, 0]], [0.5, 0.5]), r"tableau of flat has shape \(1, 2\) for 2 weights"),
        (lambda: runge_kutta("back", 1, [[0.5]], [1]), r"tableau of back is not explicit"),
        (lambda: runge_kutta("half", 1, [[0]], [0.5]), r"weights of half sum to 0.5: they must sum to 1"),
        (lambda: runge_kutta("none", 1, [[0]], [NAN]), r"weights of none"),
        (lambda: runge_kutta("none", 2, [[0, 0], [NAN, 0]], [0.5, 0.5]), r"tableau of none"),
        (lambda: dormand_prince(0.0), r"relative tolerance .* is 0.0: it must be positive"),
        (lambda: dormand_prince(1e-6, -1.0), r"absolute tolerance .* is -1.0"),
        (lambda: dormand_prince(maximum_step=0.0), r"maximum .* is 0.0"),
        (lambda: dormand_prince(NAN), r"relative tolerance .* is nan"),
    ],
)
def test_methods(call, words):
    with pytest.raises(ValueError, match=words):
        call()


FALCON = pack(falcon())
EVERYTHING = pack(everything())


@pytest.mark.parametrize("packed", [ROV, FALCON, EVERYTHING], ids=["rov", "falcon", "everything"])
def test_stepper_refuses_a_nan_wherever_it_stands(packed):
    step, state, commands = Stepper(packed, 0.01), initial_state(packed), np.zeros(packed.actuators)
    for index in range(state.size):
        with pytest.raises(ValueError, match=rf"state\[{index}\] is nan"):
            step(with_nan(state, index), commands)
    for index in range(packed.actuators):
        with pytest.raises(ValueError, match=rf"commands\[{index}\] is nan"):
            step(state, with_nan(commands, index))
    for index in range(9):
        with pytest.raises(ValueError, match=rf"environment\[{index}\] is nan"):
            step(state, commands, with_nan(np.zeros(9), index))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((START[:-1], ZERO), r"state has shape \(18,\): give \(19,\)"),
        ((START, np.zeros(5)), r"commands has shape \(5,\): give \(6,\)"),
        ((START, ZERO, np.zeros(6)), r"environment has shape \(6,\): give \(9,\)"),
        ((START[None], ZERO), r"state has shape \(1, 19\): give \(19,\)"),
        ((START, ZERO[None]), r"commands has shape \(1, 6\): give \(6,\)"),
        ((START, "ahead"), r"commands is not an array of numbers"),
        ((START, None), r"commands"),
    ],
)
def test_stepper_refuses_wrong_shapes(arguments, words):
    with pytest.raises(ValueError, match=words):
        Stepper(ROV, 0.01)(*arguments)
