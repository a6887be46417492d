"""Invariants T17 and T18: same inputs, same bits, whole or in pieces, alone or together; no argument changes."""

import numpy as np
import pytest

from remora.plant import METHODS, Stepper, batch, derivative, dormand_prince, initial_state, pack, rollout
from sample_features import everything, general, packed_features
from sample_vehicles import bluerov2, tuples

RANDOM = np.random.default_rng(8)
TWIST = (0.3, -0.2, 0.1, 0.2, 0.1, -0.3)
INTERVAL, COUNT = 0.02, 60


def inputs(packed, count=COUNT):
    commands = RANDOM.uniform(-30.0, 30.0, (count, packed.actuators))
    return commands, RANDOM.uniform(-3.0, 3.0, (count, 6)), RANDOM.uniform(-0.3, 0.3, (count, 3))


def bits(array):
    return np.ascontiguousarray(array).tobytes()


@pytest.mark.parametrize("name", METHODS)
def test_run_twice_and_run_in_pieces(name):
    """T17: bit for bit, for every method; a piece ends with all that the next one needs."""
    packed, method = pack(everything()), METHODS[name]
    commands, external, water = inputs(packed)
    start = initial_state(packed, twist=TWIST, method=method)
    whole = rollout(packed, start, commands, INTERVAL, 2, external, water, method)
    again = rollout(packed, start, commands, INTERVAL, 2, external, water, method)
    assert bits(whole) == bits(again)
    for cut in (1, 17, COUNT - 1):
        first = rollout(packed, start, commands[:cut], INTERVAL, 2, external[:cut], water[:cut], method)
        second = rollout(packed, first[-1], commands[cut:], INTERVAL, 2, external[cut:], water[cut:], method)
        assert bits(np.vstack([first, second[1:]])) == bits(whole)


@pytest.mark.parametrize("name", METHODS)
def test_stepper_walks_the_same_path(name):
    """T17: one call per step from Python gives the bits of one call for the whole run."""
    packed, method = pack(everything()), METHODS[name]
    commands, external, water = inputs(packed)
    states = [initial_state(packed, twist=TWIST, method=method)]
    whole = rollout(packed, states[0], commands, INTERVAL, 1, external, water, method)
    step = Stepper(packed, INTERVAL, method)
    for c, e, w in zip(commands, external, water, strict=True):
        states.append(step(states[-1], c, np.concatenate([e, w])))
    assert bits(np.array(states)) == bits(whole)


@pytest.mark.parametrize("name", METHODS)
def test_held_commands_are_the_same_in_pieces(name):
    """T17: commands held over a whole run give the bits of the same commands given again at every interval."""
    packed, method = pack(everything()), METHODS[name]
    command = inputs(packed, 1)[0][0]
    start = initial_state(packed, twist=TWIST, method=method)
    whole = rollout(packed, start, command, INTERVAL, 2, method=method, intervals=40)
    rows = rollout(packed, start, np.tile(command, (40, 1)), INTERVAL, 2, method=method)
    pieces = [start]
    for _ in range(40):
        pieces.append(rollout(packed, pieces[-1], command, INTERVAL, 2, method=method)[-1])
    assert bits(whole) == bits(rows) == bits(np.array(pieces))


def fleet():
    """Vehicles of one kind, each with its own numbers."""
    base = bluerov2()
    others = [general(np.random.default_rng(k)) for k in range(1, 7)]
    return [pack(v._replace(thrusters=base.thrusters, thruster_names=base.thruster_names)) for v in others]


@pytest.mark.parametrize("name", METHODS)
def test_batch_equals_single_runs_on_any_number_of_threads(name):
    """T17: parallel equals serial, bit for bit."""
    vehicles, method = fleet(), METHODS[name]
    each = [inputs(vehicle, 20) for vehicle in vehicles]
    starts = [initial_state(v, position=(k, 0, 0), twist=TWIST, method=method) for k, v in enumerate(vehicles)]
    books = [[i[k] for i in each] for k in range(3)]
    together = {
        threads: batch(vehicles, starts, books[0], INTERVAL, 1, books[1], books[2], method, threads=threads)
        for threads in (1, 2, 5, None)
    }
    alone = [
        rollout(v, s, c, INTERVAL, 1, e, w, method) for v, s, (c, e, w) in zip(vehicles, starts, each, strict=True)
    ]
    for result in together.values():
        assert bits(result) == bits(np.array(alone))
    ends = batch(vehicles, starts, books[0], INTERVAL, 1, books[1], books[2], method, only_end=True)
    assert bits(ends) == bits(np.array(alone)[:, [0, -1]])


def test_one_input_serves_all_vehicles_and_all_intervals():
    vehicles, command = fleet(), np.linspace(-5.0, 5.0, 6)
    starts = [initial_state(v, twist=TWIST) for v in vehicles]
    short = batch(vehicles, starts, [command], INTERVAL, intervals=20)
    long = batch(vehicles, starts, [np.tile(command, (20, 1))] * 6, INTERVAL, external=[np.zeros((20, 6))] * 6)
    assert bits(short) == bits(long)


@pytest.mark.parametrize("name", [*packed_features()])
def test_no_argument_is_changed(name):
    """T18: compared byte by byte before and after every public call, and every call repeats."""
    packed, method = packed_features()[name], dormand_prince()
    commands, external, water = inputs(packed, 5)
    twist = np.where([d in packed.locked for d in ("surge", "sway", "heave", "roll", "pitch", "yaw")], 0.0, TWIST)
    quaternion, outputs = np.array([2.0, 0.1, 0.2, 0.3]), np.full(packed.actuators, 0.1)
    start = initial_state(packed, (1.0, 2.0, 3.0), quaternion, twist, outputs)
    environment = np.concatenate([external[0], water[0]])
    arguments = (packed.row, commands, external, water, twist, quaternion, outputs, start, environment, method.weights)
    before = [bits(a) for a in arguments]
    results = []
    for _ in range(2):
        stepper = Stepper(packed, INTERVAL)
        results.append([
            initial_state(packed, (1.0, 2.0, 3.0), quaternion, twist, outputs),
            derivative(packed, start, commands[0], external[0], water[0]),
            rollout(packed, start, commands, INTERVAL, 2, external, water),
            rollout(packed, start, commands, INTERVAL, 2, external, water, method),
            batch([packed] * 3, [start] * 3, [commands] * 3, INTERVAL, 1, [external], [water]),
            stepper(start, commands[0], environment),
            stepper(start, commands[0], environment),
        ])  # fmt: skip
    assert [bits(a) for a in arguments] == before
    for one, other in zip(*results, strict=True):
        assert bits(one) == bits(other)
    assert bits(results[0][5]) == bits(results[0][6])


def test_results_do_not_share_memory_with_arguments_or_each_other():
    packed = pack(bluerov2())
    start, step = initial_state(packed, twist=TWIST), Stepper(packed, INTERVAL)
    first = step(start, np.zeros(6))
    kept = bits(first)
    second = step(first, np.zeros(6))
    assert bits(first) == kept
    for one, other in ((start, first), (first, second), (start, rollout(packed, start, np.zeros(6), INTERVAL))):
        assert not np.shares_memory(one, other)


def test_packing_repeats_and_leaves_its_vehicle_alone():
    parameters = everything()
    before = tuples(np.array(parameters.added_mass))
    assert bits(pack(parameters, locked=("yaw",)).row) == bits(pack(parameters, locked=("yaw",)).row)
    assert parameters.added_mass == before
    assert parameters == everything()
