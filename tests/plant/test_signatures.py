"""Every kernel has one compiled signature, whatever kind of array, list or number a caller hands in."""

import numpy as np
import pytest

from remora.plant import METHODS, Stepper, batch, derivative, initial_state, pack, rollout
from remora.plant.compilation import SIGNATURES, kernels
from sample_features import packed_features
from sample_vehicles import bluerov2

PACKED = pack(bluerov2())
COMMANDS = np.array([[5.0, 4.0, 3.0, 2.0, 1.0, 6.0], [4.0, 2.0, -3.0, 2.0, -1.0, 5.0]])
EXTERNAL, WATER = np.array([1.0, -2.0, 3.0, 0.0, 1.0, 0.0]), np.array([1.0, 0.0, -1.0])
TWIST, OUTPUTS = (1.0, 0.0, -1.0, 0.0, 1.0, 0.0), (3.0, 2.0, 1.0, 0.0, -1.0, 2.0)


def read_only(array):
    copy = np.array(array)
    copy.setflags(write=False)
    return copy


def strided(array):
    """Every second element of a longer array, along every axis."""
    array = np.asarray(array)
    longer = np.full([2 * n for n in array.shape], 7.0)
    longer[tuple(slice(None, None, 2) for _ in array.shape)] = array
    return longer[tuple(slice(None, None, 2) for _ in array.shape)]


DISGUISES = {
    "plain": np.array,
    "list": lambda a: np.asarray(a).tolist(),
    "integers": lambda a: np.asarray(a).astype(np.int32),
    "big integers": lambda a: np.asarray(a).astype(object),
    "single precision": lambda a: np.asarray(a).astype(np.float32),
    "read-only": read_only,
    "not contiguous": strided,
    "Fortran order": np.asfortranarray,
    "big-endian": lambda a: np.asarray(a).astype(">f8"),
}


def count():
    return {name: len(getattr(kernels(), name).signatures) for name in SIGNATURES}


def test_one_signature_each():
    """After every vehicle and every method has run."""
    for packed in packed_features().values():
        for method in METHODS.values():
            start, commands = initial_state(packed, method=method), np.zeros(packed.actuators)
            rollout(packed, start, commands, 0.01, method=method)
            Stepper(packed, 0.01, method)(start, commands)
        derivative(packed, initial_state(packed), commands)
    assert count() == dict.fromkeys(SIGNATURES, 1)


@pytest.mark.parametrize("name", DISGUISES)
def test_inputs_in_disguise_give_the_same_and_compile_nothing(name):
    wear, start = DISGUISES[name], initial_state(PACKED, (1.0, 2.0, 3.0), (0.0, 1.0, 0.0, 0.0), TWIST, OUTPUTS)
    environment = np.concatenate([EXTERNAL, WATER])
    expected = [
        start,
        derivative(PACKED, start, COMMANDS[0], EXTERNAL, WATER),
        rollout(PACKED, start, COMMANDS, 0.5, 50, EXTERNAL, WATER),
        batch([PACKED] * 2, [start] * 2, [COMMANDS] * 2, 1, 100, [EXTERNAL], [WATER]),
        Stepper(PACKED, 0.01)(start, COMMANDS[0], environment),
    ]
    found = [
        initial_state(PACKED, wear((1.0, 2.0, 3.0)), wear((0.0, 1.0, 0.0, 0.0)), wear(TWIST), wear(OUTPUTS)),
        derivative(PACKED, wear(start), wear(COMMANDS[0]), wear(EXTERNAL), wear(WATER)),
        rollout(PACKED, wear(start), wear(COMMANDS), 0.5, 50, wear(EXTERNAL), wear(WATER)),
        batch([PACKED] * 2, wear([start] * 2), wear([COMMANDS] * 2), 1, 100, [wear(EXTERNAL)], [wear(WATER)]),
        Stepper(PACKED, 0.01)(wear(start), wear(COMMANDS[0]), wear(environment)),
    ]
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)
    assert count() == dict.fromkeys(SIGNATURES, 1)


def test_numbers_in_disguise():
    """Steps and intervals as integers or NumPy scalars."""
    start = initial_state(PACKED)
    expected = rollout(PACKED, start, COMMANDS[0], 1.0, 100, intervals=2)
    for interval, steps, intervals in (
        (1, 100, 2),
        (np.float32(1.0), np.int32(100), np.int64(2)),
        (np.int64(1), 100.0, 2),
    ):
        found = rollout(PACKED, start, COMMANDS[0], interval, steps, intervals=intervals)
        np.testing.assert_array_equal(found, expected)
    assert count() == dict.fromkeys(SIGNATURES, 1)


def test_a_packed_row_in_disguise():
    """A row that is read-only or a slice of a table of vehicles."""
    start = initial_state(PACKED, twist=TWIST)
    for row in (read_only(PACKED.row), strided(PACKED.row)):
        packed = PACKED._replace(row=row)
        np.testing.assert_array_equal(derivative(packed, start, COMMANDS[0]), derivative(PACKED, start, COMMANDS[0]))
        found = rollout(packed, start, COMMANDS, 0.01)
        np.testing.assert_array_equal(found, rollout(PACKED, start, COMMANDS, 0.01))
        stepped = Stepper(packed, 0.01)(start, COMMANDS[0])
        np.testing.assert_array_equal(stepped, Stepper(PACKED, 0.01)(start, COMMANDS[0]))
