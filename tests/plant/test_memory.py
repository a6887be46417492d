"""A run allocates its result and nothing that grows with it."""

import tracemalloc

import numpy as np
import pytest

from remora.plant import Stepper, batch, initial_state, pack, rollout
from sample_vehicles import bluerov2, falcon

HOUR = 360_000  # steps of 10 ms
SMALL = 200_000  # bytes for arguments, work space and the interpreter


def peak_beyond_result(call):
    """Bytes that were allocated at the worst moment, less those of the result; the least of three.

    The first call is not counted: it loads kernels. Threads of the test runner share the count.
    """
    call()
    extras = []
    for _ in range(3):
        tracemalloc.start()
        try:
            result = call()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        extras.append(peak - result.nbytes)
    return min(extras), result


@pytest.mark.parametrize("make", [bluerov2, falcon])
def test_one_hour_at_100_hz(make):
    packed = pack(make())
    start, commands = initial_state(packed), np.linspace(1.0, 2.0, packed.actuators)
    extra, result = peak_beyond_result(lambda: rollout(packed, start, commands, 0.01, intervals=HOUR))
    assert result.shape == (HOUR + 1, 13 + packed.actuators)
    assert extra < SMALL


def test_one_hour_with_new_commands_every_step():
    """The caller's own commands, already rows of floats, are read where they are."""
    packed = pack(bluerov2())
    commands = np.zeros((HOUR, 6))
    start = initial_state(packed)
    extra, result = peak_beyond_result(lambda: rollout(packed, start, commands, 0.01))
    assert result.shape == (HOUR + 1, 19)
    assert extra < SMALL


def test_steps_within_an_interval_cost_no_memory():
    packed = pack(bluerov2())
    start = initial_state(packed)
    extra, result = peak_beyond_result(lambda: rollout(packed, start, np.zeros(6), 60.0, 6000, intervals=60))
    assert result.shape == (61, 19)
    assert extra < SMALL


def test_a_batch_of_ends_holds_only_starts_and_ends():
    packed = pack(bluerov2())
    vehicles, starts = [packed] * 50, [initial_state(packed)] * 50

    def call():
        return batch(vehicles, starts, [np.zeros(6)], 0.01, intervals=2000, only_end=True, threads=1)

    extra, result = peak_beyond_result(call)
    assert result.shape == (50, 2, 19)
    assert extra < 2 * SMALL


def test_stepping_leaves_nothing_behind():
    packed = pack(bluerov2())
    step, state, commands = Stepper(packed, 0.01), initial_state(packed), np.zeros(6)
    for _ in range(100):
        state = step(state, commands)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(10_000):
        state = step(state, commands)
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 2000
    assert peak - before < 10_000
