"""One bad vehicle of a batch is named, and the others keep their results; a NaN is found at its vehicle."""

import pickle

import numpy as np
import pytest

from remora.plant import BatchError, RunError, Stepper, batch, initial_state, pack, rollout
from sample_vehicles import bluerov2

ZERO = np.zeros(6)
PUSH = np.array([20.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def fleet(slow: tuple[int, ...], count: int = 6):
    """Vehicles that are alike but for some whose numbers hold up to 0.3 m/s only."""
    usual, narrow = bluerov2(), bluerov2()._replace(envelope=(0.3, *(9.0,) * 5))
    wide = usual._replace(envelope=(9.0,) * 6)
    return [pack(narrow if i in slow else wide) for i in range(count)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("only_end", [False, True])
def test_one_bad_vehicle_is_named_and_the_others_finish(only_end: bool, threads: int) -> None:
    """To the last bit as in sound company."""
    options = {"external": [PUSH], "intervals": 60, "only_end": only_end, "threads": threads}
    bad, sound = fleet((2, 4)), fleet(())
    starts = [initial_state(vehicle) for vehicle in bad]
    with pytest.raises(BatchError, match=r"^vehicle 2: surge speed .*; vehicles 4 fail too$") as caught:
        batch(bad, starts, [ZERO], 0.1, 2, **options)
    whole = batch(sound, starts, [ZERO], 0.1, 2, **options)
    error = caught.value
    assert [one.vehicle for one in error.failures] == [2, 4]
    for i in (0, 1, 3, 5):
        assert np.array_equal(error.states[i], whole[i])
    for one in error.failures:
        assert 0.0 < one.time < 6.0
        kept = 1 if only_end else round(one.time / 0.1)
        assert np.isfinite(error.states[one.vehicle, :kept]).all()
        assert np.isnan(error.states[one.vehicle, kept:]).all()
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert isinstance(again, RunError)


def test_a_vehicle_that_cannot_start_does_not_stop_the_others() -> None:
    vehicles = fleet((1,), 3)
    starts = [initial_state(vehicle, twist=(0.5, 0, 0, 0, 0, 0)) for vehicle in vehicles]
    with pytest.raises(BatchError, match=r"vehicle 1: surge speed 0\.5 left the envelope") as caught:
        batch(vehicles, starts, [ZERO], 0.1, intervals=3)
    assert caught.value.failures[0].time == 0.0
    assert np.isfinite(caught.value.states[[0, 2]]).all()


def test_a_nan_is_found_at_its_vehicle_and_not_at_its_interval() -> None:
    vehicles = fleet((), 3)
    starts = [initial_state(vehicle) for vehicle in vehicles]
    commands = [np.zeros((4, 6)) for _ in vehicles]
    commands[2][1, 5] = np.nan
    with pytest.raises(ValueError, match=r"commands of vehicle 2: .*\[1, 5\] is nan"):
        batch(vehicles, starts, commands, 0.1)
    starts[1] = starts[1] * 2.0 + 1.0
    with pytest.raises(ValueError, match="quaternion of state 1 has length"):
        batch(vehicles, starts, [ZERO], 0.1)


def test_a_stepper_takes_water_as_all_others_do() -> None:
    packed = pack(bluerov2())
    state, current, push = initial_state(packed), (0.4, -0.2, 0.1), (3.0, 0.0, 1.0, 0.0, 0.0, 0.2)
    stepper = Stepper(packed, 0.1)
    wanted = rollout(packed, state, ZERO, 0.1, external=push, water=current, intervals=1)[-1]
    assert np.allclose(stepper(state, ZERO, external=push, water=current), wanted, rtol=0.0, atol=1e-14)
    assert np.array_equal(
        stepper(state, ZERO, external=push, water=current), stepper(state, ZERO, np.array([*push, *current]))
    )
    assert not np.array_equal(stepper(state, ZERO, water=current), stepper(state, ZERO))
    with pytest.raises(ValueError, match="give either it, or external and water"):
        stepper(state, ZERO, np.ones(9), water=current)
    with pytest.raises(ValueError, match="water"):
        stepper(state, ZERO, water=(0.1, np.nan, 0.0))
