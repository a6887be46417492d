"""A prepared batch has the bits of `batch`; a vehicle that fails is named, leaves the others alone and can be reset."""

from pathlib import Path

import numpy as np
import pytest

from pages import code_blocks, page, printed_by
from remora.equations.algebra.vectors import diagonal6
from remora.plant import METHODS, RK4, BatchStepper, PackedBatch, batch, initial_state, pack, rollout
from remora.plant.plant import Plant
from remora.vehicles import load_vehicle
from sample_features import general, packed_features
from sample_vehicles import bluerov2, body, diagonal3

TWIST = (0.3, -0.2, 0.1, 0.2, 0.1, -0.3)
INTERVAL, CALLS = 0.02, 6
ZERO = np.zeros(6)
PUSH = np.array([20.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def bits(array):
    return np.ascontiguousarray(array).tobytes()


def fleet(count=7):
    """Vehicles of one layout, each with its own numbers; no multiple of the SIMD width."""
    base = bluerov2()
    others = [general(np.random.default_rng(k)) for k in range(count)]
    return [pack(v._replace(thrusters=base.thrusters, thruster_names=base.thruster_names)) for v in others]


def starts_of(vehicles, method=RK4):
    made = []
    for k, vehicle in enumerate(vehicles):
        locked = [name in vehicle.locked for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")]
        made.append(initial_state(vehicle, (k, 0, 5), twist=np.where(locked, 0.0, TWIST), method=method))
    return np.array(made)


def inputs(vehicles, seed=3):
    """Commands, wrenches and currents [call, vehicle, number]."""
    random, count = np.random.default_rng(seed), len(vehicles)
    commands = random.uniform(-30.0, 30.0, (CALLS, count, vehicles[0].actuators))
    return commands, random.uniform(-3.0, 3.0, (CALLS, count, 6)), random.uniform(-0.3, 0.3, (CALLS, count, 3))


def stepped(stepper, given):
    """States after each call [vehicle, call, number], the start first."""
    states = [stepper.states.copy()]
    states += [stepper(c, e, w).copy() for c, e, w in zip(*given, strict=True)]
    return np.swapaxes(states, 0, 1)


def together(vehicles, starts, given, method, steps):
    """The same by `batch`, with one row of inputs per call."""
    books = [np.swapaxes(sheet, 0, 1) for sheet in given]
    return batch(vehicles, starts, books[0], INTERVAL, steps, books[1], books[2], method)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("steps", [1, 3])
def test_calls_have_the_bits_of_a_batch_on_any_number_of_threads(name, steps):
    vehicles, method = fleet(), METHODS[name]
    starts, given = starts_of(vehicles, method), inputs(vehicles)
    wanted = together(vehicles, starts, given, method, steps)
    for threads in (1, 2, 5, None):
        stepper = BatchStepper(vehicles, starts, INTERVAL, steps, method, threads)
        assert bits(stepped(stepper, given)) == bits(wanted)
        assert not stepper.failed.any()


@pytest.mark.parametrize("name", packed_features())
def test_every_kind_of_vehicle_steps_as_in_a_batch(name):
    vehicles = [packed_features()[name]] * 5
    starts, given = starts_of(vehicles), inputs(vehicles)
    stepper = BatchStepper(vehicles, starts, INTERVAL)
    assert bits(stepped(stepper, given)) == bits(together(vehicles, starts, given, RK4, 1))


def test_a_vehicle_of_a_batch_moves_as_it_does_alone():
    """By the plain kernel, which has other machine code."""
    vehicles = fleet()
    starts, given = starts_of(vehicles), inputs(vehicles)
    states = stepped(BatchStepper(vehicles, starts, INTERVAL, 2), given)
    for i, vehicle in enumerate(vehicles):
        c, e, w = (sheet[:, i] for sheet in given)
        alone = rollout(vehicle, starts[i], c, INTERVAL, 2, e, w)
        np.testing.assert_allclose(states[i], alone, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("size", [10, 16, 17])
def test_varying_water_is_that_of_a_batch(size):
    vehicles, random = fleet(), np.random.default_rng(4)
    starts = starts_of(vehicles)
    water = random.uniform(-0.1, 0.1, (len(vehicles), size))
    stepper = BatchStepper(vehicles, starts, INTERVAL)
    wanted = batch(vehicles, starts, [ZERO], INTERVAL, water=water)[:, -1]
    assert bits(stepper(ZERO, water=water)) == bits(wanted)


def test_one_row_serves_all_vehicles():
    vehicles = fleet()
    starts, command, current = starts_of(vehicles), np.linspace(-5.0, 5.0, 6), (0.2, -0.1, 0.0)
    one, each = (BatchStepper(vehicles, starts, INTERVAL) for _ in range(2))
    count = len(vehicles)
    for _ in range(3):
        one(command, PUSH, current)
        each(np.tile(command, (count, 1)), np.tile(PUSH, (count, 1)), np.tile(current, (count, 1)))
    assert bits(one.states) == bits(each.states)
    same = BatchStepper(vehicles, starts[0], INTERVAL)
    assert bits(same.states) == bits(np.tile(starts[0], (count, 1)))


def bounded(narrow, count=6):
    """Vehicles that are alike but for some whose numbers hold up to 0.3 m/s only."""
    limits = [(0.3, *(9.0,) * 5) if i in narrow else (9.0,) * 6 for i in range(count)]
    return [pack(bluerov2()._replace(envelope=limit)) for limit in limits]


@pytest.mark.parametrize("threads", [1, 2])
def test_vehicles_that_leave_their_envelope_are_named_and_the_others_go_on(threads):
    bad, sound = bounded((2, 4)), bounded(())
    starts = starts_of(bad)
    starts[:, 7:13] = 0.0
    stepper, reference = BatchStepper(bad, starts, 0.1, threads=threads), BatchStepper(sound, starts, 0.1)
    for _ in range(60):
        stepper(ZERO, PUSH)
        reference(ZERO, PUSH)
    assert stepper.failed.tolist() == [i in (2, 4) for i in range(6)]
    assert [one.vehicle for one in stepper.failures] == [2, 4]
    assert all(one.what.startswith("surge speed 0.3") for one in stepper.failures)
    assert np.isnan(stepper.states[[2, 4]]).all()
    assert bits(stepper.states[~stepper.failed]) == bits(reference.states[~stepper.failed])


def test_a_start_outside_the_envelope_fails_when_the_current_comes():
    vehicles = bounded((1,), 3)
    stepper = BatchStepper(vehicles, initial_state(vehicles[0]), 0.1)
    stepper(ZERO)
    assert not stepper.failed.any()
    stepper(ZERO, water=(1.0, 0.0, 0.0))
    (failure,) = stepper.failures
    assert (failure.vehicle, failure.time) == (1, 0.0)
    assert "surge speed -1" in failure.what


def diverging():
    """Damping with the wrong sign."""
    wrong = diagonal6((-50.0,) * 6)
    light = body(
        10.0, diagonal3((1, 1, 1)), linear_damping=wrong, quadratic_damping=wrong, simplifications=("coriolis_off",)
    )
    return pack(light), pack(
        light._replace(linear_damping=diagonal6((50.0,) * 6), quadratic_damping=diagonal6((9.0,) * 6))
    )


def test_a_diverging_vehicle_fails_and_its_neighbours_keep_their_bits():
    bad, good = diverging()
    start = initial_state(good)
    stepper, reference = (BatchStepper(v, start, 0.05) for v in ([good, good, bad, good, good], [good] * 5))
    for _ in range(400):
        stepper((), PUSH)
        reference((), PUSH)
    assert stepper.failed.tolist() == [False, False, True, False, False]
    assert "surge" in stepper.failures[0].what
    assert "diverged" in stepper.failures[0].what
    assert bits(stepper.states[[0, 1, 3, 4]]) == bits(reference.states[[0, 1, 3, 4]])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which", ["commands", "external wrench", "water"])
def test_a_number_that_is_not_finite_fails_its_vehicle_only(which, value):
    vehicles = fleet()
    starts, given = starts_of(vehicles), inputs(vehicles)
    rows = {"commands": given[0][0], "external wrench": given[1][0], "water": given[2][0]}
    wanted = BatchStepper(vehicles, starts, INTERVAL)(*rows.values()).copy()
    rows[which] = rows[which].copy()
    rows[which][3, 2] = value
    stepper = BatchStepper(vehicles, starts, INTERVAL)
    states = stepper(*rows.values())
    (failure,) = stepper.failures
    assert failure.vehicle == 3
    assert failure.what == f"{which}[3, 2] is {value}"
    others = np.arange(len(vehicles)) != 3
    assert np.array_equal(stepper.failed, ~others)
    assert np.isnan(states[3]).all()
    assert bits(states[others]) == bits(wanted[others])


def test_a_failed_vehicle_stays_failed_whatever_it_is_given_and_keeps_its_first_cause():
    vehicles = fleet()
    stepper = BatchStepper(vehicles, starts_of(vehicles), INTERVAL)
    commands = np.zeros((len(vehicles), 6))
    commands[3, 2] = np.nan
    stepper(commands)
    cause = stepper.failures[0].what
    for value in (np.nan, 1e300, 0.0):
        commands[3] = value
        stepper(commands)
        assert stepper.failed.tolist() == [i == 3 for i in range(len(vehicles))]
        assert stepper.failures[0].what == cause
        assert np.isnan(stepper.states[3]).all()


@pytest.mark.parametrize("which", [3, [3], np.array([3]), np.arange(7) == 3])
def test_a_reset_vehicle_starts_again_and_no_other(which):
    vehicles = fleet()
    starts, given = starts_of(vehicles), inputs(vehicles)
    stepper, fresh = (BatchStepper(vehicles, starts, INTERVAL) for _ in range(2))
    broken = given[0][0].copy()
    broken[3] = np.nan
    stepper(broken)
    before = stepper.states.copy()
    stepper.reset(which)
    assert not stepper.failed.any()
    assert stepper.failures == ()
    assert bits(stepper.states[3]) == bits(starts[3])
    others = np.arange(len(vehicles)) != 3
    assert bits(stepper.states[others]) == bits(before[others])
    row = [sheet[1] for sheet in given]
    assert bits(stepper(*row)[3]) == bits(fresh(*row)[3])


def test_reset_takes_new_states_and_may_name_nobody():
    vehicles = fleet()
    starts = starts_of(vehicles)
    stepper, elsewhere = BatchStepper(vehicles, starts, INTERVAL), starts[[0, 1]] + np.eye(1, starts.shape[1])
    stepper.reset([5, 2], elsewhere)
    assert bits(stepper.states[[5, 2]]) == bits(elsewhere)
    stepper.reset(stepper.failed)
    stepper.reset([])
    assert bits(stepper.states[[0, 1, 3, 4, 6]]) == bits(starts[[0, 1, 3, 4, 6]])
    stepper.reset([0, 4], starts[6])
    assert bits(stepper.states[[0, 4]]) == bits(starts[[6, 6]])


def test_states_are_read_only_views_that_follow():
    vehicles = fleet()
    starts = starts_of(vehicles)
    stepper = BatchStepper(vehicles, starts, INTERVAL)
    views = [stepper.states, stepper.positions, stepper.quaternions, stepper.twists, stepper.outputs, stepper.failed]
    stepper(np.ones(6))
    states = stepper.states
    for view, now in zip(
        views[:5], (states, states[:, :3], states[:, 3:7], states[:, 7:13], states[:, 13:]), strict=True
    ):
        assert np.shares_memory(view, states)
        assert bits(view) == bits(now)
    for view in views:
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 0


def test_no_argument_is_changed():
    vehicles = fleet()
    starts, given = starts_of(vehicles), inputs(vehicles)
    given[0][0, 2, 1] = np.nan
    rows = [v.row for v in vehicles]
    before = [bits(a) for a in (starts, *given, *rows)]
    stepper = BatchStepper(vehicles, starts, INTERVAL)
    stepper(*(sheet[0] for sheet in given))
    stepper.reset([2], starts[1])
    assert [bits(a) for a in (starts, *given, *rows)] == before
    assert not np.shares_memory(stepper.states, starts)


def test_a_packed_batch_is_read_as_its_vehicles():
    plant = Plant(load_vehicle("bluerov2_heavy"), locked=("yaw",))
    made = plant.variations(mass=np.linspace(13.0, 14.0, 5))
    assert isinstance(made, PackedBatch)
    assert len(made) == len(list(made)) == 5
    assert (made[0].locked, made[4].actuators) == (("yaw",), 8)
    assert bits(made[-1].row) == bits(made.rows[4])
    with pytest.raises(IndexError):
        made[5]
    starts, commands = np.tile(plant.initial_state(), (5, 1)), np.full(8, 3.0)
    whole = batch(made, starts, [commands], 0.05)
    assert bits(whole) == bits(batch(list(made), starts, [commands], 0.05))
    assert len(np.unique(whole[:, -1, 9])) == 5


def test_locked_axes_belong_to_each_vehicle():
    """Vehicles of one layout may lock different degrees of freedom."""
    vehicles = [pack(bluerov2(), locked=(name,)) for name in ("roll", "pitch", "roll")]
    starts = np.array([initial_state(v) for v in vehicles])
    starts[1, 10] = 0.2
    states = BatchStepper(vehicles, starts, INTERVAL)(ZERO)
    assert (states[[0, 2], 10] == 0.0).all()
    starts[2, 10] = 0.2
    for call in (
        lambda: BatchStepper(vehicles, starts, INTERVAL),
        lambda: batch(vehicles, starts, [ZERO], INTERVAL),
        lambda: BatchStepper(vehicles, starts[0], INTERVAL).reset([1, 2], starts[1:]),
    ):
        with pytest.raises(ValueError, match=r"^vehicle 2: roll is locked but moves with 0\.2"):
            call()


ROV = pack(bluerov2())
START = initial_state(ROV)


def made(**others):
    options = {"vehicles": [ROV] * 3, "states": START, "interval": 0.1, **others}
    return BatchStepper(**options)


def with_nan(array, index):
    copy = np.array(array, dtype=float)
    copy[index] = np.nan
    return copy


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: made(vehicles=[]), r"no vehicles: give at least one"),
        (lambda: made(vehicles=ROV), r"vehicle 0 is of type ndarray: give plants"),
        (lambda: made(vehicles=["falcon"]), r"vehicle 0 is of type str: give plants, as remora\.Plant\(vehicle\)"),
        (lambda: made(vehicles=[ROV, pack(bluerov2(), locked=("yaw",))]), r"vehicle 1 has layout .*: run them apart"),
        (lambda: made(states=np.zeros((2, 19))), r"states has shape \(2, 19\): give \(3, 19\)"),
        (lambda: made(states=START[:-1]), r"states has shape \(18,\): give \(19,\)"),
        (lambda: made(states=with_nan(START, 4)), r"states\[4\] is nan: give finite numbers"),
        (lambda: made(states=2.0 * START), r"quaternion of state 0 has length 2"),
        (lambda: made(states="rest"), r"states is not an array of numbers"),
        (lambda: made(interval=0.0), r"time step is 0.0: give a positive number of seconds"),
        (lambda: made(interval="fast"), r"time step is fast"),
        (lambda: made(steps=0), r"steps per interval is 0: give a whole number of at least 1"),
        (lambda: made(method="rk4"), r"method is 'rk4': give an IntegrationMethod"),
        (lambda: made(threads=0), r"threads is 0: give at least 1"),
        (lambda: made(threads="two"), r"threads is 'two': give at least 1"),
        (lambda: made()(np.zeros(5)), r"commands has shape \(5,\): give \(6,\)"),
        (lambda: made()(np.zeros((2, 6))), r"commands has shape \(2, 6\): give \(3, 6\), or \(6,\) for all vehicles"),
        (lambda: made()(0.0), r"commands has shape \(\): give \(3, 6\)"),
        (lambda: made()(with_nan(ZERO, 2)), r"commands\[2\] is nan: give finite numbers"),
        (lambda: made()("ahead"), r"commands is not an array of numbers"),
        (lambda: made()(np.zeros((3, 6), dtype=complex)), r"commands is not an array of numbers"),
        (lambda: made()(ZERO, np.zeros((3, 5))), r"external wrench has shape \(3, 5\): give \(3, 6\)"),
        (lambda: made()(ZERO, water=np.zeros((3, 4))), r"water has shape \(3, 4\): give \(3, 3\)"),
        (lambda: made().reset(3), r"there is no vehicle 3: give indices from 0 to 2"),
        (lambda: made().reset(-1), r"there is no vehicle -1"),
        (lambda: made().reset([0, 0]), r"a vehicle to reset is named twice"),
        (lambda: made().reset([True, False]), r"the mask has shape \(2,\): give \(3,\)"),
        (lambda: made().reset(1.5), r"vehicles to reset are 1.5: give indices, or a mask of 3 truth values"),
        (lambda: made().reset(None), r"vehicles to reset are None"),
        (lambda: made().reset([0, 1], np.tile(START, (3, 1))), r"states has shape \(3, 19\): give \(2, 19\)"),
        (lambda: made().reset(1, with_nan(START, 0)), r"states\[0\] is nan"),
        (lambda: made().reset(1, 3.0 * START), r"quaternion of the state has length 3"),
    ],
)
def test_bad_input_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_refused_input_leaves_the_states_alone():
    stepper = made()
    commands = np.zeros((3, 6))
    commands[1, 1] = np.nan
    for external, water in ((np.zeros(5), None), (None, np.zeros((2, 3)))):
        with pytest.raises(ValueError, match="has shape"):
            stepper(commands, external, water)
    with pytest.raises(ValueError, match="quaternion"):
        stepper.reset([0, 1], np.vstack([START, 2.0 * START]))
    assert not stepper.failed.any()
    assert bits(stepper.states) == bits(np.tile(START, (3, 1)))


def test_the_example_of_the_page_prints_what_the_page_shows(tmp_path: Path) -> None:
    text = page("batches.md")
    (code,), (shown,) = code_blocks(text), code_blocks(text, "text")
    assert printed_by(code, tmp_path) == shown
