"""A run that cannot go on stops and names the degree of freedom and the time; it never goes on with NaN."""

import numpy as np
import pytest

from remora.equations.algebra.vectors import diagonal6
from remora.plant import EULER, RunError, Stepper, batch, derivative, dormand_prince, initial_state, pack, rollout
from remora.vehicles.names import DEGREES_OF_FREEDOM
from sample_vehicles import bluerov2, body, diagonal3, tuples
from trajectories import run

PUSH = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def growing(index):
    """Damping with the wrong sign: a push grows without bound."""
    damping = np.zeros(6)
    damping[index] = -50.0
    moving = diagonal6((1.0, 1.0, 1.0, 1.0, 1.0, 1.0))
    return body(
        10.0, diagonal3((1, 1, 1)), added_mass=moving, linear_damping=diagonal6(tuples(damping)),
        quadratic_damping=diagonal6(tuples(damping)), simplifications=("coriolis_off",),
    )  # fmt: skip


@pytest.mark.parametrize(("index", "name"), [*enumerate(DEGREES_OF_FREEDOM)])
@pytest.mark.parametrize("method", [EULER, dormand_prince()], ids=["euler", "adaptive"])
def test_blow_up_names_the_degree_of_freedom_and_the_time(index, name, method):
    packed = pack(growing(index))
    wrench = np.zeros(6)
    wrench[index] = 1.0
    with pytest.raises(
        RunError, match=rf"^{name} (diverged, up to .*|is no longer a finite number) .*, before .* s"
    ) as caught:
        run(packed, 100.0, 0.05, external=wrench, method=method)
    assert 0.0 < caught.value.time < 20.0
    assert f"before {caught.value.time:.9g} s" in str(caught.value)
    assert caught.value.vehicle == 0


def test_time_is_that_of_the_first_failed_interval():
    """The run up to there is sound: the same inputs, ended one interval earlier, come through."""
    packed = pack(growing(0))
    with pytest.raises(RunError) as caught:
        run(packed, 100.0, 0.05, external=PUSH)
    good = round(caught.value.time / 0.05) - 1
    states = rollout(packed, initial_state(packed), (), 0.05, external=PUSH, intervals=good)
    assert np.all(np.isfinite(states))
    with pytest.raises(RunError):
        rollout(packed, initial_state(packed), (), 0.05, external=PUSH, intervals=good + 1)


def test_a_batch_names_the_vehicle():
    sound = growing(0)._replace(linear_damping=diagonal6((50.0,) * 6), quadratic_damping=diagonal6((50.0,) * 6))
    vehicles = [pack(sound), pack(sound), pack(growing(0)), pack(sound)]
    starts = [initial_state(v) for v in vehicles]
    for only_end in (False, True):
        with pytest.raises(RunError, match=r"surge (diverged|is no longer a finite number)") as caught:
            batch(vehicles, starts, [()], 0.05, external=[PUSH], intervals=1000, only_end=only_end)
        assert caught.value.vehicle == 2


@pytest.mark.parametrize(("index", "name"), [(0, "surge"), (2, "heave"), (5, "yaw")])
def test_leaving_the_envelope_is_refused(index, name):
    limits = [9.0] * 6
    limits[index] = 0.3
    packed = pack(bluerov2()._replace(envelope=tuple(limits)))
    wrench = np.zeros(6)
    wrench[index] = -20.0 if index < 3 else -1.0
    words = rf"^{name} speed -0\.3\d* left the envelope of 0\.3 in which this vehicle's numbers hold, before .* s$"
    with pytest.raises(RunError, match=words) as caught:
        run(packed, 60.0, 0.01, external=wrench)
    assert 0.0 < caught.value.time < 10.0


def test_staying_inside_the_envelope_is_fine():
    packed = pack(bluerov2()._replace(envelope=(0.9,) * 6))
    states = run(packed, 20.0, 0.01, external=(5.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert 0.2 < np.abs(states[:, 7:13]).max() < 0.9


def test_the_stepper_stops_too():
    packed = pack(bluerov2()._replace(envelope=(0.3,) * 6))
    step, states = Stepper(packed, 0.01), [initial_state(packed)]
    push = np.array([50.0, 0, 0, 0, 0, 0, 0, 0, 0])

    def go_on():
        while len(states) < 1000:
            states.append(step(states[-1], np.zeros(6), push))

    with pytest.raises(RunError, match=r"surge speed 0\.3"):
        go_on()
    assert 0.2 < states[-1][7] <= 0.3


def test_a_start_outside_the_envelope_is_refused():
    packed = pack(bluerov2()._replace(envelope=(0.3,) * 6))
    with pytest.raises((RunError, ValueError), match="surge"):
        run(packed, 1.0, 0.01, twist=(0.5, 0.0, 0.0, 0.0, 0.0, 0.0))


@pytest.mark.filterwarnings("error")
def test_a_crash_gives_no_warnings_of_the_floating_point_unit():
    packed = pack(growing(3))
    with pytest.raises(RunError):
        run(packed, 100.0, 0.05, external=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0))


def bounded_in_surge(limit):
    return pack(bluerov2()._replace(envelope=(limit, 9.0, 9.0, 9.0, 9.0, 9.0)))


def test_the_envelope_is_one_of_speeds_through_the_water():
    """Drifting with a fast current is fine; resting in it is not."""
    packed = bounded_in_surge(0.3)
    water = (1.0, 0.0, 0.0)
    drifting = initial_state(packed, twist=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    states = rollout(packed, drifting, np.zeros(6), 0.1, 10, water=water, intervals=10)
    np.testing.assert_allclose(states[:, 7], 1.0, atol=1e-3)
    for run_once in (
        lambda: rollout(packed, initial_state(packed), np.zeros(6), 0.1, water=water),
        lambda: batch([packed] * 5, [initial_state(packed)] * 5, [np.zeros(6)], 0.1, water=[water]),
        lambda: Stepper(packed, 0.1)(initial_state(packed), np.zeros(6), np.array([0, 0, 0, 0, 0, 0, 1.0, 0, 0])),
        lambda: derivative(packed, initial_state(packed), np.zeros(6), water=water),
    ):
        with pytest.raises(RunError, match=r"surge speed -1 left the envelope of 0\.3"):
            run_once()


def test_a_start_outside_the_envelope_is_named_with_its_own_speed():
    packed = bounded_in_surge(0.3)
    with pytest.raises(RunError, match=r"surge speed 5 left the envelope .*, before 0 s"):
        rollout(packed, initial_state(packed, twist=(5.0, 0, 0, 0, 0, 0)), np.zeros(6), 0.1)


def test_a_held_degree_of_freedom_may_not_move_in_a_state_from_elsewhere():
    packed = pack(bluerov2(), locked="heave")
    state = initial_state(packed)
    state[9] = 1.0
    for run_once in (
        lambda: rollout(packed, state, np.zeros(6), 0.1),
        lambda: Stepper(packed, 0.1)(state, np.zeros(6)),
    ):
        with pytest.raises(ValueError, match="heave is locked but moves with 1"):
            run_once()


def test_a_rate_that_is_no_number_is_not_returned():
    packed = pack(bluerov2())
    with pytest.raises(RunError, match="the rate is no finite number"):
        derivative(packed, initial_state(packed, twist=(1e200, 0, 0, 0, 0, 0)), np.zeros(6))
