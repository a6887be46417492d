"""Steps that are too long for their method are refused or named wherever a vehicle is stepped, and no others."""

import numpy as np
import pytest

import remora
from remora.plant import EULER, BatchError, BatchStepper, RunError, batch, pack, rollout
from remora.plant.batches.step_length import longest_step
from remora.plant.methods import RK4, dormand_prince

FULL = [40.0, 40.0, -30.0, -30.0, 0.0, 0.0, 0.0, 0.0]  # N


@pytest.fixture(scope="module")
def plant():
    return remora.Plant(remora.load_vehicle("bluerov2_heavy"))


def ways(plant, interval):
    """Every way to step this plant by one interval under full thrust."""
    start = plant.initial_state()

    def stepped():
        stepper = BatchStepper([plant.packed] * 2, start, interval)
        stepper(FULL)
        if stepper.failures:
            raise stepper.failures[0]
        return stepper.states[0]

    return {
        "step": lambda: plant.step(start, FULL, interval),
        "rollout": lambda: plant.rollout(start, FULL, interval)[-1],
        "batch": lambda: batch([plant.packed] * 2, [start] * 2, [FULL], interval)[0, -1],
        "BatchStepper": stepped,
    }


@pytest.mark.parametrize("way", ["step", "rollout", "batch", "BatchStepper"])
@pytest.mark.parametrize("interval", [0.5, 2.0, 10.0, 100.0])
def test_a_step_that_is_too_long_is_never_a_result(plant, way, interval):
    with pytest.raises(RunError, match=r"is too long|diverged|no longer a finite number"):
        ways(plant, interval)[way]()


@pytest.mark.parametrize("way", ["step", "rollout", "batch", "BatchStepper"])
def test_a_long_step_that_is_stable_gives_the_motion_of_short_ones(plant, way):
    exact = plant.step(plant.initial_state(), FULL, 0.1, steps=100)
    assert ways(plant, 0.1)[way]()[7:13] == pytest.approx(exact[7:13], abs=0.02)


def test_the_message_gives_the_steps_that_are_short_enough(plant):
    with pytest.raises(RunError, match=r"a step of 10 s is too long: at rest rk4 is unstable above 1\.\d s") as caught:
        plant.rollout(plant.initial_state(), FULL, 10.0)
    steps = int(str(caught.value).partition("steps=")[2].split()[0])
    plant.rollout(plant.initial_state(), np.zeros(8), 10.0, steps)


def test_the_longest_step_at_rest_is_that_of_the_roll_oscillation():
    """Undamped, restoring moment W BG and inertia I: RK4 bears a step of 2 sqrt(2) / omega, Euler none of its size."""
    vehicle = remora.load_vehicle("bluerov2_heavy").with_(linear=None, quadratic=None)
    p = vehicle.parameters
    omega = np.sqrt(p.mass * 9.81 * 0.01 / (0.26 + 0.189))
    assert longest_step(pack(p), 5.0, RK4) <= 2.0 * np.sqrt(2.0) / omega * (1.0 + 1e-3)
    assert longest_step(pack(p), 5.0, EULER) < longest_step(pack(p), 5.0, RK4)
    assert longest_step(pack(p), 5.0, dormand_prince()) == 5.0


def test_a_batch_names_the_fast_vehicle_and_keeps_the_slow_one(plant):
    start = plant.initial_state()
    with pytest.raises(BatchError) as caught:
        batch([plant.packed] * 2, [start] * 2, [FULL, np.zeros(8)], 0.5)
    assert [one.vehicle for one in caught.value.failures] == [0]
    assert np.isnan(caught.value.states[0, 1]).all()
    assert np.isfinite(caught.value.states[1]).all()


def test_a_current_counts_as_motion_through_the_water_only(plant):
    """A vehicle that drifts with the water has no drag, so that long steps are as sound as at rest."""
    drifting = plant.initial_state(twist=(2.0, 0, 0, 0, 0, 0))
    rollout(plant.packed, drifting, np.zeros(8), 0.5, water=(2.0, 0.0, 0.0))
    with pytest.raises(RunError, match=r"too long|diverged"):
        rollout(plant.packed, drifting, np.zeros(8), 0.5)


def test_the_rate_of_a_state_needs_no_commands(plant):
    state = plant.initial_state(twist=(0.5, 0, 0, 0, 0, 0))
    assert np.array_equal(plant.derivative(state), plant.derivative(state, np.zeros(8)))
    assert plant.derivative(state)[7] < 0.0  # drag
